// Integers of attributes, and ops that are elementwise by their traits.
#ifndef INDEXICAL_STABLEHLO_IMPORT_SCALAR_OPS_H
#define INDEXICAL_STABLEHLO_IMPORT_SCALAR_OPS_H

#include <cstdint>
#include <vector>

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Operation.h"

#include "stablehlo/import/describe.h"

namespace indexical {

/// The elements of an integral literal in row major order, one for a scalar;
/// none where it is not integral, not dense, or large.
std::vector<int64_t> integersOf(mlir::Attribute value);

/// Whether the op has MLIR's trait `Elementwise`, and operands and results that
/// it speaks of: tensors or vectors of one rank, or scalars.
bool isElementwise(mlir::Operation *op, const OpShapes &shapes);

}  // namespace indexical

#endif  // INDEXICAL_STABLEHLO_IMPORT_SCALAR_OPS_H
