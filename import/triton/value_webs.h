// Webs of values: the ops of a function that are joined by the values that they
// use and define; private to import/triton.
//
//   %3 = tt.addptr %1, %2      one web: the load uses the pointer, and the
//   %4 = tt.load %3            store uses what is loaded
//   tt.store %8, %4
//   %9 = tt.load %arg0         another web: the kernel's arguments join nothing
//
// Triton's pass for coalescing gives all loads of a web the width of the widest
// access in it.
#ifndef INDEXICAL_IMPORT_TRITON_VALUE_WEBS_H
#define INDEXICAL_IMPORT_TRITON_VALUE_WEBS_H

#include <cstdint>
#include <map>

#include "llvm/ADT/EquivalenceClasses.h"
#include "mlir/IR/Operation.h"

namespace indexical::triton {

class ValueWebs {
 public:
  /// Joins the ops of `function`, a tt.func.
  explicit ValueWebs(mlir::Operation *function);

  /// Returns the number of the op's web. Webs are numbered in the order of the
  /// calls. Returns -1 for an op outside of the function.
  int64_t numberOf(mlir::Operation *op);

 private:
  void join(mlir::Operation *op, mlir::Operation *function);

  llvm::EquivalenceClasses<const void *> webs_;  ///< ops and values
  std::map<const void *, int64_t> numbers_;
};

}  // namespace indexical::triton

#endif  // INDEXICAL_IMPORT_TRITON_VALUE_WEBS_H
