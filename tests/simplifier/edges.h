// Tiny boxes at the edges of 31, 53, 62 and 63 bits, with all their points.
//
//   EdgeDraw draw(seed);
//   draw.addVariable();               // d0 in [2^53 - 2, 2^53 + 1], say
//   draw.forPoints([&](auto &point) { draw.valueAt(form, point); });
//
// Values are those of 256 bits (wide.h), so that coefficients can be as great
// as there are.
#ifndef INDEXICAL_TESTS_SIMPLIFIER_EDGES_H
#define INDEXICAL_TESTS_SIMPLIFIER_EDGES_H

#include <optional>
#include <string>
#include <vector>

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/simplifier/variable_bounds.h"
#include "tests/support/random.h"
#include "tests/support/wide.h"

namespace indexical::testing {

/// Returns a number from -most to most, or, now and then, one at an edge.
inline int64_t randomNumber(Random &random, int64_t most) {
  constexpr int64_t kEdges[] = {int64_t{1} << 31, int64_t{1} << 53,
                                int64_t{1} << 62, INT64_MAX};
  if (!random.oneIn(6)) return random.in(-most, most);
  const int64_t edge = kEdges[random.in(0, 3)] - random.in(0, 2);
  return random.oneIn(2) ? edge : -edge;
}

/// Whether the bounds have the value; nothing if there is no value.
inline std::optional<bool> hasValue(const Interval &bounds,
                                    const std::optional<Wide> &value) {
  if (!value) return std::nullopt;
  return !bounds.isEmpty() &&
         (!bounds.hasLower() || value->sge(wide(bounds.lower))) &&
         (!bounds.hasUpper() || value->sle(wide(bounds.upper)));
}

struct EdgeDraw {
  using Point = std::vector<int64_t>;

  explicit EdgeDraw(uint64_t seed) : random(seed) {}

  /// Adds a dimension of `most` values or fewer, from about 0 on.
  FormId addSmallVariable(int64_t most) {
    const int64_t lower = random.oneIn(3) ? random.in(-4, 4) : 0;
    return add({lower, lower + random.in(0, most - 1)});
  }
  /// Adds a dimension of `most` values or fewer, some of them at an edge.
  FormId addVariable(int64_t most) {
    // The ends of 64 bits mean that there is no bound.
    const int64_t lower =
        std::clamp(randomNumber(random, 6), Interval::kMinusInfinity + 1,
                   Interval::kInfinity - most);
    const auto upper = checkedAdd(lower, random.in(0, most - 1));
    return add({lower, upper ? *upper : lower});
  }

  template <typename Visit>
  void forPoints(Visit visit, Point point = {}) const {
    if (point.size() == sides().size()) return visit(point);
    const Interval side = sides()[point.size()];
    for (int64_t v = side.lower;; ++v) {
      point.push_back(v);
      forPoints(visit, point);
      point.pop_back();
      if (v == side.upper) return;
    }
  }
  Point randomPoint() {
    Point point;
    for (const Interval &side : sides())
      point.push_back(side.lower + random.in(0, side.count() - 1));
    return point;
  }

  /// Returns the value, or nothing if it leaves 254 bits.
  std::optional<Wide> valueAt(FormId form, const Point &point) const {
    auto value = [&](VariableId id) { return point[id.index]; };
    return wideValueOf(pool, form, value);
  }
  /// Whether the constraint holds; nothing if its form has no value there.
  std::optional<bool> holds(const Constraint &c, const Point &point) const {
    return hasValue(c.bounds, valueAt(c.form, point));
  }

  std::string text(const Constraint &c) {
    IndexingMapBuilder b(pool);
    for (const Interval &side : sides()) b.dimension(side);
    b.constraint(b.expression(c.form), c.bounds);
    const auto map = b.build();
    return map.ok() ? map->strOneLine() : std::string(map.status().message());
  }

  llvm::ArrayRef<Interval> sides() const { return box.variables[0]; }

  Random random;
  VariableBounds box;
  ExpressionPool pool;

 private:
  FormId add(Interval side) {
    box.variables[0].push_back(side);
    return pool.variable(
        {VariableKind::Dimension, static_cast<uint32_t>(sides().size() - 1)});
  }
};

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SIMPLIFIER_EDGES_H
