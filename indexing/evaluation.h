// Values of expressions at a point: a domain of fold.h.
//
//   // The form of (d0 * 8 + d1) floordiv 4 + 3, where d0 is 2 and d1 is 3.
//   auto variable = [](VariableId id) { return id.index + 2; };
//   Evaluation value(table, variable);
//   value(form);  // 7
#ifndef INDEXICAL_INDEXING_EVALUATION_H
#define INDEXICAL_INDEXING_EVALUATION_H

#include <cstdint>
#include <optional>

#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/expression.h"
#include "indexical/indexing/fold.h"
#include "indexical/indexing/interval.h"

namespace indexical {

/// The domain of Evaluation.
class PointDomain {
 public:
  using Value = std::optional<int64_t>;
  using Sum = ValuedSum<Value>;

  explicit PointDomain(llvm::function_ref<int64_t(VariableId)> variable)
      : variable_(variable) {}

  Value variable(VariableId id) const { return variable_(id); }
  Value sum(const Sum &form) const;
  Value digit(const Sum &parent, int64_t stride, int64_t modulus) const;
  Value product(const Sum &a, const Sum &b) const;
  Value quotient(const Sum &a, const Sum &b) const;
  Value remainder(const Sum &a, const Sum &b) const;
  Value positivePart(const Sum &a) const;
  /// Returns the sum in more than 64 bits, since its value or its digits may
  /// fit into 64 bits though a part of it does not. Returns nothing if an atom
  /// has no value.
  std::optional<WideSum> wide(const Sum &form) const;

 private:
  llvm::function_ref<int64_t(VariableId)> variable_;
};

/// Values of forms at one point. `variable` gives the values of variables.
/// Nothing if a value leaves 64 bits, a divisor is zero, or the modulus of a
/// remainder is negative. A sum may leave 64 bits on the way, or if a constant
/// divides it.
class Evaluation {
 public:
  Evaluation(const ExpressionTable &table,
             llvm::function_ref<int64_t(VariableId)> variable)
      : fold_(table, PointDomain(variable)) {}
  std::optional<int64_t> operator()(FormId form) { return fold_(form); }
  /// Returns whether the value is in the bounds, which an open side may extend
  /// past 64 bits.
  bool isIn(const Interval &bounds, FormId form);

 private:
  Fold<PointDomain> fold_;
};

}  // namespace indexical

#endif  // INDEXICAL_INDEXING_EVALUATION_H
