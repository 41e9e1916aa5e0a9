// The scalar functions of elementwise ops: they compute an element of the
// result from the elements that the maps give for it.
//
//   stablehlo.compare LT, %a, %b      1 where a < b, of one element of each
//   stablehlo.maximum %a, %b          the larger; NaN where either is NaN
//
// Floats are computed in double and rounded to the result's format by the
// caller; integers are those of tests/support/integer_arithmetic.h.
#ifndef INDEXICAL_TESTS_IMPORT_STABLEHLO_SCALAR_FUNCTIONS_H
#define INDEXICAL_TESTS_IMPORT_STABLEHLO_SCALAR_FUNCTIONS_H

#include <functional>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "mlir/IR/Operation.h"

#include "tests/import/stablehlo/values.h"

namespace indexical::testing {

/// An elementwise op, for one element of its result.
struct ScalarCall {
  mlir::Operation *op;
  llvm::ArrayRef<Scalar> operands;
  llvm::ArrayRef<ElementKind> kinds;  ///< of the operands
  const ElementKind &result;
};

using ScalarFunction = std::function<Scalar(const ScalarCall &)>;

/// Returns the function of the op, or null if the op is not elementwise or not
/// known here.
ScalarFunction scalarFunctionOf(mlir::Operation *op);

/// Returns whether a float of the result is that of an operand, but for its
/// sign: select, convert to a format that holds it, negate…. Other ops round.
bool movesFloats(mlir::Operation *op);

// Functions that <cmath> lacks.
double digamma(double x);
double inverseErf(double x);
/// exp(-|x|) times the modified Bessel function of order 1.
double scaledBesselI1(double x);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_IMPORT_STABLEHLO_SCALAR_FUNCTIONS_H
