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
// How:
//  1. A digit of a digit stays with the first parent. A parent that is a sum of
//     variables is made minimal, so that a digit looks the same wherever it
//     comes from: what cannot reach it goes out, what cannot carry drops out,
//     and what comes apart is two digits.   (index.cc, division.cc, window.cc)
//  2. Two digits of one index may so stand on two parents. They are joined,
//     where a common parent can be found, in sums and under divisions.
//                                                                   (join.cc)
//  3. A linear form gathers the digits of each parent into floors,
//     digit(P,s,n) = floor(P/s) - n*floor(P/(s*n)), where all that telescopes
//     cancels, and goes back to digits along the chain of divisors. (gather.cc)
//  4. Equal forms differ in how digits are cut: a search takes the best
//     neighbour, tightest interval first, until none is better.
//                                                       (search.cc, expand.cc)
//  5. What a few points show not to hold is not tried.             (sample.cc)
//  6. Everything is memoised; a count of steps, not a clock, bounds the work.
//
// Laws (tests/simplifier/canonical_form_test.cc, by enumeration): each
// operation's form has the value of the operation at every point of the box;
// simplifying a form again returns it.
#ifndef INDEXICAL_SIMPLIFIER_CANONICAL_FORM_H
#define INDEXICAL_SIMPLIFIER_CANONICAL_FORM_H

#include <array>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/expression.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/interval.h"
#include "indexical/simplifier/explanation.h"
#include "indexical/simplifier/variable_bounds.h"

namespace indexical {

class CanonicalForms : public ExpressionAlgebra {
 public:
  /// `box` must not change during its life; forms are made in `pool`.
  CanonicalForms(ExpressionPool &pool, const VariableBounds &box)
      : pool_(pool), box_(&box) {}
  /// Begins anew on another box: forgets all it knew, keeps the memory.
  void restart(const VariableBounds &box);

  FormId variable(VariableId id) override;
  FormId linear(llvm::ArrayRef<ScaledForm> parts, int64_t constant) override;
  FormId digit(FormId form, int64_t stride, int64_t modulus) override;
  FormId product(FormId a, FormId b) override;
  FormId quotient(FormId a, FormId b) override;
  FormId remainder(FormId a, FormId b) override;
  /// A digit of a digit of a sum of variables is made at once: the digit
  /// between them says nothing. In any other form, what that digit takes away
  /// can show what is left.
  bool wantsDigitsFlat(FormId form) const override { return isPlain(form); }

  /// Bounds of a form; also by the facts, where it is one of them.
  Interval bounds(FormId form);

  /// From here on `form` (canonical, without a constant) is known to be in
  /// `bounds`. To be told before the forms that may use it are made.
  void addFact(FormId form, Interval bounds);
  bool hasFacts() const { return !facts_.empty(); }

  /// What is known of all values of a form: they are remainder mod modulus.
  /// Modulus 0: the form has one value; modulus 1: nothing is known.
  struct Residue {
    int64_t modulus = 1, remainder = 0;
  };
  Residue residue(FormId form);

  /// (parent floordiv stride) mod modulus, or, modulus 0, without the mod.
  struct Cut {
    FormId parent;
    int64_t stride, modulus;
  };
  /// A digit as that; another atom is its own parent.
  Cut asCut(AtomId id) const;
  /// low + carry * high as one digit, where they are digits of one parent, one
  /// above the other. Requires low in [0, carry). By turns: also where the
  /// parents differ by whole turns of the low digit inside one coefficient.
  std::optional<Cut> joined(const Cut &low, int64_t carry, const Cut &high,
                            bool byTurns = false);

  /// The form with digits of it that facts say put back between others, where
  /// that is shorter: (d0 floordiv 4) * 4 + d0 mod 2 is d0 where
  /// (d0 floordiv 2) mod 2 is 0.
  FormId withKnownDigits(FormId form);

  /// Whether one digit of the form stands on the one above it, of one
  /// expression: d0 mod 2 and d0 floordiv 2.
  bool hasNeighbours(FormId form) const;

  /// What the form may be, as a few points of the domain have it: a constant,
  /// or a constant and a variable times its stride, added or taken away.
  llvm::SmallVector<FormId, 2> suggestions(
      FormId form, llvm::function_ref<int64_t(VariableId)> strideOf);

