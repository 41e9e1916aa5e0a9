// Digits of sums: parts that cannot carry (rules.h has the rows).
#include <algorithm>

#include "indexical/indexing/arithmetic.h"
#include "indexical/simplifier/canonical_form.h"
#include "indexical/simplifier/digit_rules.h"

namespace indexical::digit_rules {

namespace {

/// Returns the step of the sum in steps of g (Facts::stepOf), also if only what
/// is known of a part of the sum shows it: with d0 + d1 in [0, 7], 2 * d0 + 2 *
/// d1 + d2 stays below 16 for d2 in [0, 1].
std::optional<int64_t> stepByFacts(CanonicalForms &forms,
                                   llvm::ArrayRef<Term> terms, int64_t constant,
                                   int64_t g) {
  if (const auto step = forms.facts.stepOf(terms, constant, g)) return step;
  if (terms.size() < 2 || forms.facts.areNone()) return std::nullopt;
  llvm::SmallVector<Term, 8> own(terms);
  const FormId sum = forms.pool().form(own, constant);
  const Interval step = forms.bounds(sum).floorDiv(g);
  if (!step.isPoint()) return std::nullopt;
  return step.lower;
}

}  // namespace

//===-- The index of an array ---------------------------------------------===//

namespace {

/// stride * atom, and one more than its largest sum with the terms below it.
struct StridedAtom {
  AtomId atom;
  int64_t stride, end;
};

/// Returns the variables of an index, the least stride first: all start from 0,
/// and the sum of those below a stride is less than that stride. Empty if the
/// form is no index.
llvm::SmallVector<StridedAtom, 8> stridedAtomsOf(CanonicalForms &forms,
                                                 FormId form) {
  const ExpressionPool &pool = forms.pool();
  llvm::SmallVector<StridedAtom, 8> atoms;
  if (pool.constant(form) != 0) return atoms;
  for (const Term &term : pool.terms(form)) {
    const Interval range = forms.facts.ofAtom(term.atom);
    auto end = checkedMul(term.coefficient, range.count());
    if (term.coefficient < 0 || range.lower != 0 || !range.hasUpper() || !end)
      return {};
    atoms.push_back({term.atom, term.coefficient, *end});
  }
  llvm::sort(atoms, [](const StridedAtom &x, const StridedAtom &y) {
    return x.stride < y.stride;
  });
  for (size_t i = 1; i < atoms.size(); ++i)
    if (atoms[i].stride < atoms[i - 1].end) return {};
  return atoms;
}

/// Returns the digit with a shorter index: without multiples of the period, and
/// without the terms below a common factor of the stride and all terms above.
Form shorterIndex(CanonicalForms &forms, llvm::ArrayRef<StridedAtom> atoms,
                  const Cut &cut) {
  ExpressionPool &pool = forms.pool();
  const int64_t period = cut.period();
  llvm::SmallVector<Term, 8> out, rest;
  int64_t factor = cut.stride;  // of the rest, and the stride
  for (const StridedAtom &strided : llvm::reverse(atoms)) {
    if (strided.stride % period == 0) {
      out.push_back({strided.atom, strided.stride / cut.stride});
      continue;
    }
    // The terms below cannot carry.
    if (strided.end <= factor) break;
    rest.push_back({strided.atom, strided.stride});
    factor = gcd(factor, strided.stride);
  }
  if (rest.size() == atoms.size() && factor == 1) return std::nullopt;
  for (Term &term : rest) term.coefficient /= factor;
  FormId form =
      forms.digit(pool.form(rest, 0), cut.stride / factor, cut.modulus);
  if (cut.modulus || out.empty()) return form;
  return forms.linear({{pool.form(out, 0), 1}, {form, 1}}, 0);
}

}  // namespace

/// An index is cut at a stride, or at a multiple of one that divides the next
/// stride. On d0 in [0, 2], d1 in [0, 5], d2 in [0, 3], (d0 * 24 + d1 * 4 + d2)
/// floordiv 8 is d0 * 3 + d1 floordiv 2. Elsewhere the terms that matter stay:
/// (d0 * 24 + d1 * 4 + d2) floordiv 20 is (d0 * 6 + d1) floordiv 5. The other
/// rules find the same, by more forms in between.
Form cutAtStrides(CanonicalForms &forms, const Cut &cut) {
  ExpressionPool &pool = forms.pool();
  if (forms.facts.haveResidues()) return std::nullopt;
  const auto atoms = stridedAtomsOf(forms, cut.parent);
  if (atoms.empty()) return std::nullopt;
  // Without facts no rule applies to digits of variables, or to their sum. A
  // quotient or a remainder by a size takes in a digit of it.
  const bool isFinal =
      forms.facts.areNone() &&
      llvm::all_of(atoms, [&](const StridedAtom &strided) {
        return pool.atom(strided.atom).kind == AtomKind::Variable;
      });
  const int64_t period = cut.modulus ? cut.stride * cut.modulus : INT64_MAX;
  llvm::SmallVector<ScaledForm, 8> parts;
  for (const StridedAtom &strided : atoms) {
    if (strided.end <= cut.stride) continue;
    // The digit takes the part of the variable from `low` on and below `high`
    // times `low`, or all from `low` on if `high` is 0.
    int64_t low = 1, high = 0;
    bool isCut = true;
    if (strided.stride >= period) {
      isCut = strided.stride % period == 0;
    } else {
      isCut = strided.stride < cut.stride ? cut.stride % strided.stride == 0
                                          : strided.stride % cut.stride == 0;
      low = std::max<int64_t>(1, cut.stride / strided.stride);
      if (strided.end > period) {
        isCut &= period % strided.stride == 0;
        high = period / strided.stride / low;
      }
    }
    if (!isCut) return shorterIndex(forms, atoms, cut);
    if (strided.stride >= period) continue;
    FormId part = pool.atomForm(strided.atom);
    if (low != 1 || high) {
      part = isFinal ? forms.itself({part, low, high})
                     : forms.digit(part, low, high);
    }
    parts.push_back({part, std::max<int64_t>(1, strided.stride / cut.stride)});
  }
  return isFinal ? pool.linear(parts, 0) : forms.linear(parts, 0);
}

//===-- Windows -----------------------------------------------------------===//

namespace {

/// Returns the windows at which the terms may come apart: divisors of the
/// period that some of the terms share, and that divide the stride or are
/// multiples of it. The largest come first: larger windows are easier, and drop
/// more. A dense sum comes apart between two of its terms only.
llvm::SmallVector<int64_t, 8> windowsOf(llvm::ArrayRef<Term> terms,
                                        int64_t stride, int64_t period,
                                        bool isDense) {
  llvm::SmallVector<int64_t, 8> divisors, windows;
  auto add = [](llvm::SmallVectorImpl<int64_t> &to, int64_t g) {
    if (!llvm::is_contained(to, g)) to.push_back(g);
  };
  auto addWindow = [&](int64_t g) {
    if (g > 1 && g <= period && (stride % g == 0 || g % stride == 0))
      add(windows, g);
  };
  for (const Term &term : terms) {
    if (isDense) {
      if (period % term.coefficient == 0) addWindow(term.coefficient);
      continue;
    }
    const int64_t g = gcd(period, term.coefficient);
    if (llvm::is_contained(divisors, g)) continue;
    for (size_t i = 0, n = divisors.size(); i < n; ++i)
      if (divisors[i] % g != 0 && g % divisors[i] != 0)
        add(divisors, gcd(divisors[i], g));
    add(divisors, g);
  }
  if (terms.size() == 1 && !isDense) add(divisors, period);
  for (int64_t divisor : divisors)
    for (int64_t g : {divisor, gcd(divisor, stride)}) addWindow(g);
  std::sort(windows.rbegin(), windows.rend());
  return windows;
}

enum class Split { Whole, Rest, Nearest };

/// terms + constant as high * g + low, where low stays inside one window
/// [step * g, step * g + g - 1].
struct Parted {
  llvm::SmallVector<Term, 8> high, low;
  std::optional<int64_t> step;
};

Parted partedAt(int64_t g, Split split, llvm::ArrayRef<Term> terms) {
  Parted parted;
  for (const Term &term : terms) {
    const int64_t k = term.coefficient;
    // k is turns * g + rest.
    int64_t rest = floorMod(k, g), turns = floorDiv(k, g);
    if (split == Split::Whole && rest != 0) {
      rest = k;
      turns = 0;
    } else if (split == Split::Nearest && rest > g / 2) {
      rest -= g;
      ++turns;
    }
    if (turns != 0) parted.high.push_back({term.atom, turns});
    if (rest != 0) parted.low.push_back({term.atom, rest});
  }
  return parted;
}

/// Returns the greatest less the least value, or the largest number.
uint64_t spanOf(Interval range) {
  if (!range.isFinite()) return UINT64_MAX;
  return static_cast<uint64_t>(range.upper) -
         static_cast<uint64_t>(range.lower);
}

/// Whether what is left of the terms, from the nearest multiples of g on, can
/// stay inside a window: no other way to part them leaves less.
bool mayFit(llvm::ArrayRef<Term> terms, llvm::ArrayRef<uint64_t> spans,
            int64_t g) {
  const uint64_t room = g;
  uint64_t width = 0;
  for (size_t i = 0; i < terms.size(); ++i) {
    const uint64_t rest = floorMod(terms[i].coefficient, g);
    const uint64_t least = std::min(rest, room - rest);
    if (least == 0) continue;
    if (spans[i] > (room - 1 - width) / least) return false;
    width += spans[i] * least;
  }
  return true;
}

}  // namespace

/// Terms that are no multiples of g and stay inside one window of g cannot
/// carry. If g divides the stride they drop out. If the stride divides g, they
/// are the low digit, and the rest is the high one.
Form withoutCarry(CanonicalForms &forms, const Cut &cut) {
  ExpressionPool &pool = forms.pool();
  const int64_t period = cut.period();
  llvm::SmallVector<Term, 8> terms(pool.terms(cut.parent));
  const int64_t constant = pool.constant(cut.parent);
  llvm::SmallVector<uint64_t, 8> spans;
  for (const Term &term : terms)
    spans.push_back(spanOf(forms.facts.ofAtom(term.atom)));
  for (int64_t g : windowsOf(terms, cut.stride, period,
                             forms.measures.isDense(cut.parent))) {
    if (forms.facts.areNone() && !mayFit(terms, spans, g)) continue;
    // Whole terms first, then what is left of them: 25 * x is 24 * x + x; at
    // last what is missing: 23 * x is 24 * x - x.
    Parted parted;
    Split used = Split::Whole;
    for (Split split : {Split::Whole, Split::Rest, Split::Nearest}) {
      parted = partedAt(g, split, terms);
      parted.step = stepByFacts(forms, parted.low, constant, g);
      used = split;
      if (parted.step) break;
    }
    if (parted.high.empty() || !parted.step) continue;
    auto part = [&](llvm::MutableArrayRef<Term> of, int64_t rest) {
      return used == Split::Whole ? forms.partOf(cut.parent, of, rest)
                                  : forms.linear({{pool.form(of, rest), 1}}, 0);
    };
    FormId above = part(parted.high, *parted.step);
    if (cut.stride % g == 0)
      return forms.digit(above, cut.stride / g, cut.modulus);
    auto start = checkedMul(*parted.step, g);
    auto rest = start ? checkedSub(constant, *start) : std::nullopt;
    if (!rest) continue;
    FormId below = part(parted.low, *rest);
    return forms.linear({{forms.digit(below, cut.stride, 0), 1},
                         {forms.digit(above, 1, period / g), g / cut.stride}},
                        0);
  }
  return std::nullopt;
}

/// (d0 * 10 + d1) floordiv 8 is d0 if d0 * 2 + d1 stays below 8.
Form withoutCarryOfRemainders(CanonicalForms &forms, const Cut &cut) {
  ExpressionPool &pool = forms.pool();
  if (cut.stride == 1) return std::nullopt;
  llvm::SmallVector<Term, 8> out, rest;
  for (const Term &term : pool.terms(cut.parent)) {
    const int64_t r = floorMod(term.coefficient, cut.stride);
    if (r) rest.push_back({term.atom, r});
    if (r != term.coefficient)
      out.push_back({term.atom, floorDiv(term.coefficient, cut.stride)});
  }
  if (out.empty()) return std::nullopt;
  const auto step =
      forms.facts.stepOf(rest, pool.constant(cut.parent), cut.stride);
  if (!step) return std::nullopt;
  return forms.digit(forms.linear({{pool.form(out, *step), 1}}, 0), 1,
                     cut.modulus);
}

//===-- Floors in simpler terms -------------------------------------------===//

namespace {

/// Finds the floor of a sum by a divisor in simpler atoms, term by term.
class Resolution {
 public:
  explicit Resolution(CanonicalForms &forms)
      : forms_(forms), pool_(forms.pool()) {}
  Form operator()(FormId parent, int64_t divisor);

