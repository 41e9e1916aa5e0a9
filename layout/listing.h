// The layouts that a file names, with their places.
//
//   #blocked = #ttg.blocked<{…}>
//   …
//   %8 = ttg.convert_layout %7 : tensor<64x64xf16, #mma> ->
//        tensor<64x64xf16, #blocked>
//     layouts  tensor<64x64xf16, #ttg.nvidia_mma<{…}>>, line 9
//              tensor<64x64xf16, #ttg.blocked<{…}>>, line 9
//     moves    convert_layout, line 9, from the first to the second
//
// A TTGIR is read as text: every type with an encoding counts, in every op,
// whether the op is known or not. In another file each layout ends with its
// line where brackets are closed; `#name = #ttg…` names an encoding, and lines
// that begin with `//` or `# ` are comments.
#ifndef INDEXICAL_LAYOUT_LISTING_H
#define INDEXICAL_LAYOUT_LISTING_H

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/layout/layout.h"

namespace indexical::layouts {

/// A layout that a file names.
struct ListedLayout {
  std::string text;  ///< with the encodings that names stand for
  Place place;       ///< where it stands first
  int64_t times = 1;
  absl::StatusOr<Layout> layout;
};

/// An op that moves elements from one layout to another.
struct ListedMove {
  std::string op;  ///< `ttg.convert_layout`
  Place place;
  size_t from = 0, to = 0;  ///< numbers of layouts
};

struct Listing {
  std::vector<ListedLayout> layouts;  ///< in the order of the file
  std::vector<ListedMove> moves;
};

/// Returns whether the text is a TTGIR, and no list of layouts.
bool isTtgir(llvm::StringRef text);
/// Returns all types of a TTGIR that have an encoding, each once, and all ops
/// that convert, load or store them. A type that is not understood has an error
/// for its layout.
Listing listTtgir(llvm::StringRef text);
/// Returns the layouts of a list. One that is wrong has an error with a place
/// in the text.
Listing listLayouts(llvm::StringRef text);

/// Returns the maps of a text in which layouts may stand for maps
/// (indexing/map_text.h). Such a layout begins a line, and is not a map itself.
absl::StatusOr<std::vector<IndexingMap>> mapsOrLayouts(llvm::StringRef text);
/// Returns whether the text begins as a layout does, and no map.
bool beginsLayout(llvm::StringRef text);

}  // namespace indexical::layouts

#endif  // INDEXICAL_LAYOUT_LISTING_H
