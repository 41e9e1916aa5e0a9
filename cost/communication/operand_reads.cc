#include "indexical/cost/communication/operand_reads.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/program/sharding/program_shardings.h"

namespace indexical {
namespace {

/// Adds what another array of the result takes of the same operand.
void add(const LocalReads &of, LocalReads &to) {
  for (int64_t k : of.dimensions)
    if (!llvm::is_contained(to.dimensions, k)) to.dimensions.push_back(k);
  llvm::sort(to.dimensions);
  if (to.areLocal == Answer::No || of.areLocal == Answer::Yes) return;
  to.areLocal = of.areLocal;
  to.reason = of.reason;
}

}  // namespace

absl::StatusOr<std::vector<OperandReads>> ShardedOperands::of(
    Leaf leaf, const ShardedRelation &result) {
  const Module &module = maps_.module();
  const Computation &computation = module.computations[leaf.computation];
  std::vector<OperandReads> all;
  for (auto [k, operand] :
       llvm::enumerate(computation.operandLeaves(leaf.instruction))) {
    if (operand.instruction < 0) continue;
    const Instruction &from = computation.instructions[operand.instruction];
    if (from.sharding.empty()) continue;
    INDEXICAL_ASSIGN_OR_RETURN(
        const auto shardings,
        shardingsOf(program_, module, from, context_, devices_));
    const ShapeList arrays = from.shape.leaves();
    if (operand.result >= static_cast<int64_t>(shardings.size()) ||
        operand.result >= static_cast<int64_t>(arrays.size()))
      continue;
    const auto relation = ShardedRelation::make(
        arrays[operand.result].dimensions, shardings[operand.result]);
    if (!relation.ok()) continue;
    const auto reads =
        maps_.instruction(leaf, LeafId(k), Direction::OutputToInput);
    if (!reads.ok()) continue;
    INDEXICAL_ASSIGN_OR_RETURN(auto local,
                               localReads(*reads, result, *relation, options_));
    all.push_back({static_cast<int64_t>(k), from.name.str(), std::move(local)});
  }
  return all;
}

absl::StatusOr<std::vector<OperandReads>> ShardedOperands::of(
    ComputationId computation, InstructionId instruction) {
  const Module &module = maps_.module();
  const Instruction &op =
      module.computations[computation].instructions[instruction];
  std::vector<OperandReads> all;
  if (op.sharding.empty()) return all;
  INDEXICAL_ASSIGN_OR_RETURN(
      const auto shardings,
      shardingsOf(program_, module, op, context_, devices_));
  const ShapeList leaves = op.shape.leaves();
  for (auto [k, sharding] : llvm::enumerate(shardings)) {
    if (k >= leaves.size() || sharding.none() != NoElements::None) continue;
    const auto relation = ShardedRelation::make(leaves[k].dimensions, sharding);
    if (!relation.ok()) continue;
    INDEXICAL_ASSIGN_OR_RETURN(
        auto each, of({computation, instruction, LeafId(k)}, *relation));
    for (OperandReads &operand : each) {
      auto known = llvm::find_if(all, [&](const OperandReads &other) {
        return other.number == operand.number;
      });
      if (known == all.end())
        all.push_back(std::move(operand));
      else
        add(operand.reads, known->reads);
    }
  }
  return all;
}

}  // namespace indexical
