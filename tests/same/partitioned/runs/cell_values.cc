#include "tests/same/partitioned/runs/cell_values.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace indexical {
namespace {

using llvm::StringRef;
using Cells = llvm::ArrayRef<const DeviceCell *>;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// A type of floats whose values are followed.
struct FloatFormat {
  int exponentBits, mantissaBits;
  double most;  ///< the largest finite number
  /// No rounding changes more of a small number, nor does it become zero.
  double least = 1e-37;
  double epsilon() const { return std::ldexp(1.0, -mantissaBits); }
};

std::optional<FloatFormat> formatOf(ElementType type) {
  switch (type) {
    case ElementType::F16:
      return FloatFormat{5, 10, 65504.0, 1e-4};
    case ElementType::BF16:
      return FloatFormat{8, 7, 3.3e38};
    case ElementType::F32:
      return FloatFormat{8, 23, 3.4e38};
    case ElementType::F64:
      // A span has numbers of f32.
      return FloatFormat{11, 52, 3.4e38};
    default:
      return std::nullopt;
  }
}

/// Sets the value to all numbers from `lower` to `upper`, and those which they
/// are rounded to in some steps. `size` is the largest number that is rounded.
void setSpan(DeviceCell &cell, ElementType type, double lower, double upper,
             double size, int64_t steps = 1) {
  const auto format = formatOf(type);
  const double most = std::max(std::abs(lower), std::abs(upper));
  if (!format || !(most < format->most) || !(size < format->most)) return;
  const double error =
      std::max(size, most) * format->epsilon() * steps + format->least * steps;
  cell.span.lower =
      std::nextafter(static_cast<float>(lower - error), -kInfinity);
  cell.span.upper =
      std::nextafter(static_cast<float>(upper + error), kInfinity);
  cell.hasValue =
      std::isfinite(cell.span.lower) && std::isfinite(cell.span.upper);
}

void setInteger(DeviceCell &cell, std::optional<int64_t> value, bool isKnown) {
  if (!value) return;
  cell.value = *value;
  cell.hasValue = true;
  cell.isKnown = isKnown;
}

bool isUnsigned(ElementType type) {
  return !elementTypeName(type).starts_with("s");
}

/// Returns how a comparison of a configuration ends: `less`, or equal, or
/// neither.
std::optional<bool> compared(StringRef configuration, bool less, bool equal) {
  auto says = [&](StringRef word) {
    return configuration.contains(("direction=" + word).str()) ||
           configuration.contains(("comparison_direction " + word + ">").str());
  };
  if (says("LT")) return less;
  if (says("LE")) return less || equal;
  if (says("GT")) return !less && !equal;
  if (says("GE")) return !less;
  if (says("EQ")) return equal;
  if (says("NE")) return !equal;
  return std::nullopt;
}

/// Returns the integer that an elementwise op makes of integers.
std::optional<int64_t> integerOf(const Op &op, ElementType type, Cells in) {
  const OpDescriptor &descriptor = op.descriptor();
  auto at = [&](size_t k) { return in[k]->value; };
  auto uAt = [&](size_t k) { return static_cast<uint64_t>(in[k]->value); };
  const StringRef name = op.kind().name;
  const ElementType from = descriptor.operands[0].type;
  const bool ofUnsigned = isUnsigned(from);
  if (in.size() == 1) {
    if (name == "convert" || name == "copy") return wrapped(at(0), type);
    if (name == "negate") return wrapped(0 - uAt(0), type);
    if (name == "not")
      return type == ElementType::Pred ? at(0) == 0 : wrapped(~at(0), type);
    if (name == "abs" && !ofUnsigned && at(0) != INT64_MIN)
      return wrapped(std::abs(at(0)), type);
    return std::nullopt;
  }
  if (in.size() == 2) {
    if (name == "compare") {
      const bool less = ofUnsigned ? uAt(0) < uAt(1) : at(0) < at(1);
      return compared(descriptor.configuration, less, at(0) == at(1));
    }
    if (name == "and") return at(0) & at(1);
    if (name == "or") return at(0) | at(1);
    if (name == "xor") return at(0) ^ at(1);
    if (name == "maximum")
      return ofUnsigned ? (uAt(0) < uAt(1) ? at(1) : at(0))
                        : std::max(at(0), at(1));
    if (name == "minimum")
      return ofUnsigned ? (uAt(0) < uAt(1) ? at(0) : at(1))
                        : std::min(at(0), at(1));
    if (type == ElementType::Pred) return std::nullopt;
    if (name == "add") return wrapped(uAt(0) + uAt(1), type);
    if (name == "subtract") return wrapped(uAt(0) - uAt(1), type);
    if (name == "multiply") return wrapped(uAt(0) * uAt(1), type);
    if (name == "divide" || name == "remainder") {
      if (at(1) == 0 || (ofUnsigned && (at(0) < 0 || at(1) < 0)) ||
          (!ofUnsigned && at(1) == -1))
        return std::nullopt;
      return wrapped(name == "divide" ? at(0) / at(1) : at(0) % at(1), type);
    }
    if (at(1) < 0 || at(1) >= bitsOf(type)) return std::nullopt;
    if (name == "shift-left") return wrapped(uAt(0) << at(1), type);
    if (name == "shift-right-logical" && at(0) >= 0) return at(0) >> at(1);
    return std::nullopt;
  }
  if (in.size() == 3 && name == "clamp" && !ofUnsigned)
    return std::min(std::max(at(1), at(0)), at(2));
  return std::nullopt;
}

/// Functions of one float that do not fall.
struct RisingFunction {
  llvm::StringLiteral name;
  double (*function)(double);
  double least;  ///< of its domain
};
constexpr double kAny = -std::numeric_limits<double>::infinity();
constexpr RisingFunction kRising[] = {
    {"cbrt", std::cbrt, kAny},
    {"exponential", std::exp, kAny},
    {"exponential-minus-one", std::expm1, kAny},
    {"log", std::log, 1e-30},
    {"log-plus-one", std::log1p, -0.999},
    {"logistic", [](double x) { return 1 / (1 + std::exp(-x)); }, kAny},
    {"sqrt", std::sqrt, 1e-30},
    {"tanh", std::tanh, kAny},
};

/// Sets what an elementwise op makes of floats.
void setFloat(DeviceCell &result, const Op &op, ElementType type, Cells in) {
  const StringRef name = op.kind().name;
  auto low = [&](size_t k) { return double(in[k]->span.lower); };
  auto high = [&](size_t k) { return double(in[k]->span.upper); };
  auto set = [&](double lower, double upper, double steps = 1) {
    setSpan(result, type, lower, upper, 0, steps);
  };
  if (in.size() == 1) {
    if (name == "negate" || name == "copy") {
      result.hasValue = true;
      result.span = name == "copy"
                        ? in[0]->span
                        : Span{-in[0]->span.upper, -in[0]->span.lower};
      return;
    }
    if (name == "convert") return set(low(0), high(0));
    if (name == "abs") {
      const double most = std::max(std::abs(low(0)), std::abs(high(0)));
      const bool meetsZero = low(0) <= 0 && high(0) >= 0;
      return set(meetsZero ? 0 : std::min(std::abs(low(0)), std::abs(high(0))),
                 most);
    }
    if ((name == "sine" || name == "cosine") && high(0) - low(0) < 1 &&
        std::abs(low(0)) < 1e3) {
      // Neither is steeper than the identity.
      const double middle = (low(0) + high(0)) / 2;
      const double value = name == "sine" ? std::sin(middle) : std::cos(middle);
      const double error = high(0) - middle + 1e-5;
      return set(value - error, value + error, 8);
    }
    if (name == "rsqrt" && low(0) > 1e-30)
      return set(1 / std::sqrt(high(0)), 1 / std::sqrt(low(0)), 8);
    for (const RisingFunction &each : kRising)
      if (name == each.name && low(0) >= each.least) {
        // Approximations of hardware are no closer.
        const double lower = each.function(low(0)),
                     upper = each.function(high(0));
        const double error =
            1e-5 * (1 + std::max(std::abs(lower), std::abs(upper)));
        return set(lower - error, upper + error, 8);
      }
    return;
  }
  if (in.size() == 2) {
    const bool isExtreme = name == "maximum" || name == "minimum";
    if (!isExtreme && !llvm::all_of(in, [](auto *c) {
          return std::isfinite(c->span.lower) && std::isfinite(c->span.upper);
        }))
      return;
    if (name == "add" || name == "multiply" || isExtreme) {
      ValueFold fold(name, type);
      for (const DeviceCell *each : in) fold.add(*each);
      return fold.set(result);
    }
    if (name == "subtract") return set(low(0) - high(1), high(0) - low(1));
    if (name == "divide" && (low(1) > 1e-30 || high(1) < -1e-30)) {
      const auto [lower, upper] =
          std::minmax({low(0) / low(1), low(0) / high(1), high(0) / low(1),
                       high(0) / high(1)});
      return set(lower, upper, 4);
    }
    return;
  }
  if (in.size() == 3 && name == "clamp")
    set(std::min(std::max(low(1), low(0)), low(2)),
        std::min(std::max(high(1), high(0)), high(2)));
}

/// The integer that an op makes of floats.
std::optional<int64_t> integerOfFloats(const Op &op, ElementType type,
                                       Cells in) {
  const Span a = in[0]->span;
  const StringRef name = op.kind().name;
  if (name == "convert") {
    if (type == ElementType::Pred)
      return a.lower > 0 || a.upper < 0 ? std::optional<int64_t>(1)
                                        : std::nullopt;
    // A number beyond the type has no defined conversion.
    const double lower = std::trunc(a.lower), upper = std::trunc(a.upper);
    if (lower != upper || std::abs(lower) > 9e18) return std::nullopt;
    const int64_t value = lower;
    return wrapped(value, type) == value ? std::optional<int64_t>(value)
                                         : std::nullopt;
  }
  if (name != "compare" || in.size() != 2) return std::nullopt;
  const Span b = in[1]->span;
  const bool less = a.upper < b.lower, more = b.upper < a.lower;
  const bool equal = a.lower == a.upper && b.lower == b.upper &&
                     a.lower == b.lower && a.lower != 0;
  if (!less && !more && !equal) return std::nullopt;
  return compared(op.descriptor().configuration, less, equal);
}

}  // namespace

