#include "indexical/program/module/program.h"

#include <functional>
#include <queue>

#include "indexical/program/module/operand_leaves.h"

namespace indexical {

std::pair<int32_t, int32_t> leavesOfOperand(const Computation &c,
                                            const Instruction &user,
                                            size_t operand) {
  const Instruction &producer = c.instructions[user.operands[operand]];
  const int32_t element = user.elements.empty() ? -1 : user.elements[operand];
  if (element < 0)
    return {0, static_cast<int32_t>(shapesOf(producer.op).results.size())};
  int32_t first = 0;
  for (int32_t e = 0; e < element; ++e)
    first += producer.shape->elements[e].leafCount();
  return {first, producer.shape->elements[element].leafCount()};
}

OperandLeaf Computation::operandLeaf(InstructionId i, LeafId number) const {
  const Instruction &instruction = instructions[i];
  for (size_t k = 0; k < instruction.operands.size(); ++k) {
    const auto [first, count] = leavesOfOperand(*this, instruction, k);
    if (number < count)
      return {instruction.operands[k], LeafId(first + number),
              static_cast<int32_t>(k), number};
    number = LeafId(number - count);
  }
  return {};
}

llvm::SmallVector<OperandLeaf, 4> Computation::operandLeaves(
    InstructionId i) const {
  llvm::SmallVector<OperandLeaf, 4> leaves;
  const Instruction &instruction = instructions[i];
  for (size_t k = 0; k < instruction.operands.size(); ++k) {
    const auto [first, count] = leavesOfOperand(*this, instruction, k);
    for (int32_t l = 0; l < count; ++l)
      leaves.push_back({instruction.operands[k], LeafId(first + l),
                        static_cast<int32_t>(k), LeafId(l)});
  }
  return leaves;
}

llvm::ArrayRef<OperandLeaf> OperandLeafLists::of(InstructionId i) {
  auto [entry, isNew] = lists_.try_emplace(i);
  if (isNew) entry->second = computation_.operandLeaves(i);
  return entry->second;
}

/// Whether the operands are so few that to go through them is faster than to
/// look up a list of their leaves.
bool OperandLeafLists::areFew(InstructionId i) const {
  constexpr size_t kFew = 8;
  return computation_.instructions[i].operands.size() <= kFew;
}

OperandLeaf OperandLeafLists::leaf(InstructionId i, LeafId number) {
  if (areFew(i)) return computation_.operandLeaf(i, number);
  const llvm::ArrayRef<OperandLeaf> leaves = of(i);
  return number < static_cast<int64_t>(leaves.size()) ? leaves[number]
                                                      : OperandLeaf();
}

int64_t OperandLeafLists::count(InstructionId i) {
  if (!areFew(i)) return static_cast<int64_t>(of(i).size());
  const Instruction &user = computation_.instructions[i];
  int64_t count = 0;
  for (size_t k = 0; k < user.operands.size(); ++k)
    count += leavesOfOperand(computation_, user, k).second;
  return count;
}

// The next instruction is the first one in the file whose operands are all
// placed: a file in which operands stand before their users keeps its order.
// Instructions on a cycle, and those that depend on one, are left out; front
// ends refuse cycles.
InstructionOrder Computation::postOrder() const {
  int32_t count = instructions.size();
  std::vector<int32_t> waiting(count, 0);  // operands that are not yet placed
  std::vector<llvm::SmallVector<InstructionId, 2>> users(count);
  for (InstructionId i(0); i < count; ++i) {
    waiting[i] = instructions[i].operands.size();
    for (InstructionId operand : instructions[i].operands)
      users[operand].push_back(i);
  }
  std::priority_queue<InstructionId, std::vector<InstructionId>, std::greater<>>
      ready;
  for (InstructionId i(0); i < count; ++i)
    if (waiting[i] == 0) ready.push(i);
  InstructionOrder order;
  order.reserve(count);
  while (!ready.empty()) {
    const InstructionId next = ready.top();
    ready.pop();
    order.push_back(next);
    for (InstructionId user : users[next])
      if (--waiting[user] == 0) ready.push(user);
  }
  return order;
}

InstructionId Computation::find(llvm::StringRef instruction) const {
  for (size_t i = 0; i < instructions.size(); ++i)
    if (instructions[i].name == instruction) return InstructionId(i);
  return {};
}

ComputationId Module::find(llvm::StringRef computation) const {
  for (size_t c = 0; c < computations.size(); ++c)
    if (computations[c].name == computation) return ComputationId(c);
  return {};
}

}  // namespace indexical
