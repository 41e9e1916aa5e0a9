#include <algorithm>
#include <cmath>

#include "tests/same/partitioned/typed_programs.h"

namespace indexical::testing {

bool mutate(TypedProgram &program, Random &random) {
  auto other = [&](std::string &text, std::vector<std::string> of) {
    of.erase(std::remove(of.begin(), of.end(), text), of.end());
    text = of[random.in(0, of.size() - 1)];
    return true;
  };
  const size_t at = random.in(0, program.steps.size() - 1);
  for (size_t n = 0; n < program.steps.size(); ++n) {
    TypedStep &s = program.steps[(at + n) % program.steps.size()];
    const bool isFloat = isFloatType(s.type);
    if (s.op == "constant") return s.number += random.in(1, 3), true;
    if (s.op == "mask") {
      if (random.oneIn(3)) return s.order[0] += random.in(1, 2) * 2 - 3, true;
      s.isNeutral = false;
      return s.number = random.in(-1, 1), true;
    }
    if (s.op == "compare" || s.op == "sort")
      return other(s.function, s.op == "sort"
                                   ? std::vector<std::string>{"LT", "GT"}
                                   : std::vector<std::string>{
                                         "LT", "LE", "GT", "GE", "EQ", "NE"});
    if (s.op == "argreduce") return other(s.function, {"GE", "LE"});
    if (s.op == "fft") return other(s.function, {"FFT", "IFFT"});
    if (s.op == "convolution") return other(s.function, {"reversed", ""});
    if (s.op == "map")
      return other(s.function, {"subtract", "maximum", "less", "left"});
    if (s.op == "select-and-scatter")
      return random.oneIn(2) ? other(s.function, {"GE", "LE"})
                             : other(s.via, {"add", "maximum"});
    if (s.op == "reduce" || s.op == "reduce-rows") {
      if (random.oneIn(3))
        return s.isNeutral = false, s.number = random.in(-1, 2), true;
      const bool keepsNumber = random.oneIn(2);
      if (keepsNumber) {
        // Only the function changes, not the number that it begins with.
        const TypedNumber first = neutralOf(s.function, s.type);
        if (!isFloat || std::abs(first.real) < 10) {
          s.isNeutral = false;
          s.number = isFloat ? static_cast<int64_t>(first.real) : first.integer;
        }
      }
      return other(s.function, typedFoldsOf(s.type));
    }
    if (s.op == "reduce-window" || s.op == "scatter" || s.op == "all-reduce") {
      // The parts are not put together.
      if (s.op == "all-reduce" && random.oneIn(4)) return s.op = "copy", true;
      return other(s.function, typedFoldsOf(s.type));
    }
    if (s.op == "all-gather") return std::swap(s.order[0], s.order[1]), true;
    if (s.op == "dot2") {
      return std::swap(s.order[2], s.order[3]), true;
    }
    if (s.op == "convert") {
      const TypedStep &from = program.steps[s.in[0]];
      if (isFloatType(from.type) || isFloat) {
        s.via = random.oneIn(2) ? "f32" : "bf16";
        if (isFloatType(from.type) && !isFloat) return s.via.clear(), false;
        return true;
      }
      s.via = random.oneIn(3) ? "s8" : random.oneIn(2) ? "u16" : "s32";
      return true;
    }
    if (s.op == "bitcast-convert") return s.op = "convert", true;
    if (s.op == "negate") return s.op = "times", true;
    if (s.op == "add" || s.op == "subtract" || s.op == "multiply" ||
        s.op == "maximum" || s.op == "minimum" || s.op == "and" ||
        s.op == "or" || s.op == "xor") {
      if (random.oneIn(3)) return std::swap(s.in[0], s.in[1]), true;
      TypedStep &second = program.steps[s.in[1]];
      if (s.op == "subtract" && second.op == "constant") {
        // x - c is x + (-c).
        second.number = -second.number;
        return s.op = "add", true;
      }
      return other(s.op, typedFoldsOf(s.type));
    }
    if (s.op == "select") return std::swap(s.in[1], s.in[2]), true;
  }
  return false;
}

}  // namespace indexical::testing
