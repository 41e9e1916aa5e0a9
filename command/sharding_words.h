// A sharding that stands in the words of a call: --sharding, --global-shape,
// --mesh and --partitions.
#ifndef INDEXICAL_COMMAND_SHARDING_WORDS_H
#define INDEXICAL_COMMAND_SHARDING_WORDS_H

#include <vector>

#include "indexical/answers/sharding/given_sharding.h"
#include "indexical/command/option.h"

namespace indexical {

/// Returns the options. `sharding` is the sentence of --sharding.
std::vector<Option> shardingOptions(ShardingWords &asked,
                                    llvm::StringRef sharding);

}  // namespace indexical

#endif  // INDEXICAL_COMMAND_SHARDING_WORDS_H
