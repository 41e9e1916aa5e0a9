// Modules of kernel_ir.h as PTX, by LLVM's NVPTX target.
#ifndef INDEXICAL_BENCHMARKS_GPU_KERNEL_PTX_H
#define INDEXICAL_BENCHMARKS_GPU_KERNEL_PTX_H

#include <string>

#include "absl/status/statusor.h"

#include "benchmarks/gpu/textbook_cases.h"

namespace indexical {
namespace gpu {

/// The PTX of the kernel, for devices of compute capability 7.0 and later.
absl::StatusOr<std::string> kernelPtx(const TextbookCase &kernel);

}  // namespace gpu
}  // namespace indexical

#endif  // INDEXICAL_BENCHMARKS_GPU_KERNEL_PTX_H
