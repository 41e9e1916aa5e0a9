#include "indexical/answers/sharding/sharding.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"

#include "indexical/answers/find_instruction.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/families.h"
#include "indexical/ops/identity.h"
#include "indexical/program/maps/program_indexing.h"
#include "indexical/program/sharding/program_shardings.h"

namespace indexical {
namespace {

absl::Status fill(const ShardingQuestion &asked, bool isLocal,
                  ValueSharding &shown) {
  shown.reason = reasonOf(shown.sharding.none()).str();
  if (isLocal) {
    shown.reason = "the module is partitioned, and its shapes are local";
    return absl::OkStatus();
  }
  auto relation = ShardedRelation::make(shown.shape.dimensions, shown.sharding);
  if (!relation.ok()) {
    shown.reason = std::string(relation.status().message());
    return absl::OkStatus();
  }
  shown.relation = *std::move(relation);
  if (!shown.reason.empty()) return absl::OkStatus();
  if (asked.device && shown.sharding.devices() >= 0 &&
      static_cast<int64_t>(*asked.device) >= shown.sharding.devices())
    return absl::InvalidArgumentError("there is no device " +
                                      std::to_string(*asked.device) + " of " +
                                      std::to_string(shown.sharding.devices()));
  if (asked.element && asked.element->size() != shown.shape.dimensions.size())
    return absl::InvalidArgumentError(
        "--element has " + std::to_string(asked.element->size()) +
        " numbers, and the value has rank " +
        std::to_string(shown.shape.dimensions.size()));
  auto map = shown.relation->map(Direction::OutputToInput);
  if (map.ok())
    shown.map = *std::move(map);
  else if (absl::IsResourceExhausted(map.status()))
    shown.reason = std::string(map.status().message());
  else
    return map.status();
  return absl::OkStatus();
}

/// Adds the plans of operands that are read at the result's own index.
void addPlans(const Program &program, ProgramIndexing &maps, Leaf leaf,
              const ShardingContext &context, int64_t devices,
              FirstPlans &plans, ValueSharding &shown) {
  const Computation &computation =
      maps.module().computations[leaf.computation];
  for (auto [k, operand] :
       llvm::enumerate(computation.operandLeaves(leaf.instruction))) {
    const bool isLocal =
        llvm::any_of(shown.operands, [&, k = k](const OperandReads &each) {
          return each.number == static_cast<int64_t>(k) &&
                 each.reads.areLocal == Answer::Yes;
        });
    if (isLocal || operand.instruction < 0) continue;
    const Instruction &from = computation.instructions[operand.instruction];
    const ShapeList arrays = from.shape.leaves();
    if (from.sharding.empty() ||
        operand.result >= static_cast<int64_t>(arrays.size()))
      continue;
    const ArrayShape shape = arrays[operand.result];
    const auto reads =
        maps.instruction(leaf, LeafId(k), Direction::OutputToInput);
    if (!reads.ok() || reads->precision() != Precision::Exact ||
        reads->pieces().size() != 1 || !isIdentity(reads->pieces()[0], shape))
      continue;
    auto shardings =
        shardingsOf(program, maps.module(), from, context, devices);
    if (!shardings.ok() ||
        operand.result >= static_cast<int64_t>(shardings->size()))
      continue;
    auto relation = ShardedRelation::make(shape.dimensions,
                                          (*shardings)[operand.result]);
    // A value that every device has needs no plan.
    if (!relation.ok() || relation->sharding().devices() < 0) continue;
    auto plan = plans.of(*relation, *shown.relation, shape.type);
    if (plan && plan->collectives > 0)
      shown.plans.push_back(
          {static_cast<int64_t>(k), from.name.str(), *std::move(plan)});
  }
}

ShardingAnswer emptyAnswer(const ShardingQuestion &asked) {
  ShardingAnswer answer;
  if (asked.device) answer.device = static_cast<int64_t>(*asked.device);
  answer.element = asked.element;
  return answer;
}

}  // namespace

std::vector<int64_t> ShardingAnswer::devicesShown(int64_t devices,
                                                  int64_t most) const {
  if (device) return {*device};
  std::vector<int64_t> shown;
  for (int64_t each = 0; each < std::min(devices, most); ++each)
    shown.push_back(each);
  return shown;
}

absl::StatusOr<ShardingAnswer> shardingsGiven(const ShardingQuestion &asked) {
  INDEXICAL_ASSIGN_OR_RETURN(auto given, givenShardings(asked));
  ShardingAnswer answer = emptyAnswer(asked);
  for (auto [k, each] : llvm::enumerate(given)) {
    ValueSharding shown;
    shown.result = LeafId(k);
    shown.text = asked.sharding;
    shown.source = "option";
    shown.shape = each.shape;
    shown.sharding = each.sharding;
    INDEXICAL_RETURN_IF_ERROR(fill(asked, false, shown));
    answer.values.push_back(std::move(shown));
  }
  return answer;
}

absl::StatusOr<ShardingAnswer> shardingsIn(const Program &program,
                                           const ShardingQuestion &asked) {
  ShardingAnswer answer = emptyAnswer(asked);
  FirstPlans plans;
  bool found = asked.instruction.empty();
  llvm::SmallVector<llvm::StringRef, 16> known;
  for (const Module &module : program.modules) {
    ShardingContext context = shardingContextOf(module);
    if (asked.partitions) context.devices = *asked.partitions;
    INDEXICAL_RETURN_IF_ERROR(addMeshes(asked, context));
    const int64_t devices = devicesOf(module, context);
    const bool isLocal = isPartitioned(module);
    ProgramIndexing maps(module);
    ShardedOperands sharded(program, maps, context, devices);
    for (auto [c, computation] : llvm::enumerate(module.computations))
      for (auto [i, instruction] : llvm::enumerate(computation.instructions)) {
        known.push_back(instruction.name);
        if (!asked.instruction.empty() && instruction.name != asked.instruction)
          continue;
        found = true;
        INDEXICAL_ASSIGN_OR_RETURN(
            auto shardings,
            shardingsOf(program, module, instruction, context, devices));
        const ShapeList leaves = instruction.shape.leaves();
        for (auto [k, sharding] : llvm::enumerate(shardings)) {
          ValueSharding shown;
          shown.instruction = instruction.name.str();
          shown.result = LeafId(k);
          const bool shardy =
              llvm::StringRef(instruction.sharding).starts_with("#sdy");
          shown.text = shardy || instruction.sharding.starts_with("{")
                           ? instruction.sharding.str()
                           : ("{" + instruction.sharding + "}").str();
          shown.source = sourceOf(instruction.sharding, asked.isMlir).str();
          shown.shape = leaves[k];
          shown.sharding = sharding;
          if (auto status = fill(asked, isLocal, shown); !status.ok())
            return withPlace(status, instruction.place);
          const Leaf leaf = {ComputationId(c), InstructionId(i), LeafId(k)};
          if (shown.relation && shown.reason.empty() &&
              !instruction.op.is<ForwardOp>()) {
            INDEXICAL_ASSIGN_OR_RETURN(shown.operands,
                                       sharded.of(leaf, *shown.relation));
          }
          if (shown.relation && shown.reason.empty())
            addPlans(program, maps, leaf, context, devices, plans, shown);
          answer.values.push_back(std::move(shown));
        }
      }
  }
  if (!found)
    return withPlace(unknownName("instruction", asked.instruction, known),
                     {1, 1});
  return answer;
}

}  // namespace indexical
