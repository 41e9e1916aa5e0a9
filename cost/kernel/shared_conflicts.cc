#include "indexical/cost/kernel/shared_conflicts.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/kernel/thread_accesses.h"
#include "indexical/indexing/arithmetic.h"

namespace indexical::kernels {
namespace {

constexpr int64_t kMostRegisters = int64_t{1} << 22;
constexpr size_t kAxes = 3;

/// The figures of an access that maps describe: each warp and turn of a block
/// is gone through, and each block that is not like one before it.
class MappedFigures {
 public:
  MappedFigures(const TritonKernel &kernel, const SharedAccess &access)
      : kernel_(kernel), access_(access) {}

  std::optional<layouts::AccessFigures> find() {
    if (access_.mask == MaskKind::Cover || access_.elementBits % 8 != 0)
      return std::nullopt;
    for (const PointerMap &map : access_.maps)
      if (!map.map.runtime().empty()) return std::nullopt;
    const auto threads = threadMap(kernel_, access_);
    if (!threads.ok()) return std::nullopt;
    const int64_t warps = kernel_.warps.value_or(1);
    int64_t turns = 1;
    for (const Variable &range : threads->ranges()) {
      const int64_t count = range.bounds.upper + 1;
      if (turns > kMostRegisters / count) return std::nullopt;
      turns *= count;
    }
    int64_t blocks = 1;
    std::array<std::vector<int64_t>, kAxes> along;
    for (size_t axis = 0; axis < kAxes; ++axis) {
      along[axis] = blocksAlong(axis);
      if (along[axis].empty()) return std::nullopt;
      blocks =
          std::min<int64_t>(kMostRegisters + 1, blocks * along[axis].size());
    }
    if (turns > kMostRegisters / (warps * kernel_.lanes) / blocks)
      return std::nullopt;
    figures_.vector = access_.vector;
    at_.dimensions.assign(2 * kAxes, 0);
    at_.ranges.assign(threads->ranges().size(), 0);
    for (size_t range = 0; range + 1 < threads->ranges().size(); ++range)
      until_.push_back(turnsUntilAlike(*threads, range));
    isVectorEven_ = isEven(*threads, threads->ranges().size() - 1);
    layouts::AccessFigures worst = figures_;
    for (int64_t block = 0; block < blocks; ++block) {
      int64_t rest = block;
      for (size_t axis = 0; axis < kAxes; ++axis) {
        const auto size = static_cast<int64_t>(along[axis].size());
        at_.dimensions[kAxes + axis] = along[axis][rest % size];
        rest /= size;
      }
      const int64_t conflicts = worst.conflicts;
      figures_ = {};
      figures_.vector = access_.vector;
      for (int64_t warp = 0; warp < warps; ++warp)
        addTurns(*threads, warp, 0, 1);
      const int64_t own = figures_.conflicts;
      if (figures_.wavefronts > worst.wavefronts) worst = figures_;
      worst.conflicts = std::max(own, conflicts);
    }
    if (worst.accesses == 0) return std::nullopt;
    return worst;
  }

 private:
  /// A number that is `step` more whenever `turns` more turns have run.
  struct Recurrence {
    int64_t turns = 1, step = 0;
  };
  /// Longer ones are not looked for.
  static constexpr int64_t kMostTurns = 1 << 16;

  /// Returns the result of the threads' map that is this range, if no other
  /// result and no constraint names the range.
  static std::optional<size_t> resultOf(const IndexingMap &threads,
                                        size_t range) {
    const VariableId own{VariableKind::Range, static_cast<uint32_t>(range)};
    if (isConstrained(threads, own)) return std::nullopt;
    std::optional<size_t> found;
    for (size_t k = 0; k < threads.results().size(); ++k) {
      const FormId form = threads.results()[k];
      if (!mentions(threads, form, own)) continue;
      if (found || !(threads.expressions().asVariable(form) == own))
        return std::nullopt;
      found = k;
    }
    return found;
  }

  /// Returns how the elements of a map recur in its dimension, if each value of
  /// the range has one.
  static std::optional<Recurrence> recurrenceOf(const PointerMap &access,
                                                size_t dimension,
                                                const Interval &range) {
    const IndexingMap &map = access.map;
    const VariableId own{VariableKind::Dimension,
                         static_cast<uint32_t>(dimension)};
    if (isConstrained(map, own) ||
        !map.dimensions()[dimension].bounds.contains(range))
      return std::nullopt;
    return recurrenceOf(map, map.results()[0], own);
  }

  /// Returns whether elements are equally far apart along the range.
  bool isEven(const IndexingMap &threads, size_t range) const {
    const auto at = resultOf(threads, range);
    return at && llvm::all_of(access_.maps, [&](const PointerMap &access) {
             const auto own =
                 recurrenceOf(access, *at, threads.ranges()[range].bounds);
             return own && own->turns == 1;
           });
  }

