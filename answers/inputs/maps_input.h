// The maps of a maps file.
//
//   (d0, d1) -> (d1, d0), domain: d0 in [0, 3], d1 in [0, 7]
//   (4,8):(8,1)                                      a layout is a map, too
#ifndef INDEXICAL_ANSWERS_INPUTS_MAPS_INPUT_H
#define INDEXICAL_ANSWERS_INPUTS_MAPS_INPUT_H

#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/answers/inputs/input.h"
#include "indexical/indexing/indexing_map.h"

namespace indexical {

using Maps = std::vector<IndexingMap>;

/// Returns the maps of a file, one or more. Returns an error, with its place in
/// the text, if it holds something else, or none.
absl::StatusOr<Maps> readMaps(const Input &input);

/// Returns whether a file holds maps, and no module, by its first word.
bool looksLikeMaps(llvm::StringRef text);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_INPUTS_MAPS_INPUT_H
