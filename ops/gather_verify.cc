// What makes a gather valid.
//
// The constraints of StableHLO's gather, with their numbers there: what is
// wrong with offset_dims={3,1} reads
//
//   offset_dims {3, 1} would be in increasing order (C4)
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "ops/family.h"

namespace indexical {
namespace families {
namespace {

absl::Status violates(llvm::StringRef number, const std::string &message) {
  return invalid(absl::StrCat(message, " (", number.str(), ")"));
}

absl::Status checkRange(llvm::StringRef number, llvm::StringRef name,
                        llvm::ArrayRef<int64_t> values, int64_t end) {
  for (int64_t value : values)
    if (value < 0 || value >= end)
      return violates(number,
                      absl::StrCat(name.str(), " ", textOf(values), ": ", value,
                                   " is not in [0, ", end, ")"));
  return absl::OkStatus();
}

absl::Status checkSorted(llvm::StringRef number, llvm::StringRef name,
                         llvm::ArrayRef<int64_t> values) {
  if (llvm::is_sorted(values)) return absl::OkStatus();
  return violates(number, absl::StrCat(name.str(), " ", textOf(values),
                                       " would be in increasing order"));
}

absl::Status checkUnique(llvm::StringRef number, llvm::StringRef name,
                         llvm::ArrayRef<int64_t> values,
                         llvm::ArrayRef<int64_t> more = {}) {
  Int64s sorted(values.begin(), values.end());
  sorted.append(more.begin(), more.end());
  llvm::sort(sorted);
  auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice == sorted.end()) return absl::OkStatus();
  return violates(number, absl::StrCat(name.str(), " ", textOf(values),
                                       more.empty() ? "" : " and ",
                                       more.empty() ? "" : textOf(more), ": ",
                                       *twice, " is there twice"));
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

// What concerns lists and ranks only; afterwards all numbers are in range.
absl::Status verifyDimensionNumbers(const GatherOp &op) {
  const int64_t operandRank = op.operands[0].rank();
  const int64_t indicesRank = op.operands[1].rank();
  absl::Status status;
  const size_t named = op.offsetDims.size() + op.collapsedSliceDims.size() +
                       op.operandBatchingDims.size();
  if (operandRank != static_cast<int64_t>(named))
    return violates(
        "C1", absl::StrCat(
                  "offset_dims ", textOf(op.offsetDims),
                  ", collapsed_slice_dims ", textOf(op.collapsedSliceDims),
                  " and operand_batching_dims ", textOf(op.operandBatchingDims),
                  " name ", counted(named, "dimension"),
                  " of the operand, whose rank is ", operandRank));
  if (op.indexVectorDim < 0 || op.indexVectorDim > indicesRank)
    return violates("C2", absl::StrCat("index_vector_dim ", op.indexVectorDim,
                                       " is not in [0, ", indicesRank, "]"));
  if (op.operandBatchingDims.size() != op.startIndicesBatchingDims.size())
    return violates(
        "C16",
        absl::StrCat("operand_batching_dims ", textOf(op.operandBatchingDims),
                     " and start_indices_batching_dims ",
                     textOf(op.startIndicesBatchingDims), " would be as many"));
  if (static_cast<int64_t>(op.sliceSizes.size()) != operandRank)
    return violates("C20",
                    absl::StrCat("slice_sizes ", textOf(op.sliceSizes),
                                 " would have ", counted(operandRank, "value"),
                                 ", one a dimension of the operand"));
  status.Update(checkUnique("C4", "offset_dims", op.offsetDims));
  status.Update(checkSorted("C4", "offset_dims", op.offsetDims));
  status.Update(
      checkRange("C5", "offset_dims", op.offsetDims, op.results[0].rank()));
  status.Update(checkUnique("C6",
                            "collapsed_slice_dims and "
                            "operand_batching_dims",
                            op.collapsedSliceDims, op.operandBatchingDims));
  status.Update(
      checkSorted("C7", "collapsed_slice_dims", op.collapsedSliceDims));
  status.Update(checkRange("C8", "collapsed_slice_dims", op.collapsedSliceDims,
                           operandRank));
  status.Update(
      checkSorted("C10", "operand_batching_dims", op.operandBatchingDims));
  status.Update(checkRange("C11", "operand_batching_dims",
                           op.operandBatchingDims, operandRank));
  status.Update(checkUnique("C13", "start_indices_batching_dims",
                            op.startIndicesBatchingDims));
  status.Update(checkRange("C14", "start_indices_batching_dims",
                           op.startIndicesBatchingDims, indicesRank));
  status.Update(checkUnique("C18", "start_index_map and operand_batching_dims",
                            op.startIndexMap, op.operandBatchingDims));
  status.Update(
      checkRange("C19", "start_index_map", op.startIndexMap, operandRank));
  if (llvm::is_contained(op.startIndicesBatchingDims, op.indexVectorDim))
    status.Update(violates(
        "C15", absl::StrCat("start_indices_batching_dims ",
                            textOf(op.startIndicesBatchingDims),
                            " contains index_vector_dim ", op.indexVectorDim)));
  return status;
}

absl::Status verifySliceSizes(const GatherOp &op) {
  const ArrayShape &operand = op.operands[0];
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

absl::Status verifyIndices(const GatherOp &op) {
  const ArrayShape &operand = op.operands[0], &indices = op.operands[1];
  if (indices.type != ElementType::Unknown && !isInteger(indices.type))
    return invalid(
        absl::StrCat("start indices ", textOf(indices), " would be integers"));
  const bool implicit = op.indexVectorDim == indices.rank();
  const int64_t components = op.startIndexMap.size();
  if (implicit ? components != 1
               : !canHaveSize(indices, op.indexVectorDim, components))
    return violates(
        "C3",
        absl::StrCat("start_index_map ", textOf(op.startIndexMap), " has ",
                     counted(components, "value"), "; an index vector of ",
                     textOf(indices), " with index_vector_dim ",
                     op.indexVectorDim, " has ",
                     implicit ? 1 : indices.dimensions[op.indexVectorDim]));
  for (size_t b = 0; b < op.operandBatchingDims.size(); ++b)
    if (!canAgree(operand, op.operandBatchingDims[b], indices,
                  op.startIndicesBatchingDims[b]))
      return violates(
          "C17",
          absl::StrCat("operand_batching_dims ", textOf(op.operandBatchingDims),
                       " and start_indices_batching_dims ",
                       textOf(op.startIndicesBatchingDims), ": dimensions ",
                       op.operandBatchingDims[b], " of ", textOf(operand),
                       " and ", op.startIndicesBatchingDims[b], " of ",
                       textOf(indices), " would have the same size"));
  return absl::OkStatus();
}

absl::Status verifyResult(const GatherOp &op) {
  const ArrayShape &indices = op.operands[1], &result = op.results[0];
  const int64_t batchRank =
      indices.rank() - (op.indexVectorDim < indices.rank() ? 1 : 0);
  Int64s batchSizes, offsetSizes, sizes;
  for (int64_t j = 0; j < indices.rank(); ++j)
    if (j != op.indexVectorDim)
      batchSizes.push_back(isFixed(indices, j) ? indices.dimensions[j]
                                               : kDynamicSize);
  for (int64_t k = 0; k < op.operands[0].rank(); ++k)
    if (!llvm::is_contained(op.collapsedSliceDims, k) &&
        !llvm::is_contained(op.operandBatchingDims, k))
      offsetSizes.push_back(op.sliceSizes[k]);
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
                   textOf(op.sliceSizes), " and offset_dims ",
                   textOf(op.offsetDims), " its sizes are ", textOf(sizes)));
}

}  // namespace

absl::Status verify(const GatherOp &op) {
  if (auto s = checkLeaves(op, 2, 1); !s.ok()) return s;
  if (auto s = verifyDimensionNumbers(op); !s.ok()) return s;
  if (auto s = verifySliceSizes(op); !s.ok()) return s;
  if (auto s = verifyIndices(op); !s.ok()) return s;
  if (auto s = verifyResult(op); !s.ok()) return s;
  if (op.operands[0].type == op.results[0].type) return absl::OkStatus();
  return violates("C23", absl::StrCat("the result ", textOf(op.results[0]),
                                      " would have the element type of the "
                                      "operand ",
                                      textOf(op.operands[0])));
}

}  // namespace families
}  // namespace indexical
