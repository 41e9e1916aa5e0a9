#include "indexical/program/kernel/wrapped_lane.h"

#include <algorithm>
#include <set>
#include <utility>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/program/kernel/size_polynomial.h"

namespace indexical::kernels {
namespace {

constexpr int64_t kMostLanes = 65536;

int64_t ceilDivided(int64_t a, int64_t b) {
  return (a + b - 1) / std::max<int64_t>(1, b);
}

}  // namespace

bool WrappedLanes::isReached(const WrapAccess &access, TermId node,
                             const SizeValues &sizes) {
  access_ = &access;
  Point point;
  for (const SizeTerm &side : space_.grid) {
    const auto size = valueOf(side, sizes);
    if (!size || *size < 1) return false;
    point.grid.push_back(*size);
  }
  for (const std::string &name : space_.arguments) {
    const auto found = sizes.find(name);
    point.arguments.push_back(found == sizes.end() ? 0 : found->second);
  }
  int64_t loops = 0;
  for (const auto &[number, trips] : access.loops)
    loops = std::max(loops, number + 1);
  point.loops.assign(loops, 0);
  point.coordinates.assign(access.tile.size(), 0);
  point.program.assign(3, 0);
  // The ends of a coordinate, and what the sizes leave of it there.
  auto choose = [&](int64_t *at, int64_t count,
                    llvm::ArrayRef<int64_t> others) {
    std::set<int64_t> values = {count - 1, 0};
    for (int64_t other : others)
      for (int64_t near : {other, other - 1})
        if (near >= 0 && near < count) values.insert(near);
    point.choices.push_back({at, {values.rbegin(), values.rend()}});
  };
  std::vector<int64_t> named;
  for (const std::string &name : names_) named.push_back(sizes.at(name));
  for (const auto &[name, size] : space_.values) named.push_back(size);
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<int64_t> places = {point.grid[axis] - 2};
    for (int64_t tile : access.tile)
      for (int64_t size : named) places.push_back(ceilDivided(size, tile));
    choose(&point.program[axis], point.grid[axis], places);
  }
  for (size_t k = 0; k < point.coordinates.size(); ++k) {
    std::vector<int64_t> places;
    for (int64_t size : named) {
      places.push_back(size);
      places.push_back((size - 1) % access.tile[k] + 1);
    }
    choose(&point.coordinates[k], access.tile[k], places);
  }
  for (const auto &[number, trips] : access.loops) {
    const auto count = terms_.evaluate(trips, point.now());
    if (!count || count->value < 1) return false;
    choose(&point.loops[number], count->value, {});
  }
  return isReachedFrom(node, point, 0);
}

bool WrappedLanes::isReachedFrom(TermId node, const Point &point, size_t next) {
  if (next == point.choices.size()) {
    if (++tried_ > kMostLanes) return false;
    const TermPoint lane = point.now();
    if (access_->mask) {
      const auto mask = terms_.evaluate(*access_->mask, lane);
      if (!mask || mask->value == 0) return false;
    }
    return wraps(node, lane);
  }
  const Choice &choice = point.choices[next];
  for (int64_t value : choice.values) {
    *choice.at = value;
    if (isReachedFrom(node, point, next + 1)) return true;
  }
  *choice.at = 0;
  return false;
}

bool WrappedLanes::wraps(TermId node, const TermPoint &point) const {
  const TermNode &term = terms_[node];
  const auto a = terms_.evaluate(term.operands[0], point);
  const auto b = terms_.evaluate(term.operands[1], point);
  if (!a || !b) return false;
  WideNumber exact = 0;
  if (term.kind == TermKind::Add)
    exact = WideNumber(a->value) + b->value;
  else if (term.kind == TermKind::Sub)
    exact = WideNumber(a->value) - b->value;
  else if (term.kind == TermKind::Mul)
    exact = WideNumber(a->value) * b->value;
  else if (b->value >= 0 && b->value < 62)
    exact = WideNumber(a->value) * (int64_t{1} << b->value);
  return exact > greatestOfBits(space_.bits) ||
         exact < leastOfBits(space_.bits);
}

}  // namespace indexical::kernels
