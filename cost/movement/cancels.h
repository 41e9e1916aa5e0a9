// Movement that cancels: a value that equals an earlier one, or a permutation
// of it, after two or more ops that only moved its elements.
//
//   t = f32[8,4] transpose(p), dimensions={1,0}
//   r = f32[4,8] reverse(t) …                 not p
//   s = f32[8,4] copy(t)
//   u = f32[4,8] transpose(s), dimensions={1,0}
//
//   first p, second u, permutation {0, 1}, between t, s, u, and what they read
//   and write
//
// Each value has one map to the value that its elements come from, composed
// through all ops that pass elements on. These maps alone decide whether two
// values are the same: slices of a padded or concatenated array, concatenated
// slices and reshapes count as transposes do. A conversion passes elements on
// if its type holds all values that arrive: f32 of bf16, and bf16 again of
// that. A kernel that only moves elements counts as one op.
//
// A value is paired with the nearest earlier value that it equals; if there is
// none, with the nearest of which it is a permutation. So there are at most as
// many pairs as values. A single op is not a pair.
//
// Law (tests/cost/movement/cancels_test.cc, by enumeration): each pair is one;
// a value on a way of such ops that is an earlier one has a pair. A permutation
// is missed where the maps of both are written in different forms (fewer than
// one in 500 of random chains).
#ifndef INDEXICAL_COST_MOVEMENT_CANCELS_H
#define INDEXICAL_COST_MOVEMENT_CANCELS_H

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/program/maps/program_indexing.h"
#include "indexical/program/module/callees.h"

namespace indexical {

struct CancelledMoves {
  ComputationId computation;
  InstructionLeaf first, second;
  /// Dimension k of the second is dimension `permutation[k]` of the first.
  llvm::SmallVector<int64_t, 4> permutation;
  /// The ops on the way that move elements, in the order of the way; the last
  /// one gives the second value. Bitcasts and tuples move nothing.
  std::vector<InstructionId> between;
  /// The bytes of the arrays that these ops read and write, each as whole; at
  /// most INT64_MAX.
  int64_t bytes = 0;

  bool isIdentity() const {
    for (size_t k = 0; k < permutation.size(); ++k)
      if (permutation[k] != static_cast<int64_t>(k)) return false;
    return true;
  }
};

/// Returns the pairs of the module's computations, but for those inside of
/// fusions and of what is applied to elements, in the order of their second
/// values. Returns an error if the budget's stop is reached.
absl::StatusOr<std::vector<CancelledMoves>> cancelsOf(ProgramIndexing &maps);

}  // namespace indexical

#endif  // INDEXICAL_COST_MOVEMENT_CANCELS_H
