// Constants as numbers: pairs by hand, in HLO and MLIR, and random modules of
// constants against an interpreter that shares no code with the library.
//
//   c = s8[4] constant({100, 1, -7, 3}), d = multiply(c, c), r = add(x, d)
//   r = add(x, {16, 1, 49, 9}): equal; with any other number: not
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/import/stablehlo/import/import.h"
#include "indexical/same/values/sameness.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

std::string verdictOf(const absl::StatusOr<Program> &first,
                      const absl::StatusOr<Program> &second) {
  for (const auto *each : {&first, &second})
    if (!each->ok()) return std::string(each->status().message());
  SamenessOptions options;
  options.values = ValueOptions{FloatLaws::None};
  const auto same = compare(first->modules[0], second->modules[0], options);
  if (!same.ok()) return std::string(same.status().message());
  return same->verdict.isSame() ? "equal" : wordOf(same->verdict.answer).str();
}

std::string entryOf(const std::string &body) {
  return "HloModule m\nsum {\n  p = s32[] parameter(0)\n  q = s32[] "
         "parameter(1)\n  ROOT r = s32[] add(p, q)\n}\nsum_f32 {\n  p = f32[] "
         "parameter(0)\n  q = f32[] parameter(1)\n  ROOT r = f32[] add(p, "
         "q)\n}\nENTRY e {\n" +
         body + "\n}\n";
}

struct Pair {
  const char *first, *second, *verdict;
};

