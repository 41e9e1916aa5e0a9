// The options of a call of `indexical dump`.
#ifndef INDEXICAL_COMMAND_DUMP_OPTIONS_H
#define INDEXICAL_COMMAND_DUMP_OPTIONS_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "indexical/answers/dump/question.h"
#include "indexical/command/read_options.h"

namespace indexical {

struct DumpOptions : DumpQuestion {
  bool constraints = false;  ///< what must hold at run time, in place of maps
  /// The element whose reads are listed, in place of maps.
  std::optional<std::vector<int64_t>> element;
  std::optional<size_t> result;  ///< the array that it is an element of
  /// The values of elements, by instruction, for runtime variables.
  std::vector<std::pair<std::string, int64_t>> runtime;
  ReadOptions readAs;
};

}  // namespace indexical

#endif  // INDEXICAL_COMMAND_DUMP_OPTIONS_H
