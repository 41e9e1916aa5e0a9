#include "indexical/answers/kernel/findings.h"

namespace indexical {

using kernels::BoundsCheck;
using kernels::CheckAnswer;

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
