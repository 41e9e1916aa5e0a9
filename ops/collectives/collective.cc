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
#include "indexical/ops/core/rules.h"
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

std::string membersText(const CollectiveShapes &op) {
  if (auto members = membersOf(op)) return std::to_string(*members);
  return op.groupSize.str();
}

absl::Status checkGroups(const CollectiveShapes &op) {
  if (!op.groupSize.isEmpty() && op.groupSize.lower >= 1)
    return absl::OkStatus();
  return Broken("") << "a group must have at least one member, but has "
                    << membersText(op);
}

namespace {

/// Errors where the results are not as many as the operands.
absl::Status checkPairs(const OpShapes &op) {
  if (op.results.size() == op.operands.size()) return absl::OkStatus();
  return Broken("") << "there must be a result for each operand, but there are "
                    << op.operands.size() << " operands and "
                    << op.results.size() << " results";
}

/// Operand k, or the only one.
Name oneOf(const ShapeList &list, Name name, size_t k) {
  return list.size() == 1 ? name : name[k];
}
constexpr const char *kOperand = "operand", *kResult = "result";

/// Errors where result k does not have the sizes of operand k.
absl::Status checkSameShapes(const OpShapes &op, Rule rule) {
  if (auto status = checkPairs(op); !status.ok()) return status;
  for (size_t k = 0; k < op.operands.size(); ++k)
    if (auto s = checkSameShape(rule, oneOf(op.operands, kOperand, k),
                                op.operands[k], oneOf(op.results, kResult, k),
                                op.results[k]);
        !s.ok())
      return s;
  return absl::OkStatus();
}

/// The numbers of what checkParts checks, and the dimension's attribute.
struct PartRules {
  Rule range, shape;
  Name attribute;
};

/// Errors where the larger shapes do not have the dimension, or are not the
/// smaller ones times the number of members along it.
absl::Status checkParts(const CollectiveShapes &op, int64_t dimension,
                        const PartRules &rules, const ShapeList &larger,
                        const ShapeList &smaller) {
  if (auto status = checkPairs(op); !status.ok()) return status;
  if (auto status = checkGroups(op); !status.ok()) return status;
  for (size_t k = 0; k < larger.size(); ++k) {
    const ArrayShape &whole = larger[k], &part = smaller[k];
    if (auto s = checkRange(rules.range, rules.attribute, {dimension},
                            op.operands[k].rank(), "rank(operand)");
        !s.ok())
      return s;
    bool good = whole.rank() == part.rank();
    for (int64_t j = 0; good && j < whole.rank(); ++j)
      good = j == dimension || canAgree(whole, j, part, j);
    if (good && isFixed(whole, dimension) && isFixed(part, dimension)) {
      const int64_t all = whole.dimensions[dimension];
      const int64_t one = part.dimensions[dimension];
      good = one == 0 ? all == 0
                      : all % one == 0 && op.groupSize.contains(all / one);
    }
    if (!good)
      return Broken(rules.shape)
             << whole << " must have the shape of " << part
             << ", times the number of members of a group, " << membersText(op)
             << ", along dimension " << dimension;
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
  return checkParts(op, op.dimension,
                    {"C1", "C6", {"dimensions", "all_gather_dim"}}, op.results,
                    op.operands);
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
  return checkSameShapes(op, "C6");
}

Answer reads(const AllReduceOp &op, const Sides &sides, int64_t result,
             int64_t operand) {
  if (result != operand) return sides.nothing();
  return sameOfAny(op, sides.from(), sides.to());
}

//===-- reduce-scatter ----------------------------------------------------===//

absl::Status verify(const ReduceScatterOp &op) {
  return checkParts(op, op.dimension,
                    {"C2", "C8", {"dimensions", "scatter_dimension"}},
                    op.operands, op.results);
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
    if (!status.ok()) return status;
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
    if (!status.ok()) return status;
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
    if (auto s = checkSameShape("", Name(kOperand)[0], op.operands[0],
                                Name(kOperand)[k], op.operands[k]);
        !s.ok())
      return s;
  return checkSameShapes(op, "");
}

/// Sizes of which one must be known.
bool areFixed(const AllToAllOp &op, const ArrayShape &shape) {
  return isFixed(shape, *op.dimension) && isFixed(shape, *op.joined);
}

}  // namespace

absl::Status verify(const AllToAllOp &op) {
  absl::Status status = checkGroups(op);
  status.Update(checkPairs(op));
  if (!status.ok()) return status;
  return op.dimension ? checkCutAndJoined(op) : checkExchanged(op);
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
  return checkSameShapes(op, "C3");
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

/// C3, C4 and C5. That a source stands once (C2) is a rule of StableHLO's.
absl::Status verify(const CollectivePermuteOp &op) {
  if (auto status = checkSameShapes(op, "C5"); !status.ok()) return status;
  const bool known = op.deviceCount >= 0;
  const int64_t most = known ? op.deviceCount : kMostDevices;
  Int64s targets;
  for (const CollectivePermuteOp::Pair &pair : op.pairs) {
    if (auto s = checkRange("C4", "source_target_pairs",
                            {pair.source, pair.target}, most,
                            known ? "the number of devices"
                                  : "the number of devices that have a number");
        !s.ok())
      return s;
    targets.push_back(pair.target);
  }
  llvm::sort(targets);
  const auto *twice = std::adjacent_find(targets.begin(), targets.end());
  if (twice == targets.end()) return absl::OkStatus();
  return Broken("C3") << "source_target_pairs must name a target once, but "
                         "name "
                      << *twice << " twice";
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
