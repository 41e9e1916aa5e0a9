// Are two modules that only move elements the same? Private to
// same/partitioned/.
//
//   GLOBAL  x = f32[8] parameter(0), ROOT r = copy(x)
//   LOCAL   x = f32[2] parameter(0)
//           …dynamic slices, permutes and updates at offsets of the device
//
//   device 1   [0:2] of the result is x 0, x 1 of device 3: elements 6 and 7
//              of the whole, as GLOBAL has them
//
// Each array on each device is followed as pieces (flow.h): boxes whose
// elements are elements of a parameter, on some device. The time for a plan of
// many permutes is linear in its pieces, while terms with the device as a
// dimension would be split into regions for each of them.
//
// Law (tests/answers/reshard/reshard_test.cc): modules that are equal have the
// same values on all devices when they run.
#ifndef INDEXICAL_SAME_PARTITIONED_MOVED_ARRAYS_H
#define INDEXICAL_SAME_PARTITIONED_MOVED_ARRAYS_H

#include "indexical/same/partitioned/entry_arrays.h"

namespace indexical {

/// Returns whether both modules only move elements of their parameters, and
/// every device has the elements of GLOBAL's result. Conservative: false when
/// unknown, so another engine decides; also false if all arrays on all devices
/// have more than `most` pieces.
bool moveAlike(const Program &global, const Program &local,
               const PartitionedOptions &options, const EntryArrays &entry,
               int64_t most);

}  // namespace indexical

#endif  // INDEXICAL_SAME_PARTITIONED_MOVED_ARRAYS_H
