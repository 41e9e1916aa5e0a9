#include "tests/stablehlo/lower/random_tensors.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <optional>
#include <utility>

#include "llvm/ADT/STLExtras.h"

namespace indexical::testing {
namespace {

std::string joined(llvm::ArrayRef<int64_t> values) {
  std::string text;
  for (int64_t value : values)
    text += (text.empty() ? "" : ", ") + std::to_string(value);
  return text;
}
std::string list(llvm::ArrayRef<int64_t> values) {
  return "[" + joined(values) + "]";
}
std::string array(llvm::ArrayRef<int64_t> values) {
  return values.empty() ? "array<i64>" : "array<i64: " + joined(values) + ">";
}

/// A number as one of the element type: its lowest bits.
int64_t wrapped(const NumberTensor &type, __int128 value) {
  const int width = type.width();
  if (width == 64 || type.isFloat()) return static_cast<int64_t>(value);
  const int64_t low = static_cast<int64_t>(value) & ((int64_t{1} << width) - 1);
  const bool isNegative = !type.isUnsigned() && (low >> (width - 1));
  return isNegative ? low - (int64_t{1} << width) : low;
}

/// Numbers before they are cut to their width.
using Wide = __int128;
using Element = std::function<Wide(const Index &)>;

/// Writes one function.
class Writer {
 public:
  Writer(Random &random, std::string name)
      : random_(random), name_(std::move(name)) {}

  TensorProgram run() {
    TensorProgram program;
    std::string parameters;
    for (int64_t count = random_.in(1, 3), p = 0; p < count; ++p) {
      NumberTensor value = randomTensor();
      parameters += (p ? ", %" : "%") + std::to_string(values_.size()) + ": " +
                    value.type();
      program.arguments.push_back(value);
      values_.push_back(std::move(value));
    }
    const size_t wanted = values_.size() + random_.in(2, 9);
    while (values_.size() < wanted) addOp();
    std::string names, types;
    for (int64_t count = random_.in(1, 2), r = 0; r < count; ++r) {
      const size_t i = values_.size() - 1 - (r ? random_.in(0, 2) : 0);
      names += (r ? ", %" : "%") + std::to_string(i);
      types += (r ? ", " : "") + values_[i].type();
      program.results.push_back(values_[i]);
    }
    program.text = helpers_ + "func.func @" + name_ + "(" + parameters +
                   ") -> (" + types + ") {\n" + body_ + "  return " + names +
                   " : " + types + "\n}\n";
    return program;
  }

 private:
  //===-- Values ----------------------------------------------------------===//

  NumberTensor typeOnly(std::string element, Index sizes) {
    NumberTensor value;
    value.element = std::move(element);
    value.sizes = std::move(sizes);
    return value;
  }
  NumberTensor randomTensor() {
    static const char *const kElements[] = {"i32", "i32", "f32", "f64",
                                            "i8",  "ui8", "i64", "i1"};
    Index sizes;
    for (int64_t k = random_.in(0, 3); k > 0; --k)
      sizes.push_back(random_.in(1, 4));
    return filled(typeOnly(kElements[random_.in(0, 7)], sizes));
  }
  NumberTensor filled(NumberTensor value) {
    // The ends of a type, too: what wraps, and what no division is to meet.
    const Wide least = -(Wide{1} << (value.isFloat() ? 9 : value.width() - 1));
    for (int64_t k = countOf(value.sizes); k > 0; --k)
      value.numbers.push_back(wrapped(value, random_.oneIn(8)
                                                 ? least - random_.oneIn(2)
                                                 : random_.in(-9, 12)));
    return value;
  }

  /// A random value of those that fit; nothing if none does.
  std::optional<size_t> pick(
      const std::function<bool(const NumberTensor &)> &fits) {
    std::vector<size_t> all;
    for (size_t i = 0; i < values_.size(); ++i)
      if (fits(values_[i])) all.push_back(i);
    if (all.empty()) return std::nullopt;
    // The newest ones more often: programs get deep.
    if (random_.oneIn(2)) return all.back();
    return all[random_.in(0, all.size() - 1)];
  }
  size_t any() {
    return *pick([](const NumberTensor &) { return true; });
  }
  size_t like(size_t i) {
    return *pick([&](const NumberTensor &v) {
      return v.element == values_[i].element && v.sizes == values_[i].sizes;
    });
  }
  std::string name(size_t i) const { return "%" + std::to_string(i); }
  std::string type(size_t i) const { return values_[i].type(); }
  int64_t element(size_t i, const Index &index) const {
    return values_[i].numbers[rowMajor(values_[i].sizes, index)];
  }

