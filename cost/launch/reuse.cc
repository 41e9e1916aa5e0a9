#include "indexical/cost/launch/reuse.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include "indexical/cost/memory/coalescing.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/ops/address.h"

namespace indexical {
namespace {

// docs/internals/time.md says where this comes from.
constexpr int64_t kMostBlocksOfACore = 32;

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

/// Returns the blocks along each dimension of the grid.
std::array<int64_t, 3> gridOf(const IndexingMap &threads) {
  std::array<int64_t, 3> grid = {1, 1, 1};
  for (size_t i = 3; i < 6 && i < threads.dimensions().size(); ++i)
    grid[i - 3] = threads.dimensions()[i].bounds.count();
  return grid;
}

/// A part of a launch: its first blocks, and one of so many parts of its
/// outermost loop.
struct Window {
  int64_t blocks = 1, parts = 1;
};

/// One access, and the sectors that windows of it touch, in pieces of one size.
class Footprint {
 public:
  Footprint(const KernelAccesses &kernel, const Traffic &traffic,
            const IndexingMap &threads, const Device &device,
            const CoalescingOptions &options)
      : kernel_(kernel),
        traffic_(traffic),
        threads_(threads),
        device_(device),
        options_(options),
        grid_(gridOf(threads)),
        loop_(outermostLoop(threads)) {
    take(*traffic.figures);
  }

  /// Returns the footprint of the same access, moved in pieces of `wide`.
  Footprint by(const Device &wide) const {
    // If whole lines are touched, no piece is touched in part.
    if (least_.fillLines(device_.line / device_.sector)) return *this;
    if (wide.sector == device_.sector) return *this;
    Footprint other(kernel_, traffic_, threads_, wide, options_);
    if (figures_.memoryPieces && wide.sector == kMemoryPiece) {
      const auto [all, distinct] = *figures_.memoryPieces;
      other.figures_.sectors = {all, all};
      other.figures_.distinctSectors = {distinct, distinct};
      other.least_ = other.figures_.least();
      return other;
    }
    const auto figures = other.figuresIn(threads_);
    if (!figures) return *this;
    other.take(*figures);
    return other;
  }

  const AccessFigures &figures() const { return figures_; }
  const LeastFigures &least() const { return least_; }
  const IndexingMap &threads() const { return threads_; }
  int64_t loop() const { return loop_; }
  double all() const { return bytes(least_.sectors); }
  double distinct() const { return distinctOf(figures_); }

  /// Returns the distinct sectors of a window, in bytes.
  double touchedIn(const Window &window) const {
    auto first = firstOf(threads_, alongX(window.blocks), stepsOf(window));
    const auto figures = first.ok() ? figuresIn(*first) : std::nullopt;
    return figures ? distinctOf(*figures) : all();
  }
  /// Returns the bytes that all windows of that size move, if the sectors of
  /// one are kept until the end of the next.
  double movedBy(const Window &window) const {
    const int64_t groups = ceilDiv(grid_[0], alongX(window.blocks));
    double moved = movedInLoop(window);
    if (stepsOf(window) < loop_)
      moved *= static_cast<double>(groups);
    else if (groups > 1)
      moved += growth(moved, {window.blocks * 2, 1}) *
               static_cast<double>(groups - 1);
    return std::clamp(moved, distinct(), all());
  }
  /// Returns the bytes that `blocks` windows of one block each move: no two
  /// blocks share sectors.
  double movedByBlocks(const Window &window, int64_t blocks) const {
    return std::clamp(movedInLoop(window) * static_cast<double>(blocks),
                      distinct(), all());
  }

