// Layouts of CuTe: nested shapes and strides, and their algebra.
//
//   ((2,2),8):((1,2),4)   modes (2,2) with strides (1,2), and 8 with stride 4
//
//   complement(4:2, 24)            (2,3):(1,8)
//   coalesce((2,1,6):(1,7,2))      12:1
//   right_inverse((4,2):(2,1))     (2,4):(4,1)
//   left_inverse(8:12)             (12,8):(0,1)
//
// A linear index goes through the modes, the first one fastest; the last mode
// goes on past its size. A stride may belong to an axis: `1@0` counts along
// output 0.
//
// Laws (tests/layout/operations_test.cc, by enumeration), A and B over linear
// indices:
//   coalesced(A) has A's value at every index, with the fewest modes
//   complement(A, n) increases, meets A only in 0, and (A, it) is one to one;
//     (A, it) reaches all offsets below n if and only if fills()
//   A(rightInverse(A)(i)) == i for every i below its size
//   A(leftInverse(A)(A(i))) == A(i)
//
// Source: CUTLASS, include/cute/layout.hpp and media/docs.
#ifndef INDEXICAL_LAYOUT_CUTE_H
#define INDEXICAL_LAYOUT_CUTE_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"

namespace indexical::layouts {

/// A mode: a size with a stride, or a tuple of modes.
struct Cute {
  int64_t size = 1, stride = 0;
  int axis = -1;  ///< the output that the stride counts along; -1: the only one
  bool isTuple = false;
  std::vector<Cute> modes;  ///< of a tuple

  static Cute leaf(int64_t size, int64_t stride, int axis = -1) {
    return {size, stride, axis, false, {}};
  }
  static Cute tuple(std::vector<Cute> modes) {
    return {1, 0, -1, true, std::move(modes)};
  }
  /// Returns the modes of a tuple, or the one that this is.
  llvm::ArrayRef<Cute> top() const;
  /// Returns the leaves in order.
  std::vector<Cute> leaves() const;
  /// Returns the number of indices, or nothing if it leaves 64 bits.
  std::optional<int64_t> points() const;
  /// Returns the text, `(4,8):(1,4)`.
  std::string str() const;
};

Cute coalesced(const Cute &layout);

/// Returns the complement of A up to `size`. Returns an error if a stride of A
/// is below the reach of the smaller ones, or negative, or a number leaves 64
/// bits.
absl::StatusOr<Cute> complement(const Cute &layout, int64_t size);
/// Returns whether the layout and its complement reach all offsets: each of the
/// sorted strides is a multiple of the reach of those below.
bool fills(const Cute &layout);

absl::StatusOr<Cute> rightInverse(const Cute &layout);
/// Returns an error if a sorted stride does not divide the next, or if no
/// layout has the law.
absl::StatusOr<Cute> leftInverse(const Cute &layout);

/// Returns the greatest offset plus 1. Returns an error if it leaves 64 bits,
/// or for strides of axes.
absl::StatusOr<int64_t> cosize(const Cute &layout);

}  // namespace indexical::layouts

#endif  // INDEXICAL_LAYOUT_CUTE_H
