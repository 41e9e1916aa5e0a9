#include "indexical/program/module/value.h"

#include "indexical/ops/families.h"
#include "indexical/program/module/callees.h"

namespace indexical {
namespace {

// The most tuples, copies and calls behind each other that are looked through.
constexpr int kMostCalls = 200;

}  // namespace

bool Value::operator<(const Value &o) const {
  auto key = [](const Value &v) {
    return std::tie(v.computation, v.instruction, v.result);
  };
  if (key(*this) != key(o)) return key(*this) < key(o);
  return std::lexicographical_compare(calls.begin(), calls.end(),
                                      o.calls.begin(), o.calls.end());
}

const Instruction &instructionOf(const Module &module, const Value &value) {
  return module.computations[value.computation].instructions[value.instruction];
}

Value operandOf(const Module &module, const Value &value, LeafId leaf) {
  const OperandLeaf from = module.computations[value.computation].operandLeaf(
      value.instruction, leaf);
  return {value.computation, from.instruction, from.result, value.calls};
}

Value originOf(const Module &module, Value at) {
  auto computationOf = [&](const Value &of) -> const Computation & {
    return module.computations[of.computation];
  };
  // Calls may nest, and wrong ones may lead back to themselves.
  for (int steps = 0; steps < kMostCalls; ++steps) {
    const InstructionLeaf leaf =
        indexical::originOf(computationOf(at), {at.instruction, at.result});
    at.instruction = InstructionId(leaf.instruction);
    at.result = LeafId(leaf.leaf);
    const Instruction &i = computationOf(at).instructions[at.instruction];
    if (i.parameterNumber >= 0) {
      // A caller's argument is followed; a loop passes a new value in each
      // trip.
      if (at.calls.empty()) return at;
      const CallSite site = at.calls.back();
      const Computation &caller = module.computations[site.computation];
      const Instruction &call = caller.instructions[site.instruction];
      const auto &arguments = call.called[site.called].arguments;
      if (!innermost(call.op).isOneOf<CallOp, ConditionalOp>() ||
          i.parameterNumber >= static_cast<int64_t>(arguments.size()))
        return at;
      const auto leaves = caller.operandLeaves(site.instruction);
      const int64_t passed =
          operandLeafNumber(leaves, arguments[i.parameterNumber], at.result);
      if (passed < 0) return at;
      at.calls.pop_back();
      at.computation = site.computation;
      at.instruction = leaves[passed].instruction;
      at.result = leaves[passed].result;
      continue;
    }
    const auto result = innermostResult(i.op, at.result);
    const auto callee = calleeOfCall(i);
    if (!result || !callee || !innermost(i.op).is<CallOp>()) return at;
    at.calls.push_back({at.computation, at.instruction, callee->called});
    at.computation = callee->computation;
    at.instruction = computationOf(at).root;
    at.result = LeafId(*result);
  }
  return at;
}

}  // namespace indexical
