#include "indexical/program/module/updated_operand.h"

#include "indexical/ops/families.h"
#include "indexical/ops/op.h"
#include "indexical/program/module/callees.h"

namespace indexical {
namespace {

/// Bitcasts behind each other; more are no compiler's.
constexpr int kMostBitcasts = 64;

InstructionLeaf behindBitcasts(const Computation &body, InstructionLeaf leaf) {
  leaf = behindTuples(body, leaf);
  for (int steps = 0; steps < kMostBitcasts; ++steps) {
    const Instruction &of = body.instructions[leaf.instruction];
    if (!of.op.is<BitcastOp>() || of.operands.empty()) break;
    leaf = behindTuples(body, {of.operands[0], LeafId(0)});
  }
  return leaf;
}

}  // namespace

bool isFusedKernel(const Instruction &instruction) {
  return instruction.op.is<CallOp>() &&
         (instruction.opcode == "fusion" || !instruction.fusionKind.empty());
}

int64_t updatedOperand(const Module &module, const Instruction &instruction,
                       LeafId result) {
  if (instruction.op.is<DynamicUpdateSliceOp>()) return 0;
  if (instruction.op.is<ScatterOp>()) return int64_t{result};
  if (!isFusedKernel(instruction)) return -1;
  const auto callee = calleeOfCall(instruction);
  if (!callee || callee->computation < 0) return -1;
  const Computation &body = module.computations[callee->computation];
  const InstructionLeaf at = behindBitcasts(body, {body.root, result});
  const Instruction &root = body.instructions[at.instruction];
  if (!root.op.is<DynamicUpdateSliceOp>() && !root.op.is<ScatterOp>())
    return -1;
  const LeafId leaf = root.op.is<ScatterOp>() ? at.leaf : LeafId(0);
  const OperandLeaf updated = body.operandLeaf(at.instruction, leaf);
  const InstructionLeaf from =
      behindBitcasts(body, {updated.instruction, updated.result});
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
