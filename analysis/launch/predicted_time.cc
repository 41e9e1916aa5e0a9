#include "indexical/analysis/launch/predicted_time.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include "indexical/analysis/memory/coalescing.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/program/callees.h"

namespace indexical {
namespace {

// docs/time.md says where these come from.
constexpr double kLaunchMicroseconds = 2.0;
constexpr double kWaveMicroseconds = 0.7;
constexpr int64_t kMostBlocksOfACore = 32;
/// Bytes a clock, between the cache and all cores: so many for each core; and
/// what one core takes at most.
constexpr int64_t kCacheBytesAClock = 32, kCoreBytesAClock = 64;

double bytesASecond(int64_t bytesAClock, const Device &device) {
  // AMD's cores have paths of twice the width.
  const double wide = device.vendor == Vendor::Amd ? 2 : 1;
  return wide * static_cast<double>(bytesAClock * device.megahertz) * 1e6;
}

double rateOf(const ProductRates &rates, int64_t bits) {
  const int64_t giga = bits > 32   ? rates.bits64
                       : bits > 16 ? rates.bits32
                       : bits > 8  ? rates.bits16
                                   : rates.bits8;
  return static_cast<double>(giga) * 1e9;
}

}  // namespace

llvm::StringRef nameOf(TimeLimit limit) {
  switch (limit) {
    case TimeLimit::Memory:
      return "memory";
    case TimeLimit::Cache:
      return "cache";
    case TimeLimit::Cores:
      return "cores";
    case TimeLimit::Waves:
      return "waves";
    case TimeLimit::Operations:
      return "operations";
  }
  return "";
}

double PredictedTime::total() const {
  return launch + std::max({memory, cache, cores, waves, operations});
}

int64_t blocksAtOnce(int64_t threads, const Device &device) {
  const int64_t ofACore =
      device.coreThreads / std::max<int64_t>(threads, device.warp);
  return device.cores * std::clamp<int64_t>(ofACore, 1, kMostBlocksOfACore);
}

PredictedTime predictedTime(const Demand &demand, const Device &device) {
  PredictedTime time;
  time.launch = kLaunchMicroseconds;
  time.memory =
      demand.memoryBytes / (static_cast<double>(device.gigabytes) * 1e9) * 1e6;
  const double ofACore = bytesASecond(kCoreBytesAClock, device);
  const double ofAll = bytesASecond(kCacheBytesAClock, device) *
                       static_cast<double>(device.cores);
  time.cache = demand.cacheBytes / ofAll * 1e6;
  if (demand.blocks > 0) {
    // Shares of the busiest core: whole blocks.
    const double busiest =
        static_cast<double>(ceilDiv(demand.blocks, device.cores)) /
        static_cast<double>(demand.blocks);
    time.cores = demand.cacheBytes * busiest / ofACore * 1e6;
    time.waves = kWaveMicroseconds *
                 static_cast<double>(ceilDiv(
                     demand.blocks, blocksAtOnce(demand.threads, device)));
  }
  if (demand.operations.count > 0)
    time.operations = demand.operations.count /
                      rateOf(device.products, demand.operations.bits) * 1e6;
  const std::pair<double, TimeLimit> parts[] = {
      {time.memory, TimeLimit::Memory},
      {time.cache, TimeLimit::Cache},
      {time.cores, TimeLimit::Cores},
      {time.waves, TimeLimit::Waves},
      {time.operations, TimeLimit::Operations}};
  time.limit = llvm::max_element(parts, llvm::less_first())->second;
  return time;
}

//===-- What a kernel asks ------------------------------------------------===//

namespace {

struct Extent {
  std::array<int64_t, 3> blocks = {1, 1, 1};
  int64_t threads = 1;
  int64_t count() const {
    int64_t product = 1;
    for (int64_t n : blocks)
      product = checkedMul(product, n).value_or(INT64_MAX);
    return product;
  }
};

Extent extentOf(const IndexingMap &threads) {
  Extent extent;
  for (size_t i = 0; i < 6 && i < threads.dimensions().size(); ++i) {
    const int64_t count = threads.dimensions()[i].bounds.count();
    if (i < 3)
      extent.threads *= count;
    else
      extent.blocks[i - 3] = count;
  }
  return extent;
}

/// The first blocks along x, and the first values of the outermost loop.
absl::StatusOr<IndexingMap> firstOf(const IndexingMap &threads, int64_t blocks,
                                    int64_t steps) {
  IndexingMapBuilder b;
  llvm::SmallVector<FormId, 10> dimensions, ranges;
  for (auto [i, v] : llvm::enumerate(threads.dimensions())) {
    Interval bounds = v.bounds;
    if (i == 3) bounds.upper = std::min(bounds.upper, blocks - 1);
    dimensions.push_back(b.dimension(bounds, v.name).form());
  }
  bool isOutermost = true;
  for (const Variable &v : threads.ranges()) {
    Interval bounds = v.bounds;
    if (isOutermost && bounds.count() > 1) {
      bounds.upper = std::min(bounds.upper, bounds.lower + steps - 1);
      isOutermost = false;
    }
    ranges.push_back(b.range(bounds, v.name).form());
  }
  auto replace = [&](VariableId id) {
    return id.kind == VariableKind::Dimension ? dimensions[id.index]
                                              : ranges[id.index];
  };
  ExpressionImport import(threads.expressions(), b.pool(), replace);
  for (FormId form : threads.results()) b.result(b.expression(import(form)));
  for (const Constraint &constraint : threads.constraints())
    b.constraint(b.expression(import(constraint.form)), constraint.bounds);
  return b.build();
}

int64_t outermostLoop(const IndexingMap &threads) {
  for (const Variable &v : threads.ranges())
    if (v.bounds.count() > 1) return v.bounds.count();
  return 1;
}

/// The bytes that one access moves between memory and the cache.
class Kept {
 public:
  Kept(const KernelAccesses &kernel, const Traffic &traffic,
       const IndexingMap &threads, const Device &device,
       const CoalescingOptions &options)
      : kernel_(kernel),
        traffic_(traffic),
        threads_(threads),
        device_(device),
        options_(options),
        distinct_(bytes(traffic.figures->distinctSectors.most)),
        all_(bytes(traffic.figures->sectors.most)) {}

