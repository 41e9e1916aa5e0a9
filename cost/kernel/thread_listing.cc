#include "indexical/cost/kernel/thread_listing.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/kernel/thread_accesses.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/bounds.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/program/kernel/terms.h"
#include "indexical/simplifier/simplify.h"

namespace indexical::kernels {
namespace {

using Point = IndexingMap::Point;

/// One access of either memory, with what a thread has of it.
struct Listed {
  int64_t number = 0;
  const KernelAccess *global = nullptr;
  const SharedAccess *shared = nullptr;
  AccessKind kind = AccessKind::Load;
  int64_t elementBits = 0;
  std::string reason;
  MaskKind mask = MaskKind::None;
  llvm::ArrayRef<PieceSpace::LoopCount> loops;
  llvm::ArrayRef<PointerMap> maps;
  int64_t vector = 1;
  /// The first and the last turn of each loop in which this thread may make it.
  llvm::SmallVector<Interval, 2> turns;
  /// From the ids, loops, `step` and `vector` to the program, the loops and the
  /// tile.
  std::optional<IndexingMap> threads;
};

class ThreadListing {
 public:
  ThreadListing(const TritonKernel &kernel, const ThreadPlace &place,
                const LoadedBytes &loaded, const Budget &budget)
      : kernel_(kernel), place_(place), loaded_(loaded), budget_(budget) {}

  absl::StatusOr<std::vector<ListedAccess>> list() {
    for (const KernelAccess &access : kernel_.accesses) {
      Listed each = listedOf(access);
      each.global = &access;
      // Whether a turn is reached is not known: one entry says so.
      if (each.reason.empty() && kernel_.block)
        each.reason = access.notMeasured;
      addThreads(access, each);
    }
    for (const SharedAccess &access : kernel_.shared) {
      Listed each = listedOf(access);
      each.shared = &access;
      // Tiles of Triton have layouts in place of maps.
      if (each.reason.empty() && !kernel_.block)
        each.reason = "tiles of shared memory are not listed";
      addThreads(access, each);
    }
    // An access that is never made needs no turns.
    llvm::erase_if(listed_, [](const Listed &each) {
      return each.reason.empty() && each.maps.empty();
    });
    llvm::stable_sort(listed_, [](const Listed &a, const Listed &b) {
      return a.number < b.number;
    });
    std::vector<const Listed *> all;
    for (const Listed &each : listed_) all.push_back(&each);
    emit(all, 0);
    INDEXICAL_RETURN_IF_ERROR(budget_.check());
    if (isPast_)
      return absl::ResourceExhaustedError(absl::StrCat(
          "the thread makes more than ", kMostThreadAccesses,
          " accesses, or has more than ", kMostTurns, " turns of loops"));
    return std::move(made_);
  }

 private:
  template <typename Access>
  static Listed listedOf(const Access &access) {
    Listed each;
    each.number = access.number;
    each.kind = access.kind;
    each.elementBits = access.elementBits;
    each.reason = access.reason;
    each.mask = access.mask;
    each.loops = access.loops;
    each.maps = access.maps;
    if (!access.enumerated.empty()) {
      each.maps = access.enumerated;
      each.reason.clear();
    }
    each.vector = access.vector;
    return each;
  }

  template <typename Access>
  void addThreads(const Access &access, Listed &each) {
    if (each.reason.empty() && !each.maps.empty()) {
      auto threads = threadMap(kernel_, access);
      if (threads.ok())
        each.threads = *std::move(threads);
      else
        each.reason = std::string(threads.status().message());
    }
    if (each.threads) findTurns(each);
    listed_.push_back(std::move(each));
  }

  /// Narrows the turns of the loops to those of this block and thread.
  void findTurns(Listed &each) {
    if (each.loops.empty()) return;
    each.turns.assign(each.loops.size(), Interval::none());
    const auto place = idsOf(*each.threads);
    for (const PointerMap &map : each.maps) {
      const auto narrowed = narrowedTo(map.map, each, place);
      for (size_t k = 0; k < each.loops.size(); ++k) {
        const Interval whole = {0, each.loops[k].count - 1};
        Interval own = whole;
        if (narrowed)
          own = narrowed->isKnownEmpty()
                    ? Interval::none()
                    : whole.intersect(narrowed->dimensions()[3 + k].bounds);
        if (!own.isEmpty()) each.turns[k] = each.turns[k].hull(own);
      }
    }
    int64_t all = 1;
    for (const Interval &turns : each.turns) {
      const int64_t count = turns.isEmpty() ? 0 : turns.count();
      if (count > 0 && all > kMostTurns / count)
        each.reason =
            absl::StrCat("its loops may have more than ", kMostTurns, " turns");
      else
        all *= count;
    }
  }

