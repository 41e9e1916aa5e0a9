#include "indexical/cost/kernel/shared_conflicts.h"

#include <algorithm>
#include <vector>

#include "indexical/cost/kernel/thread_accesses.h"

namespace indexical::kernels {
namespace {

constexpr int64_t kMostRegisters = int64_t{1} << 22;

/// The figures of an access that maps describe: each warp and turn of the first
/// block is gone through.
class MappedFigures {
 public:
  MappedFigures(const TritonKernel &kernel, const SharedAccess &access)
      : kernel_(kernel), access_(access) {}

  std::optional<layouts::AccessFigures> find() {
    if (access_.mask == MaskKind::Cover || access_.elementBits % 8 != 0)
      return std::nullopt;
    for (const PointerMap &map : access_.maps)
      if (!map.map.runtime().empty()) return std::nullopt;
    const auto threads = threadMap(kernel_, access_);
    if (!threads.ok()) return std::nullopt;
    const int64_t warps = kernel_.warps.value_or(1);
    int64_t turns = 1;
    for (const Variable &range : threads->ranges()) {
      const int64_t count = range.bounds.upper + 1;
      if (turns > kMostRegisters / count) return std::nullopt;
      turns *= count;
    }
    if (turns > kMostRegisters / (warps * kernel_.lanes)) return std::nullopt;
    figures_.vector = access_.vector;
    at_.dimensions.assign(6, 0);
    at_.ranges.assign(threads->ranges().size(), 0);
    for (int64_t warp = 0; warp < warps; ++warp) addTurns(*threads, warp, 0);
    return figures_;
  }

 private:
  /// Goes through all turns but those of `vector`, the last range.
  void addTurns(const IndexingMap &threads, int64_t warp, size_t range) {
    if (range + 1 < threads.ranges().size()) {
      const int64_t last = threads.ranges()[range].bounds.upper;
      for (int64_t turn = 0; turn <= last; ++turn) {
        at_.ranges[range] = turn;
        addTurns(threads, warp, range + 1);
      }
      return;
    }
    std::vector<layouts::LaneBytes> lanes;
    const int64_t bytes = access_.elementBits / 8;
    for (int64_t lane = 0; lane < kernel_.lanes; ++lane) {
      at_.dimensions[0] = warp * kernel_.lanes + lane;
      layouts::LaneBytes own{lane, INT64_MAX, INT64_MIN};
      for (int64_t k = 0; k <= threads.ranges().back().bounds.upper; ++k) {
        at_.ranges.back() = k;
        if (!threads.contains(at_)) continue;
        const auto point = threads.evaluate(at_);
        const auto element = point ? elementAt(*point) : std::nullopt;
        if (!element) continue;
        own.first = std::min(own.first, *element * bytes);
        own.last = std::max(own.last, *element * bytes + bytes - 1);
      }
      if (own.first <= own.last) lanes.push_back(own);
    }
    if (lanes.empty()) return;
    const layouts::SharedCost cost = layouts::sharedCost(lanes);
    ++figures_.accesses;
    figures_.conflicts = std::max(figures_.conflicts, cost.conflicts);
    figures_.wavefronts += cost.wavefronts;
    figures_.wavefrontsFewest += cost.fewest;
  }

  std::optional<int64_t> elementAt(llvm::ArrayRef<int64_t> point) const {
    IndexingMap::Point at;
    at.dimensions.assign(point.begin(), point.end());
    for (const PointerMap &map : access_.maps)
      if (map.map.contains(at))
        if (const auto element = map.map.evaluate(at)) return element->front();
    return std::nullopt;
  }

  const TritonKernel &kernel_;
  const SharedAccess &access_;
  IndexingMap::Point at_;
  layouts::AccessFigures figures_;
};

}  // namespace

std::optional<layouts::AccessFigures> sharedFigures(
    const TritonKernel &kernel, const SharedAccess &access) {
  if (!access.maps.empty()) return MappedFigures(kernel, access).find();
  if (!access.layout || !access.memory) return std::nullopt;
  const auto places = layouts::placesOf(*access.layout, *access.memory);
  if (!places.ok()) return std::nullopt;
  const auto figures =
      layouts::accessOf(*places, access.elementBits, layouts::Memory::Shared);
  if (!figures.ok()) return std::nullopt;
  return *figures;
}

}  // namespace indexical::kernels
