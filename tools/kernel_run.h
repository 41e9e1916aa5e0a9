// What a call finds out about one kernel: it is read, measured, checked, and
// compared with its fusion.
#ifndef INDEXICAL_TOOLS_KERNEL_RUN_H
#define INDEXICAL_TOOLS_KERNEL_RUN_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/analysis/memory/device.h"
#include "indexical/indexing/budget.h"
#include "indexical/kernel/sources/kernel_source.h"
#include "indexical/tools/kernel_fusion.h"
#include "indexical/tools/kernel_report.h"

namespace indexical {

/// What the call says of its kernels. It goes before what a source knows.
struct KernelQuestion {
  std::string function;
  std::vector<int64_t> grid, tiles;
  std::optional<size_t> warps;
  std::vector<std::pair<std::string, int64_t>> arguments;
  std::vector<std::pair<std::string, std::string>> shapes;
  const Device *device = &defaultDevice();
};

/// Returns what is found of a kernel. An error has its place in the source's
/// text. `fusion`: what it is compared with.
absl::StatusOr<KernelFindings> findKernel(const kernels::KernelSource &source,
                                          const KernelQuestion &question,
                                          const std::optional<Fusion> &fusion,
                                          const Budget &budget);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_KERNEL_RUN_H
