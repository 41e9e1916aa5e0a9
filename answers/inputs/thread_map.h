// A map from threads and blocks, as a text.
//
//   threadMapOf("(th_x, th_y, th_z, bl_x, bl_y, bl_z) -> (bl_x * 8 + th_x), …")
#ifndef INDEXICAL_ANSWERS_INPUTS_THREAD_MAP_H
#define INDEXICAL_ANSWERS_INPUTS_THREAD_MAP_H

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/indexing_map.h"

namespace indexical {

/// Returns the only map of the text, or an error, with its place, if there is
/// none, there are several, or it is not a map of threads.
absl::StatusOr<IndexingMap> threadMapOf(llvm::StringRef text);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_INPUTS_THREAD_MAP_H
