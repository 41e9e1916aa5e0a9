#include <utility>
#include <vector>

#include "indexical/cost/hazards/memory_flow.h"

namespace indexical {
int32_t MemoryFlow::rootOf(int32_t node) const {
  if (!roots_.empty()) return roots_[node];
  while (nodes_[node].parent >= 0) node = nodes_[node].parent;
  return node;
}

/// Numbers the forest of parents, so that what a value is made of is a run.
void MemoryFlow::number() {
  std::vector<std::vector<int32_t>> children(nodes_.size());
  std::vector<int32_t> roots;
  for (size_t n = 0; n < nodes_.size(); ++n)
    (nodes_[n].parent < 0 ? roots : children[nodes_[n].parent])
        .push_back(static_cast<int32_t>(n));
  enter_.assign(nodes_.size(), 0);
  leave_.assign(nodes_.size(), 0);
  std::vector<int32_t> ownRoots(nodes_.size(), 0);
  int32_t next = 0;
  for (const int32_t root : roots) {
    std::vector<std::pair<int32_t, size_t>> stack = {{root, 0}};
    enter_[root] = next++;
    ownRoots[root] = root;
    while (!stack.empty()) {
      auto &[node, at] = stack.back();
      if (at == children[node].size()) {
        leave_[node] = next;
        stack.pop_back();
        continue;
      }
      const int32_t child = children[node][at++];
      enter_[child] = next++;
      ownRoots[child] = root;
      stack.push_back({child, 0});
    }
  }
  roots_ = std::move(ownRoots);
}

bool MemoryFlow::isDerived(int32_t value, int32_t of) const {
  if (enter_[of] <= enter_[value] && enter_[value] < leave_[of]) return true;
  if (!hasOthers_) return false;
  // What is made of one of the branches is made of it.
  for (int32_t at = value; at >= 0; at = nodes_[at].parent)
    for (const int32_t other : nodes_[at].others)
      if (isDerived(other, of)) return true;
  return false;
}

}  // namespace indexical
