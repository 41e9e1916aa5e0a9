// Forms: the normal form of a layout.
//
//   constant + sum of weight * digit + sum of weight * parity
//
// A *digit* is (input floordiv step) mod size. A *parity* is the xor of two or
// more bits of inputs. For the swizzle of 8 rows of 8 places, offsets of
// (d0, d1):
//
//   d0 * 8                              a digit, step 1, size 8, weight 8
//   1 * (bit 0 of d0 xor bit 0 of d1)   three parities, of weights 1, 2, 4
//   2 * (bit 1 of d0 xor bit 1 of d1)
//   4 * (bit 2 of d0 xor bit 2 of d1)
//
// A sum is *normal* if its digits do not overlap, neighbours that continue one
// another are one digit, nothing has weight 0, a set of bits stands once, and
// all is in order. Bits have weights of their own only if the input's size is a
// multiple of twice the bit: of an input of 12 places, bits 0 and 1. A sum that
// could be written as digits of one input or as parities of its bits is written
// in one way (one_input.h).
//
// Laws (tests/layout/form_test.cc, by enumeration):
//   normalised(s) has the value of s at every point
//   two normal sums over one box are equal at every point if and only if they
//     are the same sum
//   split(s, n) is (high, low) with s == n * high + low and 0 <= low < n
//   tabulated(values) has these values
#ifndef INDEXICAL_LAYOUT_FORM_H
#define INDEXICAL_LAYOUT_FORM_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/interval.h"

namespace indexical::layouts {

using Coordinates = llvm::SmallVector<int64_t, 4>;

/// weight * ((input floordiv step) mod size). A size of 0 has no mod. Not an
/// atom of expressions (indexing/expression.h), nor the lanes::Digit of
/// cost/memory, whose parents are any forms.
struct Digit {
  int input = 0;
  int64_t step = 1, size = 0, weight = 0;
  bool operator==(const Digit &o) const {
    return input == o.input && step == o.step && size == o.size &&
           weight == o.weight;
  }
};

/// The number of an input, and that of a bit of it.
using Bit = std::pair<int, int>;

/// weight * (the xor of the bits), which are in order and differ.
struct Parity {
  int64_t weight = 0;
  llvm::SmallVector<Bit, 4> bits;
  bool operator==(const Parity &o) const {
    return weight == o.weight && bits == o.bits;
  }
};

struct Sum {
  int64_t constant = 0;
  std::vector<Digit> digits;
  std::vector<Parity> parities;
  bool operator==(const Sum &o) const {
    return constant == o.constant && digits == o.digits &&
           parities == o.parities;
  }
  bool operator!=(const Sum &o) const { return !(*this == o); }
};

/// The sizes of a layout's inputs. A size of 0 is open.
using Box = llvm::ArrayRef<int64_t>;

/// Returns the number of points of a box, or nothing if it is open or leaves 64
/// bits.
std::optional<int64_t> pointsOf(Box box);

/// Returns the value at a point. Requires bounds() to be finite for the box
/// that the point is in.
int64_t valueOf(const Sum &sum, llvm::ArrayRef<int64_t> point);

/// Returns an interval that holds all values in the box: the least one if the
/// sum is normal and has no parities. Open if the box is, or if the values
/// leave 64 bits.
Interval bounds(const Sum &sum, Box box);

/// Returns the normal sum with the same values in the box. Returns nothing if
/// digits overlap so that no digit ends where another does, if bits lie across
/// such ends, if a number leaves 64 bits, or if chooseTerms() of one_input.h
/// gives up.
std::optional<Sum> normalised(const Sum &sum, Box box);

/// Returns factor * sum, or nothing if a number leaves 64 bits.
std::optional<Sum> scaled(const Sum &sum, int64_t factor);
/// Adds the terms of `more` to `to`, which need not be normal then. Returns
/// false if the constant leaves 64 bits.
bool add(const Sum &more, Sum &to);

struct Parts {
  Sum high, low;
};
/// Returns the quotient and the remainder of the sum by a number >= 1, if no
/// carry goes from one to the other. Requires a box without open sides.
std::optional<Parts> split(const Sum &sum, int64_t by, Box box);
/// Returns (sum floordiv step) mod size (size 0: no mod), if nothing carries.
std::optional<Sum> digitOf(const Sum &sum, int64_t step, int64_t size, Box box);
/// Returns the bit of the sum, as a sum with the values 0 and 1.
std::optional<Sum> bitOf(const Sum &sum, int bit, Box box);
/// Returns the xor of two sums with the values 0 and 1, as bitOf() gives them.
std::optional<Sum> exclusiveOr(const Sum &a, const Sum &b);

/// Returns the sum `outer` of these sums as its inputs. Its own box is
/// `outerBox`, whose sides may be open. Returns nothing where a digit would
/// carry.
std::optional<Sum> composed(const Sum &outer, Box outerBox,
                            llvm::ArrayRef<Sum> inner, Box box);

/// At most so many points are tabulated.
inline constexpr int64_t kMostTabulated = int64_t{1} << 16;
/// Returns the normal sum with these values, which are in the order of the
/// points of the box, the first input fastest. Returns nothing if there is
/// none, or if there are more than kMostTabulated points.
std::optional<Sum> tabulated(llvm::ArrayRef<int64_t> values, Box box);

}  // namespace indexical::layouts

#endif  // INDEXICAL_LAYOUT_FORM_H
