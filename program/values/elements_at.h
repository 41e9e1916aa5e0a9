// The element of an op at an index, by the elements of its operands.
//
//   c = s32[3,1] constant({{1}, {3}, {5}})    at (d0, 0)    d0 * 2 + 1
//   r = s32[3,1] reverse(c), dimensions={0}   at (d0, 0)    c at (2 - d0, 0)
//   l = s32[4,1] concatenate(c, x)            at (d0, 0)    c at (d0, 0) if d0
//                                             is at most 2 on its bounds, x at
//                                             (d0 - 3, 0) if it is at least 3
//
// An index is a list of expressions. Bounds must decide what is read: an
// element that may lie on either side of a border is not known.
#ifndef INDEXICAL_PROGRAM_VALUES_ELEMENTS_AT_H
#define INDEXICAL_PROGRAM_VALUES_ELEMENTS_AT_H

#include <cstddef>
#include <cstdint>
#include <optional>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/interval.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/ops/op.h"
#include "indexical/program/values/integers.h"

namespace indexical {

/// Bounds of the numbers that are computed with, so that no step leaves 64
/// bits.
inline constexpr Interval kComputable = {-(int64_t{1} << 61), int64_t{1} << 61};

/// The operand leaves of an op, as the one who asks for an element knows them.
class OperandElements {
 public:
  virtual ~OperandElements() = default;
  /// Returns that element of the operand, or nothing if it is not known.
  virtual std::optional<Expr> element(size_t operand,
                                      llvm::ArrayRef<Expr> index) = 0;
  /// Returns a size of operand 0, or nothing if it is not known.
  virtual std::optional<Expr> size(int64_t dimension) = 0;
  /// Returns what an elementwise op makes of the elements at the index, or
  /// nothing if it is not known.
  virtual std::optional<Expr> computed(const ElementwiseOp &op,
                                       llvm::ArrayRef<Expr> index) = 0;
};

/// Returns the element of a result leaf, or nothing if it is not known. The
/// index lies in the leaf, and has an expression for each dimension.
std::optional<Expr> elementAt(const Op &op, int64_t result,
                              llvm::ArrayRef<Expr> index,
                              OperandElements &operands, Integers &integers);

/// An operand, and an index of it.
struct OperandIndex {
  size_t operand = 0;
  llvm::SmallVector<Expr, 4> index;
};

/// Returns the operand in which the element lies, or nothing if `along`, the
/// bounds of the index in the op's dimension, does not decide it.
std::optional<OperandIndex> partAt(const ConcatenateOp &op,
                                   llvm::ArrayRef<Expr> index, Interval along);

/// Returns the number that a scalar operand is, or nothing if it is not known.
using ScalarNumber = std::optional<int64_t>(size_t operand);

/// Returns the value of a variable of an op's map whose source is a scalar
/// operand behind the first, clamped if the variable is. Returns nothing for
/// other variables, and for a number outside of the bounds.
std::optional<int64_t> numberOf(const RuntimeVariable &variable,
                                llvm::function_ref<ScalarNumber> number);

/// Returns the index of the element of operand 0 that `op` reads for one
/// element of its result, or nothing if that is not a single expression.
/// `number` may be null: then no operand is a number.
std::optional<llvm::SmallVector<Expr, 4>> movedIndex(
    const Op &op, llvm::ArrayRef<Expr> index, ExpressionPool &pool,
    llvm::function_ref<ScalarNumber> number = nullptr);

/// Returns the element of a literal (literal_values.cc).
std::optional<Expr> literalAt(const ConstantOp &op, llvm::ArrayRef<Expr> index,
                              Integers &integers);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_VALUES_ELEMENTS_AT_H
