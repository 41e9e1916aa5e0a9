// A function with the functions that it calls in place of the calls; private to
// import/triton.
//
//   %1 = tt.call @square(%0)      %1 = arith.mulf %0, %0
//
// Stored values are followed through one function (stored_values.h). A call of
// a function of several blocks, of one that the file does not have, or one too
// many stays a call.
#ifndef INDEXICAL_IMPORT_TRITON_INLINED_CALLS_H
#define INDEXICAL_IMPORT_TRITON_INLINED_CALLS_H

#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/OwningOpRef.h"

namespace indexical::triton {

class InlinedCalls {
 public:
  /// Requires a `tt.func` with a body, which stays as it is.
  explicit InlinedCalls(mlir::Operation *function);
  ~InlinedCalls();
  InlinedCalls(const InlinedCalls &) = delete;

  /// Returns whether a call was replaced. Else the function is the one that was
  /// given.
  bool isNew() const { return copy_ != nullptr; }
  mlir::Operation *function() const { return copy_ ? copy_ : given_; }
  /// Returns the op of the file of which this one is a copy.
  mlir::Operation *originalOf(mlir::Operation *op) const {
    const auto found = originals_.find(op);
    return found == originals_.end() ? op : found->second;
  }

 private:
  bool inlineOne(mlir::Operation *call);

  mlir::Operation *given_, *copy_ = nullptr;
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> originals_;
  size_t ops_ = 0;
};

}  // namespace indexical::triton

#endif  // INDEXICAL_IMPORT_TRITON_INLINED_CALLS_H
