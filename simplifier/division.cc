// Rules 1 and 3: digits stay with their first parent, and floors are resolved
// into simpler atoms where bounds allow it. On d0 in [0, 3], d1 in [0, 7]:
//
//   (d0 * 8 + d1) floordiv 8     d0 goes out, d1 stays below 8:      d0
//   (d0 * 8 + d1) floordiv 4     d0 * 2 goes out, d1 straddles:      d0 * 2 +
//   d1 floordiv 4 (31 - d0 * 8 - d1) floordiv 8   reflected: 3 - d0 (d0 + d1)
//   floordiv 4         nothing fits: d0 + d1 is a parent
#include <algorithm>

#include "indexing/arithmetic.h"
#include "simplifier/canonical_form.h"

namespace indexical {

FormId CanonicalForms::digit(FormId form, int64_t stride, int64_t modulus) {
  if (modulus == 1) return pool_.constantForm(0);
  if (pool_.isConstant(form)) return pool_.digit(form, stride, modulus);
  Interval range = bounds(form).floorDiv(stride);
  if (modulus && range.lower >= 0 && range.hasUpper() && range.upper < modulus)
    modulus = 0;
  if (stride == 1 && modulus == 0) return form;
  if (modulus && !checkedMul(stride, modulus))
    return pool_.digit(form, stride, modulus);

  auto single = pool_.asAtom(form);
  if (!single || !isDigit(*single)) return digitOfParent(form, stride, modulus);
  // A digit of a digit: stay with the first parent.
  Atom inner = atom(*single);
  if (inner.modulus == 0) {
    auto product = checkedMul(inner.stride, stride);
    return product ? digit(inner.a, *product, modulus)
                   : pool_.digit(form, stride, modulus);
  }
  if (inner.modulus % stride == 0 && checkedMul(inner.stride, inner.modulus)) {
    int64_t left = inner.modulus / stride;
    if (modulus == 0) return digit(inner.a, inner.stride * stride, left);
    if (left % modulus == 0)
      return digit(inner.a, inner.stride * stride, modulus);
  }
  return digitOfParent(form, stride, modulus);
}

FormId CanonicalForms::digitOfParent(FormId parent, int64_t stride,
                                     int64_t modulus) {
  Atom key;
  key.kind = AtomKind::Digit;
  key.a = parent;
  key.stride = stride;
  key.modulus = modulus;
  const AtomId id = pool_.internAtom(key);
  if (FormId known = atomMemo(id).digit; known != kNotYet) return known;
  // Remembered before it is looked into: a digit met on the way stands for
  // itself.
  const FormId itself = pool_.atomForm(id);
  atomMemo(id).digit = itself;
  if (pool_.overflowed()) return itself;
  Attempt attempt(pool_);
  auto form = digitFromParts(parent, stride, modulus);
  if (!form || attempt.failed()) form = itself;
  if (Interval range = bounds(*form); range.isPoint() && foldPoints)
    form = pool_.constantForm(range.lower);
  atomMemo(id).digit = *form;
  return *form;
}

std::optional<FormId> CanonicalForms::digitFromParts(FormId parent,
                                                     int64_t stride,
                                                     int64_t modulus) {
  if (!residues_.empty()) {
    Residue known = residue(parent);
    if (modulus && known.modulus % (stride * modulus) == 0)
      return pool_.constantForm(floorMod(known.remainder, stride * modulus) /
                                stride);
    // Of x = 0 mod 3, (x + 2) floordiv 3 is x floordiv 3.
    if (int64_t rest = floorMod(known.remainder, stride);
        known.modulus % stride == 0 && rest != 0)
      return digit(linear({{parent, 1}}, -rest), stride, modulus);
  }
  if (auto form = digitByCommonFactor(parent, stride, modulus)) return form;
  bool goesBelowZero = pool_.terms(parent).size() == 1 &&
                       !isDigit(pool_.terms(parent)[0].atom) &&
                       bounds(parent).lower < 0;
  bool turnsOver = modulus && pool_.terms(parent).size() == 1 &&
                   pool_.terms(parent)[0].coefficient > stride * modulus;
  if (goesBelowZero || turnsOver || !isRadix(parent)) {
    if (auto form = digitOfReflection(parent, stride, modulus)) return form;
    if (auto form = digitOfRest(parent, stride, modulus)) return form;
  }
  if (modulus)
    if (auto form = digitWithoutMultiples(parent, stride, modulus)) return form;
  std::optional<FormId> low = parent;
  if (stride != 1) low = resolve(parent, stride);
  if (!low || !modulus) return low;
  // Both ends resolve: written out, if the bounds of the digit survive.
  auto high = resolve(parent, stride * modulus);
  if (!high) return std::nullopt;
  FormId written = linear({{*low, 1}, {*high, -modulus}}, 0);
  Interval range = bounds(written);
  if (range.lower >= 0 && range.hasUpper() && range.upper < modulus)
    return written;
  return std::nullopt;
}

/// (4*x + 6) floordiv 8 is (2*x + 3) floordiv 4; (6*x) mod 9 is 3*((2*x) mod
/// 3).
std::optional<FormId> CanonicalForms::digitByCommonFactor(FormId parent,
                                                          int64_t stride,
                                                          int64_t modulus) {
  int64_t g = modulus ? stride * modulus : stride;
  for (const Term &term : pool_.terms(parent)) g = gcd(g, term.coefficient);
  if (g <= 1) return std::nullopt;
  llvm::SmallVector<Term, 8> terms(pool_.terms(parent));
  for (Term &term : terms) term.coefficient /= g;
  int64_t constant = pool_.constant(parent);
  FormId reduced = linear({{pool_.form(terms, floorDiv(constant, g)), 1}}, 0);
  if (stride % g == 0) return digit(reduced, stride / g, modulus);
  if (!modulus || g % stride != 0 || modulus % (g / stride) != 0)
    return std::nullopt;
  int64_t factor = g / stride;
  return linear({{digit(reduced, 1, modulus / factor), factor}},
                floorMod(constant, g) / stride);
}

/// The first coefficient of a parent is positive: P floordiv s is
/// -1 - (-P - 1) floordiv s, and its digit below n is n - 1 - that digit.
std::optional<FormId> CanonicalForms::digitOfReflection(FormId parent,
                                                        int64_t stride,
                                                        int64_t modulus) {
  if (pool_.terms(parent)[0].coefficient > 0) return std::nullopt;
  FormId reflected = linear({{parent, -1}}, -1);
  return linear({{digit(reflected, stride, modulus), -1}},
                modulus ? modulus - 1 : -1);
}

/// Whether every term of the parent stays below the next larger coefficient, as
/// in the linear index of an array. Digits of such a parent telescope, so it
/// stays whole; other parents are made small.
bool CanonicalForms::isRadix(FormId parent) {
  if (auto known = memo(parent).radix; known != FormMemo::kUnknown)
    return known == FormMemo::kYes;
  llvm::SmallVector<Term, 8> terms(pool_.terms(parent));
  std::sort(terms.begin(), terms.end(), [](const Term &x, const Term &y) {
    return std::abs(x.coefficient) < std::abs(y.coefficient);
  });
  Interval below = Interval::point(0);
  bool fits = true;
  for (const Term &term : terms) {
    int64_t width = below.count();
    fits = width != Interval::kInfinity && width <= std::abs(term.coefficient);
    if (!fits) break;
    below = below + atomBounds(term.atom) * term.coefficient;
  }
  memo(parent).radix = fits ? FormMemo::kYes : FormMemo::kNo;
  return fits;
}

/// What is a multiple of the divisor goes out of a parent that is no radix (in
/// a radix it stays: digits of one parent telescope). On d0, d1, d2 in [0, 9],
/// (d0 * 16 + d1 * 4 + d2) floordiv 8 is d0 * 2 + (d1 * 4 + d2) floordiv 8.
std::optional<FormId> CanonicalForms::digitOfRest(FormId parent, int64_t stride,
                                                  int64_t modulus) {
  int64_t period = modulus ? stride * modulus : stride;
  llvm::SmallVector<Term, 8> out, rest;
  bool changed = false;
  for (const Term &term : pool_.terms(parent)) {
    if (term.coefficient % period == 0) {
      out.push_back({term.atom, term.coefficient / stride});
      changed = true;
      continue;
    }
    // A digit does not see whole turns: (11 * x) mod 2 is x mod 2.
    int64_t k = term.coefficient;
    if (modulus && std::abs(k) > period) k = floorMod(k, period);
    changed |= k != term.coefficient;
    rest.push_back({term.atom, k});
  }
  int64_t constant = pool_.constant(parent);
  int64_t remainder = floorMod(constant, period);
  if (!changed && constant == remainder) return std::nullopt;
  FormId whole = pool_.form(out, (constant - remainder) / stride);
  FormId low = linear({{pool_.form(rest, remainder), 1}}, 0);
  FormId form = digit(low, stride, modulus);
  return modulus ? form : linear({{whole, 1}, {form, 1}}, 0);
}

/// Multiples of stride * modulus do not matter to the digit. The parent stays
/// whole unless the rest resolves without them: digits of one parent cancel.
std::optional<FormId> CanonicalForms::digitWithoutMultiples(FormId parent,
                                                            int64_t stride,
                                                            int64_t modulus) {
  int64_t period = stride * modulus;
  llvm::SmallVector<Term, 8> terms;
  for (const Term &term : pool_.terms(parent))
    if (term.coefficient % period != 0) terms.push_back(term);
  FormId reduced = pool_.form(terms, floorMod(pool_.constant(parent), period));
  if (reduced == parent) return std::nullopt;
  FormId form = digit(reduced, stride, modulus);
  if (standsOn(form, reduced)) return std::nullopt;
  return form;
}

/// parent floordiv divisor in simpler atoms.
std::optional<FormId> CanonicalForms::resolve(FormId parent, int64_t divisor) {
  llvm::SmallVector<Term, 8> terms(pool_.terms(parent));
  Resolved found;
  if (!resolve(terms, pool_.constant(parent), divisor, found))
    return std::nullopt;
  found.parts.push_back({pool_.form(found.terms, 0), 1});
  return gathered(found.parts, found.constant);
}

/// (terms + constant) floordiv divisor, added to what is found already. The
/// terms are those of a canonical form, divided by a common factor.
bool CanonicalForms::resolve(llvm::ArrayRef<Term> terms, int64_t constant,
                             int64_t divisor, Resolved &found) {
  ++steps_;
  llvm::SmallVector<Term, 8> rest;
  for (const Term &term : terms) {
    if (term.coefficient % divisor == 0)
      found.terms.push_back({term.atom, term.coefficient / divisor});
    else
      rest.push_back(term);
  }
  int64_t remainder = floorMod(constant, divisor);
  auto sum = checkedAdd(found.constant, floorDiv(constant, divisor));
  if (!sum) return false;
  found.constant = *sum;
  Interval range = termBounds(rest, remainder).floorDiv(divisor);
  if (range.isPoint()) {
    sum = checkedAdd(found.constant, range.lower);
    if (sum) found.constant = *sum;
    return sum.has_value();
  }
  return resolveByWindow(rest, remainder, divisor, found) ||
         resolveStraddling(rest, remainder, divisor, found);
}

/// For a g that divides the divisor, the terms that are no multiples of g drop
/// out where they stay inside one window [k*g, k*g + g - 1]. Larger windows are
/// easier, so of the g that separate the same terms only the largest is tried.
bool CanonicalForms::resolveByWindow(llvm::ArrayRef<Term> rest,
                                     int64_t constant, int64_t divisor,
                                     Resolved &found) {
  llvm::SmallVector<int64_t, 8> windows;
  auto add = [&](int64_t g) {
    if (g > 1 && g < divisor && !llvm::is_contained(windows, g))
      windows.push_back(g);
  };
  for (const Term &term : rest) {
    int64_t g = gcd(divisor, term.coefficient);
    for (size_t i = 0, n = windows.size(); i < n; ++i) add(gcd(windows[i], g));
    add(g);
  }
  std::sort(windows.rbegin(), windows.rend());
  for (int64_t g : windows) {
    llvm::SmallVector<Term, 8> high, low;
    for (const Term &term : rest) {
      if (term.coefficient % g == 0)
        high.push_back({term.atom, term.coefficient / g});
      else
        low.push_back(term);
    }
    Interval window = termBounds(low, constant).floorDiv(g);
    if (!window.isPoint()) continue;
    const size_t terms = found.terms.size(), parts = found.parts.size();
    const int64_t sum = found.constant;
    if (resolve(high, window.lower, divisor / g, found)) return true;
    found.terms.truncate(terms);
    found.parts.truncate(parts);
    found.constant = sum;
    return !wholeParents && dropLow(high, window.lower, divisor / g, found);
  }
  return false;
}

/// All but the low part, which cannot carry, is one parent: what went out of
/// the division goes back, so that the parent is the same for every divisor.
bool CanonicalForms::dropLow(llvm::ArrayRef<Term> high, int64_t constant,
                             int64_t divisor, Resolved &found) {
  FormId rest = pool_.form(found.terms, found.constant);
  llvm::SmallVector<Term, 8> terms(high);
  FormId parent =
      linear({{rest, divisor}, {pool_.form(terms, constant), 1}}, 0);
  found = Resolved();
  found.parts.push_back({digit(parent, divisor, 0), 1});
  return true;
}

/// One atom straddles the divisor, the others stay inside one window of its
/// coefficient, which divides the divisor: of either sign,
/// (r - x) floordiv m = (r + 1)/m - 1 - x floordiv m where m divides r + 1.
bool CanonicalForms::resolveStraddling(llvm::ArrayRef<Term> rest,
                                       int64_t constant, int64_t divisor,
                                       Resolved &found) {
  if (rest.empty()) return false;
  const Term *widest = &rest[0];
  for (const Term &term : rest)
    if (std::abs(term.coefficient) > std::abs(widest->coefficient))
      widest = &term;
  int64_t window = std::abs(widest->coefficient);
  if (divisor % window != 0) return false;
  llvm::SmallVector<Term, 8> others;
  for (const Term &term : rest)
    if (&term != widest) others.push_back(term);
  Interval low = termBounds(others, constant).floorDiv(window);
  if (!low.isPoint()) return false;
  int64_t m = divisor / window;
  bool isPositive = widest->coefficient > 0;
  if (isPositive ? low.lower != 0 : (low.lower + 1) % m != 0) return false;
  FormId floor = digit(pool_.atomForm(widest->atom), m, 0);
  found.parts.push_back({floor, isPositive ? 1 : -1});
  if (isPositive) return true;
  auto sum = checkedAdd(found.constant, (low.lower + 1) / m - 1);
  if (sum) found.constant = *sum;
  return sum.has_value();
}

}  // namespace indexical
