// Accesses and mixed lists, for the describers of upstream dialects.
//
//   tensor.extract_slice %t[3, %o] [2, 4] [1, 1]
//     offsets: static {3, kDynamic}, the dynamic ones from operand leaf 1 on
//
//   Access access;
//   MixedList offsets = mixed({3, mlir::ShapedType::kDynamic}, 1);
//   Expr first = offsets.at(access, 0);   // 3
//   Expr second = offsets.at(access, 1);  // rt0, the value of operand leaf 1
//
// An operand's number is that of its leaf, since each operand of these ops is
// one array. `whyNot` gives the reason if one is not.
#ifndef INDEXICAL_IMPORT_STABLEHLO_IMPORT_ACCESSES_H
#define INDEXICAL_IMPORT_STABLEHLO_IMPORT_ACCESSES_H

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

#include "indexical/import/stablehlo/import/describe.h"
#include "indexical/ops/access.h"
#include "indexical/ops/custom_elements.h"
#include "indexical/ops/families.h"
#include "indexical/ops/op.h"
#include "indexical/ops/sized_maps.h"
#include "indexical/ops/sizes.h"

namespace indexical {

/// Maps that one function gives, and sizes that another gives.
class SizedFunctionMaps : public FunctionMaps,
                          public SizedMaps,
                          public HasBodyLoops {
 public:
  SizedFunctionMaps(Function function, Sizes sizes,
                    std::shared_ptr<const BodyLoops> loops)
      : FunctionMaps(std::move(function)),
        SizedMaps(std::move(sizes)),
        HasBodyLoops(std::move(loops)) {}
};

/// Returns an op whose maps follow from the accesses that `function` describes.
/// `sizes` says which of its sizes are equal, and what they follow from;
/// `loops`, if not null, what its elements are.
inline absl::StatusOr<Op> accessOp(
    OpShapes shapes, FunctionMaps::Function function,
    SizedMaps::Sizes sizes = nullptr,
    std::shared_ptr<const BodyLoops> loops = nullptr) {
  CustomOp op = make<CustomOp>(std::move(shapes));
  op.maps = std::make_shared<SizedFunctionMaps>(
      std::move(function), std::move(sizes), std::move(loops));
  return Op(std::move(op));
}

/// Returns an op whose maps follow from the regions of `op`, as the accesses
/// that `function` describes. Calls it at once, since `op` may be gone when
/// maps are asked for, for the op's own operands and for the values that its
/// regions capture. Appends the shapes of captured values to the operands of
/// `shapes`. `loops`, if not null, are those that run the region.
absl::StatusOr<Op> regionOp(
    mlir::Operation *op, OpShapes shapes,
    llvm::function_ref<absl::Status(const OpShapes &shapes, int64_t result,
                                    int64_t operand, AccessList &list)>
        function,
    SizedMaps::Sizes sizes = nullptr,
    std::shared_ptr<const BodyLoops> loops = nullptr);

/// States that tensors `a` and `b`, of this shape, have equal sizes. The op's
/// tensors are numbered: operand leaves, then results.
inline void addSame(SizeRules &rules, const ArrayShape &shape, int64_t a,
                    int64_t b) {
  for (int64_t k = 0; k < shape.rank(); ++k) rules.equal({a, k}, {b, k});
}
/// Returns the sizes of result 0 that its type leaves open: in order, they are
/// the scalar operands from `first` on. `shapes` are those of the types.
SizedMaps::Sizes givenSizes(const OpShapes &shapes, int64_t first);

/// Returns an op of which every result reads all of every operand, with this
/// precision. `reason` says why no more is known.
inline absl::StatusOr<Op> coverOp(OpShapes shapes, Precision precision,
                                  std::string reason) {
  CoverOp op = make<CoverOp>(std::move(shapes));
  op.precision = precision;
  op.reason = std::move(reason);
  return Op(std::move(op));
}

/// Returns why an op cannot be described by accesses, or nothing if it can:
/// each operand must be one leaf of values (a memref's elements change without
/// a new value), and no size may be a multiple of one that only the machine
/// knows.
std::optional<std::string> whyNot(mlir::Operation *op, const OpShapes &shapes);

/// A list in which some entries are operands. An operand that is a constant is
/// its number: such an entry has both.
struct MixedList {
  llvm::SmallVector<int64_t, 6> values;  ///< ShapedType::kDynamic: an operand
  llvm::SmallVector<int64_t, 6> leaves;  ///< -1: the text has the number
  int64_t firstLeaf = 0;

  size_t size() const { return values.size(); }
  bool isStatic(size_t k) const {
    return !mlir::ShapedType::isDynamic(values[k]);
  }
  bool isStatic() const;
  /// Returns the entry. For an operand it is a runtime variable with these
  /// bounds, outside of which the op is not defined.
  Expr at(Access &access, size_t k, Interval bounds = Interval::all()) const;
  /// Returns the number of entries that are operands.
  int64_t leafCount() const;
  /// Returns the operand leaf of an entry that is an operand.
  int64_t leafOf(size_t k) const { return leaves[k]; }
  /// Returns the entry as an expression in a formula of sizes.
  Expr in(SizeContext &sizes, size_t k, Interval bounds) const {
    return isStatic(k) ? sizes.constant(values[k])
                       : sizes.element(leafOf(k), {}, bounds);
  }
};

/// Returns the list. `op`, if not null, is the one whose operands from
/// `firstLeaf` on its open entries are.
MixedList mixed(llvm::ArrayRef<int64_t> values, int64_t firstLeaf,
                mlir::Operation *op = nullptr);

/// Returns an op that reads operand leaf 0 as `inner` does, which has no other
/// operand. The further operands say sizes, and are read whole.
absl::StatusOr<Op> withSizes(Op inner, OpShapes shapes);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_IMPORT_ACCESSES_H
