// What the specification asks of quantized element types, where an op computes
// with them or moves the dimension along which the scales lie.
//
//   %r = stablehlo.dot_general %a, %b …
//     : (tensor<2x3x!quant.uniform<i8:f32, 1.0>>,
//        tensor<3x4x!quant.uniform<i4:f32, 1.0>>) -> …
//   C17: lhs and rhs must have the same storage type, but have i8 and i4
//
// Scales lie along a dimension in types such as !quant.uniform<i8:f32:1, {…}>:
// there is one for each index of dimension 1.
#ifndef INDEXICAL_STABLEHLO_DIALECT_QUANTIZATION_H
#define INDEXICAL_STABLEHLO_DIALECT_QUANTIZATION_H

#include <optional>

#include "mlir/Dialect/Quant/IR/QuantTypes.h"

#include "indexical/stablehlo/dialect/verify.h"

namespace indexical::stablehlo {

/// The numbers of the constraints of a product.
struct ProductConstraints {
  llvm::StringLiteral equal;      ///< none is quantized: one type; "": any
  llvm::StringLiteral quantized;  ///< which of them are, together
  llvm::StringLiteral storage, expressed;
  llvm::StringLiteral perTensor;  ///< of rhs, so of the result
  llvm::StringLiteral hybrid;     ///< rhs alone is quantized
};

/// The element types of `op`, which has operands lhs and rhs.
LogicalResult checkProduct(Operation *op, const ProductConstraints &constraints,
                           RankedTensorType lhs, RankedTensorType rhs,
                           RankedTensorType result);

/// The type of elements that have scales along a dimension, or null.
mlir::quant::UniformQuantizedPerAxisType perAxis(RankedTensorType type);

/// Whether all zero points are that number; so where nothing is quantized.
bool hasZeroPoints(RankedTensorType type, int64_t zero);

/// The scales of the result lie along dimension `moved`, which is where the
/// operand's are; nothing: there is no such dimension.
LogicalResult scalesLieAlong(Operation *op, llvm::StringRef constraint,
                             RankedTensorType operand, RankedTensorType result,
                             std::optional<int64_t> moved);
/// C6 of the ops that broadcast: likewise, and one scale that is expanded is
/// that of every index.
LogicalResult scalesAreBroadcast(Operation *op, RankedTensorType operand,
                                 RankedTensorType result, Numbers dimensions);
/// C3 of the ops that reshape: as many elements lie before the dimension of the
/// scales, along it and behind it.
LogicalResult scalesKeepTheirPlace(Operation *op, RankedTensorType operand,
                                   RankedTensorType result);

/// C1 of the ops that broadcast, reshape and transpose: the element type stays.
/// If it has scales along a dimension, that may be another one of the result,
/// and where `scales` may differ, so may their number.
enum class ScalesMayDiffer { No, Yes };
LogicalResult keepsElements(Operation *op, RankedTensorType operand,
                            RankedTensorType result, ScalesMayDiffer scales);

/// The rules that an op has for quantized types alone, by its name: which of
/// its tensors may have scales along a dimension (I1, I2, …, as the inputs of
/// the specification are numbered, and Outputs), and what add, abs,
/// uniform_quantize and uniform_dequantize ask. All verifiers ask it, by way of
/// verifyAgreeingShapes or keepsRules.
LogicalResult keepsRulesOfScales(Operation *op);

}  // namespace indexical::stablehlo

#endif  // INDEXICAL_STABLEHLO_DIALECT_QUANTIZATION_H
