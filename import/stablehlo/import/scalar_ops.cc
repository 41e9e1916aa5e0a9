// Constants, ops on indices and shapes, and every op that says by its traits
// that it works element by element.
//
//   %c = arith.constant dense<[3, 1]> : tensor<2xindex>    values 3, 1
//   %s = arith.select %p, %a, %b : tensor<4xf32>, %p : i1
//     operand 0   (d0) -> ()          operand 1   (d0) -> (d0)
//
// The trait is MLIR's `Elementwise`, which arith, math and many an op of other
// dialects have: on tensors or vectors a result element is that of the scalar
// op on the elements of the same index, an operand that is a scalar counting
// for all of them. `Scalarizable`, `Vectorizable` and `Tensorizable` only say
// which types the op can be given instead.
#include "indexical/import/stablehlo/import/scalar_ops.h"

#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"

#include "indexical/import/stablehlo/describe/attribute_values.h"
#include "indexical/import/stablehlo/import/accesses.h"
#include "indexical/import/stablehlo/import/loop_forms.h"
#include "indexical/program/module/op_definitions.h"

namespace indexical {
namespace {

/// Whether there is one result, and no operand has a higher rank.
bool isBroadcastToResult(const OpShapes &shapes) {
  return shapes.results.size() == 1 &&
         llvm::all_of(shapes.operands, [&](const ArrayShape &operand) {
           return operand.rank() <= shapes.results[0].rank();
         });
}

absl::StatusOr<Op> describeConstant(mlir::Operation *op, OpShapes shapes) {
  auto constant = make<ConstantOp>(std::move(shapes));
  takeBits(op->getAttr("value"), constant);
  constant.values = constantValues(op->getAttr("value"));
  return Op(std::move(constant));
}

absl::StatusOr<Op> describeTosaConstant(mlir::Operation *op, OpShapes shapes) {
  auto constant = make<ConstantOp>(std::move(shapes));
  takeBits(op->getAttr("values"), constant);
  constant.values = constantValues(op->getAttr("values"));
  return Op(std::move(constant));
}

absl::StatusOr<Op> describeElementwise(mlir::Operation *, OpShapes shapes) {
  return Op(make<ElementwiseOp>(std::move(shapes)));
}

/// TOSA has no trait for this one. Its third operand is one element.
absl::StatusOr<Op> describeTosaProduct(mlir::Operation *op, OpShapes shapes) {
  if (isBroadcastToResult(shapes)) return broadcastingOp(std::move(shapes));
  return coverOp(std::move(shapes), Precision::Opaque,
                 "an operand of `" + op->getName().getStringRef().str() +
                     "` has a higher rank than its result");
}

/// The value stays: an index or a wider integer of the same sign. Composition
/// sees constants through these. An i1 that holds is -1 in wider types.
absl::StatusOr<Op> describeKeeping(mlir::Operation *op, OpShapes shapes) {
  if (!isElementwise(op, shapes))
    return coverOp(std::move(shapes), Precision::Opaque,
                   "it is not of tensors, vectors or scalars");
  return Op(make<ElementwiseOp>(std::move(shapes)));
}

/// Sizes are integers here. Those of the type `!shape.size` may be errors.
absl::StatusOr<Op> describeOfSizes(mlir::Operation *op, OpShapes shapes) {
  if (auto why = whyNot(op, shapes))
    return coverOp(std::move(shapes), Precision::Opaque, *why);
  return describeElementwise(op, std::move(shapes));
}

absl::StatusOr<Op> describeNullary(mlir::Operation *, OpShapes shapes) {
  return Op(make<NullaryOp>(std::move(shapes)));
}

/// The shape of a tensor is not read from its elements.
absl::StatusOr<Op> describeShapeOf(mlir::Operation *, OpShapes shapes) {
  auto sizes = make<NullaryOp>(std::move(shapes));
  if (sizes.operands.size() == 1 && sizes.results.size() == 1)
    sizes.sizeOf = NullaryOp::kAllSizes;
  return Op(std::move(sizes));
}

/// Every result element depends on all sizes.
absl::StatusOr<Op> describeNumElements(mlir::Operation *, OpShapes shapes) {
  return accessOp(std::move(shapes), [](const OpShapes &s, int64_t result,
                                        int64_t operand, AccessList &list) {
    list.addEverything(s.results[result], s.operands[operand]);
    return absl::OkStatus();
  });
}

/// Every size depends on those of the operands, aligned at the last one.
absl::StatusOr<Op> describeShapeBroadcast(mlir::Operation *op,
                                          OpShapes shapes) {
  if (auto why = whyNot(op, shapes))
    return coverOp(std::move(shapes), Precision::Opaque, *why);
  return accessOp(std::move(shapes), [](const OpShapes &s, int64_t,
                                        int64_t operand, AccessList &list) {
    const int64_t size = s.results[0].dimensions[0];
    const int64_t own = s.operands[operand].dimensions[0];
    if (size == kDynamicSize || own == kDynamicSize) {
      list.addEverything(s.results[0], s.operands[operand]);
      list.weaken(Precision::Cover);
      return absl::OkStatus();
    }
    Access &access = list.add();
    const Expr place = access.loop({0, own - 1});
    access.operand = {place};
    access.result = {place + (size - own)};
    return absl::OkStatus();
  });
}

/// A branch that returns values. What one does to memory nobody follows.
absl::StatusOr<Op> describeScfIf(mlir::Operation *op, OpShapes shapes) {
  if (op->getNumResults() > 0)
    return Op(make<ConditionalOp>(std::move(shapes)));
  return coverOp(std::move(shapes), Precision::Opaque,
                 "a branch without results is not followed");
}

absl::StatusOr<Op> describeScfWhile(mlir::Operation *op, OpShapes shapes) {
  if (isPlainWhile(op)) return Op(make<WhileOp>(std::move(shapes)));
  return coverOp(std::move(shapes), Precision::Opaque,
                 "the loop passes on what it computes before its condition");
}

constexpr llvm::StringLiteral kFollowed =
    "the reads of the regions are found in the analysis of the whole module";

constexpr MlirOpInfo kScalarOps[] = {
    {"affine.apply", describeElementwise, Precision::Exact, ""},
    {"affine.max", describeElementwise, Precision::Exact, ""},
    {"affine.min", describeElementwise, Precision::Exact, ""},
    {"arith.constant", describeConstant, kindOf<ConstantOp>()},
    {"arith.extsi", describeKeeping, kindOf<ElementwiseOp>("sign-extend")},
    {"arith.index_cast", describeKeeping, kindOf<ElementwiseOp>("sign-extend")},
    {"complex.constant", describeNullary, Precision::Exact, ""},
    {"complex.create", describeElementwise, Precision::Exact, ""},
    {"scf.if", describeScfIf, Precision::Cover, kFollowed},
    {"scf.while", describeScfWhile, Precision::Cover, kFollowed},
    {"shape.add", describeOfSizes, kindOf<ElementwiseOp>("add")},
    {"shape.broadcast", describeShapeBroadcast, ElementRule::BroadcastSize},
    {"shape.const_shape", describeNullary, Precision::Exact, ""},
    {"shape.div", describeOfSizes, kindOf<ElementwiseOp>("divide-floor")},
    {"shape.max", describeOfSizes, kindOf<ElementwiseOp>("maximum")},
    {"shape.min", describeOfSizes, kindOf<ElementwiseOp>("minimum")},
    {"shape.mul", describeOfSizes, kindOf<ElementwiseOp>("multiply")},
    {"shape.num_elements", describeNumElements, ElementRule::Product},
    {"shape.shape_of", describeShapeOf, Precision::Exact, ""},
    {"tosa.cast", describeElementwise, kindOf<ElementwiseOp>("convert")},
    {"tosa.const", describeTosaConstant, kindOf<ConstantOp>()},
    {"tosa.identity", describeElementwise, kindOf<ElementwiseOp>("copy")},
    {"tosa.mul", describeTosaProduct, Precision::Exact, ""},
    {"ub.poison", describeNullary, Precision::Exact, ""},
};

/// Ops of arith that compute what one of HLO does, by name.
struct ArithmeticRow {
  llvm::StringLiteral name;
  const OpKind *kind;
};

constexpr const OpKind *scalarKind(std::string_view name) {
  return kindOf<ElementwiseOp>(name);
}

constexpr ArithmeticRow kArithmetic[] = {
    {"arith.addf", scalarKind("add")},
    {"arith.addi", scalarKind("add")},
    {"arith.andi", scalarKind("and")},
    {"arith.divf", scalarKind("divide")},
    {"arith.divsi", scalarKind("divide")},
    {"arith.divui", scalarKind("divide-unsigned")},
    {"arith.extui", scalarKind("zero-extend")},
    {"arith.floordivsi", scalarKind("divide-floor")},
    {"arith.index_castui", scalarKind("zero-extend")},
    {"arith.maximumf", scalarKind("maximum")},
    {"arith.maxsi", scalarKind("maximum")},
    {"arith.maxui", scalarKind("maximum-unsigned")},
    {"arith.minimumf", scalarKind("minimum")},
    {"arith.minsi", scalarKind("minimum")},
    {"arith.minui", scalarKind("minimum-unsigned")},
    {"arith.mulf", scalarKind("multiply")},
    {"arith.muli", scalarKind("multiply")},
    {"arith.negf", scalarKind("negate")},
    {"arith.ori", scalarKind("or")},
    {"arith.remsi", scalarKind("remainder")},
    {"arith.remui", scalarKind("remainder-unsigned")},
    {"arith.select", scalarKind("select")},
    {"arith.shli", scalarKind("shift-left")},
    {"arith.shrsi", scalarKind("shift-right-arithmetic")},
    {"arith.shrui", scalarKind("shift-right-logical")},
    {"arith.subf", scalarKind("subtract")},
    {"arith.subi", scalarKind("subtract")},
    {"arith.trunci", scalarKind("truncate")},
    {"arith.xori", scalarKind("xor")},
};

bool isScalar(const ArrayShape &shape) { return shape.rank() == 0; }

}  // namespace

bool isElementwise(mlir::Operation *op, const OpShapes &shapes) {
  if (!op->hasTrait<mlir::OpTrait::Elementwise>() || op->getNumRegions() > 0 ||
      shapes.operands.size() != op->getNumOperands() ||
      shapes.results.size() != op->getNumResults() || shapes.results.empty())
    return false;
  if (llvm::any_of(op->getOperandTypes(), [](mlir::Type type) {
        return llvm::isa<mlir::BaseMemRefType>(type);
      }))
    return false;
  const int64_t rank = shapes.results[0].rank();
  auto fits = [&](const ArrayShape &shape) { return shape.rank() == rank; };
  return llvm::all_of(shapes.results, fits) &&
         llvm::all_of(shapes.operands, [&](const ArrayShape &shape) {
           return fits(shape) || isScalar(shape);
         });
}

bool isTosaElementwise(mlir::Operation *op, const OpShapes &shapes) {
  return op->hasTrait<mlir::OpTrait::tosa::TosaElementwiseOperator>() &&
         shapes.operands.size() == op->getNumOperands() &&
         op->getNumResults() == 1 && isBroadcastToResult(shapes);
}

const OpKind *arithmeticKind(llvm::StringRef name) {
  const auto *row = llvm::find_if(
      kArithmetic, [&](const ArithmeticRow &row) { return row.name == name; });
  return row == std::end(kArithmetic) ? kindOf<ElementwiseOp>() : row->kind;
}

llvm::ArrayRef<MlirOpInfo> scalarOps() { return kScalarOps; }

}  // namespace indexical
