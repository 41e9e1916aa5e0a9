// Bank conflicts: lanes of a warp that wait for each other in shared memory.
//
//   columns of a tile of 32 x 32 words     32 lanes on one bank: 32
//   the same with rows of 33 words         a bank each: 1
//   all lanes the same word                a broadcast: 1
//
// Words of 4 bytes lie on 32 banks, round robin. Lanes that ask for different
// words of one bank are served one after another. 32 lanes ask at once: half of
// a wavefront of 64; of elements of 8 bytes 16 lanes do (layout/access.h).
// Elements that a thread has one after another in a loop are asked for one
// after another.
#ifndef INDEXICAL_COST_MEMORY_BANK_CONFLICTS_H
#define INDEXICAL_COST_MEMORY_BANK_CONFLICTS_H

#include <cstdint>
#include <optional>

#include "indexical/cost/memory/access.h"

namespace indexical {

/// Returns the most different words of one bank that lanes ask for at once; 1
/// is best. `threads` has the number of an element for its result, elements
/// take `bits`. Only the first block is looked at, for the others do the same.
/// Returns nothing if it has too many threads and loops to go through.
std::optional<int64_t> bankConflicts(const IndexingMap &threads, int64_t bits);

/// Returns the worse of the conflicts of writing and of reading.
std::optional<int64_t> bankConflicts(const SharedTile &tile);

}  // namespace indexical

#endif  // INDEXICAL_COST_MEMORY_BANK_CONFLICTS_H
