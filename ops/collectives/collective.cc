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
//
// An open size is a variable: of f32[?] the all-gather reads
//   (d0){rt0} -> (d0 mod rt0), member d0 floordiv rt0, rt0 the operand's size
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/ops/collectives/along.h"

namespace indexical {
namespace families {
namespace {

/// The numbers of what checkParts checks, and the dimension's attribute.
struct PartRules {
  Rule range, shape;
  Name attribute;
};

/// Errors if the larger shapes do not have the dimension, or are not the
/// smaller ones times the number of members along it.
absl::Status checkParts(const CollectiveShapes &op, int64_t dimension,
                        const PartRules &rules, const ShapeList &larger,
                        const ShapeList &smaller) {
  INDEXICAL_RETURN_IF_ERROR(checkPairs(op));
  INDEXICAL_RETURN_IF_ERROR(checkGroups(op));
  for (size_t k = 0; k < larger.size(); ++k) {
    const ArrayShape &whole = larger[k], &part = smaller[k];
    INDEXICAL_RETURN_IF_ERROR(checkRange(rules.range, rules.attribute,
                                         {dimension}, op.operands[k].rank(),
                                         "rank(operand)"));
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

static Answer gatheredOpen(const AllGatherOp &op, const Sides &sides,
                           int64_t leaf) {
  const int64_t axis = op.dimension;
  Along map(sides.from(), sides.to(), axis);
  const Expr part = OpenSizes(op, map.builder).divisor(leaf, axis);
  const Expr place = map.d[axis];
  if (sides.isForward())
    return map.finish(mod(place, part), floorDiv(place, part));
  const Expr member = anyMember(map.builder, op);
  return map.finish(member * part + place, member);
}

Answer reads(const AllGatherOp &op, const Sides &sides, int64_t result,
             int64_t operand) {
  if (result != operand) return sides.nothing();
  const int64_t axis = op.dimension;
  auto part = partSize(sides.result(), sides.operand(), axis);
  if (!part) return gatheredOpen(op, sides, operand);
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
  INDEXICAL_RETURN_IF_ERROR(checkGroups(op));
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

static Answer scatteredOpen(const ReduceScatterOp &op, const Sides &sides,
                            int64_t leaf) {
  const int64_t axis = op.dimension;
  Along map(sides.from(), sides.to(), axis);
  const int64_t result = op.operands.size() + leaf;
  const Expr begin = ownPosition(map.builder, op) *
                     OpenSizes(op, map.builder).size(result, axis);
  const Expr member = anyMember(map.builder, op);
  const Expr place = map.d[axis];
  return map.finish(sides.isForward() ? place + begin : place - begin, member);
}

Answer reads(const ReduceScatterOp &op, const Sides &sides, int64_t result,
             int64_t operand) {
  if (result != operand) return sides.nothing();
  const int64_t axis = op.dimension;
  auto part = partSize(sides.operand(), sides.result(), axis);
  if (!part) return scatteredOpen(op, sides, operand);
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

//===-- collective-broadcast ----------------------------------------------===//

absl::Status verify(const CollectiveBroadcastOp &op) {
  INDEXICAL_RETURN_IF_ERROR(checkGroups(op));
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
  INDEXICAL_RETURN_IF_ERROR(checkSameShapes(op, "C5"));
  const bool known = op.deviceCount >= 0;
  const int64_t most = known ? op.deviceCount : kMostDevices;
  Int64s targets;
  for (const CollectivePermuteOp::Pair &pair : op.pairs) {
    INDEXICAL_RETURN_IF_ERROR(checkRange(
        "C4", "source_target_pairs", {pair.source, pair.target}, most,
        known ? "the number of devices"
              : "the number of devices that have a number"));
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
    INDEXICAL_ASSIGN_OR_RETURN(
        auto piece, map.finish(Expr(), map.builder.constant(pair.source)));
    relation.unite(piece);
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
  for (int64_t k = 0; k < c.operands; ++k) {
    c.same(k, c.result(k), op.dimension);
    addScaled(op, c, k, op.dimension);
  }
}

void addSizeRules(const ReduceScatterOp &op, SizeCollector &c) {
  for (int64_t k = 0; k < c.operands; ++k) {
    c.same(k, c.result(k), op.dimension);
    addDivided(op, c, k, op.dimension);
  }
}

}  // namespace families
}  // namespace indexical