TEST(ConstantsTest, OfHlo) {
  const Pair pairs[] = {
      // Scalars, as their types round them.
      {"c = f32[] constant(0.1)\n d = f32[] constant(0.2)\n"
       "ROOT r = f32[] add(c, d)",
       "ROOT r = f32[] constant(0.3)", "equal"},
      {"c = bf16[] constant(1)\n d = bf16[] constant(0.00390625)\n"
       "ROOT r = bf16[] add(c, d)",
       "ROOT r = bf16[] constant(1)", "equal"},
      {"c = f32[] constant(1)\n d = f32[] constant(3)\n"
       "ROOT r = f32[] divide(c, d)",
       "ROOT r = f32[] constant(0.33333334)", "equal"},
      {"c = f32[] constant(0)\n ROOT r = f32[] negate(c)",
       "ROOT r = f32[] constant(-0.0)", "equal"},
      {"c = f32[] constant(0)\n ROOT r = f32[] negate(c)",
       "ROOT r = f32[] constant(0)", "undecided"},
      {"c = s32[] constant(16777217)\n ROOT r = f32[] convert(c)",
       "ROOT r = f32[] constant(16777216)", "equal"},
      {"c = f32[] constant(-3.7)\n ROOT r = s32[] convert(c)",
       "ROOT r = s32[] constant(-3)", "equal"},
      {"c = f32[] constant(-3.7)\n ROOT r = s32[] convert(c)",
       "ROOT r = s32[] constant(-4)", "different"},
      {"c = f32[] constant(1.1)\n ROOT r = f8e4m3fn[] convert(c)",
       "ROOT r = f8e4m3fn[] constant(1.125)", "equal"},
      {"c = f32[] constant(nan)\n d = f32[] constant(2)\n"
       "ROOT r = pred[] compare(c, d), direction=NE",
       "ROOT r = pred[] constant(true)", "equal"},
      {"c = f32[] constant(nan)\n d = f32[] constant(2)\n"
       "ROOT r = pred[] compare(c, d), direction=GE",
       "ROOT r = pred[] constant(true)", "different"},
      {"c = f32[] constant(1)\n d = f32[] constant(2)\n"
       "ROOT r = c64[] complex(c, d)",
       "ROOT r = c64[] constant((1, 2))", "equal"},
      // No machine's own way of it is folded.
      {"c = f32[] constant(2)\n ROOT r = f32[] exponential(c)",
       "ROOT r = f32[] constant(7.3890562)", "undecided"},
      {"c = s32[] constant(7)\n d = s32[] constant(0)\n"
       "ROOT r = s32[] divide(c, d)",
       "ROOT r = s32[] constant(-1)", "undecided"},
      {"c = f32[] constant(1e-30)\n ROOT r = f32[] multiply(c, c)",
       "ROOT r = f32[] constant(0)", "undecided"},
      // Sums of floats that no order rounds, and others.
      {"c = f32[4] constant({0.5,-0.25,0.125,-0.375})\n"
       "z = f32[] constant(0)\n ROOT r = f32[] reduce(c, z), dimensions={0}, "
       "to_apply=sum_f32",
       "ROOT r = f32[] constant(0)", "equal"},
      {"c = f32[3] constant({0.5,-0.25,0.0625})\n z = f32[] constant(0)\n"
       "ROOT r = f32[] reduce(c, z), dimensions={0}, to_apply=sum_f32",
       "ROOT r = f32[] constant(0.375)", "different"},
      {"c = f32[3] constant({16777216,1,-16777216})\n"
       "z = f32[] constant(0)\n ROOT r = f32[] reduce(c, z), dimensions={0}, "
       "to_apply=sum_f32",
       "ROOT r = f32[] constant(1)", "undecided"},
      {"c = f32[3] constant({1,0.000000059604645,-1})\n"
       "z = f32[] constant(0)\n ROOT r = f32[] reduce(c, z), dimensions={0}, "
       "to_apply=sum_f32",
       "ROOT r = f32[] constant(0.000000059604645)", "undecided"},
      {"c = f32[2] constant({-0.0,-0.0})\n z = f32[] constant(0)\n"
       "ROOT r = f32[] reduce(c, z), dimensions={0}, to_apply=sum_f32",
       "ROOT r = f32[] constant(0)", "undecided"},
      // Lists.
      {"x = f32[4] parameter(0)\n c = f32[4] constant({1,2,3,4})\n"
       "d = f32[4] constant({0.5,3,0.5,2})\n e = f32[4] multiply(c, d)\n"
       "ROOT r = f32[4] add(x, e)",
       "x = f32[4] parameter(0)\n e = f32[4] constant({0.5,6,1.5,8})\n"
       "ROOT r = f32[4] add(x, e)",
       "equal"},
      {"x = s32[4] parameter(0)\n c = s32[4] constant({1,2,3,4})\n"
       "d = s32[4] constant({5,7,11,13})\n e = s32[4] multiply(c, d)\n"
       "f = s32[4] multiply(e, x)\n ROOT r = s32[4] subtract(f, c)",
       "x = s32[4] parameter(0)\n c = s32[4] constant({-1,-2,-3,-4})\n"
       "e = s32[4] constant({5,14,33,52})\n f = s32[4] multiply(e, x)\n"
       "ROOT r = s32[4] add(f, c)",
       "equal"},
      {"x = f32[4] parameter(0)\n c = f32[4] iota(), iota_dimension=0\n"
       "ROOT r = f32[4] add(x, c)",
       "x = f32[4] parameter(0)\n c = f32[4] constant({0,1,2,3})\n"
       "ROOT r = f32[4] add(x, c)",
       "equal"},
      {"x = f32[4] parameter(0)\n c = f32[4] iota(), iota_dimension=0\n"
       "ROOT r = f32[4] add(x, c)",
       "x = f32[4] parameter(0)\n c = f32[4] constant({0,1,2,4})\n"
       "ROOT r = f32[4] add(x, c)",
       "different"},
      {"c = f32[2,3] constant({{1,2,3},{4,5,6}})\n"
       "ROOT r = f32[3,2] transpose(c), dimensions={1,0}",
       "ROOT r = f32[3,2] constant({{1,4},{2,5},{3,6}})", "equal"},
      {"c = s32[2] constant({1,7})\n d = s32[2] constant({3,4})\n"
       "ROOT r = s32[4] concatenate(c, d), dimensions={0}",
       "ROOT r = s32[4] constant({1,7,3,4})", "equal"},
      {"c = s32[4] constant({1,2,3,4})\n z = s32[] constant(0)\n"
       "ROOT r = s32[] reduce(c, z), dimensions={0}, to_apply=sum",
       "ROOT r = s32[] constant(10)", "equal"},
      {"c = s32[2,2] constant({{1,2},{3,4}})\n"
       "d = s32[2,2] constant({{5,6},{7,8}})\n"
       "ROOT r = s32[2,2] dot(c, d), lhs_contracting_dims={1}, "
       "rhs_contracting_dims={0}",
       "ROOT r = s32[2,2] constant({{19,22},{43,50}})", "equal"},
      // Masks.
      {"x = f32[4] parameter(0)\n y = f32[4] parameter(1)\n"
       "i = s32[4] iota(), iota_dimension=0\n c = s32[] constant(2)\n"
       "b = s32[4] broadcast(c), dimensions={}\n"
       "m = pred[4] compare(i, b), direction=LT\n"
       "ROOT r = f32[4] select(m, x, y)",
       "x = f32[4] parameter(0)\n y = f32[4] parameter(1)\n"
       "m = pred[4] constant({1,1,0,0})\n ROOT r = f32[4] select(m, x, y)",
       "equal"},
      {"x = f32[2,2] parameter(0)\n y = f32[2,2] parameter(1)\n"
       "i = s32[2,2] iota(), iota_dimension=0\n"
       "j = s32[2,2] iota(), iota_dimension=1\n"
       "m = pred[2,2] compare(i, j), direction=GE\n"
       "ROOT r = f32[2,2] select(m, x, y)",
       "x = f32[2,2] parameter(0)\n y = f32[2,2] parameter(1)\n"
       "m = pred[2,2] constant({{1,1},{1,0}})\n"
       "ROOT r = f32[2,2] select(m, x, y)",
       "different"},
  };
  for (const Pair &pair : pairs) {
    SCOPED_TRACE(std::string(pair.first) + "\nand\n" + pair.second);
    EXPECT_EQ(verdictOf(parseHlo(entryOf(pair.first)),
                        parseHlo(entryOf(pair.second))),
              pair.verdict);
  }
}

