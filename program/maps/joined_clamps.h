// Pieces that are one clamp, as one map: private to program/.
//
//   (d0){rt0} -> (d0 + 2)      rt0 in [-inf, 1]
//   (d0){rt0} -> (d0 + rt0)    rt0 in [2, 9]
//   (d0){rt0} -> (d0 + 9)      rt0 in [10, inf]
//     -> (d0){rt0} -> (d0 + rt0)    rt0 in [2, 9] clamped
//
//   (d0) -> (d0)    d0 in [0, 4]
//   (d0) -> (4)     d0 in [5, 7]
//     -> (d0) -> (min(d0, 4))    d0 in [0, 7]
//
// A piece is the outer part of another one if it is that piece with the
// variable at the end of its bounds. All pieces of a runtime variable's values
// together are a clamped variable, which adds no minimum. Otherwise the end is
// a minimum or a maximum, in results, or from operands to results in a
// constraint:
//
//   (d0){rt0} -> (0)    rt0 in [-inf, -9], d0 in [0, 0]
//   (d0){rt0} -> (0)    rt0 in [-8, -1], d0 - rt0 in [8, 8]
//     -> (d0){rt0} -> (0)    rt0 in [-inf, -1], d0 - max(rt0 + 8, 0) in [0, 0]
//
// which is written as d0 >= rt0 + 8 and d0 <= max(rt0 + 8, 0).
//
// A dimension has one in results alone: in constraints it is an end of its own.
//
// Law (tests/program/maps/value_cases_test.cc, by enumeration): the relation
// stays what it is.
#ifndef INDEXICAL_PROGRAM_MAPS_JOINED_CLAMPS_H
#define INDEXICAL_PROGRAM_MAPS_JOINED_CLAMPS_H

#include <cstdint>

#include "absl/status/statusor.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/indexing/relation.h"

namespace indexical {

enum class Joined : uint8_t {
  Clamped,          ///< where a runtime variable becomes clamped
  ClampedOrMinima,  ///< and where there is a minimum or a maximum then
};

/// Returns the relation with such pieces joined. `valuesOf` returns all values
/// that an element of a source's tensor can have.
absl::StatusOr<IndexingRelation> withClampsJoined(
    const IndexingRelation &relation, Joined which,
    llvm::function_ref<Interval(int64_t tensor)> valuesOf);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_JOINED_CLAMPS_H
