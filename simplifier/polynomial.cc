#include "indexical/simplifier/polynomial.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"

namespace indexical {

std::optional<Monomial> without(const Monomial &all, const Monomial &some) {
  Monomial rest;
  if (!std::includes(all.begin(), all.end(), some.begin(), some.end()))
    return std::nullopt;
  std::set_difference(all.begin(), all.end(), some.begin(), some.end(),
                      std::back_inserter(rest));
  return rest;
}

Monomial together(const Monomial &a, const Monomial &b) {
  Monomial all;
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
  return all;
}

bool AtomPolynomial::add(const Monomial &monomial, int64_t coefficient) {
  if (coefficient == 0) return true;
  auto [entry, isNew] = terms_.try_emplace(monomial, 0);
  const auto sum = checkedAdd(entry->second, coefficient);
  if (!sum) return false;
  entry->second = *sum;
  if (*sum == 0) terms_.erase(entry);
  return terms_.size() <= kMostMonomials;
}

bool AtomPolynomial::add(const AtomPolynomial &other, int64_t factor) {
  for (const auto &[monomial, coefficient] : other.terms_) {
    const auto scaled = checkedMul(coefficient, factor);
    if (!scaled || !add(monomial, *scaled)) return false;
  }
  return true;
}

std::optional<AtomPolynomial> AtomPolynomial::operator*(
    const AtomPolynomial &other) const {
  AtomPolynomial product;
  for (const auto &[a, x] : terms_)
    for (const auto &[b, y] : other.terms_) {
      const auto coefficient = checkedMul(x, y);
      if (!coefficient || !product.add(together(a, b), *coefficient))
        return std::nullopt;
    }
  return product;
}

std::optional<AtomPolynomial> AtomPolynomial::of(ExpressionPool &pool,
                                                 FormId form) {
  AtomPolynomial all;
  if (!all.add(Monomial(), pool.constant(form))) return std::nullopt;
  for (const Term &term : llvm::SmallVector<Term, 8>(pool.terms(form))) {
    const Atom atom = pool.atom(term.atom);
    if (atom.kind != AtomKind::Product) {
      if (!all.add({pool.atomForm(term.atom)}, term.coefficient))
        return std::nullopt;
      continue;
    }
    const auto a = of(pool, atom.a), b = of(pool, atom.b);
    if (!a || !b) return std::nullopt;
    const auto product = *a * *b;
    if (!product || !all.add(*product, term.coefficient)) return std::nullopt;
  }
  return all;
}

FormId AtomPolynomial::form(ExpressionPool &pool) const {
  llvm::SmallVector<ScaledForm, 8> parts;
  int64_t constant = 0;
  for (const auto &[monomial, coefficient] : terms_) {
    if (monomial.empty()) {
      constant = coefficient;
      continue;
    }
    Monomial factors = monomial;
    llvm::sort(factors,
               [&](FormId x, FormId y) { return pool.compareForms(x, y) < 0; });
    FormId product = factors[0];
    for (size_t i = 1; i < factors.size(); ++i)
      product = pool.product(product, factors[i]);
    parts.push_back({product, coefficient});
  }
  return pool.linear(parts, constant);
}

}  // namespace indexical
