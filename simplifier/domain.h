// Domains: bounds of variables and constraints, each tightened by the others.
//
//   d0 in [0, 9], s0 in [0, 9], d0 + s0 in [12, 18]
//     -> d0 in [3, 9], s0 in [3, 9], d0 + s0 in [12, 18]
//   d0 in [0, 5], d0 * 8 + d1 in [0, 1], d1 in [0, 7]
//     -> d0 in [0, 0], d1 in [0, 1], and no constraint
//   (d0 - 3) mod 4 in [0, 0], d0 mod 6 in [1, 1]
//     -> d0 mod 12 in [7, 7]
//   d2 in [0, 2], d0 * 30 + d1 * 3 + d2 in [36, 140]
//     -> d0 * 10 + d1 in [12, 46], for no value of d2 makes a difference
//
// The bounds of clamped runtime variables are their clamp interval and stay.
//
// Law (tests/simplifier/domain_test.cc, by enumeration): the points are the
// same before and after.
#ifndef INDEXICAL_SIMPLIFIER_DOMAIN_H
#define INDEXICAL_SIMPLIFIER_DOMAIN_H

#include <optional>
#include <utility>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/bounds.h"
#include "indexical/indexing/expression.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/simplifier/canonical_form.h"
#include "indexical/simplifier/propagation.h"

namespace indexical {

class Domain {
 public:
  /// `isFixed` tells the variables whose bounds must stay.
  Domain(ExpressionPool &pool, VariableBounds box,
         llvm::function_ref<bool(VariableId)> isFixed)
      : pool_(pool), box_(std::move(box)), isFixed_(isFixed) {}

  const VariableBounds &box() const { return box_; }
  /// What remains beside the box: no constant, coefficients without a common
  /// factor, the first one positive; in structural order. A form whose bounds
  /// would leave 64 bits without its constant is as it was given.
  llvm::ArrayRef<Constraint> constraints() const { return constraints_; }
  /// Whether it is seen that no point is left.
  bool isEmpty() const { return empty_; }
  /// Whether a constraint has a form that was made here, and so may not be
  /// canonical.
  bool hasNewForms() const { return newForms_; }
  /// Whether a form was turned over, and so may have a better one.
  bool hasTurnedForms() const { return turnedForms_; }
  /// Whether propagation ended by itself: from the bounds as they are now it
  /// would find nothing. Else some crept, and were given up.
  bool isSettled() const { return settled_; }

  /// lower <= form <= upper, for a canonical form.
  void add(FormId form, Interval bounds);
  /// Lets constraints and bounds tighten each other until nothing changes.
  void propagate();
  /// The same constraints on another box.
  void restart(VariableBounds box);
  /// In structural order.
  void sort();
  /// Drops what the box implies, and terms whose values make no difference, and
  /// sorts the rest, the ends of its bounds at values that can be, if that was
  /// found. It may be seen then that no point is left.
  void finish();
  /// Drops what other constraints imply; what names no runtime variable, where
  /// others do that name none.
  void dropImplied();

 private:
  bool mergeResidue(FormId &form, Interval &bounds);
  void merge(FormId form, Interval bounds);
  Propagation &known();
  bool tightenBox();
  void tightenConstraints();
  std::optional<Constraint> withoutLowTerms(const Constraint &c,
                                            FormBounds &current);
  void dropLowTerms();
  bool isImplied(uint32_t i);
  bool namesRuntime(FormId form) const;

  ExpressionPool &pool_;
  VariableBounds box_;
  llvm::function_ref<bool(VariableId)> isFixed_;
  llvm::SmallVector<Constraint, 4> constraints_;
  std::optional<Propagation> known_;  // of the constraints as they are
  bool empty_ = false;
  bool newForms_ = false;
  bool turnedForms_ = false;
  bool settled_ = true;
};

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_DOMAIN_H
