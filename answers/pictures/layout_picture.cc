// Pictures of the places of an array's elements in memory.
#include <map>
#include <memory>

#include "indexical/answers/pictures/names.h"
#include "indexical/answers/pictures/pictures.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/evaluation.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/address.h"

namespace indexical {
namespace {

/// The memory of a larger array is not drawn: each element has to be placed.
constexpr int64_t kMostPlaced = 1 << 18;
/// Elements of a row of memory.
constexpr int64_t kMostColumns = 32;

using Index = llvm::SmallVector<int64_t, 4>;

class Places {
 public:
  Places(const ArrayShape &shape, IndexingMap map)
      : shape_(shape), map_(std::move(map)) {}

  int64_t placeOf(llvm::ArrayRef<int64_t> index) const {
    auto value = [&](VariableId id) { return index[id.index]; };
    Evaluation evaluate(map_.expressions(), value);
    return evaluate(map_.results()[0]).value_or(0);
  }

  /// The elements by place.
  std::map<int64_t, Index> all() const {
    std::map<int64_t, Index> places;
    if (shape_.isEmpty()) return places;
    Index index(shape_.dimensions.size(), 0);
    while (true) {
      places[placeOf(index)] = index;
      size_t k = index.size();
      while (k > 0 && ++index[k - 1] == shape_.dimensions[k - 1])
        index[--k] = 0;
      if (k == 0) return places;
    }
  }

 private:
  const ArrayShape shape_;
  const IndexingMap map_;
};

std::string bytesText(int64_t place, int64_t bits) {
  return bits % 8 == 0 ? "byte " + std::to_string(place * (bits / 8))
                       : "bit " + std::to_string(place * bits);
}

CellGrid arrayGrid(const ArrayShape &shape, const Places &places, int64_t bits,
                   llvm::ArrayRef<size_t> shown, llvm::ArrayRef<int64_t> at) {
  llvm::SmallVector<Interval, 4> sides;
  for (int64_t size : shape.dimensions) sides.push_back({0, size - 1});
  const Plane plane(sides, shown, at);
  CellGrid grid;
  grid.title = "the array: where each element lies";
  plane.apply(grid, 'd');
  grid.cell = [=](int64_t row, int64_t column) {
    const Index index = plane.indexOf(row, column);
    const int64_t place = places.placeOf(index);
    Cell cell;
    cell.text = std::to_string(place);
    cell.title = indexText(index) + ": element " + cell.text + " of memory, " +
                 bytesText(place, bits);
    cell.look = Look::marked(0);
    return cell;
  };
  if (std::string rest = plane.restText('d'); !rest.empty())
    grid.notes.push_back(rest);
  return grid;
}

/// As many elements as the innermost tile, or the fastest dimension, has.
int64_t rowOfMemory(const ArrayShape &shape, int64_t stored) {
  int64_t width = stored;
  if (shape.layout && !shape.layout->tiles.empty() &&
      !shape.layout->tiles.back().dimensions.empty())
    width = shape.layout->tiles.back().dimensions.back();
  else if (shape.layout && !shape.layout->minorToMajor.empty())
    width = shape.dimensions[shape.layout->minorToMajor[0]];
  else if (!shape.dimensions.empty())
    width = shape.dimensions.back();
  return std::clamp<int64_t>(width, 1, kMostColumns);
}

CellGrid memoryGrid(const ArrayShape &shape, const Places &places,
                    int64_t stored, int64_t bits) {
  auto all = std::make_shared<std::map<int64_t, Index>>(places.all());
  const int64_t width = rowOfMemory(shape, stored);
  CellGrid grid;
  grid.title = "memory: which element lies there";
  grid.rows = ceilDiv(stored, width);
  grid.columns = width;
  grid.rowLabel = [width](int64_t row) { return std::to_string(row * width); };
  grid.cell = [=](int64_t row, int64_t column) {
    const int64_t place = row * width + column;
    Cell cell;
    if (place >= stored) return cell;
    cell.title = "element " + std::to_string(place) + " of memory, " +
                 bytesText(place, bits);
    auto found = all->find(place);
    if (found == all->end()) {
      cell.look.kind = Look::Kind::Padding;
      cell.title += ": padding";
      return cell;
    }
    cell.look = Look::marked(0);
    for (size_t k = 0; k < found->second.size(); ++k)
      cell.text += (k ? "," : "") + std::to_string(found->second[k]);
    cell.title += ": " + indexText(found->second);
    return cell;
  };
  const int64_t padding = stored - static_cast<int64_t>(all->size());
  grid.notes.push_back(countText(stored, "element") + " of memory, " +
                       std::to_string(padding) + " of them padding");
  return grid;
}

}  // namespace

absl::StatusOr<Picture> pictureOfLayout(const ArrayShape &shape,
                                        llvm::ArrayRef<size_t> shown,
                                        llvm::ArrayRef<int64_t> at) {
  const size_t rank = shape.dimensions.size();
  Index index(at.begin(), at.end());
  if (at.empty()) index.assign(rank, 0);
  bool isThere = index.size() == rank;
  for (size_t k = 0; isThere && !at.empty() && k < rank; ++k)
    isThere = index[k] >= 0 && index[k] < shape.dimensions[k];
  if (!isThere)
    return absl::InvalidArgumentError(shape.str() + " has no element " +
                                      indexText(index));
  INDEXICAL_ASSIGN_OR_RETURN(auto map, addressMap(shape));
  const auto stored = storedElements(shape);
  if (!stored)
    return absl::InvalidArgumentError("how much memory " + shape.str() +
                                      " takes is not known");
  const int64_t bits = storedBits(shape);
  const Places places(shape, std::move(map));
  Picture picture;
  picture.title = shape.str();
  if (*stored == 0 || shape.isEmpty()) {
    picture.notes.push_back("the array has no elements");
    return picture;
  }
  picture.bands.push_back({arrayGrid(shape, places, bits, shown, index)});
  if (*stored <= kMostPlaced)
    picture.bands[0].push_back(memoryGrid(shape, places, *stored, bits));
  else
    picture.notes.push_back("memory is drawn of up to " +
                            std::to_string(kMostPlaced) + " elements");
  picture.legend.push_back({Look::marked(0), "an element"});
  picture.legend.push_back({{Look::Kind::Padding}, "padding"});
  return picture;
}

}  // namespace indexical
