#include "indexical/cost/kernel/thread_accesses.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/cost/kernel/chosen_pointers.h"
#include "indexical/cost/kernel/measured_buffers.h"
#include "indexical/cost/kernel/merged_values.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/transforms.h"
#include "indexical/layout/operations.h"

namespace indexical::kernels {

namespace {

/// The bit of a coordinate that a bit of the layout's input is.
struct BitPlace {
  int64_t dimension = -1;  ///< -1: the bit changes nothing
  int64_t step = 0;
};

/// The places of a layout's bits.
struct ThreadBits {
  std::vector<BitPlace> places;  ///< of registers, lanes and warps
  int registers = 0, threads = 0;
};

/// Returns the places of the layout's bits. Returns nothing if an input bit is
/// not one bit of a coordinate, if two are the same, or if several blocks share
/// the tile.
std::optional<ThreadBits> threadBits(const layouts::Layout &layout) {
  const auto bases = layouts::basesOf(layout);
  if (!bases || bases->size() != 4 || !bases->back().empty())
    return std::nullopt;
  ThreadBits bits;
  bits.registers = static_cast<int>((*bases)[0].size());
  bits.threads = static_cast<int>((*bases)[1].size() + (*bases)[2].size());
  for (const auto &group : *bases)
    for (const Coordinates &basis : group) {
      BitPlace place;
      for (auto [k, step] : llvm::enumerate(basis)) {
        if (step == 0) continue;
        if (place.dimension >= 0 || !llvm::isPowerOf2_64(step))
          return std::nullopt;
        place = {static_cast<int64_t>(k), step};
      }
      for (const BitPlace &other : bits.places)
        if (place.dimension >= 0 && other.dimension == place.dimension &&
            other.step == place.step)
          return std::nullopt;
      bits.places.push_back(place);
    }
  return bits;
}

/// Returns how many warps make the access.
int64_t warpsOf(const TritonKernel &kernel, const KernelAccess &access) {
  return access.warps ? *access.warps : kernel.warps.value_or(1);
}

class ThreadMapBuilder {
 public:
  ThreadMapBuilder(const TritonKernel &kernel, const KernelAccess &access)
      : kernel_(kernel), access_(access) {}

  absl::StatusOr<IndexingMap> build() {
    const int64_t threads = kernel_.lanes * warpsOf(kernel_, access_);
    static constexpr const char *kNames[] = {"th_x", "th_y", "th_z",
                                             "bl_x", "bl_y", "bl_z"};
    std::vector<Expr> ids;
    for (size_t i = 0; i < 6; ++i)
      ids.push_back(b_.dimension({0, i == 0  ? threads - 1
                                     : i < 3 ? 0
                                             : kernel_.grid[i - 3] - 1},
                                 kNames[i]));
    for (size_t i = 3; i < 6; ++i) b_.result(ids[i]);
    for (const PieceSpace::LoopCount &loop : access_.loops)
      b_.result(b_.range({0, loop.count - 1}, absl::StrCat("loop", loop.loop)));
    const bool isStore = access_.kind != AccessKind::Load;
    if (access_.tile.empty()) {
      b_.range({0, 0}, "vector");
      // Every warp loads a scalar, and thread 0 stores it.
      if (isStore) b_.constraint(ids[0], {0, 0});
      return b_.build();
    }
    const auto bits =
        threadBits(layouts::withoutCopies(*access_.layout, "register"));
    if (!bits)
      return absl::UnimplementedError(
          "the layout combines bits by xor, and has no map");
    if (threads != int64_t{1} << bits->threads)
      return absl::UnimplementedError(
          "the layout has other threads than the program");
    const int vectorBits = llvm::Log2_64(access_.vector);
    const int steps = bits->registers - vectorBits;
    const Expr step = b_.range({0, (int64_t{1} << steps) - 1}, "step");
    const Expr vector = b_.range({0, access_.vector - 1}, "vector");
    coordinates_.assign(access_.tile.size(), b_.constant(0));
    int bit = 0;
    take(bits->places, bit, vectorBits, vector, false);
    take(bits->places, bit, steps, step, false);
    take(bits->places, bit, bits->threads, ids[0], isStore);
    for (const Expr &coordinate : coordinates_) b_.result(coordinate);
    return b_.build();
  }

