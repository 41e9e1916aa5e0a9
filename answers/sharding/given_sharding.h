// A sharding that is given beside a program, or without one, as words.
//
//   ShardingWords words;
//   words.sharding = "{devices=[4,1]<=[4]}";
//   words.shape = "f32[8,3]";
//   auto given = givenShardings(words);  // one array: 4 tiles of dimension 0
#ifndef INDEXICAL_ANSWERS_SHARDING_GIVEN_SHARDING_H
#define INDEXICAL_ANSWERS_SHARDING_GIVEN_SHARDING_H

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "indexical/ops/shape.h"
#include "indexical/program/sharding/sharding.h"

namespace indexical {

struct ShardingWords {
  std::string sharding, shape;       ///< empty: those of a program are meant
  std::vector<std::string> meshes;   ///< `m=<["x"=2]>`
  std::optional<size_t> partitions;  ///< nothing: as many as shardings say
};

/// Adds the meshes of the words. Returns an error for a text that is not a
/// mesh.
absl::Status addMeshes(const ShardingWords &words, ShardingContext &context);

/// An array of the shape, and its sharding.
struct GivenSharding {
  ArrayShape shape;
  Sharding sharding;
};
/// Returns the arrays of the shape with their shardings. The message of an
/// error names the option of the command and the character.
absl::StatusOr<std::vector<GivenSharding>> givenShardings(
    const ShardingWords &words);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_SHARDING_GIVEN_SHARDING_H
