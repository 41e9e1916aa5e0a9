#include "tests/exact/edge_maps.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"

#include "tests/support/wide.h"

namespace indexical::testing {
namespace {

using Op = Tree::Op;
using Point = std::vector<int64_t>;

std::vector<VariableId> variablesOf(const MapParts &parts) {
  std::vector<VariableId> ids;
  auto add = [&](VariableKind kind, const std::vector<Interval> &bounds) {
    for (uint32_t i = 0; i < bounds.size(); ++i) ids.push_back({kind, i});
  };
  add(VariableKind::Dimension, parts.dimensions);
  add(VariableKind::Range, parts.ranges);
  add(VariableKind::Runtime, parts.runtime);
  return ids;
}

/// The value of a variable at a point of dimensions, ranges, runtime variables.
auto valuesAt(const Point &at, size_t dimensions, size_t ranges) {
  return [&at, dimensions, ranges](VariableId id) {
    size_t first = id.kind == VariableKind::Dimension ? 0
                   : id.kind == VariableKind::Range   ? dimensions
                                                      : dimensions + ranges;
    return at[first + id.index];
  };
}

bool isIn(const Interval &bounds, const Wide &value) {
  return (!bounds.hasLower() || value.sge(wide(bounds.lower))) &&
         (!bounds.hasUpper() || value.sle(wide(bounds.upper)));
}

/// A number near an edge or zero; the greatest magnitude is 2^63 - 1.
int64_t edgeNumber(Random &random) {
  static constexpr int kPowers[] = {31, 32, 53, 61, 62, 63};
  const int64_t near = random.oneIn(3) ? 0 : random.in(-20, 20);
  if (random.oneIn(3)) return random.in(-20, 20);
  const int power = kPowers[random.in(0, 5)];
  int64_t value;
  if (power == 63) {
    value = INT64_MAX - std::abs(near);
  } else {
    value = (int64_t{1} << power) + near;
    if (random.oneIn(6)) value += value / random.in(2, 9);
  }
  return random.oneIn(2) ? -value : value;
}

int64_t factor(Random &random) {
  const int64_t value =
      random.oneIn(2) ? random.in(-16, 16) : edgeNumber(random);
  return value == 0 ? 1 : value;
}

class Draw {
 public:
  Draw(Random &random, const MapParts &parts)
      : random_(random), parts_(parts), ids_(variablesOf(parts)) {
    for (const Interval &bounds : boxOf(parts))
      at_.push_back(random.in(bounds.lower, bounds.upper));
  }

  Tree expression(int64_t depth);
  /// Around its value at a point of the box, mostly.
  Interval boundsAround(const Tree &tree);
  std::optional<int64_t> valueOf(const Tree &tree) const {
    auto value = wideValueOf(tree, values());
    return value ? in64Bits(*value) : std::nullopt;
  }

 private:
  std::function<int64_t(VariableId)> values() const {
    return valuesAt(at_, parts_.dimensions.size(), parts_.ranges.size());
  }
  Tree leaf() {
    if (ids_.empty() || random_.oneIn(8))
      return Tree::ofConstant(edgeNumber(random_));
    return Tree::ofVariable(ids_[random_.in(0, ids_.size() - 1)]);
  }
  Tree sum(int64_t depth);
  Tree moved(Tree tree);
  int64_t divisorOf(const Tree &tree, bool positive);

