#include "indexical/same/values/computed_bytes.h"

#include <cmath>
#include <utility>

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/ops/families.h"
#include "indexical/program/values/op_identity.h"
#include "indexical/program/values/value_walk.h"
#include "indexical/same/values/element_table.h"
#include "indexical/same/values/laws.h"
#include "indexical/same/values/rounded_numbers.h"
#include "indexical/same/values/typed_numbers.h"

namespace indexical {
namespace {

using llvm::APFloat;
using llvm::StringRef;
using Bytes = std::optional<std::string>;
using ByteOperands = llvm::ArrayRef<NumberBytes>;

constexpr APFloat::roundingMode kToNearest = APFloat::rmNearestTiesToEven;

std::string bytesOfWord(uint64_t word, ElementType type) {
  std::string bytes;
  for (int64_t k = 0; k < bitsOf(type); k += 8)
    bytes += static_cast<char>(word >> k);
  return bytes;
}

std::string byteText(const TypedNumber &integer) {
  return bytesOfWord(integer.word, integer.type);
}

std::string byteText(const APFloat &value, ElementType type) {
  return bytesOfWord(value.bitcastToAPInt().getZExtValue(), type);
}

std::optional<APFloat> floatOf(const NumberBytes &x) {
  const llvm::fltSemantics *format = formatOf(x.type);
  const int64_t bits = bitsOf(x.type);
  if (!format || bits < 8 || x.bytes.size() != static_cast<size_t>(bits / 8))
    return std::nullopt;
  uint64_t word = 0;
  for (size_t k = 0; k < x.bytes.size(); ++k)
    word |= static_cast<uint64_t>(static_cast<uint8_t>(x.bytes[k])) << (8 * k);
  return APFloat(*format, llvm::APInt(bits, word));
}

/// Whether every machine has the number: it is a zero or normal.
bool isOrdinary(const APFloat &value) {
  return value.isFinite() && !value.isDenormal();
}

double asDouble(APFloat value) {
  bool loses = false;
  value.convert(APFloat::IEEEdouble(), kToNearest, &loses);
  return value.convertToDouble();
}

/// Returns an integer, or a float as a point.
std::optional<TypedNumber> exactNumberOf(const NumberBytes &x) {
  if (isInteger(x.type)) return numberOfBytes(x.type, x.bytes);
  const auto value = floatOf(x);
  if (!value || !isOrdinary(*value)) return std::nullopt;
  TypedNumber made;
  made.type = x.type;
  made.low = made.high = asDouble(*value);
  return made;
}

//===-- Floats ------------------------------------------------------------===//

/// Whether infinity is a number of the format that every machine keeps. Narrow
/// formats have none, or may have their largest number in its place.
bool hasInfinity(const llvm::fltSemantics &format) {
  return APFloat::semanticsHasInf(format) &&
         APFloat::semanticsSizeInBits(format) >= 16;
}

/// Of infinities, and of a quotient by 0, the result is the same everywhere. So
/// is that it is NaN, which is one here.
std::optional<APFloat> arithmetic(StringRef name, APFloat a, const APFloat &b) {
  if (a.isDenormal() || b.isDenormal()) return std::nullopt;
  const bool isExact =
      hasInfinity(a.getSemantics()) &&
      (a.isInfinity() || b.isInfinity() || (name == "divide" && b.isZero()));
  APFloat::opStatus status = APFloat::opOK;
  if (name == "add")
    status = a.add(b, kToNearest);
  else if (name == "subtract")
    status = a.subtract(b, kToNearest);
  else if (name == "multiply")
    status = a.multiply(b, kToNearest);
  else if (name == "divide")
    status = a.divide(b, kToNearest);
  else
    return std::nullopt;
  if (isExact)
    return a.isNaN() ? APFloat::getQNaN(a.getSemantics()) : std::optional(a);
  if (!isOrdinary(a) || (status & APFloat::opUnderflow)) return std::nullopt;
  return a;
}

/// Returns the larger or the smaller number; nothing of two different zeros.
std::optional<APFloat> extreme(bool isMaximum, const APFloat &a,
                               const APFloat &b) {
  if (a.isNaN() || b.isNaN() ||
      (a.isZero() && b.isZero() && a.isNegative() != b.isNegative()))
    return std::nullopt;
  const bool isLess = a.compare(b) == APFloat::cmpLessThan;
  return isLess == isMaximum ? b : a;
}

Bytes ofFloats(StringRef name, ElementType type, ByteOperands operands) {
  llvm::SmallVector<APFloat, 3> x;
  for (const NumberBytes &operand : operands) {
    const auto value = floatOf(operand);
    if (!value || value->isNaN() || value->isDenormal() || operand.type != type)
      return std::nullopt;
    x.push_back(*value);
  }
  auto made = [&](const std::optional<APFloat> &value) -> Bytes {
    if (!value) return std::nullopt;
    return byteText(*value, type);
  };
  auto rounded = [&](APFloat::roundingMode mode) {
    APFloat value = x[0];
    value.roundToIntegral(mode);
    return made(value);
  };
  if (x.size() == 1) {
    if (name == "copy") return made(x[0]);
    if (name == "negate") return made(-x[0]);
    if (name == "abs") return made(llvm::abs(x[0]));
    if (name == "floor") return rounded(APFloat::rmTowardNegative);
    if (name == "ceil") return rounded(APFloat::rmTowardPositive);
    if (name == "round-nearest-even") return rounded(kToNearest);
    if (name == "round-nearest-afz")
      return rounded(APFloat::rmNearestTiesToAway);
    if (name == "sign") {
      if (x[0].isZero()) return made(x[0]);
      return bytesOfFloat(type, x[0].isNegative() ? -1 : 1);
    }
    return std::nullopt;
  }
  if (x.size() == 2) {
    if (name == "maximum" || name == "minimum")
      return made(extreme(name == "maximum", x[0], x[1]));
    return made(arithmetic(name, x[0], x[1]));
  }
  if (x.size() != 3 || name != "clamp") return std::nullopt;
  const auto raised = extreme(/*isMaximum=*/true, x[1], x[0]);
  return raised ? made(extreme(/*isMaximum=*/false, *raised, x[2]))
                : std::nullopt;
}

/// `predicate` has bits: equal, greater, less, unordered.
std::optional<bool> comparedFloats(int64_t predicate, const NumberBytes &a,
                                   const NumberBytes &b) {
  const auto x = floatOf(a), y = floatOf(b);
  if (!x || !y || x->isDenormal() || y->isDenormal() || a.type != b.type)
    return std::nullopt;
  if (predicate < 0 || predicate > 15) return std::nullopt;
  switch (x->compare(*y)) {
    case APFloat::cmpEqual:
      return (predicate & 1) != 0;
    case APFloat::cmpGreaterThan:
      return (predicate & 2) != 0;
    case APFloat::cmpLessThan:
      return (predicate & 4) != 0;
    case APFloat::cmpUnordered:
      return (predicate & 8) != 0;
  }
  return std::nullopt;
}

/// Returns the bits of a predicate of arith.cmpf. The unordered ones begin with
/// `ueq`, and end with `uno`.
int64_t bitsOfPredicate(int64_t number) {
  if (number == 14) return 8;
  return number >= 8 && number <= 13 ? number + 1 : number;
}

/// Returns the bits of a direction of HLO.
int64_t bitsOfDirection(StringRef direction) {
  if (direction == "EQ") return 1;
  if (direction == "GT") return 2;
  if (direction == "GE") return 3;
  if (direction == "LT") return 4;
  if (direction == "LE") return 5;
  if (direction == "NE") return 14;
  return -1;
}

//===-- Conversions -------------------------------------------------------===//

Bytes castBytes(ElementType to, const TypedNumber &x) {
  if (formatOf(to)) {
    if (bitsOf(to) < 8) return std::nullopt;
    const auto made = roundedTo(to, x);
    if (!made || !made->isPoint() || std::isnan(made->low)) return std::nullopt;
    APFloat value(made->low);
    bool loses = false;
    value.convert(*formatOf(to), kToNearest, &loses);
    return value.isDenormal() ? std::nullopt : Bytes(byteText(value, to));
  }
  const Op op = elementwiseOp("convert", {x.type}, to);
  const auto made = computedNumber(op, {x});
  if (!made || made->isFloat()) return std::nullopt;
  return byteText(*made);
}

/// Returns an infinity, or NaN, as a number of another type.
Bytes castSpecial(ElementType to, const NumberBytes &x) {
  const llvm::fltSemantics *format = formatOf(to);
  const auto value = format ? floatOf(x) : std::nullopt;
  if (!value) return std::nullopt;
  if (value->isNaN()) return bytesOfNan(to);
  if (!value->isInfinity() || !hasInfinity(*format)) return std::nullopt;
  return byteText(APFloat::getInf(*format, value->isNegative()), to);
}

/// Returns the same bits as another type of the same width.
Bytes sameBits(ElementType to, const NumberBytes &x) {
  if (bitsOf(to) != bitsOf(x.type) || bitsOf(to) < 8 ||
      to == ElementType::Pred || x.type == ElementType::Pred || isComplex(to) ||
      isComplex(x.type))
    return std::nullopt;
  if (!isInteger(x.type)) {
    const auto value = floatOf(x);
    if (!value || !isOrdinary(*value)) return std::nullopt;
  }
  return x.bytes.str();
}

/// Returns the number with the sign bit, or with zeros, in front of its bits.
Bytes extended(ElementType to, const NumberBytes &x, bool isSigned) {
  const auto number = numberOfBytes(x.type, x.bytes);
  if (!number || !isInteger(to)) return std::nullopt;
  const int64_t width = x.type == ElementType::Pred ? 1 : bitsOf(x.type);
  const uint64_t word =
      isSigned ? static_cast<uint64_t>(llvm::SignExtend64(number->word, width))
               : number->word;
  return byteText(integerNumber(to, word));
}

//===-- Integers ----------------------------------------------------------===//

/// Ops of MLIR, whose integers have no sign of their own.
Bytes ofSignless(StringRef name, ElementType type, ByteOperands x) {
  if (x.size() != 2 || !isInteger(type) || type == ElementType::Pred ||
      x[0].type != type || x[1].type != type)
    return std::nullopt;
  const auto a = numberOfBytes(type, x[0].bytes),
             b = numberOfBytes(type, x[1].bytes);
  if (!a || !b) return std::nullopt;
  auto made = [&](uint64_t word) {
    return byteText(integerNumber(type, word));
  };
  if (name == "maximum-unsigned") return made(std::max(a->word, b->word));
  if (name == "minimum-unsigned") return made(std::min(a->word, b->word));
  if (b->word == 0) return std::nullopt;
  if (name == "divide-unsigned") return made(a->word / b->word);
  if (name == "remainder-unsigned") return made(a->word % b->word);
  if (name != "divide-floor") return std::nullopt;
  const int64_t width = bitsOf(type);
  const int64_t over = llvm::SignExtend64(a->word, width),
                under = llvm::SignExtend64(b->word, width);
  if (under == -1 && a->word == uint64_t{1} << (width - 1)) return std::nullopt;
  const int64_t quotient = over / under;
  const bool isBelow = over % under != 0 && (over < 0) != (under < 0);
  return made(static_cast<uint64_t>(quotient - (isBelow ? 1 : 0)));
}

/// `predicate` is that of arith.cmpi.
std::optional<bool> comparedIntegers(int64_t predicate, const NumberBytes &x,
                                     const NumberBytes &y) {
  const auto a = numberOfBytes(x.type, x.bytes),
             b = numberOfBytes(y.type, y.bytes);
  if (!a || !b || x.type != y.type || !isInteger(x.type)) return std::nullopt;
  const int64_t width = x.type == ElementType::Pred ? 1 : bitsOf(x.type);
  const int64_t signedA = llvm::SignExtend64(a->word, width),
                signedB = llvm::SignExtend64(b->word, width);
  switch (predicate) {
    case 0:
      return a->word == b->word;
    case 1:
      return a->word != b->word;
    case 2:
      return signedA < signedB;
    case 3:
      return signedA <= signedB;
    case 4:
      return signedA > signedB;
    case 5:
      return signedA >= signedB;
    case 6:
      return a->word < b->word;
    case 7:
      return a->word <= b->word;
    case 8:
      return a->word > b->word;
    case 9:
      return a->word >= b->word;
    default:
      return std::nullopt;
  }
}

//===-- Complex numbers ---------------------------------------------------===//

/// Returns the type of the real part.
ElementType partOf(ElementType type) {
  return type == ElementType::C128 ? ElementType::F64 : ElementType::F32;
}

Bytes ofComplex(StringRef name, ElementType type, ByteOperands x) {
  if (name == "complex" && x.size() == 2) {
    if (!isComplex(type) || x[0].type != partOf(type) ||
        x[1].type != partOf(type))
      return std::nullopt;
    return x[0].bytes.str() + x[1].bytes.str();
  }
  if (x.empty() || !isComplex(x[0].type)) return std::nullopt;
  const ElementType part = partOf(x[0].type);
  const size_t size = bitsOf(part) / 8;
  auto partsOf = [&](size_t k) {
    return std::pair(NumberBytes{part, x[k].bytes.take_front(size)},
                     NumberBytes{part, x[k].bytes.drop_front(size)});
  };
  if (x[0].bytes.size() != 2 * size) return std::nullopt;
  const auto [real, imaginary] = partsOf(0);
  if (x.size() == 1) {
    if (name == "real" && type == part) return real.bytes.str();
    if (name == "imag" && type == part) return imaginary.bytes.str();
    if (type != x[0].type || (name != "negate" && name != "conj"))
      return std::nullopt;
    const Bytes first = name == "conj" ? Bytes(real.bytes.str())
                                       : ofFloats("negate", part, {real});
    const Bytes second = ofFloats("negate", part, {imaginary});
    if (!first || !second) return std::nullopt;
    return *first + *second;
  }
  if (x.size() != 2 || x[1].type != x[0].type || type != x[0].type ||
      x[1].bytes.size() != 2 * size || (name != "add" && name != "subtract"))
    return std::nullopt;
  const auto [otherReal, otherImaginary] = partsOf(1);
  const Bytes first = ofFloats(name, part, {real, otherReal});
  const Bytes second = ofFloats(name, part, {imaginary, otherImaginary});
  if (!first || !second) return std::nullopt;
  return *first + *second;
}

//===-- Ops ---------------------------------------------------------------===//

/// The name of an op of arith without a kind of its own, and its predicate.
struct NamedOp {
  StringRef name;
  int64_t predicate = -1;
};

std::optional<NamedOp> namedOp(const Op &op) {
  if (isPlain(op)) return NamedOp{op.kind().name};
  if (StringRef(op.kind().name) != "elementwise") return std::nullopt;
  NamedOp made;
  StringRef rest;
  std::tie(made.name, rest) =
      StringRef(op.descriptor().configuration).split(';');
  if (rest.empty()) return made;
  if (!rest.consume_front("predicate=") ||
      rest.split(' ').first.getAsInteger(10, made.predicate))
    return std::nullopt;
  return made;
}

Bytes truth(std::optional<bool> is) {
  if (!is) return std::nullopt;
  return byteText(integerNumber(ElementType::Pred, *is));
}

/// Ops of arith that have no kind of their own.
Bytes ofArith(const NamedOp &op, ElementType type, ByteOperands x) {
  if (op.name == "arith.cmpi" && x.size() == 2)
    return truth(comparedIntegers(op.predicate, x[0], x[1]));
  if (op.name == "arith.cmpf" && x.size() == 2)
    return truth(comparedFloats(bitsOfPredicate(op.predicate), x[0], x[1]));
  if (x.size() != 1 || op.predicate >= 0) return std::nullopt;
  if (op.name == "arith.bitcast") return sameBits(type, x[0]);
  const bool isFromFloat = formatOf(x[0].type), isToFloat = formatOf(type);
  const bool isExtended = op.name == "arith.extf" || op.name == "arith.truncf";
  if (isExtended && isFromFloat && isToFloat) {
    if (const Bytes special = castSpecial(type, x[0])) return special;
    const auto number = exactNumberOf(x[0]);
    return number ? castBytes(type, *number) : std::nullopt;
  }
  const bool isSigned = op.name == "arith.sitofp" || op.name == "arith.fptosi";
  const bool isUnsigned =
      op.name == "arith.uitofp" || op.name == "arith.fptoui";
  if (!isSigned && !isUnsigned) return std::nullopt;
  const ElementType wide = isSigned ? ElementType::S64 : ElementType::U64;
  if (op.name.ends_with("tofp")) {
    const Bytes word =
        isToFloat ? extended(wide, x[0], isSigned) : std::nullopt;
    const auto number = word ? numberOfBytes(wide, *word) : std::nullopt;
    return number ? castBytes(type, *number) : std::nullopt;
  }
  const auto number = exactNumberOf(x[0]);
  if (!number || !isFromFloat || !isInteger(type)) return std::nullopt;
  // A number that the type lacks is poison.
  const int64_t width = type == ElementType::Pred ? 1 : bitsOf(type);
  const double whole = std::trunc(number->low);
  const double end = std::ldexp(1.0, isSigned ? width - 1 : width);
  if (whole >= end || whole < (isSigned ? -end : 0.0) ||
      std::fabs(whole) >= std::ldexp(1.0, 62))
    return std::nullopt;
  return byteText(
      integerNumber(type, static_cast<uint64_t>(static_cast<int64_t>(whole))));
}

}  // namespace

Bytes bytesOfFloat(ElementType type, double value) {
  const llvm::fltSemantics *format = formatOf(type);
  if (!format || bitsOf(type) < 8) return std::nullopt;
  APFloat made(value);
  bool loses = false;
  made.convert(*format, kToNearest, &loses);
  if (loses || !isOrdinary(made)) return std::nullopt;
  return byteText(made, type);
}

std::optional<std::string> bytesOfNan(ElementType type) {
  const llvm::fltSemantics *format = formatOf(type);
  if (!format || bitsOf(type) < 8 || !APFloat::semanticsHasNaN(*format))
    return std::nullopt;
  return byteText(APFloat::getQNaN(*format), type);
}

Bytes computedBytes(const Op &op, ByteOperands operands) {
  const OpShapes &shapes = shapesOf(op);
  if (!op.is<ElementwiseOp>() || operands.empty() ||
      shapes.results.size() != 1 || shapes.operands.size() != operands.size())
    return std::nullopt;
  const auto named = namedOp(op);
  if (!named) return std::nullopt;
  const ElementType type = shapes.results[0].type;
  const StringRef name = named->name;
  for (auto [shape, operand] : llvm::zip(shapes.operands, operands))
    if (shape.type != operand.type) return std::nullopt;
  if (name.starts_with("arith.")) return ofArith(*named, type, operands);
  if (isComplex(type) || isComplex(operands[0].type))
    return ofComplex(name, type, operands);
  const NumberBytes &first = operands[0];
  if (operands.size() == 1) {
    if (name == "sign-extend") return extended(type, first, true);
    if (name == "zero-extend" || name == "truncate")
      return extended(type, first, false);
    if (name == "convert") {
      if (const Bytes special = castSpecial(type, first)) return special;
      const auto number = exactNumberOf(first);
      return number ? castBytes(type, *number) : std::nullopt;
    }
    if (name == "is-finite" && type == ElementType::Pred) {
      const auto value = floatOf(first);
      return value ? truth(value->isFinite()) : std::nullopt;
    }
  }
  if (name == "select" && operands.size() == 3 && operands[1].type == type &&
      operands[2].type == type) {
    const auto choice = numberOfBytes(first.type, first.bytes);
    if (!choice) return std::nullopt;
    return operands[choice->word != 0 ? 1 : 2].bytes.str();
  }
  if (name == "compare" && operands.size() == 2 && formatOf(first.type)) {
    if (StringRef(op.descriptor().configuration).contains("TOTALORDER"))
      return std::nullopt;
    return truth(
        comparedFloats(bitsOfDirection(lawName(op)), first, operands[1]));
  }
  if (formatOf(type)) return ofFloats(name, type, operands);
  if (name.ends_with("-unsigned") || name == "divide-floor")
    return ofSignless(name, type, operands);
  llvm::SmallVector<TypedNumber, 3> numbers;
  for (const NumberBytes &operand : operands) {
    const auto number = isInteger(operand.type)
                            ? numberOfBytes(operand.type, operand.bytes)
                            : std::nullopt;
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  const auto made = computedNumber(op, numbers);
  if (!made || made->isFloat()) return std::nullopt;
  return byteText(*made);
}

}  // namespace indexical
