// Sums of products of sizes and of variables in a range; private to the target of
// wraps.h.
//
//   (R - 1) * C         R * C - C
//   atMost(pid * C)     with pid <= R - 1: R * C - C
#ifndef INDEXICAL_PROGRAM_KERNEL_SIZE_POLYNOMIAL_H
#define INDEXICAL_PROGRAM_KERNEL_SIZE_POLYNOMIAL_H

#include <optional>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/indexing/sparse_polynomial.h"

namespace indexical::kernels {

/// A number of 128 bits that stays at 2^100 where it would be larger.
using WideNumber = __int128;
WideNumber limited(WideNumber value);
WideNumber productOf(WideNumber a, WideNumber b);

/// Such numbers as coefficients: no sum and no product leaves them.
struct LimitedNumbers {
  using Coefficient = WideNumber;
  static bool isZero(WideNumber x) { return x == 0; }
  static std::optional<WideNumber> sum(WideNumber x, WideNumber y) {
    return limited(x + y);
  }
  static std::optional<WideNumber> product(WideNumber x, WideNumber y) {
    return productOf(x, y);
  }
};

/// Variables are numbers of a table that its user has. A product is their
/// numbers in order, each as often as it is a factor. A polynomial of more
/// products than SparsePolynomial makes is too long: it has no products then,
/// is not a constant, and makes what is computed of it too long.
class SizePolynomial {
 public:
  using Sum = SparsePolynomial<FactorLists<int>, LimitedNumbers>;
  using Product = Sum::Monomial;

  SizePolynomial() = default;
  explicit SizePolynomial(WideNumber constant) : sum_(constant) {}
  static SizePolynomial of(int variable) {
    SizePolynomial made;
    made.add({variable}, 1);
    return made;
  }

  llvm::ArrayRef<Sum::Term> terms() const { return sum_.terms(); }
  bool isTooLong() const { return isTooLong_; }
  bool isConstant() const { return !isTooLong_ && sum_.isConstant(); }
  WideNumber constant() const { return sum_.constant(); }
  bool has(int variable) const;
  /// Returns false also if one of them is too long.
  bool operator==(const SizePolynomial &o) const {
    return !isTooLong_ && !o.isTooLong_ && sum_ == o.sum_;
  }

  void add(const Product &product, WideNumber factor) {
    keep(sum_.add(product, factor));
  }
  SizePolynomial operator+(const SizePolynomial &o) const { return plus(o, 1); }
  SizePolynomial operator-(const SizePolynomial &o) const {
    return plus(o, -1);
  }
  SizePolynomial operator*(const SizePolynomial &o) const;

  /// Returns the polynomial with another one in place of a variable.
  SizePolynomial with(int variable, const SizePolynomial &by) const;
  /// Returns the factor of a variable, which may have other variables, or
  /// nothing if its square is there or the polynomial is too long.
  std::optional<SizePolynomial> factorOf(int variable) const;

 private:
  SizePolynomial plus(const SizePolynomial &o, WideNumber factor) const;
  /// Makes the polynomial too long unless `fits`.
  void keep(bool fits);

  Sum sum_;
  bool isTooLong_ = false;
};

}  // namespace indexical::kernels

#endif  // INDEXICAL_PROGRAM_KERNEL_SIZE_POLYNOMIAL_H
