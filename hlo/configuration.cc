#include "indexical/hlo/configuration.h"

#include <algorithm>
#include <iterator>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/hlo/replica_groups.h"

namespace indexical {
namespace {

/// Attributes that change no value. Sorted.
constexpr llvm::StringLiteral kOfTheText[] = {
    "async_execution_thread",
    "body",
    "branch_computations",
    "called_computations",
    "calls",
    "channel_id",
    "condition",
    "constrain_layout",
    "control-predecessors",
    "cross_program_prefetch_index",
    "execution_thread",
    "false_computation",
    "frontend_attributes",
    "indices_are_sorted",
    "inlineable",
    "is_scheduled",
    "kind",
    "metadata",
    "origin",
    "original_value",
    "parameter_replication",
    "scatter",
    "schedule",
    "select",
    "sharding",
    "statistics",
    "to_apply",
    "true_computation",
    "unique_indices",
};

/// Descriptors have fields for them. Sorted.
constexpr llvm::StringLiteral kOfFields[] = {
    "batch_group_count",
    "collapsed_slice_dims",
    "dim_labels",
    "dimensions",
    "dynamic_slice_sizes",
    "feature_group_count",
    "feature_index",
    "fft_length",
    "fft_type",
    "has_dynamic_root",
    "index",
    "index_vector_dim",
    "input_batching_dims",
    "inserted_window_dims",
    "iota_dimension",
    "is_reverse",
    "k",
    "left_side",
    "lhs_batch_dims",
    "lhs_contracting_dims",
    "lhs_ragged_dims",
    "lower",
    "num_carries",
    "offset_dims",
    "operand_batching_dims",
    "padding",
    "rhs_batch_dims",
    "rhs_contracting_dims",
    "rhs_group_dims",
    "scatter_dims_to_operand_dims",
    "scatter_indices_batching_dims",
    "slice",
    "slice_sizes",
    "source_target_pairs",
    "start_index_map",
    "start_indices_batching_dims",
    "unit_diagonal",
    "update_window_dims",
    "window",
};

template <size_t n>
bool isIn(const llvm::StringLiteral (&names)[n], llvm::StringRef name) {
  return std::binary_search(std::begin(names), std::end(names), name);
}

}  // namespace

std::string configurationOf(const ResolvedInstruction &instruction, OpView op) {
  const bool isCall = &op.kind() == kindOf<CoverOp>("custom-call");
  // The op that is started has the configuration.
  if (op.is<StartOp>()) return "";
  llvm::SmallVector<const AttributeSyntax *, 4> counting;
  bool hasChannel = false;
  for (const AttributeSyntax &attribute : instruction.attributes.all()) {
    hasChannel |= attribute.key == "channel_id";
    if (isIn(kOfTheText, attribute.key) ||
        (attribute.key == "device_ids" &&
         instruction.attributes.has("replica_groups")) ||
        (attribute.key == "backend_config" && !isCall) ||
        (isIn(kOfFields, attribute.key) && !op.is<CoverOp>() && !isCall))
      continue;
    counting.push_back(&attribute);
  }
  llvm::sort(counting, [](const AttributeSyntax *a, const AttributeSyntax *b) {
    return a->key < b->key;
  });
  std::string text;
  // The number of a channel is a name.
  if (hasChannel) text = "channel";
  for (const AttributeSyntax *attribute : counting) {
    if (!text.empty()) text += ';';
    text += attribute->key;
    text += '=';
    text += attribute->key == "replica_groups"
                ? listedGroups(instruction.attributes.replicaGroups())
                : attribute->value.trim().str();
  }
  return text;
}

}  // namespace indexical
