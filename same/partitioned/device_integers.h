// Integers that do not depend on a parameter, for each device.
//
//   t = s32[4] constant({0, 2, 4, 6})
//   p = u32[] partition-id()
//   o = s32[1] dynamic-slice(t, p), dynamic_slice_sizes={1}     0, 2, 4, 6
//
// Partitioners look up the offsets of devices in such tables. Each integer is
// the element that program/values/known_values.h finds for the device's number.
#ifndef INDEXICAL_SAME_PARTITIONED_DEVICE_INTEGERS_H
#define INDEXICAL_SAME_PARTITIONED_DEVICE_INTEGERS_H

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "llvm/ADT/SmallVector.h"

#include "indexical/program/module/program.h"
#include "indexical/program/module/value.h"
#include "indexical/program/sharding/groups.h"

namespace indexical {

class DeviceIntegers {
 public:
  /// Keeps a reference to the module.
  DeviceIntegers(const Module &module, const DeviceCounts &devices);

  /// Returns the only element of an instruction's array, on each device.
  /// Returns std::nullopt if the array has several, if it depends on a
  /// parameter of the entry or on the state of a loop, or if a step is not
  /// followed.
  const std::optional<std::vector<int64_t>> &scalar(ComputationId computation,
                                                    InstructionId instruction);

 private:
  struct Caller {
    int64_t count = 0;
    CallSite site;
  };
  llvm::SmallVector<CallSite, 2> callsTo(ComputationId computation) const;
  std::optional<std::vector<int64_t>> compute(ComputationId computation,
                                              InstructionId instruction) const;

  const Module &module_;
  const DeviceCounts devices_;
  std::map<ComputationId, Caller> callers_;
  std::map<std::pair<ComputationId, InstructionId>,
           std::optional<std::vector<int64_t>>>
      known_;
};

}  // namespace indexical

#endif  // INDEXICAL_SAME_PARTITIONED_DEVICE_INTEGERS_H
