// What the families of ops share, and what each of them defines.
//
// A family is one file, ops/NAME.cc. It defines three functions: whether a
// descriptor is valid, what a result reads of an operand, and the inverse of
// that. op.cc chooses the family; it has already answered for zero-sized
// tensors, so a family meets tensors with elements only (and sizes that are not
// known). The helpers below say the same thing in every family: bounds of
// variables from sizes, errors, the identity, "all of it".
//
//   // transpose, permutation {1, 0}: d0 in [0, 1], d1 in [0, 2]
//   IndexingMapBuilder b;
//   Exprs d = dimensionsOf(b, op.results[0]);
//   b.result(d[1]);
//   b.result(d[0]);
//   return answerOf(b);  // (d0, d1) -> (d1, d0)
//
// Sizes come in two kinds. A *fixed* size is known. An *open* one is known by
// its bound or not at all; a family whose formulas need the size itself answers
// with a cover where it is open.
#ifndef INDEXICAL_OPS_FAMILY_H
#define INDEXICAL_OPS_FAMILY_H

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include "indexing/arithmetic.h"
#include "indexing/indexing_map.h"
#include "indexing/map_builder.h"
#include "indexing/relation.h"
#include "ops/op.h"
#include "ops/shape.h"

namespace indexical {
namespace families {

using Answer = absl::StatusOr<IndexingRelation>;
using Exprs = llvm::SmallVector<Expr, 6>;

//===-- Sizes -------------------------------------------------------------===//

/// Whether the size of dimension k is known, not by its bound only.
bool isFixed(const ArrayShape &shape, int64_t k);
bool isFixed(const ArrayShape &shape);

/// [0, size - 1]; [0, inf] where the size is unknown.
Interval indicesOf(int64_t size);
Interval indicesOf(const ArrayShape &shape, int64_t k);
/// The indices that dimension i of `a` and dimension j of `b` both have. Where
/// sizes are known the two are equal; where one is not, the other one decides.
Interval sharedIndices(const ArrayShape &a, int64_t i, const ArrayShape &b,
                       int64_t j);

/// Whether dimension k can have that size: it has, or it is open.
bool canHaveSize(const ArrayShape &shape, int64_t k, int64_t size);
/// Whether dimension i of `a` can have the size of dimension j of `b`.
bool canAgree(const ArrayShape &a, int64_t i, const ArrayShape &b, int64_t j);
/// Whether the ranks are equal and all dimensions can agree.
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

/// `{0, 2, 1}`.
std::string textOf(llvm::ArrayRef<int64_t> values);
/// `f32[2,3]`, without the layout.
std::string textOf(const ArrayShape &shape);

/// `1 operand`, `2 operands`.
std::string counted(int64_t count, llvm::StringRef noun);

absl::Status invalid(const std::string &message);

/// Errors where the op has another number of operands or results.
absl::Status checkLeaves(const OpShapes &op, size_t operands, size_t results);
/// N inputs, N inits of rank 0 and N results, with N at least 1.
absl::Status checkInputsAndInits(const OpShapes &op);
/// Errors where a number in the list is no dimension of the shape (`0` to rank
/// - 1), or is there twice. `name` is the attribute's.
absl::Status checkDimensions(llvm::StringRef name,
                             llvm::ArrayRef<int64_t> dimensions,
                             const ArrayShape &shape);
/// Errors where the list does not have one value a dimension of the shape.
absl::Status checkOnePerDimension(llvm::StringRef name,
                                  llvm::ArrayRef<int64_t> values,
                                  const ArrayShape &shape);
/// Errors where the shape's sizes cannot be these; `from` says what they follow
/// from.
absl::Status checkSizes(llvm::StringRef what, const ArrayShape &shape,
                        llvm::ArrayRef<int64_t> sizes, llvm::StringRef from);

//===-- Maps --------------------------------------------------------------===//

/// One dimension variable for each dimension of the shape.
Exprs dimensionsOf(IndexingMapBuilder &builder, const ArrayShape &shape);
/// One range variable for each dimension of the shape.
Exprs rangesOf(IndexingMapBuilder &builder, const ArrayShape &shape);

/// The finished map as the only piece.
Answer answerOf(IndexingMapBuilder &builder,
                Precision precision = Precision::Exact);
/// Adds the finished map to the pieces.
absl::Status addPiece(IndexingRelation &relation, IndexingMapBuilder &builder);

/// Index to equal index. Requires equal ranks.
Answer identity(const ArrayShape &from, const ArrayShape &to);
/// Every element to every element: (d0, d1)[s0] -> (s0).
Answer everything(const ArrayShape &from, const ArrayShape &to,
                  Precision precision = Precision::Exact);

//===-- The families ------------------------------------------------------===//

absl::Status verify(const NullaryOp &op);
Answer outputToInput(const NullaryOp &op, int64_t result, int64_t operand);
Answer inputToOutput(const NullaryOp &op, int64_t result, int64_t operand);

absl::Status verify(const ElementwiseOp &op);
Answer outputToInput(const ElementwiseOp &op, int64_t result, int64_t operand);
Answer inputToOutput(const ElementwiseOp &op, int64_t result, int64_t operand);

absl::Status verify(const ConstantOp &op);
Answer outputToInput(const ConstantOp &op, int64_t result, int64_t operand);
Answer inputToOutput(const ConstantOp &op, int64_t result, int64_t operand);

absl::Status verify(const IotaOp &op);
Answer outputToInput(const IotaOp &op, int64_t result, int64_t operand);
Answer inputToOutput(const IotaOp &op, int64_t result, int64_t operand);

absl::Status verify(const BroadcastOp &op);
Answer outputToInput(const BroadcastOp &op, int64_t result, int64_t operand);
Answer inputToOutput(const BroadcastOp &op, int64_t result, int64_t operand);

absl::Status verify(const TransposeOp &op);
Answer outputToInput(const TransposeOp &op, int64_t result, int64_t operand);
Answer inputToOutput(const TransposeOp &op, int64_t result, int64_t operand);

absl::Status verify(const ReverseOp &op);
Answer outputToInput(const ReverseOp &op, int64_t result, int64_t operand);
Answer inputToOutput(const ReverseOp &op, int64_t result, int64_t operand);

absl::Status verify(const ReshapeOp &op);
Answer outputToInput(const ReshapeOp &op, int64_t result, int64_t operand);
Answer inputToOutput(const ReshapeOp &op, int64_t result, int64_t operand);

absl::Status verify(const BitcastOp &op);
Answer outputToInput(const BitcastOp &op, int64_t result, int64_t operand);
Answer inputToOutput(const BitcastOp &op, int64_t result, int64_t operand);

absl::Status verify(const BitcastConvertOp &op);
Answer outputToInput(const BitcastConvertOp &op, int64_t result,
                     int64_t operand);
Answer inputToOutput(const BitcastConvertOp &op, int64_t result,
                     int64_t operand);

absl::Status verify(const SliceOp &op);
Answer outputToInput(const SliceOp &op, int64_t result, int64_t operand);
Answer inputToOutput(const SliceOp &op, int64_t result, int64_t operand);

absl::Status verify(const DynamicSliceOp &op);
Answer outputToInput(const DynamicSliceOp &op, int64_t result, int64_t operand);
Answer inputToOutput(const DynamicSliceOp &op, int64_t result, int64_t operand);

absl::Status verify(const DynamicUpdateSliceOp &op);
Answer outputToInput(const DynamicUpdateSliceOp &op, int64_t result,
                     int64_t operand);
Answer inputToOutput(const DynamicUpdateSliceOp &op, int64_t result,
                     int64_t operand);

absl::Status verify(const ConcatenateOp &op);
Answer outputToInput(const ConcatenateOp &op, int64_t result, int64_t operand);
Answer inputToOutput(const ConcatenateOp &op, int64_t result, int64_t operand);

absl::Status verify(const PadOp &op);
Answer outputToInput(const PadOp &op, int64_t result, int64_t operand);
Answer inputToOutput(const PadOp &op, int64_t result, int64_t operand);

absl::Status verify(const GatherOp &op);
Answer outputToInput(const GatherOp &op, int64_t result, int64_t operand);
Answer inputToOutput(const GatherOp &op, int64_t result, int64_t operand);

absl::Status verify(const DotOp &op);
Answer outputToInput(const DotOp &op, int64_t result, int64_t operand);
Answer inputToOutput(const DotOp &op, int64_t result, int64_t operand);

absl::Status verify(const ReduceOp &op);
Answer outputToInput(const ReduceOp &op, int64_t result, int64_t operand);
Answer inputToOutput(const ReduceOp &op, int64_t result, int64_t operand);

absl::Status verify(const ReduceWindowOp &op);
Answer outputToInput(const ReduceWindowOp &op, int64_t result, int64_t operand);
Answer inputToOutput(const ReduceWindowOp &op, int64_t result, int64_t operand);

absl::Status verify(const ForwardOp &op);
Answer outputToInput(const ForwardOp &op, int64_t result, int64_t operand);
Answer inputToOutput(const ForwardOp &op, int64_t result, int64_t operand);

absl::Status verify(const CoverOp &op);
Answer outputToInput(const CoverOp &op, int64_t result, int64_t operand);
Answer inputToOutput(const CoverOp &op, int64_t result, int64_t operand);

absl::Status verify(const CallOp &op);
Answer outputToInput(const CallOp &op, int64_t result, int64_t operand);
Answer inputToOutput(const CallOp &op, int64_t result, int64_t operand);

}  // namespace families
}  // namespace indexical

#endif  // INDEXICAL_OPS_FAMILY_H