  /// Adds `%n = text` whose elements are as `compute` says; leaves the op out
  /// where a float would no longer be a small integer, or there are many.
  bool add(const std::string &text, NumberTensor value,
           const Element &compute) {
    if (countOf(value.sizes) > 200) return false;
    bool isSmall = true;
    forEachIndex(value.sizes, [&](const Index &index) {
      const Wide number = compute(index);
      isSmall &=
          !value.isFloat() || (number < (1 << 20) && number > -(1 << 20));
      value.numbers.push_back(wrapped(value, number));
    });
    if (!isSmall) return false;
    body_ += "  " + name(values_.size()) + " = " + text + "\n";
    values_.push_back(std::move(value));
    return true;
  }

  /// A constant that is not one of the values.
  std::string constant(const NumberTensor &value) {
    const std::string constant = "%c" + std::to_string(constants_++);
    body_ += "  " + constant + " = stablehlo.constant " + value.dense() +
             " : " + value.type() + "\n";
    return constant;
  }

  //===-- Ops -------------------------------------------------------------===//

  void addOp() {
    using Op = void (Writer::*)();
    static const Op kOps[] = {
        &Writer::unary,        &Writer::binary,
        &Writer::binary,       &Writer::compare,
        &Writer::select,       &Writer::convert,
        &Writer::iota,         &Writer::literal,
        &Writer::transpose,    &Writer::reshape,
        &Writer::reverse,      &Writer::slice,
        &Writer::pad,          &Writer::pad,
        &Writer::broadcast,    &Writer::concatenate,
        &Writer::dynamicSlice, &Writer::dynamicUpdateSlice,
        &Writer::gather,       &Writer::reduce,
        &Writer::reduceWindow, &Writer::twoReductions,
        &Writer::call,         &Writer::matmul,
        &Writer::generic,      &Writer::insertSlice,
        &Writer::upstream};
    (this->*kOps[random_.in(0, std::size(kOps) - 1)])();
  }

  void unary() {
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
    const int64_t which = random_.in(0, v.isUnsigned() ? 0 : 2);
    add(std::string("stablehlo.") + kNames[which] + " " + name(x) + " : " +
            type(x),
        typeOnly(v.element, v.sizes), [&](const Index &i) {
          const Wide n = element(x, i);
          if (which == 2) return Wide{(n > 0) - (n < 0)};
          return which == 1 && n > 0 ? n : -n;
        });
  }

  /// The result of a binary op of two elements of a type.
  Wide combined(const NumberTensor &v, const std::string &op, Wide a,
                Wide b) const {
    const bool isBoolean = v.element == "i1";
    if (op == "add") return isBoolean ? a | b : a + b;
    if (op == "subtract") return isBoolean ? a ^ b : a - b;
    if (op == "multiply") return a * b;
    if (op == "maximum") return std::max(a, b);
    if (op == "minimum") return std::min(a, b);
    if (op == "and") return a & b;
    if (op == "or") return a | b;
    if (op == "xor") return a ^ b;
    if (op == "divide") {
      if (b == 0) return -1;
      return a / b;
    }
    if (op == "remainder") return b == 0 ? a : a % b;
    const uint64_t by = static_cast<uint64_t>(b);
    const bool isFar = b < 0 || by >= static_cast<uint64_t>(v.width());
    if (op == "shift_left")
      return isFar ? 0 : Wide(static_cast<uint64_t>(a) << by);
    if (op == "shift_right_arithmetic") {
      // The sign is the highest bit, also of what has none.
      const Wide sign = (a >> (v.width() - 1)) & 1;
      const Wide negative = sign ? a | ~((Wide{1} << v.width()) - 1) : a;
      return isFar ? -sign : negative >> by;
    }
    const uint64_t bits =
        v.width() == 64
            ? static_cast<uint64_t>(a)
            : static_cast<uint64_t>(a) & ((uint64_t{1} << v.width()) - 1);
    return isFar ? 0 : Wide(bits >> by);
  }