bool isReal(ElementType type) {
  return !isInteger(type) && !isComplex(type) && type != ElementType::Unknown;
}

TermRing ringOf(ElementType type) {
  return isInteger(type) ? TermRing::Integers : TermRing::Reals;
}

int64_t wrapped(int64_t value, ElementType type) {
  if (type == ElementType::Pred) return value != 0;
  const int64_t bits = bitsOf(type);
  if (bits >= 64 || bits <= 0) return value;
  const uint64_t low =
      static_cast<uint64_t>(value) & ((uint64_t(1) << bits) - 1);
  if (!isUnsigned(type) && (low >> (bits - 1)))
    return static_cast<int64_t>(low | ~((uint64_t(1) << bits) - 1));
  return static_cast<int64_t>(low);
}

TermNumber integerNumber(int64_t value, ElementType type) {
  const int64_t bits = bitsOf(type);
  if (type != ElementType::Pred && bits > 0 && bits < 64)
    value = static_cast<int64_t>(uint64_t(value) << (64 - bits)) >> (64 - bits);
  return numberOf(value, TermRing::Integers);
}

DeviceCell constantCell(int64_t value, ElementType type) {
  DeviceCell cell;
  if (isInteger(type)) {
    cell = integerCell(wrapped(value, type));
    cell.number = integerNumber(value, type);
    return cell;
  }
  cell.number = numberOf(value, TermRing::Reals);
  if (!isReal(type)) return cell;
  const float number = static_cast<float>(value);
  const auto format = formatOf(type);
  // Small types hold few integers.
  cell.isFinite = std::abs(double(value)) < (format ? format->most : 2);
  cell.hasValue = format && cell.isFinite && std::abs(value) < (1 << 24);
  cell.span = {number, number};
  cell.isKnown = cell.hasValue;
  return cell;
}

