// The shardings that stand in a program.
//
//   x = f32[8,3] parameter(0), sharding={devices=[4,1]<=[4]}
//
//   instruction x, result 0: tiles 4 x 1, global f32[8,3], local f32[2,3]
//
// A module that is partitioned already keeps some shardings. They stand on
// local shapes then, and do not say how large the whole tensor was: a local
// size fits several global ones if tiles are uneven.
#ifndef INDEXICAL_PROGRAM_SHARDING_PROGRAM_SHARDINGS_H
#define INDEXICAL_PROGRAM_SHARDING_PROGRAM_SHARDINGS_H

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/program/module/program.h"
#include "indexical/program/sharding/sharding.h"

namespace indexical {

/// Returns what a reader of the module's shardings has to know: the meshes of
/// its text, and its number of partitions if its header says it. A count of 1
/// says nothing, for compilers write it before they partition.
ShardingContext shardingContextOf(const Module &module);

/// Returns the number of devices in the module's header, or else the one that
/// its shardings agree on. Returns -1 if they name none, or several.
int64_t devicesOf(const Module &module, const ShardingContext &context);

/// Returns whether the module's shapes are local: the name of its entry then
/// ends in `_spmd`.
bool isPartitioned(const Module &module);

/// One array leaf with a sharding.
struct ShardedLeaf {
  ComputationId computation;
  InstructionId instruction;
  LeafId result;
  Sharding sharding = Sharding::replicated(0, -1);
};

/// Returns the shardings of the instruction's array leaves. The answer is empty
/// if the instruction has no sharding. An error has the place in the file.
absl::StatusOr<std::vector<Sharding>> shardingsOf(const Program &program,
                                                  const Module &module,
                                                  const Instruction &of,
                                                  ShardingContext context,
                                                  int64_t devices);

/// Returns every array leaf of the module's computations that has a sharding.
absl::StatusOr<std::vector<ShardedLeaf>> shardedLeaves(
    const Program &program, const Module &module,
    const ShardingContext &context);

/// Returns the name of the attribute that has this text: `sharding` or
/// `frontend` in HLO, `mhlo.sharding` or `sdy` in MLIR.
llvm::StringRef sourceOf(llvm::StringRef text, bool isMlir);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_SHARDING_PROGRAM_SHARDINGS_H
