#include "indexical/command/tile_search_options.h"

#include <optional>
#include <string>
#include <utility>

#include "llvm/ADT/StringExtras.h"

namespace indexical {
namespace {

using llvm::StringRef;

Option sizesOption(SizeChoice &choice) {
  Option option;
  option.name = "sizes";
  option.value = "SIZES";
  option.sentence =
      "With --search, the sizes that are tried: `powers` of two and whole "
      "dimensions (default), `divisors`, or a list, as `16,48,64`";
  option.take = [&choice](StringRef word) -> std::optional<std::string> {
    choice = {};
    if (word == "powers") return std::nullopt;
    if (word == "divisors") {
      choice.kind = SizeChoice::Kind::Divisors;
      return std::nullopt;
    }
    choice.kind = SizeChoice::Kind::List;
    for (StringRef part : llvm::split(word, ',')) {
      int64_t size = 0;
      if (part.getAsInteger(10, size) || size < 1)
        return "powers, divisors, or numbers of at least 1, as `16,48,64`";
      choice.list.push_back(size);
    }
    return std::nullopt;
  };
  return option;
}

}  // namespace

std::vector<Option> tileSearchOptions(TileSearchAsk &asked) {
  std::vector<Choice<const Device *>> known;
  for (const Device &device : devices())
    known.push_back({device.name.str(), &device});
  return {
      flagOption("search", asked.search,
                 "All sizes, in place of the names of --tile, for which every "
                 "tile is exact, with what their blocks read, best first"),
      sizesOption(asked.choice),
      choiceOption<const Device *>(
          "device", "NAME", asked.device, std::move(known),
          "With --search, the GPU: sizes whose tiles fit in the shared memory "
          "of a block, and of which no core is without a block, come first"),
      bytesOption("shared", asked.shared,
                  "With --search, the shared memory of a block: 48kB"),
      countOption("top", asked.top, "a number of sizes",
                  "With --search, the most sizes to show (default: 20 in text, "
                  "else all)"),
  };
}

}  // namespace indexical