  /// Whether one of the facts can make two sums equal that are not: it has
  /// digits, or leaves a variable one value for each of the others'.
  bool hasEquations() const;
  /// Whether two forms have the same values at a few points of the domain.
  bool areAlike(FormId a, FormId b);

  /// Variables that may have one value on the domain, as a few points of it
  /// have it.
  llvm::SmallVector<Constraint, 2> suggestedPoints();
  /// Whether all points of the box were looked through, and none is in the
  /// domain.
  bool hasNoPoint() const { return hasAllPoints_ && pointCount_ == 0; }

  /// From here on the form and all that it is made of are taken to be
  /// canonical.
  void assumeCanonical(FormId form);

  /// Write variables that have one value as that value. Off: keep them.
  bool foldPoints = true;

  /// Takes down the rewrites that are made, if there is one.
  Recorder *recorder = nullptr;

  /// Whether the form has no digits.
  bool isPlain(FormId form) const;

  ExpressionPool &pool() { return pool_; }
  /// Divisions resolved so far: the measure of the work.
  int64_t steps() const { return steps_; }

 private:
  // canonical_form.cc
  FormId attempted(FormId form, llvm::function_ref<FormId()> make);
  bool leaves64Bits(FormId form, FormId before);
  FormId partOf(FormId form, llvm::MutableArrayRef<Term> terms,
                int64_t constant);

  // gather.cc
  FormId gather(FormId form);
  FormId gathered(llvm::ArrayRef<ScaledForm> parts, int64_t constant);
  FormId gatherOnce(FormId form);
  FormId divideExactly(FormId form);
  bool standsAlone(FormId form, FormId parent,
                   llvm::ArrayRef<AtomId> digits) const;
  bool gatherParent(FormId parent, llvm::ArrayRef<AtomId> digits,
                    llvm::SmallVectorImpl<Term> &terms,
                    llvm::SmallVectorImpl<ScaledForm> &parts,
                    int64_t period = 0);
  FormId withoutTurns(FormId form, int64_t period, bool merges);
  struct Siblings {
    FormId parent;
    llvm::SmallVector<AtomId, 4> digits;
  };
  llvm::SmallVector<Siblings, 4> siblings(llvm::ArrayRef<Term> terms) const;

  // division.cc
  std::optional<FormId> digitOfDigit(FormId, int64_t, int64_t);
  FormId digitOfParent(FormId parent, int64_t stride, int64_t modulus);
  std::optional<FormId> digitFromParts(FormId parent, int64_t stride,
                                       int64_t modulus);
  /// A rule gives the form of (parent floordiv stride) mod modulus, or, modulus
  /// 0, of the floor, where it applies.
  struct Rule {
    const char *name;  // in words
    std::optional<FormId> (CanonicalForms::*apply)(FormId parent,
                                                   int64_t stride,
                                                   int64_t modulus);
  };
  llvm::ArrayRef<Rule> rulesFor(FormId parent);
  void explainDigit(const char *rule, FormId parent, int64_t stride,
                    int64_t modulus, FormId form);
  void explainForm(const char *rule, FormId before, FormId after);
  std::optional<FormId> digitOfResidue(FormId, int64_t, int64_t);
  std::optional<FormId> digitByCommonFactor(FormId, int64_t, int64_t);
  std::optional<FormId> digitOfReflection(FormId, int64_t, int64_t);
  int64_t constantWithin(llvm::ArrayRef<Term> terms, int64_t constant,
                         int64_t period);
  std::optional<FormId> digitOfConstant(FormId, int64_t, int64_t);
  std::optional<FormId> digitOfRest(FormId, int64_t, int64_t);
  std::optional<FormId> digitOfReduced(FormId, int64_t, int64_t);
  std::optional<FormId> digitOfTwoValues(FormId, int64_t, int64_t);
  std::optional<FormId> digitOfNearest(FormId, int64_t, int64_t);
  std::optional<FormId> digitByRemainders(FormId, int64_t, int64_t);
  std::optional<FormId> digitWithoutMultiples(FormId, int64_t, int64_t);
  std::optional<FormId> digitWithoutRemainders(FormId, int64_t, int64_t);
  std::optional<FormId> digitResolved(FormId, int64_t, int64_t);
  /// How the terms of a sum stand one above the other.
  enum class Radix : uint8_t { Unknown, None, Sparse, Dense };
  Radix radixOf(FormId parent);
  bool isRadix(FormId parent) { return radixOf(parent) != Radix::None; }
  bool isDense(FormId parent) { return radixOf(parent) == Radix::Dense; }
  std::optional<FormId> resolve(FormId parent, int64_t divisor);
  /// The sum that a floor was found to be, as far as it is found.
  struct Resolved {
    llvm::SmallVector<Term, 8> terms;
    llvm::SmallVector<ScaledForm, 4> parts;
    int64_t constant = 0;
  };
  bool resolve(llvm::ArrayRef<Term> terms, int64_t constant, int64_t divisor,
               Resolved &found);
  bool resolveByWindow(llvm::ArrayRef<Term> rest, int64_t constant,
                       int64_t divisor, Resolved &found);
  bool resolveStraddling(llvm::ArrayRef<Term> rest, int64_t constant,
                         int64_t divisor, Resolved &found);

