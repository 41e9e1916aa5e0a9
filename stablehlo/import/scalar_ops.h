// Ops that are elementwise by their traits: MLIR's `Elementwise`, and TOSA's
// `TosaElementwiseOperator`, where sizes of 1 are broadcast.
#ifndef INDEXICAL_STABLEHLO_IMPORT_SCALAR_OPS_H
#define INDEXICAL_STABLEHLO_IMPORT_SCALAR_OPS_H

#include "mlir/IR/Operation.h"

#include "indexical/stablehlo/import/describe.h"

namespace indexical {

/// Whether the op has MLIR's trait `Elementwise`, and operands and results that
/// it speaks of: tensors or vectors of one rank, or scalars.
bool isElementwise(mlir::Operation *op, const OpShapes &shapes);

/// Whether the op has TOSA's trait, one result, and tensors alone.
bool isTosaElementwise(mlir::Operation *op, const OpShapes &shapes);

/// The kind of an elementwise op of that name: the one of HLO that computes the
/// same, or `elementwise`.
const OpKind *arithmeticKind(llvm::StringRef name);

}  // namespace indexical

#endif  // INDEXICAL_STABLEHLO_IMPORT_SCALAR_OPS_H
