// The structural non-zeros of a Jacobian, as a matrix: a row for each element
// of a result, a column for each of a parameter, both in the order in which the
// last index runs first.
//
//   r = f32[4] add(p's slice [0:4], p's slice [1:5]), p f32[5]
//   relation   (d0) -> (d0) and (d0) -> (d0 + 1)
//   matrix     4 x 5, 8 entries, none below the diagonal, one above it
//
// The entries are listed one by one if they are not too many. Otherwise they
// are counted and bounded by exact/, which does not need the list.
//
// A runtime variable that is not known takes all values within its bounds: then
// the entries are a cover.
//
// Law (tests/cost/sparsity/sparsity_test.cc): the places are the pairs of the
// relation, by enumeration.
#ifndef INDEXICAL_COST_SPARSITY_JACOBIAN_H
#define INDEXICAL_COST_SPARSITY_JACOBIAN_H

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"

#include "indexical/cost/sparsity/pattern.h"
#include "indexical/exact/exact.h"
#include "indexical/indexing/relation.h"

namespace indexical {

struct JacobianOptions {
  ExactOptions exact;
  /// So many entries, rows and columns are listed, unless the budget names a
  /// number of operations: then as many as that.
  int64_t mostEntries = int64_t{1} << 22;

  int64_t mostListed() const { return exact.operationsOr(mostEntries); }
};

/// The figures that were found. For a cover they are the figures of the cover.
struct Jacobian {
  int64_t rows = 0, columns = 0;
  bool isExact = true;
  std::optional<int64_t> entries;
  std::optional<Band> band;
  std::optional<SparsePattern> pattern;  ///< if the entries are listed

  /// Returns the entries' share of all places; nothing if they are not known or
  /// there is no place.
  std::optional<double> density() const;
};

/// Returns the Jacobian of a relation from indices of `result` to indices of
/// `parameter`. Returns an error if a size is not known, if a side has more
/// than 2^62 elements, if the relation leads to other devices, or if the
/// budget's stop is reached.
absl::StatusOr<Jacobian> jacobianOf(const IndexingRelation &relation,
                                    llvm::ArrayRef<int64_t> result,
                                    llvm::ArrayRef<int64_t> parameter,
                                    const JacobianOptions &options = {});

}  // namespace indexical

#endif  // INDEXICAL_COST_SPARSITY_JACOBIAN_H
