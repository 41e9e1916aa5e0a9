// The rows of same/values/laws.h, on all values of s8, u8 and pred and on
// edge values of f32, by an evaluation of their text that is written here; and
// as modules, which are equal by them, and whose neighbours are not.
//
//   INDEXICAL_LAWS=1    all values of two variables together
#include "indexical/same/values/laws.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/same/values/module_values.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

enum class Of { S8, U8, Pred, F32 };

const char *nameOf(Of of) {
  return of == Of::S8     ? "s8"
         : of == Of::U8   ? "u8"
         : of == Of::Pred ? "pred"
                          : "f32";
}

/// A number of a type: integers as they are, floats by their value.
struct Number {
  Of of;
  double value;
  bool operator==(const Number &o) const {
    if (of != o.of) return false;
    if (std::isnan(value) || std::isnan(o.value))
      return std::isnan(value) && std::isnan(o.value);
    return value == o.value && std::signbit(value) == std::signbit(o.value);
  }
};

Number wrapped(Of of, int64_t value) {
  if (of == Of::Pred) return {of, static_cast<double>(value & 1)};
  const auto byte = static_cast<uint8_t>(value);
  return {of, of == Of::S8 ? static_cast<double>(static_cast<int8_t>(byte))
                           : static_cast<double>(byte)};
}

Number constantOf(llvm::StringRef name, Of of) {
  if (name == "true" || name == "false")
    return {Of::Pred, name == "true" ? 1.0 : 0.0};
  const double inf = std::numeric_limits<double>::infinity();
  if (name == "inf") return {of, inf};
  if (name == "-inf") return {of, -inf};
  if (name == "-0.0") return {of, -0.0};
  if (name == "ones") return wrapped(of, -1);
  if (name == "lowest") return {of, of == Of::S8 ? -128.0 : 0.0};
  if (name == "highest") return {of, of == Of::S8 ? 127.0 : 255.0};
  return {of, std::stod(name.str())};
}

using Values = std::map<char, Number>;

/// Evaluates a pattern. `of` is the type of its numbers.
Number evaluate(const TermPattern &term, const Values &values, Of of) {
  if (term.kind == TermPattern::Kind::Variable) return values.at(term.name[0]);
  if (term.kind == TermPattern::Kind::Number) return constantOf(term.name, of);
  std::vector<Number> x;
  for (const TermPattern &operand : term.operands)
    x.push_back(evaluate(operand, values, of));
  const std::string op = term.name.str();
  auto truth = [](bool is) { return Number{Of::Pred, is ? 1.0 : 0.0}; };
  const double a = x[0].value, b = x.size() > 1 ? x[1].value : 0;
  if (op == "LT") return truth(a < b);
  if (op == "LE") return truth(a <= b);
  if (op == "GT") return truth(a > b);
  if (op == "GE") return truth(a >= b);
  if (op == "EQ") return truth(a == b);
  if (op == "NE") return truth(a != b);
  if (op == "select") return a != 0 ? x[1] : x[2];
  const Of own = x[0].of;
  if (own == Of::F32) {
    const auto f = static_cast<float>(a), g = static_cast<float>(b);
    auto made = [](float v) { return Number{Of::F32, v}; };
    if (op == "add") return made(f + g);
    if (op == "subtract") return made(f - g);
    if (op == "multiply") return made(f * g);
    if (op == "divide") return made(f / g);
    if (op == "negate") return made(-f);
    if (op == "abs") return made(std::fabs(f));
    if (std::isnan(f) || std::isnan(g)) return made(NAN);
    if (op == "maximum") return made(f > g ? f : f < g ? g : f);
    if (op == "minimum") return made(f < g ? f : f > g ? g : f);
  }
  const auto i = static_cast<int64_t>(a), j = static_cast<int64_t>(b);
  if (op == "clamp") {
    const double up = std::max(x[1].value, x[0].value);
    return {own, std::min(up, x[2].value)};
  }
  if (op == "maximum") return {own, std::max(a, b)};
  if (op == "minimum") return {own, std::min(a, b)};
  if (op == "and") return wrapped(own, i & j);
  if (op == "or") return wrapped(own, i | j);
  if (op == "xor") return wrapped(own, i ^ j);
  if (op == "not") return wrapped(own, ~i);
  if (own == Of::Pred) {
    if (op == "add") return wrapped(own, i | j);
    if (op == "multiply") return wrapped(own, i & j);
  }
  if (op == "add") return wrapped(own, i + j);
  if (op == "subtract") return wrapped(own, i - j);
  if (op == "multiply") return wrapped(own, i * j);
  if (op == "negate") return wrapped(own, -i);
  if (op == "abs") return wrapped(own, own == Of::S8 ? std::abs(i) : i);
  if (op == "divide") return j == 0 ? wrapped(own, -1) : wrapped(own, i / j);
  if (op == "remainder") return j == 0 ? x[0] : wrapped(own, i % j);
  const int64_t bits = i & 0xff;
  if (op == "shift-left") return wrapped(own, j > 7 ? 0 : bits << j);
  if (op == "shift-right-logical") return wrapped(own, j > 7 ? 0 : bits >> j);
  if (op == "shift-right-arithmetic") {
    const int64_t sign = static_cast<int8_t>(bits);
    return wrapped(own, sign >> std::min<int64_t>(std::max<int64_t>(j, 0), 7));
  }
  ADD_FAILURE() << "no rule for " << op;
  return {own, 0};
}

