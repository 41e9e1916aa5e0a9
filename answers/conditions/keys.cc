#include "indexical/answers/conditions/keys.h"

#include "indexical/answers/maps/keys.h"

namespace indexical {

template <>
KeyList<ModuleConditions> keysOf<ModuleConditions>() {
  static constexpr Key<ModuleConditions> kKeys[] = {
      {kKeysOf, "[the head](#the-head)", "", "", nullptr},
      {"conditions",
       "list of [conditions of a computation](#conditions-of-a-computation)",
       "never",
       "the conditions of the entry, then those of each computation that has "
       "conditions and may not run",
       nullptr},
  };
  return {"What must hold", kKeys};
}

template <>
KeyList<ConditionsEntry> keysOf<ConditionsEntry>() {
  static constexpr Key<ConditionsEntry> kKeys[] = {
      {"computation", "string", "never",
       "the computation; its conditions include those of the computations "
       "that it calls",
       [](const ConditionsEntry &of, KeyValue &to) {
         to.text(of.module.computations[of.of.computation].name);
       }},
      {"requires", "list of [conditions](#a-condition)", "never",
       "what must hold",
       [](const ConditionsEntry &of, KeyValue &to) {
         to.list(of.of.conditions,
                 [&](const RunCondition &each, KeyValue &item) {
                   item.object(ConditionEntry{of, each});
                 });
       }},
      {"names", "list of [names](#a-name-in-a-condition)", "never",
       "what the conditions name",
       [](const ConditionsEntry &of, KeyValue &to) {
         to.list(of.of.named(), [&](uint32_t number, KeyValue &each) {
           each.object(ConditionNameEntry{of, number});
         });
       }},
      {"unknown", "list of [instructions](#an-instruction-with-conditions)",
       "all conditions can be written",
       "the instructions with further conditions, which cannot be written",
       [](const ConditionsEntry &of, KeyValue &to) {
         if (!of.of.unknown.empty())
           to.list(of.of.unknown, [&](const auto &place, KeyValue &each) {
             each.object(ConditionPlace{of.module, place.first, place.second});
           });
       }},
      {"never", "`true`", "it is not known",
       "no sizes and values meet all of the conditions",
       [](const ConditionsEntry &of, KeyValue &to) {
         to.ifTrue(of.of.neverHold);
       }},
  };
  return {"Conditions of a computation", kKeys};
}

template <>
KeyList<ConditionEntry> keysOf<ConditionEntry>() {
  static constexpr Key<ConditionEntry> kKeys[] = {
      {kKeysOf,
       "[an instruction with conditions](#an-instruction-with-conditions)", "",
       "",
       [](const ConditionEntry &of, KeyValue &to) {
         to.keys(ConditionPlace{of.in.module, of.of.computation,
                                of.of.instruction});
       }},
      {"condition", "string", "never",
       "an expression of the names, and the interval that it must be in: `rt0 "
       "- rt1 in [0, 0]`",
       [](const ConditionEntry &of, KeyValue &to) {
         to.text(of.in.of.text(of.of));
       }},
  };
  return {"A condition", kKeys};
}

template <>
KeyList<ConditionPlace> keysOf<ConditionPlace>() {
  static constexpr Key<ConditionPlace> kKeys[] = {
      {"computation", "string", "never", "where the instruction is",
       [](const ConditionPlace &of, KeyValue &to) { to.text(of.in().name); }},
      {"instruction", "string", "never", "its name",
       [](const ConditionPlace &of, KeyValue &to) {
         to.text(of.in().instructions[of.instruction].name);
       }},
      {"opcode", "string", "never", "its opcode",
       [](const ConditionPlace &of, KeyValue &to) {
         to.text(of.in().instructions[of.instruction].opcode);
       }},
  };
  return {"An instruction with conditions", kKeys};
}

template <>
KeyList<ConditionNameEntry> keysOf<ConditionNameEntry>() {
  static constexpr Key<ConditionNameEntry> kKeys[] = {
      {"name", "string", "never", "as conditions have it",
       [](const ConditionNameEntry &of, KeyValue &to) {
         to.text("rt" + std::to_string(of.number));
       }},
      {"size_of", "[size of a tensor](#the-size-of-a-tensor)",
       "it is an element", "what it is",
       [](const ConditionNameEntry &of, KeyValue &to) {
         const RunValue &value = of.value();
         if (!value.isSize) return;
         const Value tensor{
             value.computation, value.leaf.instruction, value.leaf.leaf, {}};
         to.object(TensorSizeEntry{of.in.module, tensor, value.dimension});
       }},
      {"element_of", "[element of a tensor](#the-element-of-a-tensor)",
       "it is a size", "what it is",
       [](const ConditionNameEntry &of, KeyValue &to) {
         if (!of.value().isSize)
           to.object(TensorElementEntry{of.in.module, of.value()});
       }},
  };
  return {"A name in a condition", kKeys};
}

template <>
KeyList<TensorElementEntry> keysOf<TensorElementEntry>() {
  static constexpr Key<TensorElementEntry> kKeys[] = {
      {"computation", "string", "never", "where the tensor is",
       [](const TensorElementEntry &of, KeyValue &to) {
         to.text(of.in().name);
       }},
      {"instruction", "string", "never", "the instruction that makes it",
       [](const TensorElementEntry &of, KeyValue &to) {
         to.text(of.in().instructions[of.of.leaf.instruction].name);
       }},
      {"result", "integer >= 0", "never", "which of its arrays it is",
       [](const TensorElementEntry &of, KeyValue &to) {
         to.integer(int64_t{of.of.leaf.leaf});
       }},
      {"index", "list of integers", "never", "the index of the element",
       [](const TensorElementEntry &of, KeyValue &to) {
         to.integers(of.of.index);
       }},
  };
  return {"The element of a tensor", kKeys};
}

std::vector<Described> conditionsTables() {
  return {described<ModuleConditions>(),   described<ConditionsEntry>(),
          described<ConditionEntry>(),     described<ConditionPlace>(),
          described<ConditionNameEntry>(), described<TensorElementEntry>()};
}

}  // namespace indexical