DeviceCell literalCell(ElementType type, llvm::ArrayRef<uint8_t> bytes) {
  uint64_t bits = 0;
  for (size_t k = std::min<size_t>(bytes.size(), 8); k-- > 0;)
    bits = bits << 8 | bytes[k];
  if (isInteger(type) && bytes.size() <= 8)
    return constantCell(static_cast<int64_t>(bits), type);
  DeviceCell cell;
  TermHash hash(elementTypeName(type).size());
  for (uint8_t byte : bytes) hash.add(byte);
  cell.number = hash.add(elementTypeName(type)).number();
  const auto format = formatOf(type);
  if (!format || static_cast<int>(bytes.size()) * 8 !=
                     format->exponentBits + format->mantissaBits + 1) {
    // The bytes are of a type that is not read: they may be infinite.
    cell.isFinite = false;
    return cell;
  }
  int64_t mantissa = bits & ((uint64_t(1) << format->mantissaBits) - 1);
  const int64_t most = (int64_t(1) << format->exponentBits) - 1;
  int64_t exponent = (bits >> format->mantissaBits) & most;
  const bool isNegative =
      bits >> (format->exponentBits + format->mantissaBits) & 1;
  if (exponent == most) {
    cell.isFinite = false;
    if (mantissa != 0) return cell;
    const float infinity = isNegative ? -kInfinity : kInfinity;
    cell.span = {infinity, infinity};
    cell.isKnown = cell.hasValue = true;
    return cell;
  }
  if (exponent == 0)
    exponent = 1;
  else
    mantissa |= int64_t(1) << format->mantissaBits;
  const int64_t shift = exponent - most / 2 - format->mantissaBits;
  const double value = std::ldexp(isNegative ? -double(mantissa) : mantissa,
                                  static_cast<int>(shift));
  // The negative zero has a number of its own.
  if (mantissa != 0 || !isNegative)
    cell.number = scaled(isNegative ? -mantissa : mantissa, shift);
  const float near = static_cast<float>(value);
  if (near == value) {
    cell.span = {near, near};
    cell.isKnown = cell.hasValue = true;
  } else {
    setSpan(cell, type, value, value, 0);
  }
  return cell;
}