enum HowMany { kAll, kEveryFifth, kFew };

std::vector<double> allOf(Of of, HowMany values) {
  std::vector<double> all;
  if (of == Of::Pred) return {0, 1};
  if (of == Of::F32) {
    const double inf = std::numeric_limits<double>::infinity();
    return {0.0, -0.0, 1, -1, 2, -3.5, inf, -inf, NAN, 1e-40F, 3e38F};
  }
  const int low = of == Of::S8 ? -128 : 0;
  if (values == kFew) return {low + 0.0, low + 1.0, 0, 1, 5, low + 255.0};
  const int step = values == kAll ? 1 : 5;
  for (int v = low; v <= low + 255; v += step) all.push_back(v);
  return all;
}

void variablesOf(const TermPattern &term, std::string &names) {
  if (term.kind == TermPattern::Kind::Variable &&
      names.find(term.name[0]) == std::string::npos)
    names += term.name[0];
  for (const TermPattern &operand : term.operands) variablesOf(operand, names);
}

Of typeOfVariable(char name, Of of) {
  return name == 'c' || name == 'd' ? Of::Pred : of;
}

/// Calls `body` with all values; stops where it returns false.
bool forAll(const std::string &names, size_t next, Of of, Values &values,
            const std::function<bool(const Values &)> &body) {
  if (next == names.size()) return body(values);
  const Of own = typeOfVariable(names[next], of);
  // The second variable has all values in a long run; more have few.
  const HowMany many = names.size() > 2 || next > 1 ? kFew
                       : next == 0 || fromEnvironment("INDEXICAL_LAWS", 0) > 0
                           ? kAll
                           : kEveryFifth;
  for (double value : allOf(own, many)) {
    values[names[next]] = {own, value};
    if (!forAll(names, next + 1, of, values, body)) return false;
  }
  return true;
}

bool holdsForAll(const char *left, const char *right, Of of) {
  const TermPattern a = parsePattern(left), b = parsePattern(right);
  std::string names;
  variablesOf(a, names);
  variablesOf(b, names);
  Values values;
  return forAll(names, 0, of, values, [&](const Values &each) {
    return evaluate(a, each, of) == evaluate(b, each, of);
  });
}

std::vector<Of> typesOf(const Law &law) {
  std::vector<Of> types;
  if (law.types & kIntegers) types = {Of::S8, Of::U8};
  if (law.types & kPredicates) types.push_back(Of::Pred);
  if (law.types & kFloats) types.push_back(Of::F32);
  return types;
}

/// Evaluates a pattern of real numbers.
double realValue(const TermPattern &term, const Values &values) {
  if (term.kind == TermPattern::Kind::Variable)
    return values.at(term.name[0]).value;
  if (term.kind == TermPattern::Kind::Number) return std::stod(term.name.str());
  std::vector<double> x;
  for (const TermPattern &operand : term.operands)
    x.push_back(realValue(operand, values));
  if (term.name == "add") return x[0] + x[1];
  if (term.name == "subtract") return x[0] - x[1];
  if (term.name == "multiply") return x[0] * x[1];
  if (term.name == "divide") return x[0] / x[1];
  if (term.name == "negate") return -x[0];
  if (term.name == "power") return std::pow(x[0], x[1]);
  if (term.name == "exponential") return std::exp(x[0]);
  if (term.name == "exponential-minus-one") return std::expm1(x[0]);
  if (term.name == "logistic") return 1 / (1 + std::exp(-x[0]));
  ADD_FAILURE() << "no rule for " << term.name.str();
  return 0;
}

