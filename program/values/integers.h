// Integers that are known as expressions, each with an interval.
//
//   n = s32[] get-dimension-size(p)    n, in [0, inf]
//   m = s32[] maximum(n, one)          not decided: n may be 0
//   k = s32[] add(n, one)              n + 1, in [1, inf]
//   m = s32[] maximum(k, one)          n + 1
//
// Those who ask for elements agree on the operations below, and differ in what
// they assume. A size is taken to fit its type, and sizes are multiplied
// (shapes.h). An element at an index is known if no step can leave its type,
// and a comparison that bounds leave open may be followed both ways
// (known_values.h).
#ifndef INDEXICAL_PROGRAM_VALUES_INTEGERS_H
#define INDEXICAL_PROGRAM_VALUES_INTEGERS_H

#include <cstdint>
#include <optional>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/indexing/expression.h"
#include "indexical/indexing/interval.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/ops/families.h"
#include "indexical/ops/op.h"
#include "indexical/ops/shape.h"

namespace indexical {

/// Returns the values that an integral type holds, open if they are of 64 bits,
/// and all values for other types.
Interval valuesOf(ElementType type);
/// Returns whether a type has every value of another one.
bool holdsAll(ElementType type, ElementType from);

/// The expressions of one pool, as one question knows them.
class Integers {
 public:
  using Maybe = std::optional<Expr>;

  virtual ~Integers() = default;

  virtual ExpressionPool &pool() = 0;
  virtual Interval boundsOf(Expr expression) = 0;
  /// Returns whether the expression is at most a number, or nothing if it is
  /// not decided.
  virtual std::optional<bool> isAtMost(Expr expression, int64_t most) = 0;
  /// Return the product of two, and the quotient or the remainder that the op
  /// is, or nothing if it is not known.
  virtual Maybe product(Expr a, Expr b) = 0;
  virtual Maybe quotient(const ElementwiseOp &op, Expr a, Expr b) = 0;

  Expr expression(FormId form) { return {&pool(), form}; }
  Expr constant(int64_t value) {
    return expression(pool().constantForm(value));
  }
  /// Returns the number that the expression is, or nothing if it is not one.
  std::optional<int64_t> valueOf(Expr expression) {
    if (!pool().isConstant(expression.form())) return std::nullopt;
    return pool().constant(expression.form());
  }
  std::optional<bool> isAtLeast(Expr expression, int64_t least) {
    if (least == INT64_MIN) return true;
    return negated(isAtMost(expression, least - 1));
  }
  /// Return whether a - b is at most, or at least, a number, or nothing if it
  /// is not decided. A difference that can leave 64 bits decides nothing.
  std::optional<bool> isAtMost(Expr a, Expr b, int64_t most);
  std::optional<bool> isAtLeast(Expr a, Expr b, int64_t least) {
    if (least == INT64_MIN) return std::nullopt;
    return negated(isAtMost(a, b, least - 1));
  }
  /// Returns a - b, or nothing if a value or the number in it can leave 64
  /// bits.
  Maybe difference(Expr a, Expr b);
  /// Returns whether no values of the two make a sum, or with `sign` -1 a
  /// difference, of more than 64 bits. An open end is that of signed values of
  /// 64 bits.
  bool sumStays(Expr a, Expr b, int sign);

  /// Returns the integer that the exact result of an op with an `Arithmetic`
  /// trait is, or nothing if it is not known. The caller checks that the type
  /// holds it.
  Maybe exactResult(const ElementwiseOp &op, llvm::ArrayRef<Expr> x);

 private:
  static std::optional<bool> negated(std::optional<bool> decided) {
    if (!decided) return std::nullopt;
    return !*decided;
  }
  Maybe larger(Expr a, Expr b);
  Maybe smaller(Expr a, Expr b);
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_VALUES_INTEGERS_H
