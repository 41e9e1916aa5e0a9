// Functions on tensors, lowered to loops, compiled and run.
//
//   TensorProgram p     func.func @p(%0: tensor<2xi32>) -> tensor<2xi32> { … },
//                       its argument [3, 4]
//   runLowered({p})     {{-3, -4}}: what each result holds, a line each
#ifndef INDEXICAL_TESTS_IMPORT_STABLEHLO_LOWER_RUN_LOWERED_H
#define INDEXICAL_TESTS_IMPORT_STABLEHLO_LOWER_RUN_LOWERED_H

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"

#include "tests/import/stablehlo/lower/machine_code.h"
#include "tests/import/stablehlo/lower/random_tensors.h"

namespace indexical::testing {

/// Runs the programs as one module. The test fails if a program is not lowered,
/// or if a tensor is left. Returns an error with the messages of MLIR's tools
/// if these fail.
absl::StatusOr<Lines> runLowered(llvm::ArrayRef<TensorProgram> programs);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_IMPORT_STABLEHLO_LOWER_RUN_LOWERED_H
