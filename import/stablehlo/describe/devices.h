// The devices that a collective of StableHLO names.
//
//   mhlo.num_replicas = 2, replica_groups = dense<[[0, 1, 2, 3]]>
//   C4: replica_groups must be in [0, 2), … but have 2
#ifndef INDEXICAL_IMPORT_STABLEHLO_DESCRIBE_DEVICES_H
#define INDEXICAL_IMPORT_STABLEHLO_DESCRIBE_DEVICES_H

#include "absl/status/status.h"
#include "mlir/IR/Operation.h"

namespace indexical::rows {

/// Checks the devices of a collective: those in its groups must be below the
/// number that the module around it gives, they may be global only with a
/// channel (all_gather), and axes in place of groups must be axes of the mesh.
/// Returns a violation, with the rule's number if it has one.
absl::Status checkDevices(mlir::Operation *op);

/// Checks that no group of an all_reduce is filled up with -1, which the rule
/// on its devices forbids (C3). Returns a violation with its number if one is.
absl::Status checkFilledGroups(mlir::Operation *op);

/// Checks that the source_target_pairs of a send or recv are pairs (C1), name
/// no source twice (C2) and no target twice (C3), and name only devices that
/// the module has, if it gives their number (C4). Ok for other ops and without
/// pairs. Otherwise returns a violation with its number.
absl::Status checkTransferPairs(mlir::Operation *op);

}  // namespace indexical::rows

#endif  // INDEXICAL_IMPORT_STABLEHLO_DESCRIBE_DEVICES_H
