#include "indexical/same/partitioned/obstacles.h"

#include "indexical/program/values/effects.h"
#include "indexical/same/equality/hidden_effects.h"
#include "indexical/same/equality/obstacle.h"

namespace indexical {

PartitionedObstacle obstacleIn(const Program &program, int module,
                               const Stacker::Cause &cause, int64_t device) {
  return {equalityObstacleAt(program.modules[0], module, cause.computation,
                             cause.instruction, cause.reason),
          device};
}

std::optional<PartitionedObstacle> effectOf(const Program &program,
                                            int module) {
  const Module &of = program.modules[0];
  const auto found = computationsWithEffects(of).first(of.entry);
  if (!found) return std::nullopt;
  return obstacleIn(
      program, module,
      {found->first, found->second, "its effects are not compared"},
      /*device=*/0);
}

void sumUp(const Program &first, const Program &second,
           PartitionedEquality &equality) {
  Verdict &verdict = equality.verdict;
  verdict.answer = Verdict::Same;
  for (const PartitionedResult &result : equality.results) {
    if (result.verdict.answer <= verdict.answer) continue;
    verdict.answer = result.verdict.answer;
    verdict.witness = result.verdict.witness;
    verdict.decidedBy = result.verdict.decidedBy;
  }
  if (verdict.isSame())
    verdict.assumed = assumptionsOf(first.modules[0], second.modules[0]);
}

}  // namespace indexical
