// Runtime variables of reads: given values, and those that all threads share.
//
//   (d0, d1){rt0} -> (rt0, d1)      rt0 = "d0 * 7 mod 100"
//     -> (d0, d1) -> (d0 * 7 mod 100, d1)
#ifndef INDEXICAL_COST_MEMORY_RUNTIME_VALUES_H
#define INDEXICAL_COST_MEMORY_RUNTIME_VALUES_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/cost/memory/lane_forms.h"
#include "indexical/cost/memory/launch.h"
#include "indexical/indexing/relation.h"

namespace indexical {

/// Returns the relation with every runtime variable of these names replaced by
/// its value, an expression in the names of the dimensions and ranges. A
/// clamped variable's value is clamped; if the value of another variable is
/// outside of its bounds, the map does not hold. Returns an error if a text is
/// not an expression, or if no piece has a variable of that name.
absl::StatusOr<IndexingRelation> withRuntimeValues(
    const IndexingRelation &relation,
    const std::vector<std::pair<std::string, std::string>> &values);

/// Returns the relation with a source for each runtime variable that has none:
/// one scalar for each name, with any value within the bounds.
absl::StatusOr<IndexingRelation> withSourcesByName(
    const IndexingRelation &relation);

namespace lanes {

/// A launch's pieces for one choice of values of the runtime variables that all
/// threads share.
struct RuntimeCase {
  std::vector<LaunchPiece> pieces;
  /// The distances by which shared variables that are only added can move all
  /// addresses, in bits, modulo the line.
  std::vector<int64_t> shifts = {0};
};

/// Returns all cases; empty if there are more than `most`. `line` is in bits.
absl::StatusOr<std::vector<RuntimeCase>> runtimeCases(
    std::vector<LaunchPiece> pieces, int64_t bits, int64_t line, int64_t most);

}  // namespace lanes
}  // namespace indexical

#endif  // INDEXICAL_COST_MEMORY_RUNTIME_VALUES_H
