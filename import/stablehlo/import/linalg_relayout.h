// linalg.pack and linalg.unpack: tensors cut into tiles.
#ifndef INDEXICAL_IMPORT_STABLEHLO_IMPORT_LINALG_RELAYOUT_H
#define INDEXICAL_IMPORT_STABLEHLO_IMPORT_LINALG_RELAYOUT_H

#include "indexical/import/stablehlo/import/describe.h"

namespace indexical {

absl::StatusOr<Op> describePack(mlir::Operation *op, OpShapes shapes);
absl::StatusOr<Op> describeUnpack(mlir::Operation *op, OpShapes shapes);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_IMPORT_LINALG_RELAYOUT_H
