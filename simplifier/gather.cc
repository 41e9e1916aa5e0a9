#include "indexical/simplifier/gather.h"

#include <algorithm>

#include "indexical/indexing/arithmetic.h"
#include "indexical/simplifier/attempt.h"
#include "indexical/simplifier/canonical_form.h"
#include "indexical/simplifier/form_order.h"

namespace indexical {
namespace {

/// coefficient * floor(P / stride)
struct Floor {
  int64_t stride, coefficient;
};

/// coefficient * ((P floordiv stride) mod modulus)
struct ScaledDigit {
  int64_t stride, modulus, coefficient;
  bool operator==(const ScaledDigit &o) const {
    return stride == o.stride && modulus == o.modulus &&
           coefficient == o.coefficient;
  }
};

bool addFloor(llvm::SmallVectorImpl<Floor> &floors, int64_t stride,
              int64_t coefficient) {
  auto at =
      std::lower_bound(floors.begin(), floors.end(), stride,
                       [](const Floor &f, int64_t s) { return f.stride < s; });
  if (at == floors.end() || at->stride != stride) {
    floors.insert(at, {stride, coefficient});
    return true;
  }
  auto sum = checkedAdd(at->coefficient, coefficient);
  if (sum) at->coefficient = *sum;
  return sum.has_value();
}

/// Takes the coefficient of `atom` out of the terms, and returns it.
int64_t takeTerm(llvm::SmallVectorImpl<Term> &terms, AtomId atom) {
  for (Term &term : terms)
    if (term.atom == atom) return std::exchange(term.coefficient, 0);
  return 0;
}

bool isChain(llvm::ArrayRef<Floor> floors) {
  for (size_t i = 1; i < floors.size(); ++i)
    if (floors[i].stride % floors[i - 1].stride != 0) return false;
  return true;
}

/// Writes the floors of one parent as digits of it, along the chain of their
/// strides, or as they are if there is no chain. Returns false if that leaves
/// 64 bits.
bool asDigits(llvm::ArrayRef<Floor> floors,
              llvm::SmallVectorImpl<ScaledDigit> &digits) {
  if (!isChain(floors)) {
    for (const Floor &f : floors)
      digits.push_back({f.stride, 0, f.coefficient});
    return true;
  }
  int64_t carried = 0, previous = 1;
  for (size_t i = 0; i < floors.size(); ++i) {
    const int64_t stride = floors[i].stride;
    auto shifted = checkedMul(carried, stride / previous);
    auto sum =
        shifted ? checkedAdd(*shifted, floors[i].coefficient) : std::nullopt;
    if (!sum) return false;
    carried = *sum;
    previous = stride;
    if (carried == 0) continue;
    const int64_t modulus =
        i + 1 < floors.size() ? floors[i + 1].stride / stride : 0;
    digits.push_back({stride, modulus, carried});
  }
  return true;
}

}  // namespace

llvm::SmallVector<Siblings, 4> siblingsIn(const ExpressionTable &table,
                                          llvm::ArrayRef<Term> terms) {
  llvm::SmallVector<Siblings, 4> families;
  for (const Term &term : terms) {
    if (!isDigit(table, term.atom)) continue;
    const FormId parent = table.atom(term.atom).a;
    auto family = llvm::find_if(
        families, [&](const Siblings &f) { return f.parent == parent; });
    if (family == families.end()) {
      families.push_back({parent, {}});
      family = &families.back();
    }
    family->digits.push_back(term.atom);
  }
  return families;
}

bool FallingParents::take(FormId parent, size_t floors) {
  const Taken own{parent, floors};
  auto order = [&](const Taken &of) {
    return std::make_pair(formOrder(forms_.pool(), forms_.measures, of.parent),
                          of.floors);
  };
  auto isLess = [&](const Taken &other) { return order(own) < order(other); };
  if (!isFirst_ && llvm::none_of(before_, isLess)) return false;
  taken_.push_back(own);
  return true;
}

void FallingParents::nextRound() {
  isFirst_ = false;
  before_ = std::exchange(taken_, {});
}

FormId Gathering::operator()(FormId form) {
  for (FallingParents parents(forms_);; parents.nextRound()) {
    const FormId next = once(form, parents);
    if (next == form) return form;
    form = next;
  }
}

FormId Gathering::sum(llvm::ArrayRef<ScaledForm> parts, int64_t constant) {
  FormId raw = pool_.linear(parts, constant);
  if (pool_.overflowed()) return raw;
  Attempt attempt(pool_);
  FormId form = (*this)(raw);
  return attempt.failed() ? raw : form;
}

FormId Gathering::dividedExactly(FormId form) {
  llvm::SmallVector<Term, 8> terms(pool_.terms(form));
  for (const Term &term : terms) {
    if (!isDigit(pool_, term.atom)) continue;
    Atom a = pool_.atom(term.atom);
    if (a.modulus || term.coefficient % a.stride != 0) continue;
    Residue known = forms_.facts.residue(a.a);
    if (known.modulus % a.stride != 0) continue;
    int64_t k = term.coefficient / a.stride;
    FormId rest = pool_.constantForm(floorMod(known.remainder, a.stride));
    form = replaced(form, term.atom, {{a.a, k}, {rest, -k}});
  }
  return form;
}

FormId Gathering::replaced(FormId form, llvm::ArrayRef<AtomId> without,
                           llvm::ArrayRef<ScaledForm> parts) {
  Attempt attempt(pool_);
  llvm::SmallVector<Term, 8> kept;
  for (const Term &term : pool_.terms(form))
    if (!llvm::is_contained(without, term.atom)) kept.push_back(term);
  llvm::SmallVector<ScaledForm, 8> sum;
  sum.push_back({pool_.form(kept, pool_.constant(form)), 1});
  sum.append(parts.begin(), parts.end());
  const FormId result = (*this)(pool_.linear(sum, 0));
  return attempt.failed() ? form : result;
}

FormId Gathering::once(FormId form, FallingParents &parents) {
  llvm::SmallVector<Term, 8> terms(pool_.terms(form));
  for (const Siblings &family : siblingsIn(pool_, terms)) {
    if (standsAlone(form, family)) continue;
    llvm::SmallVector<ScaledForm, 8> parts;
    llvm::SmallVector<Term, 8> kept = terms;
    const auto floors = gatherParent(family, kept, parts);
    if (!floors || !parents.take(family.parent, *floors)) continue;
    FormId rest = pool_.form(kept, pool_.constant(form));
    parts.push_back({rest, 1});
    form = pool_.linear(parts, 0);
    terms.assign(pool_.terms(form).begin(), pool_.terms(form).end());
  }
  return form;
}

/// Moves the terms that are simpler modulo the period to `parts`.
void Gathering::takeTurns(llvm::SmallVectorImpl<Term> &terms, int64_t period,
                          FallingParents &parents,
                          llvm::SmallVectorImpl<ScaledForm> &parts) {
  // (P mod n) * k is P * k if k * n is a whole turn.
  for (Term &term : terms) {
    if (!isDigit(pool_, term.atom)) continue;
    const Atom a = pool_.atom(term.atom);
    auto turn = checkedMul(term.coefficient, a.modulus);
    if (!a.modulus || a.stride != 1 || pool_.asAtom(a.a) || !turn ||
        *turn % period != 0 || !parents.take(a.a, 0))
      continue;
    parts.push_back({a.a, std::exchange(term.coefficient, 0)});
  }
  // As a digit within a turn the floor may have a shorter parent.
  for (Term &term : terms) {
    if (!isDigit(pool_, term.atom) || pool_.atom(term.atom).modulus) continue;
    const Atom a = pool_.atom(term.atom);
    const int64_t n = period / gcd(period, term.coefficient);
    if (!checkedMul(a.stride, n)) continue;
    FormId reduced = forms_.digit(a.a, a.stride, n);
    if (forms_.measures.standsOn(reduced, a.a) || !parents.take(a.a, 0))
      continue;
    parts.push_back({reduced, std::exchange(term.coefficient, 0)});
  }
}

FormId Gathering::withoutTurns(FormId form, int64_t period, bool merges) {
  for (FallingParents parents(forms_);; parents.nextRound()) {
    llvm::SmallVector<Term, 8> terms;
    for (const Term &term : pool_.terms(form))
      if (term.coefficient % period != 0) terms.push_back(term);
    llvm::SmallVector<ScaledForm, 8> parts;
    for (const Siblings &family : siblingsIn(pool_, terms)) {
      llvm::SmallVector<Term, 8> kept = terms;
      llvm::SmallVector<ScaledForm, 8> after;
      const auto floors = gatherParent(family, kept, after, period);
      if (!floors || (!merges && after.size() < family.digits.size()) ||
          !parents.take(family.parent, *floors))
        continue;
      terms = std::move(kept);
      parts.append(after);
    }
    takeTurns(terms, period, parents, parts);
    const int64_t constant = floorMod(pool_.constant(form), period);
    if (parts.empty()) return pool_.form(terms, constant);
    parts.push_back({pool_.form(terms, constant), 1});
    form = sum(parts, 0);
  }
}

/// Whether nothing in the form can telescope with the one digit of the parent.
bool Gathering::standsAlone(FormId form, const Siblings &family) const {
  if (family.digits.size() != 1) return false;
  auto single = pool_.asAtom(family.parent);
  return !single || llvm::none_of(pool_.terms(form), [&](const Term &term) {
    return term.atom == *single;
  });
}

/// Takes the terms of the family out of `terms`, and adds them as fewer or
/// other digits to `parts`. Returns of how many floors they are, or nothing if
/// they stay as they are.
std::optional<size_t> Gathering::gatherParent(
    const Siblings &family, llvm::SmallVectorImpl<Term> &terms,
    llvm::SmallVectorImpl<ScaledForm> &parts, int64_t period) {
  const FormId parent = family.parent;
  llvm::SmallVector<Floor, 8> floors;
  llvm::SmallVector<ScaledDigit, 8> before, after;
  auto take = [&](AtomId id, int64_t stride, int64_t modulus) {
    int64_t k = takeTerm(terms, id);
    if (k == 0) return true;
    before.push_back({stride, modulus, k});
    if (!addFloor(floors, stride, k)) return false;
    if (!modulus) return true;
    auto end = checkedMul(stride, modulus);
    auto scaled = checkedMul(k, -modulus);
    return end && scaled && addFloor(floors, *end, *scaled);
  };
  for (AtomId id : family.digits)
    if (!take(id, pool_.atom(id).stride, pool_.atom(id).modulus))
      return std::nullopt;
  // The parent itself is its floor of stride 1, if it is one atom.
  if (auto single = pool_.asAtom(parent))
    if (!take(*single, 1, 0)) return std::nullopt;
  Interval range = forms_.facts.bounds(parent);
  llvm::erase_if(floors, [&](const Floor &f) {
    return f.coefficient == 0 || (range.lower >= 0 && range.upper < f.stride);
  });
  if (period) {
    const size_t all = floors.size();
    llvm::erase_if(floors,
                   [&](const Floor &f) { return f.coefficient % period == 0; });
    if (floors.size() == all) return std::nullopt;
  }
  if (!asDigits(floors, after)) return std::nullopt;
  auto wasThere = [&](const ScaledDigit &cut) {
    return llvm::is_contained(before, cut);
  };
  if (before.size() == after.size() && llvm::all_of(after, wasThere))
    return std::nullopt;
  for (const ScaledDigit &cut : after)
    parts.push_back(
        {forms_.digit(parent, cut.stride, cut.modulus), cut.coefficient});
  return floors.size();
}

}  // namespace indexical
