#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/bounds.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/program/kernel/checks.h"
#include "indexical/program/kernel/element_digits.h"
#include "indexical/program/kernel/overwritten.h"
#include "indexical/program/maps/map_copy.h"
#include "indexical/simplifier/simplify.h"

namespace indexical::kernels {

llvm::StringRef raceOf(const Witness &witness) {
  if (witness.second.isAtomic) return "atomic";
  return witness.first.program == witness.second.program ? "program"
                                                         : "programs";
}

namespace {

constexpr size_t kAxes = 3;
constexpr const char *kAxisNames[] = {"bl_x", "bl_y", "bl_z"};

/// The maps of the stores, or of the atomic operations, to one argument.
struct Writers {
  struct Writer {
    size_t access;  ///< its number in the kernel
    const IndexingMap *map;
  };
  std::vector<Writer> all;
  size_t rank = 0;  ///< of the largest tile
  bool isKnown = true;

  void add(const KernelAccess &access, size_t number, const PointerMap &map) {
    all.push_back({number, &map.map});
    rank = std::max<size_t>(rank, access.tile.size());
    isKnown &= map.map.runtime().empty() && access.mask != MaskKind::Cover;
  }
};

/// Who may store an element once: a program, each thread of it, or each of its
/// accesses at each coordinate of a tile.
enum class Storer : uint8_t { Coordinate, Thread, Program };

/// Returns the map from (program, number of the access, tile) to the element,
/// with the loops as ranges. The tile has `rank` coordinates, the last of them
/// 0 if the access has fewer. For threads and programs the access is 0, and
/// coordinates that are not the thread's, or all, are ranges.
absl::StatusOr<IndexingMap> byCoordinates(const KernelAccess &access,
                                          const Writers::Writer &writer,
                                          size_t rank, Storer storer) {
  const IndexingMap &map = *writer.map;
  IndexingMapBuilder b;
  std::vector<FormId> dimensions, ranges;
  const size_t firstOfTile = kAxes + access.loops.size();
  const size_t own = storer == Storer::Program ? 0
                     : storer == Storer::Thread
                         ? std::min(rank, access.tile.size())
                         : access.tile.size();
  const auto number = storer == Storer::Coordinate
                          ? static_cast<int64_t>(writer.access)
                          : int64_t{0};
  for (auto [k, v] : llvm::enumerate(map.dimensions())) {
    if (k == kAxes) b.addDimension(Interval::point(number), "access");
    const bool isRange =
        k >= kAxes && (k < firstOfTile || k >= firstOfTile + own);
    dimensions.push_back(
        (isRange ? b.range(v.bounds, v.name) : b.dimension(v.bounds, v.name))
            .form());
  }
  if (map.dimensions().size() == kAxes)
    b.addDimension(Interval::point(number), "access");
  for (size_t k = own; k < rank; ++k) b.addDimension({0, 0}, "");
  for (const Variable &v : map.ranges())
    ranges.push_back(b.range(v.bounds, v.name).form());
  MapCopy copy(map, b, std::move(dimensions), std::move(ranges));
  for (size_t k = 0; k < map.results().size(); ++k) b.result(copy.result(k));
  copy.addConstraints();
  return b.build();
}

/// Adds the variables of a writer to the builder: `program`, and ranges for its
/// loops and its tile.
std::vector<FormId> variablesOf(const IndexingMap &map,
                                llvm::ArrayRef<Expr> program,
                                IndexingMapBuilder &b) {
  std::vector<FormId> variables;
  for (auto [k, v] : llvm::enumerate(map.dimensions()))
    variables.push_back(
        (k < kAxes ? program[k] : b.range(v.bounds, "")).form());
  return variables;
}

/// Returns the pairs of programs, of which the second one is less or greater
/// along the axis, whose store and atomic operation have one element: the map
/// goes from the two programs to the element.
absl::StatusOr<IndexingMap> meeting(const IndexingMap &store,
                                    const IndexingMap &atomic, size_t axis,
                                    bool isLess) {
  IndexingMapBuilder b;
  std::vector<Expr> programs[2];
  for (auto &program : programs)
    for (size_t k = 0; k < kAxes; ++k)
      program.push_back(b.dimension(
          store.dimensions()[k].bounds.hull(atomic.dimensions()[k].bounds),
          kAxisNames[k]));
  MapCopy first(store, b, variablesOf(store, programs[0], b), {});
  MapCopy second(atomic, b, variablesOf(atomic, programs[1], b), {});
  for (size_t k = 0; k < store.results().size(); ++k)
    b.constraint(first.result(k) - second.result(k), Interval::point(0));
  b.constraint(programs[1][axis] - programs[0][axis],
               isLess ? Interval{Interval::kMinusInfinity, -1}
                      : Interval{1, Interval::kInfinity});
  for (const auto &[map, program] :
       {std::pair(&store, &programs[0]), {&atomic, &programs[1]}})
    for (size_t k = 0; k < kAxes; ++k)
      b.constraint((*program)[k], map->dimensions()[k].bounds);
  first.addConstraints();
  second.addConstraints();
  b.result(first.result(0));
  INDEXICAL_ASSIGN_OR_RETURN(auto map, b.build());
  return simplify(map);
}

class OnceChecker {
 public:
  OnceChecker(const TritonKernel &kernel, const ExactOptions &options)
      : kernel_(kernel), options_(options) {}

