// Maps between indices in layout order.
//
// A layout lists a tensor's dimensions from the fastest varying to the slowest.
// The physical index has the same numbers in the opposite order, the slowest
// first. For f32[4,8]{0,1} the element (i, j) has the physical index (j, i), so
// the transpose from f32[8,4]{1,0}
//
//   logical    (d0, d1) -> (d1, d0)
//   physical   (d0, d1) -> (d0, d1)        nothing moves
//
// Tiles, element sizes and paddings of a layout are not applied.
#ifndef INDEXICAL_ANSWERS_DUMP_PHYSICAL_H
#define INDEXICAL_ANSWERS_DUMP_PHYSICAL_H

#include <cstdint>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/relation.h"
#include "indexical/ops/shape.h"

namespace indexical {

/// Returns the dimensions in layout order, the slowest first.
llvm::SmallVector<int64_t, 6> physicalOrder(const ArrayShape &shape);

/// Returns the shape with its sizes in layout order, and without a layout.
ArrayShape physicalShape(const ArrayShape &shape);
/// Like physicalShape above, for each array of the shape.
Shape physicalShape(Shape shape);

/// Returns a relation of logical indices of tensor `from` to those of `to` as a
/// relation of their physical indices. `sourceShape` returns the shape of a
/// runtime variable's source.
absl::StatusOr<IndexingRelation> physicalRelation(
    const IndexingRelation &relation, const ArrayShape &from,
    const ArrayShape &to,
    llvm::function_ref<const ArrayShape &(int64_t tensor)> sourceShape);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_DUMP_PHYSICAL_H
