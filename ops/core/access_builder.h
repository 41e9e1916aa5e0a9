// Building the map of an access, whichever side it starts from.
//
// A family says with loops, once, which element of the result an iteration
// writes and which element of the operand it reads. The coordinates of the side
// that the map starts from are dimension variables, so that each of them is an
// equation, which is solved while it is written:
//
//   pad of f32[4], low 1, interior 1, to f32[12]
//     l = loop({0, 3}), operand(0, l), result(0, l * 2 + 1)
//       output to input   (d0) -> ((d0 - 1) floordiv 2), (d0 - 1) mod 2 is 0
//       input to output   (d0) -> (d0 * 2 + 1)
//
// A coordinate is a sum of loops times numbers, and of an expression without
// loops. Several loops of one coordinate are the digits of a number, the most
// significant one first:
//
//   all-gather of f32[8], groups of 4: result member * 8 + l, operand l
//   l = d0 mod 8, member = d0 floordiv 8
//
// A loop that no equation gives is a range variable of the map. So is a loop
// whose value is asked for before its equation is written: give the coordinates
// first, then the parts that depend on them.
//
// Access (ops/access.h) takes coordinates and constraints of any kind, and
// looks for a loop to solve for; it is for ops outside of this library. It
// copies all expressions for each loop and simplifies the result. This class
// solves only the equations above, and writes the map at once.
//
// Law (tests/ops/ops_test.cc, by enumeration, for each family that uses it):
// both maps are the pairs of coordinates of all iterations.
#ifndef INDEXICAL_OPS_CORE_ACCESS_BUILDER_H
#define INDEXICAL_OPS_CORE_ACCESS_BUILDER_H

#include <optional>

#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/ops/core/family.h"

namespace indexical {
namespace families {

using Bounds = llvm::SmallVector<Interval, 6>;

/// Returns the indices of every dimension.
Bounds indicesOf(const ArrayShape &shape);

/// A loop of an AccessBuilder, by its number. Not the LoopReads of
/// program/maps/loop_boxes.h, which are a while's.
struct Loop {
  uint32_t number;
};

/// A sum of loops times numbers, and of an expression without loops.
class LoopSum {
 public:
  LoopSum() = default;
  LoopSum(Loop loop) { terms_.push_back({loop, 1}); }
  LoopSum(int64_t constant) : constant_(constant) {}
  LoopSum(Expr expression) : expression_(expression) {}

  friend LoopSum operator*(Loop loop, int64_t factor);
  /// Returns a loop times an expression. The loop must be the only one of its
  /// coordinate, and the expression at least 1 in every iteration.
  friend LoopSum operator*(Loop loop, Expr factor);
  friend LoopSum operator+(LoopSum a, const LoopSum &b);

 private:
  friend class AccessBuilder;
  struct Term {
    Loop loop;
    int64_t factor;
  };
  llvm::SmallVector<Term, 2> terms_;
  std::optional<Expr> scale_;  ///< of the only loop
  std::optional<Expr> expression_;
  int64_t constant_ = 0;
};

LoopSum operator*(Loop loop, int64_t factor);
LoopSum operator*(Loop loop, Expr factor);
LoopSum operator+(LoopSum a, const LoopSum &b);

class AccessBuilder {
 public:
  /// Begins a map between a result and an operand. The bounds are those of the
  /// coordinates: of dimension variables on the side that the map starts from,
  /// and of the ranges for coordinates of the other side that are not given.
  /// All arguments must outlive the AccessBuilder. The parts of the map beside
  /// coordinates are made with `builder`.
  AccessBuilder(const Sides &sides, IndexingMapBuilder &builder,
                llvm::ArrayRef<Interval> resultBounds,
                llvm::ArrayRef<Interval> operandBounds);

  /// Adds a loop. Its bounds become constraints of the map unless the bounds of
  /// dimensions imply them.
  Loop loop(Interval bounds);
  /// Returns `begin` plus a new loop over [0, size - 1], or `begin` if the size
  /// is 1.
  LoopSum part(LoopSum begin, int64_t size);

  /// Gives a coordinate of the element that is written (result) or read
  /// (operand).
  void result(int64_t dimension, const LoopSum &index) {
    coordinate(sides_.isForward(), dimension, index);
  }
  void operand(int64_t dimension, const LoopSum &index) {
    coordinate(!sides_.isForward(), dimension, index);
  }
  /// Makes both coordinates equal. Adds no constraint: the bounds of the side
  /// that the map starts from must be within those of the other side.
  void same(int64_t resultDimension, int64_t operandDimension);
  /// Gives two coordinates that are solved elsewhere: `across` is called with
  /// the value of the one that the map starts from and returns the other's.
  void related(int64_t resultDimension, int64_t operandDimension,
               llvm::function_ref<Expr(Expr)> across);
  /// Gives the member of collective 0 whose operand is read.
  void member(Loop loop);

  /// Return the value of a loop, or of a sum, as an expression of the map.
  Expr at(Loop loop);
  Expr at(const LoopSum &sum);
  /// Return the value of a coordinate of the result or the operand. A
  /// coordinate that was not given becomes a range.
  Expr resultAt(int64_t dimension) {
    return coordinateAt(sides_.isForward(), dimension);
  }
  Expr operandAt(int64_t dimension) {
    return coordinateAt(!sides_.isForward(), dimension);
  }
  /// Makes the ranges of all coordinates, in their order. No coordinate may be
  /// given afterwards.
  void complete();

  /// Adds the results. The builder then has the whole map.
  void finish();
  /// Adds the results, and returns the finished map as the only piece.
  Answer answer(Precision precision = Precision::Exact);

 private:
  struct LoopInfo {
    Interval bounds;
    bool isUsed = false;
    std::optional<Expr> value;
  };
  void coordinate(bool isFrom, int64_t dimension, const LoopSum &index);
  void solve(Expr dimension, Interval bounds, const LoopSum &index);
  void solveDigits(Expr value, Interval bounds,
                   llvm::MutableArrayRef<LoopSum::Term> terms);
  void give(Loop loop, Expr value, Interval bounds);
  Expr coordinateAt(bool isFrom, int64_t dimension);

  const Sides &sides_;
  IndexingMapBuilder &builder_;
  llvm::ArrayRef<Interval> fromBounds_, toBounds_;
  Exprs dimensions_;
  /// The value of a coordinate of the other side, or the sum that finish()
  /// makes it of.
  struct Coordinate {
    std::optional<Expr> value;
    std::optional<LoopSum> sum;
  };
  llvm::SmallVector<Coordinate, 4> results_;
  std::optional<Loop> member_;
  llvm::SmallVector<LoopInfo, 8> loops_;
};

}  // namespace families
}  // namespace indexical

#endif  // INDEXICAL_OPS_CORE_ACCESS_BUILDER_H
