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

/// The layout of a tensor of that shape by its encoding: blocked, slice, linear
/// or nvidia_mma. An error for others.
absl::StatusOr<kernels::TileLayout> layoutOf(mlir::Attribute encoding,
                                             llvm::ArrayRef<int64_t> shape);

/// Gives each access of a traced kernel its layout and its vector, by the file
/// where that has encodings, else as Triton's pass for coalescing will choose
/// them. Requires as many accesses as the trace has.
void setLayouts(const Trace &trace, int64_t vectorBytes,
                kernels::Kernel &kernel);

}  // namespace indexical::triton

#endif  // INDEXICAL_KERNEL_TRITON_LAYOUTS_H
