#include "indexical/cost/launch/movement.h"

#include <set>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/ops/families.h"
#include "indexical/ops/op.h"
#include "indexical/program/module/callees.h"

namespace indexical {
namespace {

/// Instructions between a copy and its source, or its reader.
constexpr int kMostSteps = 64;

bool isKind(const Instruction &instruction, llvm::StringRef name) {
  const auto kind = instruction.op.kind().name;
  return llvm::StringRef(kind.data(), kind.size()) == name;
}

/// Returns whether the op may stand beside a copy in a fusion of copies.
bool standsAside(const Instruction &instruction) {
  return instruction.parameterNumber >= 0 ||
         instruction.op.isOneOf<BitcastOp>() || isKind(instruction, "tuple");
}

/// How the copies of a kernel change the places of elements.
enum class CopiedPlaces : uint8_t {
  NoCopy,   ///< it is no copy, nor a fusion of copies alone
  Kept,     ///< all elements keep their order in memory
  Changed,  ///< one copy changes the layout
  Unknown,  ///< several do, and their changes may cancel
};

bool changesLayout(const Instruction &copy) {
  const OpShapes &shapes = shapesOf(copy.op);
  return shapes.operands[0].minorToMajor() != shapes.results[0].minorToMajor();
}

/// Returns what a copy, or a fusion of copies alone, does with places. Bitcasts
/// in a fusion keep them, whatever layouts they name.
CopiedPlaces copiedPlaces(const Module &module,
                          const Instruction &instruction) {
  if (isKind(instruction, "copy") || isKind(instruction, "copy-start"))
    return changesLayout(instruction) ? CopiedPlaces::Changed
                                      : CopiedPlaces::Kept;
  const auto callee = calleeOfCall(instruction);
  if (!callee || callee->computation < 0) return CopiedPlaces::NoCopy;
  size_t copies = 0, changes = 0;
  for (const Instruction &inner :
       module.computations[callee->computation].instructions) {
    if (isKind(inner, "copy")) {
      ++copies;
      changes += changesLayout(inner);
    } else if (!standsAside(inner)) {
      return CopiedPlaces::NoCopy;
    }
  }
  if (copies == 0) return CopiedPlaces::NoCopy;
  if (changes == 0) return CopiedPlaces::Kept;
  return copies == 1 ? CopiedPlaces::Changed : CopiedPlaces::Unknown;
}

/// Returns whether the result is the operand, or holds it, at the same place in
/// memory. Not for get-tuple-element: the leaf need not be the one that was put
/// into the tuple.
bool keepsPlace(const Instruction &instruction) {
  return instruction.op.is<BitcastOp>() || isKind(instruction, "tuple") ||
         isKind(instruction, "opt-barrier") || isKind(instruction, "copy-done");
}

}  // namespace

llvm::StringRef wordsOf(CopyCause cause) {
  switch (cause) {
    case CopyCause::LayoutChange:
      return "change of layout";
    case CopyCause::NotDonated:
      return "copy of a parameter that is not donated";
    case CopyCause::LoopOperand:
      return "copy of an operand of a loop";
    case CopyCause::None:
      break;
  }
  return "";
}

const std::vector<std::vector<InstructionId>> &CopyReasons::usersIn(
    ComputationId computation) {
  auto [known, isNew] = users_.try_emplace(computation);
  if (!isNew) return known->second;
  const Computation &of = module_.computations[computation];
  known->second.resize(of.instructions.size());
  for (auto [i, instruction] : llvm::enumerate(of.instructions))
    for (InstructionId operand : instruction.operands) {
      auto &users = known->second[operand];
      if (users.empty() || users.back() != static_cast<int32_t>(i))
        users.push_back(InstructionId(i));
    }
  return known->second;
}

void CopyReasons::visitReaders(ComputationId computation,
                               InstructionId instruction,
                               llvm::function_ref<bool(InstructionId)> visit) {
  const auto &users = usersIn(computation);
  const Computation &of = module_.computations[computation];
  std::set<InstructionId> seen;
  llvm::SmallVector<InstructionId, 8> left{instruction};
  while (!left.empty() && seen.size() < kMostSteps) {
    const InstructionId at = left.pop_back_val();
    for (const InstructionId user : users[at]) {
      if (!seen.insert(user).second) continue;
      if (visit(user)) return;
      if (keepsPlace(of.instructions[user])) left.push_back(user);
    }
  }
}

CopyReason CopyReasons::of(ComputationId computation, InstructionId instruction,
                           IsDonated isDonated) {
  const Computation &in = module_.computations[computation];
  const Instruction &copy = in.instructions[instruction];
  const OpShapes &shapes = shapesOf(copy.op);
  if (copy.operands.size() != 1 || shapes.operands.empty() ||
      shapes.results.empty())
    return {};
  const CopiedPlaces places = copiedPlaces(module_, copy);
  if (places == CopiedPlaces::NoCopy || places == CopiedPlaces::Unknown)
    return {};
  if (places == CopiedPlaces::Changed) {
    CopyReason reason{CopyCause::LayoutChange};
    visitReaders(computation, instruction, [&](InstructionId reader) {
      const Instruction &by = in.instructions[reader];
      if (keepsPlace(by)) return false;
      reason.reader = by.name;
      return true;
    });
    return reason;
  }
  InstructionLeaf source{copy.operands[0]};
  for (int step = 0; step < kMostSteps; ++step) {
    source = behindTuples(in, source);
    const Instruction &at = in.instructions[source.instruction];
    if (!at.op.is<BitcastOp>() || at.operands.empty()) break;
    source = {at.operands[0]};
  }
  const int64_t parameter = in.instructions[source.instruction].parameterNumber;
  if (in.entry && parameter >= 0 && !isDonated(parameter, source.leaf))
    return {CopyCause::NotDonated};
  bool isOfLoop = false;
  visitReaders(computation, instruction, [&](InstructionId reader) {
    isOfLoop |= in.instructions[reader].op.is<WhileOp>();
    return isOfLoop;
  });
  return {isOfLoop ? CopyCause::LoopOperand : CopyCause::None};
}

}  // namespace indexical
