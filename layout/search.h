// A search for a layout of shared memory without bank conflicts.
//
//   a tile of 32 x 32 words, written by rows and read by columns
//     (32,32):(32,1)                   conflicts of 32
//     Sw<5,0,5> o 0 o (32,32):(32,1)   none
//     (32,32):(33,1)                   none, and 31 places more
//
// The candidates are each order of the tile's dimensions, plain, with every
// swizzle whose bits lie within the tile, and with a padding of a power of two
// of elements, of up to 128 bytes, after each row or power of two of rows; and
// the boxes of 32, 64 and 128 bytes of bulk copies, if rows are wider. The
// figures of each are exact (access.h). The fewest wavefronts of all accesses
// together come first; then the least conflicts, the fewest accesses, the
// fewest places, and the fewest bits of a swizzle.
//
// Laws (tests/layout/search_test.cc, by enumeration): the figures are those of
// accessOf() at the memory that is named; no memory that is tried has fewer
// wavefronts than the first one.
#ifndef INDEXICAL_LAYOUT_SEARCH_H
#define INDEXICAL_LAYOUT_SEARCH_H

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"

#include "indexical/layout/access.h"

namespace indexical::layouts {

struct FoundMemory {
  std::string text;      ///< in the notation of CuTe
  std::string encoding;  ///< of Triton, `#ttg.…`; "" if none is equal
  int64_t places = 0;    ///< elements that it takes, gaps included
  int64_t wavefronts = 0, wavefrontsFewest = 0, conflicts = 0;
  std::vector<AccessFigures> accesses;  ///< one for each that was asked
};

struct MemorySearch {
  int64_t tried = 0;
  std::vector<FoundMemory> found;  ///< the best first
};

/// The largest number of registers of all threads of a search.
inline constexpr int64_t kMostSearched = int64_t{1} << 16;

/// Returns the best memories, `most` at most, for these accesses of one tile.
/// Each is a layout from threads to the tile's dimensions, or to one offset.
/// Returns an error if they are of different tiles or of more than three
/// dimensions, if a tile is not a box from 0, or past kMostSearched registers.
absl::StatusOr<MemorySearch> searchMemory(llvm::ArrayRef<Layout> accesses,
                                          int64_t elementBits, size_t most,
                                          const MemorySizes &sizes = {});

}  // namespace indexical::layouts

#endif  // INDEXICAL_LAYOUT_SEARCH_H
