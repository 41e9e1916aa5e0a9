// Pictures of the entries of a sparse matrix.
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "indexical/answers/pictures/pictures.h"

namespace indexical {
namespace {

/// The most cells of a side: a longer side is drawn in blocks.
constexpr int64_t kMostCells = 64;

/// Places in a cell along a side.
int64_t heightOf(int64_t side) {
  return std::max<int64_t>(1, (side + kMostCells - 1) / kMostCells);
}

/// `row 3`, or `rows 4 to 7`.
std::string spanOf(const char *what, int64_t first, int64_t count,
                   int64_t side) {
  const int64_t last = std::min(first + count, side) - 1;
  if (last == first) return what + (" " + std::to_string(first));
  return what + ("s " + std::to_string(first)) + " to " + std::to_string(last);
}

}  // namespace

Picture pictureOfPattern(const std::string &title, const SparsePattern &pattern,
                         const std::vector<int64_t> &colors) {
  const int64_t rows = pattern.rows(), columns = pattern.columnCount();
  const int64_t high = heightOf(rows), wide = heightOf(columns);
  const bool isOneEach = high == 1 && wide == 1;
  /// Entries by cell, and the column of the last one.
  struct Block {
    int64_t entries = 0, column = 0;
  };
  auto blocks =
      std::make_shared<std::map<std::pair<int64_t, int64_t>, Block>>();
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column : pattern.row(row)) {
      Block &block = (*blocks)[{row / high, column / wide}];
      ++block.entries;
      block.column = column;
    }
  const bool isColored = isOneEach && !colors.empty();
  Picture picture;
  picture.title = title;
  if (!isOneEach)
    picture.notes.push_back("a cell is a block of " + std::to_string(high) +
                            " x " + std::to_string(wide) + " places");
  CellGrid grid;
  grid.title = std::to_string(rows) + " x " + std::to_string(columns) + ", " +
               std::to_string(pattern.entries()) + " entries";
  grid.rowName = "row";
  grid.columnName = "column";
  grid.rows = (rows + high - 1) / high;
  grid.columns = (columns + wide - 1) / wide;
  // All cells are drawn: they are few.
  for (int64_t k = 0; k < grid.rows; ++k) grid.rowsOfInterest.push_back(k);
  for (int64_t k = 0; k < grid.columns; ++k)
    grid.columnsOfInterest.push_back(k);
  grid.rowLabel = [high](int64_t row) { return std::to_string(row * high); };
  grid.cell = [=](int64_t row, int64_t column) {
    Cell cell;
    cell.title = spanOf("row", row * high, high, rows) + ", " +
                 spanOf("column", column * wide, wide, columns);
    const auto block = blocks->find({row, column});
    if (block == blocks->end()) return cell;
    const int64_t color = isColored ? colors[block->second.column] : 0;
    cell.look = Look::marked(static_cast<uint32_t>(color),
                             color / Look::kColours % 2 == 1);
    if (isColored) cell.text = std::to_string(color);
    cell.title +=
        isOneEach ? ": an entry"
                  : ": " + std::to_string(block->second.entries) + " entries";
    return cell;
  };
  picture.bands = {{std::move(grid)}};
  picture.legend = {{Look::marked(0), isColored
                                          ? "an entry, with its column's colour"
                                          : "entries"}};
  return picture;
}

}  // namespace indexical
