// An interpreter of the programs of typed_programs.h: every device has numbers.
// It shares no code with the library.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>

#include "tests/same/partitioned/typed_programs.h"

namespace indexical::testing {
namespace {

int bitsOfType(const std::string &type) {
  return type == "pred" ? 1 : std::stoi(type.substr(1));
}

double roundedTo(double value, const std::string &type) {
  float number = static_cast<float>(value);
  if (type != "bf16" || !std::isfinite(number)) return number;
  uint32_t bits;
  std::memcpy(&bits, &number, 4);
  bits += 0x7fff + (bits >> 16 & 1);
  bits &= 0xffff0000;
  std::memcpy(&number, &bits, 4);
  return number;
}

bool isLess(TypedNumber a, TypedNumber b, const std::string &type) {
  if (isFloatType(type)) return a.real < b.real;
  if (type[0] == 's') return a.integer < b.integer;
  return static_cast<uint64_t>(a.integer) < static_cast<uint64_t>(b.integer);
}

/// What a function or an op of two numbers gives.
TypedNumber applied(const std::string &f, TypedNumber a, TypedNumber b,
                    const std::string &type) {
  const bool less = isLess(a, b, type), more = isLess(b, a, type);
  if (f == "maximum") return less ? b : a;
  if (f == "minimum" || f == "less") return more ? b : a;
  if (f == "left") return a;
  if (f == "LT") return {less};
  if (f == "LE") return {!more};
  if (f == "GT") return {more};
  if (f == "GE") return {!less};
  if (f == "EQ") return {!less && !more};
  if (f == "NE") return {less || more};
  if (isFloatType(type)) {
    const double x = a.real, y = b.real;
    const double value = f == "add" ? x + y : f == "subtract" ? x - y : x * y;
    return {0, roundedTo(value, type)};
  }
  const uint64_t x = a.integer, y = b.integer;
  const uint64_t value = f == "add"        ? x + y
                         : f == "subtract" ? x - y
                         : f == "multiply" ? x * y
                         : f == "and"      ? x & y
                         : f == "or"       ? x | y
                                           : x ^ y;
  return {wrappedTo(static_cast<int64_t>(value), type)};
}

TypedNumber converted(TypedNumber a, const std::string &from,
                      const std::string &to) {
  if (isFloatType(from)) return {0, roundedTo(a.real, to)};
  if (to == "pred") return {a.integer != 0};
  if (!isFloatType(to)) return {wrappedTo(a.integer, to)};
  const bool isUnsigned = from[0] != 's';
  return {
      0, roundedTo(isUnsigned ? double(uint64_t(a.integer)) : double(a.integer),
                   to)};
}

/// One device's array of a step.
class StepRun {
 public:
  StepRun(const TypedProgram &program,
          const std::vector<std::vector<TypedArray>> &done, const TypedStep &s,
          int64_t device)
      : program(program), done(done), s(s), device(device) {}

  TypedArray run() {
    TypedArray result;
    for (int64_t i = 0; i < s.rows; ++i)
      for (int64_t j = 0; j < s.columns; ++j) result.push_back(element(i, j));
    return result;
  }

 private:
  const TypedStep &from(size_t n) const { return program.steps[s.in[n]]; }
  TypedNumber at(size_t n, int64_t i, int64_t j) const {
    return done[s.in[n]][device][i * from(n).columns + j];
  }
  TypedNumber number() const {
    if (s.isNeutral) return neutralOf(s.function, s.type);
    return {wrappedTo(s.number, s.type), double(s.number)};
  }
  TypedNumber element(int64_t i, int64_t j) const;
  TypedNumber transformed(int64_t i, int64_t j) const;
  TypedNumber product(int64_t i, int64_t j) const;
  TypedNumber selected(int64_t i, int64_t j) const;

