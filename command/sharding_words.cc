#include "indexical/command/sharding_words.h"

#include <utility>

namespace indexical {
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
