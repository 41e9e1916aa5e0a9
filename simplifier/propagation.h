// Propagates constraints to the sums, digits and variables in them.
//
//   d0 in [0, 99],
//   (d0 floordiv 10) * 9 + d0 mod 10 in [18, 45], d0 mod 10 in [0, 8]
//     -> d0 floordiv 10 in [2, 5], d0 in [20, 58]
//
// Every atom and every sum has an interval. The intervals of a sum and of its
// terms tighten each other. A digit tightens its parent, whose ends move to the
// next values that have such a digit. Digits of one parent tighten each other.
//
// Each rule is a row: its name, an example, what is found, the way that it
// goes, and its function. A rule only narrows intervals of atoms and sums, each
// to its meet with another one: no row undoes what another row did. Finite
// intervals so end. Others may converge without an end, and wide ones converge
// slowly: the number of rounds has a limit.
//
// Laws (tests/simplifier/domain_test.cc, by enumeration): at each point where
// all constraints hold, every atom and sum is in its interval. The statement of
// a row about its example is found with the row, and not without it.
#ifndef INDEXICAL_SIMPLIFIER_PROPAGATION_H
#define INDEXICAL_SIMPLIFIER_PROPAGATION_H

#include <cstdint>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/expression.h"
#include "indexical/indexing/interval.h"
#include "indexical/simplifier/canonical_form.h"

namespace indexical {

class Propagation {
 public:
  /// The box may change between a run and the next restart().
  Propagation(ExpressionPool &pool, const VariableBounds &box)
      : pool_(pool), box_(box) {}

  struct Rule;
  /// Returns all rules, in the order in which they are tried.
  static llvm::ArrayRef<Rule> rules();

  /// The number of a constraint: they are counted as they are added.
  using Number = uint32_t;
  /// Adds the constraint that `form` is in `bounds`, and returns its number: 0
  /// for the first one, 1 for the next.
  Number add(FormId form, Interval bounds);
  /// Replaces the bounds of a constraint.
  void setBounds(Number constraint, Interval bounds);
  /// Returns the bounds of a constraint's form that were found so far.
  Interval bounds(Number constraint) const;

  /// Propagates until nothing changes, for `mostRounds` rounds at most. Returns
  /// true if it reached a fixed point: another round would find nothing.
  bool run(int mostRounds) { return run(mostRounds, rules()); }
  bool run(int mostRounds, llvm::ArrayRef<Rule> rules);
  /// Forgets the bounds that were found, and keeps the constraints. Must be
  /// called before the first run.
  void restart();
  /// Returns whether the constraints are known to have no common point.
  bool isEmpty() const { return empty_; }

  void forVariables(llvm::function_ref<void(VariableId, Interval)> visit) const;
  /// Visits the sums and digits whose bounds are tighter than the variables'
  /// bounds alone make them.
  void forTightened(llvm::function_ref<void(FormId, Interval)> visit);

 private:
  /// factor * sum + constant, for a sum of terms without a common factor, of
  /// which the first is positive.
  struct Scaled {
    uint32_t sum = 0;
    int64_t factor = 1, constant = 0;
    bool operator==(const Scaled &o) const {
      return sum == o.sum && factor == o.factor && constant == o.constant;
    }
  };
  static constexpr uint32_t kNone = UINT32_MAX;
  struct AtomNode {
    Atom atom;
    AtomId id;
    Scaled a, b;
    Interval range, natural;
    uint32_t nextDigit = kNone;  // of the same sum
  };
  struct NodeTerm {
    uint32_t atom;
    int64_t coefficient;
  };
  struct SumNode {
    FormId form;
    uint32_t first, count;  // of its terms
    Interval given, range, natural;
    uint32_t firstDigit = kNone;
  };

  Scaled scaled(FormId form);
  uint32_t atomNode(AtomId id);
  llvm::ArrayRef<NodeTerm> termsOf(const SumNode &sum) const {
    return llvm::ArrayRef<NodeTerm>(nodeTerms_).slice(sum.first, sum.count);
  }
  Interval rangeOf(const Scaled &form) const;
  Interval digitBounds(const AtomNode &digit) const;
  void meet(Interval &range, Interval bounds);
  void findNatural();
  void meetProducts(SumNode &sum);
  void meetTerms(SumNode &sum);
  void meetDigits(SumNode &sum);
  void meetDigitsOfOne(SumNode &sum);
  void meetOthers(SumNode &sum);
  void meetParts(SumNode &sum);

  ExpressionPool &pool_;
  const VariableBounds &box_;
  /// Sorted so that each comes after all of its parts.
  llvm::SmallVector<AtomNode, 8> atoms_;
  llvm::SmallVector<SumNode, 8> sums_;
  llvm::SmallVector<NodeTerm, 16> nodeTerms_;
  llvm::SmallVector<Scaled, 4> constraints_;
  llvm::SmallDenseMap<AtomId, uint32_t, 16> atomNodes_;
  llvm::SmallDenseMap<FormId, uint32_t, 16> sumNodes_;
  bool empty_ = false;
  bool changed_ = false;
};

struct Propagation::Rule {
  const char *name;
  /// A constraint, the bounds of d0, d1, … that it is on, and what is found.
  const char *example, *on, *becomes;
  /// From the terms of each sum to the sum, from it to its terms, or both.
  enum class Way : uint8_t { Outward, Inward, Both } way;
  void (Propagation::*what)(SumNode &sum);
};

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_PROPAGATION_H
