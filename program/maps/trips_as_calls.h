// A module whose loops of known trips are these trips.
//
//   state = while(init), 3 trips of body      s1 = call(init), body
//                                             s2 = call(s1), body
//                                             state = call(s2), body
//
// A call gets a copy of the computation for its own sizes and counters
// (refine.h): what a loop calls a tile of `min(7, 16 - i)` rows is 7, 7 and 2
// rows then.
//
// Law (tests/same/values/random_mlir_values_test.cc): the values are those of
// the module.
#ifndef INDEXICAL_PROGRAM_MAPS_TRIPS_AS_CALLS_H
#define INDEXICAL_PROGRAM_MAPS_TRIPS_AS_CALLS_H

#include <cstddef>
#include <optional>

#include "indexical/program/module/program.h"

namespace indexical {

inline constexpr size_t kMostOfTrips = 20'000;

/// Returns the module with its loops unrolled, and with the sizes that are
/// known then. Returns nothing if it has no loop of known trips, if a size of
/// the entry's parameters is open, or if there would be more than
/// `mostInstructions`. The names are the module's own: it must outlive the
/// result. Instructions of one loop have its name.
std::optional<Module> withTripsAsCalls(const Module &module,
                                       size_t mostInstructions = kMostOfTrips);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_TRIPS_AS_CALLS_H
