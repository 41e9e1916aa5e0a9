// Polynomials: sums of monomials with coefficients that are not 0.
//
//   a * b + 2 * a - 3       {constant: -3, a: 2, a * b: 1}
//
// One form serves all code that adds and multiplies. Two parameters give the
// monomials and their coefficients:
//
//   Monoid   Monomial: a value with an order; Monomial() is the empty product
//            product(x, y): nothing if there are too many factors
//   Ring     Coefficient: a value; Coefficient(1) is one
//            isZero(x); sum(x, y), product(x, y): nothing if the ring has no
//            such number
//
//   FactorLists<Atom, most>  sorted lists of at most so many factors
//   WholeNumbers             64 bits, but for the least, which has no negative
//   Residues                 modulo 2 to some width: sums and products wrap
//
// The terms are a sorted array: an array of a few terms is read and merged
// faster than a tree of them, and packed monomials (simplifier/) stay in line.
//
// Law (tests/indexing/sparse_polynomial_test.cc, at points): a sum and a
// product have the values of the operation.
#ifndef INDEXICAL_INDEXING_SPARSE_POLYNOMIAL_H
#define INDEXICAL_INDEXING_SPARSE_POLYNOMIAL_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/arithmetic.h"

namespace indexical {

/// Monomials that are lists of their factors, in the order of `Atom`.
template <typename Atom, size_t kMostFactors = SIZE_MAX>
struct FactorLists {
  using Monomial = std::vector<Atom>;
  static std::optional<Monomial> product(const Monomial &a, const Monomial &b) {
    if (a.size() + b.size() > kMostFactors) return std::nullopt;
    Monomial all;
    std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
    return all;
  }
};

/// Numbers of 64 bits that have a negative.
struct WholeNumbers {
  using Coefficient = int64_t;
  static bool isZero(int64_t x) { return x == 0; }
  static std::optional<int64_t> sum(int64_t x, int64_t y) {
    return withNegative(checkedAdd(x, y));
  }
  static std::optional<int64_t> product(int64_t x, int64_t y) {
    return withNegative(checkedMul(x, y));
  }

 private:
  static std::optional<int64_t> withNegative(std::optional<int64_t> x) {
    return x == INT64_MIN ? std::nullopt : x;
  }
};

/// Integers modulo 2^bits, of at most 64 bits.
struct Residues {
  using Coefficient = uint64_t;
  int64_t bits = 64;
  static bool isZero(uint64_t x) { return x == 0; }
  std::optional<uint64_t> sum(uint64_t x, uint64_t y) const {
    return wrapped(x + y);
  }
  std::optional<uint64_t> product(uint64_t x, uint64_t y) const {
    return wrapped(x * y);
  }

 private:
  uint64_t wrapped(uint64_t x) const {
    return bits < 64 ? x & ((uint64_t{1} << bits) - 1) : x;
  }
};

template <typename Monoid, typename Ring>
class SparsePolynomial : private Ring {
 public:
  using Monomial = typename Monoid::Monomial;
  using Coefficient = typename Ring::Coefficient;
  struct Term {
    Monomial monomial;
    Coefficient coefficient;
    bool operator==(const Term &o) const {
      return monomial == o.monomial && coefficient == o.coefficient;
    }
  };
  /// Longer ones are not made.
  static constexpr size_t kMostTerms = 64;

  SparsePolynomial() = default;
  explicit SparsePolynomial(Ring ring) : Ring(std::move(ring)) {}
  explicit SparsePolynomial(const Coefficient &constant) {
    (void)add(Monomial(), constant);
  }
  static SparsePolynomial of(const Monomial &monomial,
                             const Coefficient &coefficient) {
    SparsePolynomial one;
    (void)one.add(monomial, coefficient);
    return one;
  }

