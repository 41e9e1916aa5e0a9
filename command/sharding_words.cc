#include "indexical/command/sharding_words.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/hlo/hlo_parser.h"
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

namespace {

Option textOption(llvm::StringRef name, llvm::StringRef value,
                  llvm::StringRef sentence,
                  std::function<void(llvm::StringRef)> take) {
  Option option;
  option.name = name;
  option.value = value;
  option.sentence = sentence.str();
  option.take = [take](llvm::StringRef word) -> std::optional<std::string> {
    take(word);
    return std::nullopt;
  };
  return option;
}

}  // namespace

std::vector<Option> shardingOptions(ShardingWords &asked,
                                    llvm::StringRef sharding) {
  Option meshes = textOption(
      "mesh", "NAME=MESH", "A mesh that shardings name: m=<[\"x\"=2, \"y\"=4]>",
      [&asked](llvm::StringRef word) { asked.meshes.push_back(word.str()); });
  meshes.repeatable = true;
  return {
      textOption(
          "sharding", "TEXT", sharding,
          [&asked](llvm::StringRef word) { asked.sharding = word.str(); }),
      formerly("shape", textOption("global-shape", "SHAPE",
                                   "The shape of the whole value: f32[8,3]",
                                   [&asked](llvm::StringRef word) {
                                     asked.shape = word.str();
                                   })),
      countOption("partitions", asked.partitions, "a number of partitions",
                  "The number of partitions (default: what the module says, or "
                  "its shardings agree on)"),
      std::move(meshes),
  };
}

}  // namespace indexical
