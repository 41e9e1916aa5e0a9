// Modules that only move elements: are they the same? Private to
// same/partitioned/.
//
//   GLOBAL  x = f32[8] parameter(0), ROOT r = copy(x)
//   LOCAL   x = f32[2] parameter(0)
//           …dynamic slices, permutes and updates at offsets of the device
//
//   device 1   [0:2] of the result is x 0, x 1 of device 3: elements 6 and 7
//              of the whole, as GLOBAL has them
//
// Each array on each device is followed as pieces (flow.h): boxes whose elements
// are elements of a parameter, on some device. So a plan of many permutes takes
// as long as it has pieces, while terms of a device as a dimension would fall
// into regions for each of them.
//
// Law (tests/answers/reshard/reshard_test.cc): what is said to be equal
// runs alike on all devices.
#ifndef INDEXICAL_SAME_PARTITIONED_MOVED_ARRAYS_H
#define INDEXICAL_SAME_PARTITIONED_MOVED_ARRAYS_H

#include "indexical/same/partitioned/entry_arrays.h"

namespace indexical {

/// Returns whether both modules only move elements of their parameters, and
/// every device has what GLOBAL's result has. False says nothing: another
/// engine decides. It is false, too, if there are more than `most` pieces of all
/// arrays on all devices.
bool moveAlike(const Program &global, const Program &local,
               const PartitionedOptions &options, const EntryArrays &entry,
               int64_t most);

}  // namespace indexical

#endif  // INDEXICAL_SAME_PARTITIONED_MOVED_ARRAYS_H
