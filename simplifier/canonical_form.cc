#include "indexical/simplifier/canonical_form.h"

#include <algorithm>

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/bounds.h"
#include "indexical/simplifier/open_radix.h"
#include "indexical/simplifier/part_rules.h"

namespace indexical {
namespace {

constexpr FormId kNotYet = FormMemos::kNotYet;

/// Whether the parent of one of the sum's digits shares a term with the sum,
/// which then may be another digit of that parent.
bool mayBeItsDigits(const ExpressionTable &table, llvm::ArrayRef<Term> terms) {
  auto isInside = [&](FormId parent) {
    return llvm::any_of(table.terms(parent), [&](const Term &inner) {
      return llvm::any_of(terms, [&](const Term &term) {
        return term.atom == inner.atom &&
               term.coefficient % inner.coefficient == 0;
      });
    });
  };
  return llvm::any_of(terms, [&](const Term &term) {
    if (!isDigit(table, term.atom)) return false;
    const FormId parent = table.atom(term.atom).a;
    return !table.asAtom(parent) && isInside(parent);
  });
}

}  // namespace

CanonicalForms::CanonicalForms(ExpressionPool &pool, const VariableBounds &box)
    : facts(pool, box),
      measures(pool, facts),
      points(pool, facts),
      gathering(*this, pool),
      joins(*this, pool),
      rules(*this),
      search(*this),
      pool_(pool) {}

void CanonicalForms::restart(const VariableBounds &box) {
  facts.restart(box);
  measures.restart();
  points.restart();
  joins.restart();
  rules.restart();
  memos_.sums.restart();
  memos_.digits.restart();
  foldPoints = true;
  recorder = nullptr;
  steps = 0;
}

//===-- Variables and sums ------------------------------------------------===//

FormId CanonicalForms::variable(VariableId id) {
  const Interval &bounds = facts.box()[id];
  if (!foldPoints || !bounds.isPoint()) return pool_.variable(id);
  FormId value = pool_.constantForm(bounds.lower);
  if (recorder) {
    const std::string name = recorder->text(pool_.variable(id));
    recorder->add({"one value", name, recorder->text(value),
                   name + " in " + bounds.str()});
  }
  return value;
}

FormId CanonicalForms::linear(llvm::ArrayRef<ScaledForm> parts,
                              int64_t constant) {
  const FormId raw = pool_.linear(parts, constant);
  if (pool_.haveParts() && hasPart(pool_, pool_.terms(raw))) {
    const FormId fewer = attempted(
        pool_, raw, [&] { return withFewerParts(*this, raw).value_or(raw); });
    if (fewer != raw && !leaves64Bits(*this, fewer, raw)) {
      if (recorder)
        explainForm(*this, "parts of one sum, by its bends", raw, fewer);
      return fewer;
    }
  }
  if (mayJoinOpen(pool_, raw)) {
    if (FormId known = memos_.sums[raw].canonical; known != kNotYet)
      return known;
    if (const auto joined = openJoined(*this, raw)) {
      if (recorder)
        explainForm(*this, "a quotient by a size meets its remainder", raw,
                    *joined);
      return memos_.sums[raw].canonical = *joined;
    }
  }
  if (measures.isPlain(raw)) return raw;
  if (FormId known = memos_.sums[raw].canonical; known != kNotYet) return known;
  if (pool_.overflowed()) return raw;
  const bool divides = facts.haveResidues();
  FormId form = attempted(pool_, raw, [&] {
    const FormId all = pool_.terms(raw).size() > 1 ? gathering(raw) : raw;
    return divides ? gathering.dividedExactly(all) : all;
  });
  if (form != raw && leaves64Bits(*this, form, raw)) form = raw;
  if (recorder) explainForm(*this, "digits of one parent, gathered", raw, form);
  // Not remembered: asked for once more, it may be searched.
  if (!search.mayBegin(form)) return form;
  memos_.sums[raw].canonical = form;  // what the search meets on its way back
  form = search(form);
  // A form that was divided may divide exactly again. The search may also take
  // the division back: only a better form counts.
  while (divides) {
    const FormId divided =
        attempted(pool_, form, [&] { return gathering.dividedExactly(form); });
    if (divided == form) break;
    const FormId next =
        search(attempted(pool_, divided, [&] { return gathering(divided); }));
    if (!search.isBetter(next, form)) break;
    explainForm(*this, "exact divisions", form, divided);
    form = next;
  }
  memos_.sums[raw].canonical = form;
  memos_.sums[form].canonical = form;
  return form;
}

/// A part of a dense form that was searched is taken as canonical: the form has
/// no slack, so a better part would have made the form better. But if the part
/// may be digits of another parent, it is made anew: in the form these may have
/// met terms that are not in the part.
FormId CanonicalForms::partOf(FormId form, llvm::MutableArrayRef<Term> terms,
                              int64_t constant) {
  const FormId part = pool_.form(terms, constant);
  if (!facts.areNone() || !memos_.sums[form].isSearched ||
      !measures.isDense(form) || memos_.sums[part].canonical != kNotYet ||
      mayBeItsDigits(pool_, terms))
    return linear({{part, 1}}, 0);
  memos_.sums[part].isSearched = true;
  return memos_.sums[part].canonical = part;
}

void CanonicalForms::assumeCanonical(FormId form) {
  if (memos_.sums[form].canonical == form) return;
  memos_.sums[form] = {form, /*isSearched=*/true};
  for (const Term &term : llvm::SmallVector<Term, 8>(pool_.terms(form))) {
    const Atom a = pool_.atom(term.atom);
    if (a.kind == AtomKind::Digit || a.kind == AtomKind::PositivePart)
      memos_.digits[term.atom].canonical = pool_.atomForm(term.atom);
    for (const FormId operand : a.operands()) assumeCanonical(operand);
  }
}

//===-- Digits ------------------------------------------------------------===//

FormId CanonicalForms::digit(FormId form, int64_t stride, int64_t modulus) {
  if (modulus == 1) return pool_.constantForm(0);
  if (pool_.isConstant(form)) return pool_.digit(form, stride, modulus);
  const Interval range = bounds(form).floorDiv(stride);
  if (modulus && range.lower >= 0 && range.hasUpper() &&
      range.upper < modulus) {
    if (recorder)
      explainDigit(*this, "below the modulus", {form, stride, modulus},
                   pool_.digit(form, stride, 0));
    modulus = 0;
  }
  if (stride == 1 && modulus == 0) return form;
  if (modulus && !checkedMul(stride, modulus))
    return pool_.digit(form, stride, modulus);

  if (const auto open = openDigit(*this, form, stride, modulus)) return *open;
  auto inner = digitOfDigit(form, stride, modulus);
  if (!inner) return digitOfParent({form, stride, modulus});
  if (recorder)
    explainDigit(*this, "a digit of a digit", {form, stride, modulus}, *inner);
  return *inner;
}

/// A digit of a digit stays with the first parent.
std::optional<FormId> CanonicalForms::digitOfDigit(FormId form, int64_t stride,
                                                   int64_t modulus) {
  auto single = pool_.asAtom(form);
  if (!single || !isDigit(pool_, *single)) return std::nullopt;
  const Atom inner = pool_.atom(*single);
  if (auto one = indexical::digitOfDigit(inner, stride, modulus))
    return digit(one->a, one->stride, one->modulus);
  if (inner.modulus == 0) return pool_.digit(form, stride, modulus);
  auto both = checkedMul(inner.stride, stride);
  if (!both || stride == 1 || inner.modulus % stride != 0 ||
      !checkedMul(inner.stride, inner.modulus))
    return std::nullopt;
  return digit(digit(inner.a, *both, inner.modulus / stride), 1, modulus);
}

FormId CanonicalForms::digitOfParent(const Cut &cut) {
  Atom key;
  key.kind = AtomKind::Digit;
  key.a = cut.parent;
  key.stride = cut.stride;
  key.modulus = cut.modulus;
  const AtomId id = pool_.internAtom(key);
  if (FormId known = memos_.digits[id].canonical; known != kNotYet) {
    if (recorder) rules.explainAgain(id, cut, known);
    return known;
  }
  // Remembered before the rules run: a digit that they meet on the way stands
  // for itself.
  const FormId unchanged = pool_.atomForm(id);
  memos_.digits[id].canonical = unchanged;
  if (pool_.overflowed()) return unchanged;
  FormId form = attempted(pool_, unchanged,
                          [&] { return rules(cut).value_or(unchanged); });
  if (const Interval range = bounds(form); range.isPoint() && foldPoints) {
    const FormId value = pool_.constantForm(range.lower);
    if (form != value) explainDigit(*this, "one value", cut, value);
    form = value;
  }
  return memos_.digits[id].canonical = form;
}

FormId CanonicalForms::itself(const Cut &cut) {
  const FormId form = pool_.digit(cut.parent, cut.stride, cut.modulus);
  memos_.digits[*pool_.asAtom(form)].canonical = form;
  return form;
}

//===-- Positive parts ----------------------------------------------------===//

FormId CanonicalForms::positivePart(FormId form) {
  const FormId unchanged = pool_.positivePart(form);
  const auto id = pool_.asAtom(unchanged);
  if (!id) return unchanged;
  if (FormId known = memos_.digits[*id].canonical; known != kNotYet)
    return known;
  // A part that the rules meet on the way stands for itself.
  memos_.digits[*id].canonical = unchanged;
  if (pool_.overflowed()) return unchanged;
  for (const PartRule &rule : partRules()) {
    const FormId made = attempted(pool_, unchanged, [&] {
      return rule.what(*this, form).value_or(unchanged);
    });
    if (made == unchanged || leaves64Bits(*this, made, unchanged)) continue;
    if (recorder) explainForm(*this, rule.name, unchanged, made);
    return memos_.digits[*id].canonical = made;
  }
  return unchanged;
}

//===-- Unknown sizes -----------------------------------------------------===//

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
  if (const auto product = openProduct(*this, a, b))
    return linear({{*product, factor}}, 0);
  return linear({{pool_.product(a, b), factor}}, 0);
}