  /// Returns the map for this block, and for the coordinates of the tile that
  /// the thread alone decides. Nothing: it stays as it is.
  std::optional<IndexingMap> narrowedTo(const IndexingMap &map,
                                        const Listed &each,
                                        const Point &ids) const {
    if (map.isKnownEmpty()) return map;
    const auto point = each.threads->evaluate(ids);
    if (!point) return std::nullopt;
    IndexingMapBuilder b;
    for (auto [k, variable] : llvm::enumerate(map.dimensions())) {
      // Turns and the registers of a thread are ranges.
      bool isFixed = true;
      each.threads->expressions().visitVariables(
          {each.threads->results()[k]}, [&](VariableId id) {
            isFixed &= id.kind == VariableKind::Dimension;
          });
      Interval bounds = variable.bounds;
      if (isFixed) bounds = bounds.intersect(Interval::point((*point)[k]));
      if (bounds.isEmpty()) return IndexingMap::knownEmpty();
      b.result(b.dimension(bounds, variable.name));
    }
    auto there = b.build();
    if (!there.ok()) return std::nullopt;
    auto narrowed = compose(*there, map);
    if (!narrowed.ok()) return std::nullopt;
    auto simple = simplify(*narrowed);
    return simple.ok() ? std::optional<IndexingMap>(*simple) : std::nullopt;
  }

  /// Returns the ids of the block and of the thread, with all turns 0.
  Point idsOf(const IndexingMap &threads) const {
    Point at;
    const std::array<int64_t, 3> block = blockOf(kernel_);
    const int64_t linear =
        place_.thread[0] +
        block[0] * (place_.thread[1] + block[1] * place_.thread[2]);
    at.dimensions = {linear,         0, 0, place_.block[0], place_.block[1],
                     place_.block[2]};
    at.ranges.assign(threads.ranges().size(), 0);
    return at;
  }

  /// Emits accesses that are in the same loops so far.
  void emit(llvm::ArrayRef<const Listed *> all, size_t depth) {
    for (size_t from = 0; from < all.size() && !isPast_;) {
      if (all[from]->loops.size() <= depth) {
        emitOne(*all[from++]);
        continue;
      }
      const int64_t loop = all[from]->loops[depth].loop;
      size_t to = from;
      Interval turns = Interval::none();
      std::vector<const Listed *> known;
      for (; to < all.size() && all[to]->loops.size() > depth &&
             all[to]->loops[depth].loop == loop;
           ++to) {
        if (!all[to]->reason.empty()) {
          // Once, whatever the turns are.
          addUnknown(*all[to], all[to]->reason);
          continue;
        }
        known.push_back(all[to]);
        if (!all[to]->turns[depth].isEmpty())
          turns = turns.hull(all[to]->turns[depth]);
      }
      if (!turns.isEmpty())
        for (int64_t turn = turns.lower; turn <= turns.upper && !isPast_;
             ++turn) {
          turns_[loop] = turn;
          emit(known, depth + 1);
        }
      from = to;
    }
  }

  void emitOne(const Listed &each) {
    if (++tried_ > kMostTurns || !budget_.check().ok()) {
      isPast_ = true;
      return;
    }
    if (!each.reason.empty()) return addUnknown(each, each.reason);
    const IndexingMap &threads = *each.threads;
    Point at = idsOf(threads);
    const size_t first = each.loops.size();
    for (size_t k = 0; k < first; ++k) {
      const int64_t turn = turns_[each.loops[k].loop];
      if (!each.turns[k].contains(turn)) return;
      at.ranges[k] = turn;
    }
    const bool hasSteps = threads.ranges().size() == first + 2;
    const int64_t steps =
        hasSteps ? threads.ranges()[first].bounds.upper + 1 : 1;
    const int64_t lanes = threads.ranges().back().bounds.upper + 1;
    for (int64_t step = 0; step < steps && !isPast_; ++step) {
      // The elements of one instruction that are there, in a row.
      std::optional<ListedAccess> open;
      for (int64_t lane = 0; lane < lanes; ++lane) {
        if (hasSteps) at.ranges[first] = step;
        at.ranges.back() = lane;
        if (!threads.contains(at)) continue;
        const auto point = threads.evaluate(at);
        if (!point) continue;
        const auto found = elementAt(each, *point);
        if (!found) continue;
        const bool isNext = open && open->reason == found->reason &&
                            found->reason.empty() &&
                            open->argument == found->argument &&
                            open->offset + open->bytes == found->offset;
        if (isNext) {
          open->bytes += found->bytes;
          continue;
        }
        if (open) take(*std::move(open));
        open = found;
      }
      if (open) take(*std::move(open));
    }
  }

