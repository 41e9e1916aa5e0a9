// Bounds of polynomials of sizes and of the lanes of an access; private to
// wraps.cc.
//
//   r from 0 to R - 1, c from 0 to C - 1
//   atMost(r * C + c)        R * C - 1
//   firstPast(R * C - 1)     R = 46341, C = 46341: past 2^31 - 1
//
// Sizes without a value are from 1 to the greatest integer of the bits, or in a
// range that is taken for granted. Lanes
// are from 0 to a polynomial of sizes.
#ifndef INDEXICAL_PROGRAM_KERNEL_SIZE_BOUNDS_H
#define INDEXICAL_PROGRAM_KERNEL_SIZE_BOUNDS_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "indexical/program/kernel/size_conditions.h"
#include "indexical/program/kernel/size_polynomial.h"
#include "indexical/program/kernel/size_terms.h"
#include "indexical/program/kernel/wraps.h"

namespace indexical::kernels {

class SizeBounds {
 public:
  using Polynomial = SizePolynomial;

  /// The space must outlive the object.
  explicit SizeBounds(const WrapSpace &space);

  int64_t greatest() const { return greatest_; }
  int64_t least() const { return least_; }
  /// The sizes without a value: arguments in order, then those of the grid, and
  /// of conditions. Those that others say are not among them.
  const std::vector<std::string> &names() const { return names_; }
  bool isLane(int variable) const { return variables_[variable].isLane; }

  int sizeVariable(const SizeTerm &size);
  int laneVariable(Polynomial most);
  /// A size as a polynomial: products and sums are written out.
  Polynomial sizeOf(const SizeTerm &size);
  /// A polynomial of sizes as a size.
  SizeTerm termOf(const Polynomial &polynomial) const;
  /// Returns whether a polynomial is nowhere negative: in sizes less their
  /// least, and in lanes, no product has a negative factor; or this holds after
  /// products that conditions say to be positive are taken away.
  bool isNeverNegative(const Polynomial &polynomial);
  /// Returns the greatest value over the lanes, as a polynomial of sizes, or
  /// nothing if it is not known at which end each of them is.
  std::optional<Polynomial> atMost(Polynomial polynomial);
  std::optional<Polynomial> atLeast(const Polynomial &polynomial);
  bool isPositive(const Polynomial &value);
  bool isOfSizes(const Polynomial &value) const;
  Polynomial smaller(const Polynomial &a, const Polynomial &b);
  size_t lanesIn(const Polynomial &value) const;
  /// Returns whether a polynomial of sizes grows with each of them.
  bool isMonotone(const Polynomial &polynomial);
  /// Returns whether a value over all lanes is always within its bits.
  bool isNever(const Polynomial &value);
  bool isNeverAbove(const Polynomial &value) {
    return isNeverAbove(value, greatest_);
  }
  bool isNeverAbove(const Polynomial &value, WideNumber limit);
  bool isNeverBelow(const Polynomial &value);
  bool isBelow(const Polynomial &most, WideNumber limit) const;
  /// Returns the smallest sizes at which a polynomial passes the limit, or
  /// nothing if none are known. It must be monotone. Under conditions of several
  /// sizes a smaller one may be left out.
  std::optional<SizeValues> firstPast(const Polynomial &most, WideNumber limit);
  /// Returns the names that a polynomial has, and those that conditions tie to
  /// them.
  std::vector<std::string> namesIn(const Polynomial &polynomial) const;

 private:
  /// A variable of polynomials: a size, whose value is from 1 on, or a
  /// coordinate of a lane, from 0 to `most`.
  struct Variable {
    SizeTerm size;
    bool isLane = false;
    Polynomial most;  ///< of a lane's, of sizes alone
  };

  void addName(const std::string &name);
  void addGranted();
  bool isPlainlyPositive(const Polynomial &polynomial);
  bool isGranted(const Polynomial &polynomial, int depth);
  std::optional<SizeValues> firstThatMeets(const Polynomial &most,
                                           WideNumber limit);
  /// Puts in the sizes that others say.
  SizeValues complete(SizeValues values) const;
  /// A size less its least value: names are from 1 on, quotients may be 0.
  Polynomial fromLeast(const Polynomial &polynomial);
  /// cdiv(n, B) * B is at least n: puts n there, where that makes less.
  Polynomial withoutQuotients(Polynomial polynomial);
  /// All names, each as near to the size as its range lets it be.
  SizeValues all(int64_t size) const;
  int64_t within(const std::string &name, int64_t size) const;
  /// The value of a polynomial of sizes.
  std::optional<WideNumber> at(const Polynomial &polynomial,
                               const SizeValues &values) const;
  bool isGrowing(const SizeTerm &size) const;

  const WrapSpace &space_;
  const int64_t greatest_, least_;
  const SizeRanges ranges_;
  const SizeDefinitions definitions_;
  std::vector<std::string> names_;
  std::vector<std::string> said_;    ///< names of definitions, in order
  std::vector<Polynomial> granted_;  ///< that are nowhere negative
  std::vector<Variable> variables_;
  std::map<std::string, int> sizes_;
};

}  // namespace indexical::kernels

#endif  // INDEXICAL_PROGRAM_KERNEL_SIZE_BOUNDS_H
