// The constraints of collectives on shapes. How many devices a group has
// depends on more than its op, so sizes are checked to be multiples.
#include "indexical/stablehlo/dialect/collective.h"
#include "indexical/stablehlo/dialect/verify.h"

namespace indexical::stablehlo {

using mlir::failed;
using mlir::failure;
using mlir::success;

namespace {

LogicalResult oneResultEach(Operation *op) {
  if (op->getNumOperands() == op->getNumResults() && op->getNumResults() > 0)
    return success();
  return broken(op, "") << "there must be at least one operand and a result "
                           "for each, but there are "
                        << op->getNumOperands() << " and "
                        << op->getNumResults();
}

// Operand and result i agree but for the sizes in `except`.
LogicalResult sameBut(Operation *op, size_t i, Numbers except) {
  RankedTensorType operand = tensorType(op->getOperand(i));
  RankedTensorType result = tensorType(op->getResult(i));
  bool same = operand.getRank() == result.getRank();
  for (int64_t d = 0; same && d < operand.getRank(); ++d)
    same = llvm::is_contained(except, d) ||
           agree(sizeOf(operand, d), sizeOf(result, d));
  if (!same)
    return broken(op, "") << "operand and result must have the same shape but "
                             "for dimensions "
                          << listed(except) << ", but are " << operand
                          << " and " << result;
  return success();
}

LogicalResult multiple(Operation *op, llvm::StringRef constraint,
                       llvm::StringRef whatWide, int64_t wide,
                       llvm::StringRef whatNarrow, int64_t narrow) {
  if (wide == kUnknown || narrow == kUnknown) return success();
  if (narrow == 0 ? wide == 0 : wide % narrow == 0) return success();
  return broken(op, constraint)
         << whatWide << ", " << wide << ", must be a multiple of " << whatNarrow
         << ", " << narrow;
}

LogicalResult dimensionOf(Operation *op, llvm::StringRef constraint,
                          llvm::StringRef name, int64_t dimension) {
  for (mlir::Value operand : op->getOperands())
    if (failed(inRange(op, constraint, name, {dimension},
                       tensorType(operand).getRank(), "rank(operand)")))
      return failure();
  return success();
}

}  // namespace

LogicalResult AllGatherOp::verify() {
  int64_t along = getAllGatherDim();
  if (failed(oneResultEach(*this)) ||
      failed(dimensionOf(*this, "C1", "all_gather_dim", along)))
    return failure();
  for (size_t i = 0; i < getNumOperands(); ++i)
    if (failed(sameBut(*this, i, {along})) ||
        failed(sameElements(*this, "", "operand", tensorType(getOperand(i)),
                            "result", tensorType(getResult(i)))) ||
        failed(multiple(*this, "", "the gathered size",
                        tensorType(getResult(i)).getDimSize(along),
                        "the operand's",
                        tensorType(getOperand(i)).getDimSize(along))))
      return failure();
  return success();
}

LogicalResult AllReduceOp::verify() {
  if (failed(oneResultEach(*this))) return failure();
  llvm::SmallVector<mlir::Type> elements;
  // One computation of two values serves all operands.
  if (failed(isReduction(*this, "C5", "the computation", getComputation(),
                         getOperand(0).getType(), {}, elements)))
    return failure();
  for (size_t i = 0; i < getNumOperands(); ++i)
    if (failed(sameShape(*this, "C6", "operand", tensorType(getOperand(i)),
                         "result", tensorType(getResult(i)))))
      return failure();
  return success();
}

LogicalResult AllToAllOp::verify() {
  int64_t split = getSplitDimension(), concat = getConcatDimension();
  int64_t count = getSplitCount();
  if (failed(oneResultEach(*this)) ||
      failed(dimensionOf(*this, "C1", "split_dimension", split)) ||
      failed(dimensionOf(*this, "C3", "concat_dimension", concat)) ||
      failed(atLeast(*this, "C4", "split_count", {count}, 1)))
    return failure();
  for (size_t i = 0; i < getNumOperands(); ++i) {
    RankedTensorType operand = tensorType(getOperand(i));
    llvm::SmallVector<int64_t> expected(operand.getShape());
    if (failed(multiple(*this, "C2", "the size of split_dimension",
                        expected[split], "split_count", count)))
      return failure();
    if (expected[split] != kUnknown) expected[split] /= count;
    if (expected[concat] != kUnknown &&
        llvm::MulOverflow(expected[concat], count, expected[concat]))
      expected[concat] = kUnknown;
    if (failed(shapeIs(*this, "", "result", tensorType(getResult(i)), expected,
                       "the operand's, split and concatenated")))
      return failure();
  }
  return success();
}

LogicalResult CollectiveBroadcastOp::verify() { return sameBut(*this, 0, {}); }

LogicalResult CollectivePermuteOp::verify() {
  llvm::SmallVector<int64_t> sources, targets;
  for (const auto &pair : getSourceTargetPairs()) {
    if (pair.size() != 2)
      return broken(*this, "C1")
             << "source_target_pairs must have two columns, not "
             << pair.size();
    sources.push_back(pair[0]);
    targets.push_back(pair[1]);
  }
  if (failed(isUnique(*this, "C2", "the sources", sources)) ||
      failed(isUnique(*this, "C3", "the targets", targets)))
    return failure();
  return sameBut(*this, 0, {});
}

LogicalResult CrossReplicaSumOp::verify() { return sameBut(*this, 0, {}); }

LogicalResult ReduceScatterOp::verify() {
  int64_t along = getScatterDimension();
  llvm::SmallVector<mlir::Type> elements;
  if (failed(dimensionOf(*this, "C2", "scatter_dimension", along)) ||
      failed(sameBut(*this, 0, {along})) ||
      failed(multiple(*this, "C1", "the operand's size",
                      tensorType(getOperand()).getDimSize(along),
                      "the scattered one",
                      tensorType(getResult()).getDimSize(along))))
    return failure();
  return isReduction(*this, "C7", "the computation", getComputation(),
                     getOperand().getType(), {}, elements);
}

}  // namespace indexical::stablehlo
