// What a conversion between layouts of registers takes.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/layout/access.h"
#include "indexical/layout/threads.h"

namespace indexical::layouts {

namespace {

/// A register: its block, warp, lane and number.
using Holder = std::array<int64_t, 4>;

/// An element, and a register that holds it.
struct Held {
  Coordinates element;
  Holder by;
  bool operator<(const Held &o) const {
    return element != o.element ? element < o.element : by < o.by;
  }
};

absl::StatusOr<std::vector<Held>> heldBy(const Layout &layout) {
  INDEXICAL_ASSIGN_OR_RETURN(const ThreadPlaces places,
                             ThreadPlaces::of(layout));
  std::vector<Held> all;
  layout.visit(
      [&](llvm::ArrayRef<int64_t> point, llvm::ArrayRef<int64_t> value) {
        all.push_back({{value.begin(), value.end()},
                       {places.block(point), places.warp(point),
                        places.lane(point), places.reg(point)}});
        return true;
      });
  llvm::sort(all);
  return all;
}

/// Returns how near the nearest holder of the element is, among sorted ones.
Level nearestLevel(llvm::ArrayRef<Held> holders, const Held &wanted) {
  const auto range = std::equal_range(
      holders.begin(), holders.end(), wanted,
      [](const Held &a, const Held &b) { return a.element < b.element; });
  if (range.first == range.second) return Level::Impossible;
  Level best = Level::Cluster;
  // Those with the longest common beginning are next to the wanted one.
  const auto *at = std::lower_bound(range.first, range.second, wanted);
  const auto look = [&](const Held &held) {
    size_t same = 0;
    while (same < held.by.size() && held.by[same] == wanted.by[same]) ++same;
    best = std::min(best, static_cast<Level>(held.by.size() - same));
  };
  if (at != range.second) look(*at);
  if (at != range.first) look(*std::prev(at));
  return best;
}

}  // namespace

llvm::StringRef levelName(Level level) {
  switch (level) {
    case Level::None:
      return "none";
    case Level::Registers:
      return "registers";
    case Level::Shuffles:
      return "shuffles";
    case Level::Shared:
      return "shared";
    case Level::Cluster:
      return "cluster";
    case Level::Impossible:
      break;
  }
  return "impossible";
}

absl::StatusOr<Conversion> conversion(const Layout &from, const Layout &to) {
  if (from.outputs().size() != to.outputs().size())
    return absl::InvalidArgumentError(
        absl::StrCat("the first layout has ", from.outputs().size(),
                     " outputs, and the second ", to.outputs().size()));
  INDEXICAL_ASSIGN_OR_RETURN(const auto holders, heldBy(from));
  INDEXICAL_ASSIGN_OR_RETURN(const auto wanted, heldBy(to));
  Conversion found;
  std::map<std::array<int64_t, 3>, int64_t> lacks;
  for (size_t i = 0; i < wanted.size(); ++i) {
    const Held &each = wanted[i];
    const Level level = nearestLevel(holders, each);
    found.level = std::max(found.level, level);
    if (level == Level::Impossible) {
      found.element = each.element;
      found.moved = found.least = 0;
      return found;
    }
    if (level <= Level::Registers) continue;
    // A thread that wants an element twice gets it once.
    const std::array<int64_t, 3> thread = {each.by[0], each.by[1], each.by[2]};
    if (i > 0 && wanted[i - 1].element == each.element &&
        std::equal(thread.begin(), thread.end(), wanted[i - 1].by.begin()))
      continue;
    ++found.moved;
    found.least = std::max(found.least, ++lacks[thread]);
  }
  return found;
}

}  // namespace indexical::layouts
