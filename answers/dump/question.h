// The choices of a dump: which items it shows, which of their maps, and how.
#ifndef INDEXICAL_ANSWERS_DUMP_QUESTION_H
#define INDEXICAL_ANSWERS_DUMP_QUESTION_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace indexical {

struct DumpQuestion {
  enum class Way : uint8_t { OutputToInput, InputToOutput, Both };

  std::vector<std::string> computations, instructions;  ///< empty: all
  std::string from, to;                                 ///< empty: not given
  /// std::nullopt: both for a page, output to input for other formats.
  std::optional<Way> way;
  bool cover = false;     ///< one map for each operand
  bool physical = false;  ///< indices in layout order
  bool eachWay = false;   ///< also the map of each way, output to input
  bool devices = false;   ///< names the devices of collectives
  bool strict = false;    ///< errors for opaque answers and rules let pass

  bool between() const { return !from.empty() || !to.empty(); }
  bool outputToInput() const { return way != Way::InputToOutput; }
  bool inputToOutput() const {
    return way.value_or(Way::OutputToInput) != Way::OutputToInput;
  }
};

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_DUMP_QUESTION_H
