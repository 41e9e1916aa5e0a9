// Runtime variables whose value is known, written as that value.
//
//   (d0){rt0} -> (d0 + rt0)    rt0 in [0, 6] clamped, element () of the
//                              constant s32[] 9
//     -> (d0) -> (d0 + 6)      the clamp is kept
//   (d0){rt0} -> (rt0)         d0 in [0, 7], rt0 in [2, 4] clamped, element
//                              (d0) of an iota
//     -> (d0) -> (2)           d0 in [0, 1]
//        (d0) -> (d0)          d0 in [2, 4]
//        (d0) -> (4)           d0 in [5, 7]
//   (d0){rt0} -> (rt0)         d0 in [0, 4], rt0 element (d0) of the constant
//                              s32[5] {4, 5, 6, 2, 2}
//     -> (d0) -> (d0 + 4)      d0 in [0, 2]
//        (d0) -> (2)           d0 in [3, 4]
//
// A variable whose value falls into more than 16 cases stays, and so does one
// that would make the relation longer than 32 pieces.
//
// Law (tests/program/maps/fold_known_test.cc, by enumeration): the relation is
// the same when the variables have the values that the constants and iotas give
// them.
#ifndef INDEXICAL_PROGRAM_MAPS_FOLD_KNOWN_H
#define INDEXICAL_PROGRAM_MAPS_FOLD_KNOWN_H

#include <optional>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/relation.h"
#include "indexical/program/module/program.h"
#include "indexical/program/values/known_values.h"

namespace indexical {

/// Returns the value of element `index` of a source's tensor, or nothing.
/// `bounds` are those of the variables in the index. A value in cases takes the
/// way that the choices say.
using KnownElement = llvm::function_ref<std::optional<Expr>(
    const RuntimeSource &, IndexingMapBuilder &, llvm::ArrayRef<Expr>,
    IndexBounds, Choices &)>;

/// Returns the relation with every runtime variable that `known` knows
/// replaced.
absl::StatusOr<IndexingRelation> foldKnown(const IndexingRelation &relation,
                                           KnownElement known);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_FOLD_KNOWN_H
