// Ops of StableHLO as descriptors. Each group of ops is one file, GROUP.cc:
//
//   stablehlo.pad %x, %z, low = [0], high = [1], interior = [0] : …
//   describePad    PadOp, low {0}, high {1}, interior {0}
//
// The importer uses them in its rows (import/stablehlo_ops.cc). The dialect
// uses them to verify shapes and attributes by the descriptor
// (dialect/rules.h), so that each rule of an op is written once, in its family.
//
// A describer relies on what ODS checks: the op has the operands, results and
// attributes of its definition. It does not rely on their values.
#ifndef INDEXICAL_IMPORT_STABLEHLO_DESCRIBE_DESCRIBERS_H
#define INDEXICAL_IMPORT_STABLEHLO_DESCRIBE_DESCRIBERS_H

#include <utility>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/Operation.h"

#include "indexical/import/stablehlo/describe/describer.h"
#include "indexical/ops/families.h"
#include "indexical/ops/violation.h"

namespace indexical {
namespace rows {

#define INDEXICAL_DESCRIBE(Name) \
  absl::StatusOr<Op> describe##Name(mlir::Operation *op, OpShapes shapes);

// elementwise.cc
INDEXICAL_DESCRIBE(Elementwise)
INDEXICAL_DESCRIBE(Convert)
INDEXICAL_DESCRIBE(Broadcasting)
INDEXICAL_DESCRIBE(Nullary)
INDEXICAL_DESCRIBE(Constant)
INDEXICAL_DESCRIBE(Cover)
INDEXICAL_DESCRIBE(Rng)

// movement.cc
INDEXICAL_DESCRIBE(Iota)
INDEXICAL_DESCRIBE(Bitcast)
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

// reduction.cc
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

// contraction.cc
INDEXICAL_DESCRIBE(Convolution)
INDEXICAL_DESCRIBE(Dot)
INDEXICAL_DESCRIBE(DotGeneral)

// dynamic.cc
INDEXICAL_DESCRIBE(DynamicReshape)
INDEXICAL_DESCRIBE(GetDimensionSize)
INDEXICAL_DESCRIBE(SetDimensionSize)

// control.cc
INDEXICAL_DESCRIBE(Call)
INDEXICAL_DESCRIBE(Conditional)
INDEXICAL_DESCRIBE(CustomCall)
INDEXICAL_DESCRIBE(Forward)
INDEXICAL_DESCRIBE(TupleElement)
INDEXICAL_DESCRIBE(While)

// collective.cc
INDEXICAL_DESCRIBE(AllGather)
INDEXICAL_DESCRIBE(AllReduce)
INDEXICAL_DESCRIBE(AllToAll)
INDEXICAL_DESCRIBE(CollectiveBroadcast)
INDEXICAL_DESCRIBE(CollectivePermute)
INDEXICAL_DESCRIBE(ReduceScatter)

#undef INDEXICAL_DESCRIBE

/// Returns a gather. The slice sizes are left out if an operand gives them.
absl::StatusOr<GatherOp> gatherOf(mlir::Operation *op, OpShapes shapes);

/// Returns the op, or the first status that is an error.
template <typename T, typename... Statuses>
absl::StatusOr<Op> finished(T op, Statuses... statuses) {
  for (const absl::Status &status :
       std::initializer_list<absl::Status>{statuses...})
    if (!status.ok()) return status;
  return Op(std::move(op));
}

inline Int64s listOf(llvm::ArrayRef<int64_t> values) {
  return Int64s(values.begin(), values.end());
}

/// Sets the dimension numbers of dot_general or ragged_dot.
template <typename Numbers>
void takeDotDimensions(const Numbers &numbers, DotDimensions &d) {
  d.lhsBatch = listOf(numbers.getLhsBatchingDimensions());
  d.rhsBatch = listOf(numbers.getRhsBatchingDimensions());
  d.lhsContracting = listOf(numbers.getLhsContractingDimensions());
  d.rhsContracting = listOf(numbers.getRhsContractingDimensions());
}

/// The attributes that give the dimensions of a window, if an op has them. Each
/// has its name and the number of the constraint on its length.
struct WindowLists {
  struct List {
    llvm::StringRef key;
    Rule rule;
  };
  List strides, padding, baseDilation, windowDilation, reversal;
};

/// Sets the window of an op from its sizes and attributes. An attribute that is
/// left out stands for 1, for no padding, or for no reversal. Each list must
/// have `rank` entries, and `what` describes the rank in messages. If the
/// number of sizes differs from it, only the sizes are set: the family then
/// reports the error.
absl::Status takeWindow(mlir::Operation *op, llvm::ArrayRef<int64_t> sizes,
                        int64_t rank, llvm::StringRef what,
                        const WindowLists &lists,
                        llvm::SmallVectorImpl<WindowDimension> &window);

/// Returns the convolution that the op's attributes describe. A kernel size
/// that is not known is kDynamicSize. Returns an error if `dimension_numbers`
/// is missing, or if another attribute has a wrong type or number of entries.
/// Numbers that are not dimensions are left to the family's verification.
absl::StatusOr<ConvolutionOp> convolutionOf(mlir::Operation *op,
                                            OpShapes shapes);

}  // namespace rows
}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_DESCRIBE_DESCRIBERS_H
