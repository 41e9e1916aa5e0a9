#include "indexical/analysis/launch/movement.h"

#include <set>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/module/callees.h"
#include "indexical/ops/op.h"

namespace indexical {
namespace {

// Fusions in fusions; deeper ones are no compiler's.
constexpr int kMostReaders = 8;
/// Instructions between a copy and its source, or its reader.
constexpr int kMostSteps = 64;

bool isKind(const Instruction &instruction, llvm::StringRef name) {
  const auto kind = instruction.op.kind().name;
  return llvm::StringRef(kind.data(), kind.size()) == name;
}

/// Returns the computation that a fusion or a call runs. One that a reduction
/// or a scatter calls computes, even if it only computes scalars.
std::optional<Callee> bodyOf(const Instruction &instruction) {
  return innermost(instruction.op).is<CallOp>() ? calleeOfCall(instruction)
                                                : std::nullopt;
}

/// Whether every array of the shape has one element at most.
bool isScalar(const Instruction &instruction) {
  return llvm::all_of(
      shapesOf(instruction.op).results, [](const ArrayShape &shape) {
        return llvm::all_of(shape.dimensions,
                            [](int64_t n) { return n == 0 || n == 1; });
      });
}

/// Whether the op gives the values of its operands, or values that the text
/// says.
bool handsOn(const Instruction &instruction) {
  const Op &op = instruction.op;
  // With groups of one device they pass values on, too. A snippet may lack what
  // they call.
  if (instruction.opcode.starts_with("all-reduce") ||
      instruction.opcode.starts_with("reduce-scatter"))
    return false;
  if (op.isOneOf<BitcastOp, BitcastConvertOp, BroadcastOp, ConcatenateOp,
                 ConstantOp, DynamicReshapeOp, DynamicSliceOp,
                 DynamicUpdateSliceOp, ForwardOp, GatherOp, PadOp, ReshapeOp,
                 ReverseOp, SliceOp, TransposeOp>())
    return true;
  return instruction.parameterNumber >= 0 ||
         &op.kind() == kindOf<ElementwiseOp>("copy") ||
         &op.kind() == kindOf<ElementwiseOp>("convert");
}

bool allMove(const Module &module, const Computation &computation, int depth) {
  return llvm::all_of(
      computation.instructions, [&](const Instruction &instruction) {
        if (handsOn(instruction)) return true;
        const auto callee = bodyOf(instruction);
        if (callee)
          return callee->computation >= 0 && depth < kMostReaders &&
                 allMove(module, module.computations[callee->computation],
                         depth + 1);
        return instruction.called.empty() &&
               instruction.customCallTarget.empty() && isScalar(instruction);
      });
}

/// Returns whether the op may stand beside a copy in a fusion of copies.
bool standsAside(const Instruction &instruction) {
  return instruction.parameterNumber >= 0 ||
         instruction.op.isOneOf<BitcastOp>() || isKind(instruction, "tuple");
}

/// Whether the instruction is a copy, or a fusion of copies alone.
bool isCopy(const Module &module, const Instruction &instruction) {
  if (isKind(instruction, "copy") || isKind(instruction, "copy-start"))
    return true;
  const auto callee = bodyOf(instruction);
  if (!callee || callee->computation < 0) return false;
  bool copies = false;
  for (const Instruction &inner :
       module.computations[callee->computation].instructions) {
    if (isKind(inner, "copy"))
      copies = true;
    else if (!standsAside(inner))
      return false;
  }
  return copies;
}

/// Returns whether the result is the operand, or holds it, at the same place in
/// memory. Not for get-tuple-element: the leaf need not be the one that was put
/// into the tuple.
bool keepsPlace(const Instruction &instruction) {
  return instruction.op.is<BitcastOp>() || isKind(instruction, "tuple") ||
         isKind(instruction, "opt-barrier") || isKind(instruction, "copy-done");
}

}  // namespace

bool onlyMoves(const Module &module, const Instruction &instruction) {
  // A custom call's computation need not say what its target does.
  if (!instruction.customCallTarget.empty()) return false;
  const auto callee = bodyOf(instruction);
  if (callee)
    return callee->computation >= 0 &&
           allMove(module, module.computations[callee->computation], 1);
  return instruction.called.empty() && handsOn(instruction);
}

llvm::StringRef nameOf(CopyCause cause) {
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
  if (copy.operands.size() != 1 || !isCopy(module_, copy)) return {};
  const OpShapes &shapes = shapesOf(copy.op);
  if (shapes.operands.empty() || shapes.results.empty()) return {};
  if (shapes.operands[0].minorToMajor() != shapes.results[0].minorToMajor()) {
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
