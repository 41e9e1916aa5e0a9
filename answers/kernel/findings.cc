#include "indexical/answers/kernel/findings.h"

#include <optional>

namespace indexical {

using kernels::BoundsCheck;
using kernels::CheckAnswer;

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

BoundsCheck KernelFindings::worstBounds() const {
  BoundsCheck worst;
  if (kernel.incomplete) {
    worst.answer = CheckAnswer::Undecided;
    worst.reason = kernel.incomplete->reason;
  }
  for (const BoundsCheck &check : bounds)
    if (check.answer > worst.answer) worst = check;
  return worst;
}

}  // namespace indexical
