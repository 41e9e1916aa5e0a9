#include "indexical/cost/memory/traffic.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/memory/bank_conflicts.h"
#include "indexical/cost/memory/numbered_reads.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/address.h"

namespace indexical {
namespace {

int64_t saturatedMul(int64_t a, int64_t b) {
  return checkedMul(a, b).value_or(INT64_MAX);
}
int64_t saturatedAdd(int64_t a, int64_t b) {
  return checkedAdd(a, b).value_or(INT64_MAX);
}

/// Whether the rows of all arrays and index spaces are whole vectors.
bool hasWholeRows(const KernelAccesses &kernel, int64_t vector) {
  auto hasWhole = [&](const ArrayShape &shape) {
    return shape.isScalar() ||
           shape.dimensions[shape.minorToMajor()[0]] % vector == 0;
  };
  return llvm::all_of(kernel.buffers, hasWhole) &&
         llvm::all_of(kernel.launches, [&](const LaunchSpace &space) {
           return hasWhole(space.shape);
         });
}

}  // namespace

int64_t KernelTraffic::wasted() const {
  int64_t sum = 0;
  for (const Traffic &read : reads)
    if (read.figures) sum = saturatedAdd(sum, read.figures->wastedBytes.most);
  return saturatedMul(sum, trips);
}

int64_t KernelTraffic::moved(const Device &device) const {
  int64_t sum = 0;
  for (const Traffic &read : reads)
    sum = saturatedAdd(
        sum, read.figures
                 ? saturatedMul(read.figures->sectors.most, device.sector)
                 : read.bytes);
  return saturatedMul(sum, trips);
}

struct TrafficMeter::State {
  State(const Device &device, CoalescingOptions options)
      : device(device), options(std::move(options)) {}

  struct Launched {
    LaunchSpace space;
    int64_t vector;
    absl::StatusOr<IndexingMap> threads;
    absl::StatusOr<Coalescing> launch;
    /// Launches of vectors of other sizes share it.
    std::shared_ptr<lanes::NumberedReads> numbered;
  };

  /// Few of a module's spaces are different.
  std::vector<std::unique_ptr<Launched>> &launchesLike(
      const LaunchSpace &space) {
    return launches[llvm::hash_combine(
        llvm::hash_combine_range(space.shape.dimensions.begin(),
                                 space.shape.dimensions.end()),
        static_cast<int>(space.order), space.rowDimensions)];
  }

  Launched *knownLaunch(const LaunchSpace &space, int64_t vector) {
    for (auto &known : launchesLike(space))
      if (known->space == space && known->vector == vector) return known.get();
    return nullptr;
  }

  Launched &launchOf(const LaunchSpace &space, int64_t vector) {
    if (Launched *known = knownLaunch(space, vector)) return *known;
    auto threads = threadsOf(space, vector);
    // Threads of a space that are not given are made so that all of it has
    // some (thread_map.h).
    const bool isMade = space.order != ThreadOrder::Given;
    auto launch = threads.ok()
                      ? Coalescing::of(*threads, device,
                                       isMade ? space.shape.dimensions
                                              : llvm::ArrayRef<int64_t>())
                      : absl::StatusOr<Coalescing>(threads.status());
    auto &alike = launchesLike(space);
    std::shared_ptr<lanes::NumberedReads> numbered;
    if (launch.ok() && isMade) {
      auto known = llvm::find_if(
          alike, [&](const auto &other) { return other->space == space; });
      if (known != alike.end()) numbered = (*known)->numbered;
      if (!numbered) numbered = std::make_shared<lanes::NumberedReads>();
      launch->share(numbered);
    }
    alike.push_back(std::make_unique<Launched>(Launched{
        space, vector, std::move(threads), std::move(launch), numbered}));
    return *alike.back();
  }

  /// What the accesses of a kernel move by vectors of one size.
  struct Moved {
    int64_t sectors = 0;
    bool wastes = false;
  };

