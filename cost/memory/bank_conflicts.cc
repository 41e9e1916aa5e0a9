#include "indexical/cost/memory/bank_conflicts.h"

#include <algorithm>
#include <vector>

#include "indexical/cost/memory/device.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/layout/access.h"
#include "indexical/ops/address.h"

namespace indexical {
namespace {

constexpr int64_t kLanes = 32;
constexpr int64_t kMostPoints = 1 << 18;

}  // namespace

std::optional<int64_t> bankConflicts(const IndexingMap &threads, int64_t bits) {
  if (threads.isKnownEmpty()) return 1;
  IndexingMap::Point point;
  point.dimensions.assign(threads.dimensions().size(), 0);
  int64_t lanes = threads.dimensions()[0].bounds.count(), loops = 1;
  for (const Variable &loop : threads.ranges()) {
    const auto product = checkedMul(loops, loop.bounds.count());
    if (!product || *product > kMostPoints) return std::nullopt;
    loops = *product;
    point.ranges.push_back(loop.bounds.lower);
  }
  if (loops * lanes > kMostPoints) return std::nullopt;
  int64_t most = 1;
  for (int64_t first = 0; first < lanes; first += kLanes)
    for (int64_t step = 0; step < loops; ++step) {
      int64_t rest = step;
      for (size_t k = threads.ranges().size(); k-- > 0;) {
        const Interval bounds = threads.ranges()[k].bounds;
        point.ranges[k] = bounds.lower + rest % bounds.count();
        rest /= bounds.count();
      }
      std::vector<layouts::LaneBytes> taken;
      for (int64_t t = first; t < std::min(first + kLanes, lanes); ++t) {
        point.dimensions[0] = t;
        if (!threads.contains(point)) continue;
        const auto element = threads.evaluate(point);
        if (!element) return std::nullopt;
        const int64_t begin = (*element)[0] * bits;
        taken.push_back(
            {t - first, floorDiv(begin, 8), floorDiv(begin + bits - 1, 8)});
      }
      most = std::max(most, layouts::sharedCost(taken).conflicts);
    }
  return most;
}

std::optional<int64_t> bankConflicts(const SharedTile &tile) {
  const int64_t bits = storedBits(tile.shape);
  const auto written = bankConflicts(tile.written, bits);
  const auto read = bankConflicts(tile.read, bits);
  if (!written || !read) return std::nullopt;
  return std::max(*written, *read);
}

}  // namespace indexical
