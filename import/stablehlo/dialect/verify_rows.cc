// The ops on whole rows: linear algebra, transforms, statistics, random
// numbers. The rules of linear algebra are the families' (ops/algorithms/).
#include "indexical/import/stablehlo/dialect/reduction.h"
#include "indexical/import/stablehlo/dialect/rules.h"
#include "indexical/import/stablehlo/dialect/verify.h"

namespace indexical::stablehlo {

using mlir::failed;
using mlir::failure;
using mlir::success;

LogicalResult CholeskyOp::verify() {
  if (failed(sameBaselines(*this, "C1", "a", getA().getType(), "result",
                           getType())))
    return failure();
  return keepsRules(*this, rows::describeCholesky);
}

LogicalResult TriangularSolveOp::verify() {
  RankedTensorType b = getB().getType();
  if (failed(sameBaselines(*this, "C1", "a", getA().getType(), "b", b)) ||
      failed(sameBaselines(*this, "C4", "b", b, "result", getType())))
    return failure();
  if (getTransposeA() == Transpose::TRANSPOSE_INVALID)
    return broken(*this, "") << "transpose_a must be NO_TRANSPOSE, TRANSPOSE "
                                "or ADJOINT, not TRANSPOSE_INVALID";
  return keepsRules(*this, rows::describeTriangularSolve);
}

LogicalResult FftOp::verify() { return keepsRules(*this, rows::describeFft); }

namespace {

LogicalResult sameElementsAs(Operation *op, llvm::StringRef name,
                             mlir::Value value) {
  return sameBaselines(op, "", "operand", tensorType(op->getOperand(0)), name,
                       tensorType(value));
}

}  // namespace

LogicalResult BatchNormGradOp::verify() {
  if (failed(keepsRules(*this, rows::describeBatchNormGrad)) ||
      failed(sameElementsAs(*this, "grad_output", getGradOutput())))
    return failure();
  return sameElementsAs(*this, "grad_operand", getGradOperand());
}

LogicalResult BatchNormInferenceOp::verify() {
  if (failed(keepsRules(*this, rows::describeBatchNormInference)))
    return failure();
  return sameElementsAs(*this, "result", getResult());
}

LogicalResult BatchNormTrainingOp::verify() {
  if (failed(keepsRules(*this, rows::describeBatchNormTraining)))
    return failure();
  return sameElementsAs(*this, "output", getOutput());
}

LogicalResult RngOp::verify() {
  RankedTensorType result = getType(), shape = getShape().getType();
  for (auto [name, value] :
       {std::pair<llvm::StringRef, mlir::Value>{"a", getA()}, {"b", getB()}}) {
    if (tensorType(value).getRank() != 0)
      return broken(*this, "")
             << name << " must be a tensor of rank 0, not " << value.getType();
    if (failed(sameBaselines(*this, "C1", name, tensorType(value), "result",
                             result)))
      return failure();
  }
  int64_t rank = result.getRank();
  if (shape.getRank() != 1 || !agree(sizeOf(shape, 0), {rank, rank}))
    return broken(*this, "C3")
           << "shape must have an entry for each of the " << rank
           << " dimensions of the result, but is " << shape;
  return success();
}

LogicalResult RngBitGeneratorOp::verify() {
  RankedTensorType before = getInitialState().getType();
  RankedTensorType after = getOutputState().getType();
  if (failed(sameBaselines(*this, "C1", "initial_state", before, "output_state",
                           after)) ||
      failed(saysItsSizes(*this, "output", getOutput().getType(),
                          BoundedSizes::None)))
    return failure();
  return sameShape(*this, "C1", "initial_state", before, "output_state", after);
}

}  // namespace indexical::stablehlo
