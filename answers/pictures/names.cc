#include "indexical/answers/pictures/names.h"

#include <algorithm>

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

llvm::SmallVector<size_t, 2> shownBeside(llvm::ArrayRef<IndexingMap> maps,
                                         llvm::ArrayRef<size_t> shown) {
  llvm::SmallVector<int, 4> weights;  // 2: follows from what is shown
  for (const IndexingMap &map : maps) {
    const auto results = map.results();
    const size_t rank = map.dimensions().size();
    weights.resize(std::max(weights.size(), results.size()), 0);
    auto isShown = [&](size_t k) {
      return shown.empty() ? k + 2 >= rank : llvm::is_contained(shown, k);
    };
    for (size_t k = 0; k < results.size(); ++k)
      map.expressions().visitVariables(results[k], [&](VariableId id) {
        if (id.kind == VariableKind::Range)
          weights[k] = std::max(weights[k], 1);
        else if (id.kind == VariableKind::Dimension && isShown(id.index))
          weights[k] = 2;
      });
  }
  if (weights.size() < 3) return {};
  llvm::SmallVector<size_t, 2> order;
  for (size_t k = weights.size(); k > 0; --k) order.push_back(k - 1);
  llvm::stable_sort(
      order, [&](size_t a, size_t b) { return weights[a] > weights[b]; });
  order.resize(2);
  llvm::sort(order);
  return order;
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
