// Sums of products of elements, as a normal form.
//
//   add(multiply(x, 2), x)          3 * x
//   multiply(add(x, y), x)          1 * x x + 1 * x y
//   subtract(u, u)                  nothing
//
// Integers of w bits are a ring modulo 2^w, in which all of this holds for all
// values. For floats it holds only if they are assumed to be real numbers
// (FloatLaws::Real, element_table.h). Coefficients are fractions, as a float
// that is divided by 3 is one third of it.
#ifndef INDEXICAL_SAME_VALUES_POLYNOMIAL_H
#define INDEXICAL_SAME_VALUES_POLYNOMIAL_H

#include <cstdint>
#include <optional>

#include "llvm/ADT/DynamicAPInt.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/sparse_polynomial.h"
#include "indexical/ops/shape.h"

namespace indexical {

using ElementId = int32_t;

/// A fraction, reduced, its denominator positive.
struct Coefficient {
  llvm::DynamicAPInt num{0}, den{1};

  Coefficient() = default;
  /// Requires that `under` is not 0.
  Coefficient(llvm::DynamicAPInt over, llvm::DynamicAPInt under);
  Coefficient(int64_t over, int64_t under = 1)
      : Coefficient(llvm::DynamicAPInt(over), llvm::DynamicAPInt(under)) {}

  bool isZero() const { return num == 0; }
  bool operator==(const Coefficient &o) const {
    return num == o.num && den == o.den;
  }
  bool operator!=(const Coefficient &o) const { return !(*this == o); }
};
Coefficient operator+(const Coefficient &a, const Coefficient &b);
Coefficient operator*(const Coefficient &a, const Coefficient &b);
/// Requires that `b` is not 0.
Coefficient operator/(const Coefficient &a, const Coefficient &b);

/// The ring of all fractions.
struct Fractions {
  using Coefficient = indexical::Coefficient;
  static bool isZero(const Coefficient &x) { return x.isZero(); }
  static std::optional<Coefficient> sum(const Coefficient &x,
                                        const Coefficient &y) {
    return x + y;
  }
  static std::optional<Coefficient> product(const Coefficient &x,
                                            const Coefficient &y) {
    return x * y;
  }
};

inline constexpr size_t kMostFactors = 8;

/// Products of elements, with their coefficients.
using ElementProducts = FactorLists<ElementId, kMostFactors>;
using Polynomial = SparsePolynomial<ElementProducts, Fractions>;

/// Returns the number that the polynomial is; nothing if it has an element.
std::optional<Coefficient> numberOf(const Polynomial &polynomial);
/// Returns the product; nothing if all products of two terms are more than
/// kMostTerms, or if one has too many factors.
std::optional<Polynomial> product(const Polynomial &a, const Polynomial &b);
/// Reduces each coefficient modulo 2^bits, into [0, 2^bits - 1], and drops
/// terms that become 0. Requires coefficients that are integers.
void wrap(Polynomial &polynomial, int64_t bits);

/// Returns whether a coefficient has more than kMostBits bits in its numerator
/// or its denominator: a chain of products by constants adds bits to both.
bool hasLargeCoefficient(const Polynomial &polynomial);

inline constexpr int kMostBits = 2'000;

/// Returns whether floats of the type can be taken for real numbers: f16, bf16,
/// f32 and f64.
bool isRealFloat(ElementType type);
/// Returns the number that the bytes of a float are (f16, bf16, f32, f64; the
/// least significant first). Returns nothing for other types, for infinities
/// and NaNs, and for exponents beyond 200.
std::optional<Coefficient> numberOfFloat(ElementType type,
                                         llvm::StringRef bytes);

}  // namespace indexical

#endif  // INDEXICAL_SAME_VALUES_POLYNOMIAL_H
