// The ops that move elements: what their families do not check, which is the
// element types (C1, mostly), the scales of quantized types, and what StableHLO
// asks for and HLO does not. All else is a family's, in ops/movement/ and
// ops/indexed/, with its numbers.
#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/TypeUtilities.h"

#include "indexical/import/stablehlo/dialect/movement.h"
#include "indexical/import/stablehlo/dialect/quantization.h"
#include "indexical/import/stablehlo/dialect/rules.h"
#include "indexical/import/stablehlo/dialect/verify.h"

namespace indexical::stablehlo {

using mlir::failed;
using mlir::failure;
using mlir::success;

namespace {

// Named for messages.
LogicalResult sameElementsAsResult(Operation *op, llvm::StringRef constraint) {
  return sameElements(op, constraint, "operand", tensorType(op->getOperand(0)),
                      "result", tensorType(op->getResult(0)));
}

// StableHLO alone: HLO's older form has one list of start indices.
LogicalResult areScalarsOfOneType(Operation *op, llvm::StringRef constraint,
                                  mlir::ValueRange starts) {
  for (mlir::Value start : starts)
    if (start.getType() != starts[0].getType() ||
        tensorType(start).getRank() != 0)
      return broken(op, constraint)
             << "start_indices must be tensors of rank 0 and of one type, not "
             << starts[0].getType() << " and " << start.getType();
  return success();
}

}  // namespace

LogicalResult ConstantOp::verify() {
  auto value = llvm::cast<mlir::ShapedType>(getValue().getType());
  RankedTensorType result = getType();
  bool same = value.hasRank() && result.hasStaticShape() &&
              value.getShape() == result.getShape();
  auto quantized =
      llvm::dyn_cast<mlir::quant::QuantizedType>(result.getElementType());
  mlir::Type stored = value.getElementType();
  // A quantized constant is written in its storage type, the sign aside.
  same = same && (!quantized || quantized.getStorageType()) &&
         (quantized ? stored.isInteger(static_cast<unsigned>(
                          quantized.getStorageTypeIntegralWidth()))
                    : stored == result.getElementType());
  if (same) return success();
  return broken(*this, "C1") << "the value must be of the type of the result, "
                             << result << ", but is of " << value;
}

LogicalResult IotaOp::verify() {
  if (failed(saysItsSizes(*this, "result", getType(), BoundedSizes::None)))
    return failure();
  return keepsRules(*this, rows::describeIota);
}

// Sizes that come first are StableHLO's alone.
LogicalResult BroadcastOp::verify() {
  llvm::SmallVector<int64_t> expected = getBroadcastSizes();
  if (failed(atLeast(*this, "", "broadcast_sizes", expected, 0)) ||
      failed(sameElementsAsResult(*this, "")))
    return failure();
  llvm::append_range(expected, getOperand().getType().getShape());
  return shapeIs(*this, "", "result", getType(), expected,
                 "broadcast_sizes before the shape of operand");
}

LogicalResult BroadcastInDimOp::verify() {
  if (failed(keepsElements(*this, getOperand().getType(), getType(),
                           ScalesMayDiffer::Yes)) ||
      failed(saysItsSizes(*this, "result", getType(), BoundedSizes::One)) ||
      failed(keepsRules(*this, rows::describeBroadcastInDim)))
    return failure();
  return scalesAreBroadcast(*this, getOperand().getType(), getType(),
                            getBroadcastDimensions());
}

LogicalResult ConcatenateOp::verify() {
  if (failed(keepsRules(*this, rows::describeConcatenate))) return failure();
  RankedTensorType first = tensorType(getInputs()[0]);
  for (auto [i, input] : llvm::enumerate(getInputs()))
    if (failed(sameElements(*this, "C1", "inputs[0]", first,
                            "inputs[" + std::to_string(i) + "]",
                            tensorType(input))))
      return failure();
  return sameElements(*this, "C5", "inputs[0]", first, "result", getType());
}

LogicalResult SliceOp::verify() {
  if (failed(sameElementsAsResult(*this, "C1"))) return failure();
  return keepsRules(*this, rows::describeSlice);
}

LogicalResult PadOp::verify() {
  if (failed(keepsRules(*this, rows::describePad)) ||
      failed(sameElements(*this, "C1", "operand", getOperand().getType(),
                          "padding_value", getPaddingValue().getType())))
    return failure();
  return sameElementsAsResult(*this, "C1");
}

LogicalResult ReshapeOp::verify() {
  if (failed(keepsElements(*this, getOperand().getType(), getType(),
                           ScalesMayDiffer::No)) ||
      failed(saysItsSizes(*this, "result", getType(), BoundedSizes::One)) ||
      failed(keepsRules(*this, rows::describeReshape)))
    return failure();
  return scalesKeepTheirPlace(*this, getOperand().getType(), getType());
}

LogicalResult ReverseOp::verify() {
  if (failed(sameElementsAsResult(*this, "C1"))) return failure();
  return keepsRules(*this, rows::describeReverse);
}

LogicalResult TransposeOp::verify() {
  if (failed(keepsElements(*this, getOperand().getType(), getType(),
                           ScalesMayDiffer::No)) ||
      failed(keepsRules(*this, rows::describeTranspose)))
    return failure();
  RankedTensorType operand = getOperand().getType();
  auto axis = perAxis(operand);
  if (!axis) return success();
  llvm::SmallVector<int64_t> permutation = getPermutation();
  return scalesLieAlong(*this, "C4", operand, getType(),
                        llvm::find(permutation, axis.getQuantizedDimension()) -
                            permutation.begin());
}

LogicalResult DynamicSliceOp::verify() {
  if (failed(sameElementsAsResult(*this, "C1")) ||
      failed(areScalarsOfOneType(*this, "C3", getStartIndices())))
    return failure();
  return keepsRules(*this, rows::describeDynamicSlice);
}

LogicalResult DynamicUpdateSliceOp::verify() {
  if (failed(sameElementsAsResult(*this, "C1")) ||
      failed(sameElements(*this, "C2", "operand", getOperand().getType(),
                          "update", getUpdate().getType())) ||
      failed(areScalarsOfOneType(*this, "C5", getStartIndices())))
    return failure();
  return keepsRules(*this, rows::describeDynamicUpdateSlice);
}

LogicalResult TorchIndexSelectOp::verify() {
  if (failed(sameElementsAsResult(*this, ""))) return failure();
  return keepsUnnumberedRules(*this, rows::describeTorchIndexSelect);
}

namespace {

// Bits of an element; a complex number has those of both parts.
int64_t bitsOf(mlir::Type type) {
  if (auto complex = llvm::dyn_cast<mlir::ComplexType>(type))
    return 2 * bitsOf(complex.getElementType());
  if (auto quantized = llvm::dyn_cast<mlir::quant::QuantizedType>(type))
    return quantized.getStorageType() ? quantized.getStorageTypeIntegralWidth()
                                      : 0;
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
}

}  // namespace

// Its family knows the widths of HLO's types alone.
LogicalResult BitcastConvertOp::verify() {
  RankedTensorType operand = getOperand().getType(), result = getType();
  int64_t from = bitsOf(operand.getElementType());
  int64_t to = bitsOf(result.getElementType());
  if (from == 0 || to == 0)
    return broken(*this, "")
           << operand.getElementType() << " and " << result.getElementType()
           << " must both have a number of bits";
  if (from == to)
    return sameShape(*this, "C1", "operand", operand, "result", result);
  // The wider one has a dimension less: the last one holds its parts.
  RankedTensorType wide = from > to ? operand : result;
  RankedTensorType narrow = from > to ? result : operand;
  int64_t parts = std::max(from, to) / std::min(from, to);
  if (std::max(from, to) % std::min(from, to) != 0)
    return broken(*this, "C1") << "the bits of one element type must be a "
                                  "multiple of the other's, but are "
                               << from << " and " << to;
  llvm::SmallVector<int64_t> expected(wide.getShape());
  expected.push_back(parts);
  return shapeIs(*this, "C1", from > to ? "result" : "operand", narrow,
                 expected,
                 "that of the other with a last dimension of the " +
                     llvm::Twine(parts) + " parts of an element");
}

}  // namespace indexical::stablehlo
