// What is found about a kernel of Triton.
#ifndef INDEXICAL_ANSWERS_KERNEL_FINDINGS_H
#define INDEXICAL_ANSWERS_KERNEL_FINDINGS_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "indexical/analysis/kernel/checks.h"
#include "indexical/analysis/kernel/comparison.h"
#include "indexical/analysis/kernel/shared_conflicts.h"
#include "indexical/analysis/kernel/thread_accesses.h"
#include "indexical/analysis/launch/predicted_time.h"
#include "indexical/answers/report/sums.h"
#include "indexical/kernel/kernel.h"
#include "indexical/ops/shape.h"

namespace indexical {

/// How much of a kernel and its fusion is the same. Each level implies those
/// before it.
enum class SamenessLevel : uint8_t { Tiles, Elements, Values };

struct KernelFindings {
  kernels::TritonKernel kernel;
  std::string text;         ///< of the kernel, for its page
  int64_t launch = -1;      ///< the number in a record, or -1
  std::string instruction;  ///< the custom call with it, or ""
  kernels::MeasuredTraffic traffic;
  std::vector<kernels::BoundsCheck> bounds;  ///< one for each access
  /// One for each access of shared memory.
  std::vector<std::optional<layouts::AccessFigures>> shared;
  kernels::OnceCheck once;
  std::optional<kernels::FusionComparison> comparison;
  SamenessLevel level = SamenessLevel::Values;    ///< that is asked for
  std::vector<std::optional<ArrayShape>> arrays;  ///< of arguments, if known
  TrafficSums sums;
  std::optional<PredictedTime> time;
  std::optional<Demand> demand;  ///< if there is a time

  /// Returns the worst answer of all accesses, which is at least undecided if
  /// the kernel is incomplete.
  kernels::BoundsCheck worstBounds() const;
};

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_KERNEL_FINDINGS_H
