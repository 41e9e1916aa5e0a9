// One element of an elementwise op: the ops of `arith` and `math` that compute
// it from one element of each operand.
//
//   stablehlo.add %a, %b : tensor<4xi32>      arith.addi %x, %y : i32
//   stablehlo.maximum … : tensor<4xui8>       arith.maxui %x, %y : i8
//   arith.addf %a, %b : tensor<4xf32>         arith.addf %x, %y : f32
//
// Scalars have no sign; the types of the op say how they are read. If `arith`
// leaves a result undefined, it is that of XLA: x / 0 is -1 (unsigned, the
// greatest integer), x rem 0 is x, the least integer by -1 is itself, a
// shift by the width or more gives 0 (or the sign), a float that an integer
// type does not contain becomes the nearest integer, and NaN becomes 0.
//
// Law (tests/import/stablehlo/lower/lower_random_test.cc): compiled and run, an
// element is that of tests/import/stablehlo/scalar_functions.h.
#ifndef INDEXICAL_IMPORT_STABLEHLO_LOWER_SCALAR_OPS_H
#define INDEXICAL_IMPORT_STABLEHLO_LOWER_SCALAR_OPS_H

#include "absl/status/statusor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/ValueRange.h"

namespace indexical {

/// Returns the type of an element as a scalar; integers have no sign. Returns
/// an error if it is not an integer, index or float.
absl::StatusOr<mlir::Type> scalarType(mlir::Type elementType);

/// Returns the element type of a tensor, or the type itself.
mlir::Type elementOf(mlir::Type type);

/// Returns whether integers of the type are read without a sign: `ui8`, and
/// `i1`.
bool isUnsignedElement(mlir::Type elementType);

/// Returns whether the op is elementwise and computed here.
bool isScalarOp(mlir::Operation *op);

/// Returns the element of the op's result, computed from an element of each
/// operand. Returns an error without a place for types that are not lowered.
/// Requires isScalarOp.
absl::StatusOr<mlir::Value> emitScalar(mlir::ImplicitLocOpBuilder &b,
                                       mlir::Operation *op,
                                       mlir::ValueRange operands);

/// Returns `value`, an element of type `from`, as one of type `to`
/// (stablehlo.convert).
absl::StatusOr<mlir::Value> emitConvert(mlir::ImplicitLocOpBuilder &b,
                                        mlir::Value value, mlir::Type from,
                                        mlir::Type to);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_LOWER_SCALAR_OPS_H
