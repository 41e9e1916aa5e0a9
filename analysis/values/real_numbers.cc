// Which elements are real numbers, so that the laws of their ring hold.
//
//   subtract(inf, inf)          NaN, and not 0
//   maximum(x, -inf)            a real number if x is one
//   rsqrt(0)                    none; rsqrt(2) is one
//
// Parameters are assumed to be real numbers, and so is what is computed of
// them: a divisor is not zero, a logarithm's operand is positive. Of constants
// one can tell.
#include <optional>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include "indexical/analysis/values/element_table.h"
#include "indexical/values/op_identity.h"

namespace indexical {
namespace {

/// The constants for which an op has a real value.
enum class Has : uint8_t {
  Unknown,
  All,
  Positive,
  NotNegative,
  AboveMinusOne,
  UpToOne,   ///< of absolute value
  BelowOne,  ///< of absolute value
  FromOne,
  NoZero,   ///< as the second operand
  NoZeros,  ///< as any operand
};

Has valuesOf(llvm::StringRef kind) {
  return llvm::StringSwitch<Has>(kind)
      .Cases({"abs", "add", "asinh", "atan", "cbrt", "ceil", "clamp", "convert",
              "copy", "cosh", "cosine", "erf"},
             Has::All)
      .Cases({"exponential", "exponential-minus-one", "floor", "logistic",
              "maximum", "minimum", "multiply", "negate"},
             Has::All)
      .Cases({"reduce-precision", "round-nearest-afz", "round-nearest-even",
              "select", "sign", "sine", "sinh", "square", "subtract", "tanh"},
             Has::All)
      .Cases({"log", "rsqrt"}, Has::Positive)
      .Case("sqrt", Has::NotNegative)
      .Case("log-plus-one", Has::AboveMinusOne)
      .Cases({"asin", "acos"}, Has::UpToOne)
      .Case("atanh", Has::BelowOne)
      .Case("acosh", Has::FromOne)
      .Cases({"divide", "remainder"}, Has::NoZero)
      .Cases({"atan2", "power"}, Has::NoZeros)
      .Default(Has::Unknown);
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
      return false;
    case Has::All:
      return true;
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
  if (!isRealFloat(type)) return !isComplex(type);
  if (!count || (bits.size() != bytes && bits.size() != bytes * *count))
    return false;
  for (size_t at = 0; at < bits.size(); at += bytes)
    if (!numberOfFloat(type, bits.substr(at, bytes))) return false;
  return true;
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
/// Of a constant that is no number of the ring this is not known.
bool ElementTable::hasRealValue(const Element &element) const {
  const Has values = valuesOf(element.op.kind().name);
  if (values == Has::All) return true;
  auto isIn = [&](ElementId id) {
    const auto number = asPolynomial(id).asNumber();
    return number ? has(values, *number) : !isConstant_[id];
  };
  const llvm::ArrayRef<ElementId> operands = element.operands;
  if (operands.empty()) return false;
  if (values == Has::Unknown)
    return !llvm::all_of(operands,
                         [&](ElementId id) { return isConstant_[id]; });
  if (values == Has::NoZeros) return llvm::all_of(operands, isIn);
  return isIn(operands[values == Has::NoZero && operands.size() == 2 ? 1 : 0]);
}

bool ElementTable::findIsReal(const Element &element) const {
  using Kind = Element::Kind;
  const bool isOfFloats = isRealFloat(element.type);
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
  switch (element.kind) {
    case Kind::Nothing:
    case Kind::Parameter:
    case Kind::Index:
    case Kind::Sum:
      return true;
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
      return !isOfFloats || areBounded();
    case Kind::Read:
    case Kind::Cases:
      return !isOfFloats || areReal(element.operands);
    case Kind::Computed:
      return areReal(element.operands);
  }
  return false;
}

}  // namespace indexical
