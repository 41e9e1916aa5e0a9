#include "indexical/program/maps/closure.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace indexical {
namespace {

// Rounds in which intervals may grow little by little.
constexpr int kPatience = 3;

// The most products of boxes: a state of hundreds of leaves that all read each
// other would take minutes.
constexpr int64_t kMostProducts = 2000000;

class Closure {
 public:
  Closure(llvm::ArrayRef<BoxRow> step, llvm::ArrayRef<ArrayShape> leaves)
      : step(step),
        leaves(leaves),
        rows(leaves.size()),
        changes(leaves.size()),
        edges(leaves.size()) {
    for (size_t r = 0; r < leaves.size(); ++r)
      for (const auto &[middle, box] : step[r])
        edges[r].push_back({middle, &box});
  }

  std::vector<BoxRow> find() {
    for (LeafId r; r < count(); ++r)
      if (auto box = identityBox(leaves[r])) {
        rows[r].try_emplace(r, *std::move(box));
        changes[r].push_back(r);
      }
    for (bool any = true; any; ++round) {
      any = false;
      for (LeafId r; r < count(); ++r)
        for (Edge &edge : edges[r]) any |= extend(r, edge);
      if (products > kMostProducts) return coarse();
    }
    return std::move(rows);
  }

 private:
  int64_t count() const { return leaves.size(); }

  /// A step from a row's leaf to another one, and how many changes of that
  /// one's row it has taken over.
  struct Edge {
    LeafId middle;
    const Box *box;
    size_t taken = 0;
  };

  /// Adds to row r what the edge's leaf reads, behind the edge's box. Only
  /// boxes that have changed since the last time can add anything. Returns
  /// whether the row grew.
  bool extend(LeafId r, Edge &edge) {
    const std::vector<LeafId> &all = changes[edge.middle];
    if (edge.taken == all.size()) return false;
    llvm::SmallVector<LeafId, 16> changed(all.begin() + edge.taken, all.end());
    edge.taken = all.size();
    llvm::sort(changed);
    changed.erase(llvm::unique(changed), changed.end());
    bool grew = false;
    for (LeafId leaf : changed) {
      ++products;
      auto product = composed(*edge.box, rows[edge.middle].at(leaf));
      if (!product || !add(r, leaf, *product)) continue;
      changes[r].push_back(leaf);
      grew = true;
    }
    return grew;
  }

  /// Adds the box to what leaf r reads of `leaf`. Returns whether that grew.
  bool add(LeafId r, LeafId leaf, const Box &box) {
    auto [entry, isNew] = rows[r].try_emplace(leaf, box);
    if (isNew) return true;
    Box &into = entry->second;
    const Box before = into;
    if (!join(into, box)) return false;
    if (round >= kPatience) widen(into, before, leaves[r], leaves[leaf]);
    return true;
  }

  /// Returns rows in which a leaf reads every element of each leaf that it can
  /// reach.
  std::vector<BoxRow> coarse() const {
    std::vector<BoxRow> all(leaves.size());
    Precision weakest = Precision::Cover;
    for (const BoxRow &row : step)
      for (const auto &[leaf, box] : row)
        weakest = std::min(weakest, box.precision);
    for (LeafId r; r < count(); ++r) {
      llvm::SmallVector<bool, 16> reached(leaves.size(), false);
      llvm::SmallVector<LeafId, 16> work{r};
      reached[r] = true;
      while (!work.empty())
        for (const auto &[leaf, box] : step[work.pop_back_val()])
          if (!reached[leaf]) {
            reached[leaf] = true;
            work.push_back(leaf);
          }
      for (LeafId leaf; leaf < count(); ++leaf) {
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
  /// The leaves of each row whose boxes changed, in the order of the changes.
  std::vector<std::vector<LeafId>> changes;
  std::vector<std::vector<Edge>> edges;  // by row
  int round = 0;
  int64_t products = 0;
};

}  // namespace

void addTo(BoxRow &row, LeafId leaf, const std::optional<Box> &box) {
  if (!box) return;
  auto [entry, isNew] = row.try_emplace(leaf, *box);
  if (!isNew) join(entry->second, *box);
}

std::vector<BoxRow> closureOf(llvm::ArrayRef<BoxRow> step,
                              llvm::ArrayRef<ArrayShape> leaves) {
  return Closure(step, leaves).find();
}

}  // namespace indexical
