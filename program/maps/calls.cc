#include "indexical/program/maps/calls.h"

#include <utility>

#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/simplifier/merge.h"

namespace indexical {
namespace {

/// Returns the value of the callee as the caller names it.
Value behind(Value value, ComputationId c, InstructionId i,
             const Callee &callee) {
  value.calls.insert(value.calls.begin(), CallSite{c, i, callee.called});
  return value;
}

}  // namespace

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
  auto value = [&](int64_t number) { return values_[number]; };
  auto number = [&](Value of) { return values_.number(std::move(of)); };
  return facts_.folded(
      asCallerSees(found->second, graph_, c, i, callee, {value, number}));
}

int64_t Calls::behindCall(int64_t value, ComputationId c, InstructionId i,
                          const Callee &callee) {
  return values_.number(behind(values_[value], c, i, callee));
}

IndexingRelation asCallerSees(const IndexingRelation &relation,
                              const ProgramGraph &graph, ComputationId c,
                              InstructionId i, const Callee &callee,
                              const ValueNames &names) {
  auto behindIt = [&](int64_t value) {
    return names.number(behind(names.value(value), c, i, callee));
  };
  auto rename = [&](int64_t tensor) {
    const Value value = names.value(tensor);
    if (value.calls.empty()) {
      const InstructionLeaf origin =
          graph.origin(value.computation, {value.instruction, value.result});
      const Instruction &source =
          graph.instruction(value.computation, origin.instruction);
      if (source.parameterNumber >= 0) {
        const InstructionLeaf passed = graph.argumentLeaf(
            c, i, callee, {source.parameterNumber, origin.leaf});
        return names.number({c, passed.instruction, passed.leaf, {}});
      }
    }
    return behindIt(tensor);
  };
  return withSources(relation, {rename, behindIt});
}

}  // namespace indexical
