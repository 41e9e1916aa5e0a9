// Which instructions are launches.
#ifndef INDEXICAL_ANALYSIS_MEMORY_KERNEL_SITES_H
#define INDEXICAL_ANALYSIS_MEMORY_KERNEL_SITES_H

#include "indexical/analysis/memory/kernels.h"
#include "indexical/program/program.h"

namespace indexical {

/// What the instruction is where kernels are launched: its op's trait.
KernelRole roleOf(const Instruction &instruction);

bool isFusion(const Instruction &instruction);

}  // namespace indexical

#endif  // INDEXICAL_ANALYSIS_MEMORY_KERNEL_SITES_H