 private:
  /// Adds the digits of `word`, which is the next `count` bits, to the
  /// coordinates. If only one thread counts, bits that change nothing are
  /// constrained to 0.
  void take(const std::vector<BitPlace> &places, int &bit, int count, Expr word,
            bool isOnce) {
    for (int from = 0; from < count;) {
      const BitPlace first = places[bit + from];
      int length = 1;
      while (from + length < count) {
        const BitPlace next = places[bit + from + length];
        const bool goesOn =
            next.dimension == first.dimension &&
            (first.dimension < 0 || next.step == first.step << length);
        if (!goesOn) break;
        ++length;
      }
      const Expr low = floorDiv(word, int64_t{1} << from);
      const Expr digit =
          from + length == count ? low : mod(low, int64_t{1} << length);
      if (first.dimension >= 0)
        coordinates_[first.dimension] =
            coordinates_[first.dimension] + digit * first.step;
      else if (isOnce)
        b_.constraint(digit, {0, 0});
      from += length;
    }
    bit += count;
  }

  const TritonKernel &kernel_;
  const KernelAccess &access_;
  IndexingMapBuilder b_;
  std::vector<Expr> coordinates_;
};

/// Returns the number of the buffer that the argument has with that shape and
/// shift, which is added if it is not there.
size_t numberOf(const KernelAccess &access, const MeasuredBuffer &buffer,
                KernelAccesses &all,
                std::vector<std::pair<int64_t, int64_t>> &known) {
  const std::pair<int64_t, int64_t> key(access.argument(), buffer.shift);
  for (size_t i = 0; i < known.size(); ++i)
    if (known[i] == key && all.buffers[i].type == buffer.shape.type &&
        all.buffers[i].dimensions == buffer.shape.dimensions)
      return i;
  known.push_back(key);
  all.buffers.push_back(buffer.shape);
  return known.size() - 1;
}

/// Returns the map with so much added to its result.
absl::StatusOr<IndexingMap> shifted(const IndexingMap &map, int64_t by) {
  if (by == 0) return map;
  return withBody(map, [&](IndexingMapBuilder &, MapBody &body) {
    body.results = {body.results[0] + by};
  });
}

/// Returns why the access cannot be measured, and an empty text if it can.
std::string obstacleOf(const TritonKernel &kernel, const KernelAccess &access) {
  if (!access.reason.empty()) return access.reason;
  if (access.maps.empty()) return "";
  if (!kernel.notMeasured.empty()) return kernel.notMeasured;
  if (!access.notMeasured.empty()) return access.notMeasured;
  if (access.argument() < 0) return "the pointer may be of several arguments";
  if (access.mask == MaskKind::Cover) return "a part of the mask is not known";
  if (!kernel.warps)
    return "the number of warps is not known; --num-warps=N gives it";
  if (!access.tile.empty() && !access.layout) return access.layoutReason;
  return "";
}

/// Returns the map with the number of the element within the tile in place of
/// that within the buffer: which threads take part is then seen without what is
/// loaded. Returns nothing if that decides which take part.
std::optional<IndexingMap> withinTile(const IndexingMap &map,
                                      const KernelAccess &access) {
  bool isSteady = true;
  for (const Constraint &constraint : map.constraints())
    map.expressions().visitVariables({constraint.form}, [&](VariableId id) {
      isSteady &= id.kind != VariableKind::Runtime;
    });
  if (!isSteady || !map.ranges().empty()) return std::nullopt;
  IndexingMapBuilder b;
  std::vector<FormId> dimensions;
  for (const Variable &v : map.dimensions())
    dimensions.push_back(b.dimension(v.bounds, v.name).form());
  const size_t rank = access.tile.size();
  const size_t first = dimensions.size() - rank;
  Expr number = b.constant(0);
  int64_t step = 1;
  for (int64_t k : access.order) {
    number = number + b.expression(dimensions[first + k]) * step;
    step *= access.tile[k];
  }
  const std::function<FormId(VariableId)> own = [&](VariableId id) {
    return dimensions[id.index];
  };
  ExpressionImport import(map.expressions(), b.pool(), own);
  b.result(number);
  for (const Constraint &constraint : map.constraints())
    b.constraint(b.expression(import(constraint.form)), constraint.bounds);
  auto made = b.build();
  if (!made.ok()) return std::nullopt;
  return *std::move(made);
}

/// Returns the access's maps, those of one value that is loaded as one.
std::vector<IndexingMap> mapsOf(const KernelAccess &access) {
  std::vector<IndexingMap> maps;
  for (const PointerMap &map : access.maps) maps.push_back(map.map);
  return mergedOverValues(std::move(maps), access.values);
}

/// Whether the maps hold whatever is loaded: no value that a name of theirs may
/// have is outside of its bounds, which are then those of a condition.
bool holdForAllValues(llvm::ArrayRef<IndexingMap> maps,
                      const KernelAccess &access) {
  return llvm::all_of(maps, [&](const IndexingMap &map) {
    uint32_t next = 0;
    return llvm::all_of(map.runtime(), [&](const RuntimeVariable &variable) {
      const auto all =
          access.values.find(map.nameOf({VariableKind::Runtime, next++}));
      return variable.clamped || all == access.values.end() ||
             variable.bounds.contains(all->second);
    });
  });
}

bool hasOpenElements(const KernelAccess &access) {
  return llvm::any_of(access.maps, [](const PointerMap &map) {
    return !map.map.runtime().empty();
  });
}

/// Adds the access within its tile, if what is loaded does not decide which
/// lanes take part.
void addWithinTile(const KernelAccess &access, const LaunchSpace &space,
                   const MemoryAccess &made, KernelAccesses &within) {
  MemoryAccess own = made;
  own.map = {};
  int64_t elements = 1;
  for (int64_t side : access.tile) elements *= side;
  for (const PointerMap &map : access.maps) {
    auto placed = withinTile(map.map, access);
    if (!placed) return;
    own.map.add(*std::move(placed));
  }
  own.launch = within.launches.size();
  own.buffer = within.buffers.size();
  within.launches.push_back(space);
  within.buffers.push_back(
      ArrayShape(typeOfBits(access.elementBits), {elements}));
  within.reads.push_back(std::move(own));
}

/// Returns the map without the conditions on what is loaded, or nothing if its
/// elements depend on that, too.
std::optional<IndexingMap> withoutOpenMask(const IndexingMap &map) {
  auto isOpen = [&](FormId form) {
    bool found = false;
    map.expressions().visitVariables({form}, [&](VariableId id) {
      found |= id.kind == VariableKind::Runtime;
    });
    return found;
  };
  if (llvm::any_of(map.results(), isOpen)) return std::nullopt;
  IndexingMapBuilder b;
  std::vector<FormId> dimensions, ranges;
  for (const Variable &v : map.dimensions())
    dimensions.push_back(b.dimension(v.bounds, v.name).form());
  for (const Variable &v : map.ranges())
    ranges.push_back(b.range(v.bounds, v.name).form());
  const std::function<FormId(VariableId)> own = [&](VariableId id) {
    return (id.kind == VariableKind::Range ? ranges : dimensions)[id.index];
  };
  ExpressionImport import(map.expressions(), b.pool(), own);
  for (FormId result : map.results()) b.result(b.expression(import(result)));
  for (const Constraint &constraint : map.constraints())
    if (!isOpen(constraint.form))
      b.constraint(b.expression(import(constraint.form)), constraint.bounds);
  auto made = b.build();
  if (!made.ok()) return std::nullopt;
  return *std::move(made);
}

/// Adds the access by all lanes that a mask may let through, if only the mask
/// depends on what is loaded.
void addUnmasked(const KernelAccess &access, const LaunchSpace &space,
                 const MemoryAccess &made, const Device &device,
                 KernelAccesses &unmasked) {
  KernelAccess all = access;
  for (PointerMap &map : all.maps) {
    auto open = withoutOpenMask(map.map);
    if (!open) return;
    map.map = *std::move(open);
  }
  const auto buffer = bufferOf(all, {}, device);
  if (!buffer.ok()) return;
  MemoryAccess own = made;
  own.map = {};
  for (const PointerMap &map : all.maps) {
    auto placed = shifted(map.map, buffer->shift);
    if (!placed.ok()) return;
    own.map.add(*std::move(placed));
  }
  own.launch = unmasked.launches.size();
  own.buffer = unmasked.buffers.size();
  unmasked.launches.push_back(space);
  unmasked.buffers.push_back(buffer->shape);
  unmasked.reads.push_back(std::move(own));
}

/// Takes over the most that the access can be, from that of all lanes.
void takeMost(const AccessFigures &all, const Device &device,
              AccessFigures &figures) {
  for (Figure AccessFigures::*of :
       {&AccessFigures::accesses, &AccessFigures::activeLanes,
        &AccessFigures::bytesUsed, &AccessFigures::sectors,
        &AccessFigures::sectorsFewest, &AccessFigures::lines,
        &AccessFigures::distinctSectors})
    (figures.*of).most = std::min((figures.*of).most, (all.*of).most);
  if (const auto moved = checkedMul(figures.sectors.most, device.sector))
    figures.wastedBytes.most = std::min(figures.wastedBytes.most, *moved);
}

/// Takes over how many accesses and lanes there are, from the same access
/// within its tile. Every access touches something, and a lane's vector lies in
/// as few sectors as can hold it.
void takeCounts(const AccessFigures &within, int64_t laneBytes,
                const Device &device, AccessFigures &figures) {
  if (!within.exact || !within.accesses.isKnown() ||
      !within.activeLanes.isKnown())
    return;
  const int64_t accesses = within.accesses.most;
  const int64_t lanes = within.activeLanes.most;
  const auto most = [&](int64_t ofLane, Figure &figure) {
    if (const auto all = checkedMul(lanes, ofLane))
      figure.most = std::min(figure.most, *all);
  };
  const auto least = [&](int64_t ofAccess, Figure &figure) {
    const auto all = checkedMul(accesses, ofAccess);
    if (!all) return;
    // Narrower vectors are more accesses, each of which was taken to touch
    // something.
    figure.least =
        within.vector == figures.vector ? std::max(figure.least, *all) : *all;
  };
  const int64_t ofLane = ceilDiv(laneBytes, device.sector);
  for (Figure *figure : {&figures.sectors, &figures.sectorsFewest}) {
    most(ofLane, *figure);
    least(ofLane, *figure);
  }
  most(1, figures.lines);
  least(1, figures.lines);
  most(laneBytes, figures.bytesUsed);
  least(laneBytes, figures.bytesUsed);
  const auto moved = checkedMul(figures.sectors.most, device.sector);
  if (moved)
    figures.wastedBytes.most = std::min(figures.wastedBytes.most, *moved);
  figures.wastedBytes.least = 0;
  figures.accesses = within.accesses;
  figures.activeLanes = within.activeLanes;
  figures.vector = within.vector;
}

/// Whether each lane has bytes of its own: no two lanes of an access touch one
/// element.
bool areLanesApart(const AccessFigures &figures, int64_t laneBytes) {
  const auto all = checkedMul(figures.activeLanes.most, laneBytes);
  return all && figures.activeLanes.isKnown() &&
         figures.bytesUsed == Figure{*all, *all};
}

/// Widens the sectors of an atomic operation to those that lanes may take in
/// turns: lanes of an access that change one element do so one after another,
/// and each turn is counted.
void countTurns(AccessFigures &figures, int64_t laneBytes,
                const Device &device) {
  if (areLanesApart(figures, laneBytes)) return;
  const auto most =
      checkedMul(figures.activeLanes.most, ceilDiv(laneBytes, device.sector));
  const auto bytes = most ? checkedMul(*most, device.sector) : std::nullopt;
  figures.sectors.most =
      std::max(figures.sectors.most, most.value_or(INT64_MAX));
  figures.lines.most = std::max(figures.lines.most, figures.activeLanes.most);
  figures.wastedBytes.most =
      std::max(figures.wastedBytes.most, bytes.value_or(INT64_MAX));
  figures.exact = false;
}

/// Whether a later pass may give the access another layout than that of
/// coalescing: a load of fewer elements than threads.
bool mayChangeLayout(const TritonKernel &kernel, const KernelAccess &access) {
  if (access.kind != AccessKind::Load || access.tile.empty() ||
      access.layoutFrom != LayoutSource::Coalescing || !kernel.warps)
    return false;
  int64_t elements = 1;
  for (int64_t side : access.tile) elements *= side;
  return elements < kernel.lanes * warpsOf(kernel, access);
}

}  // namespace

absl::StatusOr<IndexingMap> threadMap(const TritonKernel &kernel,
                                      const KernelAccess &access) {
  if (!access.tile.empty() && !access.layout)
    return absl::UnimplementedError(access.layoutReason);
  return ThreadMapBuilder(kernel, access).build();
}

absl::StatusOr<IndexingMap> threadMap(const TritonKernel &kernel,
                                      const SharedAccess &access) {
  KernelAccess as;
  as.kind = access.kind;
  as.tile = access.tile;
  as.layout = access.layout;
  as.loops = access.loops;
  as.vector = access.vector;
  return threadMap(kernel, as);
}

IndexingMap tileThreads(const IndexingMap &threads,
                        const KernelAccess &access) {
  auto made = withBody(threads, [&](IndexingMapBuilder &, MapBody &body) {
    body.results.erase(body.results.begin(),
                       body.results.end() - access.tile.size());
  });
  return made.ok() ? *std::move(made) : threads;
}

void splitByArgument(TritonKernel &kernel) { splitAccesses(kernel); }

int64_t replicasOf(const KernelAccess &access) {
  if (access.kind != AccessKind::Load || !access.layout) return 1;
  const auto linear =
      layouts::linearOf(layouts::withoutCopies(*access.layout, "register"));
  return linear ? int64_t{1} << linear->kernel().size() : 1;
}

namespace {

/// Measures the accesses of a kernel, each of which has one argument.
MeasuredTraffic measureEach(const TritonKernel &kernel,
                            const BufferSizes &sizes, TrafficMeter &meter) {
  MeasuredTraffic result;
  result.accesses.resize(kernel.accesses.size());
  KernelAccesses &all = result.measured;
  const SharedBuffers buffers(kernel, sizes, meter.device());
  // Atomics are measured apart from loads and stores.
  KernelAccesses atomics;
  // So are accesses of which something that is loaded says the elements: which
  // threads take part is known all the same.
  KernelAccesses within, unmasked;
  std::vector<std::pair<int64_t, int64_t>> known, knownByAtomics;
  // argument, shift
  for (auto [number, access] : llvm::enumerate(kernel.accesses)) {
    MeasuredAccess &found = result.accesses[number];
    found.reason = obstacleOf(kernel, access);
    if (!found.reason.empty()) continue;
    auto threads = threadMap(kernel, access);
    if (!threads.ok()) {
      found.reason = std::string(threads.status().message());
      continue;
    }
    found.threads = *threads;
    const auto buffer = buffers.of(number, access);
    if (!buffer.ok()) {
      found.reason = std::string(buffer.status().message());
      continue;
    }
    LaunchSpace space;
    space.shape = buffer->shape;
    space.shape.dimensions.clear();
    for (int64_t programs : kernel.grid)
      space.shape.dimensions.push_back(programs);
    for (const PieceSpace::LoopCount &loop : access.loops)
      space.shape.dimensions.push_back(loop.count);
    space.shape.dimensions.append(access.tile.begin(), access.tile.end());
    space.order = ThreadOrder::Given;
    space.threads = *std::move(threads);
    const bool isAtomic = access.kind == AccessKind::Atomic;
    KernelAccesses &into = isAtomic ? atomics : all;
    MemoryAccess made;
    // Each warp of a program loads what all of them load.
    made.byWarps = true;
    made.launch = into.launches.size();
    const std::vector<IndexingMap> maps = mapsOf(access);
    const bool isMade = holdForAllValues(maps, access);
    for (const IndexingMap &map : maps) {
      auto placed = shifted(map, buffer->shift);
      if (placed.ok())
        made.map.add(*std::move(placed));
      else
        found.reason = std::string(placed.status().message());
    }
    if (!found.reason.empty()) continue;
    made.laneBytes =
        access.vector * std::max<int64_t>(1, access.elementBits / 8);
    made.place = static_cast<int64_t>(number);
    made.buffer =
        numberOf(access, *buffer, into, isAtomic ? knownByAtomics : known);
    if (hasOpenElements(access)) {
      if (isMade) addWithinTile(access, space, made, within);
      addUnmasked(access, space, made, meter.device(), unmasked);
    }
    into.launches.push_back(std::move(space));
    (access.kind == AccessKind::Load ? into.reads : into.writes)
        .push_back(std::move(made));
  }
  result.traffic = meter.measure(all);
  for (const auto *group : {&result.traffic.reads, &result.traffic.writes})
    for (const Traffic &traffic : *group)
      result.accesses[traffic.access.place].traffic = traffic;
  for (Traffic &traffic : meter.measure(atomics).writes)
    result.accesses[traffic.access.place].traffic = std::move(traffic);
  // Returns figures that are bounds, and may be narrowed by others.
  auto openFigures = [&](const Traffic &by) -> AccessFigures * {
    auto &found = result.accesses[by.access.place].traffic;
    return found && found->figures && !found->figures->exact && by.figures
               ? &*found->figures
               : nullptr;
  };
  for (const Traffic &traffic : meter.measure(within).reads)
    if (AccessFigures *figures = openFigures(traffic);
        figures &&
        traffic.figures->vector == kernel.accesses[traffic.access.place].vector)
      takeCounts(*traffic.figures, traffic.access.laneBytes, meter.device(),
                 *figures);
  std::set<int64_t> apart;  // accesses whose lanes do not meet
  for (const Traffic &traffic : meter.measure(unmasked).reads)
    if (AccessFigures *figures = openFigures(traffic);
        figures && traffic.figures->vector == figures->vector) {
      takeMost(*traffic.figures, meter.device(), *figures);
      if (areLanesApart(*traffic.figures, traffic.access.laneBytes))
        apart.insert(traffic.access.place);
    }
  for (auto [number, access] : llvm::enumerate(kernel.accesses)) {
    auto &found = result.accesses[number].traffic;
    if (access.kind == AccessKind::Atomic && found && found->figures &&
        !apart.count(static_cast<int64_t>(number)))
      countTurns(*found->figures, found->access.laneBytes, meter.device());
  }
  for (auto [number, access] : llvm::enumerate(kernel.accesses)) {
    MeasuredAccess &found = result.accesses[number];
    if (!found.traffic || !found.traffic->figures) continue;
    found.mayChangeLayout = mayChangeLayout(kernel, access);
    if (found.mayChangeLayout) found.traffic->figures->exact = false;
  }
  return result;
}

}  // namespace

MeasuredTraffic measure(const TritonKernel &kernel, const BufferSizes &sizes,
                        TrafficMeter &meter) {
  if (llvm::any_of(kernel.accesses, [](const KernelAccess &access) {
        return !access.enumerated.empty();
      })) {
    TritonKernel own = kernel;
    for (KernelAccess &access : own.accesses)
      if (!access.enumerated.empty()) {
        access.maps = std::exchange(access.enumerated, {});
        access.reason.clear();
      }
    return measure(own, sizes, meter);
  }
  if (llvm::none_of(kernel.accesses, hasChosenPointer))
    return measureEach(kernel, sizes, meter);
  TritonKernel split = kernel;
  const std::vector<size_t> earlier = splitAccesses(split);
  MeasuredTraffic parts = measureEach(split, sizes, meter);
  const std::vector<LaunchSpace> launches = parts.measured.launches;
  return joined(
      kernel, earlier, std::move(parts),
      [&](const KernelAccess &access,
          const MeasuredAccess &part) -> std::optional<AccessFigures> {
        if (access.kind == AccessKind::Atomic ||
            !holdForAllValues(mapsOf(access), access))
          return std::nullopt;
        KernelAccesses within;
        const MemoryAccess &made = part.traffic->access;
        addWithinTile(access, launches[made.launch], made, within);
        const KernelTraffic counted = meter.measure(within);
        if (counted.reads.empty()) return std::nullopt;
        return counted.reads.front().figures;
      });
}

}  // namespace indexical::kernels
