// The values that arguments of blocks depend on, in a region whose blocks
// branch to each other.
//
//   cf.cond_br %p, ^one, ^two(%a)      ^two's argument: %p, %a, %b
//   ^one: cf.br ^two(%b)
//
// Which branch is taken is known only in the run, so these are covers: all
// values that decide a branch, or that a branch passes, on any path to the
// block. For a loop of blocks they are the values from before the loop.
#ifndef INDEXICAL_IMPORT_STABLEHLO_IMPORT_BLOCKS_H
#define INDEXICAL_IMPORT_STABLEHLO_IMPORT_BLOCKS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/Region.h"

#include "indexical/import/stablehlo/import/regions.h"

namespace indexical {

class Blocks {
 public:
  /// The largest number of blocks of a region that is read.
  static constexpr size_t kMost = 256;

  using Values =
      llvm::SetVector<mlir::Value, llvm::SmallVector<mlir::Value, 0>>;

  /// Requires at most kMost blocks.
  explicit Blocks(mlir::Region &region);

  /// Returns the value that the argument always has, or null if it may have
  /// several.
  mlir::Value only(mlir::BlockArgument argument) const;
  /// Returns the values that the arguments of the block depend on.
  Values behind(mlir::Block &block, Captures &captures) const;
  /// Returns the op whose operands are the region's results, or null unless
  /// there is exactly one such op.
  mlir::Operation *onlyExit() const;
  /// Returns the values that the region's results depend on.
  Values behindExits() const;

 private:
  bool reaches(mlir::Block *from, mlir::Block *to) const {
    return reached_.lookup(from).contains(to);
  }

  mlir::Region &region_;
  /// For each block, the blocks that a path of at least one branch leads to.
  llvm::DenseMap<mlir::Block *, llvm::SmallPtrSet<mlir::Block *, 8>> reached_;
};

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_IMPORT_BLOCKS_H
