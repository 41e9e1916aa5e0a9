// One element of an elementwise op: the ops of `arith` and `math` that compute
// it from one element of each operand.
//
//   stablehlo.add %a, %b : tensor<4xi32>      arith.addi %x, %y : i32
//   stablehlo.maximum … : tensor<4xui8>       arith.maxui %x, %y : i8
//   arith.addf %a, %b : tensor<4xf32>         arith.addf %x, %y : f32
//
// Scalars have no sign; the op's own types say how they are read. What `arith`
// leaves undefined is as XLA defines it: x / 0 is -1 (of an unsigned the
// greatest), x rem 0 is x, the least integer by -1 is itself, a shift by the
// width or more gives 0 (or the sign), a float that an integer does not hold
// becomes the nearest one, and NaN 0.
//
// Law (tests/stablehlo/lower/lower_random_test.cc): compiled and run, an
// element is what tests/stablehlo/scalar_functions.h says of it.
#ifndef INDEXICAL_STABLEHLO_LOWER_SCALAR_OPS_H
#define INDEXICAL_STABLEHLO_LOWER_SCALAR_OPS_H

#include "absl/status/statusor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/ValueRange.h"

namespace indexical {

/// The type that an element has as a scalar: integers without a sign. An error
/// of what is no integer, index or float.
absl::StatusOr<mlir::Type> scalarType(mlir::Type elementType);

/// The element of a tensor, or the type itself.
mlir::Type elementOf(mlir::Type type);

/// Whether integers of the type are read without a sign: `ui8`, and `i1`.
bool isUnsignedElement(mlir::Type elementType);

/// Whether the op is elementwise and computed here.
bool isScalarOp(mlir::Operation *op);

/// The element of the op's result, of an element of each operand. An error
/// without a place of types that the op is not computed for here. Requires
/// isScalarOp.
absl::StatusOr<mlir::Value> emitScalar(mlir::ImplicitLocOpBuilder &b,
                                       mlir::Operation *op,
                                       mlir::ValueRange operands);

/// `value`, an element of type `from`, as one of type `to` (stablehlo.convert).
absl::StatusOr<mlir::Value> emitConvert(mlir::ImplicitLocOpBuilder &b,
                                        mlir::Value value, mlir::Type from,
                                        mlir::Type to);

}  // namespace indexical

#endif  // INDEXICAL_STABLEHLO_LOWER_SCALAR_OPS_H
