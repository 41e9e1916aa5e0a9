// describe: an op's descriptor as text, for messages of failing tests.
#include <ostream>
#include <type_traits>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include "tests/support/delegated_op.h"
#include "tests/support/random_ops.h"
#include "tests/support/visit_op.h"

namespace indexical::testing {
namespace {

/// The name of an alternative of `Op`, and its attributes behind the shapes.
class Description {
 public:
  Description(std::string &text, bool withShapes)
      : withShapes(withShapes), os(text) {}

  void operator()(const NullaryOp &op) { write("nullary", op); }
  void operator()(const ElementwiseOp &op) { write("elementwise", op); }
  void operator()(const ConstantOp &op) {
    write("constant", op);
    list("values", op.values);
  }
  void operator()(const IotaOp &op) {
    write("iota", op);
    list("dimension", op.dimension);
  }
  void operator()(const BroadcastOp &op) {
    write("broadcast", op);
    list("dimensions", op.dimensions);
  }
  void operator()(const TransposeOp &op) {
    write("transpose", op);
    list("permutation", op.permutation);
  }
  void operator()(const ReverseOp &op) {
    write("reverse", op);
    list("dimensions", op.dimensions);
  }
  void operator()(const ReshapeOp &op) { write("reshape", op); }
  void operator()(const BitcastOp &op) { write("bitcast", op); }
  void operator()(const BitcastConvertOp &op) { write("bitcast-convert", op); }
  void operator()(const SliceOp &op) {
    write("slice", op);
    list("starts", op.starts);
    list("limits", op.limits);
    list("strides", op.strides);
  }
  void operator()(const DynamicSliceOp &op) {
    write("dynamic-slice", op);
    list("sizes", op.sizes);
  }
  void operator()(const DynamicUpdateSliceOp &op) {
    write("dynamic-update-slice", op);
  }
  void operator()(const ConcatenateOp &op) {
    write("concatenate", op);
    list("dimension", op.dimension);
  }
  void operator()(const PadOp &op) {
    write("pad", op);
    list("low", op.low);
    list("high", op.high);
    list("interior", op.interior);
  }
  void operator()(const GatherOp &op) {
    write("gather", op);
    list("offset_dims", op.offsetDims);
    list("collapsed_slice_dims", op.collapsedSliceDims);
    list("start_index_map", op.startIndexMap);
    list("operand_batching_dims", op.operandBatchingDims);
    list("start_indices_batching_dims", op.startIndicesBatchingDims);
    list("index_vector_dim", op.indexVectorDim);
    list("slice_sizes", op.sliceSizes);
  }
  void operator()(const DotOp &op) {
    write("dot", op);
    contraction(op);
  }
  void operator()(const ScaledDotOp &op) {
    write("scaled-dot", op);
    contraction(op);
  }
  void operator()(const RaggedDotOp &op) {
    write("ragged-dot", op);
    contraction(op);
    list("lhs_ragged", op.lhsRagged);
    list("rhs_group", op.rhsGroup);
  }
  void operator()(const ReduceOp &op) {
    write("reduce", op);
    list("dimensions", op.dimensions);
  }
  void operator()(const ReduceWindowOp &op) {
    write("reduce-window", op);
    windows(op.window);
  }
  void operator()(const ConvolutionOp &op) {
    write("convolution", op);
    dimensions("input", op.inputBatch, op.inputFeature, op.inputSpatial);
    dimensions("kernel", op.kernelInputFeature, op.kernelOutputFeature,
               op.kernelSpatial);
    dimensions("output", op.outputBatch, op.outputFeature, op.outputSpatial);
    windows(op.window);
    list("feature_groups", op.featureGroups);
    list("batch_groups", op.batchGroups);
  }
  void operator()(const SelectAndScatterOp &op) {
    write("select-and-scatter", op);
    windows(op.window);
  }
  void operator()(const AllGatherOp &op) {
    write("all-gather", op);
    list("dimension", op.dimension);
    groups(op);
  }
  void operator()(const AllReduceOp &op) {
    write("all-reduce", op);
    groups(op);
  }
  void operator()(const ReduceScatterOp &op) {
    write("reduce-scatter", op);
    list("dimension", op.dimension);
    groups(op);
  }
  void operator()(const AllToAllOp &op) {
    write("all-to-all", op);
    if (op.dimension) list("dimension", *op.dimension);
    groups(op);
  }
  void operator()(const CollectiveBroadcastOp &op) {
    write("collective-broadcast", op);
    groups(op);
  }
  void operator()(const CollectivePermuteOp &op) {
    write("collective-permute", op);
    os << " pairs={";
    for (const CollectivePermuteOp::Pair &pair : op.pairs)
      os << " " << pair.source << "->" << pair.target;
    os << " } of " << op.deviceCount;
  }
  void operator()(const RaggedAllToAllOp &op) {
    write("ragged-all-to-all", op);
    groups(op);
  }
  void operator()(const ForwardOp &op) {
    write("forward", op);
    list("reads", op.reads);
  }
  void operator()(const CoverOp &op) {
    write(op.precision == Precision::Opaque ? "opaque" : "cover", op);
  }
  void operator()(const CallOp &op) { write("call", op); }
  void operator()(const ConditionalOp &op) { write("conditional", op); }
  void operator()(const CustomOp &op) {
    write("custom", op);
    os << " of " << describe(delegateOf(op));
  }
  void operator()(const WhileOp &op) { write("while", op); }
  void operator()(const ScanOp &op) {
    write("scan", op);
    list("dimension", op.dimension);
    list("carries", op.carries);
    os << (op.reverse ? ", reverse" : "");
  }
  void operator()(const StartOp &op) {
    write("start", op);
    list("forwards", op.forwards);
    os << " of ";
    visitOp(*this, op.inner);
  }
  void operator()(const ReadAllOp &op) { write("read-all", op); }
  void operator()(const BroadcastingOp &op) {
    write("broadcasting", op);
    for (const Int64s &dimensions : op.dimensions)
      list("dimensions", dimensions);
  }
  void operator()(const CapturingOp &op) {
    write("capturing", op);
    os << " of ";
    visitOp(*this, op.inner);
  }
  void operator()(const ScatterOp &op) {
    write("scatter", op);
    list("update_window_dims", op.updateWindowDims);
    list("inserted_window_dims", op.insertedWindowDims);
    list("scatter_dims_to_operand_dims", op.scatterDimsToOperandDims);
    list("input_batching_dims", op.inputBatchingDims);
    list("scatter_indices_batching_dims", op.scatterIndicesBatchingDims);
    list("index_vector_dim", op.indexVectorDim);
    list("partly_outside", static_cast<int64_t>(op.partlyOutside));
    Int64s reads;
    for (ScatterOp::BodyRead read : op.bodyReads)
      reads.push_back(static_cast<int64_t>(read));
    list("body_reads", reads);
  }
  void operator()(const SortOp &op) {
    write("sort", op);
    list("dimensions", op.dimension);
  }
  void operator()(const TopKOp &op) {
    write("topk", op);
    list("k", op.k);
  }
  void operator()(const FftOp &op) {
    write("fft", op);
    list("fft_type", static_cast<int64_t>(op.kind));
    list("fft_length", op.lengths);
  }
  void operator()(const BatchNormOp &op) {
    write("batch-norm", op);
    list("kind", static_cast<int64_t>(op.kind));
    list("feature_index", op.featureIndex);
  }
  void operator()(const CholeskyOp &op) {
    write("cholesky", op);
    list("lower", int64_t{op.lower});
  }
  void operator()(const TriangularSolveOp &op) {
    write("triangular-solve", op);
    list("left_side", int64_t{op.leftSide});
    list("lower", int64_t{op.lower});
    list("unit_diagonal", int64_t{op.unitDiagonal});
    list("transposed", int64_t{op.transposed});
  }
  void operator()(const SetDimensionSizeOp &op) {
    write("set-dimension-size", op);
    list("dimensions", op.dimension);
  }
  void operator()(const DynamicReshapeOp &op) { write("dynamic-reshape", op); }

