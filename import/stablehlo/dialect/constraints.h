// Predicates and accessors that the generated code of the dialects uses on
// types and attributes.
//
// A list of numbers is `array<i64: 1, 2>` today and `dense<[1, 2]> :
// tensor<2xi64>` in older files; `integers` reads both, so that no accessor of
// an op shows the difference.
//
//   integers(array<i64: 1, 2>)                    {1, 2}
//   integers(dense<3> : tensor<2xi64>)            {3, 3}
//   integerTable(dense<[[0, 1], [2, 3]]> : …)     {{0, 1}, {2, 3}}
#ifndef INDEXICAL_IMPORT_STABLEHLO_DIALECT_CONSTRAINTS_H
#define INDEXICAL_IMPORT_STABLEHLO_DIALECT_CONSTRAINTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/Types.h"

namespace indexical::stablehlo {

/// Kinds of element types; they combine with `|`.
enum ElementKind : unsigned {
  kPred = 1,  ///< i1
  kInt = 2,   ///< signed, unsigned and signless integers wider than i1
  kIndex = 4,
  kFloat = 8,
  kComplex = 16,
  kQuantized = 32,
  kAny = ~0u,  ///< also element types of no other kind, such as strings
};

/// Returns whether `type` is a ranked tensor of elements of one of these kinds.
bool isTensorOf(mlir::Type type, unsigned kinds);
bool isToken(mlir::Type type);
bool isFuture(mlir::Type type);

/// Returns whether a constant has at most `most` elements. `dense<0>` can stand
/// for more elements than fit into memory, or into a number of 64 bits.
bool hasAtMost(int64_t most, mlir::DenseElementsAttr dense);

bool isIntegerList(mlir::Attribute attribute);
bool isBooleanList(mlir::Attribute attribute);
bool isIntegerTable(mlir::Attribute attribute);
bool isReplicaGroups(mlir::Attribute attribute);

/// Returns the numbers of a list or table that satisfies the constraint of that
/// name, or an empty list if it does not.
llvm::SmallVector<int64_t> integers(mlir::Attribute attribute);
llvm::SmallVector<bool> booleans(mlir::Attribute attribute);
llvm::SmallVector<llvm::SmallVector<int64_t>> integerTable(
    mlir::Attribute attribute);

/// Return a list of these numbers as an attribute, in today's form:
/// `array<i64: 1, 2>`, or `array<i1: true>`.
mlir::Attribute integerList(mlir::MLIRContext *context,
                            llvm::ArrayRef<int64_t> numbers);
mlir::Attribute booleanList(mlir::MLIRContext *context,
                            llvm::ArrayRef<bool> values);
/// Returns the table of these rows, `dense<[[0, 1], [2, 3]]>`. The rows must
/// have equal lengths. `columns` is needed only if there is no row.
mlir::Attribute integerTable(mlir::MLIRContext *context,
                             llvm::ArrayRef<llvm::SmallVector<int64_t>> rows,
                             int64_t columns = -1);

/// Verifies that the ranks of the ranked tensors among operands and results
/// agree, and their known sizes, dimension by dimension.
mlir::LogicalResult verifyAgreeingShapes(mlir::Operation *op);

template <typename Concrete>
struct AgreeingShapes : mlir::OpTrait::TraitBase<Concrete, AgreeingShapes> {
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
    return verifyAgreeingShapes(op);
  }
};

/// Verifies that the ranks, known sizes and element types of the ranked tensors
/// among operands and results agree. Quantized types agree if the types that
/// they express do.
mlir::LogicalResult verifyAgreeingElements(mlir::Operation *op);

template <typename Concrete>
struct AgreeingElements : mlir::OpTrait::TraitBase<Concrete, AgreeingElements> {
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
    return verifyAgreeingElements(op);
  }
};

}  // namespace indexical::stablehlo

#endif  // INDEXICAL_IMPORT_STABLEHLO_DIALECT_CONSTRAINTS_H
