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
// together are a clamped variable; it says the same in either direction, and
// adds no minimum. Otherwise the end is a minimum or a maximum, which only
// results may have: a constraint with one is longer than two pieces.
//
// Law (tests/program/value_cases_test.cc, by enumeration): the relation stays
// what it is.
#ifndef INDEXICAL_PROGRAM_JOINED_CLAMPS_H
#define INDEXICAL_PROGRAM_JOINED_CLAMPS_H

#include <cstdint>

#include "absl/status/statusor.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/indexing/relation.h"

namespace indexical {

enum class Joined : uint8_t {
  Clamped,          ///< where a runtime variable becomes clamped
  ClampedOrMinima,  ///< and where a result has a minimum or a maximum
};

/// Returns the relation with such pieces joined. `valuesOf` returns all values
/// that an element of a source's tensor can have.
absl::StatusOr<IndexingRelation> withClampsJoined(
    const IndexingRelation &relation, Joined which,
    llvm::function_ref<Interval(int64_t tensor)> valuesOf);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_JOINED_CLAMPS_H
