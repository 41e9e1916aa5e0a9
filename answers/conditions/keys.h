// The keys of run conditions (answers/fields.h), as docs/keys.md has them.
#ifndef INDEXICAL_ANSWERS_CONDITIONS_KEYS_H
#define INDEXICAL_ANSWERS_CONDITIONS_KEYS_H

#include <cstdint>
#include <vector>

#include "indexical/answers/conditions/conditions.h"
#include "indexical/answers/fields.h"

namespace indexical {

/// The conditions of one computation.
struct ConditionsEntry {
  const Module &module;
  const RuntimeConditions &of;
};
/// An instruction that has conditions.
struct ConditionPlace {
  const Module &module;
  ComputationId computation;
  InstructionId instruction;

  const Computation &in() const { return module.computations[computation]; }
};
struct ConditionEntry {
  const ConditionsEntry &in;
  const RunCondition &of;
};
/// A value that conditions name.
struct ConditionNameEntry {
  const ConditionsEntry &in;
  uint32_t number;

  const RunValue &value() const { return in.of.values[number]; }
};
struct TensorElementEntry {
  const Module &module;
  const RunValue &of;

  const Computation &in() const { return module.computations[of.computation]; }
};

template <>
KeyList<ModuleConditions> keysOf<ModuleConditions>();
template <>
KeyList<ConditionsEntry> keysOf<ConditionsEntry>();
template <>
KeyList<ConditionEntry> keysOf<ConditionEntry>();
template <>
KeyList<ConditionPlace> keysOf<ConditionPlace>();
template <>
KeyList<ConditionNameEntry> keysOf<ConditionNameEntry>();
template <>
KeyList<TensorElementEntry> keysOf<TensorElementEntry>();

/// Returns the tables of all of these, in the order of keys.md.
std::vector<Described> conditionsTables();

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_CONDITIONS_KEYS_H
