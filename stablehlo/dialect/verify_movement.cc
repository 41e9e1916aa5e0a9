// The constraints of the ops that move elements, gather and scatter aside.
#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/TypeUtilities.h"

#include "indexical/stablehlo/dialect/movement.h"
#include "indexical/stablehlo/dialect/quantization.h"
#include "indexical/stablehlo/dialect/verify.h"

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

// The number of elements, or kUnknown; overflow is refused elsewhere.
int64_t elementsOf(RankedTensorType type) {
  return type.hasStaticShape() ? type.getNumElements() : kUnknown;
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
  same = same && (quantized ? stored.isInteger(static_cast<unsigned>(
                                  quantized.getStorageTypeIntegralWidth()))
                            : stored == result.getElementType());
  if (same) return success();
  return broken(*this, "C1") << "the value must be of the type of the result, "
                             << result << ", but is of " << value;
}

LogicalResult IotaOp::verify() {
  return inRange(*this, "C1", "iota_dimension", {getIotaDimension()},
                 getType().getRank(), "rank(result)");
}

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
  RankedTensorType operand = getOperand().getType(), result = getType();
  llvm::SmallVector<int64_t> dimensions = getBroadcastDimensions();
  if (failed(sameElementsAsResult(*this, "C1")) ||
      failed(hasSize(*this, "C2", "broadcast_dimensions", dimensions,
                     operand.getRank(), "the rank of operand")) ||
      failed(inRange(*this, "C3", "broadcast_dimensions", dimensions,
                     result.getRank(), "rank(result)")) ||
      failed(isUnique(*this, "C4", "broadcast_dimensions", dimensions)))
    return failure();
  for (auto [d, target] : llvm::enumerate(dimensions)) {
    Size size = sizeOf(operand, d);
    if (size.value == 1 || agree(size, sizeOf(result, target))) continue;
    return broken(*this, "C5")
           << "dimension " << d
           << " of operand must have the size 1 or that of "
           << "dimension " << target << " of the result, "
           << result.getDimSize(target) << ", but has " << size.value;
  }
  return scalesAreBroadcast(*this, operand, result, dimensions);
}

LogicalResult ConcatenateOp::verify() {
  if (getInputs().empty())
    return broken(*this, "C3") << "there must be at least one input";
  RankedTensorType first = tensorType(getInputs()[0]), result = getType();
  int64_t along = getDimension();
  if (failed(inRange(*this, "C4", "dimension", {along}, first.getRank(),
                     "rank(inputs[0])")))
    return failure();
  llvm::SmallVector<int64_t> expected(first.getShape());
  expected[along] = 0;
  for (auto [i, input] : llvm::enumerate(getInputs())) {
    RankedTensorType type = tensorType(input);
    std::string name = "inputs[" + std::to_string(i) + "]";
    if (failed(sameElements(*this, "C1", "inputs[0]", first, name, type)))
      return failure();
    bool same = type.getRank() == first.getRank();
    for (int64_t d = 0; same && d < type.getRank(); ++d)
      same = d == along || agree(sizeOf(first, d), sizeOf(type, d));
    if (!same)
      return broken(*this, "C2")
             << name << " must have the shape of inputs[0] but for dimension "
             << along << ", but they are " << type << " and " << first;
    for (int64_t d = 0; d < type.getRank(); ++d) {
      int64_t size = type.getDimSize(d);
      if (d != along && expected[d] == kUnknown) expected[d] = size;
      if (d != along) continue;
      bool known = size != kUnknown && expected[d] != kUnknown;
      if (!known || llvm::AddOverflow(expected[d], size, expected[d]))
        expected[d] = kUnknown;
    }
  }
  if (failed(sameElements(*this, "C5", "inputs[0]", first, "result", result)))
    return failure();
  return shapeIs(
      *this, "C6", "result", result, expected,
      "the sum of the inputs' sizes in dimension " + llvm::Twine(along));
}

