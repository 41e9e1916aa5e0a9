#include "indexical/ops/derivative.h"

#include <algorithm>
#include <iterator>

#include "indexical/ops/families.h"

namespace indexical {
namespace {

using llvm::StringRef;

template <size_t N>
bool isOneOf(StringRef name, const StringRef (&names)[N]) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

Derivative ofElementwise(StringRef kind) {
  static constexpr StringRef kSteps[] = {"ceil", "floor", "round-nearest-afz",
                                         "round-nearest-even", "sign"};
  // Each operand of these that is a float changes the result. Of the others it
  // is not known, or it depends on the operand.
  static constexpr StringRef kSmooth[] = {"abs",
                                          "acos",
                                          "acosh",
                                          "add",
                                          "asin",
                                          "asinh",
                                          "atan",
                                          "atan2",
                                          "atanh",
                                          "cbrt",
                                          "clamp",
                                          "complex",
                                          "conj",
                                          "convert",
                                          "copy",
                                          "cosh",
                                          "cosine",
                                          "divide",
                                          "erf",
                                          "erf-inv",
                                          "erfc",
                                          "exponential",
                                          "exponential-minus-one",
                                          "log",
                                          "log-plus-one",
                                          "logistic",
                                          "maximum",
                                          "minimum",
                                          "multiply",
                                          "negate",
                                          "power",
                                          "real",
                                          "remainder",
                                          "rsqrt",
                                          "select",
                                          "sine",
                                          "sinh",
                                          "sqrt",
                                          "square",
                                          "subtract",
                                          "tan",
                                          "tanh"};
  if (isOneOf(kind, kSteps)) return Derivative::Zero;
  return isOneOf(kind, kSmooth) ? Derivative::Carried : Derivative::Unknown;
}

/// Whether the family moves elements of its first operands, which floats are,
/// and takes the others, which integers are, for places alone.
bool movesElements(const Op &op) {
  return op.is<BroadcastOp>() || op.is<TransposeOp>() || op.is<ReverseOp>() ||
         op.is<SliceOp>() || op.is<ConcatenateOp>() ||
         op.is<DynamicReshapeOp>() || op.is<SetDimensionSizeOp>() ||
         op.is<ReshapeOp>() || op.is<PadOp>() || op.is<DynamicSliceOp>() ||
         op.is<DynamicUpdateSliceOp>() || op.is<GatherOp>() ||
         op.is<ForwardOp>();
}

/// Whether the op applies a computation to elements of its operands, which it
/// does not run as a call does.
bool appliesBody(const Op &op) {
  return op.is<ReduceOp>() || op.is<ReduceWindowOp>() || op.is<ScatterOp>();
}

/// Whether the op takes floats for numbers, so that integers that it makes of
/// them are constant between some places.
bool makesSteps(const Op &op) {
  static constexpr StringRef kSteps[] = {"and",        "cast",
                                         "compare",    "convert",
                                         "is-finite",  "is-inf",
                                         "is-neg-inf", "is-pos-inf",
                                         "not",        "or",
                                         "select",     "stochastic-convert",
                                         "truncate",   "uniform-quantize"};
  if (op.is<ElementwiseOp>()) return isOneOf(op.kind().name, kSteps);
  // Keys only order; what is applied to elements is looked at elsewhere.
  return op.is<SortOp>() || op.is<TopKOp>() || appliesBody(op) ||
         op.is<DotOp>() || op.is<ConvolutionOp>() || movesElements(op);
}

/// Whether elements of the operand leaf become elements of the result, each as
/// it is.
bool movesFrom(const Op &op, int64_t result, int64_t operand) {
  if (const auto *forward = op.as<ForwardOp>())
    return forward->reads[result] == operand;
  if (op.is<ElementwiseOp>()) {
    const StringRef kind = op.kind().name;
    return kind == "copy" || (kind == "select" && operand > 0);
  }
  if (op.is<SortOp>()) return result == operand;
  if (op.is<ConcatenateOp>()) return true;
  if (op.is<PadOp>() || op.is<DynamicUpdateSliceOp>()) return operand < 2;
  return movesElements(op) && operand == 0;
}

}  // namespace

HeldBits bitsThrough(const Op &op, int64_t result, int64_t operand,
                     HeldBits held) {
  const OpShapes &shapes = shapesOf(op);
  const ElementType to = shapes.results[result].type;
  const ElementType from = shapes.operands[operand].type;
  const bool isFloat = carriesDerivatives(from);
  if (!isFloat && !held.any()) return HeldBits();
  if (const auto *forward = op.as<ForwardOp>();
      forward && forward->reads[result] != operand)
    return HeldBits();
  if (op.is<BitcastOp>() || op.is<BitcastConvertOp>()) {
    if (bitsOf(to) != bitsOf(from) || from == ElementType::Unknown)
      return HeldBits::changed();
    return isFloat ? HeldBits::of(from) : held;
  }
  if (isFloat) return makesSteps(op) ? HeldBits() : HeldBits::changed();
  return movesFrom(op, result, operand) && to == from ? held
                                                      : HeldBits::changed();
}

Derivative derivativeOfBits(const Op &op, int64_t result, int64_t operand,
                            HeldBits held) {
  if (!held.any()) return Derivative::Zero;
  const OpShapes &shapes = shapesOf(op);
  const bool isMovement = op.is<BitcastOp>() || op.is<BitcastConvertOp>();
  return isMovement && held.areOf(shapes.results[result].type) &&
                 bitsOf(shapes.operands[operand].type) ==
                     bitsOf(shapes.results[result].type)
             ? Derivative::Carried
             : Derivative::Unknown;
}

bool carriesDerivatives(ElementType type) { return !isInteger(type); }

Derivative derivativeOf(const Op &op, int64_t result, int64_t operand,
                        AppliedBody body) {
  const OpShapes &shapes = shapesOf(op);
  const ElementType to = shapes.results[result].type;
  const ElementType from = shapes.operands[operand].type;
  if (!carriesDerivatives(to) || !carriesDerivatives(from))
    return Derivative::Zero;
  if (to == ElementType::Unknown || from == ElementType::Unknown)
    return Derivative::Unknown;
  // Loops, branches and scans are made of what they run.
  if (op.is<CallOp>() || op.is<ConditionalOp>() || op.is<WhileOp>() ||
      op.is<ScanOp>())
    return Derivative::Carried;
  if (op.is<ElementwiseOp>()) {
    const Derivative derivative = ofElementwise(op.kind().name);
    // The sign of a complex number is its direction.
    return derivative == Derivative::Zero && isComplex(from)
               ? Derivative::Carried
               : derivative;
  }
  if (movesElements(op)) return Derivative::Carried;
  if (op.is<BitcastOp>() || op.is<BitcastConvertOp>())
    return to == from ? Derivative::Carried : Derivative::Unknown;
  if (appliesBody(op)) {
    const bool isKnown = body == AppliedBody::Plain ||
                         (body == AppliedBody::Last && op.is<ScatterOp>());
    return isKnown && shapes.results.size() == 1 ? Derivative::Carried
                                                 : Derivative::Unknown;
  }
  if (op.is<DotOp>() || op.is<ConvolutionOp>() || op.is<CholeskyOp>() ||
      op.is<TriangularSolveOp>() || op.is<FftOp>())
    return Derivative::Carried;
  // Keys decide only where elements go, and the windows' elements only which
  // one of them is taken.
  if (op.is<SortOp>())
    return result == operand ? Derivative::Carried : Derivative::Zero;
  if (op.is<SelectAndScatterOp>() && operand == 0) return Derivative::Zero;
  if (op.is<TopKOp>()) return Derivative::Carried;
  return Derivative::Unknown;
}

}  // namespace indexical
