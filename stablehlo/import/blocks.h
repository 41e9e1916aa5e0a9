// What the arguments of blocks depend on, where branches lead from block to
// block.
//
//   cf.cond_br %p, ^one, ^two(%a)      ^two's argument: %p, %a, %b
//   ^one: cf.br ^two(%b)
//
// Which way is taken is known in the run, so these are covers: all values that
// decide or come along on any way to the block. For a loop of blocks they are
// the values from before the loop.
#ifndef INDEXICAL_STABLEHLO_IMPORT_BLOCKS_H
#define INDEXICAL_STABLEHLO_IMPORT_BLOCKS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/Region.h"

#include "indexical/stablehlo/import/regions.h"

namespace indexical {

class Blocks {
 public:
  /// Regions of more blocks are not read.
  static constexpr size_t kMost = 256;

  using Values =
      llvm::SetVector<mlir::Value, llvm::SmallVector<mlir::Value, 0>>;

  /// Requires at most kMost blocks.
  explicit Blocks(mlir::Region &region);

  /// The one value that the argument always is, or null.
  mlir::Value only(mlir::BlockArgument argument) const;
  /// The values that the arguments of the block depend on.
  Values behind(mlir::Block &block, Captures &captures) const;
  /// The op whose operands are the region's results, where there is one such
  /// op; else null.
  mlir::Operation *onlyExit() const;
  /// The values that the region's results depend on.
  Values behindExits() const;

 private:
  bool reaches(mlir::Block *from, mlir::Block *to) const {
    return reached_.lookup(from).contains(to);
  }

  mlir::Region &region_;
  /// The blocks that a way leads to, of at least one branch.
  llvm::DenseMap<mlir::Block *, llvm::SmallPtrSet<mlir::Block *, 8>> reached_;
};

}  // namespace indexical

#endif  // INDEXICAL_STABLEHLO_IMPORT_BLOCKS_H