  double distinct() const { return distinct_; }
  double all() const { return all_; }

  /// `share`: the bytes of the cache that are there for it.
  double moved(double share) const {
    if (all_ <= distinct_ || distinct_ <= share) return distinct_;
    const Extent extent = extentOf(threads_);
    const int64_t outer =
        std::max<int64_t>(1, extent.blocks[1] * extent.blocks[2]);
    const int64_t atOnce =
        std::max<int64_t>(1, blocksAtOnce(extent.threads, device_) / outer);
    const int64_t waves = ceilDiv(extent.blocks[0], atOnce);
    const int64_t loop = outermostLoop(threads_);
    const double wave = touchedIn(atOnce, loop);
    if (wave <= share) return between(wave * static_cast<double>(waves));
    // Powers of two end where sectors do.
    auto steps = static_cast<int64_t>(llvm::bit_floor<uint64_t>(
        std::max(1.0, static_cast<double>(loop) * share / wave)));
    for (; steps > 0; steps /= 2)
      if (const double window = touchedIn(atOnce, steps); window <= share)
        return between(window * static_cast<double>(waves) *
                       static_cast<double>(ceilDiv(loop, steps)));
    return all_;
  }

 private:
  double bytes(int64_t sectors) const {
    return static_cast<double>(sectors) * static_cast<double>(device_.sector);
  }
  double between(double bytes) const {
    return std::clamp(bytes, distinct_, all_);
  }
  /// The distinct sectors of that window, in bytes.
  double touchedIn(int64_t blocks, int64_t steps) const {
    auto first = firstOf(threads_, blocks, steps);
    if (!first.ok()) return all_;
    CoalescingOptions asked = options_;
    asked.laneBytes = traffic_.access.laneBytes;
    asked.runtime.clear();
    asked.keep = false;
    const Measured measured =
        coalescing(traffic_.access.map, kernel_.buffers[traffic_.access.buffer],
                   *first, device_, asked);
    return measured.ok() ? bytes(measured->distinctSectors.most) : all_;
  }

