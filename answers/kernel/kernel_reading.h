// How a kernel's text is read: from the call's options, the source and the
// fusion; private to answers/kernel.
//
//   --grid='cdiv(n, B)' --arg=n=1000, a file in Python with B = 128
//     grid 8, n = 1000, 4 warps
#ifndef INDEXICAL_ANSWERS_KERNEL_KERNEL_READING_H
#define INDEXICAL_ANSWERS_KERNEL_KERNEL_READING_H

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"

#include "indexical/answers/kernel/find_kernel.h"
#include "indexical/answers/kernel/kernel_fusion.h"
#include "indexical/answers/kernel/sized_launch.h"
#include "indexical/indexing/budget.h"
#include "indexical/program/kernel/read_options.h"

namespace indexical {

/// Warps of a program where neither the kernel nor the call says them: those of
/// Triton.
constexpr int64_t kDefaultWarps = 4;

/// How a kernel's text is read, and what is known of its grid.
struct KernelReading {
  kernels::ReadOptions options;
  SizedLaunch launch;
  /// The grid is what the stores would need if each program stored one tile.
  bool isGridGuessed = false;
};

/// Returns how the source's text is read. An error says which option is wrong.
absl::StatusOr<KernelReading> readingOf(const kernels::KernelSource &source,
                                        const KernelQuestion &question,
                                        const std::optional<Fusion> &fusion,
                                        const Budget &budget);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_KERNEL_KERNEL_READING_H
