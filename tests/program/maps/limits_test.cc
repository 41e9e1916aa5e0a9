// If a composition would grow without end, the answer is a cover that contains
// what is read, in both directions alike.
#include <algorithm>
#include <iterator>
#include <string>

#include "gtest/gtest.h"

#include "indexical/program/maps/cover.h"
#include "tests/support/program_reads.h"
#include "tests/support/program_run.h"

namespace indexical::testing {
namespace {

std::vector<Pair> turned(std::vector<Pair> pairs) {
  for (Pair &pair : pairs) std::swap(pair.first, pair.second);
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

/// Checks the maps of parameter 0, leaf 0, and returns their precision.
Precision checkBothWays(const std::string &text) {
  const Program program = parsed(text);
  const Module &module = program.modules.at(0);
  const Computation &entry = module.computations[module.entry];
  ProgramIndexing maps(module);
  Random random(17);
  const ProgramRun run(module, module.entry, random);
  const RunWorld world(run, maps);
  auto relation =
      maps.computation(module.entry, LeafId(0), ParameterLeaf{0}, kReads);
  auto inverse =
      maps.computation(module.entry, LeafId(0), ParameterLeaf{0}, kUsers);
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

// One map each way, the two each other's transposes.
TEST(LimitsTest, CoversTurnAround) {
  struct Row {
    const char *x, *body;
  };
  const Row kRows[] = {
      {"x = f32[16] parameter(0)",
       "a = f32[8] slice(x), slice={[0:8]}\n"
       "b = f32[6] slice(x), slice={[10:16]}\n"
       "c = f32[14] concatenate(a, b), dimensions={0}\n"
       "ROOT r = f32[7,2] reshape(c)"},
      {"x = f32[12] parameter(0)",
       "z = f32[] constant(0)\n"
       "a = f32[4] slice(x), slice={[1:9:2]}\n"
       "b = f32[7] pad(a, z), padding=0_0_1\n"
       "c = f32[7] slice(x), slice={[5:12]}\n"
       "ROOT r = f32[7] add(b, c)"},
      {"x = f32[4,6] parameter(0)",
       "u = f32[2,6] slice(x), slice={[0:2], [0:6]}\n"
       "t = f32[2,6] reverse(u), dimensions={1}\n"
       "one = s32[] constant(1)\nnone = s32[] constant(0)\n"
       "d = f32[4,6] dynamic-update-slice(x, t, one, none)\n"
       "ROOT r = f32[24] reshape(d)"},
  };
  for (const Row &row : kRows) {
    const Program program = parsed(std::string("HloModule m\nENTRY e {\n") +
                                   row.x + "\n" + row.body + "\n}\n");
    const Module &module = program.modules.at(0);
    const Computation &entry = module.computations[module.entry];
    ProgramIndexing maps(module);
    Random random(17);
    const ProgramRun run(module, module.entry, random);
    const RunWorld world(run, maps);
    IndexingRelation down =
        *maps.computation(module.entry, LeafId(0), ParameterLeaf{0}, kReads);
    IndexingRelation up =
        *maps.computation(module.entry, LeafId(0), ParameterLeaf{0}, kUsers);
    const std::vector<Pair> read = pairsOf(down, world);
    auto shapeOf = [&](int32_t i) {
      return shapesOf(entry.instructions[i].op).results[0];
    };
    ASSERT_TRUE(coverBothWays(down, up, shapeOf(entry.root),
                              shapeOf(entry.parameters[0]))
                    .ok());
    EXPECT_EQ(down.pieces().size(), 1u) << row.body;
    EXPECT_EQ(up.pieces().size(), 1u) << row.body;
    EXPECT_EQ(down.precision(), Precision::Cover) << row.body;
    EXPECT_EQ(up.precision(), Precision::Cover) << row.body;
    const std::vector<Pair> covered = pairsOf(down, world);
    EXPECT_EQ(difference(turned(pairsOf(up, world)), covered), "") << row.body;
    EXPECT_TRUE(
        std::includes(covered.begin(), covered.end(), read.begin(), read.end()))
        << row.body;
  }
}

// Each slice bounds the sum of the starts up to it, and the last bound implies
// the others. To keep all bounds would make every step longer.
TEST(LimitsTest, SlicesInARowHaveOneBound) {
  for (int n : {10, 20, 40}) {
    std::string text = "HloModule m\nENTRY e {\n  x0 = f32[512] parameter(0)\n";
    for (int i = 0; i < n; ++i)
      text += "  i" + std::to_string(i) + " = s32[] parameter(" +
              std::to_string(i + 1) + ")\n";
    for (int i = 0; i < n; ++i) {
      const std::string size = std::to_string(511 - i);
      text += (i == n - 1 ? "  ROOT x" : "  x") + std::to_string(i + 1) +
              " = f32[" + size + "] dynamic-slice(x" + std::to_string(i) +
              ", i" + std::to_string(i) + "), dynamic_slice_sizes={" + size +
              "}\n";
    }
    const Program program = parsed(text + "}\n");
    ASSERT_FALSE(program.modules.empty());
    ProgramIndexing maps(program.modules[0]);
    auto users = maps.computation(program.modules[0].entry, LeafId(0),
                                  ParameterLeaf{0}, kUsers);
    ASSERT_TRUE(users.ok()) << users.status();
    ASSERT_EQ(users->pieces().size(), 1u);
    EXPECT_EQ(users->pieces()[0].runtime().size(), static_cast<size_t>(n));
    EXPECT_EQ(users->pieces()[0].constraints().size(), 1u) << n;
  }
}

/// Parameter 0 is a cover because of this limit. What is read of the
/// instruction that is named is exact, and what is read of one of its operands
/// is not.
void expectLimit(const std::string &text, LimitKind kind) {
  const Program program = parsed(text);
  const Module &module = program.modules.at(0);
  const Computation &entry = module.computations[module.entry];
  ProgramIndexing maps(module);
  const Leaf root = {module.entry, entry.root},
             x = {module.entry, entry.parameters[0]};
  auto precisionOf = [&](Leaf leaf) {
    auto reads = maps.until(root, {leaf});
    EXPECT_TRUE(reads.ok()) << reads.status();
    return reads->at(0).precision();
  };
  const auto limit = maps.limitUntil(root, {x});
  ASSERT_EQ(limit.has_value(), precisionOf(x) != Precision::Exact);
  ASSERT_TRUE(limit.has_value());
  EXPECT_EQ(limit->kind, kind) << reasonOf(limit->kind);
  ASSERT_EQ(limit->computation, module.entry);
  EXPECT_EQ(precisionOf({module.entry, limit->instruction}), Precision::Exact);
  int64_t covers = 0;
  for (int32_t operand : entry.instructions[limit->instruction].operands)
    covers +=
        precisionOf({module.entry, InstructionId(operand)}) != Precision::Exact;
  EXPECT_GT(covers, 0);
}

/// So many slices of one padded tensor of rank 10, each with a constraint for
/// each dimension.
std::string slicesOfPadded(int64_t count) {
  auto sizes = [](const std::string &size) {
    std::string text = size;
    for (int k = 1; k < 10; ++k) text += "," + size;
    return text;
  };
  std::string padding = "0_0_2";
  for (int k = 1; k < 10; ++k) padding += "x0_0_2";
  std::string text = "HloModule m\nENTRY e {\n  x = f32[" + sizes("40") +
                     "] parameter(0)\n  z = f32[] constant(0)\n  p = f32[" +
                     sizes("118") + "] pad(x, z), padding=" + padding + "\n";
  for (int64_t k = 0; k <= count; ++k) {
    const std::string n = std::to_string(k);
    const std::string slice =
        "[" + n + ":" + std::to_string(k + 20 + k / 3) + "]";
    std::string slices = slice;
    for (int d = 1; d < 10; ++d)
      slices += "," + ("[" + std::to_string(k) + ":" +
                       std::to_string(k + 20 + k / 3) + "]");
    const std::string own = "f32[" + sizes(std::to_string(20 + k / 3)) + "]";
    text += "  s" + n + " = " + own + " slice(p), slice={" + slices + "}\n";
    text += "  r" + n + " = f32[" + sizes("20") + "] slice(s" + n +
            "), slice={[0:20]";
    for (int d = 1; d < 10; ++d) text += ",[0:20]";
    text += "}\n";
    if (k > 0)
      text += "  a" + n + " = f32[" + sizes("20") + "] add(" +
              (k == 1 ? "r0" : "a" + std::to_string(k - 1)) + ", r" + n + ")\n";
  }
  return text + "}\n";
}

TEST(LimitsTest, LimitsAreNamed) {
  for (int64_t count : {6, 12, 20})
    expectLimit(updates(count), LimitKind::Pieces);
  expectLimit(slicesOfPadded(60), LimitKind::Constraints);
  expectLimit(misaligned(40), LimitKind::Terms);
  EXPECT_EQ(reasonOf(LimitKind::Pieces),
            "what is read through it takes more than 64 maps, and one map "
            "covers them");
}

TEST(LimitsTest, NoLimitOfWhatIsExact) {
  for (const std::string &text : {updates(2), misaligned(2)}) {
    const Program program = parsed(text);
    const Module &module = program.modules.at(0);
    const Computation &entry = module.computations[module.entry];
    ProgramIndexing maps(module);
    EXPECT_FALSE(maps.limitUntil({module.entry, entry.root},
                                 {{module.entry, entry.parameters[0]}})
                     .has_value());
  }
}

// The limit is within what is called.
TEST(LimitsTest, LimitsOfACalleeAreNamed) {
  std::string body = updates(12);
  body.replace(body.find("ENTRY e"), 7, "f");
  std::string arguments = "x, u", parameters;
  for (int k = 1; k <= 12; ++k) {
    const std::string i = "i" + std::to_string(k);
    parameters +=
        "  " + i + " = s32[] parameter(" + std::to_string(k + 1) + ")\n";
    arguments += ", " + i;
  }
  const Program program =
      parsed(body +
             "ENTRY e {\n  x = f32[7,5] parameter(0)\n  u = f32[2,3] "
             "parameter(1)\n" +
             parameters + "  ROOT c = f32[7,5] call(" + arguments +
             "), to_apply=f\n}\n");
  const Module &module = program.modules.at(0);
  const Computation &entry = module.computations[module.entry];
  ProgramIndexing maps(module);
  const auto limit = maps.limitUntil({module.entry, entry.root},
                                     {{module.entry, entry.parameters[0]}});
  ASSERT_TRUE(limit.has_value());
  EXPECT_EQ(module.computations[limit->computation].name, "f");
  EXPECT_EQ(limit->kind, LimitKind::Pieces);
}

// A snippet need not hold what it calls.
TEST(LimitsTest, WhatIsCalledIsNotThere) {
  const Program program = parsed(
      "p = f32[8] parameter(0)\n"
      "ROOT c = f32[8] call(p), to_apply=elsewhere\n");
  const Module &module = program.modules.at(0);
  ProgramIndexing maps(module);
  EXPECT_TRUE(
      maps.computation(ComputationId(0), LeafId(0), ParameterLeaf{0}, kReads)
          .ok());
  const Computation &only = module.computations.at(0);
  EXPECT_FALSE(maps.limitUntil({ComputationId(0), only.root},
                               {{ComputationId(0), only.parameters[0]}})
                   .has_value());
}

// A reducer that the file does not hold has no limit.
TEST(LimitsTest, UnknownReducersHaveNoLimit) {
  const std::string reduced =
      " { x = f32[8,4] parameter(0)\n z = f32[] constant(0)\n"
      " ROOT r = f32[8] reduce(x, z), dimensions={1}, to_apply=%absent }\n";
  auto program = parseHlo("f" + reduced + "g" + reduced, "snippet");
  ASSERT_TRUE(program.ok()) << program.status();
  const Module &module = program->modules.at(0);
  ProgramIndexing maps(module);
  for (int32_t c : {0, 1}) {
    auto reads =
        maps.computation(ComputationId(c), LeafId(0), ParameterLeaf{0}, kReads);
    ASSERT_TRUE(reads.ok()) << reads.status();
    EXPECT_EQ(reads->precision(), Precision::Exact);
    const Computation &own = module.computations[c];
    EXPECT_FALSE(maps.limitUntil({ComputationId(c), own.root},
                                 {{ComputationId(c), own.parameters[0]}})
                     .has_value());
  }
}

// 2^60 ways lead to the innermost computation, and one look at it is enough.
TEST(LimitsTest, ComputationsThatManyCallAreLookedAtOnce) {
  std::string text =
      "HloModule m\nf0 { x = f32[4] parameter(0)\n"
      " ROOT r = f32[4] negate(x) }\n";
  for (int n = 1; n <= 60; ++n) {
    const std::string of = ", to_apply=f" + std::to_string(n - 1);
    text += (n == 60 ? "ENTRY e" : "f" + std::to_string(n)) +
            std::string(" { x = f32[4] parameter(0)\n a = f32[4] call(x)") +
            of + "\n ROOT b = f32[4] call(a)" + of + " }\n";
  }
  const Program program = parsed(text);
  const Module &module = program.modules.at(0);
  const Computation &entry = module.computations[module.entry];
  ProgramIndexing maps(module);
  EXPECT_FALSE(maps.limitUntil({module.entry, entry.root},
                               {{module.entry, entry.parameters[0]}})
                   .has_value());
}

}  // namespace
}  // namespace indexical::testing
