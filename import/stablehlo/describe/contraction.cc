// Ops that multiply and add: dots and convolution.
#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/BuiltinAttributes.h"

#include "indexical/import/stablehlo/describe/attribute_values.h"
#include "indexical/import/stablehlo/describe/describers.h"
#include "indexical/import/stablehlo/dialect/stablehlo.h"
#include "indexical/indexing/status_macros.h"

namespace indexical::rows {
absl::StatusOr<Op> describeDotGeneral(mlir::Operation *op, OpShapes shapes) {
  auto made = make<DotOp>(std::move(shapes));
  auto numbers = op->getAttrOfType<stablehlo::DotDimensionNumbersAttr>(
      "dot_dimension_numbers");
  if (!numbers)
    return absl::InvalidArgumentError(
        "the attribute `dot_dimension_numbers` is missing");
  takeDotDimensions(numbers, made);
  return Op(std::move(made));
}

/// A dot of vectors and matrices contracts the last dimension of its lhs with
/// the first of its rhs.
absl::StatusOr<Op> describeDot(mlir::Operation *, OpShapes shapes) {
  auto made = make<DotOp>(std::move(shapes));
  if (!made.operands[0].isScalar() && !made.operands[1].isScalar()) {
    made.lhsContracting = {made.operands[0].rank() - 1};
    made.rhsContracting = {0};
  }
  return Op(std::move(made));
}

absl::StatusOr<ConvolutionOp> convolutionOf(mlir::Operation *op,
                                            OpShapes shapes) {
  auto made = make<ConvolutionOp>(std::move(shapes));
  auto numbers = op->getAttrOfType<stablehlo::ConvDimensionNumbersAttr>(
      "dimension_numbers");
  if (!numbers)
    return absl::InvalidArgumentError(
        "the attribute `dimension_numbers` is missing");
  made.inputBatch = numbers.getInputBatchDimension();
  made.inputFeature = numbers.getInputFeatureDimension();
  made.inputSpatial = listOf(numbers.getInputSpatialDimensions());
  made.kernelInputFeature = numbers.getKernelInputFeatureDimension();
  made.kernelOutputFeature = numbers.getKernelOutputFeatureDimension();
  made.kernelSpatial = listOf(numbers.getKernelSpatialDimensions());
  made.outputBatch = numbers.getOutputBatchDimension();
  made.outputFeature = numbers.getOutputFeatureDimension();
  made.outputSpatial = listOf(numbers.getOutputSpatialDimensions());
  const ArrayShape &kernel = made.operands[1];
  Int64s sizes;
  for (int64_t k : made.kernelSpatial) {
    // The family reports a number that is no dimension.
    const bool isOne = k >= 0 && k < kernel.rank();
    sizes.push_back(isOne ? kernel.dimensions[k] : kDynamicSize);
  }
  auto groups =
      takeOptionalInteger(op, "feature_group_count", made.featureGroups);
  auto batches = takeOptionalInteger(op, "batch_group_count", made.batchGroups);
  WindowLists lists = {{"window_strides", "C2"},
                       {"padding", "C4"},
                       {"lhs_dilation", "C5"},
                       {"rhs_dilation", "C7"},
                       {"window_reversal", "C9"}};
  // Beside operand 2, which says the padding, an attribute says nothing;
  // import/let_pass.h warns of it.
  if (made.operands.size() > 2) lists.padding = {};
  auto window = takeWindow(op, sizes, made.operands[0].rank() - 2,
                           "the rank less 2", lists, made.window);
  for (const absl::Status &status : {groups, batches, window})
    if (!status.ok()) return status;
  return made;
}

/// Describes dynamic_conv too, whose padding is operand 2.
absl::StatusOr<Op> describeConvolution(mlir::Operation *op, OpShapes shapes) {
  INDEXICAL_ASSIGN_OR_RETURN(auto made, convolutionOf(op, std::move(shapes)));
  if (llvm::all_of(made.window, [](const WindowDimension &d) {
        return d.size != kDynamicSize;
      }))
    return Op(std::move(made));
  auto cover = make<CoverOp>(made);
  cover.reason = "the sizes of the kernel are not known";
  return Op(std::move(cover));
}

}  // namespace indexical::rows
