// The canonical form of expressions on a box.
//
// An algebra (indexing/expression.h) that simplifies as it builds: every form
// that it returns is canonical for the bounds of the variables. For maps made
// of reshapes (and of bitcasts and transposes whose cuts align) equal
// expressions get equal forms, so that two reshapes that cancel are the
// identity. On d0 in [0, 3], d1 in [0, 7]:
//
//   (d0 * 8 + d1) floordiv 8                  -> d0
//   ((d0 * 8 + d1) floordiv 4) mod 2          -> d1 floordiv 4
//   (d1 floordiv 4) * 4 + d1 mod 4            -> d1
//   (d0 floordiv 2) * 3 + ((d0 mod 2) * 3 + d1) floordiv 2
//                                             -> (d0 * 3 + d1) floordiv 2
//
// docs/internals/normal_form.md states what holds for a form when it is done. A
// form is made in these steps:
//  1. A digit of a digit stays with the first parent. A digit of a sum gets its
//     form by the first rule that applies.                        (rules.h)
//  2. Two digits of one index may so stand on two parents. They are joined,
//     where a common parent can be found, in sums and under divisions.
//                                                                  (join.h)
//  3. A sum gathers the digits of each parent into floors, where all that
//     telescopes cancels, and goes back to digits.               (gather.h)
//  4. Equal sums differ in how digits are cut: a search takes the best
//     neighbour, tightest interval first, until none is better. (search.h)
//  5. A positive part gets its form by rules of its own, and sums have as few
//     parts as they can.                                       (part_rules.h)
//  6. Known facts of forms are asked for in one place (facts.h). A proposal
//     that a few points refute is not tried (points.h).
//  7. Everything is memoised; a count of steps, not a clock, bounds the work.
//
// Laws (tests/simplifier/canonical_form_test.cc, by enumeration): each
// operation's form has the value of the operation at every point of the box;
// simplifying a form again returns it.
#ifndef INDEXICAL_SIMPLIFIER_CANONICAL_FORM_H
#define INDEXICAL_SIMPLIFIER_CANONICAL_FORM_H

#include <cstdint>
#include <optional>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/expression.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/interval.h"
#include "indexical/simplifier/attempt.h"
#include "indexical/simplifier/explanation.h"
#include "indexical/simplifier/facts.h"
#include "indexical/simplifier/gather.h"
#include "indexical/simplifier/join.h"
#include "indexical/simplifier/measures.h"
#include "indexical/simplifier/memo.h"
#include "indexical/simplifier/points.h"
#include "indexical/simplifier/rules.h"
#include "indexical/simplifier/search.h"
#include "indexical/simplifier/variable_bounds.h"

namespace indexical {

/// The forms that were found, of sums and of digits.
struct FormMemos {
  static constexpr FormId kNotYet = UINT32_MAX;
  struct FoundSum {
    FormId canonical = kNotYet;
    bool isSearched = false;  // and no neighbour was better
  };
  struct FoundDigit {
    FormId canonical = kNotYet;
  };
  Memo<FoundSum> sums;
  Memo<FoundDigit> digits;  // and positive parts
};

class CanonicalForms : public ExpressionAlgebra {
 public:
  /// `box` must not change during its life; forms are made in `pool`.
  CanonicalForms(ExpressionPool &pool, const VariableBounds &box);
  /// Begins anew on another box: forgets all it knew, keeps the memory.
  void restart(const VariableBounds &box);

  FormId variable(VariableId id) override;
  FormId linear(llvm::ArrayRef<ScaledForm> parts, int64_t constant) override;
  FormId digit(FormId form, int64_t stride, int64_t modulus) override;
  FormId product(FormId a, FormId b) override;
  FormId quotient(FormId a, FormId b) override;
  FormId remainder(FormId a, FormId b) override;
  FormId positivePart(FormId form) override;
  /// A digit of a digit of a sum of variables is made at once, without the form
  /// of the inner digit, which would show nothing more. In any other form, the
  /// terms that the inner digit drops can simplify the rest.
  bool wantsDigitsFlat(FormId form) const override {
    return measures.isPlain(form);
  }

  ExpressionPool &pool() { return pool_; }
  Interval bounds(FormId form) { return facts.bounds(form); }

  /// Marks the form, and all of its parts, as canonical.
  void assumeCanonical(FormId form);
  /// Returns the digit as its own canonical form: no rule applies to it.
  FormId itself(const Cut &cut);
  /// Returns the canonical form of some terms of `form`, divided by a common
  /// factor.
  FormId partOf(FormId form, llvm::MutableArrayRef<Term> terms,
                int64_t constant);
  /// Marks the form as one that the search cannot improve.
  void markSearched(FormId form) { memos_.sums[form].isSearched = true; }

  /// Whether variables that have one value are written as that value.
  bool foldPoints = true;
  /// Records the rewrites that are made; null if they are not recorded.
  Recorder *recorder = nullptr;
  /// Divisions resolved so far: the measure of the work.
  int64_t steps = 0;

  // Its parts.
  Facts facts;
  Measures measures;
  Points points;
  Gathering gathering;
  Joins joins;
  DigitsByRules rules;
  Search search;

 private:
  std::optional<FormId> digitOfDigit(FormId form, int64_t stride,
                                     int64_t modulus);
  FormId digitOfParent(const Cut &cut);

  ExpressionPool &pool_;
  FormMemos memos_;
};

/// Returns the form with digits of known value added where they join a
/// neighbour and make the form shorter: (d0 floordiv 4) * 4 + d0 mod 2 is d0 if
/// (d0 floordiv 2) mod 2 is 0.
FormId withKnownDigits(CanonicalForms &forms, FormId form);

/// Returns whether the form, or the parent of one of its digits, can leave 64
/// bits though `before` cannot: an expression that could be computed must stay
/// one. So (d0 - 1) floordiv n must not become (d0 + n - 1) floordiv n - 1
/// then.
bool leaves64Bits(CanonicalForms &forms, FormId form, FormId before);

// These record a rewrite if there is a recorder (explanation.h).
void explainDigit(CanonicalForms &forms, const char *rule, const Cut &cut,
                  FormId form);
void explainForm(CanonicalForms &forms, const char *rule, FormId before,
                 FormId after);

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_CANONICAL_FORM_H
