// Values that a loop makes of what it carries; private to import/triton.
//
//   for … iter_args(%s = …) { %t = arith.addf %s, %x; scf.yield %t }
//     %t depends on %s, and %x does not
#ifndef INDEXICAL_IMPORT_TRITON_LOOPED_VALUES_H
#define INDEXICAL_IMPORT_TRITON_LOOPED_VALUES_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Value.h"

namespace indexical::triton {

/// Returns whether the value is computed from `carried` in one iteration of the
/// loop. Conservative: true if it depends on too many values to tell.
bool dependsOn(mlir::Value value, mlir::Value carried, mlir::scf::ForOp loop);

}  // namespace indexical::triton

#endif  // INDEXICAL_IMPORT_TRITON_LOOPED_VALUES_H
