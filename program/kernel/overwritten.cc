#include "indexical/program/kernel/overwritten.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/bounds.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/program/kernel/access_order.h"
#include "indexical/program/kernel/needed_loads.h"
#include "indexical/program/maps/map_copy.h"
#include "indexical/simplifier/simplify.h"

namespace indexical::kernels {

namespace {

constexpr size_t kAxes = 3;

/// One map of an access.
struct Toucher {
  size_t access = 0;
  const PointerMap *map = nullptr;
};

/// The accesses of one array.
struct ArrayAccesses {
  std::vector<Toucher> loads, stores, atomics;
};

/// Coordinates of a load and of a store that are equal. All of the list are
/// equal together.
using EqualCoordinates = std::vector<std::pair<size_t, size_t>>;

/// A coordinate of a load that is less or greater than one of a store.
struct ApartCoordinates {
  size_t load = 0, store = 0;
  bool isLess = false;
};

/// Which loads and stores of one element are asked for.
struct PairsOf {
  /// The axis along which the store's program is less or greater. Nothing: one
  /// program makes both.
  std::optional<std::pair<size_t, bool>> apartAlong;
  size_t equalLoops = 0;  ///< from the outermost
  /// The turns of the next loop by which the load comes after the store.
  std::optional<Interval> turns;
  std::vector<ApartCoordinates> apart;
  /// How many loops, of those that only the later access is in, are in their
  /// first turns, from the outermost.
  size_t firstTurns = 0;
  bool isStoreLater = false;
};

std::map<int64_t, ArrayAccesses> accessesByArray(const TritonKernel &kernel) {
  std::map<int64_t, ArrayAccesses> found;
  for (auto [number, access] : llvm::enumerate(kernel.accesses))
    for (const PointerMap &map : access.maps) {
      ArrayAccesses &own = found[kernel.arrayOf(map.argument)];
      auto &list = access.kind == AccessKind::Load    ? own.loads
                   : access.kind == AccessKind::Store ? own.stores
                                                      : own.atomics;
      list.push_back({number, &map});
    }
  return found;
}

/// Returns whether a program waits for the access, and each of its threads
/// makes its own: a copy through shared memory, by a descriptor or by an op on
/// tiles may take its time, or be one thread's.
bool isPlain(const KernelAccess &access) {
  const llvm::StringRef op = access.op;
  return op == "tt.load" || op == "tt.store" || op.ends_with(".buffer_load") ||
         op.ends_with(".buffer_store");
}

bool hasAlias(const TritonKernel &kernel) {
  return llvm::any_of(kernel.arguments, [](const KernelArgument &argument) {
    return argument.sameAs >= 0;
  });
}

class OverwriteChecker {
 public:
  OverwriteChecker(const TritonKernel &kernel, const ExactOptions &options)
      : kernel_(kernel), options_(options), each_(options) {}

  Check check() {
    if (kernel_.incomplete)
      undecidedBy("the kernel is not understood: " +
                  kernel_.incomplete->reason);
    for (const KernelAccess &access : kernel_.accesses)
      if (!access.reason.empty()) undecidedBy(access.reason);
    for (const auto &[array, own] : accessesByArray(kernel_)) {
      if (!own.loads.empty() && !own.atomics.empty())
        undecidedBy("an array is loaded, and changed by atomic operations");
      if (own.loads.size() * own.stores.size() > kMostPairs) {
        undecidedBy("an array has too many loads and stores");
        continue;
      }
      for (const Toucher &load : own.loads)
        for (const Toucher &store : own.stores) {
          checkPair(load, store);
          if (worst_.answer == Check::Violated) return worst_;
        }
    }
    return worst_;
  }

  /// Whether one program may make the store before the load, of one element.
  bool mayComeFirst(const Toucher &load, const Toucher &store) const {
    if (load.map->map.isKnownEmpty() || store.map->map.isKnownEmpty() ||
        mayNotMeet(load, store))
      return false;
    const size_t common = commonLoops(accessOf(load), accessOf(store));
    for (size_t equal = 0; equal <= common; ++equal) {
      PairsOf pairs;
      pairs.equalLoops = equal;
      if (equal < common)
        pairs.turns = Interval{1, Interval::kInfinity};
      else if (load.access < store.access)
        continue;
      const auto map = meeting(load, store, pairs);
      if (!map.ok()) return true;
      if (map->isKnownEmpty()) continue;
      const auto none = isEmpty(IndexingRelation(*map), options_);
      if (!none.ok() || none->answer != Answer::Yes) return true;
    }
    return false;
  }

