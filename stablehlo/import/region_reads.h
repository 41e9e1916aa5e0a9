// What a value that a region computes depends on, element by element.
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
// An index inside of the region is followed as far as it is affine: loops,
// constants, sums, products, affine.apply; an element that is read (a block
// argument, a captured scalar, another tensor.extract) is a runtime variable.
// What cannot be followed is a cover.
#ifndef INDEXICAL_STABLEHLO_IMPORT_REGION_READS_H
#define INDEXICAL_STABLEHLO_IMPORT_REGION_READS_H

#include <functional>
#include <optional>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Region.h"
#include "mlir/IR/Value.h"

#include "indexical/ops/access.h"

namespace indexical {

/// The values that the regions of `op` use and that are defined outside of
/// them, in the order of their first use.
llvm::SmallVector<mlir::Value, 4> capturedValues(mlir::Operation *op);

struct RegionRead {
  /// The number of a block argument, or the leaf of a captured value.
  enum class Kind { Argument, Captured } kind = Kind::Argument;
  int64_t number = 0;
  /// The tensor.extract that reads a captured tensor; null where the tensor is
  /// used in another way, which is taken to read all of it.
  mlir::Operation *extract = nullptr;
  /// Whether it is read for certain as is said.
  bool exact = true;
};

class RegionReads {
 public:
  /// `region` is one of `op`, whose own operands are leaves 0 to
  /// getNumOperands() - 1; those captured come behind.
  RegionReads(mlir::Operation *op, mlir::Region &region);

  /// What the value depends on, each once.
  llvm::SmallVector<RegionRead, 4> of(mlir::Value value) const;

  /// What an argument of the region is, as an expression: an index of the
  /// iteration, or an element; nothing where it is none.
  using Argument = std::function<std::optional<Expr>(
      Access &, unsigned argument, Interval bounds)>;
  /// linalg.index of that dimension.
  using Loop = std::function<std::optional<Expr>(Access &, int64_t dimension)>;

  /// The index at which the tensor.extract reads; nothing where it is not
  /// followed. `bounds` of elements are the sizes of the tensor.
  std::optional<Access::Exprs> indexOf(mlir::Operation *extract, Access &access,
                                       const Argument &argument,
                                       const Loop &loop) const;

  /// Adds to the list what `read`, of a captured leaf, reads: `begin` fills in
  /// the loops and the result of a new access.
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

#endif  // INDEXICAL_STABLEHLO_IMPORT_REGION_READS_H
