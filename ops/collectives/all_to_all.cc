// All-to-all: every member sends a part to every member.
//
//   f32[32] along dimension 0, groups of 4, rt0 the own position
//     output to input  (d0){rt0} -> (d0 mod 8 + rt0 * 8), member d0 floordiv 8
//   the same of f32[?], rt1 its size
//     (d0)[s0]{rt0, rt1} -> (d0 + (rt0 - s0) * (rt1 floordiv 4)), member s0
//     d0 - s0 * (rt1 floordiv 4) in [0, rt1 floordiv 4 - 1]
#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/collectives/along.h"

namespace indexical {
namespace families {
namespace {

bool isJoinedElsewhere(const AllToAllOp &op) {
  return op.dimension && op.joined && *op.joined != *op.dimension;
}

/// C1, C2, C3 and C9: a result is its operand, cut along one dimension and
/// joined along the other.
absl::Status checkCutAndJoined(const AllToAllOp &op) {
  const int64_t cut = *op.dimension, joined = op.joined.value_or(cut);
  const auto members = membersOf(op);
  for (size_t k = 0; k < op.operands.size(); ++k) {
    const ArrayShape &operand = op.operands[k];
    absl::Status status = checkRange("C1", {"dimensions", "split_dimension"},
                                     {cut}, operand.rank(), "rank(operand)");
    status.Update(checkRange("C3", {"dimensions", "concat_dimension"}, {joined},
                             operand.rank(), "rank(operand)"));
    INDEXICAL_RETURN_IF_ERROR(status);
    Int64s sizes = fixedSizes(operand);
    if (members && sizes[cut] != kDynamicSize) {
      if (sizes[cut] % *members != 0)
        return Broken("C2")
               << "the size of "
               << Name{"the dimension that is cut", "split_dimension"} << ", "
               << sizes[cut] << ", must be a multiple of "
               << Name{"the number of members", "split_count"} << ", "
               << *members;
      sizes[cut] /= *members;
    }
    // A product that leaves 64 bits is no size of the result's either.
    if (members && sizes[joined] != kDynamicSize)
      sizes[joined] =
          checkedMul(sizes[joined], *members).value_or(kDynamicSize);
    if (!members && joined != cut) sizes[cut] = sizes[joined] = kDynamicSize;
    status = checkShape("C9", oneOf(op.results, kResult, k), op.results[k],
                        sizes, "the operand's, split and concatenated");
    INDEXICAL_RETURN_IF_ERROR(status);
  }
  return absl::OkStatus();
}

/// Without a dimension there is an operand for each member.
absl::Status checkExchanged(const AllToAllOp &op) {
  const int64_t count = op.operands.size();
  if (!op.groupSize.contains(count))
    return Broken("") << "there must be an operand for each member of a group, "
                      << membersText(op) << ", but there are " << count;
  for (int64_t k = 0; k < count; ++k)
    INDEXICAL_RETURN_IF_ERROR(checkSameShape("", Name(kOperand)[0],
                                             op.operands[0], Name(kOperand)[k],
                                             op.operands[k]));
  return checkSameShapes(op, "");
}

/// The number of members, from the groups or else from the sizes. Nothing if
/// neither shows it.
std::optional<int64_t> exchangingMembers(const AllToAllOp &op,
                                         const Sides &sides) {
  if (const auto members = families::membersOf(op)) return members;
  if (!isJoinedElsewhere(op)) return std::nullopt;
  const ArrayShape &operand = sides.operand(), &result = sides.result();
  auto ratio = [](const ArrayShape &whole, const ArrayShape &part,
                  int64_t axis) -> std::optional<int64_t> {
    const auto size = partSize(whole, part, axis);
    if (!size || *size == 0) return std::nullopt;
    return whole.dimensions[axis] / *size;
  };
  const auto joined = ratio(result, operand, *op.joined);
  return joined ? joined : ratio(operand, result, *op.dimension);
}

}  // namespace

absl::Status verify(const AllToAllOp &op) {
  absl::Status status = checkGroups(op);
  status.Update(checkPairs(op));
  INDEXICAL_RETURN_IF_ERROR(status);
  return op.dimension ? checkCutAndJoined(op) : checkExchanged(op);
}

/// The tuple form: result `result` of a device is the operand of member
/// `result` whose number is the device's position.
static Answer exchanged(const AllToAllOp &op, const ArrayShape &from,
                        const ArrayShape &to, int64_t result, int64_t operand) {
  Along map(from, to, -1);
  CollectiveShapes group = op;
  group.groupSize = Interval::point(op.operands.size());
  map.builder.constraint(ownPosition(map.builder, group),
                         Interval::point(operand));
  return map.finish(Expr(), map.builder.constant(result));
}

/// Along `dimension` the device's own part, along `joined` the member's.
static Answer cutAndJoined(const AllToAllOp &op, const Sides &sides,
                           int64_t leaf) {
  const ArrayShape &operand = sides.operand(), &result = sides.result();
  const int64_t cut = *op.dimension, joined = *op.joined;
  const auto cutPart = partSize(operand, result, cut);
  const auto joinedPart = partSize(result, operand, joined);
  const auto members = exchangingMembers(op, sides);
  if (members && cutPart && joinedPart) {
    AccessAlong along(sides, cut, joined);
    AccessBuilder &access = along.access;
    const Loop member = access.loop(indicesOf(*members));
    const Loop inCut = access.loop(indicesOf(*cutPart));
    const Loop inJoined = access.loop(indicesOf(*joinedPart));
    access.result(cut, inCut);
    access.operand(cut, inCut + ownPosition(along.builder, op) * *cutPart);
    access.operand(joined, inJoined);
    access.result(joined, member * *joinedPart + inJoined);
    access.member(member);
    return access.answer();
  }
  Along map(sides.from(), sides.to(), cut, joined);
  OpenSizes sizes(op, map.builder);
  const int64_t resultTensor = op.operands.size() + leaf;
  const Expr begin =
      ownPosition(map.builder, op) * sizes.size(resultTensor, cut);
  const Expr part = sizes.divisor(leaf, joined);
  const Expr place = map.d[joined];
  if (sides.isForward()) {
    map.d[cut] = map.d[cut] + begin;
    map.d[joined] = mod(place, part);
    return map.finish(floorDiv(place, part));
  }
  const Expr member = anyMember(map.builder, op);
  map.d[cut] = map.d[cut] - begin;
  map.d[joined] = member * part + place;
  return map.finish(member);
}

/// The pairs along the one dimension if its size, or the number of members, is
/// open. No map divides by the size of a part, which is only seen to be a
/// quotient: the member is a range, and the index in its part a constraint.
static Answer exchangedOpen(const AllToAllOp &op, const Sides &sides,
                            int64_t leaf) {
  const int64_t axis = *op.dimension;
  Along map(sides.from(), sides.to(), axis);
  IndexingMapBuilder &b = map.builder;
  const Expr whole = OpenSizes(op, b).size(leaf, axis);
  std::optional<Expr> count;
  if (!membersOf(op)) count = memberCount(b);
  const Expr member = memberOf(b, op, count);
  const Expr part =
      floorDiv(whole, count ? *count : b.constant(*membersOf(op)));
  const Expr own = ownPosition(b, op);
  const Expr place = map.d[axis];
  // The result has it at member * part + index, the operand at own * part +
  // index.
  const Expr index = place - (sides.isForward() ? member : own) * part;
  b.constraint(index, {0, Interval::kInfinity});
  b.constraint(index - part, {Interval::kMinusInfinity, -1});
  return map.finish(index + (sides.isForward() ? own : member) * part, member);
}

Answer reads(const AllToAllOp &op, const Sides &sides, int64_t result,
             int64_t operand) {
  if (!op.dimension)
    return exchanged(op, sides.from(), sides.to(), result, operand);
  if (result != operand) return sides.nothing();
  if (isJoinedElsewhere(op)) return cutAndJoined(op, sides, operand);
  const int64_t axis = *op.dimension;
  const auto members = membersOf(op);
  if (!members || !isFixed(sides.result(), axis) ||
      !isFixed(sides.operand(), axis))
    return exchangedOpen(op, sides, operand);
  const int64_t part = sides.operand().dimensions[axis] / *members;
  AccessAlong along(sides, axis);
  AccessBuilder &access = along.access;
  const Loop member = access.loop(indicesOf(*members));
  const Loop place = access.loop(indicesOf(part));
  access.operand(axis, place + ownPosition(along.builder, op) * part);
  access.result(axis, member * part + place);
  access.member(member);
  return access.answer();
}

void addSizeRules(const AllToAllOp &op, SizeCollector &c) {
  if (!op.dimension) return c.allSame(0);
  for (int64_t k = 0; k < c.operands; ++k) {
    const bool isApart = isJoinedElsewhere(op);
    for (int64_t j = 0; j < c.rank(k); ++j)
      if (!isApart || (j != *op.dimension && j != *op.joined))
        c.equal({k, j}, {c.result(k), j});
    if (!isApart) continue;
    addDivided(op, c, k, *op.dimension);
    addScaled(op, c, k, *op.joined);
  }
}

}  // namespace families
}  // namespace indexical