void setValueOf(DeviceCell &cell, int64_t value, ElementType type) {
  setSpan(cell, type, double(value), double(value), 0, 2);
}

void setRandomValue(DeviceCell &cell, ElementType type, uint64_t random,
                    int64_t run) {
  // Bits for several choices.
  const uint64_t which = random & 7;
  const uint64_t more = random >> 3;
  if (isInteger(type)) {
    const int64_t bits = std::min<int64_t>(bitsOf(type), 64);
    const int64_t top = static_cast<int64_t>(uint64_t(1) << (bits - 1));
    // The lowest bits of `more` need no others above them.
    int64_t value = static_cast<int64_t>(more ^ (random << 32));
    switch (run) {
      case 0:
        break;
      case 1:
        value |= top;
        break;
      case 2:
        value = more % 64;
        break;
      case 3:
        value = static_cast<int64_t>(more % 5) - 2;
        break;
      default:
        if (which < 2) value = static_cast<int64_t>(more % 3) - 1;
        if (which == 2) value = top;
        if (which == 3) value = top - 1;
    }
    if (type == ElementType::Pred) value = run == 1 || (run != 2 && (more & 1));
    setInteger(cell, wrapped(value, type), false);
    return;
  }
  if (!isReal(type) || type == ElementType::F8E8M0FNU) return;
  const auto format = formatOf(type);
  const int mantissaBits = format ? std::min(format->mantissaBits, 20) : 1;
  const uint64_t low = more & ((uint64_t(1) << mantissaBits) - 1);
  int exponent = static_cast<int>(more >> 24 & 3) - (format ? 1 : 0);
  if (!format) exponent = static_cast<int>(more >> 24 & 1);
  if (run == 3 && format) exponent = static_cast<int>(more >> 24 & 15) - 8;
  float value = std::ldexp(1 + std::ldexp(float(low), -mantissaBits), exponent);
  const bool isNegative = run == 1 || (run != 2 && (which & 1));
  if (isNegative) value = -value;
  cell.span = {value, value};
  cell.hasValue = true;
}

bool valuesDiffer(const DeviceCell &a, const DeviceCell &b, ElementType type) {
  if (!a.hasValue || !b.hasValue) return false;
  if (isInteger(type)) return a.value != b.value;
  return a.span.upper < b.span.lower || b.span.upper < a.span.lower;
}

