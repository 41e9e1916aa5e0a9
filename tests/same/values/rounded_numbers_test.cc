// Conversions that round: against an arithmetic of fractions that is written
// here, and as witnesses that two modules differ.
#include "indexical/same/values/rounded_numbers.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/same/values/sameness.h"

namespace indexical::testing {
namespace {

/// A format: its bits of the significand behind the point, its exponents.
struct Format {
  ElementType type;
  int fraction, least, most;
};

constexpr Format kFormats[] = {
    {ElementType::F16, 10, -14, 15},   {ElementType::BF16, 7, -100, 100},
    {ElementType::F8E5M2, 2, -14, 15}, {ElementType::F8E4M3FN, 3, -6, 7},
    {ElementType::F8E4M3, 3, -6, 7},   {ElementType::F8E3M4, 4, -2, 3},
};

TypedNumber f64(double value) {
  TypedNumber number;
  number.type = ElementType::F64;
  number.low = number.high = value;
  return number;
}

/// The numbers between a normal number and the next one, and what they become.
TEST(RoundedNumbers, AreTheNearestOnes) {
  for (const Format &format : kFormats)
    for (int exponent = format.least; exponent <= format.most; ++exponent)
      for (int digits = 0; digits + 1 < (1 << format.fraction); ++digits)
        for (const double sign : {1.0, -1.0}) {
          const double step = std::ldexp(1.0, exponent - format.fraction);
          const double low = std::ldexp(1.0, exponent) + digits * step;
          const double high = low + step;
          const double even = digits % 2 ? high : low;
          const struct {
            double from, to;
          } kCases[] = {{low, low},
                        {low + step * 0.25, low},
                        {low + step * 0.4375, low},
                        {low + step * 0.5, even},
                        {low + step * 0.5625, high},
                        {low + step * 0.75, high}};
          for (const auto &each : kCases) {
            const auto got = roundedTo(format.type, f64(sign * each.from));
            ASSERT_TRUE(got) << each.from;
            EXPECT_EQ(got->low, sign * each.to)
                << elementTypeName(format.type).str() << " of " << each.from;
            EXPECT_TRUE(got->isPoint()) << each.from;
          }
          if (HasFailure()) return;
        }
}

TEST(RoundedNumbers, AreWideWhereAWayRoundsTwice) {
  // Behind the half by less than f32 has: by way of f32 it is the half.
  const double half = 1 + std::ldexp(1.0, -11);
  const auto got =
      roundedTo(ElementType::F16, f64(half + std::ldexp(1.0, -40)));
  ASSERT_TRUE(got);
  EXPECT_EQ(got->low, 1);
  EXPECT_EQ(got->high, 1 + std::ldexp(1.0, -10));
  // What is smaller than all normal ones may be taken for 0.
  const auto small = roundedTo(ElementType::F16, f64(std::ldexp(1.0, -20)));
  ASSERT_TRUE(small);
  EXPECT_EQ(small->low, 0);
  EXPECT_EQ(small->high, std::ldexp(1.0, -20));
  EXPECT_EQ(roundedTo(ElementType::F16, f64(1e-12))->high, 0);
}

TEST(RoundedNumbers, KnowWhatIsTooLarge) {
  EXPECT_TRUE(std::isinf(roundedTo(ElementType::F16, f64(3e38))->low));
  EXPECT_TRUE(std::isinf(roundedTo(ElementType::BF16, f64(-1e300))->high));
  EXPECT_FALSE(roundedTo(ElementType::F8E4M3FN, f64(1e6)));
  EXPECT_FALSE(roundedTo(ElementType::F8E5M2, f64(1e6)));
  EXPECT_FALSE(roundedTo(ElementType::F4E2M1FN, f64(100)));
  EXPECT_FALSE(roundedTo(ElementType::S32, f64(1)));
}

TEST(RoundedNumbers, OfIntegers) {
  auto of = [](ElementType type, uint64_t word, ElementType to) {
    const auto got = roundedTo(to, integerNumber(type, word));
    return got && got->isPoint() ? got->low : NAN;
  };
  constexpr uint64_t kOne = 1;
  EXPECT_EQ(of(ElementType::S32, (kOne << 24) + 1, ElementType::F32),
            16777216.0);
  EXPECT_EQ(of(ElementType::S32, (kOne << 24) + 3, ElementType::F32),
            16777220.0);
  EXPECT_EQ(of(ElementType::S64, (kOne << 53) + 1, ElementType::F64),
            9007199254740992.0);
  EXPECT_EQ(of(ElementType::U64, ~uint64_t{0}, ElementType::F64),
            18446744073709551616.0);
  EXPECT_EQ(of(ElementType::S64, ~uint64_t{0}, ElementType::F64), -1.0);
  EXPECT_EQ(of(ElementType::S16, 2049, ElementType::F16), 2048.0);
}

Sameness compared(const std::string &type, const std::string &first,
                  const std::string &second,
                  FloatLaws floats = FloatLaws::None) {
  auto module = [&](const std::string &body) {
    return parseHlo("HloModule m\nENTRY e {\n x = " + type +
                    "[4] parameter(0)\n" + body + "\n}");
  };
  const auto a = module(first), b = module(second);
  EXPECT_TRUE(a.ok()) << a.status() << first;
  EXPECT_TRUE(b.ok()) << b.status() << second;
  if (!a.ok() || !b.ok()) return Sameness();
  SamenessOptions options;
  options.values = ValueOptions{floats};
  auto same = compare(a->modules[0], b->modules[0], options);
  EXPECT_TRUE(same.ok()) << same.status();
  return same.ok() ? *std::move(same) : Sameness();
}

std::string through(const std::string &type, const std::string &middle) {
  return " c = " + middle + "[4] convert(x)\n ROOT r = " + type +
         "[4] convert(c)";
}

std::string unchanged(const std::string &type) {
  return " ROOT r = " + type + "[4] copy(x)";
}

/// A type, one that it is converted to and back, and whether that is nothing.
struct RoundTrip {
  const char *type, *middle;
  Verdict::Answer verdict;
};

TEST(RoundedNumbers, RoundTripsThatLoseSomethingAreDifferent) {
  constexpr Verdict::Answer kOther = Verdict::Different;
  constexpr Verdict::Answer kSame = Verdict::Same;
  constexpr RoundTrip kTrips[] = {{"f32", "f16", kOther},
                                  {"f32", "bf16", kOther},
                                  {"f32", "f8e5m2", kOther},
                                  {"f32", "f8e4m3fn", kOther},
                                  {"f32", "f8e4m3", kOther},
                                  {"f32", "f8e3m4", kOther},
                                  {"f32", "s8", kOther},
                                  {"f32", "s16", kOther},
                                  {"f32", "s32", kOther},
                                  {"f64", "f32", kOther},
                                  {"f64", "s64", kOther},
                                  {"f16", "bf16", kOther},
                                  {"bf16", "f16", kOther},
                                  {"f16", "f8e5m2", kOther},
                                  {"bf16", "f8e4m3fn", kOther},
                                  {"s32", "f32", kOther},
                                  {"s16", "f16", kOther},
                                  {"s16", "bf16", kOther},
                                  {"s64", "f64", kOther},
                                  {"u64", "f64", kOther},
                                  {"u32", "f32", kOther},
                                  {"s64", "f32", kOther},
                                  {"f8e5m2", "f8e4m3fn", kOther},
                                  {"f16", "f32", kSame},
                                  {"bf16", "f32", kSame},
                                  {"f32", "f64", kSame},
                                  {"s32", "f64", kSame},
                                  {"s16", "f32", kSame},
                                  {"s8", "f16", kSame}};
  for (const RoundTrip &trip : kTrips) {
    const Sameness same = compared(trip.type, through(trip.type, trip.middle),
                                   unchanged(trip.type));
    EXPECT_EQ(same.verdict.answer, trip.verdict)
        << trip.type << ", " << trip.middle;
    if (trip.verdict != kOther || !same.values) continue;
    ASSERT_TRUE(same.values->leaves[0].witness)
        << trip.type << ", " << trip.middle;
    EXPECT_EQ(same.values->leaves[0].witness->inputs.size(), 1u);
  }
}

TEST(RoundedNumbers, ARoundingThatMayBeLeftOutShowsNothing) {
  for (const char *middle : {"f16", "bf16"}) {
    for (const FloatLaws laws : {FloatLaws::ExcessPrecision, FloatLaws::Real})
      EXPECT_EQ(compared("f32", through("f32", middle), unchanged("f32"), laws)
                    .verdict.answer,
                Verdict::Same);
    // Not seen by a law, and not by numbers either.
    const std::string middleOf = middle;
    EXPECT_NE(compared("f32",
                       " c = " + middleOf + "[4] convert(x)\n d = " + middleOf +
                           "[4] abs(c)\n ROOT r = f32[4] convert(d)",
                       " ROOT r = f32[4] abs(x)", FloatLaws::ExcessPrecision)
                  .verdict.answer,
              Verdict::Different);
    EXPECT_EQ(compared("f32",
                       " c = " + middleOf + "[4] convert(x)\n d = " + middleOf +
                           "[4] abs(c)\n ROOT r = f32[4] convert(d)",
                       " ROOT r = f32[4] abs(x)")
                  .verdict.answer,
              Verdict::Different);
  }
}

}  // namespace
}  // namespace indexical::testing
