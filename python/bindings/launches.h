// Keywords that several questions take: how kernels are launched, and the loops
// of a tile.
//
//   launch="xla"                      LaunchModel::Xla
//   grid=[97], num_warps=4            of a kernel of Triton
//   steps=[("dot:0", 64)]             a StepQuestion
#ifndef INDEXICAL_PYTHON_BINDINGS_LAUNCHES_H
#define INDEXICAL_PYTHON_BINDINGS_LAUNCHES_H

#include <optional>
#include <vector>

#include "indexical/answers/kernel/find_kernel.h"
#include "indexical/answers/tiles/tiles.h"
#include "indexical/cost/launch/kernels.h"
#include "python/bindings/asking.h"

namespace indexical {

/// Returns the model of `launch`, or nothing.
std::optional<LaunchModel> launchIn(const Keywords &asked);
/// Sets which kernels of a text are meant, and how they are launched. Throws if that contradicts itself.
void setLaunch(const Keywords &asked, KernelQuestion &question);
/// Returns a loop for each pair of `steps`: `("dot:0", 64)`, or `("", 64)`, the
/// only one.
std::vector<StepQuestion> stepsIn(const Keywords &asked);

}  // namespace indexical

#endif  // INDEXICAL_PYTHON_BINDINGS_LAUNCHES_H
