// custom_call: what a registered target means (program/custom_calls.h).
#ifndef INDEXICAL_STABLEHLO_IMPORT_CUSTOM_CALL_H
#define INDEXICAL_STABLEHLO_IMPORT_CUSTOM_CALL_H

#include <optional>

#include "absl/status/statusor.h"
#include "mlir/IR/Operation.h"

#include "indexical/ops/op.h"
#include "indexical/program/custom_calls.h"

namespace indexical {

/// The descriptor that the builder of its target makes of a custom call; where
/// there is no builder, that of a known one (program/library_calls.h), if it is
/// such a one.
absl::StatusOr<std::optional<Op>> describeRegistered(
    mlir::Operation *op, const Shape &result, const CustomCallBuilder *builder,
    const OpShapes &shapes);

}  // namespace indexical

#endif  // INDEXICAL_STABLEHLO_IMPORT_CUSTOM_CALL_H
