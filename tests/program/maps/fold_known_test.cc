// Runtime variables whose value is known, written as that value.
//
// Starts of slices and indices of gathers are constants, iotas, or moved from
// them. The folded relation is the one that a run of the program has, and no
// runtime variable is left. If nothing is known of a variable, it stays.
#include "indexical/program/maps/fold_known.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "tests/support/program_run.h"

namespace indexical::testing {
namespace {

std::string textOf(const IndexingRelation &relation) {
  std::string text;
  for (const IndexingMap &piece : relation.pieces())
    text += (text.empty() ? "" : "\n") + piece.strOneLine();
  return text;
}

/// Returns as text what the root of `ENTRY e { p = … }` reads of p. Checks the
/// maps of both directions against a run.
std::string folded(const std::string &body) {
  const std::string text = "HloModule m\nENTRY e {\n" + body + "\n}";
  auto program = parseHlo(text);
  EXPECT_TRUE(program.ok()) << program.status() << "\n" << text;
  if (!program.ok()) return "";
  const Module &module = program->modules[0];
  const Computation &entry = module.computations[0];
  ProgramIndexing maps(module);
  Random random(1);
  const ProgramRun run(module, 0, random);
  const RunWorld world(run, maps);
  auto reads = maps.computation(ComputationId(0), LeafId(0), ParameterLeaf{0},
                                Direction::OutputToInput);
  auto users = maps.computation(ComputationId(0), LeafId(0), ParameterLeaf{0},
                                Direction::InputToOutput);
  EXPECT_TRUE(reads.ok() && users.ok());
  if (!reads.ok() || !users.ok()) return "";
  std::vector<Pair> expected =
      run.pairs({entry.root, 0}, ProgramRun::Leaf{entry.parameters[0], 0});
  EXPECT_EQ(difference(expected, pairsOf(*reads, world)), "") << body;
  for (Pair &pair : expected) std::swap(pair.first, pair.second);
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(difference(expected, pairsOf(*users, world)), "") << body;
  EXPECT_EQ(reads->precision(), Precision::Exact);
  return textOf(*reads);
}

TEST(FoldTest, Constants) {
  auto slice = [](const std::string &start) {
    return folded("  p = f32[20] parameter(0)\n  c = " + start +
                  "\n  ROOT r = f32[4] dynamic-slice(p, c), "
                  "dynamic_slice_sizes={4}");
  };
  EXPECT_EQ(slice("s32[] constant(7)"),
            "(d0) -> (d0 + 7), domain: d0 in [0, 3]");
  // The clamp is kept.
  EXPECT_EQ(slice("s32[] constant(19)"),
            "(d0) -> (d0 + 16), domain: d0 in [0, 3]");
  EXPECT_EQ(slice("s32[] constant(-5)"), "(d0) -> (d0), domain: d0 in [0, 3]");
  EXPECT_EQ(slice("s64[] constant(9223372036854775807)"),
            "(d0) -> (d0 + 16), domain: d0 in [0, 3]");
  // No expression holds these two: they stay, as exact as before.
  const std::string open =
      "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 3], rt0 in [0, 16]";
  EXPECT_EQ(slice("s64[] constant(-9223372036854775808)"), open);
  EXPECT_EQ(slice("u64[] constant(18446744073709551615)"), open);
  EXPECT_EQ(slice("u8[] constant(200)"),
            "(d0) -> (d0 + 16), domain: d0 in [0, 3]");
  EXPECT_EQ(slice("s32[] parameter(1)"), open);
}

TEST(FoldTest, WhatMovesOneIsFollowed) {
  auto slice = [](const std::string &defs) {
    return folded("  p = f32[20] parameter(0)\n" + defs +
                  "\n  ROOT r = f32[4] dynamic-slice(p, c), "
                  "dynamic_slice_sizes={4}");
  };
  const std::string seven = "(d0) -> (d0 + 7), domain: d0 in [0, 3]";
  EXPECT_EQ(slice("  a = s32[] constant(7)\n  c = s32[] copy(a)"), seven);
  EXPECT_EQ(slice("  a = s32[1] constant({7})\n  c = s32[] reshape(a)"), seven);
  EXPECT_EQ(slice("  a = s32[] constant(7)\n  c = s64[] convert(a)"), seven);
  EXPECT_EQ(slice("  a = s32[3] constant({5, 6, 7})\n"
                  "  b = s32[1] slice(a), slice={[2:3]}\n"
                  "  c = s32[] reshape(b)"),
            seven);
  EXPECT_EQ(slice("  a = s32[9] iota(), iota_dimension=0\n"
                  "  b = s32[1] slice(a), slice={[7:8]}\n"
                  "  c = s32[] reshape(b)"),
            seven);
  EXPECT_EQ(slice("  a = s32[] constant(7)\n"
                  "  b = s32[2,3] broadcast(a), dimensions={}\n"
                  "  d = s32[1,1] slice(b), slice={[1:2], [0:1]}\n"
                  "  e = s32[1,1] transpose(d), dimensions={1,0}\n"
                  "  c = s32[] reshape(e)"),
            seven);
  // So is what is computed of it, but not bit by bit.
  EXPECT_EQ(slice("  a = s32[] constant(2)\n  c = s32[] negate(a)"),
            "(d0) -> (d0), domain: d0 in [0, 3]");
  EXPECT_EQ(slice("  a = s32[] constant(2)\n  c = s32[] add(a, a)"),
            "(d0) -> (d0 + 4), domain: d0 in [0, 3]");
  EXPECT_EQ(slice("  a = s32[] constant(2)\n  c = s32[] xor(a, a)"),
            "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 3], rt0 in [0, 16]");
}

// A conversion to a type that does not hold the value gives another one.
TEST(FoldTest, NarrowConversionsAreNotFollowed) {
  auto program = parseHlo(
      "ENTRY e { p = f32[900] parameter(0) a = s32[] constant(300) "
      "b = s8[] convert(a) c = s32[] convert(b) "
      "ROOT r = f32[4] dynamic-slice(p, c), dynamic_slice_sizes={4} }");
  ASSERT_TRUE(program.ok()) << program.status();
  ProgramIndexing maps(program->modules[0]);
  auto reads = maps.computation(ComputationId(0), LeafId(0), ParameterLeaf{0},
                                Direction::OutputToInput);
  ASSERT_TRUE(reads.ok());
  EXPECT_EQ(textOf(*reads),
            "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 3], rt0 in [0, 896]");
}

TEST(FoldTest, Iotas) {
  auto gather = [](const std::string &indices, int64_t rows, int64_t of) {
    return folded("  p = f32[" + std::to_string(of) + ",2] parameter(0)\n" +
                  indices + "\n  ROOT r = f32[" + std::to_string(rows) +
                  ",2] gather(p, i), offset_dims={1}, "
                  "collapsed_slice_dims={0}, start_index_map={0}, "
                  "index_vector_dim=1, slice_sizes={1,2}");
  };
  EXPECT_EQ(gather("  i = s32[5] iota(), iota_dimension=0", 5, 9),
            "(d0, d1) -> (d0, d1), domain: d0 in [0, 4], d1 in [0, 1]");
  // Indices out of range are clamped: one of the two pieces is d0 = 5 to 7.
  const std::string clamped =
      gather("  i = s32[8] iota(), iota_dimension=0", 8, 5);
  EXPECT_NE(clamped.find("(d0, d1) -> (d0, d1), domain: d0 in [0, 4]"),
            std::string::npos)
      << clamped;
  EXPECT_NE(clamped.find("(d0, d1) -> (4, d1), domain: d0 in [5, 7]"),
            std::string::npos)
      << clamped;
  EXPECT_EQ(gather("  j = s32[5,4] iota(), iota_dimension=1\n"
                   "  k = s32[1,4] slice(j), slice={[3:4], [0:4]}\n"
                   "  i = s32[4] reshape(k)",
                   4, 9),
            "(d0, d1) -> (d0, d1), domain: d0 in [0, 3], d1 in [0, 1]");
  EXPECT_EQ(gather("  j = s32[9] iota(), iota_dimension=0\n"
                   "  i = s32[4] slice(j), slice={[1:9:2]}",
                   4, 9),
            "(d0, d1) -> (d0 * 2 + 1, d1), domain: d0 in [0, 3], d1 in [0, 1]");
  // A literal whose elements grow by one step is a formula of the index.
  EXPECT_EQ(gather("  i = s32[3] constant({1, 3, 5})", 3, 9),
            "(d0, d1) -> (d0 * 2 + 1, d1), domain: d0 in [0, 2], d1 in [0, 1]");
  // Any other one falls into runs of such elements.
  const std::string runs =
      gather("  i = s32[5] constant({4, 5, 6, 1, 1})", 5, 9);
  EXPECT_NE(runs.find("(d0, d1) -> (d0 + 4, d1), domain: d0 in [0, 2]"),
            std::string::npos)
      << runs;
  EXPECT_NE(runs.find("(d0, d1) -> (1, d1), domain: d0 in [3, 4]"),
            std::string::npos)
      << runs;
  EXPECT_EQ(gather("  i = s32[3] constant({4, 4, 4})", 3, 9),
            "(d0, d1) -> (4, d1), domain: d0 in [0, 2], d1 in [0, 1]");
}

// Which parts are read and which written depends on the value.
TEST(FoldTest, DynamicUpdateSlice) {
  auto update = [](const std::string &start) {
    return folded(
        "  p = f32[9] parameter(0)\n  u = f32[3] parameter(1)\n  c = " + start +
        "\n  ROOT r = f32[9] dynamic-update-slice(p, u, c)");
  };
  EXPECT_EQ(update("s32[] constant(0)"), "(d0) -> (d0), domain: d0 in [3, 8]");
  EXPECT_EQ(update("s32[] constant(99)"), "(d0) -> (d0), domain: d0 in [0, 5]");
  const std::string middle = update("s32[] constant(4)");
  EXPECT_NE(middle.find("domain: d0 in [0, 3]"), std::string::npos) << middle;
  EXPECT_NE(middle.find("domain: d0 in [7, 8]"), std::string::npos) << middle;
}

TEST(FoldTest, ComputedIndices) {
  // JAX writes this for x[arange(4), i]. A negative index counts from the end,
  // but an iota's index is never negative.
  const std::string program =
      "  p = f32[4,8] parameter(0)\n  i = s32[4,1] parameter(1)\n"
      "  n = s32[4,1] iota(), iota_dimension=0\n"
      "  z = s32[4,1] broadcast(zero), dimensions={}\n"
      "  four = s32[] constant(4)\n  zero = s32[] constant(0)\n"
      "  f = s32[4,1] broadcast(four), dimensions={}\n"
      "  l = pred[4,1] compare(n, z), direction=LT\n"
      "  a = s32[4,1] add(n, f)\n"
      "  s = s32[4,1] select(l, a, n)\n"
      "  c = s32[4,2] concatenate(s, i), dimensions={1}\n";
  EXPECT_EQ(
      folded(program + "  ROOT r = f32[4] gather(p, c), offset_dims={}, "
                       "collapsed_slice_dims={0,1}, start_index_map={0,1}, "
                       "index_vector_dim=1, slice_sizes={1,1}"),
      "(d0){rt0} -> (d0, rt0), domain: d0 in [0, 3], rt0 in [0, 7]");
  auto slice = [](const std::string &start) {
    return folded(
        "  p = f32[20] parameter(0)\n  one = s32[] constant(1)\n"
        "  seven = s32[] constant(7)\n" +
        start +
        "\n  ROOT r = f32[4] dynamic-slice(p, c), "
        "dynamic_slice_sizes={4}");
  };
  EXPECT_EQ(slice("  c = s32[] add(seven, one)"),
            "(d0) -> (d0 + 8), domain: d0 in [0, 3]");
  EXPECT_EQ(slice("  c = s32[] clamp(one, seven, one)"),
            "(d0) -> (d0 + 1), domain: d0 in [0, 3]");
  // 7 - 1 - 7 is clamped to 0.
  EXPECT_EQ(slice("  a = s32[] subtract(one, seven)\n"
                  "  c = s32[] add(a, one)"),
            "(d0) -> (d0), domain: d0 in [0, 3]");
  // 100 + 100 leaves s8. The value is then not known.
  EXPECT_EQ(slice("  h = s8[] constant(100)\n  c = s8[] add(h, h)"),
            "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 3], rt0 in [0, 16]");
  EXPECT_EQ(slice("  z = s32[] constant(0)\n"
                  "  c = s32[] divide(seven, z)"),
            "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 3], rt0 in [0, 16]");
}

// foldKnown alone: a variable of any relation, by whatever is known of it.
TEST(FoldTest, FoldKnown) {
  IndexingMapBuilder b;
  Expr d0 = b.dimension({0, 9});
  Expr clamped = b.runtimeElement({2, 5}, true, 1, {d0});
  Expr plain = b.runtimeElement({2, 5}, false, 2, {d0});
  b.result(clamped);
  b.result(plain);
  IndexingRelation relation(*b.build());
  relation.weaken(Precision::Cover);
  auto known = [](const RuntimeSource &source, IndexingMapBuilder &,
                  llvm::ArrayRef<Expr> index, IndexBounds,
                  Choices &) -> std::optional<Expr> {
    if (source.tensor == 1) return index[0] * 2 - 4;
    return std::nullopt;
  };
  auto result = foldKnown(relation, known);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->precision(), Precision::Cover);
  class Known : public World {
   public:
    Known() : World(3) {}
    std::optional<int64_t> element(
        int64_t tensor, llvm::ArrayRef<int64_t> index) const override {
      return tensor == 1 ? index[0] * 2 - 4 : World::element(tensor, index);
    }
  };
  EXPECT_EQ(difference(pairsOf(relation, Known()), pairsOf(*result, Known())),
            "")
      << textOf(*result);
  for (const IndexingMap &piece : result->pieces())
    for (const RuntimeVariable &variable : piece.runtime())
      EXPECT_EQ(variable.source.tensor, 2);

  // An element that is not clamped restricts the domain to where it is inside.
  auto other = [](const RuntimeSource &source, IndexingMapBuilder &,
                  llvm::ArrayRef<Expr> index, IndexBounds,
                  Choices &) -> std::optional<Expr> {
    if (source.tensor == 2) return index[0];
    return std::nullopt;
  };
  result = foldKnown(relation, other);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(textOf(*result),
            "(d0){rt0} -> (rt0, d0), domain: d0 in [2, 5], rt0 in [2, 5]");
  auto nothing = [](const RuntimeSource &, IndexingMapBuilder &,
                    llvm::ArrayRef<Expr>, IndexBounds,
                    Choices &) -> std::optional<Expr> { return std::nullopt; };
  EXPECT_TRUE(*foldKnown(relation, nothing) == relation);
}

}  // namespace
}  // namespace indexical::testing
