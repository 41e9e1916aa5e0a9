#include "indexical/program/kernel/overwritten.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/program/kernel/access_order.h"
#include "indexical/program/kernel/access_pairs.h"
#include "indexical/program/kernel/needed_loads.h"

namespace indexical::kernels {

namespace {

constexpr size_t kAxes = 3;

/// The accesses of one array.
struct ArrayAccesses {
  std::vector<Toucher> loads, stores, atomics;
};

/// Coordinates of a load and of a store that are equal. All of the list are
/// equal together.
using EqualCoordinates = std::vector<std::pair<size_t, size_t>>;

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

/// Returns whether an access of a compiled kernel has been made where the
/// thread's next op begins. Of a copy that takes its time, that is not so.
bool isDone(const KernelAccess &access) {
  const llvm::StringRef op = access.op;
  if (op.contains("async") || op.contains("bulk") || op.contains("lds"))
    return false;
  for (const char *known :
       {"load", "store", "ld.", "ldu.", "st.", "ldmatrix", "stmatrix", "atom",
        "red.", "cmpxchg", "llvm.mem", "llvm.nvvm.ldmatrix",
        "llvm.nvvm.stmatrix", "llvm.amdgcn.raw.", "llvm.amdgcn.struct."})
    if (op.starts_with(known)) return true;
  return false;
}

/// Returns whether the access is atomic: what is loaded and stored so may order
/// other accesses, and is no race.
bool isAtomic(const KernelAccess &access) {
  const llvm::StringRef op = access.op;
  for (const char *known : {" atomic", ".acquire", ".release", ".relaxed"})
    if (op.contains(known)) return true;
  return access.kind == AccessKind::Atomic;
}

/// Returns whether a warp makes the access together: a lane gives the address
/// of what others load or store.
bool isOfWarp(const KernelAccess &access) {
  return llvm::StringRef(access.op).contains("matrix");
}

bool hasAlias(const TritonKernel &kernel) {
  return llvm::any_of(kernel.arguments, [](const KernelArgument &argument) {
    return argument.sameAs >= 0;
  });
}

/// Returns a kernel whose accesses are those of shared memory: a variable of it
/// is an argument.
TritonKernel kernelOfShared(const TritonKernel &kernel) {
  TritonKernel own;
  own.form = kernel.form;
  own.block = kernel.block;
  own.threadSides = kernel.threadSides;
  own.warps = kernel.warps;
  own.lanes = kernel.lanes;
  own.incomplete = kernel.incomplete;
  own.otherOrder = kernel.otherOrder;
  own.orderOfLanes = kernel.orderOfLanes;
  own.barriers = kernel.barriers;
  for (KernelBarrier &barrier : own.barriers) {
    barrier.before = barrier.sharedBefore;
    barrier.with = std::move(barrier.sharedWith);
  }
  for (const SharedAccess &shared : kernel.shared) {
    KernelAccess access;
    access.kind = shared.kind;
    access.op = shared.op;
    access.place = shared.place;
    access.tile = shared.tile;
    access.loops = shared.loops;
    access.maps = shared.maps;
    access.mask = shared.mask;
    access.reason = shared.reason;
    access.mayNotCome = shared.mayNotCome;
    for (const PointerMap &map : shared.maps) {
      const auto number = static_cast<size_t>(map.argument);
      if (own.arguments.size() <= number) own.arguments.resize(number + 1);
      own.arguments[number].name = shared.symbol;
      own.arguments[number].elementBits = shared.elementBits;
    }
    own.accesses.push_back(std::move(access));
  }
  return own;
}

class OverwriteChecker {
 public:
  /// Whose memory the accesses are of: that of all programs, or that of one.
  enum class Memory : uint8_t { OfAll, OfProgram };

  OverwriteChecker(const TritonKernel &kernel, const ExactOptions &options,
                   Memory memory = Memory::OfAll)
      : kernel_(kernel),
        pairs_(kernel),
        memory_(memory),
        options_(options),
        each_(options) {}

