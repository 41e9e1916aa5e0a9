// Does a kernel do what another kernel does?
//
//   old   z[p * 128 + t] = x[p * 128 + t] + y[p * 128 + t], below 1000
//   new   the same with 4 programs of 256             same values
//   new   the same below 999                          different: element 999 of
//         z is not stored, and old stores x[999] + y[999], 3
//
// The specification is what old leaves in memory: the final content of every
// array, whatever it held before (the second maker of spec_terms.h). New has to
// leave the same, so that
//
// - each element that new stores is what old leaves there;
// - each element that old stores, and new does not, is left as it was by old.
//
// Old has to be a specification: every element that it leaves is said. It is
// none if it accesses what is outside of its arrays, stores an element twice or
// loads one that may be overwritten. Then nothing is decided. New is different
// if one of these is violated, whatever it computes.
//
// A `tt.reduce` has no order, and neither has a maximum. What a loop adds up
// has the order of the loop: another one needs the law `reassociate`.
//
// Law (tests/answers/kernel/judge_cases_test.py, judge_mutants_test.py): no
// pair that an interpreter tells apart is the same, and a pair that is
// different has numbers that the interpreter gives, too.
#ifndef INDEXICAL_SAME_KERNEL_KERNEL_PAIR_H
#define INDEXICAL_SAME_KERNEL_KERNEL_PAIR_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/exact/exact.h"
#include "indexical/program/check/check.h"
#include "indexical/program/kernel/checks.h"
#include "indexical/program/kernel/kernel.h"
#include "indexical/same/kernel/comparison.h"
#include "indexical/same/values/module_values.h"
#include "indexical/same/verdict/verdict.h"

namespace indexical::kernels {

/// Which argument stands for which.
struct PairedArguments {
  /// By argument of the new kernel: that of the old one, or -1.
  std::vector<int64_t> oldOf;
  /// By argument of the new kernel, an array: whether its content counts, and
  /// whether it holds 0 before the launch.
  std::vector<bool> counts, areZero;

  int64_t newOf(int64_t old) const;
};

/// What a call says of the arguments.
struct PairNames {
  /// An argument of the new kernel, and that of the old one, by name or number.
  std::vector<std::pair<std::string, std::string>> pairs;
  /// The arrays of the new kernel that count; empty: all.
  std::vector<std::string> outputs;
  /// Those that hold 0 before the launch.
  std::vector<std::string> zeros;
};

/// Pairs the arguments: those that the call names, then those of one name, then
/// arrays in their order, and scalars in theirs. Returns an InvalidArgument
/// status for a name that there is not, for two arrays of different elements,
/// and for an array without a partner whose content counts.
absl::StatusOr<PairedArguments> pairArguments(const TritonKernel &first,
                                              const TritonKernel &second,
                                              const PairNames &names);

/// A kernel of a pair, and what is known of it. All of it has to outlive the
/// question.
struct CheckedKernel {
  const TritonKernel &kernel;  ///< read with its values
  const BufferSizes &sizes;    ///< by argument
  Check bounds;                ///< the worst of all accesses
  Check once;                  ///< writtenOnce()
  Check ordered;               ///< overwritten()
};

struct PairComparison {
  /// At the level of values. Its witness is of kind StoredOther or NotStored,
  /// whose first access is new's, or that of a check of new.
  Verdict verdict;
  /// Why it is undecided: the first terms that differ of each array. `result`
  /// is an argument of new.
  std::vector<ValueDifference> values;
  /// Whether the reason lies in the old kernel; else in the new one, or in
  /// both.
  bool isOfOld = false;
  /// That no element that new stores is computed of a lane that a mask leaves
  /// out and no `other` gives a value (masked_lanes.h).
  Check defined = Check::undecided("the stores of new were not compared");
  /// Parameters of the witness from this number on are such lanes of new, by
  /// the number of their access: an element is a program, the turns of the
  /// loops and the coordinates of the tile.
  int64_t maskedLanes = 0;
};

/// Whether laws are looked for by which two kernels that are not known to be
/// the same would be.
enum class OtherLaws : uint8_t { Sought, Ignored };

/// Compares a kernel, which is first, with another that specifies it. Returns
/// an error if the budget's stop is reached.
absl::StatusOr<PairComparison> compareKernels(
    const CheckedKernel &first, const CheckedKernel &second,
    const PairedArguments &arguments, const ValueOptions &values,
    const ExactOptions &options = {}, OtherLaws laws = OtherLaws::Sought);

}  // namespace indexical::kernels

#endif  // INDEXICAL_SAME_KERNEL_KERNEL_PAIR_H
