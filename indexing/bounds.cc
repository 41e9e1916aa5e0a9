#include "indexical/indexing/bounds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include "indexical/indexing/arithmetic.h"

namespace indexical {
namespace {

absl::Status leaves64Bits() {
  return absl::OutOfRangeError(
      "the expression can leave the range of 64-bit integers on its domain");
}

}  // namespace

Interval IntervalDomain::sum(const Sum &form) {
  Interval sum = Interval::point(form.constant());
  for (size_t i = 0; i < form.size(); ++i)
    if (!sum.addFinite(form.value(i), form.coefficient(i))) return wide(form);
  return withParts(form, sum);
}

/// The bounds of a sum, of which those of its terms alone are known.
Interval IntervalDomain::withParts(const Sum &form, const Interval &sum) const {
  const ExpressionTable &table = form.table();
  const llvm::ArrayRef<Term> terms = table.terms(form.form());
  if (sum.isEmpty() || !hasPart(table, terms)) return sum;
  return sum.intersect(
      boundsWithParts(table, terms, form.constant(),
                      [&](AtomId id) { return form.valueOf(id); }));
}

/// The bounds of a sum that is not finite, or that leaves 64 bits at the end or
/// in between.
Interval IntervalDomain::wide(const Sum &form) {
  WideSum low(form.constant()), high(form.constant());
  bool hasLow = true, hasHigh = true, isFinite = true;
  for (size_t i = 0; i < form.size(); ++i) {
    const Interval &bounds = form.value(i);
    const int64_t coefficient = form.coefficient(i);
    if (bounds.isEmpty()) return bounds;
    const bool isPositive = coefficient > 0;
    low.add(isPositive ? bounds.lower : bounds.upper, coefficient);
    high.add(isPositive ? bounds.upper : bounds.lower, coefficient);
    hasLow &= isPositive ? bounds.hasLower() : bounds.hasUpper();
    hasHigh &= isPositive ? bounds.hasUpper() : bounds.hasLower();
    isFinite &= bounds.isFinite();
  }
  const Interval sum =
      withParts(form, {hasLow ? low.saturated() : Interval::kMinusInfinity,
                       hasHigh ? high.saturated() : Interval::kInfinity});
  if (isFinite && !sum.isFinite()) status_.Update(leaves64Bits());
  return sum;
}

Interval IntervalDomain::digit(const Sum &parent, int64_t stride,
                               int64_t modulus) {
  return IntervalArithmetic::digit(sum(parent), stride, modulus);
}

/// `found`, and an error if that is not finite though x and y are.
Interval IntervalDomain::checked(const Sum &a, const Interval &x,
                                 const Interval &y, const Interval &found) {
  // The greatest number, divided, would be taken for an open side.
  const bool isFinite = (x.isFinite() || a.isConstant()) && y.isFinite();
  if (isFinite && !found.isFinite() && status_.ok()) status_ = leaves64Bits();
  return found;
}

Interval IntervalDomain::product(const Sum &a, const Sum &b) {
  const Interval x = sum(a), y = sum(b);
  return checked(a, x, y, IntervalArithmetic::product(x, y));
}

Interval IntervalDomain::quotient(const Sum &a, const Sum &b) {
  const Interval x = sum(a), y = sum(b);
  if (!y.contains(0))
    return checked(a, x, y, IntervalArithmetic::quotient(x, y));
  status_.Update(
      absl::InvalidArgumentError("the divisor can be zero on the domain"));
  return Interval::all();
}

Interval IntervalDomain::remainder(const Sum &a, const Sum &b) {
  const Interval x = sum(a), y = sum(b);
  if (y.contains(0) || y.lower < 1) {
    status_.Update(absl::InvalidArgumentError(
        "the divisor of `mod` must be positive on the whole domain"));
    return Interval::all();
  }
  return checked(a, x, y, IntervalArithmetic::remainder(x, y));
}

Interval IntervalDomain::positivePart(const Sum &a) {
  return IntervalArithmetic::positivePart(sum(a));
}

llvm::SmallVector<Interval, 4> boundsOfResults(const IndexingMap &map) {
  if (!map.resultBounds().empty())
    return llvm::SmallVector<Interval, 4>(map.resultBounds());
  auto boundsOf = [&](VariableId id) { return map.variable(id).bounds; };
  FormBounds bounds(map.expressions(), boundsOf);
  llvm::SmallVector<Interval, 4> results;
  for (FormId form : map.results()) results.push_back(bounds(form));
  return results;
}

bool isKnownInside(const IndexingMap &map, size_t result,
                   const Interval &bounds) {
  const ExpressionTable &table = map.expressions();
  const FormId form = map.results()[result];
  auto isOneVariable = [&] {
    return table.terms(form).size() == 1 && table.isSumOfVariables(form);
  };
  return !map.resultBounds().empty() &&
         bounds.contains(map.resultBounds()[result]) && !isOneVariable();
}

bool asksForNothing(const IndexingMap &second, const IndexingMap &first) {
  if (!second.constraints().empty()) return false;
  auto boundsOf = [&](VariableId id) { return first.variable(id).bounds; };
  FormBounds bounds(first.expressions(), boundsOf);
  return llvm::all_of(llvm::seq<size_t>(0, first.results().size()),
                      [&](size_t i) {
                        const Interval &side = second.dimensions()[i].bounds;
                        return isKnownInside(first, i, side) ||
                               side.contains(bounds(first.results()[i]));
                      });
}

}  // namespace indexical