TEST(ConstantsTest, OfMlir) {
  struct Folded {
    const char *type, *body, *number, *other;
  };
  const Folded all[] = {
      {"i64",
       "%c = arith.constant 2147483647 : i32\n"
       "%r = arith.extsi %c : i32 to i64",
       "2147483647", "-1"},
      {"i64", "%c = arith.constant -1 : i32\n%r = arith.extui %c : i32 to i64",
       "4294967295", "-1"},
      {"index",
       "%c = arith.constant -5 : i32\n%r = arith.index_cast %c : i32 to index",
       "-5", "4294967291"},
      {"index",
       "%c = arith.constant -5 : i32\n"
       "%r = arith.index_castui %c : i32 to index",
       "4294967291", "-5"},
      {"i8", "%c = arith.constant 300 : i32\n%r = arith.trunci %c : i32 to i8",
       "44", "127"},
      {"i32", "%c = arith.constant true\n%r = arith.extsi %c : i1 to i32", "-1",
       "1"},
      {"i32", "%c = arith.constant true\n%r = arith.extui %c : i1 to i32", "1",
       "-1"},
      {"f32", "%c = arith.constant -3 : i8\n%r = arith.sitofp %c : i8 to f32",
       "-3.0", "253.0"},
      {"f32", "%c = arith.constant -3 : i8\n%r = arith.uitofp %c : i8 to f32",
       "253.0", "-3.0"},
      {"i32",
       "%c = arith.constant -3.7 : f32\n%r = arith.fptosi %c : f32 to i32",
       "-3", "-4"},
      {"bf16",
       "%c = arith.constant 3.1 : f32\n%r = arith.truncf %c : f32 to bf16",
       "3.09375", "3.109375"},
      {"f32",
       "%c = arith.constant 3.25 : bf16\n%r = arith.extf %c : bf16 to f32",
       "3.25", "3.0"},
      {"i32",
       "%c = arith.constant 1.0 : f32\n%r = arith.bitcast %c : f32 to i32",
       "1065353216", "1"},
      {"i1",
       "%c = arith.constant -1 : i32\n%d = arith.constant 1 : i32\n"
       "%r = arith.cmpi ult, %c, %d : i32",
       "false", "true"},
      {"i1",
       "%c = arith.constant 1.0 : f32\n%d = arith.constant 2.0 : f32\n"
       "%r = arith.cmpf olt, %c, %d : f32",
       "true", "false"},
      {"i32",
       "%c = arith.constant -7 : i32\n%d = arith.constant 2 : i32\n"
       "%r = arith.floordivsi %c, %d : i32",
       "-4", "-3"},
      {"i32",
       "%c = arith.constant -7 : i32\n%d = arith.constant 2 : i32\n"
       "%r = arith.divui %c, %d : i32",
       "2147483644", "-3"},
  };
  for (const Folded &each : all) {
    SCOPED_TRACE(each.body);
    const std::string type = each.type;
    auto function = [&](const std::string &body) {
      return importMlir("func.func @main() -> " + type + " {\n" + body +
                        "\nreturn %r : " + type + "\n}\n");
    };
    auto constant = [&](const std::string &number) {
      // The text of a truth has no type.
      return function("%r = arith.constant " + number +
                      (type == "i1" ? "" : " : " + type));
    };
    EXPECT_EQ(verdictOf(function(each.body), constant(each.number)), "equal");
    EXPECT_NE(verdictOf(function(each.body), constant(each.other)), "equal");
  }
}

