#include "indexical/simplifier/canonical_form.h"

#include <algorithm>

#include "indexical/indexing/arithmetic.h"

namespace indexical {

FormId CanonicalForms::variable(VariableId id) {
  const Interval &bounds = (*box_)[id];
  if (!foldPoints || !bounds.isPoint()) return pool_.variable(id);
  FormId value = pool_.constantForm(bounds.lower);
  if (recorder) {
    const std::string name = recorder->text(pool_.variable(id));
    recorder->add({"one value", name, recorder->text(value),
                   name + " in " + bounds.str()});
  }
  return value;
}

// What is found may divide exactly where what it came from did not.
static constexpr int kMostDivisions = 4;

FormId CanonicalForms::linear(llvm::ArrayRef<ScaledForm> parts,
                              int64_t constant) {
  FormId raw = pool_.linear(parts, constant);
  auto hasDigit = [&] {
    for (const Term &term : pool_.terms(raw))
      if (isDigit(term.atom)) return true;
    return false;
  };
  if (!hasDigit()) return raw;
  if (FormId known = memo(raw).normal; known != kNotYet) return known;
  if (pool_.overflowed()) return raw;
  FormId form = attempted(raw, [&] {
    const FormId all = pool_.terms(raw).size() > 1 ? gather(raw) : raw;
    return residues_.empty() ? all : divideExactly(all);
  });
  if (form != raw && leaves64Bits(form, raw)) form = raw;
  memo(raw).normal = form;  // what the search meets on its way back to here
  if (recorder) explainForm("digits of one parent, gathered", raw, form);
  const FormId gathered = form;
  form = search(form);
  for (int i = 0; i < kMostDivisions && !residues_.empty(); ++i) {
    const FormId divided = attempted(form, [&] { return divideExactly(form); });
    if (divided == form) break;
    form = search(attempted(divided, [&] { return gather(divided); }));
  }
  if (recorder) explainForm("digits cut otherwise", gathered, form);
  memo(raw).normal = form;
  memo(form).normal = form;
  return form;
}

/// What `make` makes, or the form as it is where that leaves 64 bits. What is
/// made after that, while an attempt has failed, is of no use.
FormId CanonicalForms::attempted(FormId form,
                                 llvm::function_ref<FormId()> make) {
  Attempt attempt(pool_);
  const FormId made = make();
  return attempt.failed() ? form : made;
}

/// Whether the form, or what its digits stand on, can leave 64 bits where what
/// it was made of does not: (d0 - 1) floordiv n must not become
/// (d0 + n - 1) floordiv n - 1 there. What could be computed before must still
/// be.
bool CanonicalForms::leaves64Bits(FormId form, FormId before) {
  bool isInside = bounds(form).isFinite();
  // The terms may move while parents are asked for their bounds.
  for (size_t i = 0; isInside && i < pool_.terms(form).size(); ++i) {
    const AtomId id = pool_.terms(form)[i].atom;
    isInside = !isDigit(id) || bounds(atom(id).a).isFinite();
  }
  return !isInside && bounds(before).isFinite();
}

/// Some terms of the form, divided by a common factor. What would make them
/// better would have made a dense form better, where that was searched for: it
/// has no slack, so that only what is shorter to read is better.
FormId CanonicalForms::partOf(FormId form, llvm::MutableArrayRef<Term> terms,
                              int64_t constant) {
  const FormId part = pool_.form(terms, constant);
  if (!facts_.empty() || !memo(form).isSearched || !isDense(form) ||
      memo(part).normal != kNotYet)
    return linear({{part, 1}}, 0);
  memo(part).isSearched = true;
  return memo(part).normal = part;
}

void CanonicalForms::restart(const VariableBounds &box) {
  box_ = &box;
  foldPoints = true;
  atoms_.clear();
  forms_.clear();
  samples_.clear();
  areDrawn_ = false;
  found_.clear();
  hasAllPoints_ = false;
  facts_.clear();
  factSizes_ = 0;
  residues_.clear();
  knownDigits_.clear();
  united_.clear();
  joinedAll_.clear();
  rules_.clear();
  recorder = nullptr;
  steps_ = 0;
}

void CanonicalForms::assumeCanonical(FormId form) {
  if (memo(form).normal == form) return;
  memo(form).normal = form;
  memo(form).isSearched = true;
  for (const Term &term : llvm::SmallVector<Term, 8>(pool_.terms(form))) {
    const Atom a = atom(term.atom);
    if (a.kind == AtomKind::Variable) continue;
    if (a.kind == AtomKind::Digit)
      atomMemo(term.atom).digit = pool_.atomForm(term.atom);
    else
      assumeCanonical(a.b);
    assumeCanonical(a.a);
  }
}

FormId CanonicalForms::product(FormId a, FormId b) {
  if (pool_.isConstant(a)) return linear({{b, pool_.constant(a)}}, 0);
  if (pool_.isConstant(b)) return linear({{a, pool_.constant(b)}}, 0);
  // A constant factor inside goes out: (2*d0) * s0 is 2 * (d0 * s0).
  int64_t factor = 1;
  for (FormId *form : {&a, &b}) {
    int64_t g = pool_.constant(*form);
    for (const Term &term : pool_.terms(*form)) g = gcd(g, term.coefficient);
    if (pool_.terms(*form)[0].coefficient < 0) g = -g;
    if (g == 1) continue;
    auto scaled = checkedMul(factor, g);
    if (!scaled) continue;
    factor = *scaled;
    llvm::SmallVector<Term, 8> terms(pool_.terms(*form));
    for (Term &term : terms) term.coefficient /= g;
    *form = pool_.form(terms, pool_.constant(*form) / g);
  }
  return linear({{pool_.product(a, b), factor}}, 0);
}

FormId CanonicalForms::quotient(FormId a, FormId b) {
  if (pool_.isConstant(b) && pool_.constant(b) != 0 &&
      pool_.constant(b) != INT64_MIN)
    return floorDivBy(a, pool_.constant(b));
  if (a == b) return pool_.constantForm(1);  // a divisor is not zero
  Interval numerator = bounds(a), divisor = bounds(b);
  if (numerator.lower >= 0 && divisor.hasLower() && numerator.hasUpper() &&
      numerator.upper < divisor.lower)
    return pool_.constantForm(0);
  return pool_.quotient(a, b);
}

FormId CanonicalForms::remainder(FormId a, FormId b) {
  if (pool_.isConstant(b) && pool_.constant(b) > 0)
    return digit(a, 1, pool_.constant(b));
  if (a == b) return pool_.constantForm(0);
  Interval numerator = bounds(a), divisor = bounds(b);
  if (numerator.lower >= 0 && divisor.hasLower() && numerator.hasUpper() &&
      numerator.upper < divisor.lower)
    return a;
  return pool_.remainder(a, b);
}

//===-- Bounds ------------------------------------------------------------===//

Interval CanonicalForms::termBounds(llvm::ArrayRef<Term> terms,
                                    int64_t constant) {
  Interval sum = Interval::point(constant);
  for (const Term &term : terms)
    sum.add(atomBounds(term.atom), term.coefficient);
  return sum;
}

Interval CanonicalForms::bounds(FormId form) {
  if (const FormMemo &known = memo(form); !known.bounds.isEmpty())
    return known.bounds;
  // The terms may move while atoms are asked for their bounds.
  llvm::SmallVector<Term, 8> terms(pool_.terms(form));
  Interval result = termBounds(terms, pool_.constant(form));
  if (factSizes_ >> std::min<size_t>(63, terms.size()) & 1)
    result = boundsByFacts(form, result);
  return memo(form).bounds = result;
}

/// A fact is stored without constant, divided by its factor, lead positive.
Interval CanonicalForms::boundsByFacts(FormId form, Interval bounds) {
  llvm::SmallVector<Term, 8> terms(pool_.terms(form));
  int64_t g = 0;
  for (const Term &term : terms) g = gcd(g, term.coefficient);
  if (terms[0].coefficient < 0) g = -g;
  for (Term &term : terms) term.coefficient /= g;
  auto fact = facts_.find(pool_.form(terms, 0));
  if (fact == facts_.end()) return bounds;
  return bounds.intersect(fact->second * g +
                          Interval::point(pool_.constant(form)));
}

void CanonicalForms::addFact(FormId form, Interval bounds) {
  auto single = pool_.asAtom(form);
  if (single && isDigit(*single) && atom(*single).stride == 1 &&
      bounds.isPoint()) {
    const Atom a = atom(*single);
    const int64_t constant = pool_.constant(a.a);
    const int64_t rest = floorMod(constant, a.modulus);
    residues_[pool_.linear({{a.a, 1}}, -constant)] = {
        a.modulus, floorMod(bounds.lower - rest, a.modulus)};
  }
  // What is known of the lowest digit is a residue.
  if (single && isDigit(*single) && bounds.isPoint() &&
      atom(*single).stride != 1)
    knownDigits_.push_back(*single);
  factSizes_ |= uint64_t{1} << std::min<size_t>(63, pool_.terms(form).size());
  auto [fact, isNew] = facts_.try_emplace(form, bounds);
  if (!isNew) fact->second = fact->second.intersect(bounds);
}

Interval CanonicalForms::atomBounds(AtomId id) {
  if (const AtomMemo &known = atomMemo(id); !known.bounds.isEmpty())
    return known.bounds;
  Atom a = atom(id);
  Interval result = Interval::all();
  switch (a.kind) {
    case AtomKind::Variable:
      result = (*box_)[a.variable()];
      break;
    case AtomKind::Digit:
      result = bounds(a.a).floorDiv(a.stride);
      if (a.modulus) result = result.mod(a.modulus);
      break;
    case AtomKind::Product:
      result = bounds(a.a) * bounds(a.b);
      break;
    case AtomKind::Quotient: {
      Interval divisor = bounds(a.b);
      if (!divisor.contains(0)) result = bounds(a.a).floorDiv(divisor);
      break;
    }
    case AtomKind::Remainder: {
      Interval divisor = bounds(a.b);
      result = {0,
                divisor.hasUpper() ? divisor.upper - 1 : Interval::kInfinity};
      break;
    }
  }
  if (!facts_.empty())
    if (auto fact = facts_.find(pool_.atomForm(id)); fact != facts_.end())
      result = result.intersect(fact->second);
  return atomMemo(id).bounds = result;
}

/// A bit for each variable: two forms without a common bit have none in common.
uint64_t CanonicalForms::variablesOf(FormId form) {
  if (uint64_t known = memo(form).variables) return known;
  uint64_t all = uint64_t{1} << 63;  // there always, so that 0 is "not yet"
  for (const Term &term : llvm::SmallVector<Term, 8>(pool_.terms(form))) {
    const Atom a = atom(term.atom);
    if (a.kind == AtomKind::Variable) {
      const VariableId id = a.variable();
      all |= uint64_t{1} << (id.index * 3 + static_cast<int>(id.kind)) % 63;
      continue;
    }
    all |= variablesOf(a.a);
    if (a.kind != AtomKind::Digit) all |= variablesOf(a.b);
  }
  return memo(form).variables = all;
}

bool CanonicalForms::standsOn(FormId form, FormId parent) const {
  for (const Term &term : pool_.terms(form))
    if (isDigit(term.atom) && atom(term.atom).a == parent) return true;
  return false;
}

//===-- The record of why -------------------------------------------------===//

void CanonicalForms::explainDigit(const char *rule, FormId parent,
                                  int64_t stride, int64_t modulus,
                                  FormId form) {
  std::string because;
  for (const Term &term : llvm::SmallVector<Term, 8>(pool_.terms(parent)))
    because += (because.empty() ? "" : ", ") +
               recorder->text(pool_.atomForm(term.atom)) + " in " +
               atomBounds(term.atom).str();
  Atom raw;
  raw.kind = AtomKind::Digit;
  raw.a = parent;
  raw.stride = stride;
  raw.modulus = modulus;
  recorder->add({rule, recorder->text(pool_.atomForm(pool_.internAtom(raw))),
                 recorder->text(form), std::move(because)});
}

void CanonicalForms::explainForm(const char *rule, FormId before,
                                 FormId after) {
  if (before == after) return;
  recorder->add({rule, recorder->text(before), recorder->text(after),
                 "in " + bounds(after).str()});
}

//===-- Residues ----------------------------------------------------------===//

namespace {

/// The residue of `factor` times a form that has this residue; nothing where
/// that leaves 64 bits.
std::optional<CanonicalForms::Residue> scaled(CanonicalForms::Residue residue,
                                              int64_t factor) {
  auto modulus = checkedMul(residue.modulus, std::abs(factor));
  auto remainder = checkedMul(residue.remainder, factor);
  if (!modulus || !remainder) return std::nullopt;
  return CanonicalForms::Residue{*modulus, floorMod(*remainder, *modulus)};
}

}  // namespace

CanonicalForms::Residue CanonicalForms::sum(Residue a, Residue b) {
  int64_t modulus = gcd(a.modulus, b.modulus);
  auto total = checkedAdd(a.remainder, b.remainder);
  if (!total) return {};
  return {modulus, modulus ? floorMod(*total, modulus) : *total};
}

CanonicalForms::Residue CanonicalForms::atomResidue(AtomId id) {
  auto known = residues_.find(pool_.atomForm(id));
  if (known != residues_.end()) return known->second;
  Atom a = atom(id);
  if (a.kind != AtomKind::Digit) return {};
  // (stride * q + r) floordiv stride: exact where the stride divides.
  Residue parent = residue(a.a);
  if (parent.modulus == 0 || parent.modulus % a.stride != 0) return {};
  int64_t modulus = parent.modulus / a.stride;
  if (a.modulus) modulus = gcd(modulus, a.modulus);
  return {modulus, floorMod(parent.remainder / a.stride, modulus)};
}

CanonicalForms::Residue CanonicalForms::residue(FormId form) {
  Residue total{0, pool_.constant(form)};
  if (residues_.empty()) return pool_.isConstant(form) ? total : Residue();
  FormId base = pool_.linear({{form, 1}}, -pool_.constant(form));
  if (auto known = residues_.find(base); known != residues_.end())
    return sum(total, known->second);
  llvm::SmallVector<Term, 8> terms(pool_.terms(form));
  // The form may be a multiple of one whose residue is known, or the negative
  // of a multiple.
  int64_t factor = 0;
  for (const Term &term : terms) factor = gcd(factor, term.coefficient);
  if (!terms.empty() && terms[0].coefficient < 0) factor = -factor;
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
