// The constraints of elementwise ops beyond what their traits say.
#include "indexical/import/stablehlo/dialect/elementwise.h"
#include "indexical/import/stablehlo/dialect/quantization.h"
#include "indexical/import/stablehlo/dialect/verify.h"

namespace indexical::stablehlo {

using mlir::failed;
using mlir::failure;
using mlir::success;

LogicalResult SelectOp::verify() {
  if (failed(keepsRulesOfScales(*this))) return failure();
  RankedTensorType pred = getPred().getType(), result = getType();
  if (pred.getRank() != 0 &&
      failed(sameShape(*this, "C1", "pred", pred, "on_true",
                       getOnTrue().getType())))
    return failure();
  for (auto [name, value] :
       {std::pair<llvm::StringRef, mlir::Value>{"on_true", getOnTrue()},
        {"on_false", getOnFalse()}})
    if (failed(sameBaselines(*this, "C2", name, tensorType(value), "result",
                             result)) ||
        failed(
            sameShape(*this, "C2", name, tensorType(value), "result", result)))
      return failure();
  return success();
}

LogicalResult CompareOp::verify() {
  return sameBaselines(*this, "C1", "lhs", getLhs().getType(), "rhs",
                       getRhs().getType());
}

LogicalResult ClampOp::verify() {
  RankedTensorType operand = getOperand().getType();
  RankedTensorType min = getMin().getType(), max = getMax().getType();
  if (failed(keepsRulesOfScales(*this))) return failure();
  if (min.getRank() != 0 &&
      failed(sameShape(*this, "C1", "min", min, "operand", operand)))
    return failure();
  if (max.getRank() != 0 &&
      failed(sameShape(*this, "C2", "max", max, "operand", operand)))
    return failure();
  if (failed(sameBaselines(*this, "C3", "min", min, "operand", operand)) ||
      failed(sameBaselines(*this, "C3", "max", max, "operand", operand)) ||
      failed(
          sameBaselines(*this, "C4", "operand", operand, "result", getType())))
    return failure();
  return sameShape(*this, "C4", "operand", operand, "result", getType());
}

}  // namespace indexical::stablehlo
