// Whether two kernels can be one, as far as their values and programs say.
//
//   w = (f32[64], f32[64]) custom-call(p)      stores a and b
//   x = (f32[64]) custom-call(b)
//   r = (f32[64]) custom-call(a, x)            a alone is read by r, but x,
//                                              which needs w, comes before it
//
// hazards.h says what memory allows.
#ifndef INDEXICAL_ANSWERS_REPORT_ONE_KERNEL_H
#define INDEXICAL_ANSWERS_REPORT_ONE_KERNEL_H

#include "indexical/cost/launch/kernels.h"
#include "indexical/exact/options.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// Returns whether a kernel of the computation has to run after `first` and
/// before `second`, because it needs the one and is needed by the other.
bool isKernelBetween(const Computation &computation, InstructionId first,
                     InstructionId second);

/// Returns whether no element of an operand is read by two programs of a
/// kernel, whose accesses have maps from programs. A program can then compute
/// what it reads, and nothing is computed twice. False if that is not proved,
/// also if an access has no map.
bool isReadByOneProgram(const Kernel &kernel, LeafId operandLeaf,
                        const ExactOptions &options = {});

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_REPORT_ONE_KERNEL_H
