#include "tests/import/stablehlo/values.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace indexical::testing {
namespace {

using mlir::quant::UniformQuantizedPerAxisType;
using mlir::quant::UniformQuantizedType;

std::string textOf(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  type.print(os);
  return text;
}

int64_t cut(const ElementKind &kind, int64_t value) {
  if (kind.bits >= 64) return value;
  const llvm::APInt bits(64, static_cast<uint64_t>(value));
  const llvm::APInt low = bits.trunc(kind.bits);
  return kind.isUnsigned ? static_cast<int64_t>(low.getZExtValue())
                         : low.getSExtValue();
}

struct Quantization {
  double scale = 1;
  int64_t zero = 0;
};

Quantization quantizationAt(const ArrayValue &array, int64_t place) {
  mlir::Type type = array.kind.type;
  if (auto whole = llvm::dyn_cast<UniformQuantizedType>(type))
    return {whole.getScale(), whole.getZeroPoint()};
  auto perAxis = llvm::cast<UniformQuantizedPerAxisType>(type);
  const int64_t k =
      indexAt(array.sizes, place)[perAxis.getQuantizedDimension()];
  return {perAxis.getScales()[k], perAxis.getZeroPoints()[k]};
}

bool isQuantized(const ElementKind &kind) {
  return llvm::isa<mlir::quant::QuantizedType>(kind.type);
}

}  // namespace

absl::StatusOr<ElementKind> elementKindOf(mlir::Type type) {
  ElementKind kind;
  kind.type = type;
  if (auto quantized = llvm::dyn_cast<mlir::quant::QuantizedType>(type)) {
    if (!llvm::isa<UniformQuantizedType, UniformQuantizedPerAxisType>(type))
      return absl::UnimplementedError(textOf(type) + " has no scale");
    kind.bits = quantized.getStorageTypeIntegralWidth();
    kind.isUnsigned = !quantized.isSigned();
    return kind;
  }
  mlir::Type part = type;
  if (auto complex = llvm::dyn_cast<mlir::ComplexType>(type)) {
    kind.kind = ElementKind::Kind::Complex;
    part = complex.getElementType();
  }
  if (auto real = llvm::dyn_cast<mlir::FloatType>(part)) {
    if (part == type) kind.kind = ElementKind::Kind::Float;
    kind.bits = real.getWidth();
    kind.format = &real.getFloatSemantics();
    return kind;
  }
  if (type.isIndex()) {
    kind.bits = 64;
    return kind;
  }
  auto integer = llvm::dyn_cast<mlir::IntegerType>(type);
  if (!integer || integer.getWidth() > 64)
    return absl::UnimplementedError(textOf(type) + " is no number's type");
  kind.bits = integer.getWidth();
  kind.isUnsigned = integer.isUnsigned() || kind.bits == 1;
  return kind;
}

ElementKind expressedKind(const ElementKind &kind) {
  if (!isQuantized(kind)) return kind;
  auto quantized = llvm::cast<mlir::quant::QuantizedType>(kind.type);
  return elementKindOf(quantized.getExpressedType()).value_or(kind);
}

llvm::APFloat apFloatOf(const llvm::fltSemantics &format, double value) {
  llvm::APFloat result(value);
  bool lost = false;
  result.convert(format, llvm::APFloat::rmNearestTiesToEven, &lost);
  return result;
}

double doubleOf(llvm::APFloat value) {
  bool lost = false;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
                &lost);
  return value.convertToDouble();
}

double roundedTo(const llvm::fltSemantics &format, double value) {
  if (&format == &llvm::APFloat::IEEEdouble()) return value;
  if (&format == &llvm::APFloat::IEEEsingle()) return static_cast<float>(value);
  return doubleOf(apFloatOf(format, value));
}

Scalar rounded(const ElementKind &kind, Scalar value) {
  if (kind.isInteger()) {
    value.integer = cut(kind, value.integer);
    return value;
  }
  const double real = roundedTo(*kind.format, value.real());
  const double imaginary =
      kind.isComplex() ? roundedTo(*kind.format, value.imaginary()) : 0;
  return Scalar::floating({real, imaginary});
}

llvm::APInt bitsOf(const ElementKind &kind, const Scalar &value) {
  if (kind.isInteger())
    return llvm::APInt(64, static_cast<uint64_t>(value.integer))
        .trunc(kind.bits);
  llvm::APInt real = apFloatOf(*kind.format, value.real()).bitcastToAPInt();
  if (!kind.isComplex()) return real;
  return apFloatOf(*kind.format, value.imaginary())
      .bitcastToAPInt()
      .concat(real);
}

Scalar scalarOf(const ElementKind &kind, const llvm::APInt &bits) {
  if (kind.isInteger())
    return Scalar::integral(kind.isUnsigned
                                ? static_cast<int64_t>(bits.getZExtValue())
                                : bits.getSExtValue());
  auto part = [&](unsigned from) {
    return doubleOf(
        llvm::APFloat(*kind.format, bits.extractBits(kind.bits, from)));
  };
  return Scalar::floating({part(0), kind.isComplex() ? part(kind.bits) : 0.0});
}

int64_t totalOrder(const ElementKind &kind, const Scalar &value) {
  if (kind.isInteger())
    return kind.isUnsigned ? value.integer ^ INT64_MIN : value.integer;
  const llvm::APInt bits =
      apFloatOf(*kind.format, value.real()).bitcastToAPInt();
  const int64_t size = bits.trunc(kind.bits - 1).getZExtValue();
  return bits.isNegative() ? -1 - size : size;
}

