#include "indexical/cost/kernel/chosen_pointers.h"

#include <algorithm>
#include <map>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"

namespace indexical::kernels {

namespace {

int64_t saturatedSum(int64_t a, int64_t b) {
  return checkedAdd(a, b).value_or(INT64_MAX);
}

void add(Figure &to, const Figure &part) {
  to.least = saturatedSum(to.least, part.least);
  to.most = saturatedSum(to.most, part.most);
}

/// Adds the figures of the access to another argument. Accesses are between
/// those of one argument and those of all.
void add(AccessFigures &to, const AccessFigures &part) {
  to.accesses = {std::max(to.accesses.least, part.accesses.least),
                 saturatedSum(to.accesses.most, part.accesses.most)};
  add(to.activeLanes, part.activeLanes);
  add(to.bytesUsed, part.bytesUsed);
  add(to.sectors, part.sectors);
  add(to.sectorsFewest, part.sectorsFewest);
  add(to.lines, part.lines);
  add(to.distinctSectors, part.distinctSectors);
  add(to.wastedBytes, part.wastedBytes);
  to.exact &= part.exact;
  to.vector = std::min(to.vector, part.vector);
  if (to.laneStride != part.laneStride) to.laneStride.reset();
  to.laneRuns = std::max(to.laneRuns, part.laneRuns);
  to.gathered |= part.gathered;
  to.repeats = std::min(to.repeats, part.repeats);
  to.byEveryThread = false;
  to.requests.reset();
  to.leastIfMade.reset();
  if (to.memoryPieces && part.memoryPieces) {
    to.memoryPieces->all += part.memoryPieces->all;
    to.memoryPieces->distinct += part.memoryPieces->distinct;
  } else {
    to.memoryPieces.reset();
  }
}

/// Returns one access of all parts, each of which has figures.
MeasuredAccess joinedParts(llvm::ArrayRef<const MeasuredAccess *> parts) {
  MeasuredAccess made = *parts.front();
  for (const MeasuredAccess *part : parts.drop_front()) {
    // The pattern is that of the argument that wastes most.
    if (part->traffic->figures->wastedBytes.most >
        made.traffic->figures->wastedBytes.most)
      made.traffic->finding = part->traffic->finding;
    made.mayChangeLayout |= part->mayChangeLayout;
    made.traffic->bytes =
        made.traffic->bytes > 0 && part->traffic->bytes > 0
            ? saturatedSum(made.traffic->bytes, part->traffic->bytes)
            : 0;
    add(*made.traffic->figures, *part->traffic->figures);
  }
  return made;
}

}  // namespace

bool hasChosenPointer(const KernelAccess &access) {
  return !access.maps.empty() && access.argument() < 0 &&
         llvm::none_of(access.maps,
                       [](const PointerMap &map) { return map.argument < 0; });
}

std::vector<size_t> splitAccesses(TritonKernel &kernel) {
  std::vector<KernelAccess> all;
  std::vector<size_t> now, earlier;
  for (auto [number, access] : llvm::enumerate(kernel.accesses)) {
    now.push_back(all.size());
    if (!hasChosenPointer(access)) {
      all.push_back(std::move(access));
      earlier.push_back(number);
      continue;
    }
    std::map<int64_t, std::vector<PointerMap>> ofArgument;
    for (PointerMap &map : access.maps)
      ofArgument[map.argument].push_back(std::move(map));
    access.maps.clear();
    for (auto &[argument, maps] : ofArgument) {
      KernelAccess own = access;
      own.maps = std::move(maps);
      if (own.mask == MaskKind::None) own.mask = MaskKind::Exact;
      all.push_back(std::move(own));
      earlier.push_back(number);
    }
  }
  now.push_back(all.size());
  for (KernelBarrier &barrier : kernel.barriers)
    barrier.before = now[std::min(barrier.before, now.size() - 1)];
  kernel.accesses = std::move(all);
  return earlier;
}

MeasuredTraffic joined(
    const TritonKernel &kernel, const std::vector<size_t> &earlier,
    MeasuredTraffic parts,
    const std::function<std::optional<AccessFigures>(
        const KernelAccess &access, const MeasuredAccess &part)> &countsOf) {
  std::vector<llvm::SmallVector<const MeasuredAccess *, 2>> of(
      kernel.accesses.size());
  for (auto [part, number] : llvm::enumerate(earlier))
    of[number].push_back(&parts.accesses[part]);
  MeasuredTraffic made;
  for (auto [number, own] : llvm::enumerate(of)) {
    const auto open = llvm::find_if(own, [](const MeasuredAccess *part) {
      return !part->traffic || !part->traffic->figures;
    });
    if (own.size() == 1 || open != own.end()) {
      made.accesses.push_back(open != own.end() ? **open : *own.front());
      // A part says nothing of the whole.
      if (own.size() > 1) made.accesses.back().traffic.reset();
      if (made.accesses.back().traffic)
        made.accesses.back().traffic->access.place =
            static_cast<int64_t>(number);
      continue;
    }
    MeasuredAccess all = joinedParts(own);
    AccessFigures &figures = *all.traffic->figures;
    const auto counts = countsOf(kernel.accesses[number], *own.front());
    if (counts && counts->exact && counts->vector == figures.vector)
      figures.accesses = counts->accesses;
    else if (!figures.accesses.isKnown())
      figures.exact = false;
    all.traffic->access.place = static_cast<int64_t>(number);
    made.accesses.push_back(std::move(all));
  }
  made.measured = std::move(parts.measured);
  made.traffic = std::move(parts.traffic);
  for (auto *accesses : {&made.measured.reads, &made.measured.writes})
    for (MemoryAccess &access : *accesses)
      access.place = static_cast<int64_t>(earlier[access.place]);
  for (auto *accesses : {&made.traffic.reads, &made.traffic.writes})
    for (Traffic &traffic : *accesses)
      traffic.access.place =
          static_cast<int64_t>(earlier[traffic.access.place]);
  return made;
}

}  // namespace indexical::kernels
