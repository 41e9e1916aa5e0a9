// Helpers that the families of ops share, and the functions that each defines.
//
// A family is one file, ops/ROOM/NAME.cc. It defines two functions: whether a
// descriptor is valid, and what a result reads of an operand. op.cc chooses the
// family; it has already answered for zero-sized tensors, so a family meets
// tensors with elements only (and sizes that are not known).
//
// There are two maps: from the result to the elements that it reads, and from
// the operand to its readers. A family describes both at once, with `Sides`,
// which know the side that the map starts from:
//
//   // transpose, permutation {1, 2, 0}
//   return sides.sharing({{0, 1}, {1, 2}, {2, 0}});
//   // output to input   (d0, d1, d2) -> (d2, d0, d1)
//   // input to output   (d0, d1, d2) -> (d1, d2, d0)
//
// The helpers below say the same thing in every family: bounds of variables
// from sizes, errors, the identity, "all of it".
//
// Sizes come in two kinds. A *fixed* size is known. An *open* one is known by
// its bound or not at all; a family whose formulas need the size itself answers
// with a cover if it is open.
#ifndef INDEXICAL_OPS_CORE_FAMILY_H
#define INDEXICAL_OPS_CORE_FAMILY_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/plain_map.h"
#include "indexical/indexing/relation.h"
#include "indexical/ops/families.h"
#include "indexical/ops/indices.h"
#include "indexical/ops/op.h"
#include "indexical/ops/shape.h"

namespace indexical {
namespace families {

using Exprs = llvm::SmallVector<Expr, 6>;

//===-- Sizes -------------------------------------------------------------===//

/// Returns whether the size of dimension k is known, not by its bound only.
bool isFixed(const ArrayShape &shape, int64_t k);
bool isFixed(const ArrayShape &shape);

using indexical::indicesOf;
/// Returns the indices that dimension i of `a` and dimension j of `b` both
/// have. If both sizes are known they are equal. If one is not known, the other
/// one decides.
Interval sharedIndices(const ArrayShape &a, int64_t i, const ArrayShape &b,
                       int64_t j);

/// Returns whether dimension k can have that size: it has, or it is open and
/// its bound is as large.
bool canHaveSize(const ArrayShape &shape, int64_t k, int64_t size);
/// Returns whether dimension i of `a` can have the size of dimension j of `b`.
bool canAgree(const ArrayShape &a, int64_t i, const ArrayShape &b, int64_t j);
/// Returns whether the ranks are equal and all dimensions can agree.
bool canAgree(const ArrayShape &a, const ArrayShape &b);

/// Arithmetic on attributes, which may be anything: a sum or product that
/// leaves 64 bits has no value.
class Checked {
 public:
  Checked(int64_t value) : value_(value) {}
  Checked(std::optional<int64_t> value) : value_(value) {}
  std::optional<int64_t> value() const { return value_; }
  Checked operator+(Checked o) const { return with(o, checkedAdd); }
  Checked operator-(Checked o) const { return with(o, checkedSub); }
  Checked operator*(Checked o) const { return with(o, checkedMul); }

