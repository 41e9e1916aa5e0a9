// Pictures of a tile of a root, and of its tiles of every instruction behind
// it.
#include <algorithm>
#include <memory>
#include <set>

#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/pictures/names.h"
#include "indexical/answers/pictures/pictures.h"
#include "indexical/cost/tiles/tile_mask.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

/// Grids beside each other.
constexpr size_t kInBand = 3;

using Index = llvm::SmallVector<int64_t, 4>;

bool isIn(const ConcreteTile &tile, llvm::ArrayRef<int64_t> index) {
  for (size_t k = 0; k < index.size(); ++k) {
    const int64_t from = index[k] - tile.offsets[k];
    if (from < 0 || from % tile.strides[k] != 0 ||
        from / tile.strides[k] >= tile.sizes[k])
      return false;
  }
  return true;
}

/// Values of the tile along a dimension, in the tensor: the first and last
/// ones, which are all that a picture shows.
std::vector<int64_t> valuesAlong(const ConcreteTile &tile, size_t k,
                                 int64_t size) {
  constexpr int64_t kShown = 40;
  std::vector<int64_t> values;
  for (int64_t i = 0; i < tile.sizes[k]; ++i) {
    if (i == kShown) i = std::max(i, tile.sizes[k] - kShown);
    const int64_t value = tile.offsets[k] + i * tile.strides[k];
    if (value >= 0 && value < size) values.push_back(value);
  }
  return values;
}

std::string listText(const SymbolicTile &tile, llvm::ArrayRef<FormId> forms) {
  std::string text = "(";
  for (size_t k = 0; k < forms.size(); ++k)
    text += (k ? ", " : "") + tile.str(forms[k]);
  return text + ")";
}

class TileDrawing {
 public:
  explicit TileDrawing(const PictureOfTiles &question) : question_(question) {}

  absl::Status check() const {
    const auto &q = question_;
    if (q.at.size() != q.shape.size())
      return absl::InvalidArgumentError(
          "the root has " + countText(q.shape.size(), "dimension") + ", and " +
          indexText(q.at) + " has " + std::to_string(q.at.size()));
    for (size_t k = 0; k < q.at.size(); ++k)
      if (q.at[k] < 0 || q.at[k] >= q.shape[k] || q.at[k] % q.sizes[k] != 0)
        return absl::InvalidArgumentError(
            "no tile of the root begins at " + indexText(q.at) +
            ": its offsets are multiples of its sizes");
    return absl::OkStatus();
  }

  Picture draw() const {
    Picture picture;
    picture.title = question_.title;
    picture.notes.push_back("the tile at " + indexText(question_.at));
    for (const InstructionTile &tile : question_.tiles) {
      const Instruction &instruction =
          question_.computation.instructions[tile.instruction];
      const ArrayShape &shape = shapesOf(instruction.op).results[tile.leaf];
      if (picture.bands.empty() || picture.bands.back().size() == kInBand)
        picture.bands.emplace_back();
      picture.bands.back().push_back(gridOf(tile, instruction, shape));
    }
    picture.legend = {
        {Look::marked(0), "the tile"},
        {Look::marked(1), "a box around what is read: there is no tile"},
        {Look::marked(0, true),
         "also of the next tile along a dimension of the root"},
    };
    return picture;
  }

 private:
  std::optional<ConcreteTile> tileAt(const InstructionTile &tile,
                                     llvm::ArrayRef<int64_t> offsets) const {
    std::vector<int64_t> runtime;
    for (const RuntimeVariable &variable : tile.map.runtime())
      runtime.push_back(variable.bounds.lower);
    if (!tile.tile.isReadAt(offsets, {}, runtime)) return std::nullopt;
    return tile.tile.at(offsets, {}, runtime);
  }

  std::vector<ConcreteTile> neighboursOf(const InstructionTile &tile) const {
    std::vector<ConcreteTile> found;
    for (size_t k = 0; k < question_.at.size(); ++k) {
      Index next(question_.at.begin(), question_.at.end());
      next[k] += question_.sizes[k];
      if (next[k] >= question_.shape[k]) continue;
      if (auto numbers = tileAt(tile, next)) found.push_back(*numbers);
    }
    return found;
  }

