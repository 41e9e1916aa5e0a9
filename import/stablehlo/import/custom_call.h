// Custom calls and unknown ops, described as the caller registered them
// (program/module/custom_calls.h).
//
//   %0 = "bitops.popcount"(%x) : (tensor<4xi32>) -> tensor<4xi32>
//     registered under its name, or with an attribute `indexical.elementwise`,
//     or in a module with `indexical.elementwise = ["bitops.popcount"]`
#ifndef INDEXICAL_IMPORT_STABLEHLO_IMPORT_CUSTOM_CALL_H
#define INDEXICAL_IMPORT_STABLEHLO_IMPORT_CUSTOM_CALL_H

#include <optional>

#include "absl/status/statusor.h"
#include "mlir/IR/Operation.h"

#include "indexical/ops/op.h"
#include "indexical/program/module/custom_calls.h"

namespace indexical {

/// Returns a custom call's `backend_config`, or JAX's `mhlo.backend_config` if
/// that is missing or empty. A string stands between quotes, with the escapes
/// of C, as HLO writes it. Any other attribute is MLIR's text of it. Returns an
/// empty text if there is neither.
std::string backendConfigOf(mlir::Operation *op);

/// Returns the op that the builder makes of a custom call. If the builder is
/// null, returns the op of a known library call
/// (program/module/library_calls.h), or nothing if the target is not one. The
/// op gets these shapes, the kind `custom-call`, and the configuration of `op`.
/// An error of the builder is returned behind "custom call to `TARGET`: ".
absl::StatusOr<std::optional<Op>> describeRegistered(
    mlir::Operation *op, const Shape &result, const CustomCallBuilder *builder,
    const OpShapes &shapes);

/// Returns the descriptor of an op that the library does not know: the one that
/// the registry (null: none) has for its name, or an elementwise one if the op
/// or its module declares it. Returns nothing if neither does, or if the
/// library knows the op.
absl::StatusOr<std::optional<Op>> describeDefined(
    mlir::Operation *op, const Shape &result,
    const CustomCallRegistry *registry, const OpShapes &shapes);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_IMPORT_CUSTOM_CALL_H
