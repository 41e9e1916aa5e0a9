// Ops that multiply and add: dots, einsums, convolution.
#include <map>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/BuiltinAttributes.h"

#include "indexical/stablehlo/dialect/chlo.h"
#include "indexical/stablehlo/dialect/stablehlo.h"
#include "indexical/stablehlo/import/accesses.h"
#include "indexical/stablehlo/import/attribute_values.h"
#include "indexical/stablehlo/import/stablehlo_rows.h"

namespace indexical::rows {
namespace {

Int64s listOf(llvm::ArrayRef<int64_t> values) {
  return Int64s(values.begin(), values.end());
}

template <typename Numbers>
void takeDimensions(const Numbers &numbers, DotDimensions &d) {
  d.lhsBatch = listOf(numbers.getLhsBatchingDimensions());
  d.rhsBatch = listOf(numbers.getRhsBatchingDimensions());
  d.lhsContracting = listOf(numbers.getLhsContractingDimensions());
  d.rhsContracting = listOf(numbers.getRhsContractingDimensions());
}

}  // namespace

absl::StatusOr<Op> describeDotGeneral(mlir::Operation *op, OpShapes shapes) {
  auto made = make<DotOp>(std::move(shapes));
  auto numbers = op->getAttrOfType<stablehlo::DotDimensionNumbersAttr>(
      "dot_dimension_numbers");
  if (!numbers)
    return absl::InvalidArgumentError(
        "the attribute `dot_dimension_numbers` is missing");
  takeDimensions(numbers, made);
  return Op(std::move(made));
}

/// Of vectors and matrices: the last dimension of the one and the first of the
/// other.
absl::StatusOr<Op> describeDot(mlir::Operation *, OpShapes shapes) {
  auto made = make<DotOp>(std::move(shapes));
  if (!made.operands[0].isScalar() && !made.operands[1].isScalar()) {
    made.lhsContracting = {made.operands[0].rank() - 1};
    made.rhsContracting = {0};
  }
  return Op(std::move(made));
}

absl::StatusOr<Op> describeRaggedDot(mlir::Operation *op, OpShapes shapes) {
  auto made = make<RaggedDotOp>(std::move(shapes));
  auto numbers = op->getAttrOfType<chlo::RaggedDotDimensionNumbersAttr>(
      "ragged_dot_dimension_numbers");
  if (!numbers)
    return absl::InvalidArgumentError(
        "the attribute `ragged_dot_dimension_numbers` is missing");
  takeDimensions(numbers, made);
  made.lhsRagged = listOf(numbers.getLhsRaggedDimensions());
  made.rhsGroup = listOf(numbers.getRhsGroupDimensions());
  return Op(std::move(made));
}

/// dynamic_conv too, whose padding is operand 2.
absl::StatusOr<Op> describeConvolution(mlir::Operation *op, OpShapes shapes) {
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
    if (k < 0 || k >= kernel.rank())
      return absl::InvalidArgumentError(
          absl::StrCat("`dimension_numbers`: ", k,
                       " is no dimension of the kernel ", kernel.str()));
    sizes.push_back(kernel.dimensions[k]);
  }
  auto groups =
      takeOptionalInteger(op, "feature_group_count", made.featureGroups);
  auto batches = takeOptionalInteger(op, "batch_group_count", made.batchGroups);
  auto window =
      takeWindow(op, sizes, "lhs_dilation", "rhs_dilation", made.window);
  if (!groups.ok() || !batches.ok() || !window.ok() ||
      !llvm::is_contained(sizes, kDynamicSize))
    return finished(std::move(made), groups, batches, window);
  auto cover = make<CoverOp>(made);
  cover.reason = "the sizes of the kernel are not known";
  return Op(std::move(cover));
}

//===-- Einsum ------------------------------------------------------------===//

namespace {

/// `ab,bc->ac`: what the dimensions of operands and result are called.
struct EinsumLabels {
  llvm::SmallVector<std::string, 2> operands;
  std::string result;
};

/// Nothing for a form with ellipses, or without a result.
std::optional<EinsumLabels> parseEinsum(llvm::StringRef config) {
  if (!config.contains("->") || config.contains('.')) return std::nullopt;
  auto [inputs, result] = config.split("->");
  EinsumLabels labels;
  labels.result = result.trim().str();
  llvm::SmallVector<llvm::StringRef, 2> parts;
  inputs.split(parts, ',');
  for (llvm::StringRef part : parts)
    labels.operands.push_back(part.trim().str());
  return labels;
}

bool fits(const EinsumLabels &labels, const OpShapes &shapes) {
  auto hasRank = [](const std::string &names, const ArrayShape &shape) {
    return static_cast<int64_t>(names.size()) == shape.rank();
  };
  if (shapes.results.size() != 1 ||
      labels.operands.size() != shapes.operands.size() ||
      !hasRank(labels.result, shapes.results[0]))
    return false;
  for (size_t k = 0; k < labels.operands.size(); ++k)
    if (!hasRank(labels.operands[k], shapes.operands[k])) return false;
  return true;
}

/// One loop a label of the operand or the result: an element of the one meets
/// an element of the other where equal labels have equal indices.
absl::Status meet(const EinsumLabels &labels, const OpShapes &shapes,
                  int64_t operand, AccessList &list) {
  Access &access = list.add();
  std::map<char, Expr> loops;
  auto index = [&](const std::string &names, const ArrayShape &shape) {
    Access::Exprs exprs;
    for (auto [k, name] : llvm::enumerate(names)) {
      auto found = loops.find(name);
      if (found == loops.end()) {
        const int64_t size = shape.dimensions[k];
        found = loops
                    .emplace(name, access.loop({0, size == kDynamicSize
                                                       ? Interval::kInfinity
                                                       : size - 1}))
                    .first;
      }
      exprs.push_back(found->second);
    }
    return exprs;
  };
  access.result = index(labels.result, shapes.results[0]);
  access.operand = index(labels.operands[operand], shapes.operands[operand]);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Op> describeEinsum(mlir::Operation *op, OpShapes shapes) {
  auto config = op->getAttrOfType<mlir::StringAttr>("einsum_config");
  const auto labels = config ? parseEinsum(config.getValue()) : std::nullopt;
  if (!labels || !fits(*labels, shapes))
    return coverOp(std::move(shapes), Precision::Cover,
                   "an einsum whose labels are not read");
  return accessOp(std::move(shapes),
                  [labels = *labels](const OpShapes &shapes, int64_t,
                                     int64_t operand, AccessList &list) {
                    return meet(labels, shapes, operand, list);
                  });
}

}  // namespace indexical::rows
