// The elements of its operands that a value has, if its op only moves them.
//
//   c = f32[6] concatenate(a, b), a f32[4]
//     parts   a: (d0) -> (d0), d0 in [0, 3];  b: (d0) -> (d0 - 4), d0 in [4, 5]
#ifndef INDEXICAL_COST_MOVEMENT_PASSED_ELEMENTS_H
#define INDEXICAL_COST_MOVEMENT_PASSED_ELEMENTS_H

#include <vector>

#include "absl/status/statusor.h"

#include "indexical/indexing/indexing_map.h"
#include "indexical/program/maps/program_indexing.h"
#include "indexical/program/module/callees.h"

namespace indexical {

/// The elements of a value that are those of one other value.
struct PassedPart {
  InstructionLeaf from;
  IndexingMap map;  ///< from the value's index, simplified, without ranges
};

/// Returns the parts of a value, disjoint, and empty if its op computes, if
/// values of the run decide what it reads, or if a size is open. Elements in no
/// part are computed, or are constants.
absl::StatusOr<std::vector<PassedPart>> partsOf(ProgramIndexing &maps,
                                                ComputationId computation,
                                                InstructionLeaf value);

/// Returns whether the map takes every index of the shape, whose sizes are
/// known.
bool isWhole(const IndexingMap &map, const ArrayShape &shape);

/// Returns whether the op moves elements, and is not just another view of the
/// same memory.
bool movesMemory(const Instruction &instruction);

/// Returns whether each value of type `of` is one of type `in`, too. False if
/// that is not known.
bool holdsEvery(ElementType in, ElementType of);

}  // namespace indexical

#endif  // INDEXICAL_COST_MOVEMENT_PASSED_ELEMENTS_H