  Check check() {
    if (kernel_.incomplete)
      undecidedBy("the kernel is not understood: " +
                  kernel_.incomplete->reason);
    for (const KernelAccess &access : kernel_.accesses)
      if (!access.reason.empty()) undecidedBy(access.reason);
    for (const auto &[array, own] : accessesByArray(kernel_)) {
      if (own.loads.empty()) continue;
      if (memory_ == Memory::OfAll && !own.atomics.empty())
        undecidedBy(kAtomics);
      checkPairs(own.loads, own.stores);
      if (memory_ == Memory::OfProgram) {
        checkPairs(own.loads, own.atomics);
        checkPairs(own.atomics, own.stores);
      }
      if (worst_.answer == Check::Violated) return worst_;
    }
    return worst_;
  }

  /// Checks the pairs of stores to an array that one program makes.
  Check checkStores(int64_t array) {
    const auto all = accessesByArray(kernel_);
    const auto found = all.find(array);
    if (found == all.end()) return worst_;
    llvm::ArrayRef<Toucher> stores = found->second.stores;
    for (; !stores.empty(); stores = stores.drop_front())
      checkPairs(stores.take_front(), stores);
    return worst_;
  }

  /// Whether one program may make the store before the load, of one element.
  bool mayComeFirst(const Toucher &load, const Toucher &store) const {
    if (load.map->map.isKnownEmpty() || store.map->map.isKnownEmpty() ||
        pairs_.mayNotMeet(load, store))
      return false;
    const size_t common = commonLoops(accessOf(load), accessOf(store));
    for (size_t equal = 0; equal <= common; ++equal) {
      PairsOf pairs;
      pairs.equalLoops = equal;
      if (equal < common)
        pairs.turns = Interval{1, Interval::kInfinity};
      else if (load.access < store.access)
        continue;
      const auto map = pairs_.meeting(load, store, pairs);
      if (!map.ok()) return true;
      if (map->isKnownEmpty()) continue;
      const auto none = isEmpty(IndexingRelation(*map), options_);
      if (!none.ok() || none->answer != Answer::Yes) return true;
    }
    return false;
  }

 private:
  static constexpr size_t kMostPairs = 256, kMostThreadPairs = 16384;
  /// Questions about all pairs.
  static constexpr int kMostQuestions = 4096;
  /// Questions about one pair, by the coordinates that differ.
  static constexpr size_t kMostParts = 64;

  void undecidedBy(std::string reason) {
    worst_.take(Check::undecided(std::move(reason)));
  }

  const KernelAccess &accessOf(const Toucher &of) const {
    return kernel_.accesses[of.access];
  }

  void checkPairs(llvm::ArrayRef<Toucher> loads,
                  llvm::ArrayRef<Toucher> stores) {
    // Most pairs of a compiled kernel have a barrier between them.
    if (loads.size() * stores.size() >
        (kernel_.threadSides > 0 ? kMostThreadPairs : kMostPairs))
      return undecidedBy(kTooMany);
    for (const Toucher &load : loads)
      for (const Toucher &store : stores) {
        if (worst_.answer == Check::Violated) return;
        if (load.map->map.isKnownEmpty() || store.map->map.isKnownEmpty() ||
            pairs_.mayNotMeet(load, store))
          continue;
        if (memory_ == Memory::OfProgram)
          checkThreads(load, store);
        else
          checkPair(load, store);
      }
  }