//===-- Random modules ----------------------------------------------------===//

constexpr int64_t kSize = 4;

/// A number of a type; `real` of floats.
struct Number {
  int64_t integer = 0;
  float real = 0;
};
using Numbers = std::vector<Number>;

bool isFloat(const std::string &type) {
  return type == "f32" || type == "bf16";
}

float roundedToBf16(float value) {
  uint32_t word = 0;
  std::memcpy(&word, &value, 4);
  const uint32_t rest = word & 0xffff;
  word >>= 16;
  if (rest > 0x8000 || (rest == 0x8000 && (word & 1) != 0)) ++word;
  word <<= 16;
  std::memcpy(&value, &word, 4);
  return value;
}

Number wrapped(const Number &x, const std::string &type) {
  if (type == "f32") return x;
  if (type == "bf16") return {0, roundedToBf16(x.real)};
  if (type == "s8") return {static_cast<int8_t>(x.integer)};
  if (type == "u8") return {static_cast<uint8_t>(x.integer)};
  if (type == "s32") return {static_cast<int32_t>(x.integer)};
  if (type == "u32") return {static_cast<uint32_t>(x.integer)};
  if (type == "pred") return {x.integer != 0};
  return x;
}

std::string textOf(const Number &x, const std::string &type) {
  if (!isFloat(type)) return std::to_string(x.integer);
  char text[64];
  std::snprintf(text, sizeof text, "%.9g", static_cast<double>(x.real));
  return text;
}

std::string listOf(const Numbers &numbers, const std::string &type) {
  std::string text;
  for (const Number &each : numbers)
    text += (text.empty() ? "" : ", ") + textOf(each, type);
  return "constant({" + text + "})";
}

Number combined(const std::string &op, const Number &a, const Number &b,
                const std::string &type) {
  if (isFloat(type)) {
    if (op == "add") return wrapped({0, a.real + b.real}, type);
    if (op == "subtract") return wrapped({0, a.real - b.real}, type);
    if (op == "multiply") return wrapped({0, a.real * b.real}, type);
    return {0, (op == "maximum") == (a.real < b.real) ? b.real : a.real};
  }
  const auto x = static_cast<uint64_t>(a.integer),
             y = static_cast<uint64_t>(b.integer);
  if (op == "add") return wrapped({static_cast<int64_t>(x + y)}, type);
  if (op == "subtract") return wrapped({static_cast<int64_t>(x - y)}, type);
  if (op == "multiply") return wrapped({static_cast<int64_t>(x * y)}, type);
  if (op == "and") return {static_cast<int64_t>(x & y)};
  if (op == "or") return {static_cast<int64_t>(x | y)};
  if (op == "xor") return {static_cast<int64_t>(x ^ y)};
  return {op == "maximum" ? std::max(a.integer, b.integer)
                          : std::min(a.integer, b.integer)};
}

