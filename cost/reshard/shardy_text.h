// A plan of digits with the ops of Shardy, private to cost/reshard/.
//
//   %0 = sdy.all_to_all [{"x"}: 0->1] %arg0 out_sharding=<@m, [{}, {"x"}]>
#ifndef INDEXICAL_COST_RESHARD_SHARDY_TEXT_H
#define INDEXICAL_COST_RESHARD_SHARDY_TEXT_H

#include <string>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/cost/reshard/digit_search.h"

namespace indexical {

/// Returns the module, or "" if a digit is none of the mesh's axes or their
/// parts, if a state is not a sharding, or if the source has parts.
std::string shardyTextOf(const DigitSpace &space,
                         llvm::ArrayRef<DigitMove> moves,
                         const ShardedRelation &from, ElementType type,
                         const ReshardOptions &options);

}  // namespace indexical

#endif  // INDEXICAL_COST_RESHARD_SHARDY_TEXT_H
