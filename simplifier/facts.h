// Known facts of forms: bounds, residues, digits of one value.
//
//   d0 in [0, 9], d1 in [0, 3], d0 + d1 in [0, 10], d0 mod 6 in [1, 1]
//     bounds of d0 * 4 + d1         [0, 39], by the bounds of the variables
//     bounds of 1 - d0 * 2 - d1 * 2 [-19, 1], by the constraint
//     residue of d0 * 2 + 3         5 mod 12
//     d0 * 4 + d1 in steps of 4     cannot carry: it stays in the step of d0
//
// The rest of simplifier/ asks for known facts here and nowhere else. Answers
// are remembered. Facts that are added after a query do not change the query's
// result.
//
// Law (tests/simplifier/canonical_form_test.cc, by enumeration): at every point
// of the box where the facts hold, each form is in its bounds and has its
// residue.
#ifndef INDEXICAL_SIMPLIFIER_FACTS_H
#define INDEXICAL_SIMPLIFIER_FACTS_H

#include <cstdint>
#include <optional>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/expression.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/interval.h"
#include "indexical/simplifier/memo.h"
#include "indexical/simplifier/variable_bounds.h"

namespace indexical {

/// All values of a form are remainder mod modulus. Modulus 0: the form has one
/// value; modulus 1: nothing is known.
struct Residue {
  int64_t modulus = 1, remainder = 0;
};

/// The known facts about the expressions of a pool. Not the layouts::Facts,
/// which are properties of a layout.
class Facts {
 public:
  /// `box` must not change until the next restart().
  Facts(ExpressionPool &pool, const VariableBounds &box)
      : pool_(pool), box_(&box) {}
  /// Begins anew on another box: forgets all it knew, keeps the memory.
  void restart(const VariableBounds &box);
  const VariableBounds &box() const { return *box_; }

  /// Adds the fact that `form` (canonical, without a constant) is in `bounds`.
  /// Facts have to be added before the forms that may use them are made.
  void add(FormId form, Interval bounds);
  /// Returns whether no fact was added. The bounds of the box are not facts.
  bool areNone() const { return facts_.empty(); }
  /// Returns the facts that were added, without the bounds of the box, in any
  /// order.
  llvm::SmallVector<Constraint, 8> all() const;
  /// Returns whether one of the facts can make different sums equal: it has
  /// digits, or it leaves one of its variables a single value for each choice
  /// of the others.
  bool areEquations() const;

  Interval bounds(FormId form) {
    const Interval &known = forms_[form].bounds;
    return known.isEmpty() ? findBounds(form) : known;
  }
  Interval ofAtom(AtomId id) {
    const Interval &known = atoms_[id].bounds;
    return known.isEmpty() ? findAtom(id) : known;
  }
  Interval ofSum(llvm::ArrayRef<Term> terms, int64_t constant);
  /// Like ofSum(), by the bounds of each term alone.
  Interval ofTerms(llvm::ArrayRef<Term> terms, int64_t constant);
  /// Returns the k with k * g <= sum < (k + 1) * g at every point, if there is
  /// one: the sum then cannot carry in steps of g.
  std::optional<int64_t> stepOf(llvm::ArrayRef<Term> terms, int64_t constant,
                                int64_t g) {
    const Interval step = ofSum(terms, constant).floorDiv(g);
    if (!step.isPoint()) return std::nullopt;
    return step.lower;
  }

  Residue residue(FormId form);
  bool haveResidues() const { return !residues_.empty(); }

  /// Returns the digits that have one value, except the lowest digits of
  /// parents.
  llvm::ArrayRef<AtomId> knownDigits() const { return knownDigits_; }
  int64_t valueOfKnown(AtomId digit);

 private:
  Interval findBounds(FormId form);
  Interval findAtom(AtomId id);
  Interval byFacts(FormId form, Interval bounds);
  Interval byParts(llvm::ArrayRef<Term> terms, int64_t constant);
  Residue atomResidue(AtomId id);
  Residue residueByTurns(llvm::ArrayRef<Term> terms, int64_t constant);

  ExpressionPool &pool_;
  const VariableBounds *box_;
  struct FoundBounds {
    Interval bounds = Interval::none();  // empty: not yet
  };
  Memo<FoundBounds> forms_, atoms_;
  llvm::DenseMap<FormId, Interval> facts_;
  uint64_t sizes_ = 0;  // a bit for each number of terms, from 63 on one
  llvm::SmallVector<Constraint, 4> sums_;  // facts of sums, in structural order
  llvm::DenseMap<FormId, Residue> residues_;
  llvm::SmallVector<AtomId, 2> knownDigits_;
};

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_FACTS_H
