#include "indexical/program/maps/merged_ranges.h"

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/bounds.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/program/maps/map_copy.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

/// How a form depends on two ranges.
struct Coefficients {
  int64_t first = 0, second = 0;
  bool isLinear = true;  ///< they are in no other atom
};

class Merging {
 public:
  Merging(const IndexingMap &map, uint32_t first, uint32_t second)
      : map_(map), table_(map.expressions()), first_(first), second_(second) {}

  /// Returns the map without the first range, or nothing if it has to stay.
  std::optional<IndexingMap> operator()() {
    if (!isSumAlone() || !collect()) return std::nullopt;
    const Interval first = map_.ranges()[first_].bounds;
    const Interval second = map_.ranges()[second_].bounds;
    if (!first.isFinite() || !second.isFinite()) return std::nullopt;
    if (!build(first + second)) return std::nullopt;
    // t is the sum; the first one is t - the second one.
    lower_.push_back(b_.constant(first.lower));
    lower_.push_back(sum_ - second.upper);
    upper_.push_back(b_.constant(first.upper));
    upper_.push_back(sum_ - second.lower);
    for (Expr low : lower_)
      for (Expr high : upper_)
        if (!isAtLeastZero(high - low)) return std::nullopt;
    for (const auto &[form, bounds] : kept_) b_.constraint(form, bounds);
    auto merged = b_.build();
    if (!merged.ok()) return std::nullopt;
    SimplifyOptions options;
    options.rename = true;
    auto simple = simplify(*merged, options);
    if (!simple.ok()) return std::nullopt;
    return *std::move(simple);
  }

 private:
  Coefficients coefficientsOf(FormId form) const {
    Coefficients found;
    for (const Term &term : table_.terms(form)) {
      const Atom &atom = table_.atom(term.atom);
      if (atom.kind == AtomKind::Variable) {
        const VariableId id = atom.variable();
        if (id.kind != VariableKind::Range) continue;
        if (id.index == first_) found.first = term.coefficient;
        if (id.index == second_) found.second = term.coefficient;
        continue;
      }
      // A form of the atom alone has the variables that are inside of it.
      inside(term.atom, found);
    }
    return found;
  }
  void inside(AtomId atom, Coefficients &found) const {
    const Atom &a = table_.atom(atom);
    auto look = [&](FormId form) {
      table_.visitVariables(form, [&](VariableId id) {
        if (id.kind == VariableKind::Range &&
            (id.index == first_ || id.index == second_))
          found.isLinear = false;
      });
    };
    for (const FormId operand : a.operands()) look(operand);
  }

  /// Whether the results, and the indices of elements that are runtime
  /// variables, depend on the two ranges by their sum alone.
  bool isSumAlone() const {
    auto isSum = [&](FormId form) {
      const Coefficients c = coefficientsOf(form);
      return c.isLinear && c.first == c.second;
    };
    for (const RuntimeVariable &v : map_.runtime())
      if (!llvm::all_of(v.index, isSum)) return false;
    return llvm::all_of(map_.resultsAndMembers(), isSum);
  }

  /// Collects the constraints. They must be on the sum, or bound the first
  /// range.
  bool collect() {
    for (const Constraint &c : map_.constraints()) {
      const Coefficients k = coefficientsOf(c.form);
      if (!k.isLinear) return false;
      if (k.first == k.second) {
        onSum_.push_back(&c);
      } else if (k.second == 0 && (k.first == 1 || k.first == -1)) {
        onFirst_.push_back({&c, k.first});
      } else {
        return false;
      }
    }
    return true;
  }

