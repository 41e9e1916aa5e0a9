#include "indexical/answers/reshard/first_plans.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/reshard/reshard.h"
#include "indexical/import/hlo/hlo_parser.h"

namespace indexical {
namespace {

/// The operations of the proof of one plan.
constexpr int64_t kFirstPlanOperations = 200'000;

std::optional<FirstPlan> planOf(const ShardedRelation &from,
                                const ShardedRelation &to, ElementType type) {
  const auto found = plansOf(from, to, type);
  if (!found.ok()) return std::nullopt;
  Ask ask;
  ask.budget.operations = kFirstPlanOperations;
  for (const ReshardPlan &plan : found->plans) {
    const auto local = parseHlo(plan.hlo);
    if (!local.ok()) continue;
    const auto verdict = isReshard(*local, from, to, type, ask);
    if (!verdict.ok() || !verdict->isSame()) continue;
    FirstPlan first;
    for (const ReshardStep &step : plan.steps) first.steps.push_back(step.op);
    first.collectives = plan.collectives;
    first.allBytes = plan.allBytes;
    first.replicationBytes = found->replicationBytes;
    return first;
  }
  return std::nullopt;
}

}  // namespace

std::optional<FirstPlan> FirstPlans::of(const ShardedRelation &from,
                                        const ShardedRelation &to,
                                        ElementType type) {
  if (std::max(from.sharding().devices(), to.sharding().devices()) >
      kMostDevices)
    return std::nullopt;
  const auto first = hloTextOf(from.sharding()),
             second = hloTextOf(to.sharding());
  if (!first || !second) return std::nullopt;
  // The text of a replicated sharding does not say over how many devices it is.
  const std::string key = ArrayShape(type, from.global()).str() + *first + " " +
                          std::to_string(from.sharding().devices()) + *second +
                          " " + std::to_string(to.sharding().devices());
  if (const auto known = known_.find(key); known != known_.end())
    return known->second;
  if (known_.size() >= kMost) return std::nullopt;
  return known_[key] = planOf(from, to, type);
}

template <>
KeyList<FirstPlanEntry> keysOf<FirstPlanEntry>() {
  static constexpr Key<FirstPlanEntry> kKeys[] = {
      {"operand", "integer >= 0", "it is that of a reshard of `report`",
       "the operand that is moved: its number among the arrays of all operands",
       [](const FirstPlanEntry &of, KeyValue &to) { to.integer(of.operand); }},
      {"instruction", "string", "as `operand`",
       "the instruction that computes it",
       [](const FirstPlanEntry &of, KeyValue &to) {
         to.textIfAny(of.instruction);
       }},
      {"ops", "list of strings", "never",
       "what devices do, in order, as [steps](#a-step-of-a-plan) name it; "
       "empty: nothing",
       [](const FirstPlanEntry &of, KeyValue &to) {
         to.list(of.of.steps, [](ReshardStep::Op op, KeyValue &each) {
           each.text(nameOf(op));
         });
       }},
      {"collectives", "integer >= 0", "never",
       "the number of its steps that are collectives",
       [](const FirstPlanEntry &of, KeyValue &to) {
         to.integer(of.of.collectives);
       }},
      {"all_bytes", "integer >= 0", "never",
       "the bytes that all devices receive, in one trip",
       [](const FirstPlanEntry &of, KeyValue &to) {
         to.integer(of.of.allBytes);
       }},
      {"replication_bytes", "integer >= 0", "never",
       "what all devices receive if each of them gets the whole array first",
       [](const FirstPlanEntry &of, KeyValue &to) {
         to.integer(of.of.replicationBytes);
       }},
      {"saved_bytes", "integer >= 0", "the reshard has no `all_bytes`",
       "what the plan saves: for a reshard of `report`, compared with its own "
       "`all_bytes` in all trips; for an operand, compared with "
       "`replication_bytes`",
       [](const FirstPlanEntry &of, KeyValue &to) { to.integer(of.saved); }},
  };
  return {"A first plan", kKeys};
}

std::string stepsText(const FirstPlan &plan) {
  if (plan.steps.empty()) return "nothing";
  // Steps of one kind in a row are one word: a plan may have many permutes.
  std::string text;
  for (size_t k = 0; k < plan.steps.size();) {
    size_t end = k;
    while (end < plan.steps.size() && plan.steps[end] == plan.steps[k]) ++end;
    text += (text.empty() ? "" : ", ") +
            (end - k > 1 ? std::to_string(end - k) + " x " : std::string()) +
            nameOf(plan.steps[k]).str();
    k = end;
  }
  return text;
}

}  // namespace indexical
