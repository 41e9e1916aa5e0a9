// Runtime variables by cases, against execution.
//
// Indices that are computed of other ones, as JAX computes those of x[i]: the
// pieces are what every run reads, no two of them the same element, for values
// at the edges of their types too.
//
//   INDEXICAL_VALUE_CASES=20   20 times as many random modules
//   INDEXICAL_SEED=n           beginning with this one
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/program/values/known_values.h"
#include "tests/support/integer_types.h"
#include "tests/support/program_reads.h"
#include "tests/support/program_run.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

/// A value of the type: small, or at its edges.
int64_t anyOf(ElementType type, Random &random) {
  const Interval values = valuesOf(type);
  if (random.oneIn(3)) return values.contains(-1) ? values.lower : 0;
  if (random.oneIn(3)) return values.upper;
  return std::clamp(random.in(-12, 12), values.lower, values.upper);
}

class ValueCasesTest : public ::testing::Test {
 protected:
  /// Returns the reads of the entry's root of parameter 0, by cases. Checks
  /// them against runs.
  IndexingRelation checked(const Module &module, Random &random,
                           int64_t runs = 12) {
    const Computation &entry = module.computations[module.entry];
    ProgramIndexing maps(module);
    auto reads = maps.computation(module.entry, LeafId(0), ParameterLeaf{0},
                                  Direction::OutputToInput);
    auto users = maps.computation(module.entry, LeafId(0), ParameterLeaf{0},
                                  Direction::InputToOutput);
    EXPECT_TRUE(reads.ok() && users.ok()) << reads.status();
    if (!reads.ok() || !users.ok()) return {};
    const IndexingRelation split = maps.byCases(*reads);
    const IndexingRelation splitUsers = maps.byCases(*users);
    EXPECT_EQ(split.precision(), reads->precision());
    for (int64_t n = 0; n < runs; ++n) {
      std::vector<std::vector<ProgramRun::Values>> arguments;
      for (int32_t parameter : entry.parameters) {
        const ArrayShape &shape =
            shapesOf(entry.instructions[parameter].op).results[0];
        arguments.push_back({{}});
        for (int64_t e = *shape.elementCount(); e > 0; --e)
          arguments.back()[0].push_back(
              isInteger(shape.type) ? anyOf(shape.type, random) : 0);
      }
      const ProgramRun run(module, module.entry, arguments);
      const RunWorld world(run, maps);
      std::vector<Pair> expected =
          run.pairs({entry.root, 0}, ProgramRun::Leaf{entry.parameters[0], 0});
      EXPECT_EQ(difference(expected, pairsOf(split, world)), "");
      size_t count = 0;
      for (const IndexingMap &piece : split.pieces())
        count += pairsOf(piece, world).size();
      EXPECT_EQ(count, expected.size()) << "pieces meet";
      for (Pair &pair : expected) std::swap(pair.first, pair.second);
      std::sort(expected.begin(), expected.end());
      EXPECT_EQ(difference(expected, pairsOf(splitUsers, world)), "");
      count = 0;
      for (const IndexingMap &piece : splitUsers.pieces())
        count += pairsOf(piece, world).size();
      EXPECT_EQ(count, expected.size()) << "pieces of users meet";
      if (HasFailure()) break;
    }
    return split;
  }

  /// The pieces and the names of what their variables are elements of.
  std::string cases(const std::string &text) {
    SCOPED_TRACE(text);
    const Program program = parsed(text);
    if (program.modules.empty()) return "";
    const Module &module = program.modules[0];
    Random random(7);
    return linesOf(checked(module, random));
  }

  /// Likewise, of what reads an element.
  std::string usersBy(const std::string &text) {
    SCOPED_TRACE(text);
    const Program program = parsed(text);
    if (program.modules.empty()) return "";
    const Module &module = program.modules[0];
    Random random(7);
    checked(module, random);
    ProgramIndexing maps(module);
    const auto users = maps.computation(
        module.entry, LeafId(0), ParameterLeaf{0}, Direction::InputToOutput);
    return linesOf(maps.byCases(*users));
  }

