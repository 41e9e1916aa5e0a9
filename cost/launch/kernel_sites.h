// The instructions that are launches, and their kinds, by the traits of their
// ops (ops/descriptor.h).
//
//   dot_general      Bytes: a library does it
//   negate           Maps: they say what it reads
//   while            Runs: what it calls are launches
//   tuple            None
#ifndef INDEXICAL_COST_LAUNCH_KERNEL_SITES_H
#define INDEXICAL_COST_LAUNCH_KERNEL_SITES_H

#include "indexical/cost/launch/kernels.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// Returns the role of the instruction in the launches of kernels: a trait of
/// its op.
KernelRole roleOf(const Instruction &instruction);

bool isFusion(const Instruction &instruction);
/// Returns whether it is a fusion whose threads repeat the reads of a reduction
/// in it.
bool isLoopFusion(const Instruction &instruction);

}  // namespace indexical

#endif  // INDEXICAL_COST_LAUNCH_KERNEL_SITES_H
