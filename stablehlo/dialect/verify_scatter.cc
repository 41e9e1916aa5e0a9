// The numbered constraints of scatter.
#include "indexical/stablehlo/dialect/movement.h"
#include "indexical/stablehlo/dialect/verify.h"

namespace indexical::stablehlo {

using mlir::failed;
using mlir::failure;
using mlir::success;

namespace {

// C1, C3, C5, C6: inputs and updates belong together.
LogicalResult checkOperands(ScatterOp op) {
  int64_t operands = op->getNumOperands();
  if (operands < 3 || operands % 2 == 0)
    return broken(op, "C5")
           << "there must be as many updates as inputs, N > 0 of each, with "
              "scatter_indices between them: 2 * N + 1 operands, not "
           << operands;
  auto inputs = op.getInputs(), updates = op.getUpdates();
  for (size_t i = 0; i < inputs.size(); ++i) {
    std::string input = "inputs[" + std::to_string(i) + "]";
    std::string update = "updates[" + std::to_string(i) + "]";
    if (failed(sameShape(op, "C1", "inputs[0]", tensorType(inputs[0]), input,
                         tensorType(inputs[i]))) ||
        failed(sameShape(op, "C3", "updates[0]", tensorType(updates[0]), update,
                         tensorType(updates[i]))) ||
        failed(sameElements(op, "C6", input, tensorType(inputs[i]), update,
                            tensorType(updates[i]))))
      return failure();
  }
  return success();
}

// C2, C7–C17, C20–C22: the lists of dimensions.
LogicalResult checkLists(ScatterOp op) {
  ScatterDimensionNumbersAttr numbers = op.getScatterDimensionNumbers();
  int64_t inputRank = tensorType(op.getInputs()[0]).getRank();
  int64_t updateRank = tensorType(op.getUpdates()[0]).getRank();
  int64_t indicesRank = tensorType(op.getScatterIndices()).getRank();
  Numbers window = numbers.getUpdateWindowDims();
  Numbers inserted = numbers.getInsertedWindowDims();
  Numbers batching = numbers.getInputBatchingDims();
  Numbers indicesBatching = numbers.getScatterIndicesBatchingDims();
  Numbers map = numbers.getScatterDimsToOperandDims();
  int64_t vector = numbers.getIndexVectorDim();
  int64_t all = window.size() + inserted.size() + batching.size();
  if (inputRank != all)
    return broken(op, "C2")
           << "rank(inputs[0]) must be the size of update_window_dims, "
              "inserted_window_dims and input_batching_dims together, "
           << window.size() << " + " << inserted.size() << " + "
           << batching.size() << " = " << all << ", but is " << inputRank;
  llvm::SmallVector<int64_t> removed(inserted), mapped(map);
  removed.append(batching.begin(), batching.end());
  mapped.append(batching.begin(), batching.end());
  if (failed(isUnique(op, "C7", "update_window_dims", window)) ||
      failed(isSorted(op, "C7", "update_window_dims", window)) ||
      failed(inRange(op, "C8", "update_window_dims", window, updateRank,
                     "rank(updates[0])")) ||
      failed(isUnique(op, "C9", "inserted_window_dims with input_batching_dims",
                      removed)) ||
      failed(isSorted(op, "C10", "inserted_window_dims", inserted)) ||
      failed(inRange(op, "C11", "inserted_window_dims", inserted, inputRank,
                     "rank(inputs[0])")) ||
      failed(isSorted(op, "C12", "input_batching_dims", batching)) ||
      failed(inRange(op, "C13", "input_batching_dims", batching, inputRank,
                     "rank(inputs[0])")) ||
      failed(isUnique(op, "C14", "scatter_indices_batching_dims",
                      indicesBatching)) ||
      failed(inRange(op, "C15", "scatter_indices_batching_dims",
                     indicesBatching, indicesRank, "rank(scatter_indices)")))
    return failure();
  if (llvm::is_contained(indicesBatching, vector))
    return broken(op, "C16") << "scatter_indices_batching_dims must not hold "
                                "index_vector_dim, but "
                             << listed(indicesBatching) << " has " << vector;
  if (batching.size() != indicesBatching.size())
    return broken(op, "C17")
           << "input_batching_dims and scatter_indices_batching_dims must have "
              "the same size, but are "
           << listed(batching) << " and " << listed(indicesBatching);
  if (failed(isUnique(op, "C20",
                      "scatter_dims_to_operand_dims with input_batching_dims",
                      mapped)) ||
      failed(inRange(op, "C21", "scatter_dims_to_operand_dims", map, inputRank,
                     "rank(inputs[0])")))
    return failure();
  if (vector < 0 || vector > indicesRank)
    return broken(op, "C22")
           << "index_vector_dim must be in [0, " << indicesRank
           << "], the rank of scatter_indices, but is " << vector;
  return success();
}

// C18, C19: sizes of the indices.
LogicalResult checkIndices(ScatterOp op) {
  ScatterDimensionNumbersAttr numbers = op.getScatterDimensionNumbers();
  RankedTensorType input = tensorType(op.getInputs()[0]);
  RankedTensorType indices = tensorType(op.getScatterIndices());
  for (auto [d, e] : llvm::zip(numbers.getInputBatchingDims(),
                               numbers.getScatterIndicesBatchingDims()))
    if (!agree(sizeOf(input, d), sizeOf(indices, e)))
      return broken(op, "C18")
             << "batching dimensions must have the same size, but dimension "
             << d << " of inputs[0] has " << input.getDimSize(d)
             << " and dimension " << e << " of scatter_indices has "
             << indices.getDimSize(e);
  int64_t vector = numbers.getIndexVectorDim();
  int64_t mapped = numbers.getScatterDimsToOperandDims().size();
  Size components =
      vector < indices.getRank() ? sizeOf(indices, vector) : Size{1, 1};
  if (!agree(components, {mapped, mapped}))
    return broken(op, "C19")
           << "scatter_dims_to_operand_dims must have as many entries as an "
              "index vector, "
           << components.value << ", but "
           << listed(numbers.getScatterDimsToOperandDims()) << " has "
           << mapped;
  return success();
}

// C4: an update has the batch sizes of the indices and a window of the input.
LogicalResult checkUpdates(ScatterOp op) {
  ScatterDimensionNumbersAttr numbers = op.getScatterDimensionNumbers();
  RankedTensorType input = tensorType(op.getInputs()[0]);
  RankedTensorType indices = tensorType(op.getScatterIndices());
  RankedTensorType update = tensorType(op.getUpdates()[0]);
  llvm::SmallVector<Size> batch, window;
  for (int64_t d = 0; d < indices.getRank(); ++d)
    if (d != numbers.getIndexVectorDim()) batch.push_back(sizeOf(indices, d));
  for (int64_t d = 0; d < input.getRank(); ++d)
    if (!llvm::is_contained(numbers.getInsertedWindowDims(), d) &&
        !llvm::is_contained(numbers.getInputBatchingDims(), d))
      window.push_back(sizeOf(input, d));
  if (update.getRank() != static_cast<int64_t>(batch.size() + window.size()))
    return broken(op, "C4")
           << "rank(updates[0]) must be " << batch.size() + window.size()
           << ", the dimensions of scatter_indices without index_vector_dim "
              "and "
              "those of update_window_dims, but is "
           << update.getRank();
  size_t nextBatch = 0, nextWindow = 0;
  for (int64_t d = 0; d < update.getRank(); ++d) {
    Size size = sizeOf(update, d);
    if (llvm::is_contained(numbers.getUpdateWindowDims(), d)) {
      Size most = window[nextWindow++];
      if (!size.known() || most.bound == kUnknown || size.value <= most.bound)
        continue;
      return broken(op, "C4")
             << "dimension " << d
             << " of updates[0] is a window and must be at most " << most.bound
             << ", the size of inputs[0], but is " << size.value;
    }
    Size expected = batch[nextBatch++];
    if (agree(size, expected)) continue;
    return broken(op, "C4")
           << "dimension " << d << " of updates[0] must be "
           << listed(expected.value) << ", the size of scatter_indices, but is "
           << listed(size.value);
  }
  return success();
}

// C23–C25: the body, and the results that it makes.
LogicalResult checkResults(ScatterOp op) {
  llvm::SmallVector<mlir::Type> elements;
  if (failed(isReduction(op, "C23", "update_computation",
                         op.getUpdateComputation(), op.getInputs().getTypes(),
                         {}, elements)))
    return failure();
  if (op.getResults().size() != op.getInputs().size())
    return broken(op, "C24")
           << "there must be a result for each of the " << op.getInputs().size()
           << " inputs, not " << op.getResults().size();
  for (size_t i = 0; i < elements.size(); ++i) {
    RankedTensorType result = tensorType(op.getResults()[i]);
    std::string name = std::to_string(i) + "]";
    if (failed(sameShape(op, "C24", "inputs[" + name,
                         tensorType(op.getInputs()[i]), "results[" + name,
                         result)))
      return failure();
    if (!elementsAgree(result, elements[i]))
      return broken(op, "C25")
             << "results[" << i << "] must have the element type "
             << elements[i] << " that update_computation returns, but has "
             << result.getElementType();
  }
  return success();
}

}  // namespace

LogicalResult ScatterOp::verify() {
  if (failed(checkOperands(*this)) || failed(checkLists(*this)) ||
      failed(checkIndices(*this)) || failed(checkUpdates(*this)))
    return failure();
  return checkResults(*this);
}

}  // namespace indexical::stablehlo