 private:
  void take(const AccessFigures &figures) {
    figures_ = figures;
    least_ = figures.least();
  }
  /// Returns the bytes of the sectors that are certainly touched. None of them
  /// is taken to be touched again unless that is known.
  double distinctOf(const AccessFigures &figures) const {
    return bytes(
        std::min(figures.distinctSectors.most, figures.least().sectors));
  }
  double bytes(int64_t sectors) const {
    return static_cast<double>(sectors) * static_cast<double>(device_.sector);
  }
  /// Whether the access has a runtime variable of that name.
  bool has(llvm::StringRef name) const {
    return llvm::any_of(
        traffic_.access.map.pieces(), [&](const IndexingMap &piece) {
          for (uint32_t i = 0; i < piece.visibleRuntimeCount(); ++i)
            if (piece.nameOf({VariableKind::Runtime, i}) == name) return true;
          return false;
        });
  }
  int64_t alongX(int64_t blocks) const {
    const int64_t outer = std::max<int64_t>(1, grid_[1] * grid_[2]);
    return std::clamp<int64_t>(blocks / outer, 1, grid_[0]);
  }
  int64_t stepsOf(const Window &window) const {
    return std::max<int64_t>(1, ceilDiv(loop_, window.parts));
  }
  /// Returns the bytes that a window's blocks move in all parts of their loop.
  double movedInLoop(const Window &window) const {
    const double first = touchedIn(window);
    const int64_t parts = ceilDiv(loop_, stepsOf(window));
    if (parts <= 1) return first;
    const Window next = {window.blocks, std::max<int64_t>(1, window.parts / 2)};
    return first + growth(first, next) * static_cast<double>(parts - 1);
  }
  double growth(double first, const Window &next) const {
    return std::max(0.0, touchedIn(next) - first);
  }
  /// Returns the figures of the access in a part of the launch.
  std::optional<AccessFigures> figuresIn(const IndexingMap &threads) const {
    CoalescingOptions asked = options_;
    asked.laneBytes = traffic_.access.laneBytes;
    asked.isSome = traffic_.access.isSome;
    asked.byWarps = traffic_.access.byWarps;
    asked.keep = false;
    llvm::erase_if(asked.runtime,
                   [&](const auto &value) { return !has(value.first); });
    const Measured measured =
        coalescing(traffic_.access.map, kernel_.buffers[traffic_.access.buffer],
                   threads, device_, asked);
    if (!measured.ok()) return std::nullopt;
    return *measured;
  }

