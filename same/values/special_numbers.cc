#include "indexical/same/values/special_numbers.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/same/values/element_table.h"
#include "indexical/same/values/rounded_numbers.h"

namespace indexical {

namespace {

using Maybe = std::optional<TypedNumber>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Maybe numberOf(ElementType type, double value) {
  TypedNumber made;
  made.type = type;
  made.low = made.high = value;
  return made;
}

Maybe nanOf(ElementType type) {
  return numberOf(type, std::numeric_limits<double>::quiet_NaN());
}

bool isInfinite(const TypedNumber &x) { return std::isinf(x.low); }
double signOf(const TypedNumber &x) { return x.low < 0 ? -1 : 1; }
/// Whether the number is not 0, and its sign is known.
bool hasSign(const TypedNumber &x) { return x.low > 0 || x.high < 0; }

/// The exponential of larger numbers is infinite.
double overflowOfExponential(ElementType type) {
  switch (type) {
    case ElementType::F16:
      return 11.2;
    case ElementType::BF16:
    case ElementType::F32:
      return 89;
    default:
      return 710;
  }
}

/// Ops that give NaN for any NaN.
bool passesNan(llvm::StringRef name) {
  for (llvm::StringRef each :
       {"add",     "subtract",     "multiply",    "divide",
        "negate",  "abs",          "exponential", "exponential-minus-one",
        "log",     "log-plus-one", "sqrt",        "rsqrt",
        "tanh",    "logistic",     "sine",        "cosine",
        "tan",     "floor",        "ceil",        "copy",
        "maximum", "minimum",      "erf",         "cbrt"})
    if (name == each) return true;
  return false;
}

Maybe sumOf(ElementType type, const TypedNumber &a, const TypedNumber &b) {
  if (isInfinite(a) && isInfinite(b) && a.low != b.low) return nanOf(type);
  return numberOf(type, isInfinite(a) ? a.low : b.low);
}

TypedNumber negated(TypedNumber x) {
  std::swap(x.low, x.high);
  x.low = -x.low;
  x.high = -x.high;
  return x;
}

/// A comparison of which an operand is special.
Maybe comparedTo(const Op &op, const TypedNumber &a, const TypedNumber &b) {
  const llvm::StringRef name = lawName(op);
  auto truth = [](bool value) {
    return integerNumber(ElementType::Pred, value);
  };
  if (isNan(a) || isNan(b)) {
    if (name == "NE") return truth(true);
    for (llvm::StringRef each : {"EQ", "LT", "LE", "GT", "GE"})
      if (name == each) return truth(false);
    return std::nullopt;
  }
  const bool isLess = a.high<b.low, isMore = a.low> b.high;
  const bool isSame = a.isPoint() && b.isPoint() && a.low == b.low;
  if (!isLess && !isMore && !isSame) return std::nullopt;
  if (name == "EQ") return truth(isSame);
  if (name == "NE") return truth(!isSame);
  if (name == "LT") return truth(isLess);
  if (name == "LE") return truth(isLess || isSame);
  if (name == "GT") return truth(isMore);
  if (name == "GE") return truth(isMore || isSame);
  return std::nullopt;
}

Maybe ofOne(llvm::StringRef name, ElementType type, const TypedNumber &x) {
  const bool isBelow = x.low < 0;
  if (name == "copy") return x;
  if (name == "negate") return negated(x);
  if (name == "abs") return numberOf(type, kInfinity);
  if (name == "exponential") return numberOf(type, isBelow ? 0 : kInfinity);
  if (name == "tanh") return numberOf(type, isBelow ? -1 : 1);
  if (name == "logistic") return numberOf(type, isBelow ? 0 : 1);
  if (name == "sqrt" || name == "log")
    return isBelow ? nanOf(type) : numberOf(type, kInfinity);
  if (name == "floor" || name == "ceil") return x;
  return std::nullopt;
}

Maybe ofTwo(llvm::StringRef name, ElementType type, const TypedNumber &a,
            const TypedNumber &b) {
  if (name == "add") return sumOf(type, a, b);
  if (name == "subtract") return sumOf(type, a, negated(b));
  if (name == "multiply") {
    const bool isZero =
        (a.low == 0 && a.high == 0) || (b.low == 0 && b.high == 0);
    if (isZero) return nanOf(type);
    if (!hasSign(a) || !hasSign(b)) return std::nullopt;
    return numberOf(type, signOf(a) * signOf(b) * kInfinity);
  }
  if (name == "divide") {
    if (isInfinite(a) && isInfinite(b)) return nanOf(type);
    if (isInfinite(b)) return numberOf(type, 0);
    if (!hasSign(b)) return std::nullopt;
    return numberOf(type, signOf(a) * signOf(b) * kInfinity);
  }
  const bool isLargest = name == "maximum";
  if (isLargest || name == "minimum") {
    TypedNumber made = a;
    made.low = isLargest ? std::max(a.low, b.low) : std::min(a.low, b.low);
    made.high = isLargest ? std::max(a.high, b.high) : std::min(a.high, b.high);
    return made;
  }
  return std::nullopt;
}

/// The result of finite numbers, rounded to the nearest one of the type.
Maybe rounded(llvm::StringRef name, ElementType type, const TypedNumber &a,
              const TypedNumber &b) {
  const llvm::fltSemantics *format = formatOf(type);
  if (!format || !a.isPoint() || !b.isPoint()) return std::nullopt;
  auto floatOf = [&](double value) {
    llvm::APFloat made(value);
    bool loses = false;
    made.convert(*format, llvm::APFloat::rmNearestTiesToEven, &loses);
    return made;
  };
  constexpr auto kNearest = llvm::APFloat::rmNearestTiesToEven;
  llvm::APFloat x = floatOf(a.low);
  const llvm::APFloat y = floatOf(b.low);
  if (name == "add")
    x.add(y, kNearest);
  else if (name == "subtract")
    x.subtract(y, kNearest);
  else if (name == "multiply")
    x.multiply(y, kNearest);
  else
    return std::nullopt;
  // What is too small is another question.
  if (x.isNaN() || x.isDenormal() || x.isZero()) return std::nullopt;
  bool loses = false;
  x.convert(llvm::APFloat::IEEEdouble(), kNearest, &loses);
  return numberOf(type, x.convertToDouble());
}

}  // namespace

bool isNan(const TypedNumber &number) {
  return number.isFloat() && std::isnan(number.low);
}

bool isSpecial(const TypedNumber &number) {
  return number.isFloat() &&
         (!std::isfinite(number.low) || !std::isfinite(number.high));
}

std::optional<TypedNumber> specialNumber(const Op &op,
                                         llvm::ArrayRef<TypedNumber> x) {
  const OpShapes &shapes = shapesOf(op);
  if (!op.is<ElementwiseOp>() || shapes.results.size() != 1 || x.empty())
    return std::nullopt;
  const ElementType type = shapes.results[0].type;
  const llvm::StringRef name = op.kind().name;
  for (const TypedNumber &each : x)
    if (!formatOf(each.type) || each.type != x[0].type) return std::nullopt;
  if (name == "compare" && x.size() == 2) return comparedTo(op, x[0], x[1]);
  if (!formatOf(type)) return std::nullopt;
  if (name == "convert" && x.size() == 1)
    return isSpecial(x[0]) ? numberOf(type, x[0].low) : std::nullopt;
  if (type != x[0].type) return std::nullopt;
  if (llvm::any_of(x, isNan))
    return passesNan(name) ? nanOf(type) : std::nullopt;
  if (llvm::any_of(x, isSpecial)) {
    if (x.size() == 1) return ofOne(name, type, x[0]);
    return x.size() == 2 ? ofTwo(name, type, x[0], x[1]) : std::nullopt;
  }
  if (x.size() == 2) return rounded(name, type, x[0], x[1]);
  if (name == "exponential" && x[0].low > overflowOfExponential(type))
    return numberOf(type, kInfinity);
  return std::nullopt;
}

std::optional<TypedNumber> specialLiteral(ElementType type,
                                          llvm::StringRef bytes) {
  const llvm::fltSemantics *format = formatOf(type);
  const auto size = static_cast<size_t>((bitsOf(type) + 7) / 8);
  if (!format || bytes.size() != size || size > 8) return std::nullopt;
  uint64_t word = 0;
  for (size_t k = 0; k < size; ++k)
    word |= static_cast<uint64_t>(static_cast<uint8_t>(bytes[k])) << (8 * k);
  llvm::APFloat value(*format, llvm::APInt(bitsOf(type), word));
  if (value.isNaN()) return nanOf(type);
  if (value.isDenormal()) return std::nullopt;
  bool loses = false;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
                &loses);
  return numberOf(type, value.convertToDouble());
}

