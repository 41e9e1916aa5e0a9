#include "indexical/command/sharding_words.h"

#include <string>
#include <utility>

#include "indexical/program/sharding/sharding_text.h"

namespace indexical {

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

Option devicesOption(llvm::StringRef name, std::optional<size_t> &value,
                     llvm::StringRef sentence) {
  const std::string what = "a number of " + name.str();
  Option option = countOption(name, value, what, sentence);
  option.take = [what, most = " of at most " + std::to_string(kMostDevices),
                 count = std::move(option.take)](
                    llvm::StringRef word) -> std::optional<std::string> {
    if (auto refused = count(word)) return refused;
    int64_t number = 0;
    if (word.getAsInteger(10, number) || number > kMostDevices)
      return what + most;
    return std::nullopt;
  };
  return option;
}

Option meshOption(llvm::StringRef name, llvm::StringRef sentence,
                  std::vector<std::string> &meshes) {
  Option option =
      textOption(name, "NAME=MESH", sentence, [&meshes](llvm::StringRef word) {
        meshes.push_back(word.str());
      });
  option.repeatable = true;
  return option;
}

std::vector<Option> shardingOptions(ShardingWords &asked,
                                    llvm::StringRef sharding) {
  return {
      textOption(
          "sharding", "TEXT", sharding,
          [&asked](llvm::StringRef word) { asked.sharding = word.str(); }),
      formerly("shape", textOption("global-shape", "SHAPE",
                                   "The shape of the whole value: f32[8,3]",
                                   [&asked](llvm::StringRef word) {
                                     asked.shape = word.str();
                                   })),
      devicesOption(
          "partitions", asked.partitions,
          "The number of partitions (default: what the module says, or "
          "its shardings agree on)"),
      meshOption("mesh",
                 "A mesh that shardings name: m=<[\"x\"=2, \"y\"=4]>",
                 asked.meshes),
  };
}

}  // namespace indexical
