// Ops of elements: arithmetic, comparisons, conversions, and constants.
#include <algorithm>
#include <cstdlib>

#include "llvm/ADT/STLExtras.h"

#include "tests/import/stablehlo/lower/tensor_writer.h"

namespace indexical::testing {

void TensorWriter::unary() {
  const size_t x = any();
  const NumberTensor &v = values_[x];
  if (v.element == "i1" || random_.oneIn(4)) {
    if (v.isFloat()) return;
    add("stablehlo.not " + name(x) + " : " + type(x),
        typeOnly(v.element, v.sizes),
        [&](const Index &i) { return ~element(x, i); });
    return;
  }
  static const char *const kNames[] = {"negate", "abs", "sign"};
  const std::string op = kNames[random_.in(0, v.isUnsigned() ? 0 : 2)];
  add("stablehlo." + op + " " + name(x) + " : " + type(x),
      typeOnly(v.element, v.sizes), [&](const Index &i) {
        return *computed(op, kindOf(v), kindOf(v), element(x, i));
      });
}

int64_t TensorWriter::combined(const NumberTensor &v, const std::string &op,
                               int64_t a, int64_t b) const {
  return *computed(op, kindOf(v), {kindOf(v), kindOf(v)}, {a, b});
}

void TensorWriter::binary() {
  static const char *const kOfFloats[] = {"add", "maximum", "minimum",
                                          "multiply", "subtract"};
  static const char *const kOfIntegers[] = {"add",
                                            "maximum",
                                            "minimum",
                                            "multiply",
                                            "and",
                                            "or",
                                            "xor",
                                            "subtract",
                                            "divide",
                                            "remainder",
                                            "shift_left",
                                            "shift_right_arithmetic",
                                            "shift_right_logical"};
  const size_t x = any(), y = like(x);
  const NumberTensor &v = values_[x];
  const std::string op =
      v.isFloat() ? kOfFloats[random_.in(0, 4)]
                  : kOfIntegers[random_.in(0, v.element == "i1" ? 6 : 12)];
  add("stablehlo." + op + " " + name(x) + ", " + name(y) + " : " + type(x),
      typeOnly(v.element, v.sizes), [&](const Index &i) {
        return combined(v, op, element(x, i), element(y, i));
      });
}

void TensorWriter::compare() {
  const size_t x = any(), y = like(x);
  static const char *const kNames[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
  const int64_t which = random_.in(0, 5);
  const NumberTensor result = typeOnly("i1", values_[x].sizes);
  // A zero may have either sign.
  const bool isTotal = values_[x].isFloat() &&
                       !llvm::is_contained(values_[x].numbers, 0) &&
                       !llvm::is_contained(values_[y].numbers, 0);
  add(std::string("stablehlo.compare ") + kNames[which] + ", " + name(x) +
          ", " + name(y) + (isTotal ? ", TOTALORDER" : "") + " : (" + type(x) +
          ", " + type(y) + ") -> " + result.type(),
      result, [&](const Index &i) -> Wide {
        const int64_t a = element(x, i), b = element(y, i);
        const bool all[] = {a == b, a != b, a >= b, a > b, a <= b, a < b};
        return all[which];
      });
}

void TensorWriter::select() {
  const size_t x = any(), y = like(x);
  auto p = pick([&](const NumberTensor &v) {
    return v.element == "i1" &&
           (v.sizes.empty() || v.sizes == values_[x].sizes);
  });
  if (!p) return;
  const bool isScalar = values_[*p].sizes.empty();
  add("stablehlo.select " + name(*p) + ", " + name(x) + ", " + name(y) + " : " +
          type(*p) + ", " + type(x),
      typeOnly(values_[x].element, values_[x].sizes), [&](const Index &i) {
        return element(*p, isScalar ? Index() : i) ? element(x, i)
                                                   : element(y, i);
      });
}

void TensorWriter::convert() {
  static const char *const kElements[] = {"i32", "f32", "f64", "i8",
                                          "ui8", "i64", "i1"};
  const size_t x = any();
  const NumberTensor result =
      typeOnly(kElements[random_.in(0, 6)], values_[x].sizes);
  const bool fromFloat = values_[x].isFloat();
  add("stablehlo.convert " + name(x) + " : (" + type(x) + ") -> " +
          result.type(),
      result, [&](const Index &i) -> int64_t {
        const int64_t n = element(x, i);
        if (result.element == "i1") return n != 0;
        if (!fromFloat || result.isFloat() || result.width() == 64) return n;
        // A float that the integer does not hold is its nearest one.
        const int64_t least =
            result.isUnsigned() ? 0 : -(int64_t{1} << (result.width() - 1));
        return std::clamp(n, least, least + (int64_t{1} << result.width()) - 1);
      });
}

void TensorWriter::iota() {
  NumberTensor result = randomTensor();
  result.numbers.clear();
  if (result.sizes.empty() || result.element == "i1") return;
  const int64_t k = random_.in(0, result.sizes.size() - 1);
  add("stablehlo.iota dim = " + std::to_string(k) + " : " + result.type(),
      result, [&](const Index &i) { return i[k]; });
}

void TensorWriter::literal() {
  NumberTensor value = randomTensor();
  const std::string written = constant(value);
  NumberTensor result = typeOnly(value.element, value.sizes);
  add("stablehlo.reshape " + written + " : (" + value.type() + ") -> " +
          value.type(),
      result,
      [&](const Index &i) { return value.numbers[rowMajor(value.sizes, i)]; });
}

}  // namespace indexical::testing
