// Where a form of one variable and a rest changes what it says.
//
//   c * x + slot + rest,  x in [0, extent - 1], rest in an interval
//
// For c = 32, slots 0 … 31, no rest, multiples of 1000: floors change at x = 31
// (slot 8 and later), 32 (all others), 62, …: between cuts each slot has one
// floor.
#ifndef INDEXICAL_ANALYSIS_MEMORY_CUTS_H
#define INDEXICAL_ANALYSIS_MEMORY_CUTS_H

#include <cstdint>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/indexing/interval.h"

namespace indexical {
namespace lanes {

struct Cut {
  int64_t coefficient = 1;  ///< not 0
  int64_t extent = 1;
  Interval rest = Interval::point(0);
};

/// The values of x in [1, extent - 1], sorted, from which on the floor by
/// `divisor` of some slot's least or most value is another one. False where
/// there would be as many as values of x.
bool cutAtMultiples(const Cut &cut, llvm::ArrayRef<int64_t> slots,
                    int64_t divisor, std::vector<int64_t> &cuts);

/// The same, from which on some slot's least or most value is on the other side
/// of a bound.
bool cutAtBounds(const Cut &cut, llvm::ArrayRef<int64_t> slots,
                 const Interval &bounds, std::vector<int64_t> &cuts);

}  // namespace lanes
}  // namespace indexical

#endif  // INDEXICAL_ANALYSIS_MEMORY_CUTS_H