TEST(Laws, OfRealNumbersHoldForThese) {
  int rows = 0;
  for (const Law &law : lawTable()) {
    if (law.needs != FloatLaws::Real) continue;
    SCOPED_TRACE(law.left.str() + " = " + law.right.str());
    const TermPattern a = parsePattern(law.left), b = parsePattern(law.right);
    std::string names;
    variablesOf(a, names);
    const double kReal[] = {-3.5, -1, -0.25, 0.125, 1, 2.75, 7};
    for (double x : kReal)
      for (double y : kReal)
        for (double z : kReal) {
          const Values values = {
              {'x', {Of::F32, x}}, {'y', {Of::F32, y}}, {'z', {Of::F32, z}}};
          const double left = realValue(a, values),
                       right = realValue(b, values);
          EXPECT_NEAR(left, right, 1e-12 * std::max(1.0, std::fabs(left)));
        }
    ++rows;
  }
  EXPECT_GE(rows, 7);
}

TEST(Laws, HoldForAllValues) {
  for (const Law &law : lawTable())
    for (Of of : typesOf(law)) {
      if (law.needs == FloatLaws::Real) continue;
      SCOPED_TRACE(law.left.str() + " = " + law.right.str() + " of " +
                   nameOf(of));
      EXPECT_EQ(holdsForAll(law.left.data(), law.right.data(), of),
                law.needs == FloatLaws::None);
    }
}

TEST(Laws, NeighboursDoNot) {
  for (const Law &law : lawTable()) {
    if (law.nearLeft.empty()) continue;
    SCOPED_TRACE(law.nearLeft.str() + " = " + law.nearRight.str());
    for (Of of : typesOf(law))
      EXPECT_FALSE(holdsForAll(law.nearLeft.data(), law.nearRight.data(), of))
          << nameOf(of);
  }
}

//===-- As modules --------------------------------------------------------===//

Of typeOf(const TermPattern &term, Of of) {
  if (term.kind == TermPattern::Kind::Variable)
    return typeOfVariable(term.name[0], of);
  if (term.kind == TermPattern::Kind::Number)
    return term.name == "true" || term.name == "false" ? Of::Pred : of;
  if (isDirection(term.name)) return Of::Pred;
  return typeOf(term.operands[term.name == "select" ? 1 : 0], of);
}

/// Writes the instructions of a term, and returns the name of the last.
std::string write(const TermPattern &term, Of of, std::string &text,
                  int &count) {
  if (term.kind == TermPattern::Kind::Variable) return term.name.str();
  const std::string name = "t" + std::to_string(count++);
  const std::string type = std::string(nameOf(typeOf(term, of))) + "[]";
  if (term.kind == TermPattern::Kind::Number) {
    const Number number = constantOf(term.name, of);
    std::string value =
        std::isinf(number.value) ? (number.value > 0 ? "inf" : "-inf")
        : number.of == Of::Pred  ? (number.value != 0 ? "true" : "false")
        : number.value == 0 && std::signbit(number.value)
            ? "-0"
            : std::to_string(static_cast<int>(number.value));
    text += "  " + name + " = " + type + " constant(" + value + ")\n";
    return name;
  }
  std::string operands;
  for (const TermPattern &operand : term.operands) {
    if (!operands.empty()) operands += ", ";
    operands += write(operand, of, text, count);
  }
  text += "  " + name + " = " + type + " " +
          (isDirection(term.name) ? "compare" : term.name.str()) + "(" +
          operands + ")";
  if (isDirection(term.name)) text += ", direction=" + term.name.str();
  text += "\n";
  return name;
}

std::string moduleOf(const char *pattern, const std::string &names, Of of) {
  const TermPattern term = parsePattern(pattern);
  std::string text = "HloModule m\nENTRY e {\n";
  for (size_t k = 0; k < names.size(); ++k)
    text += std::string("  ") + names[k] + " = " +
            nameOf(typeOfVariable(names[k], of)) + "[] parameter(" +
            std::to_string(k) + ")\n";
  int count = 0;
  const std::string last = write(term, of, text, count);
  return text + "  ROOT r = " + nameOf(typeOf(term, of)) + "[] copy(" + last +
         ")\n}\n";
}

ValueEquality compared(const char *left, const char *right, Of of,
                       FloatLaws floats) {
  std::string names;
  variablesOf(parsePattern(left), names);
  variablesOf(parsePattern(right), names);
  const std::string first = moduleOf(left, names, of),
                    second = moduleOf(right, names, of);
  auto a = parseHlo(first), b = parseHlo(second);
  EXPECT_TRUE(a.ok()) << a.status() << first;
  EXPECT_TRUE(b.ok()) << b.status() << second;
  ValueOptions options;
  options.floats = floats;
  auto equality = compareValues(a->modules[0], b->modules[0], options, {});
  EXPECT_TRUE(equality.ok()) << equality.status();
  return *std::move(equality);
}

