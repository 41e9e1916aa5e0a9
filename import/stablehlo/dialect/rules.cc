#include "indexical/import/stablehlo/dialect/rules.h"

#include <utility>
#include <vector>

#include "indexical/import/stablehlo/describe/shapes.h"
#include "indexical/import/stablehlo/dialect/quantization.h"
#include "indexical/import/stablehlo/dialect/verify.h"
#include "indexical/ops/violation.h"

namespace indexical::stablehlo {
namespace {

std::vector<ArrayShape> arraysOf(mlir::TypeRange types) {
  std::vector<ArrayShape> shapes;
  shapes.reserve(types.size());
  for (mlir::Type type : types) {
    auto tensor = llvm::dyn_cast<RankedTensorType>(type);
    if (!tensor) continue;
    shapes.push_back(arrayShapeOf(tensor));
    shapes.back().type = ElementType::Unknown;
  }
  return shapes;
}

LogicalResult refused(Operation *op, const absl::Status &status,
                      bool isNumbered) {
  const auto violation = violationOf(status);
  if (!violation) {
    const absl::string_view message = status.message();
    return op->emitOpError(llvm::StringRef(message.data(), message.size()));
  }
  return broken(op, isNumbered ? violation->rule : "") << violation->sentence;
}

LogicalResult check(Operation *op, const absl::StatusOr<Op> &described,
                    bool isNumbered) {
  if (mlir::failed(keepsRulesOfScales(op))) return mlir::failure();
  if (!described.ok()) return refused(op, described.status(), isNumbered);
  const absl::Status status = verify(*described);
  return status.ok() ? mlir::success() : refused(op, status, isNumbered);
}

}  // namespace

OpShapes ruleShapes(Operation *op) {
  OpShapes shapes;
  shapes.operands = arraysOf(op->getOperandTypes());
  shapes.results = arraysOf(op->getResultTypes());
  return shapes;
}

LogicalResult keepsRules(Operation *op, Describer describe) {
  return check(op, describe(op, ruleShapes(op)), true);
}

LogicalResult keepsUnnumberedRules(Operation *op, Describer describe) {
  return check(op, describe(op, ruleShapes(op)), false);
}

LogicalResult keepsRules(Operation *op, const absl::StatusOr<Op> &described) {
  return check(op, described, true);
}

}  // namespace indexical::stablehlo
