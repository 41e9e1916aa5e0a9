#include "indexical/same/kernel/masked_lanes.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/transforms.h"
#include "indexical/same/kernel/ordered_stores.h"
#include "indexical/same/values/element_numbers.h"
#include "indexical/same/values/mixed.h"
#include "indexical/same/values/regions.h"

namespace indexical::kernels {

namespace {

// The most regions into which a store falls, and the most places at which lanes
// are changed.
constexpr int kMostParts = 128, kMostTrials = 16;
// The most places of one region.
constexpr int kMostPlaces = 6;

using Point = std::vector<int64_t>;

/// Returns places of a region: the first one, the last one and others. There is
/// at least one, unless none is known.
std::vector<Point> placesIn(const IndexingMap &region,
                            const ExactOptions &options) {
  std::vector<Point> places;
  if (!region.ranges().empty() || !region.runtime().empty()) return places;
  for (int n = 0; n < kMostPlaces; ++n) {
    IndexingMap::Point point;
    for (auto [k, v] : llvm::enumerate(region.dimensions())) {
      if (!v.bounds.isFinite()) return {};
      const auto size = static_cast<uint64_t>(v.bounds.upper) -
                        static_cast<uint64_t>(v.bounds.lower) + 1;
      const uint64_t step = n == 0   ? 0
                            : n == 1 ? size - 1
                                     : mixed(n * 1000 + k) % size;
      point.dimensions.push_back(v.bounds.lower + static_cast<int64_t>(step));
    }
    if (region.contains(point))
      places.emplace_back(point.dimensions.begin(), point.dimensions.end());
  }
  if (!places.empty()) return places;
  const auto none = isEmpty(IndexingRelation(region), options);
  if (none.ok() && none->answer == Answer::No && none->witness)
    places.emplace_back(none->witness->index.begin(),
                        none->witness->index.end());
  return places;
}

class LaneFinder {
 public:
  LaneFinder(const CheckedKernel &of, KernelTerms &terms,
             const ElementTable &table, int64_t maskedLanes,
             const ExactOptions &options)
      : kernel_(of.kernel),
        once_(of.once),
        terms_(terms),
        table_(table),
        maskedLanes_(maskedLanes),
        options_(options) {}

  Check found() { return std::move(worst_); }

  void take(const KernelAccess &store, const PointerMap &map) {
    if (worst_.answer == Check::Violated) return;
    if (store.value < 0 || !store.reason.empty() ||
        store.mask == MaskKind::Cover || !map.map.runtime().empty())
      return doubt(absl::StrCat("line ", store.place.line, ": ",
                                store.reason.empty()
                                    ? "what is stored is not followed"
                                    : store.reason.c_str()));
    const auto region = regionIn(map.map);
    if (!region) return doubt("an address leaves 64 bits");
    parts_ = 0;
    takeIn(store, map, *region);
  }

  void doubt(std::string reason) {
    worst_.take(Check::undecided(std::move(reason)));
  }

 private:
  void takeIn(const KernelAccess &store, const PointerMap &map,
              const IndexingMap &region) {
    if (region.isKnownEmpty() || worst_.answer == Check::Violated) return;
    if (++parts_ > kMostParts)
      return doubt("what is stored falls into too many regions");
    if (const auto stored = terms_.storedBy(store, region))
      return takeStored(store, map, region, *stored);
    const std::vector<IndexingMap> parts(terms_.parts().begin(),
                                         terms_.parts().end());
    if (parts.empty() || llvm::is_contained(parts, region))
      return doubt("a region does not become smaller");
    for (const IndexingMap &part : parts) takeIn(store, map, part);
  }

  /// The accesses whose lanes an element may be computed of.
  struct Lanes {
    std::set<int64_t> loads;
    bool isKnown = true;  ///< else there may be others
  };

  Lanes lanesOf(ElementId id) const {
    using Kind = Element::Kind;
    Lanes lanes;
    std::set<ElementId> seen;
    std::vector<ElementId> left = {id};
    while (!left.empty()) {
      const ElementId at = left.back();
      left.pop_back();
      if (!seen.insert(at).second) continue;
      const Element &element = table_[at];
      lanes.isKnown &= element.kind != Kind::Unknown &&
                       element.kind != Kind::Known &&
                       element.kind != Kind::Computed;
      if (element.kind == Kind::Parameter && element.number >= maskedLanes_)
        lanes.loads.insert(element.number - maskedLanes_);
      left.insert(left.end(), element.operands.begin(), element.operands.end());
      for (const IndexingMap &map : element.maps)
        for (const RuntimeVariable &v : map.runtime()) {
          lanes.isKnown &= v.source.tensor >= 0;
          if (v.source.tensor >= 0) left.push_back(ElementId(v.source.tensor));
        }
    }
    return lanes;
  }

