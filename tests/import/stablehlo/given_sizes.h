// Unknown sizes of a module in memory, given.
//
//   func.func @main(%n: tensor<i64>, %x: tensor<?x5xf32>) …
//     %1 = stablehlo.concatenate %x, %x, dim = 0 … -> tensor<?x5xf32>
//
//   with 3: %n is 3, %x a tensor<3x5xf32>, %1 a tensor<6x5xf32>
//
// All unknown sizes of the arguments of `main` get one number, and so do its
// scalars of 64 bits, which frameworks pass as sizes. program/maps/refine.h
// finds the sizes that follow. These are written into the types, and the
// dialect verifies the module.
#ifndef INDEXICAL_TESTS_IMPORT_STABLEHLO_GIVEN_SIZES_H
#define INDEXICAL_TESTS_IMPORT_STABLEHLO_GIVEN_SIZES_H

#include <cstdint>

#include "absl/status/status.h"
#include "mlir/IR/BuiltinOps.h"

namespace indexical::testing {

/// Returns an Unimplemented status if a size stays unknown, and another error
/// if the dialect refuses the types.
absl::Status giveSizes(mlir::ModuleOp module, int64_t size);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_IMPORT_STABLEHLO_GIVEN_SIZES_H
