// Maps whose results are each a variable, scaled and moved, written at once.
//
//   dimensions [0, 3] and [0, 7], one range [0, 1]
//   results    1 * d1, 2 * s0 + 5, 0
//   plainMap   (d0, d1)[s0] -> (d1, s0 * 2 + 5, 0)
//
// These are the maps of most ops: elementwise ones, transposes, broadcasts,
// slices, reversals, reductions, pads, concatenations and dots. An
// IndexingMapBuilder interns their expressions in a pool, checks them, copies
// them in the order in which they are met, and copies that into the map, which
// the simplifier then reads to see that it is canonical. plainMap() finds the
// same numbers of atoms and forms from the list of results alone, and writes
// each array where it stays.
//
// Law (tests/ops/plain_maps_test.cc): the map is the builder's, down to the
// numbers of its atoms and forms, and is marked as canonical just if
// markPlainMap() marks the builder's.
#ifndef INDEXICAL_INDEXING_PLAIN_MAP_H
#define INDEXICAL_INDEXING_PLAIN_MAP_H

#include <cstdint>
#include <optional>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/expression.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/interval.h"

namespace indexical {

/// coefficient * variable + constant.
struct PlainResult {
  static constexpr uint32_t kNoVariable = UINT32_MAX;

  uint32_t variable = kNoVariable;  ///< its key
  int64_t coefficient = 0;          ///< 0 just if there is no variable
  int64_t constant = 0;

  static PlainResult of(VariableId id, int64_t coefficient = 1,
                        int64_t constant = 0) {
    if (coefficient == 0) return number(constant);
    return {id.key(), coefficient, constant};
  }
  static PlainResult number(int64_t value) { return {kNoVariable, 0, value}; }
};

/// Returns the map of variables without names, of these results. Returns
/// nothing if it is not sure to be as simple as that: if a variable has no
/// value or an open side, if a result may leave 64 bits, or if there are more
/// than 64 results. The builder answers then. Requires that the results name
/// dimensions and ranges that are given.
std::optional<IndexingMap> plainMap(llvm::ArrayRef<Interval> dimensions,
                                    llvm::ArrayRef<Interval> ranges,
                                    llvm::ArrayRef<PlainResult> results);

/// coefficient * ((variable floordiv stride) mod modulus), modulus 0: no mod.
struct PlainDigit {
  uint32_t dimension;
  int64_t stride, modulus, coefficient;
};

/// Returns the map whose results are each a sum of digits of dimensions, or 0
/// if there are none: (d0, d1) -> (d0 floordiv 2, d1 + (d0 mod 2) * 4). It is
/// not marked as canonical. Returns nothing where plainMap() does. Requires
/// that all dimensions begin with 0, that a result has at most one digit of a
/// dimension, and that no digit has the stride and the modulus 1.
std::optional<IndexingMap> digitMap(
    llvm::ArrayRef<Interval> dimensions,
    llvm::ArrayRef<llvm::SmallVector<PlainDigit, 2>> results);

/// While one lives, these functions return nothing on this thread, so that a
/// test sees the maps that are made without it.
class WithoutPlainMaps {
 public:
  WithoutPlainMaps();
  ~WithoutPlainMaps();
  WithoutPlainMaps(const WithoutPlainMaps &) = delete;
  WithoutPlainMaps &operator=(const WithoutPlainMaps &) = delete;

 private:
  const bool before_;
};

}  // namespace indexical

#endif  // INDEXICAL_INDEXING_PLAIN_MAP_H
