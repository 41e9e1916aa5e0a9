// Gather: slices of the operand, at starts that are read from the indices.
//
//   operand f32[33,76,70], indices s32[1806,2] -> f32[1806,7,8,4]
//   offset_dims={1,2,3}, start_index_map={0,1}, index_vector_dim=1,
//   slice_sizes={7,8,4}
//   operand   (d0, d1, d2, d3){rt0, rt1} -> (d1 + rt0, d2 + rt1, d3)
//             rt0 in [0, 26], the index at (d0, 0); rt1 in [0, 68], at (d0, 1)
//   indices   (d0, d1, d2, d3)[s0] -> (d0, s0),  s0 in [0, 1]
//
// How the dimensions belong together is said in indexed_slices.h. The index of
// a slice is clamped so that the slice fits.
#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "ops/indexed_slices.h"

namespace indexical {
namespace families {

SliceNumbers numbersOf(const GatherOp &op) {
  return {op.operands[0],
          op.operands[1],
          op.results[0],
          op.offsetDims,
          op.collapsedSliceDims,
          op.operandBatchingDims,
          op.startIndicesBatchingDims,
          op.startIndexMap,
          op.indexVectorDim};
}

namespace {

/// Where the operand's size is open, so is the interval to which a start is
/// clamped: then it is any, and the answer a cover.
SliceStart startOf(const GatherOp &op, int64_t k) {
  const int64_t size = op.operands[0].dimensions[k];
  const Interval clamp = {
      0, size == kDynamicSize ? Interval::kInfinity : size - op.sliceSizes[k]};
  return {clamp, isFixed(op.operands[0], k) ? SliceStart::Clamped
                                            : SliceStart::Unknown};
}

IndexedSlices slicesOf(const GatherOp &op) {
  IndexedSlices slices(numbersOf(op), 1);
  for (int64_t k = 0; k < op.operands[0].rank(); ++k) {
    slices.inside.push_back(indicesOf(op.operands[0], k));
    slices.window.push_back(indicesOf(slices.offset[k] ? op.sliceSizes[k] : 1));
    slices.starts.push_back(startOf(op, k));
  }
  return slices;
}

Precision precisionOf(const GatherOp &op) {
  for (int64_t k : op.startIndexMap)
    if (!isFixed(op.operands[0], k)) return Precision::Cover;
  return Precision::Exact;
}

Answer indicesToResult(const GatherOp &op, const IndexedSlices &slices) {
  const ArrayShape &indices = op.operands[1], &result = op.results[0];
  IndexingMapBuilder builder;
  Exprs index(result.rank());
  size_t next = 0;
  for (int64_t j = 0; j < indices.rank(); ++j) {
    if (j == op.indexVectorDim) {
      builder.dimension(indicesOf(op.startIndexMap.size()));
      continue;
    }
    const int64_t place = slices.batch[next++];
    index[place] = builder.dimension(slices.slicesBounds(place));
  }
  for (int64_t j : op.offsetDims)
    index[j] = builder.range(slices.slicesBounds(j));
  for (Expr e : index) builder.result(e);
  return answerOf(builder);
}

Answer resultToIndices(const GatherOp &op, const IndexedSlices &slices) {
  IndexingMapBuilder builder;
  Exprs d;
  for (int64_t j = 0; j < op.results[0].rank(); ++j)
    d.push_back(builder.dimension(slices.slicesBounds(j)));
  Expr component;
  if (op.indexVectorDim < op.operands[1].rank())
    component = builder.range(indicesOf(op.startIndexMap.size()));
  for (Expr e : slices.placeOf(component, d)) builder.result(e);
  return answerOf(builder);
}

}  // namespace

Answer outputToInput(const GatherOp &op, int64_t, int64_t operand) {
  const IndexedSlices slices = slicesOf(op);
  return operand == 1 ? resultToIndices(op, slices)
                      : slices.slicesToOperand(precisionOf(op));
}

Answer inputToOutput(const GatherOp &op, int64_t, int64_t operand) {
  const IndexedSlices slices = slicesOf(op);
  return operand == 1 ? indicesToResult(op, slices)
                      : slices.operandToSlices(precisionOf(op));
}

}  // namespace families
}  // namespace indexical
