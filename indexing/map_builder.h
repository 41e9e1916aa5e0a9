// Building an IndexingMap.
//
//   // A reshape of f32[4,8] to f32[32], from output to input.
//   IndexingMapBuilder b;
//   Expr d0 = b.dimension({0, 31});
//   b.result(floorDiv(d0, 8));
//   b.result(mod(d0, 8));
//   absl::StatusOr<IndexingMap> map = b.build();
//   // (d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [0, 31]
//
// Expressions are written with +, -, *, floorDiv, mod, min, max and clamp. They
// belong to their builder. build() returns an error if arithmetic left 64 bits.
// A builder is used once.
#ifndef INDEXICAL_INDEXING_MAP_BUILDER_H
#define INDEXICAL_INDEXING_MAP_BUILDER_H

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/expression.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/kept.h"

namespace indexical {

/// An expression under construction.
class Expr {
 public:
  Expr() = default;
  Expr(ExpressionAlgebra *algebra, FormId form)
      : algebra_(algebra), form_(form) {}
  FormId form() const { return form_; }
  ExpressionAlgebra *algebra() const { return algebra_; }

  Expr operator-() const { return {algebra_, algebra_->scale(form_, -1)}; }
  friend Expr operator+(Expr a, Expr b) {
    return {a.algebra_, a.algebra_->add(a.form_, b.form_)};
  }
  friend Expr operator-(Expr a, Expr b) {
    return {a.algebra_, a.algebra_->sub(a.form_, b.form_)};
  }
  friend Expr operator+(Expr a, int64_t c) {
    return {a.algebra_, a.algebra_->shift(a.form_, c)};
  }
  friend Expr operator-(Expr a, int64_t c) {
    return {a.algebra_,
            a.algebra_->linear(
                {{a.form_, 1}, {a.algebra_->constantForm(c), -1}}, 0)};
  }
  friend Expr operator*(Expr a, int64_t c) {
    return {a.algebra_, a.algebra_->scale(a.form_, c)};
  }
  friend Expr operator*(int64_t c, Expr a) { return a * c; }
  friend Expr operator*(Expr a, Expr b) {
    return {a.algebra_, a.algebra_->product(a.form_, b.form_)};
  }

 private:
  ExpressionAlgebra *algebra_ = nullptr;
  FormId form_ = 0;
};

/// Returns a floordiv divisor, rounded toward minus infinity. Requires
/// divisor != 0.
inline Expr floorDiv(Expr a, int64_t divisor) {
  return {a.algebra(), a.algebra()->floorDivBy(a.form(), divisor)};
}
/// Returns a mod modulus, which is in [0, modulus - 1]. Requires modulus > 0.
inline Expr mod(Expr a, int64_t modulus) {
  return {a.algebra(), a.algebra()->mod(a.form(), modulus)};
}

// Like the functions above, with an expression as divisor or modulus. Requires
// it to be at least 1 wherever the map holds.
inline Expr floorDiv(Expr a, Expr divisor) {
  return {a.algebra(), a.algebra()->quotient(a.form(), divisor.form())};
}
inline Expr mod(Expr a, Expr modulus) {
  return {a.algebra(), a.algebra()->remainder(a.form(), modulus.form())};
}

/// Returns the lesser of the two. The difference of the two must stay inside 64
/// bits, else build() returns an error.
inline Expr min(Expr a, Expr b) {
  return {a.algebra(), a.algebra()->min(a.form(), b.form())};
}
/// Returns the greater of the two. The difference of the two must stay inside
/// 64 bits, else build() returns an error.
inline Expr max(Expr a, Expr b) {
  return {a.algebra(), a.algebra()->max(a.form(), b.form())};
}
/// Returns the value that is nearest to `value` in [low, high]. Requires
/// low <= high wherever the map holds; otherwise it is `high`.
inline Expr clamp(Expr value, Expr low, Expr high) {
  return min(max(value, low), high);
}

class IndexingMapBuilder {
 public:
  /// Makes a builder with a pool of its own.
  IndexingMapBuilder();
  /// Makes a builder of maps over expressions of `pool`, which must outlive it.
  explicit IndexingMapBuilder(ExpressionPool &pool);
  IndexingMapBuilder(const IndexingMapBuilder &) = delete;
  IndexingMapBuilder &operator=(const IndexingMapBuilder &) = delete;

