// Points of a set, and their number, without a search.
//
//   x0 in [0, 9], x1 in [0, 999]                            10000 points
//   x0 in [0, 2^62], (x0 floordiv 4) mod 3 in [1, 1]        by a formula
//   x0 in [0, 9], x1 in [0, 7], x0 * 8 + x1 in [5, 60]      56 points
//
// A set has components: the variables that constraints and outputs connect.
// Each component is counted by itself, and the counts are multiplied.
//
// Law (tests/exact/enumeration_test.cc): the answers are those of enumeration.
#ifndef INDEXICAL_EXACT_CLOSED_FORM_H
#define INDEXICAL_EXACT_CLOSED_FORM_H

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DynamicAPInt.h"

#include "indexical/indexing/indexing_map.h"
#include "indexical/simplifier/enumeration.h"

namespace indexical {

/// A part of a set that is independent of the rest.
struct Component {
  IndexingMap set;  ///< of these variables and outputs
  llvm::SmallVector<uint32_t, 4> variables, outputs;
};

/// Returns the components of a set: the variables that a constraint or an
/// output names together are in one. A variable that neither names is a
/// component of its own. An output that has no variable is in none of
/// them.
std::vector<Component> componentsOf(const IndexingMap &set);

/// Returns nothing if the set is known to be empty, and a point if one is seen:
/// at a corner or, if variables multiply or divide others, near 0. Otherwise
/// returns unknown.
Sample sampleInClosedForm(const IndexingMap &set);

/// Returns the number of points of one component, or nothing if it is not
/// found.
std::optional<llvm::DynamicAPInt> countInClosedForm(const IndexingMap &set);

/// A term of a sum: the coefficient times a value within the bounds.
struct SumTerm {
  int64_t coefficient;  ///< not 0
  Interval bounds;      ///< finite
};
/// Returns the number of values that a sum of independent terms takes, or
/// nothing if it is not found.
std::optional<llvm::DynamicAPInt> countSums(llvm::ArrayRef<SumTerm> terms);

}  // namespace indexical

#endif  // INDEXICAL_EXACT_CLOSED_FORM_H