 private:
  static constexpr size_t kMostPairs = 256;
  /// Questions about one pair, by the coordinates that differ.
  static constexpr size_t kMostParts = 64;

  void undecidedBy(std::string reason) {
    worst_.take(Check::undecided(std::move(reason)));
  }

  const KernelAccess &accessOf(const Toucher &of) const {
    return kernel_.accesses[of.access];
  }

  void checkPair(const Toucher &load, const Toucher &store) {
    if (load.map->map.isKnownEmpty() || store.map->map.isKnownEmpty()) return;
    if (mayNotMeet(load, store)) return;
    for (size_t axis = 0; axis < kAxes; ++axis)
      for (const bool isLess : {false, true}) {
        if (kernel_.grid[axis] == 1) continue;
        PairsOf pairs;
        pairs.apartAlong = {{axis, isLess}};
        take(load, store, pairs, "");
      }
    if (accessOf(load).warps || accessOf(store).warps)
      return take(load, store, {},
                  "warps that work apart have no order that is known");
    if (!isPlain(accessOf(load)) || !isPlain(accessOf(store)))
      return take(load, store, {},
                  "when a copy is made that takes time is not known");
    const size_t common = commonLoops(accessOf(load), accessOf(store));
    PairsOf pairs;
    pairs.equalLoops = common;
    if (load.access < store.access)
      checkLoadFirst(load, store, pairs, std::nullopt);
    else
      checkStoreFirst(load, store, pairs, std::nullopt);
    for (size_t loop = 0; loop < common; ++loop)
      for (const Interval &turns :
           turnDistances(accessOf(load).loops[loop].stages)) {
        pairs.equalLoops = loop;
        pairs.turns = turns;
        checkStoreFirst(load, store, pairs, TurnDistance{loop, turns});
        pairs.turns = Interval{-turns.upper, -turns.lower};
        if (!turns.hasUpper()) pairs.turns->lower = Interval::kMinusInfinity;
        checkLoadFirst(load, store, pairs, TurnDistance{loop, turns});
      }
  }

  /// Checks pairs of which the load comes first in the program: it must not see
  /// the store.
  void checkLoadFirst(const Toucher &load, const Toucher &store, PairsOf pairs,
                      const std::optional<TurnDistance> &distance) {
    const BarrierBetween barrier =
        barrierBetween(kernel_, load.access, store.access, distance);
    if (barrier.answer == BarrierBetween::Yes) return;
    pairs.firstTurns = barrier.firstTurns;
    pairs.isStoreLater = true;
    const NeededLoads needed = neededBy(kernel_, accessOf(store), load.access);
    std::vector<EqualCoordinates> ordered;
    const bool isInOneTurn =
        !distance && accessOf(load).loops.size() == pairs.equalLoops;
    for (const NeededElements &each : needed.all)
      if (isInOneTurn || each.isOfAllTurns)
        ordered.push_back(equalBy(accessOf(load), each));
    std::string doubt;
    if (barrier.answer == BarrierBetween::Unknown) doubt = kUnknownBarrier;
    if (!needed.isKnown) doubt = "what a store needs is not known";
    checkUnordered(load, store, pairs, std::move(ordered), std::move(doubt));
  }

  /// Returns whether a barrier is in the innermost loop around the load.
  bool hasBarrierInLoop(const Toucher &load) const {
    const auto &loops = accessOf(load).loops;
    return llvm::any_of(kernel_.barriers, [&](const KernelBarrier &barrier) {
      return llvm::is_contained(barrier.loops, loops.back().loop);
    });
  }