  void checkPair(const Toucher &load, const Toucher &store) {
    for (size_t axis = 0; axis < kAxes; ++axis)
      for (const bool isLess : {false, true}) {
        if (kernel_.grid[axis] == 1) continue;
        PairsOf pairs;
        pairs.apartAlong = {{axis, isLess}};
        take(load, store, pairs,
             isAtomic(accessOf(load)) || isAtomic(accessOf(store))
                 ? kAtomics
                 : kernel_.orderOfPrograms);
      }
    if (accessOf(load).warps || accessOf(store).warps)
      return take(load, store, {},
                  "warps that work apart have no order that is known");
    if (kernel_.threadSides > 0) return checkThreads(load, store);
    if (!isPlain(accessOf(load)) || !isPlain(accessOf(store)))
      return take(load, store, {}, kTakesTime);
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

  /// Checks pairs of one program of a compiled kernel, whose coordinates are
  /// threads. What one thread loads and stores has an order.
  void checkThreads(const Toucher &load, const Toucher &store) {
    const size_t common = commonLoops(accessOf(load), accessOf(store));
    PairsOf pairs;
    pairs.equalLoops = common;
    pairs.isStoreLater = load.access < store.access;
    checkThreadsIn(load, store, pairs, std::nullopt);
    for (size_t loop = 0; loop < common; ++loop)
      for (const Interval &turns : turnDistances(/*stages=*/1)) {
        pairs.equalLoops = loop;
        pairs.turns = turns;
        pairs.isStoreLater = false;
        checkThreadsIn(load, store, pairs, TurnDistance{loop, turns});
        pairs.turns = Interval{-turns.upper, -turns.lower};
        if (!turns.hasUpper()) pairs.turns->lower = Interval::kMinusInfinity;
        pairs.isStoreLater = true;
        checkThreadsIn(load, store, pairs, TurnDistance{loop, turns});
      }
  }

  /// Checks the pairs of two accesses whose order in the program is known.
  void checkThreadsIn(const Toucher &load, const Toucher &store, PairsOf pairs,
                      const std::optional<TurnDistance> &distance) {
    if (worst_.answer == Check::Violated) return;
    const Toucher &first = pairs.isStoreLater ? load : store;
    const Toucher &second = pairs.isStoreLater ? store : load;
    const BarrierBetween barrier =
        barrierBetween(kernel_, first.access, second.access, distance);
    const bool isDoneFirst = isDone(accessOf(first));
    if (barrier.answer == BarrierBetween::Yes && isDoneFirst) return;
    if (isDoneFirst) pairs.firstTurns = barrier.firstTurns;
    std::string doubt;
    if (isAtomic(accessOf(load)) || isAtomic(accessOf(store))) doubt = kAtomics;
    if (barrier.answer != BarrierBetween::No) doubt = kUnknownBarrier;
    if (!kernel_.otherOrder.empty()) doubt = kernel_.otherOrder;
    if (kernel_.incomplete) doubt = kernel_.incomplete->reason;
    if (!isDoneFirst || !isDone(accessOf(second)))
      return take(load, store, pairs, kTakesTime);
    EqualCoordinates thread;
    for (size_t k = 0; k < kernel_.threadSides; ++k) thread.push_back({k, k});
    const bool isOfWarps =
        isOfWarp(accessOf(load)) || isOfWarp(accessOf(store));
    if (!isOfWarps && kernel_.orderOfLanes.empty())
      return takeApart(load, store, pairs, {thread}, doubt);
    for (const PairWarps apart :
         {PairWarps::LoadLess, PairWarps::LoadGreater}) {
      if (kernel_.warps == 1) break;
      pairs.warps = apart;
      take(load, store, pairs, doubt);
    }
    pairs.warps = PairWarps::One;
    if (doubt.empty()) doubt = kernel_.orderOfLanes;
    if (!isOfWarps) return takeApart(load, store, pairs, {thread}, doubt);
    take(load, store, pairs, doubt.empty() ? kWholeWarp : doubt);
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
            std::string doubt) {
    if (doubt.empty() && (dependsOnValues(load) || dependsOnValues(store)))
      doubt = "it depends on values of arguments or of memory";
    for (const Toucher *each : {&load, &store})
      if (doubt.empty()) doubt = accessOf(*each).mayNotCome;
    if (doubt.empty() && kernel_.form == "llvm" && kernel_.incomplete)
      doubt = kernel_.incomplete->reason;
    // A doubt leaves undecided, and no more.
    if (worst_.answer == Check::Violated ||
        (!doubt.empty() && worst_.answer == Check::Undecided))
      return;
    if (++questions_ > kMostQuestions) return undecidedBy(kTooMany);
    auto map = pairs_.meeting(load, store, pairs);
    if (!map.ok()) return undecidedBy(std::string(map.status().message()));
    if (map->isKnownEmpty()) return;
    const auto answer = isEmpty(IndexingRelation(*map), each_);
    const int64_t all = options_.operationsOr(ExactOptions::kUsualOperations);
    if (!answer.ok())
      return undecidedBy(std::string(answer.status().message()));
    if (answer->answer == Answer::Undecided) {
      takeLessTime(all / kMostQuestions);
      return undecidedBy(answer->reason);
    }
    if (answer->engine >= Engine::Enumeration && ++enumerated_ % 16 == 0)
      takeLessTime(all / 256);
    if (answer->answer == Answer::Yes) return;
    if (!doubt.empty()) return undecidedBy(doubt);
    worst_ =
        Check::violated(pairs_.witnessAt(load, store, pairs, *answer->witness));
  }

  /// Whether the access may not be made, or of another element, by values.
  bool dependsOnValues(const Toucher &of) const {
    return !of.map->map.runtime().empty() ||
           accessOf(of).mask == MaskKind::Cover;
  }

  /// Halves the operations of the next questions, which are at least so many. A
  /// kernel that is hard to decide has many questions: those that are not
  /// decided change nothing but to a violation, and hundreds that are
  /// enumerated may take a minute.
  void takeLessTime(int64_t least) {
    const int64_t now = each_.operationsOr(ExactOptions::kUsualOperations);
    each_.operations = std::max(now / 2, std::min(now, least));
  }

  static constexpr const char *kUnknownBarrier =
      "whether a barrier is passed between two accesses is not known";
  static constexpr const char *kTooMany =
      "an array has too many loads and stores";
  static constexpr const char *kAtomics =
      "an array is loaded, and changed by atomic operations";
  static constexpr const char *kTakesTime =
      "when a copy is made that takes time is not known";
  static constexpr const char *kWholeWarp =
      "which lane of a warp loads or stores an element is not known";

  const TritonKernel &kernel_;
  const AccessPairs pairs_;
  const Memory memory_;
  const ExactOptions &options_;
  ExactOptions each_;  ///< of the next question
  int questions_ = 0, enumerated_ = 0;
  Check worst_;
};

}  // namespace

bool isLoadedAndStored(const TritonKernel &kernel) {
  if (hasAlias(kernel)) return true;
  for (const auto &[array, own] : accessesByArray(kernel))
    if (!own.loads.empty() && !own.stores.empty()) return true;
  return false;
}

bool isSharedLoadedAndStored(const TritonKernel &kernel) {
  std::set<std::string> loaded, stored;
  for (const SharedAccess &access : kernel.shared)
    if (!access.symbol.empty())
      (access.kind == AccessKind::Load ? loaded : stored).insert(access.symbol);
  return llvm::any_of(loaded, [&](const std::string &symbol) {
    return stored.count(symbol) != 0;
  });
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

Check storedInOrder(const TritonKernel &kernel, int64_t array,
                    const ExactOptions &options) {
  return OverwriteChecker(kernel, options, OverwriteChecker::Memory::OfProgram)
      .checkStores(array);
}

Check sharedOverwritten(const TritonKernel &kernel,
                        const ExactOptions &options) {
  const TritonKernel own = kernelOfShared(kernel);
  Check found =
      OverwriteChecker(own, options, OverwriteChecker::Memory::OfProgram)
          .check();
  if (Witness *witness = found.witness ? &*found.witness : nullptr) {
    const KernelArgument &variable = own.arguments[*witness->array];
    witness->kind = Witness::Kind::SharedOverwritten;
    witness->variable = variable.name;
    witness->offsetBytes = witness->element[0] * (variable.elementBits / 8);
  }
  if (!kernel.sharedUnknown.empty())
    found.take(Check::undecided(kernel.sharedUnknown));
  return found;
}

}  // namespace indexical::kernels
