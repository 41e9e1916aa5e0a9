// The options of a call of `indexical dump`.
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
  /// Nothing: both for a page, output to input for other formats.
  std::optional<Way> way;
  bool cover = false;     ///< one map for each operand
  bool physical = false;  ///< indices in layout order
  bool devices = false;   ///< names the devices of collectives
  bool strict = false;    ///< errors for opaque answers and rules let pass
  bool constraints = false;  ///< what must hold at run time, in place of maps
  /// The element whose reads are listed, in place of maps.
  std::optional<std::vector<int64_t>> element;
  std::optional<size_t> result;  ///< the array that it is an element of
  /// The values of elements, by instruction, for runtime variables.
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