  Random &random_;
  const MapParts &parts_;
  std::vector<VariableId> ids_;
  Point at_;
};

/// Moved by a constant so that its value at the point is near an edge.
Tree Draw::moved(Tree tree) {
  auto value = wideValueOf(tree, values());
  if (!value) return tree;
  const int64_t aim =
      random_.oneIn(3) ? random_.in(-3, 3) : edgeNumber(random_);
  auto by = in64Bits(wide(aim) - *value);
  if (!by || *by == INT64_MIN || *by == 0) return tree;
  if (random_.oneIn(3))
    return Tree::of(Op::Add, Tree::ofConstant(*by), std::move(tree));
  return Tree::of(Op::Add, std::move(tree), Tree::ofConstant(*by));
}

Tree Draw::sum(int64_t depth) {
  Tree all;
  const int64_t terms = random_.in(1, 3);
  for (int64_t i = 0; i < terms; ++i) {
    Tree term = random_.oneIn(3) ? expression(depth - 1) : leaf();
    if (!random_.oneIn(3))
      term = Tree::of(Op::Multiply, std::move(term),
                      Tree::ofConstant(factor(random_)));
    all = i == 0 ? std::move(term)
                 : Tree::of(random_.oneIn(2) ? Op::Add : Op::Subtract,
                            std::move(all), std::move(term));
  }
  return random_.oneIn(3) ? all : moved(std::move(all));
}

/// Often close to the value at the point, or to a part of it.
int64_t Draw::divisorOf(const Tree &tree, bool positive) {
  int64_t divisor = factor(random_);
  if (auto value = valueOf(tree); value && random_.oneIn(2)) {
    divisor = *value / random_.in(1, 3);
    divisor = std::clamp<int64_t>(divisor, -INT64_MAX / 2, INT64_MAX / 2) +
              random_.in(-2, 2);
  }
  if (divisor == 0 || divisor == INT64_MIN) divisor = 7;
  if (positive || random_.oneIn(2)) divisor = std::abs(divisor);
  return divisor;
}

Tree Draw::expression(int64_t depth) {
  if (depth <= 0) return leaf();
  if (random_.oneIn(12))
    return Tree::of(random_.oneIn(2) ? Op::Min : Op::Max, expression(depth - 1),
                    expression(depth - 1));
  switch (random_.in(0, 11)) {
    case 0:
      return leaf();
    case 1:
    case 2:
    case 3:
      return sum(depth);
    case 4:
    case 5:
    case 6: {
      Tree a = sum(depth);
      const int64_t divisor = divisorOf(a, false);
      return Tree::of(Op::FloorDiv, std::move(a), Tree::ofConstant(divisor));
    }
    case 7:
    case 8: {
      Tree a = sum(depth);
      const int64_t divisor = divisorOf(a, true);
      return Tree::of(Op::Mod, std::move(a), Tree::ofConstant(divisor));
    }
    case 9: {
      Tree a = expression(depth - 1);
      const int64_t divisor = divisorOf(a, false);
      return Tree::of(Op::CeilDiv, std::move(a), Tree::ofConstant(divisor));
    }
    case 10:
      if (random_.oneIn(2))
        return Tree::of(Op::Negate, expression(depth - 1), Tree());
      return Tree::of(Op::Multiply, leaf(), leaf());
    default: {
      // A division by an expression, which is refused if it can be zero.
      static constexpr Op kOps[] = {Op::FloorDiv, Op::CeilDiv, Op::Mod};
      return Tree::of(kOps[random_.in(0, 2)], expression(depth - 1), leaf());
    }
  }
}

/// A bound, a little above or below.
int64_t near(Random &random, int64_t value, int64_t sign) {
  const Wide moved = wide(value) + wide(sign * random.in(0, 3));
  return in64Bits(moved).value_or(value);
}

Interval Draw::boundsAround(const Tree &tree) {
  const int64_t value = valueOf(tree).value_or(edgeNumber(random_));
  Interval bounds{near(random_, value, -1), near(random_, value, 1)};
  if (random_.oneIn(8)) bounds.lower = std::min(value, edgeNumber(random_));
  if (random_.oneIn(8)) bounds.upper = std::max(value, edgeNumber(random_));
  if (random_.oneIn(6)) bounds.lower = Interval::kMinusInfinity;
  if (random_.oneIn(6)) bounds.upper = Interval::kInfinity;
  return bounds;
}

Interval tinyBounds(Random &random) {
  const int64_t width = random.in(0, 3);
  if (!random.oneIn(3)) {
    const int64_t lower = random.in(-2, 1);
    return {lower, lower + width};
  }
  // Neither side may be one that stands for an open one.
  const int64_t value =
      std::clamp<int64_t>(edgeNumber(random), -INT64_MAX, INT64_MAX - 1);
  return value > 0 ? Interval{value - width, value}
                   : Interval{value, value + width};
}

void drawBody(Random &random, MapParts &parts) {
  Draw draw(random, parts);
  const int64_t results = random.in(1, 3);
  for (int64_t i = 0; i < results; ++i)
    parts.results.push_back(draw.expression(random.in(0, 3)));
  const int64_t constraints = random.in(0, 2);
  for (int64_t i = 0; i < constraints; ++i) {
    Tree tree = draw.expression(random.in(1, 3));
    const Interval bounds = draw.boundsAround(tree);
    parts.constraints.push_back({std::move(tree), bounds});
  }
}

/// Calls `visit` for each part of the tree.
template <typename Visit>
void forParts(Tree &tree, Visit visit) {
  visit(tree);
  for (Tree &part : tree.parts) forParts(part, visit);
}

}  // namespace

MapParts drawnAtEdge(Random &random) {
  MapParts parts;
  const int64_t dimensions = random.in(1, 3);
  for (int64_t i = 0; i < dimensions; ++i)
    parts.dimensions.push_back(tinyBounds(random));
  if (random.oneIn(4)) parts.ranges.push_back(tinyBounds(random));
  if (random.oneIn(8)) parts.runtime.push_back(tinyBounds(random));
  drawBody(random, parts);
  return parts;
}

MapParts drawnBehind(Random &random, const MapParts &first) {
  MapParts parts;
  Draw at(random, first);
  for (const Tree &tree : first.results) {
    const int64_t value = at.valueOf(tree).value_or(0);
    Interval bounds{near(random, value, -1), near(random, value, 1)};
    bounds.lower = std::max(bounds.lower, -INT64_MAX);
    bounds.upper = std::min(bounds.upper, INT64_MAX - 1);
    if (bounds.isEmpty()) bounds = {-1, 1};
    parts.dimensions.push_back(bounds);
  }
  if (random.oneIn(5)) parts.ranges.push_back(tinyBounds(random));
  drawBody(random, parts);
  return parts;
}

MapParts drawnLike(Random &random, const MapParts &parts) {
  MapParts other = parts;
  std::vector<int64_t *> numbers;
  auto add = [&](Tree &tree) {
    forParts(tree, [&](Tree &part) {
      if (part.op == Op::Constant) numbers.push_back(&part.constant);
    });
  };
  for (Tree &tree : other.results) add(tree);
  for (auto &[tree, bounds] : other.constraints) {
    add(tree);
    numbers.push_back(&bounds.lower);
    numbers.push_back(&bounds.upper);
  }
  for (Interval &bounds : other.dimensions)
    numbers.push_back(random.oneIn(2) ? &bounds.lower : &bounds.upper);
  if (numbers.empty() || random.oneIn(3)) {
    // An equal map, with a result written as a sum that cancels.
    const int64_t by = factor(random);
    Tree &tree = other.results[random.in(0, other.results.size() - 1)];
    tree = Tree::of(Op::Subtract,
                    Tree::of(Op::Add, std::move(tree), Tree::ofConstant(by)),
                    Tree::ofConstant(by));
    return other;
  }
  int64_t &number = *numbers[random.in(0, numbers.size() - 1)];
  if (number > INT64_MIN + 1 && number < INT64_MAX - 1)
    number += random.oneIn(2) ? 1 : -1;
  if (number == 0) number = 1;
  // An emptied side would leave nothing to compare.
  for (auto &[tree, bounds] : other.constraints)
    if (bounds.isEmpty()) bounds.upper = bounds.lower;
  for (Interval &bounds : other.dimensions)
    if (bounds.isEmpty()) bounds.upper = bounds.lower;
  return other;
}

std::vector<Interval> boxOf(const MapParts &parts) {
  std::vector<Interval> box = parts.dimensions;
  box.insert(box.end(), parts.ranges.begin(), parts.ranges.end());
  box.insert(box.end(), parts.runtime.begin(), parts.runtime.end());
  return box;
}

std::vector<Interval> boxOf(const IndexingMap &map) {
  std::vector<Interval> box;
  for (const Variable &v : map.dimensions()) box.push_back(v.bounds);
  for (const Variable &v : map.ranges()) box.push_back(v.bounds);
  for (const RuntimeVariable &v : map.runtime()) box.push_back(v.bounds);
  return box;
}

bool forPoints(const std::vector<Interval> &box, int64_t most,
               llvm::function_ref<void(const Point &)> visit) {
  Wide count = wide(1);
  Point at;
  for (const Interval &bounds : box) {
    if (bounds.lower > bounds.upper) return true;
    count *= wide(bounds.upper) - wide(bounds.lower) + 1;
    if (count.sgt(most)) return false;
    at.push_back(bounds.lower);
  }
  while (true) {
    visit(at);
    size_t k = 0;
    for (; k < at.size(); ++k) {
      if (at[k] < box[k].upper) {
        ++at[k];
        break;
      }
      at[k] = box[k].lower;
    }
    if (k == at.size()) return true;
  }
}

std::optional<EdgePoints> pointsOf(const MapParts &parts) {
  EdgePoints found;
  bool defined = true;
  const size_t rank = parts.dimensions.size();
  forPoints(boxOf(parts), 100'000, [&](const Point &at) {
    const auto values = valuesAt(at, rank, parts.ranges.size());
    bool inside = true;
    auto valueOf = [&](const Tree &tree) -> std::optional<Wide> {
      const auto value = wideValueOf(tree, values);
      defined &= value.has_value();
      found.fits &= value && in64Bits(*value);
      return value;
    };
    for (const auto &[tree, bounds] : parts.constraints) {
      const auto value = valueOf(tree);
      if (!value) return;
      inside &= isIn(bounds, *value);
    }
    Point results;
    for (const Tree &tree : parts.results) {
      const auto value = valueOf(tree);
      if (!value) return;
      results.push_back(in64Bits(*value).value_or(0));
    }
    if (!inside) return;
    ++found.domain;
    found.pairs.emplace(Point(at.begin(), at.begin() + rank), results);
  });
  if (!defined) return std::nullopt;
  return found;
}

