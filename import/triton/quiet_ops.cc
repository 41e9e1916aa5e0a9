#include "indexical/import/triton/quiet_ops.h"

#include <string>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

namespace indexical::triton {

using llvm::StringRef;

namespace {

/// Quiet ops whose operands have types that are known.
constexpr StringRef kTypedQuietOps[] = {"builtin.unrealized_conversion_cast",
                                        "cf.br",
                                        "cf.cond_br",
                                        "ttng.tensormap_fenceproxy_acquire",
                                        "ttng.warp_group_dot",
                                        "ttng.warp_group_dot_wait",
                                        "triton_nvidia_gpu.warp_group_dot",
                                        "triton_nvidia_gpu.warp_group_dot_wait",
                                        "ub.poison"};

/// Quiet ops that are read without their operands. The namespaces `ttg`, `ttng`
/// and `amdg` have older names: triton_gpu, triton_nvidia_gpu, amdgpu.
constexpr StringRef kLooseQuietOps[] = {
    // Order and promises.
    "amdg.arrive_barrier", "amdg.async_copy_mbarrier_arrive",
    "amdg.async_tdm_intrinsic_wait", "amdg.async_tdm_wait", "amdg.async_wait",
    "amdg.cluster_barrier_arrive", "amdg.cluster_barrier_wait",
    "amdg.cond_barrier", "amdg.init_barrier", "amdg.instruction_sched_hint",
    "amdg.memory_counter_wait", "amdg.read_barrier_phase", "amdg.sched_barrier",
    "amdg.tdm_prefetch", "amdg.wait_barrier", "gpu.barrier", "llvm.intr.assume",
    "nvvm.barrier0", "nvws.arrive_barrier", "nvws.consumer_release",
    "nvws.consumer_wait", "nvws.create_token", "nvws.producer_acquire",
    "nvws.producer_commit", "nvws.warp_group.return", "nvws.warp_group.yield",
    "proton.record", "rocdl.sched.barrier", "rocdl.sched.group.barrier",
    "rocdl.s.barrier", "rocdl.s.setprio", "ttg.async_bulk_commit_group",
    "ttg.async_bulk_wait", "ttg.barrier", "ttg.warp_return", "ttig.prefetch",
    "triton_intel_gpu.prefetch", "ttng.arrive_barrier",
    "ttng.arrive_barrier_named", "ttng.async_copy_mbarrier_arrive",
    "ttng.async_tma_store_token_wait", "ttng.async_tma_store_wait",
    "ttng.barrier_expect", "ttng.cluster_arrive", "ttng.cluster_barrier",
    "ttng.cluster_wait", "ttng.fence", "ttng.fence_async_shared",
    "ttng.fence_mbarrier_init_release_cluster", "ttng.init_barrier",
    "ttng.inval_barrier", "ttng.wait_barrier", "ttng.wait_barrier_named",
    // The launch of a cluster in place of another one.
    "ttng.async_clc_try_cancel", "ttng.clc_query_cancel",
    "ttng.clc_get_program_id", "ttng.clc_is_canceled", "ttng.clc_load_result",
    "ttng.clc_read", "ttng.clc_try_cancel", "ttng.clc_try_cancel_async",
    // Numbers of threads, and of what they say to each other.
    "gpu.block_dim", "gpu.block_id", "gpu.grid_dim", "gpu.lane_id",
    "gpu.subgroup_id", "gpu.thread_id", "ttg.predicate_stage",
    "ttng.vote_ballot_sync",
    // Tiles in shared memory, tensor memory and registers.
    "ttig.glue", "ttig.extract", "ttig.sub_group_transpose",
    "triton_intel_gpu.glue", "triton_intel_gpu.extract",
    "triton_intel_gpu.sub_group_transpose", "amdg.local_load_packed_tranposed",
    "amdg.scaled_upcast_fp4", "amdg.scaled_upcast_fp8", "amdg.upcast_mxfp",
    "ttg.fp4_to_fp", "ttg.local_atomic_scatter_rmw", "ttg.local_gather",
    "ttg.local_scatter", "ttg.upcast_fp4", "ttg.upcast_mxfp",
    "ttng.async_shared_store", "ttng.map_to_remote_buffer", "ttng.packed_arith",
    "ttng.tc_gen5_commit", "ttng.tc_gen5_mma", "ttng.tc_gen5_mma_scaled",
    "ttng.tmem_alloc", "ttng.tmem_copy", "ttng.tmem_load", "ttng.tmem_store",
    "ttng.tmem_subslice"};

/// The beginnings of the names of others: what measures, and numbers of
/// threads.
constexpr StringRef kLooseQuietFamilies[] = {"proton_gpu.",
                                             "nvvm.read.ptx.sreg."};

/// Those of them that store into shared memory.
constexpr StringRef kStoresOfShared[] = {
    "ttg.local_atomic_scatter_rmw", "ttg.local_scatter",
    "ttng.async_shared_store", "ttng.map_to_remote_buffer"};

/// Ops of `tt` that are read without their operands.
constexpr StringRef kLooseOps[] = {"dot_scaled"};

constexpr StringRef kTokenOps[] = {
    "tmem_store",         "tc_gen5_mma",
    "tc_gen5_mma_scaled", "async_wait",
    "async_tdm_wait",     "async_tdm_intrinsic_wait",
    "async_tma_gather",   "async_tma_copy_global_to_local"};

/// Returns the name with the namespace of today.
std::string nameOfToday(StringRef name) {
  const auto [space, op] = name.split('.');
  StringRef today = space;
  if (space == "triton_gpu") today = "ttg";
  if (space == "triton_nvidia_gpu") today = "ttng";
  if (space == "amdgpu") today = "amdg";
  return (llvm::Twine(today) + "." + op).str();
}

bool isLooseQuietOp(StringRef name) {
  return llvm::is_contained(kLooseQuietOps, StringRef(nameOfToday(name))) ||
         llvm::any_of(kLooseQuietFamilies, [&](StringRef family) {
           return name.starts_with(family);
         });
}

}  // namespace

bool isQuietOp(StringRef name) {
  return llvm::is_contained(kTypedQuietOps, name) || isLooseQuietOp(name);
}

bool isReadLoosely(StringRef name) {
  const auto [space, op] = name.split('.');
  if (space == "tt" && llvm::is_contained(kLooseOps, op)) return true;
  return isLooseQuietOp(name);
}

bool changesSharedMemory(StringRef name) {
  return llvm::is_contained(kStoresOfShared, StringRef(nameOfToday(name)));
}

bool changesTensorMemory(StringRef name) {
  const std::string today = nameOfToday(name);
  return StringRef(today).starts_with("ttng.tmem_") ||
         StringRef(today).starts_with("ttng.tc_gen5_mma");
}

bool changesLayout(StringRef name) {
  static constexpr StringRef kAll[] = {
      "ttg.convert_layout", "triton_gpu.convert_layout",
      "gluon.set_auto_layout", "tlx.require_layout", "tlx.release_layout"};
  return llvm::is_contained(kAll, name);
}

bool returnsTokens(StringRef name) {
  return llvm::is_contained(kTokenOps, name.split('.').second);
}

}  // namespace indexical::triton
