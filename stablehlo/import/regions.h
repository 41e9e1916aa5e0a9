// Regions of ops as computations: what they are called, how their op uses them,
// and which values they capture.
//
//   %r = "stablehlo.if"(%p) ({ return %a }, { return %b })
//
//   regions     main.if.0.true_branch, main.if.0.false_branch; branches
//   captures    %a of the first, %b of the second; of the op %a, %b
#ifndef INDEXICAL_STABLEHLO_IMPORT_REGIONS_H
#define INDEXICAL_STABLEHLO_IMPORT_REGIONS_H

#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Region.h"

#include "indexical/program/program.h"

namespace indexical {

struct RegionRole {
  std::string name;  ///< `body`
  CallRole role = CallRole::Other;
};

/// What region `number` is to its op.
RegionRole roleOf(mlir::Operation *op, unsigned number);

/// The name without the dialect's: `while` of `stablehlo.while`.
llvm::StringRef shortName(mlir::Operation *op);

/// What regions capture, found once each.
class Captures {
 public:
  /// Values that are used in the region, or deeper, and defined around it.
  llvm::ArrayRef<mlir::Value> of(mlir::Region &region);
  /// The values that any region of the op captures.
  llvm::SmallVector<mlir::Value, 0> of(mlir::Operation *op);

 private:
  llvm::DenseMap<mlir::Region *, llvm::SmallVector<mlir::Value, 0>> known_;
};

}  // namespace indexical

#endif  // INDEXICAL_STABLEHLO_IMPORT_REGIONS_H
