#include "indexical/answers/sharding/given_sharding.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {

absl::Status addMeshes(const ShardingWords &asked, ShardingContext &context) {
  for (const std::string &mesh : asked.meshes) {
    const auto [name, text] = llvm::StringRef(mesh).split('=');
    if (text.empty())
      return absl::InvalidArgumentError(
          "--mesh is a name and a mesh, as in --mesh='m=<[\"x\"=2]>'");
    context.meshes[name.ltrim('@').str()] = text.str();
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<GivenSharding>> givenShardings(
    const ShardingWords &asked) {
  ShardingContext context;
  if (asked.partitions) context.devices = *asked.partitions;
  INDEXICAL_RETURN_IF_ERROR(addMeshes(asked, context));
  // The parser of HLO reads the shape, as that of a parameter.
  auto program =
      parseHlo("ENTRY e {\n  ROOT p = " + asked.shape + " parameter(0)\n}\n");
  if (!program.ok())
    return absl::InvalidArgumentError("--global-shape: " +
                                      std::string(program.status().message()));
  const Module &module = program->modules[0];
  const Shape &shape = module.computations[0].instructions[0].shape;
  const ShapeList leaves = shape.leaves();
  auto shardings = shardingsOf(asked.sharding, shape, context, context.devices);
  if (!shardings.ok()) {
    const Place place = placeOf(shardings.status()).value_or(Place{1, 1});
    return absl::InvalidArgumentError(
        "--sharding, at character " + std::to_string(place.column) + ": " +
        std::string(shardings.status().message()));
  }
  std::vector<GivenSharding> given;
  for (auto [k, sharding] : llvm::enumerate(*shardings))
    given.push_back({leaves[k], sharding});
  return given;
}

}  // namespace indexical
