// The constraints of dot_general, convolution and the older products.
#include "indexical/stablehlo/dialect/contraction.h"
#include "indexical/stablehlo/dialect/quantization.h"
#include "indexical/stablehlo/dialect/verify.h"

namespace indexical::stablehlo {

using mlir::failed;
using mlir::failure;
using mlir::success;

//===-- dot ---------------------------------------------------------------===//

namespace {

// Sizes of the dimensions of `type` that neither list has.
llvm::SmallVector<int64_t> remaining(RankedTensorType type, Numbers batching,
                                     Numbers contracting) {
  llvm::SmallVector<int64_t> sizes;
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (!llvm::is_contained(batching, d) && !llvm::is_contained(contracting, d))
      sizes.push_back(type.getDimSize(d));
  return sizes;
}

LogicalResult pairsAgree(Operation *op, llvm::StringRef constraint,
                         llvm::StringRef what, RankedTensorType lhs,
                         Numbers left, RankedTensorType rhs, Numbers right) {
  for (auto [d, e] : llvm::zip(left, right))
    if (!agree(sizeOf(lhs, d), sizeOf(rhs, e)))
      return broken(op, constraint)
             << what << " dimensions must have the same size, but dimension "
             << d << " of lhs has " << lhs.getDimSize(d) << " and dimension "
             << e << " of rhs has " << rhs.getDimSize(e);
  return success();
}

LogicalResult twoPrecisions(Operation *op, llvm::StringRef constraint,
                            mlir::ArrayAttr precisions) {
  if (!precisions || precisions.empty() || precisions.size() == 2)
    return success();
  return broken(op, constraint)
         << "precision_config must have a precision for lhs and one for rhs, "
            "but has "
         << precisions.size();
}

}  // namespace

LogicalResult DotGeneralOp::verify() {
  RankedTensorType lhs = getLhs().getType(), rhs = getRhs().getType();
  DotDimensionNumbersAttr numbers = getDotDimensionNumbers();
  Numbers lhsBatching = numbers.getLhsBatchingDimensions();
  Numbers rhsBatching = numbers.getRhsBatchingDimensions();
  Numbers lhsContracting = numbers.getLhsContractingDimensions();
  Numbers rhsContracting = numbers.getRhsContractingDimensions();
  auto sameSize = [&](llvm::StringRef constraint, llvm::StringRef name,
                      Numbers left, Numbers right) -> LogicalResult {
    if (left.size() == right.size()) return success();
    return broken(*this, constraint)
           << "lhs and rhs must have as many " << name
           << " dimensions as each other, but have " << listed(left) << " and "
           << listed(right);
  };
  llvm::SmallVector<int64_t> lhsAll(lhsBatching), rhsAll(rhsBatching);
  llvm::append_range(lhsAll, lhsContracting);
  llvm::append_range(rhsAll, rhsContracting);
  if (failed(sameSize("C1", "batching", lhsBatching, rhsBatching)) ||
      failed(sameSize("C2", "contracting", lhsContracting, rhsContracting)) ||
      failed(isUnique(*this, "C3",
                      "lhs_batching_dimensions with "
                      "lhs_contracting_dimensions",
                      lhsAll)) ||
      failed(isUnique(*this, "C4",
                      "rhs_batching_dimensions with "
                      "rhs_contracting_dimensions",
                      rhsAll)) ||
      failed(inRange(*this, "C5", "lhs_batching_dimensions", lhsBatching,
                     lhs.getRank(), "rank(lhs)")) ||
      failed(inRange(*this, "C6", "lhs_contracting_dimensions", lhsContracting,
                     lhs.getRank(), "rank(lhs)")) ||
      failed(inRange(*this, "C7", "rhs_batching_dimensions", rhsBatching,
                     rhs.getRank(), "rank(rhs)")) ||
      failed(inRange(*this, "C8", "rhs_contracting_dimensions", rhsContracting,
                     rhs.getRank(), "rank(rhs)")) ||
      failed(pairsAgree(*this, "C9", "batching", lhs, lhsBatching, rhs,
                        rhsBatching)) ||
      failed(pairsAgree(*this, "C10", "contracting", lhs, lhsContracting, rhs,
                        rhsContracting)) ||
      failed(twoPrecisions(*this, "C11", getPrecisionConfigAttr())))
    return failure();
  llvm::SmallVector<int64_t> expected;
  for (auto [d, e] : llvm::zip(lhsBatching, rhsBatching))
    expected.push_back(lhs.isDynamicDim(d) ? rhs.getDimSize(e)
                                           : lhs.getDimSize(d));
  llvm::append_range(expected, remaining(lhs, lhsBatching, lhsContracting));
  llvm::append_range(expected, remaining(rhs, rhsBatching, rhsContracting));
  // C13 is left to compilers: they write products of f32 and bf16.
  if (failed(shapeIs(*this, "C12", "result", getType(), expected,
                     "batching dimensions, then those of lhs and of rhs that "
                     "are not contracted")) ||
      failed(checkProduct(*this, {"", "C14", "C17", "C18", "C19", "C20"}, lhs,
                          rhs, getType())))
    return failure();
  if (!hasZeroPoints(rhs, 0))
    return broken(*this, "C15")
           << "the zero points of rhs must be 0, but it is " << rhs;
  auto axis = perAxis(rhs);
  if (!axis ||
      !llvm::is_contained(rhsContracting, axis.getQuantizedDimension()))
    return success();
  return broken(*this, "C16")
         << "the scales of rhs must not lie along a contracting dimension, but "
            "lie along "
         << axis.getQuantizedDimension() << " of " << listed(rhsContracting);
}

LogicalResult DotOp::verify() {
  RankedTensorType lhs = getLhs().getType(), rhs = getRhs().getType();
  if (lhs.getRank() < 1 || lhs.getRank() > 2 || rhs.getRank() < 1 ||
      rhs.getRank() > 2)
    return broken(*this, "") << "lhs and rhs must be vectors or matrices, not "
                             << lhs << " and " << rhs;
  int64_t lhsLast = lhs.getRank() - 1;
  if (failed(pairsAgree(*this, "", "contracting", lhs, {lhsLast}, rhs, {0})) ||
      failed(twoPrecisions(*this, "", getPrecisionConfigAttr())))
    return failure();
  llvm::SmallVector<int64_t> expected = remaining(lhs, {}, {lhsLast});
  llvm::append_range(expected, remaining(rhs, {}, {0}));
  return shapeIs(*this, "", "result", getType(), expected,
                 "the dimensions that are not contracted");
}

namespace {

// The sizes of letters, and the letters of the result; `ab,bc->ac`.
LogicalResult checkEinsum(Operation *op, llvm::StringRef config,
                          llvm::ArrayRef<RankedTensorType> operands,
                          RankedTensorType result) {
  auto [inputs, output] = config.split("->");
  llvm::SmallVector<llvm::StringRef> texts;
  inputs.split(texts, ',');
  if (texts.size() != operands.size() || !config.contains("->"))
    return broken(op, "") << "einsum_config must describe " << operands.size()
                          << " operands and, after `->`, the result, but is `"
                          << config << "`";
  llvm::SmallVector<RankedTensorType> types(operands);
  texts.push_back(output);
  types.push_back(result);
  llvm::SmallVector<std::pair<char, Size>> letters;
  for (auto [text, type] : llvm::zip(texts, types)) {
    // An ellipsis stands for as many dimensions as it takes.
    if (text.contains('.')) continue;
    text = text.trim();
    if (static_cast<int64_t>(text.size()) != type.getRank())
      return broken(op, "")
             << "`" << text << "` of einsum_config must name the "
             << type.getRank() << " dimensions of " << type;
    for (auto [d, letter] : llvm::enumerate(text)) {
      char name = letter;
      auto *known = llvm::find_if(
          letters, [&](const auto &each) { return each.first == name; });
      Size size = sizeOf(type, d);
      if (known == letters.end())
        letters.push_back({name, size});
      else if (!agree(known->second, size))
        return broken(op, "") << "`" << std::string(1, name)
                              << "` of einsum_config has the sizes "
                              << known->second.value << " and " << size.value;
    }
  }
  return success();
}

}  // namespace

LogicalResult EinsumOp::verify() {
  return checkEinsum(*this, getEinsumConfig(),
                     {getLhs().getType(), getRhs().getType()}, getType());
}

LogicalResult UnaryEinsumOp::verify() {
  return checkEinsum(*this, getEinsumConfig(), {getOperand().getType()},
                     getType());
}

//===-- convolution -------------------------------------------------------===//

namespace {

// What both convolutions have. Sizes are kUnknown where they are not known.
struct Convolution {
  Operation *op;
  RankedTensorType lhs, rhs, result;
  ConvDimensionNumbersAttr numbers;
  std::optional<llvm::SmallVector<int64_t>> strides, lhsDilation, rhsDilation;
  std::optional<llvm::SmallVector<bool>> reversal;
  int64_t featureGroups, batchGroups;
  mlir::ArrayAttr precisions;
  /// [low, high] of each spatial dimension, kUnknown where an operand says it.
  llvm::SmallVector<llvm::SmallVector<int64_t>> padding;

