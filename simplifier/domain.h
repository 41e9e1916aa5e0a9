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

struct ConstraintRule;

class Domain {
 public:
  /// `isFixed` says which variables must keep their bounds.
  Domain(ExpressionPool &pool, VariableBounds box,
         llvm::function_ref<bool(VariableId)> isFixed)
      : pool_(pool), box_(std::move(box)), isFixed_(isFixed) {}

  const VariableBounds &box() const { return box_; }
  /// Returns the constraints that remain beside the box. Their forms have no
  /// constant, coefficients without a common factor, and a positive first
  /// coefficient. A form whose bounds would leave 64 bits without its constant
  /// stays as it was given.
  llvm::ArrayRef<Constraint> constraints() const { return constraints_; }
  /// Returns whether the domain is known to have no point.
  bool isEmpty() const { return empty_; }
  /// Returns whether a constraint has a form that was made here, and so may not
  /// be canonical.
  bool hasNewForms() const { return newForms_; }
  /// Returns whether a form was negated, and so may have a better canonical
  /// form.
  bool hasTurnedForms() const { return turnedForms_; }
  /// Returns whether the last propagation reached a fixed point. If not, some
  /// bounds converged too slowly, and their propagation was given up.
  bool isSettled() const { return settled_; }

  /// Adds lower <= form <= upper, for a canonical form.
  void add(FormId form, Interval bounds);
  /// Lets constraints and bounds tighten each other until nothing changes.
  void propagate();
  /// Replaces the box, and keeps the constraints.
  void restart(VariableBounds box);
  /// Sorts the constraints in structural order.
  void sort();
  /// Drops constraints that the box implies, and terms whose values make no
  /// difference, and sorts the rest. After a propagation that reached a fixed
  /// point, it first moves the ends of constraints to values that occur. This
  /// can show that the domain has no point.
  void finish();
  /// Drops constraints that other constraints imply. A constraint without
  /// runtime variables is dropped only if others without runtime variables
  /// imply it.
  void dropImplied();

 private:
  std::optional<Constraint> afterRule(const Constraint &c);
  std::optional<Constraint> afterPairRule(const Constraint &c);
  void merge(FormId form, Interval bounds);
  Propagation &known();
  bool tightenBox();
  void tightenConstraints();
  void applyAtEnd(const ConstraintRule &rule);
  bool isImplied(uint32_t i);
  bool isImpliedBySizes(llvm::ArrayRef<Constraint> others,
                        const Constraint &own) const;
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
