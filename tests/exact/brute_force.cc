#include "tests/exact/brute_force.h"

#include <algorithm>

#include "gtest/gtest.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace indexical::testing {
namespace {

/// Calls `visit` with every point of the box.
void everyPoint(const std::vector<Interval> &box,
                llvm::function_ref<void(const Tuple &)> visit) {
  Tuple point;
  for (const Interval &side : box) {
    ASSERT_TRUE(side.isFinite());
    if (side.isEmpty()) return;
    point.push_back(side.lower);
  }
  while (true) {
    visit(point);
    size_t i = 0;
    while (i < box.size() && point[i] == box[i].upper) {
      point[i] = box[i].lower;
      ++i;
    }
    if (i == box.size()) return;
    ++point[i];
  }
}

std::vector<Interval> boxOf(const IndexingMap &map) {
  std::vector<Interval> box;
  for (const Variable &v : map.dimensions()) box.push_back(v.bounds);
  for (const Variable &v : map.ranges()) box.push_back(v.bounds);
  return box;
}

IndexingMap::Point pointOf(const IndexingMap &map, const Tuple &indices,
                           const Tuple &runtime) {
  IndexingMap::Point point;
  auto middle = indices.begin() + map.dimensions().size();
  point.dimensions.assign(indices.begin(), middle);
  point.ranges.assign(middle, indices.end());
  point.runtime.assign(runtime.begin(), runtime.begin() + map.runtime().size());
  return point;
}

/// Returns the runtime variables that a form names; `isOnly` is false if it
/// names others, too.
std::set<uint32_t> runtimeIn(const IndexingMap &map, FormId form,
                             bool *isOnly = nullptr) {
  std::set<uint32_t> named;
  map.expressions().visitVariables({form}, [&](VariableId id) {
    if (id.kind == VariableKind::Runtime)
      named.insert(id.index);
    else if (isOnly)
      *isOnly = false;
  });
  return named;
}

/// Returns the runtime variables that no result names, and that constraints
/// name only beside others of this kind.
std::set<uint32_t> unusedIn(const IndexingMap &map) {
  std::set<uint32_t> unused;
  for (uint32_t i = 0; i < map.runtime().size(); ++i) unused.insert(i);
  for (FormId result : map.results())
    for (uint32_t i : runtimeIn(map, result)) unused.erase(i);
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (const Constraint &c : map.constraints()) {
      bool isUnused = true;
      const std::set<uint32_t> named = runtimeIn(map, c.form, &isUnused);
      for (uint32_t i : named) isUnused &= unused.count(i) > 0;
      for (uint32_t i : named)
        if (!isUnused) isChanged |= unused.erase(i) > 0;
    }
  }
  return unused;
}

/// Whether the map holds at the point for some values of these variables.
bool holdsForSome(const IndexingMap &map, IndexingMap::Point point,
                  const std::set<uint32_t> &some) {
  std::vector<Interval> box;
  for (uint32_t i : some) box.push_back(map.runtime()[i].bounds);
  bool holds = false;
  everyPoint(box, [&](const Tuple &values) {
    size_t at = 0;
    for (uint32_t i : some) point.runtime[i] = values[at++];
    holds |= map.contains(point);
  });
  return holds;
}

}  // namespace

BruteForce::BruteForce(const std::vector<const IndexingRelation *> &relations) {
  for (const IndexingRelation *relation : relations)
    for (const IndexingMap &piece : relation->pieces())
      for (uint32_t i = 0; i < piece.runtime().size(); ++i) {
        const Interval bounds = piece.runtime()[i].bounds;
        auto [at, isNew] = runtime.try_emplace(
            piece.nameOf({VariableKind::Runtime, i}), bounds);
        if (!isNew) at->second = at->second.hull(bounds);
      }
}

std::set<Tuple> BruteForce::points(const IndexingRelation &relation) const {
  std::set<Tuple> found;
  std::vector<Interval> box;
  for (const auto &[name, values] : runtime) box.push_back(values);
  everyPoint(box, [&](const Tuple &values) {
    for (const IndexingMap &piece : relation.pieces()) {
      Tuple own;
      for (uint32_t i = 0; i < piece.runtime().size(); ++i)
        own.push_back(values[std::distance(
            runtime.begin(),
            runtime.find(piece.nameOf({VariableKind::Runtime, i})))]);
      const std::set<uint32_t> unused =
          dropsUnused ? unusedIn(piece) : std::set<uint32_t>();
      everyPoint(boxOf(piece), [&](const Tuple &indices) {
        auto point = pointOf(piece, indices, own);
        if (!holdsForSome(piece, point, unused)) return;
        auto element = piece.evaluate(point);
        ASSERT_TRUE(element.has_value()) << piece.str();
        Tuple tuple(point.dimensions.begin(), point.dimensions.end());
        tuple.insert(tuple.end(), element->begin(), element->end());
        tuple.insert(tuple.end(), values.begin(), values.end());
        found.insert(std::move(tuple));
      });
    }
  });
  return found;
}

bool BruteForce::isSmall(const IndexingRelation &relation, int64_t most) const {
  double sum = 0, values = 1;
  for (const auto &[name, bounds] : runtime) values *= bounds.count();
  for (const IndexingMap &piece : relation.pieces()) {
    double volume = values;
    for (const Interval &side : boxOf(piece)) volume *= side.count();
    sum += volume;
  }
  return sum <= most;
}

std::set<Tuple> pointsOfSet(const IndexingMap &set) {
  std::set<Tuple> points;
  if (set.isKnownEmpty()) return points;
  everyPoint(boxOf(set), [&](const Tuple &point) {
    if (set.contains(pointOf(set, point, {}))) points.insert(point);
  });
  return points;
}

int64_t domainSize(const IndexingMap &map, const Tuple &runtime) {
  int64_t count = 0;
  everyPoint(boxOf(map), [&](const Tuple &indices) {
    count += map.contains(pointOf(map, indices, runtime));
  });
  return count;
}

}  // namespace indexical::testing
