// A launch: the warps of a thread map, and what of a read each lane of them
// reads, as problems to be summed (warp_sums.h).
//
//   blocks of (48, 2) threads, warps of 32: three kinds of warps
//     lanes (0, 0) … (31, 0)    (32, 0) … (47, 0), (0, 1) … (15, 1)    …
//   blocks of (64, 4) threads: one kind, lanes (0, 0) … (31, 0), and outer
//     variables for the two warps of a row and for the four rows
//
// Outer variables are those of the kind of warp, blocks, loops, then the range
// values of the read.
#ifndef INDEXICAL_ANALYSIS_MEMORY_LAUNCH_H
#define INDEXICAL_ANALYSIS_MEMORY_LAUNCH_H

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/analysis/memory/device.h"
#include "indexical/analysis/memory/lane_forms.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/relation.h"

namespace indexical {
namespace lanes {

/// Warps whose lanes differ from each other in the same way.
struct WarpKind {
  /// For each thread dimension an outer variable: its extent and the step.
  std::array<int64_t, 3> extents = {1, 1, 1}, steps = {0, 0, 0};
  /// The coordinates of each lane, where the outer variables are 0.
  std::vector<std::array<int64_t, 3>> lanes;
};

/// The kinds of warps in a block of that size. An error where they are too
/// many.
absl::StatusOr<std::vector<WarpKind>> warpKinds(std::array<int64_t, 3> block,
                                                int64_t warp);

/// Whether all threads see the same value of the runtime variable: its source
/// is one element. One whose source is not known is taken to be so too.
bool isCommon(const IndexingMap &map, uint32_t i);

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

/// A map without ranges as a problem of one slot: all of its dimensions are
/// outer variables. What Launch::problems says of errors holds.
absl::StatusOr<Problem> pointProblem(const IndexingMap &map, int64_t bits,
                                     LaneNumbers &numbers);

class Launch {
 public:
  /// An error where the map is no thread map.
  static absl::StatusOr<Launch> of(const IndexingMap &threads,
                                   const Device &device);

  const IndexingMap &threads() const { return threads_; }
  const Device &device() const { return *device_; }
  size_t loops() const { return threads_.ranges().size(); }
  /// Values of the last loop; 1 where there is none.
  int64_t vectorLoop() const {
    return loops() == 0 ? 1 : threads_.ranges().back().bounds.count();
  }

  int64_t threadsPerBlock() const;

  /// The pieces from the launch's side; those that no thread reads are left
  /// out. Requires pieces that take an index of the thread map's rank, with
  /// ranges that end, and read no other device.
  absl::StatusOr<std::vector<LaunchPiece>> pieces(
      llvm::ArrayRef<ReadPiece> read) const;

  /// One problem a kind of warps; the last loop in vectors of `vector`, slots
  /// for all elements of a vector, or for the first alone. Elements take `bits`
  /// bits. An error where a map has what is not followed here (a product of
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

/// In the first warp: bits from a lane to the next one, where that is mostly
/// one number, and how many runs of lanes are so far apart. Nothing where fewer
/// than two lanes read.
struct LaneSteps {
  int64_t stride = 0, runs = 1;
};
std::optional<LaneSteps> laneSteps(const Launch::Warps &warps);

}  // namespace lanes
}  // namespace indexical

#endif  // INDEXICAL_ANALYSIS_MEMORY_LAUNCH_H
