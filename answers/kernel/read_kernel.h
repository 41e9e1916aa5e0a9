// The text of a kernel, in whatever form, to a kernel as relations.
#ifndef INDEXICAL_ANSWERS_KERNEL_READ_KERNEL_H
#define INDEXICAL_ANSWERS_KERNEL_READ_KERNEL_H

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/program/kernel/kernel.h"
#include "indexical/program/kernel/read_options.h"

namespace indexical::kernels {

/// Reads LLVM's IR (import/llvm/read.h) or Triton's (import/triton/read.h).
/// Returns an InvalidArgument status for a block that the form does not have.
absl::StatusOr<TritonKernel> readKernel(llvm::StringRef text,
                                        const ReadOptions &options);

/// Returns the number of warps of a block of threads, or nothing unless it is
/// 1, 2, 4 … 64 warps of 32 lanes.
std::optional<int64_t> warpsOfBlock(llvm::ArrayRef<int64_t> block);

}  // namespace indexical::kernels

#endif  // INDEXICAL_ANSWERS_KERNEL_READ_KERNEL_H
