// Gather: slices of the operand, at starts that are read from the indices.
//
//   operand f32[33,76,70], indices s32[1806,2] -> f32[1806,7,8,4]
//   offset_dims={1,2,3}, start_index_map={0,1}, index_vector_dim=1,
//   slice_sizes={7,8,4}
//   operand   (d0, d1, d2, d3){rt0, rt1} -> (d1 + rt0, d2 + rt1, d3)
//             rt0 in [0, 26], the index at (d0, 0); rt1 in [0, 68], at (d0, 1)
//   indices   (d0, d1, d2, d3)[s0] -> (d0, s0),  s0 in [0, 1]
//
// A dimension of the result is an *offset* into the slice or a *batch*
// coordinate, which chooses the index vector. A dimension of the operand takes
// its index from an offset, is collapsed (a slice of 1), or is batching: its
// index is a batch coordinate. Named in start_index_map, it is moved by that
// component of the vector, clamped so that the slice fits.
//
// From the operand's side, an offset is the index minus the start, where that
// is inside the slice, and batch coordinates that nothing fixes are ranges:
//
//   (d0, d1, d2)[s0]{rt0, rt1} -> (s0, d0 - rt0, d1 - rt1, d2)
//   d0 - rt0 in [0, 6], d1 - rt1 in [0, 7], d2 in [0, 3]
#include <optional>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "ops/family.h"

namespace indexical {
namespace families {
namespace {

using MaybeDimensions = llvm::SmallVector<std::optional<int64_t>, 6>;

/// How the dimensions of the three tensors belong together.
struct GatherDimensions {
  /// Result dimensions of the batch, in order, and the dimensions of the
  /// indices that they are.
  Int64s batch, indicesBatch;
  /// For each operand dimension: the result dimension that gives its offset or
  /// its batch coordinate, and its component of the index vector.
  MaybeDimensions offset, batching, component;
  bool implicitVector = false;

