// Does a kernel leave the same memory as another kernel?
//
//   old   z[p * 128 + t] = x[p * 128 + t] + y[p * 128 + t], below 1000
//   new   the same with 4 programs of 256             same values
//   new   the same below 999                          different: element 999 of
//         z is not stored, and old stores x[999] + y[999], 3
//
// The specification is the memory that old leaves: the final content of every
// array, for any initial content (KernelSpec of spec_terms.h). New has to leave
// the same memory:
//
// - each element that new stores has the value that old leaves there;
// - each element that old stores, and new does not, keeps its initial value in
//   old, too.
//
// Old has to be a specification: every element that it leaves is determined. It
// is not one if it accesses memory outside of its arrays, stores an element
// twice or loads one that may be overwritten. The answer is then undecided. New
// is different if it does one of these, whatever it computes.
//
// A `tt.reduce` has no order, and neither has a maximum. A sum in a loop has
// the order of the loop: another order needs the law `reassociate`.
//
// Law (tests/answers/kernel/judge_cases_test.py, judge_mutants_test.py): a pair
// that an interpreter distinguishes is never the same, and numbers of a
// different pair are those of the interpreter.
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

/// The old kernel's argument for each of the new kernel's.
struct PairedArguments {
  /// By argument of the new kernel: that of the old one, or -1.
  std::vector<int64_t> oldOf;
  /// By argument of the new kernel, if an array: whether its content counts,
  /// and whether it is 0 before the launch.
  std::vector<bool> counts, areZero;

  int64_t newOf(int64_t old) const;
};

/// The facts about arguments that the caller states.
struct PairNames {
  /// An argument of the new kernel, and that of the old one, by name or number.
  std::vector<std::pair<std::string, std::string>> pairs;
  /// The arrays of the new kernel that count; empty: all.
  std::vector<std::string> outputs;
  /// The arrays that are 0 before the launch.
  std::vector<std::string> zeros;
};

/// Returns the pairs of arguments: those that the caller names, then those of
/// equal names, then arrays in order, and scalars in order. Returns an
/// InvalidArgument status for a name that does not exist, for two arrays of
/// different element types, and for an array whose content counts and that has
/// no partner.
absl::StatusOr<PairedArguments> pairArguments(const TritonKernel &first,
                                              const TritonKernel &second,
                                              const PairNames &names);

/// A kernel of a pair, with its checks. All of it has to outlive the question.
struct CheckedKernel {
  const TritonKernel &kernel;  ///< read with its values
  const BufferSizes &sizes;    ///< by argument
  Check bounds;                ///< the worst of all accesses
  Check once;                  ///< writtenOnce()
  Check ordered;               ///< overwritten()
};

struct PairComparison {
  /// The verdict at the level of values. Its witness is of kind StoredOther or
  /// NotStored, with new's access first, or that of a check of new.
  Verdict verdict;
  /// Why it is undecided: the first terms of each array that differ. `result`
  /// is an argument of new.
  std::vector<ValueDifference> values;
  /// Whether the reason is in the old kernel; else it is in the new one, or in
  /// both.
  bool isOfOld = false;
};

/// Whether to search laws under which two kernels that are not proved the same
/// would be.
enum class OtherLaws : uint8_t { Sought, Ignored };

/// Returns the comparison of a kernel, the first one, with another that
/// specifies it. Returns an error if the budget's stop is reached.
absl::StatusOr<PairComparison> compareKernels(
    const CheckedKernel &first, const CheckedKernel &second,
    const PairedArguments &arguments, const ValueOptions &values,
    const ExactOptions &options = {}, OtherLaws laws = OtherLaws::Sought);

}  // namespace indexical::kernels

#endif  // INDEXICAL_SAME_KERNEL_KERNEL_PAIR_H
