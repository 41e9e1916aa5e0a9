// The values of sums at the points of a box, from tables of what each input
// adds.
//
//   d0 * 8 + (d0 mod 2 xor d1 mod 2) on 2 x 4 points
//     d0 adds 0 and bit 0, 8 and bit 1; d1 adds 0 and bits 0, 1, 0, 1
//     at (1, 3): 8 + 0, and 1 xor 1
//
// Law (tests/layout/form_test.cc): the values, which Layout::visit() has from
// here, are those of valueOf().
#ifndef INDEXICAL_LAYOUT_POINT_VALUES_H
#define INDEXICAL_LAYOUT_POINT_VALUES_H

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/layout/form.h"

namespace indexical::layouts {

class PointValues {
 public:
  /// Returns nothing if there are more than 64 parities, or if the sides of the
  /// box have more than kMostTabulated places together.
  static std::optional<PointValues> of(llvm::ArrayRef<Sum> sums, Box box);

  /// Writes the value of each sum.
  void at(llvm::ArrayRef<int64_t> point,
          llvm::MutableArrayRef<int64_t> values) const;

 private:
  std::vector<int64_t> constants_;
  /// For each input a row for each of its places: what it adds to each sum, and
  /// then the bits of all parities. Numbers wrap, and wrap back.
  std::vector<std::vector<uint64_t>> tables_;
  std::vector<std::pair<size_t, int64_t>> parities_;  ///< sums and weights
};

}  // namespace indexical::layouts

#endif  // INDEXICAL_LAYOUT_POINT_VALUES_H
