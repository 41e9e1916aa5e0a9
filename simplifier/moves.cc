// Moves of the search (search.h has the rows), which join digits and cut digits
// anew.
#include "indexical/indexing/arithmetic.h"
#include "indexical/simplifier/canonical_form.h"
#include "indexical/simplifier/part_rules.h"
#include "indexical/simplifier/search_moves.h"

namespace indexical::search_moves {
namespace {

/// Returns the floor of a sum without digits, if the digit `inner` in it and
/// the one above that are one.
std::optional<FormId> floorOfWhole(CanonicalForms &forms, const Atom &floor,
                                   const Term &inner) {
  ExpressionPool &pool = forms.pool();
  const Atom low = pool.atom(inner.atom);
  const FormId whole = forms.digit(low.a, low.stride, 0);
  const FormId parent =
      forms.linear({{floor.a, 1},
                    {pool.atomForm(inner.atom), -inner.coefficient},
                    {whole, inner.coefficient}},
                   0);
  if (!forms.measures.isPlain(parent)) return std::nullopt;
  return forms.digit(parent, floor.stride, 0);
}

/// Proposes to join a digit with the one below it, which is known in simpler
/// terms.
void joinAt(CanonicalForms &forms, Proposals &proposals,
            const Proposals::Recut &recut) {
  const ExpressionPool &pool = forms.pool();
  const Term &term = recut.term;
  const Atom a = pool.atom(term.atom);
  int64_t k = term.coefficient;
  for (int64_t cut : recut.cuts) {
    if (cut >= a.stride || a.stride % cut != 0) continue;
    int64_t m = a.stride / cut;
    if (k % m != 0) continue;
    FormId low = forms.digit(a.a, a.stride / m, m);
    if (forms.measures.standsOn(low, a.a)) continue;
    auto modulus = checkedMul(a.modulus, m);
    if (!modulus) continue;
    proposals.add(
        {term.atom},
        {{low, -k / m}, {forms.digit(a.a, a.stride / m, *modulus), k / m}});
  }
}

/// Proposes a digit in two parts, if its low or its high part is known in
/// simpler terms.
void splitAt(CanonicalForms &forms, Proposals &proposals,
             const Proposals::Recut &recut) {
  const ExpressionPool &pool = forms.pool();
  const Term &term = recut.term;
  const Atom a = pool.atom(term.atom);
  Interval range = forms.facts.ofAtom(term.atom);
  int64_t size = a.modulus;
  if (!size) {
    if (range.lower != 0 || !range.hasUpper()) return;
    size = range.upper + 1;
  }
  for (int64_t cut : recut.cuts) {
    if (cut <= a.stride || cut % a.stride != 0) continue;
    int64_t m = cut / a.stride;
    if (m >= size || size % m != 0) continue;
    auto stride = checkedMul(a.stride, m);
    auto scaled = checkedMul(term.coefficient, m);
    if (!stride || !scaled) continue;
    FormId low = forms.digit(a.a, a.stride, m);
    FormId high = forms.digit(a.a, *stride, a.modulus ? size / m : 0);
    if (a.modulus ? forms.measures.standsOn(low, a.a) &&
                        forms.measures.standsOn(high, a.a)
                  : forms.measures.standsOn(high, a.a))
      continue;
    proposals.add({term.atom}, {{low, term.coefficient}, {high, *scaled}});
  }
}

}  // namespace

/// (d0 floordiv 2) * 3 + ((d0 mod 2) * 3 + d1) floordiv 2 is
/// (d0 * 3 + d1) floordiv 2: the digit inside and the one above it are one.
void takeInDigitAbove(Proposals &proposals) {
  CanonicalForms &forms = proposals.forms();
  ExpressionPool &pool = forms.pool();
  for (const Term &outer : proposals.terms()) {
    if (!isDigit(pool, outer.atom) || pool.atom(outer.atom).modulus) continue;
    const Atom floor = pool.atom(outer.atom);
    for (const Term &inner : llvm::SmallVector<Term, 8>(pool.terms(floor.a))) {
      if (!isDigit(pool, inner.atom) || !pool.atom(inner.atom).modulus)
        continue;
      const Atom low = pool.atom(inner.atom);
      if (!pool.asVariable(low.a)) continue;
      auto end = checkedMul(low.stride, low.modulus);
      auto carry = checkedMul(inner.coefficient, low.modulus);
      if (!end || !carry || *carry % floor.stride != 0) continue;
      auto wanted = checkedMul(outer.coefficient, *carry / floor.stride);
      if (!wanted) continue;
      const AtomId high = pool.terms(pool.digit(low.a, *end, 0))[0].atom;
      if (!llvm::is_contained(proposals.terms(), Term{high, *wanted})) continue;
      if (auto one = floorOfWhole(forms, floor, inner))
        proposals.add({outer.atom, high}, {{*one, outer.coefficient}});
    }
  }
}

/// floor(x/c) + floor((x + 1)/c) + … + floor((x + c - 1)/c) is x.
void completeFloors(Proposals &proposals) {
  CanonicalForms &forms = proposals.forms();
  ExpressionPool &pool = forms.pool();
  const llvm::ArrayRef<Term> terms = proposals.terms();
  auto isFloor = [&](const Term &term) {
    return isDigit(pool, term.atom) && pool.atom(term.atom).modulus == 0;
  };
  for (const Term &first : terms) {
    if (!isFloor(first)) continue;
    Atom a = pool.atom(first.atom);
    if (a.stride > static_cast<int64_t>(terms.size())) continue;
    int64_t start = pool.constant(a.a);
    // One floor of each residue, all with the first one's coefficient.
    llvm::SmallVector<bool, 8> seen(a.stride, false);
    llvm::SmallVector<AtomId, 8> cut;
    int64_t carried = 0;
    for (const Term &term : terms) {
      if (!isFloor(term) || term.coefficient != first.coefficient) continue;
      Atom other = pool.atom(term.atom);
      if (other.stride != a.stride || pool.terms(other.a) != pool.terms(a.a))
        continue;
      auto offset = checkedSub(pool.constant(other.a), start);
      if (!offset) continue;
      int64_t residue = floorMod(*offset, a.stride);
      auto sum = checkedAdd(carried, floorDiv(*offset, a.stride));
      if (!sum || std::exchange(seen[residue], true)) continue;
      carried = *sum;
      cut.push_back(term.atom);
    }
    if (static_cast<int64_t>(cut.size()) < a.stride) continue;
    FormId count = pool.constantForm(carried);
    proposals.add(cut, {{a.a, first.coefficient}, {count, first.coefficient}});
  }
}

/// Two digits, one above the other, of what can be one parent.
void uniteParents(Proposals &proposals) {
  CanonicalForms &forms = proposals.forms();
  ExpressionPool &pool = forms.pool();
  const llvm::ArrayRef<Term> terms = proposals.terms();
  for (const Term &low : terms) {
    if (!isDigit(pool, low.atom)) continue;
    const Interval range = forms.facts.ofAtom(low.atom);
    if (range.lower < 0 || !range.hasUpper()) continue;
    for (const Term &high : terms) {
      if (high.atom == low.atom || high.coefficient % low.coefficient != 0)
        continue;
      const int64_t ratio = high.coefficient / low.coefficient;
      if (std::abs(ratio) < 2 || range.upper >= std::abs(ratio)) continue;
      if (auto one = forms.joins.united(low.atom, high.atom, ratio))
        proposals.add({low.atom, high.atom}, {{*one, low.coefficient}});
    }
  }
}

/// (x + 9) floordiv 10 is (x + 19) floordiv 10 - 1, which is a floor of the
/// parent of (x + 19) floordiv 120: the two are one digit of it.
void joinAcrossConstants(Proposals &proposals) {
  CanonicalForms &forms = proposals.forms();
  ExpressionPool &pool = forms.pool();
  const llvm::ArrayRef<Term> terms = proposals.terms();
  auto isFloor = [&](const Term &term) {
    return isDigit(pool, term.atom) && pool.atom(term.atom).modulus == 0;
  };
  for (const Term &low : terms) {
    if (!isFloor(low)) continue;
    for (const Term &high : terms) {
      if (high.atom == low.atom || !isFloor(high)) continue;
      const Atom a = pool.atom(low.atom), b = pool.atom(high.atom);
      if (b.stride <= a.stride || b.stride % a.stride != 0 || a.a == b.a ||
          pool.terms(a.a) != pool.terms(b.a))
        continue;
      const int64_t ratio = b.stride / a.stride;
      const auto apart = checkedSub(pool.constant(b.a), pool.constant(a.a));
      const auto above = checkedMul(low.coefficient, -ratio);
      if (!apart || *apart % a.stride != 0 || above != high.coefficient)
        continue;
      const FormId digit = forms.digit(b.a, a.stride, ratio);
      const FormId turns = pool.constantForm(-(*apart / a.stride));
      proposals.add({low.atom, high.atom},
                    {{digit, low.coefficient}, {turns, low.coefficient}});
    }
  }
}

void joinWithBelow(Proposals &proposals) {
  for (const Proposals::Recut &recut : proposals.recuts())
    joinAt(proposals.forms(), proposals, recut);
}

/// A floor grows with its parent: (S + c * max(F, 0)) floordiv n is the lesser
/// of S floordiv n and (S + c * F) floordiv n if c is negative, else the
/// greater.
void divideParts(Proposals &proposals) {
  CanonicalForms &forms = proposals.forms();
  ExpressionPool &pool = forms.pool();
  for (const Term &term : proposals.terms()) {
    const Atom floor = pool.atom(term.atom);
    if (floor.kind != AtomKind::Digit || floor.modulus) continue;
    for (const Term &inner : llvm::SmallVector<Term, 8>(pool.terms(floor.a))) {
      if (pool.atom(inner.atom).kind != AtomKind::PositivePart) continue;
      const auto cases = casesOf(pool, floor.a, inner.atom);
      if (!cases) continue;
      auto divided = [&](FormId form) {
        return forms.digit(forms.linear({{form, 1}}, 0), floor.stride, 0);
      };
      const FormId a = divided(cases->without), b = divided(cases->with);
      const FormId one =
          inner.coefficient < 0 ? forms.min(a, b) : forms.max(a, b);
      proposals.add({term.atom}, {{one, term.coefficient}});
    }
  }
}

void cutInTwo(Proposals &proposals) {
  for (const Proposals::Recut &recut : proposals.recuts())
    splitAt(proposals.forms(), proposals, recut);
}

}  // namespace indexical::search_moves
