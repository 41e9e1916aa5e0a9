// The accesses of one thread of a kernel, in order, to check a map by hand, and
// to validate maps against an execution.
//
//   thread (33, 0, 0) of block (1, 0, 0)
//     load arg0, byte 132, 4 bytes
//     store arg1, byte 532, 4 bytes
//
// An access is one instruction of the thread: a vector is one. Turns of loops
// come one after another, and accesses in them in the order of the file.
#ifndef INDEXICAL_COST_KERNEL_THREAD_LISTING_H
#define INDEXICAL_COST_KERNEL_THREAD_LISTING_H

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/indexing/budget.h"
#include "indexical/program/kernel/kernel.h"

namespace indexical::kernels {

/// A thread of a launch: the numbers of its block, and its own.
struct ThreadPlace {
  std::array<int64_t, 3> block = {0, 0, 0}, thread = {0, 0, 0};
};

struct ListedAccess {
  AccessKind kind = AccessKind::Load;
  /// The argument that is accessed; -1: a variable of shared memory, or not
  /// known which argument.
  int64_t argument = -1;
  bool isShared = false;
  std::string symbol;  ///< of shared memory
  bool hasOffset = true;
  int64_t offset = 0;  ///< bytes from the beginning
  int64_t bytes = 0;
  /// Why it is not known, or whether it is made; empty: all is known.
  std::string reason;
};

/// Returns the integer of so many bytes at byte `offset` of an argument, if it
/// is known.
using LoadedBytes = std::function<std::optional<int64_t>(
    int64_t argument, int64_t offset, int64_t bytes)>;

/// A list has so many accesses at most.
constexpr size_t kMostThreadAccesses = 1'000'000;
/// The turns of loops that are gone through, each counted for each access in
/// it.
constexpr int64_t kMostTurns = 50'000'000;

/// Returns the accesses of the thread. An access without a map has one entry
/// with the reason. Returns an InvalidArgument status if there is no such block
/// or thread, a ResourceExhausted one if there is more than kMostThreadAccesses
/// or kMostTurns, or the status of the budget's stop.
absl::StatusOr<std::vector<ListedAccess>> accessesOf(
    const TritonKernel &kernel, const ThreadPlace &place,
    const LoadedBytes &loaded = nullptr, const Budget &budget = {});

/// Returns how many threads a block has along x, y and z.
std::array<int64_t, 3> blockOf(const TritonKernel &kernel);

/// Loads of arrays that hold a pattern: byte `offset` of argument n is a hash
/// of ((n + 1) << 40) + offset. Two readers of one kernel then load the same.
std::optional<int64_t> hashedBytes(int64_t argument, int64_t offset,
                                   int64_t bytes);

}  // namespace indexical::kernels

#endif  // INDEXICAL_COST_KERNEL_THREAD_LISTING_H