  explicit GatherDimensions(const GatherOp &op);
};

GatherDimensions::GatherDimensions(const GatherOp &op) {
  const int64_t rank = op.operands[0].rank();
  implicitVector = op.indexVectorDim == op.operands[1].rank();
  for (int64_t j = 0; j < op.results[0].rank(); ++j)
    if (!llvm::is_contained(op.offsetDims, j)) batch.push_back(j);
  for (int64_t j = 0; j < op.operands[1].rank(); ++j)
    if (j != op.indexVectorDim) indicesBatch.push_back(j);

  offset.resize(rank), batching.resize(rank), component.resize(rank);
  for (size_t b = 0; b < op.operandBatchingDims.size(); ++b) {
    const int64_t inIndices = op.startIndicesBatchingDims[b];
    const size_t place =
        llvm::find(indicesBatch, inIndices) - indicesBatch.begin();
    batching[op.operandBatchingDims[b]] = batch[place];
  }
  size_t next = 0;
  for (int64_t k = 0; k < rank; ++k)
    if (!batching[k] && !llvm::is_contained(op.collapsedSliceDims, k))
      offset[k] = op.offsetDims[next++];
  for (size_t c = 0; c < op.startIndexMap.size(); ++c)
    component[op.startIndexMap[c]] = c;
}

/// Bounds of result dimension j, which is a batch coordinate.
Interval batchBounds(const GatherOp &op, const GatherDimensions &dimensions,
                     int64_t j) {
  const size_t place =
      llvm::find(dimensions.batch, j) - dimensions.batch.begin();
  Interval bounds = sharedIndices(op.results[0], j, op.operands[1],
                                  dimensions.indicesBatch[place]);
  for (int64_t k = 0; k < op.operands[0].rank(); ++k)
    if (dimensions.batching[k] == j)
      bounds = bounds.intersect(indicesOf(op.operands[0], k));
  return bounds;
}

/// Bounds of result dimension j: a batch coordinate, or an offset in a slice.
Interval resultBounds(const GatherOp &op, const GatherDimensions &dimensions,
                      int64_t j) {
  if (llvm::is_contained(dimensions.batch, j))
    return batchBounds(op, dimensions, j);
  for (int64_t k = 0; k < op.operands[0].rank(); ++k)
    if (dimensions.offset[k] == j) return indicesOf(op.sliceSizes[k]);
  return indicesOf(op.results[0], j);
}

/// The starts of the operand's dimensions that have one. `index` is the
/// result's index, of which the batch coordinates are used. Where the operand's
/// size is open, so is the interval to which the start is clamped: then it is a
/// range, and the answer a cover.
llvm::SmallVector<std::optional<Expr>, 6> startsOf(
    IndexingMapBuilder &builder, const GatherOp &op,
    const GatherDimensions &dimensions, llvm::ArrayRef<Expr> index) {
  llvm::SmallVector<std::optional<Expr>, 6> starts(op.operands[0].rank());
  for (size_t c = 0; c < op.startIndexMap.size(); ++c) {
    const int64_t k = op.startIndexMap[c];
    const int64_t size = op.operands[0].dimensions[k];
    const Interval clamp = {0, size == kDynamicSize ? Interval::kInfinity
                                                    : size - op.sliceSizes[k]};
    if (!isFixed(op.operands[0], k)) {
      starts[k] = builder.range(clamp);
      continue;
    }
    Exprs place;
    for (int64_t j : dimensions.batch) place.push_back(index[j]);
    if (!dimensions.implicitVector)
      place.insert(place.begin() + op.indexVectorDim, builder.constant(c));
    starts[k] = builder.runtimeElement(clamp, true, 1, place);
  }
  return starts;
}

Precision precisionOf(const GatherOp &op) {
  for (int64_t k : op.startIndexMap)
    if (!isFixed(op.operands[0], k)) return Precision::Cover;
  return Precision::Exact;
}

Answer indicesToResult(const GatherOp &op, const GatherDimensions &dimensions) {
  const ArrayShape &indices = op.operands[1], &result = op.results[0];
  IndexingMapBuilder builder;
  Exprs index(result.rank());
  size_t next = 0;
  for (int64_t j = 0; j < indices.rank(); ++j) {
    if (j == op.indexVectorDim) {
      builder.dimension(indicesOf(op.startIndexMap.size()));
      continue;
    }
    const int64_t place = dimensions.batch[next++];
    index[place] = builder.dimension(batchBounds(op, dimensions, place));
  }
  for (int64_t j : op.offsetDims)
    index[j] = builder.range(resultBounds(op, dimensions, j));
  for (Expr e : index) builder.result(e);
  return answerOf(builder);
}

Answer resultToIndices(const GatherOp &op, const GatherDimensions &dimensions) {
  IndexingMapBuilder builder;
  Exprs place;
  for (int64_t j = 0; j < op.results[0].rank(); ++j) {
    Expr d = builder.dimension(resultBounds(op, dimensions, j));
    if (llvm::is_contained(dimensions.batch, j)) place.push_back(d);
  }
  if (!dimensions.implicitVector)
    place.insert(place.begin() + op.indexVectorDim,
                 builder.range(indicesOf(op.startIndexMap.size())));
  for (Expr e : place) builder.result(e);
  return answerOf(builder);
}

}  // namespace

Answer outputToInput(const GatherOp &op, int64_t, int64_t operand) {
  const GatherDimensions dimensions(op);
  if (operand == 1) return resultToIndices(op, dimensions);
  IndexingMapBuilder builder;
  Exprs d;
  for (int64_t j = 0; j < op.results[0].rank(); ++j)
    d.push_back(builder.dimension(resultBounds(op, dimensions, j)));
  const auto starts = startsOf(builder, op, dimensions, d);
  for (int64_t k = 0; k < op.operands[0].rank(); ++k) {
    Expr index = builder.constant(0);
    if (dimensions.offset[k]) index = d[*dimensions.offset[k]];
    if (dimensions.batching[k]) index = d[*dimensions.batching[k]];
    if (starts[k]) index = index + *starts[k];
    // A collapsed slice of size 0 may start where no element is.
    if (starts[k] && op.sliceSizes[k] == 0)
      builder.constraint(index, indicesOf(op.operands[0], k));
    builder.result(index);
  }
  return answerOf(builder, precisionOf(op));
}

Answer inputToOutput(const GatherOp &op, int64_t, int64_t operand) {
  const GatherDimensions dimensions(op);
  if (operand == 1) return indicesToResult(op, dimensions);
  const ArrayShape &shape = op.operands[0], &result = op.results[0];
  IndexingMapBuilder builder;
  Exprs d, index(result.rank());
  for (int64_t k = 0; k < shape.rank(); ++k) {
    Interval bounds = indicesOf(shape, k);
    if (dimensions.batching[k])
      bounds = batchBounds(op, dimensions, *dimensions.batching[k]);
    else if (!dimensions.component[k])  // the slice starts at 0
      bounds = {0, dimensions.offset[k] ? op.sliceSizes[k] - 1 : 0};
    d.push_back(builder.dimension(bounds));
    if (dimensions.batching[k]) index[*dimensions.batching[k]] = d[k];
  }
  for (int64_t j : dimensions.batch)
    if (!index[j].algebra())
      index[j] = builder.range(batchBounds(op, dimensions, j));
  const auto starts = startsOf(builder, op, dimensions, index);
  for (int64_t k = 0; k < shape.rank(); ++k) {
    Expr offset = starts[k] ? d[k] - *starts[k] : d[k];
    if (starts[k])
      builder.constraint(offset,
                         {0, dimensions.offset[k] ? op.sliceSizes[k] - 1 : 0});
    if (dimensions.offset[k]) index[*dimensions.offset[k]] = offset;
  }
  for (Expr e : index) builder.result(e);
  return answerOf(builder, precisionOf(op));
}

}  // namespace families
}  // namespace indexical
