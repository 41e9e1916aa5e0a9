#include "indexical/command/tile_search_options.h"

#include <optional>
#include <string>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace indexical {
namespace {

using llvm::StringRef;

Option sizesOption(SizeChoice &choice) {
  Option option;
  option.name = "sizes";
  option.value = "SIZES";
  option.sentence =
      "With --search, the candidate sizes: `powers` of two and whole "
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

/// Sizes of one tile, or of one for each result, with `;` between them.
Option extentListsOption(StringRef name, StringRef value,
                         std::vector<std::string> &first,
                         std::vector<std::vector<std::string>> &others,
                         StringRef sentence) {
  Option option = extentsOption(name, value, first, sentence);
  option.take = [&first,
                 &others](StringRef word) -> std::optional<std::string> {
    llvm::SmallVector<StringRef, 2> tiles;
    word.split(tiles, ';');
    for (auto [number, part] : llvm::enumerate(tiles)) {
      auto &extents = number == 0 ? first : others.emplace_back();
      // A scalar among the results has no sizes.
      if (tiles.size() > 1 && part.trim().empty()) continue;
      if (auto refused = extentsOption("", "", extents, "").take(part))
        return refused;
    }
    return std::nullopt;
  };
  return option;
}

}  // namespace

/// Takes `64`, or `dot:0=64,sum:1=32`.
Option stepsOption(std::vector<StepQuestion> &steps) {
  Option option;
  option.name = "steps";
  option.value = "STEPS";
  option.sentence =
      "Loops over contracted or reduced dimensions, and the size of a step: "
      "`64`, for the only one, or `d:0=64,h:0=32`, the instruction, the "
      "number among its contracted or reduced dimensions, and the indices "
      "of an iteration";
  option.take = [&steps](StringRef word) -> std::optional<std::string> {
    const std::string refusal =
        "numbers of at least 1, as `64` or `d:0=64,h:0=32`";
    for (StringRef part : llvm::split(word, ',')) {
      StepQuestion step;
      part = part.trim();
      if (part.contains('=')) {
        const auto [place, size] = part.rsplit('=');
        const auto [name, number] = place.rsplit(':');
        if (!place.contains(':') || name.empty() ||
            number.getAsInteger(10, step.dimension) || step.dimension < 0)
          return refusal;
        step.instruction = name.str();
        part = size;
      }
      if (part.getAsInteger(10, step.size) || step.size < 1) return refusal;
      steps.push_back(std::move(step));
    }
    return std::nullopt;
  };
  return option;
}

std::vector<Option> tileOptions(TileQuestion &asked) {
  return {
      extentListsOption(
          "tile", "SIZES", asked.sizes, asked.otherSizes,
          "Sizes of the tile, one a dimension: numbers, and names for any "
          "size (default: t0, t1 and so on); for results of several shapes "
          "one tile for each, as `4,3;5,9`"),
      extentListsOption("strides", "STRIDES", asked.strides, asked.otherStrides,
                        "Strides of the tile, numbers and names (default: 1)"),
      stepsOption(asked.steps),
      flagOption("forward", asked.forward,
                 "The elements of later instructions that read the tile, in "
                 "place of those that it reads"),
      flagOption("one-operand", asked.oneOperand,
                 "With --try, only values for which no tile reads several "
                 "operands of a concatenate"),
  };
}

std::vector<Option> tileSearchOptions(TileSearchAsk &asked) {
  std::vector<Choice<const Device *>> known;
  for (const Device &device : devices())
    known.push_back({device.name.str(), &device});
  return {
      flagOption("search", asked.search,
                 "All sizes, in place of the names of --tile, for which "
                 "every tile is exact, and steps of loops, with the reads "
                 "of their blocks and the time of the kernel, best first"),
      sizesOption(asked.choice),
      choiceOption<const Device *>(
          "device", "NAME", asked.device, std::move(known),
          "With --search, the GPU: sizes whose tiles fit in the shared "
          "memory of a block, and that give each core a block, come first"),
      bytesOption("shared", asked.shared,
                  "With --search, the shared memory of a block: 48kB"),
      countOption("top", asked.top, "a number of sizes",
                  "With --search, the most sizes to show (default: 20 in text, "
                  "else all)"),
  };
}

}  // namespace indexical
