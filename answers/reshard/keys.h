// The keys of plans between shardings (answers/fields.h), as docs/formats.md
// has them.
#ifndef INDEXICAL_ANSWERS_RESHARD_KEYS_H
#define INDEXICAL_ANSWERS_RESHARD_KEYS_H

#include <vector>

#include "indexical/answers/fields.h"
#include "indexical/answers/reshard/reshard.h"

namespace indexical {

/// The form of a plan's text.
enum class PlanForm : uint8_t { Hlo, StableHlo, Shardy };
/// Returns the text of a plan; empty if it has none of this form.
const std::string &textOf(const ReshardPlan &plan, PlanForm form);

struct PlanEntry {
  const ReshardAnswer &in;
  const ProvedPlan &of;
  PlanForm form = PlanForm::Hlo;
};

template <>
KeyList<ReshardAnswer> keysOf<ReshardAnswer>();
template <>
KeyList<PlanEntry> keysOf<PlanEntry>();
template <>
KeyList<ReshardStep> keysOf<ReshardStep>();

/// Returns the tables of all of these, in the order of formats.md.
std::vector<Described> reshardTables();

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_RESHARD_KEYS_H
