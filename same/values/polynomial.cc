#include "indexical/same/values/polynomial.h"

#include <utility>

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"

namespace indexical {

using llvm::DynamicAPInt;

Coefficient::Coefficient(DynamicAPInt over, DynamicAPInt under)
    : num(std::move(over)), den(std::move(under)) {
  if (den < 0) {
    num = -num;
    den = -den;
  }
  if (den == 1) return;
  const DynamicAPInt common = gcd(abs(num), den);
  num /= common;
  den /= common;
}

Coefficient operator+(const Coefficient &a, const Coefficient &b) {
  return {a.num * b.den + b.num * a.den, a.den * b.den};
}

Coefficient operator*(const Coefficient &a, const Coefficient &b) {
  return {a.num * b.num, a.den * b.den};
}

Coefficient operator/(const Coefficient &a, const Coefficient &b) {
  return {a.num * b.den, a.den * b.num};
}

std::optional<Coefficient> numberOf(const Polynomial &polynomial) {
  if (!polynomial.isConstant()) return std::nullopt;
  return polynomial.constant();
}

std::optional<Polynomial> product(const Polynomial &a, const Polynomial &b) {
  if (a.terms().size() * b.terms().size() > Polynomial::kMostTerms)
    return std::nullopt;
  return a.times(b);
}

bool hasLargeCoefficient(const Polynomial &polynomial) {
  static const DynamicAPInt kLimit = [] {
    DynamicAPInt limit(1);
    for (int k = 0; k < kMostBits; ++k) limit *= DynamicAPInt(2);
    return limit;
  }();
  for (const auto &[factors, by] : polynomial.terms())
    if (abs(by.num) > kLimit || by.den > kLimit) return true;
  return false;
}

void wrap(Polynomial &polynomial, int64_t bits) {
  DynamicAPInt modulus(1);
  for (int64_t k = 0; k < bits; ++k) modulus *= DynamicAPInt(2);
  polynomial.changeCoefficients([&](const Coefficient &by) {
    return Coefficient(mod(by.num, modulus), DynamicAPInt(1));
  });
}

bool isRealFloat(ElementType type) {
  return type == ElementType::F16 || type == ElementType::BF16 ||
         type == ElementType::F32 || type == ElementType::F64;
}

std::optional<Coefficient> numberOfFloat(ElementType type,
                                         llvm::StringRef bytes) {
  const llvm::fltSemantics *semantics = nullptr;
  switch (type) {
    case ElementType::F16:
      semantics = &llvm::APFloat::IEEEhalf();
      break;
    case ElementType::BF16:
      semantics = &llvm::APFloat::BFloat();
      break;
    case ElementType::F32:
      semantics = &llvm::APFloat::IEEEsingle();
      break;
    case ElementType::F64:
      semantics = &llvm::APFloat::IEEEdouble();
      break;
    default:
      return std::nullopt;
  }
  const unsigned bits = bitsOf(type);
  if (bytes.size() * 8 != bits) return std::nullopt;
  uint64_t word = 0;
  for (size_t k = 0; k < bytes.size(); ++k)
    word |= static_cast<uint64_t>(static_cast<uint8_t>(bytes[k])) << (8 * k);
  const llvm::APFloat value(*semantics, llvm::APInt(bits, word));
  if (!value.isFinite()) return std::nullopt;
  if (value.isZero()) return Coefficient(0, 1);
  constexpr int kMostExponent = 200, kDigits = 53;
  int exponent = 0;
  const auto rounding = llvm::APFloat::rmNearestTiesToEven;
  llvm::APFloat mantissa = frexp(value, exponent, rounding);
  if (exponent > kMostExponent || exponent < -kMostExponent)
    return std::nullopt;
  bool loses = false;
  mantissa.convert(llvm::APFloat::IEEEdouble(), rounding, &loses);
  mantissa = scalbn(mantissa, kDigits, rounding);
  Coefficient number(static_cast<int64_t>(mantissa.convertToDouble()), 1);
  for (exponent -= kDigits; exponent > 0; --exponent)
    number = number * Coefficient(2);
  for (; exponent < 0; ++exponent) number = number / Coefficient(2);
  return number;
}

}  // namespace indexical
