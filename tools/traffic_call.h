// Common options of `coalescing` and `report`: the device, the threads, and
// their part of the command's record. `draw` takes the same launch.
#ifndef INDEXICAL_TOOLS_TRAFFIC_CALL_H
#define INDEXICAL_TOOLS_TRAFFIC_CALL_H

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "indexical/analysis/launch/kernels.h"
#include "indexical/analysis/memory/device.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/tools/command.h"
#include "indexical/tools/front_end.h"

namespace indexical {

/// Returns the launch of a module's kernels: the one that is asked for, else
/// that of XLA if the module is scheduled. What is not scheduled are no kernels
/// yet, and goes by linear threads.
inline LaunchModel launchOf(const Module &module,
                            std::optional<LaunchModel> asked) {
  return asked.value_or(module.isScheduled ? LaunchModel::Xla
                                           : LaunchModel::Linear);
}

struct TrafficOptions {
  std::string computation, instruction;  ///< of coalescing
  std::string space;  ///< the instruction that a thread map goes to
  const Device *device = &defaultDevice();
  bool deviceIsNamed = false;         ///< by --device
  std::optional<LaunchModel> launch;  ///< nothing: the usual one
  std::string threadMap;              ///< a file; empty: that of the launch
  /// The map in that file, which is read before the first input.
  std::optional<IndexingMap> threads;
  /// The values of runtime variables, as expressions, by name.
  std::vector<std::pair<std::string, std::string>> runtime;
  bool stacks = false;  ///< for people: all frames of a source line
  ReadAs readAs;

  /// Returns the choice for a kernel of the module, without the options that
  /// only `coalescing` has.
  LaunchChoice choice(const Module &module) const {
    LaunchChoice choice;
    if (launchOf(module, launch) == LaunchModel::Xla && !threads)
      choice.xla = device;
    return choice;
  }
};

/// Adds `--device`, `--thread-map`, `--stack`, the options by which an input is
/// read, and the columns of the table of reads and writes.
void addTraffic(Command &command, const std::shared_ptr<TrafficOptions> &asked);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_TRAFFIC_CALL_H
