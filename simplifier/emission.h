// Writes what simplification found of a map as a map again.
//
//   d0 = q * 2, s0 used, s1 not, s2 used
//     -> (d0)[s0, s1], q is d0 floordiv 2, s2 is s1 now
//
// Ranges and runtime variables that nothing uses go, with what only they use;
// dense dimensions are written as they were given.
#ifndef INDEXICAL_SIMPLIFIER_EMISSION_H
#define INDEXICAL_SIMPLIFIER_EMISSION_H

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/composition.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/simplifier/canonical_form.h"
#include "indexical/simplifier/dense.h"

namespace indexical {

struct FoundMap {
  const MapParts &parts;  ///< as they were given
  ExpressionPool &pool;   ///< of all forms here
  const VariableBounds &box;
  llvm::ArrayRef<FormId> results;  ///< members too
  /// The intervals of the results, without members, wherever the map holds.
  /// Empty if there are no constraints.
  llvm::ArrayRef<Interval> resultBounds;
  llvm::ArrayRef<Constraint> constraints;
  /// For each runtime variable, the index of the element that it takes its
  /// value from.
  llvm::ArrayRef<llvm::SmallVector<FormId, 2>> indices;
  /// For each runtime variable, the first one that has the same value.
  llvm::ArrayRef<uint32_t> representatives;
  const DenseVariables &dense;
  /// The one index whose digits the results are, if there is one.
  const std::optional<Delinearization> &delinearization;
};

/// Returns the map, or an error if it leaves 64 bits. With `rename`, ranges and
/// runtime variables are named s0…, rt0…; otherwise a named variable keeps its
/// name. `isCanonical` says whether the forms are canonical on the box and
/// constraints.
absl::StatusOr<IndexingMap> emitted(const FoundMap &found, bool rename,
                                    bool isCanonical);

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_EMISSION_H
