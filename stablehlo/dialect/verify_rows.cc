// The ops on whole rows: linear algebra, transforms, statistics, random
// numbers. The rules of linear algebra are the families' (ops/algorithms/).
#include "indexical/stablehlo/dialect/reduction.h"
#include "indexical/stablehlo/dialect/rules.h"
#include "indexical/stablehlo/dialect/verify.h"

namespace indexical::stablehlo {

using mlir::failed;
using mlir::failure;
using mlir::success;

LogicalResult CholeskyOp::verify() {
  if (failed(sameElements(*this, "C1", "a", getA().getType(), "result",
                          getType())))
    return failure();
  return keepsRules(*this, rows::describeCholesky);
}

LogicalResult TriangularSolveOp::verify() {
  RankedTensorType b = getB().getType();
  if (failed(sameElements(*this, "C1", "a", getA().getType(), "b", b)) ||
      failed(sameElements(*this, "C4", "b", b, "result", getType())))
    return failure();
  if (getTransposeA() == Transpose::TRANSPOSE_INVALID)
    return broken(*this, "") << "transpose_a must be NO_TRANSPOSE, TRANSPOSE "
                                "or ADJOINT, not TRANSPOSE_INVALID";
  return keepsRules(*this, rows::describeTriangularSolve);
}

LogicalResult FftOp::verify() {
  RankedTensorType operand = getOperand().getType(), result = getType();
  llvm::SmallVector<int64_t> length = getFftLength();
  int64_t count = length.size(), rank = operand.getRank();
  if (count < 1 || count > 3 || count > rank)
    return broken(*this, "")
           << "fft_length must have 1 to 3 entries and at most the rank of "
              "operand, "
           << rank << ", but is " << listed(length);
  if (failed(atLeast(*this, "", "fft_length", length, 0))) return failure();
  bool toHalf = getFftType() == FftType::RFFT;
  bool fromHalf = getFftType() == FftType::IRFFT;
  // The last dimension of the complex side of a real transform is its half.
  llvm::SmallVector<int64_t> from(operand.getShape()), to(operand.getShape());
  for (int64_t i = 0; i < count; ++i)
    from[rank - count + i] = to[rank - count + i] = length[i];
  if (toHalf) to.back() = length.back() == 0 ? 0 : length.back() / 2 + 1;
  if (fromHalf) from.back() = length.back() == 0 ? 0 : length.back() / 2 + 1;
  if (failed(shapeIs(*this, "", "operand", operand, from,
                     "fft_length in the last dimensions")))
    return failure();
  return shapeIs(*this, "", "result", result, to,
                 "fft_length in the last dimensions");
}

namespace {

LogicalResult sameElementsAs(Operation *op, llvm::StringRef name,
                             mlir::Value value) {
  return sameElements(op, "", "operand", tensorType(op->getOperand(0)), name,
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
    if (failed(sameElements(*this, "C1", name, tensorType(value), "result",
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
  if (failed(sameElements(*this, "C1", "initial_state", before, "output_state",
                          after)) ||
      failed(saysItsSizes(*this, "output", getOutput().getType())))
    return failure();
  return sameShape(*this, "C1", "initial_state", before, "output_state", after);
}

}  // namespace indexical::stablehlo
