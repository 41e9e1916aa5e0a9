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

/// The shape of which each member has a part: of n elements along `axis`, where
/// both sizes are known.
std::optional<int64_t> partSize(const ArrayShape &whole, const ArrayShape &part,
                                int64_t axis) {
  if (!isFixed(whole, axis) || !isFixed(part, axis)) return std::nullopt;
  return part.dimensions[axis];
}

/// How many members there are is seen from the sizes too.
CollectiveShapes withMembers(CollectiveShapes op, int64_t whole, int64_t part) {
  op.groupSize = Interval::point(whole / part);
  return op;
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

INDEXICAL_WRITTEN_PAIR(AllGatherOp)

Answer outputToInput(const AllGatherOp &op, int64_t result, int64_t operand) {
  if (result != operand) return IndexingRelation();
  const ArrayShape &from = op.results[result], &to = op.operands[operand];
  auto part = partSize(from, to, op.dimension);
  if (!part) return everythingOfAll(op, from, to, Precision::Cover);
  Along map(from, to, op.dimension);
  Expr index = map.d[op.dimension];
  return map.finish(mod(index, *part), floorDiv(index, *part));
}

Answer inputToOutput(const AllGatherOp &op, int64_t result, int64_t operand) {
  if (result != operand) return IndexingRelation();
  const ArrayShape &from = op.operands[operand], &to = op.results[result];
  auto part = partSize(to, from, op.dimension);
  if (!part) return everythingOfAll(op, from, to, Precision::Cover);
  Along map(from, to, op.dimension);
  Expr member = anyMember(map.builder,
                          withMembers(op, to.dimensions[op.dimension], *part));
  return map.finish(map.d[op.dimension] + member * *part, member);
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

INDEXICAL_WRITTEN_PAIR(ReduceScatterOp)

Answer outputToInput(const ReduceScatterOp &op, int64_t result,
                     int64_t operand) {
  if (result != operand) return IndexingRelation();
  const ArrayShape &from = op.results[result], &to = op.operands[operand];
  auto part = partSize(to, from, op.dimension);
  if (!part) return everythingOfAll(op, from, to, Precision::Cover);
  const CollectiveShapes group =
      withMembers(op, to.dimensions[op.dimension], *part);
  Along map(from, to, op.dimension);
  Expr member = anyMember(map.builder, group);
  Expr position = ownPosition(map.builder, group);
  return map.finish(map.d[op.dimension] + position * *part, member);
}

Answer inputToOutput(const ReduceScatterOp &op, int64_t result,
                     int64_t operand) {
  if (result != operand) return IndexingRelation();
  const ArrayShape &from = op.operands[operand], &to = op.results[result];
  auto part = partSize(from, to, op.dimension);
  if (!part) return everythingOfAll(op, from, to, Precision::Cover);
  const CollectiveShapes group =
      withMembers(op, from.dimensions[op.dimension], *part);
  Along map(from, to, op.dimension);
  Expr member = anyMember(map.builder, group);
  Expr index = map.d[op.dimension] - ownPosition(map.builder, group) * *part;
  map.builder.constraint(index, {0, *part - 1});
  return map.finish(index, member);
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
static Answer cutAndJoined(const AllToAllOp &op, Direction direction,
                           int64_t number) {
  const ArrayShape &operand = op.operands[number], &result = op.results[number];
  const bool reads = direction == Direction::OutputToInput;
  const ArrayShape &from = reads ? result : operand;
  const ArrayShape &to = reads ? operand : result;
  if (!membersOf(op) || !areFixed(op, operand) || !areFixed(op, result))
    return everythingOfAll(op, from, to, Precision::Cover);
  const int64_t cut = *op.dimension, joined = *op.joined;
  IndexingMapBuilder builder;
  Exprs d;
  for (int64_t k = 0; k < from.rank(); ++k)
    d.push_back(builder.dimension(k == cut || k == joined
                                      ? indicesOf(from, k)
                                      : sharedIndices(from, k, to, k)));
  const Expr own =
      ownPosition(builder, op) * result.dimensions[cut];  // my part begins here
  const int64_t part = operand.dimensions[joined];
  const Expr member =
      reads ? floorDiv(d[joined], part) : anyMember(builder, op);
  if (reads) {
    d[joined] = mod(d[joined], part);
    d[cut] = d[cut] + own;
  } else {
    d[joined] = d[joined] + member * part;
    d[cut] = d[cut] - own;
    builder.constraint(d[cut], {0, result.dimensions[cut] - 1});
  }
  for (Expr index : d) builder.result(index);
  return answerOf(builder, member);
}

INDEXICAL_WRITTEN_PAIR(AllToAllOp)

Answer outputToInput(const AllToAllOp &op, int64_t result, int64_t operand) {
  const ArrayShape &from = op.results[result], &to = op.operands[operand];
  if (!op.dimension) return exchanged(op, from, to, result, operand);
  if (result != operand) return IndexingRelation();
  if (isJoinedElsewhere(op))
    return cutAndJoined(op, Direction::OutputToInput, result);
  auto members = membersOf(op);
  if (!members || !isFixed(from, *op.dimension) || !isFixed(to, *op.dimension))
    return everythingOfAll(op, from, to, Precision::Cover);
  const int64_t part = to.dimensions[*op.dimension] / *members;
  Along map(from, to, *op.dimension);
  Expr index = map.d[*op.dimension];
  Expr position = ownPosition(map.builder, op);
  return map.finish(mod(index, part) + position * part, floorDiv(index, part));
}

Answer inputToOutput(const AllToAllOp &op, int64_t result, int64_t operand) {
  const ArrayShape &from = op.operands[operand], &to = op.results[result];
  if (!op.dimension) return exchanged(op, from, to, result, operand);
  if (result != operand) return IndexingRelation();
  if (isJoinedElsewhere(op))
    return cutAndJoined(op, Direction::InputToOutput, result);
  auto members = membersOf(op);
  if (!members || !isFixed(from, *op.dimension) || !isFixed(to, *op.dimension))
    return everythingOfAll(op, from, to, Precision::Cover);
  const int64_t part = from.dimensions[*op.dimension] / *members;
  Along map(from, to, *op.dimension);
  Expr member = anyMember(map.builder, op);
  Expr index = map.d[*op.dimension] - ownPosition(map.builder, op) * part;
  map.builder.constraint(index, {0, part - 1});
  return map.finish(index + member * part, member);
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