TEST(Laws, ModulesAreEqualByThem) {
  for (const Law &law : lawTable())
    for (Of of : typesOf(law)) {
      SCOPED_TRACE(law.left.str() + " = " + law.right.str() + " of " +
                   nameOf(of));
      const ValueEquality found =
          compared(law.left.data(), law.right.data(), of, law.needs);
      EXPECT_TRUE(found.isEqual);
      EXPECT_FALSE(found.isDifferent);
      EXPECT_TRUE(!law.loses || found.losesReads);
      if (law.needs == FloatLaws::None) continue;
      EXPECT_FALSE(
          compared(law.left.data(), law.right.data(), of, FloatLaws::None)
              .isEqual);
    }
}

/// A small float converted to a wider one and back is itself, as LLVM's numbers
/// of all bits show: but for a NaN, which stays one.
TEST(Laws, SmallFloatsAreExactInWiderOnes) {
  struct Format {
    const char *name;
    const llvm::fltSemantics &semantics;
    unsigned bits = 8;
  };
  const Format kSmall[] = {
      {"f4e2m1fn", llvm::APFloat::Float4E2M1FN(), 4},
      {"f8e3m4", llvm::APFloat::Float8E3M4()},
      {"f8e4m3", llvm::APFloat::Float8E4M3()},
      {"f8e4m3fn", llvm::APFloat::Float8E4M3FN()},
      {"f8e4m3b11fnuz", llvm::APFloat::Float8E4M3B11FNUZ()},
      {"f8e4m3fnuz", llvm::APFloat::Float8E4M3FNUZ()},
      {"f8e5m2", llvm::APFloat::Float8E5M2()},
      {"f8e5m2fnuz", llvm::APFloat::Float8E5M2FNUZ()},
      {"f8e8m0fnu", llvm::APFloat::Float8E8M0FNU()}};
  const Format kWide[] = {{"f16", llvm::APFloat::IEEEhalf()},
                          {"bf16", llvm::APFloat::BFloat()},
                          {"f32", llvm::APFloat::IEEEsingle()},
                          {"f64", llvm::APFloat::IEEEdouble()}};
  for (const Format &small : kSmall)
    for (const Format &wide : kWide) {
      SCOPED_TRACE(std::string(small.name) + " in " + wide.name);
      bool isExact = true;
      for (uint64_t bits = 0; bits < uint64_t{1} << small.bits; ++bits) {
        const llvm::APFloat number(small.semantics,
                                   llvm::APInt(small.bits, bits));
        llvm::APFloat there = number;
        bool loses = false;
        there.convert(wide.semantics, llvm::APFloat::rmNearestTiesToEven,
                      &loses);
        if (number.isNaN()) {
          isExact &= there.isNaN();
          continue;
        }
        isExact &= !loses;
      }
      const std::string name = small.name;
      const std::string first = "HloModule m\nENTRY e {\n x = " + name +
                                "[4] parameter(0)\n w = " + wide.name +
                                "[4] convert(x)\n ROOT r = " + name +
                                "[4] convert(w)\n}\n",
                        second = "HloModule m\nENTRY e {\n x = " + name +
                                 "[4] parameter(0)\n ROOT r = " + name +
                                 "[4] copy(x)\n}\n";
      auto a = parseHlo(first), b = parseHlo(second);
      ASSERT_TRUE(a.ok()) << a.status();
      ASSERT_TRUE(b.ok()) << b.status();
      auto found = compareValues(a->modules[0], b->modules[0], {}, {});
      ASSERT_TRUE(found.ok()) << found.status();
      // e8m0 has numbers that f16 and bf16 lack.
      EXPECT_TRUE(isExact || !found->isEqual);
      EXPECT_EQ(found->isEqual, name != "f8e8m0fnu");
    }
}

TEST(Laws, ModulesAreNotEqualByTheirNeighbours) {
  int different = 0, count = 0;
  for (const Law &law : lawTable()) {
    if (law.nearLeft.empty()) continue;
    for (Of of : typesOf(law)) {
      SCOPED_TRACE(law.nearLeft.str() + " = " + law.nearRight.str() + " of " +
                   nameOf(of));
      const ValueEquality found = compared(
          law.nearLeft.data(), law.nearRight.data(), of, FloatLaws::None);
      EXPECT_FALSE(found.isEqual);
      different += found.isDifferent;
      ++count;
    }
  }
  printf("  %d of %d neighbours are seen to be different\n", different, count);
  EXPECT_GT(different * 10, count * 8);
}

}  // namespace
}  // namespace indexical::testing
