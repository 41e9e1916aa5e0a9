#include "indexical/analysis/memory/traffic.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/analysis/memory/bank_conflicts.h"
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
  };

  Launched &launchOf(const LaunchSpace &space, int64_t vector) {
    // Few of a module's spaces are different.
    auto &bucket = launches[llvm::hash_combine(
        llvm::hash_combine_range(space.shape.dimensions.begin(),
                                 space.shape.dimensions.end()),
        static_cast<int>(space.order), space.rowDimensions)];
    for (auto &known : bucket)
      if (known->space == space && known->vector == vector) return *known;
    auto threads = threadsOf(space, vector);
    // Threads of a space that are not given are made so that all of it has
    // some (thread_map.h).
    const bool isMade = space.order != ThreadOrder::Given;
    auto launch = threads.ok()
                      ? Coalescing::of(*threads, device,
                                       isMade ? space.shape.dimensions
                                              : llvm::ArrayRef<int64_t>())
                      : absl::StatusOr<Coalescing>(threads.status());
    bucket.push_back(std::make_unique<Launched>(
        Launched{space, vector, std::move(threads), std::move(launch)}));
    return *bucket.back();
  }

  Traffic measure(const KernelAccesses &kernel, const MemoryAccess &access,
                  bool isRead, int64_t vector) {
    const ArrayShape &buffer = kernel.buffers[access.buffer];
    Traffic traffic;
    traffic.bytes = bytesOf(buffer);
    traffic.access = access;
    traffic.access.byWarps |= !isRead;
    const Measured measured =
        kernel.bytesOnly ? Measured(Unmeasured{Obstacle::InsideNotFollowed})
                         : figuresOf(traffic.access, buffer,
                                     kernel.launches[access.launch], vector);
    if (measured.ok())
      traffic.figures = *measured;
    else
      traffic.why = measured.why();
    return traffic;
  }

  Measured figuresOf(const MemoryAccess &access, const ArrayShape &buffer,
                     const LaunchSpace &space, int64_t vector) {
    return figuresOf(access, buffer, space, vector, optionsFor(access));
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
  KernelTraffic best;
  int64_t fewest = INT64_MAX, chosen = 4;
  for (int64_t vector : {4, 2, 1}) {
    KernelTraffic now;
    int64_t sectors = 0;
    bool wastes = false;
    for (const bool isRead : {true, false})
      for (const MemoryAccess &access : isRead ? kernel.reads : kernel.writes) {
        Traffic traffic = state_->measure(kernel, access, isRead, vector);
        if (traffic.figures) {
          sectors = saturatedAdd(sectors, traffic.figures->sectors.most);
          wastes |= traffic.figures->wastedBytes.most > 0;
        }
        (isRead ? now.reads : now.writes).push_back(std::move(traffic));
      }
    if (vector == 4 || sectors < fewest) {
      fewest = sectors;
      for (const LaunchSpace &space : kernel.launches) {
        auto &threads = state_->launchOf(space, vector).threads;
        now.threads.push_back(threads.ok() ? *threads
                                           : IndexingMap::knownEmpty());
      }
      best = std::move(now);
      chosen = vector;
    }
    // Other vectors would move as much, or the threads are given.
    if (!wastes || isGiven) break;
  }
  for (auto *accesses : {&best.reads, &best.writes})
    for (Traffic &traffic : *accesses)
      if (traffic.figures)
        traffic.finding = state_->find(kernel, traffic, chosen);
  best.trips = kernel.trips;
  for (const SharedTile &tile : kernel.shared)
    best.conflicts.push_back(state_->conflictsOf(tile));
  return best;
}

}  // namespace indexical
