// Whether two modules are the same, and in what: tiles, reads or values.
//
//   before  ROOT r = s32[4] add(x, subtract(y, x))    reads x and y
//   after   ROOT r = s32[4] copy(y)                   reads y
//
//   compare(before, after)    fewer reads, at the level of values
//
// A verdict (same/verdict/verdict.h) has one meaning for all callers:
//
//   Same         at the level of reads: both read the same elements.
//                At the level of values: both compute the same
//   FewerReads   both compute the same, by laws that drop a read: the
//                second reads a part of what the first reads
//   OtherReads   both compute the same, and neither reads a part of what
//                the other one reads
//   Different    a witness shows it: an element that only one reads, or
//                numbers of the parameters, and both results
//   Undecided    else, with the earliest values of both that are not
//                known to be equal, and what would decide it
//
// Reads are compared first (equality/module_equality.h). Terms of values
// (module_values.h) are compared if this is asked for, and if the reads differ,
// for a law may have dropped one.
//
// `Different` of values takes more than a read that one module has: its result
// must be known to depend on that element.
#ifndef INDEXICAL_SAME_VALUES_SAMENESS_H
#define INDEXICAL_SAME_VALUES_SAMENESS_H

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/program/module/program.h"
#include "indexical/same/equality/module_equality.h"
#include "indexical/same/values/module_values.h"
#include "indexical/same/verdict/verdict.h"

namespace indexical {

struct Sameness {
  /// Its conditions are ModuleEquality::where; its assumptions come from
  /// equality/hidden_effects.h. The witness shows numbers if there are some,
  /// else a read.
  Verdict verdict;
  ModuleEquality reads;
  std::optional<ValueEquality> values;  ///< if these were compared
};

struct SamenessOptions : EqualityOptions {
  using EqualityOptions::EqualityOptions;
  /// If set, modules are equal only if their values are.
  std::optional<ValueOptions> values;
  /// Whether to look for options that would decide an undecided verdict.
  bool namesDeciders = true;
};

/// Returns the option with the fewest laws of floats, beside those that are
/// assumed, with which `decides` is true: `--float-laws=reassociate`. Returns
/// "" if real numbers do not decide, either.
std::string lawsThatDecide(FloatLaws assumed,
                           llvm::function_ref<bool(FloatLaws)> decides);

/// Returns the comparison of the entry computations. Returns an error if a
/// module has no entry, if the parameters or results differ in number, element
/// types or sizes, or if the budget's stop is reached.
absl::StatusOr<Sameness> compare(const Module &first, const Module &second,
                                 const SamenessOptions &options = {});

}  // namespace indexical

#endif  // INDEXICAL_SAME_VALUES_SAMENESS_H
