// Windows that a scan would do without: each result reduces all elements before
// it, or behind it, anew.
//
//   c = f32[4096] reduce-window(x, zero),
//       window={size=4096 pad=4095_0}, to_apply=add     a running sum
//
//   8,390,656 additions for 4,096 results; a scan takes 4,095
//
// Law (tests/answers/report/fitting_advice_test.py): by enumeration, the
// windows are those whose results are the sums of all elements up to them.
#ifndef INDEXICAL_ANSWERS_REPORT_SCANNED_WINDOWS_H
#define INDEXICAL_ANSWERS_REPORT_SCANNED_WINDOWS_H

#include <cstdint>

#include "indexical/program/module/program.h"

namespace indexical {

/// Returns how many elements a window of the kernel takes, if it reaches from
/// each result to the first or to the last element of the operand. Looks at the
/// computation of a fusion or call, too. Returns 0 if there is no such window,
/// or only short ones.
int64_t scannedBy(const Module &module, const Instruction &kernel);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_REPORT_SCANNED_WINDOWS_H
