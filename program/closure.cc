#include "indexical/program/closure.h"

#include <utility>

#include "llvm/ADT/SmallVector.h"

namespace indexical {
namespace {

// Rounds in which intervals may grow little by little.
constexpr int kPatience = 3;

// Products of boxes; a state of hundreds of leaves that all read each other
// would take minutes.
constexpr int64_t kMostProducts = 2000000;

class Closure {
 public:
  Closure(llvm::ArrayRef<BoxRow> step, llvm::ArrayRef<ArrayShape> leaves)
      : step(step), leaves(leaves), rows(leaves.size()) {}

  std::vector<BoxRow> find() {
    for (size_t r = 0; r < leaves.size(); ++r)
      addTo(rows[r], r, identityBox(leaves[r]));
    llvm::SmallVector<bool, 16> grew(leaves.size(), true);
    for (bool any = true; any; ++round) {
      any = false;
      llvm::SmallVector<bool, 16> growing(leaves.size(), false);
      for (size_t r = 0; r < leaves.size(); ++r)
        for (const auto &[middle, box] : step[r])
          if (grew[middle] || growing[middle])
            growing[r] |= extend(r, middle, box);
      for (bool g : growing) any |= g;
      grew = std::move(growing);
      if (products > kMostProducts) return coarse();
    }
    return std::move(rows);
  }

 private:
  /// Row r reads what `middle` reads, behind `box`; whether it grew.
  bool extend(int64_t r, int64_t middle, const Box &box) {
    bool grew = false;
    for (auto it = rows[middle].begin(); it != rows[middle].end(); ++it) {
      ++products;
      auto product = composed(box, it->second);
      if (!product) continue;
      auto [entry, isNew] = rows[r].try_emplace(it->first, *product);
      if (isNew) {
        grew = true;
        continue;
      }
      Box &into = entry->second;
      const Box before = into;
      if (!join(into, *product)) continue;
      grew = true;
      if (round >= kPatience) widen(into, before, leaves[r], leaves[it->first]);
    }
    return grew;
  }

  /// Every element of what can be reached at all.
  std::vector<BoxRow> coarse() const {
    std::vector<BoxRow> all(leaves.size());
    Precision weakest = Precision::Cover;
    for (const BoxRow &row : step)
      for (const auto &[leaf, box] : row)
        weakest = std::min(weakest, box.precision);
    for (size_t r = 0; r < leaves.size(); ++r) {
      llvm::SmallVector<bool, 16> reached(leaves.size(), false);
      llvm::SmallVector<int64_t, 16> work{static_cast<int64_t>(r)};
      reached[r] = true;
      while (!work.empty())
        for (const auto &[leaf, box] : step[work.pop_back_val()])
          if (!reached[leaf]) {
            reached[leaf] = true;
            work.push_back(leaf);
          }
      for (size_t leaf = 0; leaf < leaves.size(); ++leaf) {
        if (!reached[leaf]) continue;
        auto box = everythingBox(leaves[r], leaves[leaf]);
        if (box) box->precision = weakest;
        addTo(all[r], leaf, box);
      }
    }
    return all;
  }

  llvm::ArrayRef<BoxRow> step;
  llvm::ArrayRef<ArrayShape> leaves;
  std::vector<BoxRow> rows;
  int round = 0;
  int64_t products = 0;
};

}  // namespace

void addTo(BoxRow &row, int64_t leaf, const std::optional<Box> &box) {
  if (!box) return;
  auto [entry, isNew] = row.try_emplace(leaf, *box);
  if (!isNew) join(entry->second, *box);
}

std::vector<BoxRow> closureOf(llvm::ArrayRef<BoxRow> step,
                              llvm::ArrayRef<ArrayShape> leaves) {
  return Closure(step, leaves).find();
}

}  // namespace indexical