  /// Returns what is moved, or nothing if these are more sectors than `most`
  /// and some of them are wasted.
  std::optional<Moved> movedBy(const KernelAccesses &kernel, int64_t vector,
                               int64_t most) {
    Moved moved;
    // Writes first: most of them take little, and leave less to the reads.
    for (const bool isRead : {false, true})
      for (const MemoryAccess &access : isRead ? kernel.reads : kernel.writes) {
        CoalescingOptions asked = optionsFor(access);
        asked.byWarps |= !isRead;
        asked.distinct = false;
        if (most < INT64_MAX) asked.mostSectors = most - moved.sectors;
        const Measured measured = figuresOf(access, kernel, vector, asked);
        if (measured.ok()) {
          moved.sectors = saturatedAdd(moved.sectors, measured->sectors.most);
          moved.wastes |= measured->wastedBytes.most > 0;
        } else if (measured.why().obstacle == Obstacle::TooManySectors) {
          return std::nullopt;
        }
        if (moved.sectors > most && moved.wastes) return std::nullopt;
      }
    return moved;
  }

  /// Returns the elements of the vectors that move the fewest sectors, of the
  /// longest ones if several do. Shorter ones than such that waste nothing are
  /// none of these, whatever they move.
  int64_t bestVector(const KernelAccesses &kernel) {
    constexpr int64_t kAny = INT64_MAX;
    // Which one is asked first does not matter to the answer. Most kernels
    // whose rows are no whole vectors move the fewest sectors element by
    // element.
    std::optional<Moved> one;
    if (!hasWholeRows(kernel, 4)) one = movedBy(kernel, 1, kAny);
    auto four = movedBy(kernel, 4, one ? one->sectors : kAny);
    if (four && !four->wastes) return 4;
    int64_t fewest = one ? one->sectors : kAny;
    if (four) fewest = std::min(fewest, four->sectors);
    auto two = movedBy(kernel, 2, fewest);
    if (two && !two->wastes) {
      if (!four) four = movedBy(kernel, 4, kAny);
      return two->sectors < four->sectors ? 2 : 4;
    }
    if (two) fewest = std::min(fewest, two->sectors);
    if (!one) one = movedBy(kernel, 1, fewest);
    if (one) fewest = std::min(fewest, one->sectors);
    if (four && four->sectors == fewest) return 4;
    if (two && two->sectors == fewest) return 2;
    return 1;
  }

  Traffic measure(const KernelAccesses &kernel, const MemoryAccess &access,
                  bool isRead, int64_t vector) {
    Traffic traffic;
    traffic.bytes = bytesOf(kernel.buffers[access.buffer]);
    traffic.access = access;
    traffic.access.byWarps |= !isRead;
    const Measured measured =
        figuresOf(access, kernel, vector, optionsFor(traffic.access));
    if (measured.ok())
      traffic.figures = *measured;
    else
      traffic.why = measured.why();
    return traffic;
  }

  Measured figuresOf(const MemoryAccess &access, const KernelAccesses &kernel,
                     int64_t vector, const CoalescingOptions &asked) {
    if (kernel.bytesOnly) return Unmeasured{Obstacle::InsideNotFollowed};
    return figuresOf(access, kernel.buffers[access.buffer],
                     kernel.launches[access.launch], vector, asked);
  }
  Measured figuresOf(const MemoryAccess &access, const ArrayShape &buffer,
                     const LaunchSpace &space, int64_t vector,
                     const CoalescingOptions &asked) {
    if (space.order != ThreadOrder::Given && space.shape.hasUnknownSize())
      return Unmeasured{Obstacle::UnknownSize, space.shape};
    Launched &launched = launchOf(space, vector);
    INDEXICAL_RETURN_IF_ERROR(launched.launch.status());
    if (access.map.precision() != Precision::Exact)
      return Unmeasured{Obstacle::NotExact};
    return launched.launch->figures(access.map, buffer, asked);
  }

  /// Forgets what is kept to complete the answers for vectors.
  void forgetMaps(const KernelAccesses &kernel) {
    for (const LaunchSpace &space : kernel.launches)
      for (int64_t vector : {4, 2, 1})
        if (Launched *known = knownLaunch(space, vector))
          if (known->launch.ok()) known->launch->forgetMaps();
  }

