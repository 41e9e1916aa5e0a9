// Are two modules that each device runs the same on all devices?
//
//   FIRST   x = f32[4] parameter(0)
//           g = f32[16] all-gather(x), dimensions={0}
//           p = u32[] partition-id()
//           …
//           ROOT r = f32[4] dynamic-slice(g, 4 * p)
//   SECOND  x = f32[4] parameter(0)
//           ROOT r = f32[4] copy(x)
//
//   equal, 4 devices: each takes its own part of the gathered array
//
// Passes after a partitioner make such pairs: both modules have collectives,
// and neither has a whole value. Each module becomes one in which the device is
// a dimension (stacker.h). These two are compared like any others
// (same/values/module_values.h): f32[4] of 4 devices is f32[4,4].
//
// The modules are equal if each element of each result is the same on each
// device, for all numbers of all parameters of all devices. Every device has
// parameters of its own, unless a sharding of a parameter of FIRST states that
// devices have the same tile, such as `sharding={replicated}`. Padding is
// compared, too.
//
// The laws of floats are those that the caller states. A sum over devices is
// one sum in any order; adding the zeros that a permute gives to a device
// without a source needs the law zero-sign.
//
// A result that is then undecided is compared again, with each collective as an
// unknown op: equal operands give equal results.
//
// The number of devices is that of the options, else of the headers, else the
// least one that fits the groups and pairs of all collectives.
//
// Law (tests/same/partitioned/local_modules_test.cc, by runs of all devices):
// an answer never contradicts the numbers of random pairs and their mutants.
#ifndef INDEXICAL_SAME_PARTITIONED_LOCAL_MODULES_H
#define INDEXICAL_SAME_PARTITIONED_LOCAL_MODULES_H

#include "absl/status/statusor.h"

#include "indexical/program/module/program.h"
#include "indexical/same/partitioned/partitioned_equality.h"

namespace indexical {

/// Returns whether both modules are local: parameters and results have the same
/// shapes, one of the modules has a collective or reads the number of its
/// device, neither changes between whole values and parts, and the number of
/// devices is known.
bool areLocal(const Program &first, const Program &second,
              const PartitionedOptions &options = {});

/// Returns whether two modules that are compared as a whole one and a
/// partitioned one are both local: the first has collectives or is a
/// partitioner's result, or no array has a sharding.
bool meanLocal(const Program &first, const Program &second,
               const PartitionedOptions &options);

/// Returns the comparison of two local modules. Returns an error if parameters
/// or results differ in number, types or sizes, if the number of devices is
/// unknown, or if the modules state different ones. Requires one module with an
/// entry in each.
absl::StatusOr<PartitionedEquality> compareLocal(
    const Program &first, const Program &second,
    const PartitionedOptions &options = {});

}  // namespace indexical

#endif  // INDEXICAL_SAME_PARTITIONED_LOCAL_MODULES_H
