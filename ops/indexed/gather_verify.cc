// Verification of a gather. The constraints on slices, C1–C8, C10, C11 and
// C13–C19, are in indexed_slices_verify.cc. Here are those on slice_sizes, C9,
// C12, C20 and C21, and on the result, C22 and C23. dynamic_gather has the same
// rules.
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/ops/indexed/indexed_slices.h"

namespace indexical {
namespace families {
namespace {

SliceNames namesOf(const GatherOp &) {
  SliceNames names;
  names.operand = "operand";
  names.operandRank = "rank(operand)";
  names.indices = "start_indices";
  names.indicesRank = "rank(start_indices)";
  names.slicesRank = "rank(result)";
  names.windowDims = "offset_dims";
  names.collapsedDims = "collapsed_slice_dims";
  names.operandBatching = "operand_batching_dims";
  names.indicesBatching = "start_indices_batching_dims";
  names.indexMap = "start_index_map";
  names.collapsedAndBatching =
      "collapsed_slice_dims with operand_batching_dims";
  names.mapAndBatching = "start_index_map with operand_batching_dims";
  names.ranks = "C1";
  names.vectorRange = "C2";
  names.vectorSize = "C3";
  names.windowOrder = "C4";
  names.windowRange = "C5";
  names.collapsedUnique = "C6";
  names.collapsedOrder = "C7";
  names.collapsedRange = "C8";
  names.batchingOrder = "C10";
  names.batchingRange = "C11";
  names.indicesUnique = "C13";
  names.indicesRange = "C14";
  names.indicesNoVector = "C15";
  names.batchingCount = "C16";
  names.batchingSizes = "C17";
  names.mapUnique = "C18";
  names.mapRange = "C19";
  return names;
}

absl::Status checkSliceOfOne(Rule rule, Name name, const GatherOp &op,
                             llvm::ArrayRef<int64_t> dimensions) {
  for (int64_t k : dimensions)
    if (op.sliceSizes[k] > 1)
      return Broken(rule) << "slice_sizes must be at most 1 in " << name
                          << ", but is " << op.sliceSizes[k] << " in dimension "
                          << k;
  return absl::OkStatus();
}

absl::Status verifySliceSizes(const GatherOp &op) {
  const ArrayShape &operand = op.operands[0];
  INDEXICAL_RETURN_IF_ERROR(checkCount("C20", "slice_sizes", op.sliceSizes,
                                       operand.rank(), "the rank of operand"));
  absl::Status status =
      checkSliceOfOne("C9", "collapsed_slice_dims", op, op.collapsedSliceDims);
  status.Update(checkSliceOfOne("C12", "operand_batching_dims", op,
                                op.operandBatchingDims));
  for (int64_t k = 0; k < operand.rank() && status.ok(); ++k) {
    const int64_t size = op.sliceSizes[k], most = operand.dimensions[k];
    // All of a dimension in which nothing starts.
    if (size == kDynamicSize && !isFixed(operand, k) &&
        !llvm::is_contained(op.startIndexMap, k))
      continue;
    if (size < 0 || (most != kDynamicSize && size > most))
      status = Broken("C21") << "slice_sizes must be in [0, " << SizeText{most}
                             << "] in dimension " << k
                             << ", the size of operand, but is " << size;
  }
  return status;
}

/// The case of slice sizes that are an operand.
absl::Status verifyGivenSizes(const GatherOp &op) {
  if (!op.sliceSizes.empty())
    return invalid(
        "the slice sizes are given by operand 2, and once more by an "
        "attribute");
  return checkList("C20", {"operand 2, slice_sizes,", "slice_sizes"},
                   op.operands[2], op.operands[0].rank(),
                   "the rank of operand");
}

absl::Status verifyResult(const GatherOp &op) {
  const ArrayShape &indices = op.operands[1], &result = op.results[0];
  // An operand's slice sizes are compared at run time.
  const Int64s sliceSizes = op.operands.size() == 3
                                ? Int64s(op.operands[0].rank(), kDynamicSize)
                                : op.sliceSizes;
  Int64s batch, offsets, sizes;
  for (int64_t j = 0; j < indices.rank(); ++j)
    if (j != op.indexVectorDim) batch.push_back(j);
  for (int64_t k = 0; k < op.operands[0].rank(); ++k)
    if (!llvm::is_contained(op.collapsedSliceDims, k) &&
        !llvm::is_contained(op.operandBatchingDims, k))
      offsets.push_back(sliceSizes[k]);
  const int64_t rank = batch.size() + offsets.size();
  bool agree = result.rank() == rank;
  size_t nextBatch = 0, nextOffset = 0;
  for (int64_t j = 0; j < rank; ++j) {
    const bool isOffset =
        nextBatch == batch.size() ||
        (nextOffset < offsets.size() && llvm::is_contained(op.offsetDims, j));
    if (isOffset) {
      sizes.push_back(offsets[nextOffset++]);
      agree = agree && canHaveSize(result, j, sizes.back());
      continue;
    }
    const int64_t of = batch[nextBatch++];
    sizes.push_back(fixedSize(indices, of));
    agree = agree && canAgree(result, j, indices, of);
  }
  if (agree) return absl::OkStatus();
  return Broken("C22") << "shape(result) must be " << sizes
                       << ", the batch sizes of start_indices with slice_sizes "
                          "at offset_dims, but is "
                       << result;
}

}  // namespace

absl::Status verify(const GatherOp &op) {
  const bool given = op.operands.size() == 3;
  INDEXICAL_RETURN_IF_ERROR(checkLeaves(op, given ? 3 : 2, 1));
  INDEXICAL_RETURN_IF_ERROR(verifyNumbers(numbersOf(op), namesOf(op)));
  INDEXICAL_RETURN_IF_ERROR(verifyIndices(numbersOf(op), namesOf(op)));
  INDEXICAL_RETURN_IF_ERROR(given ? verifyGivenSizes(op)
                                  : verifySliceSizes(op));
  INDEXICAL_RETURN_IF_ERROR(verifyResult(op));
  // The dialect of StableHLO compares types itself: it knows quantized ones.
  if (op.operands[0].type == op.results[0].type) return absl::OkStatus();
  return Broken("C23") << "operand and result must have the same element type, "
                          "but are "
                       << op.operands[0] << " and " << op.results[0];
}

}  // namespace families
}  // namespace indexical
