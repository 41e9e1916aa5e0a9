// The options for the launch of a kernel of Triton.
//
//   --grid=97 --num-warps=4 --arg=n=98432 --shape=x=f32[98432]
#ifndef INDEXICAL_TOOLS_KERNEL_OPTIONS_H
#define INDEXICAL_TOOLS_KERNEL_OPTIONS_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/tools/kernel_run.h"
#include "indexical/tools/option.h"

namespace indexical {

/// Adds `--grid`, `--num-warps`, `--block` and `--arg`.
void addLaunchOptions(std::vector<Option> &options, KernelQuestion &asked);
/// Adds `--shape`.
void addShapeOption(std::vector<Option> &options, KernelQuestion &asked);

/// Returns the number of warps of a block of threads, or nothing unless it is
/// 1, 2, 4 … 64 warps of 32 lanes.
std::optional<int64_t> warpsOfBlock(llvm::ArrayRef<int64_t> block);

/// Returns a message if the values of the options are wrong.
std::optional<std::string> wrongLaunch(const KernelQuestion &asked);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_KERNEL_OPTIONS_H
