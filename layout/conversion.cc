// What a conversion between layouts of registers takes.
#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/layout/access.h"
#include "indexical/layout/threads.h"

namespace indexical::layouts {

namespace {

/// Numbers the elements that layouts reach: equal ones alike, in their order.
class ElementNumbers {
 public:
  ElementNumbers(const Layout &a, const Layout &b) {
    int64_t all = 1;
    for (auto [first, second] : llvm::zip(boundsOf(a), boundsOf(b))) {
      const Interval side = first.hull(second);
      if (side.count() == Interval::kInfinity ||
          llvm::MulOverflow(all, side.count(), all)) {
        sides_.clear();
        return;
      }
      sides_.push_back(side);
    }
  }

  int64_t of(llvm::ArrayRef<int64_t> element) {
    if (sides_.empty())
      return others_.try_emplace(Coordinates(element), others_.size())
          .first->second;
    int64_t number = 0;
    for (auto [value, side] : llvm::zip(element, sides_))
      number = number * side.count() + (value - side.lower);
    return number;
  }

 private:
  std::vector<Interval> sides_;  ///< none: numbers would leave 64 bits
  std::map<Coordinates, int64_t> others_;
};

/// Numbers registers: those of a lane, a warp and a block are in a row.
struct RegisterNumbers {
  std::array<int64_t, 4> sizes = {1, 1, 1, 1};

  int64_t of(const ThreadPlaces &places, llvm::ArrayRef<int64_t> point) const {
    int64_t number = places.block(point) * sizes[2] + places.warp(point);
    number = number * sizes[1] + places.lane(point);
    return number * sizes[0] + places.reg(point);
  }
  int64_t threadOf(int64_t number) const { return number / sizes[0]; }
  /// Returns how far two registers are from each other.
  Level levelOf(int64_t a, int64_t b) const {
    auto level = static_cast<int>(Level::None);
    for (size_t k = 0; a != b && k < sizes.size(); ++k, ++level) {
      a /= sizes[k];
      b /= sizes[k];
    }
    return static_cast<Level>(level);
  }
};

/// An element, and a register that holds it.
using Held = std::pair<int64_t, int64_t>;

/// Returns all of them, sorted.
std::vector<Held> heldBy(const Layout &layout, const ThreadPlaces &places,
                         const RegisterNumbers &registers,
                         ElementNumbers &elements) {
  std::vector<Held> all;
  all.reserve(*layout.points());
  layout.visit(
      [&](llvm::ArrayRef<int64_t> point, llvm::ArrayRef<int64_t> value) {
        all.push_back({elements.of(value), registers.of(places, point)});
        return true;
      });
  llvm::sort(all);
  return all;
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
  INDEXICAL_ASSIGN_OR_RETURN(const ThreadPlaces givers, ThreadPlaces::of(from));
  INDEXICAL_ASSIGN_OR_RETURN(const ThreadPlaces takers, ThreadPlaces::of(to));
  RegisterNumbers registers;
  for (auto [size, a, b] : llvm::zip(registers.sizes, givers.sizes(from.box()),
                                     takers.sizes(to.box())))
    size = std::max(a, b);
  ElementNumbers elements(from, to);
  const auto holders = heldBy(from, givers, registers, elements);
  const auto wanted = heldBy(to, takers, registers, elements);
  Conversion found;
  std::vector<int64_t> lacking;  // threads
  size_t at = 0;
  for (size_t i = 0; i < wanted.size(); ++i) {
    const auto &[element, taker] = wanted[i];
    // Those of the element that are nearest stand next to the wanted one.
    while (at < holders.size() && holders[at] < wanted[i]) ++at;
    auto level = Level::Impossible;
    for (size_t near : {at, at - 1})
      if (near < holders.size() && holders[near].first == element)
        level = std::min(level, registers.levelOf(holders[near].second, taker));
    found.level = std::max(found.level, level);
    if (level == Level::Impossible) {
      found.moved = found.least = 0;
      const int64_t lost = element;
      to.visit([&](auto, llvm::ArrayRef<int64_t> value) {
        if (elements.of(value) != lost) return true;
        found.element = Coordinates(value);
        return false;
      });
      return found;
    }
    if (level <= Level::Registers) continue;
    // A thread that wants an element twice gets it once.
    const int64_t thread = registers.threadOf(taker);
    if (i > 0 && wanted[i - 1].first == element &&
        registers.threadOf(wanted[i - 1].second) == thread)
      continue;
    ++found.moved;
    lacking.push_back(thread);
  }
  llvm::sort(lacking);
  for (size_t i = 0, first = 0; i < lacking.size(); ++i) {
    if (lacking[i] != lacking[first]) first = i;
    found.least = std::max(found.least, static_cast<int64_t>(i - first + 1));
  }
  return found;
}

}  // namespace indexical::layouts