  const KernelAccesses &kernel_;
  const Traffic &traffic_;
  const IndexingMap &threads_;
  const Device &device_;
  const CoalescingOptions &options_;
  const std::array<int64_t, 3> grid_;
  const int64_t loop_;
  AccessFigures figures_;
  LeastFigures least_;
};

/// Returns the largest window of these blocks whose sectors fit, all accesses
/// together; nothing if the smallest touches more.
std::optional<Window> windowThatFits(llvm::ArrayRef<Footprint> accesses,
                                     int64_t blocks, double capacity) {
  int64_t loop = 1;
  for (const Footprint &access : accesses) loop = std::max(loop, access.loop());
  for (Window window{blocks, 1};;) {
    double touched = 0;
    for (const Footprint &access : accesses)
      touched += access.touchedIn(window);
    if (touched <= capacity) return window;
    if (window.parts >= loop) return std::nullopt;
    // Powers of two end where sectors do.
    const auto times = static_cast<uint64_t>(
        std::min(touched / std::max(1.0, capacity), double{1 << 30}));
    window.parts = std::min<int64_t>(
        window.parts *
            static_cast<int64_t>(llvm::bit_ceil(std::max<uint64_t>(2, times))),
        llvm::bit_ceil(static_cast<uint64_t>(loop)));
  }
}

bool touchesAgain(llvm::ArrayRef<Footprint> accesses) {
  return llvm::any_of(accesses, [](const Footprint &access) {
    return access.all() > access.distinct();
  });
}

/// Bytes between memory and the shared cache, of each access.
std::vector<double> memoryBytes(llvm::ArrayRef<Footprint> accesses,
                                int64_t atOnce, const Device &device) {
  Device wide = device;
  wide.sector = std::max(device.sector, kMemoryPiece);
  std::vector<Footprint> inPieces;
  double touched = 0;
  for (const Footprint &of : accesses) {
    inPieces.push_back(of.by(wide));
    touched += inPieces.back().distinct();
  }
  const auto capacity = static_cast<double>(device.cacheBytes);
  const bool keepsAll = touched <= capacity || !touchesAgain(inPieces);
  std::optional<Window> wave;
  if (!keepsAll) wave = windowThatFits(inPieces, atOnce, capacity);
  std::vector<double> bytes;
  for (const Footprint &of : inPieces)
    bytes.push_back(keepsAll ? of.distinct()
                    : wave   ? of.movedBy(*wave)
                             : of.all());
  return bytes;
}

/// Bytes between the shared cache and the cores. Writes go through: the caches
/// of cores keep only reads.
std::vector<double> cacheBytes(llvm::ArrayRef<Footprint> reads, int64_t atOnce,
                               int64_t blocks, const Device &device) {
  const int64_t together = std::min(atOnce, std::max(device.cores, blocks));
  std::optional<Window> block;
  if (touchesAgain(reads))
    block = windowThatFits(
        reads, 1,
        static_cast<double>(device.coreCacheBytes * device.cores) /
            static_cast<double>(together));
  std::vector<double> bytes;
  for (const Footprint &of : reads)
    bytes.push_back(
        block ? of.movedByBlocks(*block, extentOf(of.threads()).blocks)
              : of.all());
  return bytes;
}

/// Warps that the registers of a core allow: each of its four parts has 16384,
/// and a warp takes 256 at a time. (CUDA's occupancy calculator, for all since
/// compute capability 5.0.)
int64_t warpsByRegisters(int64_t ofThread, int64_t warp) {
  constexpr int64_t kParts = 4, kOfAPart = 16384, kAtATime = 256;
  return kParts * (kOfAPart /
                   (ceilDiv(std::min<int64_t>(ofThread, 512) * warp, kAtATime) *
                    kAtATime));
}

/// Since compute capability 8.0 the core's cache keeps 28 kB for itself, and a
/// block takes 1 kB beside its own. (The same guide, Shared Memory.)
int64_t blocksByShared(int64_t ofBlock, const Device &device) {
  if (device.vendor != Vendor::Nvidia) return device.sharedBytes / ofBlock;
  constexpr int64_t kKept = 28 << 10, kOfABlock = 1 << 10;
  return (device.coreCacheBytes - kKept) /
         (std::min(ofBlock, device.coreCacheBytes) + kOfABlock);
}

}  // namespace

int64_t blocksAtOnce(int64_t threads, const Device &device,
                     const Residency &taken) {
  threads = std::max<int64_t>(threads, device.warp);
  int64_t ofACore = device.coreThreads / threads;
  if (taken.occupancy > 0) {
    // The percentage is rounded.
    const double resident =
        static_cast<double>(device.coreThreads) *
        static_cast<double>(std::min<int64_t>(taken.occupancy, 100)) / 100;
    const auto blocks = static_cast<int64_t>(
        std::llround(resident / static_cast<double>(threads)));
    ofACore = std::min(ofACore, blocks);
  } else {
    if (taken.registers > 0 && device.vendor == Vendor::Nvidia)
      ofACore =
          std::min(ofACore, warpsByRegisters(taken.registers, device.warp) /
                                ceilDiv(threads, device.warp));
    if (taken.sharedBytes > 0)
      ofACore = std::min(ofACore, blocksByShared(taken.sharedBytes, device));
  }
  return device.cores * std::clamp<int64_t>(ofACore, 1, kMostBlocksOfACore);
}

LaunchExtent extentOf(const IndexingMap &threads) {
  LaunchExtent extent;
  for (int64_t n : gridOf(threads))
    extent.blocks = checkedMul(extent.blocks, n).value_or(INT64_MAX);
  for (size_t i = 0; i < 3 && i < threads.dimensions().size(); ++i)
    extent.threads *= threads.dimensions()[i].bounds.count();
  return extent;
}

namespace {

std::vector<AccessBytes> countBytes(const KernelAccesses &kernel,
                                    const KernelTraffic &traffic,
                                    const Device &device,
                                    const CoalescingOptions &options) {
  std::vector<AccessBytes> all;
  std::vector<Footprint> measured;
  std::vector<size_t> places;
  size_t reads = 0;  // of those that are measured
  LaunchExtent extent;
  for (const auto *accesses : {&traffic.reads, &traffic.writes}) {
    for (const Traffic &of : *accesses) {
      AccessBytes bytes;
      bytes.buffer = of.access.buffer;
      if (!of.figures || of.access.launch >= traffic.threads.size()) {
        bytes.cores = bytes.cache = bytes.memory =
            static_cast<double>(of.bytes);
        bytes.lines = bytes.cacheLines =
            bytes.cores / static_cast<double>(device.line);
      } else {
        const IndexingMap &threads = traffic.threads[of.access.launch];
        const LaunchExtent own = extentOf(threads);
        if (own.blocks > extent.blocks) extent = own;
        measured.emplace_back(kernel, of, threads, device, options);
        places.push_back(all.size());
      }
      all.push_back(bytes);
    }
    if (accesses == &traffic.reads) reads = measured.size();
  }
  const llvm::ArrayRef<Footprint> footprints = measured;
  const int64_t atOnce = blocksAtOnce(extent.threads, device);
  const auto memory = memoryBytes(footprints, atOnce, device);
  const auto cache =
      cacheBytes(footprints.take_front(reads), atOnce, extent.blocks, device);
  for (auto [i, of] : llvm::enumerate(footprints)) {
    AccessBytes &bytes = all[places[i]];
    // Reads that a loop repeats for nothing are made once.
    const double made =
        i < reads ? 1 / static_cast<double>(of.figures().repeats) : 1;
    bytes.cores = of.all() * made;
    bytes.cache = i < reads ? std::min(cache[i], bytes.cores) : of.all();
    bytes.memory = memory[i];
    bytes.lines = static_cast<double>(of.least().lines) * made;
    bytes.cacheLines =
        bytes.cores > 0 ? bytes.lines * bytes.cache / bytes.cores : 0;
  }
  return all;
}

/// The input on which an answer depends.
struct Question {
  std::vector<IndexingMap> threads;
  std::vector<ArrayShape> buffers;
  std::vector<MemoryAccess> accesses;
  std::vector<bool> areMeasured;  ///< else all bytes of the array are moved
  size_t reads = 0;