namespace {

/// Whether 0 <= a < b at every point.
bool isBelow(CanonicalForms &forms, FormId a, FormId b) {
  const Interval numerator = forms.bounds(a), divisor = forms.bounds(b);
  return numerator.lower >= 0 && divisor.hasLower() && numerator.hasUpper() &&
         numerator.upper < divisor.lower;
}

}  // namespace

FormId CanonicalForms::quotient(FormId a, FormId b) {
  if (pool_.isConstant(b) && pool_.constant(b) != 0)
    return floorDivBy(a, pool_.constant(b));
  if (a == b) return pool_.constantForm(1);  // a divisor is not zero
  if (isBelow(*this, a, b)) return pool_.constantForm(0);
  if (const auto quotient = openQuotient(*this, a, b);
      quotient && !leaves64Bits(*this, *quotient, a)) {
    if (recorder)
      explainForm(*this, "multiples of a size go out", pool_.quotient(a, b),
                  *quotient);
    return *quotient;
  }
  return pool_.quotient(a, b);
}

FormId CanonicalForms::remainder(FormId a, FormId b) {
  if (pool_.isConstant(b) && pool_.constant(b) > 0)
    return digit(a, 1, pool_.constant(b));
  if (a == b) return pool_.constantForm(0);
  if (isBelow(*this, a, b)) return a;
  if (const auto remainder = openRemainder(*this, a, b);
      remainder && !leaves64Bits(*this, *remainder, a)) {
    if (recorder)
      explainForm(*this, "multiples of a size do not count",
                  pool_.remainder(a, b), *remainder);
    return *remainder;
  }
  return pool_.remainder(a, b);
}

