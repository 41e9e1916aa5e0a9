// Rules about shapes and attributes, as the op's family has them (ops/).
//
//   "stablehlo.gather"(%o, %i) { … offset_dims = [4, 3] … }
//   describeGather    GatherOp, offsetDims {4, 3}, types left out
//   its family says   C4: offset_dims must be sorted, but is [4, 3]
//
// A verifier of the dialect is then `keepsRules(*this, rows::describeGather)`,
// and a rule stands once, where the maps that need it are. What a verifier of
// the dialect checks beside it is what a descriptor does not have: element
// types (a family is told none, for quantized ones agree by what they express),
// scales of quantized types, regions and the types that they take, tokens; and
// what StableHLO asks for and HLO does not.
#ifndef INDEXICAL_STABLEHLO_DIALECT_RULES_H
#define INDEXICAL_STABLEHLO_DIALECT_RULES_H

#include "mlir/IR/Operation.h"

#include "indexical/stablehlo/describe/describers.h"

namespace indexical::stablehlo {

/// Shapes of the op's tensors, without element types.
OpShapes ruleShapes(mlir::Operation *op);

/// Whether the descriptor is valid, and the op keeps the rules that are about
/// quantized types alone (quantization.h); an error, with the rule's number, if
/// it is not.
mlir::LogicalResult keepsRules(mlir::Operation *op, Describer describe);
/// The same without numbers: the descriptor is another op's too (`dot` is a
/// `dot_general`), whose numbers say nothing here.
mlir::LogicalResult keepsUnnumberedRules(mlir::Operation *op,
                                         Describer describe);
/// The same where the descriptor is made already.
mlir::LogicalResult keepsRules(mlir::Operation *op,
                               const absl::StatusOr<Op> &described);

}  // namespace indexical::stablehlo

#endif  // INDEXICAL_STABLEHLO_DIALECT_RULES_H
