// Reducers of pairs that pick one of two by their order: argmax and argmin.
//
//   (a, i), (b, j) -> (select(a > b, a, b),
//                      select(a > b or (a = b and i < j), i, j))
//     the largest number and the first index of it
//
// Such a reducer has comparisons and choices alone. So its table defines it:
// what it picks for each order of a and b, and of i and j. Programs spell one
// table in many ways.
//
// The order of a reduction is open. Where a and b are equal they may be two
// zeros, of which either is the result.
//
// A loop takes pairs one after the other. Its reducer may tell equal numbers
// apart by that order, and not look at their indices.
//
// Law (tests/answers/kernel/loop_values_test.py): kernels and fusions with one
// table compute the same.
#ifndef INDEXICAL_SAME_VALUES_ORDER_PICKS_H
#define INDEXICAL_SAME_VALUES_ORDER_PICKS_H

#include <cstdint>
#include <optional>
#include <string>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/same/values/element_table.h"

namespace indexical {

struct OrderPick {
  bool isLargest = true, isFirst = true;
  /// Whether a NaN is picked before every number. Else `nan` says what is.
  bool passesNan = false;
  std::string nan;
  /// Whether equal numbers are told apart by the order in which they come, not
  /// by their indices: the first pair is picked, or the last one.
  bool isOfOrder = false;

  /// Returns the op of the numbers and indices of a line whose result is the
  /// number, or the index, that is picked. Without NaN all that do alike are
  /// one: `hasNoNan` says so, as a law.
  Op opOf(ElementType number, ElementType index, bool isIndex,
          bool hasNoNan) const;
};

/// Whether a reducer gets its pairs in any order, or as a loop has them.
enum class PairOrder : uint8_t { None, Loop };

/// Returns the table of a reducer, of which these are both results, as elements
/// of its parameters: 0 and 2 are the numbers, 1 and 3 their indices. Returns
/// nothing if it does something else, or tells equal numbers apart by an order
/// that the pairs do not have.
std::optional<OrderPick> orderPickOf(const ElementTable &table,
                                     ElementId number, ElementId index,
                                     PairOrder order = PairOrder::None);

/// Pairs of a line: their numbers and indices in a region.
struct PickedPiece {
  IndexingMap region;
  ElementId number, index;
};

/// Returns the element that is picked of the pieces, which have one more
/// variable than `outer`, or are of one pair, begun with a pair. Returns
/// nothing if there are several pieces, beside those that are never picked: of
/// the lowest number (highest, of a smallest one) with an index behind one of
/// the others.
std::optional<ElementId> pickedOf(
    ElementTable &table, const OrderPick &pick, bool isIndex, size_t outer,
    llvm::ArrayRef<PickedPiece> pieces,
    std::optional<std::pair<ElementId, ElementId>> init);

}  // namespace indexical

#endif  // INDEXICAL_SAME_VALUES_ORDER_PICKS_H
