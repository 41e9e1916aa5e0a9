// What `coalescing` and `report` have in common: the device, the threads, and
// the record's share of it.
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

struct TrafficOptions {
  std::string computation, instruction;  ///< of coalescing
  std::string space;  ///< the instruction that a thread map goes to
  const Device *device = &defaultDevice();
  bool deviceIsNamed = false;         ///< by --device
  std::optional<LaunchModel> launch;  ///< nothing: what is usual
  std::string threadMap;              ///< a file; empty: the launch's
  /// What the file holds; read before the first input.
  std::optional<IndexingMap> threads;
  /// Values of runtime variables, expressions, by name.
  std::vector<std::pair<std::string, std::string>> runtime;
  bool stacks = false;  ///< for people: all frames of a source line
  ReadAs readAs;

  /// The choice without what only `coalescing` has; where nothing is said, the
  /// usual model.
  LaunchChoice choice(LaunchModel usual) const {
    LaunchChoice choice;
    if (launch.value_or(usual) == LaunchModel::Xla && !threads)
      choice.xla = device;
    return choice;
  }
};

/// `--device`, `--thread-map`, `--stack` and how an input is read; the table of
/// reads and writes.
void addTraffic(Command &command, const std::shared_ptr<TrafficOptions> &asked);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_TRAFFIC_CALL_H
