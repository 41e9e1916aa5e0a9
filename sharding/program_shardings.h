// The shardings that stand in a program.
//
//   x = f32[8,3] parameter(0), sharding={devices=[4,1]<=[4]}
//
//   instruction x, result 0: tiles 4 x 1, global f32[8,3], local f32[2,3]
//
// A module that is partitioned already keeps some shardings. They stand on
// local shapes then, and say nothing of how large the whole tensor was: a local
// size fits several global ones where tiles are uneven.
#ifndef INDEXICAL_SHARDING_PROGRAM_SHARDINGS_H
#define INDEXICAL_SHARDING_PROGRAM_SHARDINGS_H

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/program/program.h"
#include "indexical/sharding/sharding.h"

namespace indexical {

/// How a program's shardings are read: its meshes, and, where its header says
/// it, its number of partitions. A count of 1 says nothing: compilers write it
/// before they partition.
ShardingContext shardingContextOf(const Program &program, const Module &module);

/// The number of devices that the module's shardings agree on, where its header
/// has none; -1: they name none, or several.
int64_t devicesOf(const Module &module, const ShardingContext &context);

/// Whether shapes are local: an entry's name that ends in `_spmd` says so.
bool isPartitioned(const Module &module);

/// One array leaf with a sharding.
struct ShardedLeaf {
  int32_t computation = 0, instruction = 0, result = 0;
  Sharding sharding = Sharding::replicated(0, -1);
};

/// The leaves of an instruction with their shardings; none if it has none. An
/// error has the place in the file.
absl::StatusOr<std::vector<Sharding>> shardingsOf(const Program &program,
                                                  const Module &module,
                                                  const Instruction &of,
                                                  ShardingContext context,
                                                  int64_t devices);

/// Every leaf of the module's computations that has a sharding.
absl::StatusOr<std::vector<ShardedLeaf>> shardedLeaves(
    const Program &program, const Module &module,
    const ShardingContext &context);

/// Where a text of a sharding stands: `sharding` and `frontend` in HLO,
/// `mhlo.sharding` and `sdy` in MLIR.
llvm::StringRef sourceOf(llvm::StringRef text, bool isMlir);

}  // namespace indexical

#endif  // INDEXICAL_SHARDING_PROGRAM_SHARDINGS_H
