#include "indexical/analysis/memory/traffic.h"

#include <algorithm>
#include <map>
#include <set>

#include "llvm/ADT/STLExtras.h"

#include "indexical/analysis/memory/patterns.h"
#include "indexical/analysis/memory/thread_map.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/ops/address.h"

namespace indexical {
namespace {

int64_t saturatedMul(int64_t a, int64_t b) {
  return checkedMul(a, b).value_or(INT64_MAX);
}
int64_t saturatedAdd(int64_t a, int64_t b) {
  return checkedAdd(a, b).value_or(INT64_MAX);
}

absl::StatusOr<IndexingMap> usualThreads(const KernelSpace &space,
                                         int64_t vector) {
  if (space.order == ThreadOrder::Rows)
    return rowThreads(space.shape, space.rowDimensions);
  LinearThreads options;
  options.vector = vector;
  return linearThreads(space.shape, options);
}

}  // namespace

int64_t KernelTraffic::wasted() const {
  int64_t sum = 0;
  for (const Traffic &read : reads)
    if (read.figures) sum = saturatedAdd(sum, read.figures->wastedBytes.most);
  return saturatedMul(sum, kernel.trips);
}

int64_t KernelTraffic::moved(const Device &device) const {
  int64_t sum = 0;
  for (const Traffic &read : reads)
    sum = saturatedAdd(
        sum, read.figures
                 ? saturatedMul(read.figures->sectors.most, device.sector)
                 : read.bytes);
  return saturatedMul(sum, kernel.trips);
}

struct TrafficMeter::State {
  State(const Device &device, CoalescingOptions options,
        std::optional<IndexingMap> threads)
      : device(device),
        options(std::move(options)),
        given(std::move(threads)) {}

  struct Launched {
    KernelSpace space;
    int64_t vector;
    absl::StatusOr<IndexingMap> threads;
    absl::StatusOr<Coalescing> launch;
  };

  Launched &launchOf(const KernelSpace &space, int64_t vector) {
    // Few of a module's spaces are different.
    auto &bucket = launches[llvm::hash_combine(
        llvm::hash_combine_range(space.shape.dimensions.begin(),
                                 space.shape.dimensions.end()),
        static_cast<int>(space.order), space.rowDimensions)];
    for (auto &known : bucket)
      if (known->space == space && known->vector == vector) return *known;
    auto threads = given ? absl::StatusOr<IndexingMap>(*given)
                         : usualThreads(space, vector);
    auto launch = threads.ok() ? Coalescing::of(*threads, device)
                               : absl::StatusOr<Coalescing>(threads.status());
    bucket.push_back(std::make_unique<Launched>(
        Launched{space, vector, std::move(threads), std::move(launch)}));
    return *bucket.back();
  }

  Traffic measure(const Kernel &kernel, const KernelAccess &access,
                  int64_t vector) {
    Traffic traffic;
    const auto stored = storedElements(access.shape);
    const auto bits =
        stored ? checkedMul(*stored, storedBits(access.shape)) : std::nullopt;
    traffic.bytes = bits ? ceilDiv(*bits, 8) : 0;
    traffic.access = access;
    if (kernel.bytesOnly) {
      traffic.reason = "not followed inside";
      return traffic;
    }
    auto figures = figuresOf(access.map, access.shape,
                             kernel.spaces[access.space], vector);
    if (!figures.ok())
      traffic.reason = std::string(figures.status().message());
    else
      traffic.figures = *std::move(figures);
    return traffic;
  }

  absl::StatusOr<AccessFigures> figuresOf(const IndexingRelation &map,
                                          const ArrayShape &shape,
                                          const KernelSpace &space,
                                          int64_t vector) {
    Launched &launched = launchOf(space, vector);
    if (!launched.launch.ok()) return launched.launch.status();
    if (map.precision() != Precision::Exact)
      return absl::UnimplementedError("what is read is not known exactly");
    return launched.launch->figures(map, shape, optionsFor(map));
  }

  void name(const Kernel &kernel, Traffic &traffic, int64_t vector) {
    if (!traffic.figures) return;
    const KernelAccess &access = traffic.access;
    auto wastedIf = [&](const ArrayShape &shape, const KernelSpace &space) {
      auto figures = figuresOf(access.map, shape, space, vector);
      return figures.ok() ? figures->wastedBytes.most : INT64_MAX;
    };
    Pattern pattern = patternOf(access, kernel.spaces[access.space],
                                *traffic.figures, device, wastedIf);
    traffic.pattern = std::move(pattern.name);
    traffic.remedy = std::move(pattern.remedy);
  }

  /// The values of those runtime variables that the read has.
  CoalescingOptions optionsFor(const IndexingRelation &read) {
    CoalescingOptions own = options;
    own.runtime.clear();
    for (const auto &entry : options.runtime)
      for (const IndexingMap &piece : read.pieces())
        for (uint32_t i = 0; i < piece.visibleRuntimeCount(); ++i)
          if (piece.nameOf({VariableKind::Runtime, i}) == entry.first &&
              (own.runtime.empty() || own.runtime.back() != entry)) {
            own.runtime.push_back(entry);
            usedRuntime.insert(entry.first);
          }
    return own;
  }

  std::set<std::string> usedRuntime;
  const Device device;
  const CoalescingOptions options;
  const std::optional<IndexingMap> given;
  std::map<size_t, std::vector<std::unique_ptr<Launched>>> launches;
};

TrafficMeter::TrafficMeter(const Device &device, CoalescingOptions options,
                           std::optional<IndexingMap> threads)
    : state_(std::make_unique<State>(device, std::move(options),
                                     std::move(threads))) {}
TrafficMeter::~TrafficMeter() = default;

const Device &TrafficMeter::device() const { return state_->device; }

std::optional<std::string> TrafficMeter::unusedRuntime() const {
  for (const auto &[name, value] : state_->options.runtime)
    if (!state_->usedRuntime.count(name)) return name;
  return std::nullopt;
}

KernelTraffic TrafficMeter::measure(Kernel kernel) {
  KernelTraffic best;
  int64_t fewest = INT64_MAX, chosen = 4;
  for (int64_t vector : {4, 2, 1}) {
    KernelTraffic now;
    int64_t sectors = 0;
    bool wastes = false;
    for (const bool isRead : {true, false})
      for (const KernelAccess &access : isRead ? kernel.reads : kernel.writes) {
        Traffic traffic = state_->measure(kernel, access, vector);
        if (traffic.figures) {
          sectors = saturatedAdd(sectors, traffic.figures->sectors.most);
          wastes |= traffic.figures->wastedBytes.most > 0;
        }
        (isRead ? now.reads : now.writes).push_back(std::move(traffic));
      }
    if (vector == 4 || sectors < fewest) {
      fewest = sectors;
      for (const KernelSpace &space : kernel.spaces) {
        auto &threads = state_->launchOf(space, vector).threads;
        now.threads.push_back(threads.ok() ? *threads
                                           : IndexingMap::knownEmpty());
      }
      best = std::move(now);
      chosen = vector;
    }
    // Other vectors would move as much, or the threads are given.
    if (!wastes || state_->given) break;
  }
  for (auto *accesses : {&best.reads, &best.writes})
    for (Traffic &traffic : *accesses) state_->name(kernel, traffic, chosen);
  kernel.reads.clear();
  kernel.writes.clear();
  best.kernel = std::move(kernel);
  return best;
}

}  // namespace indexical
