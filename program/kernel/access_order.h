// Which of two accesses of one program comes first, and whether a barrier is
// between them.
//
//   scf.for i {  store  gpu.barrier  load  }
//
//   the store and the load of one turn     the store first, a barrier between
//   the load and the store of the next     no barrier between
//   the load and the store of a later one  a barrier between
//
// Accesses stand in the order of the file. Loops that both are in are counted
// from the outermost; in those that only one is in, any turn is meant.
#ifndef INDEXICAL_PROGRAM_KERNEL_ACCESS_ORDER_H
#define INDEXICAL_PROGRAM_KERNEL_ACCESS_ORDER_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "indexical/indexing/interval.h"
#include "indexical/program/kernel/kernel.h"

namespace indexical::kernels {

/// Returns how many loops, from the outermost, both accesses are in.
size_t commonLoops(const KernelAccess &a, const KernelAccess &b);

/// How many turns of a loop that both are in the second access comes after the
/// first, with all loops around that loop in one turn. Nothing: all loops that
/// both are in are in one turn.
struct TurnDistance {
  size_t loop = 0;  ///< counted from the outermost
  Interval turns = {1, Interval::kInfinity};
};

/// Whether all threads pass a barrier after one access and before another.
struct BarrierBetween {
  /// Unknown: a branch, or how often a loop runs, decides.
  enum Answer : uint8_t { No, Unknown, Yes };
  Answer answer = No;
  /// If it is No: one is passed unless this many loops of the second access,
  /// from the outermost that the first is not in, are in their first turns.
  size_t firstTurns = 0;
};

/// Returns whether a barrier is between two accesses of a program. `distance`
/// is either one turn or at least two.
BarrierBetween barrierBetween(const TritonKernel &kernel, size_t first,
                              size_t second,
                              const std::optional<TurnDistance> &distance);

/// Returns the distances after which a barrier may be between two accesses, and
/// loads are moved, in different ways: 1 turn, 2 to `stages` - 1 and more.
std::vector<Interval> turnDistances(int64_t stages);

}  // namespace indexical::kernels

#endif  // INDEXICAL_PROGRAM_KERNEL_ACCESS_ORDER_H
