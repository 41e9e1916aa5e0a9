#include "indexical/program/module/loop_leaves.h"

#include <set>

#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/families.h"
#include "indexical/program/module/callees.h"
#include "indexical/program/module/operand_leaves.h"

namespace indexical {
namespace {

// Leaves that are visited for all loops of a module, and loops in each other.
constexpr int64_t kMostSteps = 20'000'000;
constexpr int kMostDeep = 50;

}  // namespace

std::optional<llvm::ArrayRef<int64_t>> LoopLeaves::of(ComputationId computation,
                                                      InstructionId i,
                                                      LeafId result) {
  const Loop &known = loop(computation, i);
  if (known.empty()) return std::nullopt;
  return llvm::ArrayRef(known[result]);
}

const LoopLeaves::Loop &LoopLeaves::loop(ComputationId computation,
                                         InstructionId i) {
  const auto key = std::make_pair(computation, i);
  if (const auto known = loops_.find(key); known != loops_.end())
    return known->second;
  ++depth_;
  auto found = find(computation, i);
  --depth_;
  return loops_[key] = found ? *std::move(found) : Loop();
}

std::optional<LoopLeaves::Loop> LoopLeaves::find(ComputationId computation,
                                                 InstructionId i) {
  const Computation &outside = module_.computations[computation];
  const Instruction &own = outside.instructions[i];
  const auto body = calleeOf(own, CallRole::Body);
  const auto condition = calleeOf(own, CallRole::Condition);
  if (!own.op.is<WhileOp>() || !body || !condition || depth_ > kMostDeep)
    return std::nullopt;
  const auto operands = outside.operandLeaves(i);
  auto argumentsOf = [&](const Callee &callee) {
    return argumentLeaves(module_.computations[callee.computation],
                          callee.arguments, operands);
  };
  const std::vector<int64_t> arguments = argumentsOf(*body);
  const std::vector<int64_t> asked = argumentsOf(*condition);
  const auto inside = below(body->computation);
  const auto decides = below(condition->computation);
  const int64_t results = own.shape.leafCount();
  auto isUnknown = [](int64_t leaf) { return leaf < 0; };
  if (!inside || static_cast<int64_t>(inside->size()) != results || !decides ||
      decides->size() != 1 || llvm::any_of(arguments, isUnknown) ||
      llvm::any_of(asked, isUnknown))
    return std::nullopt;
  // One trip after another: what a result depends on is the result of the trip
  // before, or an operand that all trips are given.
  auto follow = [&](std::vector<int64_t> stack, std::set<int64_t> &met) {
    while (!stack.empty()) {
      const int64_t at = stack.back();
      stack.pop_back();
      if (++steps_ > kMostSteps) return false;
      if (!met.insert(at).second || at >= results) continue;
      for (int64_t parameter : (*inside)[at])
        stack.push_back(arguments[parameter]);
    }
    return true;
  };
  // The number of trips decides each result.
  std::vector<int64_t> first;
  for (int64_t parameter : decides->front()) first.push_back(asked[parameter]);
  std::set<int64_t> trips;
  if (!follow(first, trips)) return std::nullopt;
  Loop all(results);
  for (int64_t r = 0; r < results; ++r) {
    std::set<int64_t> met = trips;
    if (!met.count(r) && !follow({r}, met)) return std::nullopt;
    all[r].assign(met.begin(), met.end());
  }
  return all;
}

std::optional<std::vector<LoopLeaves::Leaves>> LoopLeaves::below(
    ComputationId computation) {
  const Computation &own = module_.computations[computation];
  if (own.root < 0) return std::nullopt;
  std::map<InstructionLeaf, int64_t> numberOf;
  for (const ParameterLeaf &leaf : parameterLeaves(own))
    numberOf.try_emplace({own.parameters[leaf.parameter], leaf.leaf},
                         static_cast<int64_t>(numberOf.size()));
  OperandLeafLists lists(own);
  std::vector<Leaves> all(own.instructions[own.root].shape.leafCount());
  std::vector<InstructionLeaf> stack;
  for (size_t r = 0; r < all.size(); ++r) {
    std::set<InstructionLeaf> seen;
    std::set<int64_t> met;
    stack = {{own.root, LeafId(static_cast<int64_t>(r))}};
    while (!stack.empty()) {
      const InstructionLeaf at = stack.back();
      stack.pop_back();
      if (++steps_ > kMostSteps) return std::nullopt;
      if (!seen.insert(at).second) continue;
      if (const auto parameter = numberOf.find(at);
          parameter != numberOf.end()) {
        met.insert(parameter->second);
        continue;
      }
      const Instruction &instruction = own.instructions[at.instruction];
      auto visit = [&](int64_t leaf) {
        const OperandLeaf operand = lists.leaf(at.instruction, LeafId(leaf));
        stack.push_back({operand.instruction, operand.result});
      };
      if (const auto *forward = instruction.op.as<ForwardOp>()) {
        if (forward->reads[at.leaf] >= 0) visit(forward->reads[at.leaf]);
        continue;
      }
      if (const auto few = of(computation, at.instruction, at.leaf)) {
        for (int64_t leaf : *few) visit(leaf);
        continue;
      }
      for (const OperandLeaf &operand : lists.of(at.instruction)) {
        ++steps_;
        stack.push_back({operand.instruction, operand.result});
      }
    }
    all[r].assign(met.begin(), met.end());
  }
  return all;
}

}  // namespace indexical