  // index.cc
  /// stride * atom, and one more than the most that it is with what is below.
  struct Side {
    AtomId atom;
    int64_t stride, end;
  };
  llvm::SmallVector<Side, 8> sidesOf(FormId form);
  std::optional<FormId> digitOfIndex(FormId, int64_t, int64_t);
  std::optional<FormId> digitOfShorter(llvm::ArrayRef<Side> sides,
                                       int64_t stride, int64_t modulus);

  // window.cc
  std::optional<FormId> digitByWindow(FormId, int64_t, int64_t);

  // join.cc
  int64_t reflect(Cut &cut);
  FormId withinTurn(FormId form, int64_t turn);
  bool staysInside(FormId form);
  bool mayJoin(const Cut &low, int64_t carry, const Cut &high);
  std::optional<Cut> joinedAll(FormId form);
  std::optional<FormId> digitOfJoined(FormId, int64_t, int64_t);

  // search.cc
  struct Score;
  Score score(FormId form);
  uint64_t weight(FormId form);
  uint64_t weightOf(AtomId id);
  bool better(const Score &a, const Score &b) const;
  FormId search(FormId form);
  void neighbours(FormId form, llvm::SmallVectorImpl<FormId> &found);
  void absorb(FormId form, llvm::SmallVectorImpl<FormId> &found);
  void complete(FormId form, llvm::SmallVectorImpl<FormId> &found);
  FormId united(AtomId low, AtomId high, int64_t ratio);
  void unite(FormId form, llvm::SmallVectorImpl<FormId> &found);
  llvm::SmallVector<int64_t, 16> cutsOf(const Atom &digit,
                                        llvm::ArrayRef<Term> inForm);
  void join(FormId form, const Term &term, llvm::ArrayRef<int64_t> cuts,
            llvm::SmallVectorImpl<FormId> &found);
  void split(FormId form, const Term &term, llvm::ArrayRef<int64_t> cuts,
             llvm::SmallVectorImpl<FormId> &found);
  /// A form's number, or that of an atom, and a bit for that.
  using Family = uint32_t;
  Family familyOf(AtomId id) {
    const Family known = atomMemo(id).family;
    return known ? known : findFamily(id);
  }
  Family findFamily(AtomId id);
  bool isMetInside(FormId parent, llvm::ArrayRef<Term> terms, AtomId digit);
  bool mayImprove(FormId form, llvm::ArrayRef<AtomId> without,
                  llvm::ArrayRef<ScaledForm> parts);
  void propose(FormId form, llvm::ArrayRef<AtomId> without,
               llvm::ArrayRef<ScaledForm> parts,
               llvm::SmallVectorImpl<FormId> &found);
  FormId replace(FormId form, llvm::ArrayRef<AtomId> without,
                 llvm::ArrayRef<ScaledForm> parts);

  // expand.cc
  void expandAndContract(FormId form, llvm::SmallVectorImpl<FormId> &found);
  void expand(FormId form, llvm::ArrayRef<Term> terms, FormId parent,
              llvm::SmallVectorImpl<FormId> &found);
  void contract(FormId form, llvm::ArrayRef<Term> terms, FormId parent,
                llvm::SmallVectorImpl<FormId> &found);
  /// How much a term grows with an atom, or with a parent.
  struct Slope {
    Family of;
    double slope;
  };
  void addSlopes(const Term &term, llvm::SmallVectorImpl<Slope> &slopes);
  bool mayCancel(llvm::ArrayRef<Term> terms, const Term &digit);
  bool parentMayCancel(llvm::ArrayRef<Term> terms, const Term &digit);

