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

#include "indexical/ops/core/access_builder.h"
#include "indexical/ops/core/size_collector.h"
#include "indexical/ops/indexed/indexed_slices.h"

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

Int64s sliceSizesOf(const GatherOp &op) {
  if (op.operands.size() == 2) return op.sliceSizes;
  const IndexedSlices slices(numbersOf(op), 1);
  Int64s sizes;
  for (int64_t k = 0; k < op.operands[0].rank(); ++k) {
    const auto offset = slices.offset[k];
    sizes.push_back(!offset ? 1
                    : isFixed(op.results[0], *offset)
                        ? op.results[0].dimensions[*offset]
                        : kDynamicSize);
  }
  return sizes;
}

namespace {

/// A slice whose size is open, or that of the operand, is clamped to an end
/// that is known at run time.
SliceStart startOf(const GatherOp &op, int64_t k, int64_t size, bool isOffset) {
  const bool given = op.operands.size() > 2;
  // An operand may say that there is nothing in a slice of one.
  const bool known = size != kDynamicSize && (isOffset || !given);
  if (known && isFixed(op.operands[0], k))
    return {{0, op.operands[0].dimensions[k] - size}, SliceStart::Clamped, {}};
  const Interval sizes = {0, isOffset ? Interval::kInfinity : 1};
  auto last = [=](SizeVariables &v) {
    return v.size({0, k}) -
           (known ? v.constant(size) : v.element(2, {k}, sizes));
  };
  return {{0, Interval::kInfinity}, SliceStart::Clamped, last};
}

IndexedSlices slicesOf(const GatherOp &op) {
  IndexedSlices slices(numbersOf(op), 1);
  const Int64s sizes = sliceSizesOf(op);
  for (int64_t k = 0; k < op.operands[0].rank(); ++k) {
    slices.inside.push_back(indicesOf(op.operands[0], k));
    slices.window.push_back(indicesOf(slices.offset[k] ? sizes[k] : 1));
    slices.starts.push_back(
        startOf(op, k, sizes[k], slices.offset[k].has_value()));
  }
  return slices;
}

/// Every component of the index vector that the batch coordinates choose.
Answer readsOfIndices(const GatherOp &op, const Sides &sides) {
  const IndexedSlices slices = slicesOf(op);
  Bounds places, indices;
  for (int64_t j = 0; j < sides.result().rank(); ++j)
    places.push_back(slices.slicesBounds(j));
  for (int64_t j : slices.batch) indices.push_back(places[j]);
  if (op.indexVectorDim < sides.operand().rank())
    indices.insert(indices.begin() + op.indexVectorDim,
                   indicesOf(op.startIndexMap.size()));
  IndexingMapBuilder builder;
  AccessBuilder access(sides, builder, places, indices);
  for (size_t b = 0; b < slices.batch.size(); ++b)
    access.same(slices.batch[b], slices.indicesBatch[b]);
  return access.answer();
}

}  // namespace

Answer reads(const GatherOp &op, const Sides &sides, int64_t, int64_t operand) {
  if (operand == 2) return sides.everything();
  if (operand == 1) return readsOfIndices(op, sides);
  return slicesOf(op).reads(sides.direction(), OpSizes(op));
}

void addSizeRules(const GatherOp &op, SizeCollector &c) {
  const IndexedSlices slices(numbersOf(op), 1);
  for (size_t b = 0; b < slices.batch.size(); ++b)
    c.equal({1, slices.indicesBatch[b]}, {c.result(0), slices.batch[b]});
  for (size_t b = 0; b < op.operandBatchingDims.size(); ++b)
    c.equal({0, op.operandBatchingDims[b]},
            {1, op.startIndicesBatchingDims[b]});
  for (int64_t k = 0; k < op.operands[0].rank(); ++k) {
    if (!slices.offset[k]) continue;
    const SizeRef size = {c.result(0), *slices.offset[k]};
    if (op.operands.size() > 2)
      c.rules.define(size, [k](SizeContext &s) {
        return s.element(2, {k}, {0, Interval::kInfinity});
      });
    else if (op.sliceSizes[k] == kDynamicSize)
      c.equal({0, k}, size);
    else
      c.rules.define(size, [k, &op](SizeContext &s) {
        return s.constant(op.sliceSizes[k]);
      });
  }
}

}  // namespace families
}  // namespace indexical
