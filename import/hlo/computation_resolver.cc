#include "indexical/import/hlo/computation_resolver.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "indexical/import/hlo/attributes.h"
#include "indexical/import/hlo/lexer.h"

namespace indexical {

bool ComputationResolver::resolve(Source &source, ResolverState &state) {
  if (syntax_.instructions.empty())
    return source.fail(syntax_.place, "computation `" + computation_.name +
                                          "` has no instruction");
  writtenCount_ = syntax_.instructions.size();
  InstructionOrder order;
  if (!nameInstructions(source)) return false;
  if (hasNested_) nameNested();
  if ((syntax_.bare && !addFreeParameters(source, state.shapes)) ||
      !findOperands(source) || !findOrder(source, order))
    return false;
  InstructionResolver instructions(source, module_, computation_, syntax_,
                                   state, KnownOperands::Resolved);
  for (InstructionId i : order)
    if (!instructions.resolve(i)) return false;
  findControls();
  return findParameters(source) && findRoot(source);
}

bool ComputationResolver::findNames() {
  if (syntax_.bare || syntax_.instructions.empty()) return false;
  writtenCount_ = syntax_.instructions.size();
  names_.reserve(writtenCount_);
  for (int32_t i = 0; i < writtenCount_; ++i) {
    const llvm::StringRef name = syntax_.instructions[i].name;
    if (name.empty())
      hasNested_ = true;
    else if (!names_.try_emplace(name, i).second)
      return false;
  }
  return true;
}

bool ComputationResolver::declare(Source &source, std::mutex &kept) {
  if (hasNested_) {
    const std::lock_guard<std::mutex> lock(kept);
    nameNested();
  }
  findControls();
  return findParameters(source) && findRoot(source);
}

bool ComputationResolver::nameInstructions(Source &source) {
  names_.reserve(syntax_.instructions.size());
  for (size_t i = 0; i < syntax_.instructions.size(); ++i) {
    const InstructionSyntax &syntax = syntax_.instructions[i];
    Instruction &instruction = computation_.instructions[i];
    instruction.name = syntax.name;
    instruction.opcode = syntax.opcode;
    if (syntax.name.empty())
      hasNested_ = true;
    else if (!names_.try_emplace(syntax.name, i).second)
      return source.fail(syntax.place, "instruction `" + syntax.name +
                                           "` of `" + computation_.name +
                                           "` is defined twice");
  }
  return true;
}

// `negate.1`, with a number that makes it unique.
void ComputationResolver::nameNested() {
  llvm::DenseMap<llvm::StringRef, int32_t> next;
  for (size_t i = 0; i < computation_.instructions.size(); ++i) {
    Instruction &instruction = computation_.instructions[i];
    if (!instruction.name.empty()) continue;
    instruction.name = freshName(instruction.opcode, next[instruction.opcode]);
    names_.try_emplace(instruction.name, i);
  }
}

llvm::StringRef ComputationResolver::freshName(llvm::StringRef opcode,
                                               int32_t &number) {
  std::string name;
  do {
    name = opcode.str() + "." + std::to_string(++number);
  } while (names_.contains(name));
  return program_.keptStrings.emplace_back(std::move(name));
}

// Instructions without a computation around them may read values that are
// defined elsewhere; their types stand beside them, or alone. They become
// parameters.
bool ComputationResolver::addFreeParameters(Source &source,
                                            WrittenShapes &shapes) {
  int64_t number = 0;
  int32_t unnamed = 0;
  for (const InstructionSyntax &instruction : syntax_.instructions)
    if (instruction.opcode == "parameter") ++number;
  for (size_t i = 0, count = syntax_.instructions.size(); i < count; ++i) {
    const uint32_t first = syntax_.instructions[i].firstOperand;
    const uint32_t operands = syntax_.instructions[i].operandCount;
    for (uint32_t k = first; k < first + operands; ++k) {
      OperandSyntax &operand = syntax_.operands[k];
      if (operand.nested >= 0 || operand.shape.empty()) continue;
      if (operand.name.empty()) operand.name = freshName("parameter", unnamed);
      if (!names_.try_emplace(operand.name, syntax_.instructions.size()).second)
        continue;
      InstructionSyntax parameter;
      parameter.name = operand.name;
      parameter.opcode = "parameter";
      parameter.place = syntax_.instructions[i].place;
      parameter.shapeText = operand.shape;
      parameter.argument =
          program_.keptStrings.emplace_back(std::to_string(number++));
      Lexer lexer(source, operand.shape);
      parameter.shape = shapes.read(lexer);
      if (!parameter.shape) return false;
      Instruction &added = computation_.instructions.emplace_back();
      added.name = parameter.name;
      added.opcode = parameter.opcode;
      added.place = parameter.place;
      syntax_.instructions.push_back(std::move(parameter));
    }
  }
  return true;
}

bool ComputationResolver::findOperands(Source &source) {
  for (size_t i = 0; i < syntax_.instructions.size(); ++i) {
    auto operands = syntax_.operandsOf(syntax_.instructions[i]);
    auto &found = computation_.instructions[i].operands;
    found.reserve(operands.size());
    for (const OperandSyntax &operand : operands) {
      int32_t producer;
      if (!findOperand(source, operand, producer)) return false;
      forwardReference_ |= producer >= static_cast<int32_t>(i);
      found.push_back(InstructionId(producer));
    }
  }
  return true;
}

bool ComputationResolver::findOperands(Source &source, int32_t begin,
                                       int32_t end) {
  for (int32_t i = begin; i < end; ++i) {
    auto operands = syntax_.operandsOf(syntax_.instructions[i]);
    auto &found = computation_.instructions[i].operands;
    found.reserve(operands.size());
    for (const OperandSyntax &operand : operands) {
      int32_t producer;
      if (!findOperand(source, operand, producer) || producer >= i)
        return false;
      found.push_back(InstructionId(producer));
    }
  }
  return true;
}

bool ComputationResolver::findOperand(Source &source,
                                      const OperandSyntax &operand,
                                      int32_t &found) {
  found = operand.nested;
  if (found >= 0) return true;
  auto known = names_.find(operand.name);
  if (known != names_.end()) {
    found = known->second;
    return true;
  }
  std::vector<llvm::StringRef> names;
  for (const Instruction &instruction : computation_.instructions)
    names.push_back(instruction.name);
  return source.fail(operand.name,
                     "there is no instruction `" + operand.name + "` in `" +
                         computation_.name + "`",
                     nearest(operand.name, names));
}

// Operands before users.
bool ComputationResolver::findOrder(Source &source, InstructionOrder &order) {
  size_t count = computation_.instructions.size();
  if (!forwardReference_) {
    order.resize(count);
    std::iota(order.begin(), order.end(), InstructionId(0));
    return true;
  }
  order = computation_.postOrder();
  if (order.size() == count) return true;
  // Instructions on a cycle, or behind one, are left out of the order.
  std::vector<bool> done(count, false);
  for (InstructionId i : order) done[i] = true;
  size_t first = std::find(done.begin(), done.end(), false) - done.begin();
  return source.fail(computation_.instructions[first].place,
                     "instruction `" + computation_.instructions[first].name +
                         "` depends on itself");
}

/// The place of the opcode, or that of the name if the text does not hold the
/// opcode.
Place ComputationResolver::opcodePlace(Source &source,
                                       const Instruction &instruction) const {
  const size_t i = &instruction - computation_.instructions.data();
  return Attributes(source, syntax_.instructions[i], {}).opcodePlace();
}

// A name that the computation does not have says nothing.
void ComputationResolver::findControls() {
  for (auto [i, instruction] : llvm::enumerate(syntax_.instructions))
    for (const AttributeSyntax &of : syntax_.attributesOf(instruction)) {
      if (of.key != "control-predecessors") continue;
      llvm::SmallVector<llvm::StringRef, 4> names;
      of.value.trim("{} ").split(names, ',', -1, /*KeepEmpty=*/false);
      for (llvm::StringRef name : names) {
        name = name.trim();
        name.consume_front("%");
        if (const auto known = names_.find(name); known != names_.end())
          computation_.controls.emplace_back(InstructionId(known->second),
                                             InstructionId(i));
      }
    }
}

bool ComputationResolver::findParameters(Source &source) {
  auto &parameters = computation_.parameters;
  for (size_t i = 0; i < computation_.instructions.size(); ++i) {
    Instruction &instruction = computation_.instructions[i];
    if (instruction.opcode != "parameter") continue;
    llvm::StringRef text = syntax_.instructions[i].argument;
    int32_t number;
    if (text.trim().getAsInteger(10, number) || number < 0)
      return source.fail(opcodePlace(source, instruction),
                         "`parameter` needs its number, as in `parameter(0)`");
    // A number this large cannot be one of so many instructions.
    if (number >= static_cast<int64_t>(computation_.instructions.size()))
      return source.fail(opcodePlace(source, instruction),
                         "there is no parameter before parameter " +
                             llvm::Twine(number) + " with number " +
                             llvm::Twine(number - 1));
    if (number >= static_cast<int64_t>(parameters.size()))
      parameters.resize(number + 1);
    if (parameters[number] >= 0)
      return source.fail(opcodePlace(source, instruction),
                         "parameter " + llvm::Twine(number) + " of `" +
                             computation_.name + "` is defined twice");
    parameters[number] = InstructionId(i);
    instruction.parameterNumber = number;
  }
  for (size_t n = 0; n < parameters.size(); ++n)
    if (parameters[n] < 0)
      return source.fail(syntax_.place, "computation `" + computation_.name +
                                            "` has no parameter " +
                                            llvm::Twine(n) +
                                            ", but a later one");
  return true;
}

bool ComputationResolver::findRoot(Source &source) {
  for (size_t i = 0; i < syntax_.instructions.size(); ++i) {
    if (!syntax_.instructions[i].root) continue;
    if (computation_.root >= 0)
      return source.fail(syntax_.instructions[i].place,
                         "computation `" + computation_.name +
                             "` has two instructions marked ROOT");
    computation_.root = InstructionId(i);
  }
  // Without ROOT the last instruction; free parameters come after it.
  if (computation_.root < 0)
    computation_.root = InstructionId(writtenCount_ - 1);
  return true;
}

}  // namespace indexical
