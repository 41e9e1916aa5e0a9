#include "indexical/simplifier/facts.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/bounds.h"
#include "indexical/indexing/fold.h"

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
  sizes_ = 0;
  residues_.clear();
  knownDigits_.clear();
}

//===-- Bounds ------------------------------------------------------------===//

Interval Facts::ofSum(llvm::ArrayRef<Term> terms, int64_t constant) {
  Interval sum = Interval::point(constant);
  for (const Term &term : terms) sum.add(ofAtom(term.atom), term.coefficient);
  return sum;
}

Interval Facts::findBounds(FormId form) {
  // The terms may move while atoms are asked for their bounds.
  llvm::SmallVector<Term, 8> terms(pool_.terms(form));
  Interval result = ofSum(terms, pool_.constant(form));
  if (sizes_ >> std::min<size_t>(63, terms.size()) & 1)
    result = byFacts(form, result);
  return forms_[form].bounds = result;
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
  auto single = pool_.asAtom(form);
  if (single && pool_.atom(*single).kind == AtomKind::Digit &&
      bounds.isPoint()) {
    const Atom a = pool_.atom(*single);
    if (a.stride == 1) {
      // A known value of the lowest digit is a residue.
      const int64_t constant = pool_.constant(a.a);
      const int64_t rest = floorMod(constant, a.modulus);
      residues_[pool_.linear({{a.a, 1}}, -constant)] = {
          a.modulus, floorMod(bounds.lower - rest, a.modulus)};
    } else {
      knownDigits_.push_back(*single);
    }
  }
  sizes_ |= uint64_t{1} << std::min<size_t>(63, pool_.terms(form).size());
  auto [fact, isNew] = facts_.try_emplace(form, bounds);
  if (!isNew) fact->second = fact->second.intersect(bounds);
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
  return total;
}

}  // namespace indexical
