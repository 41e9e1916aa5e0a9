// dot_general, convolution and the older products: precision, types and scales
// of quantized types. Shapes and attributes are their families'
// (ops/products/).
#include "indexical/import/stablehlo/dialect/contraction.h"
#include "indexical/import/stablehlo/dialect/quantization.h"
#include "indexical/import/stablehlo/dialect/rules.h"
#include "indexical/import/stablehlo/dialect/verify.h"

namespace indexical::stablehlo {

using mlir::failed;
using mlir::failure;
using mlir::success;

//===-- dot ---------------------------------------------------------------===//

namespace {

LogicalResult twoPrecisions(Operation *op, llvm::StringRef constraint,
                            mlir::ArrayAttr precisions) {
  // Older tools write one for both, which is a warning (import/let_pass.h).
  if (!precisions || precisions.size() <= 2) return success();
  return broken(op, constraint)
         << "precision_config must have a precision for lhs and one for rhs, "
            "but has "
         << precisions.size();
}

}  // namespace

LogicalResult DotGeneralOp::verify() {
  RankedTensorType lhs = getLhs().getType(), rhs = getRhs().getType();
  llvm::SmallVector<int64_t> rhsContracting(
      getDotDimensionNumbers().getRhsContractingDimensions());
  // Compilers write products of f32 and bf16, so that C13 is a warning
  // (import/let_pass.h).
  if (failed(keepsRules(*this, rows::describeDotGeneral)) ||
      failed(twoPrecisions(*this, "C11", getPrecisionConfigAttr())) ||
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
  if (failed(keepsUnnumberedRules(*this, rows::describeDot))) return failure();
  return twoPrecisions(*this, "", getPrecisionConfigAttr());
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

// C29, C30: scales lie along the output features.
LogicalResult checkScales(Operation *op, ConvDimensionNumbersAttr numbers) {
  struct Scale {
    llvm::StringRef constraint, name;
    RankedTensorType type;
    int64_t dimension;
  };
  for (const Scale &side :
       {Scale{"C29", "rhs", tensorType(op->getOperand(1)),
              numbers.getKernelOutputFeatureDimension()},
        Scale{"C30", "the result", tensorType(op->getResult(0)),
              numbers.getOutputFeatureDimension()}}) {
    auto axis = perAxis(side.type);
    if (axis && axis.getQuantizedDimension() != side.dimension)
      return broken(op, side.constraint)
             << "the scales of " << side.name
             << " must lie along its output features, dimension "
             << side.dimension << ", but lie along dimension "
             << axis.getQuantizedDimension();
  }
  return success();
}

// Both convolutions; an operand of one of them says the padding.
LogicalResult checkConvolution(Operation *op, ConvDimensionNumbersAttr numbers,
                               mlir::ArrayAttr precisions) {
  auto convolution = rows::convolutionOf(op, ruleShapes(op));
  if (!convolution.ok()) return keepsRules(op, convolution.status());
  if (failed(keepsRules(op, Op(*std::move(convolution)))) ||
      failed(twoPrecisions(op, "C24", precisions)))
    return failure();
  RankedTensorType lhs = tensorType(op->getOperand(0));
  RankedTensorType rhs = tensorType(op->getOperand(1));
  if (failed(checkProduct(op, {"C27", "C28", "C31", "C32", "C33", "C34"}, lhs,
                          rhs, tensorType(op->getResult(0)))))
    return failure();
  return checkScales(op, numbers);
}

}  // namespace

LogicalResult ConvolutionOp::verify() {
  return checkConvolution(*this, getDimensionNumbers(),
                          getPrecisionConfigAttr());
}

LogicalResult DynamicConvOp::verify() {
  return checkConvolution(*this, getDimensionNumbers(),
                          getPrecisionConfigAttr());
}

}  // namespace indexical::stablehlo
