// Integers that depend on no parameter, for each device.
//
//   t = s32[4] constant({0, 2, 4, 6})
//   p = u32[] partition-id()
//   o = s32[1] dynamic-slice(t, p), dynamic_slice_sizes={1}     0, 2, 4, 6
//
// Partitioners look the offsets of devices up in such tables. Only the
// instructions behind the one that is asked for are computed, through
// collectives and fusions; large arrays are not.
#ifndef INDEXICAL_ANALYSIS_PARTITIONED_DEVICE_INTEGERS_H
#define INDEXICAL_ANALYSIS_PARTITIONED_DEVICE_INTEGERS_H

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "indexical/module/program.h"
#include "indexical/sharding/groups.h"

namespace indexical {

class AllDevices;

class DeviceIntegers {
 public:
  DeviceIntegers(const Module &module, const DeviceCounts &devices);
  ~DeviceIntegers();

  /// Returns the only element of an instruction's array, on each device.
  /// Returns nothing if it has several, if it depends on a parameter of the
  /// entry or on the state of a loop, or if what it takes is too large.
  const std::optional<std::vector<int64_t>> &scalar(ComputationId computation,
                                                    InstructionId instruction);

 private:
  struct Kept;
  std::unique_ptr<Kept> kept_;
  std::map<std::pair<ComputationId, InstructionId>,
           std::optional<std::vector<int64_t>>>
      known_;
};

}  // namespace indexical

#endif  // INDEXICAL_ANALYSIS_PARTITIONED_DEVICE_INTEGERS_H