  void binary() {
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

  void compare() {
    const size_t x = any(), y = like(x);
    static const char *const kNames[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
    const int64_t which = random_.in(0, 5);
    const NumberTensor result = typeOnly("i1", values_[x].sizes);
    // A zero may have either sign.
    const bool isTotal = values_[x].isFloat() &&
                         !llvm::is_contained(values_[x].numbers, 0) &&
                         !llvm::is_contained(values_[y].numbers, 0);
    add(std::string("stablehlo.compare ") + kNames[which] + ", " + name(x) +
            ", " + name(y) + (isTotal ? ", TOTALORDER" : "") + " : (" +
            type(x) + ", " + type(y) + ") -> " + result.type(),
        result, [&](const Index &i) -> Wide {
          const int64_t a = element(x, i), b = element(y, i);
          const bool all[] = {a == b, a != b, a >= b, a > b, a <= b, a < b};
          return all[which];
        });
  }

  void select() {
    const size_t x = any(), y = like(x);
    auto p = pick([&](const NumberTensor &v) {
      return v.element == "i1" &&
             (v.sizes.empty() || v.sizes == values_[x].sizes);
    });
    if (!p) return;
    const bool isScalar = values_[*p].sizes.empty();
    add("stablehlo.select " + name(*p) + ", " + name(x) + ", " + name(y) +
            " : " + type(*p) + ", " + type(x),
        typeOnly(values_[x].element, values_[x].sizes), [&](const Index &i) {
          return element(*p, isScalar ? Index() : i) ? element(x, i)
                                                     : element(y, i);
        });
  }

  void convert() {
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
          return std::clamp(n, least,
                            least + (int64_t{1} << result.width()) - 1);
        });
  }

  void iota() {
    NumberTensor result = randomTensor();
    result.numbers.clear();
    if (result.sizes.empty() || result.element == "i1") return;
    const int64_t k = random_.in(0, result.sizes.size() - 1);
    add("stablehlo.iota dim = " + std::to_string(k) + " : " + result.type(),
        result, [&](const Index &i) { return i[k]; });
  }

  void literal() {
    NumberTensor value = randomTensor();
    const std::string written = constant(value);
    NumberTensor result = typeOnly(value.element, value.sizes);
    add("stablehlo.reshape " + written + " : (" + value.type() + ") -> " +
            value.type(),
        result, [&](const Index &i) {
          return value.numbers[rowMajor(value.sizes, i)];
        });
  }

  void transpose() {
    const size_t x = any();
    const Index &sizes = values_[x].sizes;
    const auto order = random_.permutation(sizes.size());
    Index turned;
    for (int64_t k : order) turned.push_back(sizes[k]);
    const NumberTensor result = typeOnly(values_[x].element, turned);
    add("stablehlo.transpose " + name(x) + ", dims = " + list(order) + " : (" +
            type(x) + ") -> " + result.type(),
        result, [&](const Index &i) {
          Index from(i.size());
          for (size_t k = 0; k < i.size(); ++k) from[order[k]] = i[k];
          return element(x, from);
        });
  }

  void reshape() {
    const size_t x = any();
    int64_t rest = countOf(values_[x].sizes);
    Index sizes;
    while (rest > 1 || random_.oneIn(4)) {
      std::vector<int64_t> factors;
      for (int64_t f = 1; f <= rest; ++f)
        if (rest % f == 0) factors.push_back(f);
      sizes.push_back(factors[random_.in(0, factors.size() - 1)]);
      rest /= sizes.back();
      if (sizes.size() == 3 && rest > 1)
        sizes.push_back(std::exchange(rest, 1));
      if (sizes.size() >= 4) break;
    }
    const NumberTensor result = typeOnly(values_[x].element, sizes);
    add("stablehlo.reshape " + name(x) + " : (" + type(x) + ") -> " +
            result.type(),
        result, [&](const Index &i) {
          return values_[x].numbers[rowMajor(result.sizes, i)];
        });
  }

  void reverse() {
    const size_t x = any();
    const Index &sizes = values_[x].sizes;
    const auto dims = random_.subset(sizes.size(), random_.in(0, sizes.size()));
    add("stablehlo.reverse " + name(x) + ", dims = " + list(dims) + " : " +
            type(x),
        typeOnly(values_[x].element, sizes), [&](const Index &i) {
          Index from = i;
          for (int64_t k : dims) from[k] = sizes[k] - 1 - i[k];
          return element(x, from);
        });
  }

  void slice() {
    const size_t x = any();
    const Index &sizes = values_[x].sizes;
    Index starts, strides, result;
    std::string bounds;
    for (int64_t size : sizes) {
      starts.push_back(random_.in(0, size - 1));
      const int64_t limit = random_.in(starts.back() + 1, size);
      strides.push_back(random_.in(1, 3));
      result.push_back((limit - starts.back() + strides.back() - 1) /
                       strides.back());
      bounds += (bounds.empty() ? "" : ", ") + std::to_string(starts.back()) +
                ":" + std::to_string(limit) + ":" +
                std::to_string(strides.back());
    }
    if (sizes.empty()) return;
    const NumberTensor value = typeOnly(values_[x].element, result);
    add("stablehlo.slice " + name(x) + " [" + bounds + "] : (" + type(x) +
            ") -> " + value.type(),
        value, [&](const Index &i) {
          Index from(i.size());
          for (size_t k = 0; k < i.size(); ++k)
            from[k] = starts[k] + i[k] * strides[k];
          return element(x, from);
        });
  }

