// scatter: C1–C5, C7–C22 and the shapes of C24 are its family's
// (ops/indexed/scatter.cc). Element types and the body are here.
#include "indexical/import/stablehlo/dialect/movement.h"
#include "indexical/import/stablehlo/dialect/rules.h"
#include "indexical/import/stablehlo/dialect/verify.h"

namespace indexical::stablehlo {

using mlir::failed;
using mlir::failure;
using mlir::success;

LogicalResult ScatterOp::verify() {
  if (failed(keepsRules(*this, rows::describeScatter))) return failure();
  auto inputs = getInputs(), updates = getUpdates();
  for (size_t i = 0; i < inputs.size(); ++i)
    if (failed(sameElements(*this, "C6", "inputs[" + std::to_string(i) + "]",
                            tensorType(inputs[i]),
                            "updates[" + std::to_string(i) + "]",
                            tensorType(updates[i]))))
      return failure();
  llvm::SmallVector<mlir::Type> elements;
  if (failed(isReduction(*this, "C23", "update_computation",
                         getUpdateComputation(), inputs.getTypes(), {},
                         elements)))
    return failure();
  for (auto [i, element] : llvm::enumerate(elements))
    if (!elementsAgree(getResults()[i].getType(), element))
      return broken(*this, "C25")
             << "results[" << i << "] must have the element type " << element
             << " that update_computation returns, but has "
             << tensorType(getResults()[i]).getElementType();
  return success();
}

}  // namespace indexical::stablehlo
