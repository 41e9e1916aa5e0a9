// Collectives: elements of other devices.
//
//   all-gather of f32[8], groups of 4, to f32[32]
//     output to input    (d0) -> (d0 mod 8), d0 in [0, 31]
//                        member d0 floordiv 8
//     input to output    (d0)[s0] -> (d0 + s0 * 8), d0 in [0, 7], s0 in [0, 3]
//                        member s0
//   reduce-scatter of f32[32], groups of 4, to f32[8], rt0 the own position
//     output to input    (d0)[s0]{rt0} -> (d0 + rt0 * 8), member s0
//     input to output    (d0)[s0]{rt0} -> (d0 - rt0 * 8), member s0
//                        d0 - rt0 * 8 in [0, 7]
//
// In both directions the member is the one whose operand it is, and the result
// is that of the device itself: so the two are transposes of each other.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/ops/collectives/groups.h"
#include "indexical/ops/core/access_builder.h"
#include "indexical/ops/core/size_collector.h"

namespace indexical {
namespace families {

std::optional<int64_t> membersOf(const CollectiveShapes &op) {
  if (!op.groupSize.isPoint()) return std::nullopt;
  return op.groupSize.lower;
}

Expr anyMember(IndexingMapBuilder &builder, const CollectiveShapes &op) {
  const Interval sizes = op.groupSize;
  Expr member = builder.range(
      {0, sizes.hasUpper() ? sizes.upper - 1 : Interval::kInfinity});
  if (!sizes.isPoint()) {
    RuntimeSource source{RuntimeSource::Kind::GroupSize, 0};
    Expr count = builder.runtimeOfDevice(source);
    builder.constraint(member - count, {Interval::kMinusInfinity, -1});
  }
  return member;
}

Expr ownPosition(IndexingMapBuilder &builder, const CollectiveShapes &op) {
  RuntimeSource source{RuntimeSource::Kind::GroupPosition, 0};
  if (op.groupSize.hasUpper()) source.count = op.groupSize.upper;
  return builder.runtimeOfDevice(source);
}

Answer answerOf(IndexingMapBuilder &builder, Expr member, Precision precision) {
  builder.member(0, member);
  return answerOf(builder, precision);
}

Answer everythingOfAll(const CollectiveShapes &op, const ArrayShape &from,
                       const ArrayShape &to, Precision precision) {
  IndexingMapBuilder builder;
  dimensionsOf(builder, from);
  for (Expr range : rangesOf(builder, to)) builder.result(range);
  return answerOf(builder, anyMember(builder, op), precision);
}

absl::Status checkGroups(const CollectiveShapes &op) {
  if (!op.groupSize.isEmpty() && op.groupSize.lower >= 1)
    return absl::OkStatus();
  return invalid(absl::StrCat("groups of ", op.groupSize.str(),
                              " members; a group has at least one"));
}

namespace {

/// Errors where the results are not as many as the operands.
absl::Status checkPairs(const OpShapes &op) {
  if (op.results.size() == op.operands.size()) return absl::OkStatus();
  return invalid(absl::StrCat(counted(op.operands.size(), "operand"), " and ",
                              counted(op.results.size(), "result"),
                              "; a collective has a result for each operand"));
}

/// Errors where result k does not have the sizes of operand k.
absl::Status checkSameShapes(const OpShapes &op) {
  if (auto status = checkPairs(op); !status.ok()) return status;
  for (size_t k = 0; k < op.operands.size(); ++k)
    if (!canAgree(op.operands[k], op.results[k]))
      return invalid(absl::StrCat("operand ", k, " is ", textOf(op.operands[k]),
                                  " and result ", k, " ", textOf(op.results[k]),
                                  "; they would have the same sizes"));
  return absl::OkStatus();
}

/// Errors where the larger shapes, `what`, do not have the dimension, or are
/// not the smaller ones times the number of members along it.
absl::Status checkParts(const CollectiveShapes &op, int64_t dimension,
                        const ShapeList &larger, const ShapeList &smaller) {
  if (auto status = checkPairs(op); !status.ok()) return status;
  if (auto status = checkGroups(op); !status.ok()) return status;
  for (size_t k = 0; k < larger.size(); ++k) {
    const ArrayShape &whole = larger[k], &part = smaller[k];
    if (auto s = checkDimensions("dimensions", {dimension}, whole); !s.ok())
      return s;
    auto disagree = [&] {
      return invalid(
          absl::StrCat(textOf(whole), " would have the sizes of ", textOf(part),
                       ", times the number of members (", op.groupSize.str(),
                       ") along dimension ", dimension));
    };
    if (whole.rank() != part.rank()) return disagree();
    for (int64_t j = 0; j < whole.rank(); ++j)
      if (j != dimension && !canAgree(whole, j, part, j)) return disagree();
    if (!isFixed(whole, dimension) || !isFixed(part, dimension)) continue;
    const int64_t all = whole.dimensions[dimension];
    const int64_t one = part.dimensions[dimension];
    const bool good = one == 0
                          ? all == 0
                          : all % one == 0 && op.groupSize.contains(all / one);
    if (!good) return disagree();
  }
  return absl::OkStatus();
}

/// A map whose indices are equal but along one dimension.
struct Along {
  Along(const ArrayShape &from, const ArrayShape &to, int64_t axis)
      : axis(axis) {
    for (int64_t k = 0; k < from.rank(); ++k)
      d.push_back(builder.dimension(k == axis ? indicesOf(from, k)
                                              : sharedIndices(from, k, to, k)));
  }
  Answer finish(Expr index, Expr member) {
    for (size_t k = 0; k < d.size(); ++k)
      builder.result(static_cast<int64_t>(k) == axis ? index : d[k]);
    return answerOf(builder, member);
  }

