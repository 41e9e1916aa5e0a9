// The number of an element as several numbers, which tell elements apart as
// well as it does.
//
//   500 * (128 * p + k) + (128 * q + n), where 128 * q + n is in [0, 499]
//     128 * q + n, and 128 * p + k      the number is the first and 500 times
//                                       the second
//
// A row whose length is not a power of two is such a digit only by its mask.
// Two equations in place of one need no search.
//
// Law (tests/cost/kernel/checks_test.cc, by enumeration): two points have one
// number if they have the same digits, and only then.
#ifndef INDEXICAL_PROGRAM_KERNEL_ELEMENT_DIGITS_H
#define INDEXICAL_PROGRAM_KERNEL_ELEMENT_DIGITS_H

#include <cstdint>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/indexing_map.h"

namespace indexical::kernels {

class ElementDigits {
 public:
  /// Takes the result of each of the maps apart, if constraints show how. The
  /// maps have one result each; those of other maps stay as they are.
  explicit ElementDigits(std::vector<IndexingMap> &maps);

  /// Returns the number that the results of a map stand for.
  int64_t elementOf(llvm::ArrayRef<int64_t> digits) const;

 private:
  llvm::SmallVector<int64_t, 2> steps_;  ///< of a digit to the next one
};

}  // namespace indexical::kernels

#endif  // INDEXICAL_PROGRAM_KERNEL_ELEMENT_DIGITS_H
