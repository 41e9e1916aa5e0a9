// Ops that combine elements by a body, order them, or combine whole rows.
#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/BuiltinAttributes.h"

#include "indexical/import/stablehlo/describe/attribute_values.h"
#include "indexical/import/stablehlo/describe/describers.h"
#include "indexical/import/stablehlo/dialect/stablehlo.h"
#include "indexical/indexing/status_macros.h"

namespace indexical::rows {
namespace {

absl::StatusOr<Op> describeBatchNorm(mlir::Operation *op, OpShapes shapes,
                                     BatchNormOp::Kind kind) {
  auto made = make<BatchNormOp>(std::move(shapes));
  made.kind = kind;
  auto status = takeInteger(op, "feature_index", made.featureIndex);
  return finished(std::move(made), status);
}

absl::Status checkLength(const WindowLists::List &list, const Int64s &values,
                         int64_t rank, llvm::StringRef what) {
  if (static_cast<int64_t>(values.size()) == rank) return absl::OkStatus();
  return Broken(list.rule) << list.key << " must have " << rank << " entries, "
                           << what << ", but "
                           << llvm::ArrayRef<int64_t>(values) << " has "
                           << values.size();
}

absl::Status checkPadding(mlir::Operation *op, const WindowLists::List &list,
                          int64_t rank) {
  auto padding = op->getAttrOfType<mlir::ElementsAttr>(list.key);
  if (!padding) return absl::OkStatus();
  llvm::ArrayRef<int64_t> shape = padding.getShapedType().getShape();
  const Int64s wanted = {rank, 2};
  // An empty one is as good as none, as an empty list is (takeWindow).
  if (padding.getNumElements() == 0) return absl::OkStatus();
  if (shape == llvm::ArrayRef<int64_t>(wanted)) return absl::OkStatus();
  return Broken(list.rule) << list.key << " must have the shape "
                           << llvm::ArrayRef<int64_t>(wanted) << ", but has "
                           << shape;
}

}  // namespace

absl::Status takeWindow(mlir::Operation *op, llvm::ArrayRef<int64_t> sizes,
                        int64_t rank, llvm::StringRef what,
                        const WindowLists &lists,
                        llvm::SmallVectorImpl<WindowDimension> &window) {
  for (int64_t size : sizes) window.emplace_back().size = size;
  if (static_cast<int64_t>(sizes.size()) != rank) return absl::OkStatus();
  // Fills in one list; false after an error.
  auto each = [&](const WindowLists::List &list, auto take) -> absl::Status {
    if (list.key.empty() || !op->hasAttr(list.key)) return absl::OkStatus();
    Int64s values;
    INDEXICAL_RETURN_IF_ERROR(takeOptionalIntegers(op, list.key, values));
    // An empty list is as good as none; import/let_pass.h warns of it.
    if (values.empty()) return absl::OkStatus();
    INDEXICAL_RETURN_IF_ERROR(checkLength(list, values, rank, what));
    for (int64_t k = 0; k < rank; ++k) take(window[k], values[k]);
    return absl::OkStatus();
  };
  using Dimension = WindowDimension;
  absl::Status status =
      each(lists.strides, [](Dimension &d, int64_t v) { d.stride = v; });
  status.Update(each(lists.baseDilation,
                     [](Dimension &d, int64_t v) { d.baseDilation = v; }));
  status.Update(each(lists.windowDilation,
                     [](Dimension &d, int64_t v) { d.windowDilation = v; }));
  status.Update(each(lists.reversal,
                     [](Dimension &d, int64_t v) { d.reversed = v != 0; }));
  Int64s padding;
  status.Update(checkPadding(op, lists.padding, rank));
  if (status.ok() && op->getAttrOfType<mlir::ElementsAttr>(lists.padding.key))
    status = takeOptionalIntegers(op, lists.padding.key, padding);
  if (!status.ok() || padding.empty()) return status;
  for (int64_t k = 0; k < rank; ++k) {
    window[k].padLow = padding[2 * k];
    window[k].padHigh = padding[2 * k + 1];
  }
  return absl::OkStatus();
}

absl::StatusOr<Op> describeBatchNormGrad(mlir::Operation *op, OpShapes shapes) {
  return describeBatchNorm(op, std::move(shapes), BatchNormOp::Kind::Gradient);
}

absl::StatusOr<Op> describeBatchNormInference(mlir::Operation *op,
                                              OpShapes shapes) {
  return describeBatchNorm(op, std::move(shapes), BatchNormOp::Kind::Inference);
}

absl::StatusOr<Op> describeBatchNormTraining(mlir::Operation *op,
                                             OpShapes shapes) {
  return describeBatchNorm(op, std::move(shapes), BatchNormOp::Kind::Training);
}

absl::StatusOr<Op> describeCholesky(mlir::Operation *op, OpShapes shapes) {
  auto made = make<CholeskyOp>(std::move(shapes));
  made.lower = hasFlag(op, "lower");
  return Op(std::move(made));
}

absl::StatusOr<Op> describeFft(mlir::Operation *op, OpShapes shapes) {
  auto made = make<FftOp>(std::move(shapes));
  auto type = op->getAttrOfType<stablehlo::FftTypeAttr>("fft_type");
  if (!type)
    return absl::InvalidArgumentError("the attribute `fft_type` is missing");
  switch (type.getValue()) {
    case stablehlo::FftType::FFT:
      made.kind = FftOp::Kind::Fft;
      break;
    case stablehlo::FftType::IFFT:
      made.kind = FftOp::Kind::Ifft;
      break;
    case stablehlo::FftType::RFFT:
      made.kind = FftOp::Kind::Rfft;
      break;
    case stablehlo::FftType::IRFFT:
      made.kind = FftOp::Kind::Irfft;
      break;
  }
  auto status = takeIntegers(op, "fft_length", made.lengths);
  return finished(std::move(made), status);
}

namespace {

/// The verifier lets inits be arrays, for which no meaning is published.
bool hasArrayForInit(const OpShapes &shapes) {
  llvm::ArrayRef<ArrayShape> operands = shapes.operands;
  return llvm::any_of(operands.drop_front(operands.size() / 2),
                      [](const ArrayShape &init) { return !init.isScalar(); });
}

}  // namespace

absl::StatusOr<Op> describeReduce(mlir::Operation *op, OpShapes shapes) {
  if (hasArrayForInit(shapes)) return describeCover(op, std::move(shapes));
  auto made = make<ReduceOp>(std::move(shapes));
  auto status = takeIntegers(op, "dimensions", made.dimensions);
  return finished(std::move(made), status);
}

absl::StatusOr<Op> describeReduceWindow(mlir::Operation *op, OpShapes shapes) {
  if (hasArrayForInit(shapes)) return describeCover(op, std::move(shapes));
  auto made = make<ReduceWindowOp>(std::move(shapes));
  Int64s sizes;
  INDEXICAL_RETURN_IF_ERROR(takeIntegers(op, "window_dimensions", sizes));
  const WindowLists lists = {{"window_strides", "C6"},
                             {"padding", "C12"},
                             {"base_dilations", "C8"},
                             {"window_dilations", "C10"},
                             {}};
  const int64_t rank = made.operands.empty() ? 0 : made.operands[0].rank();
  auto status =
      takeWindow(op, sizes, rank, "the rank of inputs[0]", lists, made.window);
  return finished(std::move(made), status);
}

/// The operands are inputs, then inits. The segments of the results give the
/// number of running values.
absl::StatusOr<Op> describeScan(mlir::Operation *op, OpShapes shapes) {
  auto made = make<ScanOp>(std::move(shapes));
  INDEXICAL_RETURN_IF_ERROR(takeInteger(op, "dimension", made.dimension));
  made.reverse = hasFlag(op, "is_reverse");
  auto segments =
      op->getAttrOfType<mlir::DenseI32ArrayAttr>("operandSegmentSizes");
  if (!segments || segments.size() != 2)
    return absl::InvalidArgumentError(
        "`operandSegmentSizes` would say how many inputs and inits there are");
  made.carries = segments[1];
  return Op(std::move(made));
}

absl::StatusOr<Op> describeSelectAndScatter(mlir::Operation *op,
                                            OpShapes shapes) {
  auto made = make<SelectAndScatterOp>(std::move(shapes));
  Int64s sizes;
  INDEXICAL_RETURN_IF_ERROR(
      takeOptionalIntegers(op, "window_dimensions", sizes));
  if (sizes.empty()) sizes.assign(made.operands[0].rank(), 1);
  const WindowLists lists = {
      {"window_strides", "C6"}, {"padding", "C8"}, {}, {}, {}};
  auto status = takeWindow(op, sizes, made.operands[0].rank(),
                           "the rank of inputs[0]", lists, made.window);
  return finished(std::move(made), status);
}

absl::StatusOr<Op> describeSort(mlir::Operation *op, OpShapes shapes) {
  auto made = make<SortOp>(std::move(shapes));
  made.dimension = -1;
  auto status = takeOptionalInteger(op, "dimension", made.dimension);
  if (made.dimension < 0 && !made.operands.empty())
    made.dimension += made.operands[0].rank();
  return finished(std::move(made), status);
}

absl::StatusOr<Op> describeTopK(mlir::Operation *op, OpShapes shapes) {
  auto made = make<TopKOp>(std::move(shapes));
  auto status = takeInteger(op, "k", made.k);
  return finished(std::move(made), status);
}

absl::StatusOr<Op> describeTriangularSolve(mlir::Operation *op,
                                           OpShapes shapes) {
  auto made = make<TriangularSolveOp>(std::move(shapes));
  made.leftSide = hasFlag(op, "left_side");
  made.lower = hasFlag(op, "lower");
  made.unitDiagonal = hasFlag(op, "unit_diagonal");
  auto transpose = op->getAttrOfType<stablehlo::TransposeAttr>("transpose_a");
  if (!transpose)
    return absl::InvalidArgumentError("the attribute `transpose_a` is missing");
  made.transposed = transpose.getValue() == stablehlo::Transpose::TRANSPOSE ||
                    transpose.getValue() == stablehlo::Transpose::ADJOINT;
  return Op(std::move(made));
}

}  // namespace indexical::rows
