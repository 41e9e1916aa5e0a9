// The keys of what is used (answers/fields.h), as docs/keys.md has them.
#ifndef INDEXICAL_ANSWERS_USES_KEYS_H
#define INDEXICAL_ANSWERS_USES_KEYS_H

#include <vector>

#include "indexical/answers/fields.h"
#include "indexical/answers/maps/keys.h"
#include "indexical/answers/uses/uses.h"

namespace indexical {

struct OperandUseEntry {
  const InstructionUses &in;
  const ArrayUse &of;
};
struct InsideUseEntry {
  const InstructionUses &in;
  const ArrayUse &of;
};
struct FootprintEntry {
  const InstructionUses &in;
  const ArrayUse &of;

  const Footprint &footprint() const { return of.use.footprint; }
};

template <>
KeyList<InstructionUses> keysOf<InstructionUses>();
template <>
KeyList<OperandUseEntry> keysOf<OperandUseEntry>();
template <>
KeyList<InsideUseEntry> keysOf<InsideUseEntry>();
template <>
KeyList<FootprintEntry> keysOf<FootprintEntry>();
template <>
KeyList<UseFormulas> keysOf<UseFormulas>();

/// Returns the tables of all of these, in the order of keys.md.
std::vector<Described> usesTables();

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_USES_KEYS_H
