#include "indexical/simplifier/packed_polynomial.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/indexing/arithmetic.h"

namespace indexical {

unsigned PackedMonomial::degree() const {
  return (71 - llvm::countl_zero(factors_)) / 8;
}

bool PackedMonomial::has(PackedAtom atom) const {
  for (uint64_t rest = factors_; rest; rest >>= 8)
    if (static_cast<PackedAtom>(rest) == atom) return true;
  return false;
}

std::optional<PackedMonomial> PackedMonomial::times(
    PackedMonomial other) const {
  const unsigned n = degree(), m = other.degree();
  if (n + m > 8) return std::nullopt;
  PackedMonomial product;
  for (unsigned i = 0, j = 0; i < n || j < m;) {
    const bool isOwn = j == m || (i < n && factor(i) <= other.factor(j));
    product.factors_ =
        product.factors_ << 8 | (isOwn ? factor(i++) : other.factor(j++));
  }
  return product;
}

std::optional<PackedMonomial> PackedMonomial::over(PackedMonomial other) const {
  const unsigned n = degree(), m = other.degree();
  if (m > n) return std::nullopt;
  PackedMonomial rest;
  unsigned j = 0;
  for (unsigned i = 0; i < n; ++i)
    if (j < m && factor(i) == other.factor(j))
      ++j;
    else
      rest.factors_ = rest.factors_ << 8 | factor(i);
  if (j < m) return std::nullopt;
  return rest;
}

PackedMonomial PackedMonomial::common(PackedMonomial other) const {
  PackedMonomial both;
  for (unsigned i = 0, j = 0; i < degree() && j < other.degree();) {
    const PackedAtom x = factor(i), y = other.factor(j);
    if (x == y) both.factors_ = both.factors_ << 8 | x;
    i += x <= y;
    j += y <= x;
  }
  return both;
}

PackedPolynomial PackedPolynomial::of(PackedMonomial monomial,
                                      int64_t coefficient) {
  PackedPolynomial one;
  if (coefficient) one.terms_.push_back({monomial, coefficient});
  return one;
}

int64_t PackedPolynomial::coefficient(PackedMonomial monomial) const {
  for (const PackedTerm &term : terms_)
    if (term.monomial == monomial) return term.coefficient;
  return 0;
}

bool PackedPolynomial::has(PackedAtom atom) const {
  return llvm::any_of(
      terms_, [&](const PackedTerm &term) { return term.monomial.has(atom); });
}

bool PackedPolynomial::add(const PackedPolynomial &other, int64_t factor) {
  llvm::SmallVector<PackedTerm, 4> sum;
  const PackedTerm *x = terms_.begin(), *y = other.terms_.begin();
  while (x != terms_.end() || y != other.terms_.end()) {
    const bool isOwn = y == other.terms_.end() ||
                       (x != terms_.end() && x->monomial < y->monomial);
    if (isOwn) {
      sum.push_back(*x++);
      continue;
    }
    auto value = checkedMul(y->coefficient, factor);
    if (value && x != terms_.end() && x->monomial == y->monomial)
      value = checkedAdd(*value, (x++)->coefficient);
    if (!value || *value == INT64_MIN) return false;
    if (*value) sum.push_back({y->monomial, *value});
    ++y;
  }
  terms_ = std::move(sum);
  return terms_.size() <= kMostTerms;
}

std::optional<PackedPolynomial> PackedPolynomial::times(
    const PackedPolynomial &other) const {
  PackedPolynomial product;
  for (const PackedTerm &x : terms_) {
    PackedPolynomial part;
    for (const PackedTerm &y : other.terms_) {
      const auto monomial = x.monomial.times(y.monomial);
      const auto value = checkedMul(x.coefficient, y.coefficient);
      if (!monomial || !value || *value == INT64_MIN ||
          !part.add(of(*monomial, *value)))
        return std::nullopt;
    }
    if (!product.add(part)) return std::nullopt;
  }
  return product;
}

std::optional<PackedPolynomial> PackedPolynomial::with(
    PackedAtom atom, const PackedPolynomial &value) const {
  PackedPolynomial all;
  for (const PackedTerm &term : terms_) {
    PackedPolynomial part(term.coefficient);
    PackedMonomial rest = term.monomial;
    while (const auto less = rest.over(PackedMonomial(atom))) {
      auto product = part.times(value);
      if (!product) return std::nullopt;
      part = *std::move(product);
      rest = *less;
    }
    const auto product = part.times(of(rest, 1));
    if (!product || !all.add(*product)) return std::nullopt;
  }
  return all;
}

}  // namespace indexical
