// Triangular solve: a system of equations, solved line by line.
//
//   a f32[3,3], b f32[3,8] -> x f32[3,8], a * x = b
//   left_side=true, lower=true, output to input
//   a   (d0, d1)[s0, s1] -> (s0, s1),  s0 - s1 >= 0, d0 - s0 >= 0
//   b   (d0, d1)[s0] -> (s0, d1),      d0 - s0 >= 0
//
// Line i of the solution (a row if a is at the left, else a column) comes
// from its own line of b and from the lines that are solved before it. These
// are the lines of smaller number (forward) if op(a) is lower and at the
// left or upper and at the right, else those of greater number. Each of them
// reads the elements of a in the triangle that both its numbers reach; the
// diagonal is not read if it is known to be ones.
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/algorithms/triangle.h"
#include "indexical/ops/core/size_collector.h"

namespace indexical {
namespace families {
namespace {

bool isForward(const TriangularSolveOp &op) {
  const bool opIsLower = op.lower != op.transposed;
  return op.leftSide == opIsLower;
}

/// Numbers of lines.
Interval linesOf(const TriangularSolveOp &op) {
  const ArrayShape &b = op.operands[1], &x = op.results[0];
  const int64_t line = x.rank() - (op.leftSide ? 2 : 1);
  return edgeOf(op.operands[0]).intersect(sharedIndices(b, line, x, line));
}

/// Indices of dimension k of the solution.
Interval indicesOfSolution(const TriangularSolveOp &op, int64_t k) {
  const ArrayShape &b = op.operands[1], &x = op.results[0];
  const bool isLine = k == x.rank() - (op.leftSide ? 2 : 1);
  return isLine ? linesOf(op) : sharedIndices(b, k, x, k);
}

/// One dimension for each of the batch, which `operand` shares.
void addBatch(IndexingMapBuilder &builder, const TriangularSolveOp &op,
              const ArrayShape &operand) {
  for (int64_t k = 0; k < operand.rank() - 2; ++k)
    builder.result(
        builder.dimension(sharedIndices(operand, k, op.results[0], k)));
}

/// Line `before` is line `line`, or solved before it.
void constrainOrder(IndexingMapBuilder &builder, const TriangularSolveOp &op,
                    Expr before, Expr line) {
  if (isForward(op))
    atMost(builder, before, line);
  else
    atMost(builder, line, before);
}

Answer readsOfMatrix(const TriangularSolveOp &op, const Sides &sides) {
  const int64_t rank = op.results[0].rank();
  const bool fromSolution = sides.isForward();
  IndexingMapBuilder builder;
  auto place = [&](bool isFrom, Interval rows, Interval columns) {
    if (isFrom)
      return MatrixElement{builder.dimension(rows), builder.dimension(columns)};
    return MatrixElement{builder.range(rows), builder.range(columns)};
  };
  addBatch(builder, op, op.operands[0]);
  const MatrixElement x = place(fromSolution, indicesOfSolution(op, rank - 2),
                                indicesOfSolution(op, rank - 1));
  const MatrixElement a = place(!fromSolution, linesOf(op), linesOf(op));
  Expr least = op.lower ? a.column : a.row, most = op.lower ? a.row : a.column;
  atMost(builder, least, most, op.unitDiagonal ? 1 : 0);
  // Both of its lines are solved: the last of them is.
  constrainOrder(builder, op, isForward(op) ? most : least,
                 op.leftSide ? x.row : x.column);
  const MatrixElement &to = fromSolution ? a : x;
  builder.result(to.row);
  builder.result(to.column);
  return answerOf(builder);
}

Answer readsOfRightSide(const TriangularSolveOp &op, const Sides &sides) {
  const int64_t rank = op.results[0].rank();
  IndexingMapBuilder builder;
  addBatch(builder, op, op.operands[1]);
  MatrixElement from;
  from.row = builder.dimension(indicesOfSolution(op, rank - 2));
  from.column = builder.dimension(indicesOfSolution(op, rank - 1));
  Expr line = op.leftSide ? from.row : from.column;
  Expr other = builder.range(linesOf(op));
  // The line that is read, then the one that reads it.
  const auto [reader, read] = sides.ordered(line, other);
  constrainOrder(builder, op, read, reader);
  builder.result(op.leftSide ? other : from.row);
  builder.result(op.leftSide ? from.column : other);
  return answerOf(builder);
}

}  // namespace

/// C2: the ranks. C3: the sizes. C4: the result's shape. C1 is of types.
absl::Status verify(const TriangularSolveOp &op) {
  INDEXICAL_RETURN_IF_ERROR(checkLeaves(op, 2, 1));
  const ArrayShape &a = op.operands[0], &b = op.operands[1];
  const Name nameOfA = {"operand 0", "a"}, nameOfB = {"operand 1", "b"};
  const int64_t rank = a.rank(), line = rank - (op.leftSide ? 2 : 1);
  if (rank < 2 || b.rank() != rank)
    return Broken("C2") << nameOfA << " and " << nameOfB
                        << " must have the same rank, at least 2, but are " << a
                        << " and " << b;
  for (int64_t k = 0; k < rank - 2; ++k)
    if (!canAgree(a, k, b, k))
      return Broken("C3") << nameOfA << " and " << nameOfB
                          << " must have the same batch sizes, but have "
                          << SizeText{a.dimensions[k]} << " and "
                          << SizeText{b.dimensions[k]} << " in dimension " << k;
  INDEXICAL_RETURN_IF_ERROR(checkSquare("C3", nameOfA, a));
  if (!canAgree(a, rank - 1, b, line) || !canAgree(a, rank - 2, b, line))
    return Broken("C3") << nameOfA << " must have the size of the "
                        << (op.leftSide ? "rows" : "columns") << " of "
                        << nameOfB << ", as left_side is "
                        << (op.leftSide ? "true" : "false") << ", but they are "
                        << a << " and " << b;
  return checkSameShape("C4", nameOfB, b, "result", op.results[0]);
}

Answer reads(const TriangularSolveOp &op, const Sides &sides, int64_t,
             int64_t operand) {
  return operand == 0 ? readsOfMatrix(op, sides) : readsOfRightSide(op, sides);
}

void addSizeRules(const TriangularSolveOp &op, SizeCollector &c) {
  c.same(1, c.result(0));
  const int64_t rank = op.operands[0].rank();
  for (int64_t k = 0; k + 2 < rank; ++k) c.equal({0, k}, {1, k});
  c.equal({0, rank - 1}, {0, rank - 2});
  c.equal({0, rank - 1}, {1, op.leftSide ? rank - 2 : rank - 1});
}

}  // namespace families
}  // namespace indexical
