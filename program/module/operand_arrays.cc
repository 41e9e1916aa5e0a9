#include "indexical/program/module/operand_arrays.h"

#include <map>

#include "indexical/program/module/value.h"

namespace indexical {

std::vector<size_t> arraysOfOperands(const Module &module,
                                     ComputationId computation,
                                     InstructionId instruction) {
  const Instruction &at =
      module.computations[computation].instructions[instruction];
  std::map<Value, size_t> known;
  std::vector<size_t> arrays;
  for (size_t leaf = 0; leaf < shapesOf(at.op).operands.size(); ++leaf) {
    const Value value = originOf(
        module,
        operandOf(module, Value{computation, instruction, LeafId(0), {}},
                  LeafId(leaf)));
    arrays.push_back(known.try_emplace(value, leaf).first->second);
  }
  return arrays;
}

}  // namespace indexical