 private:
  bool floorOf(llvm::ArrayRef<Term> terms, int64_t constant, int64_t divisor);
  bool byWindow(llvm::ArrayRef<Term> rest, int64_t constant, int64_t divisor);
  bool straddling(llvm::ArrayRef<Term> rest, int64_t constant, int64_t divisor);

  CanonicalForms &forms_;
  ExpressionPool &pool_;
  llvm::SmallVector<Term, 8> terms_;
  llvm::SmallVector<ScaledForm, 4> parts_;
  int64_t constant_ = 0;
};

/// Returns parent floordiv divisor in simpler atoms.
Form Resolution::operator()(FormId parent, int64_t divisor) {
  llvm::SmallVector<Term, 8> terms(pool_.terms(parent));
  if (!floorOf(terms, pool_.constant(parent), divisor)) return std::nullopt;
  parts_.push_back({pool_.form(terms_, 0), 1});
  return forms_.gathering.sum(parts_, constant_);
}

/// Adds (terms + constant) floordiv divisor to what is found already. The terms
/// are those of a canonical form, divided by a common factor.
bool Resolution::floorOf(llvm::ArrayRef<Term> terms, int64_t constant,
                         int64_t divisor) {
  ++forms_.steps;
  llvm::SmallVector<Term, 8> rest;
  for (const Term &term : terms) {
    if (term.coefficient % divisor == 0)
      terms_.push_back({term.atom, term.coefficient / divisor});
    else
      rest.push_back(term);
  }
  int64_t remainder = floorMod(constant, divisor);
  auto sum = checkedAdd(constant_, floorDiv(constant, divisor));
  if (!sum) return false;
  constant_ = *sum;
  if (const auto step = stepByFacts(forms_, rest, remainder, divisor)) {
    sum = checkedAdd(constant_, *step);
    if (sum) constant_ = *sum;
    return sum.has_value();
  }
  return byWindow(rest, remainder, divisor) ||
         straddling(rest, remainder, divisor);
}

/// For a g that divides the divisor, the terms that are no multiples of g drop
/// out if they stay inside one window [k*g, k*g + g - 1]. Larger windows are
/// easier, so of the g that separate the same terms only the largest is tried.
bool Resolution::byWindow(llvm::ArrayRef<Term> rest, int64_t constant,
                          int64_t divisor) {
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
    const auto step = stepByFacts(forms_, low, constant, g);
    if (!step) continue;
    const size_t terms = terms_.size(), parts = parts_.size();
    const int64_t sum = constant_;
    if (floorOf(high, *step, divisor / g)) return true;
    terms_.truncate(terms);
    parts_.truncate(parts);
    constant_ = sum;
    return false;
  }
  return false;
}

/// One atom straddles the divisor, the others stay inside one window of its
/// coefficient, which divides the divisor. The coefficient may be negative: (r
/// - x) floordiv m = (r + 1)/m - 1 - x floordiv m if m divides r + 1.
bool Resolution::straddling(llvm::ArrayRef<Term> rest, int64_t constant,
                            int64_t divisor) {
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
  const auto step = stepByFacts(forms_, others, constant, window);
  if (!step) return false;
  int64_t m = divisor / window;
  bool isPositive = widest->coefficient > 0;
  if (isPositive ? *step != 0 : (*step + 1) % m != 0) return false;
  FormId floor = forms_.digit(pool_.atomForm(widest->atom), m, 0);
  parts_.push_back({floor, isPositive ? 1 : -1});
  if (isPositive) return true;
  auto sum = checkedAdd(constant_, (*step + 1) / m - 1);
  if (sum) constant_ = *sum;
  return sum.has_value();
}

}  // namespace

