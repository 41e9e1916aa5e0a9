#include "indexical/stablehlo/dialect/gather_constraints.h"
#include "indexical/stablehlo/dialect/movement.h"
#include "indexical/stablehlo/dialect/verify.h"

namespace indexical::stablehlo {

using mlir::failed;
using mlir::failure;
using mlir::success;

namespace {

// What both ops have; unknown slice sizes are kUnknown.
struct Gather {
  Operation *op;
  RankedTensorType operand, indices, result;
  GatherDimensionNumbersAttr numbers;
  llvm::SmallVector<int64_t> sliceSizes;
};

// C1, C4–C8, C10, C11, C13–C16, C18, C19: the lists of dimensions.
LogicalResult checkLists(const Gather &gather) {
  Operation *op = gather.op;
  GatherDimensionNumbersAttr numbers = gather.numbers;
  int64_t operandRank = gather.operand.getRank();
  int64_t indicesRank = gather.indices.getRank();
  Numbers offset = numbers.getOffsetDims();
  Numbers collapsed = numbers.getCollapsedSliceDims();
  Numbers batching = numbers.getOperandBatchingDims();
  Numbers indicesBatching = numbers.getStartIndicesBatchingDims();
  Numbers map = numbers.getStartIndexMap();
  int64_t vector = numbers.getIndexVectorDim();
  int64_t all = offset.size() + collapsed.size() + batching.size();
  if (operandRank != all)
    return broken(op, "C1")
           << "rank(operand) must be the size of offset_dims, "
              "collapsed_slice_dims and operand_batching_dims together, "
           << offset.size() << " + " << collapsed.size() << " + "
           << batching.size() << " = " << all << ", but is " << operandRank;
  if (vector < 0 || vector > indicesRank)
    return broken(op, "C2")
           << "index_vector_dim must be in [0, " << indicesRank
           << "], the rank of start_indices, but is " << vector;
  llvm::SmallVector<int64_t> removed(collapsed), mapped(map);
  removed.append(batching.begin(), batching.end());
  mapped.append(batching.begin(), batching.end());
  if (failed(isUnique(op, "C4", "offset_dims", offset)) ||
      failed(isSorted(op, "C4", "offset_dims", offset)) ||
      failed(inRange(op, "C5", "offset_dims", offset, gather.result.getRank(),
                     "rank(result)")) ||
      failed(isUnique(op, "C6",
                      "collapsed_slice_dims with operand_batching_dims",
                      removed)) ||
      failed(isSorted(op, "C7", "collapsed_slice_dims", collapsed)) ||
      failed(inRange(op, "C8", "collapsed_slice_dims", collapsed, operandRank,
                     "rank(operand)")) ||
      failed(isSorted(op, "C10", "operand_batching_dims", batching)) ||
      failed(inRange(op, "C11", "operand_batching_dims", batching, operandRank,
                     "rank(operand)")) ||
      failed(isUnique(op, "C13", "start_indices_batching_dims",
                      indicesBatching)) ||
      failed(inRange(op, "C14", "start_indices_batching_dims", indicesBatching,
                     indicesRank, "rank(start_indices)")))
    return failure();
  if (llvm::is_contained(indicesBatching, vector))
    return broken(op, "C15")
           << "start_indices_batching_dims must not hold index_vector_dim, but "
           << listed(indicesBatching) << " has " << vector;
  if (batching.size() != indicesBatching.size())
    return broken(op, "C16")
           << "operand_batching_dims and start_indices_batching_dims must have "
              "the same size, but are "
           << listed(batching) << " and " << listed(indicesBatching);
  return success(
      mlir::succeeded(isUnique(
          op, "C18", "start_index_map with operand_batching_dims", mapped)) &&
      mlir::succeeded(inRange(op, "C19", "start_index_map", map, operandRank,
                              "rank(operand)")));
}

// C3, C9, C12, C17, C20, C21: sizes of operand and indices.
LogicalResult checkSizes(const Gather &gather) {
  Operation *op = gather.op;
  GatherDimensionNumbersAttr numbers = gather.numbers;
  Numbers batching = numbers.getOperandBatchingDims();
  Numbers indicesBatching = numbers.getStartIndicesBatchingDims();
  int64_t vector = numbers.getIndexVectorDim();
  int64_t mapped = numbers.getStartIndexMap().size();
  Size components = vector < gather.indices.getRank()
                        ? sizeOf(gather.indices, vector)
                        : Size{1, 1};
  if (!agree(components, {mapped, mapped}))
    return broken(op, "C3")
           << "start_index_map must have as many entries as an index vector, "
           << components.value << ", but " << listed(numbers.getStartIndexMap())
           << " has " << mapped;
  for (auto [d, e] : llvm::zip(batching, indicesBatching))
    if (!agree(sizeOf(gather.operand, d), sizeOf(gather.indices, e)))
      return broken(op, "C17")
             << "batching dimensions must have the same size, but dimension "
             << d << " of operand has " << gather.operand.getDimSize(d)
             << " and dimension " << e << " of start_indices has "
             << gather.indices.getDimSize(e);
  if (failed(hasSize(op, "C20", "slice_sizes", gather.sliceSizes,
                     gather.operand.getRank(), "the rank of operand")))
    return failure();
  auto atMostOne = [&](llvm::StringRef constraint, llvm::StringRef name,
                       Numbers dimensions) -> LogicalResult {
    for (int64_t d : dimensions)
      if (gather.sliceSizes[d] > 1)
        return broken(op, constraint)
               << "slice_sizes must be at most 1 in " << name << ", but is "
               << gather.sliceSizes[d] << " in dimension " << d;
    return success();
  };
  if (failed(atMostOne("C9", "collapsed_slice_dims",
                       numbers.getCollapsedSliceDims())) ||
      failed(atMostOne("C12", "operand_batching_dims", batching)))
    return failure();
  for (auto [d, size] : llvm::enumerate(gather.sliceSizes)) {
    int64_t most = sizeOf(gather.operand, d).bound;
    if (size == kUnknown || (size >= 0 && (most == kUnknown || size <= most)))
      continue;
    mlir::InFlightDiagnostic error = broken(op, "C21");
    error << "slice_sizes must be in [0, "
          << (most == kUnknown ? "?" : std::to_string(most))
          << "] in dimension " << d << ", the size of operand, but is " << size;
    return error;
  }
  return success();
}

// C22, C23.
LogicalResult checkResult(const Gather &gather) {
  GatherDimensionNumbersAttr numbers = gather.numbers;
  llvm::SmallVector<Size> batch, offset;
  for (int64_t d = 0; d < gather.indices.getRank(); ++d)
    if (d != numbers.getIndexVectorDim())
      batch.push_back(sizeOf(gather.indices, d));
  for (auto [d, size] : llvm::enumerate(gather.sliceSizes))
    if (!llvm::is_contained(numbers.getCollapsedSliceDims(), d) &&
        !llvm::is_contained(numbers.getOperandBatchingDims(), d))
      offset.push_back({size, size});
  llvm::SmallVector<Size> expected;
  int64_t rank = batch.size() + offset.size();
  bool same = rank == gather.result.getRank();
  size_t nextBatch = 0, nextOffset = 0;
  for (int64_t d = 0; d < rank; ++d) {
    bool isOffset = llvm::is_contained(numbers.getOffsetDims(), d);
    bool take =
        isOffset ? nextOffset < offset.size() : nextBatch >= batch.size();
    expected.push_back(take ? offset[nextOffset++] : batch[nextBatch++]);
    same = same && agree(sizeOf(gather.result, d), expected.back());
  }
  if (!same) {
    llvm::SmallVector<int64_t> sizes;
    for (Size size : expected) sizes.push_back(size.value);
    return broken(gather.op, "C22")
           << "shape(result) must be " << listed(sizes)
           << ", the batch sizes of start_indices with slice_sizes at "
              "offset_dims, but is "
           << listed(gather.result.getShape());
  }
  return sameElements(gather.op, "C23", "operand", gather.operand, "result",
                      gather.result);
}

}  // namespace

LogicalResult verifyGather(Operation *op, GatherDimensionNumbersAttr numbers,
                           Numbers sliceSizes) {
  Gather gather{op,
                tensorType(op->getOperand(0)),
                tensorType(op->getOperand(1)),
                tensorType(op->getResult(0)),
                numbers,
                llvm::SmallVector<int64_t>(sliceSizes)};
  if (failed(checkLists(gather)) || failed(checkSizes(gather)))
    return failure();
  return checkResult(gather);
}

LogicalResult GatherOp::verify() {
  return verifyGather(*this, getDimensionNumbers(), getSliceSizes());
}

}  // namespace indexical::stablehlo
