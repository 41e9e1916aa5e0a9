// The options that say how a kernel of Triton is launched.
//
//   --grid=97 --num-warps=4 --arg=n=98432 --shape=x=f32[98432]
#ifndef INDEXICAL_TOOLS_KERNEL_OPTIONS_H
#define INDEXICAL_TOOLS_KERNEL_OPTIONS_H

#include <optional>
#include <string>
#include <vector>

#include "indexical/tools/kernel_run.h"
#include "indexical/tools/option.h"

namespace indexical {

/// Adds `--grid`, `--num-warps`, `--block` and `--arg`.
void addLaunchOptions(std::vector<Option> &options, KernelQuestion &asked);
/// Adds `--shape`.
void addShapeOption(std::vector<Option> &options, KernelQuestion &asked);

/// Says what is wrong with their values.
std::optional<std::string> wrongLaunch(const KernelQuestion &asked);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_KERNEL_OPTIONS_H
