// Access: what an iteration of an op writes and reads, seen from neither side.
//
// A relation has two directions, and two maps that are written by hand easily
// disagree. An access says once, over an iteration space, which element of the
// result an iteration defines and which element of the operand it reads. Either
// map follows by solving for the side that the map starts from.
//
//   convolution of f32[9] with f32[3], stride 2, operand 0
//   loops    l0 in [0, 3], l1 in [0, 2]
//   result   (l0)          operand  (l0 * 2 + l1)
//     output to input   (d0)[s0] -> (d0 * 2 + s0)
//     input to output   (d0)[s0] -> ((d0 - s0) floordiv 2),
//                       s0 in [0, 2], (d0 - s0) mod 2 in [0, 0], …
//
// Coordinates are any expressions of loops, of elements and of sizes of
// operands. Constraints restrict the loops further. The maps of an op of one's
// own derive from AccessMaps (or are FunctionMaps) and add the accesses of a
// pair of leaves:
//
//   class Diagonal : public AccessMaps {   // f32[n, n] -> f32[n]
//     absl::Status describe(const OpShapes &shapes, int64_t, int64_t,
//                           AccessList &list) const override {
//       Access &access = list.add();
//       const Expr l = access.loop({0, shapes.results[0].dimensions[0] - 1});
//       access.result = {l};
//       access.operand = {l, l};
//       return absl::OkStatus();
//     }
//   };
//   // output to input   (d0) -> (d0, d0)
//   // input to output   (d0, d1) -> (d0), d0 - d1 in [0, 0]
//
// Law (tests/ops/access_test.cc, by enumeration): both maps are the relation
// {(result(l), operand(l)) : l in the loops, the constraints hold, both inside
// of their tensors}.
#ifndef INDEXICAL_OPS_ACCESS_H
#define INDEXICAL_OPS_ACCESS_H

#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/expression.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/relation.h"
#include "indexical/ops/op.h"
#include "indexical/ops/op_interface.h"
#include "indexical/ops/shape.h"

namespace indexical {

class Access {
 public:
  using Exprs = llvm::SmallVector<Expr, 6>;

  Access() = default;
  Access(const Access &) = delete;
  Access &operator=(const Access &) = delete;

  /// Adds a loop over the values in the bounds, and returns its variable. With
  /// empty bounds there is no iteration.
  Expr loop(Interval bounds);
  /// Adds a loop over the indices of each dimension of the shape, and returns
  /// the variables.
  Exprs loopsOver(const ArrayShape &shape);
  /// Returns the value, known only at run time, of the element of operand leaf
  /// `leaf` at `index`. There is no iteration if the value is outside of the
  /// bounds.
  Expr element(Interval bounds, int64_t leaf, llvm::ArrayRef<Expr> index);
  /// Returns the size of a dimension of operand leaf `leaf`, for a size that is
  /// known only at run time.
  Expr sizeOf(int64_t leaf, int64_t dimension);
  Expr constant(int64_t value);
  /// Returns the product of any two expressions.
  Expr product(Expr a, Expr b);
  /// Returns a mod b. Requires b to be positive in every iteration.
  Expr remainder(Expr a, Expr b);
  /// Adds the constraint that the expression is in `bounds` in every iteration.
  void constraint(Expr expression, Interval bounds);

  ExpressionPool &pool() { return *pool_; }
  /// Returns the variable of loop `i`, for importers of expressions over loops.
  Expr loopNumber(uint32_t i);

  /// The index of the element of the result, and of the operand.
  Exprs result, operand;

  /// Returns the map of that direction. `from` and `to` are the shapes that it
  /// begins and ends at: result and operand, or operand and result for
  /// InputToOutput. Returns an error if arithmetic leaves 64 bits.
  absl::StatusOr<IndexingMap> map(Direction direction, const ArrayShape &from,
                                  const ArrayShape &to) const;

 private:
  friend class AccessSolver;
  struct Guard {
    FormId form;
    Interval bounds;
  };

  // Loops are the pool's range variables.
  Kept<ExpressionPool> pool_;
  llvm::SmallVector<Interval, 6> loops_;
  llvm::SmallVector<RuntimeVariable, 2> runtime_;
  llvm::SmallVector<Guard, 4> guards_;
};

/// The accesses of one result to one operand.
class AccessList {
 public:
  Access &add() { return accesses_.emplace_back(); }
  /// Adds an access by which every element of `result` reads every element of
  /// `operand`.
  void addEverything(const ArrayShape &result, const ArrayShape &operand);
  /// Adds an access by which every element of `result` reads the operand's
  /// element of the same index.
  void addIdentity(const ArrayShape &result);
  void weaken(Precision precision) {
    precision_ = std::min(precision_, precision);
  }
  Precision precision() const { return precision_; }
  const std::deque<Access> &accesses() const { return accesses_; }

 private:
  std::deque<Access> accesses_;
  Precision precision_ = Precision::Exact;
};

/// Returns the relation whose pieces are the maps of the accesses, from `from`
/// to `to`.
absl::StatusOr<IndexingRelation> relationOf(const AccessList &list,
                                            Direction direction,
                                            const ArrayShape &from,
                                            const ArrayShape &to);

/// Maps that follow from accesses.
class AccessMaps : public OpInterface {
 public:
  /// Adds what result leaf `result` reads of operand leaf `operand`.
  virtual absl::Status describe(const OpShapes &shapes, int64_t result,
                                int64_t operand, AccessList &list) const = 0;

  absl::Status verify(const OpShapes &) const override {
    return absl::OkStatus();
  }
  absl::StatusOr<IndexingRelation> outputToInput(
      const OpShapes &shapes, int64_t result, int64_t operand) const override;
  absl::StatusOr<IndexingRelation> inputToOutput(
      const OpShapes &shapes, int64_t result, int64_t operand) const override;
};

/// AccessMaps whose accesses a function adds.
class FunctionMaps : public AccessMaps {
 public:
  using Function = std::function<absl::Status(
      const OpShapes &shapes, int64_t result, int64_t operand, AccessList &)>;
  explicit FunctionMaps(Function function) : function_(std::move(function)) {}
  absl::Status describe(const OpShapes &shapes, int64_t result, int64_t operand,
                        AccessList &list) const override {
    return function_(shapes, result, operand, list);
  }

 private:
  Function function_;
};

/// `size` values of one coordinate: start, start + stride …
struct Stretch {
  Expr coordinate, start, size, stride;
};

/// Restricts the access to coordinates inside all of the stretches.
void restrictInside(Access &access, llvm::ArrayRef<Stretch> box);

/// Returns the number of disjoint pieces that the outside of a box is composed
/// of: before it along the first coordinate, after it, between its elements;
/// inside along the first and outside along the second; and so on. Some may be
/// seen to be empty.
size_t outsidePieces(size_t coordinates);
/// Restricts the access to one of the outsidePieces() of the box.
void restrictOutside(Access &access, llvm::ArrayRef<Stretch> box, size_t piece);

/// Adds an access for each piece outside of a box. `begin` fills in a new
/// access and returns its box.
void addOutside(
    AccessList &list, size_t coordinates,
    llvm::function_ref<llvm::SmallVector<Stretch, 6>(Access &)> begin);

}  // namespace indexical

#endif  // INDEXICAL_OPS_ACCESS_H
