// Layouts of a tensor as the file has them, or as the compiler will choose
// them; private to kernel/triton.
#ifndef INDEXICAL_KERNEL_TRITON_LAYOUTS_H
#define INDEXICAL_KERNEL_TRITON_LAYOUTS_H

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "mlir/IR/Attributes.h"

#include "indexical/kernel/kernel.h"
#include "indexical/kernel/triton/trace.h"

namespace indexical::triton {

/// Returns the layout of a tensor of that shape by its encoding, which is
/// blocked, slice, linear or nvidia_mma. Returns an error for other encodings.
absl::StatusOr<kernels::TileLayout> layoutOf(mlir::Attribute encoding,
                                             llvm::ArrayRef<int64_t> shape);

/// Returns where the elements of a tile of that shape lie in shared memory. The
/// encoding is swizzled or padded. Returns an error for other encodings.
absl::StatusOr<kernels::SharedLayout> sharedLayoutOf(
    mlir::Attribute encoding, llvm::ArrayRef<int64_t> shape);

/// Gives each access of a traced kernel its layout and its vector: those of the
/// file if it has encodings, else those that Triton's pass for coalescing will
/// choose. Requires that the kernel has as many accesses as the trace.
void setLayouts(const Trace &trace, int64_t vectorBytes,
                kernels::Kernel &kernel);

}  // namespace indexical::triton

#endif  // INDEXICAL_KERNEL_TRITON_LAYOUTS_H