  /// Fills in the builder: the second range becomes the sum, and the first one
  /// 0.
  bool build(Interval sum) {
    std::vector<FormId> dimensions, ranges;
    for (const Variable &v : map_.dimensions())
      dimensions.push_back(b_.dimension(v.bounds, v.name).form());
    for (uint32_t i = 0; i < map_.ranges().size(); ++i) {
      if (i == first_) {
        ranges.push_back(b_.constant(0).form());
        continue;
      }
      const Expr made = b_.range(i == second_ ? sum : map_.ranges()[i].bounds);
      if (i == second_) sum_ = made;
      ranges.push_back(made.form());
    }
    MapCopy copy(map_, b_, std::move(dimensions), std::move(ranges));
    for (FormId form : map_.results()) b_.result(copy.of(form));
    for (size_t i = 0; i < map_.collectives().size(); ++i)
      b_.member(map_.collectives()[i], copy.of(map_.members()[i]));
    for (const Constraint *c : onSum_)
      kept_.push_back({copy.of(c->form), c->bounds});
    for (const auto &[c, sign] : onFirst_) {
      // lower <= sign * first + rest <= upper
      const Expr rest = copy.of(c->form);
      const bool up = sign > 0;
      if (c->bounds.hasLower())
        (up ? lower_ : upper_)
            .push_back(up ? -(rest - c->bounds.lower) : rest - c->bounds.lower);
      if (c->bounds.hasUpper())
        (up ? upper_ : lower_)
            .push_back(up ? -(rest - c->bounds.upper) : rest - c->bounds.upper);
    }
    return !b_.pool().overflowed();
  }

  /// Whether the expression is at least 0 by the bounds of the variables, or by
  /// a constraint that is kept.
  bool isAtLeastZero(Expr e) {
    auto bounds = [&](VariableId id) {
      switch (id.kind) {
        case VariableKind::Dimension:
          return map_.dimensions()[id.index].bounds;
        case VariableKind::Runtime:
          return map_.runtime()[id.index].bounds;
        case VariableKind::Range:
          break;
      }
      const auto own = b_.pool().asVariable(sum_.form());
      if (own && *own == id)
        return map_.ranges()[first_].bounds + map_.ranges()[second_].bounds;
      return map_.ranges()[id.index < first_ ? id.index : id.index + 1].bounds;
    };
    FormBounds boundsOf(b_.pool(), bounds);
    if (boundsOf(e.form()).lower >= 0) return true;
    for (const auto &[known, within] : kept_)
      for (bool negative : {false, true}) {
        // e = ±known + something
        const Expr rest = negative ? e + known : e - known;
        const Interval added = negative ? -within : within;
        if (added.hasLower() && (boundsOf(rest.form()) + added).lower >= 0)
          return true;
      }
    return false;
  }

  const IndexingMap &map_;
  const ExpressionTable &table_;
  const uint32_t first_, second_;
  IndexingMapBuilder b_;
  Expr sum_;
  std::vector<const Constraint *> onSum_;
  std::vector<std::pair<const Constraint *, int64_t>> onFirst_;
  std::vector<std::pair<Expr, Interval>> kept_;
  llvm::SmallVector<Expr, 4> lower_, upper_;  // of the first range
};

std::optional<IndexingMap> mergedOnce(const IndexingMap &map) {
  const uint32_t count = map.ranges().size();
  for (uint32_t first = 0; first < count; ++first)
    for (uint32_t second = 0; second < count; ++second)
      if (first != second)
        if (auto merged = Merging(map, first, second)()) return merged;
  return std::nullopt;
}

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

std::vector<Counter> mergedCounters(std::vector<Counter> counters) {
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
  IndexingMap merged = map;
  while (!merged.isKnownEmpty()) {
    auto next = mergedOnce(merged);
    if (!next) break;
    merged = *std::move(next);
  }
  return merged;
}

IndexingRelation withMergedRanges(const IndexingRelation &relation,
                                  size_t most) {
  if (llvm::none_of(relation.pieces(), [&](const IndexingMap &piece) {
        return piece.ranges().size() > most;
      }))
    return relation;
  IndexingRelation merged;
  for (const IndexingMap &piece : relation.pieces())
    merged.add(piece.ranges().size() <= most ? piece : withMergedRanges(piece));
  merged.weaken(relation.precision());
  return merged;
}

IndexingMap withMergedDigits(const IndexingMap &map) {
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
  for (const Counter &counter : mergedCounters(std::move(counters)))
    result = result + b.range({0, counter.count - 1}) * counter.step;
  b.result(result);
  copy.addConstraints();
  auto made = b.build();
  return made.ok() ? *std::move(made) : map;
}

}  // namespace indexical
