// The relation (device, local) -> global of a sharded tensor, both ways.
#include <algorithm>
#include <string>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/program/sharding/sharding.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

/// Returns ceil(size / tiles), for sizes up to 2^63 - 1.
int64_t tileSize(int64_t size, int64_t tiles) {
  return size / tiles + (size % tiles != 0);
}

/// Returns the tile of a device in each dimension, as digits of its number.
llvm::SmallVector<Expr, 4> tilesOf(const Sharding::Iota &iota, size_t rank,
                                   Expr device, IndexingMapBuilder &builder) {
  // The position of the device in the grid has the digits of its number, in
  // another order.
  llvm::SmallVector<int64_t, 6> strides(iota.sizes.size(), 1);
  for (size_t k = iota.sizes.size(); k-- > 1;)
    strides[k - 1] = strides[k] * iota.sizes[k];
  Expr position = builder.constant(0);
  int64_t weight = 1;
  for (int64_t k : llvm::reverse(iota.order)) {
    position =
        position + mod(floorDiv(device, strides[k]), iota.sizes[k]) * weight;
    weight *= iota.sizes[k];
  }
  llvm::SmallVector<Expr, 4> tiles(rank);
  int64_t below = 1;
  for (size_t k = iota.grid.size(); k-- > 0; below *= iota.grid[k])
    if (k < rank) tiles[k] = mod(floorDiv(position, below), iota.grid[k]);
  return tiles;
}

}  // namespace

int64_t elementsOf(const ElementBox &box) {
  int64_t count = 1;
  for (auto [begin, end] : box)
    if (llvm::MulOverflow(count, end - begin, count)) return INT64_MAX;
  return count;
}

ShardedRelation::ShardedRelation(llvm::ArrayRef<int64_t> global,
                                 Sharding sharding)
    : global_(global.begin(), global.end()), sharding_(std::move(sharding)) {
  for (auto [size, tiles] : llvm::zip(global_, sharding_.tiles()))
    local_.push_back(tileSize(size, tiles));
}

absl::StatusOr<ShardedRelation> ShardedRelation::make(
    llvm::ArrayRef<int64_t> global, Sharding sharding) {
  if (global.size() != sharding.rank())
    return absl::InvalidArgumentError(
        "the sharding is of rank " + std::to_string(sharding.rank()) +
        ", and the tensor of rank " + std::to_string(global.size()));
  for (int64_t size : global)
    if (size < 0)
      return absl::InvalidArgumentError(
          "a sharded tensor needs sizes that are known");
  return ShardedRelation(global, std::move(sharding));
}

std::optional<ElementBox> ShardedRelation::box(int64_t device) const {
  auto holding = sharding_.holding(device);
  if (!holding) return std::nullopt;
  ElementBox box;
  for (size_t k = 0; k < global_.size(); ++k) {
    int64_t begin = 0;
    // Beyond the last element the product may leave 64 bits.
    if (llvm::MulOverflow(holding->tile[k], local_[k], begin) ||
        begin > global_[k])
      begin = global_[k];
    box.emplace_back(begin, begin + std::min(local_[k], global_[k] - begin));
  }
  return box;
}

std::optional<Int64s> ShardedRelation::globalOf(
    int64_t device, llvm::ArrayRef<int64_t> local) const {
  auto within = box(device);
  if (!within || local.size() != local_.size()) return std::nullopt;
  Int64s global;
  for (size_t k = 0; k < local.size(); ++k) {
    const auto [begin, end] = (*within)[k];
    if (local[k] < 0 || local[k] >= end - begin) return std::nullopt;
    global.push_back(begin + local[k]);
  }
  return global;
}

std::optional<Int64s> ShardedRelation::localOf(
    int64_t device, llvm::ArrayRef<int64_t> global) const {
  auto within = box(device);
  if (!within || global.size() != global_.size()) return std::nullopt;
  Int64s local;
  for (size_t k = 0; k < global.size(); ++k) {
    const auto [begin, end] = (*within)[k];
    if (global[k] < begin || global[k] >= end) return std::nullopt;
    local.push_back(global[k] - begin);
  }
  return local;
}