absl::StatusOr<ArrayValue> arrayOf(mlir::Attribute constant) {
  auto dense = llvm::dyn_cast_or_null<mlir::DenseElementsAttr>(constant);
  if (!dense)
    return absl::UnimplementedError("a constant whose elements are not given");
  auto kind = elementKindOf(dense.getElementType());
  if (!kind.ok()) return kind.status();
  ArrayValue array(*kind, dense.getType().getShape());
  size_t place = 0;
  if (kind->isInteger()) {
    for (const llvm::APInt &bits : dense.getValues<llvm::APInt>())
      array.elements[place++] = scalarOf(*kind, bits);
  } else if (kind->isFloat()) {
    for (const llvm::APFloat &value : dense.getValues<llvm::APFloat>())
      array.elements[place++] = Scalar::floating(doubleOf(value));
  } else {
    for (const auto &value : dense.getValues<std::complex<llvm::APFloat>>())
      array.elements[place++] =
          Scalar::floating({doubleOf(value.real()), doubleOf(value.imag())});
  }
  return array;
}

Scalar valueAt(const ArrayValue &array, int64_t place) {
  const Scalar &stored = array.elements[place];
  if (!isQuantized(array.kind)) return stored;
  const Quantization q = quantizationAt(array, place);
  const ElementKind kind = expressedKind(array.kind);
  const double scale = roundedTo(*kind.format, q.scale);
  return rounded(kind, Scalar::floating((stored.integer - q.zero) * scale));
}

void setValue(ArrayValue &array, int64_t place, const Scalar &value) {
  if (!isQuantized(array.kind)) {
    array.elements[place] = rounded(array.kind, value);
    return;
  }
  const Quantization q = quantizationAt(array, place);
  auto type = llvm::cast<mlir::quant::QuantizedType>(array.kind.type);
  const ElementKind kind = expressedKind(array.kind);
  const double scale = roundedTo(*kind.format, q.scale);
  const double steps =
      std::nearbyint(roundedTo(*kind.format, value.real() / scale)) + q.zero;
  // A NaN is stored as 0.
  const double stored = std::isnan(steps) ? 0 : steps;
  const double least = type.getStorageTypeMin();
  const double most = type.getStorageTypeMax();
  array.elements[place] =
      Scalar::integral(std::min(std::max(stored, least), most));
}

std::vector<int64_t> steering(const ArrayValue &array) {
  std::vector<int64_t> values;
  if (!array.kind.isInteger()) return values;
  for (const Scalar &element : array.elements)
    values.push_back(array.kind.isUnsigned && element.integer < 0
                         ? std::numeric_limits<int64_t>::max()
                         : element.integer);
  return values;
}

//===-- Comparison --------------------------------------------------------===//

namespace {

std::string textOf(const ElementKind &kind, const Scalar &value) {
  if (kind.isInteger())
    return kind.isUnsigned ? absl::StrCat(static_cast<uint64_t>(value.integer))
                           : absl::StrCat(value.integer);
  return kind.isComplex()
             ? absl::StrFormat("(%.9g, %.9g)", value.real(), value.imaginary())
             : absl::StrFormat("%.9g", value.real());
}

bool isSame(double got, double wanted) {
  if (std::isnan(got) || std::isnan(wanted))
    return std::isnan(got) && std::isnan(wanted);
  return got == wanted && std::signbit(got) == std::signbit(wanted);
}

/// `size` is what the roundings are relative to.
bool isClose(const llvm::fltSemantics &format, double got, double wanted,
             double size, int64_t roundings, Match match) {
  if (got == wanted || isSame(got, wanted)) return true;
  if (!std::isfinite(got) || !std::isfinite(wanted)) return false;
  if (match == Match::Almost) return std::abs(got - wanted) <= 1e-4;
  const int digits = llvm::APFloat::semanticsPrecision(format);
  const double least = doubleOf(llvm::APFloat::getSmallest(format));
  const double step = std::max(std::ldexp(std::abs(size), 1 - digits), least);
  return std::abs(got - wanted) <= roundings * step;
}

bool agree(const ElementKind &kind, const Scalar &got, const Scalar &wanted,
           int64_t roundings, Match match) {
  if (kind.isInteger()) return got.integer == wanted.integer;
  if (match == Match::Equal)
    return isSame(got.real(), wanted.real()) &&
           isSame(got.imaginary(), wanted.imaginary());
  double size = std::abs(wanted.number);
  if (!std::isfinite(size)) size = 0;
  return isClose(*kind.format, got.real(), wanted.real(), size, roundings,
                 match) &&
         isClose(*kind.format, got.imaginary(), wanted.imaginary(), size,
                 roundings, match);
}

}  // namespace

std::string difference(const ArrayValue &got, const ArrayValue &wanted,
                       Match match) {
  if (got.sizes != wanted.sizes || got.kind.type != wanted.kind.type)
    return absl::StrCat("a tensor of ", textOf(got.kind.type), " where one of ",
                        textOf(wanted.kind.type),
                        " is expected, or of other sizes");
  const int64_t roundings =
      std::max({kFewRoundings, got.roundings, wanted.roundings});
  for (size_t place = 0; place < got.elements.size(); ++place) {
    const Scalar &a = got.elements[place], &b = wanted.elements[place];
    if (agree(got.kind, a, b, roundings, match)) continue;
    std::string text = "element (";
    const char *comma = "";
    for (int64_t i : indexAt(got.sizes, place)) {
      absl::StrAppend(&text, comma, i);
      comma = ", ";
    }
    return absl::StrCat(text, ") is ", textOf(got.kind, a), ", expected is ",
                        textOf(got.kind, b));
  }
  return "";
}

}  // namespace indexical::testing
