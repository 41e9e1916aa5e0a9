// Verifies rules about shapes and attributes by the op's family (ops/).
//
//   "stablehlo.gather"(%o, %i) { … offset_dims = [4, 3] … }
//   describeGather    GatherOp, offsetDims {4, 3}, types left out
//   its family says   C4: offset_dims must be sorted, but is [4, 3]
//
// A verifier of the dialect is then `keepsRules(*this, rows::describeGather)`,
// and each rule is written once, next to the maps that need it. The dialect's
// verifiers check only what a descriptor does not have: element types (left out
// of the descriptor, since quantized types agree if the types that they express
// do), scales of quantized types, regions and their types, tokens, and rules of
// StableHLO that HLO does not have.
#ifndef INDEXICAL_IMPORT_STABLEHLO_DIALECT_RULES_H
#define INDEXICAL_IMPORT_STABLEHLO_DIALECT_RULES_H

#include "mlir/IR/Operation.h"

#include "indexical/import/stablehlo/describe/describers.h"

namespace indexical::stablehlo {

/// Returns the shapes of the op's tensors, without element types.
OpShapes ruleShapes(mlir::Operation *op);

/// Verifies that the descriptor is valid, and that the op keeps the rules for
/// quantized types (quantization.h). An error has the number of the broken
/// rule.
mlir::LogicalResult keepsRules(mlir::Operation *op, Describer describe);
/// Verifies that the descriptor is valid, and that the op keeps the rules for
/// quantized types (quantization.h). Errors have no number: the descriptor is
/// that of another op (`dot` is a `dot_general`), whose numbers mean nothing
/// here.
mlir::LogicalResult keepsUnnumberedRules(mlir::Operation *op,
                                         Describer describe);
/// Verifies a descriptor that is made already, and that the op keeps the rules
/// for quantized types. An error has the number of the broken rule, or is that
/// of `described`.
mlir::LogicalResult keepsRules(mlir::Operation *op,
                               const absl::StatusOr<Op> &described);

}  // namespace indexical::stablehlo

#endif  // INDEXICAL_IMPORT_STABLEHLO_DIALECT_RULES_H