  const TypedProgram &program;
  const std::vector<std::vector<TypedArray>> &done;
  const TypedStep &s;
  const int64_t device;
};

/// The real part of the transform of x + i x.
TypedNumber StepRun::transformed(int64_t i, int64_t j) const {
  const int64_t n = s.columns;
  std::complex<double> sum = 0;
  for (int64_t k = 0; k < n; ++k) {
    const double x = at(0, i, k).real;
    const double angle =
        (s.function == "FFT" ? -2 : 2) * M_PI * double(j * k) / double(n);
    sum += std::complex<double>(x, x) * std::polar(1.0, angle);
  }
  return {0, s.function == "FFT" ? sum.real() : sum.real() / double(n)};
}

TypedNumber StepRun::product(int64_t i, int64_t j) const {
  TypedNumber sum;
  auto add = [&](TypedNumber a, TypedNumber b) {
    sum = applied("add", sum, applied("multiply", a, b, s.type), s.type);
  };
  if (s.op == "dot") {
    for (int64_t k = 0; k < from(0).columns; ++k) add(at(0, i, k), at(1, k, j));
  } else if (s.op == "dot2") {
    for (int64_t m = 0; m < 2; ++m)
      for (int64_t n = 0; n < 2; ++n) {
        int64_t left[2], right[2];
        left[s.order[0]] = right[s.order[2]] = m;
        left[s.order[1]] = right[s.order[3]] = n;
        add(at(0, i, 2 * left[0] + left[1]), at(1, 2 * right[0] + right[1], j));
      }
  } else {
    for (int64_t k = 0; k < 3; ++k)
      if (j + k - 1 >= 0 && j + k - 1 < s.columns)
        add(at(0, i, j + k - 1),
            at(1, 0, s.function == "reversed" ? 2 - k : k));
  }
  return sum;
}

/// An element of select-and-scatter with windows of two columns.
TypedNumber StepRun::selected(int64_t i, int64_t j) const {
  const int64_t first = j / 2 * 2;
  const bool isFirst =
      applied(s.function, at(0, i, first), at(0, i, first + 1), s.type).integer;
  if (isFirst != (j == first)) return {};
  return applied(s.via, {}, at(1, i, j / 2), s.type);
}

TypedNumber StepRun::element(int64_t i, int64_t j) const {
  const std::string &op = s.op;
  if (op == "constant") return number();
  if (op == "copy") return at(0, i, j);
  if (op == "negate" || op == "times")
    return isFloatType(s.type) ? TypedNumber{0, -at(0, i, j).real}
                               : applied("subtract", {}, at(0, i, j), s.type);
  if (op == "not")
    return {s.type == "pred" ? !at(0, i, j).integer
                             : wrappedTo(~at(0, i, j).integer, s.type)};
  if (op == "tanh") return {0, roundedTo(std::tanh(at(0, i, j).real), s.type)};
  if (op == "convert") {
    TypedNumber value = at(0, i, j);
    std::string type = from(0).type;
    if (!s.via.empty()) {
      value = converted(value, type, s.via);
      type = s.via;
    }
    return converted(value, type, s.type);
  }
  if (op == "bitcast-convert") return {wrappedTo(at(0, i, j).integer, s.type)};
  if (op == "compare" || op == "map")
    return applied(s.function, at(0, i, j), at(1, i, j), from(0).type);
  if (op == "select") return at(at(0, i, j).integer ? 1 : 2, i, j);
  if (op == "reduce" || op == "reduce-rows") {
    TypedNumber value = number();
    for (int64_t k = 0; k < (op == "reduce" ? from(0).columns : from(0).rows);
         ++k)
      value = applied(s.function, value,
                      op == "reduce" ? at(0, i, k) : at(0, k, j), s.type);
    return value;
  }
  if (op == "argreduce") {
    const std::string &type = from(0).type;
    TypedNumber best =
        neutralOf(s.function == "GE" ? "maximum" : "minimum", type);
    int64_t index = 0;
    for (int64_t k = 0; k < from(0).columns; ++k)
      if (!applied(s.function, best, at(0, i, k), type).integer) {
        best = at(0, i, k);
        index = k;
      }
    return {index};
  }
  if (op == "sort") {
    TypedArray row;
    for (int64_t k = 0; k < s.columns; ++k) row.push_back(at(0, i, k));
    std::stable_sort(row.begin(), row.end(), [&](TypedNumber a, TypedNumber b) {
      return applied(s.function, a, b, s.type).integer != 0;
    });
    return row[j];
  }
  if (op == "reduce-window")
    return applied(s.function, at(0, i, j), at(0, i, j + 1), s.type);
  if (op == "reverse") return at(0, i, s.columns - 1 - j);
  if (op == "dot" || op == "dot2" || op == "convolution") return product(i, j);
  if (op == "fft") return transformed(i, j);
  if (op == "scatter") {
    TypedNumber value = at(0, i, j);
    for (int64_t k = 0; k < 2; ++k)
      if (s.order[k] == i)
        value = applied(s.function, value, at(1, k, j), s.type);
    return value;
  }
  if (op == "select-and-scatter") return selected(i, j);
  if (op == "all-gather") {
    const int64_t rows = from(0).rows;
    return done[s.in[0]][s.order[i / rows]][i % rows * s.columns + j];
  }
  if (op == "all-reduce") {
    TypedNumber value = done[s.in[0]][s.order[0]][i * s.columns + j];
    for (size_t k = 1; k < s.order.size(); ++k)
      value = applied(s.function, value,
                      done[s.in[0]][s.order[k]][i * s.columns + j], s.type);
    return value;
  }
  if (op == "slice") return at(0, i, j);
  if (op == "offset") return at(0, i + device * s.rows, j);
  if (op == "mask")
    return i + device * s.rows < s.order[0] ? at(0, i, j) : number();
  return applied(op, at(0, i, j), at(1, i, j), s.type);
}

}  // namespace

bool isFloatType(const std::string &type) {
  return type == "f32" || type == "bf16";
}

int64_t wrappedTo(int64_t value, const std::string &type) {
  if (isFloatType(type)) return value;
  if (type == "pred") return value != 0;
  const int bits = bitsOfType(type);
  if (bits == 64) return value;
  const uint64_t low = static_cast<uint64_t>(value) << (64 - bits);
  return type[0] == 's' ? static_cast<int64_t>(low) >> (64 - bits)
                        : static_cast<int64_t>(low >> (64 - bits));
}

TypedNumber neutralOf(const std::string &function, const std::string &type) {
  if (function == "add" || function == "or") return {};
  if (function == "multiply") return {1, 1};
  if (function == "and") return {wrappedTo(-1, type)};
  const bool isMaximum = function == "maximum";
  if (isFloatType(type)) return {0, isMaximum ? -HUGE_VAL : HUGE_VAL};
  if (type[0] != 's') return {isMaximum ? 0 : wrappedTo(-1, type)};
  const int64_t lowest = INT64_MIN >> (64 - bitsOfType(type));
  return {isMaximum ? lowest : ~lowest};
}

TypedNumber randomTypedNumber(const std::string &type, int run,
                              Random &random) {
  if (isFloatType(type)) {
    double value = double(random.in(1, 31)) / 8;
    if (run % 4 == 1 || (run % 4 != 2 && random.oneIn(2))) value = -value;
    return {0, value};
  }
  int64_t value = random.in(INT64_MIN, INT64_MAX);
  const int64_t top = INT64_MIN >> (64 - bitsOfType(type));
  if (type == "pred") value = random.in(0, 1);
  if (run % 4 == 1) value |= top;
  if (run % 4 == 2) value = random.in(0, 20);
  if (run % 4 == 3) {
    const int64_t edges[] = {top, ~top, 0, 1, -1, 2, -2};
    value = edges[random.in(0, 6)];
  }
  return {wrappedTo(value, type)};
}

std::vector<TypedArray> numbersOf(
    const TypedProgram &program,
    const std::vector<std::vector<TypedArray>> &parameters) {
  std::vector<std::vector<TypedArray>> done;
  size_t parameter = 0;
  for (const TypedStep &step : program.steps) {
    std::vector<TypedArray> now;
    if (step.op == "parameter")
      now = parameters[parameter++];
    else
      for (int64_t device = 0; device < program.devices; ++device)
        now.push_back(StepRun(program, done, step, device).run());
    done.push_back(std::move(now));
  }
  return done.back();
}

}  // namespace indexical::testing
