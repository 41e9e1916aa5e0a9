#include "indexical/exact/closed_form.h"

#include <algorithm>

#include "indexical/exact/system.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/map_builder.h"

namespace indexical {
namespace {

using llvm::DynamicAPInt;

DynamicAPInt big(int64_t value) { return DynamicAPInt(value); }

std::optional<DynamicAPInt> sizeOf(Interval bounds) {
  if (!bounds.isFinite()) return std::nullopt;
  return big(bounds.upper) - big(bounds.lower) + big(1);
}

/// Returns how many y in 0 <= y < end have (y floordiv stride) mod modulus in
/// `residues`. For an end below 0 the number is negative, so that the
/// difference for two ends counts the y between them.
DynamicAPInt countResiduesBelow(const DynamicAPInt &end, const Atom &digit,
                                Interval residues) {
  DynamicAPInt stride = big(digit.stride);
  DynamicAPInt period = stride * big(digit.modulus);
  DynamicAPInt width = stride * (*sizeOf(residues));
  DynamicAPInt rest = llvm::mod(end, period) - stride * big(residues.lower);
  rest = std::max(big(0), std::min(rest, width));
  return llvm::floorDiv(end, period) * width + rest;
}

/// x in `bounds` with (±x + c) floordiv s mod n in `residues`.
std::optional<DynamicAPInt> countResidues(const ExpressionTable &table,
                                          const Constraint &constraint,
                                          Interval bounds) {
  auto atom = table.asAtom(constraint.form);
  if (!atom || table.atom(*atom).kind != AtomKind::Digit) return std::nullopt;
  const Atom &digit = table.atom(*atom);
  auto terms = table.terms(digit.a);
  if (!digit.modulus || terms.size() != 1 || !bounds.isFinite() ||
      table.atom(terms[0].atom).kind != AtomKind::Variable ||
      (terms[0].coefficient != 1 && terms[0].coefficient != -1))
    return std::nullopt;
  Interval residues = constraint.bounds.intersect({0, digit.modulus - 1});
  if (residues.isEmpty()) return big(0);
  const bool isNegative = terms[0].coefficient < 0;
  DynamicAPInt c = big(table.constant(digit.a));
  DynamicAPInt first =
      c + (isNegative ? -big(bounds.upper) : big(bounds.lower));
  DynamicAPInt last = c + (isNegative ? -big(bounds.lower) : big(bounds.upper));
  return countResiduesBelow(last + big(1), digit, residues) -
         countResiduesBelow(first, digit, residues);
}

/// The sum of (a * i + b) floordiv m over 0 <= i < n; m, n >= 1, a, b >= 0.
DynamicAPInt floorSum(DynamicAPInt n, DynamicAPInt m, DynamicAPInt a,
                      DynamicAPInt b) {
  DynamicAPInt sum(0);
  while (true) {
    sum += n * (n - big(1)) / big(2) * (a / m) + n * (b / m);
    a = a % m;
    b = b % m;
    DynamicAPInt top = a * n + b;
    if (top < m) return sum;
    n = top / m;
    b = top % m;
    std::swap(m, a);
  }
}

/// A term of a sum, shifted and with its sign changed if need be, so that it
/// takes the values 0, step, … last * step.
struct BoundedTerm {
  DynamicAPInt step, last;
};

/// Returns how many tuples have a sum of at most `limit`; steps ascend. May
/// return nothing for more than two terms.
std::optional<DynamicAPInt> countSumsUpTo(llvm::ArrayRef<BoundedTerm> steps,
                                          const DynamicAPInt &limit) {
  if (limit < 0) return big(0);
  DynamicAPInt all(1), below(0);
  for (const BoundedTerm &s : steps) all *= s.last + big(1);
  if (steps.empty()) return all;
  const BoundedTerm &top = steps.back();
  for (const BoundedTerm &s : steps.drop_back()) below += s.step * s.last;
  if (below + top.step * top.last <= limit) return all;
  DynamicAPInt most = std::min(limit / top.step, top.last);
  if (below < top.step) {
    auto rest = countSumsUpTo(steps.drop_back(), limit - most * top.step);
    if (!rest) return std::nullopt;
    return all / (top.last + big(1)) * most + *rest;
  }
  if (steps.size() != 2) return std::nullopt;
  // For each i of the top: min(last, (limit - i * step) floordiv s) + 1.
  const BoundedTerm &low = steps.front();
  DynamicAPInt n = most + big(1), whole(0);
  DynamicAPInt room = limit - low.step * low.last;
  // Counts those for which the low term fits whole.
  if (room >= 0) {
    whole = std::min(n, room / top.step + big(1));
    n -= whole;
  }
  DynamicAPInt sum = whole * (low.last + big(1));
  if (n > 0) {
    // i from the most down: the limit's rest grows by a step.
    DynamicAPInt rest = limit - most * top.step;
    sum += floorSum(n, low.step, top.step, rest) + n;
  }
  return sum;
}

/// The terms of `form`, each a variable, as steps; their sum begins at `least`.
bool takeSteps(llvm::ArrayRef<SumTerm> terms, std::vector<BoundedTerm> &steps,
               DynamicAPInt &least) {
  for (const SumTerm &term : terms) {
    if (!term.bounds.isFinite()) return false;
    bool up = term.coefficient > 0;
    least +=
        big(term.coefficient) * big(up ? term.bounds.lower : term.bounds.upper);
    steps.push_back(
        {llvm::abs(big(term.coefficient)), *sizeOf(term.bounds) - big(1)});
  }
  llvm::sort(steps, [](const BoundedTerm &a, const BoundedTerm &b) {
    return a.step < b.step;
  });
  return true;
}

std::optional<DynamicAPInt> countLinear(const IndexingMap &set) {
  const ExpressionTable &table = set.expressions();
  const Constraint &constraint = set.constraints()[0];
  std::vector<SumTerm> terms;
  llvm::SmallVector<bool, 8> isIn(set.dimensions().size(), false);
  for (const Term &term : table.terms(constraint.form)) {
    const Atom &atom = table.atom(term.atom);
    if (atom.kind != AtomKind::Variable) return std::nullopt;
    isIn[atom.variable().index] = true;
    terms.push_back({term.coefficient, set.variable(atom.variable()).bounds});
  }
  // Each value of the others, which results connect, comes with all of these.
  DynamicAPInt others(1);
  for (size_t i = 0; i < isIn.size(); ++i) {
    auto size = isIn[i] ? big(1) : sizeOf(set.dimensions()[i].bounds);
    if (!size) return std::nullopt;
    others *= *size;
  }
  std::vector<BoundedTerm> steps;
  DynamicAPInt least = big(table.constant(constraint.form));
  if (!takeSteps(terms, steps, least)) return std::nullopt;
  DynamicAPInt all(1);
  for (const BoundedTerm &s : steps) all *= s.last + big(1);
  std::optional<DynamicAPInt> upTo = all, below = big(0);
  if (constraint.bounds.hasUpper())
    upTo = countSumsUpTo(steps, big(constraint.bounds.upper) - least);
  if (constraint.bounds.hasLower())
    below = countSumsUpTo(steps, big(constraint.bounds.lower) - least - big(1));
  if (!upTo || !below) return std::nullopt;
  return others * (*upTo - *below);
}

/// Classes of numbers: two numbers are in one class if they were connected.
class Partition {
 public:
  explicit Partition(size_t size) : parent_(size) {
    for (size_t i = 0; i < size; ++i) parent_[i] = i;
  }
  uint32_t find(uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void connect(uint32_t a, uint32_t b) { parent_[find(b)] = find(a); }

 private:
  llvm::SmallVector<uint32_t, 16> parent_;
};

}  // namespace

std::vector<Component> componentsOf(const IndexingMap &set) {
  const ExpressionTable &table = set.expressions();
  Partition partition(set.dimensions().size());
  auto firstOf = [&](FormId form, bool connect) {
    std::optional<uint32_t> first;
    table.visitVariables({form}, [&](VariableId id) {
      if (!first)
        first = id.index;
      else if (connect)
        partition.connect(*first, id.index);
    });
    return first;
  };
  for (const Constraint &c : set.constraints()) firstOf(c.form, true);
  for (FormId form : set.results()) firstOf(form, true);
  std::vector<Component> components;
  llvm::SmallVector<int64_t, 16> number(set.dimensions().size(), -1);
  llvm::SmallVector<uint32_t, 16> place(set.dimensions().size());
  for (uint32_t i = 0; i < set.dimensions().size(); ++i) {
    int64_t &n = number[partition.find(i)];
    if (n < 0) {
      n = components.size();
      components.emplace_back();
    }
    place[i] = components[n].variables.size();
    components[n].variables.push_back(i);
  }
  for (uint32_t i = 0; i < set.results().size(); ++i)
    if (auto variable = firstOf(set.results()[i], false))
      components[number[partition.find(*variable)]].outputs.push_back(i);
  if (components.size() == 1 &&
      components[0].outputs.size() == set.results().size()) {
    components[0].set = set;
    return components;
  }
  for (Component &component : components) {
    IndexingMapBuilder b;
    auto replace = [&](VariableId id) {
      return b.pool().variable({VariableKind::Dimension, place[id.index]});
    };
    ExpressionImport import(table, b.pool(), replace);
    for (uint32_t i : component.variables)
      b.dimension(set.dimensions()[i].bounds);
    for (uint32_t i : component.outputs)
      b.result(b.expression(import(set.results()[i])));
    for (const Constraint &c : set.constraints()) {
      auto variable = firstOf(c.form, false);
      if (variable &&
          partition.find(*variable) == partition.find(component.variables[0]))
        b.constraint(b.expression(import(c.form)), c.bounds);
    }
    // Parts of a valid map are valid.
    component.set = *b.build();
  }
  return components;
}

namespace {

/// Tries points near 0, always the same ones. If variables multiply or divide
/// others, boxes show little, and small values are often as good as any.
Sample sampleNearZero(const IndexingMap &set) {
  constexpr int kDraws = 400;
  PointValues values(set.expressions());
  Draws draws;
  for (int draw = 0; draw < kDraws; ++draw) {
    Values point;
    for (const Variable &v : set.dimensions()) {
      const int64_t offset = draws.in({0, 1 + draw % 8});
      const Interval b = v.bounds;
      const int64_t start = std::clamp<int64_t>(0, b.lower, b.upper);
      const int64_t value =
          checkedAdd(start, b.upper < 0 ? -offset : offset).value_or(start);
      point.push_back(std::clamp(value, b.lower, b.upper));
    }
    if (values.set(point) && values.satisfy(set.constraints()))
      return Sample::of(std::move(point));
  }
  return {};
}

}  // namespace

Sample sampleInClosedForm(const IndexingMap &set) {
  if (set.isKnownEmpty()) return Sample::nothing();
  PointValues values(set.expressions());
  // The corners, and what is nearest to 0.
  for (int candidate = 0; candidate < 3; ++candidate) {
    Values point;
    for (const Variable &v : set.dimensions()) {
      Interval b = v.bounds;
      int64_t zero = b.lower > 0 ? b.lower : b.upper < 0 ? b.upper : 0;
      point.push_back(candidate == 0                   ? zero
                      : candidate == 1 && b.hasLower() ? b.lower
                      : candidate == 2 && b.hasUpper() ? b.upper
                                                       : zero);
    }
    if (values.set(point) && values.satisfy(set.constraints()))
      return Sample::of(std::move(point));
  }
  return isSemiAffine(set.expressions()) ? sampleNearZero(set) : Sample();
}

std::optional<DynamicAPInt> countInClosedForm(const IndexingMap &set) {
  if (set.isKnownEmpty()) return big(0);
  if (set.constraints().empty()) {
    DynamicAPInt product(1);
    for (const Variable &v : set.dimensions()) {
      auto size = sizeOf(v.bounds);
      if (!size) return std::nullopt;
      product *= *size;
    }
    return product;
  }
  if (set.constraints().size() != 1) return std::nullopt;
  if (set.dimensions().size() == 1)
    if (auto count = countResidues(set.expressions(), set.constraints()[0],
                                   set.dimensions()[0].bounds))
      return count;
  return countLinear(set);
}

std::optional<DynamicAPInt> countSums(llvm::ArrayRef<SumTerm> terms) {
  std::vector<BoundedTerm> steps;
  DynamicAPInt least(0);
  if (!takeSteps(terms, steps, least)) return std::nullopt;
  llvm::erase_if(steps, [](const BoundedTerm &s) { return s.last == 0; });
  if (steps.empty()) return big(1);
  // Either every multiple of the first step up to the span so far is a sum, or
  // the next step is past the span and multiplies.
  DynamicAPInt count(1), unit = steps[0].step, span(0);
  bool dense = true;
  for (const BoundedTerm &s : steps) {
    if (s.step > span) {
      dense &= s.step == span + unit && s.step % unit == 0;
      count *= s.last + big(1);
    } else if (dense && s.step % unit == 0) {
      count += s.step / unit * s.last;
    } else {
      return std::nullopt;
    }
    span += s.step * s.last;
  }
  return count;
}

}  // namespace indexical
