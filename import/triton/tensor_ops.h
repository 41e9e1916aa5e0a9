// Ops of tensors, traced: those of Triton that make integers or pointers, or
// give elements other places; private to import/triton.
//
//   %1 = tt.make_range {start = 0, end = 64}     the coordinate 0 of the tile
//   %2 = tt.splat %0                             term(%0)
#ifndef INDEXICAL_IMPORT_TRITON_TENSOR_OPS_H
#define INDEXICAL_IMPORT_TRITON_TENSOR_OPS_H

#include <cstdint>
#include <optional>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/import/triton/integer_ops.h"

namespace indexical::triton {

class TensorOps : public IntegerOps {
 protected:
  using IntegerOps::IntegerOps;

  /// Traces an op that makes integers or pointers, or gives elements other
  /// places. Returns false for other ops.
  bool traceTensor(mlir::Operation &op, llvm::StringRef name);

 private:
  void traceProgram(mlir::Operation &op, kernels::TermKind kind);
  void traceRange(mlir::Operation &op);
  void traceMoved(mlir::Operation &op, llvm::StringRef name);
  void traceBitcast(mlir::Operation &op);
  /// Returns the coordinates in the operand of the element that is at the
  /// tile's coordinates in the result, and nothing if they are not known.
  std::optional<TermList> sourceOf(mlir::Operation &op, llvm::StringRef name);
  TermList reshaped(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to);
  void traceJoin(mlir::Operation &op);
  void traceAddPointer(mlir::Operation &op);
};

}  // namespace indexical::triton

#endif  // INDEXICAL_IMPORT_TRITON_TENSOR_OPS_H
