// The findings about a kernel of Triton.
#ifndef INDEXICAL_ANSWERS_KERNEL_FINDINGS_H
#define INDEXICAL_ANSWERS_KERNEL_FINDINGS_H

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "indexical/answers/report/sums.h"
#include "indexical/cost/kernel/shared_conflicts.h"
#include "indexical/cost/kernel/thread_accesses.h"
#include "indexical/cost/kernel/thread_listing.h"
#include "indexical/cost/launch/predicted_time.h"
#include "indexical/ops/shape.h"
#include "indexical/program/check/check.h"
#include "indexical/program/kernel/kernel.h"
#include "indexical/program/kernel/taken.h"
#include "indexical/same/kernel/comparison.h"
#include "indexical/same/kernel/kernel_pair.h"
#include "indexical/same/verdict/verdict.h"

namespace indexical {

/// A kernel against another one that specifies it.
struct JudgeFindings {
  std::string path, function;               ///< of the old kernel
  std::array<int64_t, 3> grid = {1, 1, 1};  ///< of the old kernel
  kernels::PairedArguments arguments;
  kernels::PairComparison compared;
  /// Types, constants and numbers of the old kernel that were not given.
  std::vector<kernels::Taken> taken;
  /// The values of integers at which both are compared, by name. Those of a
  /// witness if `isForAll`.
  std::vector<std::pair<std::string, int64_t>> sizes;
  /// Whether sizes without a value were asked for: all that `assumed` leaves.
  bool isForAll = false;
  std::vector<std::string> assumed;
  /// The condition under which both are proved to be the same; "": none is
  /// known, or none is needed.
  std::string where;
  /// Whether new leaves elements of outputs unwritten, and loads some before
  /// they are written (judge_written.h).
  Check neverWritten, readBeforeWritten;
  /// Returns whether the sizes and the grids are those of the call, or of a
  /// witness.
  bool hasSizes() const { return !isForAll || compared.verdict.witness; }
  std::optional<int64_t> movedByOld;
  std::optional<double> timeOfOld;  ///< in microseconds
};

struct KernelFindings {
  kernels::TritonKernel kernel;
  std::string text;  ///< of the kernel, for its page
  std::string ttir;  ///< if it is asked for
  /// For a kernel in Python: its assumptions, its constants, and those of its
  /// `triton.Config`, with its number among those of the kernel, or -1.
  std::vector<kernels::Taken> taken;
  std::vector<std::pair<std::string, std::string>> constants, config;
  int64_t configNumber = -1;
  /// The grid with names. It is set if some of these have no value: then no
  /// access has a map, and the kernel's grid says nothing.
  std::string openGrid;
  /// Options that would decide more: `--arg=n=NUMBER`, `--shape=x=SHAPE`.
  std::vector<std::string> missing;
  int64_t launch = -1;      ///< the number in a record, or -1
  int64_t request = -1;     ///< the line of the request, or -1
  std::string id;           ///< of the request, or ""
  std::string instruction;  ///< the custom call with it, or ""
  kernels::MeasuredTraffic traffic;
  std::vector<Check> bounds;  ///< one for each access
  /// One for each access of shared memory.
  std::vector<std::optional<layouts::AccessFigures>> shared;
  /// The accesses of one thread, if the call asks for them.
  std::optional<std::vector<kernels::ListedAccess>> ofThread;
  Check once;
  /// Nothing if no array is both loaded and stored, and no two pointers are
  /// said to name one array.
  std::optional<Check> overwritten;
  /// Nothing if no variable of shared memory is both loaded and stored, or the
  /// kernel was not compiled.
  std::optional<Check> sharedOverwritten;
  std::optional<kernels::FusionComparison> comparison;
  std::optional<JudgeFindings> judge;
  Level level = Level::Values;                    ///< that is asked for
  std::vector<std::optional<ArrayShape>> arrays;  ///< of arguments, if known
  /// The sums over accesses that have figures and are not atomic.
  TrafficSums sums;
  /// The numbers of accesses that are in the sums, and that are not.
  size_t summed = 0, unsummed = 0;
  std::optional<PredictedTime> time;
  std::optional<Demand> demand;  ///< if there is a time

  /// Returns whether the sums have all that the kernel moves. Else it moves at
  /// least as much.
  bool areSumsWhole() const { return unsummed == 0 && !kernel.incomplete; }
  /// Returns whether the sums say anything: some access is in them, or there is
  /// none.
  bool areSumsKnown() const { return summed > 0 || areSumsWhole(); }
  /// Return the bytes that are moved, used and wasted: the most if the sums are
  /// whole, else the least. Return nothing if that is not known.
  std::optional<int64_t> moved() const;
  std::optional<int64_t> used() const;
  std::optional<int64_t> wasted() const;

  /// Returns the worst answer of all accesses, which is at least undecided if
  /// the kernel is incomplete.
  Check worstBounds() const;
};

/// A request that has no answer.
struct RefusedKernel {
  int64_t request = -1;  ///< its line
  std::string id;        ///< or ""
  std::string why;
};

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_KERNEL_FINDINGS_H
