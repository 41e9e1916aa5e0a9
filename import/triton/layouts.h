// Layouts of a tensor as the file has them, or as the compiler will choose
// them; private to import/triton.
#ifndef INDEXICAL_IMPORT_TRITON_LAYOUTS_H
#define INDEXICAL_IMPORT_TRITON_LAYOUTS_H

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinTypes.h"

#include "indexical/import/triton/trace.h"
#include "indexical/program/kernel/kernel.h"

namespace indexical::triton {

/// Returns the layout of a tensor of that shape by its encoding
/// (layout/encoding.h). Returns an error for an encoding that is not
/// understood.
absl::StatusOr<layouts::Layout> layoutOf(mlir::Attribute encoding,
                                         llvm::ArrayRef<int64_t> shape);

/// Returns where the elements of a tile lie in shared memory. A tile that is a
/// part of a larger one lies as that does, whose shape is `whole`.
absl::StatusOr<layouts::Layout> sharedLayoutOf(mlir::RankedTensorType memory,
                                               llvm::ArrayRef<int64_t> whole);

/// Gives each access of a traced kernel its layout and its vector: those of the
/// file if it has encodings, else those that Triton's pass for coalescing will
/// choose. Requires that the kernel has as many accesses as the trace.
void setLayouts(const Trace &trace, int64_t vectorBytes,
                kernels::TritonKernel &kernel);

}  // namespace indexical::triton

#endif  // INDEXICAL_IMPORT_TRITON_LAYOUTS_H
