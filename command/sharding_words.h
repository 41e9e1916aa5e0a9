// A sharding that stands in the words of a call: --sharding,
// --global-shape, --mesh
// and --partitions.
#ifndef INDEXICAL_COMMAND_SHARDING_WORDS_H
#define INDEXICAL_COMMAND_SHARDING_WORDS_H

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/command/option.h"
#include "indexical/sharding/sharding.h"

namespace indexical {

struct ShardingWords {
  std::string sharding, shape;
  std::vector<std::string> meshes;  ///< `m=<["x"=2]>`
  std::optional<size_t> partitions;
};

/// Adds the meshes of --mesh.
absl::Status addMeshes(const ShardingWords &asked, ShardingContext &context);

/// An array of the shape, and its sharding.
struct GivenSharding {
  ArrayShape shape;
  Sharding sharding;
};
/// Returns the arrays of --shape with the shardings of --sharding. The message
/// of an error names the option and the character.
absl::StatusOr<std::vector<GivenSharding>> givenShardings(
    const ShardingWords &asked);

/// Returns the options. `sharding` is the sentence of --sharding.
std::vector<Option> shardingOptions(ShardingWords &asked,
                                    llvm::StringRef sharding);

}  // namespace indexical

#endif  // INDEXICAL_COMMAND_SHARDING_WORDS_H
