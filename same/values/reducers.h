// Functions that reductions run, and the orders that they allow.
//
//   (a, b) -> a + b + 7                 any order, each element as often as it
//                                       occurs
//   (a, i), (b, j) -> the larger of a and b, and its index; of equal ones the
//                     smaller index     any order, each element at least once
//   (a, b) -> a * 2 + b                 the order that the elements have
//
// A reduction sees a bag of elements if its function is commutative and
// associative, and their set if the function is idempotent, too. Three ways
// show it: the normal forms of both sides; all values, if the types have few;
// and all orders, if the function only compares values and chooses one. All
// orders of three elements are those of three numbers, with both zeros and NaN
// for floats.
//
// A result may need some of the values alone: of (a + b, i + j), each result is
// a reduction of its own.
//
// Law (tests/same/values/reducers_test.cc): a function that is said to allow
// any order gives one result for all orders and nestings of its elements.
#ifndef INDEXICAL_SAME_VALUES_REDUCERS_H
#define INDEXICAL_SAME_VALUES_REDUCERS_H

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/program/module/program.h"
#include "indexical/same/values/element_table.h"

namespace indexical {

/// Returns a result of a function of scalars. `argument(p)` returns that of
/// parameter p, and is asked for the parameters that the result needs. Returns
/// nothing if an argument is nothing or of another type, or if the result needs
/// a call, a loop or an array.
std::optional<ElementId> resultOfScalars(
    const Computation &function, LeafId result, ElementTable &table,
    llvm::function_ref<std::optional<ElementId>(size_t)> argument);

/// A function of two tuples of values that returns one such tuple.
class Reducer {
 public:
  /// Reads a function of twice so many scalars. Keeps a reference to it.
  /// Returns nothing if the function is not of this form, or if
  /// resultOfScalars() returns nothing for one of its results.
  static std::optional<Reducer> of(const Computation &function, size_t count);

  /// Returns the numbers of the values that decide a result, sorted: its own,
  /// and all that decide one of these.
  llvm::ArrayRef<size_t> valuesBehind(size_t result) const {
    return values_[result];
  }
  /// Returns the numbers of all values that have to do with a result: those
  /// that decide it, those that it decides, and so on.
  llvm::ArrayRef<size_t> groupOf(size_t result) const {
    return groups_[result];
  }
  /// The properties of the function that some of its values show.
  struct Laws {
    bool isAnyOrder = false;    ///< commutative and associative
    bool isIdempotent = false;  ///< and f(x, x) is x
    bool needsNoNan = false, needsZeroSign = false;  ///< laws that it took
  };
  /// Returns it under these laws of floats, always the same ones. Requires
  /// values that no others decide. A field that is false says nothing.
  Laws lawsOf(llvm::ArrayRef<size_t> values, FloatLaws floats);
  /// Returns whether such values, given as bytes of literals, change nothing as
  /// the first tuple. False says nothing.
  bool isNeutral(llvm::ArrayRef<size_t> values,
                 llvm::ArrayRef<std::string> bytes);

 private:
  using Ids = std::vector<ElementId>;

  Reducer(const Computation &function, size_t count);
  ElementType typeOf(size_t value) const;
  using Values = llvm::ArrayRef<size_t>;
  /// Returns the results for two tuples, those of these values alone.
  std::optional<Ids> applied(Values values, const Ids &first,
                             const Ids &second);
  Ids tuple(size_t number) const;
  std::optional<Laws> byForms(Values values);
  std::optional<Laws> byAllValues(Values values);
  std::optional<Laws> byAllOrders(Values values, bool hasNan, bool hasZeros);

  const Computation *function_;
  size_t count_;
  std::unique_ptr<ElementTable> table_;  ///< knows no law of floats
  Ids parameters_;                       ///< of three tuples
  std::vector<std::vector<size_t>> values_, groups_;
  std::map<std::vector<size_t>, Laws> laws_;
};

}  // namespace indexical

#endif  // INDEXICAL_SAME_VALUES_REDUCERS_H
