// Facts about a kernel beside its accesses: its ideal time, the kernels that
// are alike, the reason why it exists. Also where the time of all kernels goes.
//
//   copy.1     ideal 240 us, alike 0, moves: its parameter is not donated
//   copy.2     ideal 240 us, alike 0, moves: its parameter is not donated
//   fusion     ideal  12 us
//
//   time       kernels that only move data 90%, libraries 9%, the rest 1%
#ifndef INDEXICAL_ANSWERS_REPORT_KERNEL_FACTS_H
#define INDEXICAL_ANSWERS_REPORT_KERNEL_FACTS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/answers/report/avoidable.h"
#include "indexical/answers/report/work_kinds.h"
#include "indexical/cost/launch/moved_elements.h"
#include "indexical/cost/launch/movement.h"
#include "indexical/cost/launch/operations.h"
#include "indexical/cost/launch/predicted_time.h"
#include "indexical/cost/memory/device.h"
#include "indexical/program/module/program.h"

namespace indexical {

struct KernelCost;

struct KernelFacts {
  int64_t neededBytes = 0;  ///< the touched parts of arrays, each once
  double ideal = 0;         ///< microseconds of one launch
  /// The number of the class of alike kernels, and the size of that class.
  size_t alike = 0, alikeCount = 1;
  Operations operations = {};  ///< of one launch
  int64_t atomics = 0;  ///< updates of scatters that may meet, of one launch
  MovedElements moved = {};
  CopyReason why = {};
  WorkKind work = WorkKind::Others;
  Avoidable avoidable = {};  ///< set by addAvoidable()
};

/// Fills in the facts of all kernels.
void addFacts(const Program &program, std::vector<KernelCost> &kernels);

/// A use of time. Each microsecond counts once, for the first use that applies.
enum class TimeUse : uint8_t {
  Libraries,    ///< libraries, sorts, and unknown kernels
  BlocksWaits,  ///< launches bound by block scheduling or by latency
  Unused,       ///< the part of sectors that no lane uses
  Movement,     ///< kernels that only move data
  Rest,
};
constexpr size_t kTimeUses = 5;
/// Returns `libraries`, `blocks_and_waits`, `unused_sectors`, `movement` or
/// `rest`.
llvm::StringRef nameOf(TimeUse use);

/// Returns the use of a kernel's time, except for that of unused sectors.
TimeUse timeUseOf(const KernelCost &kernel);

/// Kernels that share a use of time.
struct TimePart {
  double time = 0;          ///< microseconds
  size_t kernels = 0;       ///< that have such time
  llvm::StringRef largest;  ///< the name of the one that has most of it
  double ofLargest = 0;

  void add(llvm::StringRef name, double microseconds);
};

/// The time of kernels, by its uses.
struct TimeUses {
  std::array<TimePart, kTimeUses> parts = {};
  /// The last use by the resource that binds a kernel: the roof that it is at.
  std::array<TimePart, kTimeLimits> roofs = {};
  /// The two parts of BlocksWaits.
  TimePart blocks, waits;
  /// The number of kernels without a time, which no use counts.
  size_t unknown = 0;
  double whole() const;
  const TimePart &of(TimeUse use) const { return parts[size_t(use)]; }
  /// Adds a kernel's total time. `wastedPart` is the part of its bytes that is
  /// wasted.
  void add(const KernelCost &kernel, llvm::StringRef name, double microseconds,
           double wastedPart);
};

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_REPORT_KERNEL_FACTS_H
