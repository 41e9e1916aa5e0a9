#include "indexical/program/sharding/reshard.h"

#include <algorithm>
#include <map>
#include <set>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/program/sharding/mesh.h"

namespace indexical {
namespace {

/// The most cells of the grid of all boxes' ends, times devices.
constexpr int64_t kMostCells = 1 << 24;

struct Boxes {
  const ShardedRelation &relation;
  std::vector<std::optional<ElementBox>> boxes;

  Boxes(const ShardedRelation &relation, int64_t devices) : relation(relation) {
    for (int64_t device = 0; device < devices; ++device)
      boxes.push_back(relation.box(device));
  }
  bool holds(int64_t device, llvm::ArrayRef<int64_t> element) const {
    const auto &box = boxes[device];
    if (!box) return false;
    for (auto [range, at] : llvm::zip(*box, element))
      if (at < range.first || at >= range.second) return false;
    return true;
  }
};

/// Adds a * b to the sum. Returns false if it leaves 64 bits.
bool addProduct(int64_t a, int64_t b, int64_t &sum) {
  int64_t product = 0;
  return !llvm::MulOverflow(a, b, product) &&
         !llvm::AddOverflow(sum, product, sum);
}

/// Counts what devices lack, of a source without parts. Whole tiles are either
/// the same or do not meet, so that each device is asked for itself.
absl::StatusOr<ReshardNeeds> needsWithoutParts(const Boxes &a, const Boxes &b,
                                               int64_t devices) {
  ReshardNeeds needs;
  needs.receives.assign(devices, 0);
  needs.sendsOnce.assign(devices, 0);
  int64_t all = 1;
  bool fits = true;
  for (int64_t size : a.relation.global())
    fits &= !llvm::MulOverflow(all, size, all);
  if (!fits) return absl::OutOfRangeError("a count of elements leaves 64 bits");
  std::map<ElementBox, int64_t> holders, needers;
  for (int64_t device = 0; device < devices; ++device) {
    if (a.boxes[device]) ++holders[*a.boxes[device]];
    if (b.boxes[device]) ++needers[*b.boxes[device]];
  }
  for (int64_t device = 0; device < devices; ++device) {
    const auto &has = a.boxes[device], &wants = b.boxes[device];
    const int64_t held = has ? elementsOf(*has) : 0,
                  wanted = wants ? elementsOf(*wants) : 0;
    int64_t both = has && wants ? 1 : 0;
    for (size_t k = 0; both > 0 && k < has->size(); ++k)
      both *= std::max<int64_t>(
          0, std::min((*has)[k].second, (*wants)[k].second) -
                 std::max((*has)[k].first, (*wants)[k].first));
    needs.receives[device] = wanted - both;
    fits &= addProduct(wanted - both, 1, needs.all);
    fits &= addProduct(all - held, 1, needs.throughReplication);
    // Each element is needed. The device alone may be the one that needs it.
    if (has && holders[*has] == 1)
      needs.sendsOnce[device] =
          held - (wants && needers[*wants] == 1 ? both : 0);
  }
  if (!fits) return absl::OutOfRangeError("a count of elements leaves 64 bits");
  return needs;
}

absl::Status refuse(const char *why) { return absl::InvalidArgumentError(why); }

}  // namespace

int64_t bytesOf(int64_t elements, int64_t bits) {
  int64_t all = 0;
  if (llvm::MulOverflow(elements, bits, all)) {
    if (llvm::MulOverflow(elements, (bits + 7) / 8, all)) return INT64_MAX;
    return all;
  }
  return all / 8 + (all % 8 != 0);
}

absl::StatusOr<ReshardNeeds> needsOf(const ShardedRelation &from,
                                     const ShardedRelation &to) {
  if (from.global() != to.global()) return refuse("the sizes differ");
  const Sharding &source = from.sharding(), &target = to.sharding();
  if (source.none() != NoElements::None || target.none() != NoElements::None)
    return refuse("a side has no global elements");
  if (target.parts() > 1) return refuse("the target has parts");
  const int64_t devices = std::max(source.devices(), target.devices());
  if (devices < 0 || (source.devices() >= 0 && source.devices() != devices) ||
      (target.devices() >= 0 && target.devices() != devices))
    return refuse("the sides are not over one number of devices");
  const Boxes a(from, devices), b(to, devices);
  if (source.parts() == 1) return needsWithoutParts(a, b, devices);
  // Between the ends of boxes all elements are alike.
  const size_t rank = from.global().size();
  std::vector<std::vector<int64_t>> cuts(rank);
  int64_t cells = devices;
  for (size_t k = 0; k < rank; ++k) {
    std::set<int64_t> ends = {0, from.global()[k]};
    for (const Boxes *side : {&a, &b})
      for (const auto &box : side->boxes)
        if (box) ends.insert({(*box)[k].first, (*box)[k].second});
    cuts[k].assign(ends.begin(), ends.end());
    if (llvm::MulOverflow(cells, static_cast<int64_t>(cuts[k].size()), cells) ||
        cells > kMostCells)
      return absl::ResourceExhaustedError("there are too many boxes");
  }
  ReshardNeeds needs;
  needs.receives.assign(devices, 0);
  needs.sendsOnce.assign(devices, 0);
  if (llvm::is_contained(from.global(), 0)) return needs;
  llvm::SmallVector<int64_t, 4> counts, at(rank, 0), first(rank);
  for (const auto &cut : cuts) counts.push_back(cut.size() - 1);
  bool fits = true;
  do {
    int64_t size = 1;
    for (size_t k = 0; k < rank; ++k) {
      first[k] = cuts[k][at[k]];
      fits &= !llvm::MulOverflow(size, cuts[k][at[k] + 1] - first[k], size);
    }
    int64_t needers = 0, holders = 0, only = -1;
    bool meets = false;
    for (int64_t device = 0; device < devices; ++device) {
      const bool holds = a.holds(device, first), want = b.holds(device, first);
      holders += holds;
      needers += want;
      if (holds) only = device;
      meets |= holds && want;
      // A part is not the element.
      if (want) fits &= addProduct(size, 1, needs.receives[device]);
      if (!holds) fits &= addProduct(size, 1, needs.throughReplication);
    }
    if (needers > 0)
      fits &= addProduct(size, needers + source.parts() - (meets ? 2 : 1),
                         needs.all);
    if (holders == 1 && needers > (b.holds(only, first) ? 1 : 0))
      fits &= addProduct(size, 1, needs.sendsOnce[only]);
  } while (advance(at, counts));
  if (!fits) return absl::OutOfRangeError("a count of elements leaves 64 bits");
  return needs;
}

}  // namespace indexical
