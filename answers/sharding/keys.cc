#include "indexical/answers/sharding/keys.h"

#include <algorithm>

#include "indexical/answers/maps/keys.h"
#include "indexical/answers/report/keys.h"

namespace indexical {
namespace {

void boxesOf(const ShardingEntry &of, KeyValue &to) {
  const int64_t devices = of.of.sharding.devices();
  if (!of.of.relation || !of.of.reason.empty() || devices < 0 ||
      devices > ShardingAnswer::kMostBoxes)
    return;
  to.list(of.in.devicesShown(devices, ShardingAnswer::kMostBoxes),
          [&](int64_t device, KeyValue &each) {
            each.object(DeviceBoxEntry{of.of, device});
          });
}

}  // namespace

template <>
KeyList<ShardingAnswer> keysOf<ShardingAnswer>() {
  static constexpr Key<ShardingAnswer> kKeys[] = {
      {kKeysOf, "[the head](#the-head)", "", "", nullptr},
      {"shardings", "list of [shardings](#a-sharding)", "never",
       "one for each array with a sharding, in file order", nullptr},
  };
  return {"Who holds what?", kKeys};
}

template <>
KeyList<ShardingEntry> keysOf<ShardingEntry>() {
  static constexpr Key<ShardingEntry> kKeys[] = {
      {"instruction",
       "string",
       "`--sharding` gives it",
       "the instruction that has the value",
       [](const ShardingEntry &of, KeyValue &to) {
         to.textIfAny(of.of.instruction);
       },
       {1}},
      {"result",
       "integer >= 0",
       "`--sharding` gives it",
       "which of its arrays",
       [](const ShardingEntry &of, KeyValue &to) {
         if (!of.of.instruction.empty()) to.integer(int64_t{of.of.result});
       },
       {2}},
      {"text",
       "string",
       "never",
       "the sharding as it stands",
       [](const ShardingEntry &of, KeyValue &to) { to.text(of.of.text); },
       {3}},
      {"source",
       "`\"sharding\"`, `\"mhlo.sharding\"`, `\"sdy\"`, `\"frontend\"`, "
       "`\"proto\"` or `\"option\"`",
       "never",
       "where it stands",
       [](const ShardingEntry &of, KeyValue &to) { to.text(of.of.source); },
       {4}},
      {"global",
       "list of integers",
       "there are no global elements, or the shape is a local one",
       "the sizes of the whole array",
       [](const ShardingEntry &of, KeyValue &to) {
         if (of.of.relation && of.of.sharding.none() == NoElements::None)
           to.integers(of.of.relation->global());
       },
       {5}},
      {"local",
       "list of integers",
       "a size is not known",
       "the sizes of what each device has",
       [](const ShardingEntry &of, KeyValue &to) {
         if (of.of.relation)
           to.integers(of.of.relation->local());
         else if (of.of.shape.dynamic.none() || of.of.shape.dynamic.empty())
           to.integers(of.of.shape.dimensions);
       },
       {6}},
      {"devices",
       "integer >= 0",
       "`replicated` without a count",
       "",
       [](const ShardingEntry &of, KeyValue &to) {
         if (of.of.sharding.devices() >= 0)
           to.integer(of.of.sharding.devices());
       },
       {7}},
      {"map", "[map](#a-map)",
       "there are no global elements; it has several pieces",
       "(device, local index) to the global index, padding left out. Without "
       "`devices`, the local index to the global one",
       [](const ShardingEntry &of, KeyValue &to) {
         if (of.of.map && of.of.map->pieces().size() == 1)
           to.object(MapEntry(of.of.map->pieces()[0]));
       }},
      {"pieces", "list of [maps](#a-map)", "it is one map",
       "the pieces of such a map: one for each device of a permuted list",
       [](const ShardingEntry &of, KeyValue &to) {
         if (of.of.map && of.of.map->pieces().size() > 1)
           to.list(of.of.map->pieces(),
                   [](const IndexingMap &piece, KeyValue &each) {
                     each.object(MapEntry(piece));
                   });
       }},
      {"parts",
       "integer >= 2",
       "an element is one number",
       "the number of parts of an element; a device has one of them",
       [](const ShardingEntry &of, KeyValue &to) {
         if (of.of.sharding.parts() > 1) to.integer(of.of.sharding.parts());
       },
       {8}},
      {"reduction",
       "string",
       "as `parts`",
       "how parts are combined: `sum`, `max`…",
       [](const ShardingEntry &of, KeyValue &to) {
         if (of.of.sharding.parts() > 1)
           to.text(of.of.sharding.reduction().empty()
                       ? "sum"
                       : of.of.sharding.reduction());
       },
       {9}},
      {"boxes", "list of [boxes](#a-box-of-a-device)",
       "as `map`; there are more than 4096 devices",
       "what each device holds, or that of `--device`", boxesOf},
      {"copies", "list of [copies](#a-copy-of-an-element)",
       "`--element` was not given", "who holds the element",
       [](const ShardingEntry &of, KeyValue &to) {
         if (!of.of.relation || !of.in.element || of.of.sharding.devices() < 0)
           return;
         to.list(of.of.relation->copiesOf(*of.in.element),
                 [&](const ShardedRelation::Copy &copy, KeyValue &each) {
                   each.object(ElementCopyEntry{of.of, copy});
                 });
       }},
      {"operands", "list of [operands](#an-operand-of-a-sharding)",
       "no operand has a sharding; there are no global elements",
       "whether devices hold what they read of these",
       [](const ShardingEntry &of, KeyValue &to) {
         if (!of.of.operands.empty()) to.objects(of.of.operands);
       }},
      {"plans", "list of [first plans](#a-first-plan)",
       "each operand with a sharding has the result's elements on their "
       "devices, or is read at other indices; no plan is proved; there are "
       "more than 256 devices; 16 other reshards are planned",
       "the collectives that bring such operands to the result's sharding, as "
       "`reshard` plans them",
       [](const ShardingEntry &of, KeyValue &to) {
         if (of.of.plans.empty()) return;
         to.list(of.of.plans, [](const ValueSharding::Plan &plan,
                                 KeyValue &each) {
           each.object(FirstPlanEntry{
               plan.plan,
               std::max<int64_t>(
                   0, plan.plan.replicationBytes - plan.plan.allBytes),
               plan.number, plan.instruction});
         });
       }},
      {"reason",
       "string",
       "there is a map",
       "why there is none: `manual`, `unknown`…",
       [](const ShardingEntry &of, KeyValue &to) {
         to.textIfAny(of.of.reason);
       },
       {10}},
  };
  return {"A sharding", kKeys};
}

template <>
KeyList<DeviceBoxEntry> keysOf<DeviceBoxEntry>() {
  static constexpr Key<DeviceBoxEntry> kKeys[] = {
      {"device", "integer >= 0", "never", "",
       [](const DeviceBoxEntry &of, KeyValue &to) { to.integer(of.device); }},
      {"box", "list of lists of integers, or null", "never",
       "for each dimension the first element, and the one after the last; "
       "null: the device holds nothing",
       [](const DeviceBoxEntry &of, KeyValue &to) {
         const auto box = of.of.relation->box(of.device);
         if (!box) return to.null();
         to.list(*box, [](const auto &side, KeyValue &each) {
           each.integers({side.first, side.second});
         });
       }},
      {"elements", "integer >= 0", "never", "",
       [](const DeviceBoxEntry &of, KeyValue &to) {
         const auto box = of.of.relation->box(of.device);
         to.integer(box ? elementsOf(*box) : 0);
       }},
      {"part", "integer >= 0", "the sharding has no `parts`", "",
       [](const DeviceBoxEntry &of, KeyValue &to) {
         if (of.of.sharding.parts() > 1 && of.of.relation->box(of.device))
           to.integer(of.of.sharding.holding(of.device)->part);
       }},
  };
  return {"A box of a device", kKeys};
}

template <>
KeyList<ElementCopyEntry> keysOf<ElementCopyEntry>() {
  static constexpr Key<ElementCopyEntry> kKeys[] = {
      {"device", "integer >= 0", "never", "",
       [](const ElementCopyEntry &of, KeyValue &to) {
         to.integer(of.copy.device);
       }},
      {"local", "list of integers", "never", "where it is on that device",
       [](const ElementCopyEntry &of, KeyValue &to) {
         to.integers(of.copy.local);
       }},
      {"part", "integer >= 0", "the sharding has no `parts`", "",
       [](const ElementCopyEntry &of, KeyValue &to) {
         if (of.of.sharding.parts() > 1) to.integer(of.copy.part);
       }},
  };
  return {"A copy of an element", kKeys};
}

std::vector<Described> shardingTables() {
  return {described<ShardingAnswer>(), described<ShardingEntry>(),
          described<DeviceBoxEntry>(), described<ElementCopyEntry>()};
}

}  // namespace indexical
