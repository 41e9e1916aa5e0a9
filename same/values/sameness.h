// Are two modules the same, and what of?
//
//   before  ROOT r = s32[4] add(x, subtract(y, x))    reads x and y
//   after   ROOT r = s32[4] copy(y)                   reads y
//
//   compare(before, after)    fewer reads, at the level of values
//
// A verdict has one meaning for all who ask:
//
//   equal               at the level of reads: both read the same elements.
//                       At the level of values: both compute the same
//   fewer reads         both compute the same, by laws that drop a read: the
//                       second reads a part of what the first reads
//   equal, other reads  both compute the same, and neither reads a part of what
//                       the other one reads
//   different           a witness shows it: an element that only one reads, or
//                       numbers of the parameters, and both results
//   undecided           else, with the earliest values of both that are not
//                       known to be equal, and what would decide it
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
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/program/module/program.h"
#include "indexical/same/equality/module_equality.h"
#include "indexical/same/values/module_values.h"

namespace indexical {

enum class SameVerdict : uint8_t {
  Equal,
  FewerReads,
  OtherReads,
  Undecided,
  Different,
};
/// Returns `equal`, `fewer reads`, `equal, other reads`, `undecided` or
/// `different`.
llvm::StringRef wordOf(SameVerdict verdict);

/// What the verdict is about.
enum class SameLevel : uint8_t {
  Reads,   ///< which elements are read
  Values,  ///< what is computed of them, too
};

struct Sameness {
  SameVerdict verdict = SameVerdict::Undecided;
  SameLevel level = SameLevel::Reads;
  ModuleEquality reads;
  std::optional<ValueEquality> values;  ///< if these were compared
  /// Of one that is not `different` or `undecided`: what it takes for granted
  /// (equality/hidden_effects.h).
  std::vector<std::string> assumed;
  /// Of an undecided one: options of the command with which it would be, or may
  /// be, decided: `--float-laws=reassociate` (with it both are equal), `--ops
  /// with the line …` (likewise), `--ops with a line for x` (an op that is not
  /// known), `--budget` (a larger one).
  std::vector<std::string> decidedBy;
};

struct SamenessOptions : EqualityOptions {
  using EqualityOptions::EqualityOptions;
  /// If set, modules are equal only if their values are.
  std::optional<ValueOptions> values;
  /// Whether to look for what would decide an undecided verdict.
  bool namesDeciders = true;
};

/// Compares the entry computations. Returns an error if a module has no entry,
/// if the parameters or results differ in number, element types or sizes, or if
/// the budget's stop is reached.
absl::StatusOr<Sameness> compare(const Module &first, const Module &second,
                                 const SamenessOptions &options = {});

}  // namespace indexical

#endif  // INDEXICAL_SAME_VALUES_SAMENESS_H