  /// Returns after how many turns of a loop a warp accesses the same again,
  /// moved by whole rounds of the banks: with the same conflicts. Returns all
  /// turns if that is not known.
  int64_t turnsUntilAlike(const IndexingMap &threads, size_t range) const {
    const Interval all = threads.ranges()[range].bounds;
    const int64_t count = all.upper + 1;
    const auto loop = resultOf(threads, range);
    if (!loop) return count;
    const layouts::MemorySizes sizes;
    const int64_t round = sizes.banks * sizes.bankBytes;
    std::optional<Recurrence> both;
    for (const PointerMap &access : access_.maps) {
      auto found = recurrenceOf(access, *loop, all);
      if (found) found = stretched(*found, access_.elementBits / 8, round);
      if (found && both) {
        // All pieces move together.
        if (found->step * both->turns != both->step * found->turns)
          return count;
        found = together(*found, *both);
      }
      if (!found) return count;
      both = found;
    }
    return both ? std::min(both->turns, count) : count;
  }

  /// Whether more and more lanes take part along the dimension, or fewer and
  /// fewer, as far as constraints say.
  static bool isMonotone(const IndexingMap &map, VariableId own) {
    const ExpressionTable &table = map.expressions();
    return llvm::all_of(map.constraints(), [&](const Constraint &constraint) {
      if (!mentions(map, constraint.form, own)) return true;
      return !(constraint.bounds.hasLower() && constraint.bounds.hasUpper()) &&
             llvm::all_of(table.terms(constraint.form), [&](const Term &term) {
               const Atom &atom = table.atom(term.atom);
               return atom.kind == AtomKind::Variable ||
                      llvm::none_of(atom.operands(), [&](FormId inner) {
                        return mentions(map, inner, own);
                      });
             });
    });
  }

  /// Returns blocks along an axis of the grid such that each other one accesses
  /// what one of them does, or a part of it, moved by whole rounds of the
  /// banks: those near the ends of what a map says, as many as it takes for
  /// elements to recur. Returns all blocks if that is not known.
  std::vector<int64_t> blocksAlong(size_t axis) const {
    const int64_t count = kernel_.grid[axis];
    const VariableId own{VariableKind::Dimension, static_cast<uint32_t>(axis)};
    const layouts::MemorySizes sizes;
    std::optional<Recurrence> both = Recurrence{};
    for (const PointerMap &access : access_.maps) {
      if (!both || !isMonotone(access.map, own)) both = std::nullopt;
      if (!both) break;
      auto found = recurrenceOf(access.map, access.map.results()[0], own);
      if (found)
        found = stretched(*found, access_.elementBits / 8,
                          sizes.banks * sizes.bankBytes);
      both = found ? sum(*both, {found->turns, 0}) : std::nullopt;
    }
    std::vector<int64_t> blocks;
    auto add = [&](int64_t first, int64_t last) {
      first = std::max<int64_t>(first, 0);
      last = std::min(last, count - 1);
      for (int64_t block = first; block <= last; ++block)
        blocks.push_back(block);
    };
    if (!both || both->turns >= count) {
      add(0, std::min(count - 1, kMostRegisters));
      return blocks;
    }
    for (const PointerMap &access : access_.maps) {
      const Interval bounds =
          access.map.dimensions()[axis].bounds.intersect({0, count - 1});
      if (bounds.isEmpty()) continue;
      add(bounds.lower - both->turns, bounds.lower + both->turns - 1);
      add(bounds.upper - both->turns + 1, bounds.upper + both->turns);
    }
    llvm::sort(blocks);
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    return blocks;
  }

  static bool mentions(const IndexingMap &map, FormId form, VariableId id) {
    bool isThere = false;
    map.expressions().visitVariables(
        {form}, [&](VariableId each) { isThere |= each == id; });
    return isThere;
  }

  static bool isConstrained(const IndexingMap &map, VariableId id) {
    return llvm::any_of(map.constraints(), [&](const Constraint &constraint) {
      return mentions(map, constraint.form, id);
    });
  }

  /// Returns the recurrence over so many times its turns that its step, times
  /// `unit`, is a multiple of `of`.
  static std::optional<Recurrence> stretched(const Recurrence &own,
                                             int64_t unit, int64_t of) {
    const auto step = checkedMul(own.step, unit);
    if (!step) return std::nullopt;
    const int64_t times = of / std::gcd(*step, of);
    const auto all = checkedMul(own.step, times);
    if (!all || times > kMostTurns / own.turns) return std::nullopt;
    return Recurrence{own.turns * times, *all};
  }

  /// Returns the sum of both.
  static std::optional<Recurrence> sum(const Recurrence &a,
                                       const Recurrence &b) {
    const int64_t turns = std::lcm(a.turns, b.turns);
    const auto x = checkedMul(a.step, turns / a.turns);
    const auto y = checkedMul(b.step, turns / b.turns);
    const auto step = x && y ? checkedAdd(*x, *y) : std::nullopt;
    if (!step || turns > kMostTurns) return std::nullopt;
    return Recurrence{turns, *step};
  }

