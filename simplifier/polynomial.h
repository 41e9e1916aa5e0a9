// Polynomials of atoms, for sizes that are not known: private to simplifier/.
//
//   d0 * n + 2 * d0 + d1       {d0, n}: 1, {d0}: 2, {d1}: 1
//
// A monomial is the list of its factors, in the order of their numbers.
#ifndef INDEXICAL_SIMPLIFIER_POLYNOMIAL_H
#define INDEXICAL_SIMPLIFIER_POLYNOMIAL_H

#include <optional>

#include "indexical/indexing/expression.h"
#include "indexical/indexing/sparse_polynomial.h"

namespace indexical {

/// Forms that are one atom each, and no product.
using Monomial = FactorLists<FormId>::Monomial;
using AtomPolynomial = SparsePolynomial<FactorLists<FormId>, WholeNumbers>;

/// Returns the form, its products expanded, or nothing if that is too long or
/// leaves 64 bits.
std::optional<AtomPolynomial> expanded(ExpressionPool &pool, FormId form);
/// Returns the form of the polynomial, with factors multiplied in structural
/// order.
FormId formOf(ExpressionPool &pool, const AtomPolynomial &polynomial);

/// Returns the factors of the first without those of the second, or nothing if
/// one of these is not in the first.
std::optional<Monomial> without(const Monomial &all, const Monomial &some);

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_POLYNOMIAL_H
