#include "indexical/program/calls.h"

#include <utility>

#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/simplifier/merge.h"

namespace indexical {

absl::StatusOr<IndexingRelation> Calls::through(
    const Edge &edge, llvm::ArrayRef<Callee> callees) {
  const Op &op = graph_.instruction(edge.computation, edge.instruction).op;
  const LeafId rootLeaf(*innermostResult(op, edge.result));
  IndexingRelation all;
  for (const Callee &callee : callees) {
    Edge own = edge;
    own.use = EdgeUse::OnAWay;
    auto relation = callee.computation < 0 ? ops_.own(own)
                                           : throughOne(edge, callee, rootLeaf);
    if (!relation.ok() || callees.size() == 1) return relation;
    uniteMerged(all, *relation);
  }
  return all;
}

absl::StatusOr<IndexingRelation> Calls::throughOne(const Edge &edge,
                                                   const Callee &callee,
                                                   LeafId rootLeaf) {
  const auto &[c, i, direction, result, leaf, use] = edge;
  const OperandLeaf operand = graph_.operandLeaf(c, i, leaf);
  const Whole &whole = solved_.whole(callee.computation, direction);
  auto found =
      whole.find({rootLeaf, callee.parameterOf(operand.operand), operand.leaf});
  if (found == whole.end()) return IndexingRelation();
  return facts_.folded(lifted(found->second, c, i, callee));
}

int64_t Calls::behindCall(int64_t value, ComputationId c, InstructionId i,
                          const Callee &callee) {
  Value behind = values_[value];
  behind.calls.insert(behind.calls.begin(), CallSite{c, i, callee.called});
  return values_.number(std::move(behind));
}

/// Returns the relation with the callee's sources as the caller sees them: a
/// parameter is the caller's operand, and any other source lies behind this
/// call.
IndexingRelation Calls::lifted(const IndexingRelation &relation,
                               ComputationId c, InstructionId i,
                               const Callee &callee) {
  auto behind = [&](int64_t value) { return behindCall(value, c, i, callee); };
  auto rename = [&](int64_t tensor) {
    const Value &value = values_[tensor];
    if (value.calls.empty()) {
      const InstructionLeaf origin =
          graph_.origin(value.computation, {value.instruction, value.result});
      const Instruction &source =
          graph_.instruction(value.computation, origin.instruction);
      if (source.parameterNumber >= 0) {
        const InstructionLeaf passed = graph_.argumentLeaf(
            c, i, callee, {source.parameterNumber, origin.leaf});
        return values_.number(c, passed.instruction, passed.leaf);
      }
    }
    return behind(tensor);
  };
  return withSources(relation, {rename, behind});
}

}  // namespace indexical
