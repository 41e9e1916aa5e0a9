// Ops that move elements.
#include <numeric>

#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/BuiltinAttributes.h"

#include "indexical/import/stablehlo/describe/attribute_values.h"
#include "indexical/import/stablehlo/describe/describers.h"
#include "indexical/import/stablehlo/dialect/stablehlo.h"
#include "indexical/indexing/status_macros.h"

namespace indexical::rows {
namespace {

absl::Status missing(llvm::StringRef key) {
  return absl::InvalidArgumentError("the attribute `" + key.str() +
                                    "` is missing");
}

/// Whether the slice sizes of a dynamic_gather may be those that an attribute
/// gives, which older tools leave beside operand 2.
bool mayBeSizes(mlir::Operation *op, const GatherOp &gather) {
  mlir::DenseIntElementsAttr known;
  if (mlir::Operation *sizes = op->getOperand(2).getDefiningOp())
    known = sizes->getAttrOfType<mlir::DenseIntElementsAttr>("value");
  const auto isSize = [](const llvm::APInt &a, int64_t b) {
    return a.getSignificantBits() <= 64 && a.getSExtValue() == b;
  };
  if (known &&
      !llvm::equal(known.getValues<llvm::APInt>(), gather.sliceSizes, isSize))
    return false;
  const ArrayShape &result = gather.results[0];
  size_t k = 0;
  for (auto [dimension, size] : llvm::enumerate(gather.sliceSizes)) {
    if (llvm::is_contained(gather.collapsedSliceDims, dimension) ||
        llvm::is_contained(gather.operandBatchingDims, dimension)) {
      if (size != 1) return false;
      continue;
    }
    if (k == gather.offsetDims.size()) return false;
    const int64_t at = gather.offsetDims[k++];
    if (at < 0 || at >= result.rank() ||
        (result.dimensions[at] != kDynamicSize &&
         result.dimensions[at] != size))
      return false;
  }
  return k == gather.offsetDims.size();
}

}  // namespace

absl::StatusOr<Op> describeIota(mlir::Operation *op, OpShapes shapes) {
  auto made = make<IotaOp>(std::move(shapes));
  auto status = takeInteger(op, "iota_dimension", made.dimension);
  return finished(std::move(made), status);
}

/// MHLO's bitcast, whose attributes give the layouts, from the dimension that
/// varies fastest. Without them both are row major.
absl::StatusOr<Op> describeBitcast(mlir::Operation *op, OpShapes shapes) {
  auto made = make<BitcastOp>(std::move(shapes));
  auto take = [op](llvm::StringRef key, ArrayShape &shape) {
    Int64s order;
    auto status = takeOptionalIntegers(op, key, order);
    if (!order.empty()) {
      Layout layout;
      layout.minorToMajor = std::move(order);
      shape.layout = std::move(layout);
    }
    return status;
  };
  const auto operand = take("source_layout", made.operands.mutableAt(0));
  const auto result = take("result_layout", made.results.mutableAt(0));
  return finished(std::move(made), operand, result);
}

/// An i1 has one bit here; a pred of HLO has eight.
absl::StatusOr<Op> describeBitcastConvert(mlir::Operation *, OpShapes shapes) {
  for (ShapeList *list : {&shapes.operands, &shapes.results})
    if (list->size() == 1 && (*list)[0].type == ElementType::Pred)
      list->mutableAt(0).type = ElementType::U1;
  return Op(make<BitcastConvertOp>(std::move(shapes)));
}

/// Takes the sizes of the new dimensions, which come first.
absl::StatusOr<Op> describeBroadcast(mlir::Operation *op, OpShapes shapes) {
  auto made = make<BroadcastOp>(std::move(shapes));
  Int64s sizes;
  auto status = takeIntegers(op, "broadcast_sizes", sizes);
  made.dimensions.resize(made.operands[0].rank());
  std::iota(made.dimensions.begin(), made.dimensions.end(), sizes.size());
  return finished(std::move(made), status);
}

/// Describes dynamic_broadcast_in_dim too. An operand's size that is not known
/// may be 1 in the run, and then it expands, whether or not the result's size
/// is known. Only the dynamic op can say which of the two it is.
absl::StatusOr<Op> describeBroadcastInDim(mlir::Operation *op,
                                          OpShapes shapes) {
  auto made = make<BroadcastOp>(std::move(shapes));
  Int64s kept;
  auto dimensions = takeIntegers(op, "broadcast_dimensions", made.dimensions);
  auto expanding =
      takeOptionalIntegers(op, "known_expanding_dimensions", made.expanding);
  auto others = takeOptionalIntegers(op, "known_nonexpanding_dimensions", kept);
  const ArrayShape &operand = made.operands[0];
  for (int64_t k = 0; k < operand.rank(); ++k) {
    const bool isFixed = operand.dimensions[k] != kDynamicSize &&
                         (operand.dynamic.empty() || !operand.dynamic[k]);
    if (!isFixed && !llvm::is_contained(kept, k) &&
        !llvm::is_contained(made.expanding, k))
      made.maybeExpanding.push_back(k);
  }
  return finished(std::move(made), dimensions, expanding, others);
}

absl::StatusOr<Op> describeConcatenate(mlir::Operation *op, OpShapes shapes) {
  auto made = make<ConcatenateOp>(std::move(shapes));
  auto status = takeInteger(op, "dimension", made.dimension);
  return finished(std::move(made), status);
}

absl::StatusOr<Op> describeDynamicSlice(mlir::Operation *op, OpShapes shapes) {
  auto made = make<DynamicSliceOp>(std::move(shapes));
  auto status = takeIntegers(op, "slice_sizes", made.sizes);
  return finished(std::move(made), status);
}

absl::StatusOr<Op> describeDynamicUpdateSlice(mlir::Operation *,
                                              OpShapes shapes) {
  return Op(make<DynamicUpdateSliceOp>(std::move(shapes)));
}

absl::StatusOr<GatherOp> gatherOf(mlir::Operation *op, OpShapes shapes) {
  auto made = make<GatherOp>(std::move(shapes));
  auto numbers = op->getAttrOfType<stablehlo::GatherDimensionNumbersAttr>(
      "dimension_numbers");
  if (!numbers) return missing("dimension_numbers");
  made.offsetDims = listOf(numbers.getOffsetDims());
  made.collapsedSliceDims = listOf(numbers.getCollapsedSliceDims());
  made.startIndexMap = listOf(numbers.getStartIndexMap());
  made.operandBatchingDims = listOf(numbers.getOperandBatchingDims());
  made.startIndicesBatchingDims = listOf(numbers.getStartIndicesBatchingDims());
  made.indexVectorDim = numbers.getIndexVectorDim();
  INDEXICAL_RETURN_IF_ERROR(
      takeOptionalIntegers(op, "slice_sizes", made.sliceSizes));
  return made;
}

/// Describes dynamic_gather too, whose slice sizes are operand 2.
absl::StatusOr<Op> describeGather(mlir::Operation *op, OpShapes shapes) {
  INDEXICAL_ASSIGN_OR_RETURN(auto made, gatherOf(op, std::move(shapes)));
  if (op->getNumOperands() == 3 && !made.sliceSizes.empty() &&
      made.results.size() == 1 && mayBeSizes(op, made))
    made.sliceSizes.clear();
  return Op(std::move(made));
}

absl::StatusOr<Op> describePad(mlir::Operation *op, OpShapes shapes) {
  auto made = make<PadOp>(std::move(shapes));
  auto low = takeOptionalIntegers(op, "edge_padding_low", made.low);
  auto high = takeOptionalIntegers(op, "edge_padding_high", made.high);
  auto interior = takeOptionalIntegers(op, "interior_padding", made.interior);
  return finished(std::move(made), low, high, interior);
}

absl::StatusOr<Op> describeReshape(mlir::Operation *, OpShapes shapes) {
  return Op(make<ReshapeOp>(std::move(shapes)));
}

absl::StatusOr<Op> describeReverse(mlir::Operation *op, OpShapes shapes) {
  auto made = make<ReverseOp>(std::move(shapes));
  auto status = takeIntegers(op, "dimensions", made.dimensions);
  return finished(std::move(made), status);
}

/// Leaves out what the computation reads: that is found once all computations
/// are imported.
absl::StatusOr<Op> describeScatter(mlir::Operation *op, OpShapes shapes) {
  auto made = make<ScatterOp>(std::move(shapes));
  auto numbers = op->getAttrOfType<stablehlo::ScatterDimensionNumbersAttr>(
      "scatter_dimension_numbers");
  if (!numbers) return missing("scatter_dimension_numbers");
  made.updateWindowDims = listOf(numbers.getUpdateWindowDims());
  made.insertedWindowDims = listOf(numbers.getInsertedWindowDims());
  made.scatterDimsToOperandDims = listOf(numbers.getScatterDimsToOperandDims());
  made.inputBatchingDims = listOf(numbers.getInputBatchingDims());
  made.scatterIndicesBatchingDims =
      listOf(numbers.getScatterIndicesBatchingDims());
  made.indexVectorDim = numbers.getIndexVectorDim();
  made.partlyOutside = ScatterOp::PartlyOutside::SkipElements;
  return Op(std::move(made));
}

absl::StatusOr<Op> describeSlice(mlir::Operation *op, OpShapes shapes) {
  auto made = make<SliceOp>(std::move(shapes));
  auto starts = takeOptionalIntegers(op, "start_indices", made.starts);
  auto limits = takeOptionalIntegers(op, "limit_indices", made.limits);
  auto strides = takeOptionalIntegers(op, "strides", made.strides);
  return finished(std::move(made), starts, limits, strides);
}

/// A gather of slices of size 1 along `dim`. The first `batch_dims` dimensions
/// are those of the index; its other dimensions replace `dim`.
absl::StatusOr<Op> describeTorchIndexSelect(mlir::Operation *op,
                                            OpShapes shapes) {
  int64_t dim = 0, batch = 0;
  INDEXICAL_RETURN_IF_ERROR(takeInteger(op, "dim", dim));
  INDEXICAL_RETURN_IF_ERROR(takeInteger(op, "batch_dims", batch));
  auto made = make<GatherOp>(std::move(shapes));
  const ArrayShape &operand = made.operands[0], &index = made.operands[1];
  const int64_t rank = operand.rank(), indexRank = index.rank();
  const auto isIn = [](int64_t value, int64_t low, int64_t high) {
    return low <= value && value < high;
  };
  if (!isIn(dim, -rank, rank))
    return Broken("") << "dim must be in [" << -rank << ", " << rank
                      << "), rank(operand) being " << rank << ", but is "
                      << dim;
  // A negative dimension counts from the end.
  const int64_t axis = dim < 0 ? dim + rank : dim;
  const int64_t batches = batch < 0 ? batch + indexRank : batch;
  if (!isIn(batches, 0, std::min(axis, indexRank) + 1))
    return Broken("") << "batch_dims must be at most dim and the rank of "
                         "index, but are "
                      << batch << " of " << axis << " and " << indexRank;
  dim = axis, batch = batches;
  for (int64_t k = 0; k < batch; ++k) {
    made.operandBatchingDims.push_back(k);
    made.startIndicesBatchingDims.push_back(k);
  }
  made.startIndexMap = made.collapsedSliceDims = {dim};
  made.indexVectorDim = index.rank();
  for (int64_t k = 0; k < operand.rank(); ++k) {
    const bool whole = k >= batch && k != dim;
    const bool isOpen = !operand.dynamic.empty() && operand.dynamic[k];
    const int64_t size = isOpen ? kDynamicSize : operand.dimensions[k];
    made.sliceSizes.push_back(whole ? size : size == 0 ? 0 : 1);
    if (whole)
      made.offsetDims.push_back(k < dim ? k : k - 1 + index.rank() - batch);
  }
  return Op(std::move(made));
}

absl::StatusOr<Op> describeTranspose(mlir::Operation *op, OpShapes shapes) {
  auto made = make<TransposeOp>(std::move(shapes));
  auto status = takeIntegers(op, "permutation", made.permutation);
  return finished(std::move(made), status);
}

}  // namespace indexical::rows
