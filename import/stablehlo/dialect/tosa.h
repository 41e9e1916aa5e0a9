// Ops of TOSA as ops that compute the same.
//
//   %y = "tosa.mul"(%x, %c) {shift = 0 : i8}
//          : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
//
//   %0 = stablehlo.broadcast_in_dim %c, dims = [0, 1]
//          : (tensor<1x8xf32>) -> tensor<4x8xf32>
//   %y = stablehlo.multiply %x, %0 : tensor<4x8xf32>
//
// TOSA's ops changed their form from release to release: numbers were
// attributes and are operands, `value` became `values`, products got zero
// points. MLIR reads today's form alone. Here each op has one row, which takes
// all forms (tosa_text.h).
//
// The meaning is that of MLIR's own tosa-to-linalg, where it has one: a pool or
// a reduction by the maximum begins at the lowest finite number, a clamp is a
// minimum and then a maximum, a product of integers wraps. A bias is added to
// the sum at its end, as TOSA's specification has it. An op stays as it is
// where no row knows it: zero points other than 0, shifts, `nan_mode = IGNORE`,
// operands whose sizes are open and may be 1 in the run.
//
// The convolutions and products are linalg's, and not StableHLO's: these may
// round in between, and TOSA's do not.
#ifndef INDEXICAL_IMPORT_STABLEHLO_DIALECT_TOSA_H
#define INDEXICAL_IMPORT_STABLEHLO_DIALECT_TOSA_H

#include "indexical/import/stablehlo/dialect/parse.h"

namespace indexical {

/// Puts other ops in the place of ops of TOSA, in a module that was parsed and
/// is not verified yet. The last of them has the op's name and place.
void writeTosa(MlirModule &parsed);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_DIALECT_TOSA_H