  void pad() {
    const size_t x = any();
    const Index &sizes = values_[x].sizes;
    auto padding = pick([&](const NumberTensor &v) {
      return v.element == values_[x].element && v.sizes.empty();
    });
    Index low, high, interior, result;
    for (int64_t size : sizes) {
      low.push_back(random_.in(-1, 2));
      high.push_back(random_.in(-1, 2));
      interior.push_back(random_.in(0, 2));
      result.push_back(low.back() + high.back() + size +
                       (size - 1) * interior.back());
      if (result.back() < 1) return;
    }
    const NumberTensor scalar = filled(typeOnly(values_[x].element, {}));
    const int64_t value = padding ? element(*padding, {}) : scalar.numbers[0];
    const NumberTensor type = typeOnly(values_[x].element, result);
    if (countOf(result) > 200) return;
    const std::string of = padding ? name(*padding) : constant(scalar);
    add("stablehlo.pad " + name(x) + ", " + of + ", low = " + list(low) +
            ", high = " + list(high) + ", interior = " + list(interior) +
            " : (" + this->type(x) + ", " + scalar.type() + ") -> " +
            type.type(),
        type, [&](const Index &i) {
          Index from(i.size());
          for (size_t k = 0; k < i.size(); ++k) {
            const int64_t offset = i[k] - low[k], step = interior[k] + 1;
            if (offset < 0 || offset % step) return value;
            from[k] = offset / step;
          }
          return isInside(sizes, from) ? element(x, from) : value;
        });
  }

  void broadcast() {
    const size_t x = any();
    const Index &sizes = values_[x].sizes;
    const int64_t rank =
        random_.in(sizes.size(), std::max<int64_t>(4, sizes.size()));
    const auto dims = random_.subset(rank, sizes.size());
    Index result;
    for (int64_t k = 0; k < rank; ++k) result.push_back(random_.in(1, 3));
    for (size_t k = 0; k < sizes.size(); ++k)
      if (sizes[k] > 1 || random_.oneIn(2)) result[dims[k]] = sizes[k];
    const NumberTensor type = typeOnly(values_[x].element, result);
    add("stablehlo.broadcast_in_dim " + name(x) + ", dims = " + list(dims) +
            " : (" + this->type(x) + ") -> " + type.type(),
        type, [&](const Index &i) {
          Index from;
          for (size_t k = 0; k < sizes.size(); ++k)
            from.push_back(sizes[k] == 1 ? 0 : i[dims[k]]);
          return element(x, from);
        });
  }

  void concatenate() {
    const size_t x = any();
    if (values_[x].sizes.empty()) return;
    const int64_t k = random_.in(0, values_[x].sizes.size() - 1);
    auto fits = [&](const NumberTensor &v) {
      Index own = v.sizes, wanted = values_[x].sizes;
      if (own.size() != wanted.size()) return false;
      own[k] = wanted[k];
      return v.element == values_[x].element && own == wanted;
    };
    std::vector<size_t> parts = {x};
    for (int64_t n = random_.in(1, 2); n > 0; --n) parts.push_back(*pick(fits));
    std::string names, types;
    Index sizes = values_[x].sizes;
    sizes[k] = 0;
    for (size_t p : parts) {
      names += (names.empty() ? "" : ", ") + name(p);
      types += (types.empty() ? "" : ", ") + type(p);
      sizes[k] += values_[p].sizes[k];
    }
    const NumberTensor result = typeOnly(values_[x].element, sizes);
    add("stablehlo.concatenate " + names + ", dim = " + std::to_string(k) +
            " : (" + types + ") -> " + result.type(),
        result, [&](const Index &i) {
          Index from = i;
          size_t p = 0;
          while (from[k] >= values_[parts[p]].sizes[k])
            from[k] -= values_[parts[p++]].sizes[k];
          return element(parts[p], from);
        });
  }