  /// Adds a variable and returns it as an expression. Empty bounds make the map
  /// known to be empty. If two variables have one name, build() puts `_` behind
  /// the name of the later one; dimensions come before ranges, and these before
  /// runtime variables. An unnamed variable has the name of its place, as `d0`.
  Expr dimension(Interval bounds, std::string name = "");
  Expr range(Interval bounds, std::string name = "");
  /// Adds a variable without returning an expression.
  void addDimension(Interval bounds, std::string name);
  void addRange(Interval bounds, std::string name);
  Expr runtime(Interval bounds, std::string name = "");
  /// Adds a runtime variable whose value is the element of `tensor` at `index`,
  /// clamped to the bounds if `clamped`.
  Expr runtimeElement(Interval bounds, bool clamped, int64_t tensor,
                      llvm::ArrayRef<Expr> index);
  /// Adds a runtime variable that is a property of the device itself, such as
  /// its position in its group. Its bounds are all values of the source.
  Expr runtimeOfDevice(const RuntimeSource &source);
  /// Adds any runtime variable. Its index must hold forms of this builder's
  /// pool.
  Expr runtime(RuntimeVariable variable);
  /// Sets the source index of runtime variable i, if the index was not known
  /// when the variable was added.
  void setSourceIndex(size_t i, llvm::ArrayRef<FormId> index);

  Expr constant(int64_t value);
  /// Returns the value of the expression if it is a constant, else nothing.
  std::optional<int64_t> valueOf(Expr expression) const {
    if (!pool_->isConstant(expression.form())) return std::nullopt;
    return pool_->constant(expression.form());
  }
  Expr expression(FormId form) { return {pool_, form}; }

  void result(Expr expression) { results_.push_back(expression.form()); }
  void result(int64_t value) { result(constant(value)); }
  /// Adds the member of `collective` that is read. Requires that all results
  /// are added.
  void member(int64_t collective, Expr expression) {
    result(expression);
    collectives_.push_back(collective);
  }
  /// Adds the constraint that the expression is in `bounds`. Constraints on one
  /// expression become one. A constant outside of the bounds makes the map
  /// known to be empty.
  void constraint(Expr expression, Interval bounds);
  void setKnownEmpty() { empty_ = true; }
  /// Returns whether the map is already seen to be empty.
  bool isKnownEmpty() const { return empty_; }

  ExpressionPool &pool() { return *pool_; }

  /// Returns the map. Returns an error if arithmetic left 64 bits while the map
  /// was built, if an expression can leave 64 bits within finite bounds, or if
  /// a divisor can be zero or negative.
  absl::StatusOr<IndexingMap> build();

 private:
  // Sets what only the simplifier knows: that the expressions are canonical on
  // the domain, whose digits the results are, and the bounds of the results.
  friend class SimplifierMarks;  // simplifier/marks.h
  void orderRuntime();
  void makeNamesUnique();
  absl::Status checkExpressions() const;

  std::optional<Kept<ExpressionPool>> own_;
  ExpressionPool *pool_;
  llvm::SmallVector<Variable, 4> dimensions_;
  llvm::SmallVector<Variable, 2> ranges_;
  llvm::SmallVector<RuntimeVariable, 0> runtime_;
  llvm::SmallVector<FormId, 4> results_;  // and, behind them, the members
  llvm::SmallVector<int64_t, 0> collectives_;
  llvm::SmallVector<Constraint, 4> constraints_;
  size_t hiddenRuntime_ = 0;
  bool empty_ = false;
  bool canonical_ = false;
  std::shared_ptr<const Delinearization> delinearization_;
  llvm::SmallVector<Interval, 4> resultBounds_;
};

}  // namespace indexical

#endif  // INDEXICAL_INDEXING_MAP_BUILDER_H
