// Tensors of numbers, for programs that are run.
//
// An element is an integer of its width, a float of its format, or two floats.
// A float is held as a double, which has every value of the smaller formats;
// `rounded` puts a result of arithmetic back into its format:
//
//   tensor<3xbf16> dense<[1.0, 0.1, 3.0]>
//     elements 1.0, 0.10009765625, 3.0; sizes {3}
//   rounded(bf16, 0.1 + 3.0)     3.09375
//
// A quantized element is held as the integer that is stored; `valueAt` says
// which number it stands for.
#ifndef INDEXICAL_TESTS_IMPORT_STABLEHLO_VALUES_H
#define INDEXICAL_TESTS_IMPORT_STABLEHLO_VALUES_H

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Types.h"

#include "tests/oracle/tensor.h"

namespace indexical::testing {

/// The kind of a tensor's elements.
struct ElementKind {
  enum class Kind : uint8_t { Integer, Float, Complex };
  Kind kind = Kind::Integer;
  unsigned bits = 32;  ///< of an integer, or of one float
  bool isUnsigned = false;
  const llvm::fltSemantics *format = nullptr;  ///< of a float
  mlir::Type type;                             ///< as MLIR has it

  bool isInteger() const { return kind == Kind::Integer; }
  bool isBoolean() const { return isInteger() && bits == 1; }
  bool isFloat() const { return kind == Kind::Float; }
  bool isComplex() const { return kind == Kind::Complex; }
  /// Bits of a whole element.
  unsigned width() const { return isComplex() ? 2 * bits : bits; }
};

/// Returns the kind of an element type. An error names a type whose elements
/// are no numbers.
absl::StatusOr<ElementKind> elementKindOf(mlir::Type type);
/// Returns the kind of number that a quantized element stands for. Any other
/// kind is returned unchanged.
ElementKind expressedKind(const ElementKind &kind);

/// One element: an integer (the bits if it is unsigned), or the real and
/// imaginary parts.
struct Scalar {
  int64_t integer = 0;
  std::complex<double> number;

  static Scalar integral(int64_t value) { return {value, {}}; }
  static Scalar floating(std::complex<double> value) { return {0, value}; }
  double real() const { return number.real(); }
  double imaginary() const { return number.imag(); }
};

/// Returns the nearest value of that kind. An integer is cut to its width.
Scalar rounded(const ElementKind &kind, Scalar value);
double roundedTo(const llvm::fltSemantics &format, double value);

/// Conversions between an element and its bits.
llvm::APInt bitsOf(const ElementKind &kind, const Scalar &value);
Scalar scalarOf(const ElementKind &kind, const llvm::APInt &bits);
/// Returns the place of an element among all of its kind. Floats are in their
/// total order, from negative NaN to NaN. A complex number has the place of its
/// first part.
int64_t totalOrder(const ElementKind &kind, const Scalar &value);
llvm::APFloat apFloatOf(const llvm::fltSemantics &format, double value);
double doubleOf(llvm::APFloat value);

/// The roundings of an op of a few steps.
constexpr int64_t kFewRoundings = 4;

struct ArrayValue {
  ElementKind kind;
  Index sizes;
  std::vector<Scalar> elements;  ///< row major
  /// The number of roundings by which floats may be off. If 0, they were moved,
  /// or are constants.
  int64_t roundings = 0;

  ArrayValue() = default;
  ArrayValue(ElementKind kind, llvm::ArrayRef<int64_t> sizes)
      : kind(kind),
        sizes(sizes.begin(), sizes.end()),
        elements(countOf(sizes)) {}
};

/// Returns a constant's value.
absl::StatusOr<ArrayValue> arrayOf(mlir::Attribute constant);

/// Returns the number that element `place` stands for, of the expressedKind.
Scalar valueAt(const ArrayValue &array, int64_t place);
/// Makes element `place` stand for `value`, rounded.
void setValue(ArrayValue &array, int64_t place, const Scalar &value);

/// Returns the integers as they steer other ops. A number that is too large is
/// the largest. The list is empty for floats.
std::vector<int64_t> steering(const ArrayValue &array);

/// How far two tensors may differ.
enum class Match : uint8_t {
  Equal,   ///< not at all; a NaN equals any other
  Close,   ///< by the roundings of the two, or a few of the format
  Almost,  ///< by a ten thousandth
};
/// Returns the first element that differs, as text, or "" if none does.
std::string difference(const ArrayValue &got, const ArrayValue &wanted,
                       Match match);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_IMPORT_STABLEHLO_VALUES_H
