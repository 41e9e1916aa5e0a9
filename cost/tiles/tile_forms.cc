#include "indexical/cost/tiles/tile_forms.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/bounds.h"
#include "indexical/indexing/fold.h"

namespace indexical {
namespace {

/// Products of conditions stay far from 64 bits.
constexpr int64_t kLargestFactor = int64_t{1} << 60;

/// Forms with more terms than this are too long to read.
constexpr int64_t kMostTerms = 2000;

/// Bounds of atoms: a domain (indexing/fold.h). Divisors are positive.
struct AtomBounds : IntervalArithmetic {
  llvm::ArrayRef<llvm::SmallVector<Interval, 8>> variables;

  Interval variable(VariableId id) const {
    return variables[static_cast<int>(id.kind)][id.index];
  }
  static Interval quotient(const Interval &a, const Interval &by) {
    return by.lower >= 1 ? a.floorDiv(by) : Interval::all();
  }
  static Interval remainder(const Interval &a, const Interval &by) {
    Interval found = IntervalArithmetic::remainder(a, by);
    if (a.lower >= 0) found.upper = std::min(found.upper, a.upper);
    return found;
  }
};

}  // namespace

FormId TileForms::add(VariableKind kind, Interval bounds, int64_t multipleOf) {
  auto &known = variables_[static_cast<int>(kind)];
  known.push_back(bounds);
  multiples_[static_cast<int>(kind)].push_back(multipleOf);
  return pool.variable({kind, static_cast<uint32_t>(known.size() - 1)});
}

Interval TileForms::bounds(FormId form) {
  Interval sum = Interval::point(pool.constant(form));
  for (const Term &term : pool.terms(form)) {
    if (atoms_.size() <= term.atom)
      atoms_.resize(pool.atomCount(), Interval::none());
    if (atoms_[term.atom].isEmpty()) {
      const Atom atom = pool.atom(term.atom);
      const Interval found =
          valueOfAtom(atom, AtomBounds{{}, variables_},
                      [this](FormId operand) { return bounds(operand); });
      atoms_[term.atom] = found;
    }
    sum = sum + atoms_[term.atom] * term.coefficient;
  }
  return sum;
}

FormId TileForms::digit(FormId form, int64_t stride, int64_t modulus) {
  if (stride == 1 && modulus == 0) return form;
  if (modulus == 1) return number(0);
  int64_t period = 0;  // multiples of it are taken out
  if (modulus && __builtin_mul_overflow(stride, modulus, &period)) period = 0;
  if (!modulus) period = stride;
  llvm::SmallVector<ScaledForm, 4> inside, outside;
  int64_t rest = pool.constant(form), whole = 0;
  if (period) {
    whole = rest / period;  // `a - 1` stays, for `a + 31` with 1 taken off
    rest %= period;
  }
  const llvm::SmallVector<Term, 8> terms(pool.terms(form));
  for (const Term &term : terms) {
    const FormId atom = pool.atomForm(term.atom);
    if (period && term.coefficient % period == 0)
      outside.push_back({atom, term.coefficient / period});
    else
      inside.push_back({atom, term.coefficient});
  }
  FormId low = pool.linear(inside, rest);
  Interval values = bounds(low).floorDiv(stride);
  FormId found;
  if (values.isPoint())
    found = number(modulus ? floorMod(values.lower, modulus) : values.lower);
  else if (modulus && values.lower >= 0 && values.upper < modulus)
    found = pool.digit(low, stride, 0);
  else
    found = pool.digit(low, stride, modulus);
  if (modulus) return found;
  outside.push_back({found, 1});
  return pool.linear(outside, whole);
}

TileForms::Residue TileForms::residueOf(const Atom &atom) {
  if (const auto id = atom.asVariable())
    return {multiples_[static_cast<int>(id->kind)][id->index], 0};
  if (atom.kind != AtomKind::Digit) return {};
  Residue inside = residueOf(atom.a);
  if (inside.of % atom.stride != 0) return {};
  inside = {inside.of / atom.stride, floorDiv(inside.rest, atom.stride)};
  if (!atom.modulus) return inside;
  if (inside.of == 0) return {0, floorMod(inside.rest, atom.modulus)};
  const int64_t of = gcd(inside.of, atom.modulus);
  return {of, floorMod(inside.rest, of)};
}

TileForms::Residue TileForms::residueOf(FormId form) {
  Residue sum{0, pool.constant(form)};
  for (const Term &term : pool.terms(form)) {
    const Atom atom = pool.atom(term.atom);
    const Residue own = residueOf(atom);
    int64_t step = 0, rest = 0;
    if (__builtin_mul_overflow(own.of, term.coefficient, &step) ||
        __builtin_mul_overflow(own.rest, term.coefficient, &rest) ||
        __builtin_add_overflow(sum.rest, rest, &sum.rest) || step == INT64_MIN)
      return {};
    sum.of = sum.of == 0 ? std::abs(step)
             : step == 0 ? sum.of
                         : gcd(sum.of, std::abs(step));
  }
  if (sum.of != 0) sum.rest = floorMod(sum.rest, sum.of);
  return sum;
}

int64_t TileForms::greatestDigit(FormId form, int64_t stride, int64_t modulus) {
  int64_t period = 0;
  const Residue residue = residueOf(form);
  if (__builtin_mul_overflow(stride, modulus, &period)) return modulus - 1;
  if (residue.of == 0) return floorMod(residue.rest, period) / stride;
  const int64_t step = gcd(residue.of, period);
  return (period - step + floorMod(residue.rest, step)) / stride;
}

FormId TileForms::remainder(FormId form, FormId by) {
  if (isNumber(by)) return digit(form, 1, valueOf(by));
  if (form == by) return number(0);
  if (isNumber(form, 1)) return step(shift(by, -2));
  const Interval values = bounds(form), divisor = bounds(by);
  if (values.lower >= 0 && values.upper < divisor.lower) return form;
  return pool.remainder(form, by);
}

FormId TileForms::part(FormId form) {
  const Interval values = bounds(form);
  if (values.lower >= 0) return form;
  if (values.upper <= 0) return number(0);
  return pool.positivePart(form);
}

FormId TileForms::quotient(FormId form, FormId by) {
  if (isNumber(by)) return digit(form, valueOf(by), 0);
  return pool.quotient(form, by);
}

FormId TileForms::step(FormId form) {
  const Interval values = bounds(form);
  if (values.lower >= 0) return number(1);
  if (values.upper < 0) return number(0);
  if (!values.isFinite()) return openStep(form);
  if (values.lower < -kLargestFactor || values.upper > kLargestFactor) {
    failed_ = true;
    return number(0);
  }
  const int64_t past = std::max(-values.lower, values.upper + 1);
  return pool.digit(shift(form, past), past, 0);
}

/// A step of a form without bounds is a division by a form that is greater than
/// its size: of n - o0 - 4 it is (n * 2 + 1) floordiv (n + o0 + 5), where n and
/// o0 are at least 0.
FormId TileForms::openStep(FormId form) {
  llvm::SmallVector<ScaledForm, 8> parts;
  int64_t most = 1;  // past what is bounded
  auto add = [&](int64_t size) {
    failed_ = failed_ || __builtin_add_overflow(most, size, &most);
  };
  if (pool.constant(form) < -kLargestFactor ||
      pool.constant(form) > kLargestFactor)
    failed_ = true;
  else
    add(std::abs(pool.constant(form)));
  const llvm::SmallVector<Term, 8> terms(pool.terms(form));
  for (const Term &term : terms) {
    const FormId atom = pool.atomForm(term.atom);
    const Interval values = bounds(atom);
    if (term.coefficient < -kLargestFactor || values.lower < -kLargestFactor ||
        (values.hasUpper() && values.upper > kLargestFactor))
      failed_ = true;
    if (failed_) return number(0);
    const int64_t factor = std::abs(term.coefficient);
    if (!values.hasUpper() && values.lower >= 0) {
      parts.push_back({atom, factor});
      continue;
    }
    int64_t reach = 0;
    if (!values.isFinite() ||
        __builtin_mul_overflow(
            factor, std::max(std::abs(values.lower), std::abs(values.upper)),
            &reach))
      failed_ = true;
    add(reach);
  }
  if (failed_) return number(0);
  const FormId past = pool.linear(parts, most);
  return within(pool.quotient(pool.add(form, past), past), {0, 1});
}

/// The form, of which the values are known to be within these bounds.
FormId TileForms::within(FormId form, Interval values) {
  const Interval known = bounds(form);
  if (const auto atom = pool.asAtom(form))
    atoms_[*atom] = known.intersect(values);
  return form;
}

FormId TileForms::positive(FormId form) {
  const Interval values = bounds(form);
  // A number of 0 or 1 is what products of conditions take.
  if (values.lower < 0 && values.upper == 1) return step(shift(form, -1));
  return part(form);
}

FormId TileForms::anyZero(llvm::ArrayRef<FormId> factors) {
  llvm::SmallVector<FormId, 4> open;
  for (FormId factor : factors) {
    const Interval values = bounds(factor);
    if (values.isPoint() && values.lower == 0) return number(0);
    if (values.lower >= 1) continue;
    if (!llvm::is_contained(open, factor)) open.push_back(factor);
  }
  Interval all = Interval::point(1);
  for (FormId factor : open) all = all * bounds(factor);
  const bool large = !all.isFinite() || all.upper > kLargestFactor;
  FormId found = number(1);
  for (FormId factor : open)
    found = product(found, large ? step(shift(factor, -1)) : factor);
  return found;
}

bool TileForms::areShort(llvm::ArrayRef<FormId> forms) const {
  int64_t terms = 0;
  for (FormId form : forms) terms = boundedSum(terms, pool.writtenSize(form));
  return terms <= kMostTerms;
}

}  // namespace indexical
