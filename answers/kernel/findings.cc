#include "indexical/answers/kernel/findings.h"

#include <optional>

namespace indexical {

std::optional<int64_t> KernelFindings::moved() const {
  if (!areSumsKnown()) return std::nullopt;
  return areSumsWhole() ? sums.moved : sums.movedLeast;
}

std::optional<int64_t> KernelFindings::used() const {
  // Bounds of both others are none of their difference.
  if (!areSumsKnown() || (!areSumsWhole() && !sums.areKnown()))
    return std::nullopt;
  return sums.used();
}

std::optional<int64_t> KernelFindings::wasted() const {
  if (!areSumsKnown()) return std::nullopt;
  return areSumsWhole() ? sums.wasted : sums.wastedLeast;
}

Check KernelFindings::worstBounds() const {
  Check worst;
  if (kernel.incomplete) worst = Check::undecided(kernel.incomplete->reason);
  for (const Check &check : bounds) worst.take(check);
  return worst;
}

}  // namespace indexical