  Check check() {
    collect();
    for (const auto &[argument, stores] : stores_) {
      checkStores(argument, stores);
      if (worst_.answer == Check::Violated) return worst_;
    }
    for (const auto &[argument, stores] : stores_) {
      if (const auto found = atomics_.find(argument); found != atomics_.end())
        checkAtomics(argument, stores, found->second);
      if (worst_.answer == Check::Violated) return worst_;
    }
    return worst_;
  }

 private:
  static constexpr size_t kMostPairs = 256;

  void undecidedBy(std::string reason) {
    worst_.take(Check::undecided(std::move(reason)));
  }

  void collect() {
    const bool hasStores = llvm::any_of(
        kernel_.accesses,
        [](const KernelAccess &a) { return a.kind == AccessKind::Store; });
    for (auto [number, access] : llvm::enumerate(kernel_.accesses)) {
      if (access.kind == AccessKind::Load) continue;
      const bool isStore = access.kind == AccessKind::Store;
      if (!access.reason.empty() && (isStore || hasStores))
        undecidedBy(access.reason);
      for (const PointerMap &map : access.maps) {
        const int64_t array = kernel_.arrayOf(map.argument);
        if (array != map.argument &&
            kernel_.arguments[array].elementBits !=
                kernel_.arguments[map.argument].elementBits)
          undecidedBy("pointers to one array have elements of several sizes");
        (isStore ? stores_ : atomics_)[array].add(access, number, map);
      }
    }
    if (kernel_.incomplete)
      undecidedBy("the kernel is not understood: " +
                  kernel_.incomplete->reason);
  }

  std::vector<int64_t> linesOf(const Writers &stores) const {
    std::vector<int64_t> lines;
    for (const Writers::Writer &writer : stores.all) {
      const int64_t line = kernel_.accesses[writer.access].place.line;
      if (!llvm::is_contained(lines, line)) lines.push_back(line);
    }
    return lines;
  }

  Witness::Access writerAt(llvm::ArrayRef<int64_t> index) const {
    const KernelAccess &access = kernel_.accesses[index[kAxes]];
    Witness::Access writer;
    writer.program = index.take_front(kAxes).vec();
    writer.tile =
        index.drop_front(kAxes + 1).take_front(access.tile.size()).vec();
    writer.line = access.place.line;
    return writer;
  }

  /// Returns why threads may not make these stores, or may have an order that
  /// is not known; "" if they make them.
  std::string doubtOf(const Writers &stores) const {
    if (kernel_.form == "llvm" && kernel_.incomplete)
      return "the kernel is not understood: " + kernel_.incomplete->reason;
    for (const Writers::Writer &writer : stores.all)
      if (const auto &why = kernel_.accesses[writer.access].mayNotCome;
          !why.empty())
        return why;
    return "";
  }

  /// Takes a witness of two writers of one element.
  void violatedBy(int64_t argument, int64_t element, const Writers &stores,
                  Witness::Access first, Witness::Access second) {
    if (std::string doubt = doubtOf(stores); !doubt.empty())
      return undecidedBy(std::move(doubt));
    Witness witness;
    witness.kind = Witness::Kind::WrittenTwice;
    witness.array = argument;
    witness.element = {element};
    witness.first = std::move(first);
    witness.second = std::move(second);
    witness.lines = linesOf(stores);
    worst_ = Check::violated(std::move(witness));
  }