//===-- What concerns all of it -------------------------------------------===//

namespace {

/// Visits the parents of digits and positive parts of a form, also those inside
/// of the parts' parents, each once.
void visitParents(const ExpressionTable &table, FormId form,
                  llvm::function_ref<void(FormId, bool isPart)> visit) {
  llvm::SmallVector<FormId, 4> inside = {form};
  for (size_t i = 0; i < inside.size(); ++i)
    for (const Term &term :
         llvm::SmallVector<Term, 8>(table.terms(inside[i]))) {
      const Atom atom = table.atom(term.atom);
      const bool isPart = atom.kind == AtomKind::PositivePart;
      if (!isPart && atom.kind != AtomKind::Digit) continue;
      visit(atom.a, isPart);
      if (isPart && !llvm::is_contained(inside, atom.a))
        inside.push_back(atom.a);
    }
}

}  // namespace

bool leaves64Bits(CanonicalForms &forms, FormId form, FormId before) {
  const ExpressionPool &pool = forms.pool();
  const Interval bounds = forms.bounds(form);
  // A product of sizes of at least 2^32 is never inside, even if they have no
  // end.
  if (bounds.lower == Interval::kInfinity ||
      bounds.upper == Interval::kMinusInfinity)
    return true;
  bool isInside = bounds.isFinite();
  // A parent without an end that had digits before is as good as it was. That
  // of a part is as good as any parent of a part that has no end.
  auto stoodBefore = [&](FormId parent, bool isPart) {
    bool stood = false;
    visitParents(pool, before, [&](FormId other, bool isOfPart) {
      stood |= other == parent ||
               (isPart && isOfPart && !forms.bounds(other).isFinite());
    });
    return stood;
  };
  visitParents(pool, form, [&](FormId parent, bool isPart) {
    isInside = isInside &&
               (forms.bounds(parent).isFinite() || stoodBefore(parent, isPart));
  });
  return !isInside && forms.bounds(before).isFinite();
}

