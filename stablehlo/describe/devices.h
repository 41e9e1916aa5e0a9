// Which devices a collective of StableHLO names.
//
//   mhlo.num_replicas = 2, replica_groups = dense<[[0, 1, 2, 3]]>
//   C4: replica_groups must be in [0, 2), … but have 2
#ifndef INDEXICAL_STABLEHLO_DESCRIBE_DEVICES_H
#define INDEXICAL_STABLEHLO_DESCRIBE_DEVICES_H

#include "absl/status/status.h"
#include "mlir/IR/Operation.h"

namespace indexical::rows {

/// Whether the devices in the groups of a collective are below the number that
/// the module around it says, and are said to be global only where there is a
/// channel (all_gather), and whether axes in the place of groups are the
/// mesh's. A violation, with the rule's number where it has one, if they are
/// not.
absl::Status checkDevices(mlir::Operation *op);

/// Whether no group of an all_reduce is filled up with -1, which the rule about
/// its devices does not allow (C3). A violation with its number if one is.
absl::Status checkFilledGroups(mlir::Operation *op);

/// Whether the source_target_pairs of a send or recv are pairs (C1), name no
/// source twice (C2) and no target twice (C3), and name devices that the module
/// has, where it says how many (C4). Ok for every other op and for no pairs. A
/// violation with its number if they are not.
absl::Status checkTransferPairs(mlir::Operation *op);

}  // namespace indexical::rows

#endif  // INDEXICAL_STABLEHLO_DESCRIBE_DEVICES_H