  /// Returns the recurrence of `a`, over turns after which `b` has stepped,
  /// too.
  static std::optional<Recurrence> together(const Recurrence &a,
                                            const Recurrence &b) {
    return sum(a, {b.turns, 0});
  }

  /// Returns how the form recurs in the variable, if its atoms are digits.
  static std::optional<Recurrence> recurrenceOf(const IndexingMap &map,
                                                FormId form, VariableId own) {
    std::optional<Recurrence> all = Recurrence{};
    for (const Term &term : map.expressions().terms(form)) {
      const Atom &atom = map.expressions().atom(term.atom);
      std::optional<Recurrence> each = Recurrence{};
      if (atom.asVariable() == own) {
        each = Recurrence{1, 1};
      } else if (atom.kind == AtomKind::Digit) {
        const FormId inner = atom.operands()[0];
        each = recurrenceOf(map, inner, own);
        const auto whole = atom.modulus > 0
                               ? checkedMul(atom.stride, atom.modulus)
                               : std::optional<int64_t>(atom.stride);
        if (each && whole) each = stretched(*each, 1, *whole);
        if (!each || !whole) return std::nullopt;
        each->step = atom.modulus > 0 ? 0 : each->step / atom.stride;
      } else {
        for (FormId inner : atom.operands())
          if (mentions(map, inner, own)) return std::nullopt;
      }
      const auto step = checkedMul(each->step, term.coefficient);
      if (!step) return std::nullopt;
      all = sum(*all, {each->turns, *step});
      if (!all) return std::nullopt;
    }
    return all;
  }

  /// Goes through all turns but those of `vector`, the last range.
  /// `weight` is the number of turns that are like this one.
  void addTurns(const IndexingMap &threads, int64_t warp, size_t range,
                int64_t weight) {
    if (range + 1 < threads.ranges().size()) {
      const int64_t count = threads.ranges()[range].bounds.upper + 1;
      for (int64_t turn = 0; turn < until_[range]; ++turn) {
        at_.ranges[range] = turn;
        addTurns(threads, warp, range + 1,
                 weight * ceilDiv(count - turn, until_[range]));
      }
      return;
    }
    std::vector<layouts::LaneBytes> lanes;
    const int64_t bytes = access_.elementBits / 8;
    for (int64_t lane = 0; lane < kernel_.lanes; ++lane) {
      at_.dimensions[0] = warp * kernel_.lanes + lane;
      layouts::LaneBytes own{lane, INT64_MAX, INT64_MIN};
      const int64_t last = threads.ranges().back().bounds.upper;
      for (int64_t k = 0; k <= last;
           k += isVectorEven_ && k < last ? last : 1) {
        at_.ranges.back() = k;
        if (!threads.contains(at_)) continue;
        const auto point = threads.evaluate(at_);
        const auto element = point ? elementAt(*point) : std::nullopt;
        if (!element) continue;
        own.first = std::min(own.first, *element * bytes);
        own.last = std::max(own.last, *element * bytes + bytes - 1);
      }
      if (own.first <= own.last) lanes.push_back(own);
    }
    if (lanes.empty()) return;
    const layouts::SharedCost cost = layouts::sharedCost(lanes);
    figures_.accesses += weight;
    figures_.conflicts = std::max(figures_.conflicts, cost.conflicts);
    figures_.wavefronts += weight * cost.wavefronts;
    figures_.wavefrontsFewest += weight * cost.fewest;
  }

  std::optional<int64_t> elementAt(llvm::ArrayRef<int64_t> point) const {
    IndexingMap::Point at;
    at.dimensions.assign(point.begin(), point.end());
    for (const PointerMap &map : access_.maps)
      if (map.map.contains(at))
        if (const auto element = map.map.evaluate(at)) return element->front();
    return std::nullopt;
  }

  const TritonKernel &kernel_;
  const SharedAccess &access_;
  IndexingMap::Point at_;
  bool isVectorEven_ = false;   ///< a vector's ends say all of it
  std::vector<int64_t> until_;  ///< of each range but the last: turns that are
                                ///< gone through
  layouts::AccessFigures figures_;  ///< of one block
};

}  // namespace

std::optional<layouts::AccessFigures> sharedFigures(
    const TritonKernel &kernel, const SharedAccess &access) {
  if (!access.maps.empty()) return MappedFigures(kernel, access).find();
  if (!access.enumerated.empty()) {
    SharedAccess own = access;
    own.maps = std::move(own.enumerated);
    return MappedFigures(kernel, own).find();
  }
  if (!access.layout || !access.memory) return std::nullopt;
  const auto places = layouts::placesOf(*access.layout, *access.memory);
  if (!places.ok()) return std::nullopt;
  const auto figures =
      layouts::accessOf(*places, access.elementBits, layouts::Memory::Shared);
  if (!figures.ok()) return std::nullopt;
  return *figures;
}

}  // namespace indexical::kernels
