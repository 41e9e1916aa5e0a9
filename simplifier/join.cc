#include "indexical/simplifier/join.h"

#include <algorithm>

#include "indexical/indexing/arithmetic.h"
#include "indexical/simplifier/attempt.h"
#include "indexical/simplifier/canonical_form.h"

namespace indexical {

FormId withinTurn(ExpressionPool &pool, FormId form, int64_t turn) {
  llvm::SmallVector<Term, 8> terms(pool.terms(form));
  for (Term &term : terms) {
    const int64_t k = floorMod(term.coefficient, turn);
    term.coefficient = k > turn / 2 ? k - turn : k;
  }
  llvm::erase_if(terms, [](const Term &t) { return t.coefficient == 0; });
  return pool.form(terms, pool.constant(form));
}

void Joins::restart() {
  united_.clear();
  all_.clear();
}

/// Reflects the cut: minus the old digit is the new digit plus the result.
int64_t Joins::reflect(Cut &cut) {
  const bool isWhole = cut.stride == 1 && !cut.modulus;
  cut.parent = pool_.linear({{cut.parent, -1}}, isWhole ? 0 : -1);
  return isWhole ? 0 : cut.modulus ? 1 - cut.modulus : 1;
}

/// Whether the sum stays inside 64 bits at every point: parents grow when they
/// are joined, and what could be computed before must still be.
bool Joins::staysInside(FormId form) {
  llvm::SmallVector<Term, 8> terms(pool_.terms(form));
  return forms_.facts.ofSum(terms, pool_.constant(form)).isFinite();
}

/// Returns false if it is seen at once that low and high are not digits of one
/// parent, one above the other.
bool Joins::mayJoin(const Cut &low, int64_t carry, const Cut &high) {
  if (low.modulus && low.modulus != carry) return false;
  auto period = checkedMul(low.stride, carry);
  if (!period || !checkedMul(high.modulus, carry)) return false;
  // The lowest digit of a parent stands above none of its digits: the low part
  // has to be a whole form.
  if (high.stride == 1)
    return !low.modulus &&
           Interval{0, *period - 1}.contains(forms_.facts.bounds(low.parent));
  // Digits of one parent that are not neighbours are not one digit.
  if (low.parent == high.parent) return *period == high.stride;
  // Without a common variable nothing would cancel.
  return (*period % high.stride == 0 || high.stride % *period == 0) &&
         forms_.measures.haveCommonVariable(low.parent, high.parent);
}

/// Returns the part of `all` that is no multiple of the cut's parent, if it is
/// in [0, room) and so cannot carry.
std::optional<FormId> Joins::rest(FormId all, const Cut &part, int64_t factor,
                                  int64_t turn, int64_t room, bool byTurns) {
  if (!forms_.points.mayBeBelow(all, part.parent, factor, turn, room))
    return std::nullopt;
  Attempt attempt(pool_);
  const Interval inside{0, room - 1};
  FormId apart = forms_.gathering.withoutTurns(
      forms_.gathering.sum({{all, 1}, {part.parent, -factor}}, 0), turn,
      /*merges=*/true);
  if (attempt.failed()) return std::nullopt;
  if (inside.contains(forms_.facts.bounds(apart))) return apart;
  if (byTurns) apart = withinTurn(pool_, apart, turn);
  if (!forms_.points.mayBeWithin(apart, inside)) return std::nullopt;
  apart = forms_.linear({{apart, 1}}, 0);
  if (attempt.failed() || !inside.contains(forms_.facts.bounds(apart)))
    return std::nullopt;
  return apart;
}

std::optional<Cut> Joins::joined(const Cut &low, int64_t carry, const Cut &high,
                                 bool byTurns) {
  if (!mayJoin(low, carry, high)) return std::nullopt;
  const int64_t period = low.stride * carry, modulus = high.modulus * carry;
  if (period % high.stride == 0) {
    const int64_t scale = period / high.stride;
    auto below = rest(low.parent, high, scale, period, scale, byTurns);
    if (!below) return std::nullopt;
    Attempt attempt(pool_);
    FormId parent = forms_.linear({{high.parent, scale}, {*below, 1}}, 0);
    if (attempt.failed() || !staysInside(parent)) return std::nullopt;
    return Cut{parent, low.stride, modulus};
  }
  // The parent of the high digit is finer than that of the low one.
  if (high.stride % period != 0) return std::nullopt;
  const int64_t finer = high.stride / period;
  if (!rest(high.parent, low, finer, high.stride, finer, byTurns))
    return std::nullopt;
  return Cut{high.parent, low.stride * finer, modulus};
}

//===-- All of a sum ------------------------------------------------------===//

/// A term of the sum: coefficient * cut, of an atom or of its reflection.
struct Joins::CutTerm {
  Cut cut;
  AtomId atom;
  int64_t coefficient;
  Interval range;
  bool isDigit, isReflected;
};

/// The digit of the terms so far, from the smallest up.
struct Joins::JoinedTerms {
  llvm::SmallVector<CutTerm, 8> terms;  // the smallest first
  Cut all;
  Interval below;
  /// The multiple that was taken out of `all`, for the terms above.
  int64_t carried = 0;
  bool isBelow(int64_t k) const {
    return below.lower >= 0 && below.hasUpper() && below.upper < k;
  }
  /// Moves a multiple of k from the constant of `all` to `carried`, so that the
  /// terms below start in [0, k). Returns false if that leaves 64 bits.
  bool carry(int64_t k, ExpressionPool &pool);
};

bool Joins::JoinedTerms::carry(int64_t k, ExpressionPool &pool) {
  auto turns = checkedMul(floorDiv(below.lower, k), k);
  auto inside = turns ? checkedMul(*turns, all.stride) : std::nullopt;
  auto sum = turns ? checkedAdd(carried, *turns) : std::nullopt;
  if (!inside || !sum) return false;
  carried = *sum;
  below = below - Interval::point(*turns);
  all.parent = pool.linear({{all.parent, 1}}, -*inside);
  return true;
}

/// Sorts the terms of the form, and starts with the constant alone.
/// A digit that is subtracted becomes its reflection, which is added. Returns
/// false if that leaves 64 bits.
bool Joins::sortTerms(FormId form, JoinedTerms &soFar) {
  int64_t constant = pool_.constant(form);
  for (const Term &term : llvm::SmallVector<Term, 8>(pool_.terms(form))) {
    CutTerm own{forms_.measures.asCut(term.atom),
                term.atom,
                term.coefficient,
                forms_.facts.ofAtom(term.atom),
                isDigit(pool_, term.atom),
                false};
    if (own.isDigit && own.coefficient < 0) {
      const int64_t k = own.coefficient = -own.coefficient;
      const int64_t left = reflect(own.cut);
      auto scaled = checkedMul(k, left);
      auto sum = scaled ? checkedAdd(constant, *scaled) : std::nullopt;
      if (!sum) return false;
      constant = *sum;
      own.range = own.range * -1 - Interval::point(left);
      own.isReflected = true;
    }
    soFar.terms.push_back(own);
  }
  std::stable_sort(soFar.terms.begin(), soFar.terms.end(),
                   [](const CutTerm &x, const CutTerm &y) {
                     auto rank = [](const CutTerm &term) {
                       return std::make_pair(std::abs(term.coefficient),
                                             !term.isDigit);
                     };
                     return rank(x) < rank(y);
                   });
  soFar.all = {pool_.constantForm(constant), 1, 0};
  soFar.below = Interval::point(constant);
  return true;
}

/// Returns the digit so far with the next term added to its parent as it is.
/// Returns nothing if that is not possible, or if the term could then not
/// cancel with terms of the parent.
std::optional<Cut> Joins::added(const JoinedTerms &soFar, const CutTerm &term) {
  const Cut &all = soFar.all;
  auto scaled = checkedMul(all.stride, term.coefficient);
  const FormId whole = pool_.atomForm(term.atom);
  if (all.modulus || !scaled || term.isReflected ||
      (all.stride > 1 && forms_.measures.haveCommonVariable(all.parent, whole)))
    return std::nullopt;
  return Cut{forms_.linear({{all.parent, 1}, {whole, *scaled}}, 0), all.stride,
             all.modulus};
}

std::optional<Cut> Joins::stacked(FormId form) {
  JoinedTerms soFar;
  if (!sortTerms(form, soFar)) return std::nullopt;
  bool isJoined = false;
  for (const CutTerm &term : soFar.terms) {
    const int64_t k = term.coefficient;
    if (term.isDigit && soFar.below.isFinite() && !soFar.all.modulus &&
        !soFar.carry(k, pool_))
      return std::nullopt;
    std::optional<Cut> next;
    if (term.isDigit && soFar.isBelow(k))
      next = k == 1 && pool_.isConstant(soFar.all.parent)
                 ? term.cut
                 : joined(soFar.all, k, term.cut);
    isJoined |= next.has_value();
    if (!next) next = added(soFar, term);
    if (!next) return std::nullopt;
    soFar.all = *next;
    soFar.below = soFar.below + term.range * k;
  }
  Cut all = soFar.all;
  auto back = checkedMul(soFar.carried, all.stride);
  if (!isJoined || !back || (soFar.carried && all.modulus)) return std::nullopt;
  if (soFar.carried) all.parent = forms_.linear({{all.parent, 1}}, *back);
  if (!staysInside(all.parent)) return std::nullopt;
  return all;
}

std::optional<Cut> Joins::joinedAll(FormId form) {
  auto [known, isNew] = all_.try_emplace(form, std::nullopt);
  if (!isNew) return known->second;
  Attempt attempt(pool_);
  std::optional<Cut> all = stacked(form);
  if (attempt.failed()) all = std::nullopt;
  return all_[form] = all;
}

//===-- Two of them -------------------------------------------------------===//

std::optional<FormId> Joins::united(AtomId low, AtomId high, int64_t ratio) {
  const Cut below = forms_.measures.asCut(low);
  const int64_t carry = std::abs(ratio);
  Cut above = forms_.measures.asCut(high);
  if (!mayJoin(below, carry, above)) return std::nullopt;
  auto [known, isNew] = united_.try_emplace({{low, high}, ratio}, std::nullopt);
  if (!isNew) return known->second;
  Attempt attempt(pool_);
  const int64_t rest = ratio < 0 ? reflect(above) : 0;
  // A digit of a parent that comes apart into these two would be written as the
  // two again.
  auto period = checkedMul(below.stride, carry);
  auto constant = checkedMul(ratio, -rest);
  if (!period || !constant) return std::nullopt;
  const int64_t scale = std::max<int64_t>(1, *period / above.stride);
  if (scale % below.stride == 0 &&
      Interval{0, scale - 1}.contains(forms_.facts.bounds(below.parent)))
    return std::nullopt;
  auto whole = joined(below, carry, above, /*byTurns=*/true);
  if (!whole) return std::nullopt;
  FormId one = forms_.digit(whole->parent, whole->stride, whole->modulus);
  one = pool_.linear({{one, 1}}, *constant);
  if (attempt.failed()) return std::nullopt;
  return united_[{{low, high}, ratio}] = one;
}

}  // namespace indexical
