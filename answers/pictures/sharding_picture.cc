// Pictures of the devices that hold the elements of a tensor.
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/pictures/names.h"
#include "indexical/answers/pictures/pictures.h"

namespace indexical {
namespace {

/// Local arrays of more devices are not drawn one by one.
constexpr int64_t kMostLocal = 16;
/// Local arrays beside each other.
constexpr int64_t kLocalInABand = 8;
/// Planes of a tensor of three dimensions.
constexpr int64_t kMostPlanes = 8;

using Index = llvm::SmallVector<int64_t, 4>;

/// The data from which a sharded tensor is drawn, kept by the functions of its
/// cells.
struct Drawn {
  ShardedRelation relation;
  /// A number for each different tile, in the order of the first devices that
  /// hold them.
  std::map<std::vector<int64_t>, uint32_t> tiles;

  explicit Drawn(const ShardedRelation &of) : relation(of) {
    for (int64_t device = 0; device < of.sharding().devices(); ++device)
      if (auto holding = of.sharding().holding(device))
        tiles.try_emplace(keyOf(*holding), tiles.size());
  }
  static std::vector<int64_t> keyOf(const Sharding::Holding &holding) {
    return {holding.tile.begin(), holding.tile.end()};
  }
  Look lookOf(int64_t device) const {
    const auto holding = relation.sharding().holding(device);
    if (!holding) return {Look::Kind::Hole};
    const uint32_t number = tiles.at(keyOf(*holding));
    return Look::marked(number, number / Look::kColours % 2 == 1);
  }
};

/// `0`, `0 2`, `0 1 2…`: what fits into a cell.
std::string shortList(llvm::ArrayRef<ShardedRelation::Copy> copies) {
  std::string text;
  for (auto [k, copy] : llvm::enumerate(copies)) {
    if (k == 3) return text + "…";
    text += (k ? " " : "") + std::to_string(copy.device);
  }
  return text;
}

std::string titleOf(llvm::ArrayRef<int64_t> index,
                    llvm::ArrayRef<ShardedRelation::Copy> copies,
                    bool hasParts) {
  std::string text = indexText(index) + ":";
  if (copies.empty()) return text + " on no device";
  text += copies.size() == 1 ? " device" : " devices";
  for (auto [k, copy] : llvm::enumerate(copies)) {
    text += (k ? ", " : " ") + std::to_string(copy.device);
    if (hasParts) text += " (part " + std::to_string(copy.part) + ")";
  }
  return text;
}

/// The whole tensor, or one plane of it.
CellGrid wholeGrid(const std::shared_ptr<const Drawn> &drawn,
                   llvm::ArrayRef<int64_t> at) {
  llvm::SmallVector<Interval, 4> sides;
  for (int64_t size : drawn->relation.global()) sides.push_back({0, size - 1});
  const Plane plane(sides, {}, at);
  CellGrid grid;
  grid.title = at.empty() || at.size() < 3
                   ? "the whole: the devices that hold each element"
                   : "d0 = " + std::to_string(at[0]);
  plane.apply(grid, 'd');
  grid.cell = [drawn, plane](int64_t row, int64_t column) {
    const Index index = plane.indexOf(row, column);
    const auto copies = drawn->relation.copiesOf(index);
    Cell cell;
    cell.title = titleOf(index, copies, drawn->relation.sharding().parts() > 1);
    cell.text = shortList(copies);
    cell.look = copies.empty() ? Look{Look::Kind::Hole}
                               : drawn->lookOf(copies[0].device);
    return cell;
  };
  return grid;
}

/// Returns the grid of one device's elements, padding too.
CellGrid localGrid(const std::shared_ptr<const Drawn> &drawn, int64_t device) {
  const ShardedRelation &relation = drawn->relation;
  llvm::SmallVector<Interval, 4> sides;
  for (int64_t size : relation.local()) sides.push_back({0, size - 1});
  const Index zero(sides.size(), 0);
  const Plane plane(sides, {}, zero);
  CellGrid grid;
  grid.title = "device " + std::to_string(device);
  plane.apply(grid, 'l');
  grid.cell = [drawn, plane, device](int64_t row, int64_t column) {
    const Index index = plane.indexOf(row, column);
    const auto global = drawn->relation.globalOf(device, index);
    Cell cell;
    cell.title = "local " + indexText(index);
    if (!global) {
      cell.look.kind = Look::Kind::Padding;
      cell.title += ": padding";
      return cell;
    }
    cell.title += " is " + indexText(*global);
    for (size_t k = 0; k < global->size(); ++k)
      cell.text += (k ? "," : "") + std::to_string((*global)[k]);
    cell.look = drawn->lookOf(device);
    return cell;
  };
  if (const auto box = relation.box(device); !box)
    grid.notes.push_back("holds nothing");
  else if (relation.sharding().parts() > 1)
    grid.notes.push_back(
        "part " + std::to_string(relation.sharding().holding(device)->part));
  return grid;
}

}  // namespace

absl::StatusOr<Picture> pictureOfSharding(const std::string &title,
                                          const ShardedRelation &relation) {
  const Sharding &sharding = relation.sharding();
  auto refuse = [](const std::string &why) {
    return absl::InvalidArgumentError(why);
  };
  if (sharding.none() != NoElements::None)
    return refuse("there are no global elements to draw: the sharding is " +
                  reasonOf(sharding.none()).str());
  if (sharding.devices() < 0)
    return refuse(
        "the number of devices is not known; --partitions=N gives it");
  const int64_t devices = sharding.devices();
  if (devices > kMostDrawnDevices)
    return refuse("up to " + std::to_string(kMostDrawnDevices) +
                  " devices are drawn, and there are " +
                  std::to_string(devices));
  if (relation.global().size() > 3)
    return refuse("up to 3 dimensions are drawn, and the tensor has " +
                  std::to_string(relation.global().size()));
  Picture picture;
  picture.title = title;
  if (llvm::is_contained(relation.global(), 0)) {
    picture.notes.push_back("the tensor has no elements");
    return picture;
  }
  const auto drawn = std::make_shared<const Drawn>(relation);
  if (relation.global().size() < 3) {
    const Index zero(relation.global().size(), 0);
    picture.bands.push_back({wholeGrid(drawn, zero)});
  } else {
    // A plane where a tile of the first dimension begins, and those behind it
    // as far as there is room.
    const int64_t size = relation.global()[0];
    std::vector<int64_t> planes;
    for (int64_t at = 0; at < size; at += relation.local()[0])
      planes.push_back(at);
    if (size <= kMostPlanes) {
      planes.clear();
      for (int64_t at = 0; at < size; ++at) planes.push_back(at);
    }
    if (static_cast<int64_t>(planes.size()) < size)
      picture.notes.push_back("planes where tiles of d0 begin");
    if (static_cast<int64_t>(planes.size()) > kMostPlanes) {
      picture.notes.push_back("the first " + std::to_string(kMostPlanes) +
                              " of them");
      planes.resize(kMostPlanes);
    }
    auto &band = picture.bands.emplace_back();
    for (int64_t at : planes) band.push_back(wholeGrid(drawn, {at, 0, 0}));
  }
  if (devices <= kMostLocal && relation.global().size() < 3)
    for (int64_t device = 0; device < devices; ++device) {
      if (device % kLocalInABand == 0) picture.bands.emplace_back();
      picture.bands.back().push_back(localGrid(drawn, device));
    }
  picture.legend.push_back({Look::marked(0), "a tile; copies have one colour"});
  picture.legend.push_back({{Look::Kind::Padding}, "padding"});
  return picture;
}

}  // namespace indexical
