// Ops that MLIR had once, in words of their successors.
//
//   tensor.pack %0 …                       linalg.pack %0 …
//   linalg.init_tensor [%n, 4] : T         tensor.empty(%n) : T
//   linalg.matmul_transpose_b ins(…) …     linalg.matmul indexing_maps = […]
//                                            ins(…) …
//   linalg.elemwise_unary                  linalg.elementwise kind=
//       {fun = #linalg.unary_fn<exp>} …      #linalg.elementwise_kind<exp> …
//   vector.extractelement %v[%i : index]   vector.extract %v[%i]
//       : vector<4xf32>                        : f32 from vector<4xf32>
//   vector.insertelement %x, %v[%i : …]    vector.insert %x, %v[%i]
//       : vector<4xf32>                        : f32 into vector<4xf32>
//   vector.splat %x : vector<4xf32>        vector.broadcast %x
//                                              : f32 to vector<4xf32>
#ifndef INDEXICAL_IMPORT_STABLEHLO_TEXT_MOVED_OPS_H
#define INDEXICAL_IMPORT_STABLEHLO_TEXT_MOVED_OPS_H

#include <cstddef>

#include "llvm/ADT/StringRef.h"

#include "indexical/import/stablehlo/text/edits.h"

namespace indexical {

/// Writes the successor of the op whose name begins at the offset. Returns
/// false, and changes nothing, if the op has none, or if its text says more
/// than the successor can: `elemwise_unary` that casts, a vector whose type is
/// an alias.
bool writeSuccessor(TextEdits &edits, llvm::StringRef name, size_t offset);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_TEXT_MOVED_OPS_H
