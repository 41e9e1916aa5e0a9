// Cholesky: the triangular factor of a symmetric matrix.
//
//   f32[3,3] -> f32[3,3], lower=true, output to input, two pieces
//   (d0, d1)[s0, s1] -> (s0, s1),  d0 - d1 >= 0, d1 - s0 >= 0, s0 - s1 >= 0
//   (d0, d1)[s0] -> (d0, s0),      d0 - d1 >= 1, d1 - s0 >= 0
//
// Element (i, j) of the lower factor, i >= j, is made of the rows before it
// down to row j, and of its own row, each as far as column j. Row i comes as a
// piece of its own if it is not row j. Of the operand and of the result only
// the lower triangle counts. The upper factor is the mirror image.
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/algorithms/triangle.h"
#include "indexical/ops/core/size_collector.h"

namespace indexical {
namespace families {
namespace {

/// The two pieces: all rows down to row j, or the element's own row.
enum class Rows { UpToColumn, Own };

absl::Status addRows(IndexingRelation &relation, const CholeskyOp &op,
                     const Sides &sides, Rows rows) {
  const ArrayShape &a = op.operands[0], &factor = op.results[0];
  const int64_t batch = a.rank() - 2;
  const Interval edge =
      edgeOf(a).intersect(edgeOf(factor));  // both matrices are square
  IndexingMapBuilder builder;
  for (int64_t k = 0; k < batch; ++k)
    builder.result(builder.dimension(sharedIndices(a, k, factor, k)));
  // Rows and columns are those of the lower triangle.
  Expr first = builder.dimension(edge), second = builder.dimension(edge);
  const MatrixElement from =
      op.lower ? MatrixElement{first, second} : MatrixElement{second, first};
  MatrixElement to;
  to.row = rows == Rows::Own ? from.row : builder.range(edge);
  to.column = builder.range(edge);
  // The element and the one that it reads, whichever of them is given.
  const MatrixElement &element = sides.isForward() ? from : to;
  const MatrixElement &read = sides.isForward() ? to : from;
  atMost(builder, element.column, element.row, rows == Rows::Own ? 1 : 0);
  if (rows == Rows::UpToColumn) {
    atMost(builder, read.row, element.column);
    atMost(builder, read.column, read.row);
  } else {
    atMost(builder, read.column, element.column);
  }
  builder.result(op.lower ? to.row : to.column);
  builder.result(op.lower ? to.column : to.row);
  return addPiece(relation, builder);
}

}  // namespace

/// C1: the result's shape. C2, C3: square matrices.
absl::Status verify(const CholeskyOp &op) {
  INDEXICAL_RETURN_IF_ERROR(checkLeaves(op, 1, 1));
  const ArrayShape &a = op.operands[0];
  const Name name = {"operand 0", "a"};
  if (a.rank() < 2)
    return Broken("C2") << name << " must be a matrix or several, not " << a;
  INDEXICAL_RETURN_IF_ERROR(checkSquare("C3", name, a));
  return checkSameShape("C1", name, a, "result", op.results[0]);
}

Answer reads(const CholeskyOp &op, const Sides &sides, int64_t, int64_t) {
  IndexingRelation relation;
  for (Rows rows : {Rows::UpToColumn, Rows::Own})
    INDEXICAL_RETURN_IF_ERROR(addRows(relation, op, sides, rows));
  return relation;
}

/// C1, C3: the matrices are square.
void addSizeRules(const CholeskyOp &op, SizeCollector &c) {
  c.same(0, c.result(0));
  const int64_t rank = op.operands[0].rank();
  c.equal({0, rank - 2}, {0, rank - 1});
}

}  // namespace families
}  // namespace indexical
