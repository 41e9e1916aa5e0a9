// Reads after any number of steps, computed from the reads of one step.
//
//   a step reads  x: x one to the left, and y at the same place
//                 y: y at the same place
//   the closure   x: x anywhere (and itself), y anywhere
//                 y: y at the same place
//
// Boxes are joined until nothing grows. Only boxes that have changed are taken
// further, so that each box is multiplied once for each edge and each change. A
// dimension that goes on growing is opened to all of its indices.
//
// Law (tests/program/maps/box_test.cc, by enumeration): a row of the closure
// contains every element itself, and the product of every chain of steps.
#ifndef INDEXICAL_PROGRAM_MAPS_CLOSURE_H
#define INDEXICAL_PROGRAM_MAPS_CLOSURE_H

#include <map>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/program/maps/box.h"
#include "indexical/program/module/ids.h"

namespace indexical {

/// The boxes that one leaf reads, by the number of the leaf that is read.
using BoxRow = std::map<LeafId, Box>;

/// Returns the closure. `step[r]` is what leaf r after a step reads of the
/// leaves before the step.
std::vector<BoxRow> closureOf(llvm::ArrayRef<BoxRow> step,
                              llvm::ArrayRef<ArrayShape> leaves);

/// Adds `box` to what the row reads of leaf `leaf`.
void addTo(BoxRow &row, LeafId leaf, const std::optional<Box> &box);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_CLOSURE_H
