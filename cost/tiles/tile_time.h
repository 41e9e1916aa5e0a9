// The time of a kernel that has a block per tile and a loop of steps.
//
//   bf16 4096 x 4096 x 4096 on an h100, tiles of 128 x 256, steps of 64
//   a turn loads 48 KiB, 4 turns are under way, products take 0.72 us of a core
//   4 waves of 132 blocks, 64 turns each: 0.2 ms
//
// An iteration takes the longer of the time of its products and the time of its
// bytes; then a part of the bytes that is not hidden, the less the more
// iterations are in flight (*stages*), and a barrier. With one stage nothing is
// hidden. Blocks that a core has at once share it. Waves of blocks are whole.
// No kernel is faster than reading each operand once from memory, at most at
// the rate of the bytes in flight; then the result is written.
// docs/internals/time.md says how it was validated against measured times.
#ifndef INDEXICAL_COST_TILES_TILE_TIME_H
#define INDEXICAL_COST_TILES_TILE_TIME_H

#include <cstdint>
#include <optional>

#include "llvm/ADT/SmallVector.h"

namespace indexical {

/// The figures of a device on which the time of a tile's kernel depends.
struct TileDevice {
  int64_t cores = 0;
  int64_t megahertz = 0;
  int64_t gigabytes = 0;  ///< a second, of memory
  /// Operations of matrix products, 10^9 a second, by bits of an element.
  int64_t products64 = 0, products32 = 0, products16 = 0, products8 = 0;
  /// Shares of these that are reached.
  double readShare = 1, writeShare = 1, productShare = 1;
  double launchMicroseconds = 0;
  int64_t cacheBytes = 0;   ///< that all cores share
  int64_t blockShared = 0;  ///< bytes that a block may ask for
  int64_t coreShared = 0;   ///< bytes of a core
  int64_t registers = 0;    ///< words of a core
  /// A matrix product both of whose sides have fewer rows reaches this share of
  /// the rate.
  int64_t fewRows = 0;
  double fewRowsShare = 1;
};

/// The products of an iteration: `count` products of matrices.
struct TileProduct {
  double count = 1;
  int64_t m = 1, n = 1, k = 1;
  int64_t bits = 16;  ///< of an element
  double turns = 1;   ///< in a block
};

/// The work of one block.
struct TileWork {
  int64_t blocks = 1;
  double turns = 1;          ///< of the innermost loop
  double turnBytes = 0;      ///< loaded in a turn, on an average
  int64_t stageBytes = 0;    ///< of shared memory, of one turn
  int64_t heldBytes = 0;     ///< all the time
  int64_t accumulators = 0;  ///< words of results that are summed up
  llvm::SmallVector<TileProduct, 2> products;
  double operandBytes = 0, resultBytes = 0;  ///< of the whole kernel
};

struct TileTime {
  int64_t stages = 1;
  int64_t shared = 0;  ///< bytes of a block
  bool fits = true;    ///< into shared memory and registers
  double microseconds = 0;
};

/// Returns the time of the kernel, with the most stages that fit. A kernel that
/// does not fit has no time.
TileTime timeOf(const TileWork &work, const TileDevice &device);

/// Returns the time of a kernel without loops, whose blocks read so many bytes,
/// of which so many are different ones, by the rates of docs/internals/time.md.
double timeOfReads(double bytes, double differentBytes, double resultBytes,
                   const TileDevice &device);

}  // namespace indexical

#endif  // INDEXICAL_COST_TILES_TILE_TIME_H
