// Lanes of a kernel that wait for each other in shared memory.
//
//   a tile of 32 x 32 f32, read by columns, a column a warp
//     rows of 32 words        32 lanes on one bank: 32
//     padded, 1 after each 32 a bank each: 1
//     swizzled by 32 phases   a bank each: 1
//
// A lane takes as many elements at once as its lowest registers have in a row,
// up to 16 bytes. Words of 4 bytes lie on 32 banks, round robin. 128 bytes are
// served at once: 32 lanes of 4 bytes, 16 of 8, or 8 of 16. Layouts combine
// bits by xor, which is no affine map, so all threads are gone through.
//
// Law (tests/kernel/shared_test.cc, by enumeration): a simulator that serves
// one word of each bank after another takes as many steps.
#ifndef INDEXICAL_ANALYSIS_KERNEL_SHARED_CONFLICTS_H
#define INDEXICAL_ANALYSIS_KERNEL_SHARED_CONFLICTS_H

#include <cstdint>
#include <optional>

#include "indexical/kernel/kernel.h"

namespace indexical::kernels {

struct SharedFigures {
  int64_t vector = 1;  ///< elements that a lane takes at once
  /// The most different words of one bank that lanes ask for at once, of all
  /// warps and all steps; 1 is best.
  int64_t conflicts = 1;
};

/// Returns how many elements a lane takes at once, and how many words of one
/// bank are asked for at once. Returns nothing if the layout of the tile or of
/// the memory is not known, if an element has less than a byte, or if there are
/// more than 2^22 registers of all threads.
std::optional<SharedFigures> sharedFigures(const SharedAccess &access);

}  // namespace indexical::kernels

#endif  // INDEXICAL_ANALYSIS_KERNEL_SHARED_CONFLICTS_H
