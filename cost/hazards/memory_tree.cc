#include <utility>
#include <vector>

#include "indexical/cost/hazards/memory_flow.h"
#include "indexical/cost/hazards/thread_access.h"
#include "indexical/ops/families.h"
#include "indexical/program/module/callees.h"

namespace indexical {
namespace {

/// Bitcasts behind each other; more are no compiler's.
constexpr int32_t kMostViewsBehind = 64;

}  // namespace

int32_t MemoryFlow::rootOf(int32_t node) const {
  if (!roots_.empty()) return roots_[node];
  while (nodes_[node].parent >= 0) node = nodes_[node].parent;
  return node;
}

/// Numbers the forest of parents, so that what a value is made of is a run.
void MemoryFlow::number() {
  std::vector<std::vector<int32_t>> children(nodes_.size());
  std::vector<int32_t> roots;
  for (size_t n = 0; n < nodes_.size(); ++n)
    (nodes_[n].parent < 0 ? roots : children[nodes_[n].parent])
        .push_back(static_cast<int32_t>(n));
  enter_.assign(nodes_.size(), 0);
  leave_.assign(nodes_.size(), 0);
  std::vector<int32_t> ownRoots(nodes_.size(), 0);
  int32_t next = 0;
  for (const int32_t root : roots) {
    std::vector<std::pair<int32_t, size_t>> stack = {{root, 0}};
    enter_[root] = next++;
    ownRoots[root] = root;
    while (!stack.empty()) {
      auto &[node, at] = stack.back();
      if (at == children[node].size()) {
        leave_[node] = next;
        stack.pop_back();
        continue;
      }
      const int32_t child = children[node][at++];
      enter_[child] = next++;
      ownRoots[child] = root;
      stack.push_back({child, 0});
    }
  }
  roots_ = std::move(ownRoots);
}

bool MemoryFlow::isDerived(int32_t value, int32_t of) const {
  if (enter_[of] <= enter_[value] && enter_[value] < leave_[of]) return true;
  if (!hasOthers_) return false;
  // What is made of one of the branches is made of it.
  for (int32_t at = value; at >= 0; at = nodes_[at].parent)
    for (const int32_t other : nodes_[at].others)
      if (isDerived(other, of)) return true;
  return false;
}

int64_t MemoryFlow::updatedOperand(const Module &module, const Computation &c,
                                   const Instruction &instruction,
                                   LeafId result) {
  (void)c;
  if (instruction.op.is<DynamicUpdateSliceOp>()) return 0;
  if (instruction.op.is<ScatterOp>()) return int64_t{result};
  if (!instruction.op.is<CallOp>() || !isFusedKernel(instruction)) return -1;
  const auto callee = calleeOfCall(instruction);
  if (!callee) return -1;
  const Computation &body = module.computations[callee->computation];
  auto behindBitcasts = [&](InstructionLeaf leaf) {
    for (int32_t steps = 0; steps < kMostViewsBehind; ++steps) {
      leaf = behindTuples(body, leaf);
      const Instruction &of = body.instructions[leaf.instruction];
      if (!of.op.is<BitcastOp>() || of.operands.empty()) break;
      leaf = {of.operands[0], LeafId(0)};
    }
    return leaf;
  };
  const InstructionLeaf hero = behindBitcasts({body.root, result});
  const Instruction &root = body.instructions[hero.instruction];
  if (!root.op.is<DynamicUpdateSliceOp>() && !root.op.is<ScatterOp>())
    return -1;
  const int64_t updated = root.op.is<ScatterOp>() ? int64_t{hero.leaf} : 0;
  const OperandLeaf operand =
      body.operandLeaf(hero.instruction, LeafId(updated));
  const InstructionLeaf from =
      behindBitcasts({operand.instruction, operand.result});
  const int32_t parameter = body.instructions[from.instruction].parameterNumber;
  if (parameter < 0 ||
      parameter >= static_cast<int32_t>(callee->arguments.size()))
    return -1;
  int64_t number = from.leaf;
  for (int32_t k = 0; k < callee->arguments[parameter]; ++k)
    number += body.instructions[body.parameters[k]].shape.leafCount();
  return number;
}

}  // namespace indexical