  int64_t spatial() const { return lhs.getRank() - 2; }
};

// C12, C13, C17–C20: each side's dimensions, once each.
LogicalResult checkNumbers(const Convolution &conv) {
  ConvDimensionNumbersAttr numbers = conv.numbers;
  struct Side {
    llvm::StringRef sizeConstraint, constraint, name;
    int64_t first, second;
    Numbers spatial;
  };
  const Side sides[] = {
      {"C12", "C13", "input", numbers.getInputBatchDimension(),
       numbers.getInputFeatureDimension(), numbers.getInputSpatialDimensions()},
      {"C17", "C18", "kernel", numbers.getKernelInputFeatureDimension(),
       numbers.getKernelOutputFeatureDimension(),
       numbers.getKernelSpatialDimensions()},
      {"C19", "C20", "output", numbers.getOutputBatchDimension(),
       numbers.getOutputFeatureDimension(),
       numbers.getOutputSpatialDimensions()}};
  for (const Side &side : sides) {
    llvm::SmallVector<int64_t> all = {side.first};
    llvm::append_range(all, side.spatial);
    all.push_back(side.second);
    std::string spatial = (side.name + "_spatial_dimensions").str();
    std::string every = (side.name + "_dimensions").str();
    if (failed(hasSize(conv.op, side.sizeConstraint, spatial, side.spatial,
                       conv.spatial(), "the rank less 2")) ||
        failed(isUnique(conv.op, side.constraint, every, all)) ||
        failed(inRange(conv.op, side.constraint, every, all, conv.lhs.getRank(),
                       "the rank")))
      return failure();
  }
  return success();
}

// C2, C3, C5–C9: one entry a spatial dimension, all positive.
LogicalResult checkWindow(const Convolution &conv) {
  struct List {
    llvm::StringRef sizeConstraint, constraint, name;
    const std::optional<llvm::SmallVector<int64_t>> *numbers;
  };
  const List lists[] = {{"C2", "C3", "window_strides", &conv.strides},
                        {"C5", "C6", "lhs_dilation", &conv.lhsDilation},
                        {"C7", "C8", "rhs_dilation", &conv.rhsDilation}};
  for (const List &list : lists) {
    if (!*list.numbers) continue;
    if (failed(hasSize(conv.op, list.sizeConstraint, list.name, **list.numbers,
                       conv.spatial(), "the rank less 2")) ||
        failed(atLeast(conv.op, list.constraint, list.name, **list.numbers, 1)))
      return failure();
  }
  int64_t reversals = conv.reversal ? conv.reversal->size() : conv.spatial();
  if (reversals != conv.spatial())
    return broken(conv.op, "C9")
           << "window_reversal must have " << conv.spatial()
           << " entries, the rank less 2, but has " << reversals;
  return success();
}

LogicalResult divides(const Convolution &conv, llvm::StringRef constraint,
                      llvm::StringRef what, int64_t size, int64_t groups,
                      llvm::StringRef name) {
  if (size == kUnknown || size % groups == 0) return success();
  return broken(conv.op, constraint)
         << what << " must be a multiple of " << name << ", " << groups
         << ", but is " << size;
}

// C10, C11, C14–C16, C21–C23: groups of features and of the batch.
LogicalResult checkGroups(const Convolution &conv) {
  ConvDimensionNumbersAttr numbers = conv.numbers;
  if (failed(atLeast(conv.op, "C21", "feature_group_count",
                     {conv.featureGroups}, 1)) ||
      failed(
          atLeast(conv.op, "C22", "batch_group_count", {conv.batchGroups}, 1)))
    return failure();
  if (conv.featureGroups > 1 && conv.batchGroups > 1)
    return broken(conv.op, "C23")
           << "feature_group_count or batch_group_count must be 1, but they "
              "are "
           << conv.featureGroups << " and " << conv.batchGroups;
  int64_t batch = conv.lhs.getDimSize(numbers.getInputBatchDimension());
  int64_t features = conv.lhs.getDimSize(numbers.getInputFeatureDimension());
  int64_t outputs =
      conv.rhs.getDimSize(numbers.getKernelOutputFeatureDimension());
  if (failed(divides(conv, "C10", "the batch size of lhs", batch,
                     conv.batchGroups, "batch_group_count")) ||
      failed(divides(conv, "C11", "the number of input features", features,
                     conv.featureGroups, "feature_group_count")) ||
      failed(divides(conv, "C15", "the number of output features", outputs,
                     conv.batchGroups, "batch_group_count")) ||
      failed(divides(conv, "C16", "the number of output features", outputs,
                     conv.featureGroups, "feature_group_count")))
    return failure();
  Size inputs = sizeOf(conv.rhs, numbers.getKernelInputFeatureDimension());
  int64_t expected =
      features == kUnknown ? kUnknown : features / conv.featureGroups;
  if (agree(inputs, {expected, expected})) return success();
  return broken(conv.op, "C14")
         << "the kernel must have as many input features as a group of lhs, "
         << features << " / " << conv.featureGroups << " = " << expected
         << ", but has " << inputs.value;
}

// C25: the number of windows along each spatial dimension.
LogicalResult checkResult(const Convolution &conv) {
  ConvDimensionNumbersAttr numbers = conv.numbers;
  llvm::SmallVector<int64_t> expected(conv.lhs.getRank(), kUnknown);
  int64_t batch = conv.lhs.getDimSize(numbers.getInputBatchDimension());
  if (batch != kUnknown) batch /= conv.batchGroups;
  expected[numbers.getOutputBatchDimension()] = batch;
  expected[numbers.getOutputFeatureDimension()] =
      conv.rhs.getDimSize(numbers.getKernelOutputFeatureDimension());
  for (int64_t i = 0; i < conv.spatial(); ++i) {
    int64_t size = conv.lhs.getDimSize(numbers.getInputSpatialDimensions()[i]);
    int64_t window =
        conv.rhs.getDimSize(numbers.getKernelSpatialDimensions()[i]);
    int64_t low = conv.padding.empty() ? 0 : conv.padding[i][0];
    int64_t high = conv.padding.empty() ? 0 : conv.padding[i][1];
    if (llvm::is_contained({size, window, low, high}, kUnknown)) continue;
    auto at = [&](const std::optional<llvm::SmallVector<int64_t>> &list) {
      return list ? (*list)[i] : 1;
    };
    expected[numbers.getOutputSpatialDimensions()[i]] =
        windowCount(size, {window, at(conv.strides), low, high,
                           at(conv.lhsDilation), at(conv.rhsDilation)});
  }
  return shapeIs(conv.op, "C25", "result", conv.result, expected,
                 "batch, output features and the number of windows");
}

// C29, C30: scales lie along the output features.
LogicalResult checkScales(const Convolution &conv) {
  struct Side {
    llvm::StringRef constraint, name;
    RankedTensorType type;
    int64_t dimension;
  };
  for (const Side &side : {Side{"C29", "rhs", conv.rhs,
                                conv.numbers.getKernelOutputFeatureDimension()},
                           Side{"C30", "the result", conv.result,
                                conv.numbers.getOutputFeatureDimension()}}) {
    auto axis = perAxis(side.type);
    if (axis && axis.getQuantizedDimension() != side.dimension)
      return broken(conv.op, side.constraint)
             << "the scales of " << side.name
             << " must lie along its output features, dimension "
             << side.dimension << ", but lie along dimension "
             << axis.getQuantizedDimension();
  }
  return success();
}

LogicalResult check(const Convolution &conv) {
  if (conv.lhs.getRank() != conv.rhs.getRank() || conv.lhs.getRank() < 2)
    return broken(conv.op, "C1")
           << "lhs and rhs must have the same rank, at least 2, but have "
           << conv.lhs.getRank() << " and " << conv.rhs.getRank();
  if (failed(checkNumbers(conv)) || failed(checkWindow(conv)) ||
      failed(checkGroups(conv)) ||
      failed(twoPrecisions(conv.op, "C24", conv.precisions)))
    return failure();
  if (conv.result.getRank() != conv.lhs.getRank())
    return broken(conv.op, "C26")
           << "result must have the rank of lhs, " << conv.lhs.getRank()
           << ", but has " << conv.result.getRank();
  for (int64_t d : conv.numbers.getKernelSpatialDimensions())
    if (conv.rhs.getDimSize(d) == 0)
      return broken(conv.op, "") << "the kernel must have at least one element "
                                    "along dimension "
                                 << d << ", but is " << conv.rhs;
  if (failed(checkProduct(conv.op, {"C27", "C28", "C31", "C32", "C33", "C34"},
                          conv.lhs, conv.rhs, conv.result)) ||
      failed(checkScales(conv)))
    return failure();
  return checkResult(conv);
}

}  // namespace

LogicalResult ConvolutionOp::verify() {
  Convolution conv{*this,
                   getLhs().getType(),
                   getRhs().getType(),
                   getType(),
                   getDimensionNumbers(),
                   getWindowStrides(),
                   getLhsDilation(),
                   getRhsDilation(),
                   getWindowReversal(),
                   getFeatureGroupCount(),
                   getBatchGroupCount(),
                   getPrecisionConfigAttr(),
                   {}};
  if (mlir::Attribute padding = getPaddingAttr()) {
    Numbers shape =
        llvm::cast<mlir::ElementsAttr>(padding).getShapedType().getShape();
    if (shape[0] != conv.lhs.getRank() - 2 || shape[1] != 2)
      return broken(*this, "C4")
             << "padding must have the shape [" << conv.lhs.getRank() - 2
             << ", 2], but has " << listed(shape);
    conv.padding = *getPadding();
  }
  return check(conv);
}

LogicalResult DynamicConvOp::verify() {
  Convolution conv{*this,
                   getLhs().getType(),
                   getRhs().getType(),
                   getType(),
                   getDimensionNumbers(),
                   getWindowStrides(),
                   getLhsDilation(),
                   getRhsDilation(),
                   getWindowReversal(),
                   getFeatureGroupCount(),
                   getBatchGroupCount(),
                   getPrecisionConfigAttr(),
                   {}};
  RankedTensorType padding = tensorType(getPadding());
  if (padding.getRank() != 2 ||
      !agree(sizeOf(padding, 0), {conv.spatial(), conv.spatial()}) ||
      !agree(sizeOf(padding, 1), {2, 2}))
    return broken(*this, "C4")
           << "padding must have the shape [" << conv.spatial()
           << ", 2], but has " << listed(padding.getShape());
  conv.padding.assign(std::max<int64_t>(conv.spatial(), 0),
                      {kUnknown, kUnknown});
  return check(conv);
}

}  // namespace indexical::stablehlo