  Question(const KernelAccesses &kernel, const KernelTraffic &traffic)
      : threads(traffic.threads),
        buffers(kernel.buffers),
        reads(traffic.reads.size()) {
    for (const auto *of : {&traffic.reads, &traffic.writes})
      for (const Traffic &access : *of) {
        accesses.push_back(access.access);
        areMeasured.push_back(access.figures.has_value());
      }
  }
  bool operator==(const Question &o) const {
    auto sameBuffer = [](const ArrayShape &a, const ArrayShape &b) {
      return storedBits(a) == storedBits(b) && a.dimensions == b.dimensions &&
             a.layout == b.layout;
    };
    auto sameAccess = [](const MemoryAccess &a, const MemoryAccess &b) {
      return a.launch == b.launch && a.buffer == b.buffer &&
             a.laneBytes == b.laneBytes && a.isSome == b.isSome &&
             a.byWarps == b.byWarps && a.map == b.map;
    };
    return reads == o.reads && areMeasured == o.areMeasured &&
           threads == o.threads &&
           llvm::equal(buffers, o.buffers, sameBuffer) &&
           llvm::equal(accesses, o.accesses, sameAccess);
  }
  size_t hash() const {
    llvm::hash_code hash = llvm::hash_value(reads);
    for (const IndexingMap &map : threads)
      hash = llvm::hash_combine(hash, map.hash());
    for (const MemoryAccess &access : accesses)
      for (const IndexingMap &piece : access.map.pieces())
        hash = llvm::hash_combine(hash, access.buffer, piece.hash());
    return hash;
  }
};

}  // namespace

struct ReuseMeter::State {
  const Device device;
  const CoalescingOptions options;
  std::map<size_t, std::vector<std::pair<Question, std::vector<AccessBytes>>>>
      answers;
};

ReuseMeter::ReuseMeter(const Device &device, CoalescingOptions options)
    : state_(new State{device, std::move(options), {}}) {}
ReuseMeter::ReuseMeter(ReuseMeter &&) = default;
ReuseMeter::~ReuseMeter() = default;

const Device &ReuseMeter::device() const { return state_->device; }

std::vector<AccessBytes> ReuseMeter::bytesMoved(const KernelAccesses &kernel,
                                                const KernelTraffic &traffic) {
  Question question(kernel, traffic);
  auto &bucket = state_->answers[question.hash()];
  for (const auto &[known, answer] : bucket)
    if (known == question) return answer;
  bucket.emplace_back(
      std::move(question),
      countBytes(kernel, traffic, state_->device, state_->options));
  return bucket.back().second;
}

}  // namespace indexical