LogicalResult SliceOp::verify() {
  RankedTensorType operand = getOperand().getType();
  llvm::SmallVector<int64_t> start = getStartIndices();
  llvm::SmallVector<int64_t> limit = getLimitIndices();
  llvm::SmallVector<int64_t> strides = getStrides();
  int64_t rank = operand.getRank();
  if (failed(sameElementsAsResult(*this, "C1")) ||
      failed(hasSize(*this, "C2", "start_indices", start, rank,
                     "the rank of operand")) ||
      failed(hasSize(*this, "C2", "limit_indices", limit, rank,
                     "the rank of operand")) ||
      failed(hasSize(*this, "C2", "strides", strides, rank,
                     "the rank of operand")) ||
      failed(atLeast(*this, "C3", "start_indices", start, 0)) ||
      failed(atLeast(*this, "C4", "strides", strides, 1)))
    return failure();
  llvm::SmallVector<int64_t> expected;
  for (int64_t d = 0; d < rank; ++d) {
    int64_t most = sizeOf(operand, d).bound;
    if (start[d] > limit[d] || (most != kUnknown && limit[d] > most)) {
      mlir::InFlightDiagnostic error = broken(*this, "C3");
      error << "start <= limit <= size must hold in dimension " << d
            << ", but these are " << start[d] << ", " << limit[d] << " and "
            << (most == kUnknown ? "?" : std::to_string(most));
      return error;
    }
    int64_t extent = limit[d] - start[d];
    expected.push_back(extent / strides[d] + (extent % strides[d] != 0));
  }
  return shapeIs(*this, "C5", "result", getType(), expected,
                 "ceil((limit - start) / stride)");
}

LogicalResult PadOp::verify() {
  RankedTensorType operand = getOperand().getType();
  llvm::SmallVector<int64_t> low = getEdgePaddingLow();
  llvm::SmallVector<int64_t> high = getEdgePaddingHigh();
  llvm::SmallVector<int64_t> interior = getInteriorPadding();
  int64_t rank = operand.getRank();
  if (getPaddingValue().getType().getRank() != 0)
    return broken(*this, "") << "padding_value must be a tensor of rank 0, not "
                             << getPaddingValue().getType();
  if (failed(sameElements(*this, "C1", "operand", operand, "padding_value",
                          getPaddingValue().getType())) ||
      failed(sameElementsAsResult(*this, "C1")) ||
      failed(hasSize(*this, "C2", "edge_padding_low", low, rank,
                     "the rank of operand")) ||
      failed(hasSize(*this, "C2", "edge_padding_high", high, rank,
                     "the rank of operand")) ||
      failed(hasSize(*this, "C2", "interior_padding", interior, rank,
                     "the rank of operand")) ||
      failed(atLeast(*this, "C3", "interior_padding", interior, 0)))
    return failure();
  llvm::SmallVector<int64_t> expected;
  for (int64_t d = 0; d < rank; ++d) {
    // What is wrong with the bound is wrong with every size.
    int64_t size = sizeOf(operand, d).bound, padded = size, gaps = 0;
    if (size != kUnknown &&
        (llvm::MulOverflow(std::max<int64_t>(size - 1, 0), interior[d], gaps) ||
         llvm::AddOverflow(padded, gaps, padded) ||
         llvm::AddOverflow(padded, low[d], padded) ||
         llvm::AddOverflow(padded, high[d], padded) || padded < 0))
      return broken(*this, "C4")
             << "dimension " << d << " of size " << size << " with padding "
             << low[d] << ", " << high[d] << " and " << interior[d]
             << " inside would have no size that a tensor can have";
    if (operand.isDynamicDim(d)) padded = kUnknown;
    expected.push_back(padded);
  }
  return shapeIs(*this, "C4", "result", getType(), expected,
                 "shape(operand) + low + max(shape(operand) - 1, 0) * interior "
                 "+ high");
}

LogicalResult ReshapeOp::verify() {
  RankedTensorType operand = getOperand().getType(), result = getType();
  if (failed(sameElementsAsResult(*this, "C1"))) return failure();
  int64_t before = elementsOf(operand), after = elementsOf(result);
  if (before == kUnknown || after == kUnknown || before == after)
    return scalesKeepTheirPlace(*this, operand, result);
  return broken(*this, "C2") << "operand and result must have the same number "
                                "of elements, but have "
                             << before << " and " << after;
}

LogicalResult ReverseOp::verify() {
  RankedTensorType operand = getOperand().getType();
  llvm::SmallVector<int64_t> dimensions = getDimensions();
  if (failed(sameElementsAsResult(*this, "C1")) ||
      failed(sameShape(*this, "C1", "operand", operand, "result", getType())))
    return failure();
  if (failed(isUnique(*this, "C2", "dimensions", dimensions))) return failure();
  return inRange(*this, "C3", "dimensions", dimensions, operand.getRank(),
                 "rank(result)");
}

LogicalResult TransposeOp::verify() {
  RankedTensorType operand = getOperand().getType();
  llvm::SmallVector<int64_t> permutation = getPermutation();
  llvm::SmallVector<int64_t> sorted = permutation;
  llvm::sort(sorted);
  if (failed(sameElementsAsResult(*this, "C1"))) return failure();
  if (!llvm::equal(sorted, llvm::seq<int64_t>(0, operand.getRank())))
    return broken(*this, "C2")
           << "dims must be a permutation of the " << operand.getRank()
           << " dimensions of operand, counted from 0, but is "
           << listed(permutation);
  llvm::SmallVector<int64_t> expected;
  for (int64_t d : permutation) expected.push_back(operand.getDimSize(d));
  if (failed(shapeIs(*this, "C3", "result", getType(), expected,
                     "that of operand, permuted")))
    return failure();
  auto axis = perAxis(operand);
  if (!axis) return success();
  return scalesLieAlong(*this, "C4", operand, getType(),
                        llvm::find(permutation, axis.getQuantizedDimension()) -
                            permutation.begin());
}

