// A describer (describe/describers.h) that stands here: the numbers of its
// dimensions are an attribute of chlo's.
#ifndef INDEXICAL_IMPORT_STABLEHLO_DIALECT_DESCRIBE_RAGGED_DOT_H
#define INDEXICAL_IMPORT_STABLEHLO_DIALECT_DESCRIBE_RAGGED_DOT_H

#include "indexical/import/stablehlo/describe/describers.h"

namespace indexical::rows {

absl::StatusOr<Op> describeRaggedDot(mlir::Operation *op, OpShapes shapes);

}  // namespace indexical::rows

#endif  // INDEXICAL_IMPORT_STABLEHLO_DIALECT_DESCRIBE_RAGGED_DOT_H