  static std::string linesOf(const IndexingRelation &split) {
    std::vector<std::string> lines;
    for (const IndexingMap &piece : split.pieces())
      lines.push_back(piece.strOneLine());
    std::sort(lines.begin(), lines.end());
    std::string out;
    for (const std::string &line : lines) out += line + "\n";
    return out;
  }

  static std::string slicedAt(const std::string &start) {
    return "HloModule m\nENTRY e {\n  p = f32[8,3] parameter(0)\n" + start +
           "\n  z = s32[] constant(0)\n"
           "  ROOT r = f32[1,3] dynamic-slice(p, s, z), "
           "dynamic_slice_sizes={1,3}\n}\n";
  }
  std::string sliceAt(const std::string &start) {
    return cases(slicedAt(start));
  }
};

constexpr char kNegativeRows[] =
    "(d0, d1){rt0} -> (max(rt0 + 8, 0), d1), domain: d0 in [0, 0], d1 in [0, "
    "2], rt0 in [-2147483648, -1]\n"
    "(d0, d1){rt0} -> (min(rt0, 7), d1), domain: d0 in [0, 0], d1 in [0, 2], "
    "rt0 in [0, 2147483647]\n";

TEST_F(ValueCasesTest, NegativeIndicesCountFromTheEnd) {
  EXPECT_EQ(sliceAt("  i = s32[] parameter(1)\n  n = s32[] constant(8)\n"
                    "  c = pred[] compare(i, z), direction=LT\n"
                    "  a = s32[] add(i, n)\n"
                    "  s = s32[] select(c, a, i)"),
            kNegativeRows);
  // The reads of an element are two maps as well.
  EXPECT_EQ(usersBy(slicedAt("  i = s32[] parameter(1)\n"
                             "  n = s32[] constant(8)\n"
                             "  c = pred[] compare(i, z), direction=LT\n"
                             "  a = s32[] add(i, n)\n"
                             "  s = s32[] select(c, a, i)")),
            "(d0, d1){rt0} -> (0, d1), domain: d0 in [0, 7], d1 in [0, 2], rt0 "
            "in [-2147483648, -1], d0 + min(0, -rt0 - 8) in [-inf, 0], d0 - "
            "rt0 in [8, inf]\n"
            "(d0, d1){rt0} -> (0, d1), domain: d0 in [0, 7], d1 in [0, 2], rt0 "
            "in [0, 2147483647], d0 + max(-7, -rt0) in [0, inf], d0 - rt0 in "
            "[-inf, 0]\n");
  // The other way around.
  EXPECT_EQ(sliceAt("  i = s32[] parameter(1)\n  n = s32[] constant(8)\n"
                    "  c = pred[] compare(i, z), direction=GE\n"
                    "  a = s32[] add(n, i)\n"
                    "  s = s32[] select(c, i, a)"),
            kNegativeRows);
  // Without a sign nothing is negative.
  EXPECT_EQ(sliceAt("  i = u32[] parameter(1)\n  n = u32[] constant(8)\n"
                    "  y = u32[] constant(0)\n"
                    "  c = pred[] compare(i, y), direction=LT\n"
                    "  a = u32[] add(i, n)\n"
                    "  s = u32[] select(c, a, i)"),
            "(d0, d1){rt0} -> (rt0, d1), domain: d0 in [0, 0], d1 in [0, 2], "
            "rt0 in [0, 7]\n");
}

