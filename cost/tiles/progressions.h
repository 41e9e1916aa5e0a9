// Progressions of indices, their products, and unions of these; private to
// analysis/.
//
//   first 1, count 3, stride 4        1, 5, 9
//   {[0, 8)}, {[8, 16)}, {[0, 8)}     as pieces that share nothing: {[0, 16)}
//
// A tile is a product of progressions, one for each dimension. The turns of a
// loop read a union of such products, which may share elements: the windows of
// two turns, or an array that a concatenation joins to itself. A union of
// pieces without common elements is counted by adding up.
//
// Law (tests/cost/tiles/progressions_test.cc): each function returns what
// sets of points return.
#ifndef INDEXICAL_COST_TILES_PROGRESSIONS_H
#define INDEXICAL_COST_TILES_PROGRESSIONS_H

#include <cstdint>
#include <optional>
#include <vector>

#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/budget.h"

namespace indexical {

/// first, first + stride, …; the stride is at least 1.
struct ArithmeticProgression {
  int64_t first = 0, count = 0, stride = 1;

  /// Requires that it lies in a tensor, and that `count` is at least 1.
  int64_t last() const { return first + (count - 1) * stride; }
  bool operator==(const ArithmeticProgression &o) const {
    return first == o.first && count == o.count && stride == o.stride;
  }
  bool operator<(const ArithmeticProgression &o) const;
};

/// Returns the part of the progression in [0, size).
ArithmeticProgression within(ArithmeticProgression p, int64_t size);
/// Returns the values that both have. Both must lie in a tensor: their values
/// are at least 0.
ArithmeticProgression common(const ArithmeticProgression &a,
                             const ArithmeticProgression &b);

/// One progression for each dimension. A product of none has one element.
using ProgressionBox = llvm::SmallVector<ArithmeticProgression, 2>;

/// Returns the number of elements; kInfinity if it leaves 64 bits.
int64_t countOf(const ProgressionBox &box);
/// Returns the sum of the boxes' numbers; kInfinity if it leaves 64 bits.
int64_t countOf(const std::vector<ProgressionBox> &boxes);

/// Returns boxes that share no elements and have those of `boxes`, whose
/// numbers of dimensions must be equal. Returns nothing if the meter does not
/// suffice.
std::optional<std::vector<ProgressionBox>> withoutOverlap(
    std::vector<ProgressionBox> boxes, Meter &meter);
/// Returns the elements that two lists have in common. If the boxes of each
/// list share none, neither do those of the result. Returns nothing if the
/// meter does not suffice.
std::optional<std::vector<ProgressionBox>> common(
    const std::vector<ProgressionBox> &a, const std::vector<ProgressionBox> &b,
    Meter &meter);

}  // namespace indexical

#endif  // INDEXICAL_COST_TILES_PROGRESSIONS_H
