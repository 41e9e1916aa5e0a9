// The devices of two local modules, and the devices that share a parameter's
// values: private to same/partitioned/.
//
//   x = f32[4] parameter(0), sharding={devices=[2,2]<=[4]
//                                      last_tile_dim_replicate}
//
//   4 devices; x has 2 rows: devices 0 and 1 have row 0, 2 and 3 have row 1
#ifndef INDEXICAL_SAME_PARTITIONED_LOCAL_ARRAYS_H
#define INDEXICAL_SAME_PARTITIONED_LOCAL_ARRAYS_H

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/program/module/program.h"
#include "indexical/program/sharding/groups.h"
#include "indexical/same/partitioned/partitioned_equality.h"

namespace indexical {

/// An array of the parameters, with a row for each group of devices that share
/// it.
struct LocalArray {
  ArrayShape shape;  ///< on each device
  int64_t rows = 1;
  std::vector<int64_t> rowOf;  ///< of each device
};

struct LocalArrays {
  DeviceCounts devices;
  std::string countedFrom;  ///< see PartitionedEquality::countedFrom
  /// By parameter of the first module, then by leaf.
  std::vector<std::vector<LocalArray>> parameters;
  ShapeList results;
  std::vector<UsedSharding> shardings;
};

/// Returns the arrays of both entries. Returns an error, with a place in the
/// second module, if the entries do not have the same arrays, or if the number
/// of devices is unknown, stated twice, or too large.
absl::StatusOr<LocalArrays> localArraysOf(const Program &first,
                                          const Program &second,
                                          const PartitionedOptions &options);

/// Returns whether the number of devices follows from the options, the headers
/// or the groups of collectives, or is stated twice.
bool sayDevices(const Program &first, const Program &second,
                const PartitionedOptions &options);

/// Returns whether parameters and results of both entries have the same shapes.
bool haveSameArrays(const Program &first, const Program &second,
                    const PartitionedOptions &options);

/// Returns whether the op moves values between devices, or returns the number
/// of its device.
bool asksForDevices(const Instruction &of);

}  // namespace indexical

#endif  // INDEXICAL_SAME_PARTITIONED_LOCAL_ARRAYS_H
