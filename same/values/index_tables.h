// Tables of integers as expressions of the index.
//
//   {0, 2, 4, 6}                 2 * k
//   {0, 0, 8, 8, 1, 1, 9, 9}     1 * (k floordiv 4) + 8 * (k floordiv 2 mod 2)
//   {3, 0, 1, 2}                 3 for k in [0, 0], k - 1 for k in [1, 3]
//
// A partitioner looks the offset of a device up in such a table. As an
// expression of the device it is an index as any other.
//
// Law (tests/same/values/index_tables_test.cc): the parts are disjoint and
// cover the table, and each gives the table's values.
#ifndef INDEXICAL_SAME_VALUES_INDEX_TABLES_H
#define INDEXICAL_SAME_VALUES_INDEX_TABLES_H

#include <cstdint>
#include <optional>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/interval.h"
#include "indexical/indexing/map_builder.h"

namespace indexical {

/// A digit of k: (k floordiv stride) mod size.
struct IndexDigit {
  int64_t stride = 1, size = 1;

  int64_t of(int64_t k) const { return k / stride % size; }
  /// Requires an expression in [0, count - 1].
  Expr of(Expr k, int64_t count) const {
    const Expr high = floorDiv(k, stride);
    return stride * size == count ? high : mod(high, size);
  }
};

/// A base, and a multiple of each of some digits of k.
struct DigitSum {
  int64_t base = 0;
  llvm::SmallVector<std::pair<IndexDigit, int64_t>, 4> digits;

  int64_t of(int64_t k) const;
  /// Requires an expression in [0, count - 1].
  Expr of(Expr k, int64_t count) const;
};

/// Returns the sum that gives entry k for each k; nothing if there is none.
std::optional<DigitSum> digitSumOf(llvm::ArrayRef<int64_t> table);

/// The entries at which a digit has values in an interval.
struct TablePart {
  IndexDigit digit;
  Interval values{0, 0};
  DigitSum sum;
};
/// Returns parts of the table, as few as are found, that are sums of digits;
/// nothing if there are more than `most`.
std::optional<std::vector<TablePart>> tablePartsOf(
    llvm::ArrayRef<int64_t> table, size_t most);

}  // namespace indexical

#endif  // INDEXICAL_SAME_VALUES_INDEX_TABLES_H
