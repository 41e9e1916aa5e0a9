// Polynomials of a few numbered atoms, for the prover of sizes.
//
//   a1 * a2 + 2 * a1 - 3       {constant: -3, a1: 2, a1 * a2: 1}
//
// A monomial is one 64-bit number: each factor has a byte, so that there are at
// most 255 atoms and eight factors. The numbers of monomials are in the order
// of their degrees. Lists of factors (polynomial.h) are too slow for the rows
// of a simplex.
#ifndef INDEXICAL_SIMPLIFIER_PACKED_POLYNOMIAL_H
#define INDEXICAL_SIMPLIFIER_PACKED_POLYNOMIAL_H

#include <cstdint>
#include <optional>

#include "indexical/indexing/sparse_polynomial.h"

namespace indexical {

/// An atom, from 1 on.
using PackedAtom = uint8_t;

/// The product of atoms: 0 is the empty one, which stands for the constant.
class PackedMonomial {
 public:
  PackedMonomial() = default;
  explicit PackedMonomial(PackedAtom atom) : factors_(atom) {}

  bool isConstant() const { return factors_ == 0; }
  unsigned degree() const;
  /// Returns factor number i, in rising order of atoms.
  PackedAtom factor(unsigned i) const {
    return static_cast<PackedAtom>(factors_ >> (8 * (degree() - 1 - i)));
  }
  bool has(PackedAtom atom) const;
  /// Returns nothing if that has more than eight factors.
  std::optional<PackedMonomial> times(PackedMonomial other) const;
  /// Returns the other factors, or nothing if `other` does not divide this one.
  std::optional<PackedMonomial> over(PackedMonomial other) const;
  /// Returns the factors that both have.
  PackedMonomial common(PackedMonomial other) const;

  bool operator==(PackedMonomial o) const { return factors_ == o.factors_; }
  bool operator!=(PackedMonomial o) const { return factors_ != o.factors_; }
  /// Orders by degree, then by the atoms.
  bool operator<(PackedMonomial o) const { return factors_ < o.factors_; }

 private:
  uint64_t factors_ = 0;
};

/// The packed monomials of a SparsePolynomial.
struct PackedMonomials {
  using Monomial = PackedMonomial;
  static std::optional<PackedMonomial> product(PackedMonomial a,
                                               PackedMonomial b) {
    return a.times(b);
  }
};
using PackedPolynomial = SparsePolynomial<PackedMonomials, WholeNumbers>;
using PackedTerm = PackedPolynomial::Term;

inline PackedPolynomial ofAtom(PackedAtom atom) {
  return PackedPolynomial::of(PackedMonomial(atom), 1);
}
unsigned degreeOf(const PackedPolynomial &polynomial);
bool has(const PackedPolynomial &polynomial, PackedAtom atom);
/// Returns the polynomial with another one in the place of an atom; nothing
/// where SparsePolynomial::times returns nothing.
std::optional<PackedPolynomial> with(const PackedPolynomial &polynomial,
                                     PackedAtom atom,
                                     const PackedPolynomial &value);

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_PACKED_POLYNOMIAL_H
