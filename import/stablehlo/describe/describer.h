// Describers: functions that make the descriptor of an op of MLIR, whose shapes
// are known.
// descriptor.
#ifndef INDEXICAL_IMPORT_STABLEHLO_DESCRIBE_DESCRIBER_H
#define INDEXICAL_IMPORT_STABLEHLO_DESCRIBE_DESCRIBER_H

#include <utility>

#include "absl/status/statusor.h"
#include "mlir/IR/Operation.h"

#include "indexical/ops/op.h"

namespace indexical {

/// Returns the descriptor of `op`. `shapes` are the array leaves of its
/// operands and results; a token has no leaf. The caller appends the values
/// that the op's regions capture, in the order of first use, unless the
/// describer has done so. An error is a sentence without a place.
using Describer = absl::StatusOr<Op> (*)(mlir::Operation *op, OpShapes shapes);

/// Returns a descriptor of type T with these shapes.
template <typename T>
T make(OpShapes shapes) {
  T op;
  static_cast<OpShapes &>(op) = std::move(shapes);
  return op;
}

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_DESCRIBE_DESCRIBER_H
