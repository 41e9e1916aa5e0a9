// The elimination of the prover of sizes: an exact simplex. Private to
// simplifier/.
//
//   a - 3 >= 0,  2 - b >= 0,  b - a >= 0
//   1 * first + 1 * second + 1 * third is -1: no point has all three
//
// Each row is a polynomial that is said to be at least 0, and each monomial is
// an unknown of its own, a rational number without bounds. Either a point has
// all rows, or there are multipliers of which the sum of rows is a negative
// constant (Farkas).
//
// Law (tests/simplifier/size_prover_test.cc): the multipliers add up to a
// negative constant, by other arithmetic.
#ifndef INDEXICAL_SIMPLIFIER_SIZE_SIMPLEX_H
#define INDEXICAL_SIMPLIFIER_SIZE_SIMPLEX_H

#include <cstdint>
#include <optional>
#include <utility>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/simplifier/packed_polynomial.h"

namespace indexical {

/// Numbers of rows, each with its multiplier, which is above 0.
using RowMultipliers = llvm::SmallVector<std::pair<uint32_t, int64_t>, 8>;

/// Returns multipliers, or nothing if a rational point has all rows, if a
/// number leaves 64 bits, or if more coefficients would be touched than `work`
/// has left. Touched coefficients are taken from `work`.
std::optional<RowMultipliers> refutingMultipliers(
    llvm::ArrayRef<const PackedPolynomial *> rows, int64_t &work);

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_SIZE_SIMPLEX_H