  /// Checks pairs of which the store comes first in the program: the load must
  /// see it.
  void checkStoreFirst(const Toucher &load, const Toucher &store, PairsOf pairs,
                       const std::optional<TurnDistance> &distance) {
    const BarrierBetween barrier =
        barrierBetween(kernel_, store.access, load.access, distance);
    // The innermost loop is the one that is pipelined.
    const auto &loops = accessOf(load).loops;
    const int64_t stages = loops.empty() ? 1 : loops.back().stages;
    const bool isInnermost = distance ? distance->loop + 1 == loops.size()
                                      : pairs.equalLoops == loops.size();
    if (stages > 1 && isInnermost &&
        (!distance || distance->turns.upper < stages)) {
      const bool isCertain =
          distance && kernel_.form == "ttir" && !hasBarrierInLoop(load);
      return take(load, store, pairs,
                  isCertain ? ""
                            : "whether a pipelined loop moves a load in "
                              "front of a store is not known");
    }
    if (barrier.answer == BarrierBetween::Yes) return;
    pairs.firstTurns = barrier.firstTurns;
    checkUnordered(
        load, store, pairs, {},
        barrier.answer == BarrierBetween::Unknown ? kUnknownBarrier : "");
  }

  /// Checks pairs that have an order only at coordinates that `ordered` names,
  /// or at one coordinate that the same threads hold.
  void checkUnordered(const Toucher &load, const Toucher &store,
                      const PairsOf &pairs,
                      std::vector<EqualCoordinates> ordered,
                      std::string doubt) {
    const Threads threads = threadsOf(accessOf(load), accessOf(store));
    std::vector<EqualCoordinates> own = ordered;
    if (threads != Threads::Others) own.push_back(equalAll(accessOf(load)));
    takeApart(load, store, pairs, own, doubt);
    if (threads == Threads::Unknown)
      takeApart(load, store, pairs, ordered,
                "which thread makes an access is not known");
  }

  /// Whether one coordinate of both tiles is of one thread.
  enum class Threads : uint8_t { Same, Others, Unknown };

  static Threads threadsOf(const KernelAccess &load,
                           const KernelAccess &store) {
    if (load.tile != store.tile) return Threads::Others;
    if (load.tile.empty()) return Threads::Same;
    if (!load.layout || !store.layout) return Threads::Unknown;
    if (load.layoutText == store.layoutText) return Threads::Same;
    return load.layoutFrom == LayoutSource::File &&
                   store.layoutFrom == LayoutSource::File
               ? Threads::Others
               : Threads::Unknown;
  }

  static EqualCoordinates equalAll(const KernelAccess &load) {
    EqualCoordinates equal;
    for (size_t k = 0; k < load.tile.size(); ++k) equal.push_back({k, k});
    return equal;
  }

  static EqualCoordinates equalBy(const KernelAccess &load,
                                  const NeededElements &needed) {
    EqualCoordinates equal;
    for (size_t k = 0; k < load.tile.size() && k < needed.from.size(); ++k)
      if (needed.from[k] && load.tile[k] > 1)
        equal.push_back({k, *needed.from[k]});
    return equal;
  }

  /// Takes the pairs at which none of `ordered` holds: of each some coordinate
  /// is less or greater.
  void takeApart(const Toucher &load, const Toucher &store, PairsOf pairs,
                 llvm::ArrayRef<EqualCoordinates> ordered,
                 const std::string &doubt) {
    if (ordered.empty()) return take(load, store, pairs, doubt);
    size_t parts = 1;
    for (const EqualCoordinates &equal : ordered)
      parts = std::min(kMostParts + 1,
                       parts * std::max<size_t>(1, 2 * equal.size()));
    if (parts > kMostParts)
      return take(load, store, pairs,
                  "a store needs elements of a load in too many ways");
    for (const auto &[a, b] : ordered.front())
      for (const bool isLess : {false, true}) {
        if (worst_.answer == Check::Violated) return;
        PairsOf part = pairs;
        part.apart.push_back({a, b, isLess});
        takeApart(load, store, part, ordered.drop_front(), doubt);
      }
  }

  /// Takes pairs without an order: a violation if there are some, or with a
  /// doubt undecided.
  void take(const Toucher &load, const Toucher &store, const PairsOf &pairs,
            const std::string &doubt) {
    if (worst_.answer == Check::Violated) return;
    auto map = meeting(load, store, pairs);
    if (!map.ok()) return undecidedBy(std::string(map.status().message()));
    if (map->isKnownEmpty()) return;
    const auto answer = isEmpty(IndexingRelation(*map), each_);
    if (!answer.ok())
      return undecidedBy(std::string(answer.status().message()));
    if (answer->answer == Answer::Undecided) {
      takeLessTime();
      return undecidedBy(answer->reason);
    }
    if (answer->answer == Answer::Yes) return;
    if (!doubt.empty()) return undecidedBy(doubt);
    for (const Toucher *of : {&load, &store})
      if (!of->map->map.runtime().empty() ||
          accessOf(*of).mask == MaskKind::Cover)
        return undecidedBy("it depends on values of arguments or of memory");
    violatedBy(load, store, pairs, *answer->witness);
  }