std::vector<ShardedRelation::Copy> ShardedRelation::copiesOf(
    llvm::ArrayRef<int64_t> element) const {
  std::vector<Copy> copies;
  for (int64_t device = 0; device < sharding_.devices(); ++device)
    if (auto local = localOf(device, element))
      copies.push_back(
          {device, sharding_.holding(device)->part, *std::move(local)});
  return copies;
}

namespace {

/// Returns one map of the relation, for all devices or for one.
struct MapWriter {
  llvm::ArrayRef<int64_t> global, local;
  Direction direction;

  absl::StatusOr<IndexingMap> write(
      int64_t devices, std::optional<int64_t> only,
      llvm::function_ref<llvm::SmallVector<Expr, 4>(Expr, IndexingMapBuilder &)>
          tilesAt) const {
    IndexingMapBuilder builder;
    const bool reads = direction == Direction::OutputToInput;
    const Interval all{only.value_or(0), only.value_or(devices - 1)};
    llvm::SmallVector<Expr, 4> indices;
    Expr device;
    // The inverse has every device that may hold the element for its range.
    if (devices >= 0)
      device = reads ? builder.dimension(all, "device")
                     : builder.range(all, "device");
    for (auto [k, size] : llvm::enumerate(reads ? local : global))
      indices.push_back(
          builder.dimension({0, size - 1}, "d" + std::to_string(k)));
    llvm::SmallVector<Expr, 4> tiles;
    if (devices >= 0)
      tiles = tilesAt(device, builder);
    else
      tiles.assign(indices.size(), builder.constant(0));
    if (!reads && devices >= 0) builder.result(device);
    for (size_t k = 0; k < indices.size(); ++k) {
      Expr begin = tiles[k] * local[k];
      Expr result = reads ? begin + indices[k] : indices[k] - begin;
      builder.result(result);
      builder.constraint(result, {0, (reads ? global[k] : local[k]) - 1});
    }
    INDEXICAL_ASSIGN_OR_RETURN(auto map, builder.build());
    return simplify(map);
  }
};

}  // namespace

absl::StatusOr<IndexingRelation> ShardedRelation::map(
    Direction direction) const {
  IndexingRelation relation;
  if (sharding_.none() != NoElements::None || llvm::is_contained(global_, 0))
    return relation;
  const MapWriter writer{global_, local_, direction};
  const int64_t devices = sharding_.devices();
  auto add = [&](absl::StatusOr<IndexingMap> map) {
    INDEXICAL_RETURN_IF_ERROR(map.status());
    if (!map->isKnownEmpty()) relation.add(*std::move(map));
    return absl::OkStatus();
  };
  auto whole = [&](Expr, IndexingMapBuilder &builder) {
    return llvm::SmallVector<Expr, 4>(global_.size(), builder.constant(0));
  };
  absl::Status status = absl::OkStatus();
  if (sharding_.isReplicated()) {
    status = add(writer.write(devices, std::nullopt, whole));
  } else if (sharding_.iota()) {
    status = add(writer.write(
        devices, std::nullopt, [&](Expr device, IndexingMapBuilder &builder) {
          return tilesOf(*sharding_.iota(), global_.size(), device, builder);
        }));
  } else if (sharding_.parts() > 1 &&
             sharding_.tiles().size() ==
                 static_cast<size_t>(llvm::count(sharding_.tiles(), 1))) {
    status = add(writer.write(devices, std::nullopt, whole));
  } else {
    int64_t pieces = 0;
    for (int64_t device = 0; device < devices && status.ok(); ++device) {
      auto holding = sharding_.holding(device);
      if (!holding) continue;
      if (++pieces > kMostPieces)
        return absl::ResourceExhaustedError(
            "the map would have a piece for each of more than " +
            std::to_string(kMostPieces) + " devices");
      status = add(
          writer.write(devices, device, [&](Expr, IndexingMapBuilder &builder) {
            llvm::SmallVector<Expr, 4> tiles;
            for (int64_t tile : holding->tile)
              tiles.push_back(builder.constant(tile));
            return tiles;
          }));
    }
  }
  INDEXICAL_RETURN_IF_ERROR(status);
  return relation;
}

}  // namespace indexical
