// The search for the best of several equal linear forms, which differ in how
// their digits are cut.
//
//   expand     the digits of one parent as their floors (which may be known in
//              simpler atoms)
//   contract   k * P as k * (P mod s) + k*s * (P floordiv s)
//   split      a digit where its low or high part is known in simpler atoms
//   join       the opposite: a digit and the one below it as one digit
//   absorb     c * (Q floordiv m) into a floor whose parent has the digit below
//   complete   floors of x, x + 1, …, x + c - 1 by c, which are x together
//   unite      two digits whose parents are one, but for what they do not see
//
// Better is: the tighter interval (a perfect mixed radix has no slack), then
// fewer points in the box of all terms (no part is said twice), then what is
// shorter to read, fewer terms, larger strides, the structural order.
#include <algorithm>

#include "llvm/Support/MathExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/simplifier/canonical_form.h"

namespace indexical {
namespace {

// Past these the form stays as it is: sound, perhaps not canonical. They are
// counts, so that the answer does not depend on the machine.
constexpr int kDeepest = 24;
constexpr int64_t kMostSteps = 200000;

}  // namespace

struct CanonicalForms::Score {
  FormId form;
  unsigned unbounded;        // terms, of a form that has no bounds
  uint64_t slope;            // the sum of their coefficients
  uint64_t width;            // of the others
  unsigned __int128 points;  // of a box that has a side for each of them
  uint64_t weight;
  llvm::SmallVector<int64_t, 8> strides;  // largest first
};

CanonicalForms::Score CanonicalForms::score(FormId form) {
  Score result{form, 0, 0, UINT64_MAX, 1, weight(form), {}};
  Interval range = bounds(form);
  const bool isFinite = range.isFinite();
  if (!isFinite) range = Interval::point(0);
  for (const Term &term : llvm::SmallVector<Term, 8>(pool_.terms(form))) {
    result.strides.push_back(std::abs(term.coefficient));
    const Interval inside = atomBounds(term.atom);
    if (!isFinite && !inside.isFinite()) {
      ++result.unbounded;
      result.slope =
          llvm::SaturatingAdd<uint64_t>(result.slope, result.strides.back());
      continue;
    }
    if (!isFinite) range = range + inside * term.coefficient;
    constexpr auto kMost = static_cast<unsigned __int128>(1) << 126;
    const uint64_t side = inside.count();
    result.points = side == 0 || result.points > kMost / side
                        ? kMost
                        : result.points * side;
  }
  if (range.isFinite())
    result.width =
        static_cast<uint64_t>(range.upper) - static_cast<uint64_t>(range.lower);
  std::sort(result.strides.rbegin(), result.strides.rend());
  return result;
}

bool CanonicalForms::better(const Score &a, const Score &b) const {
  if (a.unbounded != b.unbounded) return a.unbounded < b.unbounded;
  if (a.slope != b.slope) return a.slope < b.slope;
  if (a.width != b.width) return a.width < b.width;
  if (a.points != b.points) return a.points < b.points;
  if (a.weight != b.weight) return a.weight < b.weight;
  if (a.strides.size() != b.strides.size())
    return a.strides.size() < b.strides.size();
  if (a.strides != b.strides)
    return std::lexicographical_compare(b.strides.begin(), b.strides.end(),
                                        a.strides.begin(), a.strides.end());
  return pool_.compareForms(a.form, b.form) < 0;
}

/// How long a form is to read: its terms, and those of the digits in it.
uint64_t CanonicalForms::weight(FormId form) {
  if (uint64_t known = memo(form).weight) return known;
  constexpr uint64_t kMost = uint64_t{1} << 40;
  uint64_t sum = 1;
  llvm::SmallVector<Term, 8> terms(pool_.terms(form));
  for (const Term &term : terms) sum += weightOf(term.atom);
  return memo(form).weight = std::min(sum, kMost);
}

uint64_t CanonicalForms::weightOf(AtomId id) {
  if (!isDigit(id)) return 1;
  return 1 + weight(atom(id).a) + (atom(id).modulus != 0);
}

FormId CanonicalForms::search(FormId form) {
  if (depth_ >= kDeepest) return form;
  ++depth_;
  bool ended = false;
  Recorder::Pause pause(recorder);  // most of what is tried is not used
  std::optional<Score> best;        // of `form`, once there are others
  llvm::SmallVector<FormId, 16> found;
  while (steps_ < kMostSteps) {
    ++steps_;
    found.clear();
    neighbours(form, found);
    for (FormId candidate : found) {
      if (candidate == form) continue;
      if (!best) best = score(form);
      Score s = score(candidate);
      if (better(s, *best)) best = std::move(s);
    }
    ended = !best || best->form == form;
    if (ended) break;
    form = best->form;
  }
  memo(form).isSearched = ended;
  --depth_;
  return form;
}

FormId CanonicalForms::replace(FormId form, llvm::ArrayRef<AtomId> without,
                               llvm::ArrayRef<ScaledForm> parts) {
  Attempt attempt(pool_);
  llvm::SmallVector<Term, 8> kept;
  for (const Term &term : pool_.terms(form))
    if (!llvm::is_contained(without, term.atom)) kept.push_back(term);
  llvm::SmallVector<ScaledForm, 8> sum;
  sum.push_back({pool_.form(kept, pool_.constant(form)), 1});
  sum.append(parts.begin(), parts.end());
  FormId result = gather(pool_.linear(sum, 0));
  return attempt.failed() ? form : result;
}

/// Whether putting `parts` in place of the terms `without` can be an
/// improvement. It cannot where nothing meets its like, so that bounds and
/// terms add up, and what comes is wider or longer than what goes.
bool CanonicalForms::mayImprove(FormId form, llvm::ArrayRef<AtomId> without,
                                llvm::ArrayRef<ScaledForm> parts) {
  if (!facts_.empty()) return true;
  llvm::SmallVector<Family, 16> kept, gone;
  uint64_t longer = 0;
  Interval goes = Interval::point(0), comes = goes;
  for (const Term &term : pool_.terms(form)) {
    if (!llvm::is_contained(without, term.atom)) {
      kept.push_back(familyOf(term.atom));
      continue;
    }
    gone.push_back(familyOf(term.atom));
    longer += weightOf(term.atom);
    goes = goes + atomBounds(term.atom) * term.coefficient;
  }
  auto meets = [&](auto family) { return llvm::is_contained(kept, family); };
  if (llvm::any_of(gone, meets)) return true;
  uint64_t shorter = 0;
  for (const ScaledForm &part : parts) {
    const size_t before = kept.size();
    for (const Term &term : pool_.terms(part.form)) {
      Family family = familyOf(term.atom);
      if (llvm::is_contained(llvm::ArrayRef(kept).take_front(before), family))
        return true;
      kept.push_back(family);
    }
    shorter += weight(part.form) - 1;
    comes = comes + bounds(part.form) * part.coefficient;
  }
  int64_t before = goes.count(), after = comes.count();
  if (before == Interval::kInfinity || after == Interval::kInfinity)
    return true;
  return after != before ? after < before : shorter <= longer;
}

void CanonicalForms::propose(FormId form, llvm::ArrayRef<AtomId> without,
                             llvm::ArrayRef<ScaledForm> parts,
                             llvm::SmallVectorImpl<FormId> &found) {
  if (mayImprove(form, without, parts))
    found.push_back(replace(form, without, parts));
}

void CanonicalForms::neighbours(FormId form,
                                llvm::SmallVectorImpl<FormId> &found) {
  llvm::SmallVector<Term, 8> terms(pool_.terms(form));
  if (llvm::none_of(terms, [&](Term t) { return isDigit(t.atom); })) return;
  // What one way made before it left 64 bits may be wrong.
  auto tried = [&](auto makeNeighbours) {
    const size_t before = found.size();
    Attempt attempt(pool_);
    makeNeighbours();
    if (attempt.failed()) found.truncate(before);
  };
  if (terms.size() > 1) {
    tried([&] { expandAndContract(form, found); });
    tried([&] { complete(form, found); });
    tried([&] { unite(form, found); });
    tried([&] { absorb(form, found); });
  }
  for (const Term &term : terms) {
    if (!isDigit(term.atom)) continue;
    FormId parent = atom(term.atom).a;
    if (isRadix(parent) && !isMetInside(parent, terms, term.atom) &&
        !llvm::any_of(knownDigits_,
                      [&](AtomId id) { return atom(id).a == parent; }))
      continue;
    const Atom digit = atom(term.atom);
    llvm::SmallVector<int64_t, 16> cuts = cutsOf(digit, terms);
    tried([&] { join(form, term, cuts, found); });
    tried([&] { split(form, term, cuts, found); });
  }
}

/// Digits of one parent meet, and a variable the digits of it alone.
CanonicalForms::Family CanonicalForms::findFamily(AtomId id) {
  constexpr Family kAtom = Family{1} << 30, kForm = Family{1} << 31;
  auto family = [&]() -> Family {
    if (!isDigit(id)) return kAtom | id;
    const FormId parent = atom(id).a;
    auto single = pool_.asAtom(parent);
    return single ? kAtom | *single : kForm | parent;
  };
  return atomMemo(id).family = family();
}

/// Whether something inside `parent` is met by one of the terms but `digit`:
/// else a digit of it, cut anew, meets nothing.
bool CanonicalForms::isMetInside(FormId parent, llvm::ArrayRef<Term> terms,
                                 AtomId digit) {
  return llvm::any_of(pool_.terms(parent), [&](const Term &inner) {
    const Family family = familyOf(inner.atom);
    return llvm::any_of(terms, [&](const Term &term) {
      return term.atom != digit && familyOf(term.atom) == family;
    });
  });
}

/// (d0 floordiv 2) * 3 + ((d0 mod 2) * 3 + d1) floordiv 2 is
/// (d0 * 3 + d1) floordiv 2: the digit inside and the one above it are one.
void CanonicalForms::absorb(FormId form, llvm::SmallVectorImpl<FormId> &found) {
  llvm::SmallVector<Term, 8> terms(pool_.terms(form));
  for (const Term &outer : terms) {
    if (!isDigit(outer.atom) || atom(outer.atom).modulus) continue;
    Atom floor = atom(outer.atom);
    llvm::SmallVector<Term, 8> inside(pool_.terms(floor.a));
    for (const Term &inner : inside) {
      if (!isDigit(inner.atom) || !atom(inner.atom).modulus) continue;
      Atom low = atom(inner.atom);
      if (!pool_.asVariable(low.a)) continue;
      auto end = checkedMul(low.stride, low.modulus);
      auto carry = checkedMul(inner.coefficient, low.modulus);
      if (!end || !carry || *carry % floor.stride != 0) continue;
      auto wanted = checkedMul(outer.coefficient, *carry / floor.stride);
      AtomId high = pool_.terms(pool_.digit(low.a, *end, 0))[0].atom;
      for (const Term &term : terms) {
        if (term.atom != high || !wanted || term.coefficient != *wanted)
          continue;
        FormId whole = digit(low.a, low.stride, 0);
        FormId parent =
            linear({{floor.a, 1},
                    {pool_.atomForm(inner.atom), -inner.coefficient},
                    {whole, inner.coefficient}},
                   0);
        bool plain = llvm::none_of(pool_.terms(parent), [&](const Term &t) {
          return isDigit(t.atom);
        });
        if (!plain) continue;
        propose(form, {outer.atom, high},
                {{digit(parent, floor.stride, 0), outer.coefficient}}, found);
      }
    }
  }
}

/// low + ratio * high as one digit and a constant; low is in [0, |ratio|).
FormId CanonicalForms::united(AtomId low, AtomId high, int64_t ratio) {
  const Cut below = asCut(low);
  const int64_t carry = std::abs(ratio);
  Cut above = asCut(high);
  if (!mayJoin(below, carry, above)) return kNotYet;
  auto [known, isNew] = united_.try_emplace({{low, high}, ratio}, kNotYet);
  if (!isNew) return known->second;
  Attempt attempt(pool_);
  const int64_t rest = ratio < 0 ? reflect(above) : 0;
  // A digit of a parent that comes apart into these two would be written as the
  // two again.
  auto period = checkedMul(below.stride, carry);
  auto constant = checkedMul(ratio, -rest);
  if (!period || !constant) return kNotYet;
  const int64_t scale = std::max<int64_t>(1, *period / above.stride);
  const Interval inner = bounds(below.parent);
  if (scale % below.stride == 0 && inner.lower >= 0 && inner.hasUpper() &&
      inner.upper < scale)
    return kNotYet;
  auto whole = joined(below, carry, above, /*byTurns=*/true);
  if (!whole) return kNotYet;
  FormId one = digit(whole->parent, whole->stride, whole->modulus);
  one = pool_.linear({{one, 1}}, *constant);
  if (attempt.failed()) return kNotYet;
  return united_[{{low, high}, ratio}] = one;
}

/// Two digits, one above the other, of what can be one parent.
void CanonicalForms::unite(FormId form, llvm::SmallVectorImpl<FormId> &found) {
  llvm::SmallVector<Term, 8> terms(pool_.terms(form));
  for (const Term &low : terms) {
    if (!isDigit(low.atom)) continue;
    const Interval range = atomBounds(low.atom);
    if (range.lower < 0 || !range.hasUpper()) continue;
    for (const Term &high : terms) {
      if (high.atom == low.atom || high.coefficient % low.coefficient != 0)
        continue;
      const int64_t ratio = high.coefficient / low.coefficient;
      if (std::abs(ratio) < 2 || range.upper >= std::abs(ratio)) continue;
      FormId one = united(low.atom, high.atom, ratio);
      if (one != kNotYet)
        propose(form, {low.atom, high.atom}, {{one, low.coefficient}}, found);
    }
  }
}

/// floor(x/c) + floor((x + 1)/c) + … + floor((x + c - 1)/c) is x.
void CanonicalForms::complete(FormId form,
                              llvm::SmallVectorImpl<FormId> &found) {
  llvm::SmallVector<Term, 8> terms(pool_.terms(form));
  auto isFloor = [&](const Term &term) {
    return isDigit(term.atom) && atom(term.atom).modulus == 0;
  };
  for (const Term &first : terms) {
    if (!isFloor(first)) continue;
    Atom a = atom(first.atom);
    if (a.stride > static_cast<int64_t>(terms.size())) continue;
    int64_t start = pool_.constant(a.a);
    // One floor of each residue, all with the first one's coefficient.
    llvm::SmallVector<bool, 8> seen(a.stride, false);
    llvm::SmallVector<AtomId, 8> cut;
    int64_t carried = 0;
    for (const Term &term : terms) {
      if (!isFloor(term) || term.coefficient != first.coefficient) continue;
      Atom other = atom(term.atom);
      if (other.stride != a.stride || pool_.terms(other.a) != pool_.terms(a.a))
        continue;
      auto offset = checkedSub(pool_.constant(other.a), start);
      if (!offset) continue;
      int64_t residue = floorMod(*offset, a.stride);
      auto sum = checkedAdd(carried, floorDiv(*offset, a.stride));
      if (!sum || std::exchange(seen[residue], true)) continue;
      carried = *sum;
      cut.push_back(term.atom);
    }
    if (static_cast<int64_t>(cut.size()) < a.stride) continue;
    FormId count = pool_.constantForm(carried);
    propose(form, cut, {{a.a, first.coefficient}, {count, first.coefficient}},
            found);
  }
}

/// Where the parent of a digit may come apart: at the coefficients of its
/// terms, inside a term where digits that stand in the form cut it, and at
/// digits of it that are known. Only below the digit, or inside it.
llvm::SmallVector<int64_t, 16> CanonicalForms::cutsOf(
    const Atom &digit, llvm::ArrayRef<Term> inForm) {
  llvm::SmallVector<int64_t, 16> cuts;
  auto add = [&](int64_t k, int64_t t) {
    auto cut = checkedMul(std::abs(k), t);
    if (!cut || *cut <= 1) return;
    if (*cut < digit.stride ? digit.stride % *cut != 0
                            : *cut == digit.stride || *cut % digit.stride != 0)
      return;
    if (!llvm::is_contained(cuts, *cut)) cuts.push_back(*cut);
  };
  // Copied: forms that are made here may move the pool's terms.
  llvm::SmallVector<Term, 8> parts(pool_.terms(digit.a));
  for (const Term &part : parts) {
    add(part.coefficient, 1);
    Interval range = atomBounds(part.atom);
    if (range.lower == 0 && range.hasUpper())
      add(part.coefficient, range.count());
    // The part as a digit of its own parent: a variable is its parent's whole.
    const Cut inner = asCut(part.atom);
    for (const Term &term : inForm) {
      if (!isDigit(term.atom) || atom(term.atom).a != inner.parent) continue;
      const Atom &other = atom(term.atom);
      if (other.stride % inner.stride == 0)
        add(part.coefficient, other.stride / inner.stride);
      auto end = checkedMul(other.stride, other.modulus);
      if (end && *end && *end % inner.stride == 0)
        add(part.coefficient, *end / inner.stride);
    }
  }
  auto addEnds = [&](AtomId id) {
    if (!isDigit(id) || atom(id).a != digit.a) return;
    add(atom(id).stride, 1);
    if (auto end = checkedMul(atom(id).stride, atom(id).modulus)) add(*end, 1);
  };
  for (const Term &term : inForm) addEnds(term.atom);
  for (AtomId id : knownDigits_) addEnds(id);
  return cuts;
}

void CanonicalForms::join(FormId form, const Term &term,
                          llvm::ArrayRef<int64_t> cuts,
                          llvm::SmallVectorImpl<FormId> &found) {
  Atom a = atom(term.atom);
  int64_t k = term.coefficient;
  for (int64_t cut : cuts) {
    if (cut >= a.stride || a.stride % cut != 0) continue;
    int64_t m = a.stride / cut;
    if (k % m != 0) continue;
    FormId low = digit(a.a, a.stride / m, m);
    if (standsOn(low, a.a)) continue;
    auto modulus = checkedMul(a.modulus, m);
    if (!modulus) continue;
    propose(form, {term.atom},
            {{low, -k / m}, {digit(a.a, a.stride / m, *modulus), k / m}},
            found);
  }
}

void CanonicalForms::split(FormId form, const Term &term,
                           llvm::ArrayRef<int64_t> cuts,
                           llvm::SmallVectorImpl<FormId> &found) {
  Atom a = atom(term.atom);
  Interval range = atomBounds(term.atom);
  int64_t size = a.modulus;
  if (!size) {
    if (range.lower != 0 || !range.hasUpper()) return;
    size = range.upper + 1;
  }
  for (int64_t cut : cuts) {
    if (cut <= a.stride || cut % a.stride != 0) continue;
    int64_t m = cut / a.stride;
    if (m >= size || size % m != 0) continue;
    auto stride = checkedMul(a.stride, m);
    auto scaled = checkedMul(term.coefficient, m);
    if (!stride || !scaled) continue;
    FormId low = digit(a.a, a.stride, m);
    FormId high = digit(a.a, *stride, a.modulus ? size / m : 0);
    if (a.modulus ? standsOn(low, a.a) && standsOn(high, a.a)
                  : standsOn(high, a.a))
      continue;
    propose(form, {term.atom}, {{low, term.coefficient}, {high, *scaled}},
            found);
  }
}

FormId CanonicalForms::withKnownDigits(FormId form) {
  auto shorter = [&](AtomId known) -> std::optional<FormId> {
    const Atom digit = atom(known);
    const int64_t value = facts_.find(pool_.atomForm(known))->second.lower;
    for (const Term &term : llvm::SmallVector<Term, 8>(pool_.terms(form))) {
      const Atom other = atom(term.atom);
      if (!isDigit(term.atom) || other.a != digit.a) continue;
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
      const FormId put = replace(
          form, {},
          {{pool_.atomForm(known), *k}, {pool_.constantForm(value), -*k}});
      if (weight(put) < weight(form)) return put;
    }
    return std::nullopt;
  };
  for (AtomId known : knownDigits_)
    while (auto next = shorter(known)) {
      if (recorder) explainForm("a known digit, put back", form, *next);
      form = *next;
    }
  return form;
}

}  // namespace indexical
