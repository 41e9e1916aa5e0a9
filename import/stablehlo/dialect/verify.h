// Checks that the ops' verify() functions share. Each checks a constraint of
// the specification by its number, so that a message says which one is broken,
// and by which values.
//
//   C10: known_nonexpanding_dimensions must be in [0, 2), rank(operand) being
//   2, but has 3
//
//   auto kept = inRange(op, "C10", "known_nonexpanding_dimensions", {3}, 2,
//                       "rank(operand)");
//
// Most rules about shapes and attributes are a family's (rules.h).
//
// Each check returns failure after it has reported. An unknown size agrees with
// every size within its bound: the run decides what cannot be decided here. If
// the specification gives no number, `constraint` is "".
#ifndef INDEXICAL_IMPORT_STABLEHLO_DIALECT_VERIFY_H
#define INDEXICAL_IMPORT_STABLEHLO_DIALECT_VERIFY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"

#include "indexical/import/stablehlo/dialect/stablehlo.h"

namespace indexical::stablehlo {

using mlir::LogicalResult;
using mlir::Operation;
using mlir::RankedTensorType;
using Numbers = llvm::ArrayRef<int64_t>;

constexpr int64_t kUnknown = mlir::ShapedType::kDynamic;

/// Returns an error to which the caller appends a sentence.
mlir::InFlightDiagnostic broken(Operation *op, llvm::StringRef constraint);

/// Returns `[1, 2]`, with unknown sizes as `?`.
std::string listed(Numbers numbers);

LogicalResult isUnique(Operation *op, llvm::StringRef constraint,
                       const llvm::Twine &name, Numbers numbers);
/// Verifies that each number is in [low, high). `limit` says what `high` is.
LogicalResult inRange(Operation *op, llvm::StringRef constraint,
                      llvm::StringRef name, Numbers numbers, int64_t high,
                      llvm::StringRef limit, int64_t low = 0);
/// Verifies that each number is at least `least`.
LogicalResult atLeast(Operation *op, llvm::StringRef constraint,
                      llvm::StringRef name, Numbers numbers, int64_t least);

/// A size and the most that it can be. The two are equal if the size is known.
struct Size {
  int64_t value = kUnknown;
  int64_t bound = kUnknown;
  bool known() const { return value != kUnknown; }
};
Size sizeOf(RankedTensorType type, int64_t dimension);
bool agree(Size left, Size right);

/// Returns whether the ranks are equal and the sizes agree.
bool shapesAgree(RankedTensorType left, RankedTensorType right);
LogicalResult sameShape(Operation *op, llvm::StringRef constraint,
                        llvm::StringRef leftName, RankedTensorType left,
                        llvm::StringRef rightName, RankedTensorType right);

/// Verifies that the shape is `expected`. An unknown size agrees with every
/// size.
LogicalResult shapeIs(Operation *op, llvm::StringRef constraint,
                      llvm::StringRef name, RankedTensorType type,
                      Numbers expected, const llvm::Twine &because);

/// Whether a size of a result may be bounded.
enum class BoundedSizes : uint8_t { None, One };

/// Verifies the sizes of a result that only its type gives (dynamism RFC, P4):
/// all are known, or one has a bound if `allowed` is One. StableHLO's own
/// verifier allows a bound only for broadcast_in_dim and reshape.
LogicalResult saysItsSizes(Operation *op, llvm::StringRef name, mlir::Type type,
                           BoundedSizes allowed);

/// Returns whether element types are equal, scales and zero points included.
bool elementsAgree(mlir::Type left, mlir::Type right);
/// Returns whether element types are equal, or are quantized types that store
/// and express the same; scales and zero points may differ
/// (`baseline_element_type` in the specification).
bool baselinesAgree(mlir::Type left, mlir::Type right);
LogicalResult sameBaselines(Operation *op, llvm::StringRef constraint,
                            llvm::StringRef leftName, RankedTensorType left,
                            llvm::StringRef rightName, RankedTensorType right);
LogicalResult sameElements(Operation *op, llvm::StringRef constraint,
                           llvm::StringRef leftName, RankedTensorType left,
                           llvm::StringRef rightName, RankedTensorType right);

/// Returns whether values of the two types can be the same: tensors of agreeing
/// shapes and elements, tuples of such, or equal types.
bool typesAgree(mlir::Type left, mlir::Type right);

/// Returns whether values of `from` can be promoted to `to`: the same kind of
/// number and no fewer bits.
bool isPromotable(mlir::Type from, mlir::Type to);

RankedTensorType tensorType(mlir::Value value);

/// Verifies that the body has one block that takes two scalars for each of
/// `inputs` (their element types promoted), left ones first, and returns one
/// for each: (E0, …, E0, …) -> (E0, …). Appends each Ei to `elements`.
LogicalResult isReduction(Operation *op, llvm::StringRef constraint,
                          llvm::StringRef name, mlir::Region &body,
                          mlir::TypeRange inputs, mlir::TypeRange inits,
                          llvm::SmallVectorImpl<mlir::Type> &elements);

/// Returns the only block of a region, which must end with stablehlo.return, or
/// null after an error.
mlir::Block *onlyBlock(Operation *op, llvm::StringRef constraint,
                       llvm::StringRef name, mlir::Region &body);

}  // namespace indexical::stablehlo

#endif  // INDEXICAL_IMPORT_STABLEHLO_DIALECT_VERIFY_H
