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
              PartitionedWitness &witness) {
  witness.onlyInGlobal = read.isOfFirst;
  witness.isPadding = read.readsAny;
  if (!read.element) return;
  // Parts that a parameter is the sum of are no arrays of the entry.
  const auto parameter = static_cast<size_t>(read.element->parameter);
  if (parameter >= entry.arraysOf.size()) return;
  const std::vector<int64_t> &index = read.element->index;
  witness.element = {
      static_cast<int64_t>(entry.arraysOf[parameter][read.element->leaf]),
      Int64s(index.begin(), index.end())};
}

}  // namespace

PartitionedWitness witnessOf(const NumberWitness &found,
                             const CopiesOfResult &copies) {
  const ShardedRelation &relation = copies.relation;
  PartitionedWitness witness;
  witness.numbers = found;
  llvm::ArrayRef<int64_t> index = found.index;
  size_t copy = 0;
  if (copies.devicesOf.size() > 1) {
    copy = index.front();
    index = index.drop_front();
  }
  witness.globalIndex.assign(index.begin(), index.end());
  int64_t place = 0;
  for (auto [k, i] : llvm::enumerate(index)) {
    const int64_t size = std::max<int64_t>(relation.local()[k], 1);
    place = place * relation.sharding().tiles()[k] + i / size;
    witness.index.push_back(i % size);
  }
  witness.device = copies.devicesOf[copy][place];
  return witness;
}

std::optional<PartitionedWitness> firstWitness(
    AtPoints &points, const CopiesOfResult &copies, const EntryArrays &entry,
    const std::optional<NumberWitness> &found) {
  std::optional<NumbersAt> numbers;
  const std::vector<AtPoints::Point> all = pointsOf(copies);
  if (const auto first = points.firstApart(copies.result, all))
    numbers = points.apartAt(copies.result, all[*first]);
  if (!numbers && found) numbers = points.apartAt(copies.result, found->index);
  if (!numbers && !found) return std::nullopt;
  PartitionedWitness witness =
      witnessOf(numbers ? numbers->witness : *found, copies);
  if (numbers) witness.runtime = numbers->steering;
  if (numbers && numbers->only) nameRead(*numbers->only, entry, witness);
  return witness;
}

}  // namespace indexical
