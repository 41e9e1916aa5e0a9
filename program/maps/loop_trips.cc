#include "indexical/program/maps/loop_trips.h"

#include <vector>

#include "indexical/program/maps/counted_loops.h"
#include "indexical/program/module/callees.h"
#include "indexical/program/module/operand_leaves.h"
#include "indexical/program/values/value_walk.h"

namespace indexical {

std::optional<int64_t> tripsOf(const Module &module, ComputationId c,
                               InstructionId i) {
  const Instruction &loop = module.computations[c].instructions[i];
  if (loop.tripCount) return loop.tripCount;
  const auto counter = counterOf(module, c, i);
  if (!counter) return std::nullopt;
  return counter->trips;
}

std::optional<TripCounter> counterOf(const Module &module, ComputationId c,
                                     InstructionId i) {
  const Computation &computation = module.computations[c];
  const Instruction &loop = computation.instructions[i];
  const auto condition = calleeOf(loop, CallRole::Condition);
  const auto body = calleeOf(loop, CallRole::Body);
  if (!loop.op.is<WhileOp>() || !condition || !body) return std::nullopt;
  const auto leaves = computation.operandLeaves(i);
  const Computation &inside = module.computations[body->computation];
  OperandLeafLists lists(inside);
  // What the body leaves as it is.
  std::vector<bool> passes(shapesOf(loop.op).results.size());
  for (const auto &[parameter, leaf] : passedLeaves(inside, *body, leaves)) {
    if (leaf < 0 || leaf >= static_cast<int64_t>(passes.size())) continue;
    const InstructionLeaf next = lists.originOf({inside.root, LeafId(leaf)});
    passes[leaf] = next.instruction == inside.parameters[parameter.parameter] &&
                   next.leaf == parameter.leaf;
  }
  const auto counted =
      findCountedLoop(module, c, *condition, *body, leaves, passes);
  if (!counted) return std::nullopt;
  return TripCounter{counted->leaf, counted->first, counted->step,
                     counted->trips};
}

}  // namespace indexical
