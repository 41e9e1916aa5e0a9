// Ops whose reads depend on the values of index operands.
#include "llvm/ADT/STLExtras.h"

#include "tests/oracle/definitions.h"

namespace indexical::testing {
namespace {

/// The start indices of dynamic-slice and dynamic-update-slice: their values,
/// clamped so that a slice of `sliceSizes` fits, and their reads.
struct Starts {
  Index values;
  Reads reads;
};

Starts startsOf(const Tensors &operands, const OperandValues &values,
                size_t firstOperand, llvm::ArrayRef<int64_t> sliceSizes) {
  Starts starts;
  for (size_t k = firstOperand; k < operands.size(); ++k)
    for (size_t i = 0; i < operands[k].elements.size(); ++i) {
      starts.values.push_back(values[k][i]);
      unite(starts.reads, operands[k].elements[i]);
    }
  for (size_t k = 0; k < starts.values.size(); ++k)
    starts.values[k] = std::clamp<int64_t>(
        starts.values[k], 0, operands[0].sizes[k] - sliceSizes[k]);
  return starts;
}

Index plus(const Index &a, const Index &b) {
  Index sum = a;
  for (size_t k = 0; k < sum.size(); ++k) sum[k] += b[k];
  return sum;
}

/// StableHLO's definition of gather, with its names, for one result.
class Gather {
 public:
  Gather(const GatherOp &op, const Tensors &operands,
         llvm::ArrayRef<int64_t> indexValues)
      : op(op),
        operand(operands[0]),
        startIndices(operands[1]),
        indexValues(indexValues) {}

  /// The reads of `result[resultIndex]`.
  Reads element(const Index &resultIndex) const {
    Index batchIndex;
    for (size_t d = 0; d < resultIndex.size(); ++d)
      if (!llvm::is_contained(op.offsetDims, d))
        batchIndex.push_back(resultIndex[d]);

    Reads reads;
    Index operandIndex = fullStartIndex(batchIndex, reads);
    operandIndex = plus(operandIndex, fullBatchingIndex(batchIndex));
    operandIndex = plus(operandIndex, fullOffsetIndex(resultIndex));
    if (isInside(operand.sizes, operandIndex))
      unite(reads, operand.at(operandIndex));
    return reads;
  }

 private:
  /// Also adds the reads of the index vector.
  Index fullStartIndex(const Index &batchIndex, Reads &reads) const {
    Index full(operand.sizes.size(), 0);
    const bool explicitVector =
        op.indexVectorDim < static_cast<int64_t>(startIndices.sizes.size());
    for (size_t dStart = 0; dStart < op.startIndexMap.size(); ++dStart) {
      Index place = batchIndex;
      if (explicitVector)
        place.insert(place.begin() + op.indexVectorDim, dStart);
      int64_t value = indexValues[rowMajor(startIndices.sizes, place)];
      unite(reads, startIndices.at(place));
      int64_t dOperand = op.startIndexMap[dStart];
      full[dOperand] = std::clamp<int64_t>(
          value, 0, operand.sizes[dOperand] - op.sliceSizes[dOperand]);
    }
    return full;
  }

  Index fullBatchingIndex(const Index &batchIndex) const {
    Index full(operand.sizes.size(), 0);
    for (size_t i = 0; i < op.operandBatchingDims.size(); ++i) {
      int64_t dStart = op.startIndicesBatchingDims[i];
      full[op.operandBatchingDims[i]] =
          batchIndex[dStart - (dStart < op.indexVectorDim ? 0 : 1)];
    }
    return full;
  }

  Index fullOffsetIndex(const Index &resultIndex) const {
    Index full;
    size_t next = 0;
    for (size_t d = 0; d < operand.sizes.size(); ++d)
      full.push_back(llvm::is_contained(op.collapsedSliceDims, d) ||
                             llvm::is_contained(op.operandBatchingDims, d)
                         ? 0
                         : resultIndex[op.offsetDims[next++]]);
    return full;
  }

  const GatherOp &op;
  const Tensor &operand;
  const Tensor &startIndices;
  llvm::ArrayRef<int64_t> indexValues;
};

}  // namespace

Tensors define(const DynamicSliceOp &op, const Tensors &operands,
               const OperandValues &values) {
  Tensors results = emptyResults(op);
  Starts starts = startsOf(operands, values, 1, op.sizes);
  forEachIndex(results[0].sizes, [&](const Index &to) {
    results[0].at(to) = operands[0].at(plus(to, starts.values));
    unite(results[0].at(to), starts.reads);
  });
  return results;
}

Tensors define(const DynamicUpdateSliceOp &op, const Tensors &operands,
               const OperandValues &values) {
  (void)op;
  Tensors results = {operands[0]};
  Starts starts = startsOf(operands, values, 2, operands[1].sizes);
  forEachIndex(operands[1].sizes, [&](const Index &from) {
    results[0].at(plus(from, starts.values)) = operands[1].at(from);
  });
  for (Reads &reads : results[0].elements) unite(reads, starts.reads);
  return results;
}

Tensors define(const GatherOp &op, const Tensors &operands,
               const OperandValues &values) {
  Tensors results = emptyResults(op);
  Gather gather(op, operands, values[1]);
  forEachIndex(results[0].sizes, [&](const Index &to) {
    results[0].at(to) = gather.element(to);
  });
  return results;
}

}  // namespace indexical::testing
