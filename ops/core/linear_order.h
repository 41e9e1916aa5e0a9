// Linear order: the same elements, counted along other dimensions.
//
// Two tensors with the same number of elements, each walked from its most major
// axis to its most minor one, pair up: element number n of one is element
// number n of the other. For axes {4, 8} and {2, 4, 4}, from the second's side:
//
//   (d0, d1, d2) -> (d0 * 2 + d1 floordiv 2, d2 + (d1 mod 2) * 4)
//
// The axes are first cut into groups of equal products, so that an expression
// holds no more than it needs: {4, 8, 12} and {32, 3, 4} are {4, 8} beside {32}
// and {12} beside {3, 4}. An axis of size 1 without a partner is left out.
//
// An axis may be open: its size is known by its bound or not at all, or it is
// an expression of a map. Expressions are products here: {n, m, 4} and {n, 4*m}
// are {n} beside {n} and {m, 4} beside {4*m}. If groups cannot be closed they
// are taken from both ends, and the rest in the middle is one group. Its
// numbering needs the sizes of all but the most major axis; if these are not
// expressions it is a cover.
#ifndef INDEXICAL_OPS_CORE_LINEAR_ORDER_H
#define INDEXICAL_OPS_CORE_LINEAR_ORDER_H

#include <cstddef>
#include <cstdint>
#include <optional>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/ops/core/family.h"

namespace indexical {
namespace families {

struct Axis {
  int64_t size = 1;  ///< the size, its bound, or kDynamicSize
  bool fixed = true;
  /// The size of an open axis as an expression, and the factors of that.
  std::optional<Expr> expression = std::nullopt;
  int64_t coefficient = 1;
  llvm::SmallVector<FormId, 2> symbols = {};
  bool isProduct = true;  ///< the symbols are variables
};

/// Fills in the expression of an open axis.
void setExpression(Axis &axis, IndexingMapBuilder &builder, Expr size);

/// The axes of a tensor, from the most major to the most minor.
using Axes = llvm::SmallVector<Axis, 8>;

/// Axes [fromBegin, fromBegin + fromCount) of one tensor number the same
/// elements as [toBegin, toBegin + toCount) of the other.
struct AxisGroup {
  size_t fromBegin = 0, fromCount = 0, toBegin = 0, toCount = 0;
};

/// Returns the groups in order. Returns nothing if the numbers of elements
/// differ, or cannot be compared in 64 bits. Requires that no size is 0.
std::optional<llvm::SmallVector<AxisGroup, 4>> matchAxes(const Axes &from,
                                                         const Axes &to);

/// Appends the coordinates along `to` of the element whose coordinates along
/// `from` are given. Constraints keep coordinates inside open axes. Ranges
/// stand for coordinates that are not known, and make the precision Cover.
/// Requires groups of matchAxes(from, to).
Precision relinearize(IndexingMapBuilder &builder, const Axes &from,
                      llvm::ArrayRef<Expr> coordinates, const Axes &to,
                      llvm::ArrayRef<AxisGroup> groups, Exprs &result);

/// Returns the builder's map in canonical form as the only piece. Variables
/// with one value are kept.
Answer simplified(IndexingMapBuilder &builder, Precision precision);

}  // namespace families
}  // namespace indexical

#endif  // INDEXICAL_OPS_CORE_LINEAR_ORDER_H
