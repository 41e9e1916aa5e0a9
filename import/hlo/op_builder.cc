#include "indexical/import/hlo/op_builder.h"

#include "indexical/import/hlo/configuration.h"
#include "indexical/import/hlo/opcodes/builders.h"

namespace indexical {
namespace opcodes {

std::string countOf(size_t count, llvm::StringRef thing) {
  return (llvm::Twine(count) + " " + thing + (count == 1 ? "" : "s")).str();
}

bool checkArrays(const ResolvedInstruction &in, const Shape &result,
                 Results results) {
  for (size_t i = 0; i < in.operands.size(); ++i)
    if (!in.operands[i]->isArray())
      return in.fail("operand " + llvm::Twine(i) + " of " + in.opcodeText() +
                     " must be an array, not " + in.operands[i]->str());
  if (result.isArray() || (results == Results::OneOrTuple && result.isTuple()))
    return true;
  return in.fail("the result of " + in.opcodeText() +
                 " must be an array, not " + result.str());
}

}  // namespace opcodes

bool checkOperandCount(const ResolvedInstruction &instruction) {
  if (!instruction.opcode) return true;
  const int64_t count = instruction.operands.size();
  const auto [least, most] = instruction.opcode->operands;
  if (count >= least && (most == OpcodeInfo::kAny || count <= most))
    return true;
  std::string wanted = opcodes::countOf(least, "operand");
  if (most == OpcodeInfo::kAny) wanted += " or more";
  if (most > least)
    wanted = std::to_string(least) + " to " + opcodes::countOf(most, "operand");
  return instruction.fail(instruction.opcodeText() + " takes " + wanted +
                          ", here it has " + llvm::Twine(count));
}

bool buildOp(const ResolvedInstruction &instruction, const Shape &result,
             OpDraft &op) {
  const OpcodeInfo *opcode = instruction.opcode;
  if (!(opcode ? opcode->build(instruction, result, op)
               : opcodes::buildOpaque(instruction, result, op)))
    return false;
  // A start whose text has the results alone is the op that it starts.
  if (opcode && opcode->kind == kindOf<StartOp>() && !OpView(op).is<StartOp>())
    return true;
  op->opKind = opcode ? opcode->kind : kindOf<CoverOp>("unknown");
  op->configuration = configurationOf(instruction, op);
  return true;
}

bool inferShape(const ResolvedInstruction &instruction, Shape &shape) {
  return instruction.opcode ? instruction.opcode->infer(instruction, shape)
                            : opcodes::cannotInfer(instruction);
}

}  // namespace indexical
