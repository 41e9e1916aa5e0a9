#ifndef INDEXICAL_OPS_INDEXED_SCATTER_H
#define INDEXICAL_OPS_INDEXED_SCATTER_H

#include "indexical/ops/descriptor.h"

namespace indexical {

/// N inputs, the indices, N updates, N results. A result is its input, with the
/// slices of the update at the places that the indices name.
struct ScatterOp : OpDescriptor {
  Int64s updateWindowDims, insertedWindowDims, scatterDimsToOperandDims;
  Int64s inputBatchingDims, scatterIndicesBatchingDims;
  int64_t indexVectorDim = 0;

  /// The elements that are skipped if a slice is partly outside of the input.
  enum class PartlyOutside : uint8_t {
    SkipElements,  ///< the slice's elements outside (StableHLO)
    SkipSlice,     ///< all elements of the slice (HLO)
  };
  PartlyOutside partlyOutside = PartlyOutside::SkipElements;

  /// Whether a result of the update computation reads an argument.
  enum class BodyRead : uint8_t { Never, Maybe, Always };
  /// N x N: entry r * N + k is for result r and argument k, the present element
  /// of result k. Empty if not known. All updates are taken to be read.
  llvm::SmallVector<BodyRead, 1> bodyReads;

  static constexpr OpKind kKinds[] = {
      {"scatter",
       Traits()
           .with(KernelRole::Bytes)
           .with(Precision::Cover,
                 "an input that the update computation may leave unread, for "
                 "which elements are overwritten is known at run time")},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(updateWindowDims, insertedWindowDims, scatterDimsToOperandDims,
                inputBatchingDims, scatterIndicesBatchingDims, indexVectorDim,
                partlyOutside, bodyReads);
  }
};
INDEXICAL_FAMILY_WITH_SIZES(ScatterOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_INDEXED_SCATTER_H
