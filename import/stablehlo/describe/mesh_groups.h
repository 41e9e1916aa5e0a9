// The number of devices in a group that axes of a mesh give.
//
//   sdy.mesh @mesh = <["x"=2, "y"=4]>
//   replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh,
//       axes = [<name = "x">, <name = "y", sub_axis_info = (1)2>]>
//
//   2 devices along x, and a part of y that has 2: 4 in a group
//
// The mesh may also stand in the attribute itself. StableHLO's own verifier
// asks only that a mesh with that name exists.
#ifndef INDEXICAL_IMPORT_STABLEHLO_DESCRIBE_MESH_GROUPS_H
#define INDEXICAL_IMPORT_STABLEHLO_DESCRIBE_MESH_GROUPS_H

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mlir/IR/Operation.h"

#include "indexical/import/stablehlo/dialect/stablehlo.h"
#include "indexical/indexing/interval.h"

namespace indexical::rows {

/// Returns the number of members of a group: [1, inf] if an axis is unknown or
/// no axis of the mesh. Returns a violation without a number if no symbol has
/// the mesh's name.
absl::StatusOr<Interval> sizeOfMeshGroup(
    mlir::Operation *op, stablehlo::ReplicaGroupMeshAxesAttr groups);

/// Checks that every axis is one of the mesh, that no axis is named twice, and
/// that the part of an axis divides it. Returns a violation without a number if
/// not, and ok if the mesh's axes are unknown.
absl::Status checkMeshAxes(mlir::Operation *op,
                           stablehlo::ReplicaGroupMeshAxesAttr groups);

}  // namespace indexical::rows

#endif  // INDEXICAL_IMPORT_STABLEHLO_DESCRIBE_MESH_GROUPS_H