  /// Returns the terms in the order of their monomials.
  llvm::ArrayRef<Term> terms() const & { return terms_; }
  /// Those of a temporary, which a loop over them keeps.
  llvm::SmallVector<Term, 4> terms() && { return std::move(terms_); }
  bool isZero() const { return terms_.empty(); }
  bool isConstant() const {
    return terms_.empty() ||
           (terms_.size() == 1 && terms_[0].monomial == Monomial());
  }
  Coefficient constant() const { return coefficient(Monomial()); }
  Coefficient coefficient(const Monomial &monomial) const {
    const Term *at = placeOf(monomial);
    return at != terms_.end() && at->monomial == monomial ? at->coefficient
                                                          : Coefficient(0);
  }
  bool operator==(const SparsePolynomial &o) const {
    return terms_ == o.terms_;
  }

  /// Return false if a coefficient is not in the ring, or if there are too many
  /// terms: the polynomial is then of no further use.
  bool add(const Monomial &monomial, const Coefficient &coefficient) {
    const auto at = terms_.begin() + (placeOf(monomial) - terms_.begin());
    const bool isThere = at != terms_.end() && at->monomial == monomial;
    const auto sum =
        Ring::sum(isThere ? at->coefficient : Coefficient(0), coefficient);
    if (!sum) return false;
    if (!isThere) {
      if (Ring::isZero(*sum)) return true;
      terms_.insert(at, Term{monomial, *sum});
    } else if (Ring::isZero(*sum)) {
      terms_.erase(at);
    } else {
      at->coefficient = *sum;
    }
    return terms_.size() <= kMostTerms;
  }
  bool add(const SparsePolynomial &other,
           const Coefficient &factor = Coefficient(1)) {
    if (this == &other) return add(SparsePolynomial(other), factor);
    Terms sum;
    auto x = terms_.begin();
    for (const Term &y : other.terms_) {
      while (x != terms_.end() && x->monomial < y.monomial)
        sum.push_back(std::move(*x++));
      const bool isThere = x != terms_.end() && x->monomial == y.monomial;
      const auto scaled = Ring::product(y.coefficient, factor);
      const auto all =
          scaled ? Ring::sum(isThere ? (x++)->coefficient : Coefficient(0),
                             *scaled)
                 : std::nullopt;
      if (!all) return false;
      if (!Ring::isZero(*all)) sum.push_back({y.monomial, *all});
    }
    sum.append(std::make_move_iterator(x),
               std::make_move_iterator(terms_.end()));
    terms_ = std::move(sum);
    return terms_.size() <= kMostTerms;
  }
  bool add(const Coefficient &constant) { return add(Monomial(), constant); }

  /// Returns the polynomial times a number; nothing if that leaves the ring.
  std::optional<SparsePolynomial> scaled(const Coefficient &factor) const {
    SparsePolynomial made{static_cast<const Ring &>(*this)};
    if (!made.add(*this, factor)) return std::nullopt;
    return made;
  }
  /// Returns nothing for the same reasons, and if a monomial would have too
  /// many factors.
  std::optional<SparsePolynomial> times(const SparsePolynomial &other) const {
    SparsePolynomial product{static_cast<const Ring &>(*this)};
    for (const Term &x : terms_)
      for (const Term &y : other.terms_) {
        const auto monomial = Monoid::product(x.monomial, y.monomial);
        const auto value = Ring::product(x.coefficient, y.coefficient);
        if (!monomial || !value || !product.add(*monomial, *value))
          return std::nullopt;
      }
    return product;
  }

  /// Puts `change(x)` in place of each coefficient x.
  template <typename Change>
  void changeCoefficients(Change change) {
    Terms left;
    for (Term &term : terms_) {
      term.coefficient = change(term.coefficient);
      if (!Ring::isZero(term.coefficient)) left.push_back(std::move(term));
    }
    terms_ = std::move(left);
  }

 private:
  using Terms = llvm::SmallVector<Term, 4>;

  const Term *placeOf(const Monomial &monomial) const {
    return std::lower_bound(
        terms_.begin(), terms_.end(), monomial,
        [](const Term &term, const Monomial &m) { return term.monomial < m; });
  }

  Terms terms_;
};

}  // namespace indexical

#endif  // INDEXICAL_INDEXING_SPARSE_POLYNOMIAL_H
