// Shardy's own ops that move a value between devices: private to
// cost/communication/.
//
//   sdy.mesh @m = <["x"=2, "y"=4]>
//   %0 = sdy.all_gather [{"y"}, {}] %arg0 out_sharding=<@m, [{"x"}, {}]>
//   %1 = sdy.all_slice [{}, {"y"}] %0 out_sharding=<@m, [{"x"}, {"y"}]>
//
//   all-gather over {0,1,2,3} {4,5,6,7}
//   a chain from %arg0 to %1: an exchange would move a quarter of that
//
// These ops stand on whole values, and state how their results are cut. Axes
// say which devices meet; the bytes are those of what a device has. A slice
// and a change to parts move nothing. How a `sdy.collective_permute` or a
// `sdy.reshard` becomes collectives is up to the compiler: such an op is
// lowered later, and its bytes are not known.
//
// By Shardy's rules, a parameter without a sharding is on every device. In the
// body of a `sdy.manual_computation` shapes are local along the manual axes,
// and shardings name the others.
//
// Source: Shardy's sdy_dialect.md and sharding_representation.md.
#ifndef INDEXICAL_COST_COMMUNICATION_SHARDY_H
#define INDEXICAL_COST_COMMUNICATION_SHARDY_H

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "llvm/ADT/ArrayRef.h"

#include "indexical/cost/communication/collectives.h"
#include "indexical/cost/communication/reshards.h"
#include "indexical/program/sharding/reshard.h"

namespace indexical {

/// Returns the most devices that a mesh of one of Shardy's ops has; 0 if there
/// is none.
int64_t shardyDevicesOf(const Program &program, const Module &module);

/// Adds the ops of Shardy that move bytes, in order. Returns an error, with its
/// place, if axes are not those of the mesh.
absl::Status addShardyCollectives(const Program &program, const Module &module,
                                  std::vector<Collective> &into);

/// A run of Shardy's ops that move bytes, from a value to what reads the last
/// one.
struct ShardyChain {
  ComputationId computation;
  InstructionId instruction;        ///< the value that is moved
  std::vector<size_t> collectives;  ///< numbers, in order
  int64_t elementBits = 32;         ///< in memory
  /// The elements that must move; nothing if the shardings do not say it.
  std::optional<ReshardNeeds> needs;
  std::optional<ReshardEnds> ends;  ///< as `needs`
};

/// Returns the chains that those of the collectives form that are ops of
/// Shardy.
std::vector<ShardyChain> shardyChainsOf(const Program &program,
                                        const Module &module,
                                        llvm::ArrayRef<Collective> collectives);

}  // namespace indexical

#endif  // INDEXICAL_COST_COMMUNICATION_SHARDY_H
