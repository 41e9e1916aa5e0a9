// Integers of a computation that follow from an index, whatever the data is.
//
//   i = s32[8,1] iota(), iota_dimension=0
//   z = pred[8,1] compare(i, zeros), direction=LT
//   s = s32[8,1] select(z, add(i, eights), i)     what JAX writes for x[i]
//   c = s32[8,2] concatenate(s, p), dimensions={1}
//   element (d0, 0) of c    d0
//   element (d0, 1) of c    nothing: p's is not known
//
// A value is an expression of the index, and each step of it holds in its type:
// a sum, a difference or a product that can leave the type on the bounds of the
// index is not known. Comparisons, selections and bounds are known if intervals
// decide them. Divisions are known if the dividend cannot be negative and the
// divisor is a positive number.
//
// Calls, fusions and branches are looked into, and left by the way on which
// they were entered.
//
// A literal is an expression if its elements, within the bounds of the index,
// are one: [[1], [3], [5]] at (d0, 0) is d0 * 2 + 1. Any other one falls into
// runs of equal steps, at most 16, which are cases (literal_values.cc).
//
// If the data decides, an element can be followed case by case. Each case is a
// way through the comparisons that bounds leave open, and each value that is
// not known is a runtime variable.
//
//   i = s32[] parameter(1)
//   s = s32[] select(i < 0, i + 8, i)
//   case 1    i in [-inf, -1]    i + 8
//   case 2    i in [0, inf]      i
//
// A step that can leave its type in a case is not followed: its result is a
// variable then, in all cases.
//
// Law (tests/program/values/known_values_test.cc,
// tests/program/maps/value_cases_test.cc): a value that is known is that of
// every run, in integers of every width; of the cases, one holds in a run, and
// its value is that of the run.
#ifndef INDEXICAL_PROGRAM_VALUES_KNOWN_VALUES_H
#define INDEXICAL_PROGRAM_VALUES_KNOWN_VALUES_H

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/program/module/callees.h"
#include "indexical/program/module/program.h"
#include "indexical/program/module/value.h"
#include "indexical/program/values/integers.h"

namespace indexical {

/// Bounds of the variables of an index.
using IndexBounds = llvm::function_ref<Interval(VariableId)>;

class KnownValues;

/// One of the ways through the comparisons that an element depends on. The
/// caller asks for an element, and gets the value that it has if all of
/// `conditions()` hold. The caller asks again, in another builder, as long as
/// `advance()` finds a way. If no value is returned and `mustRestart()`, a step
/// was found that cannot be followed, and the ways must begin again. Otherwise
/// nothing is known of the element.
class Choices {
 public:
  using Number = std::function<int64_t(const Value &)>;
  /// Makes the choices of one element. `number` gives the numbers by which
  /// sources of variables are known. Without it there are no variables: an
  /// element that depends on one is not known.
  explicit Choices(Number number = nullptr) : number_(std::move(number)) {}

  /// Moves to the next way. Returns false behind the last.
  bool advance();
  /// Returns how many comparisons this way has decided.
  size_t depth() const { return taken_.size(); }
  /// Returns what must hold on this way, in the builder that asked last.
  llvm::ArrayRef<std::pair<Expr, Interval>> conditions() const {
    return conditions_;
  }
  /// Returns whether a step was computed, so that the value is not just a
  /// variable.
  bool isComputed() const { return computed_; }
  bool mustRestart() const { return restart_; }

 private:
  friend class KnownValues;
  void begin();
  bool decide();

  const Number number_;
  std::vector<bool> taken_;
  size_t next_ = 0;
  std::set<Value> variables_;  // what cannot be followed
  bool computed_ = false, restart_ = false;
  std::vector<std::pair<Expr, Interval>> conditions_;
  std::map<VariableId, Interval> bounds_;  // of new variables, and tighter ones
  std::map<std::pair<Value, std::vector<FormId>>, Expr> made_;
};

/// Returns a value that is known from elsewhere, such as a loop's counter in a
/// trip, or nothing.
using GivenValue = llvm::function_ref<std::optional<Expr>(
    const Value &, IndexingMapBuilder &)>;

/// Returns the value of the element, or nothing if it is not known.
std::optional<Expr> knownElement(const Module &module, const Value &value,
                                 llvm::ArrayRef<Expr> index,
                                 IndexingMapBuilder &builder,
                                 IndexBounds bounds, Choices *choices = nullptr,
                                 GivenValue given = nullptr);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_VALUES_KNOWN_VALUES_H
