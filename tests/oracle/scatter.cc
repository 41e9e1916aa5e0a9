// StableHLO's definition of scatter, with its names.
#include "llvm/ADT/STLExtras.h"

#include "tests/oracle/definitions.h"

namespace indexical::testing {
namespace {

class Scatter {
 public:
  Scatter(const ScatterOp &op, const Tensors &operands,
          llvm::ArrayRef<int64_t> indexValues)
      : op(op),
        operands(operands),
        count(op.results.size()),
        scatterIndices(operands[count]),
        indexValues(indexValues),
        results(operands.begin(), operands.begin() + count) {}

  Tensors run() {
    // The reads of the updates are kept apart from those of the inputs: any of
    // the updates that land on an element may be the last.
    Tensors landed = emptyResults(op);
    const Tensor &update = operands[count + 1];
    forEachIndex(update.sizes, [&](const Index &updateIndex) {
      const Index resultIndex = resultIndexOf(updateIndex);
      if (!isInside(results[0].sizes, resultIndex)) return;
      if (op.partlyOutside == ScatterOp::PartlyOutside::SkipSlice &&
          !isWholeSliceInside(updateIndex))
        return;
      updateInputs(resultIndex);
      for (Tensor &tensor : landed)
        for (size_t k = count + 1; k < operands.size(); ++k)
          unite(tensor.at(resultIndex), operands[k].at(updateIndex));
    });
    for (size_t r = 0; r < count; ++r)
      forEachIndex(results[r].sizes, [&](const Index &index) {
        unite(results[r].at(index), landed[r].at(index));
        readIndices(index, results[r].at(index));
      });
    return results;
  }

 private:
  bool bodyReads(size_t result, size_t argument) const {
    return op.bodyReads.empty() || op.bodyReads[result * count + argument] !=
                                       ScatterOp::BodyRead::Never;
  }

  /// Runs the update computation on what the result elements at `index` have
  /// read of the inputs so far.
  void updateInputs(const Index &index) {
    std::vector<Reads> before;
    for (const Tensor &result : results) before.push_back(result.at(index));
    for (size_t r = 0; r < count; ++r) {
      Reads after;
      for (size_t k = 0; k < count; ++k)
        if (bodyReads(r, k)) unite(after, before[k]);
      normalize(after);
      results[r].at(index) = after;
    }
  }

  /// Adds the reads of the index vectors that might have named the element.
  void readIndices(const Index &index, Reads &reads) const {
    forEachIndex(scatterIndices.sizes, [&](const Index &place) {
      for (size_t i = 0; i < op.inputBatchingDims.size(); ++i)
        if (place[op.scatterIndicesBatchingDims[i]] !=
            index[op.inputBatchingDims[i]])
          return;
      unite(reads, scatterIndices.at(place));
    });
  }

  Index updateScatterIndex(const Index &updateIndex) const {
    Index index;
    for (size_t d = 0; d < updateIndex.size(); ++d)
      if (!llvm::is_contained(op.updateWindowDims, d))
        index.push_back(updateIndex[d]);
    return index;
  }

  Index resultIndexOf(const Index &updateIndex) const {
    const Index scatterIndex = updateScatterIndex(updateIndex);
    Index index(results[0].sizes.size(), 0);
    const bool explicitVector =
        op.indexVectorDim < static_cast<int64_t>(scatterIndices.sizes.size());
    for (size_t d = 0; d < op.scatterDimsToOperandDims.size(); ++d) {
      Index place = scatterIndex;
      if (explicitVector) place.insert(place.begin() + op.indexVectorDim, d);
      // The tensors are small, so an index that is clamped here stays outside.
      index[op.scatterDimsToOperandDims[d]] += std::clamp<int64_t>(
          indexValues[rowMajor(scatterIndices.sizes, place)], -100000, 100000);
    }
    for (size_t i = 0; i < op.inputBatchingDims.size(); ++i) {
      const int64_t d = op.scatterIndicesBatchingDims[i];
      index[op.inputBatchingDims[i]] +=
          scatterIndex[d - (d < op.indexVectorDim ? 0 : 1)];
    }
    size_t next = 0;
    for (size_t d = 0; d < index.size(); ++d)
      if (!llvm::is_contained(op.insertedWindowDims, d) &&
          !llvm::is_contained(op.inputBatchingDims, d))
        index[d] += updateIndex[op.updateWindowDims[next++]];
    return index;
  }

  bool isWholeSliceInside(const Index &updateIndex) const {
    Index windowSizes;
    for (int64_t d : op.updateWindowDims)
      windowSizes.push_back(operands[count + 1].sizes[d]);
    bool inside = true;
    forEachIndex(windowSizes, [&](const Index &window) {
      Index other = updateIndex;
      for (size_t i = 0; i < window.size(); ++i)
        other[op.updateWindowDims[i]] = window[i];
      inside = inside && isInside(results[0].sizes, resultIndexOf(other));
    });
    return inside;
  }

  const ScatterOp &op;
  const Tensors &operands;
  const size_t count;
  const Tensor &scatterIndices;
  llvm::ArrayRef<int64_t> indexValues;
  Tensors results;
};

}  // namespace

Tensors define(const ScatterOp &op, const Tensors &operands,
               const OperandValues &values) {
  return Scatter(op, operands, values[op.results.size()]).run();
}

}  // namespace indexical::testing
