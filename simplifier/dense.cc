#include "indexical/simplifier/dense.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/bounds.h"
#include "indexical/simplifier/congruence.h"

namespace indexical {

bool DenseVariables::add(const SteppedVariable &step) {
  if (auto before = of(step.variable)) {
    auto stride = checkedMul(before->stride, step.stride);
    if (!stride) return false;
  }
  steps_.push_back(step);
  return true;
}

FormId DenseVariables::given(ExpressionAlgebra &algebra, VariableId id,
                             FormId dense, size_t from) const {
  for (const SteppedVariable &step :
       llvm::reverse(llvm::drop_begin(steps_, from)))
    if (step.variable == id)
      dense = algebra.linear({{dense, step.stride}}, step.start);
  return dense;
}

std::optional<SteppedVariable> DenseVariables::of(VariableId id) const {
  std::optional<SteppedVariable> all;
  for (const SteppedVariable &step : steps_) {
    if (!(step.variable == id)) continue;
    if (!all) all = SteppedVariable{id};
    all->start += all->stride * step.start;
    all->stride *= step.stride;
  }
  return all;
}

llvm::SmallVector<SteppedVariable, 4> stepsOf(
    const ExpressionTable &table, llvm::ArrayRef<Constraint> constraints) {
  llvm::SmallVector<SteppedVariable, 4> steps;
  for (const Constraint &c : constraints) {
    const auto digit = asDigit(table, c.form);
    if (!digit || digit->stride != 1 || !c.bounds.isPoint() ||
        !Interval{0, digit->modulus - 1}.contains(c.bounds))
      continue;
    auto rest = checkedSub(c.bounds.lower, table.constant(digit->parent));
    if (!rest) continue;
    const llvm::ArrayRef<Term> terms = table.terms(digit->parent);
    for (const Term &term : terms) {
      const Atom &variable = table.atom(term.atom);
      if (variable.kind != AtomKind::Variable ||
          variable.variable().kind == VariableKind::Runtime)
        continue;
      // The others are multiples of what is left of the modulus.
      int64_t modulus = digit->modulus;
      for (const Term &other : terms)
        if (other.atom != term.atom) modulus = gcd(modulus, other.coefficient);
      if (modulus == 1) continue;
      auto solution = solve(term.coefficient, *rest, modulus);
      if (solution && solution->stride > 1)
        steps.push_back(
            {variable.variable(), solution->stride, solution->start});
    }
  }
  return steps;
}

FormId GivenDimensions::variable(VariableId id) {
  const FormId given = to_.variable(id);
  if (id.kind != VariableKind::Dimension) return given;
  auto step = dense_.of(id);
  if (!step) return given;
  const FormId floor = to_.digit(given, step->stride, 0);
  steps_[*to_.asAtom(floor)] = {given, step->stride, step->start};
  return floor;
}

/// k * (x floordiv n) is k / n * (x - r) if x is r mod n and n divides k, and
/// k * ((x floordiv n) mod m) is k / n * (x mod (n * m) - r).
FormId GivenDimensions::linear(llvm::ArrayRef<ScaledForm> parts,
                               int64_t constant) {
  const FormId form = to_.linear(parts, constant);
  llvm::SmallVector<ScaledForm, 8> all;
  llvm::SmallVector<Term, 8> kept;
  constant = to_.constant(form);
  for (const Term &term : llvm::SmallVector<Term, 8>(to_.terms(form))) {
    auto step = steps_.find(term.atom);
    if (step == steps_.end() || term.coefficient % step->second.factor != 0) {
      kept.push_back(term);
      continue;
    }
    const auto [whole, factor, added] = step->second;
    const int64_t k = term.coefficient / factor;
    auto start = checkedMul(k, added);
    auto rest = start ? checkedSub(constant, *start) : std::nullopt;
    auto period = checkedMul(factor, to_.atom(term.atom).modulus);
    if (!rest || !period) {
      kept.push_back(term);
      continue;
    }
    constant = *rest;
    all.push_back({*period ? to_.digit(whole, 1, *period) : whole, k});
  }
  if (all.empty()) return form;
  all.push_back({to_.form(kept, 0), 1});
  return to_.linear(all, constant);
}

/// Returns the least multiple of the form in which no dimension is divided,
/// with the factor and the constant that was added: q + d1, with q = d0
/// floordiv 2 of an even d0, is d0 + d1 * 2 by 2. Returns nothing if no
/// dimension is divided, or if that leaves 64 bits.
std::optional<GivenDimensions::Multiple> GivenDimensions::withoutFloors(
    FormId form) {
  int64_t factor = 1;
  for (const Term &term : to_.terms(form)) {
    auto step = steps_.find(term.atom);
    if (step == steps_.end() || to_.atom(term.atom).modulus) continue;
    const int64_t n =
        step->second.factor / gcd(step->second.factor, term.coefficient);
    auto both = checkedMul(factor, n / gcd(factor, n));
    if (!both) return std::nullopt;
    factor = *both;
  }
  if (factor == 1) return std::nullopt;
  Attempt attempt(to_);
  FormId whole = linear({{form, factor}}, 0);
  auto boundsOf = [&](VariableId id) { return box_[id]; };
  const int64_t constant = to_.constant(whole);
  const int64_t added = constant > -factor && constant < 0 ? -constant : 0;
  if (added) whole = to_.linear({{whole, 1}}, added);
  if (attempt.failed() || !FormBounds(to_, boundsOf).check(whole).ok())
    return std::nullopt;
  return Multiple{whole, factor, added};
}

Constraint GivenDimensions::constraint(const Constraint &c) {
  auto multiple = withoutFloors(c.form);
  if (!multiple) return c;
  auto bounds = c.bounds.scaled(multiple->factor);
  if (bounds) bounds = bounds->moved(multiple->added);
  if (!bounds) return c;
  return {multiple->form, *bounds};
}

FormId GivenDimensions::digit(FormId form, int64_t stride, int64_t modulus) {
  auto multiple = withoutFloors(form);
  auto both = multiple ? checkedMul(stride, multiple->factor) : std::nullopt;
  if (!both) return to_.digit(form, stride, modulus);
  const FormId digit = to_.digit(multiple->form, *both, modulus);
  auto atom = to_.asAtom(digit);
  if (atom && stride == 1) steps_[*atom] = *multiple;
  return digit;
}

}  // namespace indexical