 private:
  Checked with(Checked o,
               std::optional<int64_t> (*operation)(int64_t, int64_t)) const {
    if (!value_ || !o.value_) return Checked(std::nullopt);
    return Checked(operation(*value_, *o.value_));
  }
  std::optional<int64_t> value_;
};

//===-- Errors ------------------------------------------------------------===//

/// Returns the numbers as text: `{0, 2, 1}`.
std::string textOf(llvm::ArrayRef<int64_t> values);
/// Returns the shape as text, without the layout: `f32[2,3]`.
std::string textOf(const ArrayShape &shape);

/// Returns the count and the noun, with an `s` unless the count is 1:
/// `1 operand`, `2 operands`.
std::string counted(int64_t count, llvm::StringRef noun);

absl::Status invalid(const std::string &message);

/// Returns an error if the op has another number of operands or results.
absl::Status checkLeaves(const OpShapes &op, size_t operands, size_t results);
/// Returns an error if the shape's sizes cannot be `sizes`; `from` says what
/// these follow from.
absl::Status checkSizes(llvm::StringRef what, const ArrayShape &shape,
                        llvm::ArrayRef<int64_t> sizes, llvm::StringRef from);

//===-- Maps --------------------------------------------------------------===//

/// Adds a dimension variable for each dimension of the shape.
Exprs dimensionsOf(IndexingMapBuilder &builder, const ArrayShape &shape);
/// Adds a range variable for each dimension of the shape.
Exprs rangesOf(IndexingMapBuilder &builder, const ArrayShape &shape);

/// Returns the finished map as the only piece.
Answer answerOf(IndexingMapBuilder &builder,
                Precision precision = Precision::Exact);
/// Adds the finished map to the pieces.
absl::Status addPiece(IndexingRelation &relation, IndexingMapBuilder &builder);

/// Returns the map of these results as the only piece, written at once, or
/// nothing where plainMap() gives nothing: the caller then builds it.
inline std::optional<Answer> plainAnswer(
    llvm::ArrayRef<Interval> dimensions, llvm::ArrayRef<Interval> ranges,
    llvm::ArrayRef<PlainResult> results,
    Precision precision = Precision::Exact) {
  std::optional<Answer> answer;
  if (auto map = plainMap(dimensions, ranges, results))
    answer.emplace(absl::in_place, *std::move(map), precision);
  return answer;
}

/// Returns dimension i, scaled and moved, as a result of plainAnswer().
inline PlainResult plainDimension(int64_t i, int64_t coefficient = 1,
                                  int64_t constant = 0) {
  return PlainResult::of({VariableKind::Dimension, static_cast<uint32_t>(i)},
                         coefficient, constant);
}

/// A coordinate that a map leads to: the number of the dimension that it is, or
/// one of these.
enum Given : int64_t {
  kAnyIndex = -1,    ///< any of its indices, as a range
  kFirstIndex = -2,  ///< 0
};
/// Returns the map to coordinates that are dimensions, ranges or 0, as
/// plainAnswer() does. `indices` are those of each coordinate.
std::optional<Answer> plainAnswerOf(llvm::ArrayRef<Interval> dimensions,
                                    llvm::ArrayRef<int64_t> given,
                                    llvm::ArrayRef<Interval> indices,
                                    Precision precision = Precision::Exact);

/// A dimension of the result and one of the operand that have equal indices.
struct SharedDimension {
  int64_t result, operand;
};
using SharedDimensions = llvm::SmallVector<SharedDimension, 6>;
/// Returns every dimension of the shape paired with itself, except
/// `dimensions`.
SharedDimensions allBut(const ArrayShape &shape,
                        llvm::ArrayRef<int64_t> dimensions);

/// A result and an operand; a map starts from one of them. Code that describes
/// with Sides what the result reads describes it once for both directions.
class Sides {
 public:
  Sides(Direction direction, const ArrayShape &result,
        const ArrayShape &operand)
      : direction_(direction), result_(result), operand_(operand) {}

  const ArrayShape &result() const { return result_; }
  const ArrayShape &operand() const { return operand_; }

  /// Returns the relation by which no element reads any.
  Answer nothing() const { return IndexingRelation(); }
  /// Returns the relation by which every element reads every one:
  /// (d0, d1)[s0] -> (s0).
  Answer everything(Precision precision = Precision::Exact) const {
    return sharing({}, precision);
  }
  /// Returns the relation by which every element reads the one of the same
  /// index. Requires equal ranks.
  Answer identity() const;
  /// Returns the relation in which the dimensions in `shared`, each at most
  /// once, have equal indices, and the others have any index:
  ///   {0, 1}   output to input   (d0)[s0] -> (s0, d0)
  ///            input to output   (d0, d1) -> (d1)
  Answer sharing(llvm::ArrayRef<SharedDimension> shared,
                 Precision precision = Precision::Exact) const;

  /// Coordinates along an axis that both sides have, which follow one loop:
  /// loop * step + low. Requires a step of at least 1.
  struct Along {
    int64_t step = 1, low = 0;
  };
  /// Returns the relation between tensors of one rank in which both coordinates
  /// along axis k follow a loop, or nothing if plainMap() gives nothing or the
  /// side that the map starts from has a step. The bounds are those of the
  /// coordinates.
  std::optional<Answer> along(llvm::ArrayRef<Along> ofResult,
                              llvm::ArrayRef<Interval> resultBounds,
                              llvm::ArrayRef<Along> ofOperand,
                              llvm::ArrayRef<Interval> operandBounds) const;

  // For code that passes the query on, and for functions of any two tensors
  // that are their own inverse when their arguments are swapped.
  Direction direction() const { return direction_; }
  bool isForward() const { return direction_ == Direction::OutputToInput; }
  const ArrayShape &from() const { return ordered(result_, operand_).from; }
  const ArrayShape &to() const { return ordered(result_, operand_).to; }
  /// A value of the result and one of the operand, in the map's order.
  template <typename T>
  struct Ordered {
    const T &from, &to;
  };
  template <typename T>
  Ordered<T> ordered(const T &ofResult, const T &ofOperand) const {
    if (isForward()) return {ofResult, ofOperand};
    return {ofOperand, ofResult};
  }

 private:
  const Direction direction_;
  const ArrayShape &result_, &operand_;
};

/// Returns the map of each index to the equal index, within both shapes.
/// Requires equal ranks.
Answer identity(const ArrayShape &from, const ArrayShape &to);
/// Returns the map of every index of `from` to every index of `to`.
Answer everything(const ArrayShape &from, const ArrayShape &to,
                  Precision precision = Precision::Exact);

}  // namespace families
}  // namespace indexical

#endif  // INDEXICAL_OPS_CORE_FAMILY_H
