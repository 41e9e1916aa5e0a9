// A launch: the warps of a thread map, and the elements of a read that each of
// their lanes reads, as problems to be summed (warp_sums.h).
//
//   blocks of (48, 2) threads, warps of 32: three kinds of warps
//     lanes (0, 0) … (31, 0)    (32, 0) … (47, 0), (0, 1) … (15, 1)    …
//   blocks of (64, 4) threads: one kind, lanes (0, 0) … (31, 0), and outer
//     variables for the two warps of a row and for the four rows
//
// Outer variables are those of the kind of warp, blocks, loops, then the range
// values of the read.
#ifndef INDEXICAL_COST_MEMORY_LAUNCH_H
#define INDEXICAL_COST_MEMORY_LAUNCH_H

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/cost/memory/device.h"
#include "indexical/cost/memory/lane_forms.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/relation.h"

namespace indexical {
namespace lanes {

/// Warps whose lanes differ from each other in the same way.
struct WarpKind {
  /// The extent and the step of the outer variable of each thread dimension.
  std::array<int64_t, 3> extents = {1, 1, 1}, steps = {0, 0, 0};
  /// The coordinates of each lane when the outer variables are 0.
  std::vector<std::array<int64_t, 3>> lanes;
};

/// Returns the kinds of warps in a block of that size, or an error if there are
/// too many.
absl::StatusOr<std::vector<WarpKind>> warpKinds(std::array<int64_t, 3> block,
                                                int64_t warp);

/// Returns whether all threads see the same value of the runtime variable,
/// because its source is one element. A variable whose source is not known is
/// assumed to have such a source.
bool isCommon(const IndexingMap &map, uint32_t i);
/// Returns whether a runtime variable differs from thread to thread.
bool dependsOnLanes(const IndexingMap &map);

/// One piece of a read: from an index of the thread map's space, then the range
/// values of the read, to the number of the element in memory.
struct ReadPiece {
  IndexingMap address;
  size_t ranges = 0;
};

/// One piece, from the launch's variables to the number of the element in
/// memory; a dimension each for threads, blocks, loops, range values.
struct LaunchPiece {
  IndexingMap map;
  size_t ranges = 0;  ///< that the piece has
  Interval boundsOf(size_t variable) const {
    return map.dimensions()[variable].bounds;
  }
};

/// Returns a map without ranges as a problem of one slot: all of its dimensions
/// are outer variables. Returns an error as Launch::problems does.
absl::StatusOr<Problem> pointProblem(const IndexingMap &map, int64_t bits,
                                     LaneNumbers &numbers);

class Launch {
 public:
  /// Returns an error if the map is not a thread map.
  static absl::StatusOr<Launch> of(const IndexingMap &threads,
                                   const Device &device);

  const IndexingMap &threads() const { return threads_; }
  const Device &device() const { return *device_; }
  size_t loops() const { return threads_.ranges().size(); }
  /// Returns the number of values of the last loop, or 1 if there is no loop.
  int64_t vectorLoop() const {
    return loops() == 0 ? 1 : threads_.ranges().back().bounds.count();
  }

  int64_t threadsPerBlock() const;

  /// Returns the pieces as maps from the launch's variables, without those that
  /// no thread reads. Requires pieces that take an index of the thread map's
  /// rank, with ranges that end, and read no other device.
  absl::StatusOr<std::vector<LaunchPiece>> pieces(
      llvm::ArrayRef<ReadPiece> read) const;

  /// The problem of one kind of warps. problems() returns one for each kind:
  /// the last loop goes in vectors of `vector`, with slots for all elements of
  /// a vector, or for the first alone. Elements take `bits` bits. It returns an
  /// error if a map has something that is not followed here (a product of
  /// variables, runtime variables in digits or constraints) or can leave 64
  /// bits.
  struct Warps {
    size_t slots = 0;
    Problem problem;
    LaneNumbers numbers;
  };
  absl::StatusOr<std::vector<Warps>> problems(
      llvm::ArrayRef<LaunchPiece> pieces, int64_t bits, int64_t vector,
      bool allSlots) const;

 private:
  Launch(IndexingMap threads, const Device &device, std::vector<WarpKind> kinds)
      : threads_(std::move(threads)),
        device_(&device),
        kinds_(std::move(kinds)) {}

  IndexingMap threads_;
  const Device *device_;
  std::vector<WarpKind> kinds_;
};

/// The most frequent distance in bits from a lane to the next one, in the first
/// warp that is found in which two lanes read, and how many runs of lanes are
/// so far apart. laneSteps() returns nothing if it finds no such warp.
struct LaneSteps {
  int64_t stride = 0, runs = 1;
};
std::optional<LaneSteps> laneSteps(const Launch::Warps &warps);

}  // namespace lanes
}  // namespace indexical

#endif  // INDEXICAL_COST_MEMORY_LAUNCH_H
