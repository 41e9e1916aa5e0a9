// The reads and writes of programs that take a tile at once, private to
// cost/launch.
//
//   root f32[8,512], tile 1 x 512, 128 threads; a read of f32[8,512]
//   shown     (bl_x)[t0, t1] -> (bl_x + t0, t1)
//   threads   lanes lie next to each other along what lies so in memory, each
//             with as many elements as one access moves
//
// The compiler chooses how a program's threads divide a tile. It is taken to
// choose what its own pass for coalescing does: lanes along the dimension of
// the operand that is contiguous in memory, then along the others, the first
// one first. An access may have as many elements as are aligned in every row.
// Loads of tiles of one shape, in one order, all give a thread as many elements
// as the widest of these accesses may have:
//
//   p = bf16[1,1024], q = f32[1,1024]    8 and 4 elements fit into 16 bytes
//     threads have 8 elements of each in a row, and load q in two accesses: a
//     warp that loads every other four touches twice its sectors
//
// Every thread loads: those beyond the tile load an element again, and all
// warps load a scalar. One thread stores an element.
//
// tests/cost/memory/triton_ptx_test.cc holds the figures to what PTX accesses.
#ifndef INDEXICAL_COST_LAUNCH_TILE_ACCESSES_H
#define INDEXICAL_COST_LAUNCH_TILE_ACCESSES_H

#include "absl/status/status.h"

#include "indexical/cost/launch/kernels.h"

namespace indexical {

/// Gives the kernel's accesses, which go from the index space of a root of the
/// plan, threads over the tile of a block.
absl::Status tileAccesses(const LaunchPlan &plan, const Device &device,
                          Kernel &kernel);

}  // namespace indexical

#endif  // INDEXICAL_COST_LAUNCH_TILE_ACCESSES_H
