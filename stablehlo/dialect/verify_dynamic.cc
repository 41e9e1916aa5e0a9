// The constraints of the ops whose shapes are operands: what the types and the
// constants among the operands decide.
#include <optional>

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinAttributes.h"

#include "indexical/stablehlo/dialect/dynamic.h"
#include "indexical/stablehlo/dialect/gather_constraints.h"
#include "indexical/stablehlo/dialect/movement.h"
#include "indexical/stablehlo/dialect/quantization.h"
#include "indexical/stablehlo/dialect/verify.h"

namespace indexical::stablehlo {

using mlir::failed;
using mlir::failure;
using mlir::success;

namespace {

// One number for each of the `count` dimensions that `what` names.
LogicalResult listsDimensions(Operation *op, llvm::StringRef constraint,
                              llvm::StringRef name, mlir::Value list,
                              int64_t count, llvm::StringRef what) {
  RankedTensorType type = tensorType(list);
  if (type.getRank() == 1 && agree(sizeOf(type, 0), {count, count}))
    return success();
  return broken(op, constraint)
         << name << " must have " << count << " entries in one dimension, "
         << what << ", but is " << type;
}

// A list of one number for each dimension is not longer.
constexpr int64_t kMostDimensions = 1 << 16;

// The numbers of a constant, or none.
std::optional<llvm::SmallVector<int64_t>> constantOf(mlir::Value value) {
  mlir::Attribute attribute;
  if (auto op = value.getDefiningOp<ConstantOp>())
    attribute = op.getValue();
  else if (auto arith = value.getDefiningOp<mlir::arith::ConstantOp>())
    attribute = arith.getValue();
  auto dense = llvm::dyn_cast_or_null<mlir::DenseIntElementsAttr>(attribute);
  if (!dense || !hasAtMost(kMostDimensions, dense)) return std::nullopt;
  llvm::SmallVector<int64_t> numbers;
  for (const llvm::APInt &number : dense.getValues<llvm::APInt>())
    numbers.push_back(number.getSExtValue());
  return numbers;
}

LogicalResult sameElementsAsResult(Operation *op, llvm::StringRef constraint) {
  return sameElements(op, constraint, "operand", tensorType(op->getOperand(0)),
                      "result", tensorType(op->getResult(0)));
}

// A constant shape is that of the result.
LogicalResult isShapeOf(Operation *op, llvm::StringRef name, mlir::Value shape,
                        RankedTensorType result) {
  auto sizes = constantOf(shape);
  if (!sizes) return success();
  if (failed(atLeast(op, "", name, *sizes, 0))) return failure();
  return shapeIs(op, "", "result", result, *sizes,
                 "that the constant " + name + " gives");
}

}  // namespace

LogicalResult DynamicBroadcastInDimOp::verify() {
  RankedTensorType operand = getOperand().getType(), result = getType();
  llvm::SmallVector<int64_t> dimensions = getBroadcastDimensions();
  int64_t rank = operand.getRank();
  if (failed(sameElementsAsResult(*this, "C1")) ||
      failed(hasSize(*this, "C2", "broadcast_dimensions", dimensions, rank,
                     "the rank of operand")) ||
      failed(inRange(*this, "C3", "broadcast_dimensions", dimensions,
                     result.getRank(), "rank(result)")) ||
      failed(isUnique(*this, "C4", "broadcast_dimensions", dimensions)))
    return failure();
  auto wanted = constantOf(getOutputDimensions());
  for (auto [d, target] : llvm::enumerate(dimensions)) {
    Size size = sizeOf(operand, d), to = sizeOf(result, target);
    if (!to.known() && wanted && target < static_cast<int64_t>(wanted->size()))
      to = {(*wanted)[target], (*wanted)[target]};
    if (size.value == 1 || agree(size, to)) continue;
    return broken(*this, "C5") << "dimension " << d
                               << " of operand must have the size 1 or that of "
                               << "dimension " << target << " of the result, "
                               << to.value << ", but has " << size.value;
  }
  llvm::SmallVector<int64_t> known;
  if (auto expanding = getKnownExpandingDimensions()) {
    llvm::append_range(known, *expanding);
    if (failed(inRange(*this, "C9", "known_expanding_dimensions", *expanding,
                       rank, "rank(operand)")))
      return failure();
  }
  if (auto kept = getKnownNonexpandingDimensions()) {
    llvm::append_range(known, *kept);
    if (failed(inRange(*this, "C10", "known_nonexpanding_dimensions", *kept,
                       rank, "rank(operand)")))
      return failure();
  }
  if (failed(listsDimensions(*this, "C7", "output_dimensions",
                             getOutputDimensions(), result.getRank(),
                             "the rank of the result")) ||
      failed(isUnique(*this, "C8",
                      "known_expanding_dimensions with "
                      "known_nonexpanding_dimensions",
                      known)) ||
      failed(scalesAreBroadcast(*this, operand, result, dimensions)))
    return failure();
  return isShapeOf(*this, "output_dimensions", getOutputDimensions(), result);
}

LogicalResult DynamicGatherOp::verify() {
  if (failed(listsDimensions(*this, "C20", "slice_sizes", getSliceSizes(),
                             tensorType(getOperand()).getRank(),
                             "the rank of operand")))
    return failure();
  auto known = constantOf(getSliceSizes());
  if (!known) known.emplace(tensorType(getOperand()).getRank(), kUnknown);
  return verifyGather(*this, getDimensionNumbers(), *known);
}

LogicalResult DynamicIotaOp::verify() {
  RankedTensorType result = getType();
  if (failed(inRange(*this, "C1", "iota_dimension", {getIotaDimension()},
                     result.getRank(), "rank(result)")) ||
      failed(listsDimensions(*this, "C2", "output_shape", getOutputShape(),
                             result.getRank(), "the rank of the result")))
    return failure();
  return isShapeOf(*this, "output_shape", getOutputShape(), result);
}

LogicalResult DynamicReshapeOp::verify() {
  RankedTensorType operand = getOperand().getType(), result = getType();
  if (failed(sameElementsAsResult(*this, "C1"))) return failure();
  if (operand.hasStaticShape() && result.hasStaticShape() &&
      operand.getNumElements() != result.getNumElements())
    return broken(*this, "C2")
           << "operand and result must have the same number of elements, but "
              "have "
           << operand.getNumElements() << " and " << result.getNumElements();
  if (failed(listsDimensions(*this, "C4", "output_shape", getOutputShape(),
                             result.getRank(), "the rank of the result")) ||
      failed(scalesKeepTheirPlace(*this, operand, result)))
    return failure();
  return isShapeOf(*this, "output_shape", getOutputShape(), result);
}

LogicalResult DynamicPadOp::verify() {
  RankedTensorType operand = getOperand().getType(), result = getType();
  RankedTensorType value = tensorType(getPaddingValue());
  int64_t rank = operand.getRank();
  if (value.getRank() != 0)
    return broken(*this, "")
           << "padding_value must be a tensor of rank 0, not " << value;
  if (failed(sameElements(*this, "C1", "operand", operand, "padding_value",
                          value)) ||
      failed(sameElementsAsResult(*this, "C1")))
    return failure();
  std::optional<llvm::SmallVector<int64_t>> low, high, interior;
  struct List {
    llvm::StringRef name;
    mlir::Value value;
    std::optional<llvm::SmallVector<int64_t>> *numbers;
  };
  for (const List &list :
       {List{"edge_padding_low", getEdgePaddingLow(), &low},
        List{"edge_padding_high", getEdgePaddingHigh(), &high},
        List{"interior_padding", getInteriorPadding(), &interior}}) {
    if (failed(listsDimensions(*this, "C2", list.name, list.value, rank,
                               "the rank of operand")))
      return failure();
    *list.numbers = constantOf(list.value);
  }
  if (result.getRank() != rank)
    return broken(*this, "C4") << "result must have the rank of operand, "
                               << rank << ", but has " << result.getRank();
  if (interior &&
      failed(atLeast(*this, "C3", "interior_padding", *interior, 0)))
    return failure();
  if (!low || !high || !interior) return success();
  llvm::SmallVector<int64_t> expected;
  for (int64_t d = 0; d < rank; ++d) {
    int64_t size = operand.getDimSize(d), padded = size, gaps = 0;
    if (size != kUnknown &&
        (llvm::MulOverflow(std::max<int64_t>(size - 1, 0), (*interior)[d],
                           gaps) ||
         llvm::AddOverflow(padded, gaps, padded) ||
         llvm::AddOverflow(padded, (*low)[d], padded) ||
         llvm::AddOverflow(padded, (*high)[d], padded) || padded < 0))
      padded = kUnknown;
    expected.push_back(padded);
  }
  return shapeIs(*this, "C4", "result", result, expected,
                 "shape(operand) + low + max(shape(operand) - 1, 0) * interior "
                 "+ high");
}

LogicalResult RealDynamicSliceOp::verify() {
  RankedTensorType operand = getOperand().getType(), result = getType();
  int64_t rank = operand.getRank();
  if (failed(sameElementsAsResult(*this, ""))) return failure();
  for (auto [name, list] : {std::pair<llvm::StringRef, mlir::Value>{
                                "start_indices", getStartIndices()},
                            {"limit_indices", getLimitIndices()},
                            {"strides", getStrides()}}) {
    if (failed(listsDimensions(*this, "", name, list, rank,
                               "the rank of operand")))
      return failure();
    auto known = constantOf(list);
    if (known &&
        failed(atLeast(*this, "", name, *known, name == "strides" ? 1 : 0)))
      return failure();
  }
  if (result.getRank() != rank)
    return broken(*this, "") << "result must have the rank of operand, " << rank
                             << ", but has " << result.getRank();
  return success();
}

LogicalResult GetDimensionSizeOp::verify() {
  if (getType().getRank() != 0 || !isTensorOf(getType(), kInt | kIndex))
    return broken(*this, "")
           << "the result must be an integer of rank 0, not " << getType();
  return inRange(*this, "C1", "dimension", {getDimension()},
                 tensorType(getOperand()).getRank(), "rank(operand)");
}

LogicalResult SetDimensionSizeOp::verify() {
  RankedTensorType operand = getOperand().getType(), result = getType();
  if (tensorType(getSize()).getRank() != 0)
    return broken(*this, "")
           << "size must be a tensor of rank 0, not " << getSize().getType();
  if (failed(sameElementsAsResult(*this, "")) ||
      failed(inRange(*this, "", "dimension", {getDimension()},
                     operand.getRank(), "rank(operand)")))
    return failure();
  bool same = result.getRank() == operand.getRank();
  for (int64_t d = 0; same && d < operand.getRank(); ++d)
    same = d == getDimension() || agree(sizeOf(operand, d), sizeOf(result, d));
  if (same) return success();
  return broken(*this, "") << "the result must have the shape of operand but "
                              "for dimension "
                           << getDimension() << ", but they are " << result
                           << " and " << operand;
}

}  // namespace indexical::stablehlo
