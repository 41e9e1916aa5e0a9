// Where compositions would grow without end: what is answered instead contains
// what is read, is a cover, and is so in both directions alike.
#include <algorithm>
#include <iterator>
#include <string>

#include "gtest/gtest.h"

#include "tests/program_reads.h"
#include "tests/program_run.h"

namespace indexical::testing {
namespace {

std::vector<Pair> turned(std::vector<Pair> pairs) {
  for (Pair &pair : pairs) std::swap(pair.first, pair.second);
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

/// Of parameter 0, leaf 0. The precision is returned.
Precision checkBothWays(const std::string &text) {
  const Program program = parsed(text);
  const Module &module = program.modules.at(0);
  const Computation &entry = module.computations[module.entry];
  ProgramIndexing maps(module);
  Random random(17);
  const ProgramRun run(module, module.entry, random);
  const RunWorld world(run, maps);
  auto relation = maps.computation(module.entry, kReads, 0, 0, 0);
  auto inverse = maps.computation(module.entry, kUsers, 0, 0, 0);
  EXPECT_TRUE(relation.ok()) << relation.status();
  EXPECT_TRUE(inverse.ok()) << inverse.status();
  const std::vector<Pair> read = pairsOf(*relation, world);
  EXPECT_EQ(relation->precision(), inverse->precision());
  EXPECT_EQ(difference(turned(pairsOf(*inverse, world)), read), "");
  const std::vector<Pair> expected =
      run.pairs(ProgramRun::Leaf{entry.root, 0},
                ProgramRun::Leaf{entry.parameters[0], 0});
  std::vector<Pair> covered;
  std::set_intersection(read.begin(), read.end(), expected.begin(),
                        expected.end(), std::back_inserter(covered));
  EXPECT_EQ(difference(covered, expected), "");
  if (relation->precision() == Precision::Exact) {
    EXPECT_EQ(difference(read, expected), "");
  }
  return relation->precision();
}

/// Updates of parts of `x`, wherever they are: what is left of `x` is cut again
/// by each.
std::string updates(int64_t count) {
  std::string text =
      "HloModule m\nENTRY e {\n  x0 = f32[7,5] parameter(0)\n"
      "  u = f32[2,3] parameter(1)\n";
  for (int64_t k = 1; k <= count; ++k) {
    const std::string n = std::to_string(k);
    text += "  i" + n + " = s32[] parameter(" + std::to_string(k + 1) +
            ")\n  x" + n + " = f32[7,5] dynamic-update-slice(x" +
            std::to_string(k - 1) + ", u, i" + n + ", i" + n + ")\n";
  }
  return text + "}\n";
}

TEST(LimitsTest, UpdatesInAChain) {
  EXPECT_EQ(checkBothWays(updates(1)), Precision::Exact);
  EXPECT_EQ(checkBothWays(updates(2)), Precision::Exact);
  for (int64_t count : {6, 12, 20})
    EXPECT_EQ(checkBothWays(updates(count)), Precision::Cover);
}

/// Cuts that do not align, and a transposition between them, again and again.
std::string misaligned(int64_t count) {
  std::string text = "HloModule m\nENTRY e {\n  x0 = f32[6,35] parameter(0)\n";
  for (int64_t k = 1; k <= count; ++k) {
    const std::string n = std::to_string(k);
    text += "  t" + n + " = f32[35,6] transpose(x" + std::to_string(k - 1) +
            "), dimensions={1,0}\n  y" + n + " = f32[14,15] reshape(t" + n +
            ")\n  z" + n + " = f32[15,14] transpose(y" + n +
            "), dimensions={1,0}\n  x" + n + " = f32[6,35] reshape(z" + n +
            ")\n";
  }
  return text + "}\n";
}

TEST(LimitsTest, ReshapesThatDoNotAlign) {
  EXPECT_EQ(checkBothWays(misaligned(1)), Precision::Exact);
  EXPECT_EQ(checkBothWays(misaligned(2)), Precision::Exact);
  checkBothWays(misaligned(4));
  checkBothWays(misaligned(8));
  checkBothWays(misaligned(12));
}

// A loop of a body that is limited: its two directions are so too.
TEST(LimitsTest, InsideOfACall) {
  std::string body = updates(12);
  body.replace(body.find("ENTRY e"), 7, "f");
  std::string text = body +
                     "ENTRY e {\n  x = f32[7,5] parameter(0)\n"
                     "  u = f32[2,3] parameter(1)\n";
  std::string arguments = "x, u";
  for (int k = 1; k <= 12; ++k) {
    const std::string i = "i" + std::to_string(k);
    text += "  " + i + " = s32[] parameter(" + std::to_string(k + 1) + ")\n";
    arguments += ", " + i;
  }
  text +=
      "  c = f32[7,5] call(" + arguments +
      "), to_apply=f\n  ROOT r = f32[5,7] transpose(c), dimensions={1,0}\n}\n";
  EXPECT_EQ(checkBothWays(text), Precision::Cover);
}

}  // namespace
}  // namespace indexical::testing