  /// Halves the operations of the next questions. A kernel that is hard to
  /// decide has many of them, and only a violation would still change the
  /// answer.
  void takeLessTime() {
    const int64_t all = options_.operationsOr(ExactOptions::kUsualOperations);
    each_.operations = std::max(
        each_.operationsOr(ExactOptions::kUsualOperations) / 2, all / 64);
  }

  void violatedBy(const Toucher &load, const Toucher &store,
                  const PairsOf &pairs, const PairWitness &at) {
    Witness witness;
    witness.kind = Witness::Kind::Overwritten;
    witness.array = load.map->argument;
    witness.element = {at.element[0]};
    llvm::ArrayRef<int64_t> rest = at.index;
    const auto next = [&](size_t count) {
      const std::vector<int64_t> found = rest.take_front(count).vec();
      rest = rest.drop_front(count);
      return found;
    };
    Witness::Access &reader = witness.second, &writer = witness.first;
    reader.program = next(kAxes);
    writer.program = pairs.apartAlong ? next(kAxes) : reader.program;
    for (const auto &[of, access] :
         {std::pair(&load, &reader), {&store, &writer}}) {
      access->loops = next(accessOf(*of).loops.size());
      access->tile = next(accessOf(*of).tile.size());
      access->line = accessOf(*of).place.line;
    }
    worst_ = Check::violated(std::move(witness));
  }

  int64_t bitsOf(const Toucher &of) const {
    return kernel_.arguments[of.map->argument].elementBits;
  }

  bool areAlike(const Toucher &load, const Toucher &store) const {
    return load.map->argument == store.map->argument ||
           bitsOf(load) == bitsOf(store);
  }

  bool mayNotMeet(const Toucher &load, const Toucher &store) const {
    return areAlike(load, store) &&
           boundsOfResults(load.map->map)[0]
               .intersect(boundsOfResults(store.map->map)[0])
               .isEmpty();
  }

  /// Returns the map from both accesses to the element of the load whose bytes
  /// the store writes: from the program (two if they are apart), the load's
  /// loops and tile, and the store's.
  absl::StatusOr<IndexingMap> meeting(const Toucher &load, const Toucher &store,
                                      const PairsOf &pairs) const {
    const IndexingMap &a = load.map->map, &b = store.map->map;
    IndexingMapBuilder builder;
    std::vector<Expr> programs[2];
    for (size_t k = 0; k < kAxes; ++k)
      programs[0].push_back(builder.dimension(a.dimensions()[k].bounds));
    if (pairs.apartAlong)
      for (size_t k = 0; k < kAxes; ++k)
        programs[1].push_back(builder.dimension(b.dimensions()[k].bounds));
    else
      programs[1] = programs[0];
    std::vector<Expr> variables[2];
    for (const auto &[number, map] : {std::pair(0, &a), {1, &b}}) {
      variables[number] = programs[number];
      for (const Variable &v : map->dimensions().drop_front(kAxes))
        variables[number].push_back(builder.dimension(v.bounds));
      for (size_t k = 0; k < kAxes; ++k)
        builder.constraint(programs[number][k], map->dimensions()[k].bounds);
    }
    constrain(load, store, pairs, variables[0], variables[1], builder);
    MapCopy first(a, builder, formsOf(variables[0]), rangesOf(a, builder));
    MapCopy second(b, builder, formsOf(variables[1]), rangesOf(b, builder));
    INDEXICAL_RETURN_IF_ERROR(constrainBytes(load, store, first.result(0),
                                             second.result(0), builder));
    // Of a kernel for all sizes, an element has several numbers.
    for (size_t k = 1; k < a.results().size(); ++k)
      builder.constraint(first.result(k) - second.result(k),
                         Interval::point(0));
    first.addConstraints();
    second.addConstraints();
    builder.result(first.result(0));
    INDEXICAL_ASSIGN_OR_RETURN(auto map, builder.build());
    return simplify(map);
  }

