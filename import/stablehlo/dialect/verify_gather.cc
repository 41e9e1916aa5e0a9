// gather: all of its rules but C23 are its family's
// (ops/indexed/gather_verify).
#include "indexical/import/stablehlo/dialect/movement.h"
#include "indexical/import/stablehlo/dialect/rules.h"
#include "indexical/import/stablehlo/dialect/verify.h"

namespace indexical::stablehlo {

LogicalResult GatherOp::verify() {
  if (mlir::failed(keepsRules(*this, rows::describeGather)))
    return mlir::failure();
  return sameElements(*this, "C23", "operand", getOperand().getType(), "result",
                      getType());
}

}  // namespace indexical::stablehlo
