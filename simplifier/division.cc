// Digits: with their first parent, which is made minimal, or resolved into
// simpler atoms where bounds allow it. On d0 in [0, 3], d1 in [0, 7]:
//
//   (d0 * 8 + d1) floordiv 8        d0 goes out, d1 stays below 8:   d0
//   (d0 * 8 + d1) floordiv 4        d0 * 2 goes out, d1 straddles:   d0 * 2 +
//                                                                d1 floordiv 4
//   (31 - d0 * 8 - d1) floordiv 8   turned over:                     3 - d0
//   (d0 + d1) floordiv 4            nothing fits: d0 + d1 is a parent
#include <algorithm>

#include "indexical/indexing/arithmetic.h"
#include "indexical/simplifier/canonical_form.h"

namespace indexical {
namespace {

/// (to - from) / step, which divides; nothing where that leaves 64 bits.
std::optional<int64_t> stepsBetween(int64_t from, int64_t to, int64_t step) {
  const __int128 steps = (static_cast<__int128>(to) - from) / step;
  if (steps <= INT64_MIN || steps > INT64_MAX) return std::nullopt;
  return static_cast<int64_t>(steps);
}

}  // namespace

FormId CanonicalForms::digit(FormId form, int64_t stride, int64_t modulus) {
  if (modulus == 1) return pool_.constantForm(0);
  if (pool_.isConstant(form)) return pool_.digit(form, stride, modulus);
  Interval range = bounds(form).floorDiv(stride);
  if (modulus && range.lower >= 0 && range.hasUpper() &&
      range.upper < modulus) {
    if (recorder)
      explainDigit("below the modulus", form, stride, modulus,
                   pool_.digit(form, stride, 0));
    modulus = 0;
  }
  if (stride == 1 && modulus == 0) return form;
  if (modulus && !checkedMul(stride, modulus))
    return pool_.digit(form, stride, modulus);

  auto inner = digitOfDigit(form, stride, modulus);
  if (!inner) return digitOfParent(form, stride, modulus);
  if (recorder)
    explainDigit("a digit of a digit", form, stride, modulus, *inner);
  return *inner;
}

/// A digit of a digit stays with the first parent.
std::optional<FormId> CanonicalForms::digitOfDigit(FormId form, int64_t stride,
                                                   int64_t modulus) {
  auto single = pool_.asAtom(form);
  if (!single || !isDigit(*single)) return std::nullopt;
  const Atom inner = atom(*single);
  if (auto one = indexical::digitOfDigit(inner, stride, modulus))
    return digit(one->a, one->stride, one->modulus);
  if (inner.modulus == 0) return pool_.digit(form, stride, modulus);
  auto both = checkedMul(inner.stride, stride);
  if (!both || stride == 1 || inner.modulus % stride != 0 ||
      !checkedMul(inner.stride, inner.modulus))
    return std::nullopt;
  return digit(digit(inner.a, *both, inner.modulus / stride), 1, modulus);
}

FormId CanonicalForms::digitOfParent(FormId parent, int64_t stride,
                                     int64_t modulus) {
  Atom key;
  key.kind = AtomKind::Digit;
  key.a = parent;
  key.stride = stride;
  key.modulus = modulus;
  const AtomId id = pool_.internAtom(key);
  if (FormId known = atomMemo(id).digit; known != kNotYet) {
    // It may have been found while nothing was taken down.
    if (recorder)
      if (auto rule = rules_.find(id); rule != rules_.end())
        explainDigit(rule->second, parent, stride, modulus, known);
    return known;
  }
  // Remembered before it is looked into: a digit met on the way stands for
  // itself.
  const FormId itself = pool_.atomForm(id);
  atomMemo(id).digit = itself;
  if (pool_.overflowed()) return itself;
  FormId form = attempted(itself, [&] {
    return digitFromParts(parent, stride, modulus).value_or(itself);
  });
  if (Interval range = bounds(form); range.isPoint() && foldPoints) {
    const FormId value = pool_.constantForm(range.lower);
    if (recorder && form != value)
      explainDigit("one value", parent, stride, modulus, value);
    form = value;
  }
  return atomMemo(id).digit = form;
}

/// The rules for digits, in the order in which they are tried: the first that
/// applies gives the form. A sum of variables is made minimal, so that a digit
/// of it looks the same wherever it comes from. In a sum that has digits itself
/// what goes out or drops out would be missed, since digits of one parent
/// cancel: it stays whole as far as it may.
///
/// The terms of a dense sum fill the steps between their coefficients, so that
/// the rules that look for what is left over find nothing.
llvm::ArrayRef<CanonicalForms::Rule> CanonicalForms::rulesFor(FormId parent) {
  static constexpr Rule kResidue{"a known remainder",
                                 &CanonicalForms::digitOfResidue};
  static constexpr Rule kFactor{"a common factor goes out",
                                &CanonicalForms::digitByCommonFactor};
  static constexpr Rule kReflection{
      "turned over, the first coefficient is positive",
      &CanonicalForms::digitOfReflection};
  static constexpr Rule kRest{"multiples of the divisor go out",
                              &CanonicalForms::digitOfRest};
  static constexpr Rule kWindow{"a part that cannot carry",
                                &CanonicalForms::digitByWindow};
  static constexpr Rule kReduced{"whole turns do not count",
                                 &CanonicalForms::digitOfReduced};
  static constexpr Rule kIndex{"an index, cut at its strides",
                               &CanonicalForms::digitOfIndex};
  static constexpr Rule kRemainders{"remainders that cannot carry",
                                    &CanonicalForms::digitByRemainders};
  static constexpr Rule kResolved{"in simpler terms, by bounds",
                                  &CanonicalForms::digitResolved};
  static constexpr Rule kJoined{"a digit of digits of one parent",
                                &CanonicalForms::digitOfJoined};
  static constexpr Rule kConstant{"the constant is within one period",
                                  &CanonicalForms::digitOfConstant};
  static constexpr Rule kTurns{"an inner remainder takes away whole turns",
                               &CanonicalForms::digitWithoutRemainders};
  static constexpr Rule kMultiples{"multiples of the period do not count",
                                   &CanonicalForms::digitWithoutMultiples};
  static constexpr Rule kTwoValues{"affine between two values",
                                   &CanonicalForms::digitOfTwoValues};
  static constexpr Rule kNearest{"the nearest turns do not count",
                                 &CanonicalForms::digitOfNearest};
  static constexpr Rule kOfVariables[] = {
      kIndex,  kResidue, kTwoValues,  kFactor,   kReflection, kRest,
      kWindow, kReduced, kRemainders, kResolved, kNearest,
  };
  static constexpr Rule kOfDigits[] = {
      kResidue,    kTwoValues, kFactor, kJoined,  kWindow,    kConstant,
      kReflection, kTurns,     kRest,   kReduced, kMultiples, kResolved,
  };
  static constexpr Rule kOfDenseVariables[] = {kIndex, kTwoValues, kWindow};
  static constexpr Rule kOfDenseDigits[] = {
      kTwoValues, kJoined, kWindow, kTurns, kMultiples, kResolved,
  };
  const bool isDense = residues_.empty() && this->isDense(parent);
  if (isPlain(parent)) {
    if (isDense) return kOfDenseVariables;
    return kOfVariables;
  }
  if (isDense) return kOfDenseDigits;
  return kOfDigits;
}

bool CanonicalForms::isPlain(FormId form) const {
  return llvm::none_of(pool_.terms(form),
                       [&](const Term &term) { return isDigit(term.atom); });
}

std::optional<FormId> CanonicalForms::digitFromParts(FormId parent,
                                                     int64_t stride,
                                                     int64_t modulus) {
  for (const Rule &rule : rulesFor(parent)) {
    const size_t mark = recorder ? recorder->mark() : 0;
    auto form = (this->*rule.apply)(parent, stride, modulus);
    if (form && leaves64Bits(*form, parent)) form.reset();
    if (recorder) {
      const FormId itself = pool_.digit(parent, stride, modulus);
      if (!form || *form == itself) {
        recorder->forget(mark);
      } else {
        rules_[*pool_.asAtom(itself)] = rule.name;
        explainDigit(rule.name, parent, stride, modulus, *form);
      }
    }
    if (form) return form;
  }
  return std::nullopt;
}

/// Where x is known to be 7 mod 12, (x floordiv 3) mod 4 is 2; where x is 0 mod
/// 3, (x + 2) floordiv 3 is x floordiv 3.
std::optional<FormId> CanonicalForms::digitOfResidue(FormId parent,
                                                     int64_t stride,
                                                     int64_t modulus) {
  if (residues_.empty()) return std::nullopt;
  Residue known = residue(parent);
  if (modulus && known.modulus % (stride * modulus) == 0)
    return pool_.constantForm(floorMod(known.remainder, stride * modulus) /
                              stride);
  const int64_t rest = floorMod(known.remainder, stride);
  if (known.modulus % stride != 0 || rest == 0) return std::nullopt;
  return digit(linear({{parent, 1}}, -rest), stride, modulus);
}

/// The constant, but for whole periods: within the first one, or, in a sum that
/// takes digits away, so that the least sum is. What runs back from its
/// greatest value so counts from there, whatever was divided off.
int64_t CanonicalForms::constantWithin(llvm::ArrayRef<Term> terms,
                                       int64_t constant, int64_t period) {
  const int64_t rest = floorMod(constant, period);
  auto isAdded = [](const Term &term) { return term.coefficient > 0; };
  auto isNoDigit = [&](const Term &term) { return !isDigit(term.atom); };
  if (llvm::all_of(terms, isAdded) || llvm::all_of(terms, isNoDigit))
    return rest;
  // So small that sums with it stay inside 64 bits.
  constexpr int64_t kMost = int64_t{1} << 60;
  const Interval range = termBounds(terms, 0);
  if (period > kMost || !Interval{-kMost, kMost}.contains(range)) return rest;
  return floorMod(rest + floorMod(range.lower, period), period) - range.lower;
}

/// (x + 11) floordiv 8 is (x + 3) floordiv 8 + 1, and (x + 11) mod 8 is
/// (x + 3) mod 8.
std::optional<FormId> CanonicalForms::digitOfConstant(FormId parent,
                                                      int64_t stride,
                                                      int64_t modulus) {
  const int64_t period = modulus ? stride * modulus : stride;
  const int64_t constant = pool_.constant(parent);
  llvm::SmallVector<Term, 8> terms(pool_.terms(parent));
  const int64_t rest = constantWithin(terms, constant, period);
  auto turns = stepsBetween(rest, constant, stride);
  if (rest == constant || !turns) return std::nullopt;
  const FormId moved = linear({{pool_.form(terms, rest), 1}}, 0);
  // Where another constant makes another sum, that could go round and round.
  if (pool_.terms(moved) != llvm::ArrayRef<Term>(terms) &&
      weight(moved) >= weight(parent))
    return std::nullopt;
  FormId low = digit(moved, stride, modulus);
  return linear({{low, 1}}, modulus ? 0 : *turns);
}

/// (4*x + 6) floordiv 8 is (2*x + 3) floordiv 4; (6*x) mod 9 is 3*((2*x) mod
/// 3); ((4*x) floordiv 6) mod 4 is ((2*x) floordiv 3) mod 4.
std::optional<FormId> CanonicalForms::digitByCommonFactor(FormId parent,
                                                          int64_t stride,
                                                          int64_t modulus) {
  int64_t g = modulus ? stride * modulus : stride;
  for (const Term &term : pool_.terms(parent)) g = gcd(g, term.coefficient);
  if (g <= 1) return std::nullopt;
  if (int64_t inStride = gcd(g, stride); inStride > 1 || !modulus) g = inStride;
  if (g <= 1) return std::nullopt;
  llvm::SmallVector<Term, 8> terms(pool_.terms(parent));
  for (Term &term : terms) term.coefficient /= g;
  int64_t constant = pool_.constant(parent);
  FormId reduced = linear({{pool_.form(terms, floorDiv(constant, g)), 1}}, 0);
  if (stride % g == 0) return digit(reduced, stride / g, modulus);
  // The stride is coprime to g, which divides the modulus.
  if (stride != 1) return std::nullopt;
  return linear({{digit(reduced, 1, modulus / g), g}}, floorMod(constant, g));
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

/// A radix, if every term of the parent stays below the next larger
/// coefficient, as in the linear index of an array. Digits of such a parent
/// telescope, so it stays whole; other parents are made small. Dense, if the
/// terms fill the steps between their coefficients, from 0 on.
CanonicalForms::Radix CanonicalForms::radixOf(FormId parent) {
  if (Radix known = memo(parent).radix; known != Radix::Unknown) return known;
  llvm::SmallVector<Term, 8> terms(pool_.terms(parent));
  std::sort(terms.begin(), terms.end(), [](const Term &x, const Term &y) {
    return std::abs(x.coefficient) < std::abs(y.coefficient);
  });
  Interval below = Interval::point(0);
  Radix radix = pool_.constant(parent) == 0 ? Radix::Dense : Radix::Sparse;
  for (const Term &term : terms) {
    const int64_t width = below.count();
    if (width == Interval::kInfinity || width > std::abs(term.coefficient))
      return memo(parent).radix = Radix::None;
    const Interval range = atomBounds(term.atom);
    if (width != term.coefficient || range.lower != 0 || !range.hasUpper())
      radix = Radix::Sparse;
    below = below + range * term.coefficient;
  }
  return memo(parent).radix = radix;
}

/// What is a multiple of the divisor goes out of a parent that is no radix (in
/// a radix it stays: digits of one parent telescope). On d0, d1, d2 in [0, 9],
/// (d0 * 16 + d1 * 4 + d2) floordiv 8 is d0 * 2 + (d1 * 4 + d2) floordiv 8.
std::optional<FormId> CanonicalForms::digitOfRest(FormId parent, int64_t stride,
                                                  int64_t modulus) {
  int64_t period = modulus ? stride * modulus : stride;
  if (!isPlain(parent) && pool_.terms(parent).size() > 1 && isRadix(parent))
    return std::nullopt;
  llvm::SmallVector<Term, 8> out, rest;
  bool changed = false;
  for (const Term &term : pool_.terms(parent)) {
    if (term.coefficient % period == 0) {
      out.push_back({term.atom, term.coefficient / stride});
      changed = true;
      continue;
    }
    rest.push_back(term);
  }
  int64_t constant = pool_.constant(parent);
  int64_t remainder = constantWithin(rest, constant, period);
  auto turns = stepsBetween(remainder, constant, stride);
  if ((!changed && constant == remainder) || !turns) return std::nullopt;
  FormId whole = pool_.form(out, *turns);
  FormId low = linear({{pool_.form(rest, remainder), 1}}, 0);
  FormId form = digit(low, stride, modulus);
  return modulus ? form : linear({{whole, 1}, {form, 1}}, 0);
}

/// A digit does not see whole turns: (11 * x) mod 2 is x mod 2. The index of an
/// array stays as it is: (d0 * 5 + d1) mod 4. Where the parent is a multiple of
/// an index, the factor is reduced: (d0 * 35 + d1 * 7) mod 4 is
/// (d0 * 15 + d1 * 3) mod 4.
std::optional<FormId> CanonicalForms::digitOfReduced(FormId parent,
                                                     int64_t stride,
                                                     int64_t modulus) {
  if (!modulus) return std::nullopt;
  const int64_t period = stride * modulus;
  llvm::SmallVector<Term, 8> terms(pool_.terms(parent));
  int64_t factor = 1;
  if (terms.size() > 1 && isRadix(parent)) {
    factor = terms[0].coefficient;
    for (const Term &term : terms)
      if (std::abs(term.coefficient) < std::abs(factor))
        factor = term.coefficient;
    auto isMultiple = [&](const Term &t) {
      return t.coefficient % factor == 0;
    };
    if (!llvm::all_of(terms, isMultiple))
      factor = 1;
    else if (std::abs(factor) <= period)
      return std::nullopt;
  }
  bool changed = false;
  for (Term &term : terms) {
    if (factor != 1) {
      auto reduced =
          checkedMul(term.coefficient / factor, floorMod(factor, period));
      if (!reduced) return std::nullopt;
      term.coefficient = *reduced;
      changed = true;
    } else if (std::abs(term.coefficient) > period) {
      term.coefficient = floorMod(term.coefficient, period);
      changed = true;
    }
  }
  if (!changed) return std::nullopt;
  return digit(linear({{pool_.form(terms, pool_.constant(parent)), 1}}, 0),
               stride, modulus);
}

/// Every digit of an atom that has two values is affine: (d0 + 1) mod 2 on d0
/// in [0, 1] is 1 - d0.
std::optional<FormId> CanonicalForms::digitOfTwoValues(FormId parent,
                                                       int64_t stride,
                                                       int64_t modulus) {
  if (pool_.terms(parent).size() != 1) return std::nullopt;
  const Term term = pool_.terms(parent)[0];
  const Interval range = atomBounds(term.atom);
  if (range.count() != 2) return std::nullopt;
  auto at = [&](int64_t x) -> std::optional<int64_t> {
    auto product = checkedMul(term.coefficient, x);
    auto sum =
        product ? checkedAdd(*product, pool_.constant(parent)) : std::nullopt;
    if (!sum) return std::nullopt;
    const int64_t floor = floorDiv(*sum, stride);
    return modulus ? floorMod(floor, modulus) : floor;
  };
  auto low = at(range.lower), high = at(range.upper);
  auto slope = low && high ? checkedSub(*high, *low) : std::nullopt;
  auto start = slope ? checkedMul(*slope, -range.lower) : std::nullopt;
  auto constant = start ? checkedAdd(*low, *start) : std::nullopt;
  if (!constant) return std::nullopt;
  return linear({{pool_.atomForm(term.atom), *slope}}, *constant);
}

/// In steps of 6 d0 * 5 is -d0: (d0 * 5 + 5) mod 6 is 5 - d0 where that is
/// inside. Only where it is shorter: most sums read better as they are.
std::optional<FormId> CanonicalForms::digitOfNearest(FormId parent,
                                                     int64_t stride,
                                                     int64_t modulus) {
  if (!modulus) return std::nullopt;
  const int64_t period = stride * modulus;
  const FormId nearest = withinTurn(parent, period);
  // Within one turn, or it would not be shorter.
  if (nearest == parent || !bounds(nearest).floorDiv(period).isPoint())
    return std::nullopt;
  FormId form = digit(linear({{nearest, 1}}, 0), stride, modulus);
  return weight(form) <= weight(parent) ? std::optional(form) : std::nullopt;
}

/// (d0 * 5 + d1) floordiv 4 is d0 where d0 + d1 stays below 4.
std::optional<FormId> CanonicalForms::digitByRemainders(FormId parent,
                                                        int64_t stride,
                                                        int64_t modulus) {
  if (stride == 1) return std::nullopt;
  llvm::SmallVector<Term, 8> out, rest;
  for (const Term &term : pool_.terms(parent)) {
    int64_t r = floorMod(term.coefficient, stride);
    if (r) rest.push_back({term.atom, r});
    if (r != term.coefficient)
      out.push_back({term.atom, floorDiv(term.coefficient, stride)});
  }
  if (out.empty()) return std::nullopt;
  Interval carry = termBounds(rest, pool_.constant(parent)).floorDiv(stride);
  if (!carry.isPoint()) return std::nullopt;
  return digit(linear({{pool_.form(out, carry.lower), 1}}, 0), 1, modulus);
}

/// Multiples of stride * modulus do not matter to the digit. The parent stays
/// whole unless the rest resolves without them: digits of one parent cancel.
std::optional<FormId> CanonicalForms::digitWithoutMultiples(FormId parent,
                                                            int64_t stride,
                                                            int64_t modulus) {
  if (!modulus) return std::nullopt;
  int64_t period = stride * modulus;
  llvm::SmallVector<Term, 8> terms;
  for (const Term &term : pool_.terms(parent))
    if (term.coefficient % period != 0) terms.push_back(term);
  FormId reduced =
      pool_.form(terms, constantWithin(terms, pool_.constant(parent), period));
  if (reduced == parent) return std::nullopt;
  FormId form = digit(reduced, stride, modulus);
  if (standsOn(form, reduced)) return std::nullopt;
  return form;
}

/// The digit in simpler atoms: its floor, or both floors where it has a
/// modulus, if the bounds of the digit survive.
std::optional<FormId> CanonicalForms::digitResolved(FormId parent,
                                                    int64_t stride,
                                                    int64_t modulus) {
  // A dense sum comes apart inside its lowest term, if anywhere now.
  const int64_t period = modulus ? stride * modulus : stride;
  auto comesApart = [&](const Term &term) {
    return term.coefficient == 1 && atomBounds(term.atom).count() % period == 0;
  };
  if (isDense(parent) &&
      llvm::none_of(llvm::SmallVector<Term, 8>(pool_.terms(parent)),
                    comesApart))
    return std::nullopt;
  // The floor of a sum of variables may also be found by the other rules.
  auto isOfVariables = [&](const Term &term) {
    return !isDigit(term.atom) || pool_.asVariable(atom(term.atom).a);
  };
  auto floorBy = [&](int64_t divisor) {
    auto floor = resolve(parent, divisor);
    if (floor || !modulus || !isPlain(parent)) return floor;
    floor = digit(parent, divisor, 0);
    if (!llvm::all_of(pool_.terms(*floor), isOfVariables)) floor.reset();
    return floor;
  };
  std::optional<FormId> low = parent;
  if (stride != 1) low = floorBy(stride);
  if (!low || !modulus) return low;
  auto high = floorBy(period);
  if (!high) return std::nullopt;
  FormId written = linear({{*low, 1}, {*high, -modulus}}, 0);
  Interval range = bounds(written);
  if (range.lower >= 0 && range.hasUpper() && range.upper < modulus)
    return written;
  return std::nullopt;
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
    return false;
  }
  return false;
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
