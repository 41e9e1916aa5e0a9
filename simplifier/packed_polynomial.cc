#include "indexical/simplifier/packed_polynomial.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

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

unsigned degreeOf(const PackedPolynomial &polynomial) {
  return polynomial.isZero() ? 0 : polynomial.terms().back().monomial.degree();
}

bool has(const PackedPolynomial &polynomial, PackedAtom atom) {
  return llvm::any_of(polynomial.terms(), [&](const PackedTerm &term) {
    return term.monomial.has(atom);
  });
}

std::optional<PackedPolynomial> with(const PackedPolynomial &polynomial,
                                     PackedAtom atom,
                                     const PackedPolynomial &value) {
  PackedPolynomial all;
  for (const PackedTerm &term : polynomial.terms()) {
    PackedPolynomial part(term.coefficient);
    PackedMonomial rest = term.monomial;
    while (const auto less = rest.over(PackedMonomial(atom))) {
      auto product = part.times(value);
      if (!product) return std::nullopt;
      part = *std::move(product);
      rest = *less;
    }
    const auto product = part.times(PackedPolynomial::of(rest, 1));
    if (!product || !all.add(*product)) return std::nullopt;
  }
  return all;
}

}  // namespace indexical