  // sample.cc
  /// Values at a few points of the domain, the same ones for all forms.
  using Sample = std::array<int64_t, 8>;
  std::optional<Sample> sample(FormId form);
  std::optional<Sample> atomSample(AtomId id);
  Sample sampleOf(VariableId id) const;
  void drawPoints();
  bool lookThrough();
  bool pointsTell() const;
  bool mayBeAffine(FormId form, int64_t turn);
  bool mayBeWithin(FormId form, Interval range);
  bool mayBeBelow(FormId all, FormId part, int64_t factor, int64_t turn,
                  int64_t room);

  uint64_t variablesOf(FormId form);
  bool haveCommonVariable(FormId a, FormId b) {
    return (variablesOf(a) & variablesOf(b)) != uint64_t{1} << 63;
  }
  /// Whether `form` still stands on a digit of `parent`.
  bool standsOn(FormId form, FormId parent) const;
  const Atom &atom(AtomId id) const { return pool_.atom(id); }
  bool isDigit(AtomId id) const { return atom(id).kind == AtomKind::Digit; }
  Interval atomBounds(AtomId id);
  Interval termBounds(llvm::ArrayRef<Term> terms, int64_t constant);
  Interval boundsByFacts(FormId form, Interval bounds);
  Residue atomResidue(AtomId id);
  static Residue sum(Residue a, Residue b);

  ExpressionPool &pool_;
  const VariableBounds *box_;
  static constexpr FormId kNotYet = UINT32_MAX;
  /// What was found out of an atom: its bounds, its number among the samples,
  /// and, of a digit, its form. These are many: no bounds yet are empty ones.
  struct AtomMemo {
    Interval bounds = Interval::none();
    FormId digit = kNotYet;
    uint32_t sample = kNotYet;
    Family family = 0;  // 0: not yet
  };
  /// What was found out of a form: its bounds, its canonical form, its number
  /// among the samples, whether it is a radix.
  struct FormMemo {
    Interval bounds = Interval::none();
    uint64_t weight = 0;     // 0: not yet
    uint64_t variables = 0;  // 0: not yet
    FormId normal = kNotYet;
    uint32_t sample = kNotYet;
    Radix radix = Radix::Unknown;
    bool isSearched = false;  // and no neighbour was better
  };
  FormMemo &memo(FormId form) {
    if (forms_.size() <= form)
      forms_.resize(pool_.formCount() + forms_.size() / 2 + 16);
    return forms_[form];
  }
  AtomMemo &atomMemo(AtomId id) {
    if (atoms_.size() <= id) atoms_.resize(pool_.atomCount() + 16);
    return atoms_[id];
  }
  std::vector<AtomMemo> atoms_;
  std::vector<FormMemo> forms_;
  std::vector<std::optional<Sample>> samples_;
  /// The point at `place` among those of draw `draw`.
  struct Point {
    uint32_t draw, place;
  };
  std::array<Point, std::tuple_size_v<Sample>> points_;
  size_t pointCount_ = 0;                       // different ones among them
  llvm::SmallVector<VariableBounds, 0> found_;  // in place of those drawn
  bool hasAllPoints_ = false;                   // of the domain
  bool areDrawn_ = false;
  llvm::DenseMap<FormId, Interval> facts_;
  uint64_t factSizes_ = 0;  // a bit for each number of terms, from 63 on one
  llvm::DenseMap<FormId, Residue> residues_;
  llvm::SmallVector<AtomId, 2> knownDigits_;  // that facts say one value of
  /// What united() found; kNotYet: nothing.
  llvm::DenseMap<std::pair<std::pair<AtomId, AtomId>, int64_t>, FormId> united_;
  /// What joinedAll() found, by parent.
  llvm::DenseMap<FormId, std::optional<Cut>> joinedAll_;
  /// Where there is a recorder: the rules by which digits got their forms.
  llvm::DenseMap<AtomId, const char *> rules_;
  int64_t steps_ = 0;
  int depth_ = 0;
};

/// Overflow inside an attempt is not the input's: it fails the attempt only.
class Attempt {
 public:
  explicit Attempt(ExpressionPool &pool)
      : pool_(pool), before_(pool.overflowed()) {
    pool_.setOverflowed(false);
  }
  ~Attempt() { pool_.setOverflowed(before_); }
  bool failed() const { return pool_.overflowed(); }

 private:
  ExpressionPool &pool_;
  bool before_;
};

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_CANONICAL_FORM_H
