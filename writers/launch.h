// The launch of kernels and their times, for people.
//
//   emitter transpose, grid 6 x 1 x 1, block 128 x 1 x 1,
//   shared 1 x 32 x 33 (4224 B, conflicts 1)
#ifndef INDEXICAL_WRITERS_LAUNCH_H
#define INDEXICAL_WRITERS_LAUNCH_H

#include <string>

#include "indexical/answers/report/kernel_cost.h"

namespace indexical {

/// Returns a time as `12.5 us`, `3.1 ms`.
std::string timeOf(double microseconds);
/// Returns `change of layout for dot.3`, or "" if the module does not say why a
/// kernel exists.
std::string whyText(const KernelCost &kernel);
/// Returns `12.5 us, 3.1% of the time (memory), ideal 9 us`, or "" without a
/// time.
std::string timeText(const KernelCost &kernel);
/// Returns all parts of the time.
std::string timePartsText(const KernelCost &kernel);

/// Returns "" unless XLA launches the kernel.
std::string launchText(const KernelCost &kernel);

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_LAUNCH_H
