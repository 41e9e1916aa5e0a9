#include "indexical/program/values/effects.h"

#include <functional>
#include <queue>

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/program/module/callees.h"
#include "indexical/program/values/term_ops.h"

namespace indexical {
namespace {

// Bits of the table of effects by effects, and what instructions hold in all.
constexpr size_t kMostBits = size_t{1} << 30;
constexpr size_t kMostHeld = 50'000'000;

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

/// Places of effects, the last one first.
using Places = llvm::SmallVector<size_t, 1>;

/// Leaves out the effects that come before others of them. `before[e]` has what
/// comes before effect e.
void keepLast(Places &places, llvm::ArrayRef<llvm::BitVector> before) {
  llvm::sort(places, std::greater<>());
  places.erase(llvm::unique(places), places.end());
  if (places.size() < 2) return;
  llvm::BitVector covered = before[places.front()];
  llvm::erase_if(places, [&](size_t place) {
    if (covered.test(place)) return true;
    covered |= before[place];
    return false;
  });
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

ComputationsWith computationsThatVary(const Module &module) {
  return ComputationsWith(module, [](const Instruction &each) {
    const Op &op = innermost(each.op);
    return hasEffects(op) || isUnknownLiteral(op) ||
           llvm::any_of(each.called, [](const CalledComputation &called) {
             return called.computation < 0;
           });
  });
}

ComputationsWith computationsWithEffects(const Module &module) {
  return ComputationsWith(module, [](const Instruction &each) {
    const Op &op = innermost(each.op);
    return each.parameterNumber < 0 && hasEffects(op) && !isDraw(op);
  });
}

std::optional<InstructionId> startOf(const Computation &computation,
                                     InstructionId i) {
  auto nameOf = [&](InstructionId at) -> llvm::StringRef {
    return computation.instructions[at].op.kind().name;
  };
  if (!nameOf(i).ends_with("-done")) return std::nullopt;
  do {
    if (computation.instructions[i].operands.empty()) return std::nullopt;
    i = computation.instructions[i].operands[0];
  } while (nameOf(i) == "async-update");
  return i;
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
      inFile.size() * inFile.size() > kMostBits) {
    found.order = computation.postOrder();
    found.isOpen = true;
  }
  std::vector<size_t> place(instructions.size(), 0);
  for (InstructionId i : found.order)
    if (has[i]) {
      place[i] = found.effects.size();
      found.effects.push_back(i);
    }
  const size_t count = found.effects.size();
  found.isFirst.assign(count, true);
  if (found.isOpen) return found;
  Users earlier(instructions.size());
  for (InstructionId i(0); i < static_cast<int32_t>(later.size()); ++i)
    for (InstructionId then : later[i]) earlier[then].push_back(i);
  // The last effects that come before each instruction or are it.
  std::vector<Places> last(instructions.size());
  std::vector<llvm::BitVector> before(count, llvm::BitVector(count));
  size_t held = 0;
  for (InstructionId i : found.order) {
    Places &own = last[i];
    for (InstructionId operand : instructions[i].operands)
      llvm::append_range(own, last[operand]);
    for (InstructionId first : earlier[i]) llvm::append_range(own, last[first]);
    keepLast(own, before);
    if (has[i]) {
      const size_t at = place[i];
      found.isFirst[at] = own.empty();
      for (size_t e : own) {
        found.after[at].push_back(found.effects[e]);
        before[at] |= before[e];
        before[at].set(e);
      }
      own = {at};
    }
    held += own.size();
    if (held > kMostHeld) {
      found.isOpen = true;
      return found;
    }
  }
  return found;
}

}  // namespace indexical