  /// Stores of one program in several phases have an order: each phase has its
  /// own check, and all have one for several programs.
  void checkStores(int64_t argument, const Writers &stores) {
    std::map<int32_t, Writers> phases;
    bool areOrdered = true;
    for (const Writers::Writer &writer : stores.all) {
      const int32_t phase = kernel_.accesses[writer.access].phase;
      areOrdered &= phase >= 0;
      Writers &own = phases[phase];
      own.all.push_back(writer);
      own.rank = stores.rank;
      own.isKnown = stores.isKnown;
    }
    if (!areOrdered || phases.size() < 2)
      return checkStores(argument, stores, Storer::Coordinate);
    for (const auto &[phase, own] : phases)
      checkStores(argument, own, Storer::Coordinate);
    checkStores(argument, stores, Storer::Program);
  }

  void checkStores(int64_t argument, const Writers &stores, Storer storer) {
    // Stores that depend on values are proved to be apart, or undecided.
    if (worst_.answer == Check::Violated ||
        (worst_.answer == Check::Undecided && !stores.isKnown))
      return;
    std::vector<IndexingMap> maps;
    for (const Writers::Writer &writer : stores.all) {
      auto map = byCoordinates(
          kernel_.accesses[writer.access], writer,
          storer == Storer::Thread ? kernel_.threadSides : stores.rank, storer);
      if (!map.ok()) return undecidedBy(std::string(map.status().message()));
      maps.push_back(*std::move(map));
    }
    const ElementDigits digits(maps);
    IndexingRelation elements;
    for (IndexingMap &map : maps) elements.add(std::move(map));
    const auto answer = isInjective(elements, options_);
    if (!answer.ok())
      return undecidedBy(std::string(answer.status().message()));
    if (answer->answer == Answer::Undecided) return undecidedBy(answer->reason);
    if (answer->answer == Answer::Yes) return;
    const PairWitness &at = *answer->witness;
    const auto areOfOneThread = [&] {
      const size_t sides = kernel_.threadSides;
      const auto ofTile = [](llvm::ArrayRef<int64_t> index) {
        return index.drop_front(kAxes + 1);
      };
      return sides > 0 && programOf(at.index) == programOf(at.otherIndex) &&
             ofTile(at.index).take_front(sides) ==
                 ofTile(at.otherIndex).take_front(sides);
    };
    // What one thread stores has an order.
    if (storer == Storer::Coordinate && areOfOneThread())
      return checkStores(argument, stores, Storer::Thread);
    if (!stores.isKnown) return undecidedBy(kUnknownValues);
    if (programOf(at.index) == programOf(at.otherIndex) &&
        storer != Storer::Program && kernel_.threadSides > 0 &&
        !kernel_.barriers.empty())
      return checkThreads(argument, stores);
    const int64_t element = digits.elementOf(at.element);
    if (programOf(at.index) == programOf(at.otherIndex) &&
        hasBarrierInLoop(stores) && kernel_.threadSides == 0)
      return undecidedBy(
          "whether a barrier is passed between two stores is not known");
    const auto writer = [&](llvm::ArrayRef<int64_t> index) {
      return storer == Storer::Coordinate
                 ? writerAt(index)
                 : storerAt(index, element, stores, storer);
    };
    violatedBy(argument, element, stores, writer(at.index),
               writer(at.otherIndex));
  }

  /// Stores of one program of a compiled kernel have an order if a barrier is
  /// between them: pairs are checked one by one, and all stores for several
  /// programs.
  void checkThreads(int64_t argument, const Writers &stores) {
    Check ordered = storedInOrder(kernel_, argument, options_);
    if (const auto &witness = ordered.witness) {
      Witness::Access first = witness->first, second = witness->second;
      first.loops.clear();
      second.loops.clear();
      return violatedBy(argument, witness->element[0], stores, std::move(first),
                        std::move(second));
    }
    worst_.take(std::move(ordered));
    checkStores(argument, stores, Storer::Program);
  }

  static llvm::ArrayRef<int64_t> programOf(llvm::ArrayRef<int64_t> index) {
    return index.take_front(kAxes);
  }

  /// Returns whether a barrier may stand between stores of different turns.
  bool hasBarrierInLoop(const Writers &stores) const {
    return llvm::any_of(stores.all, [&](const Writers::Writer &writer) {
      return llvm::any_of(
          kernel_.accesses[writer.access].loops, [&](const auto &around) {
            return llvm::any_of(kernel_.barriers, [&](const auto &barrier) {
              return llvm::is_contained(barrier.loops, around.loop);
            });
          });
    });
  }

