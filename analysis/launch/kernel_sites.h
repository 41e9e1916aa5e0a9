// Which instructions are launches, and what kind of: what their ops' traits say
// (ops/descriptor.h).
//
//   dot_general      Bytes: a library does it
//   negate           Maps: they say what it reads
//   while            Runs: what it calls are launches
//   tuple            None
#ifndef INDEXICAL_ANALYSIS_LAUNCH_KERNEL_SITES_H
#define INDEXICAL_ANALYSIS_LAUNCH_KERNEL_SITES_H

#include "indexical/analysis/launch/kernels.h"
#include "indexical/program/program.h"

namespace indexical {

/// What the instruction is where kernels are launched: its op's trait.
KernelRole roleOf(const Instruction &instruction);

bool isFusion(const Instruction &instruction);
/// A fusion whose threads repeat what a reduction in it reads.
bool isLoopFusion(const Instruction &instruction);

}  // namespace indexical

#endif  // INDEXICAL_ANALYSIS_LAUNCH_KERNEL_SITES_H
