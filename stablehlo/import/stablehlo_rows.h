// What the rows of StableHLO and chlo point to (stablehlo_ops.cc). Each group
// of ops is one file, stablehlo_GROUP.cc:
//
//   {"stablehlo.pad", describePad, Precision::Exact, ""},
//
// A describer trusts the dialect's verifier: the op has the operands, results
// and attributes that it is defined with.
#ifndef INDEXICAL_STABLEHLO_IMPORT_STABLEHLO_ROWS_H
#define INDEXICAL_STABLEHLO_IMPORT_STABLEHLO_ROWS_H

#include <utility>

#include "indexical/stablehlo/import/describe.h"

namespace indexical {
namespace rows {

#define INDEXICAL_DESCRIBE(Name) \
  absl::StatusOr<Op> describe##Name(mlir::Operation *op, OpShapes shapes);

// stablehlo_elementwise.cc
INDEXICAL_DESCRIBE(Elementwise)
INDEXICAL_DESCRIBE(Convert)
INDEXICAL_DESCRIBE(Broadcasting)
INDEXICAL_DESCRIBE(Nullary)
INDEXICAL_DESCRIBE(Constant)
INDEXICAL_DESCRIBE(Cover)
INDEXICAL_DESCRIBE(Rng)

// stablehlo_movement.cc
INDEXICAL_DESCRIBE(Iota)
INDEXICAL_DESCRIBE(BitcastConvert)
INDEXICAL_DESCRIBE(Broadcast)
INDEXICAL_DESCRIBE(BroadcastInDim)
INDEXICAL_DESCRIBE(Concatenate)
INDEXICAL_DESCRIBE(DynamicSlice)
INDEXICAL_DESCRIBE(DynamicUpdateSlice)
INDEXICAL_DESCRIBE(Gather)
INDEXICAL_DESCRIBE(Pad)
INDEXICAL_DESCRIBE(Reshape)
INDEXICAL_DESCRIBE(Reverse)
INDEXICAL_DESCRIBE(Scatter)
INDEXICAL_DESCRIBE(Slice)
INDEXICAL_DESCRIBE(TorchIndexSelect)
INDEXICAL_DESCRIBE(Transpose)

// stablehlo_reduction.cc
INDEXICAL_DESCRIBE(BatchNormGrad)
INDEXICAL_DESCRIBE(BatchNormInference)
INDEXICAL_DESCRIBE(BatchNormTraining)
INDEXICAL_DESCRIBE(Cholesky)
INDEXICAL_DESCRIBE(Fft)
INDEXICAL_DESCRIBE(Reduce)
INDEXICAL_DESCRIBE(ReduceWindow)
INDEXICAL_DESCRIBE(Scan)
INDEXICAL_DESCRIBE(SelectAndScatter)
INDEXICAL_DESCRIBE(Sort)
INDEXICAL_DESCRIBE(TopK)
INDEXICAL_DESCRIBE(TriangularSolve)

// stablehlo_contraction.cc
INDEXICAL_DESCRIBE(Convolution)
INDEXICAL_DESCRIBE(Dot)
INDEXICAL_DESCRIBE(DotGeneral)
INDEXICAL_DESCRIBE(Einsum)
INDEXICAL_DESCRIBE(RaggedDot)

// stablehlo_dynamic.cc
INDEXICAL_DESCRIBE(DynamicBroadcastInDim)
INDEXICAL_DESCRIBE(DynamicReshape)
INDEXICAL_DESCRIBE(GetDimensionSize)
INDEXICAL_DESCRIBE(SetDimensionSize)

// stablehlo_control.cc
INDEXICAL_DESCRIBE(Call)
INDEXICAL_DESCRIBE(Conditional)
INDEXICAL_DESCRIBE(CustomCall)
INDEXICAL_DESCRIBE(Forward)
INDEXICAL_DESCRIBE(TupleElement)
INDEXICAL_DESCRIBE(While)

// stablehlo_collective.cc
INDEXICAL_DESCRIBE(AllGather)
INDEXICAL_DESCRIBE(AllReduce)
INDEXICAL_DESCRIBE(AllToAll)
INDEXICAL_DESCRIBE(CollectiveBroadcast)
INDEXICAL_DESCRIBE(CollectivePermute)
INDEXICAL_DESCRIBE(ReduceScatter)

#undef INDEXICAL_DESCRIBE

/// The op, or the first status that is an error.
template <typename T, typename... Statuses>
absl::StatusOr<Op> finished(T op, Statuses... statuses) {
  for (const absl::Status &status :
       std::initializer_list<absl::Status>{statuses...})
    if (!status.ok()) return status;
  return Op(std::move(op));
}

/// The window of an op: sizes, and what its attributes say of each dimension.
/// Attributes that are left out stand for 1, for no padding, for no reversal.
absl::Status takeWindow(mlir::Operation *op, llvm::ArrayRef<int64_t> sizes,
                        llvm::StringRef baseDilation,
                        llvm::StringRef windowDilation,
                        llvm::SmallVectorImpl<WindowDimension> &window);

}  // namespace rows
}  // namespace indexical

#endif  // INDEXICAL_STABLEHLO_IMPORT_STABLEHLO_ROWS_H