/// The digit in simpler atoms: its floor, or both floors if it has a modulus,
/// if the bounds of the digit survive.
Form inSimplerTerms(CanonicalForms &forms, const Cut &cut) {
  ExpressionPool &pool = forms.pool();
  // A dense sum comes apart inside its lowest term, if anywhere now.
  const int64_t period = cut.period();
  auto comesApart = [&](const Term &term) {
    return term.coefficient == 1 &&
           forms.facts.ofAtom(term.atom).count() % period == 0;
  };
  if (forms.measures.isDense(cut.parent) &&
      llvm::none_of(llvm::SmallVector<Term, 8>(pool.terms(cut.parent)),
                    comesApart))
    return std::nullopt;
  // The floor of a sum of variables may also be found by the other rules.
  auto isOfVariables = [&](const Term &term) {
    return !isDigit(pool, term.atom) || pool.asVariable(pool.atom(term.atom).a);
  };
  auto floorBy = [&](int64_t divisor) {
    auto floor = Resolution(forms)(cut.parent, divisor);
    if (floor || !cut.modulus || !forms.measures.isPlain(cut.parent))
      return floor;
    floor = forms.digit(cut.parent, divisor, 0);
    if (!llvm::all_of(pool.terms(*floor), isOfVariables)) floor.reset();
    return floor;
  };
  std::optional<FormId> low = cut.parent;
  if (cut.stride != 1) low = floorBy(cut.stride);
  if (!low || !cut.modulus) return low;
  auto high = floorBy(period);
  if (!high) return std::nullopt;
  FormId written = forms.linear({{*low, 1}, {*high, -cut.modulus}}, 0);
  Interval range = forms.bounds(written);
  if (range.lower >= 0 && range.hasUpper() && range.upper < cut.modulus)
    return written;
  return std::nullopt;
}

}  // namespace indexical::digit_rules
