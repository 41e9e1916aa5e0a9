// Op descriptors: what an op is, without any IR.
//
// A descriptor holds the shapes of an op's array operands and results and the
// attributes that decide which elements are read. A front end fills it in; a
// compiler with an IR of its own can do so too:
//
//   TransposeOp op;
//   op.operands = {ArrayShape(ElementType::F32, {3, 12288, 6, 128})};
//   op.results = {ArrayShape(ElementType::F32, {3, 6, 128, 12288})};
//   op.permutation = {0, 2, 3, 1};
//   absl::Status valid = verify(op);  // OK
//   // What result 0 reads of operand 0:
//   auto reads = indexing(op, Direction::OutputToInput, 0, 0);
//   // (d0, d1, d2, d3) -> (d0, d3, d1, d2), domain: d0 in [0, 2], …
//
// Operands and results are numbered as array leaves: a tuple counts as its
// leaves, depth first; tokens have no number.
//
// Laws, for every verified op, result r and operand k:
//   - the relation of `Direction::OutputToInput` is the data dependence of the
//     op's definition (exact), or a superset (cover, opaque);
//   - the relation of `Direction::InputToOutput` is its inverse, with the same
//     precision.
// Both are shown by enumeration in tests/ops/ops_test.cc.
#ifndef INDEXICAL_OPS_OP_H
#define INDEXICAL_OPS_OP_H

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/relation.h"
#include "indexical/ops/op_interface.h"
#include "indexical/ops/shape.h"

namespace indexical {

class SizeFacts;

using Int64s = llvm::SmallVector<int64_t, 6>;

/// The array leaves of an op's operands and results. An op with one operand can
/// share the list of its producer's results.
struct OpShapes {
  ShapeList operands, results;
  /// What is known beside the op of sizes that are open (ops/sizes.h).
  std::shared_ptr<const SizeFacts> facts;
};

/// Every result element reads the operand element of the same index; an operand
/// of rank 0 beside a result of higher rank is read whole (select's predicate,
/// clamp's bounds). Also map, copy, convert: whatever keeps the index.
struct ElementwiseOp : OpShapes {
  /// Copy and convert: the element of the one operand, where the result's type
  /// holds its value.
  bool keepsValues = false;
};

/// No operand is read: parameter, rng, partition-id, after-all.
struct NullaryOp : OpShapes {
  /// The result is the size of that dimension of operand 0
  /// (get-dimension-size), or the list of all its sizes (shape_of). Further
  /// operands, which say so, are read.
  std::optional<int64_t> sizeOf;
  static constexpr int64_t kAllSizes = -1;
};

/// A literal. `values` are its elements in row major order where the type is
/// integral and the literal is known and small, else empty.
struct ConstantOp : OpShapes {
  std::vector<int64_t> values;
};

// Attributes that say sizes may be operands: such an op has a known number of
// operands more, and these attributes are empty. Of each of these operands, of
// rank 1 unless said otherwise, every result reads every element.

/// Element `i` of the result is `i[dimension]`. Operand 0, where there is one,
/// holds the sizes of the result.
struct IotaOp : OpShapes {
  int64_t dimension = 0;
};

/// Operand dimension k is result dimension `dimensions[k]`. Where the operand's
/// size is known to be 1, its one index is read for every index of the result's
/// dimension, whatever that one's size; an operand's size that is not known is
/// that of the result, unless `expanding` holds its dimension: then it is known
/// to be 1; or `maybeExpanding` does: then it may be 1.
/// Operand 1, where there is one, holds the sizes of the result.
struct BroadcastOp : OpShapes {
  Int64s dimensions;
  Int64s expanding, maybeExpanding;
};

/// result dimension k is operand dimension `permutation[k]`.
struct TransposeOp : OpShapes {
  Int64s permutation;
};

struct ReverseOp : OpShapes {
  Int64s dimensions;
};

/// Row major order is kept.
struct ReshapeOp : OpShapes {};

/// Physical order is kept: the layouts of operand and result decide. Where the
/// element widths differ, the most minor physical dimension grows or shrinks.
struct BitcastOp : OpShapes {};

/// As elementwise for equal widths; else the trailing dimension, whose size is
/// the ratio of the widths, appears or disappears.
struct BitcastConvertOp : OpShapes {};

/// Operands 1, 2 and 3, where there are such, hold starts, limits and strides.
struct SliceOp : OpShapes {
  Int64s starts, limits, strides;
};

/// Operand 0 is sliced; operands 1… are the start indices, one scalar a
/// dimension, or a single rank-1 tensor of them (the older form).
struct DynamicSliceOp : OpShapes {
  Int64s sizes;
};

/// Operand 0 is updated by operand 1 at the start indices of operands 2…
struct DynamicUpdateSliceOp : OpShapes {};

struct ConcatenateOp : OpShapes {
  int64_t dimension = 0;
};

/// Operand 0 is padded with the scalar operand 1. Low and high may be negative.
/// Operands 2, 3 and 4, where there are such, hold low, high and interior.
struct PadOp : OpShapes {
  Int64s low, high, interior;
};

/// Operand 0 is gathered from at the indices of operand 1. Operand 2, where
/// there is one, holds the slice sizes.
struct GatherOp : OpShapes {
  Int64s offsetDims, collapsedSliceDims, startIndexMap;
  Int64s operandBatchingDims, startIndicesBatchingDims;
  int64_t indexVectorDim = 0;
  Int64s sliceSizes;
};

/// N inputs, the indices, N updates, N results: an input, into which the slices
/// of the update are put at the places that the indices name.
struct ScatterOp : OpShapes {
  Int64s updateWindowDims, insertedWindowDims, scatterDimsToOperandDims;
  Int64s inputBatchingDims, scatterIndicesBatchingDims;
  int64_t indexVectorDim = 0;

