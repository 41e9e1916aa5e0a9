// The proof step: a canonical map made simpler by what a prover shows.
//
//   (d0) -> (d0 floordiv 2 - (-d0) floordiv 2 - d0 mod 2)      -> (d0)
//   d0 in [0, 99], d0 mod 6 in [1, 1], (d0 * 5) mod 3 in [2, 2]
//     -> the second follows from the first, and goes
//
// It looks, in this order, for a domain without points, for constraints that
// the others imply, and for results that equal a simpler expression. Points
// suggest the expression (points.h): a constant, a variable or its negative and
// a constant, a digit of a variable. It is used if both `result > candidate`
// and `result < candidate` are proven to have no point.
//
// Law (tests/exact/prover_test.cc, by enumeration): the relation is the same;
// the step is idempotent, and no expression grows.
#ifndef INDEXICAL_SIMPLIFIER_PROOF_H
#define INDEXICAL_SIMPLIFIER_PROOF_H

#include <cstddef>

#include "absl/status/statusor.h"

#include "indexical/indexing/indexing_map.h"
#include "indexical/simplifier/prover.h"

namespace indexical {

/// The order that a proof step lowers: the number of constraints, then how far
/// results are from variables.
struct ProofOrder {
  size_t constraints = 0;
  /// A constant and a variable or its negative with a constant count 0, another
  /// sum of one term that is a multiple of a variable or a digit of one counts
  /// 1, and all others count 2.
  size_t results = 0;
  bool operator<(const ProofOrder &o) const;
};
ProofOrder proofOrder(const IndexingMap &map);

/// Returns the map that the proof step makes; it is not yet simplified again.
/// It is the given one, or less in the order above.
/// Requires a canonical map (simplify).
absl::StatusOr<IndexingMap> proven(const IndexingMap &map, Prover &prover);

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_PROOF_H
