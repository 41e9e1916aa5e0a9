// Views: a kernel that copies a part of an array as it lies in memory.
//
//   k = f32[64,128] slice(p[0:64])       a view of p: elements 0 … 8191
//   t = f32[128,64] transpose(p)         not a view: another order
//   e = f32[] exponential(x)             not a view, though it reads and writes
//                                        one element at one place: another
//                                        value
//
// Law (tests/answers/report/avoidable_test.cc, carried_advice_test.cc): a view
// is a part of its operand, in the same order, by enumeration; a bitcast, a
// slice and a bitcast give the same values.
#ifndef INDEXICAL_ANSWERS_REPORT_VIEW_H
#define INDEXICAL_ANSWERS_REPORT_VIEW_H

#include "indexical/cost/launch/kernels.h"
#include "indexical/cost/launch/moved_elements.h"

namespace indexical {

/// Returns whether the kernel writes a part of one operand, with its elements
/// as they are and in the same order in memory, so that its result could be a
/// view of it. `moved` is what the kernel does with elements. Conservative:
/// false when unknown.
bool isView(const Kernel &kernel, const MovedElements &moved);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_REPORT_VIEW_H