  /// Scalars that say where a slice begins, of one type; empty: there is none.
  std::vector<size_t> starts(size_t count) {
    auto first = pick([](const NumberTensor &v) {
      return v.sizes.empty() && !v.isFloat() && v.element != "i1";
    });
    if (!first) return {};
    std::vector<size_t> all;
    while (all.size() < count) all.push_back(like(*first));
    return all;
  }
  Index clampedStarts(llvm::ArrayRef<size_t> starts,
                      llvm::ArrayRef<int64_t> sizes,
                      llvm::ArrayRef<int64_t> window) {
    Index begin;
    for (size_t k = 0; k < sizes.size(); ++k)
      begin.push_back(
          std::clamp<int64_t>(element(starts[k], {}), 0, sizes[k] - window[k]));
    return begin;
  }

  void dynamicSlice() {
    const size_t x = any();
    const Index &sizes = values_[x].sizes;
    const auto at = starts(sizes.size());
    if (sizes.empty() || at.empty()) return;
    Index window;
    std::string names, types = type(x);
    for (size_t k = 0; k < sizes.size(); ++k) {
      window.push_back(random_.in(1, sizes[k]));
      names += ", " + name(at[k]);
      types += ", " + type(at[k]);
    }
    const Index begin = clampedStarts(at, sizes, window);
    const NumberTensor result = typeOnly(values_[x].element, window);
    add("stablehlo.dynamic_slice " + name(x) + names + ", sizes = " +
            list(window) + " : (" + types + ") -> " + result.type(),
        result, [&](const Index &i) {
          Index from = i;
          for (size_t k = 0; k < i.size(); ++k) from[k] += begin[k];
          return element(x, from);
        });
  }

  void dynamicUpdateSlice() {
    const size_t x = any();
    const Index &sizes = values_[x].sizes;
    auto update = pick([&](const NumberTensor &v) {
      if (v.element != values_[x].element || v.sizes.size() != sizes.size())
        return false;
      for (size_t k = 0; k < sizes.size(); ++k)
        if (v.sizes[k] > sizes[k]) return false;
      return true;
    });
    const auto at = starts(sizes.size());
    if (sizes.empty() || at.empty() || !update) return;
    std::string names, types = type(x) + ", " + type(*update);
    for (size_t start : at) {
      names += ", " + name(start);
      types += ", " + type(start);
    }
    const Index begin = clampedStarts(at, sizes, values_[*update].sizes);
    const NumberTensor result = typeOnly(values_[x].element, sizes);
    add("stablehlo.dynamic_update_slice " + name(x) + ", " + name(*update) +
            names + " : (" + types + ") -> " + result.type(),
        result, [&](const Index &i) {
          Index from = i;
          for (size_t k = 0; k < i.size(); ++k) from[k] -= begin[k];
          return isInside(values_[*update].sizes, from) ? element(*update, from)
                                                        : element(x, i);
        });
  }

  /// Rows of x by a tensor of numbers of rows.
  void gather() {
    const size_t x = any();
    const Index &sizes = values_[x].sizes;
    auto rows = pick([](const NumberTensor &v) {
      return !v.isFloat() && v.element != "i1" && v.sizes.size() <= 2;
    });
    if (sizes.empty() || !rows) return;
    const int64_t axis = random_.in(0, sizes.size() - 1);
    const Index &batch = values_[*rows].sizes;
    Index result = batch, offsets, window = sizes;
    for (size_t k = 0; k < sizes.size(); ++k) {
      if (static_cast<int64_t>(k) == axis) continue;
      offsets.push_back(result.size());
      result.push_back(sizes[k]);
    }
    window[axis] = 1;
    const NumberTensor type = typeOnly(values_[x].element, result);
    add("\"stablehlo.gather\"(" + name(x) + ", " + name(*rows) +
            ") {dimension_numbers = #stablehlo.gather<" +
            (offsets.empty() ? "" : "offset_dims = " + list(offsets) + ", ") +
            "collapsed_slice_dims = " + list({axis}) +
            ", start_index_map = " + list({axis}) +
            ", index_vector_dim = " + std::to_string(batch.size()) +
            ">, slice_sizes = " + array(window) + "} : (" + this->type(x) +
            ", " + this->type(*rows) + ") -> " + type.type(),
        type, [&](const Index &i) {
          const llvm::ArrayRef<int64_t> all(i);
          const Index place(all.take_front(batch.size()));
          Index from(all.drop_front(batch.size()));
          from.insert(
              from.begin() + axis,
              std::clamp<int64_t>(element(*rows, place), 0, sizes[axis] - 1));
          return element(x, from);
        });
  }

  std::string reducer(const NumberTensor &v) {
    static const char *const kNames[] = {"add",      "maximum", "minimum",
                                         "multiply", "and",     "or"};
    return kNames[random_.in(0, v.isFloat() ? 2 : v.element == "i1" ? 5 : 3)];
  }

