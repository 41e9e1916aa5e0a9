#include "tests/same/partitioned/runs/cells.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/Hashing.h"

namespace indexical {

DeviceCell integerCell(int64_t value) {
  DeviceCell cell;
  cell.isKnown = cell.hasValue = true;
  cell.value = value;
  cell.number = numberOf(value, TermRing::Integers);
  return cell;
}

int64_t cellCountOf(const ArrayShape &shape) {
  int64_t count = 1;
  for (int64_t size : shape.dimensions) {
    if (size < 0 || size > (int64_t(1) << 31)) return -1;
    count *= size;
    if (count > (int64_t(1) << 31)) return -1;
  }
  return count;
}

bool nextIndex(llvm::MutableArrayRef<int64_t> at,
               llvm::ArrayRef<int64_t> sizes) {
  for (size_t k = sizes.size(); k-- > 0; at[k] = 0)
    if (++at[k] < sizes[k]) return true;
  return false;
}

ElementSets::ElementSets() { intern({}); }

SetId ElementSets::intern(std::vector<CellElementId> elements) {
  size_t hash = elements.size();
  for (CellElementId each : elements) hash = llvm::hash_combine(hash, each);
  auto [first, last] = byHash_.equal_range(hash);
  for (; first != last; ++first)
    if (sets_[first->second] == elements) return first->second;
  const SetId id = sets_.size();
  sets_.push_back(std::move(elements));
  byHash_.emplace(hash, id);
  return id;
}

SetId ElementSets::single(CellElementId element) { return intern({element}); }

SetId ElementSets::unite(llvm::ArrayRef<SetId> sets) {
  scratch_.assign(sets.begin(), sets.end());
  std::sort(scratch_.begin(), scratch_.end());
  scratch_.erase(std::unique(scratch_.begin(), scratch_.end()), scratch_.end());
  if (!scratch_.empty() && scratch_.front() == 0)
    scratch_.erase(scratch_.begin());
  if (scratch_.empty()) return 0;
  if (scratch_.size() == 1) return scratch_.front();
  const bool isPair = scratch_.size() == 2;
  const uint64_t key = uint64_t(scratch_[0]) << 32 | scratch_[1];
  if (isPair)
    if (auto known = pairs_.find(key); known != pairs_.end())
      return known->second;
  // An element is new if its mark is of an earlier union.
  ++epoch_;
  std::vector<CellElementId> all;
  for (SetId set : scratch_) {
    work_ += sets_[set].size() + 1;
    const CellElementId last = sets_[set].back();
    if (last >= marks_.size()) marks_.resize(size_t(last) + 1, 0);
    for (CellElementId each : sets_[set]) {
      if (marks_[each] == epoch_) continue;
      marks_[each] = epoch_;
      all.push_back(each);
    }
  }
  std::sort(all.begin(), all.end());
  const SetId united = intern(std::move(all));
  if (isPair) pairs_.emplace(key, united);
  return united;
}

}  // namespace indexical
