#include "tests/import/stablehlo/scalar_functions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "mlir/IR/BuiltinAttributes.h"

#include "indexical/import/stablehlo/dialect/stablehlo.h"
#include "tests/support/integer_arithmetic.h"

namespace indexical::testing {
namespace {

using Complex = std::complex<double>;

int64_t integerOf(const ScalarCall &c, size_t k) {
  return c.operands[k].integer;
}
double realOf(const ScalarCall &c, size_t k) { return c.operands[k].real(); }

Scalar real(Complex value) { return Scalar::floating(value); }
Scalar truth(bool value) { return Scalar::integral(value); }

//===-- Of floats ---------------------------------------------------------===//

/// One function of real and complex numbers.
#define INDEXICAL_UNARY(name, expression)     \
  Scalar name(const ScalarCall &c) {          \
    if (c.kinds[0].isComplex()) {             \
      const Complex x = c.operands[0].number; \
      return real(expression);                \
    }                                         \
    const double x = realOf(c, 0);            \
    return real(expression);                  \
  }

INDEXICAL_UNARY(acos, std::acos(x))
INDEXICAL_UNARY(acosh, std::acosh(x))
INDEXICAL_UNARY(asin, std::asin(x))
INDEXICAL_UNARY(asinh, std::asinh(x))
INDEXICAL_UNARY(atan, std::atan(x))
INDEXICAL_UNARY(atanh, std::atanh(x))
INDEXICAL_UNARY(cosh, std::cosh(x))
INDEXICAL_UNARY(cosine, std::cos(x))
INDEXICAL_UNARY(exponential, std::exp(x))
INDEXICAL_UNARY(log, std::log(x))
INDEXICAL_UNARY(logistic, 1.0 / (1.0 + std::exp(-x)))
INDEXICAL_UNARY(rsqrt, 1.0 / std::sqrt(x))
INDEXICAL_UNARY(sine, std::sin(x))
INDEXICAL_UNARY(sinh, std::sinh(x))
INDEXICAL_UNARY(sqrt, std::sqrt(x))
INDEXICAL_UNARY(tan, std::tan(x))
INDEXICAL_UNARY(tanh, std::tanh(x))
#undef INDEXICAL_UNARY

/// One function of real numbers.
#define INDEXICAL_REAL(name, expression) \
  Scalar name(const ScalarCall &c) {     \
    const double x = realOf(c, 0);       \
    return real(expression);             \
  }

INDEXICAL_REAL(besselI1e, scaledBesselI1(x))
INDEXICAL_REAL(cbrt, std::cbrt(x))
INDEXICAL_REAL(ceil, std::ceil(x))
INDEXICAL_REAL(digammaOf, digamma(x))
INDEXICAL_REAL(erf, std::erf(x))
INDEXICAL_REAL(erfInv, inverseErf(x))
INDEXICAL_REAL(erfc, std::erfc(x))
INDEXICAL_REAL(floor, std::floor(x))
INDEXICAL_REAL(lgamma, std::lgamma(x))
INDEXICAL_REAL(roundAwayFromZero, std::round(x))
INDEXICAL_REAL(roundToEven, std::nearbyint(x))
#undef INDEXICAL_REAL

Scalar exponentialMinusOne(const ScalarCall &c) {
  if (!c.kinds[0].isComplex()) return real(std::expm1(realOf(c, 0)));
  return real(std::exp(c.operands[0].number) - 1.0);
}

Scalar logPlusOne(const ScalarCall &c) {
  if (!c.kinds[0].isComplex()) return real(std::log1p(realOf(c, 0)));
  return real(std::log(c.operands[0].number + 1.0));
}

Scalar nextAfter(const ScalarCall &c) {
  const double from = realOf(c, 0), to = realOf(c, 1);
  if (std::isnan(from) || std::isnan(to))
    return real(std::numeric_limits<double>::quiet_NaN());
  if (from == to) return c.operands[1];
  llvm::APFloat value = apFloatOf(*c.result.format, from);
  value.next(/*nextDown=*/to < from);
  return real(doubleOf(value));
}

Scalar isFinite(const ScalarCall &c) {
  return truth(std::isfinite(realOf(c, 0)));
}
Scalar isInfinite(const ScalarCall &c) {
  return truth(std::isinf(realOf(c, 0)));
}
Scalar isNegativeInfinity(const ScalarCall &c) {
  return truth(std::isinf(realOf(c, 0)) && realOf(c, 0) < 0);
}
Scalar isPositiveInfinity(const ScalarCall &c) {
  return truth(std::isinf(realOf(c, 0)) && realOf(c, 0) > 0);
}

Scalar atan2(const ScalarCall &c) {
  return real(std::atan2(realOf(c, 0), realOf(c, 1)));
}

/// Operands are the element, scale, offset, mean and variance.
Scalar batchNormInference(const ScalarCall &c) {
  auto epsilon = c.op->getAttrOfType<mlir::FloatAttr>("epsilon");
  const double deviation =
      std::sqrt(realOf(c, 4) + (epsilon ? epsilon.getValueAsDouble() : 0));
  return real(realOf(c, 1) * (realOf(c, 0) - realOf(c, 3)) / deviation +
              realOf(c, 2));
}

Scalar reducePrecision(const ScalarCall &c) {
  auto count = [&](const char *key) {
    auto attribute = c.op->getAttrOfType<mlir::IntegerAttr>(key);
    return attribute ? attribute.getValue().getSExtValue() : 0;
  };
  const double x = realOf(c, 0);
  if (!std::isfinite(x) || x == 0) return real(x);
  const int mantissa = count("mantissa_bits");
  const int largest = (1 << (count("exponent_bits") - 1)) - 1;
  const int exponent = std::ilogb(x);
  const double cut = std::ldexp(
      std::nearbyint(std::ldexp(x, mantissa - exponent)), exponent - mantissa);
  if (std::ilogb(cut) > largest)
    return real(std::copysign(std::numeric_limits<double>::infinity(), x));
  return real(std::ilogb(cut) < 1 - largest ? std::copysign(0.0, x) : cut);
}

//===-- Of parts ----------------------------------------------------------===//

Scalar complexOf(const ScalarCall &c) {
  return real(Complex(realOf(c, 0), realOf(c, 1)));
}
Scalar conj(const ScalarCall &c) {
  return real(std::conj(c.operands[0].number));
}
Scalar realPart(const ScalarCall &c) { return real(realOf(c, 0)); }
Scalar imaginaryPart(const ScalarCall &c) {
  return real(c.operands[0].imaginary());
}

//===-- Of floats and integers --------------------------------------------===//

// Integers alone are computed by integer_arithmetic.h.

Scalar same(const ScalarCall &c) { return c.operands[0]; }

Scalar abs(const ScalarCall &c) {
  return real(c.kinds[0].isComplex() ? std::abs(c.operands[0].number)
                                     : std::abs(realOf(c, 0)));
}

Scalar add(const ScalarCall &c) {
  return real(c.operands[0].number + c.operands[1].number);
}

Scalar subtract(const ScalarCall &c) {
  return real(c.operands[0].number - c.operands[1].number);
}

/// Each part rounded as it comes, as the format would.
Scalar multiply(const ScalarCall &c) {
  if (!c.kinds[0].isComplex()) return real(realOf(c, 0) * realOf(c, 1));
  const Complex a = c.operands[0].number, b = c.operands[1].number;
  auto part = [&](double x) { return roundedTo(*c.result.format, x); };
  return real({part(a.real() * b.real()) - part(a.imag() * b.imag()),
               part(a.real() * b.imag()) + part(a.imag() * b.real())});
}

Scalar divide(const ScalarCall &c) {
  if (!c.kinds[0].isComplex()) return real(realOf(c, 0) / realOf(c, 1));
  return real(c.operands[0].number / c.operands[1].number);
}

Scalar remainder(const ScalarCall &c) {
  return real(std::fmod(realOf(c, 0), realOf(c, 1)));
}

Scalar power(const ScalarCall &c) {
  if (c.kinds[0].isComplex())
    return real(std::pow(c.operands[0].number, c.operands[1].number));
  return real(std::pow(realOf(c, 0), realOf(c, 1)));
}

/// Lexicographic of complex numbers.
bool isLess(const ScalarCall &c, const Scalar &a, const Scalar &b) {
  if (!c.kinds[0].isComplex()) return a.real() < b.real();
  return a.real() != b.real() ? a.real() < b.real()
                              : a.imaginary() < b.imaginary();
}

bool isNaN(const Scalar &a) {
  return std::isnan(a.real()) || std::isnan(a.imaginary());
}

Scalar maximum(const ScalarCall &c) {
  const Scalar &a = c.operands[0], &b = c.operands[1];
  if (isNaN(a)) return a;
  if (isNaN(b)) return b;
  if (isLess(c, a, b) || isLess(c, b, a)) return isLess(c, a, b) ? b : a;
  return std::signbit(a.real()) ? b : a;
}

Scalar minimum(const ScalarCall &c) {
  const Scalar &a = c.operands[0], &b = c.operands[1];
  if (isNaN(a)) return a;
  if (isNaN(b)) return b;
  if (isLess(c, a, b) || isLess(c, b, a)) return isLess(c, a, b) ? a : b;
  return std::signbit(a.real()) ? a : b;
}

Scalar negate(const ScalarCall &c) { return real(-c.operands[0].number); }

Scalar sign(const ScalarCall &c) {
  if (c.kinds[0].isComplex()) {
    const double size = std::abs(c.operands[0].number);
    return size == 0 ? c.operands[0] : real(c.operands[0].number / size);
  }
  const double x = realOf(c, 0);
  return real(std::isnan(x) || x == 0 ? x : std::copysign(1.0, x));
}

Scalar select(const ScalarCall &c) {
  return c.operands[integerOf(c, 0) ? 1 : 2];
}

/// Operands are the least, the value, the most; it is min(max(…)).
Scalar clamp(const ScalarCall &c) {
  const Scalar low[] = {c.operands[0], c.operands[1]};
  const Scalar raised = maximum({c.op, low, c.kinds, c.result});
  const Scalar both[] = {raised, c.operands[2]};
  return minimum({c.op, both, c.kinds, c.result});
}

//===-- Conversion and comparison -----------------------------------------===//

/// The nearest float of an integer, with one rounding.
Scalar floatOfInteger(const ScalarCall &c) {
  llvm::APFloat value(*c.result.format);
  const llvm::APInt bits(64, static_cast<uint64_t>(integerOf(c, 0)));
  value.convertFromAPInt(bits, /*IsSigned=*/!c.kinds[0].isUnsigned,
                         llvm::APFloat::rmNearestTiesToEven);
  return real(doubleOf(value));
}

/// Towards zero; what is too large is the largest, and NaN is 0.
Scalar integerOfFloat(const ScalarCall &c) {
  llvm::APSInt value(c.result.bits, c.result.isUnsigned);
  bool isExact = false;
  llvm::APFloat(realOf(c, 0))
      .convertToInteger(value, llvm::APFloat::rmTowardZero, &isExact);
  return scalarOf(c.result, value);
}

Scalar convert(const ScalarCall &c) {
  const ElementKind &from = c.kinds[0], &to = c.result;
  if (from.isInteger()) return floatOfInteger(c);
  if (to.isBoolean()) return truth(realOf(c, 0) != 0);
  return to.isInteger() ? integerOfFloat(c) : c.operands[0];
}

bool holds(stablehlo::ComparisonDirection direction, bool less, bool equal,
           bool ordered) {
  using Direction = stablehlo::ComparisonDirection;
  switch (direction) {
    case Direction::EQ:
      return equal;
    case Direction::NE:
      return !equal;
    case Direction::LT:
      return ordered && less;
    case Direction::LE:
      return ordered && (less || equal);
    case Direction::GT:
      return ordered && !less && !equal;
    case Direction::GE:
      return ordered && !less;
  }
  return false;
}

Scalar compare(const ScalarCall &c) {
  auto direction = c.op->getAttrOfType<stablehlo::ComparisonDirectionAttr>(
      "comparison_direction");
  auto type =
      c.op->getAttrOfType<stablehlo::ComparisonTypeAttr>("compare_type");
  const Scalar &a = c.operands[0], &b = c.operands[1];
  if (type && type.getValue() == stablehlo::ComparisonType::TOTALORDER &&
      c.kinds[0].isFloat()) {
    const int64_t x = totalOrder(c.kinds[0], a), y = totalOrder(c.kinds[0], b);
    return truth(holds(direction.getValue(), x < y, x == y, true));
  }
  return truth(holds(direction.getValue(), isLess(c, a, b),
                     a.number == b.number, !isNaN(a) && !isNaN(b)));
}

using FloatFunction = Scalar (*)(const ScalarCall &);

struct Row {
  const char *name;
  FloatFunction ofFloats;  ///< null if the op is of integers alone
};

// clang-format off
constexpr Row kRows[] = {
    {"abs", abs}, {"acos", acos}, {"acosh", acosh}, {"add", add},
    {"and", nullptr}, {"asin", asin}, {"asinh", asinh}, {"atan", atan},
    {"atan2", atan2}, {"atanh", atanh},
    {"batch_norm_inference", batchNormInference}, {"bessel_i1e", besselI1e},
    {"cbrt", cbrt}, {"ceil", ceil}, {"clamp", clamp}, {"compare", compare},
    {"complex", complexOf}, {"conj", conj}, {"convert", convert},
    {"cosh", cosh}, {"cosine", cosine}, {"count_leading_zeros", nullptr},
    {"digamma", digammaOf}, {"divide", divide}, {"erf", erf},
    {"erf_inv", erfInv}, {"erfc", erfc}, {"exponential", exponential},
    {"exponential_minus_one", exponentialMinusOne}, {"floor", floor},
    {"imag", imaginaryPart}, {"is_finite", isFinite}, {"is_inf", isInfinite},
    {"is_neg_inf", isNegativeInfinity}, {"is_pos_inf", isPositiveInfinity},
    {"lgamma", lgamma}, {"log", log}, {"log_plus_one", logPlusOne},
    {"logistic", logistic}, {"maximum", maximum}, {"minimum", minimum},
    {"multiply", multiply}, {"negate", negate}, {"next_after", nextAfter},
    {"not", nullptr}, {"or", nullptr}, {"popcnt", nullptr}, {"power", power},
    {"real", realPart}, {"reduce_precision", reducePrecision},
    {"remainder", remainder}, {"round_nearest_afz", roundAwayFromZero},
    {"round_nearest_even", roundToEven}, {"rsqrt", rsqrt}, {"select", select},
    {"shift_left", nullptr}, {"shift_right_arithmetic", nullptr},
    {"shift_right_logical", nullptr}, {"sign", sign},
    {"sine", sine}, {"sinh", sinh}, {"sqrt", sqrt}, {"subtract", subtract},
    {"tan", tan}, {"tanh", tanh}, {"uniform_dequantize", same},
    {"uniform_quantize", same}, {"xor", nullptr},
};
// clang-format on

/// Returns the op's name as integer_arithmetic.h has it.
std::string integerNameOf(mlir::Operation *op) {
  std::string name = op->getName().stripDialect().str();
  if (auto direction = op->getAttrOfType<stablehlo::ComparisonDirectionAttr>(
          "comparison_direction"))
    name += " " +
            stablehlo::stringifyComparisonDirection(direction.getValue()).str();
  return name;
}

std::optional<Scalar> ofIntegers(llvm::StringRef name, const ScalarCall &c) {
  auto kindOf = [](const ElementKind &kind) {
    return IntegerKind{kind.bits, kind.isUnsigned, kind.isBoolean()};
  };
  llvm::SmallVector<IntegerKind, 3> kinds;
  llvm::SmallVector<int64_t, 3> x;
  for (size_t k = 0; k < c.operands.size(); ++k) {
    if (!c.kinds[k].isInteger()) return std::nullopt;
    kinds.push_back(kindOf(c.kinds[k]));
    x.push_back(integerOf(c, k));
  }
  if (!c.result.isInteger()) return std::nullopt;
  auto value = computed(name, kindOf(c.result), kinds, x);
  if (!value) return std::nullopt;
  return Scalar::integral(*value);
}

}  // namespace

ScalarFunction scalarFunctionOf(mlir::Operation *op) {
  static const llvm::StringMap<FloatFunction> functions = [] {
    llvm::StringMap<FloatFunction> map;
    for (const Row &row : kRows) map[row.name] = row.ofFloats;
    return map;
  }();
  const auto [dialect, name] = op->getName().getStringRef().split('.');
  if (dialect != "stablehlo" && dialect != "chlo") return nullptr;
  const auto found = functions.find(name);
  if (found == functions.end()) return nullptr;
  return [name = integerNameOf(op),
          ofFloats = found->second](const ScalarCall &c) {
    if (auto value = ofIntegers(name, c)) return *value;
    return ofFloats(c);
  };
}

bool movesFloats(mlir::Operation *op) {
  const auto name = op->getName().getStringRef().split('.').second;
  for (const char *moving :
       {"abs", "clamp", "complex", "conj", "imag", "maximum", "minimum",
        "negate", "real", "select", "sign", "ceil", "floor",
        "round_nearest_afz", "round_nearest_even", "next_after"})
    if (name == moving) return op->getNumResults() == 1;
  return false;
}

}  // namespace indexical::testing
