// What a call of `indexical dump` asks for.
#ifndef INDEXICAL_TOOLS_DUMP_OPTIONS_H
#define INDEXICAL_TOOLS_DUMP_OPTIONS_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "indexical/tools/front_end.h"

namespace indexical {

struct DumpOptions {
  enum class Way : uint8_t { OutputToInput, InputToOutput, Both };

  std::vector<std::string> computations, instructions;  ///< empty: all
  std::string from, to;                                 ///< empty: not given
  /// Nothing: a page has both ways, other formats from output to input.
  std::optional<Way> way;
  bool cover = false;     ///< one map an operand
  bool physical = false;  ///< indices in layout order
  bool devices = false;   ///< the devices of collectives are named
  bool strict = false;    ///< opaque answers and rules let pass are errors
  /// What one element needs, instead of maps.
  std::optional<std::vector<int64_t>> element;
  std::optional<size_t> result;  ///< which array it is one of
  /// Values of elements that runtime variables have, by instruction.
  std::vector<std::pair<std::string, int64_t>> runtime;
  ReadAs readAs;

  bool between() const { return !from.empty() || !to.empty(); }
  bool outputToInput() const { return way != Way::InputToOutput; }
  bool inputToOutput() const {
    return way.value_or(Way::OutputToInput) != Way::OutputToInput;
  }
};

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_DUMP_OPTIONS_H
