// Which elements are real numbers, so that the laws of their ring hold.
//
//   subtract(inf, inf)          NaN, and not 0
//   maximum(x, -inf)            a real number if x is one
//   rsqrt(0)                    none; rsqrt(2) is one
//
// Parameters are real numbers, and so is what an op gives that has a real value
// for all of them. Of any other op one must see that its operands lie where it
// has one: a divisor is not zero, as a constant or a sum of exponentials. What
// is not in these lists is not known to be real.
#include <functional>
#include <optional>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include "indexical/program/values/op_identity.h"
#include "indexical/same/values/element_table.h"

namespace indexical {
namespace {

/// Where an op has a real value.
enum class Has : uint8_t {
  Unknown,
  All,
  Convert,  ///< unless the number is too large for the type
  Positive,
  NotNegative,
  AboveMinusOne,
  UpToOne,   ///< of absolute value
  BelowOne,  ///< of absolute value
  FromOne,
  NoZero,   ///< as the second operand
  NoZeros,  ///< as any operand
  Power,    ///< of a positive number, or by a natural one
};

Has valuesOf(llvm::StringRef kind) {
  return llvm::StringSwitch<Has>(kind)
      .Cases({"abs", "add", "asinh", "atan", "cbrt", "ceil", "clamp", "complex",
              "copy", "cosh", "cosine", "erf"},
             Has::All)
      .Cases({"exponential", "exponential-minus-one", "floor", "imag",
              "logistic", "maximum", "minimum", "multiply", "negate", "real"},
             Has::All)
      .Cases({"round-nearest-afz", "round-nearest-even", "select", "sign",
              "sine", "sinh", "square", "subtract", "tanh"},
             Has::All)
      .Case("convert", Has::Convert)
      .Cases({"log", "rsqrt"}, Has::Positive)
      .Case("sqrt", Has::NotNegative)
      .Case("log-plus-one", Has::AboveMinusOne)
      .Cases({"asin", "acos"}, Has::UpToOne)
      .Case("atanh", Has::BelowOne)
      .Case("acosh", Has::FromOne)
      .Cases({"divide", "remainder"}, Has::NoZero)
      .Case("atan2", Has::NoZeros)
      .Case("power", Has::Power)
      .Default(Has::Unknown);
}

/// Where an op has one, if its text says no more than rounding flags.
Has valuesOf(const Op &op) {
  return op.is<ElementwiseOp>() && isPlainButForFlags(op)
             ? valuesOf(op.kind().name)
             : Has::Unknown;
}

bool isWhole(ElementType type) {
  return isInteger(type) || type == ElementType::Pred;
}

/// The largest finite number of f16.
constexpr int64_t kMostOfF16 = 65504;

int exponentBitsOf(ElementType type) {
  switch (type) {
    case ElementType::F64:
      return 11;
    case ElementType::F32:
    case ElementType::BF16:
    case ElementType::F8E8M0FNU:
      return 8;
    default:
      return 5;  // at most
  }
}

/// Whether each number of the first type has one in the second, as rounded.
bool isInRange(ElementType from, ElementType to) {
  if (isWhole(to)) return true;
  if (!isRealFloat(to) || isComplex(from)) return false;
  if (!isWhole(from)) return exponentBitsOf(to) >= exponentBitsOf(from);
  return to != ElementType::F16 || from == ElementType::Pred ||
         (bitsOf(from) <= 16 && from != ElementType::U16);
}

/// Returns the sign of the number minus `than`.
int compare(const Coefficient &number, int64_t than) {
  const llvm::DynamicAPInt rest =
      number.num - llvm::DynamicAPInt(than) * number.den;
  return rest > 0 ? 1 : rest < 0 ? -1 : 0;
}

bool has(Has values, const Coefficient &x) {
  switch (values) {
    case Has::Unknown:
    case Has::Power:
      return false;
    case Has::All:
      return true;
    case Has::Convert:
      return compare(x, kMostOfF16) <= 0 && compare(x, -kMostOfF16) >= 0;
    case Has::Positive:
      return compare(x, 0) > 0;
    case Has::NotNegative:
      return compare(x, 0) >= 0;
    case Has::AboveMinusOne:
      return compare(x, -1) > 0;
    case Has::UpToOne:
      return compare(x, 1) <= 0 && compare(x, -1) >= 0;
    case Has::BelowOne:
      return compare(x, 1) < 0 && compare(x, -1) > 0;
    case Has::FromOne:
      return compare(x, 1) >= 0;
    case Has::NoZero:
    case Has::NoZeros:
      return !x.isZero();
  }
  return false;
}

}  // namespace

bool hasRealNumbers(const ConstantOp &literal) {
  const ElementType type = literal.results[0].type;
  const size_t bytes = (bitsOf(type) + 7) / 8;
  const llvm::StringRef bits = literal.bits;
  // Of a larger one there is only a hash.
  const auto count = literal.results[0].elementCount();
  if (isWhole(type)) return true;
  if (!isRealFloat(type) || !literal.isKnown || !count ||
      (bits.size() != bytes && bits.size() != bytes * *count))
    return false;
  for (size_t at = 0; at < bits.size(); at += bytes)
    if (!numberOfFloat(type, bits.substr(at, bytes))) return false;
  return true;
}

bool keepsRealNumbers(const Op &op) {
  const OpShapes &shapes = shapesOf(op);
  if (op.is<ElementwiseOp>()) {
    const Has values = valuesOf(op);
    return values == Has::All ||
           (values == Has::Convert &&
            isInRange(shapes.operands[0].type, shapes.results[0].type));
  }
  if (!isPlain(op)) return false;
  if (op.is<BitcastOp>())
    return shapes.operands[0].type == shapes.results[0].type;
  if (op.is<IotaOp>())
    return isWhole(shapes.results[0].type) ||
           exponentBitsOf(shapes.results[0].type) > 5;
  return op.isOneOf<
      BroadcastOp, TransposeOp, ReverseOp, SliceOp, ConcatenateOp, ReshapeOp,
      PadOp, DynamicSliceOp, DynamicUpdateSliceOp, GatherOp, ScatterOp,
      SelectAndScatterOp, DotOp, ConvolutionOp, ReduceOp, ReduceWindowOp,
      SortOp, TopKOp, AllReduceOp, AllGatherOp, ReduceScatterOp, AllToAllOp,
      CollectivePermuteOp, ForwardOp, CallOp, ConditionalOp, WhileOp>();
}

bool ElementTable::isInfinity(ElementId id, bool negative) const {
  const Element &element = elements_[id];
  if (element.kind != Element::Kind::Literal || !isRealFloat(element.type))
    return false;
  // All bits of the exponent, none of the mantissa.
  const int64_t bits = bitsOf(element.type);
  const int exponent = element.type == ElementType::F16   ? 5
                       : element.type == ElementType::F64 ? 11
                                                          : 8;
  uint64_t word = 0;
  for (auto [k, byte] : llvm::enumerate(element.text))
    word |= static_cast<uint64_t>(static_cast<uint8_t>(byte)) << (8 * k);
  const uint64_t ones = (uint64_t{1} << exponent) - 1;
  const uint64_t infinity = ones << (bits - 1 - exponent);
  return word == (negative ? infinity | uint64_t{1} << (bits - 1) : infinity);
}

bool ElementTable::findIsConstant(const Element &element) const {
  using Kind = Element::Kind;
  return element.kind != Kind::Parameter && element.kind != Kind::Known &&
         element.kind != Kind::Unknown &&
         llvm::all_of(element.operands,
                      [&](ElementId id) { return isConstant_[id]; });
}

/// Whether the op has a real value for its operands, which are real numbers.
bool ElementTable::hasRealValue(const Element &element) const {
  using Kind = Element::Kind;
  // Whether the number is known to be above zero, or at least not below it.
  // What is asked for lies a few ops away, or is not found.
  constexpr int kMostDepth = 6;
  std::function<bool(ElementId, bool, int)> isAbove =
      [&](ElementId id, bool orZero, int depth) -> bool {
    if (const auto number = numberOf(asPolynomial(id)))
      return compare(*number, 0) > 0 || (orZero && number->isZero());
    const Element &e = elements_[id];
    if (!isReal_[id] || depth >= kMostDepth) return false;
    auto is = [&](ElementId operand) {
      return isAbove(operand, orZero, depth + 1);
    };
    if (e.kind == Kind::Read || e.kind == Kind::Cases)
      return llvm::all_of(e.operands, is);
    if (e.kind == Kind::Sum) {
      bool any = orZero;
      for (const auto &term : asPolynomial(id).terms()) {
        const auto &factors = term.monomial;
        if (compare(term.coefficient, 0) <= 0) return false;
        bool isSquare = factors.size() % 2 == 0;
        for (size_t k = 0; isSquare && k < factors.size(); k += 2)
          isSquare = factors[k] == factors[k + 1];
        auto all = [&](bool zero) {
          return llvm::all_of(factors, [&](ElementId factor) {
            return isAbove(factor, zero, depth + 1);
          });
        };
        if (!isSquare && !all(/*zero=*/true)) return false;
        any = any || all(/*zero=*/false);
      }
      return any;
    }
    const Has values = valuesOf(e.op);
    const llvm::StringRef name = e.op ? llvm::StringRef(e.op.kind().name) : "";
    if (e.kind == Kind::Reduced) {
      // The sum of no number at all is 0.
      return values == Has::All && name == "add" &&
             (orZero || e.leaf != Element::kMayBeEmpty) &&
             llvm::all_of(e.operands, [&](ElementId operand) {
               const bool isInit = e.operands.size() > e.maps.size() &&
                                   operand == e.operands.back();
               return isAbove(operand, orZero || isInit, depth + 1);
             });
    }
    if (e.kind != Kind::Apply || values == Has::Unknown) return false;
    if (name == "exponential" || name == "logistic" || name == "cosh" ||
        name == "rsqrt")
      return true;
    if (orZero && (name == "abs" || name == "square" || name == "sqrt"))
      return true;
    if (name == "maximum") return llvm::any_of(e.operands, is);
    if (name == "select") return is(e.operands[1]) && is(e.operands[2]);
    return (name == "minimum" || name == "divide" || name == "sqrt" ||
            name == "add" || name == "multiply") &&
           llvm::all_of(e.operands, is);
  };
  const Has values = valuesOf(element.op);
  const llvm::ArrayRef<ElementId> operands = element.operands;
  auto isIn = [&](ElementId id) {
    if (const auto number = numberOf(asPolynomial(id)))
      return has(values, *number);
    if (values == Has::NotNegative || values == Has::AboveMinusOne)
      return isAbove(id, /*orZero=*/true, 0);
    return (values == Has::Positive || values == Has::NoZero ||
            values == Has::NoZeros) &&
           isAbove(id, /*orZero=*/false, 0);
  };
  if (operands.empty() || values == Has::Unknown) return false;
  // A literal may be so large that the result is infinite.
  const llvm::StringRef name = element.op.kind().name;
  if (name.starts_with("exponential") || name == "power" || name == "cosh" ||
      name == "sinh")
    for (ElementId id : operands)
      if (const auto number = numberOf(asPolynomial(id)))
        if (compare(*number, 10) > 0 || compare(*number, -10) < 0) return false;
  if (values == Has::All) return true;
  if (values == Has::Convert) {
    const ElementType from = shapesOf(element.op).operands[0].type;
    return isInRange(from, element.type) ||
           (element.type == ElementType::F16 && isIn(operands[0]));
  }
  if (values == Has::NoZeros) return llvm::all_of(operands, isIn);
  if (values == Has::Power) {
    const auto by = numberOf(asPolynomial(operands[1]));
    return isAbove(operands[0], /*orZero=*/false, 0) ||
           (by && by->den == 1 && compare(*by, 0) >= 0);
  }
  return isIn(operands[values == Has::NoZero && operands.size() == 2 ? 1 : 0]);
}

bool ElementTable::findIsReal(const Element &element) const {
  using Kind = Element::Kind;
  const bool isOfFloats = !isWhole(element.type);
  auto areReal = [&](llvm::ArrayRef<ElementId> ids) {
    return llvm::all_of(ids, [&](ElementId id) { return isReal_[id]; });
  };
  // The lowest of all is no number of the ring, but bounds none of them.
  auto isBound = [&](ElementId id) {
    if (!element.op.is<ElementwiseOp>() || !isPlain(element.op)) return false;
    const llvm::StringRef name = element.op.kind().name;
    return (name == "maximum" && isInfinity(id, /*negative=*/true)) ||
           (name == "minimum" && isInfinity(id, /*negative=*/false));
  };
  auto areBounded = [&] {
    bool any = false;
    for (ElementId id : element.operands) {
      if (isBound(id)) continue;
      if (!isReal_[id]) return false;
      any = true;
    }
    return any;
  };
  // A sum of no number is 0, but a maximum of none is infinite.
  auto hasSomeNumber = [&] {
    const llvm::StringRef name = element.op.kind().name;
    const bool hasInit = element.operands.size() > element.maps.size();
    return name == "add" || name == "multiply" ||
           element.leaf != Element::kMayBeEmpty ||
           (hasInit && isReal_[element.operands.back()]);
  };
  switch (element.kind) {
    case Kind::Nothing:
    case Kind::Parameter:
    case Kind::Sum:
      return true;
    case Kind::Index:
      return !isOfFloats || exponentBitsOf(element.type) > 5;
    case Kind::Unknown:
      return false;
    case Kind::Known:
      return element.leaf != 1;
    case Kind::List:
      return hasRealNumbers(element.op.get<ConstantOp>());
    case Kind::Literal:
      return !isOfFloats || numberOfFloat(element.type, element.text);
    case Kind::Apply:
      return !isOfFloats || (areBounded() && hasRealValue(element));
    case Kind::Reduced:
      return !isOfFloats ||
             (areBounded() && keepsRealNumbers(element.op) && hasSomeNumber());
    case Kind::Along:
      if (element.number == Element::kNotReal) return !isOfFloats;
      return !isOfFloats || areReal(element.operands);
    case Kind::Read:
    case Kind::Cases:
      return !isOfFloats || areReal(element.operands);
    case Kind::Computed:
      return element.number != Element::kNotReal && areReal(element.operands);
  }
  return false;
}

}  // namespace indexical
