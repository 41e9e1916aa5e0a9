#include "indexical/simplifier/polynomial.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"

namespace indexical {

std::optional<Monomial> without(const Monomial &all, const Monomial &some) {
  Monomial rest;
  if (!std::includes(all.begin(), all.end(), some.begin(), some.end()))
    return std::nullopt;
  std::set_difference(all.begin(), all.end(), some.begin(), some.end(),
                      std::back_inserter(rest));
  return rest;
}

std::optional<AtomPolynomial> expanded(ExpressionPool &pool, FormId form) {
  AtomPolynomial all;
  if (!all.add(pool.constant(form))) return std::nullopt;
  for (const Term &term : llvm::SmallVector<Term, 8>(pool.terms(form))) {
    const Atom atom = pool.atom(term.atom);
    if (atom.kind != AtomKind::Product) {
      if (!all.add(Monomial{pool.atomForm(term.atom)}, term.coefficient))
        return std::nullopt;
      continue;
    }
    const auto a = expanded(pool, atom.a), b = expanded(pool, atom.b);
    if (!a || !b) return std::nullopt;
    const auto product = a->times(*b);
    if (!product || !all.add(*product, term.coefficient)) return std::nullopt;
  }
  return all;
}

FormId formOf(ExpressionPool &pool, const AtomPolynomial &polynomial) {
  llvm::SmallVector<ScaledForm, 8> parts;
  for (const auto &[monomial, coefficient] : polynomial.terms()) {
    if (monomial.empty()) continue;
    Monomial factors = monomial;
    llvm::sort(factors,
               [&](FormId x, FormId y) { return pool.compareForms(x, y) < 0; });
    FormId product = factors[0];
    for (size_t i = 1; i < factors.size(); ++i)
      product = pool.product(product, factors[i]);
    parts.push_back({product, coefficient});
  }
  return pool.linear(parts, polynomial.constant());
}

}  // namespace indexical
