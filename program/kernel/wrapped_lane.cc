#include "indexical/program/kernel/wrapped_lane.h"

#include <algorithm>
#include <set>
#include <utility>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/program/kernel/size_polynomial.h"

namespace indexical::kernels {
namespace {

constexpr int64_t kMostLanes = 65536;

int64_t ceilDivided(int64_t a, int64_t b) {
  return (a + b - 1) / std::max<int64_t>(1, b);
}

}  // namespace

void WrappedLanes::setAccess(const WrapAccess &access) {
  if (access_ == &access) return;
  access_ = &access;
  conditions_.clear();
  if (!access.mask) return;
  std::vector<TermId> left = {*access.mask};
  std::set<TermId> seen;
  while (!left.empty()) {
    const TermId id = left.back();
    left.pop_back();
    if (!seen.insert(id).second) continue;
    const TermNode &term = terms_[id];
    if (term.kind == TermKind::And && term.bits == 1)
      left.insert(left.end(), term.operands.begin(), term.operands.end());
    else
      conditions_.push_back(id);
  }
}

/// Lanes that one condition leaves out are many, so that it is asked first.
bool WrappedLanes::isLetThrough(const TermPoint &lane) {
  for (size_t k = 0; k < conditions_.size(); ++k) {
    const auto holds = terms_.evaluate(conditions_[k], lane);
    if (holds && holds->value != 0) continue;
    std::swap(conditions_[0], conditions_[k]);
    return false;
  }
  return true;
}

bool WrappedLanes::isReached(const WrapAccess &access, TermId node,
                             bool isUnsigned, const SizeValues &sizes) {
  setAccess(access);
  isUnsigned_ = isUnsigned;
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
    return wraps(node, lane) && isInLoops(lane) && isLetThrough(lane);
  }
  const Choice &choice = point.choices[next];
  for (int64_t value : choice.values) {
    *choice.at = value;
    if (isReachedFrom(node, point, next + 1)) return true;
  }
  *choice.at = 0;
  return false;
}

/// Whether each loop around the access has such a turn in this program.
bool WrappedLanes::isInLoops(const TermPoint &lane) const {
  return llvm::all_of(access_->loops, [&](const auto &loop) {
    const auto count = terms_.evaluate(loop.second, lane);
    return count && lane.loops[loop.first] < count->value;
  });
}

bool WrappedLanes::wraps(TermId node, const TermPoint &point) const {
  const TermNode &term = terms_[node];
  const auto a = terms_.evaluate(term.operands[0], point);
  const auto b = terms_.evaluate(term.operands.back(), point);
  if (!a || !b) return false;
  const WideNumber span = 2 * (WideNumber(greatestOfBits(space_.bits)) + 1);
  auto read = [&](int64_t value) {
    return isUnsigned_ && value < 0 ? value + span : WideNumber(value);
  };
  const WideNumber x = read(a->value), y = read(b->value);
  WideNumber exact = 0;
  if (term.kind == TermKind::Truncate)
    exact = a->value;
  else if (term.kind == TermKind::Add)
    exact = x + y;
  else if (term.kind == TermKind::Sub)
    exact = x - y;
  else if (term.kind == TermKind::Mul)
    exact = x * y;
  else if (y >= 0 && y < 62)
    exact = x * (int64_t{1} << b->value);
  if (isUnsigned_) return exact < 0 || exact >= span;
  return exact > greatestOfBits(space_.bits) ||
         exact < leastOfBits(space_.bits);
}

}  // namespace indexical::kernels
