// Tensors of unwritten elements, as `tensor.empty` gives.
//
//   %e = tensor.empty() : tensor<4xi32>      %e - %e is 0, and %e - %f may be
//   %f = tensor.empty() : tensor<4xi32>      anything
//
// Ops of equal texts are one value. So the ops of which an element is read are
// numbered in the order of the text, and differ. An op that may run more than
// once, in a loop or in a function that is called, gives something new in each
// run, as random numbers are.
#ifndef INDEXICAL_IMPORT_STABLEHLO_IMPORT_UNWRITTEN_H
#define INDEXICAL_IMPORT_STABLEHLO_IMPORT_UNWRITTEN_H

#include <string>

#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/Operation.h"

namespace indexical {

class UnwrittenTensors {
 public:
  /// Finds those of the module.
  explicit UnwrittenTensors(mlir::Operation *module);

  /// Returns what tells the op from others in its configuration; "" if nothing
  /// does.
  std::string itemOf(mlir::Operation *op) const;

 private:
  llvm::DenseMap<mlir::Operation *, std::string> items_;
};

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_IMPORT_UNWRITTEN_H
