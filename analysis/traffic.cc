#include "analysis/traffic.h"

#include <algorithm>
#include <map>
#include <set>

#include "llvm/ADT/STLExtras.h"

#include "analysis/address.h"
#include "analysis/thread_map.h"
#include "indexing/arithmetic.h"

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

/// Whether the read is shifted by range values, as windows are: overlapping.
bool isWindow(const IndexingRelation &read) {
  for (const IndexingMap &piece : read.pieces())
    for (FormId form : piece.results()) {
      bool dimension = false, range = false;
      for (const Term &term : piece.expressions().terms(form)) {
        const Atom &atom = piece.expressions().atom(term.atom);
        if (atom.kind != AtomKind::Variable) continue;
        dimension |= atom.variable().kind == VariableKind::Dimension;
        range |= atom.variable().kind == VariableKind::Range;
      }
      if (dimension && range) return true;
    }
  return false;
}

/// The dimension of the operand along which elements so far apart lie, by whole
/// steps, and the step of that dimension.
struct Along {
  int64_t dimension = 0, step = 1;
};
std::optional<Along> alongOf(const ArrayShape &shape, int64_t elements) {
  std::optional<Along> along;
  int64_t step = 1;
  for (int64_t k : shape.minorToMajor()) {
    if (shape.dimensions[k] > 1 && elements % step == 0 &&
        elements / step < shape.dimensions[k])
      along = Along{k, step};
    step *= shape.dimensions[k];
  }
  return along;
}

std::string layoutText(llvm::ArrayRef<int64_t> minorToMajor) {
  std::string text = "{";
  for (int64_t k : minorToMajor)
    text += (text.size() > 1 ? "," : "") + std::to_string(k);
  return text + "}";
}

std::string bytesText(int64_t bits) {
  return bits % 8 == 0 ? std::to_string(bits / 8) + " B"
                       : std::to_string(bits) + " bits";
}

/// The name of what lanes do, and what would mend it.
void name(Traffic &traffic) {
  const AccessFigures &figures = *traffic.figures;
  const ArrayShape &shape = traffic.access.shape;
  const int64_t bits = storedBits(shape);
  const bool wastes = figures.wastedBytes.most > 0;
  if (figures.accesses.most == 0) {
    traffic.pattern = "never";
    return;
  }
  if (figures.gathered) {
    traffic.pattern = "gathered";
    if (wastes) traffic.remedy = "sorted indices, or longer slices";
    return;
  }
  const auto stride = figures.laneStride;
  if (shape.elementCount() == 1) {
    traffic.pattern = "scalar";
    return;
  }
  if (!stride) {
    traffic.pattern = "few lanes";
    if (wastes) traffic.remedy = "more lanes along the most minor dimension";
    return;
  }
  if (*stride == 0) {
    traffic.pattern = "broadcast";
    return;
  }
  const int64_t step = std::abs(*stride);
  const bool window = isWindow(traffic.access.map);
  if (step <= bits * figures.vector) {
    traffic.pattern = window ? "halo" : "contiguous";
    if (step < bits * figures.vector) traffic.pattern = "overlapping";
    if (*stride < 0) traffic.pattern += ", reversed";
    if (wastes) {
      traffic.pattern += ", unaligned";
      traffic.remedy = "rows padded to whole sectors";
    }
    return;
  }
  const bool isTiled = shape.layout && !shape.layout->tiles.empty();
  const auto along =
      step % bits == 0 && !isTiled ? alongOf(shape, step / bits) : std::nullopt;
  const auto order = shape.minorToMajor();
  if (along && along->step > 1) {
    traffic.pattern = "transposed, stride " + bytesText(along->step * bits);
    llvm::SmallVector<int64_t, 6> better = {along->dimension};
    for (int64_t k : order)
      if (k != along->dimension) better.push_back(k);
    if (wastes)
      traffic.remedy =
          "a tile through shared memory, or layout " + layoutText(better);
  } else {
    traffic.pattern = "stride " + bytesText(step);
    if (wastes && !isTiled)
      traffic.remedy = figures.vectorLoop > figures.vector &&
                               step == figures.vectorLoop * bits
                           ? "rows that vectors divide, or one element a lane"
                           : "elements packed together";
  }
  if (window) traffic.pattern += ", halo";
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
    Launched &launched = launchOf(kernel.spaces[traffic.access.space], vector);
    absl::StatusOr<AccessFigures> figures = AccessFigures();
    if (!launched.launch.ok())
      figures = launched.launch.status();
    else if (traffic.access.map.precision() != Precision::Exact)
      figures = absl::UnimplementedError("what is read is not known exactly");
    else
      figures =
          launched.launch->figures(traffic.access.map, traffic.access.shape,
                                   optionsFor(traffic.access.map));
    if (!figures.ok()) {
      traffic.reason = std::string(figures.status().message());
      return traffic;
    }
    traffic.figures = *std::move(figures);
    name(traffic);
    return traffic;
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
  int64_t fewest = INT64_MAX;
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
    }
    // Other vectors would move as much, or the threads are given.
    if (!wastes || state_->given) break;
  }
  kernel.reads.clear();
  kernel.writes.clear();
  best.kernel = std::move(kernel);
  return best;
}

}  // namespace indexical
