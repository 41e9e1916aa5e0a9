// Constraints on the shapes of chlo's ops. The specification does not number
// them.
#include "indexical/import/stablehlo/dialect/chlo.h"
#include "indexical/import/stablehlo/dialect/describe_ragged_dot.h"
#include "indexical/import/stablehlo/dialect/rules.h"
#include "indexical/import/stablehlo/dialect/verify.h"

namespace indexical::chlo {

using mlir::failed;
using mlir::failure;
using mlir::LogicalResult;
using mlir::RankedTensorType;
using mlir::success;
using stablehlo::agree;
using stablehlo::broken;
using stablehlo::inRange;
using stablehlo::kUnknown;
using stablehlo::shapeIs;
using stablehlo::sizeOf;

namespace {

// Returns null for a tensor of unknown rank, which cannot be checked.
RankedTensorType ranked(mlir::Value value) {
  return llvm::dyn_cast<RankedTensorType>(value.getType());
}

// Verifies the rules of the op's family, if all ranks are known.
LogicalResult keepsRulesIfRanked(mlir::Operation *op, Describer describe) {
  auto isRanked = [](mlir::Type type) {
    return llvm::isa<RankedTensorType>(type);
  };
  if (!llvm::all_of(op->getOperandTypes(), isRanked) ||
      !llvm::all_of(op->getResultTypes(), isRanked))
    return success();
  return stablehlo::keepsUnnumberedRules(op, describe);
}

}  // namespace

#define INDEXICAL_CHECK_BROADCAST(Op)                             \
  LogicalResult Op::verify() {                                    \
    return keepsRulesIfRanked(*this, rows::describeBroadcasting); \
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
INDEXICAL_CHECK_BROADCAST(BroadcastSelectOp)
#undef INDEXICAL_CHECK_BROADCAST

LogicalResult TopKOp::verify() {
  // If a dimension is unknown, only k can be checked.
  if (static_cast<int64_t>(getK()) < 0)
    return broken(*this, "") << "k must be at least 0, not " << getK();
  return keepsRulesIfRanked(*this, rows::describeTopK);
}

LogicalResult RaggedDotOp::verify() {
  return keepsRulesIfRanked(*this, rows::describeRaggedDot);
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
