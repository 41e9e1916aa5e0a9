// Polynomials of atoms, for sizes that are not known: private to simplifier/.
//
//   d0 * n + 2 * d0 + d1       {d0, n}: 1, {d0}: 2, {d1}: 1
//
// A monomial is the list of its factors, in the order of their numbers; the
// empty one stands for the constant. No coefficient is 0.
#ifndef INDEXICAL_SIMPLIFIER_POLYNOMIAL_H
#define INDEXICAL_SIMPLIFIER_POLYNOMIAL_H

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "indexical/indexing/expression.h"

namespace indexical {

/// Forms that are one atom each, and no product.
using Monomial = std::vector<FormId>;

class AtomPolynomial {
 public:
  /// Products of more monomials are not made.
  static constexpr size_t kMostMonomials = 64;

  /// Returns the form, its products expanded, or nothing if that is too long or
  /// leaves 64 bits.
  static std::optional<AtomPolynomial> of(ExpressionPool &pool, FormId form);

  const std::map<Monomial, int64_t> &terms() const { return terms_; }
  bool isZero() const { return terms_.empty(); }
  bool operator==(const AtomPolynomial &o) const { return terms_ == o.terms_; }
  int64_t coefficient(const Monomial &monomial) const {
    auto found = terms_.find(monomial);
    return found == terms_.end() ? 0 : found->second;
  }

  /// Returns false if the polynomial leaves 64 bits or becomes too long: it is
  /// then of no further use.
  bool add(const Monomial &monomial, int64_t coefficient);
  bool add(const AtomPolynomial &other, int64_t factor = 1);
  std::optional<AtomPolynomial> operator*(const AtomPolynomial &other) const;

  /// Returns the form, with factors multiplied in structural order.
  FormId form(ExpressionPool &pool) const;

 private:
  std::map<Monomial, int64_t> terms_;
};

/// Returns the factors of the first without those of the second, or nothing if
/// one of these is not in the first.
std::optional<Monomial> without(const Monomial &all, const Monomial &some);
Monomial together(const Monomial &a, const Monomial &b);

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_POLYNOMIAL_H
