// Runtime variables of reads: given values, and those that all threads share.
//
//   (d0, d1){rt0} -> (rt0, d1)      rt0 = "d0 * 7 mod 100"
//     -> (d0, d1) -> (d0 * 7 mod 100, d1)
#ifndef INDEXICAL_ANALYSIS_MEMORY_RUNTIME_VALUES_H
#define INDEXICAL_ANALYSIS_MEMORY_RUNTIME_VALUES_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/analysis/memory/lane_forms.h"
#include "indexical/analysis/memory/launch.h"
#include "indexical/indexing/relation.h"

namespace indexical {

/// The relation with every runtime variable of these names replaced by its
/// value, an expression in the names of the dimensions and ranges. A clamped
/// variable's value is clamped; where another one's is out of its bounds the
/// map does not hold. An error where a text is no expression, or no piece has a
/// variable of that name.
absl::StatusOr<IndexingRelation> withRuntimeValues(
    const IndexingRelation &relation,
    const std::vector<std::pair<std::string, std::string>> &values);

/// The relation with a source for each runtime variable that has none: one
/// scalar a name, whose value is any within the bounds.
absl::StatusOr<IndexingRelation> withSourcesByName(
    const IndexingRelation &relation);

namespace lanes {

/// A launch's pieces where the runtime variables that all threads share have
/// one of their values each.
struct RuntimeCase {
  std::vector<LaunchPiece> pieces;
  /// What shared variables that are only added move all addresses by: each of
  /// these is reached. In bits, modulo the line.
  std::vector<int64_t> shifts = {0};
};

/// All cases; empty where they are more than `most`. `line` is in bits.
absl::StatusOr<std::vector<RuntimeCase>> runtimeCases(
    std::vector<LaunchPiece> pieces, int64_t bits, int64_t line, int64_t most);

}  // namespace lanes
}  // namespace indexical

#endif  // INDEXICAL_ANALYSIS_MEMORY_RUNTIME_VALUES_H
