// Opcodes that move elements.
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/import/hlo/opcodes/builders.h"

namespace indexical {
namespace opcodes {

bool buildBroadcast(const ResolvedInstruction &in, const Shape &result,
                    OpDraft &out) {
  auto *op = makeOfArrays<BroadcastOp>(in, result, out);
  if (!op) return false;
  if (op->operands[0].isScalar())
    return in.attributes.integers("dimensions", op->dimensions);
  return in.attributes.requiredIntegers("dimensions", op->dimensions);
}

bool buildTranspose(const ResolvedInstruction &in, const Shape &result,
                    OpDraft &out) {
  auto *op = makeOfArrays<TransposeOp>(in, result, out);
  return op && in.attributes.requiredIntegers("dimensions", op->permutation);
}

bool inferTranspose(const ResolvedInstruction &in, Shape &shape) {
  ArrayShape operand;
  Int64s permutation;
  if (!takeArray(in, 0, operand) ||
      !in.attributes.requiredIntegers("dimensions", permutation))
    return false;
  ArrayShape result(operand.type, {});
  for (int64_t d : permutation) {
    if (d < 0 || d >= operand.rank()) return cannotInfer(in);
    result.dimensions.push_back(operand.dimensions[d]);
    if (!operand.dynamic.empty()) result.dynamic.push_back(operand.dynamic[d]);
  }
  return finish(shape, std::move(result));
}

bool buildReverse(const ResolvedInstruction &in, const Shape &result,
                  OpDraft &out) {
  auto *op = makeOfArrays<ReverseOp>(in, result, out);
  return op && in.attributes.requiredIntegers("dimensions", op->dimensions);
}

bool buildReshape(const ResolvedInstruction &in, const Shape &result,
                  OpDraft &out) {
  return makeOfArrays<ReshapeOp>(in, result, out) != nullptr;
}

bool buildBitcast(const ResolvedInstruction &in, const Shape &result,
                  OpDraft &out) {
  if (result.isTuple()) return buildForward(in, result, out);
  return makeOfArrays<BitcastOp>(in, result, out) != nullptr;
}

bool buildBitcastConvert(const ResolvedInstruction &in, const Shape &result,
                         OpDraft &out) {
  return makeOfArrays<BitcastConvertOp>(in, result, out) != nullptr;
}

bool buildSlice(const ResolvedInstruction &in, const Shape &result,
                OpDraft &out) {
  auto *op = makeOfArrays<SliceOp>(in, result, out);
  return op && in.attributes.slices(op->starts, op->limits, op->strides);
}

bool inferSlice(const ResolvedInstruction &in, Shape &shape) {
  ArrayShape array;
  Int64s starts, limits, strides;
  if (!takeArray(in, 0, array) ||
      !in.attributes.slices(starts, limits, strides))
    return false;
  if (static_cast<int64_t>(starts.size()) != array.rank())
    return cannotInfer(in);
  for (size_t d = 0; d < starts.size(); ++d) {
    if (strides[d] <= 0 || starts[d] < 0 || limits[d] < starts[d])
      return cannotInfer(in);
    int64_t length = limits[d] - starts[d];
    array.dimensions[d] = length / strides[d] + (length % strides[d] != 0);
  }
  array.dynamic.clear();
  return finish(shape, std::move(array));
}

bool buildConcatenate(const ResolvedInstruction &in, const Shape &result,
                      OpDraft &out) {
  auto *op = makeOfArrays<ConcatenateOp>(in, result, out);
  return op && in.attributes.requiredInteger("dimensions", op->dimension);
}

bool inferConcatenate(const ResolvedInstruction &in, Shape &shape) {
  ArrayShape array;
  int64_t dimension;
  if (!takeArray(in, 0, array) ||
      !in.attributes.requiredInteger("dimensions", dimension))
    return false;
  if (dimension < 0 || dimension >= array.rank()) return cannotInfer(in);
  int64_t &size = array.dimensions[dimension];
  for (size_t i = 1; i < in.operands.size(); ++i) {
    ArrayShape other;
    if (!takeArray(in, i, other)) return false;
    if (dimension >= other.rank() || size == kDynamicSize ||
        other.dimensions[dimension] == kDynamicSize ||
        llvm::AddOverflow(size, other.dimensions[dimension], size))
      return cannotInfer(in);
  }
  return finish(shape, std::move(array));
}

bool buildPad(const ResolvedInstruction &in, const Shape &result,
              OpDraft &out) {
  auto *op = makeOfArrays<PadOp>(in, result, out);
  if (!op) return false;
  if (op->operands[0].isScalar() && !in.attributes.has("padding")) return true;
  return in.attributes.padding(op->low, op->high, op->interior);
}

bool inferPad(const ResolvedInstruction &in, Shape &shape) {
  ArrayShape array;
  Int64s low, high, interior;
  if (!takeArray(in, 0, array) || !in.attributes.padding(low, high, interior))
    return false;
  if (static_cast<int64_t>(low.size()) != array.rank()) return cannotInfer(in);
  for (size_t d = 0; d < low.size(); ++d) {
    int64_t &size = array.dimensions[d];
    int64_t inner;
    if (size == kDynamicSize) continue;
    if (interior[d] < 0 ||
        llvm::MulOverflow(std::max<int64_t>(size - 1, 0), interior[d], inner) ||
        llvm::AddOverflow(size, inner, size) ||
        llvm::AddOverflow(size, low[d], size) ||
        llvm::AddOverflow(size, high[d], size) || size < 0)
      return cannotInfer(in);
  }
  return finish(shape, std::move(array));
}

bool buildDynamicSlice(const ResolvedInstruction &in, const Shape &result,
                       OpDraft &out) {
  auto *op = makeOfArrays<DynamicSliceOp>(in, result, out);
  return op && in.attributes.requiredIntegers("dynamic_slice_sizes", op->sizes);
}

bool inferDynamicSlice(const ResolvedInstruction &in, Shape &shape) {
  ArrayShape array;
  Int64s sizes;
  if (!takeArray(in, 0, array) ||
      !in.attributes.requiredIntegers("dynamic_slice_sizes", sizes))
    return false;
  array.dimensions.assign(sizes.begin(), sizes.end());
  array.dynamic.clear();
  return finish(shape, std::move(array));
}

bool buildDynamicUpdateSlice(const ResolvedInstruction &in, const Shape &result,
                             OpDraft &out) {
  return makeOfArrays<DynamicUpdateSliceOp>(in, result, out) != nullptr;
}

bool buildGather(const ResolvedInstruction &in, const Shape &result,
                 OpDraft &out) {
  auto *op = makeOfArrays<GatherOp>(in, result, out);
  return op && in.attributes.requiredIntegers("offset_dims", op->offsetDims) &&
         in.attributes.integers("collapsed_slice_dims",
                                op->collapsedSliceDims) &&
         in.attributes.requiredIntegers("start_index_map", op->startIndexMap) &&
         in.attributes.integers("operand_batching_dims",
                                op->operandBatchingDims) &&
         in.attributes.integers("start_indices_batching_dims",
                                op->startIndicesBatchingDims) &&
         in.attributes.requiredInteger("index_vector_dim",
                                       op->indexVectorDim) &&
         in.attributes.requiredIntegers("slice_sizes", op->sliceSizes);
}

bool inferGather(const ResolvedInstruction &in, Shape &shape) {
  ArrayShape operand, indices;
  Int64s offsetDims, collapsed, batching, sizes;
  int64_t vectorDim;
  const Attributes &a = in.attributes;
  if (!takeArray(in, 0, operand) || !takeArray(in, 1, indices) ||
      !a.requiredIntegers("offset_dims", offsetDims) ||
      !a.integers("collapsed_slice_dims", collapsed) ||
      !a.integers("operand_batching_dims", batching) ||
      !a.requiredInteger("index_vector_dim", vectorDim) ||
      !a.requiredIntegers("slice_sizes", sizes))
    return false;
  Int64s batchSizes, offsetSizes;
  for (int64_t d = 0; d < indices.rank(); ++d)
    if (d != vectorDim) batchSizes.push_back(indices.dimensions[d]);
  for (int64_t d = 0; d < static_cast<int64_t>(sizes.size()); ++d)
    if (!llvm::is_contained(collapsed, d) && !llvm::is_contained(batching, d))
      offsetSizes.push_back(sizes[d]);
  if (offsetSizes.size() != offsetDims.size()) return cannotInfer(in);
  ArrayShape result(operand.type, {});
  size_t batch = 0, offset = 0;
  for (int64_t d = 0;
       d < static_cast<int64_t>(batchSizes.size() + offsetSizes.size()); ++d) {
    bool isOffset = llvm::is_contained(offsetDims, d);
    if (isOffset ? offset == offsetSizes.size() : batch == batchSizes.size())
      return cannotInfer(in);
    result.dimensions.push_back(isOffset ? offsetSizes[offset++]
                                         : batchSizes[batch++]);
  }
  return finish(shape, std::move(result));
}

}  // namespace opcodes
}  // namespace indexical
