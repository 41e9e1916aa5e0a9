// Pairs of modules of which something false was once said, each of a class:
// what must not be said of them.
#include <string>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/same/values/sameness.h"

namespace indexical::testing {
namespace {

constexpr char kBegin[] = R"(HloModule m
max { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT r = f32[] maximum(a, b) }
sum { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT r = f32[] add(a, b) }
isum { a = s32[] parameter(0)  b = s32[] parameter(1)  ROOT r = s32[] add(a, b) }
ixor { a = s32[] parameter(0)  b = s32[] parameter(1)  ROOT r = s32[] xor(a, b) }
ENTRY e {
  x = f32[4] parameter(0)
  n = s32[3] parameter(1)
  i = s32[] parameter(2)
  low = f32[] constant(-inf)
  zero = f32[] constant(0)
  none = s32[] constant(0)
)";
constexpr char kZeros4[] = "ROOT z = f32[4] broadcast(zero), dimensions={}";
constexpr char kZeros6[] = "ROOT z = f32[6] broadcast(zero), dimensions={}";

Sameness compared(const std::string &first, const std::string &second,
                  FloatLaws floats = FloatLaws::None) {
  auto a = parseHlo(kBegin + first + "\n}"),
       b = parseHlo(kBegin + second + "\n}");
  EXPECT_TRUE(a.ok()) << a.status() << first;
  EXPECT_TRUE(b.ok()) << b.status() << second;
  SamenessOptions options;
  options.values = ValueOptions{floats};
  auto same = compare(a->modules[0], b->modules[0], options);
  EXPECT_TRUE(same.ok()) << same.status();
  return same.ok() ? *std::move(same) : Sameness();
}

bool areEqual(const std::string &first, const std::string &second) {
  return compared(first, second, FloatLaws::Real).verdict.isSame();
}

TEST(SamenessClaims, WhatIsReducedOfNothingIsNoNumber) {
  // Windows of padding alone give -inf, and -inf less -inf is NaN.
  const std::string window =
      "w = f32[6] reduce-window(x, low), window={size=1 pad=1_1}, "
      "to_apply=max\n";
  EXPECT_FALSE(areEqual(window + "ROOT r = f32[6] subtract(w, w)", kZeros6));
  EXPECT_FALSE(areEqual(window + "ROOT r = f32[6] multiply(w, z)\n" +
                            "z = f32[6] broadcast(zero), dimensions={}",
                        kZeros6));
  const std::string wide =
      "w = f32[8] reduce-window(x, low), window={size=2 pad=2_3}, "
      "to_apply=max\n";
  EXPECT_FALSE(areEqual(wide + "ROOT r = f32[8] subtract(w, w)",
                        "ROOT z = f32[8] broadcast(zero), dimensions={}"));
  // Sums of exponentials are above 0 where there is one.
  const std::string sums =
      "e = f32[4] exponential(x)\n"
      "w = f32[6] reduce-window(e, zero), window={size=1 pad=1_1}, "
      "to_apply=sum\n l = f32[6] log(w)\n";
  EXPECT_FALSE(areEqual(sums + "ROOT r = f32[6] subtract(l, l)", kZeros6));
  // Every window has a number.
  const std::string full =
      "w = f32[4] reduce-window(x, low), window={size=3 pad=1_1}, "
      "to_apply=max\n";
  EXPECT_TRUE(areEqual(full + "ROOT r = f32[4] subtract(w, w)", kZeros4));
}

TEST(SamenessClaims, ARowThatIsMaskedWholeIsNoNumber) {
  auto rows = [](const char *direction) {
    return "xs = f32[4,4] broadcast(x), dimensions={1}\n"
           "r0 = s32[4,4] iota(), iota_dimension=0\n"
           "r1 = s32[4,4] iota(), iota_dimension=1\n"
           "m = pred[4,4] compare(r0, r1), direction=" +
           std::string(direction) +
           "\n lows = f32[4,4] broadcast(low), dimensions={}\n"
           "s = f32[4,4] select(m, xs, lows)\n"
           "w = f32[4] reduce(s, low), dimensions={1}, to_apply=max\n"
           "ROOT r = f32[4] subtract(w, w)";
  };
  EXPECT_FALSE(areEqual(rows("GT"), kZeros4));
  // The diagonal is in each row.
  EXPECT_TRUE(areEqual(rows("GE"), kZeros4));
  EXPECT_TRUE(areEqual(rows("LE"), kZeros4));
}

TEST(SamenessClaims, SumsOf64BitsWrap) {
  // m + 1 is the least number where m is the largest one.
  for (const std::string type : {"s64", "u64"}) {
    const std::string begin =
        "m = " + type + "[] parameter(3)\n one = " + type + "[] constant(1)\n";
    const std::string chosen =
        "t = " + type +
        "[] add(m, one)\n c = pred[] compare(m, t), "
        "direction=LT\n ROOT r = s32[] select(c, i, none)";
    EXPECT_FALSE(areEqual(begin + chosen, begin + "ROOT r = s32[] copy(i)"));
    EXPECT_TRUE(areEqual(begin + chosen, begin + chosen));
  }
}

TEST(SamenessClaims, AnIndexThatIsAValueIsChosenByIt) {
  // Both give x[clamp(i)], and no number shows a difference.
  const std::string sliced =
      "ROOT r = s32[1] dynamic-slice(n, i), dynamic_slice_sizes={1}";
  const std::string chosen =
      "k = s32[3] iota(), iota_dimension=0\n two = s32[] constant(2)\n"
      "c = s32[] clamp(none, i, two)\n cs = s32[3] broadcast(c), "
      "dimensions={}\n m = pred[3] compare(k, cs), direction=EQ\n"
      "zs = s32[3] broadcast(none), dimensions={}\n"
      "s = s32[3] select(m, n, zs)\n"
      "t = s32[] reduce(s, none), dimensions={0}, to_apply=isum\n"
      "ROOT r = s32[1] reshape(t)";
  EXPECT_NE(compared(sliced, chosen).verdict.answer, Verdict::Different);
  EXPECT_EQ(compared(sliced, "ROOT r = s32[1] slice(n), slice={[0:1]}")
                .verdict.answer,
            Verdict::Different);
}

TEST(SamenessClaims, AWitnessHasAllItsNumbers) {
  const std::string all =
      "w = s32[20] parameter(3)\nROOT r = s32[] reduce(w, none), "
      "dimensions={0}, to_apply=";
  const Sameness same = compared(all + "isum", all + "ixor");
  ASSERT_EQ(same.verdict.answer, Verdict::Different);
  const Witness &witness = *same.values->leaves[0].witness;
  ASSERT_EQ(witness.inputs.size(), 16u);
  ASSERT_TRUE(witness.others);
  int64_t sum = 4 * *witness.others, parity = 0;
  for (const Witness::Input &input : witness.inputs) {
    sum += std::stoll(input.value);
    parity ^= std::stoll(input.value);
  }
  EXPECT_EQ(witness.first.value, std::to_string(static_cast<int32_t>(sum)));
  EXPECT_EQ(witness.second.value, std::to_string(static_cast<int32_t>(parity)));
}

TEST(SamenessClaims, NumbersOfAnIndexThatIsAValue) {
  const std::string gather =
      ", n), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, "
      "index_vector_dim=1, slice_sizes={1}\n";
  const std::string iota = "k = s32[3] iota(), iota_dimension=0\n";
  EXPECT_NE(
      compared(
          iota + "g = s32[3] gather(k" + gather + "ROOT r = s32[3] negate(g)",
          iota + "m = s32[3] negate(k)\nROOT r = s32[3] gather(m" + gather)
          .verdict.answer,
      Verdict::Different);
}

}  // namespace
}  // namespace indexical::testing
