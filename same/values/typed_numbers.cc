#include "indexical/same/values/typed_numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/program/values/op_identity.h"
#include "indexical/program/values/value_walk.h"
#include "indexical/same/values/laws.h"
#include "indexical/same/values/rounded_numbers.h"

namespace indexical {
namespace {

using Maybe = std::optional<TypedNumber>;

/// The bits of a float's significand, and its largest exponent.
int significandOf(ElementType type) {
  switch (type) {
    case ElementType::BF16:
      return 8;
    case ElementType::F16:
      return 11;
    case ElementType::F32:
      return 24;
    default:
      return 53;
  }
}
int largestExponentOf(ElementType type) {
  switch (type) {
    case ElementType::F16:
      return 15;
    case ElementType::F64:
      return 1000;
    default:
      return 120;
  }
}

bool isInRange(ElementType type, double value) {
  return std::isfinite(value) &&
         std::fabs(value) < std::ldexp(1.0, largestExponentOf(type));
}

/// Whether the type has the number, and it is none of the smallest.
bool holds(ElementType type, double value) {
  if (value == 0) return true;
  if (!isInRange(type, value) ||
      std::fabs(value) < std::ldexp(1.0, 4 - largestExponentOf(type)))
    return false;
  int exponent = 0;
  const double scaled =
      std::ldexp(std::frexp(value, &exponent), significandOf(type));
  return scaled == std::floor(scaled);
}

/// Returns the exponent of the last bit that is 1 of a finite number, not 0.
int lowestBitOf(double value) {
  int exponent = 0;
  const auto whole =
      static_cast<int64_t>(std::ldexp(std::frexp(value, &exponent), 53));
  return exponent - 53 +
         static_cast<int>(llvm::countr_zero(static_cast<uint64_t>(whole)));
}

bool isSignedType(ElementType type) {
  return elementTypeName(type).starts_with("s");
}

int64_t widthOf(ElementType type) {
  return type == ElementType::Pred ? 1 : bitsOf(type);
}

/// Returns the interval, widened by some units in the last place.
Maybe interval(ElementType type, double low, double high, double units) {
  if (!isInRange(type, low) || !isInRange(type, high) || low > high)
    return std::nullopt;
  const double step = std::ldexp(1.0, -significandOf(type)) * units;
  const double least = std::ldexp(1.0, 8 - largestExponentOf(type));
  TypedNumber made;
  made.type = type;
  made.low = low - std::fabs(low) * step - least;
  made.high = high + std::fabs(high) * step + least;
  return made;
}

/// Returns the number if it is exact and the type has it, else what may be made
/// of it.
Maybe nearTo(ElementType type, double value, bool isExact) {
  if (isExact && holds(type, value)) return floatNumber(type, value);
  return interval(type, value, value, 2);
}

Maybe sum(ElementType type, const TypedNumber &a, const TypedNumber &b) {
  const double low = a.low + b.low, high = a.high + b.high;
  if (!a.isPoint() || !b.isPoint()) return interval(type, low, high, 2);
  const double part = low - a.low;
  const bool isExact = (a.low - (low - part)) + (b.low - part) == 0;
  return nearTo(type, low, isExact);
}

Maybe product(ElementType type, const TypedNumber &a, const TypedNumber &b) {
  if (a.isPoint() && b.isPoint()) {
    const double value = a.low * b.low;
    return nearTo(type, value, std::fma(a.low, b.low, -value) == 0);
  }
  const auto [low, high] = std::minmax(
      {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
  return interval(type, low, high, 2);
}

Maybe quotient(ElementType type, const TypedNumber &a, const TypedNumber &b) {
  if (b.low <= 0 && b.high >= 0) return std::nullopt;
  const auto [low, high] = std::minmax(
      {a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high});
  if (a.isPoint() && b.isPoint())
    return nearTo(type, low, std::fma(low, b.low, -a.low) == 0);
  return interval(type, low, high, 4);
}

/// Functions of one float that are monotonic, and those that step.
Maybe ofOneFloat(llvm::StringRef name, ElementType type, const TypedNumber &x) {
  struct Monotonic {
    llvm::StringLiteral name;
    double (*function)(double);
    double least, most;  ///< where it is used
  };
  static constexpr Monotonic kMonotonic[] = {
      {"cbrt", std::cbrt, -1e30, 1e30},
      {"erf", std::erf, -3, 3},
      {"exponential-minus-one", std::expm1, -30, 80},
      {"log-plus-one", std::log1p, -0.99, 1e30},
      {"sinh", std::sinh, -80, 80},
      {"asinh", std::asinh, -1e15, 1e15},
      {"atan", std::atan, -1e15, 1e15},
      {"square", [](double v) { return v * v; }, 0, 1e15},
  };
  for (const Monotonic &row : kMonotonic)
    if (row.name == name && x.low >= row.least && x.high <= row.most)
      return interval(type, row.function(x.low), row.function(x.high), 64);
  if (!x.isPoint() || !std::isfinite(x.low)) return std::nullopt;
  // Those that have no slope somewhere, or are not defined everywhere: an error
  // of the last place of the argument is one of more places of the result.
  auto near = [&](double value, double slope) -> Maybe {
    const double slack = (1 + std::fabs(x.low * slope)) *
                         std::ldexp(1.0, 6 - significandOf(type));
    return interval(type, value - slack, value + slack, 64);
  };
  const double inside = 1 - x.low * x.low;
  if (name == "cosh" && std::fabs(x.low) <= 80)
    return near(std::cosh(x.low), std::sinh(x.low));
  if ((name == "asin" || name == "acos") && inside > 0.01)
    return near(name == "asin" ? std::asin(x.low) : std::acos(x.low),
                1 / std::sqrt(inside));
  if (name == "atanh" && inside > 0.01)
    return near(std::atanh(x.low), 1 / inside);
  if (name == "acosh" && x.low >= 1.1 && x.low < 1e15)
    return near(std::acosh(x.low), 1 / std::sqrt(-inside));
  if (name == "erfc" && std::fabs(x.low) <= 3) return near(std::erfc(x.low), 2);
  if (name == "sign")
    return floatNumber(type, x.low > 0 ? 1 : x.low < 0 ? -1 : 0);
  if (name == "round-nearest-even")
    return floatNumber(type, std::nearbyint(x.low));
  if (name == "round-nearest-afz") return floatNumber(type, std::round(x.low));
  return std::nullopt;
}

/// Functions of two numbers that are known exactly.
Maybe ofTwoPoints(llvm::StringRef name, ElementType type, double a, double b) {
  if (!std::isfinite(a) || !std::isfinite(b)) return std::nullopt;
  if (name == "remainder" && b != 0) {
    const double rest = std::fmod(a, b);
    return holds(type, rest) ? floatNumber(type, rest) : std::nullopt;
  }
  // On the left half of the axis the sign of a zero decides.
  if (name == "atan2" && (a != 0 || b > 0)) {
    const double angle = std::atan2(a, b);
    return interval(type, angle, angle, 64);
  }
  const bool isWhole = b == std::floor(b) && std::fabs(b) <= 64;
  if (name == "power" && (a > 0 || (a < 0 && isWhole))) {
    // An error of the logarithm counts as often as the exponent is large.
    const double turns = std::fabs(b * std::log(std::fabs(a)));
    const double value = std::pow(a, b);
    return interval(type, value, value, 64 + 64 * turns);
  }
  return std::nullopt;
}

/// Ops on floats of 8 bits and fewer, each of which is rounded.
Maybe ofSmallFloats(const Op &op, ElementType type,
                    llvm::ArrayRef<TypedNumber> x) {
  const llvm::StringRef name = op.kind().name;
  if (!llvm::all_of(x, [](const TypedNumber &each) { return each.isPoint(); }))
    return std::nullopt;
  TypedNumber exact;
  exact.type = ElementType::F64;
  auto rounded = [&](double value) -> Maybe {
    exact.low = exact.high = value;
    return roundedTo(type, exact);
  };
  if (x.size() == 1) {
    if (name == "copy") return x[0];
    if (name == "negate") return rounded(-x[0].low);
    if (name == "abs") return rounded(std::fabs(x[0].low));
    return std::nullopt;
  }
  // Sums and products of so few bits are exact in 53.
  if (x.size() != 2) return std::nullopt;
  const double a = x[0].low, b = x[1].low;
  if (name == "add") return rounded(a + b);
  if (name == "subtract") return rounded(a - b);
  if (name == "multiply") return rounded(a * b);
  if (name == "maximum") return rounded(std::max(a, b));
  if (name == "minimum") return rounded(std::min(a, b));
  if (name == "divide" && b != 0 && std::fma(a / b, b, -a) == 0)
    return rounded(a / b);
  return std::nullopt;
}

Maybe ofFloats(const Op &op, ElementType type, llvm::ArrayRef<TypedNumber> x) {
  const llvm::StringRef name = op.kind().name;
  auto increasing = [&](double (*function)(double)) -> Maybe {
    return interval(type, function(x[0].low), function(x[0].high), 64);
  };
  auto point = [&](double low, double high) -> Maybe {
    TypedNumber made = x[0];
    made.low = low;
    made.high = high;
    return made;
  };
  if (x.size() == 1) {
    if (name == "copy") return x[0];
    if (name == "negate") return point(-x[0].high, -x[0].low);
    if (name == "abs") {
      if (x[0].low >= 0) return x[0];
      if (x[0].high <= 0) return point(-x[0].high, -x[0].low);
      return point(0, std::max(-x[0].low, x[0].high));
    }
    if (name == "exponential") return increasing(std::exp);
    if (name == "tanh") return increasing(std::tanh);
    if (name == "logistic")
      return increasing([](double v) { return 1 / (1 + std::exp(-v)); });
    if (name == "log" && x[0].low > 0.01) return increasing(std::log);
    if (name == "sqrt" && x[0].low >= 0) return increasing(std::sqrt);
    if (name == "rsqrt" && x[0].low > 0.01) {
      const double high = 1 / std::sqrt(x[0].low),
                   low = 1 / std::sqrt(x[0].high);
      return interval(type, low, high, 64);
    }
    if (name == "floor")
      return point(std::floor(x[0].low), std::floor(x[0].high));
    if (name == "ceil") return point(std::ceil(x[0].low), std::ceil(x[0].high));
    // How a library reduces a large angle is its own.
    if ((name == "sine" || name == "cosine") && x[0].isPoint() &&
        std::fabs(x[0].low) <= 1e4) {
      const double v = name == "sine" ? std::sin(x[0].low) : std::cos(x[0].low);
      const double slack = std::ldexp(1.0, 6 - significandOf(type));
      return interval(type, v - slack, v + slack, 64);
    }
    // Near a pole a small change of the angle is a large one of the result.
    if (name == "tan" && x[0].isPoint() && std::fabs(x[0].low) <= 1e4) {
      const double v = std::tan(x[0].low);
      const double slack =
          (1 + v * v) * std::ldexp(1.0, 6 - significandOf(type));
      return interval(type, v - slack, v + slack, 64);
    }
    return ofOneFloat(name, type, x[0]);
  }
  if (x.size() == 2) {
    TypedNumber minus = x[1];
    minus.low = -x[1].high;
    minus.high = -x[1].low;
    if (name == "add") return sum(type, x[0], x[1]);
    if (name == "subtract") return sum(type, x[0], minus);
    if (name == "multiply") return product(type, x[0], x[1]);
    if (name == "divide") return quotient(type, x[0], x[1]);
    if (name == "power" && x[0].isPoint() && x[0].low == 2 && x[1].low > -100 &&
        x[1].high < 100)
      return interval(type, std::exp2(x[1].low), std::exp2(x[1].high), 64);
    if (x[0].isPoint() && x[1].isPoint())
      if (const auto made = ofTwoPoints(name, type, x[0].low, x[1].low))
        return made;
    if (name == "maximum")
      return point(std::max(x[0].low, x[1].low),
                   std::max(x[0].high, x[1].high));
    if (name == "minimum")
      return point(std::min(x[0].low, x[1].low),
                   std::min(x[0].high, x[1].high));
    return std::nullopt;
  }
  if (x.size() == 3 && name == "clamp") {
    const double low = std::max(x[1].low, x[0].low);
    const double high = std::max(x[1].high, x[0].high);
    return point(std::min(low, x[2].low), std::min(high, x[2].high));
  }
  return std::nullopt;
}

Maybe ofIntegers(const Op &op, ElementType type,
                 llvm::ArrayRef<TypedNumber> x) {
  const llvm::StringRef name = op.kind().name;
  auto make = [&](uint64_t word) { return integerNumber(type, word); };
  const bool isSigned = isSignedType(type);
  const uint64_t a = x[0].word;
  const int64_t sa = x[0].integer();
  if (x.size() == 1) {
    if (name == "copy") return x[0];
    if (name == "negate") return make(0 - a);
    if (name == "not") return make(~a);
    if (name == "abs") return make(isSigned && sa < 0 ? 0 - a : a);
    if (name == "sign")
      return make(!isSigned ? a != 0 : sa > 0 ? 1 : sa < 0 ? ~uint64_t{0} : 0);
    if (name == "popcnt") return make(llvm::popcount(a));
    if (name == "count-leading-zeros")
      return make(llvm::countl_zero(a) - (64 - widthOf(type)));
    return std::nullopt;
  }
  const uint64_t b = x[1].word;
  const int64_t sb = x[1].integer();
  auto isLess = [&](const TypedNumber &l, const TypedNumber &r) {
    return isSigned ? l.integer() < r.integer() : l.word < r.word;
  };
  if (x.size() == 3) {
    if (name != "clamp") return std::nullopt;
    const TypedNumber &up = isLess(x[1], x[0]) ? x[0] : x[1];
    return isLess(x[2], up) ? x[2] : up;
  }
  if (name == "and") return make(a & b);
  if (name == "or") return make(a | b);
  if (name == "xor") return make(a ^ b);
  if (name == "maximum") return isLess(x[0], x[1]) ? x[1] : x[0];
  if (name == "minimum") return isLess(x[0], x[1]) ? x[0] : x[1];
  if (type == ElementType::Pred) {
    if (name == "add") return make(a | b);
    if (name == "multiply") return make(a & b);
    return std::nullopt;
  }
  if (name == "add") return make(a + b);
  if (name == "subtract") return make(a - b);
  if (name == "multiply") return make(a * b);
  const int64_t width = widthOf(type);
  if (name.starts_with("shift")) {
    if (b >= static_cast<uint64_t>(width)) return std::nullopt;
    if (name == "shift-left") return make(a << b);
    if (name == "shift-right-logical") return make(a >> b);
    if (name == "shift-right-arithmetic")
      return make(static_cast<uint64_t>(llvm::SignExtend64(a, width) >> b));
    return std::nullopt;
  }
  if (name != "divide" && name != "remainder") return std::nullopt;
  const bool overflows =
      isSigned && sb == -1 && a == (uint64_t{1} << (width - 1));
  if (b == 0 || overflows) return std::nullopt;
  if (!isSigned) return make(name == "divide" ? a / b : a % b);
  return make(static_cast<uint64_t>(name == "divide" ? sa / sb : sa % sb));
}

Maybe compared(const Op &op, const TypedNumber &a, const TypedNumber &b) {
  const llvm::StringRef direction = directionOf(op.get<ElementwiseOp>());
  bool isLess = false, isEqual = false;
  if (a.isFloat()) {
    isLess = a.high < b.low;
    isEqual = a.isPoint() && b.isPoint() && a.low == b.low;
    const bool isMore = a.low > b.high;
    if (!isLess && !isEqual && !isMore) return std::nullopt;
  } else {
    isEqual = a.word == b.word;
    isLess = isSignedType(a.type) ? a.integer() < b.integer() : a.word < b.word;
  }
  auto truth = [](bool is) { return integerNumber(ElementType::Pred, is); };
  if (direction == "LT") return truth(isLess);
  if (direction == "LE") return truth(isLess || isEqual);
  if (direction == "GT") return truth(!isLess && !isEqual);
  if (direction == "GE") return truth(!isLess);
  if (direction == "EQ") return truth(isEqual);
  if (direction == "NE") return truth(!isEqual);
  return std::nullopt;
}

Maybe converted(ElementType to, const TypedNumber &x, Roundings roundings) {
  if (to == x.type) return x;
  const bool isExact = !x.isFloat() || x.isPoint();
  if (roundings == Roundings::Each && isExact && formatOf(to))
    return roundedTo(to, x);
  if (classOf(to) == kFloats) {
    if (x.isFloat())
      return isExact ? nearTo(to, x.low, true) : interval(to, x.low, x.high, 2);
    const double value = isSignedType(x.type) ? static_cast<double>(x.integer())
                                              : static_cast<double>(x.word);
    return std::fabs(value) < 1e15 ? nearTo(to, value, true) : std::nullopt;
  }
  if (classOf(to) != kIntegers && classOf(to) != kPredicates)
    return std::nullopt;
  if (!x.isFloat())
    return to == ElementType::Pred
               ? integerNumber(to, x.word != 0)
               : integerNumber(to, static_cast<uint64_t>(x.integer()));
  if (!x.isPoint()) return std::nullopt;
  if (to == ElementType::Pred) return integerNumber(to, x.low != 0);
  const double whole = std::trunc(x.low);
  // What the type does not hold becomes another number on each machine.
  if (std::fabs(whole) >= std::ldexp(1.0, std::min<int>(widthOf(to) - 1, 63)) ||
      (whole < 0 && !isSignedType(to)))
    return std::nullopt;
  return integerNumber(to, static_cast<uint64_t>(static_cast<int64_t>(whole)));
}

}  // namespace

bool TypedNumber::isFloat() const { return formatOf(type) != nullptr; }

int64_t TypedNumber::integer() const {
  return isSignedType(type) ? llvm::SignExtend64(word, widthOf(type))
                            : static_cast<int64_t>(word);
}

std::string TypedNumber::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (!isFloat()) {
    if (isSignedType(type))
      os << integer();
    else
      os << word;
  } else if (isPoint()) {
    // 9 digits tell all numbers of 32 bits apart.
    double read = low;
    std::string digits;
    llvm::raw_string_ostream(digits) << llvm::format("%.9g", low);
    const bool isTold = type != ElementType::F64 ||
                        (llvm::to_float(digits, read) && read == low) ||
                        !std::isfinite(low);
    os << llvm::format(isTold ? "%.9g" : "%.17g", low);
  } else {
    // One of the type's numbers, which may be far apart.
    const double middle = (low + high) / 2;
    const auto nearest = nearestNumber(type, middle);
    os << llvm::format("%.6g", nearest ? nearest->low : middle);
  }
  return text;
}

TypedNumber integerNumber(ElementType type, uint64_t word) {
  TypedNumber made;
  made.type = type;
  made.word = word & llvm::maskTrailingOnes<uint64_t>(widthOf(type));
  return made;
}

std::optional<TypedNumber> floatNumber(ElementType type, double value) {
  if (classOf(type) != kFloats) {
    const Maybe nearest = nearestNumber(type, value);
    return nearest && nearest->low == value ? nearest : std::nullopt;
  }
  if (!holds(type, value)) return std::nullopt;
  TypedNumber made;
  made.type = type;
  made.low = made.high = value;
  return made;
}

std::optional<TypedNumber> nearNumber(ElementType type, double value,
                                      double roundings) {
  return interval(type, value, value, roundings);
}

std::optional<TypedNumber> numberOfBytes(ElementType type,
                                         llvm::StringRef bytes) {
  const OfTypes of = classOf(type);
  if (static_cast<int64_t>(bytes.size()) != (bitsOf(type) + 7) / 8)
    return std::nullopt;
  uint64_t word = 0;
  for (size_t k = 0; k < bytes.size() && k < 8; ++k)
    word |= static_cast<uint64_t>(static_cast<uint8_t>(bytes[k])) << (8 * k);
  if (of == kIntegers) return integerNumber(type, word);
  if (of == kPredicates) return integerNumber(type, word != 0);
  if (of != kFloats) return std::nullopt;
  const llvm::fltSemantics &semantics =
      type == ElementType::F16    ? llvm::APFloat::IEEEhalf()
      : type == ElementType::BF16 ? llvm::APFloat::BFloat()
      : type == ElementType::F32  ? llvm::APFloat::IEEEsingle()
                                  : llvm::APFloat::IEEEdouble();
  llvm::APFloat value(semantics, llvm::APInt(bitsOf(type), word));
  if (!value.isFinite()) return std::nullopt;
  bool loses = false;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
                &loses);
  return floatNumber(type, value.convertToDouble());
}

std::optional<TypedNumber> computedNumber(const Op &op,
                                          llvm::ArrayRef<TypedNumber> operands,
                                          Roundings roundings) {
  const OpShapes &shapes = shapesOf(op);
  if (!op.is<ElementwiseOp>() || !isPlain(op) || operands.empty() ||
      shapes.results.size() != 1 || shapes.operands.size() != operands.size())
    return std::nullopt;
  const ElementType type = shapes.results[0].type;
  const llvm::StringRef name = op.kind().name;
  for (auto [shape, operand] : llvm::zip(shapes.operands, operands))
    if (shape.type != operand.type) return std::nullopt;
  if (name == "select" && operands.size() == 3)
    return operands[operands[0].word != 0 ? 1 : 2];
  if (name == "compare" && operands.size() == 2 &&
      operands[0].type == operands[1].type)
    return compared(op, operands[0], operands[1]);
  if (name == "convert" && operands.size() == 1)
    return converted(type, operands[0], roundings);
  if (name == "is-finite" && type == ElementType::Pred && operands[0].isFloat())
    return integerNumber(type, std::isfinite(operands[0].low) &&
                                   std::isfinite(operands[0].high));
  if (llvm::any_of(operands, [&](const auto &x) { return x.type != type; }))
    return std::nullopt;
  switch (classOf(type)) {
    case kFloats:
      return ofFloats(op, type, operands);
    case kIntegers:
    case kPredicates:
      return ofIntegers(op, type, operands);
    default:
      return formatOf(type) ? ofSmallFloats(op, type, operands) : std::nullopt;
  }
}

std::optional<TypedNumber> sumInAnyOrder(ElementType type,
                                         llvm::ArrayRef<TypedNumber> numbers) {
  if (classOf(type) != kFloats) return std::nullopt;
  double low = 0, high = 0, size = 0;
  std::optional<int> unit;  // the power of 2 of which all are multiples
  bool arePoints = true;
  for (const TypedNumber &x : numbers) {
    if (!isInRange(type, x.low) || !isInRange(type, x.high))
      return std::nullopt;
    low += x.low;
    high += x.high;
    size += std::max(std::fabs(x.low), std::fabs(x.high));
    arePoints &= x.isPoint();
    if (!x.isPoint() || x.low == 0) continue;
    const int own = lowestBitOf(x.low);
    unit = std::min(own, unit.value_or(own));
  }
  if (!isInRange(type, size)) return std::nullopt;
  // So few units are a number of the type, whichever of them are added first.
  // Hardware may take numbers below the least normal one for 0.
  if (arePoints && (!unit || (*unit >= 4 - largestExponentOf(type) &&
                              std::ldexp(size, -*unit) <
                                  std::ldexp(1.0, significandOf(type)))))
    return floatNumber(type, low);
  const double slack =
      size * (numbers.size() + 2.0) * std::ldexp(1.0, -significandOf(type));
  return interval(type, low - slack, high + slack, 2);
}

bool areApart(const TypedNumber &a, const TypedNumber &b) {
  if (a.type != b.type) return false;
  if (!a.isFloat()) return a.word != b.word;
  return a.high < b.low || b.high < a.low;
}

}  // namespace indexical
