// Constant indices: a gather whose indices stand in the module reads elements
// that are known.
//
//   i = s32[3] constant({3, 7, 7}), rt0 = i[d0]
//   (d0, d1){rt0} -> (rt0, d1)
//     (d0, d1) -> (3, d1), d0 in [0, 0]
//     (d0, d1) -> (7, d1), d0 in [1, 1]
//     (d0, d1) -> (7, d1), d0 in [2, 2]
//
// A piece for each element of the constant: they do not meet, for each holds
// where the variable's index is that element's. (An index that is one element
// for all, or follows a rule, is folded before: ProgramIndexing.)
//
// Law (tests/cost/use/constant_indices_test.cc): at every point the values are
// those of the constant.
#ifndef INDEXICAL_COST_USE_CONSTANT_INDICES_H
#define INDEXICAL_COST_USE_CONSTANT_INDICES_H

#include <cstdint>

#include "absl/status/statusor.h"

#include "indexical/indexing/relation.h"
#include "indexical/program/maps/program_indexing.h"

namespace indexical {

/// Returns the relation with its pieces split by the elements of constants that
/// their runtime variables have. The relation's sources are numbers of
/// `maps.value()`. Variables of constants with more than `mostElements`
/// elements stay, for so many pieces cost more than they help.
absl::StatusOr<IndexingRelation> withConstantIndices(
    const ProgramIndexing &maps, const IndexingRelation &relation,
    int64_t mostElements = 256);

}  // namespace indexical

#endif  // INDEXICAL_COST_USE_CONSTANT_INDICES_H
