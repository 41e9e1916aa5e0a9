// How often a loop runs.
//
//   while i < 8, i from 0, i + 2 behind each trip      4
#ifndef INDEXICAL_PROGRAM_MAPS_LOOP_TRIPS_H
#define INDEXICAL_PROGRAM_MAPS_LOOP_TRIPS_H

#include <cstdint>
#include <optional>

#include "indexical/program/module/program.h"

namespace indexical {

/// Returns the number of trips of a while: the one that the module states, or
/// that of a counter from a number, by a number, to a number. Returns nothing
/// for any other loop.
std::optional<int64_t> tripsOf(const Module &module, ComputationId c,
                               InstructionId i);

/// A leaf of the state of a while that is `first + step * t` in trip t.
struct TripCounter {
  LeafId leaf;
  int64_t first = 0, step = 0, trips = 0;
};
/// Returns the counter of a while that counts from a number, by a number, to a
/// number; nothing for any other loop.
std::optional<TripCounter> counterOf(const Module &module, ComputationId c,
                                     InstructionId i);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_LOOP_TRIPS_H
