// Collectives: what their families do not check, which is the computations, the
// element types, and what StableHLO asks for and HLO does not. All else is the
// families' (ops/collectives/), with its numbers.
#include "mlir/IR/TypeUtilities.h"

#include "indexical/import/stablehlo/dialect/collective.h"
#include "indexical/import/stablehlo/dialect/rules.h"
#include "indexical/import/stablehlo/dialect/verify.h"

namespace indexical::stablehlo {

using mlir::failed;
using mlir::failure;
using mlir::success;

namespace {

// HLO allows no operands, too.
LogicalResult takesOperands(Operation *op) {
  if (op->getNumOperands() > 0) return success();
  return broken(op, "") << "there must be at least one operand";
}

LogicalResult sameTypes(Operation *op, llvm::StringRef constraint,
                        mlir::TypeRange operands, mlir::TypeRange results) {
  bool same = operands.size() == results.size();
  for (size_t k = 0; same && k < operands.size(); ++k)
    same = typesAgree(operands[k], results[k]);
  if (same) return success();
  return broken(op, constraint)
         << "the results must have the types of the operands, " << operands
         << ", but have " << results;
}

/// Each result has the element type of its operand, scales and zero points
/// included.
LogicalResult keepsElementTypes(Operation *op, llvm::StringRef constraint) {
  for (auto [operand, result] : llvm::zip(op->getOperands(), op->getResults()))
    if (failed(sameElements(op, constraint, "operand", tensorType(operand),
                            "result", tensorType(result))))
      return failure();
  return success();
}

/// The numbers of the rules about a computation and about its results.
struct ComputationRules {
  llvm::StringLiteral computation, results;
};

/// One computation of two values serves all operands. All results have the
/// element type that it returns.
LogicalResult reducesByComputation(Operation *op, ComputationRules rules,
                                   mlir::Region &computation) {
  llvm::SmallVector<mlir::Type> elements;
  if (failed(isReduction(op, rules.computation, "the computation", computation,
                         op->getOperand(0).getType(), {}, elements)))
    return failure();
  for (mlir::Type result : op->getResultTypes())
    if (!elementsAgree(result, elements[0]))
      return broken(op, rules.results)
             << "the results must have the element type "
             << mlir::getElementTypeOrSelf(elements[0])
             << " that the computation returns, but one is " << result;
  return success();
}

// Verifies the family's rules for groups of any size. The number of members
// depends on the module around the op, and a file may leave it out.
template <typename Family>
LogicalResult keepsRulesOfAnyGroups(Operation *op, Describer describe) {
  absl::StatusOr<Op> described = describe(op, ruleShapes(op));
  if (!described.ok()) return keepsRules(op, described);
  Family family = described->get<Family>();
  family.groupSize = {1, Interval::kInfinity};
  return keepsRules(op, Op(std::move(family)));
}

// Verifies the family's rules for any number of devices, which a file may leave
// out.
LogicalResult keepsRulesOfAnyDevices(Operation *op) {
  absl::StatusOr<Op> described =
      rows::describeCollectivePermute(op, ruleShapes(op));
  if (!described.ok()) return keepsRules(op, described);
  auto family = described->get<indexical::CollectivePermuteOp>();
  family.deviceCount = -1;
  return keepsRules(op, Op(std::move(family)));
}

}  // namespace

LogicalResult AllGatherOp::verify() {
  if (failed(takesOperands(*this)) ||
      failed(keepsRulesOfAnyGroups<indexical::AllGatherOp>(
          *this, rows::describeAllGather)))
    return failure();
  // StableHLO's own verifier lets a handle of 0 pass (import/let_pass.h).
  if (auto channel = getChannelHandleAttr();
      channel && channel.getHandle() < 0 && getUseGlobalDeviceIds())
    return broken(*this, "C5")
           << "use_global_device_ids wants a channel_handle above 0, but it is "
           << channel.getHandle();
  return keepsElementTypes(*this, "C6");
}

LogicalResult AllReduceOp::verify() {
  if (failed(takesOperands(*this)) ||
      failed(keepsRulesOfAnyGroups<indexical::AllReduceOp>(
          *this, rows::describeAllReduce)))
    return failure();
  return reducesByComputation(*this, {"C5", "C7"}, getComputation());
}

LogicalResult AllToAllOp::verify() {
  if (failed(takesOperands(*this)) ||
      failed(keepsRules(*this, rows::describeAllToAll)))
    return failure();
  return keepsElementTypes(*this, "C9");
}

LogicalResult CollectiveBroadcastOp::verify() {
  if (failed(takesOperands(*this))) return failure();
  if (getHasDynamicRoot())
    return sameTypes(*this, "C3", mlir::TypeRange(getOperands()).drop_back(),
                     getResultTypes());
  if (failed(keepsRulesOfAnyGroups<indexical::CollectiveBroadcastOp>(
          *this, rows::describeCollectiveBroadcast)))
    return failure();
  return keepsElementTypes(*this, "C3");
}

LogicalResult CollectivePermuteOp::verify() {
  // In HLO, a device may send its operand to several.
  llvm::SmallVector<int64_t> sources;
  for (const auto &pair : getSourceTargetPairs()) {
    if (pair.size() != 2)
      return broken(*this, "C1")
             << "source_target_pairs must have two columns, not "
             << pair.size();
    sources.push_back(pair[0]);
  }
  if (failed(isUnique(*this, "C2", "the sources", sources))) return failure();
  if (failed(keepsRulesOfAnyDevices(*this))) return failure();
  return keepsElementTypes(*this, "C5");
}

// The specification does not have it yet, so its rules have no numbers.
LogicalResult CollectiveReduceOp::verify() {
  if (failed(takesOperands(*this))) return failure();
  mlir::TypeRange values(getOperands());
  if (failed(sameTypes(*this, "",
                       getHasDynamicRoot() ? values.drop_back() : values,
                       getResultTypes())))
    return failure();
  return reducesByComputation(*this, {"", ""}, getComputation());
}

LogicalResult CrossReplicaSumOp::verify() {
  return keepsUnnumberedRules(*this, rows::describeAllReduce);
}

LogicalResult ReduceScatterOp::verify() {
  if (failed(keepsRulesOfAnyGroups<indexical::ReduceScatterOp>(
          *this, rows::describeReduceScatter)))
    return failure();
  return reducesByComputation(*this, {"C7", "C9"}, getComputation());
}

}  // namespace indexical::stablehlo
