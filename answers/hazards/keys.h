// The keys of places in memory (answers/fields.h), as docs/keys.md has them.
#ifndef INDEXICAL_ANSWERS_HAZARDS_KEYS_H
#define INDEXICAL_ANSWERS_HAZARDS_KEYS_H

#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

#include "indexical/answers/fields.h"
#include "indexical/answers/hazards/hazards.h"

namespace indexical {

struct HazardsEntry {
  const ProgramHazards &of;
  llvm::StringRef path, format;
};
struct HazardVariableEntry {
  const Module &module;
  const HazardVariable &of;
};
/// The element of an array of one element, or of a scalar.
struct ScalarEntry {
  const Module &module;
  const Value &of;
};

template <>
KeyList<HazardsEntry> keysOf<HazardsEntry>();
template <>
KeyList<ModulePlace> keysOf<ModulePlace>();
template <>
KeyList<HazardVariableEntry> keysOf<HazardVariableEntry>();
template <>
KeyList<ScalarEntry> keysOf<ScalarEntry>();
template <>
KeyList<HazardOrder> keysOf<HazardOrder>();
template <>
KeyList<HazardWitness> keysOf<HazardWitness>();
template <>
KeyList<HazardAccess> keysOf<HazardAccess>();

/// Returns the tables of all of these, in the order of keys.md.
std::vector<Described> hazardsTables();

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_HAZARDS_KEYS_H
