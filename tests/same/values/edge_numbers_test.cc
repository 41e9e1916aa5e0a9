// Laws of values at the edges of numbers, against a run: infinities, NaN and -0
// among the constants of float programs whose floats are taken for real
// numbers, and u64 from 2^63 on.
//
//   INDEXICAL_EDGES=20000       so many pairs of programs
//   INDEXICAL_EDGES_SEED=n      beginning with this one
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/same/values/module_values.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

/// A term of two parameters and constants, of doubles or of u64.
struct Term;
using TermPtr = std::shared_ptr<const Term>;
struct Term {
  std::string opcode;  ///< `x`, `y`, `constant`, or HLO's
  std::vector<TermPtr> operands;
  std::string text;  ///< of a constant
};

TermPtr made(std::string opcode, std::vector<TermPtr> operands = {},
             std::string text = "") {
  return std::make_shared<Term>(
      Term{std::move(opcode), std::move(operands), std::move(text)});
}

TermPtr number(std::string text) {
  return made("constant", {}, std::move(text));
}

const std::vector<std::string> kFloats = {"inf", "-inf", "nan", "-0", "0",
                                          "1",   "2",    "-1",  "0.5"};
const std::vector<std::string> kU64 = {"0",
                                       "1",
                                       "2",
                                       "3",
                                       "9223372036854775807",
                                       "9223372036854775808",
                                       "18446744073709551615",
                                       "18446744073709551614"};
const std::vector<std::string> kBinary = {"add",     "subtract", "multiply",
                                          "maximum", "minimum",  "divide"};

TermPtr randomTerm(Random &random, bool isFloat, int depth) {
  if (depth == 0 || random.oneIn(4)) {
    const auto &constants = isFloat ? kFloats : kU64;
    if (random.oneIn(2))
      return number(constants[random.in(0, constants.size() - 1)]);
    return made(random.oneIn(2) ? "x" : "y");
  }
  if (isFloat && random.oneIn(5))
    return made(random.oneIn(2) ? "negate" : "exponential",
                {randomTerm(random, isFloat, depth - 1)});
  const auto &opcode = kBinary[random.in(0, kBinary.size() - 1)];
  return made(opcode, {randomTerm(random, isFloat, depth - 1),
                       randomTerm(random, isFloat, depth - 1)});
}

/// Returns the term rewritten at the top by what is a law of a ring.
TermPtr byRing(Random &random, const TermPtr &t, bool isFloat) {
  const TermPtr other = randomTerm(random, isFloat, 2);
  switch (random.in(0, 7)) {
    case 0:
      return made("add", {t, made("subtract", {other, other})});
    case 1:
      return made("subtract", {made("add", {t, other}), other});
    case 2:
      return made("add", {t, made("multiply", {other, number("0")})});
    case 3:
      return made("multiply", {number("1"), t});
    case 4:
      return made("add", {t, number(isFloat ? "-0" : "0")});
    case 5:
      return made("subtract", {made("add", {t, t}), t});
    case 6:
      if (t->operands.size() != 2) return t;
      return made(t->opcode, {t->operands[1], t->operands[0]});
    default:
      if (t->operands.size() != 2) return t;
      return made(t->opcode,
                  {byRing(random, t->operands[0], isFloat), t->operands[1]});
  }
}

double runFloat(const Term &t, double x, double y) {
  if (t.opcode == "x") return x;
  if (t.opcode == "y") return y;
  if (t.opcode == "constant") return std::stod(t.text);
  const double a = runFloat(*t.operands[0], x, y);
  if (t.opcode == "negate") return -a;
  if (t.opcode == "exponential") return std::exp(a);
  const double b = runFloat(*t.operands[1], x, y);
  if (t.opcode == "add") return a + b;
  if (t.opcode == "subtract") return a - b;
  if (t.opcode == "multiply") return a * b;
  if (t.opcode == "divide") return a / b;
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<double>::quiet_NaN();
  return t.opcode == "maximum" ? std::max(a, b) : std::min(a, b);
}

uint64_t runU64(const Term &t, uint64_t x, uint64_t y) {
  if (t.opcode == "x") return x;
  if (t.opcode == "y") return y;
  if (t.opcode == "constant") return std::stoull(t.text);
  const uint64_t a = runU64(*t.operands[0], x, y),
                 b = runU64(*t.operands[1], x, y);
  if (t.opcode == "add") return a + b;
  if (t.opcode == "subtract") return a - b;
  if (t.opcode == "multiply") return a * b;
  if (t.opcode == "divide") return b == 0 ? ~uint64_t{0} : a / b;
  return t.opcode == "maximum" ? std::max(a, b) : std::min(a, b);
}

std::string hloOf(const Term &t, const std::string &type, int &next,
                  std::string &lines) {
  if (t.opcode == "x" || t.opcode == "y") return t.opcode;
  std::string operands;
  for (const TermPtr &operand : t.operands)
    operands +=
        (operands.empty() ? "" : ", ") + hloOf(*operand, type, next, lines);
  const std::string name = "t" + std::to_string(next++);
  lines += "  " + name + " = " + type + "[] " + t.opcode + "(" +
           (t.opcode == "constant" ? t.text : operands) + ")\n";
  return name;
}

std::string moduleOf(const Term &t, const std::string &type) {
  std::string lines;
  int next = 0;
  const std::string root = hloOf(t, type, next, lines);
  return "ENTRY e {\n  x = " + type + "[] parameter(0)\n  y = " + type +
         "[] parameter(1)\n" + lines + "  ROOT r = (" + type + "[]) tuple(" +
         root + ")\n}\n";
}

