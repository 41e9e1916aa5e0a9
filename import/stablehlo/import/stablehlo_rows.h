// Describers of StableHLO and chlo that only the import uses. The dialect uses
// the others, too (stablehlo/describe/).
#ifndef INDEXICAL_IMPORT_STABLEHLO_IMPORT_STABLEHLO_ROWS_H
#define INDEXICAL_IMPORT_STABLEHLO_IMPORT_STABLEHLO_ROWS_H

#include "indexical/import/stablehlo/describe/describers.h"
#include "indexical/import/stablehlo/dialect/describe_ragged_dot.h"
#include "indexical/import/stablehlo/import/describe.h"

namespace indexical::rows {

// stablehlo_products.cc
absl::StatusOr<Op> describeEinsum(mlir::Operation *op, OpShapes shapes);

// sdy_ops.cc
/// Returns whether the op is communication along an axis along which a
/// computation around it is manual. Arrays are parts along it, and the op makes
/// other elements of them: it has no row then.
bool movesManualParts(mlir::Operation *op);

}  // namespace indexical::rows

#endif  // INDEXICAL_IMPORT_STABLEHLO_IMPORT_STABLEHLO_ROWS_H