  int64_t axis;
  IndexingMapBuilder builder;
  Exprs d;
};

/// The indices of `shape`, those that `other` has too but along two dimensions.
Bounds indicesBut(const ArrayShape &shape, const ArrayShape &other,
                  int64_t axis, int64_t secondAxis) {
  Bounds bounds;
  for (int64_t k = 0; k < shape.rank(); ++k)
    bounds.push_back(k == axis || k == secondAxis
                         ? indicesOf(shape, k)
                         : sharedIndices(shape, k, other, k));
  return bounds;
}

/// An access of which all coordinates are equal but along one dimension, or
/// two.
struct AccessAlong {
  AccessAlong(const Sides &sides, int64_t axis, int64_t secondAxis)
      : places(indicesBut(sides.result(), sides.operand(), axis, secondAxis)),
        indices(indicesBut(sides.operand(), sides.result(), axis, secondAxis)),
        access(sides, builder, places, indices) {
    for (int64_t k = 0; k < sides.result().rank(); ++k)
      if (k != axis && k != secondAxis) access.same(k, k);
  }
  AccessAlong(const Sides &sides, int64_t axis)
      : AccessAlong(sides, axis, axis) {}

  const Bounds places, indices;
  IndexingMapBuilder builder;
  AccessBuilder access;
};

/// The shape of which each member has a part: of n elements along `axis`, where
/// both sizes are known.
std::optional<int64_t> partSize(const ArrayShape &whole, const ArrayShape &part,
                                int64_t axis) {
  if (!isFixed(whole, axis) || !isFixed(part, axis)) return std::nullopt;
  return part.dimensions[axis];
}

/// Index to equal index, of any member.
Answer sameOfAny(const CollectiveShapes &op, const ArrayShape &from,
                 const ArrayShape &to) {
  Along map(from, to, -1);
  return map.finish(Expr(), anyMember(map.builder, op));
}

}  // namespace

//===-- all-gather --------------------------------------------------------===//

absl::Status verify(const AllGatherOp &op) {
  return checkParts(op, op.dimension, op.results, op.operands);
}

Answer reads(const AllGatherOp &op, const Sides &sides, int64_t result,
             int64_t operand) {
  if (result != operand) return sides.nothing();
  const int64_t axis = op.dimension;
  auto part = partSize(sides.result(), sides.operand(), axis);
  if (!part)
    return everythingOfAll(op, sides.from(), sides.to(), Precision::Cover);
  AccessAlong along(sides, axis);
  AccessBuilder &access = along.access;
  const Loop member =
      access.loop(indicesOf(sides.result().dimensions[axis] / *part));
  const Loop place = access.loop(indicesOf(*part));
  access.operand(axis, place);
  access.result(axis, member * *part + place);
  access.member(member);
  return access.answer();
}

//===-- all-reduce --------------------------------------------------------===//

absl::Status verify(const AllReduceOp &op) {
  if (auto status = checkGroups(op); !status.ok()) return status;
  return checkSameShapes(op);
}

Answer reads(const AllReduceOp &op, const Sides &sides, int64_t result,
             int64_t operand) {
  if (result != operand) return sides.nothing();
  return sameOfAny(op, sides.from(), sides.to());
}

//===-- reduce-scatter ----------------------------------------------------===//

absl::Status verify(const ReduceScatterOp &op) {
  return checkParts(op, op.dimension, op.operands, op.results);
}

Answer reads(const ReduceScatterOp &op, const Sides &sides, int64_t result,
             int64_t operand) {
  if (result != operand) return sides.nothing();
  const int64_t axis = op.dimension;
  auto part = partSize(sides.operand(), sides.result(), axis);
  if (!part)
    return everythingOfAll(op, sides.from(), sides.to(), Precision::Cover);
  CollectiveShapes group = op;
  group.groupSize = Interval::point(sides.operand().dimensions[axis] / *part);
  AccessAlong along(sides, axis);
  AccessBuilder &access = along.access;
  const Loop place = access.loop(indicesOf(*part));
  access.result(axis, place);
  access.operand(axis, place + ownPosition(along.builder, group) * *part);
  access.member(access.loop(indicesOf(group.groupSize.lower)));
  return access.answer();
}

//===-- all-to-all --------------------------------------------------------===//

namespace {

bool isJoinedElsewhere(const AllToAllOp &op) {
  return op.dimension && op.joined && *op.joined != *op.dimension;
}

/// Errors where a result is not its operand, cut along one dimension and joined
/// along the other.
absl::Status checkCutAndJoined(const AllToAllOp &op) {
  if (auto status = checkPairs(op); !status.ok()) return status;
  const int64_t cut = *op.dimension, joined = *op.joined;
  const auto members = membersOf(op);
  for (size_t k = 0; k < op.operands.size(); ++k) {
    const ArrayShape &operand = op.operands[k], &result = op.results[k];
    if (auto s = checkDimensions("dimensions", {cut, joined}, operand); !s.ok())
      return s;
    auto isTimes = [&](const ArrayShape &large, const ArrayShape &small,
                       int64_t dimension) {
      int64_t times;
      return !members || !isFixed(large, dimension) ||
             !isFixed(small, dimension) ||
             (!llvm::MulOverflow(small.dimensions[dimension], *members,
                                 times) &&
              times == large.dimensions[dimension]);
    };
    bool good = operand.rank() == result.rank() &&
                isTimes(operand, result, cut) &&
                isTimes(result, operand, joined);
    for (int64_t j = 0; good && j < operand.rank(); ++j)
      good = j == cut || j == joined || canAgree(operand, j, result, j);
    if (!good)
      return invalid(absl::StrCat(
          "operand ", k, ", ", textOf(operand), ", cut along dimension ", cut,
          " and joined along dimension ", joined, " of ", op.groupSize.str(),
          " members, does not give ", textOf(result)));
  }
  return absl::OkStatus();
}

/// Sizes of which one must be known.
bool areFixed(const AllToAllOp &op, const ArrayShape &shape) {
  return isFixed(shape, *op.dimension) && isFixed(shape, *op.joined);
}

}  // namespace

absl::Status verify(const AllToAllOp &op) {
  if (auto status = checkGroups(op); !status.ok()) return status;
  if (isJoinedElsewhere(op)) return checkCutAndJoined(op);
  if (auto status = checkSameShapes(op); !status.ok()) return status;
  auto members = membersOf(op);
  if (!op.dimension) {
    const int64_t count = op.operands.size();
    if (!op.groupSize.contains(count))
      return invalid(absl::StrCat(counted(count, "operand"), " for groups of ",
                                  op.groupSize.str(),
                                  " members; there would be one for each"));
    for (const ArrayShape &shape : op.operands)
      if (!canAgree(shape, op.operands[0]))
        return invalid(absl::StrCat(
            "operands ", textOf(op.operands[0]), " and ", textOf(shape),
            "; what goes to one member would have the sizes of what goes to "
            "another"));
    return absl::OkStatus();
  }
  for (const ArrayShape &shape : op.operands) {
    if (auto s = checkDimensions("dimensions", {*op.dimension}, shape); !s.ok())
      return s;
    if (members && isFixed(shape, *op.dimension) &&
        shape.dimensions[*op.dimension] % *members != 0)
      return invalid(absl::StrCat("dimension ", *op.dimension, " of ",
                                  textOf(shape), " is not a multiple of the ",
                                  counted(*members, "member"), " of a group"));
  }
  return absl::OkStatus();
}

/// The tuple form: what comes from member `result` is its operand for me.
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
static Answer cutAndJoined(const AllToAllOp &op, const Sides &sides) {
  const ArrayShape &operand = sides.operand(), &result = sides.result();
  const auto members = membersOf(op);
  if (!members || !areFixed(op, operand) || !areFixed(op, result))
    return everythingOfAll(op, sides.from(), sides.to(), Precision::Cover);
  const int64_t cut = *op.dimension, joined = *op.joined;
  const int64_t cutPart = result.dimensions[cut];
  const int64_t joinedPart = operand.dimensions[joined];
  AccessAlong along(sides, cut, joined);
  AccessBuilder &access = along.access;
  const Loop member = access.loop(indicesOf(*members));
  const Loop inCut = access.loop(indicesOf(cutPart));
  const Loop inJoined = access.loop(indicesOf(joinedPart));
  access.result(cut, inCut);
  access.operand(cut, inCut + ownPosition(along.builder, op) * cutPart);
  access.operand(joined, inJoined);
  access.result(joined, member * joinedPart + inJoined);
  access.member(member);
  return access.answer();
}

Answer reads(const AllToAllOp &op, const Sides &sides, int64_t result,
             int64_t operand) {
  if (!op.dimension)
    return exchanged(op, sides.from(), sides.to(), result, operand);
  if (result != operand) return sides.nothing();
  if (isJoinedElsewhere(op)) return cutAndJoined(op, sides);
  const int64_t axis = *op.dimension;
  const auto members = membersOf(op);
  if (!members || !isFixed(sides.result(), axis) ||
      !isFixed(sides.operand(), axis))
    return everythingOfAll(op, sides.from(), sides.to(), Precision::Cover);
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

//===-- collective-broadcast ----------------------------------------------===//

absl::Status verify(const CollectiveBroadcastOp &op) {
  if (auto status = checkGroups(op); !status.ok()) return status;
  return checkSameShapes(op);
}

static Answer sameOfMember(const ArrayShape &from, const ArrayShape &to,
                           int64_t member) {
  Along map(from, to, -1);
  return map.finish(Expr(), map.builder.constant(member));
}

Answer reads(const CollectiveBroadcastOp &, const Sides &sides, int64_t result,
             int64_t operand) {
  if (result != operand) return sides.nothing();
  return sameOfMember(sides.from(), sides.to(), 0);
}

//===-- collective-permute ------------------------------------------------===//

/// Numbers of replicas and partitions have 32 bits, as replica_id gives them.
static constexpr int64_t kMostDevices = int64_t{1} << 32;

absl::Status verify(const CollectivePermuteOp &op) {
  if (auto status = checkSameShapes(op); !status.ok()) return status;
  llvm::SmallVector<int64_t, 16> targets;
  for (const CollectivePermuteOp::Pair &pair : op.pairs) {
    for (int64_t device : {pair.source, pair.target})
      if (device < 0 ||
          device >= (op.deviceCount >= 0 ? op.deviceCount : kMostDevices))
        return invalid(absl::StrCat(
            "source_target_pairs: there is no device ", device,
            op.deviceCount >= 0 ? absl::StrCat("; there are ", op.deviceCount)
            : device < 0        ? std::string("; the first one is 0")
                                : std::string("; numbers have 32 bits")));
    targets.push_back(pair.target);
  }
  llvm::sort(targets);
  auto twice = std::adjacent_find(targets.begin(), targets.end());
  if (twice == targets.end()) return absl::OkStatus();
  return invalid(absl::StrCat("source_target_pairs: device ", *twice,
                              " is a target twice; it would receive once"));
}

static Answer permuted(const CollectivePermuteOp &op, const ArrayShape &from,
                       const ArrayShape &to) {
  IndexingRelation relation;
  for (const CollectivePermuteOp::Pair &pair : op.pairs) {
    Along map(from, to, -1);
    RuntimeSource self{RuntimeSource::Kind::DeviceId, 0};
    self.count = op.deviceCount;
    map.builder.constraint(map.builder.runtimeOfDevice(self),
                           Interval::point(pair.target));
    auto piece = map.finish(Expr(), map.builder.constant(pair.source));
    if (!piece.ok()) return piece;
    relation.unite(*piece);
  }
  return relation;
}

Answer reads(const CollectivePermuteOp &op, const Sides &sides, int64_t result,
             int64_t operand) {
  if (result != operand) return sides.nothing();
  return permuted(op, sides.from(), sides.to());
}

void addSizeRules(const AllReduceOp &, SizeCollector &c) {
  for (int64_t k = 0; k < c.operands; ++k) c.same(k, c.result(k));
}

void addSizeRules(const CollectiveBroadcastOp &, SizeCollector &c) {
  for (int64_t k = 0; k < c.operands; ++k) c.same(k, c.result(k));
}

void addSizeRules(const CollectivePermuteOp &op, SizeCollector &c) {
  if (op.results.size() != op.operands.size()) return;
  for (int64_t k = 0; k < c.operands; ++k) c.same(k, c.result(k));
}

void addSizeRules(const AllGatherOp &op, SizeCollector &c) {
  for (int64_t k = 0; k < c.operands; ++k) c.same(k, c.result(k), op.dimension);
}

void addSizeRules(const ReduceScatterOp &op, SizeCollector &c) {
  for (int64_t k = 0; k < c.operands; ++k) c.same(k, c.result(k), op.dimension);
}

}  // namespace families
}  // namespace indexical