  const KernelAccesses &kernel_;
  const Traffic &traffic_;
  const IndexingMap &threads_;
  const Device &device_;
  const CoalescingOptions &options_;
  const double distinct_, all_;
};

/// Whether nothing is known of what runs it, not even that its bytes move once.
bool isUnknown(const Kernel &kernel, const Instruction &instruction) {
  if (kernel.model == LaunchModel::Xla && kernel.emitter == Emitter::Unknown)
    return true;
  // Between devices other wires count.
  const Op &op = innermost(instruction.op);
  return op.is<AllGatherOp>() || op.is<AllReduceOp>() || op.is<AllToAllOp>() ||
         op.is<CollectiveBroadcastOp>() || op.is<CollectivePermuteOp>() ||
         op.is<RaggedAllToAllOp>() || op.is<ReduceScatterOp>() ||
         &op.kind() == kindOf<CoverOp>("collective-reduce");
}

}  // namespace

Demand demandOf(const KernelAccesses &kernel, const KernelTraffic &traffic,
                const Device &device, const CoalescingOptions &options) {
  Demand demand;
  std::vector<Kept> figures;
  std::vector<double> ofBuffer(kernel.buffers.size()),
      most(kernel.buffers.size());
  std::vector<size_t> buffers;
  double touched = 0;
  for (const auto *accesses : {&traffic.reads, &traffic.writes})
    for (const Traffic &of : *accesses) {
      const size_t buffer = of.access.buffer;
      if (!of.figures || of.access.launch >= traffic.threads.size()) {
        const auto bytes = static_cast<double>(of.bytes);
        demand.cacheBytes += bytes;
        ofBuffer[buffer] += bytes;
        most[buffer] = std::max(most[buffer], bytes);
        touched += bytes;
        continue;
      }
      const IndexingMap &threads = traffic.threads[of.access.launch];
      if (const Extent extent = extentOf(threads);
          extent.count() > demand.blocks) {
        demand.blocks = extent.count();
        demand.threads = extent.threads;
      }
      figures.emplace_back(kernel, of, threads, device, options);
      buffers.push_back(buffer);
      demand.cacheBytes += figures.back().all();
      touched += figures.back().distinct();
    }
  for (auto [kept, buffer] : llvm::zip(figures, buffers)) {
    const double share = touched <= 0 ? 0
                                      : static_cast<double>(device.cacheBytes) *
                                            kept.distinct() / touched;
    const double moved = kept.moved(share);
    ofBuffer[buffer] += moved;
    most[buffer] = std::max(most[buffer], moved);
  }
  // Accesses to one array meet in the cache.
  for (size_t b = 0; b < ofBuffer.size(); ++b) {
    const double whole =
        std::max(most[b], static_cast<double>(bytesOf(kernel.buffers[b])));
    demand.memoryBytes += std::min(ofBuffer[b], whole);
  }
  return demand;
}

std::optional<Demand> demandOf(const Module &module, const Kernel &kernel,
                               const KernelTraffic &traffic,
                               const Device &device,
                               const CoalescingOptions &options) {
  const Instruction &instruction =
      module.computations[kernel.computation].instructions[kernel.instruction];
  if (isUnknown(kernel, instruction)) return std::nullopt;
  Demand demand = demandOf(kernel, traffic, device, options);
  demand.operations = operationsOf(module, instruction);
  if (kernel.grid) {
    demand.blocks = demand.threads = 1;
    for (int64_t n : kernel.grid->blocks) demand.blocks *= n;
    for (int64_t n : kernel.grid->threads) demand.threads *= n;
  }
  return demand;
}

}  // namespace indexical
