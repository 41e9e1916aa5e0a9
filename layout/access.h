// The cost of layouts: accesses to memory, and conversions between registers.
//
//   register in [0, 3], lane in [0, 31] -> offset = register + lane * 4, f32
//     shared   vectors of 4, 1 access, 4 wavefronts (ideal 4)
//     global   vectors of 4, 1 access, 16 sectors, 4 lines
//
// A *vector* is the largest power of two of elements, of up to 16 bytes, such
// that each thread has whole aligned blocks of them, in any registers. In one
// access each thread of a warp takes one block: the n-th of each thread, by the
// order of their first registers.
//
// Laws (tests/layout/access_test.cc, against a simulator of banks and sectors
// that knows addresses alone): the figures are those of the accesses, one by
// one; no larger vector has the property.
#ifndef INDEXICAL_LAYOUT_ACCESS_H
#define INDEXICAL_LAYOUT_ACCESS_H

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"

#include "indexical/layout/layout.h"

namespace indexical::layouts {

enum class Memory : uint8_t { Shared, Global };

/// Which registers may make a vector.
enum class RegisterOrder : uint8_t {
  Any,      ///< all: the loader permutes them
  InOrder,  ///< consecutive ones alone
};

/// The sizes of memory, in bytes. Those of GPUs of NVIDIA by default.
struct MemorySizes {
  int64_t banks = 32, bankBytes = 4, sector = 32, line = 128, vector = 16;
};

/// The bytes from `first` to `last` that a lane takes at once.
struct LaneBytes {
  int64_t lane = 0, first = 0, last = 0;
};

/// The cost of one access of a warp to shared memory.
struct SharedCost {
  int64_t conflicts = 0;  ///< the most words that a phase takes of one bank
  int64_t wavefronts = 0, fewest = 0;
};
/// Returns the cost of the access. Lanes are in order; some may be missing. A
/// phase serves as many lanes as fill all banks, 32 at most. Every lane counts
/// as much as the one that takes most.
SharedCost sharedCost(llvm::ArrayRef<LaneBytes> lanes,
                      const MemorySizes &sizes = {});

struct AccessFigures {
  int64_t vector = 1;    ///< elements
  int64_t accesses = 0;  ///< of all warps
  // In shared memory.
  int64_t conflicts = 0;  ///< the most words that a phase takes of one bank
  int64_t wavefronts = 0, wavefrontsFewest = 0;
  // In global memory. The first element is at the beginning of a line.
  int64_t sectors = 0, sectorsFewest = 0, lines = 0;
};

/// Returns the figures of a layout from threads to one offset, in elements. Its
/// inputs are among `register`, `lane`, `warp` and `block`. Returns an error
/// for other names, and past kMostPoints registers.
absl::StatusOr<AccessFigures> accessOf(const Layout &threads,
                                       int64_t elementBits, Memory memory,
                                       RegisterOrder order = RegisterOrder::Any,
                                       const MemorySizes &sizes = {});

/// Returns the layout from threads to the places of the elements that they
/// hold. `memory` leads from elements to places, or from places to elements,
/// whose least place counts. Returns an error if an element has no place.
absl::StatusOr<Layout> placesOf(const Layout &threads, const Layout &memory);

/// The data movement between the holders of elements and those who take them.
enum class Level : uint8_t {
  None,       ///< in the same registers
  Registers,  ///< in the same threads
  Shuffles,   ///< in the same warps
  Shared,     ///< in the same blocks
  Cluster,
  Impossible,  ///< an element has no holder
};
/// Returns the level's name: `none`, `registers`, `shuffles`, …
llvm::StringRef levelName(Level level);

struct Conversion {
  Level level = Level::None;
  /// An element without a holder, if the move is impossible.
  std::optional<Coordinates> element;
  int64_t moved = 0;  ///< pairs of a thread and an element that it lacks
  int64_t least = 0;  ///< the most elements that one thread lacks
};
/// Returns the data movement after which each thread has the elements of `to`
/// if it has those of `from`; the nearest holder counts. Returns an error for
/// inputs of other names than those of threads, other numbers of outputs, or
/// more than kMostPoints registers.
absl::StatusOr<Conversion> conversion(const Layout &from, const Layout &to);

/// Returns the longest run of elements, a power of two of up to 16 bytes, that
/// are consecutive and aligned in both of two memories of the same elements.
absl::StatusOr<int64_t> commonRun(const Layout &from, const Layout &to,
                                  int64_t elementBits,
                                  const MemorySizes &sizes = {});

}  // namespace indexical::layouts

#endif  // INDEXICAL_LAYOUT_ACCESS_H
