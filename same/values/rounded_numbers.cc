#include "indexical/same/values/rounded_numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/same/values/laws.h"

namespace indexical {
namespace {

using llvm::APFloat;

constexpr APFloat::roundingMode kNearest = APFloat::rmNearestTiesToEven;

APFloat converted(APFloat value, const llvm::fltSemantics &to) {
  bool loses = false;
  value.convert(to, kNearest, &loses);
  return value;
}

double asDouble(const APFloat &value) {
  return converted(value, APFloat::IEEEdouble()).convertToDouble();
}

TypedNumber interval(ElementType type, double low, double high) {
  TypedNumber made;
  made.type = type;
  made.low = low;
  made.high = high;
  return made;
}

/// Returns the number of a format that has more digits than any other, and all
/// of those of a double and of 64 bits.
APFloat exactOf(const TypedNumber &x) {
  const llvm::fltSemantics &exact = APFloat::IEEEquad();
  if (x.isFloat()) return converted(APFloat(x.low), exact);
  APFloat value(exact);
  const bool isSigned = elementTypeName(x.type).starts_with("s");
  const llvm::APInt word(
      64, isSigned ? static_cast<uint64_t>(x.integer()) : x.word);
  value.convertFromAPInt(word, isSigned, kNearest);
  return value;
}

/// Returns the results of a conversion at once and by way of other types.
llvm::SmallVector<APFloat, 4> waysTo(const llvm::fltSemantics &format,
                                     const APFloat &exact) {
  llvm::SmallVector<APFloat, 4> ways{converted(exact, format)};
  for (const llvm::fltSemantics *by :
       {&APFloat::IEEEdouble(), &APFloat::IEEEsingle(), &APFloat::IEEEhalf()}) {
    // None goes by way of a type that has no more digits, or does not reach as
    // far.
    if (APFloat::semanticsPrecision(*by) <=
            APFloat::semanticsPrecision(format) ||
        APFloat::semanticsMaxExponent(*by) <
            APFloat::semanticsMaxExponent(format) ||
        APFloat::semanticsMinExponent(*by) >
            APFloat::semanticsMinExponent(format))
      continue;
    const APFloat onTheWay = converted(exact, *by);
    if (onTheWay.isFinite() && !onTheWay.isDenormal())
      ways.push_back(converted(onTheWay, format));
  }
  return ways;
}

}  // namespace

const llvm::fltSemantics *formatOf(ElementType type) {
  switch (type) {
    case ElementType::F64:
      return &APFloat::IEEEdouble();
    case ElementType::F32:
      return &APFloat::IEEEsingle();
    case ElementType::BF16:
      return &APFloat::BFloat();
    case ElementType::F16:
      return &APFloat::IEEEhalf();
    case ElementType::F8E5M2:
      return &APFloat::Float8E5M2();
    case ElementType::F8E5M2FNUZ:
      return &APFloat::Float8E5M2FNUZ();
    case ElementType::F8E4M3:
      return &APFloat::Float8E4M3();
    case ElementType::F8E4M3FN:
      return &APFloat::Float8E4M3FN();
    case ElementType::F8E4M3FNUZ:
      return &APFloat::Float8E4M3FNUZ();
    case ElementType::F8E4M3B11FNUZ:
      return &APFloat::Float8E4M3B11FNUZ();
    case ElementType::F8E3M4:
      return &APFloat::Float8E3M4();
    case ElementType::F4E2M1FN:
      return &APFloat::Float4E2M1FN();
    default:
      return nullptr;
  }
}

std::optional<TypedNumber> nearestNumber(ElementType type, double value) {
  const llvm::fltSemantics *format = formatOf(type);
  if (!format) return std::nullopt;
  const APFloat nearest = converted(APFloat(value), *format);
  if (!nearest.isFinite() || nearest.isDenormal()) return std::nullopt;
  const double number = asDouble(nearest);
  return interval(type, number, number);
}

std::optional<TypedNumber> roundedTo(ElementType type, const TypedNumber &x) {
  const llvm::fltSemantics *format = formatOf(type);
  if (!format || (x.isFloat() && !x.isPoint())) return std::nullopt;
  const APFloat exact = exactOf(x);
  // A type of 8 bits or fewer may take its largest number for a larger one.
  const double largest = asDouble(APFloat::getLargest(*format));
  if (classOf(type) != kFloats && std::fabs(asDouble(exact)) > largest)
    return std::nullopt;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const APFloat &way : waysTo(*format, exact)) {
    if (way.isNaN() || (way.isInfinity() && classOf(type) != kFloats))
      return std::nullopt;
    const double number = asDouble(way);
    low = std::min(low, number);
    high = std::max(high, number);
    if (!way.isDenormal()) continue;
    low = std::min(low, 0.0);
    high = std::max(high, 0.0);
  }
  return interval(type, low, high);
}

}  // namespace indexical
