// The ops whose shapes are operands. A family checks what the types decide; so
// it does where the operands are constants, for then the op is a static one.
#include <optional>

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinAttributes.h"

#include "indexical/import/stablehlo/dialect/dynamic.h"
#include "indexical/import/stablehlo/dialect/movement.h"
#include "indexical/import/stablehlo/dialect/quantization.h"
#include "indexical/import/stablehlo/dialect/rules.h"
#include "indexical/import/stablehlo/dialect/verify.h"

namespace indexical::stablehlo {

using mlir::failed;
using mlir::failure;
using mlir::success;

namespace {

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

// Verifies the rules of an op whose operand `name` gives the sizes of the
// result. If that is a constant, the result's type must agree with its sizes,
// and the rules must hold for them.
LogicalResult keepsRulesOfSizes(Operation *op, Describer describe,
                                llvm::StringRef name, mlir::Value shape) {
  if (failed(keepsRules(op, describe))) return failure();
  auto sizes = constantOf(shape);
  if (!sizes) return success();
  if (failed(atLeast(op, "", name, *sizes, 0)) ||
      failed(shapeIs(op, "", "result", tensorType(op->getResult(0)), *sizes,
                     "that the constant " + name + " gives")))
    return failure();
  OpShapes shapes = ruleShapes(op);
  ArrayShape &result = shapes.results.mutableAt(0);
  result.dimensions.assign(sizes->begin(), sizes->end());
  result.dynamic.clear();
  return keepsRules(op, describe(op, std::move(shapes)));
}

}  // namespace

LogicalResult DynamicBroadcastInDimOp::verify() {
  RankedTensorType operand = getOperand().getType();
  int64_t rank = operand.getRank();
  if (failed(keepsElements(*this, operand, getType(), ScalesMayDiffer::Yes)))
    return failure();
  // A descriptor knows which dimensions expand, not which are known not to.
  llvm::SmallVector<int64_t> known;
  if (auto expanding = getKnownExpandingDimensions())
    llvm::append_range(known, *expanding);
  if (auto kept = getKnownNonexpandingDimensions()) {
    llvm::append_range(known, *kept);
    if (failed(inRange(*this, "C10", "known_nonexpanding_dimensions", *kept,
                       rank, "rank(operand)")))
      return failure();
  }
  if (failed(isUnique(*this, "C8",
                      "known_expanding_dimensions with "
                      "known_nonexpanding_dimensions",
                      known)) ||
      failed(keepsRulesOfSizes(*this, rows::describeBroadcastInDim,
                               "output_dimensions", getOutputDimensions())))
    return failure();
  return scalesAreBroadcast(*this, operand, getType(),
                            getBroadcastDimensions());
}

// With constant sizes it is a gather.
LogicalResult DynamicGatherOp::verify() {
  if (failed(keepsRules(*this, rows::describeGather))) return failure();
  if (auto sizes = constantOf(getSliceSizes())) {
    OpShapes shapes = ruleShapes(*this);
    shapes.operands.pop_back();
    auto gather = rows::gatherOf(*this, std::move(shapes));
    if (!gather.ok()) return keepsRules(*this, gather.status());
    gather->sliceSizes.assign(sizes->begin(), sizes->end());
    if (failed(keepsRules(*this, indexical::Op(*std::move(gather)))))
      return failure();
  }
  return sameElements(*this, "C23", "operand", tensorType(getOperand()),
                      "result", tensorType(getResult()));
}

LogicalResult DynamicIotaOp::verify() {
  return keepsRulesOfSizes(*this, rows::describeIota, "output_shape",
                           getOutputShape());
}

LogicalResult DynamicReshapeOp::verify() {
  if (failed(keepsElements(*this, getOperand().getType(), getType(),
                           ScalesMayDiffer::No)) ||
      failed(keepsRulesOfSizes(*this, rows::describeDynamicReshape,
                               "output_shape", getOutputShape())))
    return failure();
  return scalesKeepTheirPlace(*this, getOperand().getType(), getType());
}

// With constant padding it is a pad.
LogicalResult DynamicPadOp::verify() {
  if (failed(keepsRules(*this, rows::describePad)) ||
      failed(sameElements(*this, "C1", "operand", getOperand().getType(),
                          "padding_value", tensorType(getPaddingValue()))) ||
      failed(sameElementsAsResult(*this, "C1")))
    return failure();
  auto low = constantOf(getEdgePaddingLow());
  auto high = constantOf(getEdgePaddingHigh());
  auto interior = constantOf(getInteriorPadding());
  if (interior &&
      failed(atLeast(*this, "C3", "interior_padding", *interior, 0)))
    return failure();
  if (!low || !high || !interior) return success();
  OpShapes shapes = ruleShapes(*this);
  for (int k = 0; k < 3; ++k) shapes.operands.pop_back();
  auto pad = make<indexical::PadOp>(std::move(shapes));
  pad.low.assign(low->begin(), low->end());
  pad.high.assign(high->begin(), high->end());
  pad.interior.assign(interior->begin(), interior->end());
  return keepsRules(*this, indexical::Op(std::move(pad)));
}

LogicalResult RealDynamicSliceOp::verify() {
  if (failed(sameElementsAsResult(*this, "")) ||
      failed(keepsRules(*this, rows::describeSlice)))
    return failure();
  for (auto [name, list] : {std::pair<llvm::StringRef, mlir::Value>{
                                "start_indices", getStartIndices()},
                            {"limit_indices", getLimitIndices()},
                            {"strides", getStrides()}})
    if (auto known = constantOf(list))
      if (failed(atLeast(*this, "", name, *known, name == "strides" ? 1 : 0)))
        return failure();
  return success();
}

LogicalResult GetDimensionSizeOp::verify() {
  if (getType().getRank() != 0 || !isTensorOf(getType(), kInt | kIndex))
    return broken(*this, "")
           << "the result must be an integer of rank 0, not " << getType();
  return keepsRules(*this, rows::describeGetDimensionSize);
}

LogicalResult SetDimensionSizeOp::verify() {
  if (failed(sameElementsAsResult(*this, ""))) return failure();
  return keepsRules(*this, rows::describeSetDimensionSize);
}

}  // namespace indexical::stablehlo
