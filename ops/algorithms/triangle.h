// Triangles of matrices, of which cholesky and triangular-solve read elements.
//
// The last two dimensions of a tensor are a matrix; the others are a batch. In
// the lower triangle of f32[5,3,3], the column is at most the row:
//
//   (d0, d1, d2), d0 in [0, 4], d1 in [0, 2], d2 in [0, 2], d1 - d2 >= 0
#ifndef INDEXICAL_OPS_ALGORITHMS_TRIANGLE_H
#define INDEXICAL_OPS_ALGORITHMS_TRIANGLE_H

#include "indexical/ops/core/rules.h"

namespace indexical {
namespace families {

/// An element of a matrix.
struct MatrixElement {
  Expr row, column;
};

/// Adds the constraint a + distance <= b to the builder.
inline void atMost(IndexingMapBuilder &builder, Expr a, Expr b,
                   int64_t distance = 0) {
  builder.constraint(b - a, {distance, Interval::kInfinity});
}

/// Returns the range of the row and column indices of a square matrix, which is
/// the last two dimensions: [0, 3] for f32[5,4,4]. If one of the two sizes is
/// not known, the other one decides. Requires rank 2 or more.
inline Interval edgeOf(const ArrayShape &shape) {
  return sharedIndices(shape, shape.rank() - 2, shape, shape.rank() - 1);
}

/// Returns an error if the last two dimensions cannot be equal, and so do not
/// make a square matrix. Requires rank 2 or more.
inline absl::Status checkSquare(Rule rule, Name what, const ArrayShape &shape) {
  const int64_t rank = shape.rank();
  if (canAgree(shape, rank - 2, shape, rank - 1)) return absl::OkStatus();
  return Broken(rule) << what << " must have as many rows as columns, but has "
                      << SizeText{shape.dimensions[rank - 2]} << " and "
                      << SizeText{shape.dimensions[rank - 1]};
}

}  // namespace families
}  // namespace indexical

#endif  // INDEXICAL_OPS_ALGORITHMS_TRIANGLE_H
