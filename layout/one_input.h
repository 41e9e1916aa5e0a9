// The parts of a normal sum that belong to one input alone.
//
// Digits of an input of 2^m places may be written as parities of its bits, and
// vice versa. For 4 places:
//
//   weights 3, 6 of the bits, by xor:  0 3 6 5
//     as bits    (bit 0) + 2 * (bit 0 xor bit 1) + 4 * (bit 1)
//     as digits  3 * (x mod 3) + 5 * (x floordiv 3)
//   4 * (x floordiv 3):                0 0 0 4
//     as bits    2 * (bit 0) + 2 * (bit 1) - 2 * (bit 0 xor bit 1)
//
// A linear map of the bits (weights above 0 that have no bit in common) is
// written as bits, any other function as digits if it has digits.
//
// Law (tests/layout/form_test.cc): which of both a sum has depends on its
// values alone.
#ifndef INDEXICAL_LAYOUT_ONE_INPUT_H
#define INDEXICAL_LAYOUT_ONE_INPUT_H

#include "indexical/layout/form.h"

namespace indexical::layouts {

/// Returns whether the terms are a linear map of bits: all weights are above 0
/// and have no bit in common, and digits are cut at powers of two.
bool isLinear(const Sum &sum);

/// Writes what belongs to the input alone as bits or as digits. Requires a sum
/// that is normal but for that. Returns false if a number leaves 64 bits, or if
/// it is not found in a few thousand steps.
bool chooseTerms(int input, Box box, Sum &sum);

}  // namespace indexical::layouts

#endif  // INDEXICAL_LAYOUT_ONE_INPUT_H
