#include "indexical/simplifier/part_rules.h"

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/piecewise.h"
#include "indexical/simplifier/canonical_form.h"

namespace indexical {
namespace {

using Form = std::optional<FormId>;
using Terms = llvm::SmallVector<Term, 8>;

bool isPart(const ExpressionTable &table, AtomId id) {
  return table.atom(id).kind == AtomKind::PositivePart;
}

size_t partCount(const ExpressionTable &table, FormId form) {
  return llvm::count_if(table.terms(form), [&](const Term &term) {
    return isPart(table, term.atom);
  });
}

//===-- Functions of one sum ----------------------------------------------===//

/// Terms of a form that are a function of one sum, and the others.
struct OfOneSum {
  FormId sum = 0;  ///< L
  Piecewise function;
  FormId others = 0;
};

/// Takes all parts whose parents are multiples of the sum L that the parent of
/// `part` is a multiple of.
std::optional<OfOneSum> partsOfOneSum(ExpressionPool &pool, FormId form,
                                      AtomId part) {
  const MultipleOfSum own = asMultiple(pool, pool.atom(part).a);
  if (own.factor == 0) return std::nullopt;
  OfOneSum found;
  Terms others, line;
  for (const Term &term : pool.terms(form)) {
    if (isPart(pool, term.atom))
      if (const MultipleOfSum other = asMultiple(pool, pool.atom(term.atom).a);
          own.isOfSameSum(other)) {
        found.function.bends.push_back(
            {term.coefficient, other.factor, -other.constant});
        continue;
      }
    others.push_back(term);
  }
  for (const Term &term : own.terms)
    line.push_back({term.atom, term.coefficient / own.factor});
  found.others = pool.form(others, pool.constant(form));
  found.sum = pool.form(line, 0);
  return found;
}

/// Writes the function of L as a form.
FormId formOf(CanonicalForms &forms, FormId sum, const Piecewise &function) {
  llvm::SmallVector<ScaledForm, 8> parts = {{sum, function.slope}};
  for (const Bend &bend : function.bends) {
    const FormId parent = forms.linear({{sum, bend.factor}}, -bend.threshold);
    parts.push_back({forms.positivePart(parent), bend.coefficient});
  }
  return forms.linear(parts, function.constant);
}

/// Returns the form as a function of one sum and no more, if it is one.
std::optional<OfOneSum> asFunction(ExpressionPool &pool, FormId form) {
  std::optional<AtomId> last;
  for (const Term &term : pool.terms(form))
    if (isPart(pool, term.atom) && (!last || *last < term.atom))
      last = term.atom;
  OfOneSum found;
  if (last) {
    const auto taken = partsOfOneSum(pool, form, *last);
    if (!taken) return std::nullopt;
    found = *taken;
  } else {
    found.others = form;
  }
  const MultipleOfSum rest = asMultiple(pool, found.others);
  found.function.slope = rest.factor;
  found.function.constant = rest.constant;
  if (rest.factor != 0) {
    if (last && !rest.isOfSameSum(asMultiple(pool, found.sum)))
      return std::nullopt;
    Terms line(rest.terms);
    for (Term &term : line) term.coefficient /= rest.factor;
    if (!last) found.sum = pool.form(line, 0);
  }
  if (!found.function.isSmall()) return std::nullopt;
  return found;
}

//===-- The rules ---------------------------------------------------------===//

Form byBounds(CanonicalForms &forms, FormId parent) {
  const Interval bounds = forms.bounds(parent);
  if (bounds.isEmpty()) return std::nullopt;
  if (bounds.lower >= 0) return parent;
  if (bounds.upper <= 0) return forms.pool().constantForm(0);
  return std::nullopt;
}

/// max(F, 0), where F has bends itself, is a function with as many at most.
/// That of a line without a value between its bend's neighbours has none.
Form ofOneSum(CanonicalForms &forms, FormId parent) {
  ExpressionPool &pool = forms.pool();
  const auto of = asFunction(pool, parent);
  if (!of || pool.terms(of->sum).empty()) return std::nullopt;
  const size_t before = of->function.bends.size();
  const auto made = of->function.positivePart(forms.bounds(of->sum));
  if (!made || made->bends.size() > (before == 0 ? 0 : before + 1))
    return std::nullopt;
  return formOf(forms, of->sum, *made);
}

/// max(-F, 0) is max(F, 0) - F.
Form turnedOver(CanonicalForms &forms, FormId parent) {
  ExpressionPool &pool = forms.pool();
  if (pool.terms(parent)[0].coefficient > 0) return std::nullopt;
  const FormId turned = forms.linear({{parent, -1}}, 0);
  return forms.linear({{parent, 1}, {forms.positivePart(turned), 1}}, 0);
}

Form withoutFactor(CanonicalForms &forms, FormId parent) {
  ExpressionPool &pool = forms.pool();
  int64_t factor = pool.constant(parent);
  for (const Term &term : pool.terms(parent))
    factor = gcd(factor, term.coefficient);
  if (factor <= 1) return std::nullopt;
  Terms terms(pool.terms(parent));
  for (Term &term : terms) term.coefficient /= factor;
  const FormId whole =
      forms.linear({{pool.form(terms, pool.constant(parent) / factor), 1}}, 0);
  return forms.linear({{forms.positivePart(whole), factor}}, 0);
}

/// max(S + c * max(G, 0), 0) is max(S + c * G, 0), if c is positive and S is
/// not where G is not. If c is negative, and S is at least 0 where G is at most
/// 0, it is S + c * max(G, 0) + max(-c * G - S, 0).
Form ofInnerPart(CanonicalForms &forms, FormId parent) {
  // Each is asked for its cases.
  constexpr size_t kMostParts = 4;
  ExpressionPool &pool = forms.pool();
  if (partCount(pool, parent) > kMostParts) return std::nullopt;
  for (const Term &term : Terms(pool.terms(parent))) {
    if (!isPart(pool, term.atom)) continue;
    const auto cases = casesOf(pool, parent, term.atom);
    if (!cases) continue;
    Interval inner = forms.bounds(cases->with);
    inner.add(
        forms.bounds(cases->parent).intersect({Interval::kMinusInfinity, 0}),
        -cases->coefficient);
    const Interval outer = forms.bounds(cases->without).intersect(inner);
    if (outer.isEmpty()) continue;
    if (cases->coefficient > 0 && outer.upper <= 0)
      return forms.positivePart(forms.linear({{cases->with, 1}}, 0));
    if (cases->coefficient > 0 || outer.lower < 0 ||
        hasPart(pool, pool.terms(cases->without)))
      continue;
    const FormId turned = forms.linear({{cases->with, -1}}, 0);
    return forms.linear({{parent, 1}, {forms.positivePart(turned), 1}}, 0);
  }
  return std::nullopt;
}

// Name; example, and what becomes of it; what it does.
constexpr PartRule kPartRules[] = {
    {"a parent of one sign", "(d0) -> (max(d0, 10)), domain: d0 in [0, 5]",
     "10", byBounds},
    {"a function of one sum, by its bends",
     "(d0) -> (max(min(max(min(d0, 9), 1), 5), 0)), domain: d0 in [-20, 20]",
     "min(max(d0, 1), 5)", ofOneSum},
    {"turned over, the first coefficient of a parent is positive",
     "(d0) -> (-min(-d0, -5)), domain: d0 in [0, 9]", "max(d0, 5)", turnedOver},
    {"a common factor of a parent goes out",
     "(d0) -> (min(d0 * 4, 20)), domain: d0 in [0, 9]", "min(d0, 5) * 4",
     withoutFactor},
    {"a part in a part, by the inner one's bounds",
     "(d0, d1) -> (max(max(d0, d1) - 9, 0)), domain: d0 in [0, 20], d1 in [0, "
     "9]",
     "max(d0 - 9, 0)", ofInnerPart},
};

}  // namespace

llvm::ArrayRef<PartRule> partRules() { return kPartRules; }

std::optional<FormId> withFewerParts(CanonicalForms &forms, FormId sum) {
  constexpr size_t kMostGathered = 32;
  ExpressionPool &pool = forms.pool();
  if (partCount(pool, sum) > kMostGathered) return std::nullopt;
  for (const Term &term : Terms(pool.terms(sum))) {
    if (!isPart(pool, term.atom)) continue;
    const auto of = partsOfOneSum(pool, sum, term.atom);
    if (!of || of->function.bends.size() < 2 || !of->function.isSmall())
      continue;
    const auto made = of->function.reduced(forms.bounds(of->sum));
    if (!made || made->bends.size() >= of->function.bends.size()) continue;
    return forms.linear({{of->others, 1}, {formOf(forms, of->sum, *made), 1}},
                        0);
  }
  return std::nullopt;
}

std::optional<PartCases> casesOf(ExpressionPool &pool, FormId form,
                                 AtomId part) {
  Attempt attempt(pool);
  PartCases cases;
  cases.parent = pool.atom(part).a;
  cases.coefficient = 0;
  for (const Term &term : pool.terms(form))
    if (term.atom == part) cases.coefficient = term.coefficient;
  cases.without =
      pool.linear({{form, 1}, {pool.atomForm(part), -cases.coefficient}}, 0);
  cases.with =
      pool.linear({{cases.without, 1}, {cases.parent, cases.coefficient}}, 0);
  if (attempt.failed()) return std::nullopt;
  return cases;
}

}  // namespace indexical
