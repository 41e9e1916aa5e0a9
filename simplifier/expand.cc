// Proposes digits as the floors that they are: if another term cancels one of
// the two floors, the rest is shorter. On d0 in [0, 41], d1 in [0, 9]:
//
//   (d0 floordiv 21) * 6 + ((d0 * 10 + d1) floordiv 35) mod 6
//   = (d0 floordiv 21) * 6 + (d0 * 10 + d1) floordiv 35
//       - ((d0 * 10 + d1) floordiv 210) * 6                 its two floors
//   = (d0 * 10 + d1) floordiv 35          d1 drops out of the second one
//
// The floors of most digits cancel with nothing, and cost more than all else
// that is tried. So it is first checked that a term could cancel: one that
// grows as fast with something inside the digit, in whole turns of it.
#include <cmath>

#include "indexical/indexing/arithmetic.h"
#include "indexical/simplifier/canonical_form.h"
#include "indexical/simplifier/search_moves.h"

namespace indexical::search_moves {
namespace {

/// Says how much a term grows with an atom, or with a parent.
struct Slope {
  Measures::Family of;
  double slope;
};
using Slopes = llvm::SmallVector<Slope, 8>;

/// Returns how a term grows with its own atom or parent, and with those in the
/// parent.
Slopes slopesOf(CanonicalForms &forms, const Term &term) {
  Slopes slopes;
  const ExpressionPool &pool = forms.pool();
  auto add = [&](AtomId id, double slope) {
    if (isDigit(pool, id)) slope /= static_cast<double>(pool.atom(id).stride);
    slopes.push_back({forms.measures.familyOf(id), slope});
  };
  const auto slope = static_cast<double>(term.coefficient);
  add(term.atom, slope);
  if (!isDigit(pool, term.atom)) return slopes;
  const double above = slopes.back().slope;
  for (const Term &inner : pool.terms(pool.atom(term.atom).a))
    add(inner.atom, above * static_cast<double>(inner.coefficient));
  return slopes;
}

/// The first floor of k * (P mod n) is P itself, term by term. The second one
/// may stand in the form already, with a larger coefficient.
bool parentMayCancel(CanonicalForms &forms, llvm::ArrayRef<Term> terms,
                     const Term &digit) {
  const ExpressionPool &pool = forms.pool();
  const Atom a = pool.atom(digit.atom);
  const int64_t k = digit.coefficient;
  for (const Term &term : terms) {
    auto takesAway = [&](const Term &inner) {
      return inner.atom == term.atom &&
             (inner.coefficient < 0) != ((k < 0) != (term.coefficient < 0));
    };
    if (llvm::any_of(pool.terms(a.a), takesAway)) return true;
    if (!isDigit(pool, term.atom) || pool.atom(term.atom).a != a.a ||
        pool.atom(term.atom).stride != a.modulus)
      continue;
    const Interval floor = forms.facts.ofAtom(term.atom);
    auto turn = checkedMul(k, a.modulus);
    auto left = turn ? checkedSub(term.coefficient, *turn) : std::nullopt;
    if (left &&
        (forms.bounds(a.a) * k + floor * *left).count() <
            (forms.facts.ofAtom(digit.atom) * k + floor * term.coefficient)
                .count())
      return true;
  }
  return false;
}

/// Whether one of the two floors of a digit can cancel: k * ((P floordiv s) mod
/// n) is k * (P floordiv s) - k*n * (P floordiv (s*n)). It takes a term that is
/// a multiple of k*n, and grows as the digit does, to meet the second one.
/// `slopes` has those of each term, once they were asked for.
bool mayCancel(CanonicalForms &forms, llvm::ArrayRef<Term> terms,
               const Term &digit, llvm::SmallVectorImpl<Slopes> &slopes) {
  const ExpressionPool &pool = forms.pool();
  auto turn = checkedMul(digit.coefficient, pool.atom(digit.atom).modulus);
  if (!turn || *turn == INT64_MIN) return true;
  auto slopesAt = [&](size_t i) -> const Slopes & {
    if (slopes[i].empty()) slopes[i] = slopesOf(forms, terms[i]);
    return slopes[i];
  };
  // Quotients, in floating point: a wrong yes costs time only.
  constexpr double kRounding = 1e-9;
  for (size_t i = 0; i < terms.size(); ++i) {
    if (terms[i].coefficient % *turn != 0) continue;
    const Slopes &inside = slopesAt(&digit - terms.data());
    for (const Slope &x : slopesAt(i))
      for (const Slope &y : inside)
        if (x.of == y.of &&
            std::abs(x.slope - y.slope) <= kRounding * std::abs(x.slope))
          return true;
  }
  return pool.atom(digit.atom).stride == 1 &&
         parentMayCancel(forms, terms, digit);
}

/// k * ((P floordiv s) mod n) as its two floors, for each digit of P with which
/// that may shorten the form, and for all of these together.
void expandDigitsOf(Proposals &proposals, FormId parent,
                    llvm::SmallVectorImpl<Slopes> &slopes) {
  CanonicalForms &forms = proposals.forms();
  ExpressionPool &pool = forms.pool();
  const llvm::ArrayRef<Term> terms = proposals.terms();
  const bool isShort = pool.terms(parent).size() == 1;
  llvm::SmallVector<AtomId, 4> cut;
  llvm::SmallVector<ScaledForm, 8> parts;
  auto isResolved = [&](FormId floor) {
    return !forms.measures.standsOn(floor, parent) &&
           !pool.isConstant(floor, 0);
  };
  for (const Term &term : terms) {
    if (!isDigit(pool, term.atom)) continue;
    const Atom a = pool.atom(term.atom);
    if (a.a != parent || !a.modulus) continue;
    if (!isShort && !mayCancel(forms, terms, term, slopes)) continue;
    auto scaled = checkedMul(term.coefficient, -a.modulus);
    auto end = checkedMul(a.stride, a.modulus);
    if (!scaled || !end) continue;
    FormId low = forms.digit(parent, a.stride, 0),
           high = forms.digit(parent, *end, 0);
    if (!isResolved(low) && !isResolved(high)) continue;
    cut.push_back(term.atom);
    parts.push_back({low, term.coefficient});
    parts.push_back({high, *scaled});
    proposals.add(term.atom, llvm::ArrayRef(parts).take_back(2));
  }
  if (cut.size() > 1) proposals.add(cut, parts);
}

/// Proposes k * P, if a term of it stands in the form, as
/// k * (P mod s) + k*s * (P floordiv s), for the strides of the digits of P
/// that do.
void contractDigitsOf(Proposals &proposals, FormId parent) {
  CanonicalForms &forms = proposals.forms();
  ExpressionPool &pool = forms.pool();
  const llvm::ArrayRef<Term> terms = proposals.terms();
  if (pool.asAtom(parent)) return;
  llvm::SmallVector<Term, 8> inside(pool.terms(parent));
  llvm::SmallVector<int64_t, 4> strides, multiples;
  auto add = [](llvm::SmallVectorImpl<int64_t> &to, int64_t x) {
    if (!llvm::is_contained(to, x)) to.push_back(x);
  };
  for (const Term &term : terms) {
    if (isDigit(pool, term.atom) && pool.atom(term.atom).a == parent)
      add(strides, pool.atom(term.atom).stride);
    for (const Term &inner : inside)
      if (inner.atom == term.atom && term.coefficient % inner.coefficient == 0)
        add(multiples, term.coefficient / inner.coefficient);
  }
  for (int64_t k : multiples)
    for (int64_t s : strides) {
      auto high = checkedMul(k, s);
      if (!high) continue;
      proposals.add({}, {{parent, -k},
                         {forms.digit(parent, 1, s), k},
                         {forms.digit(parent, s, 0), *high}});
    }
}

}  // namespace

void expandDigits(Proposals &proposals) {
  llvm::SmallVector<Slopes, 0> slopes(proposals.terms().size());
  for (FormId parent : proposals.parents())
    expandDigitsOf(proposals, parent, slopes);
}

void contractParents(Proposals &proposals) {
  for (FormId parent : proposals.parents()) contractDigitsOf(proposals, parent);
}

}  // namespace indexical::search_moves
