#include "indexical/import/stablehlo/dialect/quantization.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <tuple>

#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/TypeUtilities.h"

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

LogicalResult keepsElements(Operation *op, RankedTensorType operand,
                            RankedTensorType result, ScalesMayDiffer scales) {
  auto from = perAxis(operand), to = perAxis(result);
  if (!from || !to)
    return sameElements(op, "C1", "operand", operand, "result", result);
  if (mlir::failed(
          sameBaselines(op, "C1", "operand", operand, "result", result)))
    return failure();
  if (scales == ScalesMayDiffer::Yes ||
      (from.getScales() == to.getScales() &&
       from.getZeroPoints() == to.getZeroPoints()))
    return success();
  return broken(op, "C1")
         << "operand and result must have the same scales and zero points, but "
            "have "
         << from << " and " << to;
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

//===-- By the name of the op ---------------------------------------------===//

namespace {

/// Ops whose tensors all have one scale, if they are quantized. Sorted.
constexpr llvm::StringLiteral kPerTensor[] = {
    "abs",
    "all_gather",
    "all_reduce",
    "all_to_all",
    "atan2",
    "batch_norm_grad",
    "batch_norm_inference",
    "batch_norm_training",
    "cbrt",
    "ceil",
    "cholesky",
    "clamp",
    "collective_broadcast",
    "collective_permute",
    "compare",
    "concatenate",
    "cosine",
    "divide",
    "dynamic_gather",
    "dynamic_iota",
    "dynamic_pad",
    "dynamic_slice",
    "dynamic_update_slice",
    "exponential",
    "exponential_minus_one",
    "floor",
    "gather",
    "iota",
    "is_finite",
    "log",
    "log_plus_one",
    "logistic",
    "map",
    "maximum",
    "minimum",
    "multiply",
    "negate",
    "pad",
    "power",
    "reduce",
    "reduce_precision",
    "reduce_scatter",
    "reduce_window",
    "remainder",
    "reverse",
    "round_nearest_afz",
    "round_nearest_even",
    "rsqrt",
    "scatter",
    "select",
    "select_and_scatter",
    "sign",
    "sine",
    "slice",
    "sort",
    "sqrt",
    "subtract",
    "tan",
    "tanh",
    "triangular_solve",
};

/// Ops none of whose tensors is quantized. Sorted.
constexpr llvm::StringLiteral kNotQuantized[] = {
    "complex", "convert", "fft", "imag", "real", "rng", "rng_bit_generator",
};

template <size_t n>
bool isIn(const llvm::StringLiteral (&names)[n], llvm::StringRef name) {
  return std::binary_search(std::begin(names), std::end(names), name);
}

/// The number of the input, of which a list of operands is one.
size_t inputOf(llvm::StringRef name, size_t operand, size_t operands) {
  if (name == "reduce" || name == "reduce_window")
    return operand < operands / 2 ? 1 : 2;
  if (name == "scatter")
    return operand < operands / 2 ? 1 : operand == operands / 2 ? 2 : 3;
  const bool isOneList = name == "concatenate" || name == "sort" ||
                         name == "map" || name.starts_with("all_");
  return isOneList ? 1 : operand + 1;
}

/// Calls with each tensor of the op, the number of its input or `Outputs`, and
/// its name; until the call fails.
template <typename Call>
LogicalResult forEachTensor(Operation *op, llvm::StringRef name, Call call) {
  for (auto [k, value] : llvm::enumerate(op->getOperands())) {
    auto type = llvm::dyn_cast<RankedTensorType>(value.getType());
    if (type && mlir::failed(call("I" + std::to_string(inputOf(
                                            name, k, op->getNumOperands())),
                                  "operand " + std::to_string(k), type)))
      return failure();
  }
  for (auto [k, value] : llvm::enumerate(op->getResults())) {
    auto type = llvm::dyn_cast<RankedTensorType>(value.getType());
    if (type &&
        mlir::failed(call("Outputs", "result " + std::to_string(k), type)))
      return failure();
  }
  return success();
}

/// C2–C7 of add, which alone of its kind may have scales along a dimension.
LogicalResult checkAdd(Operation *op) {
  const RankedTensorType lhs = tensorType(op->getOperand(0));
  const RankedTensorType rhs = tensorType(op->getOperand(1));
  const RankedTensorType result = tensorType(op->getResult(0));
  const mlir::Type types[] = {lhs.getElementType(), rhs.getElementType(),
                              result.getElementType()};
  QuantizedType x = llvm::dyn_cast<QuantizedType>(types[0]);
  QuantizedType y = llvm::dyn_cast<QuantizedType>(types[1]);
  QuantizedType z = llvm::dyn_cast<QuantizedType>(types[2]);
  if (!x && !y && !z) return success();
  if (!x || !y || !z)
    return broken(op, "C2") << "lhs, rhs and result must all be quantized, but "
                               "have the element types "
                            << types;
  if (x.getStorageType() != y.getStorageType() ||
      x.getStorageType() != z.getStorageType() ||
      x.isSigned() != y.isSigned() || x.isSigned() != z.isSigned())
    return broken(op, "C3")
           << "lhs, rhs and result must have the same storage type, but have "
           << types;
  if (x.getExpressedType() != y.getExpressedType() ||
      x.getExpressedType() != z.getExpressedType())
    return broken(op, "C4")
           << "lhs, rhs and result must express the same type, but have "
           << types;
  auto made = perAxis(result);
  if ((perAxis(lhs) || perAxis(rhs)) != static_cast<bool>(made))
    return broken(op, "C5")
           << "the result must have scales along a dimension if and only if "
              "lhs or rhs has, but the types are "
           << types;
  for (auto [constraint, name, side] :
       {std::tuple("C6", "lhs", perAxis(lhs)), {"C7", "rhs", perAxis(rhs)}})
    if (side && side.getQuantizedDimension() != made.getQuantizedDimension())
      return broken(op, constraint)
             << "the scales of " << name
             << " must lie along the dimension of the result's, "
             << made.getQuantizedDimension() << ", but lie along "
             << side.getQuantizedDimension();
  return success();
}

/// C2 of the ops between quantized and other numbers.
LogicalResult checkExpressed(Operation *op, mlir::Type quantized,
                             mlir::Type other) {
  auto expressed = llvm::cast<QuantizedType>(quantized).getExpressedType();
  if (auto twice = llvm::dyn_cast<QuantizedType>(other))
    other = twice.getExpressedType();
  if (expressed == other) return success();
  return broken(op, "C2") << quantized << " must express " << other
                          << ", but expresses " << expressed;
}

}  // namespace

LogicalResult keepsRulesOfScales(Operation *op) {
  llvm::StringRef name = op->getName().getStringRef();
  if (!name.consume_front("stablehlo.")) return success();
  if (name == "add") return checkAdd(op);
  auto elementOf = [](mlir::Value value) {
    return mlir::getElementTypeOrSelf(value.getType());
  };
  if (name == "uniform_quantize")
    return checkExpressed(op, elementOf(op->getResult(0)),
                          elementOf(op->getOperand(0)));
  if (name == "uniform_dequantize") {
    if (llvm::isa<QuantizedType>(elementOf(op->getResult(0))))
      return broken(op, "Outputs")
             << "the result must not be quantized, but is "
             << op->getResult(0).getType();
    return checkExpressed(op, elementOf(op->getOperand(0)),
                          elementOf(op->getResult(0)));
  }
  const bool ofLeft =
      name == "convolution" || name == "dynamic_conv" || name == "dot_general";
  if (ofLeft && perAxis(tensorType(op->getOperand(0))))
    return broken(op, "I1")
           << "lhs must not have scales along a dimension, but is "
           << op->getOperand(0).getType();
  if (isIn(kNotQuantized, name))
    return forEachTensor(op, name,
                         [&](const std::string &number, const std::string &what,
                             RankedTensorType type) -> LogicalResult {
                           if (!llvm::isa<QuantizedType>(type.getElementType()))
                             return success();
                           return broken(op, number)
                                  << what << " must not be quantized, but is "
                                  << type;
                         });
  if (!isIn(kPerTensor, name)) return success();
  if (mlir::failed(forEachTensor(
          op, name,
          [&](const std::string &number, const std::string &what,
              RankedTensorType type) -> LogicalResult {
            if (!perAxis(type)) return success();
            return broken(op, number)
                   << what << " must not have scales along a dimension, but is "
                   << type;
          })))
    return failure();
  // The result of a complex operand is real.
  if (name == "abs" && llvm::isa<QuantizedType>(elementOf(op->getOperand(0))))
    return sameBaselines(op, "C2", "operand", tensorType(op->getOperand(0)),
                         "result", tensorType(op->getResult(0)));
  return success();
}

}  // namespace indexical::stablehlo
