// A describer: an op of MLIR, whose shapes are known, as a descriptor.
#ifndef INDEXICAL_STABLEHLO_DESCRIBE_DESCRIBER_H
#define INDEXICAL_STABLEHLO_DESCRIBE_DESCRIBER_H

#include <utility>

#include "absl/status/statusor.h"
#include "mlir/IR/Operation.h"

#include "indexical/ops/op.h"

namespace indexical {

/// The descriptor of `op`. `shapes` are its array leaves; tokens have none.
/// What its regions capture is added behind them, in the order of first use, by
/// the caller, where the describer has not done so itself. An error is a
/// sentence without a place.
using Describer = absl::StatusOr<Op> (*)(mlir::Operation *op, OpShapes shapes);

/// A descriptor of type T with these shapes.
template <typename T>
T make(OpShapes shapes) {
  T op;
  static_cast<OpShapes &>(op) = std::move(shapes);
  return op;
}

}  // namespace indexical

#endif  // INDEXICAL_STABLEHLO_DESCRIBE_DESCRIBER_H
