// Layouts as tables of text.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/writers/layout.h"

namespace indexical {

namespace {

constexpr int64_t kMostCells = 4096;

/// Rows of cells, each column as wide as its widest cell.
class TextTable {
 public:
  TextTable(int64_t rows, int64_t columns)
      : cells_(rows, std::vector<std::string>(columns)) {}

  std::string &at(int64_t row, int64_t column) { return cells_[row][column]; }

  void write(llvm::raw_ostream &os) const {
    std::vector<size_t> widths(cells_.empty() ? 0 : cells_[0].size(), 0);
    for (const auto &row : cells_)
      for (auto [cell, width] : llvm::zip(row, widths))
        width = std::max(width, cell.size());
    for (const auto &row : cells_) {
      std::string line;
      for (auto [cell, width] : llvm::zip(row, widths))
        line += cell + std::string(width - cell.size() + 2, ' ');
      os << llvm::StringRef(line).rtrim() << '\n';
    }
  }

 private:
  std::vector<std::vector<std::string>> cells_;
};

absl::Status checkCells(int64_t rows, int64_t columns) {
  if (rows <= kMostCells && columns <= kMostCells / rows)
    return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("the table has ", rows, " x ", columns, " cells, and ",
                   kMostCells, " at most are written"));
}

/// Returns the place of an input of that name, or -1.
int inputNamed(const layouts::Layout &layout, llvm::StringRef name) {
  for (const auto &[k, space] : llvm::enumerate(layout.inputs()))
    if (space.name == name) return static_cast<int>(k);
  return -1;
}

/// Returns the text of who holds an element: `T3:1`, with `W1` before it if
/// there are several warps; for other inputs their numbers.
std::string holderText(const layouts::Layout &layout,
                       llvm::ArrayRef<int64_t> point) {
  const int reg = inputNamed(layout, "register");
  const int lane = inputNamed(layout, "lane");
  const int warp = inputNamed(layout, "warp");
  if (lane < 0) return absl::StrJoin(point, ",");
  std::string text;
  if (warp >= 0 && layout.inputs()[warp].size > 1)
    text = absl::StrCat("W", point[warp], ".");
  absl::StrAppend(&text, "T", point[lane]);
  if (reg >= 0) absl::StrAppend(&text, ":", point[reg]);
  return text;
}

absl::Status writeElements(const layouts::Layout &layout,
                           llvm::raw_ostream &os) {
  if (layout.outputs().size() > 2 || layout.outputs().empty())
    return absl::InvalidArgumentError(
        "a table has one output or two; --view=hardware has any");
  const auto bounds = boundsOf(layout);
  layouts::Coordinates sizes;
  for (const Interval &each : bounds) {
    if (each.lower < 0)
      return absl::InvalidArgumentError("a table begins with 0");
    sizes.push_back(each.upper + 1);
  }
  for (auto [size, space] : llvm::zip(sizes, layout.outputs()))
    if (space.size != 0) size = space.size;
  const int64_t rows = sizes.size() == 2 ? sizes[0] : 1;
  const int64_t columns = sizes.back();
  INDEXICAL_RETURN_IF_ERROR(checkCells(rows, columns));
  TextTable table(rows + 1, columns + 1);
  for (int64_t r = 0; r < rows; ++r)
    table.at(r + 1, 0) = sizes.size() == 2 ? absl::StrCat(r) : "";
  for (int64_t c = 0; c < columns; ++c) table.at(0, c + 1) = absl::StrCat(c);
  layout.visit([&](llvm::ArrayRef<int64_t> point, llvm::ArrayRef<int64_t> v) {
    std::string &cell = table.at((v.size() == 2 ? v[0] : 0) + 1, v.back() + 1);
    // Of many holders the first ones are enough.
    if (cell.size() > 24) return true;
    if (!cell.empty()) cell += ' ';
    cell += holderText(layout, point);
    return true;
  });
  table.write(os);
  return absl::OkStatus();
}

absl::Status writeHardware(const layouts::Layout &layout,
                           llvm::raw_ostream &os) {
  // Rows are lanes (else the last input), columns all other inputs.
  if (layout.inputs().empty())
    return absl::InvalidArgumentError("the layout has no inputs");
  int row = inputNamed(layout, "lane");
  if (row < 0) row = static_cast<int>(layout.inputs().size()) - 1;
  const int64_t rows = layout.inputs()[row].size;
  const int64_t columns = *layout.points() / rows;
  INDEXICAL_RETURN_IF_ERROR(checkCells(rows, columns));
  TextTable table(rows + 1, columns + 1);
  table.at(0, 0) = layout.inputs()[row].name;
  for (int64_t r = 0; r < rows; ++r) table.at(r + 1, 0) = absl::StrCat(r);
  layout.visit([&](llvm::ArrayRef<int64_t> point, llvm::ArrayRef<int64_t> v) {
    int64_t column = 0;
    for (size_t k = point.size(); k-- > 0;)
      if (static_cast<int>(k) != row)
        column = column * layout.box()[k] + point[k];
    table.at(0, column + 1) = absl::StrCat(column);
    table.at(point[row] + 1, column + 1) = absl::StrJoin(v, ",");
    return true;
  });
  table.write(os);
  return absl::OkStatus();
}

}  // namespace

absl::Status writeLayoutTable(const layouts::Layout &layout, LayoutView view,
                              llvm::raw_ostream &os) {
  const auto points = layout.points();
  if (!points || *points > layouts::kMostPoints)
    return absl::InvalidArgumentError("the layout is too large for a table");
  return view == LayoutView::Hardware ? writeHardware(layout, os)
                                      : writeElements(layout, os);
}

}  // namespace indexical