namespace {

/// Returns the form with the known digit added beside one of its neighbours, if
/// that makes the form shorter.
std::optional<FormId> withKnownDigit(CanonicalForms &forms, FormId form,
                                     AtomId known) {
  ExpressionPool &pool = forms.pool();
  const Atom digit = pool.atom(known);
  const int64_t value = forms.facts.valueOfKnown(known);
  for (const Term &term : llvm::SmallVector<Term, 8>(pool.terms(form))) {
    const Atom other = pool.atom(term.atom);
    if (!isDigit(pool, term.atom) || other.a != digit.a) continue;
    // The digit's own coefficient, from the one below it or above it.
    std::optional<int64_t> k;
    if (digit.stride % other.stride == 0 &&
        digit.stride / other.stride == other.modulus)
      k = checkedMul(term.coefficient, other.modulus);
    else if (other.stride % digit.stride == 0 &&
             other.stride / digit.stride == digit.modulus &&
             term.coefficient % digit.modulus == 0)
      k = term.coefficient / digit.modulus;
    if (!k || *k == INT64_MIN) continue;
    // Searched as well, as it would be if it were read again.
    const FormId put = forms.linear(
        {{forms.gathering.replaced(
              form, {},
              {{pool.atomForm(known), *k}, {pool.constantForm(value), -*k}}),
          1}},
        0);
    if (forms.measures.weight(put) < forms.measures.weight(form)) return put;
  }
  return std::nullopt;
}

}  // namespace

FormId withKnownDigits(CanonicalForms &forms, FormId form) {
  for (AtomId known : forms.facts.knownDigits())
    while (auto next = withKnownDigit(forms, form, known)) {
      explainForm(forms, "a known digit, put back", form, *next);
      form = *next;
    }
  return form;
}

void explainDigit(CanonicalForms &forms, const char *rule, const Cut &cut,
                  FormId form) {
  if (!forms.recorder) return;
  ExpressionPool &pool = forms.pool();
  Recorder &recorder = *forms.recorder;
  std::string because;
  for (const Term &term : llvm::SmallVector<Term, 8>(pool.terms(cut.parent)))
    because += (because.empty() ? "" : ", ") +
               recorder.text(pool.atomForm(term.atom)) + " in " +
               forms.facts.ofAtom(term.atom).str();
  Atom raw;
  raw.kind = AtomKind::Digit;
  raw.a = cut.parent;
  raw.stride = cut.stride;
  raw.modulus = cut.modulus;
  recorder.add({rule, recorder.text(pool.atomForm(pool.internAtom(raw))),
                recorder.text(form), std::move(because)});
}

void explainForm(CanonicalForms &forms, const char *rule, FormId before,
                 FormId after) {
  if (!forms.recorder || before == after) return;
  forms.recorder->add({rule, forms.recorder->text(before),
                       forms.recorder->text(after),
                       "in " + forms.bounds(after).str()});
}

}  // namespace indexical