LogicalResult DynamicSliceOp::verify() {
  RankedTensorType operand = getOperand().getType();
  llvm::SmallVector<int64_t> sizes = getSliceSizes();
  int64_t rank = operand.getRank(), starts = getStartIndices().size();
  if (failed(sameElementsAsResult(*this, "C1"))) return failure();
  if (starts != rank)
    return broken(*this, "C2")
           << "there must be a start index for each of the " << rank
           << " dimensions of operand, not " << starts;
  if (failed(hasSize(*this, "C2", "slice_sizes", sizes, rank,
                     "the rank of operand")))
    return failure();
  for (mlir::Value start : getStartIndices())
    if (start.getType() != getStartIndices()[0].getType() ||
        tensorType(start).getRank() != 0)
      return broken(*this, "C3")
             << "start_indices must be tensors of rank 0 and of one type, not "
             << getStartIndices()[0].getType() << " and " << start.getType();
  if (failed(atLeast(*this, "C4", "slice_sizes", sizes, 0))) return failure();
  for (int64_t d = 0; d < rank; ++d) {
    int64_t most = sizeOf(operand, d).bound;
    if (most != kUnknown && sizes[d] > most)
      return broken(*this, "C4")
             << "slice_sizes must be at most the size of operand, " << most
             << " in dimension " << d << ", but is " << sizes[d];
  }
  return shapeIs(*this, "C5", "result", getType(), sizes, "slice_sizes");
}

LogicalResult DynamicUpdateSliceOp::verify() {
  RankedTensorType operand = getOperand().getType();
  RankedTensorType update = getUpdate().getType();
  int64_t rank = operand.getRank(), starts = getStartIndices().size();
  if (failed(sameElementsAsResult(*this, "C1")) ||
      failed(sameShape(*this, "C1", "operand", operand, "result", getType())) ||
      failed(sameElements(*this, "C2", "operand", operand, "update", update)))
    return failure();
  if (update.getRank() != rank)
    return broken(*this, "C3") << "update must have the rank of operand, "
                               << rank << ", but has " << update.getRank();
  if (starts != rank)
    return broken(*this, "C4")
           << "there must be a start index for each of the " << rank
           << " dimensions of operand, not " << starts;
  for (mlir::Value start : getStartIndices())
    if (start.getType() != getStartIndices()[0].getType() ||
        tensorType(start).getRank() != 0)
      return broken(*this, "C5")
             << "start_indices must be tensors of rank 0 and of one type, not "
             << getStartIndices()[0].getType() << " and " << start.getType();
  for (int64_t d = 0; d < rank; ++d) {
    int64_t most = sizeOf(operand, d).bound, size = update.getDimSize(d);
    if (most != kUnknown && size != kUnknown && size > most)
      return broken(*this, "C6")
             << "update must be no larger than operand, " << most
             << " in dimension " << d << ", but is " << size;
  }
  return success();
}

LogicalResult TorchIndexSelectOp::verify() {
  int64_t rank = getOperand().getType().getRank();
  int64_t indexRank = getIndex().getType().getRank();
  int64_t batch = getBatchDims(), dim = getDim();
  if (failed(sameElementsAsResult(*this, "")) ||
      failed(inRange(*this, "", "dim", {dim}, rank, "rank(operand)", -rank)) ||
      failed(inRange(*this, "", "batch_dims", {batch},
                     std::min(rank, indexRank + 1), "the least rank",
                     -indexRank)))
    return failure();
  // Both may count from the end.
  if (dim < 0) dim += rank;
  if (batch < 0) batch += indexRank;
  if (batch > dim)
    return broken(*this, "") << "batch_dims must not exceed dim, but are "
                             << batch << " and " << dim;
  return success();
}

namespace {

// Bits of an element; a complex number has those of both parts.
int64_t bitsOf(mlir::Type type) {
  if (auto complex = llvm::dyn_cast<mlir::ComplexType>(type))
    return 2 * bitsOf(complex.getElementType());
  if (auto quantized = llvm::dyn_cast<mlir::quant::QuantizedType>(type))
    return quantized.getStorageTypeIntegralWidth();
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
}

}  // namespace

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
