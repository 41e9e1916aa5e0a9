// What makes a gather valid: of slices (indexed_slices_verify.cc) and
// slice_sizes.
#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/indexed/indexed_slices.h"

namespace indexical {
namespace families {
namespace {

SliceNames namesOf(const GatherOp &) {
  SliceNames names;
  names.operand = "the operand";
  names.indices = "start indices";
  names.windowDims = "offset_dims";
  names.collapsedDims = "collapsed_slice_dims";
  names.operandBatching = "operand_batching_dims";
  names.indicesBatching = "start_indices_batching_dims";
  names.indexMap = "start_index_map";
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

absl::Status checkSliceOfOne(llvm::StringRef number, llvm::StringRef name,
                             const GatherOp &op,
                             llvm::ArrayRef<int64_t> dimensions) {
  for (int64_t k : dimensions)
    if (op.sliceSizes[k] > 1)
      return violates(
          number,
          absl::StrCat("slice_sizes ", textOf(op.sliceSizes), ": ", name.str(),
                       " contains ", k, ", whose slice ",
                       "size would be at most 1, not ", op.sliceSizes[k]));
  return absl::OkStatus();
}

absl::Status verifySliceSizes(const GatherOp &op) {
  const ArrayShape &operand = op.operands[0];
  if (static_cast<int64_t>(op.sliceSizes.size()) != operand.rank())
    return violates(
        "C20", absl::StrCat("slice_sizes ", textOf(op.sliceSizes),
                            " would have ", counted(operand.rank(), "value"),
                            ", one a dimension of the operand"));
  absl::Status status =
      checkSliceOfOne("C9", "collapsed_slice_dims", op, op.collapsedSliceDims);
  status.Update(checkSliceOfOne("C12", "operand_batching_dims", op,
                                op.operandBatchingDims));
  for (int64_t k = 0; k < operand.rank(); ++k)
    if (op.sliceSizes[k] < 0 || (operand.dimensions[k] != kDynamicSize &&
                                 op.sliceSizes[k] > operand.dimensions[k]))
      status.Update(violates(
          "C21",
          absl::StrCat("slice_sizes ", textOf(op.sliceSizes), ": ",
                       op.sliceSizes[k], " is not in [0, size] of dimension ",
                       k, " of ", textOf(operand))));
  return status;
}

/// The case of slice sizes that are an operand.
absl::Status verifyGivenSizes(const GatherOp &op) {
  if (op.sliceSizes.empty())
    return checkList("operand 2, the slice sizes,", op.operands[2],
                     op.operands[0].rank());
  return invalid(
      "the slice sizes are given by operand 2, and once more by an "
      "attribute");
}

absl::Status verifyResult(const GatherOp &op) {
  const ArrayShape &indices = op.operands[1], &result = op.results[0];
  const int64_t batchRank =
      indices.rank() - (op.indexVectorDim < indices.rank() ? 1 : 0);
  Int64s batchSizes, offsetSizes, sizes;
  // An operand's slice sizes are compared at run time.
  const Int64s sliceSizes = op.operands.size() == 3
                                ? Int64s(op.operands[0].rank(), kDynamicSize)
                                : op.sliceSizes;
  for (int64_t j = 0; j < indices.rank(); ++j)
    if (j != op.indexVectorDim)
      batchSizes.push_back(isFixed(indices, j) ? indices.dimensions[j]
                                               : kDynamicSize);
  for (int64_t k = 0; k < op.operands[0].rank(); ++k)
    if (!llvm::is_contained(op.collapsedSliceDims, k) &&
        !llvm::is_contained(op.operandBatchingDims, k))
      offsetSizes.push_back(sliceSizes[k]);
  const int64_t rank = batchRank + offsetSizes.size();
  if (result.rank() != rank)
    return violates(
        "C22", absl::StrCat("the result ", textOf(result), " would have rank ",
                            rank, ": ", batchRank, " of the batch and ",
                            offsetSizes.size(), " of offsets"));
  size_t nextBatch = 0, nextOffset = 0;
  for (int64_t j = 0; j < rank; ++j)
    sizes.push_back(llvm::is_contained(op.offsetDims, j)
                        ? offsetSizes[nextOffset++]
                        : batchSizes[nextBatch++]);
  if (checkSizes("", result, sizes, "").ok()) return absl::OkStatus();
  return violates(
      "C22",
      absl::StrCat("the result has the shape ", textOf(result),
                   "; by the indices ", textOf(indices), ", slice_sizes ",
                   textOf(sliceSizes), " and offset_dims ",
                   textOf(op.offsetDims), " its sizes are ", textOf(sizes)));
}

}  // namespace

absl::Status verify(const GatherOp &op) {
  const bool given = op.operands.size() == 3;
  if (auto s = checkLeaves(op, given ? 3 : 2, 1); !s.ok()) return s;
  if (auto s = verifyNumbers(numbersOf(op), namesOf(op)); !s.ok()) return s;
  if (auto s = given ? verifyGivenSizes(op) : verifySliceSizes(op); !s.ok())
    return s;
  if (auto s = verifyIndices(numbersOf(op), namesOf(op)); !s.ok()) return s;
  if (auto s = verifyResult(op); !s.ok()) return s;
  if (op.operands[0].type == op.results[0].type) return absl::OkStatus();
  return violates("C23", absl::StrCat("the result ", textOf(op.results[0]),
                                      " would have the element type of the "
                                      "operand ",
                                      textOf(op.operands[0])));
}

}  // namespace families
}  // namespace indexical
