// Sums of products of sizes and of variables in a range; private to the target of
// wraps.h.
//
//   (R - 1) * C         R * C - C
//   atMost(pid * C)     with pid <= R - 1: R * C - C
#ifndef INDEXICAL_PROGRAM_KERNEL_SIZE_POLYNOMIAL_H
#define INDEXICAL_PROGRAM_KERNEL_SIZE_POLYNOMIAL_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace indexical::kernels {

/// A number of 128 bits that stays at 2^100 where it would be larger.
using WideNumber = __int128;
WideNumber limited(WideNumber value);
WideNumber productOf(WideNumber a, WideNumber b);

/// Variables are numbers of a table that its user has. A product is their
/// numbers in order, each as often as it is a factor.
class SizePolynomial {
 public:
  using Product = std::vector<int>;

  SizePolynomial() = default;
  explicit SizePolynomial(WideNumber constant) { add({}, constant); }
  static SizePolynomial of(int variable) {
    SizePolynomial made;
    made.add({variable}, 1);
    return made;
  }

  const std::map<Product, WideNumber> &terms() const { return terms_; }
  bool isConstant() const {
    return terms_.empty() ||
           (terms_.size() == 1 && terms_.begin()->first.empty());
  }
  WideNumber constant() const;
  bool has(int variable) const;
  bool operator==(const SizePolynomial &o) const { return terms_ == o.terms_; }

  void add(const Product &product, WideNumber factor);
  SizePolynomial operator+(const SizePolynomial &o) const;
  SizePolynomial operator-(const SizePolynomial &o) const;
  SizePolynomial operator*(const SizePolynomial &o) const;

  /// Returns the polynomial with another one in place of a variable.
  SizePolynomial with(int variable, const SizePolynomial &by) const;
  /// Returns the factor of a variable, which may have other variables, or
  /// nothing if its square is there.
  std::optional<SizePolynomial> factorOf(int variable) const;

  /// More products than this make a polynomial unknown.
  static constexpr size_t kMostProducts = 200;
  bool isTooLong() const { return terms_.size() > kMostProducts; }

 private:
  std::map<Product, WideNumber> terms_;
};

}  // namespace indexical::kernels

#endif  // INDEXICAL_PROGRAM_KERNEL_SIZE_POLYNOMIAL_H
