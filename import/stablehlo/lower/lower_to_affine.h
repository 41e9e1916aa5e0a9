// A pass that turns functions on tensors into loops that read their arguments
// directly.
//
//   func.func @f(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
//     %t = stablehlo.transpose %x, dims = [1, 0] : …
//     %r = stablehlo.negate %t : tensor<3x2xf32>
//     return %r : tensor<3x2xf32>
//   }
//
// becomes
//
//   func.func @f(%x: memref<2x3xf32>, %r: memref<3x2xf32>) {
//     affine.parallel (%i, %j) = (0, 0) to (3, 2) {
//       %0 = affine.load %x[%j, %i] : memref<2x3xf32>
//       %1 = arith.negf %0 : f32
//       affine.store %1, %r[%i, %j] : memref<3x2xf32>
//     }
//     return
//   }
//
// Results are memrefs behind the arguments, which the function writes to: they
// must not share memory with an argument. Each result has a loop nest of its
// own, and no tensor is stored in between (elements.h). The pass lowers
// StableHLO's and MLIR's elementwise ops, movement, constants and iotas,
// reduce, reduce_window and map, linalg's structured ops, tensor.generate, and
// calls of functions of one block. All sizes must be known. Any other op is an
// error at its place, and the module is unchanged.
//
// Law (tests/import/stablehlo/lower/lower_random_test.cc): compiled and run,
// 10,000 random programs give the results of their definitions.
#ifndef INDEXICAL_IMPORT_STABLEHLO_LOWER_LOWER_TO_AFFINE_H
#define INDEXICAL_IMPORT_STABLEHLO_LOWER_LOWER_TO_AFFINE_H

#include <memory>

#include "mlir/Pass/Pass.h"

namespace indexical {

std::unique_ptr<mlir::Pass> createLowerToAffinePass();

/// Registers `-indexical-lower-to-affine` with tools.
void registerLowerToAffinePass();

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_LOWER_LOWER_TO_AFFINE_H
