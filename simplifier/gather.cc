// The digits of one parent, gathered.
//
//   4 * ((P floordiv 4) mod 2) + P mod 4                    digits of P
//   = 4*floor(P/4) - 8*floor(P/8) + P - 4*floor(P/4)        their floors
//   = P - 8*floor(P/8)                                      telescoped
//   = P mod 8                                               one digit
#include <algorithm>

#include "indexical/indexing/arithmetic.h"
#include "indexical/simplifier/canonical_form.h"

namespace indexical {
namespace {

constexpr int kMostRounds = 12;

/// coefficient * floor(P / stride)
struct Floor {
  int64_t stride, coefficient;
};

/// coefficient * ((P floordiv stride) mod modulus)
struct Digit {
  int64_t stride, modulus, coefficient;
  bool operator==(const Digit &o) const {
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

/// The coefficient of `atom`, which then has none.
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

}  // namespace

FormId CanonicalForms::gather(FormId form) {
  for (int round = 0; round < kMostRounds; ++round) {
    FormId next = gatherOnce(form);
    if (next == form) break;
    form = next;
  }
  return form;
}

/// The sum, gathered, but not searched, though it may have been elsewhere: what
/// is made of it must not depend on that.
FormId CanonicalForms::gathered(llvm::ArrayRef<ScaledForm> parts,
                                int64_t constant) {
  FormId raw = pool_.linear(parts, constant);
  if (pool_.overflowed()) return raw;
  Attempt attempt(pool_);
  FormId form = gather(raw);
  return attempt.failed() ? raw : form;
}

/// k * (P floordiv s) is k/s * (P - r) where P is known to be r mod s.
FormId CanonicalForms::divideExactly(FormId form) {
  llvm::SmallVector<Term, 8> terms(pool_.terms(form));
  for (const Term &term : terms) {
    if (!isDigit(term.atom)) continue;
    Atom a = atom(term.atom);
    if (a.modulus || term.coefficient % a.stride != 0) continue;
    Residue known = residue(a.a);
    if (known.modulus % a.stride != 0) continue;
    int64_t k = term.coefficient / a.stride;
    FormId rest = pool_.constantForm(floorMod(known.remainder, a.stride));
    form = replace(form, term.atom, {{a.a, k}, {rest, -k}});
  }
  return form;
}

llvm::SmallVector<CanonicalForms::Siblings, 4> CanonicalForms::siblings(
    llvm::ArrayRef<Term> terms) const {
  llvm::SmallVector<Siblings, 4> families;
  for (const Term &term : terms) {
    if (!isDigit(term.atom)) continue;
    FormId parent = atom(term.atom).a;
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

FormId CanonicalForms::gatherOnce(FormId form) {
  llvm::SmallVector<Term, 8> terms(pool_.terms(form));
  for (const Siblings &family : siblings(terms)) {
    if (standsAlone(form, family.parent, family.digits)) continue;
    llvm::SmallVector<ScaledForm, 8> parts;
    llvm::SmallVector<Term, 8> kept = terms;
    if (!gatherParent(family.parent, family.digits, kept, parts)) continue;
    FormId rest = pool_.form(kept, pool_.constant(form));
    parts.push_back({rest, 1});
    form = pool_.linear(parts, 0);
    terms.assign(pool_.terms(form).begin(), pool_.terms(form).end());
  }
  return form;
}

/// What is left of the form where multiples of the period do not count: (d0 mod
/// 2) * 6 is d0 * 6 in steps of 4.
FormId CanonicalForms::withoutTurns(FormId form, int64_t period, bool merges) {
  for (int round = 0; round < kMostRounds; ++round) {
    llvm::SmallVector<Term, 8> terms;
    for (const Term &term : pool_.terms(form))
      if (term.coefficient % period != 0) terms.push_back(term);
    llvm::SmallVector<ScaledForm, 8> parts;
    for (const Siblings &family : siblings(terms)) {
      llvm::SmallVector<Term, 8> kept = terms;
      llvm::SmallVector<ScaledForm, 8> after;
      if (!gatherParent(family.parent, family.digits, kept, after, period))
        continue;
      if (!merges && after.size() < family.digits.size()) continue;
      terms = std::move(kept);
      parts.append(after);
    }
    // (P mod n) * k is P * k where k * n is a whole turn.
    for (Term &term : terms) {
      if (!isDigit(term.atom)) continue;
      const Atom a = atom(term.atom);
      auto turn = checkedMul(term.coefficient, a.modulus);
      if (!a.modulus || a.stride != 1 || pool_.asAtom(a.a) || !turn ||
          *turn % period != 0)
        continue;
      parts.push_back({a.a, std::exchange(term.coefficient, 0)});
    }
    // As a digit within a turn the floor may have a shorter parent.
    for (Term &term : terms) {
      if (!isDigit(term.atom) || atom(term.atom).modulus) continue;
      const Atom a = atom(term.atom);
      const int64_t n = period / gcd(period, term.coefficient);
      if (!checkedMul(a.stride, n)) continue;
      FormId reduced = digit(a.a, a.stride, n);
      if (standsOn(reduced, a.a)) continue;
      parts.push_back({reduced, std::exchange(term.coefficient, 0)});
    }
    const int64_t constant = floorMod(pool_.constant(form), period);
    if (parts.empty()) return pool_.form(terms, constant);
    parts.push_back({pool_.form(terms, constant), 1});
    form = gathered(parts, 0);
  }
  return form;
}

/// ((d0 mod 2) * 6 + d1) mod 4 is (d0 * 6 + d1) mod 4: what an inner remainder
/// takes away is a whole turn of the outer one.
std::optional<FormId> CanonicalForms::digitWithoutRemainders(FormId parent,
                                                             int64_t stride,
                                                             int64_t modulus) {
  if (!modulus) return std::nullopt;
  const int64_t turn = stride * modulus;
  // A digit that is not its parent's lowest one would rarely go.
  auto stays = [&](const Term &term) {
    return isDigit(term.atom) && atom(term.atom).stride != 1 &&
           term.coefficient % turn != 0;
  };
  if (llvm::any_of(pool_.terms(parent), stays) || !mayBeAffine(parent, turn))
    return std::nullopt;
  FormId rest = withoutTurns(parent, turn, /*merges=*/false);
  if (rest == parent) return std::nullopt;
  // Shorter, or this could go round and round; and where digits remain they may
  // be those of others that still have their remainders.
  FormId shorter = linear({{rest, 1}}, 0);
  if (!isPlain(shorter) || weight(shorter) >= weight(parent))
    return std::nullopt;
  return digit(shorter, stride, modulus);
}

/// Whether nothing in the form can telescope with the one digit of the parent.
bool CanonicalForms::standsAlone(FormId form, FormId parent,
                                 llvm::ArrayRef<AtomId> digits) const {
  if (digits.size() != 1) return false;
  auto single = pool_.asAtom(parent);
  if (!single) return true;
  return llvm::none_of(pool_.terms(form),
                       [&](const Term &term) { return term.atom == *single; });
}

bool CanonicalForms::gatherParent(FormId parent, llvm::ArrayRef<AtomId> digits,
                                  llvm::SmallVectorImpl<Term> &terms,
                                  llvm::SmallVectorImpl<ScaledForm> &parts,
                                  int64_t period) {
  llvm::SmallVector<Floor, 8> floors;
  llvm::SmallVector<Digit, 8> before, after;
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
  for (AtomId id : digits)
    if (!take(id, atom(id).stride, atom(id).modulus)) return false;
  // The parent itself is its floor of stride 1, where it is one atom.
  if (auto single = pool_.asAtom(parent))
    if (!take(*single, 1, 0)) return false;
  Interval range = bounds(parent);
  llvm::erase_if(floors, [&](const Floor &f) {
    return f.coefficient == 0 || (range.lower >= 0 && range.upper < f.stride);
  });
  if (period) {
    const size_t all = floors.size();
    llvm::erase_if(floors,
                   [&](const Floor &f) { return f.coefficient % period == 0; });
    if (floors.size() == all) return false;
  }
  if (!isChain(floors)) {
    for (const Floor &f : floors) after.push_back({f.stride, 0, f.coefficient});
  } else {
    int64_t carried = 0, previous = 1;
    for (size_t i = 0; i < floors.size(); ++i) {
      int64_t stride = floors[i].stride;
      auto shifted = checkedMul(carried, stride / previous);
      auto sum =
          shifted ? checkedAdd(*shifted, floors[i].coefficient) : std::nullopt;
      if (!sum) return false;
      carried = *sum;
      previous = stride;
      if (carried == 0) continue;
      int64_t modulus =
          i + 1 < floors.size() ? floors[i + 1].stride / stride : 0;
      after.push_back({stride, modulus, carried});
    }
  }
  auto wasThere = [&](const Digit &cut) {
    return llvm::is_contained(before, cut);
  };
  if (before.size() == after.size() && llvm::all_of(after, wasThere))
    return false;
  for (const Digit &cut : after)
    parts.push_back({digit(parent, cut.stride, cut.modulus), cut.coefficient});
  return true;
}

bool CanonicalForms::hasNeighbours(FormId form) const {
  const llvm::ArrayRef<Term> terms = pool_.terms(form);
  auto isBelow = [&](const Term &low, const Term &high) {
    const Atom &x = pool_.atom(low.atom), &y = pool_.atom(high.atom);
    return x.kind == AtomKind::Digit && y.kind == AtomKind::Digit &&
           x.a == y.a && x.modulus && y.stride % x.modulus == 0 &&
           y.stride / x.modulus == x.stride;
  };
  return llvm::any_of(terms, [&](const Term &low) {
    return pool_.atom(low.atom).kind == AtomKind::Digit &&
           llvm::any_of(terms,
                        [&](const Term &high) { return isBelow(low, high); });
  });
}

}  // namespace indexical
