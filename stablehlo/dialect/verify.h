// What the ops' verify() functions share: constraints of the specification,
// each with its number, so that a message says which one is broken, by which
// values.
//
//   C10: known_nonexpanding_dimensions must be in [0, 2), rank(operand) being
//   2, but has 3
//
//   auto kept = inRange(op, "C10", "known_nonexpanding_dimensions", {3}, 2,
//                       "rank(operand)");
//
// Most rules about shapes and attributes are a family's (rules.h).
//
// Each check returns failure after it has reported. A size that is not known
// agrees with every size that its bound allows: what cannot be decided is left
// to the run. Where the specification gives no number, `constraint` is "".
#ifndef INDEXICAL_STABLEHLO_DIALECT_VERIFY_H
#define INDEXICAL_STABLEHLO_DIALECT_VERIFY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"

#include "indexical/stablehlo/dialect/stablehlo.h"

namespace indexical::stablehlo {

using mlir::LogicalResult;
using mlir::Operation;
using mlir::RankedTensorType;
using Numbers = llvm::ArrayRef<int64_t>;

constexpr int64_t kUnknown = mlir::ShapedType::kDynamic;

/// The error to which the sentence is appended.
mlir::InFlightDiagnostic broken(Operation *op, llvm::StringRef constraint);

/// `[1, 2]`, unknown sizes as `?`.
std::string listed(Numbers numbers);

LogicalResult isUnique(Operation *op, llvm::StringRef constraint,
                       const llvm::Twine &name, Numbers numbers);
/// Each is in [low, high), where `limit` says what `high` is.
LogicalResult inRange(Operation *op, llvm::StringRef constraint,
                      llvm::StringRef name, Numbers numbers, int64_t high,
                      llvm::StringRef limit, int64_t low = 0);
/// Each is at least `least`.
LogicalResult atLeast(Operation *op, llvm::StringRef constraint,
                      llvm::StringRef name, Numbers numbers, int64_t least);

/// A size and the most that it can be; equal where it is known.
struct Size {
  int64_t value = kUnknown;
  int64_t bound = kUnknown;
  bool known() const { return value != kUnknown; }
};
Size sizeOf(RankedTensorType type, int64_t dimension);
bool agree(Size left, Size right);

/// Shapes of equal rank whose sizes agree.
bool shapesAgree(RankedTensorType left, RankedTensorType right);
LogicalResult sameShape(Operation *op, llvm::StringRef constraint,
                        llvm::StringRef leftName, RankedTensorType left,
                        llvm::StringRef rightName, RankedTensorType right);

/// The shape is `expected`, where unknown sizes agree with all.
LogicalResult shapeIs(Operation *op, llvm::StringRef constraint,
                      llvm::StringRef name, RankedTensorType type,
                      Numbers expected, const llvm::Twine &because);

/// Whether a size of a result may be bounded.
enum class BoundedSizes : uint8_t { None, One };

/// The sizes of a result that nothing but its type says (dynamism RFC, P4): all
/// are known, or one has a bound if `allowed` is One. StableHLO's own verifier
/// allows this of broadcast_in_dim and reshape alone.
LogicalResult saysItsSizes(Operation *op, llvm::StringRef name, mlir::Type type,
                           BoundedSizes allowed);

/// Whether element types are equal, scales and zero points included.
bool elementsAgree(mlir::Type left, mlir::Type right);
/// Whether element types are equal, or are quantized types that store and
/// express the same; scales and zero points may differ (`baseline_element_type`
/// in the specification).
bool baselinesAgree(mlir::Type left, mlir::Type right);
LogicalResult sameBaselines(Operation *op, llvm::StringRef constraint,
                            llvm::StringRef leftName, RankedTensorType left,
                            llvm::StringRef rightName, RankedTensorType right);
LogicalResult sameElements(Operation *op, llvm::StringRef constraint,
                           llvm::StringRef leftName, RankedTensorType left,
                           llvm::StringRef rightName, RankedTensorType right);

/// Types of values that can be the same: tensors of agreeing shapes and
/// elements, tuples of such, else equal types.
bool typesAgree(mlir::Type left, mlir::Type right);

/// Whether values of `from` can be computed with as `to`: the same kind of
/// number and no fewer bits.
bool isPromotable(mlir::Type from, mlir::Type to);

RankedTensorType tensorType(mlir::Value value);

/// The body has one block that takes two scalars for each of `inputs` (their
/// element types promoted), left ones first, and returns one for each: (E0, …,
/// E0, …) -> (E0, …). Appends the Ei.
LogicalResult isReduction(Operation *op, llvm::StringRef constraint,
                          llvm::StringRef name, mlir::Region &body,
                          mlir::TypeRange inputs, mlir::TypeRange inits,
                          llvm::SmallVectorImpl<mlir::Type> &elements);

/// The block of a region that has one, which ends with stablehlo.return; null
/// after an error.
mlir::Block *onlyBlock(Operation *op, llvm::StringRef constraint,
                       llvm::StringRef name, mlir::Region &body);

}  // namespace indexical::stablehlo

#endif  // INDEXICAL_STABLEHLO_DIALECT_VERIFY_H
