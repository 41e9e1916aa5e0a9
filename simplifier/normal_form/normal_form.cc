#include "indexical/simplifier/normal_form/normal_form.h"

#include <algorithm>
#include <cstdlib>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/bounds.h"
#include "indexical/indexing/map_text.h"

namespace indexical {
namespace {

class Check {
 public:
  /// Without texts no place is written, for those of deep forms are long.
  Check(const IndexingMap &map, bool texts)
      : map_(map),
        texts_(texts),
        table_(map.expressions()),
        bounds_(table_, boundsOf_) {}

  std::vector<BrokenInvariant> run();

 private:
  void broken(const char *invariant, std::string where) {
    for (const BrokenInvariant &known : broken_)
      if (known.invariant == invariant && known.where == where) return;
    broken_.push_back({invariant, std::move(where)});
  }
  void broken(const char *invariant, FormId form) {
    broken(invariant, textOf(form));
  }
  std::string textOf(FormId form) const {
    return texts_ ? printExpression(map_, form) : "";
  }
  std::string textOfDigit(AtomId digit) const;
  std::string textOf(const Constraint &c) const {
    return texts_ ? printExpression(map_, c.form) + " in " + c.bounds.str()
                  : "";
  }

  void sum(FormId form);
  void digit(AtomId id);
  void parent(AtomId id);
  void neighbours(FormId form);
  void part(AtomId id);
  void parts(FormId form);
  void variables();
  void constraint(const Constraint &constraint);
  void oneValue(const Constraint &constraint);
  void steps(const Constraint &constraint);
  void floorInSum(const Constraint &constraint);

  bool isDigit(AtomId id) const {
    return table_.atom(id).kind == AtomKind::Digit;
  }
  Interval ofAtom(const Atom &digit) {
    const Interval floor = bounds_(digit.a).floorDiv(digit.stride);
    return digit.modulus ? floor.mod(digit.modulus) : floor;
  }

