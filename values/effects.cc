#include "indexical/values/effects.h"

#include <functional>
#include <queue>

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

namespace indexical {
namespace {

// Bits of the tables below.
constexpr size_t kMostBits = size_t{1} << 28;

using Users = std::vector<llvm::SmallVector<InstructionId, 2>>;

/// What runs after each instruction, but for those that use its results.
Users laterThan(const Computation &computation,
                llvm::ArrayRef<InstructionId> effects, bool inFileOrder) {
  Users later(computation.instructions.size());
  for (const auto &[first, then] : computation.controls)
    later[first].push_back(then);
  for (size_t e = 1; inFileOrder && e < effects.size(); ++e)
    later[effects[e - 1]].push_back(effects[e]);
  return later;
}

InstructionOrder orderWith(const Computation &computation, const Users &later) {
  const auto &instructions = computation.instructions;
  const int32_t count = instructions.size();
  std::vector<int32_t> waiting(count, 0);
  Users users = later;
  for (InstructionId i(0); i < count; ++i)
    for (InstructionId operand : instructions[i].operands)
      users[operand].push_back(i);
  for (const auto &each : users)
    for (InstructionId user : each) ++waiting[user];
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

}  // namespace

llvm::ArrayRef<InstructionId> Effects::before(InstructionId instruction) const {
  const auto at = llvm::find(effects, instruction);
  if (at == effects.end()) return {};
  return after[at - effects.begin()];
}

bool Effects::begins(InstructionId instruction) const {
  const auto at = llvm::find(effects, instruction);
  return at == effects.end() || isFirst[at - effects.begin()];
}

Effects effectsOf(const Computation &computation, const std::vector<bool> &has,
                  bool inFileOrder) {
  const auto &instructions = computation.instructions;
  Effects found;
  std::vector<InstructionId> inFile;
  for (InstructionId i(0); i < static_cast<int32_t>(has.size()); ++i)
    if (has[i]) inFile.push_back(i);
  found.after.resize(inFile.size());
  if (inFile.size() < 2) {
    found.order = computation.postOrder();
    for (InstructionId i : found.order)
      if (has[i]) found.effects.push_back(i);
    found.after.resize(found.effects.size());
    found.isFirst.assign(found.effects.size(), true);
    return found;
  }
  const Users later = laterThan(computation, inFile, inFileOrder);
  found.order = orderWith(computation, later);
  if (found.order.size() < instructions.size() ||
      instructions.size() * inFile.size() > kMostBits) {
    found.order = computation.postOrder();
    found.isOpen = true;
  }
  std::vector<size_t> place(instructions.size(), 0);
  for (InstructionId i : found.order)
    if (has[i]) {
      place[i] = found.effects.size();
      found.effects.push_back(i);
    }
  found.isFirst.assign(found.effects.size(), true);
  if (found.isOpen) return found;
  Users earlier(instructions.size());
  for (InstructionId i(0); i < static_cast<int32_t>(later.size()); ++i)
    for (InstructionId then : later[i]) earlier[then].push_back(i);
  // The effects on which each instruction depends, and that come before it.
  const size_t count = found.effects.size();
  std::vector<llvm::BitVector> all(instructions.size(), llvm::BitVector(count));
  for (InstructionId i : found.order) {
    for (InstructionId operand : instructions[i].operands)
      all[i] |= all[operand];
    for (InstructionId first : earlier[i]) all[i] |= all[first];
    if (!has[i]) continue;
    found.isFirst[place[i]] = all[i].none();
    llvm::BitVector last = all[i];
    for (unsigned e : all[i].set_bits()) {
      llvm::BitVector others = all[found.effects[e]];
      others.reset(e);
      last.reset(others);
    }
    for (unsigned e : last.set_bits())
      found.after[place[i]].push_back(found.effects[e]);
    all[i].set(place[i]);
  }
  return found;
}

}  // namespace indexical
