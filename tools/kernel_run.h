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
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/analysis/memory/device.h"
#include "indexical/indexing/budget.h"
#include "indexical/kernel/sources/kernel_source.h"
#include "indexical/tools/command.h"
#include "indexical/tools/kernel_fusion.h"
#include "indexical/tools/kernel_report.h"

namespace indexical {

/// What the call says of its kernels. It goes before what a source knows.
struct KernelQuestion {
  std::string function;
  std::vector<int64_t> grid;
  std::vector<int64_t> block;               ///< threads; empty: by warps
  std::vector<int64_t> program;             ///< this one alone; empty: all
  std::vector<std::vector<int64_t>> tiles;  ///< of each result
  std::optional<size_t> warps;
  std::vector<std::pair<std::string, int64_t>> arguments;
  std::vector<std::pair<std::string, std::string>> shapes;
  /// Values of runtime variables, expressions in programs, loops and tile.
  std::vector<std::pair<std::string, std::string>> runtime;
  const Device *device = &defaultDevice();
};

/// Returns the kernel and its traffic, without checks. An error has its place
/// in the source's text.
absl::StatusOr<KernelFindings> measureKernel(
    const kernels::KernelSource &source, const KernelQuestion &question,
    const Budget &budget);

/// Returns what is found of a kernel. An error has its place in the source's
/// text. `fusion`: what it is compared with.
absl::StatusOr<KernelFindings> findKernel(const kernels::KernelSource &source,
                                          const KernelQuestion &question,
                                          const std::optional<Fusion> &fusion,
                                          const Budget &budget);

using FindKernel = llvm::function_ref<absl::StatusOr<KernelFindings>(
    const kernels::KernelSource &source)>;
using TakeKernel = llvm::function_ref<absl::Status(
    const kernels::KernelSource &source, KernelFindings found)>;
/// Finds each of the call's kernels, on several threads, and takes them in
/// their order. Returns kDone, or kWrongInput if one of several could not be
/// read, which is reported. An error, with its place in the input, if there is
/// one kernel and it cannot be read, or if `take` says so.
absl::StatusOr<int> findEach(llvm::ArrayRef<kernels::KernelSource> sources,
                             Call &call, FindKernel find, TakeKernel take);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_KERNEL_RUN_H
