#include "indexical/cost/memory/shared_reads.h"

#include <algorithm>
#include <optional>

#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/memory/device.h"
#include "indexical/cost/memory/distinct_sectors.h"
#include "indexical/cost/memory/thread_map.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"

namespace indexical {
namespace lanes {
namespace {

// A block has at most so many threads on any device there is.
constexpr int64_t kMostSharing = 1024;

/// Whether each access of the sums reads one vector of so many bytes, as far as
/// they are known; nothing if they may or may not.
std::optional<bool> readsOneVector(const Sums &sums, int64_t bytes) {
  if (sums.bytes.least > sums.accesses.most * bytes) return false;
  if (!sums.complete) return std::nullopt;
  return sums.accesses.most > 0 &&
         sums.bytes.most == sums.accesses.most * bytes;
}

/// Lowers the least sums to those of at least one access, or of none.
void lowerTo(int64_t accesses, Sums &sums) {
  sums.exact = false;
  for (AccessSum *sum : {&sums.accesses, &sums.lanes, &sums.bytes,
                         &sums.sectors, &sums.fewest, &sums.lines})
    sum->least = std::min<__int128>(sum->least, accesses);
  sums.wasted.least = 0;
}

/// Whether the piece's address names a thread of its block, or a loop.
bool dependsOnThreadsOrLoops(const Launch &launch, const LaunchPiece &piece) {
  bool depends = false;
  const auto loops = kThreadDimensions + launch.loops();
  piece.map.expressions().visitVariables(
      {piece.map.results()[0]}, [&](VariableId id) {
        const bool isOfBlock = id.index >= 3 && id.index < kThreadDimensions;
        depends |= id.kind == VariableKind::Dimension && !isOfBlock &&
                   id.index < loops;
      });
  return depends;
}

/// Numbers the blocks, the values of the ranges and, if `withAddress`, the
/// addresses below `elements`. Returns nothing if the numbers leave 64 bits.
class Numbering {
 public:
  Numbering(const Launch &launch, llvm::ArrayRef<LaunchPiece> pieces,
            int64_t elements)
      : elements_(elements) {
    for (uint32_t i = 3; i < kThreadDimensions; ++i)
      add(i, launch.threads().dimensions()[i].bounds);
    size_t ranges = 0;
    for (const LaunchPiece &piece : pieces)
      ranges = std::max(ranges, piece.ranges);
    for (uint32_t k = 0; k < ranges; ++k) {
      // A piece without such a range exists for its value 0.
      const uint32_t at = kThreadDimensions + launch.loops() + k;
      Interval hull = Interval::none();
      for (const LaunchPiece &piece : pieces)
        hull = hull.hull(k < piece.ranges ? piece.boundsOf(at)
                                          : Interval::point(0));
      add(at, hull);
    }
    if (volume_) volume_ = checkedMul(*volume_, elements_);
  }

  std::optional<int64_t> volume() const { return volume_; }

  absl::StatusOr<IndexingMap> of(const IndexingMap &map) const {
    return withBody(map, [&](IndexingMapBuilder &b, MapBody &body) {
      Expr number = b.constant(0);
      for (const Axis &axis : axes_) {
        number = number * axis.bounds.count();
        if (axis.at < map.dimensions().size())
          number = number +
                   b.expression(
                       b.pool().variable({VariableKind::Dimension, axis.at})) -
                   axis.bounds.lower;
        else
          number = number - axis.bounds.lower;
      }
      if (elements_ > 1) number = number * elements_ + body.results[0];
      body.results = {number};
    });
  }

 private:
  struct Axis {
    uint32_t at;
    Interval bounds;
  };
  void add(uint32_t at, Interval bounds) {
    if (volume_) volume_ = checkedMul(*volume_, bounds.count());
    axes_.push_back({at, bounds});
  }

