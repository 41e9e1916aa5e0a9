// Common options of `coalescing` and `report`: the device, the threads, and
// their part of the command's record. `draw` takes the same launch.
#ifndef INDEXICAL_COMMAND_TRAFFIC_CALL_H
#define INDEXICAL_COMMAND_TRAFFIC_CALL_H

#include <string>

#include "indexical/answers/report/measure_kernels.h"
#include "indexical/command/command.h"
#include "indexical/command/read_options.h"

namespace indexical {

struct TrafficOptions {
  /// The file of the question's threads, which is read before the first input;
  /// empty: those of the launch.
  std::string threadMap;
  bool stacks = false;  ///< for people: all frames of a source line
  ReadOptions readAs;
};

/// Returns `--device`.
Option deviceOption(const Device *&device, llvm::StringRef sentence);

/// Adds `--device`, `--launch`, `--thread-map`, `--stack`, the options by which
/// an input is read, and the columns of the table of reads and writes. The
/// question and the options must outlive the command.
void addTraffic(Command &command, LaunchQuestion &question,
                TrafficOptions &options);

}  // namespace indexical

#endif  // INDEXICAL_COMMAND_TRAFFIC_CALL_H