void setComputedValue(DeviceCell &result, const Op &op, ElementType type,
                      Cells operands) {
  const auto &shapes = op.descriptor().operands;
  const StringRef name = op.kind().name;
  if (name == "select" && operands.size() == 3) {
    if (!operands[0]->hasValue) return;
    const DeviceCell &taken = *operands[operands[0]->value ? 1 : 2];
    result.hasValue = taken.hasValue;
    if (isInteger(type))
      result.value = taken.value;
    else
      result.span = taken.span;
    result.isKnown = isInteger(type) &&
                     llvm::all_of(operands, [](auto *c) { return c->isKnown; });
    return;
  }
  if (operands.empty() ||
      !llvm::all_of(operands, [](auto *c) { return c->hasValue; }))
    return;
  bool integers = true, reals = true;
  for (const ArrayShape &shape : shapes) {
    integers &= isInteger(shape.type);
    reals &= isReal(shape.type);
  }
  if (integers && isInteger(type)) {
    setInteger(result, integerOf(op, type, operands),
               llvm::all_of(operands, [](auto *c) { return c->isKnown; }));
  } else if (integers && name == "convert" && isReal(type)) {
    const int64_t value = operands[0]->value;
    if (value >= 0 || !isUnsigned(shapes[0].type))
      setValueOf(result, value, type);
  } else if (reals && isInteger(type)) {
    setInteger(result, integerOfFloats(op, type, operands), false);
  } else if (reals && isReal(type)) {
    setFloat(result, op, type, operands);
  }
}

void ValueFold::add(const DeviceCell &cell) {
  isKnown_ &= cell.isKnown;
  hasValue_ &= cell.hasValue;
  if (!hasValue_) return;
  if (isInteger(type_)) {
    const int64_t x = value_, y = cell.value;
    const bool less = isUnsigned(type_)
                          ? static_cast<uint64_t>(x) < static_cast<uint64_t>(y)
                          : x < y;
    if (isFirst_)
      value_ = y;
    else if (name_ == "add")
      value_ = static_cast<int64_t>(uint64_t(x) + uint64_t(y));
    else if (name_ == "multiply")
      value_ = static_cast<int64_t>(uint64_t(x) * uint64_t(y));
    else if (name_ == "maximum")
      value_ = less ? y : x;
    else if (name_ == "minimum")
      value_ = less ? x : y;
    else if (name_ == "and")
      value_ = x & y;
    else if (name_ == "or")
      value_ = x | y;
    else
      hasValue_ = false;
    value_ = wrapped(value_, type_);
  } else {
    const double lower = cell.span.lower, upper = cell.span.upper;
    const double most = std::max(std::abs(lower), std::abs(upper));
    // The product of 0 and infinity is no number.
    hasValue_ &=
        std::isfinite(most) || name_ == "maximum" || name_ == "minimum";
    if (isFirst_) {
      lower_ = lower;
      upper_ = upper;
      largest_ = most;
    } else if (name_ == "add") {
      lower_ += lower;
      upper_ += upper;
      largest_ += most;
    } else if (name_ == "multiply") {
      const auto [least, last] = std::minmax(
          {lower_ * lower, lower_ * upper, upper_ * lower, upper_ * upper});
      lower_ = least;
      upper_ = last;
      largest_ = std::max(std::abs(least), std::abs(last));
    } else if (name_ == "maximum") {
      lower_ = std::max(lower_, lower);
      upper_ = std::max(upper_, upper);
    } else if (name_ == "minimum") {
      lower_ = std::min(lower_, lower);
      upper_ = std::min(upper_, upper);
    } else {
      hasValue_ = false;
    }
    ++steps_;
  }
  isFirst_ = false;
}

void ValueFold::addProduct(const DeviceCell &a, const DeviceCell &b) {
  DeviceCell factor;
  ValueFold product("multiply", type_);
  product.add(a);
  product.add(b);
  product.set(factor);
  add(factor);
}

void ValueFold::set(DeviceCell &cell) const {
  if (isFirst_ || !hasValue_) return;
  if (isInteger(type_)) {
    setInteger(cell, value_, isKnown_);
  } else if (name_ == "maximum" || name_ == "minimum" || steps_ == 1) {
    // Spans of one type are not rounded once more.
    if (!isReal(type_)) return;
    cell.hasValue = true;
    cell.span = {static_cast<float>(lower_), static_cast<float>(upper_)};
  } else {
    setSpan(cell, type_, lower_, upper_, largest_, steps_);
  }
}

}  // namespace indexical
