#include "indexical/answers/kernel/read_kernel.h"

#include "indexical/import/llvm/read.h"
#include "indexical/import/triton/read.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/diagnostic.h"

namespace indexical::kernels {

absl::StatusOr<TritonKernel> readKernel(llvm::StringRef text,
                                        const ReadOptions &options) {
  if (looksLikeLlvm(text)) return readLlvmKernel(text, options);
  if (!options.block) return parseKernel(text, options);
  ReadOptions own = options;
  own.warps = warpsOfBlock(*options.block);
  if (!own.warps)
    return errorAt({},
                   "--block has the threads of 1, 2, 4 … 64 warps of 32 "
                   "lanes");
  return parseKernel(text, own);
}

std::optional<int64_t> warpsOfBlock(llvm::ArrayRef<int64_t> block) {
  constexpr int64_t kLanes = 32;
  std::optional<int64_t> threads = 1;
  for (int64_t size : block)
    if (threads) threads = checkedMul(*threads, size);
  if (!threads || *threads % kLanes != 0) return std::nullopt;
  const int64_t warps = *threads / kLanes;
  if (warps > 64 || (warps & (warps - 1)) != 0) return std::nullopt;
  return warps;
}

}  // namespace indexical::kernels