/// Constants, and what is computed of them.
struct Constants {
  std::string text;
  std::vector<std::pair<std::string, Numbers>> values;  // with their types

  std::string name(size_t k) const { return "v" + std::to_string(k); }
  void add(const std::string &type, const std::string &rest, Numbers numbers) {
    text += "  " + name(values.size()) + " = " + type + "[" +
            std::to_string(kSize) + "] " + rest + "\n";
    values.push_back({type, std::move(numbers)});
  }
};

Numbers randomNumbers(const std::string &type, Random &random) {
  Numbers numbers;
  const bool isUniform = random.oneIn(4);
  for (int64_t i = 0; i < kSize; ++i) {
    const int64_t word =
        random.in(0, 3) ? random.in(-9, 9) : random.in(-3000000000, 3000000000);
    Number made{word, static_cast<float>(random.in(-40, 40)) / 8};
    if (random.oneIn(5)) made.real *= 1.1f;
    if (isFloat(type)) made.integer = 0;
    numbers.push_back(isUniform && i > 0 ? numbers[0] : wrapped(made, type));
  }
  return numbers;
}

void addStep(Constants &c, Random &random) {
  static const char *kTypes[] = {"s8",  "u8",   "s32", "u32",
                                 "s64", "pred", "f32", "bf16"};
  const int64_t kind = c.values.empty() ? 0 : random.in(0, 9);
  const std::string wanted = kTypes[random.in(0, 7)];
  if (kind <= 2) {
    const Numbers numbers = randomNumbers(wanted, random);
    c.add(wanted, listOf(numbers, wanted), numbers);
    return;
  }
  const size_t at = random.in(0, c.values.size() - 1);
  const auto [type, x] = c.values[at];
  Numbers made;
  if (kind == 3 && wanted != "pred") {
    for (int64_t i = 0; i < kSize; ++i)
      made.push_back({isFloat(wanted) ? 0 : i,
                      isFloat(wanted) ? static_cast<float>(i) : 0});
    c.add(wanted, "iota(), iota_dimension=0", made);
  } else if (kind == 4) {
    for (const Number &each : x) {
      Number number = each;
      if (isFloat(type) && wanted == "pred") {
        number = {each.real != 0};
      } else if (isFloat(type) && !isFloat(wanted)) {
        // Only what every type has is converted.
        if (each.real < 0 || each.real >= 100) return;
        number = {static_cast<int64_t>(each.real)};
      } else if (!isFloat(type) && isFloat(wanted)) {
        number = {0, static_cast<float>(each.integer)};
        // To round twice is another question.
        if (std::abs(each.integer) > 256) return;
      }
      made.push_back(wrapped(number, wanted));
    }
    c.add(wanted, "convert(" + c.name(at) + ")", made);
  } else if (kind == 5) {
    made.assign(x.rbegin(), x.rend());
    c.add(type, "reverse(" + c.name(at) + "), dimensions={0}", made);
  } else if (kind == 6) {
    std::vector<size_t> others;
    for (size_t k = 0; k < c.values.size(); ++k)
      if (c.values[k].first == type) others.push_back(k);
    const size_t other = others[random.in(0, others.size() - 1)];
    for (int64_t i = 0; i < kSize; ++i) {
      const Number a = x[i], b = c.values[other].second[i];
      const bool isLess =
          isFloat(type) ? a.real < b.real : a.integer < b.integer;
      made.push_back({isLess});
    }
    c.add("pred",
          "compare(" + c.name(at) + ", " + c.name(other) + "), direction=LT",
          made);
  } else {
    std::vector<size_t> others;
    for (size_t k = 0; k < c.values.size(); ++k)
      if (c.values[k].first == type) others.push_back(k);
    const size_t other = others[random.in(0, others.size() - 1)];
    std::vector<std::string> ops = {"and", "or", "xor"};
    if (type != "pred") {
      ops = {"add", "subtract", "multiply", "maximum", "minimum"};
      if (!isFloat(type)) ops.insert(ops.end(), {"and", "or", "xor"});
    }
    const std::string op = ops[random.in(0, ops.size() - 1)];
    for (int64_t i = 0; i < kSize; ++i) {
      const Number a = x[i], b = c.values[other].second[i];
      // Which zero is the larger one is not said.
      if (isFloat(type) && a.real == 0 && b.real == 0 &&
          (op == "maximum" || op == "minimum"))
        return;
      made.push_back(combined(op, a, b, type));
      if (isFloat(type) && !(std::fabs(made.back().real) < 1e6f)) return;
      if (isFloat(type) && made.back().real != 0 &&
          std::fabs(made.back().real) < 1e-6f)
        return;
    }
    c.add(type, op + "(" + c.name(at) + ", " + c.name(other) + ")", made);
  }
}

