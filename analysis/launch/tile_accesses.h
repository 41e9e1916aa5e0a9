// What programs that take a tile at once read and write, private to
// analysis/launch.
//
//   root f32[8,512], tile 1 x 512, 128 threads; a read of f32[8,512]
//   shown     (bl_x)[t0, t1] -> (bl_x + t0, t1)
//   threads   lanes lie next to each other along what lies so in memory, each
//             with as many elements as one access moves
//
// The compiler chooses how a program's threads divide a tile. It is taken to
// choose what its own pass for coalescing does: lanes along the dimension of
// the operand that is the fastest in memory, each with as many elements as are
// aligned in every row.
#ifndef INDEXICAL_ANALYSIS_LAUNCH_TILE_ACCESSES_H
#define INDEXICAL_ANALYSIS_LAUNCH_TILE_ACCESSES_H

#include "absl/status/status.h"

#include "indexical/analysis/launch/kernels.h"

namespace indexical {

/// Gives the kernel's accesses, which go from the index space of a root of the
/// plan, threads over the tile of a block.
absl::Status tileAccesses(const LaunchPlan &plan, const Device &device,
                          Kernel &kernel);

}  // namespace indexical

#endif  // INDEXICAL_ANALYSIS_LAUNCH_TILE_ACCESSES_H