  /// Every index of `sizes` that is `kept` at the dimensions not in `dims`.
  void forEachReduced(const Index &sizes, llvm::ArrayRef<int64_t> dims,
                      const Index &kept,
                      const std::function<void(const Index &)> &visit) {
    forEachIndex(sizes, [&](const Index &index) {
      size_t next = 0;
      for (size_t k = 0; k < sizes.size(); ++k)
        if (!llvm::is_contained(dims, static_cast<int64_t>(k)) &&
            index[k] != kept[next++])
          return;
      visit(index);
    });
  }

  void reduce() {
    const size_t x = any();
    const NumberTensor &v = values_[x];
    const auto dims =
        random_.subset(v.sizes.size(), random_.in(0, v.sizes.size()));
    Index result;
    for (size_t k = 0; k < v.sizes.size(); ++k)
      if (!llvm::is_contained(dims, static_cast<int64_t>(k)))
        result.push_back(v.sizes[k]);
    const std::string op = reducer(v);
    const NumberTensor first = filled(typeOnly(v.element, {}));
    const NumberTensor type = typeOnly(v.element, result);
    const std::string init = constant(first);
    add("stablehlo.reduce(" + name(x) + " init: " + init +
            ") applies stablehlo." + op + " across dimensions = " + list(dims) +
            " : (" + this->type(x) + ", " + first.type() + ") -> " +
            type.type(),
        type, [&](const Index &kept) {
          int64_t sum = first.numbers[0];
          forEachReduced(v.sizes, dims, kept, [&](const Index &i) {
            sum = wrapped(v, combined(v, op, sum, element(x, i)));
          });
          return sum;
        });
  }

  /// A maximum and a sum in one op, the one that is added last returned.
  void twoReductions() {
    const size_t x = any();
    const NumberTensor &v = values_[x];
    if (v.sizes.empty() || v.element == "i1") return;
    const size_t y = like(x);
    const auto dims = random_.subset(v.sizes.size(), 1);
    Index result;
    for (size_t k = 0; k < v.sizes.size(); ++k)
      if (static_cast<int64_t>(k) != dims[0]) result.push_back(v.sizes[k]);
    const NumberTensor type = typeOnly(v.element, result);
    const NumberTensor first = filled(typeOnly(v.element, {}));
    const std::string init = constant(first), s = first.type();
    const int64_t which = random_.in(0, 1);
    const std::string pair = "%pair" + std::to_string(constants_++);
    std::string text = pair + ":2 = \"stablehlo.reduce\"(" + name(x) + ", " +
                       name(y) + ", " + init + ", " + init + ") ({\n  ^bb0(" +
                       "%a: " + s + ", %b: " + s + ", %c: " + s + ", %d: " + s +
                       "):\n    %m = stablehlo.maximum %a, %c : " + s +
                       "\n    %n = stablehlo.add %b, %d : " + s +
                       "\n    %o = stablehlo.subtract %n, %a : " + s +
                       "\n    stablehlo.return %m, %o : " + s + ", " + s +
                       "\n  }) {dimensions = " + array(dims) + "} : (" +
                       this->type(x) + ", " + this->type(y) + ", " + s + ", " +
                       s + ") -> (" + type.type() + ", " + type.type() + ")";
    const std::string before = body_;
    body_ += "  " + text + "\n";
    // The sum takes away the maximum so far: it needs both, in order.
    const bool isAdded =
        add("stablehlo.reshape " + pair + "#" + std::to_string(which) + " : (" +
                type.type() + ") -> " + type.type(),
            type, [&](const Index &kept) {
              int64_t most = first.numbers[0], sum = first.numbers[0];
              forEachReduced(v.sizes, dims, kept, [&](const Index &i) {
                sum = wrapped(v, Wide(sum) + element(y, i) - most);
                most = std::max(most, element(x, i));
              });
              return which ? sum : most;
            });
    if (!isAdded) body_ = before;
  }

