#include "indexical/pictures/names.h"

#include "llvm/ADT/STLExtras.h"

namespace indexical {

std::string indexText(llvm::ArrayRef<int64_t> index) {
  std::string text = "(";
  for (size_t k = 0; k < index.size(); ++k)
    text += (k ? ", " : "") + std::to_string(index[k]);
  return text + ")";
}

std::string countText(int64_t count, const char *what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

Plane::Plane(llvm::ArrayRef<Interval> sides, llvm::ArrayRef<size_t> shown,
             llvm::ArrayRef<int64_t> at)
    : sides_(sides.begin(), sides.end()), at_(at.begin(), at.end()) {
  const size_t rank = sides.size();
  if (shown.empty()) {
    if (rank > 1) row_ = rank - 2;
    if (rank > 0) column_ = rank - 1;
    return;
  }
  column_ = shown.back();
  if (shown.size() > 1) row_ = shown.front();
}

llvm::SmallVector<int64_t, 4> Plane::indexOf(int64_t row,
                                             int64_t column) const {
  llvm::SmallVector<int64_t, 4> index = at_;
  if (row_) index[*row_] = row;
  if (column_) index[*column_] = column;
  return index;
}

bool Plane::contains(llvm::ArrayRef<int64_t> index) const {
  for (size_t k = 0; k < index.size(); ++k)
    if (row_ != k && column_ != k && index[k] != at_[k]) return false;
  return true;
}

int64_t Plane::rowOf(llvm::ArrayRef<int64_t> index) const {
  return row_ ? index[*row_] : 0;
}

int64_t Plane::columnOf(llvm::ArrayRef<int64_t> index) const {
  return column_ ? index[*column_] : 0;
}

void Plane::apply(CellGrid &grid, char name) const {
  if (row_) {
    grid.rows = sides_[*row_].count();
    grid.firstRow = sides_[*row_].lower;
    grid.rowName = name + std::to_string(*row_);
  } else {
    grid.rowLabel = [](int64_t) { return std::string(); };
  }
  if (column_) {
    grid.columns = sides_[*column_].count();
    grid.firstColumn = sides_[*column_].lower;
    grid.columnName = name + std::to_string(*column_);
  }
}

std::string Plane::restText(char name) const {
  std::string text;
  for (size_t k = 0; k < at_.size(); ++k)
    if (row_ != k && column_ != k)
      text += (text.empty() ? "at " : ", ") + std::string(1, name) +
              std::to_string(k) + " = " + std::to_string(at_[k]);
  return text;
}

}  // namespace indexical
