// Reads that a law drops, and those that none does.
#include <string>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/same/passes/compare_dumps.h"

namespace indexical::testing {
namespace {

struct Row {
  const char *name;
  const char *before, *after;
  Verdict::Answer verdict;
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
     "ROOT r = f32[4] copy(p)", Verdict::FewerReads, "select"},
    {"and the other operand",
     "t = pred[] constant(false)\n  ROOT r = f32[4] select(t, p, q)",
     "ROOT r = f32[4] copy(q)", Verdict::FewerReads, "select"},
    {"but not the wrong one",
     "t = pred[] constant(false)\n  ROOT r = f32[4] select(t, p, q)",
     "ROOT r = f32[4] copy(p)", Verdict::Different},
    {"a constant that is spread, and compared",
     "one = s32[] constant(1)\n  two = s32[] constant(2)\n"
     "  l = pred[] compare(one, two), direction=LT\n"
     "  t = pred[4] broadcast(l), dimensions={}\n"
     "  ROOT r = f32[4] select(t, p, q)",
     "ROOT r = f32[4] copy(p)", Verdict::FewerReads, "select"},
    {"select on what differs by the index",
     "t = pred[4] constant({true, true, true, false})\n"
     "  ROOT r = f32[4] select(t, p, q)",
     "ROOT r = f32[4] copy(p)", Verdict::Different},
    {"select on a parameter", "ROOT r = f32[4] select(c, p, q)",
     "ROOT r = f32[4] copy(p)", Verdict::Different},
    {"ring",
     "z = s32[] constant(0)\n  zs = s32[4] broadcast(z), dimensions={}\n"
     "  ROOT r = s32[4] multiply(x, zs)",
     "z = s32[] constant(0)\n  ROOT r = s32[4] broadcast(z), dimensions={}",
     Verdict::FewerReads, "ring"},
    {"inside of a fusion",
     "ROOT r = s32[4] fusion(x), kind=kLoop, calls=inside",
     "z = s32[] constant(0)\n  ROOT r = s32[4] broadcast(z), dimensions={}",
     Verdict::FewerReads, "ring"},
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
     Verdict::OtherReads},
    {"by no constant", "s = s32[4] subtract(x, x)\n  ROOT r = s32[4] copy(s)",
     "z = s32[] constant(0)\n  ROOT r = s32[4] broadcast(z), dimensions={}",
     Verdict::FewerReads, "ring"},
    {"a law may explain what no number shows",
     "o = s32[] constant(1)\n  os = s32[4] broadcast(o), dimensions={}\n"
     "  l = s32[4] shift-left(x, os)\n  a = s32[4] and(l, os)\n"
     "  d = s32[4] subtract(x, x)\n  ROOT r = s32[4] add(a, d)",
     "z = s32[] constant(0)\n  ROOT r = s32[4] broadcast(z), dimensions={}",
     Verdict::Undecided},
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
    EXPECT_EQ(found->verdict.answer, row.verdict);
    if (row.verdict != Verdict::FewerReads) continue;
    ASSERT_TRUE(found->values);
    ASSERT_FALSE(found->values->lost.empty());
    EXPECT_EQ(found->values->lost[0].law, row.law);
    EXPECT_GT(found->values->lost[0].line, 0);
    EXPECT_FALSE(found->values->lost[0].instruction.empty());
  }
}

}  // namespace
}  // namespace indexical::testing
