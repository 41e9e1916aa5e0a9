#include "indexical/program/values/op_identity.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <tuple>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/ops/families.h"

namespace indexical {
namespace {

using llvm::StringRef;

constexpr Language kHlo = Language::Hlo, kMlir = Language::Mlir;

// clang-format off
constexpr LeftOutAttribute kLeftOut[] = {
    {kHlo, "async_execution_thread", WhyLeftOut::Place, "*"},
    {kHlo, "async_group_id", WhyLeftOut::Place, "*"},
    {kHlo, "backend_config", WhyLeftOut::Compilation, "known"},
    {kHlo, "body", WhyLeftOut::Function, "*"},
    {kHlo, "branch_computations", WhyLeftOut::Function, "*"},
    {kHlo, "called_computations", WhyLeftOut::Function, "*"},
    {kHlo, "calls", WhyLeftOut::Function, "*"},
    {kHlo, "channel_id", WhyLeftOut::Name, "but recv send"},
    {kHlo, "condition", WhyLeftOut::Function, "*"},
    {kHlo, "constrain_layout", WhyLeftOut::Compilation, "known"},
    {kHlo, "control-predecessors", WhyLeftOut::Compilation, "*"},
    {kHlo, "cross_program_prefetch_index", WhyLeftOut::Compilation, "copy-start"},
    {kHlo, "domain", WhyLeftOut::Place, "domain"},
    {kHlo, "execution_thread", WhyLeftOut::Place, "*"},
    {kHlo, "false_computation", WhyLeftOut::Function, "*"},
    {kHlo, "frontend_attributes", WhyLeftOut::Compilation, "known"},
    {kHlo, "indices_are_sorted", WhyLeftOut::Promise, "gather scatter"},
    {kHlo, "inlineable", WhyLeftOut::Compilation, "known"},
    {kHlo, "is_composite", WhyLeftOut::Name, "call"},
    {kHlo, "is_cross_program_prefetch", WhyLeftOut::Compilation, "copy-start"},
    {kHlo, "is_scheduled", WhyLeftOut::Compilation, "known"},
    {kHlo, "kind", WhyLeftOut::Compilation, "fusion"},
    {kHlo, "metadata", WhyLeftOut::Name, "*"},
    {kHlo, "origin", WhyLeftOut::Name, "*"},
    {kHlo, "original_value", WhyLeftOut::Name, "*"},
    {kHlo, "output_to_operand_aliasing", WhyLeftOut::Compilation, "fusion"},
    {kHlo, "parameter_replication", WhyLeftOut::Place, "parameter"},
    {kHlo, "scatter", WhyLeftOut::Function, "*"},
    {kHlo, "schedule", WhyLeftOut::Compilation, "known"},
    {kHlo, "select", WhyLeftOut::Function, "*"},
    {kHlo, "sharding", WhyLeftOut::Place, "*"},
    {kHlo, "statistics", WhyLeftOut::Name, "*"},
    {kHlo, "to_apply", WhyLeftOut::Function, "*"},
    {kHlo, "true_computation", WhyLeftOut::Function, "*"},
    {kHlo, "unique_indices", WhyLeftOut::Promise, "gather scatter"},
    {kMlir, "allowed_direction", WhyLeftOut::Place, "sdy.propagation_barrier"},
    {kMlir, "arg_attrs", WhyLeftOut::Compilation, "func.call"},
    {kMlir, "called_computations", WhyLeftOut::Function, "*"},
    {kMlir, "callee", WhyLeftOut::Function, "*"},
    {kMlir, "channel_handle", WhyLeftOut::Name, "but stablehlo.recv stablehlo.send"},
    {kMlir, "decomposition", WhyLeftOut::Function, "*"},
    {kMlir, "indexical.elementwise", WhyLeftOut::Name, "*"},
    {kMlir, "indices_are_sorted", WhyLeftOut::Promise, "stablehlo.gather stablehlo.dynamic_gather stablehlo.scatter"},
    {kMlir, "mhlo.frontend_attributes", WhyLeftOut::Compilation, "known"},
    {kMlir, "mhlo.layout_mode", WhyLeftOut::Compilation, "*"},
    {kMlir, "mhlo.memory_kind", WhyLeftOut::Compilation, "*"},
    {kMlir, "mhlo.sharding", WhyLeftOut::Place, "*"},
    {kMlir, "no_inline", WhyLeftOut::Compilation, "func.call"},
    {kMlir, "res_attrs", WhyLeftOut::Compilation, "func.call"},
    {kMlir, "sdy.block_arg_propagation_edges", WhyLeftOut::Place, "*"},
    {kMlir, "sdy.propagation_edges", WhyLeftOut::Place, "*"},
    {kMlir, "sdy.result_propagation_edges", WhyLeftOut::Place, "*"},
    {kMlir, "sdy.sharding", WhyLeftOut::Place, "*"},
    {kMlir, "sdy.sharding_origins", WhyLeftOut::Place, "*"},
    {kMlir, "sdy.sharding_rule", WhyLeftOut::Place, "*"},
    {kMlir, "sharding", WhyLeftOut::Place, "sdy."},
    {kMlir, "sym_name", WhyLeftOut::Name, "*"},
    {kMlir, "unique_indices", WhyLeftOut::Promise, "stablehlo.gather stablehlo.dynamic_gather stablehlo.scatter"},
};
// clang-format on

/// Entries of `frontend_attributes` that change no value. Sorted.
constexpr llvm::StringLiteral kLeftOutEntries[] = {
    "xla.sdy.propagation_edges",
    "xla.sdy.sharding",
    "xla.sdy.sharding_origins",
    "xla.sdy.sharding_rule",
};

/// An attribute that the fields of families have.
struct HeldAttribute {
  Language language;
  llvm::StringLiteral name;
  bool (*holds)(OpView);
};

template <typename... Families>
bool is(OpView op) {
  return op.isOneOf<Families...>();
}

bool isSize(OpView op) {
  const auto *nullary = op.as<NullaryOp>();
  return nullary && nullary->sizeOf;
}

bool isDimension(OpView op) {
  return isSize(op) || is<BroadcastOp, TransposeOp, ReverseOp, ConcatenateOp,
                          ReduceOp, SortOp, ScanOp, AllGatherOp,
                          ReduceScatterOp, AllToAllOp, SetDimensionSizeOp>(op);
}

bool isOneDimension(OpView op) {
  return isSize(op) ||
         is<ConcatenateOp, SortOp, ScanOp, SetDimensionSizeOp>(op);
}

constexpr auto isGather = is<GatherOp>;
constexpr auto isScatter = is<ScatterOp>;
constexpr auto isConvolution = is<ConvolutionOp>;
constexpr auto isProduct = is<DotOp, ScaledDotOp, RaggedDotOp>;
constexpr auto isWindow = is<ReduceWindowOp, SelectAndScatterOp>;
constexpr auto isAnyWindow =
    is<ReduceWindowOp, SelectAndScatterOp, ConvolutionOp>;

// clang-format off
constexpr HeldAttribute kHeld[] = {
    {kHlo, "batch_group_count", isConvolution},
    {kHlo, "collapsed_slice_dims", isGather},
    {kHlo, "dim_labels", isConvolution},
    {kHlo, "dimensions", isDimension},
    {kHlo, "dynamic_slice_sizes", is<DynamicSliceOp>},
    {kHlo, "feature_group_count", isConvolution},
    {kHlo, "feature_index", is<BatchNormOp>},
    {kHlo, "fft_length", is<FftOp>},
    {kHlo, "fft_type", is<FftOp>},
    {kHlo, "has_dynamic_root", is<CollectiveBroadcastOp>},
    {kHlo, "index", is<ForwardOp>},
    {kHlo, "index_vector_dim", is<GatherOp, ScatterOp>},
    {kHlo, "input_batching_dims", isScatter},
    {kHlo, "inserted_window_dims", isScatter},
    {kHlo, "iota_dimension", is<IotaOp>},
    {kHlo, "is_reverse", is<ScanOp>},
    {kHlo, "k", is<TopKOp>},
    {kHlo, "left_side", is<TriangularSolveOp>},
    {kHlo, "lhs_batch_dims", isProduct},
    {kHlo, "lhs_contracting_dims", isProduct},
    {kHlo, "lhs_ragged_dims", is<RaggedDotOp>},
    {kHlo, "lower", is<CholeskyOp, TriangularSolveOp>},
    {kHlo, "num_carries", is<ScanOp>},
    {kHlo, "offset_dims", isGather},
    {kHlo, "operand_batching_dims", isGather},
    {kHlo, "padding", is<PadOp>},
    {kHlo, "rhs_batch_dims", isProduct},
    {kHlo, "rhs_contracting_dims", isProduct},
    {kHlo, "rhs_group_dims", is<RaggedDotOp>},
    {kHlo, "scatter_dims_to_operand_dims", isScatter},
    {kHlo, "scatter_indices_batching_dims", isScatter},
    {kHlo, "slice", is<SliceOp>},
    {kHlo, "slice_sizes", isGather},
    {kHlo, "source_target_pairs", is<CollectivePermuteOp>},
    {kHlo, "start_index_map", isGather},
    {kHlo, "start_indices_batching_dims", isGather},
    {kHlo, "unit_diagonal", is<TriangularSolveOp>},
    {kHlo, "update_window_dims", isScatter},
    {kHlo, "window", isAnyWindow},
    {kMlir, "all_gather_dim", is<AllGatherOp>},
    {kMlir, "base_dilations", is<ReduceWindowOp>},
    {kMlir, "batch_dims", isGather},
    {kMlir, "batch_group_count", isConvolution},
    {kMlir, "broadcast_dimensions", is<BroadcastOp, BroadcastingOp>},
    {kMlir, "broadcast_sizes", is<BroadcastOp>},
    {kMlir, "concat_dimension", is<AllToAllOp>},
    {kMlir, "dim", is<ConcatenateOp, GatherOp>},
    {kMlir, "dimension", isOneDimension},
    {kMlir, "dimension_numbers", is<ConvolutionOp, GatherOp>},
    {kMlir, "dimensions", is<ReverseOp, ReduceOp>},
    {kMlir, "dot_dimension_numbers", is<DotOp>},
    {kMlir, "edge_padding_high", is<PadOp>},
    {kMlir, "edge_padding_low", is<PadOp>},
    {kMlir, "feature_group_count", isConvolution},
    {kMlir, "feature_index", is<BatchNormOp>},
    {kMlir, "fft_length", is<FftOp>},
    {kMlir, "fft_type", is<FftOp>},
    {kMlir, "index", is<ForwardOp>},
    {kMlir, "interior_padding", is<PadOp>},
    {kMlir, "iota_dimension", is<IotaOp>},
    {kMlir, "is_reverse", is<ScanOp>},
    {kMlir, "k", is<TopKOp>},
    {kMlir, "known_expanding_dimensions", is<BroadcastOp>},
    {kMlir, "known_nonexpanding_dimensions", is<BroadcastOp>},
    {kMlir, "left_side", is<TriangularSolveOp>},
    {kMlir, "lhs_dilation", isConvolution},
    {kMlir, "limit_indices", is<SliceOp>},
    {kMlir, "lower", is<CholeskyOp, TriangularSolveOp>},
    {kMlir, "padding", isAnyWindow},
    {kMlir, "permutation", is<TransposeOp>},
    {kMlir, "ragged_dot_dimension_numbers", is<RaggedDotOp>},
    {kMlir, "reassociation", is<ReshapeOp, DynamicReshapeOp>},
    {kMlir, "rhs_dilation", isConvolution},
    {kMlir, "scatter_dimension", is<ReduceScatterOp>},
    {kMlir, "scatter_dimension_numbers", isScatter},
    {kMlir, "slice_sizes", is<GatherOp, DynamicSliceOp>},
    {kMlir, "source_target_pairs", is<CollectivePermuteOp>},
    {kMlir, "split_count", is<AllToAllOp>},
    {kMlir, "split_dimension", is<AllToAllOp>},
    {kMlir, "start_indices", is<SliceOp>},
    {kMlir, "static_output_shape", is<ReshapeOp, DynamicReshapeOp>},
    {kMlir, "strides", is<SliceOp>},
    {kMlir, "unit_diagonal", is<TriangularSolveOp>},
    {kMlir, "value", is<ConstantOp>},
    {kMlir, "window_dilations", is<ReduceWindowOp>},
    {kMlir, "window_dimensions", isWindow},
    {kMlir, "window_reversal", isConvolution},
    {kMlir, "window_strides", isAnyWindow},
};
// clang-format on

/// Returns the row of that name, or null.
template <typename Row, size_t n>
const Row *rowOf(const Row (&rows)[n], Language language, StringRef name) {
  const Row *found = std::lower_bound(
      std::begin(rows), std::end(rows), name, [&](const Row &row, StringRef) {
        return row.language != language ? row.language < language
                                        : row.name < name;
      });
  return found != std::end(rows) && found->language == language &&
                 found->name == name
             ? found
             : nullptr;
}

/// Whether the meaning of the op is known: not that of a custom call, whatever
/// its target reads.
bool isKnown(const DescribedOp &op) {
  return !op.descriptor.is<CustomOp>() &&
         &op.kind != kindOf<CoverOp>("custom-call") &&
         &op.kind != kindOf<CoverOp>("unknown");
}

/// Ops whose `frontend_attributes` say who sends what to whom.
bool isTransfer(const DescribedOp &op) {
  const StringRef name = op.kind.name;
  return name.starts_with("send") || name.starts_with("recv");
}

/// Returns whether a comparison names nothing but its direction and its type.
bool namesDirection(StringRef configuration) {
  StringRef rest = configuration;
  while (!rest.empty()) {
    StringRef item;
    std::tie(item, rest) = rest.split(';');
    const StringRef name = item.split('=').first;
    const StringRef value = item.split('=').second;
    const bool isOrder = name == "direction" ||
                         name == "comparison_direction" ||
                         ((name == "type" || name == "compare_type") &&
                          !value.contains("TOTAL"));
    if (!isOrder) return false;
  }
  return !configuration.empty();
}

/// Returns whether the text consists of items of these names.
bool hasOnly(StringRef configuration, llvm::ArrayRef<StringRef> names) {
  StringRef rest = configuration;
  while (!rest.empty()) {
    StringRef item;
    std::tie(item, rest) = rest.split(';');
    if (!llvm::is_contained(names, item.split('=').first)) return false;
  }
  return true;
}

}  // namespace

llvm::ArrayRef<LeftOutAttribute> leftOutAttributes() { return kLeftOut; }

bool isLeftOut(const DescribedOp &op, StringRef attribute) {
  const LeftOutAttribute *row = rowOf(kLeftOut, op.language, attribute);
  if (!row) return false;
  if (row->ops == "*") return true;
  if (row->ops == "known")
    return isKnown(op) &&
           !(isTransfer(op) && attribute.ends_with("frontend_attributes"));
  llvm::SmallVector<StringRef, 4> names;
  StringRef ops = row->ops;
  const bool areOthers = ops.consume_front("but ");
  ops.split(names, ' ');
  return areOthers != llvm::any_of(names, [&](StringRef name) {
           return name.ends_with(".") ? op.name.starts_with(name)
                                      : op.name == name;
         });
}

bool isLeftOutEntry(StringRef entry) {
  return llvm::is_contained(kLeftOutEntries, entry);
}

bool isHeld(const DescribedOp &op, StringRef attribute) {
  // A custom call has names of its own.
  if (&op.kind == kindOf<CoverOp>("custom-call")) return false;
  const HeldAttribute *row = rowOf(kHeld, op.language, attribute);
  return row && row->holds(op.descriptor);
}

bool isPlain(const Op &op) {
  if (&op.kind() == kindOf<CoverOp>("custom-call")) return false;
  const std::string &text = op.descriptor().configuration;
  return text.empty() || (&op.kind() == kindOf<ElementwiseOp>("compare") &&
                          namesDirection(text));
}

bool isPlainButForFlags(const Op &op) {
  return isPlain(op) ||
         (op.is<ElementwiseOp>() &&
          hasOnly(op.descriptor().configuration,
                  {"fastmath", "overflowFlags", kElementTypes.drop_back()}));
}

bool computesItsKind(const Op &op) {
  return isPlain(op) || traitsOf(op).elements != ElementRule::Unknown ||
         (op.is<ElementwiseOp>() &&
          hasOnly(op.descriptor().configuration, {"overflowFlags"}));
}

bool typesFollow(OpView op) {
  return op.isOneOf<CallOp, ConditionalOp, WhileOp, StartOp, ForwardOp>();
}

StringRef elementTypesOf(const Op &op) {
  StringRef rest = op.descriptor().configuration;
  while (!rest.empty()) {
    StringRef item;
    std::tie(item, rest) = rest.split(';');
    if (item.consume_front(kElementTypes)) return item;
  }
  return "";
}

bool isInlined(const Op &op) {
  return isPlain(op) || &op.kind() == kindOf<CallOp>("composite");
}

bool isForwarded(const Op &op, int64_t result, int64_t operand) {
  const OpShapes &shapes = shapesOf(op);
  // What a transfer says more is who takes part.
  const bool isTransfer = &op.kind() == kindOf<ForwardOp>("send") ||
                          &op.kind() == kindOf<ForwardOp>("recv-done");
  const bool saysWho = isTransfer && hasOnly(op.descriptor().configuration,
                                             {"channel", "frontend_attributes",
                                              "is_host_transfer"});
  // What communication of a whole array says more is how its parts move.
  const bool saysHow = &op.kind() == kindOf<ForwardOp>() &&
                       hasOnly(op.descriptor().configuration,
                               {"gathering_axes", "out_sharding", "params",
                                "reduce_scatter_axes", "reduction_axes",
                                "reduction_op", "slicing_axes"});
  return (isPlain(op) || saysWho || saysHow) &&
         shapes.results[result].type == shapes.operands[operand].type &&
         shapes.results[result].dimensions ==
             shapes.operands[operand].dimensions;
}

//===-- Ops without what is not theirs ------------------------------------===//

namespace {

bool hasLayout(const ShapeList &shapes) {
  return llvm::any_of(shapes, [](const ArrayShape &s) { return !!s.layout; });
}

/// Gives fields the value that they have in a new descriptor.
template <typename T, typename Clear>
bool clearIn(OpDraft &draft, Clear clear) {
  T *op = draft.as<T>();
  if (op) clear(*op, T());
  return op != nullptr;
}

template <typename T>
bool clearDimension(OpDraft &draft) {
  return clearIn<T>(
      draft, [](T &op, const T &blank) { op.dimension = blank.dimension; });
}

template <typename T>
bool clearProduct(OpDraft &draft) {
  return clearIn<T>(draft, [](T &op, const T &) {
    static_cast<DotDimensions &>(op) = DotDimensions();
  });
}

template <typename T>
bool clearWindow(OpDraft &draft) {
  return clearIn<T>(draft, [](T &op, const T &) { op.window.clear(); });
}

/// Families of which all fields are places.
template <typename... Families>
bool clearAll(OpDraft &draft) {
  return (clearIn<Families>(draft,
                            [](Families &op, Families blank) {
                              static_cast<OpDescriptor &>(blank) = op;
                              op = std::move(blank);
                            }) ||
          ...);
}

bool clearConvolution(OpDraft &draft) {
  return clearIn<ConvolutionOp>(
      draft, [](ConvolutionOp &op, const ConvolutionOp &blank) {
        static_cast<ConvolutionDimensions &>(op) = blank;
        for (WindowDimension &dimension : op.window) {
          const bool reversed = dimension.reversed;
          dimension = WindowDimension();
          dimension.reversed = reversed;
        }
      });
}

/// Clears the fields that are sizes, dimensions or places in arrays.
void clearPlaces(OpDraft &op) {
  clearAll<BroadcastingOp, BroadcastOp, TransposeOp, ReverseOp, SliceOp, PadOp,
           DynamicSliceOp, GatherOp>(op) ||
      clearDimension<IotaOp>(op) || clearDimension<ConcatenateOp>(op) ||
      clearDimension<SetDimensionSizeOp>(op) || clearDimension<SortOp>(op) ||
      clearDimension<ScanOp>(op) || clearProduct<DotOp>(op) ||
      clearProduct<ScaledDotOp>(op) || clearWindow<ReduceWindowOp>(op) ||
      clearWindow<SelectAndScatterOp>(op) || clearConvolution(op) ||
      clearIn<ReduceOp>(
          op, [](ReduceOp &o, const ReduceOp &) { o.dimensions.clear(); }) ||
      clearIn<RaggedDotOp>(op,
                           [](RaggedDotOp &o, const RaggedDotOp &) {
                             static_cast<DotDimensions &>(o) = DotDimensions();
                             o.lhsRagged.clear();
                             o.rhsGroup.clear();
                           }) ||
      clearIn<ScatterOp>(op,
                         [](ScatterOp &o, const ScatterOp &blank) {
                           o.updateWindowDims.clear();
                           o.insertedWindowDims.clear();
                           o.scatterDimsToOperandDims.clear();
                           o.inputBatchingDims.clear();
                           o.scatterIndicesBatchingDims.clear();
                           o.indexVectorDim = blank.indexVectorDim;
                         }) ||
      clearIn<TopKOp>(op, [](TopKOp &o, const TopKOp &b) { o.k = b.k; }) ||
      clearIn<FftOp>(op, [](FftOp &o, const FftOp &) { o.lengths.clear(); }) ||
      clearIn<BatchNormOp>(op, [](BatchNormOp &o, const BatchNormOp &b) {
        o.featureIndex = b.featureIndex;
      });
}

}  // namespace

bool needsLayouts(const Op &op) {
  return op.isOneOf<BitcastOp, BitcastConvertOp, CoverOp, CustomOp>();
}

Op valueOp(const Op &op) {
  if (op.is<CustomOp>())
    return op.changed(
        [](OpDraft &draft) { draft.as<CustomOp>()->maps = nullptr; });
  const OpShapes &shapes = shapesOf(op);
  if (needsLayouts(op) ||
      (!hasLayout(shapes.operands) && !hasLayout(shapes.results)))
    return op;
  return op.changed([](OpDraft &draft) {
    draft->operands.dropLayouts();
    draft->results.dropLayouts();
  });
}

Op placelessOp(const Op &op) {
  return op.changed([](OpDraft &draft) {
    for (ShapeList *shapes : {&draft->operands, &draft->results})
      for (size_t k = 0; k < shapes->size(); ++k)
        shapes->mutableAt(k) = ArrayShape((*shapes)[k].type, {});
    clearPlaces(draft);
    if (auto *custom = draft.as<CustomOp>()) custom->maps = nullptr;
    if (auto *start = draft.as<StartOp>())
      start->inner = placelessOp(start->inner);
    if (auto *capturing = draft.as<CapturingOp>())
      capturing->inner = placelessOp(capturing->inner);
  });
}

}  // namespace indexical
