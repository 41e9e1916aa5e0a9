#include "ops/linear_order.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"

#include "simplifier/simplify.h"

namespace indexical {
namespace families {
namespace {

/// The size of axis i; 0 where it is open or there is no such axis.
int64_t sizeAt(llvm::ArrayRef<Axis> axes, size_t i) {
  return i < axes.size() && axes[i].fixed ? axes[i].size : 0;
}

/// Gives the group, whose begins are set, as few axes as make the products
/// equal. False where an open axis or the end comes before that.
bool closeGroup(llvm::ArrayRef<Axis> from, llvm::ArrayRef<Axis> to,
                AxisGroup &group) {
  int64_t a = sizeAt(from, group.fromBegin), b = sizeAt(to, group.toBegin);
  // A unit that has no partner is alone.
  group.fromCount = b == 1 && a != 1 ? 0 : 1;
  group.toCount = a == 1 && b != 1 ? 0 : 1;
  if (group.fromCount + group.toCount == 1) return true;
  if (a == 0 || b == 0) return false;
  while (a != b) {
    int64_t next = a < b ? sizeAt(from, group.fromBegin + group.fromCount++)
                         : sizeAt(to, group.toBegin + group.toCount++);
    int64_t &product = a < b ? a : b;
    std::optional<int64_t> grown = checkedMul(product, next);
    if (next == 0 || !grown) return false;
    product = *grown;
  }
  return true;
}

struct FrontMatch {
  llvm::SmallVector<AxisGroup, 4> groups;
  size_t from = 0, to = 0;  ///< axes that the groups take
};

/// As many groups as there are from the front.
FrontMatch matchFront(llvm::ArrayRef<Axis> from, llvm::ArrayRef<Axis> to) {
  FrontMatch match;
  while (match.from < from.size() || match.to < to.size()) {
    AxisGroup group;
    group.fromBegin = match.from;
    group.toBegin = match.to;
    if (!closeGroup(from, to, group)) break;
    match.groups.push_back(group);
    match.from += group.fromCount;
    match.to += group.toCount;
  }
  return match;
}

/// Whether element numbers within the group are known: strides do not depend
/// on its first axis; and can be written: they fit into 64 bits.
bool hasKnownStrides(llvm::ArrayRef<Axis> axes) {
  Checked count = 1;
  for (size_t i = 0; i < axes.size(); ++i) {
    if (i > 0 && !axes[i].fixed) return false;
    if (axes[i].size != kDynamicSize) count = count * axes[i].size;
  }
  return count.value().has_value();
}

bool isUnit(const Axis &axis) { return axis.fixed && axis.size == 1; }

/// The number within its group of the element with these coordinates.
Expr linearize(IndexingMapBuilder &builder, llvm::ArrayRef<Axis> axes,
               llvm::ArrayRef<Expr> coordinates) {
  Expr number = builder.constant(0);
  for (size_t i = 0; i < axes.size(); ++i)
    if (!isUnit(axes[i]))
      number = i == 0 ? coordinates[i] : number * axes[i].size + coordinates[i];
  return number;
}

/// Appends the coordinates of element `number` of a group, major ones first.
void delinearize(IndexingMapBuilder &builder, llvm::ArrayRef<Axis> axes,
                 Expr number, Exprs &result) {
  const size_t begin = result.size();
  for (size_t i = axes.size(); i-- > 1;) {
    result.push_back(mod(number, axes[i].size));
    number = floorDiv(number, axes[i].size);
  }
  if (!axes.empty()) result.push_back(number);
  std::reverse(result.begin() + begin, result.end());
  // The first axis takes what the others leave. Where sizes are open that may
  // be more than there is.
  builder.constraint(
      number, axes.empty() ? Interval::point(0) : indicesOf(axes[0].size));
}

}  // namespace

std::optional<llvm::SmallVector<AxisGroup, 4>> matchAxes(const Axes &from,
                                                         const Axes &to) {
  FrontMatch front = matchFront(from, to);
  Axes fromRest(from.begin() + front.from, from.end());
  Axes toRest(to.begin() + front.to, to.end());
  if (fromRest.empty() && toRest.empty()) return front.groups;
  auto isFixedAxis = [](const Axis &axis) { return axis.fixed; };
  if (llvm::all_of(fromRest, isFixedAxis) && llvm::all_of(toRest, isFixedAxis))
    return std::nullopt;

  std::reverse(fromRest.begin(), fromRest.end());
  std::reverse(toRest.begin(), toRest.end());
  FrontMatch back = matchFront(fromRest, toRest);
  AxisGroup middle;
  middle.fromBegin = front.from;
  middle.fromCount = from.size() - front.from - back.from;
  middle.toBegin = front.to;
  middle.toCount = to.size() - front.to - back.to;
  front.groups.push_back(middle);
  for (AxisGroup group : llvm::reverse(back.groups)) {
    group.fromBegin = from.size() - group.fromBegin - group.fromCount;
    group.toBegin = to.size() - group.toBegin - group.toCount;
    front.groups.push_back(group);
  }
  return front.groups;
}

Precision relinearize(IndexingMapBuilder &builder, const Axes &from,
                      llvm::ArrayRef<Expr> coordinates, const Axes &to,
                      llvm::ArrayRef<AxisGroup> groups, Exprs &result) {
  Precision precision = Precision::Exact;
  for (const AxisGroup &group : groups) {
    const auto fromAxes =
        llvm::ArrayRef<Axis>(from).slice(group.fromBegin, group.fromCount);
    const auto toAxes =
        llvm::ArrayRef<Axis>(to).slice(group.toBegin, group.toCount);
    const auto given = coordinates.slice(group.fromBegin, group.fromCount);
    if (fromAxes.size() == 1 && toAxes.size() == 1 && toAxes[0].fixed) {
      result.push_back(given[0]);
    } else if (hasKnownStrides(fromAxes) && hasKnownStrides(toAxes)) {
      delinearize(builder, toAxes, linearize(builder, fromAxes, given), result);
    } else {
      precision = Precision::Cover;
      for (const Axis &axis : toAxes)
        result.push_back(builder.range(indicesOf(axis.size)));
    }
  }
  return precision;
}

Answer simplified(IndexingMapBuilder &builder, Precision precision) {
  absl::StatusOr<IndexingMap> map = builder.build();
  if (!map.ok()) return map.status();
  SimplifyOptions options;
  options.foldPoints = false;
  map = simplify(*map, options);
  if (!map.ok()) return map.status();
  return IndexingRelation(*std::move(map), precision);
}

}  // namespace families
}  // namespace indexical