  static std::vector<FormId> formsOf(llvm::ArrayRef<Expr> variables) {
    std::vector<FormId> forms;
    for (const Expr &each : variables) forms.push_back(each.form());
    return forms;
  }

  static std::vector<FormId> rangesOf(const IndexingMap &map,
                                      IndexingMapBuilder &builder) {
    std::vector<FormId> ranges;
    for (const Variable &v : map.ranges())
      ranges.push_back(builder.range(v.bounds).form());
    return ranges;
  }

  /// Adds which programs, turns and coordinates are meant.
  void constrain(const Toucher &load, const Toucher &store,
                 const PairsOf &pairs, llvm::ArrayRef<Expr> a,
                 llvm::ArrayRef<Expr> b, IndexingMapBuilder &builder) const {
    constexpr Interval kLess = {Interval::kMinusInfinity, -1};
    constexpr Interval kGreater = {1, Interval::kInfinity};
    if (const auto &apart = pairs.apartAlong)
      builder.constraint(b[apart->first] - a[apart->first],
                         apart->second ? kLess : kGreater);
    for (size_t k = 0; k < pairs.equalLoops; ++k)
      builder.constraint(a[kAxes + k] - b[kAxes + k], Interval::point(0));
    if (pairs.turns)
      builder.constraint(
          a[kAxes + pairs.equalLoops] - b[kAxes + pairs.equalLoops],
          *pairs.turns);
    const auto &later = pairs.isStoreLater ? b : a;
    for (size_t k = 0; k < pairs.firstTurns; ++k)
      builder.constraint(later[kAxes + pairs.equalLoops + k],
                         Interval::point(0));
    const size_t tileOfLoad = kAxes + accessOf(load).loops.size();
    const size_t tileOfStore = kAxes + accessOf(store).loops.size();
    for (const ApartCoordinates &each : pairs.apart)
      builder.constraint(
          a[tileOfLoad + each.load] - b[tileOfStore + each.store],
          each.isLess ? kLess : kGreater);
  }

  /// Adds that both elements have a byte in common.
  absl::Status constrainBytes(const Toucher &load, const Toucher &store, Expr a,
                              Expr b, IndexingMapBuilder &builder) const {
    if (areAlike(load, store)) {
      builder.constraint(a - b, Interval::point(0));
      return absl::OkStatus();
    }
    const int64_t own = bitsOf(load), other = bitsOf(store);
    if (own <= 0 || other <= 0)
      return absl::UnimplementedError(
          "the size of an element of an array is not known");
    const int64_t unit = std::gcd(own, other);
    builder.constraint(a * (own / unit) - b * (other / unit),
                       {1 - own / unit, other / unit - 1});
    return absl::OkStatus();
  }

  static constexpr const char *kUnknownBarrier =
      "whether a barrier is passed between a load and a store is not known";

  const TritonKernel &kernel_;
  const ExactOptions &options_;
  ExactOptions each_;  ///< of the next question
  Check worst_;
};

}  // namespace

bool isLoadedAndStored(const TritonKernel &kernel) {
  if (hasAlias(kernel)) return true;
  for (const auto &[array, own] : accessesByArray(kernel))
    if (!own.loads.empty() && !own.stores.empty()) return true;
  return false;
}

std::vector<size_t> storesBefore(const TritonKernel &kernel, size_t load,
                                 const PointerMap &element,
                                 const ExactOptions &options) {
  const OverwriteChecker checker(kernel, options);
  std::vector<size_t> found;
  for (size_t number = 0; number < kernel.accesses.size(); ++number) {
    const auto &access = kernel.accesses[number];
    if (access.kind == AccessKind::Load) continue;
    const bool mayBeBefore =
        llvm::any_of(access.maps, [&](const PointerMap &map) {
          return kernel.arrayOf(map.argument) ==
                     kernel.arrayOf(element.argument) &&
                 checker.mayComeFirst({load, &element}, {number, &map});
        });
    if (mayBeBefore) found.push_back(number);
  }
  return found;
}

Check overwritten(const TritonKernel &kernel, const ExactOptions &options) {
  return OverwriteChecker(kernel, options).check();
}

}  // namespace indexical::kernels
