// Digits of one parent that do not look like it.
//
// Each digit is made minimal by itself, so two digits of one index may stand on
// two parents. They are digits of one where a common parent can be found:
//
//   ((d0 * 12 + d1 * 6 + d2) floordiv 4) mod 3   is  (d1 * 6 + d2) floordiv 4,
//   and (d0 * 12 + d1 * 6 + d2) mod 4            is  (d1 * 2 + d2) mod 4:
//   (d1 * 2 + d2) mod 4 + ((d1 * 6 + d2) floordiv 4) * 4
//                                                is  d1 * 6 + d2
//
// A digit sees its parent in steps of its own period only, and the digit above
// does not see what stays below a step of its own. So the common parent of a
// low digit of P and a high one of Q, with periods that meet, is a multiple of
// Q and a rest that cannot carry, if it is P but for whole turns.
#include <algorithm>

#include "indexical/indexing/arithmetic.h"
#include "indexical/simplifier/canonical_form.h"

namespace indexical {

CanonicalForms::Cut CanonicalForms::asCut(AtomId id) const {
  if (!isDigit(id)) return {pool_.atomForm(id), 1, 0};
  return {atom(id).a, atom(id).stride, atom(id).modulus};
}

/// Turns the cut over; minus what it was is what it then is, plus the result.
int64_t CanonicalForms::reflect(Cut &cut) {
  const bool isWhole = cut.stride == 1 && !cut.modulus;
  cut.parent = pool_.linear({{cut.parent, -1}}, isWhole ? 0 : -1);
  return isWhole ? 0 : cut.modulus ? 1 - cut.modulus : 1;
}

/// Whether the sum stays inside 64 bits at every point: parents grow when they
/// are joined, and what could be computed before must still be.
bool CanonicalForms::staysInside(FormId form) {
  llvm::SmallVector<Term, 8> terms(pool_.terms(form));
  return termBounds(terms, pool_.constant(form)).isFinite();
}

/// The form but for whole turns, each coefficient as small as it can be: in
/// steps of 8, d0 * 25 is d0.
FormId CanonicalForms::withinTurn(FormId form, int64_t turn) {
  llvm::SmallVector<Term, 8> terms(pool_.terms(form));
  for (Term &term : terms) {
    const int64_t k = floorMod(term.coefficient, turn);
    term.coefficient = k > turn / 2 ? k - turn : k;
  }
  llvm::erase_if(terms, [](const Term &t) { return t.coefficient == 0; });
  return pool_.form(terms, pool_.constant(form));
}

/// What is seen at once of whether low and high are digits of one parent, one
/// above the other.
bool CanonicalForms::mayJoin(const Cut &low, int64_t carry, const Cut &high) {
  if (low.modulus && low.modulus != carry) return false;
  auto period = checkedMul(low.stride, carry);
  if (!period || !checkedMul(high.modulus, carry)) return false;
  // The lowest digit of a parent stands above nothing of it: what is below has
  // to be whole.
  if (high.stride == 1)
    return !low.modulus &&
           Interval{0, *period - 1}.contains(bounds(low.parent));
  // Digits of one parent that are not next to each other are not one.
  if (low.parent == high.parent) return *period == high.stride;
  // With nothing in common nothing would cancel.
  return (*period % high.stride == 0 || high.stride % *period == 0) &&
         haveCommonVariable(low.parent, high.parent);
}

/// low + carry * high as one digit, where low is in [0, carry).
std::optional<CanonicalForms::Cut> CanonicalForms::joined(const Cut &low,
                                                          int64_t carry,
                                                          const Cut &high,
                                                          bool byTurns) {
  if (!mayJoin(low, carry, high)) return std::nullopt;
  Attempt attempt(pool_);
  const int64_t period = low.stride * carry, modulus = high.modulus * carry;
  // The part of `all` that is no multiple of `part`, if it is in [0, room) and
  // so cannot carry.
  auto rest = [&](FormId all, FormId part, int64_t factor, int64_t turn,
                  int64_t room) -> std::optional<FormId> {
    if (!mayBeBelow(all, part, factor, turn, room)) return std::nullopt;
    FormId apart = withoutTurns(gathered({{all, 1}, {part, -factor}}, 0), turn,
                                /*merges=*/true);
    auto cannotCarry = [&](FormId form) {
      return Interval{0, room - 1}.contains(bounds(form));
    };
    if (attempt.failed()) return std::nullopt;
    if (cannotCarry(apart)) return apart;
    if (byTurns) apart = withinTurn(apart, turn);
    if (!mayBeWithin(apart, {0, room - 1})) return std::nullopt;
    apart = linear({{apart, 1}}, 0);
    if (attempt.failed() || !cannotCarry(apart)) return std::nullopt;
    return apart;
  };
  if (period % high.stride == 0) {
    const int64_t scale = period / high.stride;
    auto below = rest(low.parent, high.parent, scale, period, scale);
    if (!below) return std::nullopt;
    FormId parent = linear({{high.parent, scale}, {*below, 1}}, 0);
    if (attempt.failed() || !staysInside(parent)) return std::nullopt;
    return Cut{parent, low.stride, modulus};
  }
  // The parent of the high digit is finer than that of the low one.
  if (high.stride % period != 0) return std::nullopt;
  const int64_t finer = high.stride / period;
  if (!rest(high.parent, low.parent, finer, high.stride, finer))
    return std::nullopt;
  return Cut{high.parent, low.stride * finer, modulus};
}

/// The form as one digit of one parent, found from its smallest term up.
std::optional<CanonicalForms::Cut> CanonicalForms::joinedAll(FormId form) {
  struct Part {
    Cut cut;
    AtomId atom;
    int64_t coefficient;
    Interval range;
    bool isDigit, isReflected;
  };
  llvm::SmallVector<Part, 8> parts;
  int64_t constant = pool_.constant(form);
  for (const Term &term : llvm::SmallVector<Term, 8>(pool_.terms(form))) {
    Part part{asCut(term.atom),      term.atom,          term.coefficient,
              atomBounds(term.atom), isDigit(term.atom), false};
    if (part.isDigit && part.coefficient < 0) {
      // What is taken away is added, turned over.
      const int64_t k = part.coefficient = -part.coefficient;
      const int64_t left = reflect(part.cut);
      auto scaled = checkedMul(k, left);
      auto sum = scaled ? checkedAdd(constant, *scaled) : std::nullopt;
      if (!sum) return std::nullopt;
      constant = *sum;
      part.range = part.range * -1 - Interval::point(left);
      part.isReflected = true;
    }
    parts.push_back(part);
  }
  std::stable_sort(
      parts.begin(), parts.end(), [](const Part &x, const Part &y) {
        auto rank = [](const Part &part) {
          return std::make_pair(std::abs(part.coefficient), !part.isDigit);
        };
        return rank(x) < rank(y);
      });

  Cut all{pool_.constantForm(constant), 1, 0};
  Interval below = Interval::point(constant);
  int64_t carried = 0;  // what was taken out of `all`, for the terms above
  bool isJoined = false;
  for (const Part &part : parts) {
    const int64_t k = part.coefficient;
    if (part.isDigit && below.isFinite() && !all.modulus) {
      auto carry = checkedMul(floorDiv(below.lower, k), k);
      auto inside = carry ? checkedMul(*carry, all.stride) : std::nullopt;
      auto sum = carry ? checkedAdd(carried, *carry) : std::nullopt;
      if (!inside || !sum) return std::nullopt;
      carried = *sum;
      below = below - Interval::point(*carry);
      all.parent = pool_.linear({{all.parent, 1}}, -*inside);
    }
    const bool isBelow =
        below.lower >= 0 && below.hasUpper() && below.upper < k;
    std::optional<Cut> next;
    if (part.isDigit && k == 1 && isBelow && pool_.isConstant(all.parent)) {
      next = part.cut;
    } else if (part.isDigit && isBelow) {
      next = joined(all, k, part.cut);
    }
    isJoined |= next.has_value();
    if (!next) {
      // Added as it is; what it would meet inside would not cancel any more.
      auto scaled = checkedMul(all.stride, k);
      FormId whole = pool_.atomForm(part.atom);
      if (all.modulus || !scaled || part.isReflected ||
          (all.stride > 1 && haveCommonVariable(all.parent, whole)))
        return std::nullopt;
      next = all;
      next->parent = linear({{all.parent, 1}, {whole, *scaled}}, 0);
    }
    all = *next;
    below = below + part.range * k;
  }
  auto back = checkedMul(carried, all.stride);
  if (!isJoined || !back || (carried && all.modulus)) return std::nullopt;
  if (carried) all.parent = linear({{all.parent, 1}}, *back);
  if (!staysInside(all.parent)) return std::nullopt;
  return all;
}

/// A digit of digits of one parent is a digit of that parent.
std::optional<FormId> CanonicalForms::digitOfJoined(FormId parent,
                                                    int64_t stride,
                                                    int64_t modulus) {
  auto [known, isNew] = joinedAll_.try_emplace(parent, std::nullopt);
  std::optional<Cut> all = known->second;
  if (isNew) {
    Attempt attempt(pool_);
    all = joinedAll(parent);
    if (attempt.failed()) all = std::nullopt;
    joinedAll_[parent] = all;
  }
  auto inner = all ? checkedMul(all->stride, stride) : std::nullopt;
  if (!inner) return std::nullopt;
  int64_t left = modulus;
  if (all->modulus) {
    if (all->modulus % stride != 0 || !checkedMul(all->stride, all->modulus))
      return std::nullopt;
    left = all->modulus / stride;
    if (modulus && left % modulus != 0) return std::nullopt;
    if (modulus) left = modulus;
  }
  // (d0 mod 2) * 7 is at most 7, and not 13 as (d0 * 7) mod 14.
  auto range = [&](FormId form, int64_t s, int64_t n) {
    Interval digits = bounds(form).floorDiv(s);
    return n ? digits.mod(n) : digits;
  };
  if (!range(parent, stride, modulus)
           .contains(range(all->parent, *inner, left)))
    return std::nullopt;
  return digit(all->parent, *inner, left);
}

}  // namespace indexical
