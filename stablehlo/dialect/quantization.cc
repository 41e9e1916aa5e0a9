#include "indexical/stablehlo/dialect/quantization.h"

#include <string>

namespace indexical::stablehlo {

using mlir::failure;
using mlir::success;
using mlir::quant::QuantizedType;
using mlir::quant::UniformQuantizedPerAxisType;

LogicalResult checkProduct(Operation *op, const ProductConstraints &constraints,
                           RankedTensorType lhs, RankedTensorType rhs,
                           RankedTensorType result) {
  const mlir::Type left = lhs.getElementType(), right = rhs.getElementType();
  const mlir::Type made = result.getElementType();
  auto x = llvm::dyn_cast<QuantizedType>(left);
  auto y = llvm::dyn_cast<QuantizedType>(right);
  auto z = llvm::dyn_cast<QuantizedType>(made);
  if (!x && !y && !z) {
    if (constraints.equal.empty() || left == right) return success();
    return broken(op, constraints.equal)
           << "lhs and rhs must have the same element type, but have " << left
           << " and " << right;
  }
  if (!y || static_cast<bool>(x) != static_cast<bool>(z))
    return broken(op, constraints.quantized)
           << "rhs must be quantized, and lhs if and only if the result is, "
              "but the element types are "
           << left << " and " << right << ", of the result " << made;
  if (!x) {
    if (left == y.getExpressedType() && left == made) return success();
    return broken(op, constraints.hybrid)
           << "lhs and result must have the type that rhs expresses, "
           << y.getExpressedType() << ", but have " << left << " and " << made;
  }
  if (x.getStorageType() != y.getStorageType() || x.isSigned() != y.isSigned())
    return broken(op, constraints.storage)
           << "lhs and rhs must have the same storage type, but have "
           << x.getStorageType() << " and " << y.getStorageType();
  if (x.getExpressedType() != y.getExpressedType() ||
      x.getExpressedType() != z.getExpressedType())
    return broken(op, constraints.expressed)
           << "lhs, rhs and result must express the same type, but express "
           << x.getExpressedType() << ", " << y.getExpressedType() << " and "
           << z.getExpressedType();
  if (perAxis(rhs) || !perAxis(result)) return success();
  return broken(op, constraints.perTensor)
         << "where rhs has one scale, the result must have one, but is "
         << made;
}

UniformQuantizedPerAxisType perAxis(RankedTensorType type) {
  return llvm::dyn_cast<UniformQuantizedPerAxisType>(type.getElementType());
}

bool hasZeroPoints(RankedTensorType type, int64_t zero) {
  auto is = [&](int64_t point) { return point == zero; };
  if (auto one = llvm::dyn_cast<mlir::quant::UniformQuantizedType>(
          type.getElementType()))
    return is(one.getZeroPoint());
  auto axis = perAxis(type);
  return !axis || llvm::all_of(axis.getZeroPoints(), is);
}

LogicalResult scalesLieAlong(Operation *op, llvm::StringRef constraint,
                             RankedTensorType operand, RankedTensorType result,
                             std::optional<int64_t> moved) {
  auto made = perAxis(result);
  if (!perAxis(operand) || !made) return success();
  if (moved && made.getQuantizedDimension() == *moved) return success();
  return broken(op, constraint)
         << "the scales of the result must lie along "
         << (moved ? "dimension " + std::to_string(*moved)
                   : std::string("a dimension that it has of the operand"))
         << ", where those of the operand go, but lie along dimension "
         << made.getQuantizedDimension();
}

LogicalResult scalesAreBroadcast(Operation *op, RankedTensorType operand,
                                 RankedTensorType result, Numbers dimensions) {
  auto from = perAxis(operand), to = perAxis(result);
  if (!from || !to) return success();
  const int32_t axis = from.getQuantizedDimension();
  if (axis >= static_cast<int32_t>(dimensions.size())) return success();
  if (mlir::failed(scalesLieAlong(op, "C6", operand, result, dimensions[axis])))
    return failure();
  if (operand.getDimSize(axis) != 1) return success();
  auto scale = [&](double each) { return each == from.getScales()[0]; };
  if (llvm::all_of(to.getScales(), scale) &&
      hasZeroPoints(result, from.getZeroPoints()[0]))
    return success();
  return broken(op, "C6") << "the one scale and zero point of the operand, "
                          << from
                          << ", must be those of every index of the result, "
                          << to;
}

LogicalResult scalesKeepTheirPlace(Operation *op, RankedTensorType operand,
                                   RankedTensorType result) {
  auto from = perAxis(operand), to = perAxis(result);
  if (!from || !to || !operand.hasStaticShape() || !result.hasStaticShape())
    return success();
  struct Parts {
    int64_t before = 1, along = 1, behind = 1;
    bool overflowed = false;
  };
  auto partsOf = [](RankedTensorType type, int64_t axis) {
    Parts parts;
    for (int64_t d = 0; d < type.getRank(); ++d) {
      int64_t &part = d < axis    ? parts.before
                      : d == axis ? parts.along
                                  : parts.behind;
      parts.overflowed |= llvm::MulOverflow(part, type.getDimSize(d), part);
    }
    return parts;
  };
  const Parts a = partsOf(operand, from.getQuantizedDimension());
  const Parts b = partsOf(result, to.getQuantizedDimension());
  // Which is refused elsewhere.
  if (a.overflowed || b.overflowed) return success();
  if (a.before == b.before && a.along == b.along && a.behind == b.behind)
    return success();
  return broken(op, "C3")
         << "as many elements must lie before the dimension of the scales, "
            "along it and behind it, but these are "
         << listed({a.before, a.along, a.behind}) << " and "
         << listed({b.before, b.along, b.behind});
}

}  // namespace indexical::stablehlo
