#include "indexical/same/partitioned/witnesses.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "llvm/ADT/STLExtras.h"

namespace indexical {
namespace {

/// Elements of larger arrays are not gone through.
constexpr size_t kMostPoints = 10'000;

/// Returns the first points of the copies, by device and index on that device.
std::vector<AtPoints::Point> pointsOf(const CopiesOfResult &copies) {
  const ShardedRelation &relation = copies.relation;
  const llvm::ArrayRef<int64_t> local = relation.local();
  // The tile and the copy that each device has first.
  std::vector<std::tuple<int64_t, size_t, int64_t>> order;
  for (auto [copy, devices] : llvm::enumerate(copies.devicesOf))
    for (auto [tile, device] : llvm::enumerate(devices))
      order.push_back({device, copy, static_cast<int64_t>(tile)});
  llvm::sort(order);
  std::vector<AtPoints::Point> points;
  for (const auto &[device, copy, tile] : order) {
    const Int64s at = indexAtPlace(tile, relation.sharding().tiles());
    const int64_t count = elementCountOf(local);
    for (int64_t e = 0; e < count; ++e) {
      if (points.size() >= kMostPoints) return points;
      const Int64s index = indexAtPlace(e, local);
      AtPoints::Point point;
      if (copies.devicesOf.size() > 1) point.push_back(copy);
      bool isPadding = false;
      for (size_t k = 0; k < index.size(); ++k) {
        point.push_back(at[k] * local[k] + index[k]);
        isPadding |= point.back() >= relation.global()[k];
      }
      if (!isPadding) points.push_back(std::move(point));
    }
  }
  return points;
}

void nameRead(const OneSidedRead &read, const EntryArrays &entry,
              Witness &witness) {
  witness.onlyIn =
      read.isOfFirst ? Witness::Side::First : Witness::Side::Second;
  witness.isPadding = read.readsAny;
  if (!read.element) return;
  // Parts that a parameter is the sum of are no arrays of the entry.
  const auto parameter = static_cast<size_t>(read.element->parameter);
  if (parameter >= entry.arraysOf.size()) return;
  witness.array =
      static_cast<int64_t>(entry.arraysOf[parameter][read.element->leaf]);
  witness.element = read.element->index;
}

}  // namespace

Witness witnessOf(Witness found, const CopiesOfResult &copies) {
  const ShardedRelation &relation = copies.relation;
  const std::vector<int64_t> all = std::move(found.first.index);
  llvm::ArrayRef<int64_t> index = all;
  size_t copy = 0;
  if (copies.devicesOf.size() > 1) {
    copy = index.front();
    index = index.drop_front();
  }
  found.kind = Witness::Kind::DeviceNumbers;
  found.result = int64_t{copies.result};
  found.first.index = index.vec();
  found.second.index.clear();
  int64_t place = 0;
  for (auto [k, i] : llvm::enumerate(index)) {
    const int64_t size = std::max<int64_t>(relation.local()[k], 1);
    place = place * relation.sharding().tiles()[k] + i / size;
    found.second.index.push_back(i % size);
  }
  found.second.device = copies.devicesOf[copy][place];
  return found;
}

std::optional<Witness> firstWitness(AtPoints &points,
                                    const CopiesOfResult &copies,
                                    const EntryArrays &entry,
                                    const std::optional<Witness> &found) {
  std::optional<NumbersAt> numbers;
  const std::vector<AtPoints::Point> all = pointsOf(copies);
  if (const auto first = points.firstApart(copies.result, all))
    numbers = points.apartAt(copies.result, all[*first]);
  if (!numbers && found)
    numbers = points.apartAt(copies.result, found->first.index);
  if (!numbers && !found) return std::nullopt;
  Witness witness = witnessOf(numbers ? numbers->witness : *found, copies);
  if (numbers)
    for (const int64_t value : numbers->steering)
      witness.runtime.push_back({"", value});
  if (numbers && numbers->only) nameRead(*numbers->only, entry, witness);
  return witness;
}

}  // namespace indexical
