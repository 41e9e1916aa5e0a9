#include "indexical/program/kernel/merged_ranges.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/program/kernel/map_copy.h"

namespace indexical::kernels {

IndexingMap withRanges(const IndexingMap &map, size_t kept) {
  if (map.isKnownEmpty()) return map;
  IndexingMapBuilder b;
  std::vector<FormId> dimensions, ranges;
  for (auto [k, v] : llvm::enumerate(map.dimensions()))
    dimensions.push_back(
        (k < kept ? b.dimension(v.bounds, v.name) : b.range(v.bounds, v.name))
            .form());
  for (const Variable &v : map.ranges())
    ranges.push_back(b.range(v.bounds, v.name).form());
  MapCopy copy(map, b, std::move(dimensions), std::move(ranges));
  for (size_t k = 0; k < map.results().size(); ++k) b.result(copy.result(k));
  copy.addConstraints();
  auto made = b.build();
  return made.ok() ? *std::move(made) : map;
}

namespace {

/// A term r * step of a sum, with 0 <= r < count.
struct Counter {
  int64_t step = 0, count = 0;
};

/// Returns the coefficients, by number, of the ranges that are terms of the
/// map's result and stand nowhere else.
std::map<uint32_t, int64_t> plainRanges(const IndexingMap &map) {
  const ExpressionTable &table = map.expressions();
  std::set<uint32_t> elsewhere;
  auto note = [&](VariableId id) {
    if (id.kind == VariableKind::Range) elsewhere.insert(id.index);
  };
  for (const Constraint &constraint : map.constraints())
    table.visitVariables({constraint.form}, note);
  for (const RuntimeVariable &variable : map.runtime())
    table.visitVariables(variable.index, note);
  std::map<uint32_t, int64_t> plain;
  for (const Term &term : table.terms(map.results()[0])) {
    const Atom &atom = table.atom(term.atom);
    const auto id = atom.asVariable();
    if (id && id->kind == VariableKind::Range)
      plain[id->index] = term.coefficient;
    table.visitVariables(atom.operands(), note);
  }
  for (uint32_t range : elsewhere) plain.erase(range);
  for (auto it = plain.begin(); it != plain.end();)
    it = map.ranges()[it->first].bounds.isFinite() ? std::next(it)
                                                   : plain.erase(it);
  return plain;
}

std::vector<Counter> merged(std::vector<Counter> counters) {
  llvm::sort(counters, [](const Counter &a, const Counter &b) {
    return std::pair(a.step, a.count) < std::pair(b.step, b.count);
  });
  std::vector<Counter> done;
  for (const Counter &next : counters) {
    if (!done.empty()) {
      Counter &last = done.back();
      // Runs that touch or overlap are one run.
      const auto reach = checkedMul(last.step, last.count);
      const bool isMultiple = next.step % last.step == 0;
      if (reach && isMultiple && next.step <= *reach) {
        const auto more = checkedMul(next.step / last.step, next.count - 1);
        const auto count = more ? checkedAdd(last.count, *more) : std::nullopt;
        if (count) {
          last.count = *count;
          continue;
        }
      }
    }
    done.push_back(next);
  }
  return done;
}

}  // namespace

IndexingMap withMergedRanges(const IndexingMap &map) {
  if (map.isKnownEmpty() || map.results().size() != 1 ||
      !map.collectives().empty())
    return map;
  const auto plain = plainRanges(map);
  IndexingMapBuilder b;
  std::vector<FormId> dimensions, ranges;
  for (const Variable &v : map.dimensions())
    dimensions.push_back(b.dimension(v.bounds, v.name).form());
  std::vector<Counter> counters;
  int64_t start = 0;
  for (auto [k, v] : llvm::enumerate(map.ranges())) {
    const auto found = plain.find(k);
    if (found == plain.end()) {
      ranges.push_back(b.range(v.bounds).form());
      continue;
    }
    ranges.push_back(b.constant(0).form());
    const int64_t step = found->second;
    const auto from =
        checkedMul(step, step > 0 ? v.bounds.lower : v.bounds.upper);
    const auto sum = from ? checkedAdd(start, *from) : std::nullopt;
    if (!sum) return map;
    start = *sum;
    if (v.bounds.count() > 1)
      counters.push_back({std::abs(step), v.bounds.count()});
  }
  MapCopy copy(map, b, std::move(dimensions), std::move(ranges));
  Expr result = copy.result(0) + start;
  for (const Counter &counter : merged(std::move(counters)))
    result = result + b.range({0, counter.count - 1}) * counter.step;
  b.result(result);
  copy.addConstraints();
  auto made = b.build();
  return made.ok() ? *std::move(made) : map;
}

}  // namespace indexical::kernels