TEST_F(ValueCasesTest, CallsAreLookedInto) {
  EXPECT_EQ(cases("HloModule m\n"
                  "where { c = pred[] parameter(0) x = s32[] parameter(1)\n"
                  "  y = s32[] parameter(2)\n"
                  "  ROOT w = s32[] select(c, x, y) }\n"
                  "ENTRY e {\n  p = f32[8,3] parameter(0)\n"
                  "  i = s32[] parameter(1)\n  n = s32[] constant(8)\n"
                  "  z = s32[] constant(0)\n"
                  "  c = pred[] compare(i, z), direction=LT\n"
                  "  a = s32[] add(i, n)\n"
                  "  s = s32[] call(c, a, i), to_apply=where\n"
                  "  ROOT r = f32[1,3] dynamic-slice(p, s, z), "
                  "dynamic_slice_sizes={1,3}\n}\n"),
            kNegativeRows);
  // From inside: the index is computed in the fusion that reads.
  EXPECT_EQ(cases("HloModule m\n"
                  "f { q = f32[8,3] parameter(0) j = s32[] parameter(1)\n"
                  "  y = s32[] constant(0) n = s32[] constant(8)\n"
                  "  c = pred[] compare(j, y), direction=LT\n"
                  "  a = s32[] add(j, n)  s = s32[] select(c, a, j)\n"
                  "  ROOT w = f32[1,3] dynamic-slice(q, s, y), "
                  "dynamic_slice_sizes={1,3} }\n"
                  "ENTRY e {\n  p = f32[8,3] parameter(0)\n"
                  "  i = s32[] parameter(1)\n"
                  "  ROOT r = f32[1,3] fusion(p, i), kind=kLoop, calls=f\n}\n"),
            kNegativeRows);
}

TEST_F(ValueCasesTest, EachRowOfABatchIsItsOwn) {
  EXPECT_EQ(cases("HloModule m\nENTRY e {\n  p = f32[8] parameter(0)\n"
                  "  i = s32[5] parameter(1)\n  n = s32[] constant(8)\n"
                  "  m = s32[5] broadcast(n), dimensions={}\n"
                  "  z = s32[] constant(0)\n"
                  "  y = s32[5] broadcast(z), dimensions={}\n"
                  "  c = pred[5] compare(i, y), direction=LT\n"
                  "  a = s32[5] add(i, m)\n  s = s32[5] select(c, a, i)\n"
                  "  ROOT r = f32[5] gather(p, s), offset_dims={}, "
                  "collapsed_slice_dims={0}, start_index_map={0}, "
                  "index_vector_dim=1, slice_sizes={1}\n}\n"),
            "(d0){rt0} -> (max(rt0 + 8, 0)), domain: d0 in [0, 4], rt0 in "
            "[-2147483648, -1]\n"
            "(d0){rt0} -> (min(rt0, 7)), domain: d0 in [0, 4], rt0 in [0, "
            "2147483647]\n");
}

TEST_F(ValueCasesTest, WhatWrapsStays) {
  auto pieces = [](const std::string &text) {
    return std::count(text.begin(), text.end(), '\n');
  };
  EXPECT_EQ(pieces(sliceAt("  i = s32[] parameter(1)\n  n = s32[] constant(8)\n"
                           "  s = s32[] add(i, n)")),
            1);
  EXPECT_EQ(pieces(sliceAt("  i = s8[] parameter(1)\n  n = s8[] constant(5)\n"
                           "  j = s8[] add(i, n)\n  s = s32[] convert(j)")),
            1);
  // One that does not.
  EXPECT_EQ(pieces(sliceAt("  i = s8[] parameter(1)\n  j = s32[] convert(i)\n"
                           "  n = s32[] constant(5)\n  s = s32[] add(j, n)")),
            1);
  // The bounds of a clamp are reversed: the upper one is applied last.
  EXPECT_EQ(pieces(sliceAt("  i = s32[] parameter(1)\n  l = s32[] constant(6)\n"
                           "  h = s32[] constant(2)\n"
                           "  s = s32[] clamp(l, i, h)")),
            1);
  // The smallest number has no absolute value.
  EXPECT_EQ(pieces(sliceAt("  i = s32[] parameter(1)\n  s = s32[] abs(i)")), 1);
  EXPECT_EQ(pieces(sliceAt("  i = s8[] parameter(1)\n  j = s32[] convert(i)\n"
                           "  s = s32[] abs(j)")),
            2);
  // 64 bits: an open end is the type's.
  EXPECT_EQ(pieces(sliceAt("  i = s64[] parameter(1)\n  n = s64[] constant(8)\n"
                           "  y = s64[] constant(0)\n"
                           "  c = pred[] compare(i, y), direction=LT\n"
                           "  a = s64[] add(i, n)\n"
                           "  s = s64[] select(c, a, i)")),
            2);
  EXPECT_EQ(pieces(sliceAt("  i = s64[] parameter(1)\n  n = s64[] constant(8)\n"
                           "  y = s64[] constant(0)\n"
                           "  c = pred[] compare(i, y), direction=GT\n"
                           "  a = s64[] add(i, n)\n"
                           "  s = s64[] select(c, a, i)")),
            1);
}

