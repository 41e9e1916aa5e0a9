#include "indexical/import/hlo/cut_text.h"

#include <utility>
#include <vector>

#include "llvm/ADT/DenseSet.h"

#include "indexical/import/hlo/lexer.h"

namespace indexical {
namespace {

class Filler {
 public:
  Filler(Source &source, ComputationSyntax &computation, WrittenShapes &shapes)
      : source_(source), computation_(computation), shapes_(shapes) {}

  bool fill() {
    for (const InstructionSyntax &each : computation_.instructions) {
      if (!each.name.empty()) defined_.insert(each.name);
      if (each.opcode == "parameter" && !each.name.empty())
        everything_.emplace_back().name = each.name;
    }
    if (computation_.bare) takeFreeOperands();
    for (size_t i = 0, count = computation_.instructions.size(); i < count; ++i)
      if (!fillOperands(i)) return false;
    return true;
  }

 private:
  // Of instructions without a computation around them an operand with a type is
  // a parameter (ComputationResolver).
  void takeFreeOperands() {
    for (const OperandSyntax &operand : computation_.operands)
      if (operand.nested < 0 && !operand.shape.empty() &&
          !operand.name.empty() && defined_.insert(operand.name).second)
        everything_.push_back(operand);
  }

  bool isKnown(const OperandSyntax &operand) const {
    return operand.nested >= 0 || defined_.contains(operand.name) ||
           (computation_.bare && operand.name.empty());
  }

  bool fillOperands(size_t i) {
    bool isWhole = !computation_.instructions[i].cut;
    const uint32_t first = computation_.instructions[i].firstOperand;
    const uint32_t count = computation_.instructions[i].operandCount;
    for (uint32_t k = first; k < first + count; ++k) {
      const OperandSyntax operand = computation_.operands[k];
      if (isKnown(operand)) continue;
      if (operand.shape.empty())
        isWhole = false;
      else if (!define(operand, computation_.instructions[i].place))
        return false;
    }
    return isWhole || makeCut(computation_.instructions[i]);
  }

  // `x = f32[8] cut(p)`
  bool define(const OperandSyntax &operand, Place place) {
    defined_.insert(operand.name);
    InstructionSyntax made;
    made.name = operand.name;
    made.place = place;
    made.shapeText = operand.shape;
    Lexer lexer(source_, operand.shape);
    made.shape = shapes_.read(lexer);
    if (!made.shape || !makeCut(made)) return false;
    computation_.instructions.push_back(std::move(made));
    return true;
  }

  // Makes the instruction one of all that it names and all parameters.
  bool makeCut(InstructionSyntax &instruction) {
    if (!instruction.shape)
      return source_.fail(instruction.place,
                          "`" + instruction.name +
                              "` has no type, and its operands are left out "
                              "of this text");
    std::vector<OperandSyntax> operands;
    for (const OperandSyntax &operand : computation_.operandsOf(instruction))
      if (isKnown(operand)) operands.push_back(operand);
    operands.insert(operands.end(), everything_.begin(), everything_.end());
    instruction.opcode = kCutOpcode;
    instruction.firstOperand = computation_.operands.size();
    instruction.operandCount = operands.size();
    instruction.attributeCount = 0;
    computation_.operands.insert(computation_.operands.end(), operands.begin(),
                                 operands.end());
    return true;
  }

  Source &source_;
  ComputationSyntax &computation_;
  WrittenShapes &shapes_;
  llvm::DenseSet<llvm::StringRef> defined_;
  std::vector<OperandSyntax> everything_;  ///< the parameters
};

}  // namespace

bool fillCut(Source &source, ComputationSyntax &computation,
             WrittenShapes &shapes) {
  if (computation.cut.empty()) return true;
  bool hasRoot = false;
  for (const InstructionSyntax &each : computation.instructions)
    hasRoot |= each.root;
  if (computation.endsCut && !hasRoot)
    return source.fail(computation.cut,
                       "the result of this computation is left out of this "
                       "text: no instruction is marked ROOT");
  source.warn(computation.cut,
              "a part is left out of this text: what depends on it is taken to "
              "read every parameter whole");
  return Filler(source, computation, shapes).fill();
}

}  // namespace indexical
