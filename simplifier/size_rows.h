// Rows of the prover of sizes, and how a few of them are refuted together:
// private to simplifier/.
//
//   rows                  a - b * c >= 0, b >= 1 and the refuted c - a - 1 >= 0
//   products              (c - a - 1) * (b - 1) >= 0, ...
//   refuted               a sum of them is a negative constant
//
// Law (tests/simplifier/size_prover_test.cc, by enumeration): no point has all
// rows that are refuted, and each line of the refutation is at least 0 wherever
// the rows are.
#ifndef INDEXICAL_SIMPLIFIER_SIZE_ROWS_H
#define INDEXICAL_SIMPLIFIER_SIZE_ROWS_H

#include <cstdint>
#include <optional>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/simplifier/packed_polynomial.h"
#include "indexical/simplifier/size_certificate.h"

namespace indexical {

/// A polynomial that is at least 0, and why.
struct SizeRow {
  PackedPolynomial sum;
  SizeReason reason;
  /// The factors, if the reason is a product; else nothing.
  std::vector<PackedPolynomial> factors = {};
};

/// Returns the row with the common factor of its coefficients divided out and
/// its constant rounded down, which is as true of integers.
PackedPolynomial tightened(const PackedPolynomial &sum);

struct SizeRefutation {
  struct Line {
    int64_t multiplier;
    SizeRow row;
  };
  std::vector<Line> lines;
};

/// Returns lines whose sum is a negative constant, or nothing if none are found
/// within the work. `goals` are multiplied first, and only rows that share
/// atoms with them, directly or through others, take part; without goals all
/// do. `divisors` are polynomials that are at least 1. With `mostProducts` 0,
/// no rows are multiplied.
std::optional<SizeRefutation> refuted(llvm::ArrayRef<SizeRow> goals,
                                      llvm::ArrayRef<SizeRow> known,
                                      llvm::ArrayRef<PackedPolynomial> divisors,
                                      size_t mostProducts, int64_t &work);

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_SIZE_ROWS_H
