#include "indexical/same/kernel/masked_lanes.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/transforms.h"
#include "indexical/same/kernel/ordered_stores.h"
#include "indexical/same/values/polynomial.h"
#include "indexical/same/values/regions.h"

namespace indexical::kernels {

namespace {

// The most regions into which a store falls.
constexpr int kMostParts = 128;

class LaneFinder {
 public:
  LaneFinder(const TritonKernel &kernel, KernelTerms &terms,
             const ElementTable &table, int64_t maskedLanes,
             const ExactOptions &options)
      : kernel_(kernel),
        terms_(terms),
        table_(table),
        maskedLanes_(maskedLanes),
        options_(options) {}

  Check found() { return std::move(worst_); }

  void take(const KernelAccess &store, const PointerMap &map) {
    if (worst_.answer == Check::Violated) return;
    if (store.value < 0 || !store.reason.empty() ||
        store.mask == MaskKind::Cover || !map.map.runtime().empty())
      return doubt(
          absl::StrCat("line ", store.place.line, ": ",
                       store.reason.empty() ? "what is stored is not followed"
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
    if (const auto stored = terms_.storedBy(store, region)) {
      seen_.clear();
      return search(*stored, /*isSure=*/true, {store, map, region});
    }
    const std::vector<IndexingMap> parts(terms_.parts().begin(),
                                         terms_.parts().end());
    if (parts.empty() || llvm::is_contained(parts, region))
      return doubt("a region does not become smaller");
    for (const IndexingMap &part : parts) takeIn(store, map, part);
  }

  struct Stored {
    const KernelAccess &store;
    const PointerMap &map;
    const IndexingMap &region;
  };

  /// Looks for lanes among what the element is computed of. A choice by a
  /// number that is not known may leave it out: then it is not sure.
  void search(ElementId id, bool isSure, const Stored &stored) {
    using Kind = Element::Kind;
    if (worst_.answer == Check::Violated || !seen_.insert({id, isSure}).second)
      return;
    const Element &element = table_[id];
    if (element.kind == Kind::Unknown)
      return doubt(terms_.reason().empty() ? "what is stored is not followed"
                                           : terms_.reason());
    if (element.kind == Kind::Parameter && element.number >= maskedLanes_)
      return foundLane(element.number - maskedLanes_, isSure, stored);
    if (element.kind == Kind::Sum) {
      const Polynomial sum = table_.asPolynomial(id);
      for (const auto &[factors, by] : sum.terms())
        for (const ElementId factor : factors)
          if (factor != id) search(factor, isSure, stored);
      return;
    }
    const bool isChoice = element.kind == Kind::Along ||
                          element.kind == Kind::Computed ||
                          (element.kind == Kind::Apply &&
                           lawName(element.op) == "select");
    for (const ElementId operand : element.operands)
      search(operand, isSure && !isChoice, stored);
  }

  void foundLane(int64_t load, bool isSure, const Stored &stored) {
    const int64_t line = kernel_.accesses[load].place.line;
    const std::string reason = absl::StrCat(
        "line ", stored.store.place.line,
        " may store what is computed of a masked lane of line ", line);
    if (!isSure) return doubt(reason);
    // A point of the region names the program and the element.
    const auto stores = compose(stored.region, stored.map.map);
    const auto none = stores.ok() ? isEmpty(IndexingRelation(*stores), options_)
                                  : absl::StatusOr<Decision>(stores.status());
    if (!none.ok() || none->answer == Answer::Undecided) return doubt(reason);
    if (none->answer == Answer::Yes) return;
    Witness witness;
    witness.kind = Witness::Kind::StoredOther;
    witness.array = kernel_.arrayOf(stored.map.argument);
    witness.element = {none->witness->element[0]};
    witness.first.program.assign(none->witness->index.begin(),
                                 none->witness->index.begin() + 3);
    witness.first.line = stored.store.place.line;
    witness.second.line = line;
    worst_ = Check::violated(std::move(witness));
  }

  const TritonKernel &kernel_;
  KernelTerms &terms_;
  const ElementTable &table_;
  const int64_t maskedLanes_;
  const ExactOptions &options_;
  Check worst_;
  std::set<std::pair<ElementId, bool>> seen_;
  int parts_ = 0;
};

}  // namespace

Check definedStores(const TritonKernel &kernel,
                    llvm::ArrayRef<std::optional<ArgumentArray>> arrays,
                    KernelTerms &terms, const ElementTable &table,
                    int64_t maskedLanes, const ExactOptions &options) {
  LaneFinder finder(kernel, terms, table, maskedLanes, options);
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
