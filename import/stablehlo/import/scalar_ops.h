// Ops that are elementwise by their traits: MLIR's `Elementwise`, and TOSA's
// `TosaElementwiseOperator`, which broadcasts sizes of 1.
#ifndef INDEXICAL_IMPORT_STABLEHLO_IMPORT_SCALAR_OPS_H
#define INDEXICAL_IMPORT_STABLEHLO_IMPORT_SCALAR_OPS_H

#include "mlir/IR/Operation.h"

#include "indexical/import/stablehlo/import/describe.h"

namespace indexical {

/// Returns whether the op has MLIR's trait `Elementwise`, and its operands and
/// results are tensors or vectors of one rank, or scalars.
bool isElementwise(mlir::Operation *op, const OpShapes &shapes);

/// Returns whether the op has TOSA's trait, one result, and only tensors.
bool isTosaElementwise(mlir::Operation *op, const OpShapes &shapes);

/// Returns the kind of the HLO op that computes what an integer op of arith
/// does: that of `add` for `arith.addi`. For other names, those of float ops
/// too, it is `elementwise`.
const OpKind *arithmeticKind(llvm::StringRef name);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_IMPORT_SCALAR_OPS_H
