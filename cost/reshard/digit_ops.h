// Plans of digits and of boxes as operations of each device, private to
// cost/reshard/.
#ifndef INDEXICAL_COST_RESHARD_DIGIT_OPS_H
#define INDEXICAL_COST_RESHARD_DIGIT_OPS_H

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/cost/reshard/box_messages.h"
#include "indexical/cost/reshard/digit_search.h"
#include "indexical/cost/reshard/local_module.h"
#include "indexical/cost/reshard/reshard_plans.h"

namespace indexical {

/// Appends the moves to the module, as steps of the plan, too. `value` is the
/// local array by `from`. Returns that by `to`.
size_t addMoves(const DigitSpace &space, llvm::ArrayRef<DigitMove> moves,
                const ShardedRelation &from, const ShardedRelation &to,
                size_t value, LocalModule &module,
                std::vector<ReshardStep> &steps);

/// Does the same with rounds of messages.
size_t addRounds(llvm::ArrayRef<MessageRound> rounds,
                 const ShardedRelation &from, const ShardedRelation &to,
                 size_t value, LocalModule &module,
                 std::vector<ReshardStep> &steps);

/// Returns the sharding with so many tiles for each dimension, and parts, in
/// HLO's form. `placeOf` returns the number of a device's tile, in row-major
/// order, times the number of parts, plus its part.
std::string hloTextOf(llvm::ArrayRef<int64_t> tiles, int64_t parts,
                      llvm::StringRef reduction, int64_t devices,
                      llvm::function_ref<int64_t(int64_t)> placeOf);

/// Returns the sharding of a state in HLO's form, or "" if none has its tiles.
std::string hloTextOf(const DigitSpace &space, const DigitState &state,
                      const ShardedRelation &of);

}  // namespace indexical

#endif  // INDEXICAL_COST_RESHARD_DIGIT_OPS_H
