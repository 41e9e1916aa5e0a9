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
// A difference of modules with open sizes counts if numbers for these sizes
// show it (trial_sizes.h): maps do not say which sizes the ops take.
//
//   first    dynamic_broadcast_in_dim(p, n)    second   reverse(p)
//   the maps differ where p has 2 elements and n is 1, with which the first one
//   cannot run; and where p has 2 elements and n is 2, with which both can
//
// Law (tests/same/equality/trial_values_test.cc,
// tests/documents/open_pairs_test.cc): a difference is one that an execution
// with the values of its witness shows.
#ifndef INDEXICAL_SAME_EQUALITY_TRIAL_VALUES_H
#define INDEXICAL_SAME_EQUALITY_TRIAL_VALUES_H

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/same/equality/module_equality.h"

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

/// Keeps a difference of modules with open sizes only if both modules run with
/// some numbers for these and show it, and adds differences that they show. The
/// witness has these numbers by name (parameter_names.h). Other differences are
/// undecided. Does nothing if no size is open. Returns an error only if the
/// budget's stop is reached.
///
/// `compare` must take modules with results of different sizes.
absl::Status confirmBySizes(const Module &first, const Module &second,
                            const EqualityOptions &options,
                            CompareModules compare, ModuleEquality &equality);

}  // namespace indexical

#endif  // INDEXICAL_SAME_EQUALITY_TRIAL_VALUES_H
