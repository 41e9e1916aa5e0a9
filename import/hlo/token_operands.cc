#include "indexical/import/hlo/token_operands.h"

#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

namespace indexical {
namespace {

bool isToken(const Shape &shape) {
  return shape.isArray() && shape.array.isScalar();
}

bool takesTokens(const InstructionSyntax &instruction) {
  return instruction.opcode == "all-gather" && instruction.shape &&
         (*instruction.shape)->isTuple() &&
         (*instruction.shape)->elements.size() == instruction.operandCount &&
         llvm::any_of((*instruction.shape)->elements, isToken) &&
         !llvm::all_of((*instruction.shape)->elements, isToken);
}

/// Adds an instruction that is written in the place of an operand.
int32_t addNested(ComputationSyntax &computation, InstructionSyntax made,
                  llvm::ArrayRef<OperandSyntax> operands) {
  made.name = "";
  made.root = false;
  made.firstOperand = computation.operands.size();
  made.operandCount = operands.size();
  computation.operands.insert(computation.operands.end(), operands.begin(),
                              operands.end());
  computation.instructions.push_back(std::move(made));
  return computation.instructions.size() - 1;
}

OperandSyntax nested(int32_t instruction) {
  OperandSyntax operand;
  operand.nested = instruction;
  return operand;
}

void passBy(ModuleSyntax &module, ComputationSyntax &computation, size_t i,
            std::deque<std::string> &kept) {
  const InstructionSyntax whole = computation.instructions[i];
  const std::vector<Shape> &elements = (*whole.shape)->elements;
  std::vector<OperandSyntax> operands = computation.operandsOf(whole);
  std::vector<OperandSyntax> gathered;
  Shape shape = Shape::ofTuple({});
  for (auto [operand, element] : llvm::zip(operands, elements))
    if (!isToken(element)) {
      gathered.push_back(operand);
      shape.elements.push_back(element);
    }
  const bool isOne = gathered.size() == 1;
  InstructionSyntax gather = whole;
  gather.shapeText = "";
  gather.shape =
      &module.madeShapes.emplace_back(isOne ? shape.elements[0] : shape);
  const int32_t made = addNested(computation, gather, gathered);
  int64_t number = 0;
  for (auto [operand, element] : llvm::zip(operands, elements)) {
    if (isToken(element)) continue;
    if (isOne) {
      operand = nested(made);
      continue;
    }
    InstructionSyntax part;
    part.opcode = "get-tuple-element";
    part.place = whole.place;
    part.shape = &module.madeShapes.emplace_back(element);
    part.firstAttribute = computation.attributes.size();
    part.attributeCount = 1;
    computation.attributes.push_back(
        {"index", kept.emplace_back(std::to_string(number++))});
    operand = nested(addNested(computation, part, {nested(made)}));
  }
  InstructionSyntax &tuple = computation.instructions[i];
  tuple.opcode = "tuple";
  tuple.attributeCount = 0;
  tuple.firstOperand = computation.operands.size();
  computation.operands.insert(computation.operands.end(), operands.begin(),
                              operands.end());
}

}  // namespace

void passTokensBy(ModuleSyntax &module, std::deque<std::string> &kept) {
  for (ComputationSyntax &computation : module.computations)
    for (size_t i = 0, count = computation.instructions.size(); i < count; ++i)
      if (takesTokens(computation.instructions[i]))
        passBy(module, computation, i, kept);
}

}  // namespace indexical
