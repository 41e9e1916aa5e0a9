#include "indexical/cost/sparsity/pattern.h"

#include <algorithm>
#include <numeric>

namespace indexical {
namespace {

/// Returns the largest number of rows such that groups of so many are equal.
int64_t equalRows(const SparsePattern &pattern) {
  int64_t size = pattern.rows();
  for (int64_t row = 1; row < pattern.rows(); ++row)
    if (pattern.row(row) != pattern.row(row - 1)) size = std::gcd(size, row);
  return size;
}

}  // namespace

SparsePattern::SparsePattern(int64_t rows, int64_t columns,
                             std::vector<Place> places)
    : first_(rows + 1, 0), columnCount_(columns) {
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  columns_.reserve(places.size());
  for (const auto &[row, column] : places) {
    ++first_[row + 1];
    columns_.push_back(column);
  }
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
}

SparsePattern SparsePattern::transposed() const {
  SparsePattern turned;
  turned.columnCount_ = rows();
  turned.first_.assign(columnCount_ + 1, 0);
  for (int64_t column : columns_) ++turned.first_[column + 1];
  std::partial_sum(turned.first_.begin(), turned.first_.end(),
                   turned.first_.begin());
  turned.columns_.resize(columns_.size());
  std::vector<int64_t> next = turned.first_;
  for (int64_t r = 0; r < rows(); ++r)
    for (int64_t column : row(r)) turned.columns_[next[column]++] = r;
  return turned;
}

int64_t SparsePattern::largestRow() const {
  int64_t largest = 0;
  for (int64_t r = 0; r < rows(); ++r)
    largest = std::max(largest, first_[r + 1] - first_[r]);
  return largest;
}

Band bandOf(const SparsePattern &pattern) {
  Band band;
  for (int64_t r = 0; r < pattern.rows(); ++r) {
    const auto columns = pattern.row(r);
    if (columns.empty()) continue;
    band.lower = std::max(band.lower, r - columns.front());
    band.upper = std::max(band.upper, columns.back() - r);
  }
  return band;
}

BlockSize blocksOf(const SparsePattern &pattern) {
  // Within a group of equal rows and a group of equal columns, all places are
  // alike.
  return {equalRows(pattern), equalRows(pattern.transposed())};
}

int64_t partsOf(const SparsePattern &pattern) {
  // A forest of columns. Its roots are counted.
  std::vector<int64_t> parent(pattern.columnCount(), -1);
  auto rootOf = [&](int64_t column) {
    int64_t root = column;
    while (parent[root] != root) root = parent[root];
    while (parent[column] != root) column = std::exchange(parent[column], root);
    return root;
  };
  int64_t parts = 0;
  for (int64_t r = 0; r < pattern.rows(); ++r) {
    const auto columns = pattern.row(r);
    for (int64_t column : columns) {
      if (parent[column] < 0) {
        parent[column] = column;
        ++parts;
      }
      const int64_t first = rootOf(columns.front()), other = rootOf(column);
      if (first == other) continue;
      parent[other] = first;
      --parts;
    }
  }
  return parts;
}

}  // namespace indexical
