// Bounds of expressions from the bounds of their variables, by interval
// arithmetic: sound, not tight (x - x is not seen to be 0; the simplifier's
// forms are tighter).
//
//   d0 in [0, 9], d1 in [0, 3]:  bounds of d0 * 4 + d1 floordiv 2 are [0, 37]
#ifndef INDEXICAL_INDEXING_BOUNDS_H
#define INDEXICAL_INDEXING_BOUNDS_H

#include <algorithm>
#include <vector>

#include "absl/status/status.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/indexing/expression.h"
#include "indexical/indexing/fold.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/interval.h"

namespace indexical {

/// Bounds of an atom from the bounds of its operands.
struct IntervalArithmetic {
  static Interval digit(const Interval &parent, int64_t stride,
                        int64_t modulus) {
    const Interval bounds = parent.floorDiv(stride);
    return modulus ? bounds.mod(modulus) : bounds;
  }
  static Interval product(const Interval &a, const Interval &b) {
    return a * b;
  }
  /// Returns the bounds of a floordiv b, or all integers if b can be zero.
  static Interval quotient(const Interval &a, const Interval &b) {
    return b.contains(0) ? Interval::all() : a.floorDiv(b);
  }
  /// Returns the bounds of a mod b. Requires a positive b.
  static Interval remainder(const Interval &, const Interval &b) {
    return {0, b.hasUpper() ? b.upper - 1 : Interval::kInfinity};
  }
  static Interval positivePart(const Interval &a) {
    if (a.isEmpty()) return a;
    return {std::max<int64_t>(a.lower, 0), std::max<int64_t>(a.upper, 0)};
  }
};

/// Bounds of a sum with positive parts from the bounds of its atoms. A part is
/// 0 or its parent, and both cases are asked: `d0 - max(d0 - 5, 0)`, which is
/// min(d0, 5), is in [0, 5] for d0 in [0, 9], though the bounds of its terms
/// alone say [-4, 9]. A clamp of a sum has its very bounds. `ofAtom` must know
/// all atoms inside. Where arithmetic leaves 64 bits, the bounds are wider.
Interval boundsWithParts(const ExpressionTable &table,
                         llvm::ArrayRef<Term> terms, int64_t constant,
                         llvm::function_ref<Interval(AtomId)> ofAtom);

/// Returns whether one of the terms is a positive part.
inline bool hasPart(const ExpressionTable &table, llvm::ArrayRef<Term> terms) {
  for (const Term &term : terms)
    if (table.atom(term.atom).kind == AtomKind::PositivePart) return true;
  return false;
}

/// Intervals as a domain of fold.h.
class IntervalDomain {
 public:
  using Value = Interval;
  using Sum = ValuedSum<Interval>;

  explicit IntervalDomain(llvm::function_ref<Interval(VariableId)> variable)
      : variable_(variable) {}

  Interval variable(VariableId id) { return variable_(id); }
  Interval sum(const Sum &form);
  Interval digit(const Sum &parent, int64_t stride, int64_t modulus);
  Interval product(const Sum &a, const Sum &b);
  Interval quotient(const Sum &a, const Sum &b);
  Interval remainder(const Sum &a, const Sum &b);
  Interval positivePart(const Sum &a);

  /// Returns an error if a part, over finite bounds, can leave 64 bits, or if a
  /// divisor can be zero or a modulus not positive.
  const absl::Status &status() const { return status_; }

 private:
  Interval wide(const Sum &form);
  Interval withParts(const Sum &form, const Interval &sum) const;
  Interval checked(const Sum &a, const Interval &x, const Interval &y,
                   const Interval &found);

  llvm::function_ref<Interval(VariableId)> variable_;
  absl::Status status_;
};

class FormBounds {
 public:
  FormBounds(const ExpressionTable &table,
             llvm::function_ref<Interval(VariableId)> variable)
      : fold_(table, IntervalDomain(variable)) {}

  Interval operator()(FormId form) { return fold_(form); }

  /// Returns an error if the form, over finite bounds, can leave 64 bits, or if
  /// a divisor inside it can be zero or a modulus not positive.
  absl::Status check(FormId form) {
    fold_(form);
    return fold_.domain().status();
  }

 private:
  Fold<IntervalDomain> fold_;
};

/// Returns intervals that contain the map's results (not its members) wherever
/// the map holds: resultBounds() if these are known, else the bounds that
/// follow from those of the variables.
llvm::SmallVector<Interval, 4> boundsOfResults(const IndexingMap &map);

/// Returns whether the map is known to keep the result inside (resultBounds()),
/// so that no constraint has to ask for it. A result that is one variable is
/// never known to be inside: the constraint can tighten the variable's bounds.
bool isKnownInside(const IndexingMap &map, size_t result,
                   const Interval &bounds);

/// Returns whether `second` does not restrict the results of `first`: `second`
/// has no constraints, and the results are known or shown by bounds to be
/// inside its dimensions. Requires as many results as dimensions.
bool asksForNothing(const IndexingMap &second, const IndexingMap &first);

}  // namespace indexical

#endif  // INDEXICAL_INDEXING_BOUNDS_H
