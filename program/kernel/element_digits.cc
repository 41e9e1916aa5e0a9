#include "indexical/program/kernel/element_digits.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/program/maps/map_copy.h"

namespace indexical::kernels {

namespace {

// The most digits of an element.
constexpr int kMostDigits = 8;

/// The terms of a sum of variables.
using SumTerms = std::vector<std::pair<VariableId, int64_t>>;

/// Returns the terms of a form; nothing if it is no sum of variables.
std::optional<SumTerms> termsOf(const IndexingMap &map, FormId form) {
  const ExpressionTable &table = map.expressions();
  SumTerms terms;
  for (const auto &term : table.terms(form)) {
    const Atom &atom = table.atom(term.atom);
    if (atom.kind != AtomKind::Variable) return std::nullopt;
    terms.push_back({atom.variable(), term.coefficient});
  }
  return terms;
}

Interval boundsOfVariable(const IndexingMap &map, VariableId id) {
  return id.kind == VariableKind::Dimension ? map.dimensions()[id.index].bounds
                                            : map.ranges()[id.index].bounds;
}

/// The terms of the last result that are less than a step, and their bounds.
struct Low {
  SumTerms terms;
  int64_t constant = 0;
  Interval within = Interval::point(0);
  bool isByMask = false;  ///< a constraint says more than the variables
};

bool haveSameTerms(const SumTerms &a, const SumTerms &b) {
  return a.size() == b.size() && llvm::all_of(a, [&](const auto &term) {
           return llvm::is_contained(b, term);
         });
}

std::optional<Low> lowOf(const IndexingMap &map, int64_t step) {
  const FormId last = map.results().back();
  const auto terms = termsOf(map, last);
  if (!terms) return std::nullopt;
  Low low;
  low.constant = map.expressions().constant(last);
  for (const auto &term : *terms) {
    if (term.second % step == 0) continue;
    low.terms.push_back(term);
    low.within = low.within + boundsOfVariable(map, term.first) * term.second;
  }
  if (low.terms.size() == terms->size()) return std::nullopt;
  for (const Constraint &c : map.constraints()) {
    const auto own = termsOf(map, c.form);
    const int64_t constant = map.expressions().constant(c.form);
    if (!own || !haveSameTerms(*own, low.terms) ||
        constant == Interval::kMinusInfinity)
      continue;
    const Interval bounds = c.bounds + Interval::point(-constant);
    const Interval both = low.within.intersect(bounds);
    low.isByMask |= both != low.within;
    low.within = both;
  }
  low.within = low.within + Interval::point(low.constant);
  if (!low.within.isFinite()) return std::nullopt;
  return low;
}

/// Whether the interval has fewer numbers than a step.
bool isBelow(const Interval &row, int64_t step) {
  int64_t size = 0;
  return !__builtin_sub_overflow(row.upper, row.lower, &size) && size < step;
}

/// Whether the step is one of all maps: their low terms stand in one row.
bool isStep(llvm::ArrayRef<IndexingMap> maps, int64_t step) {
  std::optional<Interval> row;
  bool isByMask = false;
  for (const IndexingMap &map : maps) {
    const auto low = lowOf(map, step);
    if (!low) return false;
    if (low->within.isEmpty()) continue;
    row = row ? row->hull(low->within) : low->within;
    isByMask |= low->isByMask;
  }
  return row && isByMask && isBelow(*row, step);
}

/// Returns a step of the last results; nothing if none is found.
std::optional<int64_t> stepOf(llvm::ArrayRef<IndexingMap> maps) {
  if (maps.empty()) return std::nullopt;
  const auto terms = termsOf(maps[0], maps[0].results().back());
  if (!terms) return std::nullopt;
  std::set<int64_t, std::greater<int64_t>> steps;
  for (const auto &[id, coefficient] : *terms)
    if (coefficient > 1 ||
        (coefficient < -1 && coefficient > Interval::kMinusInfinity))
      steps.insert(std::abs(coefficient));
  for (const int64_t step : steps)
    if (isStep(maps, step)) return step;
  return std::nullopt;
}

/// Returns the map with two results in place of its last one; nothing if one
/// leaves 64 bits.
std::optional<IndexingMap> withStep(const IndexingMap &map, int64_t step) {
  const auto low = lowOf(map, step);
  const auto terms = termsOf(map, map.results().back());
  if (!low || !terms) return std::nullopt;
  IndexingMapBuilder b;
  std::vector<Expr> dimensions, ranges;
  std::vector<FormId> forms[2];
  for (const Variable &v : map.dimensions()) {
    dimensions.push_back(b.dimension(v.bounds, v.name));
    forms[0].push_back(dimensions.back().form());
  }
  for (const Variable &v : map.ranges()) {
    ranges.push_back(b.range(v.bounds, v.name));
    forms[1].push_back(ranges.back().form());
  }
  MapCopy copy(map, b, std::move(forms[0]), std::move(forms[1]));
  auto sumOf = [&](const SumTerms &all, int64_t by, int64_t constant) {
    Expr sum = b.constant(constant);
    for (const auto &[id, coefficient] : all) {
      const Expr variable = id.kind == VariableKind::Dimension
                                ? dimensions[id.index]
                                : ranges[id.index];
      sum = sum + variable * (coefficient / by);
    }
    return sum;
  };
  SumTerms high;
  for (const auto &term : *terms)
    if (!llvm::is_contained(low->terms, term)) high.push_back(term);
  for (size_t k = 0; k + 1 < map.results().size(); ++k)
    b.result(copy.result(k));
  b.result(sumOf(low->terms, 1, low->constant));
  b.result(sumOf(high, step, 0));
  copy.addConstraints();
  auto built = b.build();
  if (!built.ok()) return std::nullopt;
  return *std::move(built);
}

}  // namespace

ElementDigits::ElementDigits(std::vector<IndexingMap> &maps) {
  for (const IndexingMap &map : maps)
    if (map.results().size() != 1 || !map.runtime().empty() ||
        !map.collectives().empty())
      return;
  while (steps_.size() < kMostDigits) {
    const auto step = stepOf(maps);
    if (!step) return;
    std::vector<IndexingMap> apart;
    for (const IndexingMap &map : maps) {
      auto two = withStep(map, *step);
      if (!two) return;
      apart.push_back(*std::move(two));
    }
    maps = std::move(apart);
    steps_.push_back(*step);
  }
}

int64_t ElementDigits::elementOf(llvm::ArrayRef<int64_t> digits) const {
  int64_t element = digits[steps_.size()];
  for (size_t k = steps_.size(); k-- > 0;)
    element = element * steps_[k] + digits[k];
  return element;
}

}  // namespace indexical::kernels