  void reduceWindow() {
    const size_t x = any();
    const NumberTensor &v = values_[x];
    if (v.sizes.empty()) return;
    Index window, strides, base, dilation, low, result;
    std::string padding;
    for (int64_t size : v.sizes) {
      window.push_back(random_.in(1, 3));
      strides.push_back(random_.in(1, 2));
      base.push_back(random_.in(1, 2));
      dilation.push_back(random_.in(1, 2));
      low.push_back(random_.in(0, 2));
      const int64_t high = random_.in(0, 2);
      padding +=
          (padding.empty() ? "[" : ", [") + joined({low.back(), high}) + "]";
      const int64_t padded = low.back() + (size - 1) * base.back() + 1 + high;
      const int64_t reach = (window.back() - 1) * dilation.back() + 1;
      if (reach > padded) return;
      result.push_back((padded - reach) / strides.back() + 1);
    }
    const std::string op = reducer(v);
    const NumberTensor first = filled(typeOnly(v.element, {}));
    const NumberTensor type = typeOnly(v.element, result);
    if (countOf(result) > 200) return;
    const std::string init = constant(first), s = first.type();
    add("\"stablehlo.reduce_window\"(" + name(x) + ", " + init +
            ") ({\n  ^bb0(%a: " + s + ", %b: " + s + "):\n    %m = stablehlo." +
            op + " %a, %b : " + s + "\n    stablehlo.return %m : " + s +
            "\n  }) {window_dimensions = " + array(window) +
            ", window_strides = " + array(strides) +
            ", base_dilations = " + array(base) +
            ", window_dilations = " + array(dilation) + ", padding = dense<[" +
            padding + "]> : tensor<" + std::to_string(v.sizes.size()) +
            "x2xi64>} : (" + this->type(x) + ", " + s + ") -> " + type.type(),
        type, [&](const Index &i) {
          int64_t sum = first.numbers[0];
          forEachIndex(window, [&](const Index &w) {
            Index from(i.size());
            for (size_t k = 0; k < i.size(); ++k) {
              const int64_t place =
                  i[k] * strides[k] + w[k] * dilation[k] - low[k];
              if (place < 0 || place % base[k]) return;
              from[k] = place / base[k];
            }
            if (isInside(v.sizes, from))
              sum = wrapped(v, combined(v, op, sum, element(x, from)));
          });
          return sum;
        });
  }

  /// A function of its own, of one value: x + reverse(x).
  void call() {
    const size_t x = any();
    const NumberTensor &v = values_[x];
    if (v.sizes.empty()) return;
    const std::string helper = name_ + "_helper" + std::to_string(constants_++);
    const std::string before = helpers_;
    helpers_ += "func.func private @" + helper + "(%x: " + type(x) + ") -> " +
                type(x) +
                " {\n  %r = stablehlo.reverse %x, dims = [0] : " + type(x) +
                "\n  %s = stablehlo.add %x, %r : " + type(x) +
                "\n  return %s : " + type(x) + "\n}\n";
    const bool isAdded =
        add("func.call @" + helper + "(" + name(x) + ") : (" + type(x) +
                ") -> " + type(x),
            typeOnly(v.element, v.sizes), [&](const Index &i) {
              Index back = i;
              back[0] = v.sizes[0] - 1 - i[0];
              return combined(v, "add", element(x, i), element(x, back));
            });
    if (!isAdded) helpers_ = before;
  }

  //===-- Ops of upstream MLIR --------------------------------------------===//

  std::optional<size_t> signless(size_t rank) {
    return pick([&](const NumberTensor &v) {
      return v.element == "i32" && v.sizes.size() == rank;
    });
  }

  void matmul() {
    auto x = signless(2);
    if (!x) return;
    auto y = pick([&](const NumberTensor &v) {
      return v.element == "i32" && v.sizes.size() == 2 &&
             v.sizes[0] == values_[*x].sizes[1];
    });
    if (!y) return;
    NumberTensor into =
        filled(typeOnly("i32", {values_[*x].sizes[0], values_[*y].sizes[1]}));
    const std::string init = constant(into);
    add("linalg.matmul ins(" + name(*x) + ", " + name(*y) + " : " + type(*x) +
            ", " + type(*y) + ") outs(" + init + " : " + into.type() + ") -> " +
            into.type(),
        typeOnly("i32", into.sizes), [&](const Index &i) {
          int64_t sum = into.numbers[rowMajor(into.sizes, i)];
          for (int64_t k = 0; k < values_[*x].sizes[1]; ++k)
            sum = wrapped(into,
                          sum + static_cast<__int128>(element(*x, {i[0], k})) *
                                    element(*y, {k, i[1]}));
          return sum;
        });
  }