  void takeStored(const KernelAccess &store, const PointerMap &map,
                  const IndexingMap &region, ElementId stored) {
    const Lanes lanes = lanesOf(stored);
    if (!lanes.isKnown)
      doubt(terms_.reason().empty() ? "what is stored is not followed"
                                    : terms_.reason());
    for (const int64_t load : lanes.loads) {
      if (const auto place = changedAt(region, stored, load);
          place && isLast(store, map))
        return foundLane(store, map, load, *place);
      doubt(absl::StrCat("line ", store.place.line,
                         " may store what is computed of a masked lane of "
                         "line ",
                         kernel_.accesses[load].place.line));
    }
  }

  /// Returns a place of the region at which other numbers of a load's lanes
  /// give another number, if one is found.
  std::optional<Point> changedAt(const IndexingMap &region, ElementId stored,
                                 int64_t load) {
    NamedNumber lanes;
    lanes.parameter = maskedLanes_ + load;
    for (Point &place : placesIn(region, options_)) {
      if (++trials_ > kMostTrials) return std::nullopt;
      if (dependsOn(table_, stored, place, lanes, /*onAll=*/true))
        return std::move(place);
    }
    return std::nullopt;
  }

  /// Whether what the access stores stays in the array.
  bool isLast(const KernelAccess &store, const PointerMap &map) const {
    const int64_t array = kernel_.arrayOf(map.argument);
    const bool isSum = store.kind == AccessKind::Atomic;
    for (const KernelAccess &other : kernel_.accesses)
      if (other.kind == AccessKind::Store && &other != &store &&
          (isSum || other.phase != store.phase) &&
          llvm::any_of(other.maps, [&](const PointerMap &each) {
            return kernel_.arrayOf(each.argument) == array;
          }))
        return false;
    if (isSum) return true;
    if (once_.answer != Check::Proved) return false;
    // A loop may store an element again.
    const auto once =
        isInjective(IndexingRelation(rangesToDimensions(map.map)), options_);
    return once.ok() && once->answer == Answer::Yes;
  }

  void foundLane(const KernelAccess &store, const PointerMap &map, int64_t load,
                 const Point &place) {
    IndexingMap::Point point;
    point.dimensions.assign(place.begin(), place.end());
    const auto element = map.map.evaluate(point);
    if (!element) return doubt("an address leaves 64 bits");
    Witness witness;
    witness.kind = Witness::Kind::StoredOther;
    witness.array = kernel_.arrayOf(map.argument);
    witness.element = {(*element)[0]};
    witness.first.program.assign(place.begin(), place.begin() + 3);
    witness.first.line = store.place.line;
    witness.second.line = kernel_.accesses[load].place.line;
    worst_ = Check::violated(std::move(witness));
  }

  const TritonKernel &kernel_;
  const Check &once_;
  KernelTerms &terms_;
  const ElementTable &table_;
  const int64_t maskedLanes_;
  const ExactOptions &options_;
  Check worst_;
  int parts_ = 0, trials_ = 0;
};

}  // namespace

Check definedStores(const CheckedKernel &of,
                    llvm::ArrayRef<std::optional<ArgumentArray>> arrays,
                    KernelTerms &terms, const ElementTable &table,
                    int64_t maskedLanes, const ExactOptions &options) {
  const TritonKernel &kernel = of.kernel;
  LaneFinder finder(of, terms, table, maskedLanes, options);
  for (const KernelAccess &access : kernel.accesses) {
    if (access.kind == AccessKind::Load ||
        isOverwritten(kernel, access, options))
      continue;
    if (!access.reason.empty()) finder.doubt(access.reason);
    for (const PointerMap &map : access.maps) {
      if (map.argument < 0 || !arrays[map.argument] ||
          arrays[map.argument]->isScratch)
        continue;
      finder.take(access, map);
    }
  }
  return finder.found();
}

}  // namespace indexical::kernels