  /// What becomes of a slice that is partly outside of the input.
  enum class PartlyOutside : uint8_t {
    SkipElements,  ///< its elements outside are skipped (StableHLO)
    SkipSlice,     ///< all of it is (HLO)
  };
  PartlyOutside partlyOutside = PartlyOutside::SkipElements;

  /// Whether a result of the update computation reads an argument.
  enum class BodyRead : uint8_t { Never, Maybe, Always };
  /// N x N: entry r * N + k says it of result r and argument k, the present
  /// element of result k. Empty: not known. All updates are taken to be read.
  llvm::SmallVector<BodyRead, 1> bodyReads;
};

/// What the dimensions of two operands are to a contraction; those that are not
/// named are free.
struct DotDimensions {
  Int64s lhsBatch, rhsBatch, lhsContracting, rhsContracting;
};

/// Operands 0 and 1 are contracted. Result: batch, free of 0, free of 1.
struct DotOp : OpShapes, DotDimensions {};

/// As dot, with operands 0 and 1 multiplied by the scales 2 and 3. A scale is a
/// scalar, or has the rank of its operand and sizes that divide the operand's:
/// each of its elements is that of a block.
struct ScaledDotOp : OpShapes, DotDimensions {};

/// As dot, where one dimension of the lhs, the ragged one, is cut into groups
/// one behind the other, whose sizes are operand 2. If that dimension is
///  - free, a row of it is contracted with the rhs of its group; what is behind
///    the last group is zero. The rhs has a group dimension;
///  - contracting, every group has a result: they are dimension 0;
///  - a batch dimension, groups change nothing.
/// The sizes are [g], the same everywhere, or [b..., x..., g], where b are the
/// batch dimensions and x what is before the ragged dimension among those of
/// its kind: the free ones in order, or as the list has them (of the batch
/// dimensions then only those before it). Every result element reads the sizes
/// of its b and x whole. A size below 0 counts as 0, and what reaches past the
/// end of the ragged dimension is not there.
struct RaggedDotOp : OpShapes, DotDimensions {
  /// One dimension of the lhs; one of the rhs where that is free, else none.
  Int64s lhsRagged, rhsGroup;
  /// Above it the answer is a cover: a map for each group, with a variable for
  /// each group before it, would be too much.
  static constexpr int64_t kMostGroups = 64;
};

/// N inputs, then N inits, N results.
struct ReduceOp : OpShapes {
  Int64s dimensions;
};

/// One dimension of a window, as HLO's `window={…}`.
struct WindowDimension {
  int64_t size = 1, stride = 1, padLow = 0, padHigh = 0;
  int64_t baseDilation = 1, windowDilation = 1;
  bool reversed = false;
};

/// N inputs, then N inits, N results.
struct ReduceWindowOp : OpShapes {
  llvm::SmallVector<WindowDimension, 4> window;
};

/// What the dimensions of a convolution's tensors are: numbers of dimensions,
/// the spatial ones in the order of the window's.
struct ConvolutionDimensions {
  int64_t inputBatch = 0, inputFeature = 1;
  Int64s inputSpatial;
  int64_t kernelInputFeature = 1, kernelOutputFeature = 0;
  Int64s kernelSpatial;
  int64_t outputBatch = 0, outputFeature = 1;
  Int64s outputSpatial;
};

/// Operand 0 is convolved with operand 1, the kernel, which is read whole for
/// its output feature, also where it meets padding. With feature groups, the
/// input's features and the output features are cut into as many equal parts
/// and only equal parts meet; with batch groups the input's batch and the
/// output features are. The window's sizes are the kernel's. Operand 2, where
/// there is one, holds the padding instead of the window: a row {low, high} for
/// each spatial dimension.
struct ConvolutionOp : OpShapes, ConvolutionDimensions {
  llvm::SmallVector<WindowDimension, 4> window;
  int64_t featureGroups = 1, batchGroups = 1;  ///< one of them is 1
};

/// Each window over operand 0 selects one of its elements, to which the
/// window's element of operand 1, the source, is scattered; the result starts
/// out as operand 2, a scalar. Which element is selected depends on all of the
/// window: a result element reads, for each window that contains it, the source
/// element and the whole window.
struct SelectAndScatterOp : OpShapes {
  llvm::SmallVector<WindowDimension, 4> window;
};

/// N operands and N results of one shape, all sorted by all of them along the
/// dimension.
struct SortOp : OpShapes {
  int64_t dimension = 0;
};

/// The k largest or smallest of the last dimension; two results, the values and
/// their indices.
struct TopKOp : OpShapes {
  int64_t k = 0;
};

/// The last `lengths.size()` dimensions are transformed.
struct FftOp : OpShapes {
  enum class Kind : uint8_t { Fft, Ifft, Rfft, Irfft };
  Kind kind = Kind::Fft;
  Int64s lengths;
};

/// Statistics are of all elements with one index of dimension `featureIndex`.
///   Training:  operand, scale, offset -> output, mean, variance
///   Inference: operand, scale, offset, mean, variance -> output
///   Gradient:  operand, scale, mean, variance, gradient of the output ->
///              gradients of operand, scale, offset
struct BatchNormOp : OpShapes {
  enum class Kind : uint8_t { Training, Inference, Gradient };
  Kind kind = Kind::Training;
  int64_t featureIndex = 0;
};

/// The factor of the operand's last two dimensions, of which one triangle is
/// read; the other triangle of the result is undefined.
struct CholeskyOp : OpShapes {
  bool lower = true;
};

/// op(operand 0) * x = operand 1, or x * op(operand 0) = operand 1 where not
/// `leftSide`, in the last two dimensions. `lower` says which triangle of
/// operand 0 is read, `transposed` whether op is a transpose or an adjoint.
struct TriangularSolveOp : OpShapes {
  bool leftSide = true, lower = true, unitDiagonal = false, transposed = false;
};

/// Operand 0, whose size of the dimension becomes the scalar operand 1.
struct SetDimensionSizeOp : OpShapes {
  int64_t dimension = 0;
};

/// Operand 0 in row major order; operands 1… say the sizes: a scalar a
/// dimension, or a tensor of rank 1 of them all.
struct DynamicReshapeOp : OpShapes {};

//===-- Collectives -------------------------------------------------------===//
//
// Every device of a group runs the op with operands of its own. Maps name the
// member of the group whose operand is read (IndexingMap::members); what
// depends on the place of the device itself is a runtime variable.

/// N operands, N results, unless said otherwise.
struct CollectiveShapes : OpShapes {
  /// Members of a group, the least and the most over all groups.
  Interval groupSize{1, Interval::kInfinity};
};

/// The members' operands, one behind the other along `dimension`.
struct AllGatherOp : CollectiveShapes {
  int64_t dimension = 0;
};

/// Result k is combined from the operands k of all members.
struct AllReduceOp : CollectiveShapes {};

/// As all-reduce; each member has its part along `dimension`.
struct ReduceScatterOp : CollectiveShapes {
  int64_t dimension = 0;
};

/// Each member's operand is cut along `dimension`, part k goes to member k, and
/// what arrives stands one behind the other along `dimension`, or along another
/// one, `joined`. Without a dimension there is one operand for each member to
/// which it goes, and one result for each from which it comes.
struct AllToAllOp : CollectiveShapes {
  std::optional<int64_t> dimension, joined;
};

/// Every member has the operands of the first one.
struct CollectiveBroadcastOp : CollectiveShapes {};

/// Device `target` has the operands of device `source`; what is no target reads
/// nothing.
struct CollectivePermuteOp : OpShapes {
  struct Pair {
    int64_t source, target;
  };
  std::vector<Pair> pairs;
  int64_t deviceCount = -1;  ///< -1: not known
};

/// Operands input, output, input offsets, send sizes, output offsets, receive
/// sizes; dimension 0 is ragged. There are number of offsets / group size
/// updates from one member to another. Update j from member m to position p has
/// number u = p * updates + j in m's offsets and sizes: rows [output offset,
/// output offset + send size) of the result at p are m's rows of the input,
/// from the input offset on. The other rows are those of `output`.
struct RaggedAllToAllOp : CollectiveShapes {};

/// Leaf moves without computation: tuple, get-tuple-element, opt-barrier…
/// `reads[r]` is the operand leaf that result leaf r is, or -1 for none.
struct ForwardOp : OpShapes {
  llvm::SmallVector<int64_t, 2> reads;
};

/// Every result reads every element of every operand, as far as is known.
struct CoverOp : OpShapes {
  Precision precision = Precision::Cover;  ///< Cover, or Opaque.
  std::string reason;                      ///< why it is not exact
};

/// fusion, call: the answer is that of the called computation, found by
/// program/; ops/ itself answers as CoverOp.
struct CallOp : OpShapes {};

/// Operand 0, a scalar, chooses the branch; the other operands are the leaves
/// of the branches' arguments. Every result reads the choice whole. What it
/// reads of the arguments is found by program/; ops/ itself answers with a
/// cover.
struct ConditionalOp : OpShapes {};

/// The first operands are the state, the results what it is in the end; behind
/// them stands what the body and the condition read beside it. What is read of
/// them is found by program/; ops/ itself answers with a cover.
struct WhileOp : OpShapes {
  int64_t captured = 0;  ///< so many of the last operands are no state
};

/// A body runs along `dimension` of the inputs: N inputs and `carries` inits
/// give M outputs and the final carries. The body takes slices of the inputs,
/// without the dimension, and the carries, and gives slices of the outputs and
/// the carries. Behind the inits stands what the body captures, which each step
/// has whole. ops/ itself answers with a cover, program/ looks into the body.
struct ScanOp : OpShapes {
  int64_t dimension = 0;
  int64_t carries = 0;
  bool reverse = false;  ///< from the last index to the first
  int64_t captured = 0;  ///< so many of the last operands

