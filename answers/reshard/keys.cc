#include "indexical/answers/reshard/keys.h"

#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/reshard/first_plans.h"

namespace indexical {

const std::string &textOf(const ReshardPlan &plan, PlanForm form) {
  return form == PlanForm::Shardy      ? plan.shardy
         : form == PlanForm::StableHlo ? plan.stablehlo
                                       : plan.hlo;
}

template <>
KeyList<ReshardAnswer> keysOf<ReshardAnswer>() {
  static constexpr Key<ReshardAnswer> kKeys[] = {
      {kKeysOf, "[the head](#the-head) without `file`", "", "", nullptr},
      {"from", "string", "never", "the first sharding, as it was given",
       [](const ReshardAnswer &of, KeyValue &to) { to.text(of.from); }},
      {"to", "string", "never", "the second sharding, as it was given",
       [](const ReshardAnswer &of, KeyValue &to) { to.text(of.to); }},
      {"shape", "string", "never", "the shape of the whole array",
       [](const ReshardAnswer &of, KeyValue &to) { to.text(of.shape.str()); }},
      {"devices", "integer >= 1", "never", "",
       [](const ReshardAnswer &of, KeyValue &to) { to.integer(of.devices); }},
      {"needed_bytes", "integer >= 0", "never",
       "the fewest bytes that all devices must receive",
       [](const ReshardAnswer &of, KeyValue &to) {
         to.integer(of.neededBytes);
       }},
      {"replication_bytes", "integer >= 0", "never",
       "what all devices receive if each of them gets the whole array first",
       [](const ReshardAnswer &of, KeyValue &to) {
         to.integer(of.replicationBytes);
       }},
      {"plans", "list of [plans](#a-plan-of-a-reshard)", "never",
       "the plans that no other one beats in bytes, collectives and memory; "
       "the best one first",
       nullptr},
  };
  return {"How to reshard?", kKeys};
}

template <>
KeyList<PlanEntry> keysOf<PlanEntry>() {
  static constexpr Key<PlanEntry> kKeys[] = {
      {"steps", "list of [steps](#a-step-of-a-plan)", "never",
       "what devices do, in order; empty: nothing",
       [](const PlanEntry &of, KeyValue &to) {
         to.objects(of.of.plan.steps);
       }},
      {"all_bytes",
       "integer >= 0",
       "never",
       "the bytes that all devices receive",
       [](const PlanEntry &of, KeyValue &to) {
         to.integer(of.of.plan.allBytes);
       },
       {1}},
      {"most_bytes",
       "integer >= 0",
       "never",
       "the bytes that one device receives at most",
       [](const PlanEntry &of, KeyValue &to) {
         to.integer(of.of.plan.mostBytes);
       },
       {2}},
      {"collectives",
       "integer >= 0",
       "never",
       "the number of steps that are collectives",
       [](const PlanEntry &of, KeyValue &to) {
         to.integer(of.of.plan.collectives);
       },
       {3}},
      {"peak_bytes",
       "integer >= 0",
       "never",
       "the most bytes of arrays that live at once on a device",
       [](const PlanEntry &of, KeyValue &to) {
         to.integer(of.of.plan.peakBytes);
       },
       {4}},
      {"answer",
       "`\"equal\"`, `\"different\"` or `\"undecided\"`",
       "never",
       "`equal`: it is proved that each device ends with its elements; a plan "
       "that is not proved comes after all that are",
       [](const PlanEntry &of, KeyValue &to) {
         to.text(of.of.isProved() ? "equal"
                 : of.of.verdict.answer == Verdict::Different
                     ? "different"
                     : "undecided");
       },
       {5}},
      {"reason", "string", "the plan is proved", "why the plan is not proved",
       [](const PlanEntry &of, KeyValue &to) {
         if (!of.of.isProved()) to.textIfAny(of.of.verdict.reason);
       }},
      {"text", "string", "a step has no form of Shardy, and `--emit=sdy`",
       "what each device runs: a module of HLO, or of StableHLO with "
       "`--emit=stablehlo`; with `--emit=sdy`, a function over whole arrays",
       [](const PlanEntry &of, KeyValue &to) {
         to.textIfAny(textOf(of.of.plan, of.form));
       }},
  };
  return {"A plan of a reshard", kKeys};
}

template <>
KeyList<ReshardStep> keysOf<ReshardStep>() {
  static constexpr Key<ReshardStep> kKeys[] = {
      {"op", "string", "never",
       "`slice` (which moves nothing), `all-gather`, `all-to-all`, "
       "`collective-permute`, `reduce-scatter` or `all-reduce`",
       [](const ReshardStep &of, KeyValue &to) { to.text(nameOf(of.op)); }},
      {"groups", "list of lists of integers",
       "the step is a slice or a permute",
       "the devices of each group, in the order of their parts",
       [](const ReshardStep &of, KeyValue &to) {
         if (of.groups.empty()) return;
         to.list(of.groups, [](const auto &group, KeyValue &each) {
           each.integers(group);
         });
       }},
      {"pairs", "list of lists of integers", "the step is not a permute",
       "the source and the target of each message",
       [](const ReshardStep &of, KeyValue &to) {
         if (of.pairs.empty()) return;
         to.list(of.pairs, [](const auto &pair, KeyValue &each) {
           each.integers({pair.first, pair.second});
         });
       }},
      {"dimension", "integer >= 0", "there are several, or none",
       "the dimension along which an all-gather joins, or which another step "
       "cuts",
       [](const ReshardStep &of, KeyValue &to) { to.integer(of.dimension); }},
      {"sharding", "string",
       "boxes are in flight, or a device has tiles that are not next to each "
       "other",
       "the sharding after the step, in HLO's form",
       [](const ReshardStep &of, KeyValue &to) { to.textIfAny(of.sharding); }},
      {"all_bytes", "integer >= 0", "never",
       "the bytes that all devices receive in this step",
       [](const ReshardStep &of, KeyValue &to) { to.integer(of.bytes); }},
  };
  return {"A step of a plan", kKeys};
}

std::vector<Described> reshardTables() {
  return {described<ReshardAnswer>(), described<PlanEntry>(),
          described<ReshardStep>(), described<FirstPlanEntry>()};
}

}  // namespace indexical
