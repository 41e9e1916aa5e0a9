// Infinities, NaN and overflows: against the machine's own arithmetic of f32.
#include "indexical/same/values/special_numbers.h"

#include <cmath>
#include <limits>
#include <string>

#include "gtest/gtest.h"

#include "indexical/same/values/element_table.h"

namespace indexical::testing {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNumbers[] = {0,
                              1,
                              -1,
                              2,
                              -3,
                              3e38F,
                              -3e38F,
                              2e38F,
                              kInfinity,
                              -kInfinity,
                              std::numeric_limits<float>::quiet_NaN(),
                              100,
                              -100,
                              1e30F};

TypedNumber numberOf(float value) {
  TypedNumber number;
  number.type = ElementType::F32;
  number.low = number.high = value;
  return number;
}

float computed(const std::string &name, float a, float b) {
  if (name == "add") return a + b;
  if (name == "subtract") return a - b;
  if (name == "multiply") return a * b;
  if (name == "divide") return a / b;
  if (std::isnan(a) || std::isnan(b)) return a + b;
  return name == "maximum" ? std::fmax(a, b) : std::fmin(a, b);
}

void expectSame(const std::optional<TypedNumber> &found, float truth,
                const std::string &what, int &known) {
  if (!found) return;
  ++known;
  ASSERT_TRUE(std::isnan(truth) ? isNan(*found)
                                : found->low <= truth && truth <= found->high)
      << what << ": " << found->str() << ", and the machine has " << truth;
}

TEST(SpecialNumbers, AreThoseOfTheMachine) {
  int known = 0;
  for (const char *name :
       {"add", "subtract", "multiply", "divide", "maximum", "minimum"}) {
    const Op op = elementwiseOp(name, {ElementType::F32, ElementType::F32},
                                ElementType::F32);
    for (const float a : kNumbers)
      for (const float b : kNumbers)
        expectSame(specialNumber(op, {numberOf(a), numberOf(b)}),
                   computed(name, a, b),
                   std::string(name) + " of " + std::to_string(a) + " and " +
                       std::to_string(b),
                   known);
  }
  // Most pairs of a special number, and those that overflow.
  EXPECT_GT(known, 300);
}

TEST(SpecialNumbers, FunctionsAreThoseOfTheMachine) {
  struct Function {
    const char *name;
    float (*of)(float);
  };
  constexpr Function kFunctions[] = {
      {"exponential", [](float x) { return std::exp(x); }},
      {"tanh", [](float x) { return std::tanh(x); }},
      {"sqrt", [](float x) { return std::sqrt(x); }},
      {"log", [](float x) { return std::log(x); }},
      {"negate", [](float x) { return -x; }},
      {"abs", [](float x) { return std::fabs(x); }},
  };
  int known = 0;
  for (const Function &function : kFunctions) {
    const Op op =
        elementwiseOp(function.name, {ElementType::F32}, ElementType::F32);
    for (const float a : kNumbers)
      expectSame(specialNumber(op, {numberOf(a)}), function.of(a),
                 function.name, known);
  }
  EXPECT_GT(known, 18);
}

TEST(SpecialNumbers, ComparisonsAreThoseOfTheMachine) {
  int known = 0;
  for (const char *name : {"EQ", "NE", "LT", "LE", "GT", "GE"}) {
    const Op op = comparisonOp(name, ElementType::F32);
    for (const float a : kNumbers)
      for (const float b : kNumbers) {
        const auto found = specialNumber(op, {numberOf(a), numberOf(b)});
        if (!found) continue;
        ++known;
        const std::string is = name;
        const bool truth = is == "EQ"   ? a == b
                           : is == "NE" ? a != b
                           : is == "LT" ? a < b
                           : is == "LE" ? a <= b
                           : is == "GT" ? a > b
                                        : a >= b;
        ASSERT_EQ(found->word, truth) << name << " of " << a << " and " << b;
      }
  }
  EXPECT_GT(known, 300);
}

TEST(SpecialNumbers, SumsAreThoseOfAnyOrder) {
  auto sum = [](std::vector<float> values) {
    std::vector<TypedNumber> numbers;
    for (const float each : values) numbers.push_back(numberOf(each));
    return specialSum(ElementType::F32, numbers);
  };
  EXPECT_EQ(sum({1, kInfinity, 2})->low, kInfinity);
  EXPECT_EQ(sum({-kInfinity, 2})->low, -kInfinity);
  EXPECT_TRUE(isNan(*sum({kInfinity, -kInfinity})));
  EXPECT_TRUE(isNan(*sum({1, kNumbers[10]})));
  // The others may become infinite of the other sign.
  EXPECT_FALSE(sum({kInfinity, -3e38F, -3e38F}));
  EXPECT_FALSE(sum({1, 2}));
}

TEST(SpecialNumbers, LiteralsAreTheirBytes) {
  for (const float number : kNumbers) {
    const std::string bytes(reinterpret_cast<const char *>(&number), 4);
    const auto found = specialLiteral(ElementType::F32, bytes);
    ASSERT_TRUE(found) << number;
    if (std::isnan(number))
      EXPECT_TRUE(isNan(*found));
    else
      EXPECT_EQ(found->low, number);
  }
  EXPECT_FALSE(specialLiteral(ElementType::S32, "1234"));
  EXPECT_FALSE(specialLiteral(ElementType::F32, "123"));
}

TEST(SpecialNumbers, NaNDiffersFromNumbersAlone) {
  const TypedNumber nan = numberOf(kNumbers[10]), one = numberOf(1);
  EXPECT_TRUE(areApartOrNan(nan, one));
  EXPECT_TRUE(areApartOrNan(one, nan));
  EXPECT_FALSE(areApartOrNan(nan, nan));
  EXPECT_TRUE(areApartOrNan(one, numberOf(kInfinity)));
  EXPECT_FALSE(areApartOrNan(numberOf(kInfinity), numberOf(kInfinity)));
}

}  // namespace
}  // namespace indexical::testing
