// Checks that an instruction's arguments for a computation, and its results
// from it, have the computation's shapes: private to import/.
//
//   func.func @f(%p: tensor<4xf32>) -> tensor<4xf32>
//   %b = func.call @f(%a) : (tensor<8xf32>) -> tensor<4xf32>
//
//   parameter 0 of `f` is f32[4], `b` hands it f32[8]
#ifndef INDEXICAL_IMPORT_STABLEHLO_IMPORT_CALL_CHECK_H
#define INDEXICAL_IMPORT_STABLEHLO_IMPORT_CALL_CHECK_H

#include "absl/status/status.h"

#include "indexical/import/stablehlo/import/importer.h"

namespace indexical {

/// Returns an error at the instruction if the number of arguments is not that
/// of the computation's parameters, if an argument's shape differs by more than
/// its layout, or if a result's sizes differ. The computation of a scan gets
/// and returns slices. Maps are composed through calls, so every size must fit.
/// Requires the op of the instruction, and its arguments in `called`.
absl::Status checkCall(ModuleImport &import, const Computation &computation,
                       const Instruction &instruction,
                       const CalledComputation &called);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_IMPORT_CALL_CHECK_H