  int64_t inputs() const {
    return static_cast<int64_t>(operands.size()) - carries - captured;
  }
};

/// An op of somebody else's: `maps` says what it reads.
struct CustomOp : OpShapes {
  std::shared_ptr<const OpInterface> maps;
};

struct InnerOp;

/// An op that is started and finished later: the result holds, from the first
/// leaf on, operand leaves 0 to `forwards` - 1 as they are, then the results of
/// `inner`, which has the same operands, then contexts, which read nothing.
///
///   ((f32[10]), f32[5], s32[]) slice-start(f32[10]), slice={[0:5]}
///   forwards = 1, inner = SliceOp: f32[10] -> f32[5]
struct StartOp : OpShapes {
  int64_t forwards = 0;
  std::shared_ptr<const InnerOp> inner;
};

/// As elementwise, with each operand broadcast to the result first: dimension j
/// of operand k is dimension `dimensions[k][j]` of the result (BroadcastOp). A
/// size that is not known may be 1 in the run. Of the operands that have a
/// dimension of the result, one has its size.
struct BroadcastingOp : OpShapes {
  llvm::SmallVector<Int64s, 2> dimensions;
};

/// Every result reads every element of every operand.
struct ReadAllOp : OpShapes {};

/// An op whose regions use values that are defined around it: operands behind
/// those of `inner`. Every result reads them, a scalar exactly.
struct CapturingOp : OpShapes {
  std::shared_ptr<const InnerOp> inner;
};

using Op = std::variant<
    NullaryOp, ElementwiseOp, ConstantOp, IotaOp, BroadcastOp, TransposeOp,
    ReverseOp, ReshapeOp, BitcastOp, BitcastConvertOp, SliceOp, DynamicSliceOp,
    DynamicUpdateSliceOp, ConcatenateOp, PadOp, GatherOp, DotOp, ReduceOp,
    ReduceWindowOp, AllGatherOp, AllReduceOp, ReduceScatterOp, AllToAllOp,
    CollectiveBroadcastOp, CollectivePermuteOp, RaggedAllToAllOp, ForwardOp,
    CoverOp, CallOp, ConditionalOp, WhileOp, ScanOp, StartOp, ScaledDotOp,
    RaggedDotOp, ConvolutionOp, SelectAndScatterOp, ScatterOp, SortOp, TopKOp,
    FftOp, BatchNormOp, CholeskyOp, TriangularSolveOp, SetDimensionSizeOp,
    DynamicReshapeOp, CustomOp, CapturingOp, BroadcastingOp, ReadAllOp>;

/// An op inside of another's descriptor.
struct InnerOp {
  Op op;
};

/// The shapes of any op.
const OpShapes &shapesOf(const Op &op);
OpShapes &shapesOf(Op &op);

enum class Direction : uint8_t { OutputToInput, InputToOutput };

/// Whether attributes and shapes agree with each other. A violation is an
/// InvalidArgument status whose message names the attribute, the values, and
/// what would be right; it has no place (the front end adds it).
absl::Status verify(const Op &op);
/// As verify, for an op whose operands are results of verified ops: their
/// shapes are not looked at once more, one by one.
absl::Status verifyUse(const Op &op);

/// What result leaf `result` reads of operand leaf `operand`, or the inverse.
/// Runtime variables have `RuntimeSource::tensor` = the number of the operand
/// leaf that holds their value; of a size, of the operand leaf that has it, or
/// the number of operands + that of the result leaf. Variables with one value
/// are kept. A zero-sized operand or result gives no pieces. Requires
/// verify(op).ok(); numbers out of range are an error; so is arithmetic that
/// leaves 64 bits.
absl::StatusOr<IndexingRelation> indexing(const Op &op, Direction direction,
                                          int64_t result, int64_t operand);

}  // namespace indexical

#endif  // INDEXICAL_OPS_OP_H
