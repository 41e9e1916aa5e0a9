// The constraints of the ops on whole rows: linear algebra, transforms,
// statistics, random numbers.
#include "indexical/stablehlo/dialect/reduction.h"
#include "indexical/stablehlo/dialect/verify.h"

namespace indexical::stablehlo {

using mlir::failed;
using mlir::failure;
using mlir::success;

LogicalResult CholeskyOp::verify() {
  RankedTensorType a = getA().getType();
  int64_t rank = a.getRank();
  if (failed(sameElements(*this, "C1", "a", a, "result", getType())) ||
      failed(sameShape(*this, "C1", "a", a, "result", getType())))
    return failure();
  if (rank < 2)
    return broken(*this, "C2") << "a must be a matrix or several, not " << a;
  if (!agree(sizeOf(a, rank - 2), sizeOf(a, rank - 1)))
    return broken(*this, "C3")
           << "a must have as many rows as columns, but has "
           << a.getDimSize(rank - 2) << " and " << a.getDimSize(rank - 1);
  return success();
}

LogicalResult TriangularSolveOp::verify() {
  RankedTensorType a = getA().getType(), b = getB().getType();
  int64_t rank = a.getRank();
  if (failed(sameElements(*this, "C1", "a", a, "b", b))) return failure();
  if (rank < 2 || b.getRank() != rank)
    return broken(*this, "C2")
           << "a and b must have the same rank, at least 2, but are " << a
           << " and " << b;
  for (int64_t d = 0; d < rank - 2; ++d)
    if (!agree(sizeOf(a, d), sizeOf(b, d)))
      return broken(*this, "C3")
             << "a and b must have the same batch sizes, but have "
             << a.getDimSize(d) << " and " << b.getDimSize(d)
             << " in dimension " << d;
  int64_t side = getLeftSide() ? rank - 2 : rank - 1;
  if (!agree(sizeOf(a, rank - 2), sizeOf(a, rank - 1)) ||
      !agree(sizeOf(a, rank - 1), sizeOf(b, side)))
    return broken(*this, "C3") << "a must be square and of the size of b's "
                               << (getLeftSide() ? "rows" : "columns")
                               << ", but they are " << a << " and " << b;
  if (getTransposeA() == Transpose::TRANSPOSE_INVALID)
    return broken(*this, "") << "transpose_a must be NO_TRANSPOSE, TRANSPOSE "
                                "or ADJOINT, not TRANSPOSE_INVALID";
  if (failed(sameElements(*this, "C4", "b", b, "result", getType())))
    return failure();
  return sameShape(*this, "C4", "b", b, "result", getType());
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

// feature_index is a dimension, and `features` have one value for each of it.
LogicalResult checkFeatures(Operation *op, int64_t index,
                            mlir::ValueRange features) {
  RankedTensorType operand = tensorType(op->getOperand(0));
  if (failed(inRange(op, "C1", "feature_index", {index}, operand.getRank(),
                     "rank(operand)")))
    return failure();
  for (mlir::Value value : features) {
    RankedTensorType type = tensorType(value);
    if (type.getRank() == 1 && agree(sizeOf(type, 0), sizeOf(operand, index)))
      continue;
    return broken(op, "") << "statistics and scales must have one value for "
                             "each feature, "
                          << operand.getDimSize(index) << " in one dimension, "
                          << "but one of them is " << type;
  }
  return success();
}

LogicalResult sameTensors(Operation *op, llvm::StringRef name,
                          mlir::Value value) {
  RankedTensorType operand = tensorType(op->getOperand(0));
  if (failed(sameElements(op, "", "operand", operand, name, tensorType(value))))
    return failure();
  return sameShape(op, "", "operand", operand, name, tensorType(value));
}

}  // namespace

LogicalResult BatchNormGradOp::verify() {
  if (failed(checkFeatures(*this, getFeatureIndex(),
                           {getScale(), getMean(), getVariance(),
                            getGradScale(), getGradOffset()})) ||
      failed(sameTensors(*this, "grad_output", getGradOutput())))
    return failure();
  return sameTensors(*this, "grad_operand", getGradOperand());
}

LogicalResult BatchNormInferenceOp::verify() {
  if (failed(
          checkFeatures(*this, getFeatureIndex(),
                        {getScale(), getOffset(), getMean(), getVariance()})))
    return failure();
  return sameTensors(*this, "result", getResult());
}

LogicalResult BatchNormTrainingOp::verify() {
  if (failed(checkFeatures(
          *this, getFeatureIndex(),
          {getScale(), getOffset(), getBatchMean(), getBatchVar()})))
    return failure();
  return sameTensors(*this, "output", getOutput());
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
                          after)))
    return failure();
  return sameShape(*this, "C1", "initial_state", before, "output_state", after);
}

}  // namespace indexical::stablehlo
