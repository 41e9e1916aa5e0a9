// Layouts as a call has them: written in place, or in files.
//
//   {"(4, 8):(8, 1)"}    one layout, named by its text
//   {"kernel.ttgir"}     those of the file, each with its line
#ifndef INDEXICAL_ANSWERS_INPUTS_LAYOUT_SOURCES_H
#define INDEXICAL_ANSWERS_INPUTS_LAYOUT_SOURCES_H

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"

#include "indexical/layout/listing.h"

namespace indexical {

/// A word of the call: a layout, or a file of layouts.
struct LayoutSource {
  std::string name;  ///< of the file, or the word; "" for standard input
  std::string text;
  bool isFile = false;
  layouts::Listing listing;  ///< of a word: one layout
};

/// Returns what the words are: a file if one is there, `-`, the files of
/// `@LIST`, else a layout. Returns an error if a file cannot be read.
absl::StatusOr<std::vector<LayoutSource>> layoutSources(
    llvm::ArrayRef<std::string> words);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_INPUTS_LAYOUT_SOURCES_H
