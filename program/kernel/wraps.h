// Where integers of 32 bits leave their range: the sizes from which an address,
// a mask or a number of trips is computed wrongly.
//
//   x + r * C + c, with c < C, in a grid of R programs r
//     r * C      at most (R - 1) * C, at a lane that the mask lets through:
//                from R * C - C > 2147483647
//     first      R = 46342, C = 46341
//   pid * 128 + t < n, in a grid of cdiv(n, 128)
//     never: 128 * cdiv(n, 128) - 1 <= 2147483647 for every n of 32 bits
//
// Each sum, difference and product of 32 bits, and each longer integer that is
// cut to 32 bits, is bounded by a polynomial of the sizes: its variables are at
// the ends of what the grid, the tile, the loops and the mask leave them. The
// bound grows with every size, so that it is enough to look at the largest
// ones, and the smallest sizes past it are found by bisection. At these a lane
// is looked for that wraps, in a turn that each loop has, and that the mask
// lets through; if there is none, the answer is undecided. Sizes and other
// arguments are from 1 to 2147483647, unless they have a value or a range.
// A value that is in no term, such as the sum of a tile, leaves the answer
// undecided: what it is computed of may leave 32 bits.
// A value that is read only without a sign (extended by zeros, compared without
// one) is from 0 to 4294967295. A limit of the mask holds where its own terms
// do not wrap; these are looked at without it.
// Conditions of several sizes put one size in place of another (`R == C`), and
// bound what bounds alone do not (`R * C <= 2147483647`).
//
// Laws (tests/program/kernel/wraps_test.cc, by enumeration at smaller ranges):
// `never` holds at all sizes; `first` wraps at a lane that the mask lets
// through; where the condition does not hold, nothing wraps.
#ifndef INDEXICAL_PROGRAM_KERNEL_WRAPS_H
#define INDEXICAL_PROGRAM_KERNEL_WRAPS_H

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/diagnostic.h"
#include "indexical/program/kernel/size_terms.h"
#include "indexical/program/kernel/terms.h"

namespace indexical::kernels {

/// An access as terms.
struct WrapAccess {
  TermId pointer = 0;
  std::optional<TermId> mask;
  /// The loops around it: their numbers, and how often they run.
  std::vector<std::pair<int64_t, TermId>> loops;
  llvm::SmallVector<int64_t, 4> tile;
  Place place;
};

struct WrapSpace {
  std::array<SizeTerm, 3> grid;
  std::vector<std::string> arguments;  ///< their names, by number
  SizeValues values;                   ///< of arguments and other sizes
  SizeRanges ranges;  ///< narrower ones than from 1 to the greatest integer
  /// Other assumptions about names without a value; other names are numbers.
  std::vector<SizeCondition> conditions;
  int32_t bits = 32;  ///< of the integers that are looked at
};

struct WrapsCheck {
  enum Answer : uint8_t { Never, From, Undecided };
  Answer answer = Never;
  /// The sizes at which an integer leaves its range: `R * C - C > 2147483647`.
  /// Empty if the answer is not From.
  std::string where;
  std::vector<std::pair<std::string, int64_t>> first;
  Place place;         ///< of the access
  std::string reason;  ///< why it is undecided
};

/// Returns where an integer of these accesses leaves its range.
WrapsCheck wrapsOf(const Terms &terms, llvm::ArrayRef<WrapAccess> accesses,
                   const WrapSpace &space);

}  // namespace indexical::kernels

#endif  // INDEXICAL_PROGRAM_KERNEL_WRAPS_H
