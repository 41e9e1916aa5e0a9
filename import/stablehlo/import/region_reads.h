// The elements that a value depends on, if a region computes it.
//
//   linalg.generic … ins(%a) outs(%o) {
//   ^bb0(%x: f32, %acc: f32):
//     %i = linalg.index 0 : index
//     %t = tensor.extract %table[%i] : tensor<8xf32>
//     %y = arith.mulf %x, %t : f32
//     %z = arith.addf %y, %scale : f32
//     linalg.yield %z : f32 }
//
//   the yielded value: argument 0; %table at (%i); %scale
//
// Follows an index inside the region as far as it is affine: loops, constants,
// sums, products, minima, maxima, affine.apply, affine.min, affine.max. An
// element that is read (a block argument, a captured scalar, another
// tensor.extract) is a runtime variable. If an index cannot be followed, the
// access is a cover.
#ifndef INDEXICAL_IMPORT_STABLEHLO_IMPORT_REGION_READS_H
#define INDEXICAL_IMPORT_STABLEHLO_IMPORT_REGION_READS_H

#include <functional>
#include <optional>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Region.h"
#include "mlir/IR/Value.h"

#include "indexical/ops/access.h"

namespace indexical {

/// Returns the values that the regions of `op` use and that are defined outside
/// of them, in the order of their first use.
llvm::SmallVector<mlir::Value, 4> capturedValues(mlir::Operation *op);

struct RegionRead {
  /// The number of a block argument, or the leaf of a captured value.
  enum class Kind { Argument, Captured } kind = Kind::Argument;
  int64_t number = 0;
  /// The tensor.extract that reads a captured tensor. Null for other uses of a
  /// captured value, which are taken to read all of it.
  mlir::Operation *extract = nullptr;
  /// False if the value may read less of it.
  bool exact = true;
};

class RegionReads {
 public:
  /// Reads a region of `op`. The operands of `op` are leaves 0 to
  /// getNumOperands() - 1; the captured values come behind them.
  RegionReads(mlir::Operation *op, mlir::Region &region);

  /// Returns what the value depends on: block arguments and captured values of
  /// the region, each read once.
  llvm::SmallVector<RegionRead, 4> of(mlir::Value value) const;

  /// Returns an argument of the region as an expression (an index of the
  /// iteration, or an element), or nothing if it has none.
  using Argument = std::function<std::optional<Expr>(
      Access &, unsigned argument, Interval bounds)>;
  /// Returns the loop of linalg.index for that dimension.
  using Loop = std::function<std::optional<Expr>(Access &, int64_t dimension)>;

  /// Returns the index at which the tensor.extract reads, or nothing if it
  /// cannot be followed. An element in the index is bounded by the sizes of the
  /// tensor.
  std::optional<Access::Exprs> indexOf(mlir::Operation *extract, Access &access,
                                       const Argument &argument,
                                       const Loop &loop) const;

  /// Adds the access of `read`, which reads a captured leaf, to the list.
  /// `begin` fills in the loops and the result of a new access.
  void addCaptured(AccessList &list, const RegionRead &read,
                   const ArrayShape &leaf,
                   const std::function<void(Access &)> &begin,
                   const Argument &argument, const Loop &loop) const;

 private:
  bool isInside(mlir::Value value) const;
  std::optional<Expr> valueOf(mlir::Value value, Access &access,
                              const Argument &argument, const Loop &loop,
                              Interval bounds, int depth) const;

  mlir::Region &region_;
  llvm::DenseMap<mlir::Value, int64_t> captured_;  // to its leaf
};

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_IMPORT_REGION_READS_H