  CellGrid gridOf(const InstructionTile &tile, const Instruction &instruction,
                  const ArrayShape &shape) const {
    CellGrid grid;
    grid.title = instruction.name.str() + " " + shape.str(/*withLayout=*/true);
    const auto numbers = tileAt(tile, question_.at);
    llvm::SmallVector<Interval, 4> sides;
    Index at;
    for (size_t k = 0; k < shape.dimensions.size(); ++k) {
      sides.push_back({0, std::max<int64_t>(0, shape.dimensions[k] - 1)});
      at.push_back(
          numbers ? std::clamp(numbers->offsets[k], int64_t{0}, sides[k].upper)
                  : 0);
    }
    const bool isRoot =
        tile.way.empty() && question_.tiles[0].instruction == tile.instruction;
    const Plane plane(
        sides,
        isRoot ? question_.shown : shownBeside(tile.map, question_.shown), at);
    plane.apply(grid, 'd');
    if (numbers) showTile(*numbers, sides, plane, grid);
    const Look look = Look::marked(tile.tile.isExact() ? 0 : 1);
    auto neighbours =
        std::make_shared<std::vector<ConcreteTile>>(neighboursOf(tile));
    grid.cell = [=](int64_t row, int64_t column) {
      const Index index = plane.indexOf(row, column);
      Cell cell;
      cell.title = indexText(index);
      if (!numbers || !isIn(*numbers, index)) return cell;
      cell.look = look;
      cell.title += ": of the tile";
      if (llvm::any_of(*neighbours, [&](const ConcreteTile &other) {
            return isIn(other, index);
          })) {
        cell.look.shaded = true;
        cell.title += ", and of the next one";
      }
      return cell;
    };
    addNotes(tile, plane, grid);
    return grid;
  }

  static void showTile(const ConcreteTile &numbers,
                       llvm::ArrayRef<Interval> sides, const Plane &plane,
                       CellGrid &grid) {
    Index index(numbers.offsets.begin(), numbers.offsets.end());
    for (size_t k = 0; k < sides.size(); ++k) {
      for (int64_t value : valuesAlong(numbers, k, sides[k].upper + 1)) {
        Index at = index;
        at[k] = value;
        if (plane.rowOf(at) != plane.rowOf(index))
          grid.rowsOfInterest.push_back(plane.rowOf(at));
        if (plane.columnOf(at) != plane.columnOf(index))
          grid.columnsOfInterest.push_back(plane.columnOf(at));
      }
    }
    grid.rowsOfInterest.push_back(plane.rowOf(index));
    grid.columnsOfInterest.push_back(plane.columnOf(index));
  }

  void addNotes(const InstructionTile &each, const Plane &plane,
                CellGrid &grid) const {
    const SymbolicTile &tile = each.tile;
    if (!each.way.empty()) {
      std::string through;
      for (InstructionId i : each.way.instructions())
        through += (through.empty() ? "through " : ", ") +
                   question_.computation.instructions[i].name.str();
      grid.notes.push_back(through);
    }
    if (tile.rank() > 0) {
      grid.notes.push_back("offsets " + listText(tile, tile.offsets()));
      grid.notes.push_back("sizes " + listText(tile, tile.sizes()) +
                           " strides " + listText(tile, tile.strides()));
    }
    addMask(each, grid);
    if (!tile.isExact() && tile.reason()) {
      const std::string blamed = tile.reason()->expression();
      grid.notes.push_back("not exact" + (blamed.empty() ? "" : ": " + blamed));
    }
    if (std::string rest = plane.restText('d'); !rest.empty())
      grid.notes.push_back(rest);
  }

  /// Notes the sizes of a tile that is not cut, if some tiles are.
  void addMask(const InstructionTile &each, CellGrid &grid) const {
    RootTile root;
    root.shape.assign(question_.shape.begin(), question_.shape.end());
    for (int64_t size : question_.sizes)
      root.sizes.push_back(TileExtent::of(size));
    const auto mask = maskOf(each, root);
    if (!mask.ok() || !each.tile.isExact() || each.tile.rank() == 0) return;
    bool isCut = false;
    for (auto [full, size] : llvm::zip_equal(mask->full(), each.tile.sizes()))
      isCut |= mask->str(full) != each.tile.str(size);
    if (!isCut) return;
    auto text = [&](llvm::ArrayRef<FormId> forms) {
      std::string list = "(";
      for (size_t k = 0; k < forms.size(); ++k)
        list += (k ? ", " : "") + mask->str(forms[k]);
      return list + ")";
    };
    grid.notes.push_back("full " + text(mask->full()) + " from " +
                         text(mask->begins()) + " to before " +
                         text(mask->ends()));
  }

  const PictureOfTiles &question_;
};

}  // namespace

absl::StatusOr<Picture> pictureOfTiles(const PictureOfTiles &question) {
  const TileDrawing drawing(question);
  INDEXICAL_RETURN_IF_ERROR(drawing.check());
  return drawing.draw();
}

}  // namespace indexical
