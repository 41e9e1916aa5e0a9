// Digits of sums: whole turns, factors and signs (rules.h has the rows).
#include "indexical/indexing/arithmetic.h"
#include "indexical/simplifier/canonical_form.h"
#include "indexical/simplifier/digit_rules.h"

namespace indexical::digit_rules {
namespace {

/// Returns (to - from) / step, which divides, or nothing if that leaves 64
/// bits.
std::optional<int64_t> stepsBetween(int64_t from, int64_t to, int64_t step) {
  const __int128 steps = (static_cast<__int128>(to) - from) / step;
  if (steps <= INT64_MIN || steps > INT64_MAX) return std::nullopt;
  return static_cast<int64_t>(steps);
}

/// Returns the constant up to whole periods: in the first period, or, in a sum
/// that subtracts digits, such that the least value of the sum is. A digit that
/// runs backwards then counts from its greatest value, whatever was divided
/// off.
int64_t constantWithin(CanonicalForms &forms, llvm::ArrayRef<Term> terms,
                       int64_t constant, int64_t period) {
  const int64_t rest = floorMod(constant, period);
  auto isAdded = [](const Term &term) { return term.coefficient > 0; };
  auto isNoDigit = [&](const Term &term) {
    return !isDigit(forms.pool(), term.atom);
  };
  if (llvm::all_of(terms, isAdded) || llvm::all_of(terms, isNoDigit))
    return rest;
  // Sums of three such numbers stay inside 64 bits.
  constexpr int64_t kMost = int64_t{1} << 60;
  const Interval range = forms.facts.ofSum(terms, 0);
  if (period > kMost || !Interval{-kMost, kMost}.contains(range)) return rest;
  return floorMod(rest + floorMod(range.lower, period), period) - range.lower;
}

}  // namespace

/// Returns the digit of a multiple of a sum whose residue by the stride is
/// known: if x is 1 mod 3, (x * 2) floordiv 3 is (x floordiv 3) * 2.
static Form ofMultiple(CanonicalForms &forms, const Cut &cut) {
  ExpressionPool &pool = forms.pool();
  llvm::SmallVector<Term, 8> terms(pool.terms(cut.parent));
  int64_t factor = 0;
  for (const Term &term : terms) factor = gcd(factor, term.coefficient);
  if (factor <= 1 || cut.stride == 1) return std::nullopt;
  for (Term &term : terms) term.coefficient /= factor;
  const FormId part = pool.form(terms, 0);
  const Residue known = forms.facts.residue(part);
  if (known.modulus % cut.stride != 0) return std::nullopt;
  const int64_t rest = floorMod(known.remainder, cut.stride);
  auto scaled = checkedMul(factor, rest);
  auto sum =
      scaled ? checkedAdd(*scaled, pool.constant(cut.parent)) : std::nullopt;
  if (!sum) return std::nullopt;
  const FormId floor = forms.digit(part, cut.stride, 0);
  return forms.digit(
      forms.linear({{floor, factor}}, floorDiv(*sum, cut.stride)), 1,
      cut.modulus);
}

/// If x is known to be 7 mod 12, (x floordiv 3) mod 4 is 2. If x is 0 mod 3,
/// (x + 2) floordiv 3 is x floordiv 3.
Form ofKnownRemainder(CanonicalForms &forms, const Cut &cut) {
  ExpressionPool &pool = forms.pool();
  if (!forms.facts.haveResidues()) return std::nullopt;
  Residue known = forms.facts.residue(cut.parent);
  if (cut.modulus && known.modulus % cut.period() == 0)
    return pool.constantForm(floorMod(known.remainder, cut.period()) /
                             cut.stride);
  if (auto form = ofMultiple(forms, cut)) return form;
  const int64_t rest = floorMod(known.remainder, cut.stride);
  if (known.modulus % cut.stride != 0 || rest == 0) return std::nullopt;
  return forms.digit(forms.linear({{cut.parent, 1}}, -rest), cut.stride,
                     cut.modulus);
}

/// (x + 11) floordiv 8 is (x + 3) floordiv 8 + 1, and (x + 11) mod 8 is
/// (x + 3) mod 8.
Form withConstantInPeriod(CanonicalForms &forms, const Cut &cut) {
  ExpressionPool &pool = forms.pool();
  const int64_t period = cut.period();
  const int64_t constant = pool.constant(cut.parent);
  llvm::SmallVector<Term, 8> terms(pool.terms(cut.parent));
  const int64_t rest = constantWithin(forms, terms, constant, period);
  auto turns = stepsBetween(rest, constant, cut.stride);
  if (rest == constant || !turns) return std::nullopt;
  const FormId moved = forms.linear({{pool.form(terms, rest), 1}}, 0);
  // If the constant changes the terms, the sum has to become shorter, or the
  // rule could apply for ever.
  if (pool.terms(moved) != llvm::ArrayRef<Term>(terms) &&
      forms.measures.weight(moved) >= forms.measures.weight(cut.parent))
    return std::nullopt;
  FormId low = forms.digit(moved, cut.stride, cut.modulus);
  return forms.linear({{low, 1}}, cut.modulus ? 0 : *turns);
}

/// The first coefficient of a parent is positive: P floordiv s is
/// -1 - (-P - 1) floordiv s, and its digit below n is n - 1 - that digit.
Form turnedOver(CanonicalForms &forms, const Cut &cut) {
  ExpressionPool &pool = forms.pool();
  if (pool.terms(cut.parent)[0].coefficient > 0) return std::nullopt;
  FormId reflected = forms.linear({{cut.parent, -1}}, -1);
  return forms.linear({{forms.digit(reflected, cut.stride, cut.modulus), -1}},
                      cut.modulus ? cut.modulus - 1 : -1);
}

/// Takes multiples of the divisor out of the parent. In a radix that has digits
/// they stay, since digits of one parent telescope. On d0, d1, d2 in [0, 9],
/// (d0 * 16 + d1 * 4 + d2) floordiv 8 is d0 * 2 + (d1 * 4 + d2) floordiv 8.
Form withoutMultiplesOfDivisor(CanonicalForms &forms, const Cut &cut) {
  ExpressionPool &pool = forms.pool();
  const int64_t period = cut.period();
  if (!forms.measures.isPlain(cut.parent) &&
      pool.terms(cut.parent).size() > 1 && forms.measures.isRadix(cut.parent))
    return std::nullopt;
  llvm::SmallVector<Term, 8> out, rest;
  bool changed = false;
  for (const Term &term : pool.terms(cut.parent)) {
    if (term.coefficient % period == 0) {
      out.push_back({term.atom, term.coefficient / cut.stride});
      changed = true;
      continue;
    }
    rest.push_back(term);
  }
  int64_t constant = pool.constant(cut.parent);
  int64_t remainder = constantWithin(forms, rest, constant, period);
  auto turns = stepsBetween(remainder, constant, cut.stride);
  if ((!changed && constant == remainder) || !turns) return std::nullopt;
  FormId whole = pool.form(out, *turns);
  FormId low = forms.linear({{pool.form(rest, remainder), 1}}, 0);
  FormId form = forms.digit(low, cut.stride, cut.modulus);
  return cut.modulus ? form : forms.linear({{whole, 1}, {form, 1}}, 0);
}

/// A digit does not see whole turns: (11 * x) mod 2 is x mod 2. The index of an
/// array stays as it is: (d0 * 5 + d1) mod 4. If the parent is a multiple of an
/// index, the factor is reduced: (d0 * 35 + d1 * 7) mod 4 is (d0 * 15 + d1 * 3)
/// mod 4.
Form withoutWholeTurns(CanonicalForms &forms, const Cut &cut) {
  ExpressionPool &pool = forms.pool();
  if (!cut.modulus) return std::nullopt;
  const int64_t period = cut.period();
  llvm::SmallVector<Term, 8> terms(pool.terms(cut.parent));
  int64_t factor = 1;
  if (terms.size() > 1 && forms.measures.isRadix(cut.parent)) {
    factor = terms[0].coefficient;
    for (const Term &term : terms)
      if (std::abs(term.coefficient) < std::abs(factor))
        factor = term.coefficient;
    auto isMultiple = [&](const Term &t) {
      return t.coefficient % factor == 0;
    };
    if (!llvm::all_of(terms, isMultiple))
      factor = 1;
    else if (std::abs(factor) <= period)
      return std::nullopt;
  }
  bool changed = false;
  for (Term &term : terms) {
    if (factor != 1) {
      auto reduced =
          checkedMul(term.coefficient / factor, floorMod(factor, period));
      if (!reduced) return std::nullopt;
      term.coefficient = *reduced;
      changed = true;
    } else if (std::abs(term.coefficient) > period) {
      term.coefficient = floorMod(term.coefficient, period);
      changed = true;
    }
  }
  if (!changed) return std::nullopt;
  return forms.digit(
      forms.linear({{pool.form(terms, pool.constant(cut.parent)), 1}}, 0),
      cut.stride, cut.modulus);
}

/// Every digit of an atom that has two values is affine: (d0 + 1) mod 2 on d0
/// in [0, 1] is 1 - d0.
Form betweenTwoValues(CanonicalForms &forms, const Cut &cut) {
  ExpressionPool &pool = forms.pool();
  if (pool.terms(cut.parent).size() != 1) return std::nullopt;
  const Term term = pool.terms(cut.parent)[0];
  const Interval range = forms.facts.ofAtom(term.atom);
  if (range.count() != 2) return std::nullopt;
  auto at = [&](int64_t x) -> std::optional<int64_t> {
    auto product = checkedMul(term.coefficient, x);
    auto sum = product ? checkedAdd(*product, pool.constant(cut.parent))
                       : std::nullopt;
    if (!sum) return std::nullopt;
    const int64_t floor = floorDiv(*sum, cut.stride);
    return cut.modulus ? floorMod(floor, cut.modulus) : floor;
  };
  auto low = at(range.lower), high = at(range.upper);
  auto slope = low && high ? checkedSub(*high, *low) : std::nullopt;
  auto start = slope ? checkedMul(*slope, -range.lower) : std::nullopt;
  auto constant = start ? checkedAdd(*low, *start) : std::nullopt;
  if (!constant) return std::nullopt;
  return forms.linear({{pool.atomForm(term.atom), *slope}}, *constant);
}

/// Multiples of stride * modulus do not matter to the digit. The parent stays
/// whole unless the rest resolves without them: digits of one parent cancel.
Form withoutMultiplesOfPeriod(CanonicalForms &forms, const Cut &cut) {
  ExpressionPool &pool = forms.pool();
  if (!cut.modulus) return std::nullopt;
  const int64_t period = cut.period();
  llvm::SmallVector<Term, 8> terms;
  for (const Term &term : pool.terms(cut.parent))
    if (term.coefficient % period != 0) terms.push_back(term);
  FormId reduced = pool.form(
      terms, constantWithin(forms, terms, pool.constant(cut.parent), period));
  if (reduced == cut.parent) return std::nullopt;
  FormId form = forms.digit(reduced, cut.stride, cut.modulus);
  if (forms.measures.standsOn(form, reduced)) return std::nullopt;
  return form;
}

/// ((d0 mod 2) * 6 + d1) mod 4 is (d0 * 6 + d1) mod 4: what an inner remainder
/// takes away is a whole turn of the outer one.
Form withoutInnerRemainders(CanonicalForms &forms, const Cut &cut) {
  ExpressionPool &pool = forms.pool();
  if (!cut.modulus) return std::nullopt;
  const int64_t turn = cut.period();
  // A digit that is not its parent's lowest one would rarely go.
  auto stays = [&](const Term &term) {
    return isDigit(pool, term.atom) && pool.atom(term.atom).stride != 1 &&
           term.coefficient % turn != 0;
  };
  if (llvm::any_of(pool.terms(cut.parent), stays) ||
      !forms.points.mayBeAffine(cut.parent, turn))
    return std::nullopt;
  FormId rest =
      forms.gathering.withoutTurns(cut.parent, turn, /*merges=*/false);
  if (rest == cut.parent) return std::nullopt;
  // The sum has to become shorter, or this could go on for ever. Digits that
  // remain may be those of others that still have their remainders.
  FormId shorter = forms.linear({{rest, 1}}, 0);
  if (!forms.measures.isPlain(shorter) ||
      forms.measures.weight(shorter) >= forms.measures.weight(cut.parent))
    return std::nullopt;
  return forms.digit(shorter, cut.stride, cut.modulus);
}

/// max(F, 0) floordiv n is max(F floordiv n, 0): both are 0 where F is below 0.
Form ofPart(CanonicalForms &forms, const Cut &cut) {
  ExpressionPool &pool = forms.pool();
  if (cut.modulus || !pool.haveParts()) return std::nullopt;
  const auto single = pool.asAtom(cut.parent);
  if (!single || pool.atom(*single).kind != AtomKind::PositivePart)
    return std::nullopt;
  return forms.positivePart(forms.digit(pool.atom(*single).a, cut.stride, 0));
}

/// A digit of digits of one parent is a digit of that parent.
Form ofJoinedDigits(CanonicalForms &forms, const Cut &cut) {
  const auto all = forms.joins.joinedAll(cut.parent);
  auto inner = all ? checkedMul(all->stride, cut.stride) : std::nullopt;
  if (!inner) return std::nullopt;
  int64_t left = cut.modulus;
  if (all->modulus) {
    if (all->modulus % cut.stride != 0 ||
        !checkedMul(all->stride, all->modulus))
      return std::nullopt;
    left = all->modulus / cut.stride;
    if (cut.modulus && left % cut.modulus != 0) return std::nullopt;
    if (cut.modulus) left = cut.modulus;
  }
  // (d0 mod 2) * 7 is at most 7, and not 13 as (d0 * 7) mod 14.
  auto range = [&](FormId form, int64_t s, int64_t n) {
    Interval digits = forms.bounds(form).floorDiv(s);
    return n ? digits.mod(n) : digits;
  };
  if (!range(cut.parent, cut.stride, cut.modulus)
           .contains(range(all->parent, *inner, left)))
    return std::nullopt;
  return forms.digit(all->parent, *inner, left);
}

}  // namespace indexical::digit_rules
