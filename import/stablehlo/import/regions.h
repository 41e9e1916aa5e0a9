// Regions of ops as computations: their names, the way in which the op uses
// them, and the values that they capture.
//
//   %r = "stablehlo.if"(%p) ({ return %a }, { return %b })
//
//   regions     main.if.0.true_branch, main.if.0.false_branch; branches
//   captures    %a of the first, %b of the second; of the op %a, %b
#ifndef INDEXICAL_IMPORT_STABLEHLO_IMPORT_REGIONS_H
#define INDEXICAL_IMPORT_STABLEHLO_IMPORT_REGIONS_H

#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Region.h"

#include "indexical/program/module/program.h"

namespace indexical {

struct RegionRole {
  std::string name;  ///< `body`
  CallRole role = CallRole::Other;
};

/// Returns the role of region `number` of the op.
RegionRole roleOf(mlir::Operation *op, unsigned number);

/// Returns the op's name without its dialect: `while` of `stablehlo.while`.
llvm::StringRef shortName(mlir::Operation *op);

/// The values that regions capture. Each region is searched once.
class Captures {
 public:
  /// Returns the values that the region, or a region in it, uses and that are
  /// defined outside the region.
  llvm::ArrayRef<mlir::Value> of(mlir::Region &region);
  /// Returns the values that any region of the op captures.
  llvm::SmallVector<mlir::Value, 0> of(mlir::Operation *op);

 private:
  llvm::DenseMap<mlir::Region *, llvm::SmallVector<mlir::Value, 0>> known_;
};

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_IMPORT_REGIONS_H
