#include "indexical/simplifier/facts.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/bounds.h"
#include "indexical/indexing/fold.h"
#include "indexical/simplifier/congruence.h"
#include "indexical/simplifier/measures.h"

namespace indexical {
namespace {

/// The common factor of the terms, of the first one's sign.
int64_t factorOf(llvm::ArrayRef<Term> terms) {
  int64_t factor = 0;
  for (const Term &term : terms) factor = gcd(factor, term.coefficient);
  return !terms.empty() && terms[0].coefficient < 0 ? -factor : factor;
}

/// Returns the residue of `factor` times a form that has this residue, or
/// nothing if that leaves 64 bits.
std::optional<Residue> scaled(Residue residue, int64_t factor) {
  auto modulus = checkedMul(residue.modulus, std::abs(factor));
  auto remainder = checkedMul(residue.remainder, factor);
  if (!modulus || !remainder) return std::nullopt;
  return Residue{*modulus, floorMod(*remainder, *modulus)};
}

Residue sum(Residue a, Residue b) {
  int64_t modulus = gcd(a.modulus, b.modulus);
  auto total = checkedAdd(a.remainder, b.remainder);
  if (!total) return {};
  return {modulus, modulus ? floorMod(*total, modulus) : *total};
}

}  // namespace

void Facts::restart(const VariableBounds &box) {
  box_ = &box;
  forms_.restart();
  atoms_.restart();
  facts_.clear();
  sums_.clear();
  sizes_ = 0;
  residues_.clear();
  knownDigits_.clear();
}

//===-- Bounds ------------------------------------------------------------===//

Interval Facts::ofTerms(llvm::ArrayRef<Term> terms, int64_t constant) {
  Interval sum = Interval::point(constant);
  for (const Term &term : terms) sum.add(ofAtom(term.atom), term.coefficient);
  return sum;
}

Interval Facts::ofSum(llvm::ArrayRef<Term> terms, int64_t constant) {
  if (!pool_.haveParts() || !hasPart(pool_, terms))
    return ofTerms(terms, constant);
  const llvm::SmallVector<Term, 8> all(terms);
  const Interval sum = ofTerms(all, constant);
  if (sum.isEmpty()) return sum;
  return sum.intersect(boundsWithParts(
      pool_, all, constant, [this](AtomId id) { return ofAtom(id); }));
}

Interval Facts::findBounds(FormId form) {
  // The terms may move while atoms are asked for their bounds.
  llvm::SmallVector<Term, 8> terms(pool_.terms(form));
  Interval result = ofSum(terms, pool_.constant(form));
  if (sizes_ >> std::min<size_t>(63, terms.size()) & 1)
    result = byFacts(form, result);
  if (!sums_.empty() && terms.size() > 2)
    result = result.intersect(byParts(terms, pool_.constant(form)));
  return forms_[form].bounds = result;
}

/// Some of the terms may be a multiple of a sum that is known: with d1 + d2 in
/// [0, 3], d0 * 4 + d1 + d2 is in [0, 7] for d0 in [0, 1].
Interval Facts::byParts(llvm::ArrayRef<Term> terms, int64_t constant) {
  llvm::SmallVector<Term, 8> rest(terms);
  Interval sum = Interval::point(constant);
  for (const Constraint &fact : sums_) {
    const llvm::SmallVector<Term, 8> part(pool_.terms(fact.form));
    if (part.size() >= terms.size() || part.size() > rest.size()) continue;
    auto inRest = [&](const Term &term) {
      return llvm::find_if(
          rest, [&](const Term &other) { return other.atom == term.atom; });
    };
    const auto first = inRest(part[0]);
    if (first == rest.end()) continue;
    const int64_t factor = first->coefficient / part[0].coefficient;
    auto isThere = [&](const Term &term) {
      const auto found = inRest(term);
      return found != rest.end() &&
             checkedMul(term.coefficient, factor) == found->coefficient;
    };
    if (factor == 0 || !llvm::all_of(part, isThere)) continue;
    sum.add(bounds(fact.form), factor);
    for (const Term &term : part) rest.erase(inRest(term));
  }
  if (rest.size() == terms.size()) return Interval::all();
  for (const Term &term : rest) sum.add(ofAtom(term.atom), term.coefficient);
  return sum;
}

/// A fact is stored without constant, divided by its factor, lead positive.
Interval Facts::byFacts(FormId form, Interval bounds) {
  llvm::SmallVector<Term, 8> terms(pool_.terms(form));
  const int64_t g = factorOf(terms);
  for (Term &term : terms) term.coefficient /= g;
  auto fact = facts_.find(pool_.form(terms, 0));
  if (fact == facts_.end()) return bounds;
  return bounds.intersect(fact->second * g +
                          Interval::point(pool_.constant(form)));
}

Interval Facts::findAtom(AtomId id) {
  const Atom a = pool_.atom(id);
  auto boundsOf = [this](FormId form) { return bounds(form); };
  Interval result = valueOfAtom(a, IntervalsInBox{{}, *box_}, boundsOf);
  if (!facts_.empty())
    if (auto fact = facts_.find(pool_.atomForm(id)); fact != facts_.end())
      result = result.intersect(fact->second);
  return atoms_[id].bounds = result;
}

//===-- Facts -------------------------------------------------------------===//

void Facts::add(FormId form, Interval bounds) {
  const auto digit = asDigit(pool_, form);
  if (digit && bounds.isPoint()) {
    if (digit->stride == 1) {
      // A known value of the lowest digit is a residue.
      const int64_t constant = pool_.constant(digit->parent);
      const int64_t rest = floorMod(constant, digit->modulus);
      residues_[pool_.linear({{digit->parent, 1}}, -constant)] = {
          digit->modulus, floorMod(bounds.lower - rest, digit->modulus)};
    } else {
      knownDigits_.push_back(*pool_.asAtom(form));
    }
  }
  sizes_ |= uint64_t{1} << std::min<size_t>(63, pool_.terms(form).size());
  auto [fact, isNew] = facts_.try_emplace(form, bounds);
  if (!isNew) fact->second = fact->second.intersect(bounds);
  if (!isNew || pool_.terms(form).size() < 2) return;
  auto isBefore = [&](const Constraint &x, const Constraint &y) {
    return pool_.compareForms(x.form, y.form) < 0;
  };
  const Constraint added{form, bounds};
  sums_.insert(std::upper_bound(sums_.begin(), sums_.end(), added, isBefore),
               added);
}

llvm::SmallVector<Constraint, 8> Facts::all() const {
  llvm::SmallVector<Constraint, 8> all;
  for (const auto &[form, bounds] : facts_) all.push_back({form, bounds});
  return all;
}

bool Facts::areEquations() const {
  return llvm::any_of(facts_, [&](const auto &fact) {
    return !pool_.isSumOfVariables(fact.first) ||
           llvm::any_of(pool_.terms(fact.first), [&](const Term &term) {
             return fact.second.count() <= std::abs(term.coefficient);
           });
  });
}

int64_t Facts::valueOfKnown(AtomId digit) {
  return facts_.find(pool_.atomForm(digit))->second.lower;
}

//===-- Residues ----------------------------------------------------------===//

Residue Facts::atomResidue(AtomId id) {
  auto known = residues_.find(pool_.atomForm(id));
  if (known != residues_.end()) return known->second;
  const Atom a = pool_.atom(id);
  if (a.kind == AtomKind::PositivePart) {
    // It is 0, or its parent.
    const Residue parent = residue(a.a);
    return parent.modulus > 1 && parent.remainder == 0 ? parent : Residue();
  }
  if (a.kind != AtomKind::Digit) return {};
  // (stride * q + r) floordiv stride: exact if the stride divides.
  const Residue parent = residue(a.a);
  if (parent.modulus == 0 || parent.modulus % a.stride != 0) return {};
  int64_t modulus = parent.modulus / a.stride;
  if (a.modulus) modulus = gcd(modulus, a.modulus);
  return {modulus, floorMod(parent.remainder / a.stride, modulus)};
}

Residue Facts::residue(FormId form) {
  Residue total{0, pool_.constant(form)};
  if (residues_.empty()) return pool_.isConstant(form) ? total : Residue();
  const FormId base = pool_.linear({{form, 1}}, -pool_.constant(form));
  if (auto known = residues_.find(base); known != residues_.end())
    return sum(total, known->second);
  llvm::SmallVector<Term, 8> terms(pool_.terms(form));
  // The form may be a multiple of one whose residue is known, or the negative
  // of a multiple.
  const int64_t factor = factorOf(terms);
  if (!terms.empty() && factor != 1) {
    llvm::SmallVector<Term, 8> parts = terms;
    for (Term &term : parts) term.coefficient /= factor;
    if (auto known = residues_.find(pool_.form(parts, 0));
        known != residues_.end()) {
      auto multiple = scaled(known->second, factor);
      return multiple ? sum(total, *multiple) : Residue();
    }
  }
  for (const Term &term : terms) {
    auto part = scaled(atomResidue(term.atom), term.coefficient);
    if (!part) return {};
    total = sum(total, *part);
  }
  return total.modulus == 1 ? residueByTurns(terms, pool_.constant(form))
                            : total;
}

/// Returns the residue of a sum that is one of known residue but for whole
/// turns, or the negative of one: with (d0 + d1) mod 3 in [1, 1], d0 * 4 + d1
/// is 1 mod 3, too. Of several, the one of the greatest modulus.
Residue Facts::residueByTurns(llvm::ArrayRef<Term> terms, int64_t constant) {
  Residue best;
  for (const auto &[form, known] : residues_) {
    if (known.modulus <= best.modulus) continue;
    for (int64_t sign : {1, -1}) {
      if (!areSameByTurns(terms, pool_.terms(form), sign, known.modulus))
        continue;
      best =
          sum({0, constant},
              {known.modulus, floorMod(sign * known.remainder, known.modulus)});
      break;
    }
  }
  return best;
}

}  // namespace indexical
