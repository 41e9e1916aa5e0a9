// What chlo's ops ask of their shapes. The specification numbers none of it.
#include "indexical/stablehlo/dialect/chlo.h"
#include "indexical/stablehlo/dialect/verify.h"

namespace indexical::chlo {

using mlir::failed;
using mlir::failure;
using mlir::LogicalResult;
using mlir::RankedTensorType;
using mlir::success;
using stablehlo::agree;
using stablehlo::broken;
using stablehlo::hasSize;
using stablehlo::inRange;
using stablehlo::isUnique;
using stablehlo::kUnknown;
using stablehlo::listed;
using stablehlo::shapeIs;
using stablehlo::Size;
using stablehlo::sizeOf;

namespace {

// Null for a tensor of unknown rank, of which nothing can be said.
RankedTensorType ranked(mlir::Value value) {
  return llvm::dyn_cast<RankedTensorType>(value.getType());
}

// The last dimensions are paired, and a size of 1 is repeated.
LogicalResult checkBroadcast(mlir::Operation *op) {
  for (mlir::Value operand : op->getOperands())
    if (!ranked(operand)) return success();
  RankedTensorType result = ranked(op->getResult(0));
  if (!result) return success();
  for (mlir::Value operand : op->getOperands()) {
    RankedTensorType type = ranked(operand);
    int64_t more = result.getRank() - type.getRank();
    // A scalar predicate or operand meets every shape.
    if (type.getRank() == 0) continue;
    if (more < 0)
      return broken(op, "")
             << type << " has more dimensions than the result, " << result;
    // One that is not known may be 1.
    for (int64_t d = 0; d < type.getRank(); ++d)
      if (type.getDimSize(d) != 1 && sizeOf(type, d).known() &&
          !agree(sizeOf(type, d), sizeOf(result, d + more)))
        return broken(op, "")
               << type << " cannot be broadcast to " << result << ": dimension "
               << d << " is " << type.getDimSize(d) << ", not 1 or "
               << result.getDimSize(d + more);
  }
  // One of the operands has the size of the result.
  for (int64_t d = 0; d < result.getRank(); ++d) {
    int64_t most = 0;
    for (mlir::Value operand : op->getOperands()) {
      RankedTensorType type = ranked(operand);
      int64_t own = d - (result.getRank() - type.getRank());
      if (type.getRank() == 0 || own < 0) continue;
      most = type.getDimSize(own) == 1 && most < 2 ? 1 : 2;
    }
    if (most == 1 && sizeOf(result, d).known() && result.getDimSize(d) != 1)
      return broken(op, "")
             << "dimension " << d << " of the result must be 1, "
             << "as in all operands, but is " << result.getDimSize(d);
  }
  return success();
}

// With broadcast_dimensions, which say where the operand of lower rank goes.
LogicalResult checkBroadcast(
    mlir::Operation *op,
    const std::optional<llvm::SmallVector<int64_t>> &dimensions) {
  RankedTensorType lhs = ranked(op->getOperand(0)),
                   rhs = ranked(op->getOperand(1)),
                   result = ranked(op->getResult(0));
  if (!dimensions || !lhs || !rhs || !result) return checkBroadcast(op);
  RankedTensorType low = lhs.getRank() < rhs.getRank() ? lhs : rhs;
  RankedTensorType high = lhs.getRank() < rhs.getRank() ? rhs : lhs;
  if (failed(hasSize(op, "", "broadcast_dimensions", *dimensions, low.getRank(),
                     "the lower rank of the operands")) ||
      failed(inRange(op, "", "broadcast_dimensions", *dimensions,
                     high.getRank(), "the higher rank of the operands")) ||
      failed(isUnique(op, "", "broadcast_dimensions", *dimensions)))
    return failure();
  return success();
}

}  // namespace

#define INDEXICAL_CHECK_BROADCAST(Op)                       \
  LogicalResult Op::verify() {                              \
    return checkBroadcast(*this, getBroadcastDimensions()); \
  }
INDEXICAL_CHECK_BROADCAST(BroadcastAddOp)
INDEXICAL_CHECK_BROADCAST(BroadcastAndOp)
INDEXICAL_CHECK_BROADCAST(BroadcastAtan2Op)
INDEXICAL_CHECK_BROADCAST(BroadcastCompareOp)
INDEXICAL_CHECK_BROADCAST(BroadcastComplexOp)
INDEXICAL_CHECK_BROADCAST(BroadcastDivideOp)
INDEXICAL_CHECK_BROADCAST(BroadcastMaximumOp)
INDEXICAL_CHECK_BROADCAST(BroadcastMinimumOp)
INDEXICAL_CHECK_BROADCAST(BroadcastMultiplyOp)
INDEXICAL_CHECK_BROADCAST(BroadcastNextAfterOp)
INDEXICAL_CHECK_BROADCAST(BroadcastOrOp)
INDEXICAL_CHECK_BROADCAST(BroadcastPolygammaOp)
INDEXICAL_CHECK_BROADCAST(BroadcastPowerOp)
INDEXICAL_CHECK_BROADCAST(BroadcastRemainderOp)
INDEXICAL_CHECK_BROADCAST(BroadcastShiftLeftOp)
INDEXICAL_CHECK_BROADCAST(BroadcastShiftRightArithmeticOp)
INDEXICAL_CHECK_BROADCAST(BroadcastShiftRightLogicalOp)
INDEXICAL_CHECK_BROADCAST(BroadcastSubtractOp)
INDEXICAL_CHECK_BROADCAST(BroadcastXorOp)
INDEXICAL_CHECK_BROADCAST(BroadcastZetaOp)
#undef INDEXICAL_CHECK_BROADCAST

LogicalResult BroadcastSelectOp::verify() { return checkBroadcast(*this); }

LogicalResult TopKOp::verify() {
  RankedTensorType operand = ranked(getOperand());
  int64_t k = getK();
  if (k < 0) return broken(*this, "") << "k must be at least 0, not " << k;
  if (!operand) return success();
  if (operand.getRank() == 0)
    return broken(*this, "") << "operand must have a dimension to take the top "
                                "of, but is "
                             << operand;
  int64_t most = sizeOf(operand, operand.getRank() - 1).bound;
  if (most != kUnknown && k > most)
    return broken(*this, "") << "k must be at most the last size of operand, "
                             << most << ", but is " << k;
  llvm::SmallVector<int64_t> expected(operand.getShape());
  expected.back() = k;
  for (auto [name, value] :
       {std::pair<llvm::StringRef, mlir::Value>{"values", getValues()},
        {"indices", getIndices()}})
    if (RankedTensorType type = ranked(value))
      if (failed(shapeIs(*this, "", name, type, expected,
                         "operand's with k as its last size")))
        return failure();
  return success();
}

LogicalResult RaggedDotOp::verify() {
  RankedTensorType lhs = ranked(getLhs()), rhs = ranked(getRhs()),
                   groups = ranked(getGroupSizes());
  if (!lhs || !rhs || !groups) return success();
  RaggedDotDimensionNumbersAttr numbers = getRaggedDotDimensionNumbers();
  auto lhsBatching = numbers.getLhsBatchingDimensions(),
       rhsBatching = numbers.getRhsBatchingDimensions(),
       lhsContracting = numbers.getLhsContractingDimensions(),
       rhsContracting = numbers.getRhsContractingDimensions(),
       ragged = numbers.getLhsRaggedDimensions(),
       group = numbers.getRhsGroupDimensions();
  if (ragged.size() != 1)
    return broken(*this, "") << "lhs_ragged_dimensions must have one entry, "
                                "but is "
                             << listed(ragged);
  if (failed(inRange(*this, "", "lhs_ragged_dimensions", ragged, lhs.getRank(),
                     "rank(lhs)")) ||
      failed(inRange(*this, "", "lhs_batching_dimensions", lhsBatching,
                     lhs.getRank(), "rank(lhs)")) ||
      failed(inRange(*this, "", "lhs_contracting_dimensions", lhsContracting,
                     lhs.getRank(), "rank(lhs)")) ||
      failed(inRange(*this, "", "rhs_batching_dimensions", rhsBatching,
                     rhs.getRank(), "rank(rhs)")) ||
      failed(inRange(*this, "", "rhs_contracting_dimensions", rhsContracting,
                     rhs.getRank(), "rank(rhs)")) ||
      failed(inRange(*this, "", "rhs_group_dimensions", group, rhs.getRank(),
                     "rank(rhs)")))
    return failure();
  llvm::SmallVector<int64_t> lhsAll(lhsBatching), rhsAll(rhsBatching);
  llvm::append_range(lhsAll, lhsContracting);
  llvm::append_range(rhsAll, rhsContracting);
  llvm::append_range(rhsAll, group);
  if (failed(isUnique(*this, "", "lhs batching and contracting dimensions",
                      lhsAll)) ||
      failed(isUnique(
          *this, "", "rhs batching, contracting and group dimensions", rhsAll)))
    return failure();
  if (lhsBatching.size() != rhsBatching.size() ||
      lhsContracting.size() != rhsContracting.size())
    return broken(*this, "")
           << "lhs and rhs must have as many batching and as many contracting "
              "dimensions as each other";
  for (auto [left, right] : {std::pair{lhsBatching, rhsBatching},
                             std::pair{lhsContracting, rhsContracting}})
    for (auto [d, e] : llvm::zip(left, right))
      if (!agree(sizeOf(lhs, d), sizeOf(rhs, e)))
        return broken(*this, "")
               << "paired dimensions must have the same size, but dimension "
               << d << " of lhs has " << lhs.getDimSize(d) << " and dimension "
               << e << " of rhs has " << rhs.getDimSize(e);
  bool kept = !llvm::is_contained(lhsAll, ragged[0]);
  if (group.size() != (kept ? 1 : 0))
    return broken(*this, "")
           << "rhs_group_dimensions must have "
           << (kept ? "one entry where the ragged dimension is kept"
                    : "no entry where the ragged dimension is batching or "
                      "contracting")
           << ", but is " << listed(group);
  if (groups.getRank() < 1)
    return broken(*this, "")
           << "group_sizes must have a dimension for the groups, but is "
           << groups;
  Size count = sizeOf(groups, groups.getRank() - 1);
  if (kept && !agree(sizeOf(rhs, group[0]), count))
    return broken(*this, "")
           << "the group dimension of rhs must have the size of group_sizes, "
           << count.value << ", but has " << rhs.getDimSize(group[0]);
  return success();
}

LogicalResult ScanOp::verify() {
  int64_t dimension = getDimension();
  std::optional<uint64_t> steps = getScanDimSize();
  for (auto [i, input] : llvm::enumerate(getInputs())) {
    RankedTensorType type = ranked(input);
    if (!type) continue;
    if (failed(inRange(*this, "", "dimension", {dimension}, type.getRank(),
                       "the rank of an input")))
      return failure();
    int64_t size = steps ? static_cast<int64_t>(*steps) : kUnknown;
    if (!agree(sizeOf(type, dimension), {size, size}))
      return broken(*this, "") << "input " << i << " must have the size "
                               << size << " that scan_dim_size gives, but has "
                               << type.getDimSize(dimension);
  }
  mlir::Block *block = stablehlo::onlyBlock(*this, "", "the body", getBody());
  if (!block) return failure();
  size_t inputs = getInputs().size(), carries = getInits().size();
  if (block->getNumArguments() != inputs + carries)
    return broken(*this, "") << "the body must take a slice of each input and "
                                "each carry, "
                             << inputs + carries << " values, but takes "
                             << block->getNumArguments();
  if (block->back().getNumOperands() != getNumResults())
    return broken(*this, "") << "the body must return a slice of each output "
                                "and each carry, "
                             << getNumResults() << " values, but returns "
                             << block->back().getNumOperands();
  for (size_t i = 0; i < inputs; ++i) {
    RankedTensorType input = ranked(getInputs()[i]);
    if (!input) continue;
    llvm::SmallVector<int64_t> slice(input.getShape());
    slice.erase(slice.begin() + dimension);
    auto argument =
        llvm::dyn_cast<RankedTensorType>(block->getArgument(i).getType());
    if (argument && failed(shapeIs(*this, "", "argument " + std::to_string(i),
                                   argument, slice, "a slice of that input")))
      return failure();
  }
  for (size_t i = 0; i < carries; ++i)
    if (!stablehlo::typesAgree(getInits()[i].getType(),
                               block->getArgument(inputs + i).getType()))
      return broken(*this, "")
             << "argument " << inputs + i
             << " of the body must be of the type of its carry, "
             << getInits()[i].getType() << ", but is "
             << block->getArgument(inputs + i).getType();
  return success();
}

}  // namespace indexical::chlo
