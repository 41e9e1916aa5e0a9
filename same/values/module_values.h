// Whether two modules compute the same.
//
//   before  ROOT r = s32[4] multiply(x, 2)
//   after   ROOT r = s32[4] add(x, x)          equal, for integers are a ring
//
//   before  ROOT r = f32[4] subtract(x, y)
//   after   ROOT r = f32[4] subtract(y, x)     different
//     first: subtract(x[i], y[i]), second: subtract(y[i], x[i])
//     at index (0), x[0] = 2, y[0] = -1: 3 and -3
//
// Each leaf of the result is one element as a function of the parameters
// (element_terms.h). The functions are the same if they have one normal form,
// by the laws of laws.h, or if same_elements.h shows it. If numbers for the
// parameters give them different numbers (element_numbers.h), they are
// different. Else the answer is undecided.
//
// Law (tests/same/values/module_values_test.cc): of random modules that are
// rewritten by laws and by false laws, no two are equal if an execution shows a
// difference, and none different if none does.
#ifndef INDEXICAL_SAME_VALUES_MODULE_VALUES_H
#define INDEXICAL_SAME_VALUES_MODULE_VALUES_H

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/program/module/program.h"
#include "indexical/same/equality/module_equality.h"
#include "indexical/same/values/element_numbers.h"
#include "indexical/same/values/element_table.h"

namespace indexical {

/// An instruction, and the element of its result as a term.
struct DivergentValue {
  std::string computation, instruction, opcode, term;
  int32_t line = 0;
};

/// Values of both modules that are not known to be the same, although all their
/// operands are (first_divergence.h).
struct Divergence {
  /// Nothing if all values of the first module are among the second's.
  std::optional<DivergentValue> first;
  DivergentValue second;
};

/// The answer for one leaf of the result.
struct LeafValue {
  LeafId result;
  bool isEqual = false;
  /// If it is equal: whether it is known to be a real number at each index, if
  /// the parameters are. True of integers.
  bool isReal = true;
  /// If it is not equal: the first elements that differ, as terms of the
  /// parameters of the first module with indices i, j, k…; or the reason why
  /// they are not known.
  std::string terms[2];
  std::string reason;
  /// Numbers with which both are different, if it is known that they are.
  std::optional<Witness> witness;
  /// The earliest values of both modules that are not known to be the same.
  /// Only the first undecided result has them, if ValueOptions::explains.
  std::optional<Divergence> divergence;
};

/// An instruction at which a law dropped an operand.
struct LostRead {
  std::string law, computation, instruction, opcode;
  int32_t line = 0;
  /// Names of those that its operands read and its result does not.
  std::vector<std::string> parameters;
};

struct ValueEquality {
  bool isEqual = false;  ///< all are
  /// Whether a leaf is known to be different: a witness of numbers shows it, or
  /// a read of one module, on which its result is known to depend.
  bool isDifferent = false;
  std::vector<LeafValue> leaves;
  std::set<std::string> laws;  ///< that were used
  std::vector<LostRead> lost;  ///< by laws, in the first module
  bool losesReads = false;     ///< whether a law dropped one of either module
  bool isSpent = false;        ///< whether the budget did not suffice
  /// Whether reductions were arrays because they are below too many others.
  bool isShallow = false;
  /// Whether a scatter was a reduction, and `followsUpdates` makes it choices.
  bool hasFewUpdates = false;
  /// Whether updates of a scatter that land on one element do so in their
  /// order.
  bool ordersUpdates = false;
  /// An op of one module whose effects are not known to be those of an op of
  /// the other, although the results are the same. Then nothing is equal.
  std::optional<EqualityObstacle> effect;
};

struct ValueOptions {
  ValueOptions() = default;
  ValueOptions(FloatLaws floats) : floats(floats) {}

  FloatLaws floats = FloatLaws::None;
  /// Whether a result that is not decided has its first divergence.
  bool explains = false;
  /// Whether lists of integers are expressions of the index: index_tables.h.
  bool readsTables = false;
  /// Reductions below so many others are arrays; nothing: as many as is usual.
  std::optional<int> levels;
  /// Whether few updates of a scatter are taken one after the other.
  bool followsUpdates = false;
  /// Whether a solver is asked (same/solver/solver.h) where neither laws nor
  /// numbers decide, which may take a second for each region.
  bool asksSolver = false;
  /// Whether values that are not equal need no witness and no text of terms.
  bool onlyEqual = false;
};

/// Compares the entry computations of modules that can be compared by reads.
/// `reads` is the result of that comparison, or null.
/// Returns an error if their results differ in number, types or sizes, or if
/// the budget's stop is reached.
absl::StatusOr<ValueEquality> compareValues(const Module &first,
                                            const Module &second,
                                            const ValueOptions &values,
                                            const EqualityOptions &options,
                                            const ModuleEquality *reads = {});

}  // namespace indexical

#endif  // INDEXICAL_SAME_VALUES_MODULE_VALUES_H
