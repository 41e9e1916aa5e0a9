#include "indexical/simplifier/search.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/stop_scope.h"
#include "indexical/simplifier/canonical_form.h"
#include "indexical/simplifier/form_order.h"
#include "indexical/simplifier/search_moves.h"

namespace indexical {
namespace {

// Past this limit the form stays as it is: sound, perhaps not canonical. It is
// a count, so that the answer does not depend on the machine.
constexpr int64_t kMostSteps = 200000;

// Name; example, and what becomes of it; what it is for; what it proposes.
constexpr SearchMove kMoves[] = {
    {"digits as their floors",
     "(d0, d1) -> ((d0 floordiv 21) * 6 + ((d0 * 10 + d1) floordiv 35) mod 6), "
     "domain: d0 in [0, 41], d1 in [0, 9]",
     "(d0 * 10 + d1) floordiv 35", SearchMove::Of::Sums,
     search_moves::expandDigits},
    {"a sum as its own digits",
     "(d0, d1) -> (-((d0 * 3 + d1) floordiv 2) * 2 + d0 * 3 + d1), domain: d0 "
     "in [0, 1], d1 in [0, 2]",
     "(d0 * 3 + d1) mod 2", SearchMove::Of::Sums,
     search_moves::contractParents},
    {"floors that are one sum together",
     "(d0) -> (d0 floordiv 2 + (d0 + 1) floordiv 2), domain: d0 in [-50, 50]",
     "d0", SearchMove::Of::Sums, search_moves::completeFloors},
    {"digits of two parents that can be one",
     "(d0, d1) -> ((d0 * 4 + d1) floordiv 6 + (((d0 * 4 + d1) floordiv 2) mod "
     "3) * 4 + (d1 mod 2) * 2), domain: d0 in [0, 2], d1 in [0, 3]",
     "(d0 * 4 + d1) floordiv 6 + ((d0 * 4 + d1) mod 6) * 2",
     SearchMove::Of::Sums, search_moves::uniteParents},
    {"floors of parents a constant apart",
     "(d0) -> ((d0 + 9) floordiv 10 - ((d0 + 19) floordiv 120) * 12 + 1), "
     "domain: d0 in [0, 119]",
     "((d0 + 19) floordiv 10) mod 12", SearchMove::Of::Sums,
     search_moves::joinAcrossConstants},
    {"a floor takes in the digit above it",
     "(d0, d1) -> ((d0 floordiv 2) * 3 + ((d0 mod 2) * 3 + d1) floordiv 2), "
     "domain: d0 in [0, 3], d1 in [0, 7]",
     "(d0 * 3 + d1) floordiv 2", SearchMove::Of::Sums,
     search_moves::takeInDigitAbove},
    {"a digit joins the one below it",
     "(d0, d1, d2) -> (d0 * 5 + d1 - ((d1 * 2 + d2 * 5 + 1) floordiv 4) * 2 - "
     "d2 * 6 - 4), domain: d0 in [0, 6], d1 in [0, 1], d2 in [5, 12]",
     "d0 * 5 + ((d1 * 2 + d2 + 1) floordiv 2) mod 2 - d2 * 6 - (d2 * 5 + 1) "
     "floordiv 2 - 4",
     SearchMove::Of::Digits, search_moves::joinWithBelow},
    {"a digit is cut in two",
     "(d0, d1) -> (d0 - ((d0 + d1 * 3) mod 6) * 4), domain: d0 in [-5, -3], d1 "
     "in [0, 1]",
     "(d0 floordiv 3) * 3 - (d0 mod 3) * 3 - (((d0 + d1 * 3) floordiv 3) mod "
     "2) * 12",
     SearchMove::Of::Digits, search_moves::cutInTwo},
    {"a floor of a maximum is the maximum of floors",
     "(d0, d1) -> ((max(d0 * 4 - 22, -d1) + 3) floordiv 4), domain: d0 in [0, "
     "9], d1 in [0, 3]",
     "max(d0 - 5, 0)", SearchMove::Of::Parts, search_moves::divideParts},
};

struct Score {
  FormId form;
  Measures::Parts parts;
  unsigned unbounded;        // terms, of a form that has no bounds
  uint64_t slope;            // the sum of their coefficients
  uint64_t width;            // of the others
  unsigned __int128 points;  // of a box that has a side for each of them
  uint64_t weight;
  llvm::SmallVector<int64_t, 8> strides;  // largest first
};

Score scoreOf(CanonicalForms &forms, FormId form) {
  const ExpressionPool &pool = forms.pool();
  Score result{form, forms.measures.partsOf(form), 0, 0, UINT64_MAX,
               1,    forms.measures.weight(form),  {}};
  Interval range = forms.bounds(form);
  const bool isFinite = range.isFinite();
  if (!isFinite) range = Interval::point(0);
  for (const Term &term : llvm::SmallVector<Term, 8>(pool.terms(form))) {
    result.strides.push_back(std::abs(term.coefficient));
    const Interval inside = forms.facts.ofAtom(term.atom);
    if (!isFinite && !inside.isFinite()) {
      ++result.unbounded;
      result.slope =
          llvm::SaturatingAdd<uint64_t>(result.slope, result.strides.back());
      continue;
    }
    if (!isFinite) range = range + inside * term.coefficient;
    constexpr auto kMost = static_cast<unsigned __int128>(1) << 126;
    const uint64_t side = inside.count();
    result.points = side == 0 || result.points > kMost / side
                        ? kMost
                        : result.points * side;
  }
  if (range.isFinite())
    result.width =
        static_cast<uint64_t>(range.upper) - static_cast<uint64_t>(range.lower);
  std::sort(result.strides.rbegin(), result.strides.rend());
  return result;
}

bool isBetter(const ExpressionTable &table, const Score &a, const Score &b) {
  if (a.parts.all != b.parts.all) return a.parts.all < b.parts.all;
  if (a.parts.inside != b.parts.inside) return a.parts.inside < b.parts.inside;
  if (a.unbounded != b.unbounded) return a.unbounded < b.unbounded;
  if (a.slope != b.slope) return a.slope < b.slope;
  if (a.width != b.width) return a.width < b.width;
  if (a.points != b.points) return a.points < b.points;
  if (a.weight != b.weight) return a.weight < b.weight;
  if (a.strides.size() != b.strides.size())
    return a.strides.size() < b.strides.size();
  if (a.strides != b.strides)
    return std::lexicographical_compare(b.strides.begin(), b.strides.end(),
                                        a.strides.begin(), a.strides.end());
  return table.compareForms(a.form, b.form) < 0;
}

/// A digit of the sum, or one that is known: where it begins and ends in its
/// parent. A floor has no end.
struct Ends {
  FormId parent;
  int64_t stride, end;
};

Ends endsOf(const Atom &digit) {
  auto end = checkedMul(digit.stride, digit.modulus);
  return {digit.a, digit.stride, end.value_or(0)};
}

/// Returns the places at which the parent of a digit may come apart: the
/// coefficients of its terms, cuts inside a term by digits that stand in the
/// form, and cuts at digits of the parent that are known. A cut divides the
/// digit's stride, or is a multiple of it.
llvm::SmallVector<int64_t, 16> cutsOf(CanonicalForms &forms, const Atom &digit,
                                      llvm::ArrayRef<Ends> inForm,
                                      llvm::ArrayRef<Ends> known) {
  llvm::SmallVector<int64_t, 16> cuts;
  auto add = [&](int64_t k, int64_t t) {
    auto cut = checkedMul(std::abs(k), t);
    if (!cut || *cut <= 1 || llvm::is_contained(cuts, *cut)) return;
    if (*cut < digit.stride ? digit.stride % *cut != 0
                            : *cut == digit.stride || *cut % digit.stride != 0)
      return;
    cuts.push_back(*cut);
  };
  // Copied: forms that are made here may move the pool's terms.
  llvm::SmallVector<Term, 8> parts(forms.pool().terms(digit.a));
  for (const Term &part : parts) {
    add(part.coefficient, 1);
    Interval range = forms.facts.ofAtom(part.atom);
    if (range.lower == 0 && range.hasUpper())
      add(part.coefficient, range.count());
    // The part as a digit of its own parent: a variable is its parent's whole.
    const Cut inner = forms.measures.asCut(part.atom);
    for (const Ends &other : inForm) {
      if (other.parent != inner.parent) continue;
      for (int64_t at : {other.stride, other.end})
        if (inner.stride == 1)
          add(part.coefficient, at);
        else if (at % inner.stride == 0)
          add(part.coefficient, at / inner.stride);
    }
  }
  for (llvm::ArrayRef<Ends> digits : {inForm, known})
    for (const Ends &other : digits)
      if (other.parent == digit.a) {
        add(other.stride, 1);
        add(other.end, 1);
      }
  return cuts;
}

}  // namespace

llvm::ArrayRef<SearchMove> searchMoves() { return kMoves; }

bool Search::mayBegin(FormId form) const {
  auto order = [&](FormId of) {
    return formOrder(forms_.pool(), forms_.measures, of);
  };
  return !begun_ || order(form) < order(*begun_);
}

FormId Search::operator()(FormId form) {
  if (!mayBegin(form)) return form;
  const std::optional<FormId> outer = std::exchange(begun_, form);
  struct MadeMove {
    const SearchMove *move;
    FormId before, after;
  };
  llvm::SmallVector<MadeMove, 4> made;
  {
    Recorder::Pause pause(
        forms_.recorder);       // most of what is tried is not used
    std::optional<Score> best;  // of `form`, once there are others
    bool isBest = false;
    while (!isBest && forms_.steps < kMostSteps && !StopScope::isReached()) {
      ++forms_.steps;
      const SearchMove *move = nullptr;
      Proposals proposals(forms_, form);
      for (const Proposals::Found &found : proposals.all()) {
        if (StopScope::isReached()) break;
        if (found.form == form) continue;
        if (!best) best = scoreOf(forms_, form);
        Score score = scoreOf(forms_, found.form);
        if (!indexical::isBetter(forms_.pool(), score, *best)) continue;
        // An order: what is better is never met again.
        assert(!indexical::isBetter(forms_.pool(), *best, score));
        best = std::move(score);
        move = found.move;
      }
      isBest = !move && !StopScope::isReached();
      if (!move) break;
      made.push_back({move, form, best->form});
      form = best->form;
    }
    if (isBest) forms_.markSearched(form);
  }
  for (const MadeMove &step : made)
    explainForm(forms_, step.move->name, step.before, step.after);
  begun_ = outer;
  return form;
}

bool Search::isBetter(FormId form, FormId other) const {
  return form != other &&
         indexical::isBetter(forms_.pool(), scoreOf(forms_, form),
                             scoreOf(forms_, other));
}

//===-- Proposals ---------------------------------------------------------===//

Proposals::Proposals(CanonicalForms &forms, FormId form)
    : forms_(forms), form_(form), terms_(forms.pool().terms(form)) {
  for (const Term &term : terms_)
    families_.push_back(forms.measures.familyOf(term.atom));
  // The floors of one digit meet only what is met inside its parent.
  if (terms_.size() > 1)
    for (const Siblings &family : siblingsIn(forms_.pool(), terms_))
      if (family.digits.size() > 1 ||
          isMetInside(family.parent, family.digits[0]))
        parents_.push_back(family.parent);
}

llvm::ArrayRef<Proposals::Found> Proposals::all() {
  if (forms_.measures.isPlain(form_)) return found_;
  findRecuts();
  for (const SearchMove &move : kMoves) {
    if (!isFor(move)) continue;
    // Proposals that a move made before it left 64 bits may be wrong.
    const size_t before = found_.size();
    Attempt attempt(forms_.pool());
    move_ = &move;
    move.propose(*this);
    if (attempt.failed()) found_.truncate(before);
  }
  return found_;
}

bool Proposals::isFor(const SearchMove &move) const {
  switch (move.of) {
    case SearchMove::Of::Sums:
      return terms_.size() > 1;
    case SearchMove::Of::Digits:
      return !recuts_.empty();
    case SearchMove::Of::Parts:
      break;
  }
  return forms_.pool().haveParts();
}

void Proposals::add(llvm::ArrayRef<AtomId> without,
                    llvm::ArrayRef<ScaledForm> parts) {
  if (mayImprove(without, parts))
    found_.push_back({forms_.gathering.replaced(form_, without, parts), move_});
}

void Proposals::findRecuts() {
  const ExpressionPool &pool = forms_.pool();
  llvm::SmallVector<Ends, 16> inForm, known;
  for (const Term &term : terms_)
    if (isDigit(pool, term.atom))
      inForm.push_back(endsOf(pool.atom(term.atom)));
  for (AtomId id : forms_.facts.knownDigits())
    known.push_back(endsOf(pool.atom(id)));
  for (const Term &term : terms_) {
    if (!isDigit(pool, term.atom)) continue;
    const Atom digit = pool.atom(term.atom);
    auto isOfOne = [&](const Ends &other) { return other.parent == digit.a; };
    if (forms_.measures.isRadix(digit.a) && !isMetInside(digit.a, term.atom) &&
        llvm::none_of(known, isOfOne))
      continue;
    recuts_.push_back({term, cutsOf(forms_, digit, inForm, known)});
  }
}

/// Returns false if no new part meets a term of its family, so that neither
/// cancels or merges: the new sum would be wider or longer than the old one.
bool Proposals::mayImprove(llvm::ArrayRef<AtomId> without,
                           llvm::ArrayRef<ScaledForm> parts) {
  if (!forms_.facts.areNone()) return true;
  llvm::SmallVector<Measures::Family, 16> kept, gone;
  uint64_t longer = 0;
  Interval goes = Interval::point(0), comes = goes;
  for (auto [term, family] : llvm::zip_equal(terms_, families_)) {
    if (!llvm::is_contained(without, term.atom)) {
      kept.push_back(family);
      continue;
    }
    gone.push_back(family);
    longer += forms_.measures.weightOf(term.atom);
    goes = goes + forms_.facts.ofAtom(term.atom) * term.coefficient;
  }
  auto meets = [&](auto family) { return llvm::is_contained(kept, family); };
  if (llvm::any_of(gone, meets)) return true;
  uint64_t shorter = 0;
  for (const ScaledForm &part : parts) {
    const size_t before = kept.size();
    for (const Term &term : forms_.pool().terms(part.form)) {
      Measures::Family family = forms_.measures.familyOf(term.atom);
      if (llvm::is_contained(llvm::ArrayRef(kept).take_front(before), family))
        return true;
      kept.push_back(family);
    }
    shorter += forms_.measures.weight(part.form) - 1;
    comes = comes + forms_.bounds(part.form) * part.coefficient;
  }
  int64_t before = goes.count(), after = comes.count();
  if (before == Interval::kInfinity || after == Interval::kInfinity)
    return true;
  return after != before ? after < before : shorter <= longer;
}

/// Whether something inside `parent` is met by one of the terms but `digit`:
/// else a digit of it, cut anew, meets nothing.
bool Proposals::isMetInside(FormId parent, AtomId digit) {
  return llvm::any_of(forms_.pool().terms(parent), [&](const Term &inner) {
    const Measures::Family family = forms_.measures.familyOf(inner.atom);
    for (size_t i = 0; i < terms_.size(); ++i)
      if (families_[i] == family && terms_[i].atom != digit) return true;
    return false;
  });
}

}  // namespace indexical