  /// Returns the first store of the program, or of the thread, to the element.
  /// Of a program's tile nothing is said.
  Witness::Access storerAt(llvm::ArrayRef<int64_t> index, int64_t element,
                           const Writers &stores, Storer storer) const {
    Witness::Access found;
    found.program = index.take_front(kAxes).vec();
    const size_t threadSides =
        storer == Storer::Thread ? kernel_.threadSides : 0;
    const llvm::ArrayRef<int64_t> thread =
        index.drop_front(kAxes + 1).take_front(threadSides);
    found.tile = thread.vec();
    for (const Writers::Writer &writer : stores.all) {
      const IndexingMap &map = *writer.map;
      const size_t firstOfTile =
          kAxes + kernel_.accesses[writer.access].loops.size();
      IndexingMapBuilder b;
      std::vector<FormId> variables;
      bool isInside = true;
      for (auto [k, v] : llvm::enumerate(map.dimensions())) {
        std::optional<int64_t> known;
        if (k < kAxes)
          known = index[k];
        else if (k >= firstOfTile && k - firstOfTile < thread.size())
          known = thread[k - firstOfTile];
        if (known) isInside &= v.bounds.contains(*known);
        variables.push_back(
            (known ? b.constant(*known) : b.dimension(v.bounds, "")).form());
      }
      if (!isInside) continue;
      MapCopy copy(map, b, std::move(variables), {});
      b.constraint(copy.result(0), Interval::point(element));
      copy.addConstraints();
      b.result(copy.result(0));
      auto own = b.build();
      const auto none = own.ok() ? isEmpty(IndexingRelation(*own), options_)
                                 : absl::StatusOr<Decision>(own.status());
      found.line = kernel_.accesses[writer.access].place.line;
      if (none.ok() && none->answer == Answer::No) break;
    }
    return found;
  }

  void checkAtomics(int64_t argument, const Writers &stores,
                    const Writers &atomics) {
    if (stores.all.size() * atomics.all.size() > kMostPairs)
      return undecidedBy("there are too many stores and atomic operations");
    for (const Writers::Writer &store : stores.all)
      for (const Writers::Writer &atomic : atomics.all) {
        if (boundsOfResults(*store.map)[0]
                .intersect(boundsOfResults(*atomic.map)[0])
                .isEmpty())
          continue;
        for (size_t axis = 0; axis < kAxes; ++axis)
          for (const bool isLess : {false, true}) {
            if (kernel_.grid[axis] == 1) continue;
            checkMeeting(argument, stores, store, atomic,
                         meeting(*store.map, *atomic.map, axis, isLess),
                         stores.isKnown && atomics.isKnown);
            if (worst_.answer == Check::Violated) return;
          }
      }
  }

  void checkMeeting(int64_t argument, const Writers &stores,
                    const Writers::Writer &store, const Writers::Writer &atomic,
                    const absl::StatusOr<IndexingMap> &meeting, bool isKnown) {
    if (!meeting.ok())
      return undecidedBy(std::string(meeting.status().message()));
    const auto answer = isEmpty(IndexingRelation(*meeting), options_);
    if (!answer.ok())
      return undecidedBy(std::string(answer.status().message()));
    if (answer->answer == Answer::Undecided) return undecidedBy(answer->reason);
    if (answer->answer == Answer::Yes) return;
    if (!isKnown) return undecidedBy(kUnknownValues);
    if (const auto &why = kernel_.accesses[atomic.access].mayNotCome;
        !why.empty())
      return undecidedBy(why);
    const auto writer = [&](const Writers::Writer &of, size_t from) {
      const auto index = llvm::ArrayRef<int64_t>(answer->witness->index);
      Witness::Access access;
      access.program = index.drop_front(from).take_front(kAxes).vec();
      access.line = kernel_.accesses[of.access].place.line;
      access.isAtomic = from > 0;
      return access;
    };
    violatedBy(argument, answer->witness->element[0], stores, writer(store, 0),
               writer(atomic, kAxes));
  }

  static constexpr const char *kUnknownValues =
      "it depends on values of arguments or of memory";

  const TritonKernel &kernel_;
  const ExactOptions &options_;
  std::map<int64_t, Writers> stores_, atomics_;  ///< by argument
  Check worst_;
};

}  // namespace

Check writtenOnce(const TritonKernel &kernel, const ExactOptions &options) {
  return OnceChecker(kernel, options).check();
}

}  // namespace indexical::kernels