std::optional<TypedNumber> specialSum(ElementType type,
                                      llvm::ArrayRef<TypedNumber> numbers) {
  bool hasAbove = false, hasBelow = false;
  std::vector<TypedNumber> finite;
  for (const TypedNumber &x : numbers) {
    if (isNan(x)) return nanOf(type);
    if (isSpecial(x) && !x.isPoint()) return std::nullopt;
    if (!isSpecial(x)) finite.push_back(x);
    hasAbove |= isSpecial(x) && x.low > 0;
    hasBelow |= isSpecial(x) && x.low < 0;
  }
  if (hasAbove && hasBelow) return nanOf(type);
  if (!hasAbove && !hasBelow) return std::nullopt;
  // The others cannot become infinite by themselves.
  if (!finite.empty() && !sumInAnyOrder(type, finite)) return std::nullopt;
  return numberOf(type, hasAbove ? kInfinity : -kInfinity);
}

bool multipliesInAnyOrder(ElementType type,
                          llvm::ArrayRef<TypedNumber> numbers) {
  const llvm::fltSemantics *format = formatOf(type);
  if (!format) return false;
  if (llvm::any_of(numbers, isNan)) return true;
  double large = 1, small = 1;
  bool isInfinite = false, isZero = false;
  for (const TypedNumber &x : numbers) {
    const double a = std::fabs(x.low), b = std::fabs(x.high);
    const double least = hasSign(x) ? std::min(a, b) : 0, most = std::max(a, b);
    isZero |= least == 0;
    isInfinite |= std::isinf(most);
    if (std::isfinite(most)) large *= std::max(most, 1.0);
    if (least > 0) small *= std::min(least, 1.0);
  }
  // An infinity times a zero is NaN, whatever comes between.
  if (isInfinite && isZero) return true;
  auto limit = [&](llvm::APFloat value) {
    bool loses = false;
    value.convert(llvm::APFloat::IEEEdouble(),
                  llvm::APFloat::rmNearestTiesToEven, &loses);
    return value.convertToDouble();
  };
  // Twice as far as roundings may lead.
  return large < limit(llvm::APFloat::getLargest(*format)) / 2 &&
         small > limit(llvm::APFloat::getSmallestNormalized(*format)) * 2;
}

bool areApartOrNan(const TypedNumber &a, const TypedNumber &b) {
  if (a.type != b.type) return false;
  if (isNan(a) || isNan(b)) return isNan(a) != isNan(b);
  return areApart(a, b);
}

std::optional<TypedNumber> drawnSpecial(ElementType type, uint64_t word) {
  switch (word % 10) {
    case 0:
      return numberOf(type, kInfinity);
    case 1:
      return numberOf(type, -kInfinity);
    case 2:
      return nanOf(type);
    default:
      return drawnLarge(type, word / 10);
  }
}

std::optional<TypedNumber> drawnLarge(ElementType type, uint64_t word) {
  const double large = type == ElementType::F16 ? 4e4 : 3e38;
  const double ofExponent = type == ElementType::F16 ? 12 : 100;
  const double numbers[] = {large, -large / 2, ofExponent,
                            1,     -large,     large / 2};
  const Maybe nearest = nearestNumber(type, numbers[word % std::size(numbers)]);
  return nearest ? nearest : nearestNumber(type, 1);
}

}  // namespace indexical
