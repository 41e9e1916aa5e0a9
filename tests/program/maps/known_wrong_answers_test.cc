// Answers that other systems are known to get wrong, each a test by its name.
#include <string>

#include "gtest/gtest.h"

#include "indexical/indexing/map_text.h"
#include "indexical/indexing/transforms.h"
#include "indexical/simplifier/simplify.h"
#include "tests/support/program_reads.h"

namespace indexical::testing {
namespace {

std::string simplified(const std::string &text) {
  auto map = parseMap(text);
  if (!map.ok()) return std::string(map.status().message());
  auto simple = simplify(*map);
  return simple.ok() ? simple->strOneLine()
                     : std::string(simple.status().message());
}

std::string entry(const std::string &body) {
  return "HloModule m\nENTRY e {\n" + body + "\n}\n";
}

TEST(KnownWrongAnswers, TwoDynamicSlicesKeepTheirOwnStarts) {
  EXPECT_EQ(reads(entry(R"(x = f32[20] parameter(0)
                           i = s32[] parameter(1)
                           j = s32[] parameter(2)
                           a = f32[10] dynamic-slice(x, i),
                             dynamic_slice_sizes={10}
                           ROOT b = f32[4] dynamic-slice(a, j),
                             dynamic_slice_sizes={4})")),
            "exact:\n"
            "  (d0){rt0, rt1} -> (d0 + rt0 + rt1), domain: d0 in [0, 3], "
            "rt0 in [0, 10], rt1 in [0, 6]\n"
            "  rt0: e.i\n"
            "  rt1: e.j");
}

TEST(KnownWrongAnswers, WhatIsNotKnownIsNotUnread) {
  EXPECT_EQ(reads(entry(R"(x = f32[4] parameter(0)
                           c = f32[8] custom-call(x), custom_call_target="f"
                           ROOT r = f32[2] slice(c), slice={[0:2]})")),
            "opaque:\n"
            "  (d0)[s0] -> (s0), domain: d0 in [0, 1], s0 in [0, 3]");
  EXPECT_EQ(reads(entry(R"(x = f32[4] parameter(0)
                           ROOT r = f32[2] not-an-opcode(x))")),
            "opaque:\n"
            "  (d0)[s0] -> (s0), domain: d0 in [0, 1], s0 in [0, 3]");
}

TEST(KnownWrongAnswers, AConstraintKeepsItsDomain) {
  // With d0 = 1 the sum would be 9 at least.
  EXPECT_EQ(simplified("(d0)[s0] -> (d0, s0), domain: d0 in [0, 5], "
                       "s0 in [1, 2], d0 * 8 + s0 in [0, 8]"),
            "(d0)[s0] -> (0, s0), domain: d0 in [0, 0], s0 in [1, 2]");
}

TEST(KnownWrongAnswers, AConstraintThatCannotHoldIsNotDropped) {
  EXPECT_EQ(simplified("(d0) -> (d0), domain: d0 in [0, 5], 7 in [0, 3]"),
            "KNOWN EMPTY");
  EXPECT_EQ(simplified("(d0) -> (d0), domain: d0 in [0, 5], "
                       "d0 mod 2 in [0, 0], d0 mod 4 in [1, 1]"),
            "KNOWN EMPTY");
}

TEST(KnownWrongAnswers, DivisionByANegativeNumber) {
  EXPECT_EQ(simplified("()[s0] -> (s0), domain: s0 in [0, 99], "
                       "s0 floordiv -3 in [-11, -5]"),
            "()[s0] -> (s0), domain: s0 in [13, 33]");
  EXPECT_EQ(simplified("(d0) -> (d0 floordiv -1), domain: d0 in [0, 5]"),
            "(d0) -> (-d0), domain: d0 in [0, 5]");
}

TEST(KnownWrongAnswers, RangesAreRenumberedWhenOthersGo) {
  auto map = parseMap(
      "(d0)[s0, s1, s2]{rt0, rt1} -> (s1 + rt1, d0), domain: d0 in [0, 3], "
      "s0 in [0, 7], s1 in [0, 2], s2 in [0, 5], rt0 in [0, 9], rt1 in [0, 1]");
  ASSERT_TRUE(map.ok()) << map.status();
  EXPECT_EQ(dropUnused(*map).strOneLine(),
            "(d0)[s0]{rt0} -> (s0 + rt0, d0), domain: d0 in [0, 3], "
            "s0 in [0, 2], rt0 in [0, 1]");
  // Only dimensions change here, and ranges still mean what they did.
  EXPECT_EQ(rangesToDimensions(*map).strOneLine(),
            "(d0, d1, d2, d3){rt0, rt1} -> (d2 + rt1, d0), domain: "
            "d0 in [0, 3], d1 in [0, 7], d2 in [0, 2], d3 in [0, 5], "
            "rt0 in [0, 9], rt1 in [0, 1]");
}

TEST(KnownWrongAnswers, AnIotaIsFoldedWithItsClamp) {
  // Slices of 4 rows out of 10: starts 7 to 9 become 6.
  const std::string text = reads(entry(R"(
      x = f32[10] parameter(0)
      i = s32[10] iota(), iota_dimension=0
      ROOT g = f32[10,4] gather(x, i), offset_dims={1},
        collapsed_slice_dims={}, start_index_map={0}, index_vector_dim=1,
        slice_sizes={4})"));
  EXPECT_EQ(text,
            "exact:\n"
            "  (d0, d1) -> (d1 + 6), domain: d0 in [7, 9], d1 in [0, 3]\n"
            "  (d0, d1) -> (d0 + d1), domain: d0 in [0, 6], d1 in [0, 3]");
}

TEST(KnownWrongAnswers, ThePaddingValueIsReadWherePaddingIs) {
  EXPECT_EQ(reads(entry(R"(x = f32[4] parameter(0)
                           z = f32[] parameter(1)
                           ROOT p = f32[9] pad(x, z), padding=2_3)"),
                  1),
            "exact:\n"
            "  (d0) -> (), domain: d0 in [0, 1]\n"
            "  (d0) -> (), domain: d0 in [6, 8]");
}

TEST(KnownWrongAnswers, IndicesOfAnUpdateAreNotNegative) {
  EXPECT_EQ(reads(entry(R"(x = f32[20] parameter(0)
                           u = f32[5] parameter(1)
                           i = s32[] parameter(2)
                           ROOT r = f32[20] dynamic-update-slice(x, u, i))"),
                  1),
            "exact:\n"
            "  (d0){rt0} -> (d0 - rt0), domain: d0 in [0, 19], "
            "rt0 in [0, 15], d0 - rt0 in [0, 4]\n"
            "  rt0: e.i");
}

TEST(KnownWrongAnswers, PrefixSumsAreNotTheIdentity) {
  EXPECT_EQ(reads("HloModule m\nsum { a = f32[] parameter(0)\n"
                  "b = f32[] parameter(1)  ROOT r = f32[] add(a, b) }\n" +
                  entry(R"(x = f32[8] parameter(0)
                           z = f32[] constant(0)
                           ROOT r = f32[8] reduce-window(x, z),
                             window={size=8 pad=7_0}, to_apply=sum)")
                      .substr(12)),
            "exact:\n"
            "  (d0)[s0] -> (s0), domain: d0 in [0, 7], s0 in [0, 7], "
            "d0 - s0 in [0, inf]");
}

}  // namespace
}  // namespace indexical::testing
