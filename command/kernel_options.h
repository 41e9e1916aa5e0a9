// The options for the launch of a kernel of Triton.
//
//   --grid=97 --num-warps=4 --arg=n=98432 --shape=x=f32[98432]
#ifndef INDEXICAL_COMMAND_KERNEL_OPTIONS_H
#define INDEXICAL_COMMAND_KERNEL_OPTIONS_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/answers/kernel/find_kernel.h"
#include "indexical/command/option.h"

namespace indexical {

/// Adds `--type`, `--const` and `--assume`, for kernels in Python.
void addPythonOptions(std::vector<Option> &options, KernelQuestion &asked);
/// Adds `--grid`, `--num-warps`, `--block` and `--arg`.
void addLaunchOptions(std::vector<Option> &options, KernelQuestion &asked);
/// Adds `--shape`.
void addShapeOption(std::vector<Option> &options, KernelQuestion &asked);
/// Adds `--pair`, `--outputs`, `--of-grid`, `--of-const` and `--of-arg`, for a
/// kernel that another one specifies.
void addPairOptions(std::vector<Option> &options, KernelQuestion &asked);

}  // namespace indexical

#endif  // INDEXICAL_COMMAND_KERNEL_OPTIONS_H
