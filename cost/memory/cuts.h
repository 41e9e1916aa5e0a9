// The values of a variable at which a form of it and a rest gets another floor,
// or crosses a bound.
//
//   c * x + slot + rest,  x in [0, extent - 1], rest in an interval
//
// For c = 32, slots 0 … 31, no rest, multiples of 1000: floors change at x = 31
// (slot 8 and later), 32 (all others), 62, …: between cuts each slot has one
// floor.
#ifndef INDEXICAL_COST_MEMORY_CUTS_H
#define INDEXICAL_COST_MEMORY_CUTS_H

#include <cstdint>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/indexing/budget.h"
#include "indexical/indexing/interval.h"

namespace indexical {
namespace lanes {

/// A term coefficient * x + rest, whose variable x is cut. Not the Cut of
/// simplifier/measures.h, which is a digit of a form.
struct CutTerm {
  int64_t coefficient = 1;  ///< not 0
  int64_t extent = 1;
  Interval rest = Interval::point(0);
};

/// Adds to `cuts` the values of x in [1, extent - 1], sorted, from which on
/// some slot's least or greatest value has another floor by `divisor`. Returns
/// false if these are all values of x, if `rest` alone spans the divisor, or if
/// the meter does not suffice for boxes between so many cuts.
bool cutAtMultiples(const CutTerm &cut, llvm::ArrayRef<int64_t> slots,
                    int64_t divisor, Meter &meter, std::vector<int64_t> &cuts);

/// Adds to `cuts` the values of x from which on some slot's least or greatest
/// value is on the other side of a bound. Returns false if these are all values
/// of x.
bool cutAtBounds(const CutTerm &cut, llvm::ArrayRef<int64_t> slots,
                 const Interval &bounds, std::vector<int64_t> &cuts);

}  // namespace lanes
}  // namespace indexical

#endif  // INDEXICAL_COST_MEMORY_CUTS_H
