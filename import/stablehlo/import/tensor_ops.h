// Describers of the tensor dialect that stand in files of their own.
#ifndef INDEXICAL_IMPORT_STABLEHLO_IMPORT_TENSOR_OPS_H
#define INDEXICAL_IMPORT_STABLEHLO_IMPORT_TENSOR_OPS_H

#include <functional>

#include "indexical/import/stablehlo/import/describe.h"
#include "indexical/import/stablehlo/import/region_reads.h"

namespace indexical {

// tensor_slices.cc
absl::StatusOr<Op> describeExtractSlice(mlir::Operation *op, OpShapes shapes);
absl::StatusOr<Op> describeInsertSlice(mlir::Operation *op, OpShapes shapes);
absl::StatusOr<Op> describeTensorPad(mlir::Operation *op, OpShapes shapes);

// tensor_gather.cc
absl::StatusOr<Op> describeTensorGather(mlir::Operation *op, OpShapes shapes);
absl::StatusOr<Op> describeTensorScatter(mlir::Operation *op, OpShapes shapes);

/// Adds the accesses of a captured leaf by the elements that a body yields, if
/// the body's arguments are the index of the element. The first loops of an
/// access are that index. `restrict`, if not null, restricts an access to the
/// elements that the body gives. In tensor_ops.cc.
void addRegionReads(AccessList &list, const RegionReads &reads,
                    llvm::ArrayRef<RegionRead> yielded, const OpShapes &shapes,
                    int64_t leaf,
                    const std::function<void(Access &)> &restrict);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_IMPORT_TENSOR_OPS_H