  Finding find(const KernelAccesses &kernel, const Traffic &traffic,
               int64_t vector) {
    const MemoryAccess &access = traffic.access;
    // The waste alone is asked for.
    CoalescingOptions asked = optionsFor(access);
    asked.distinct = asked.keep = false;
    auto wastedIf = [&](const ArrayShape &buffer, const LaunchSpace &space) {
      const Measured measured = figuresOf(access, buffer, space, vector, asked);
      return measured.ok() ? measured->wastedBytes.most : INT64_MAX;
    };
    return patternOf(access, kernel.buffers[access.buffer],
                     kernel.launches[access.launch], *traffic.figures, device,
                     wastedIf);
  }

  /// Returns the options with the values of those runtime variables that the
  /// access has.
  CoalescingOptions optionsFor(const MemoryAccess &access) {
    CoalescingOptions own = options;
    own.laneBytes = access.laneBytes;
    own.isSome = access.isSome;
    own.byWarps = access.byWarps;
    own.runtime.clear();
    for (const auto &entry : options.runtime)
      for (const IndexingMap &piece : access.map.pieces())
        for (uint32_t i = 0; i < piece.visibleRuntimeCount(); ++i)
          if (piece.nameOf({VariableKind::Runtime, i}) == entry.first &&
              (own.runtime.empty() || own.runtime.back() != entry)) {
            own.runtime.push_back(entry);
            usedRuntime.insert(entry.first);
          }
    return own;
  }

  /// Few of a module's tiles are different.
  std::optional<int64_t> conflictsOf(const SharedTile &tile) {
    auto &bucket =
        conflicts[llvm::hash_combine(tile.written.hash(), tile.read.hash())];
    for (const auto &[known, answer] : bucket)
      if (storedBits(known.shape) == storedBits(tile.shape) &&
          known.written == tile.written && known.read == tile.read)
        return answer;
    bucket.push_back({tile, bankConflicts(tile)});
    return bucket.back().second;
  }

  std::map<size_t, std::vector<std::pair<SharedTile, std::optional<int64_t>>>>
      conflicts;
  std::set<std::string> usedRuntime;
  const Device device;
  const CoalescingOptions options;
  std::map<size_t, std::vector<std::unique_ptr<Launched>>> launches;
};

TrafficMeter::TrafficMeter(const Device &device, CoalescingOptions options)
    : state_(std::make_unique<State>(device, std::move(options))) {}
TrafficMeter::~TrafficMeter() = default;

const Device &TrafficMeter::device() const { return state_->device; }

std::optional<std::string> TrafficMeter::unusedRuntime() const {
  for (const auto &[name, value] : state_->options.runtime)
    if (!state_->usedRuntime.count(name)) return name;
  return std::nullopt;
}

KernelTraffic TrafficMeter::measure(const KernelAccesses &kernel) {
  if (!hasStack(kStackOfQuestion))
    return onDeepStack([&] { return measure(kernel); });
  const bool isGiven =
      llvm::any_of(kernel.launches, [](const LaunchSpace &launch) {
        return launch.order == ThreadOrder::Given || launch.vector > 0;
      });
  const int64_t vector =
      isGiven || kernel.bytesOnly ? 4 : state_->bestVector(kernel);
  KernelTraffic best;
  for (const bool isRead : {true, false})
    for (const MemoryAccess &access : isRead ? kernel.reads : kernel.writes)
      (isRead ? best.reads : best.writes)
          .push_back(state_->measure(kernel, access, isRead, vector));
  for (const LaunchSpace &space : kernel.launches) {
    auto &threads = state_->launchOf(space, vector).threads;
    best.threads.push_back(threads.ok() ? *threads : IndexingMap::knownEmpty());
  }
  for (auto *accesses : {&best.reads, &best.writes})
    for (Traffic &traffic : *accesses)
      if (traffic.figures)
        traffic.finding = state_->find(kernel, traffic, vector);
  state_->forgetMaps(kernel);
  best.trips = kernel.trips;
  for (const SharedTile &tile : kernel.shared)
    best.conflicts.push_back(state_->conflictsOf(tile));
  return best;
}

}  // namespace indexical
