// Reads of a launch whose threads go through an index space in its order.
//
// Thread t of block b has the numbers P = (b * T + t) * v + i, i in [0, v - 1].
// Whatever such a thread reads depends on P alone, and a read is a list of
// *runs*: neighbouring numbers whose elements lie in equal steps. For a slice
// of rows of 143 elements of 32 bits, of which 136 are taken from the third on:
//
//   P in [0, 135]     from bit 96 on, in steps of 32
//   P in [136, 271]   from bit 4672 on, in steps of 32
//   …
//
// The runs do not depend on v, nor on T: they are found once for all launches
// that are tried, and numbered_sums.h cuts them into the accesses of warps.
//
// Law (tests/cost/memory/random_coalescing_test.cc): the figures are those of a
// simulator that goes through every thread.
#ifndef INDEXICAL_COST_MEMORY_NUMBERED_READS_H
#define INDEXICAL_COST_MEMORY_NUMBERED_READS_H

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/cost/memory/launch.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/relation.h"
#include "indexical/ops/shape.h"

namespace indexical {
namespace lanes {

/// The numbers of a launch's threads.
struct Numbering {
  IndexingMap index;  ///< (P) -> index, with those P that have one
  int64_t threads = 1, vector = 1;  ///< T, v
};

/// Returns the numbering of a launch's threads. Returns nothing if it has none,
/// or if a warp may hold threads whose numbers are not neighbours.
std::optional<Numbering> numberingOf(const IndexingMap &threads, int64_t warp);

/// Number first + t reads at bit start + step * t, for t below count.
struct NumberedRun {
  uint32_t piece = 0;
  int64_t first = 0, count = 0, start = 0, step = 0;
  int64_t end() const { return first + count; }
};

/// Runs that repeat: run i + runs is run i, `numbers` numbers and `bits` bits
/// further on, for i in [from, to - runs - 1].
struct RepeatedRuns {
  size_t from = 0, to = 0, runs = 1;
  int64_t numbers = 1, bits = 0;
};

struct NumberedRead {
  std::vector<ReadPiece> addresses;
  /// In the order of their numbers, of which no two runs have one.
  std::vector<NumberedRun> runs;
  RepeatedRuns repeated;   ///< the most of them that do
  int64_t operations = 0;  ///< in which they were found
};

/// Returns the runs of a read. `addresses` take an index to the number of an
/// element of so many bits. Returns nothing if a piece has ranges or runtime
/// variables, if two pieces read for one number, or if there are many runs.
std::optional<NumberedRead> numberedRead(const IndexingMap &index,
                                         std::vector<ReadPiece> addresses,
                                         int64_t bits);

/// Runs of reads that several launches over one index space share.
class NumberedReads {
 public:
  using Answer = std::shared_ptr<const std::optional<NumberedRead>>;
  /// Returns what is known of that read, or null.
  Answer find(const IndexingRelation &read, const ArrayShape &operand) const;
  void add(const IndexingRelation &read, const ArrayShape &operand,
           Answer answer);
  void clear() { known_.clear(); }

 private:
  struct Known {
    IndexingRelation read;
    ArrayShape operand;
    Answer answer;
  };
  std::vector<Known> known_;
};

}  // namespace lanes
}  // namespace indexical

#endif  // INDEXICAL_COST_MEMORY_NUMBERED_READS_H