  const int64_t elements_;  ///< 1: addresses are not numbered
  std::vector<Axis> axes_;
  std::optional<int64_t> volume_ = 1;
};

/// Returns how many addresses the blocks read, each once for each value of the
/// ranges; nothing if that is not known.
absl::StatusOr<std::optional<Figure>> addressesOfBlocks(
    const Launch &launch, const std::vector<LaunchPiece> &pieces,
    const Geometry &geometry, int64_t vector, Meter &meter) {
  int64_t elements = 1;
  const bool isOne =
      pieces.size() == 1 && !dependsOnThreadsOrLoops(launch, pieces.front());
  if (!isOne) {
    // A value that moves all addresses is no part of the numbers.
    if (llvm::any_of(pieces, [](const LaunchPiece &piece) {
          return !piece.map.runtime().empty();
        }))
      return std::nullopt;
    const int64_t bits = geometry.width / vector;
    elements = ceilDiv(ceilDiv(geometry.buffer, bits), vector) * vector;
    // A number of 1 says that addresses are not numbered.
    elements = std::max<int64_t>(elements, 2 * vector);
  } else {
    vector = 1;
  }
  const Numbering numbering(launch, pieces, elements);
  if (!numbering.volume()) return std::nullopt;
  std::vector<IndexingMap> maps;
  for (const LaunchPiece &piece : pieces) {
    INDEXICAL_ASSIGN_OR_RETURN(auto map, numbering.of(piece.map));
    maps.push_back(std::move(map));
  }
  auto counted = distinctSectors(
      maps, {vector, 1, ceilDiv(*numbering.volume(), vector), 0}, meter);
  if (!counted.ok()) return std::nullopt;
  return std::optional<Figure>(*counted);
}

/// Sets the sums of warps to those of blocks that read so many addresses.
void setShared(const Figure &count, const Sums &ofBlocks, int64_t threads,
               int64_t warp, int64_t bytes, Sums &sums) {
  const __int128 most = std::min<__int128>(count.most, sums.accesses.most);
  const int64_t warps = ceilDiv(threads, warp);
  // If all threads take part, each warp loads each address of its block.
  const bool areAll = count.least == most &&
                      ofBlocks.lanes.least == ofBlocks.accesses.most * threads;
  sums.requests.most = std::min(most * warps, sums.accesses.most);
  sums.requests.least = areAll ? sums.requests.most : count.least;
  sums.exact &= count.least == most;
  sums.accesses = sums.lanes = sums.sectors = sums.fewest =
      sums.lines = {count.least, most};
  sums.bytes = {static_cast<__int128>(count.least) * bytes, most * bytes};
  sums.wasted = {0, 0};
  sums.pieces = most;
}

/// Whether blocks of so many threads may share vectors of that width.
bool mayShare(int64_t threads, int64_t warp, const Geometry &geometry) {
  return threads >= warp && threads <= kMostSharing &&
         geometry.width % 8 == 0 && geometry.sector % geometry.width == 0;
}

}  // namespace

std::optional<Sharing> shareNumbered(const NumberedAccesses &accesses,
                                     int64_t threads, const Geometry &geometry,
                                     Sums &sums) {
  if (!mayShare(threads, accesses.warp, geometry)) return Sharing::None;
  const int64_t bytes = geometry.width / 8;
  if (!*readsOneVector(sums, bytes)) return Sharing::None;
  const llvm::ArrayRef<NumberedRun> runs = accesses.runs;
  if (llvm::any_of(runs, [&](const NumberedRun &run) {
        return run.step != 0 || run.start != runs.front().start;
      }))
    return std::nullopt;
  NumberedAccesses wide = accesses;
  wide.warp = threads;
  Sums ofBlocks;
  addNumbered(wide, geometry, INT64_MAX, ofBlocks);
  if (2 * ofBlocks.lanes.most < ofBlocks.accesses.most * threads)
    return Sharing::None;
  // All read one element: a block that reads has one address.
  const int64_t ofBlock = threads * accesses.vector;
  int64_t blocks = 0, seen = -1;
  for (const NumberedRun &run : runs) {
    const int64_t first = std::max(seen + 1, run.first / ofBlock);
    const int64_t last = (run.end() - 1) / ofBlock;
    blocks += std::max<int64_t>(0, last - first + 1);
    seen = std::max(seen, last);
  }
  setShared({blocks, blocks}, ofBlocks, threads, accesses.warp, bytes, sums);
  return Sharing::InBlocks;
}

absl::StatusOr<Sharing> shareInBlocks(const Launch &launch,
                                      const std::vector<LaunchPiece> &pieces,
                                      int64_t shift, const Geometry &geometry,
                                      int64_t vector, Meter &meter,
                                      Sums &sums) {
  const int64_t threads = launch.threadsPerBlock();
  if (!mayShare(threads, launch.device().warp, geometry)) return Sharing::None;
  const int64_t bytes = geometry.width / 8;
  const auto ofWarps = readsOneVector(sums, bytes);
  if (ofWarps && !*ofWarps) return Sharing::None;
  const int64_t some = sums.accesses.least > 0 ? 1 : 0;
  if (!ofWarps) {
    lowerTo(some, sums);
    return Sharing::Perhaps;
  }
  // A block is measured as if it were one warp.
  Device wide = launch.device();
  wide.warp = threads;
  INDEXICAL_ASSIGN_OR_RETURN(auto blocks, Launch::of(launch.threads(), wide));
  INDEXICAL_ASSIGN_OR_RETURN(
      auto problems,
      blocks.problems(pieces, geometry.width / vector, vector, false));
  Sums ofBlocks;
  for (Launch::Warps &warps : problems) {
    WarpSums adding(warps.numbers, geometry, meter);
    adding.setShift(shift);
    adding.add(warps.problem, ofBlocks);
  }
  const auto one = readsOneVector(ofBlocks, bytes);
  const bool takeMost =
      2 * ofBlocks.lanes.most >= ofBlocks.accesses.most * threads;
  if (one && (!*one || !takeMost)) return Sharing::None;
  auto count = std::optional<Figure>();
  if (one) {
    INDEXICAL_ASSIGN_OR_RETURN(
        count, addressesOfBlocks(launch, pieces, geometry, vector, meter));
  }
  if (!count) {
    lowerTo(some, sums);
    return Sharing::Perhaps;
  }
  setShared(*count, ofBlocks, threads, launch.device().warp, bytes, sums);
  return Sharing::InBlocks;
}

}  // namespace lanes
}  // namespace indexical
