#include "indexical/layout/access.h"

#include <algorithm>
#include <tuple>
#include <unordered_set>
#include <vector>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/layout/operations.h"
#include "indexical/layout/thread_offsets.h"
#include "indexical/layout/threads.h"

namespace indexical::layouts {

absl::StatusOr<ThreadPlaces> ThreadPlaces::of(const Layout &layout) {
  ThreadPlaces made;
  constexpr llvm::StringLiteral kNames[] = {"register", "lane", "warp",
                                            "block"};
  for (const auto &[k, space] : llvm::enumerate(layout.inputs())) {
    const auto *name = llvm::find(kNames, space.name);
    if (name == std::end(kNames))
      return absl::InvalidArgumentError(absl::StrCat(
          "the input ", space.name,
          " is not a register, lane, warp or block: name it by `as (lane, "
          "register) -> (offset)`"));
    made.places_[name - std::begin(kNames)] = static_cast<int>(k);
  }
  const auto points = layout.points();
  if (!points || *points > kMostPoints)
    return absl::ResourceExhaustedError(
        "the layout has more than 2^22 registers");
  return made;
}

absl::StatusOr<std::vector<ThreadOffsets>> offsetsOf(const Layout &threads) {
  if (threads.outputs().size() != 1)
    return absl::InvalidArgumentError("an access is to one offset");
  INDEXICAL_ASSIGN_OR_RETURN(const ThreadPlaces places,
                             ThreadPlaces::of(threads));
  const auto sizes = places.sizes(threads.box());
  struct Taken {
    int64_t thread, reg, offset;
    bool operator<(const Taken &o) const {
      return std::tie(thread, reg) < std::tie(o.thread, o.reg);
    }
  };
  std::vector<Taken> taken;
  taken.reserve(*threads.points());
  bool isNegative = false;
  threads.visit([&](llvm::ArrayRef<int64_t> point,
                    llvm::ArrayRef<int64_t> value) {
    isNegative |= value[0] < 0;
    const int64_t warp = places.block(point) * sizes[2] + places.warp(point);
    taken.push_back(
        {warp * sizes[1] + places.lane(point), places.reg(point), value[0]});
    return true;
  });
  if (isNegative) return absl::InvalidArgumentError("an offset is 0 or more");
  llvm::sort(taken);
  std::vector<ThreadOffsets> all;
  std::unordered_set<int64_t> seen;
  for (size_t i = 0; i < taken.size(); ++i) {
    if (i == 0 || taken[i].thread != taken[i - 1].thread) {
      all.push_back(
          {taken[i].thread / sizes[1], taken[i].thread % sizes[1], {}});
      seen.clear();
    }
    if (seen.insert(taken[i].offset).second)
      all.back().offsets.push_back(taken[i].offset);
  }
  return all;
}

namespace {

/// Whether the thread's offsets are whole aligned blocks of that size.
bool isInBlocks(llvm::ArrayRef<int64_t> offsets, int64_t vector,
                RegisterOrder order) {
  if (static_cast<int64_t>(offsets.size()) % vector != 0) return false;
  std::vector<int64_t> sorted(offsets.begin(), offsets.end());
  if (order == RegisterOrder::Any) llvm::sort(sorted);
  for (size_t i = 0; i < sorted.size(); ++i)
    if (i % vector == 0 ? sorted[i] % vector != 0
                        : sorted[i] != sorted[i - 1] + 1)
      return false;
  return true;
}

/// Returns the different units of memory that the lanes touch.
std::vector<int64_t> unitsOf(llvm::ArrayRef<LaneBytes> lanes, int64_t unit) {
  std::vector<int64_t> units;
  for (const LaneBytes &each : lanes)
    for (int64_t u = each.first / unit; u <= each.last / unit; ++u)
      units.push_back(u);
  llvm::sort(units);
  units.erase(std::unique(units.begin(), units.end()), units.end());
  return units;
}

void addGlobal(llvm::ArrayRef<LaneBytes> lanes, const MemorySizes &sizes,
               AccessFigures &figures) {
  figures.sectors += unitsOf(lanes, sizes.sector).size();
  figures.lines += unitsOf(lanes, sizes.line).size();
  const int64_t bytes = unitsOf(lanes, 1).size();
  figures.sectorsFewest +=
      static_cast<int64_t>(llvm::divideCeil(bytes, sizes.sector));
}

}  // namespace

SharedCost sharedCost(llvm::ArrayRef<LaneBytes> lanes,
                      const MemorySizes &sizes) {
  SharedCost cost;
  int64_t bytes = sizes.bankBytes;
  for (const LaneBytes &each : lanes)
    bytes = std::max(bytes, each.last - each.first + 1);
  const int64_t atOnce =
      std::clamp<int64_t>(sizes.banks * sizes.bankBytes / bytes, 1, 32);
  std::vector<int64_t> inBank(sizes.banks, 0);
  for (size_t from = 0; from < lanes.size();) {
    size_t to = from;
    const int64_t phase = lanes[from].lane / atOnce;
    while (to < lanes.size() && lanes[to].lane / atOnce == phase) ++to;
    inBank.assign(sizes.banks, 0);
    const auto words = unitsOf(lanes.slice(from, to - from), sizes.bankBytes);
    for (int64_t word : words) ++inBank[word % sizes.banks];
    const int64_t most = *std::max_element(inBank.begin(), inBank.end());
    cost.wavefronts += most;
    cost.conflicts = std::max(cost.conflicts, most);
    cost.fewest += static_cast<int64_t>(
        llvm::divideCeil(words.size(), static_cast<size_t>(sizes.banks)));
    from = to;
  }
  return cost;
}

absl::StatusOr<AccessFigures> accessOf(const Layout &threads,
                                       int64_t elementBits, Memory memory,
                                       RegisterOrder order,
                                       const MemorySizes &sizes) {
  INDEXICAL_ASSIGN_OR_RETURN(const auto all, offsetsOf(threads));
  return figuresOf(all, elementBits, memory, order, sizes);
}

absl::StatusOr<AccessFigures> figuresOf(llvm::ArrayRef<ThreadOffsets> all,
                                        int64_t elementBits, Memory memory,
                                        RegisterOrder order,
                                        const MemorySizes &sizes) {
  if (elementBits < 1)
    return absl::InvalidArgumentError("an element has 1 bit or more");
  AccessFigures figures;
  while (figures.vector * 2 * elementBits <= sizes.vector * 8 &&
         llvm::all_of(all, [&](const ThreadOffsets &thread) {
           return isInBlocks(thread.offsets, figures.vector * 2, order);
         }))
    figures.vector *= 2;
  const int64_t vector = figures.vector;
  // The n-th blocks of all lanes of a warp. Its threads stand in a row.
  std::vector<std::vector<LaneBytes>> accesses;
  const auto finishWarp = [&] {
    for (const std::vector<LaneBytes> &lanes : accesses) {
      ++figures.accesses;
      if (memory == Memory::Global) {
        addGlobal(lanes, sizes, figures);
        continue;
      }
      const SharedCost cost = sharedCost(lanes, sizes);
      figures.conflicts = std::max(figures.conflicts, cost.conflicts);
      figures.wavefronts += cost.wavefronts;
      figures.wavefrontsFewest += cost.fewest;
    }
    accesses.clear();
  };
  std::unordered_set<int64_t> blocks;
  for (size_t i = 0; i < all.size(); ++i) {
    if (i > 0 && all[i].warp != all[i - 1].warp) finishWarp();
    blocks.clear();
    for (int64_t offset : all[i].offsets) {
      const int64_t block = offset / vector;
      if (!blocks.insert(block).second) continue;
      int64_t first, end;
      if (llvm::MulOverflow(block * vector, elementBits, first) ||
          llvm::AddOverflow(first, vector * elementBits, end))
        return absl::InvalidArgumentError("an address leaves 64 bits");
      if (blocks.size() > accesses.size()) accesses.emplace_back();
      accesses[blocks.size() - 1].push_back(
          {all[i].lane, first / 8, (end - 1) / 8});
    }
  }
  finishWarp();
  return figures;
}

absl::StatusOr<Layout> placesOf(const Layout &threads, const Layout &memory) {
  if (memory.outputs().size() == 1 && memory.outputs()[0].name == "offset" &&
      memory.outputs()[0].size == 0)
    return compose(memory, threads);
  // From offsets to elements: turned, element by element.
  const auto linear = linearOf(memory);
  const auto own = linearOf(threads);
  if (memory.outputs().size() != threads.outputs().size())
    return absl::InvalidArgumentError(absl::StrCat("the tile has ",
                                                   threads.outputs().size(),
                                                   " dimensions, and the "
                                                   "memory ",
                                                   memory.outputs().size()));
  for (auto [a, b] : llvm::zip(threads.outputs(), memory.outputs()))
    if (a.size != 0 && b.size != 0 && a.size > b.size)
      return absl::InvalidArgumentError(
          absl::StrCat("the tile has ", a.size, " along ", a.name,
                       ", and the memory ", b.size));
  if (!linear || !own) {
    INDEXICAL_ASSIGN_OR_RETURN(const Layout turned, inverted(memory));
    return compose(turned, threads);
  }
  const std::vector<int> from = outputBitsOf(threads);
  const std::vector<int> to = outputBitsOf(memory);
  const int64_t offsets = memory.inputs()[0].size;
  std::vector<uint64_t> bases;
  for (uint64_t basis : own->bases()) {
    uint64_t element = 0;
    int at = 0;
    for (auto [width, wide] : llvm::zip(from, to)) {
      element |= (basis & ((uint64_t{1} << width) - 1)) << at;
      basis >>= width;
      at += wide;
    }
    const auto place = linear->preimage(element);
    if (!place)
      return absl::InvalidArgumentError("an element has no place in memory");
    bases.push_back(*place & (static_cast<uint64_t>(offsets) - 1));
  }
  INDEXICAL_ASSIGN_OR_RETURN(
      const Layout made,
      layoutOf(LinearMap(std::move(bases), llvm::Log2_64(offsets)),
               threads.inputs(), {Space{"offset", offsets}}));
  Notes notes;
  notes.elementType = memory.notes().elementType;
  return made.withOutputSizes({0}).withNotes(std::move(notes));
}

absl::StatusOr<int64_t> commonRun(const Layout &from, const Layout &to,
                                  int64_t elementBits,
                                  const MemorySizes &sizes) {
  // Both as functions of elements.
  const auto ofElements = [](const Layout &memory) -> absl::StatusOr<Layout> {
    if (memory.outputs().size() == 1 && memory.outputs()[0].size == 0)
      return memory;
    return inverted(memory);
  };
  INDEXICAL_ASSIGN_OR_RETURN(const Layout a, ofElements(from));
  INDEXICAL_ASSIGN_OR_RETURN(const Layout b, ofElements(to));
  if (a.points() != b.points() || !a.points() || *a.points() > kMostPoints)
    return absl::InvalidArgumentError(
        "the memories have different numbers of elements, or more than 2^22");
  std::vector<std::pair<int64_t, int64_t>> places;
  for (int64_t i = 0; i < *a.points(); ++i)
    places.push_back(
        {a.at(pointOf(i, a.box()))[0], b.at(pointOf(i, b.box()))[0]});
  llvm::sort(places);
  int64_t run = 1;
  while (run * 2 * elementBits <= sizes.vector * 8) {
    const int64_t next = run * 2;
    bool isRun = static_cast<int64_t>(places.size()) % next == 0;
    for (size_t i = 0; isRun && i < places.size(); ++i) {
      const auto [x, y] = places[i];
      isRun = i % next == 0 ? x % next == 0 && y % next == 0
                            : x == places[i - 1].first + 1 &&
                                  y == places[i - 1].second + 1;
    }
    if (!isRun) break;
    run = next;
  }
  return run;
}

}  // namespace indexical::layouts
