// Differences that values of index parameters show.
//
//   first    a = dynamic-slice(p, i), dynamic_slice_sizes={6}   p is f32[10]
//            b = dynamic-slice(a, j), dynamic_slice_sizes={3}
//   second   b = dynamic-slice(p, add(i, j)), dynamic_slice_sizes={3}
//
// Both start at i + j if neither clamps, and a sum of integers may wrap: no
// expression of i and j says where the second starts. But with i = 5 and j = 0
// the first one starts at 4 and the second at 5. So if a comparison is
// undecided, small parameters of integers are given values, which become
// literals of both modules, and the two are compared again. A difference then
// holds in every execution with these values; an equality says nothing.
//
// Law (tests/analysis/trial_values_test.cc): a difference is one that an
// execution with the values of its witness shows.
#ifndef INDEXICAL_ANALYSIS_EQUALITY_TRIAL_VALUES_H
#define INDEXICAL_ANALYSIS_EQUALITY_TRIAL_VALUES_H

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/analysis/equality/module_equality.h"

namespace indexical {

using CompareModules = llvm::function_ref<absl::StatusOr<ModuleEquality>(
    const Module &first, const Module &second)>;

/// Makes undecided pairs different if values show a difference. The witness has
/// the values under the names of the first module's parameters, `i` or
/// `indices(2, 0)`. Pairs with a parameter that is given values stay undecided.
/// Returns an error only if the budget's stop is reached.
absl::Status refuteByTrials(const Module &first, const Module &second,
                            const EqualityOptions &options,
                            CompareModules compare, ModuleEquality &equality);

}  // namespace indexical

#endif  // INDEXICAL_ANALYSIS_EQUALITY_TRIAL_VALUES_H
