// Ops in which devices exchange elements.
#ifndef INDEXICAL_STABLEHLO_COLLECTIVE
#define INDEXICAL_STABLEHLO_COLLECTIVE

include "import/stablehlo/dialect/attributes.td"

def AllGatherOp : VerifiedOp<"all_gather"> {
  let arguments = (ins Variadic<Tensor>:$operands, SizeAttr:$all_gather_dim,
                   ReplicaGroups:$replica_groups,
                   OptionalAttr<ChannelHandleAttr>:$channel_handle,
                   UnitAttr:$use_global_device_ids);
  let results = (outs Variadic<Tensor>:$results);
}

def AllReduceOp : VerifiedOp<"all_reduce"> {
  let arguments = (ins Variadic<Tensor>:$operands,
                   ReplicaGroups:$replica_groups,
                   OptionalAttr<ChannelHandleAttr>:$channel_handle,
                   UnitAttr:$use_global_device_ids);
  let results = (outs Variadic<Tensor>:$results);
  let regions = (region SizedRegion<1>:$computation);
}

def AllToAllOp : VerifiedOp<"all_to_all"> {
  let arguments = (ins Variadic<Tensor>:$operands, SizeAttr:$split_dimension,
                   SizeAttr:$concat_dimension, SizeAttr:$split_count,
                   ReplicaGroups:$replica_groups,
                   OptionalAttr<ChannelHandleAttr>:$channel_handle);
  let results = (outs Variadic<Tensor>:$results);
}

// With `has_dynamic_root`, the last operand says which member sends.
def CollectiveBroadcastOp : VerifiedOp<"collective_broadcast"> {
  let arguments = (ins Variadic<Tensor>:$operands,
                   ReplicaGroups:$replica_groups,
                   OptionalAttr<ChannelHandleAttr>:$channel_handle,
                   UnitAttr:$has_dynamic_root);
  let results = (outs Variadic<Tensor>:$results);
}

def CollectiveReduceOp : VerifiedOp<"collective_reduce"> {
  let arguments = (ins Variadic<Tensor>:$operands,
                   ReplicaGroups:$replica_groups,
                   OptionalAttr<ChannelHandleAttr>:$channel_handle,
                   UnitAttr:$has_dynamic_root, UnitAttr:$use_global_device_ids);
  let results = (outs Variadic<Tensor>:$results);
  let regions = (region SizedRegion<1>:$computation);
}

def CollectivePermuteOp : VerifiedOp<"collective_permute"> {
  let arguments = (ins Tensor:$operand, IntTable:$source_target_pairs,
                   OptionalAttr<ChannelHandleAttr>:$channel_handle);
  let results = (outs Tensor:$result);
}

def CrossReplicaSumOp : VerifiedOp<"cross-replica-sum"> {  // legacy
  let arguments = (ins Tensor:$operand, ReplicaGroups:$replica_groups);
  let results = (outs Tensor:$result);
}

def ReduceScatterOp : VerifiedOp<"reduce_scatter"> {
  let arguments = (ins Tensor:$operand, SizeAttr:$scatter_dimension,
                   ReplicaGroups:$replica_groups,
                   OptionalAttr<ChannelHandleAttr>:$channel_handle,
                   UnitAttr:$use_global_device_ids);
  let results = (outs Tensor:$result);
  let regions = (region SizedRegion<1>:$computation);
}

#endif