 private:
  void write(llvm::StringRef name, const OpShapes &op) {
    if (!withShapes) {
      os << op.operands.size() << "->" << op.results.size() << " " << name;
      return;
    }
    auto print = [&](const ArrayShape &shape) { os << shape.str(true); };
    os << name << "(";
    llvm::interleaveComma(op.operands, os, print);
    os << ") -> ";
    llvm::interleaveComma(op.results, os, print);
  }
  void contraction(const DotDimensions &op) {
    list("lhs_batch", op.lhsBatch);
    list("rhs_batch", op.rhsBatch);
    list("lhs_contracting", op.lhsContracting);
    list("rhs_contracting", op.rhsContracting);
  }
  /// Batch and feature (of the kernel in and out), then the spatial ones.
  void dimensions(llvm::StringRef name, int64_t first, int64_t second,
                  const Int64s &spatial) {
    Int64s all = {first, second};
    all.append(spatial.begin(), spatial.end());
    list(name, all);
  }
  /// Size, stride, padding, dilations of base and window, whether reversed.
  void windows(llvm::ArrayRef<WindowDimension> window) {
    for (const WindowDimension &d : window)
      list("window", llvm::ArrayRef<int64_t>{d.size, d.stride, d.padLow,
                                             d.padHigh, d.baseDilation,
                                             d.windowDilation, d.reversed});
  }
  void groups(const CollectiveShapes &op) {
    os << " groups=" << op.groupSize.str();
  }
  template <typename List>
  void list(llvm::StringRef name, const List &values) {
    os << " " << name << "=";
    if constexpr (std::is_integral_v<List>) {
      os << values;
    } else {
      os << "{";
      llvm::interleave(values, os, ",");
      os << "}";
    }
  }

  const bool withShapes;
  llvm::raw_string_ostream os;
};

}  // namespace

void PrintTo(const Family &family, std::ostream *os) {
  *os << family.name.str();
}

std::string describe(const Op &op) {
  std::string text;
  visitOp(Description(text, /*withShapes=*/true), op);
  return text;
}

std::string summary(const Op &op) {
  std::string text;
  visitOp(Description(text, /*withShapes=*/false), op);
  return text;
}

}  // namespace indexical::testing
