// Custom calls and unknown ops, described as the caller registered them
// (program/custom_calls.h).
//
//   %0 = "bitops.popcount"(%x) : (tensor<4xi32>) -> tensor<4xi32>
//     registered under its name, or with an attribute `indexical.elementwise`,
//     or in a module with `indexical.elementwise = ["bitops.popcount"]`
#ifndef INDEXICAL_STABLEHLO_IMPORT_CUSTOM_CALL_H
#define INDEXICAL_STABLEHLO_IMPORT_CUSTOM_CALL_H

#include <optional>

#include "absl/status/statusor.h"
#include "mlir/IR/Operation.h"

#include "indexical/ops/op.h"
#include "indexical/program/custom_calls.h"

namespace indexical {

/// Returns the text of a custom call's `backend_config` as HLO would write it,
/// and an empty text if there is none. Bytes stand between quotes, with the
/// escapes of C.
std::string backendConfigOf(mlir::Operation *op);

/// Returns the descriptor that the builder makes of a custom call. Without a
/// builder, returns that of a known library call (program/library_calls.h), or
/// nothing if the target is not one.
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

#endif  // INDEXICAL_STABLEHLO_IMPORT_CUSTOM_CALL_H
