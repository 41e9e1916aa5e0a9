// Digits of sums whose values leave gaps; private to analysis/.
//
//   v = {o, o + 4, o + 8}   v mod 4 is o mod 4, v floordiv 4 is {o floordiv 4,
//                           …}: 3 values, which are 1 apart
//
// Law. The parts of a sum, from the least gap on, are joined where one begins
// where the one before ends: *runs* of c values that are g apart. A run begins
// at the digit of the largest stride S <= g, which must divide g; let h = g /
// S, b be the least value's digit there, and R its modulus.
//
//   it stays in the digit      if b + h * (c - 1) < R in every tile: the digit
//                              has c values, h apart
//   it goes on at the next     if h divides R, b < h in every tile, and R / h
//                              divides c: the digit has R / h values, h apart,
//                              and c * h / R go on, 1 apart
//
// No digit serves two runs. Digits that no run serves have one value.
#ifndef INDEXICAL_COST_TILES_STRIDED_DIGITS_H
#define INDEXICAL_COST_TILES_STRIDED_DIGITS_H

#include <optional>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/cost/tiles/runs.h"

namespace indexical {

/// Returns a run for each digit of the sum, whose values are their product in
/// every tile; nothing if the law does not say so. Requires digits as
/// digitsOf() does, which do not overlap.
std::optional<llvm::SmallVector<Run, 4>> stridedDigits(
    TileForms &f, const RunSum &sum, llvm::ArrayRef<RunDigit> digits);

}  // namespace indexical

#endif  // INDEXICAL_COST_TILES_STRIDED_DIGITS_H
