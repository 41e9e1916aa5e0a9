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

Interval FormBounds::operator()(FormId form) {
  Interval sum = Interval::point(table_.constant(form));
  if (llvm::all_of(table_.terms(form), [&](const Term &term) {
        return sum.addFinite(atom(term.atom), term.coefficient);
      }))
    return sum;
  return wide(form);
}

/// Where the sum is not finite, or leaves 64 bits, be it on the way alone.
Interval FormBounds::wide(FormId form) {
  WideSum low(table_.constant(form)), high(table_.constant(form));
  bool hasLow = true, hasHigh = true, isFinite = true;
  for (const Term &term : table_.terms(form)) {
    const Interval bounds = atom(term.atom);
    if (bounds.isEmpty()) return bounds;
    const bool isPositive = term.coefficient > 0;
    low.add(isPositive ? bounds.lower : bounds.upper, term.coefficient);
    high.add(isPositive ? bounds.upper : bounds.lower, term.coefficient);
    hasLow &= isPositive ? bounds.hasLower() : bounds.hasUpper();
    hasHigh &= isPositive ? bounds.hasUpper() : bounds.hasLower();
    isFinite &= bounds.isFinite();
  }
  const Interval sum{hasLow ? low.saturated() : Interval::kMinusInfinity,
                     hasHigh ? high.saturated() : Interval::kInfinity};
  if (isFinite && !sum.isFinite()) status_.Update(leaves64Bits());
  return sum;
}

Interval FormBounds::atom(AtomId id) {
  if (atoms_.size() <= id) atoms_.resize(table_.atomCount());
  if (atoms_[id].known) return atoms_[id].bounds;
  const Atom &atom = table_.atom(id);
  Interval bounds;
  if (atom.kind == AtomKind::Variable) {
    bounds = variable_(atom.variable());
  } else if (atom.kind == AtomKind::Digit) {
    bounds = (*this)(atom.a).floorDiv(atom.stride);
    if (atom.modulus) bounds = bounds.mod(atom.modulus);
  } else {
    Interval a = (*this)(atom.a), b = (*this)(atom.b);
    // The greatest number, divided, would be taken for an open side.
    const bool isFinite =
        (a.isFinite() || table_.isConstant(atom.a)) && b.isFinite();
    if (atom.kind == AtomKind::Product) {
      bounds = a * b;
    } else if (b.contains(0) ||
               (atom.kind == AtomKind::Remainder && b.lower < 1)) {
      status_.Update(absl::InvalidArgumentError(
          atom.kind == AtomKind::Quotient
              ? "the divisor can be zero on the domain"
              : "the divisor of `mod` must be positive on the whole domain"));
      bounds = Interval::all();
    } else if (atom.kind == AtomKind::Quotient) {
      bounds = a.floorDiv(b);
    } else {
      bounds = {0, b.hasUpper() ? b.upper - 1 : Interval::kInfinity};
    }
    if (isFinite && !bounds.isFinite() && status_.ok())
      status_ = leaves64Bits();
  }
  atoms_[id] = {bounds, true};
  return bounds;
}

absl::Status FormBounds::check(FormId form) {
  (*this)(form);
  return status_;
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
