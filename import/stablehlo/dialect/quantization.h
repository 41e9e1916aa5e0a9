// Constraints of the specification on quantized element types, for ops that
// compute with them or move the dimension along which the scales lie.
//
//   %r = stablehlo.dot_general %a, %b …
//     : (tensor<2x3x!quant.uniform<i8:f32, 1.0>>,
//        tensor<3x4x!quant.uniform<i4:f32, 1.0>>) -> …
//   C17: lhs and rhs must have the same storage type, but have i8 and i4
//
// Scales lie along a dimension in types such as !quant.uniform<i8:f32:1, {…}>:
// there is one for each index of dimension 1.
#ifndef INDEXICAL_IMPORT_STABLEHLO_DIALECT_QUANTIZATION_H
#define INDEXICAL_IMPORT_STABLEHLO_DIALECT_QUANTIZATION_H

#include <optional>

#include "mlir/Dialect/Quant/IR/QuantTypes.h"

#include "indexical/import/stablehlo/dialect/verify.h"

namespace indexical::stablehlo {

/// The numbers of a product's constraints on element types.
struct ProductConstraints {
  llvm::StringLiteral equal;      ///< one type if none is quantized; "": any
  llvm::StringLiteral quantized;  ///< which of the types are quantized together
  llvm::StringLiteral storage, expressed;
  llvm::StringLiteral perTensor;  ///< rhs has one scale, so the result has too
  llvm::StringLiteral hybrid;     ///< only rhs is quantized
};

/// Verifies the element types of `op`, which has operands lhs and rhs.
LogicalResult checkProduct(Operation *op, const ProductConstraints &constraints,
                           RankedTensorType lhs, RankedTensorType rhs,
                           RankedTensorType result);

/// Returns the element type if it has scales along a dimension, or null.
mlir::quant::UniformQuantizedPerAxisType perAxis(RankedTensorType type);

/// Returns whether all zero points are `zero`. True also if the type is not
/// quantized.
bool hasZeroPoints(RankedTensorType type, int64_t zero);

/// Verifies that the scales of the result lie along dimension `moved`, to which
/// the op moves the dimension of the operand's scales. Without `moved` the op
/// drops that dimension, and this is an error. Succeeds if operand or result
/// has no scales along a dimension.
LogicalResult scalesLieAlong(Operation *op, llvm::StringRef constraint,
                             RankedTensorType operand, RankedTensorType result,
                             std::optional<int64_t> moved);
/// Verifies C6 of the ops that broadcast: the scales of the result lie along
/// the dimension to which the op moves that of the operand's scales, and if
/// that is expanded from size 1, each index of the result has the one scale of
/// the operand.
LogicalResult scalesAreBroadcast(Operation *op, RankedTensorType operand,
                                 RankedTensorType result, Numbers dimensions);
/// Verifies C3 of the ops that reshape: as many elements lie before the
/// dimension of the scales, along it and behind it in the result as in the
/// operand.
LogicalResult scalesKeepTheirPlace(Operation *op, RankedTensorType operand,
                                   RankedTensorType result);

/// Verifies C1 of the ops that broadcast, reshape and transpose: operand and
/// result have the same element type. Scales along a dimension may lie along
/// another dimension of the result; they may differ in number and value if
/// `scales` says so.
enum class ScalesMayDiffer { No, Yes };
LogicalResult keepsElements(Operation *op, RankedTensorType operand,
                            RankedTensorType result, ScalesMayDiffer scales);

/// Verifies the rules that an op has for quantized types alone. They are found
/// by the op's name: which of its tensors may have scales along a dimension
/// (I1, I2, …, as the specification numbers the inputs, and Outputs), and the
/// constraints of add, abs, uniform_quantize and uniform_dequantize. All
/// verifiers call it, through verifyAgreeingShapes or keepsRules.
LogicalResult keepsRulesOfScales(Operation *op);

}  // namespace indexical::stablehlo

#endif  // INDEXICAL_IMPORT_STABLEHLO_DIALECT_QUANTIZATION_H
