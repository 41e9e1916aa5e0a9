// A sharding that stands in the words of a call: --sharding, --global-shape,
// --mesh and --partitions.
#ifndef INDEXICAL_COMMAND_SHARDING_WORDS_H
#define INDEXICAL_COMMAND_SHARDING_WORDS_H

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

#include "indexical/answers/sharding/given_sharding.h"
#include "indexical/command/option.h"

namespace indexical {

/// Returns an option whose word `take` gets as it is.
Option textOption(llvm::StringRef name, llvm::StringRef value,
                  llvm::StringRef sentence,
                  std::function<void(llvm::StringRef)> take);

/// Returns `--NAME=NAME=MESH`, which may be given several times.
Option meshOption(llvm::StringRef name, llvm::StringRef sentence,
                  std::vector<std::string> &meshes);

/// Returns `--NAME=N`, a number of partitions or replicas as `name` says: at
/// most kMostDevices (program/sharding/sharding_text.h).
Option devicesOption(llvm::StringRef name, std::optional<size_t> &value,
                     llvm::StringRef sentence);

/// Returns the options. `sharding` is the sentence of --sharding.
std::vector<Option> shardingOptions(ShardingWords &asked,
                                    llvm::StringRef sharding);

}  // namespace indexical

#endif  // INDEXICAL_COMMAND_SHARDING_WORDS_H
