#include "indexical/same/kernel/store_inverses.h"

#include "absl/strings/str_cat.h"

#include "indexical/exact/exact.h"

namespace indexical::kernels {

StorePlaces placesOfStore(const TritonKernel &kernel,
                          const KernelAccess &access, int64_t array) {
  auto unknown = [&](const std::string &why) {
    return StorePlaces{{}, absl::StrCat("line ", access.place.line, ": ", why)};
  };
  if (!access.reason.empty()) return unknown(access.reason);
  if (access.kind != AccessKind::Store)
    return unknown("what an atomic operation leaves is not followed");
  if (access.mask == MaskKind::Cover)
    return unknown("a part of the mask of a store is not known");
  StorePlaces places;
  for (const PointerMap &map : access.maps) {
    if (kernel.arrayOf(map.argument) != array || map.map.isKnownEmpty())
      continue;
    if (!map.map.runtime().empty())
      return unknown(
          absl::StrCat("where a store goes depends on values, such as `",
                       map.map.runtime()[0].name, "`"));
    const auto turned = inverse(IndexingRelation(map.map));
    if (!turned.ok()) return unknown(std::string(turned.status().message()));
    for (const IndexingMap &each : turned->pieces()) {
      if (each.isKnownEmpty()) continue;
      // A range is a choice among several points.
      if (!each.ranges().empty() || turned->precision() != Precision::Exact)
        return unknown(
            "which of several points of the kernel stores an element is not "
            "followed");
      places.maps.push_back(each);
    }
  }
  return places;
}

const StorePlaces &StoreInverses::placesOf(size_t access, int64_t array) {
  const auto key = std::make_pair(access, array);
  auto found = known_.find(key);
  if (found == known_.end())
    found = known_
                .emplace(key, placesOfStore(kernel_, kernel_.accesses[access],
                                            array))
                .first;
  return found->second;
}

}  // namespace indexical::kernels