bool areEqual(const Term &a, const Term &b, bool isFloat) {
  const char *type = isFloat ? "f64" : "u64";
  auto first = parseHlo(moduleOf(a, type)),
       second = parseHlo(moduleOf(b, type));
  EXPECT_TRUE(first.ok() && second.ok()) << first.status() << second.status();
  ValueOptions options;
  if (isFloat) options.floats = FloatLaws::Real;
  const auto equality =
      compareValues(first->modules[0], second->modules[0], options, {});
  EXPECT_TRUE(equality.ok()) << equality.status();
  return equality.ok() && equality->isEqual;
}

/// Whether they are one number but for rounding: both NaN, or both the same
/// infinity.
bool agree(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (std::isinf(a) || std::isinf(b)) return a == b;
  return std::abs(a - b) <= 1e-6 * (1 + std::abs(a) + std::abs(b));
}

bool hasParameter(const Term &t) {
  if (t.opcode == "x" || t.opcode == "y") return true;
  for (const TermPtr &operand : t.operands)
    if (hasParameter(*operand)) return true;
  return false;
}

/// Whether a run comes across numbers that rounding makes of none, or divides
/// by what is 0 for these parameters, which is assumed not to be: then it shows
/// nothing.
bool isLarge(const Term &t, double x, double y) {
  const double value = runFloat(t, x, y);
  if (std::isfinite(value) && std::abs(value) > 1e6) return true;
  if (t.opcode == "exponential" && std::isinf(value) &&
      std::isfinite(runFloat(*t.operands[0], x, y)))
    return true;
  if (t.opcode == "divide" && hasParameter(*t.operands[1]) &&
      runFloat(*t.operands[1], x, y) == 0)
    return true;
  for (const TermPtr &operand : t.operands)
    if (isLarge(*operand, x, y)) return true;
  return false;
}

void check(bool isFloat) {
  const uint64_t first = fromEnvironment("INDEXICAL_EDGES_SEED", 1);
  const uint64_t count = fromEnvironment("INDEXICAL_EDGES", 1000);
  int64_t equal = 0, wrong = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE("INDEXICAL_EDGES_SEED=" + std::to_string(seed));
    Random random(seed);
    const TermPtr a = randomTerm(random, isFloat, 3);
    const TermPtr b = byRing(random, a, isFloat);
    if (!areEqual(*a, *b, isFloat)) continue;
    ++equal;
    for (int run = 0; run < 4; ++run) {
      bool isSame = true;
      if (isFloat) {
        // No divisor that depends on them is 0 by chance.
        const double x = 0.7131 + run * 1.3177, y = -0.9173 - run * 0.7219;
        if (isLarge(*a, x, y) || isLarge(*b, x, y)) continue;
        isSame = agree(runFloat(*a, x, y), runFloat(*b, x, y));
      } else {
        const uint64_t x = random.in(INT64_MIN, INT64_MAX),
                       y = uint64_t{run % 2 == 0} << 63 | run;
        isSame = runU64(*a, x, y) == runU64(*b, x, y);
      }
      wrong += !isSame;
      ASSERT_TRUE(isSame) << moduleOf(*a, "n") << moduleOf(*b, "n");
    }
  }
  std::printf("  %ld pairs, %ld equal, %ld wrong\n", static_cast<long>(count),
              static_cast<long>(equal), static_cast<long>(wrong));
  EXPECT_GT(equal * 5, static_cast<int64_t>(count));
}

TEST(EdgeNumbers, RealsWithInfinityAndNan) { check(/*isFloat=*/true); }
TEST(EdgeNumbers, U64) { check(/*isFloat=*/false); }

/// The named cases.
TEST(EdgeNumbers, InfinityDoesNotCancel) {
  const TermPtr x = made("x"), inf = number("inf"), nan = number("nan");
  auto minus = [](TermPtr a, TermPtr b) {
    return made("subtract", {std::move(a), std::move(b)});
  };
  auto plus = [](TermPtr a, TermPtr b) {
    return made("add", {std::move(a), std::move(b)});
  };
  EXPECT_FALSE(areEqual(*plus(minus(inf, inf), x), *x, true));
  EXPECT_FALSE(areEqual(*plus(minus(nan, nan), x), *x, true));
  EXPECT_FALSE(areEqual(*minus(plus(x, inf), inf), *x, true));
  EXPECT_FALSE(
      areEqual(*plus(x, made("multiply", {inf, number("0")})), *x, true));
  const TermPtr none = made("divide", {x, minus(x, x)});
  EXPECT_FALSE(areEqual(*plus(minus(none, none), x), *x, true));
  // What bounds a real number is one.
  const TermPtr bounded = made("maximum", {x, number("-inf")});
  EXPECT_TRUE(areEqual(*plus(minus(bounded, bounded), x), *x, true));
}

/// A start from 2^63 on is beyond every end, and not before the first.
TEST(EdgeNumbers, StartsOfU64) {
  auto moduleAt = [](const char *start) {
    return "ENTRY e {\n  x = f32[8] parameter(0)\n  i = u64[] constant(" +
           std::string(start) +
           ")\n  ROOT r = f32[2] dynamic-slice(x, i), "
           "dynamic_slice_sizes={2}\n}\n";
  };
  auto compared = [&](const char *a, const char *b) {
    auto first = parseHlo(moduleAt(a)), second = parseHlo(moduleAt(b));
    EXPECT_TRUE(first.ok() && second.ok()) << first.status();
    const auto equality =
        compareValues(first->modules[0], second->modules[0], {}, {});
    return equality.ok() && equality->isEqual;
  };
  EXPECT_TRUE(compared("7", "6"));
  EXPECT_FALSE(compared("9223372036854775808", "0"));
  EXPECT_FALSE(compared("18446744073709551615", "0"));
}

}  // namespace
}  // namespace indexical::testing