  /// Returns what the access touches at a point of programs, loops and tile;
  /// nothing: nothing.
  std::optional<ListedAccess> elementAt(const Listed &each,
                                        llvm::ArrayRef<int64_t> point) {
    for (const PointerMap &map : each.maps) {
      Point at;
      at.dimensions.assign(point.begin(), point.end());
      ListedAccess made = accessOf(each, map.argument);
      for (const RuntimeVariable &variable : map.map.runtime()) {
        const auto value = valueOf(map.map, at, variable);
        if (!value) {
          // Whether this piece is the right one is not known either.
          if (each.global) made.argument = each.global->argument();
          made.reason = absl::StrCat("it depends on `", variable.name,
                                     "`, which is not "
                                     "known");
          made.hasOffset = false;
          return made;
        }
        at.runtime.push_back(*value);
      }
      if (!map.map.contains(at)) continue;
      const auto element = map.map.evaluate(at);
      const auto offset =
          element ? checkedMul(element->front(), made.bytes) : std::nullopt;
      if (!offset) {
        made.reason = "its address leaves 64 bits";
        made.hasOffset = false;
        return made;
      }
      made.offset = *offset;
      if (each.mask == MaskKind::Cover)
        made.reason = "a part of the mask is not known";
      return made;
    }
    return std::nullopt;
  }

  /// Returns the value of a runtime variable, whose index may use those before
  /// it.
  std::optional<int64_t> valueOf(const IndexingMap &map, const Point &at,
                                 const RuntimeVariable &variable) {
    const int64_t argument = variable.source.tensor;
    if (!loaded_ || argument < 0 ||
        argument >= static_cast<int64_t>(kernel_.arguments.size()) ||
        !kernel_.arguments[argument].isPointer || variable.index.size() != 1)
      return std::nullopt;
    const int64_t bytes = kernel_.arguments[argument].elementBits / 8;
    if (bytes < 1) return std::nullopt;
    const auto variableOf = [&](VariableId id) -> Interval {
      if (id.kind == VariableKind::Dimension)
        return Interval::point(at.dimensions[id.index]);
      if (id.kind == VariableKind::Runtime && id.index < at.runtime.size())
        return Interval::point(at.runtime[id.index]);
      return Interval::all();
    };
    const Interval index =
        FormBounds(map.expressions(), variableOf)(variable.index.front());
    if (!index.isPoint()) return std::nullopt;
    return loaded_(argument, index.lower * bytes, bytes);
  }

  ListedAccess accessOf(const Listed &each, int64_t argument) const {
    ListedAccess made;
    made.kind = each.kind;
    made.bytes = std::max<int64_t>(1, each.elementBits / 8);
    made.isShared = each.shared != nullptr;
    if (each.shared)
      made.symbol = each.shared->symbol;
    else
      made.argument = argument;
    return made;
  }

  void addUnknown(const Listed &each, std::string reason) {
    ListedAccess made =
        accessOf(each, each.global ? each.global->argument() : -1);
    made.bytes *= each.vector;
    made.reason = std::move(reason);
    made.hasOffset = false;
    take(std::move(made));
  }

  void take(ListedAccess made) {
    isPast_ |= made_.size() >= kMostThreadAccesses;
    if (!isPast_) made_.push_back(std::move(made));
  }

  const TritonKernel &kernel_;
  const ThreadPlace &place_;
  const LoadedBytes &loaded_;
  std::vector<Listed> listed_;
  std::map<int64_t, int64_t> turns_;  ///< of the loops around, by their numbers
  std::vector<ListedAccess> made_;
  const Budget budget_;
  int64_t tried_ = 0;  ///< accesses, each in each turn
  bool isPast_ = false;
};

}  // namespace

std::array<int64_t, 3> blockOf(const TritonKernel &kernel) {
  if (kernel.block) return *kernel.block;
  return {kernel.lanes * kernel.warps.value_or(1), 1, 1};
}

absl::StatusOr<std::vector<ListedAccess>> accessesOf(const TritonKernel &kernel,
                                                     const ThreadPlace &place,
                                                     const LoadedBytes &loaded,
                                                     const Budget &budget) {
  const std::array<int64_t, 3> block = blockOf(kernel);
  for (size_t k = 0; k < 3; ++k) {
    const char axis = static_cast<char>('x' + k);
    if (place.block[k] < 0 || place.block[k] >= kernel.grid[k])
      return errorAt({}, absl::StrCat("there are ", kernel.grid[k],
                                      " blocks along ", std::string(1, axis),
                                      ", and no number ", place.block[k]));
    if (place.thread[k] < 0 || place.thread[k] >= block[k])
      return errorAt({}, absl::StrCat("a block has ", block[k],
                                      " threads along ", std::string(1, axis),
                                      ", and no number ", place.thread[k]));
  }
  return ThreadListing(kernel, place, loaded, budget).list();
}

std::optional<int64_t> hashedBytes(int64_t argument, int64_t offset,
                                   int64_t bytes) {
  if (bytes < 1 || bytes > 8) return std::nullopt;
  uint64_t all = 0;
  for (int64_t k = 0; k < bytes; ++k) {
    uint64_t a = (static_cast<uint64_t>(argument + 1) << 40) +
                 static_cast<uint64_t>(offset + k);
    a ^= a >> 31;
    a *= 0x9E3779B97F4A7C15;
    a ^= a >> 29;
    a *= 0xBF58476D1CE4E5B9;
    a ^= a >> 32;
    all |= (a & 0xff) << (8 * k);
  }
  return wrapped(static_cast<int64_t>(all), static_cast<int32_t>(8 * bytes));
}

}  // namespace indexical::kernels
