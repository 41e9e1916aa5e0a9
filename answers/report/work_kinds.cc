#include "indexical/answers/report/work_kinds.h"

#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/report/kernel_cost.h"
#include "indexical/ops/families.h"
#include "indexical/ops/op.h"
#include "indexical/program/module/callees.h"

namespace indexical {
namespace {

/// Words in the names of libraries' functions for attention.
constexpr llvm::StringLiteral kAttention[] = {"fmha", "attention", "flash_attn",
                                              "sdpa"};

bool isCollective(const Instruction &instruction) {
  const Op &op = innermost(instruction.op);
  return op.is<AllGatherOp>() || op.is<AllReduceOp>() || op.is<AllToAllOp>() ||
         op.is<CollectiveBroadcastOp>() || op.is<CollectivePermuteOp>() ||
         op.is<RaggedAllToAllOp>() || op.is<ReduceScatterOp>() ||
         &op.kind() == kindOf<CoverOp>("collective-reduce");
}

bool isAttention(const Instruction &instruction) {
  const std::string target = instruction.customCallTarget.lower();
  return llvm::any_of(kAttention, [&](llvm::StringRef word) {
    return llvm::StringRef(target).contains(word);
  });
}

bool reduces(const Instruction &instruction) {
  return innermost(instruction.op).isOneOf<ReduceOp, ReduceWindowOp>();
}

bool isElsewhere(const Instruction &instruction) {
  return !instruction.customCallTarget.empty() ||
         innermost(instruction.op)
             .isOneOf<SortOp, FftOp, CustomOp, TopKOp, CholeskyOp,
                      TriangularSolveOp>();
}

}  // namespace

llvm::StringRef nameOf(WorkKind kind) {
  switch (kind) {
    case WorkKind::Products:
      return "products";
    case WorkKind::Attention:
      return "attention";
    case WorkKind::Copies:
      return "copies";
    case WorkKind::Collectives:
      return "collectives";
    case WorkKind::Reductions:
      return "reductions";
    case WorkKind::Elementwise:
      return "elementwise";
    case WorkKind::Others:
      break;
  }
  return "others";
}

WorkKind workKindOf(const Module &module, const KernelCost &kernel) {
  const Instruction &instruction =
      module.computations[kernel.computation].instructions[kernel.instruction];
  llvm::ArrayRef<Instruction> all = instruction;
  if (const auto callee = calleeOfCall(instruction);
      callee && callee->computation >= 0)
    all = module.computations[callee->computation].instructions;
  if (isCollective(instruction) || llvm::any_of(all, isCollective))
    return WorkKind::Collectives;
  if (isAttention(instruction) || llvm::any_of(all, isAttention))
    return WorkKind::Attention;
  if (kernel.facts.operations.count > 0) return WorkKind::Products;
  if (kernel.facts.moved.onlyMoves) return WorkKind::Copies;
  if (isElsewhere(instruction) || llvm::any_of(all, isElsewhere))
    return WorkKind::Others;
  return llvm::any_of(all, reduces) ? WorkKind::Reductions
                                    : WorkKind::Elementwise;
}

}  // namespace indexical
