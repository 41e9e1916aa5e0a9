// Polynomials of a few numbered atoms, for the prover of sizes.
//
//   a1 * a2 + 2 * a1 - 3       {constant: -3, a1: 2, a1 * a2: 1}
//
// A monomial is one 64-bit number: each factor has a byte, so that there are at
// most 255 atoms and eight factors. The numbers of monomials are in the order
// of their degrees. polynomial.h has polynomials of forms; its maps are too
// slow for the rows of a simplex.
//
// Law (tests/simplifier/size_prover_test.cc, at points): a sum and a product
// have the values of the operation.
#ifndef INDEXICAL_SIMPLIFIER_PACKED_POLYNOMIAL_H
#define INDEXICAL_SIMPLIFIER_PACKED_POLYNOMIAL_H

#include <cstdint>
#include <optional>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

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

struct PackedTerm {
  PackedMonomial monomial;
  int64_t coefficient;
  bool operator==(const PackedTerm &o) const {
    return monomial == o.monomial && coefficient == o.coefficient;
  }
};

class PackedPolynomial {
 public:
  /// Longer ones are not made.
  static constexpr size_t kMostTerms = 64;

  PackedPolynomial() = default;
  explicit PackedPolynomial(int64_t constant) {
    if (constant) terms_.push_back({PackedMonomial(), constant});
  }
  static PackedPolynomial ofAtom(PackedAtom atom) {
    return of(PackedMonomial(atom), 1);
  }
  static PackedPolynomial of(PackedMonomial monomial, int64_t coefficient);

  /// Returns the terms in the order of their monomials. No coefficient is 0.
  llvm::ArrayRef<PackedTerm> terms() const { return terms_; }
  bool isZero() const { return terms_.empty(); }
  bool isConstant() const {
    return terms_.empty() || terms_.back().monomial.isConstant();
  }
  int64_t constant() const {
    return terms_.empty() || !terms_[0].monomial.isConstant()
               ? 0
               : terms_[0].coefficient;
  }
  int64_t coefficient(PackedMonomial monomial) const;
  unsigned degree() const {
    return terms_.empty() ? 0 : terms_.back().monomial.degree();
  }
  bool has(PackedAtom atom) const;
  bool operator==(const PackedPolynomial &o) const {
    return terms_ == o.terms_;
  }

  /// Return false if that leaves 64 bits or becomes too long; the polynomial is
  /// then of no further use.
  bool add(const PackedPolynomial &other, int64_t factor = 1);
  bool add(int64_t constant) { return add(PackedPolynomial(constant)); }
  /// Returns nothing for the same reasons, and if a monomial would have more
  /// than eight factors.
  std::optional<PackedPolynomial> times(const PackedPolynomial &other) const;
  /// Returns the polynomial with another one in the place of an atom.
  std::optional<PackedPolynomial> with(PackedAtom atom,
                                       const PackedPolynomial &value) const;

 private:
  llvm::SmallVector<PackedTerm, 4> terms_;
};

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_PACKED_POLYNOMIAL_H
