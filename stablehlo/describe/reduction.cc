// Ops that combine elements by a body, order them, or combine whole rows.
#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/BuiltinAttributes.h"

#include "indexical/stablehlo/describe/attribute_values.h"
#include "indexical/stablehlo/describe/describers.h"
#include "indexical/stablehlo/dialect/stablehlo.h"

namespace indexical::rows {
namespace {

absl::StatusOr<Op> describeBatchNorm(mlir::Operation *op, OpShapes shapes,
                                     BatchNormOp::Kind kind) {
  auto made = make<BatchNormOp>(std::move(shapes));
  made.kind = kind;
  auto status = takeInteger(op, "feature_index", made.featureIndex);
  return finished(std::move(made), status);
}

absl::Status checkCount(llvm::StringRef key, const Int64s &values,
                        size_t wanted) {
  if (values.empty() || values.size() == wanted) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("`", key.str(), "` has ", values.size(),
                   " integers; there would be ", wanted));
}

}  // namespace

absl::Status takeWindow(mlir::Operation *op, llvm::ArrayRef<int64_t> sizes,
                        llvm::StringRef baseDilation,
                        llvm::StringRef windowDilation,
                        llvm::SmallVectorImpl<WindowDimension> &window) {
  struct List {
    llvm::StringRef key;
    size_t each;
    Int64s values;
  };
  List lists[] = {{"window_strides", 1, {}},
                  {"padding", 2, {}},
                  {baseDilation, 1, {}},
                  {windowDilation, 1, {}},
                  {"window_reversal", 1, {}}};
  for (List &list : lists) {
    if (list.key.empty()) continue;
    if (auto s = takeOptionalIntegers(op, list.key, list.values); !s.ok())
      return s;
    if (auto s = checkCount(list.key, list.values, list.each * sizes.size());
        !s.ok())
      return s;
  }
  auto value = [&](int list, size_t k, int64_t otherwise) {
    const Int64s &values = lists[list].values;
    return values.empty() ? otherwise : values[k];
  };
  for (size_t k = 0; k < sizes.size(); ++k) {
    WindowDimension &d = window.emplace_back();
    d.size = sizes[k];
    d.stride = value(0, k, 1);
    d.padLow = value(1, 2 * k, 0);
    d.padHigh = value(1, 2 * k + 1, 0);
    d.baseDilation = value(2, k, 1);
    d.windowDilation = value(3, k, 1);
    d.reversed = value(4, k, 0) != 0;
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
  if (auto s = takeIntegers(op, "window_dimensions", sizes); !s.ok()) return s;
  auto status =
      takeWindow(op, sizes, "base_dilations", "window_dilations", made.window);
  return finished(std::move(made), status);
}

/// Inputs, then inits; the results' segments say how many are carried.
absl::StatusOr<Op> describeScan(mlir::Operation *op, OpShapes shapes) {
  auto made = make<ScanOp>(std::move(shapes));
  if (auto s = takeInteger(op, "dimension", made.dimension); !s.ok()) return s;
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
  if (auto s = takeOptionalIntegers(op, "window_dimensions", sizes); !s.ok())
    return s;
  if (sizes.empty()) sizes.assign(made.operands[0].rank(), 1);
  auto status = takeWindow(op, sizes, "", "", made.window);
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
