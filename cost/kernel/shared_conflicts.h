// Lanes of a kernel that wait for each other in shared memory.
//
//   a tile of 32 x 32 f32, read by columns, a column a warp
//     rows of 32 words        32 lanes on one bank: 32
//     padded, 1 after each 32 a bank each: 1
//     swizzled by 32 phases   a bank each: 1
//
// A lane takes as many elements at once as it has in a row, in any registers,
// up to 16 bytes: layout/access.h, which goes through all threads.
//
// Law (tests/cost/kernel/shared_test.cc, by enumeration): a simulator that
// serves one word of each bank after another takes as many steps.
#ifndef INDEXICAL_COST_KERNEL_SHARED_CONFLICTS_H
#define INDEXICAL_COST_KERNEL_SHARED_CONFLICTS_H

#include <optional>

#include "indexical/layout/access.h"
#include "indexical/program/kernel/kernel.h"

namespace indexical::kernels {

/// Returns the figures of the access: those of the block that takes the most
/// wavefronts, with the worst conflicts of all blocks. Returns nothing if no
/// thread makes it, if the layout of the tile or of the memory is not known, if
/// a map or a mask depends on what is loaded, or if there are more than 2^22
/// registers of all threads, those of all turns of loops and of all blocks that
/// differ.
std::optional<layouts::AccessFigures> sharedFigures(const TritonKernel &kernel,
                                                    const SharedAccess &access);

}  // namespace indexical::kernels

#endif  // INDEXICAL_COST_KERNEL_SHARED_CONFLICTS_H
