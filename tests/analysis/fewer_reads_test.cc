// Reads that a law drops, and those that none does.
#include <string>

#include "gtest/gtest.h"

#include "indexical/analysis/passes/compare_dumps.h"
#include "indexical/hlo/hlo_parser.h"

namespace indexical::testing {
namespace {

struct Row {
  const char *name;
  const char *before, *after;
  Verdict verdict;
  const char *law = "";
};

constexpr char kBegin[] = R"(HloModule m
largest { a = s32[] parameter(0)  b = s32[] parameter(1)  ROOT r = s32[] maximum(a, b) }
inside { a = s32[4] parameter(0)  z = s32[] constant(0)  zs = s32[4] broadcast(z), dimensions={}  ROOT m = s32[4] multiply(a, zs) }
ENTRY e {
  p = f32[4] parameter(0)
  q = f32[4] parameter(1)
  x = s32[4] parameter(2)
  c = pred[4] parameter(3)
)";

const Row kRows[] = {
    {"select on a literal",
     "t = pred[] constant(true)\n  ROOT r = f32[4] select(t, p, q)",
     "ROOT r = f32[4] copy(p)", Verdict::FewerReads, "select on a constant"},
    {"and the other operand",
     "t = pred[] constant(false)\n  ROOT r = f32[4] select(t, p, q)",
     "ROOT r = f32[4] copy(q)", Verdict::FewerReads, "select on a constant"},
    {"but not the wrong one",
     "t = pred[] constant(false)\n  ROOT r = f32[4] select(t, p, q)",
     "ROOT r = f32[4] copy(p)", Verdict::Different},
    {"a constant that is spread, and compared",
     "one = s32[] constant(1)\n  two = s32[] constant(2)\n"
     "  l = pred[] compare(one, two), direction=LT\n"
     "  t = pred[4] broadcast(l), dimensions={}\n"
     "  ROOT r = f32[4] select(t, p, q)",
     "ROOT r = f32[4] copy(p)", Verdict::FewerReads, "select on a constant"},
    {"select on what differs by the index",
     "t = pred[4] constant({true, true, true, false})\n"
     "  ROOT r = f32[4] select(t, p, q)",
     "ROOT r = f32[4] copy(p)", Verdict::Different},
    {"select on a parameter", "ROOT r = f32[4] select(c, p, q)",
     "ROOT r = f32[4] copy(p)", Verdict::Different},
    {"an integer multiplied by zero",
     "z = s32[] constant(0)\n  zs = s32[4] broadcast(z), dimensions={}\n"
     "  ROOT r = s32[4] multiply(x, zs)",
     "z = s32[] constant(0)\n  ROOT r = s32[4] broadcast(z), dimensions={}",
     Verdict::FewerReads, "an integer multiplied by zero"},
    {"inside of a fusion",
     "ROOT r = s32[4] fusion(x), kind=kLoop, calls=inside",
     "z = s32[] constant(0)\n  ROOT r = s32[4] broadcast(z), dimensions={}",
     Verdict::FewerReads, "an integer multiplied by zero"},
    {"by one",
     "z = s32[] constant(1)\n  zs = s32[4] broadcast(z), dimensions={}\n"
     "  ROOT r = s32[4] multiply(x, zs)",
     "z = s32[] constant(0)\n  ROOT r = s32[4] broadcast(z), dimensions={}",
     Verdict::Different},
    {"a float multiplied by zero may be no number",
     "z = f32[] constant(0)\n  zs = f32[4] broadcast(z), dimensions={}\n"
     "  ROOT r = f32[4] multiply(p, zs)",
     "z = f32[] constant(0)\n  ROOT r = f32[4] broadcast(z), dimensions={}",
     Verdict::Different},
    {"a law of another read",
     "t = pred[] constant(true)\n  s = f32[4] select(t, p, q)\n"
     "  ROOT r = f32[4] reverse(s), dimensions={0}",
     "ROOT r = f32[4] copy(p)", Verdict::Different},
    {"a law that the second did not use reads more", "ROOT r = f32[4] copy(p)",
     "t = pred[] constant(true)\n  ROOT r = f32[4] select(t, p, q)",
     Verdict::Different},
};

TEST(FewerReads, ByStatedLaws) {
  for (const Row &row : kRows) {
    SCOPED_TRACE(row.name);
    auto before = parseHlo(std::string(kBegin) + "  " + row.before + "\n}\n");
    auto after = parseHlo(std::string(kBegin) + "  " + row.after + "\n}\n");
    ASSERT_TRUE(before.ok()) << before.status();
    ASSERT_TRUE(after.ok()) << after.status();
    auto found = compareDumps(*before, *after, DumpComparisonOptions());
    ASSERT_TRUE(found.ok()) << found.status();
    EXPECT_EQ(found->verdict, row.verdict);
    ASSERT_EQ(found->dropped.empty(), row.verdict != Verdict::FewerReads);
    if (found->dropped.empty()) continue;
    EXPECT_EQ(found->dropped[0].law, row.law);
    EXPECT_GT(found->dropped[0].line, 0);
    EXPECT_FALSE(found->dropped[0].instruction.empty());
  }
}

}  // namespace
}  // namespace indexical::testing