  /// out[j] = sum over i of x[i, j] * i, or out[j, i] = x[i, j] + j.
  void generic() {
    auto x = signless(2);
    if (!x) return;
    const Index &s = values_[*x].sizes;
    const bool isSum = random_.oneIn(2);
    const NumberTensor into =
        filled(typeOnly("i32", isSum ? Index{s[1]} : Index{s[1], s[0]}));
    const std::string init = constant(into);
    add("linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, "
        "affine_map<(i, j) -> (" +
            std::string(isSum ? "j" : "j, i") + ")>], iterator_types = [" +
            (isSum ? "\"reduction\"" : "\"parallel\"") +
            ", \"parallel\"]} ins(" + name(*x) + " : " + type(*x) + ") outs(" +
            init + " : " + into.type() + ") {\n  ^bb0(%a: i32, %b: i32):\n" +
            "    %k = linalg.index " + (isSum ? "0" : "1") +
            " : index\n    %n = arith.index_cast %k : index to i32\n" +
            (isSum ? "    %p = arith.muli %a, %n : i32\n"
                     "    %q = arith.addi %b, %p : i32\n"
                   : "    %q = arith.addi %a, %n : i32\n") +
            "    linalg.yield %q : i32\n  } -> " + into.type(),
        typeOnly("i32", into.sizes), [&](const Index &i) {
          if (!isSum) return element(*x, {i[1], i[0]}) + i[0];
          int64_t sum = into.numbers[i[0]];
          for (int64_t k = 0; k < s[0]; ++k)
            sum = wrapped(into, sum + element(*x, {k, i[0]}) * k);
          return sum;
        });
  }

  void insertSlice() {
    const size_t x = any();
    const Index &sizes = values_[x].sizes;
    if (sizes.empty()) return;
    auto part = pick([&](const NumberTensor &v) {
      if (v.element != values_[x].element || v.sizes.size() != sizes.size())
        return false;
      for (size_t k = 0; k < sizes.size(); ++k)
        if (v.sizes[k] > sizes[k]) return false;
      return true;
    });
    Index offsets, strides;
    for (size_t k = 0; k < sizes.size(); ++k) {
      const int64_t own = values_[*part].sizes[k];
      strides.push_back(own > 1 ? random_.in(1, (sizes[k] - 1) / (own - 1))
                                : 1);
      offsets.push_back(
          random_.in(0, sizes[k] - 1 - (own - 1) * strides.back()));
    }
    add("tensor.insert_slice " + name(*part) + " into " + name(x) +
            list(offsets) + " " + list(values_[*part].sizes) + " " +
            list(strides) + " : " + type(*part) + " into " + type(x),
        typeOnly(values_[x].element, sizes), [&](const Index &i) {
          Index from(i.size());
          for (size_t k = 0; k < i.size(); ++k) {
            const int64_t offset = i[k] - offsets[k];
            if (offset < 0 || offset % strides[k]) return element(x, i);
            from[k] = offset / strides[k];
          }
          return isInside(values_[*part].sizes, from) ? element(*part, from)
                                                      : element(x, i);
        });
  }

  void upstream() {
    auto x = pick([](const NumberTensor &v) { return v.element == "i32"; });
    if (!x) return;
    const size_t y = like(*x);
    add("arith.subi " + name(*x) + ", " + name(y) + " : " + type(*x),
        typeOnly("i32", values_[*x].sizes),
        [&](const Index &i) { return Wide(element(*x, i)) - element(y, i); });
  }

  Random &random_;
  const std::string name_;
  std::vector<NumberTensor> values_;
  std::string body_, helpers_;
  int constants_ = 0;
};

}  // namespace

int NumberTensor::width() const {
  return std::atoi(element.c_str() + element.find_first_of("0123456789"));
}

std::string NumberTensor::signless() const {
  return element[0] == 'u' ? element.substr(1) : element;
}

std::string NumberTensor::type() const {
  std::string text = "tensor<";
  for (int64_t size : sizes) text += std::to_string(size) + "x";
  return text + element + ">";
}

std::string NumberTensor::memref() const {
  std::string text = "memref<";
  for (int64_t size : sizes) text += std::to_string(size) + "x";
  return text + signless() + ">";
}

std::string NumberTensor::dense() const {
  std::vector<std::string> parts;
  for (int64_t n : numbers)
    parts.push_back(element == "i1"
                        ? (n ? "true" : "false")
                        : std::to_string(n) + (isFloat() ? ".0" : ""));
  for (size_t k = sizes.size(); k-- > 0;) {
    std::vector<std::string> outer;
    for (size_t i = 0; i < parts.size(); i += sizes[k]) {
      std::string one;
      for (int64_t j = 0; j < sizes[k]; ++j)
        one += (j ? ", " : "[") + parts[i + j];
      outer.push_back(one + "]");
    }
    parts = std::move(outer);
  }
  return "dense<" + parts.front() + ">";
}

TensorProgram randomTensorProgram(Random &random, const std::string &name) {
  return Writer(random, name).run();
}

}  // namespace indexical::testing
