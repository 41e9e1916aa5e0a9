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

}  // namespace

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
