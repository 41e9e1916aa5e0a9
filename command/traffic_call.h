// Common options of `coalescing` and `report`: the device, the threads, and
// their part of the command's record. `draw` takes the same launch.
#ifndef INDEXICAL_COMMAND_TRAFFIC_CALL_H
#define INDEXICAL_COMMAND_TRAFFIC_CALL_H

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "indexical/answers/report/measure_kernels.h"
#include "indexical/command/command.h"
#include "indexical/command/read_options.h"

namespace indexical {

struct TrafficOptions : LaunchQuestion {
  std::string computation, instruction;  ///< of coalescing
  std::string space;           ///< the instruction that a thread map goes to
  bool deviceIsNamed = false;  ///< by --device
  /// The file of `threads`, which is read before the first input; empty: those
  /// of the launch.
  std::string threadMap;
  /// The values of runtime variables, as expressions, by name.
  std::vector<std::pair<std::string, std::string>> runtime;
  bool stacks = false;  ///< for people: all frames of a source line
  ReadOptions readAs;
};

/// Returns `--device`, which sets `isNamed`, too.
Option deviceOption(const Device *&device, bool &isNamed,
                    llvm::StringRef sentence);

/// Adds `--device`, `--thread-map`, `--stack`, the options by which an input is
/// read, and the columns of the table of reads and writes.
void addTraffic(Command &command, const std::shared_ptr<TrafficOptions> &asked);

}  // namespace indexical

#endif  // INDEXICAL_COMMAND_TRAFFIC_CALL_H
