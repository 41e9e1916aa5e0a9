// A sparse matrix's entries by row and column.
//
//   1 1 . .      first    {0, 2, 4, 5, 6}     of each row, and behind the last
//   1 1 . .      columns  {0, 1, 0, 1, 2, 3}
//   . . 1 .
//   . . . 1      lower 1, upper 1, 3 parts, blocks of 1 x 1
//
// Laws (tests/cost/sparsity/sparsity_test.cc, by looking at every place): the
// transpose has the places with sides exchanged; band, blocks and parts are
// what they say.
#ifndef INDEXICAL_COST_SPARSITY_PATTERN_H
#define INDEXICAL_COST_SPARSITY_PATTERN_H

#include <cstdint>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

namespace indexical {

/// A pattern in the form that is called CSR: compressed rows.
class SparsePattern {
 public:
  using Place = std::pair<int64_t, int64_t>;  ///< row and column

  SparsePattern() = default;
  /// Makes the pattern with these places, in any order and any number of times.
  /// Requires places within the sides.
  SparsePattern(int64_t rows, int64_t columns, std::vector<Place> places);

  int64_t rows() const { return static_cast<int64_t>(first_.size()) - 1; }
  int64_t columnCount() const { return columnCount_; }
  int64_t entries() const { return static_cast<int64_t>(columns_.size()); }
  /// Returns the columns of a row's entries, sorted.
  llvm::ArrayRef<int64_t> row(int64_t row) const {
    return llvm::ArrayRef(columns_).slice(first_[row],
                                          first_[row + 1] - first_[row]);
  }
  /// Returns the number of entries before each row, and behind the last.
  llvm::ArrayRef<int64_t> firsts() const { return first_; }
  /// Returns the columns of all entries, row by row.
  llvm::ArrayRef<int64_t> columns() const { return columns_; }

  SparsePattern transposed() const;
  int64_t largestRow() const;

 private:
  std::vector<int64_t> first_ = {0}, columns_;
  int64_t columnCount_ = 0;
};

/// The entries lie on the main diagonal, on `lower` diagonals below it, and on
/// `upper` above it.
struct Band {
  int64_t lower = 0, upper = 0;
};
Band bandOf(const SparsePattern &pattern);

/// The largest height and the largest width for which the pattern is composed
/// of blocks of that size, each full or empty, side by side from the first
/// place on. Without entries the whole matrix is one empty block.
struct BlockSize {
  int64_t rows = 1, columns = 1;
};
BlockSize blocksOf(const SparsePattern &pattern);

/// Returns the number of parts without a common row or column into which the
/// entries fall: with rows and columns in another order they are blocks along
/// the diagonal.
int64_t partsOf(const SparsePattern &pattern);

}  // namespace indexical

#endif  // INDEXICAL_COST_SPARSITY_PATTERN_H
