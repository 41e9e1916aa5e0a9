// Describers of the vector dialect that stand in a file of their own.
#ifndef INDEXICAL_IMPORT_STABLEHLO_IMPORT_VECTOR_OPS_H
#define INDEXICAL_IMPORT_STABLEHLO_IMPORT_VECTOR_OPS_H

#include "indexical/import/stablehlo/import/describe.h"

namespace indexical {

// vector_transfers.cc
absl::StatusOr<Op> describeTransferRead(mlir::Operation *op, OpShapes shapes);
absl::StatusOr<Op> describeTransferWrite(mlir::Operation *op, OpShapes shapes);
absl::StatusOr<Op> describeVectorGather(mlir::Operation *op, OpShapes shapes);

// vector_mask.cc
absl::StatusOr<Op> describeMask(mlir::Operation *op, OpShapes shapes);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_IMPORT_VECTOR_OPS_H