TEST_F(ValueCasesTest, TwoIndicesHaveTwoCasesEach) {
  const std::string two = cases(
      "HloModule m\nENTRY e {\n  p = f32[8,9] parameter(0)\n"
      "  i = s32[] parameter(1)\n  j = s32[] parameter(2)\n"
      "  z = s32[] constant(0)\n  n = s32[] constant(8)\n"
      "  m = s32[] constant(9)\n"
      "  c = pred[] compare(i, z), direction=LT\n  a = s32[] add(i, n)\n"
      "  s = s32[] select(c, a, i)\n"
      "  d = pred[] compare(j, z), direction=LT\n  b = s32[] add(j, m)\n"
      "  t = s32[] select(d, b, j)\n"
      "  ROOT r = f32[1,1] dynamic-slice(p, s, t), "
      "dynamic_slice_sizes={1,1}\n}\n");
  EXPECT_EQ(std::count(two.begin(), two.end(), '\n'), 4) << two;
  EXPECT_NE(two.find("(max(rt0 + 8, 0), min(rt1, 8))"), std::string::npos)
      << two;
}

/// A slice of p at an index that is computed of two numbers.
std::string randomIndex(Random &random) {
  const IntegerType &type = kIntegerTypes[random.in(0, 9)];
  std::string text = "HloModule m\nENTRY e {\n  p = f32[7] parameter(0)\n";
  const std::string shape = std::string(type.name) + "[] ";
  std::vector<std::string> values, truths;
  auto define = [&](const std::string &what, bool truth = false) {
    auto &list = truth ? truths : values;
    const std::string name = (truth ? "t" : "v") + std::to_string(list.size());
    text += "  " + name + " = " + (truth ? "pred[] " : shape) + what + "\n";
    list.push_back(name);
  };
  auto any = [&] { return values[random.in(0, values.size() - 1)]; };
  define("parameter(1)");
  define("parameter(2)");
  for (int k = 0; k < 3; ++k)
    define(std::string("constant(") +
           type.literals[random.in(0, type.literals.size() - 1)] + ")");
  static const char *const kBinary[] = {"add",     "subtract",  "multiply",
                                        "maximum", "minimum",   "divide",
                                        "add",     "remainder", "subtract"};
  static const char *const kDirections[] = {"LT", "LE", "GT", "GE", "EQ", "NE"};
  for (int64_t k = random.in(1, 6); k > 0; --k) {
    switch (random.in(0, 6)) {
      case 0:
      case 1:
        define("compare(" + any() + ", " + any() +
                   "), direction=" + kDirections[random.in(0, 5)],
               true);
        define("select(" + truths.back() + ", " + any() + ", " + any() + ")");
        break;
      case 2:
        define("clamp(" + any() + ", " + any() + ", " + any() + ")");
        break;
      case 3:
        define((random.oneIn(2) ? "negate(" : "abs(") + any() + ")");
        break;
      default:
        define(std::string(kBinary[random.in(0, 8)]) + "(" + any() + ", " +
               any() + ")");
    }
  }
  return text + "  ROOT r = f32[2] dynamic-slice(p, " + values.back() +
         "), dynamic_slice_sizes={2}\n}\n";
}

TEST_F(ValueCasesTest, RandomIndices) {
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  const uint64_t count = 3000 * fromEnvironment("INDEXICAL_VALUE_CASES", 1);
  int64_t split = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    const std::string text = randomIndex(random);
    SCOPED_TRACE("INDEXICAL_SEED=" + std::to_string(seed) + "\n" + text);
    const Program program = parsed(text);
    ASSERT_FALSE(program.modules.empty());
    split += checked(program.modules[0], random, 6).pieces().size() > 1;
    if (HasFailure()) return;
  }
  printf("  %lld of %lld by cases\n", static_cast<long long>(split),
         static_cast<long long>(count));
  EXPECT_GT(split, static_cast<int64_t>(count) / 20);
}

}  // namespace
}  // namespace indexical::testing
