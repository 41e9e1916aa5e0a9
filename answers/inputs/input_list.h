// The files that a call names.
//
//   softmax.hlo        that file
//   -                  standard input
//   dumps/             every .hlo .txt .mlir .mlirbc .hlotxt .pb in it and
//                      below it, also with .gz or .zst behind, in the order of
//                      the paths; some commands read files of other endings,
//                      and `report` those that Inductor wrote, if there are any
//   @LIST              the files that the lines of the file LIST name; empty
//                      lines and those that begin with `#` are passed over
#ifndef INDEXICAL_ANSWERS_INPUTS_INPUT_LIST_H
#define INDEXICAL_ANSWERS_INPUTS_INPUT_LIST_H

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/answers/inputs/dump_folder.h"

namespace indexical {

struct InputList {
  std::vector<std::string> paths;
  /// Whether the words can name more than one file: the results of a folder
  /// with one file have the form of those of a folder with two.
  bool several = false;
  /// The files of folders that were passed over, each sentence about a folder.
  std::vector<std::string> notes = {};
};

/// Returns the files that the words name, or standard input if there are no
/// words. In a folder, files with one of the endings count, or, if there are no
/// endings, files with those of modules, without the side files of a compiler
/// (dump_folder.h). Returns an error if a list cannot be read, or a folder has
/// no such file.
absl::StatusOr<InputList> inputsOf(llvm::ArrayRef<std::string> words,
                                   llvm::ArrayRef<llvm::StringRef> endings = {},
                                   TakenDumps taken = TakenDumps::All);

/// Returns the lines of the file of a list, without empty lines and those that
/// begin with `#`, or an error if the file cannot be read.
absl::StatusOr<std::vector<std::string>> linesOfList(llvm::StringRef path);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_INPUTS_INPUT_LIST_H