bool holdsAt(const IndexingMap &map, const Point &at) {
  const auto values =
      valuesAt(at, map.dimensions().size(), map.ranges().size());
  return llvm::all_of(map.constraints(), [&](const Constraint &c) {
    const auto value = wideValueOf(map.expressions(), c.form, values);
    return value && isIn(c.bounds, *value);
  });
}

std::optional<Point> resultsAt(const IndexingMap &map, const Point &at) {
  const auto values =
      valuesAt(at, map.dimensions().size(), map.ranges().size());
  Point results;
  for (FormId form : map.results()) {
    const auto value = wideValueOf(map.expressions(), form, values);
    const auto held = value ? in64Bits(*value) : std::nullopt;
    if (!held) return std::nullopt;
    results.push_back(*held);
  }
  return results;
}

std::optional<EdgePoints> pointsOf(const IndexingMap &map, int64_t most) {
  EdgePoints found;
  if (map.isKnownEmpty()) return found;
  const size_t rank = map.dimensions().size();
  const bool done = forPoints(boxOf(map), most, [&](const Point &at) {
    if (!holdsAt(map, at)) return;
    const auto results = resultsAt(map, at);
    found.fits &= results.has_value();
    ++found.domain;
    found.pairs.emplace(Point(at.begin(), at.begin() + rank),
                        results.value_or(Point()));
  });
  if (!done) return std::nullopt;
  return found;
}

}  // namespace indexical::testing