  const IndexingMap &map_;
  const bool texts_;
  const ExpressionTable &table_;
  struct {
    const IndexingMap *map;
    Interval operator()(VariableId id) const {
      return map->variable(id).bounds;
    }
  } boundsOf_{&map_};
  FormBounds bounds_;
  std::vector<BrokenInvariant> broken_;
};

std::string Check::textOfDigit(AtomId id) const {
  if (!texts_) return "";
  const Atom &digit = table_.atom(id);
  std::string text = "(" + printExpression(map_, digit.a) + ") floordiv " +
                     std::to_string(digit.stride);
  if (digit.modulus) text += " mod " + std::to_string(digit.modulus);
  return text;
}

//===-- N1, N8: sums ------------------------------------------------------===//

/// N1: terms in structural order, each atom once, with a coefficient.
void Check::sum(FormId form) {
  const llvm::ArrayRef<Term> terms = table_.terms(form);
  for (size_t i = 0; i < terms.size(); ++i) {
    const bool isAfter =
        i == 0 || table_.compareAtoms(terms[i - 1].atom, terms[i].atom) < 0;
    if (!isAfter || terms[i].coefficient == 0) return broken("N1", form);
  }
  neighbours(form);
  parts(form);
}

/// N8: no digit beside the one above it with which it would be one: k * (P mod
/// n) + k*n * (P floordiv n).
void Check::neighbours(FormId form) {
  const llvm::ArrayRef<Term> terms = table_.terms(form);
  for (const Term &low : terms)
    for (const Term &high : terms) {
      if (!isDigit(low.atom) || !isDigit(high.atom)) continue;
      const Atom &x = table_.atom(low.atom), &y = table_.atom(high.atom);
      if (x.a != y.a || !x.modulus) continue;
      auto end = checkedMul(x.stride, x.modulus);
      auto carry = checkedMul(low.coefficient, x.modulus);
      if (end && carry && y.stride == *end && high.coefficient == *carry)
        broken("N8", form);
    }
}

//===-- N14 to N16: positive parts ----------------------------------------===//

/// N14: the parent of a part has values on both sides of 0. N15: its first
/// coefficient is positive, and nothing is a factor of all of it.
void Check::part(AtomId id) {
  const FormId parent = table_.atom(id).a;
  const llvm::ArrayRef<Term> terms = table_.terms(parent);
  const Interval bounds = bounds_(parent);
  if (bounds.lower >= 0 || bounds.upper <= 0) broken("N14", parent);
  int64_t factor = table_.constant(parent);
  for (const Term &term : terms) factor = gcd(factor, term.coefficient);
  if (terms.empty() || terms[0].coefficient < 0 || factor != 1)
    broken("N15", parent);
}

/// N16: a sum has no two parts of one sum and one threshold.
void Check::parts(FormId form) {
  llvm::SmallVector<FormId, 4> parents;
  for (const Term &term : table_.terms(form))
    if (table_.atom(term.atom).kind == AtomKind::PositivePart)
      parents.push_back(table_.atom(term.atom).a);
  auto isMultiple = [&](FormId x, FormId y) {
    const llvm::ArrayRef<Term> a = table_.terms(x), b = table_.terms(y);
    if (a.empty() || a.size() != b.size()) return false;
    auto isSame = [&](__int128 of, __int128 other) {
      return of * b[0].coefficient == other * a[0].coefficient;
    };
    for (size_t i = 0; i < a.size(); ++i)
      if (a[i].atom != b[i].atom || !isSame(a[i].coefficient, b[i].coefficient))
        return false;
    return isSame(table_.constant(x), table_.constant(y));
  };
  for (size_t i = 0; i < parents.size(); ++i)
    for (size_t k = 0; k < i; ++k)
      if (isMultiple(parents[k], parents[i])) broken("N16", form);
}

//===-- N2 to N7: digits --------------------------------------------------===//

void Check::digit(AtomId id) {
  const Atom &digit = table_.atom(id);
  // N2: it divides by more than one, and something.
  if (table_.isConstant(digit.a) || digit.modulus == 1 ||
      (digit.stride == 1 && !digit.modulus))
    broken("N2", textOfDigit(id));
  // N3: a digit of a digit stands on the first parent.
  if (auto inner = table_.asAtom(digit.a); inner && isDigit(*inner))
    if (digitOfDigit(table_.atom(*inner), digit.stride, digit.modulus))
      broken("N3", textOfDigit(id));
  // N4: bounds leave it more than one value, and its remainder takes something
  // away.
  const Interval floor = bounds_(digit.a).floorDiv(digit.stride);
  if (ofAtom(digit).isPoint() ||
      (digit.modulus && Interval{0, digit.modulus - 1}.contains(floor)))
    broken("N4", textOfDigit(id));
  parent(id);
}

/// Checks the invariants of a digit's parent.
void Check::parent(AtomId id) {
  const Atom &digit = table_.atom(id);
  const llvm::ArrayRef<Term> terms = table_.terms(digit.a);
  auto period = checkedMul(digit.stride, digit.modulus ? digit.modulus : 1);
  if (!period || terms.empty()) return;
  if (!table_.isSumOfVariables(digit.a)) return;
  // N5: the first coefficient is positive.
  if (terms[0].coefficient < 0) broken("N5", textOfDigit(id));
  // N6: nothing in it is a multiple of the period, and the constant is within
  // the first period, if the sum then stays inside 64 bits. (A constraint may
  // hold a sum inside them that has no end without its multiples.)
  auto isMultiple = [&](const Term &term) {
    return term.coefficient % *period == 0;
  };
  const int64_t constant = table_.constant(digit.a);
  const bool isInside =
      (bounds_(digit.a) + Interval{-*period, *period}).isFinite();
  Interval rest = Interval::point(constant);
  for (const Term &term : terms)
    if (!isMultiple(term))
      rest = rest +
             boundsOf_(table_.atom(term.atom).variable()) * term.coefficient;
  if ((rest.isFinite() && llvm::any_of(terms, isMultiple)) ||
      (isInside && (constant < 0 || constant >= *period)))
    broken("N6", textOfDigit(id));
  // N7: the terms that are no multiples of a divisor of the stride can carry:
  // in steps of it they have more than one value.
  for (const Term &term : terms) {
    const int64_t g = gcd(digit.stride, term.coefficient);
    if (g == 1) continue;
    Interval low = Interval::point(constant);
    for (const Term &other : terms)
      if (other.coefficient % g != 0)
        low = low +
              boundsOf_(table_.atom(other.atom).variable()) * other.coefficient;
    if (low.floorDiv(g).isPoint()) broken("N7", textOfDigit(id));
  }
}

//===-- N9 to N12: the domain ---------------------------------------------===//

/// N9: a variable that has one value stands nowhere; ranges that nothing uses
/// do not either.
void Check::variables() {
  llvm::SmallVector<FormId, 8> all(map_.resultsAndMembers());
  for (const Constraint &c : map_.constraints()) all.push_back(c.form);
  for (const RuntimeVariable &v : map_.runtime())
    all.append(v.index.begin(), v.index.end());
  llvm::SmallVector<bool, 8> isUsed(map_.ranges().size(), false);
  table_.visitVariables(all, [&](VariableId id) {
    if (boundsOf_(id).isPoint()) broken("N9", map_.nameOf(id));
    if (id.kind == VariableKind::Range) isUsed[id.index] = true;
  });
  for (uint32_t i = 0; i < isUsed.size(); ++i)
    if (!isUsed[i]) broken("N9", map_.nameOf({VariableKind::Range, i}));
}

void Check::constraint(const Constraint &c) {
  const std::string text = textOf(c);
  const llvm::ArrayRef<Term> terms = table_.terms(c.form);
  // N10: no constant, no common factor, the first coefficient positive; more
  // than a variable, a floor or a part, whose bounds say it; those of a clamped
  // runtime variable are its clamp.
  int64_t factor = 0;
  for (const Term &term : terms) factor = gcd(factor, term.coefficient);
  auto single = table_.asAtom(c.form);
  const auto variable = table_.asVariable(c.form);
  const bool isClamped = variable && variable->kind == VariableKind::Runtime &&
                         map_.runtime()[variable->index].clamped;
  const bool isBounds =
      (variable && !isClamped) ||
      (single && isDigit(*single) && !table_.atom(*single).modulus) ||
      (single && table_.atom(*single).kind == AtomKind::PositivePart);
  if (terms.empty() || table_.constant(c.form) != 0 || factor != 1 ||
      terms[0].coefficient < 0 || isBounds)
    broken("N10", text);
  // N11: it says more than the bounds of the variables.
  if (c.bounds.isEmpty() || c.bounds.contains(bounds_(c.form)))
    broken("N11", text);
  oneValue(c);
  steps(c);
  floorInSum(c);
}

/// N13: no floor stands once in the sum of a constraint with several values, if
/// the sum with its parent in its place stays inside 64 bits.
void Check::floorInSum(const Constraint &c) {
  const llvm::ArrayRef<Term> terms = table_.terms(c.form);
  if (terms.size() < 2 || c.bounds.isPoint()) return;
  for (const Term &term : terms) {
    const Atom &floor = table_.atom(term.atom);
    if (floor.kind != AtomKind::Digit || floor.modulus ||
        std::abs(term.coefficient) != 1)
      continue;
    bool isInside = true;
    const int64_t k = term.coefficient * floor.stride;
    // The parent may meet the other terms, which no interval knows of.
    bool meets = false;
    Interval sum = bounds_(floor.a);
    for (const Term &other : terms) {
      if (other.atom == term.atom) continue;
      const auto scaled = checkedMul(other.coefficient, k);
      isInside &= scaled.has_value();
      if (!isInside) break;
      const Atom &atom = table_.atom(other.atom);
      if (atom.kind != AtomKind::Variable && atom.kind != AtomKind::Digit)
        return;
      sum = sum + (atom.kind == AtomKind::Variable ? boundsOf_(atom.variable())
                                                   : ofAtom(atom)) *
                      *scaled;
      for (const Term &inner : table_.terms(floor.a))
        meets |= inner.atom == other.atom;
    }
    for (int64_t end : {c.bounds.lower, c.bounds.upper})
      if (end != Interval::kMinusInfinity && end != Interval::kInfinity) {
        const auto scaled = checkedMul(end, floor.stride);
        isInside &= scaled && checkedAdd(std::abs(*scaled), floor.stride);
      }
    if (isInside && !meets && (sum.isFinite() || !bounds_(c.form).isFinite()))
      broken("N13", textOf(c));
  }
}

/// N9: a constraint leaves no range variable one value for each choice of the
/// others, unless runtime variables say so.
void Check::oneValue(const Constraint &c) {
  if (!c.bounds.isFinite() || !table_.isSumOfVariables(c.form)) return;
  llvm::SmallVector<uint32_t, 4> stays;  // in its constraint, by keys
  for (const RuntimeVariable &v : map_.runtime())
    table_.visitVariables(v.index,
                          [&](VariableId id) { stays.push_back(id.key()); });
  const llvm::ArrayRef<Term> terms = table_.terms(c.form);
  for (const Term &term : terms)
    if (table_.atom(term.atom).variable().kind == VariableKind::Runtime) return;
  for (const Term &term : terms) {
    const VariableId id = table_.atom(term.atom).variable();
    const auto width = checkedSub(c.bounds.upper, c.bounds.lower);
    if (id.kind == VariableKind::Range && width &&
        *width < std::abs(term.coefficient) &&
        !llvm::is_contained(stays, id.key()))
      broken("N9", textOf(c));
  }
}

/// N12: a dimension in steps begins and ends at one; a range in steps is dense.
void Check::steps(const Constraint &c) {
  auto single = table_.asAtom(c.form);
  if (!single || !isDigit(*single) || !c.bounds.isPoint()) return;
  const Atom &digit = table_.atom(*single);
  auto variable = table_.asVariable(digit.a);
  if (!variable || variable->kind == VariableKind::Runtime || digit.stride != 1)
    return;
  const Interval bounds = boundsOf_(*variable);
  auto isStep = [&](int64_t end) {
    return floorMod(end, digit.modulus) == c.bounds.lower;
  };
  if (variable->kind == VariableKind::Range ||
      (bounds.hasLower() && !isStep(bounds.lower)) ||
      (bounds.hasUpper() && !isStep(bounds.upper)))
    broken("N12", textOf(c));
}

std::vector<BrokenInvariant> Check::run() {
  if (map_.isKnownEmpty()) return {};
  for (FormId form = 0; form < table_.formCount(); ++form) sum(form);
  for (AtomId id = 0; id < table_.atomCount(); ++id) {
    if (isDigit(id)) digit(id);
    if (table_.atom(id).kind == AtomKind::PositivePart) part(id);
  }
  variables();
  const llvm::ArrayRef<Constraint> constraints = map_.constraints();
  for (size_t i = 0; i < constraints.size(); ++i) {
    constraint(constraints[i]);
    // N1: in structural order, each form once.
    if (i > 0 &&
        table_.compareForms(constraints[i - 1].form, constraints[i].form) >= 0)
      broken("N1", constraints[i].form);
  }
  return std::move(broken_);
}

}  // namespace

std::vector<BrokenInvariant> brokenInvariants(const IndexingMap &map) {
  return Check(map, /*texts=*/true).run();
}

bool isNormal(const IndexingMap &map) {
  return Check(map, /*texts=*/false).run().empty();
}

}  // namespace indexical
