// Identity maps by the sizes of their index: private to program/.
//
//   add((d0, d1) -> (d0, d1), d0 in [0, 3], d1 in [0, 7])
//   find({4, 8})     that map
//   find({8, 4})     nothing
//
// The sizes are the bounds of a map's dimensions, so none are kept beside it:
// of a module in which no two shapes are alike there are as many maps as
// instructions.
#ifndef INDEXICAL_PROGRAM_MAPS_IDENTITIES_H
#define INDEXICAL_PROGRAM_MAPS_IDENTITIES_H

#include <cstdint>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"

#include "indexical/indexing/indexing_map.h"

namespace indexical {

class Identities {
 public:
  /// Returns the map with these sizes, or null.
  const IndexingMap *find(llvm::ArrayRef<int64_t> sizes) const {
    const auto first = byHash_.find(hashOf(sizes));
    if (first == byHash_.end()) return nullptr;
    for (uint32_t at = first->second; at != kNone; at = all_[at].next)
      if (hasSizes(all_[at].map, sizes)) return &all_[at].map;
    return nullptr;
  }

  /// Adds a map, each of whose dimensions begins with 0. Requires that none of
  /// its sizes is there.
  void add(llvm::ArrayRef<int64_t> sizes, IndexingMap map) {
    if (!hasSizes(map, sizes) || all_.size() == kNone) return;
    const auto [first, isNew] =
        byHash_.try_emplace(hashOf(sizes), static_cast<uint32_t>(all_.size()));
    all_.push_back({std::move(map), isNew ? kNone : first->second});
    first->second = static_cast<uint32_t>(all_.size() - 1);
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Entry {
    IndexingMap map;
    uint32_t next;  ///< of the same hash
  };

  static uint32_t hashOf(llvm::ArrayRef<int64_t> sizes) {
    // Two hashes are keys that the table has for itself.
    const auto hash = static_cast<uint32_t>(
        llvm::hash_combine_range(sizes.begin(), sizes.end()));
    return hash >> 1;
  }
  static bool hasSizes(const IndexingMap &map, llvm::ArrayRef<int64_t> sizes) {
    const auto dimensions = map.dimensions();
    if (map.isKnownEmpty() || dimensions.size() != sizes.size()) return false;
    for (size_t k = 0; k < sizes.size(); ++k)
      if (dimensions[k].bounds != Interval{0, sizes[k] - 1}) return false;
    return true;
  }

  llvm::DenseMap<uint32_t, uint32_t> byHash_;  ///< to the last one
  std::vector<Entry> all_;
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_IDENTITIES_H