TEST(ConstantsTest, RandomModulesEqualTheirFoldedOnes) {
  const uint64_t instances = fromEnvironment("INDEXICAL_CONSTANTS", 500);
  const uint64_t seed = fromEnvironment("INDEXICAL_SEED", 1);
  int64_t equal = 0, all = 0, different = 0, mutants = 0;
  for (uint64_t n = seed; n < seed + instances; ++n) {
    Random random(n);
    Constants constants;
    const int64_t count = random.in(2, 8);
    while (static_cast<int64_t>(constants.values.size()) < count)
      addStep(constants, random);
    const std::string type = constants.values.back().first;
    const auto &numbers = constants.values.back().second;
    auto moduleOf = [&](const std::string &body) {
      const std::string of = type + "[" + std::to_string(kSize) + "]";
      return "HloModule m\nENTRY e {\n  x = " + of + " parameter(0)\n" + body +
             "  ROOT r = " + of + (type == "pred" ? " xor" : " add") +
             "(x, c)\n}\n";
    };
    const std::string of = type + "[" + std::to_string(kSize) + "]";
    const std::string first =
        moduleOf(constants.text + "  c = " + of + " copy(" +
                 constants.name(constants.values.size() - 1) + ")\n");
    Numbers other = numbers;
    Number &changed = other[random.in(0, kSize - 1)];
    changed =
        isFloat(type)
            ? wrapped({0, changed.real == -1 ? 5 : changed.real * 2 + 1}, type)
            : wrapped(
                  {type == "pred" ? 1 - changed.integer : changed.integer + 1},
                  type);
    for (const bool isMutant : {false, true}) {
      const std::string second =
          moduleOf("  c = " + of + " " +
                   listOf(isMutant ? other : numbers, type) + "\n");
      SCOPED_TRACE("INDEXICAL_SEED=" + std::to_string(n) + "\n" + first +
                   second);
      const std::string verdict = verdictOf(parseHlo(first), parseHlo(second));
      ASSERT_NE(verdict, isMutant ? "equal" : "different");
      ASSERT_TRUE(verdict == "equal" || verdict == "different" ||
                  verdict == "undecided")
          << verdict;
      (isMutant ? mutants : all) += 1;
      equal += verdict == "equal";
      different += verdict == "different";
      if (!isMutant && verdict != "equal")
        std::cout << "undecided: INDEXICAL_SEED=" << n << "\n";
    }
  }
  std::cout << equal << " of " << all << " equal; of mutants " << different
            << " of " << mutants << " different\n";
  EXPECT_GE(equal * 100, all * 98);
  EXPECT_GE(different * 100, mutants * 70);
}

}  // namespace
}  // namespace indexical::testing
