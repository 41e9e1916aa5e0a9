// Tiles of small programs, as text: what each kind of op does to one.
#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/cost/tiles/tile.h"
#include "tests/support/program_reads.h"

namespace indexical::testing {
namespace {

/// The tiles of the entry's root, of these sizes, as text.
std::string tilesOfEntry(const std::string &text,
                         llvm::ArrayRef<TileExtent> sizes,
                         llvm::ArrayRef<TileExtent> strides = {}) {
  const Program program = parsed(text);
  const Module &module = program.modules.at(0);
  const Computation &computation = module.computations[module.entry];
  RootTile root;
  const auto &shape =
      shapesOf(computation.instructions[computation.root].op).results[0];
  root.shape.assign(shape.dimensions.begin(), shape.dimensions.end());
  root.sizes.assign(sizes.begin(), sizes.end());
  root.strides.assign(strides.begin(), strides.end());
  ProgramIndexing maps(module);
  auto tiles = tilesOf(maps, {module.entry, computation.root}, root);
  if (!tiles.ok()) return std::string(tiles.status().message());
  std::string out;
  for (const InstructionTile &tile : *tiles) {
    const SymbolicTile &t = tile.tile;
    out += computation.instructions[tile.instruction].name.str();
    for (size_t m = 0; m < t.memberCount(); ++m)
      out += " [" + t.str(t.memberOffsets()[m]) + ", " +
             t.str(t.memberSizes()[m]) + "]";
    for (InstructionId i : tile.path)
      out += " < " + computation.instructions[i].name.str();
    for (auto forms : {t.offsets(), t.sizes(), t.strides()}) {
      out += " (";
      for (size_t k = 0; k < forms.size(); ++k)
        out += (k ? ", " : "") + t.str(forms[k]);
      out += ")";
    }
    if (t.isRead()) out += " read " + t.str(*t.isRead());
    for (const Constraint &condition : t.conditions())
      out += ", " + t.str(condition);
    if (!t.isExact())
      out +=
          std::string(t.isLeast() ? " least" : "") +
          " cover: " + std::to_string(t.reason()->dimension) + ", " +
          t.reason()->expression() +
          (t.reason()->member().empty() ? ""
                                        : "member " + t.reason()->member()) +
          ", behind " +
          (tile.lostAt < 0 ? "nothing"
                           : computation.instructions[tile.lostAt].name.str());
    out += "\n";
  }
  return out;
}

const TileExtent kA = TileExtent::symbol("a"), kB = TileExtent::symbol("b");

TileExtent number(int64_t value) { return TileExtent::of(value); }

TEST(TileExamplesTest, ConditionsThatNoSizeMeets) {
  const std::string reshape =
      "f { p = f32[4,32,3] parameter(0) ROOT r = f32[8,6,8] reshape(p) }";
  EXPECT_NE(tilesOfEntry(reshape, {number(4), kA, number(2)})
                .find(" cover: 1, (d0 mod 2) * 16 + (d1 * 8 + d2) "
                      "floordiv 3, behind r\n"),
            std::string::npos)
      << tilesOfEntry(reshape, {number(4), kA, number(2)});
  for (int64_t a = 1; a <= 6; ++a)
    EXPECT_NE(
        tilesOfEntry(reshape, {number(4), number(a), number(2)}).find("cover"),
        std::string::npos)
        << a;
  // Sizes of 1 are met by all.
  EXPECT_EQ(tilesOfEntry(reshape, {number(1), kA, number(1)}).find("cover"),
            std::string::npos);
}

TEST(TileExamplesTest, AMapThatEndsBeforeTheRootCutsTiles) {
  // The last tile of 6 reads 5 elements: two rows and a half.
  const std::string ends =
      "f { p = f32[9,2] parameter(0) r = f32[18] reshape(p)\n"
      "    s = f32[17] slice(r), slice={[0:17]} q = f32[1] parameter(1)\n"
      "    ROOT c = f32[18] concatenate(s, q), dimensions={0} }";
  EXPECT_NE(tilesOfEntry(ends, {number(6)}).find("cover: 0, d0 floordiv 2"),
            std::string::npos)
      << tilesOfEntry(ends, {number(6)});
  EXPECT_EQ(tilesOfEntry(ends, {number(2)}).find("cover"), std::string::npos)
      << tilesOfEntry(ends, {number(2)});
}

TEST(TileExamplesTest, ReshapeThatSplitsAndMerges) {
  const std::string reshape =
      "f { p = f32[12,4] parameter(0) ROOT r = f32[4,12] reshape(p) }";
  EXPECT_EQ(tilesOfEntry(reshape, {number(2), number(4)}),
            "r (o0, o1) (2, 4) (1, 1)\n"
            "p (o0 * 3 + o1 floordiv 4, o1 mod 4) (2, 4) (3, 1)\n");
  EXPECT_EQ(tilesOfEntry(reshape, {number(1), number(12)}),
            "r (o0, 0) (1, 12) (1, 1)\n"
            "p (o0 * 3, 0) (3, 4) (1, 1)\n");
  EXPECT_NE(tilesOfEntry(reshape, {number(2), number(8)})
                .find(" least cover: 0, d0 * 3 + d1 floordiv 4, behind r\n"),
            std::string::npos);
  // Either a is 1, or b at most 4, or b is 12.
  EXPECT_NE(
      tilesOfEntry(reshape, {kA, kB})
          .find("((((b + 3) floordiv 4) floordiv 2) * -2 + 3, 1), ((a - 1) * "
                "((b + 3) floordiv 4 - 1)) * (-((b + 3) floordiv 4) + 3) in "
                "[0, 0], (b mod 4) * ((4) mod b) in [0, 0]\n"),
      std::string::npos)
      << tilesOfEntry(reshape, {kA, kB});
}

TEST(TileExamplesTest, ReshapesThatCancelLeaveNothing) {
  EXPECT_EQ(
      tilesOfEntry("f { p = f32[12,4] parameter(0) t = f32[6,8] reshape(p) "
                   "ROOT r = f32[12,4] reshape(t) }",
                   {number(5), number(3)})
          .substr(0, 26),
      "r (o0, o1) (5, 3) (1, 1)\nt");
  const std::string tiles = tilesOfEntry(
      "f { p = f32[12,4] parameter(0) t = f32[6,8] reshape(p) "
      "ROOT r = f32[12,4] reshape(t) }",
      {number(5), number(3)});
  EXPECT_NE(tiles.find("\np < t (o0, o1) (5, 3) (1, 1)\n"), std::string::npos)
      << tiles;
}

TEST(TileExamplesTest, SplitBehindATranspose) {
  EXPECT_EQ(
      tilesOfEntry("f { p = f32[32,8] parameter(0) t = f32[8,32] "
                   "transpose(p), dimensions={1,0} ROOT r = f32[256] "
                   "reshape(t) }",
                   {kA}),
      "r (o0) (a) (1)\n"
      "t (o0 floordiv 32, o0 mod 32) ((a + 31) floordiv 32, a - ((a - 1) "
      "floordiv 32) * 32) (1, 1), (a mod 32) * ((32) mod a) in [0, 0]\n"
      "p < t (o0 mod 32, o0 floordiv 32) (a - ((a - 1) floordiv 32) * 32, (a "
      "+ 31) floordiv 32) (1, 1), (a mod 32) * ((32) mod a) in [0, 0]\n");
}

TEST(TileExamplesTest, SliceCutsWhereTheRootEnds) {
  EXPECT_EQ(tilesOfEntry("f { p = f32[100] parameter(0) ROOT s = f32[40] "
                         "slice(p), slice={[5:85:2]} }",
                         {number(16)}),
            "s (o0) (16) (1)\n"
            "p (o0 * 2 + 5) (((o0 + 15) floordiv 40) * -8 + 16) (2)\n");
  EXPECT_EQ(tilesOfEntry("f { p = f32[100] parameter(0) ROOT s = f32[40] "
                         "slice(p), slice={[5:85:2]} }",
                         {number(8)}, {number(3)})
                .substr(0, 18),
            "s (o0) (8) (3)\np (");
}

TEST(TileExamplesTest, ReversesArePastTheEnd) {
  EXPECT_EQ(tilesOfEntry("f { p = f32[40] parameter(0) ROOT r = f32[40] "
                         "reverse(p), dimensions={0} }",
                         {kA}),
            "r (o0) (a) (1)\np (-o0 - a + 40) (a) (1)\n");
}

TEST(TileExamplesTest, PartsOfAConcatenateAreCutByTheirShapes) {
  EXPECT_EQ(tilesOfEntry("f { p = f32[100] parameter(0) q = f32[20] "
                         "parameter(1) ROOT r = f32[120] concatenate(p, q), "
                         "dimensions={0} }",
                         {kA}),
            "r (o0) (a) (1)\nq (o0 - 100) (a) (1)\np (o0) (a) (1)\n");
}

TEST(TileExamplesTest, PaddingIsCutByTheShape) {
  EXPECT_EQ(tilesOfEntry("f { p = f32[100] parameter(0) z = f32[] constant(0) "
                         "ROOT r = f32[112] pad(p, z), padding=4_8 }",
                         {kA}),
            "r (o0) (a) (1)\n"
            "z () () () read (min(a, -o0 + 4) + 218) floordiv 219\n"
            "z () () () read (min(104, o0) - (((o0 + a - 1) floordiv 112) * (a "
            "- (112) mod a)) + a + 117) floordiv 222\n"
            "p (o0 - 4) (a) (1)\n");
}

TEST(TileExamplesTest, AScalarThatSomeTilesDoNotRead) {
  const std::string pad =
      "f { p = f32[8] parameter(0)  z = f32[] parameter(1)\n"
      "    ROOT r = f32[10] pad(p, z), padding=2_0 }";
  EXPECT_NE(tilesOfEntry(pad, {number(2)}).find("z () () () read "),
            std::string::npos)
      << tilesOfEntry(pad, {number(2)});
  // One tile is the whole root, which reads it.
  EXPECT_NE(tilesOfEntry(pad, {number(10)}).find("z () () ()\n"),
            std::string::npos)
      << tilesOfEntry(pad, {number(10)});
  const std::string broadcast =
      "f { z = f32[] parameter(0)\n"
      "    ROOT r = f32[10] broadcast(z), dimensions={} }";
  EXPECT_NE(tilesOfEntry(broadcast, {kA}).find("z () () ()\n"),
            std::string::npos);
}

// Seven rows after one another have all remainders by 2, wherever they begin.
TEST(TileExamplesTest, ADigitHasAllOfItsValues) {
  EXPECT_NE(tilesOfEntry("f { p = s8[8] parameter(0)\n"
                         "    b = s8[8,7] broadcast(p), dimensions={0}\n"
                         "    t = s8[7,8] transpose(b), dimensions={1,0}\n"
                         "    ROOT r = s8[14,4] reshape(t) }",
                         {number(7), number(1)})
                .find("p < t < b (o1) (2) (4)\n"),
            std::string::npos);
}

TEST(TileExamplesTest, DotReadsRowsAndColumns) {
  EXPECT_EQ(tilesOfEntry("f { p = f32[16,64] parameter(0) q = f32[64,32] "
                         "parameter(1) ROOT r = f32[16,32] dot(p, q), "
                         "lhs_contracting_dims={1}, rhs_contracting_dims={0} }",
                         {kA, kB}),
            "r (o0, o1) (a, b) (1, 1)\n"
            "q (0, o1) (64, b) (1, 1)\np (o0, 0) (a, 64) (1, 1)\n");
}

TEST(TileExamplesTest, WindowsOverlap) {
  EXPECT_EQ(
      tilesOfEntry(
          "sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] "
          "add(a, b) } ENTRY f { p = f32[64] parameter(0) z = f32[] "
          "constant(0) ROOT r = f32[32] reduce-window(p, z), window={size=3 "
          "stride=2 pad=1_0}, to_apply=sum }",
          {number(8)}),
      "r (o0) (8) (1)\nz () () ()\np (o0 * 2 - 1) (17) (1)\n");
}

TEST(TileExamplesTest, RuntimeOffsets) {
  EXPECT_EQ(tilesOfEntry("f { p = f32[16,64] parameter(0) i = s32[] "
                         "parameter(1) ROOT r = f32[4,64] dynamic-slice(p, i, "
                         "i), dynamic_slice_sizes={4,64} }",
                         {number(2), kB}),
            "r (o0, o1) (2, b) (1, 1)\ni () () ()\n"
            "p (o0 + rt0, o1) (2, b) (1, 1)\n");
  // Every row another one.
  EXPECT_NE(
      tilesOfEntry("f { p = f32[16,64] parameter(0) i = s32[8] parameter(1) "
                   "ROOT r = f32[8,64] gather(p, i), offset_dims={1}, "
                   "collapsed_slice_dims={0}, start_index_map={0}, "
                   "index_vector_dim=1, slice_sizes={1,64} }",
                   {kA, number(64)})
          .find("p (rt0, 0) (1, 64) (1, 1), a in [1, 1]\n"),
      std::string::npos);
}

TEST(TileExamplesTest, DiagonalsAreNoTiles) {
  const std::string diagonal =
      "f { p = f32[8,8] parameter(0) q = f32[64] reshape(p) ROOT s = f32[8] "
      "slice(q), slice={[0:64:9]} }";
  EXPECT_EQ(tilesOfEntry(diagonal, {number(2)}),
            "s (o0) (2) (1)\nq (o0 * 9) (2) (9)\n"
            "p < q (o0, o0) (2, 2) (1, 1) least cover: 0, d0, behind q\n");
  EXPECT_NE(tilesOfEntry(diagonal, {kA}).find("a in [1, 1]"),
            std::string::npos);
}

TEST(TileExamplesTest, TwoWaysTwoTiles) {
  EXPECT_EQ(tilesOfEntry("f { p = f32[8,8] parameter(0) t = f32[8,8] "
                         "transpose(p), dimensions={1,0} n = f32[8,8] "
                         "negate(p) e = f32[8,8] exponential(n) a = f32[8,8] "
                         "add(t, e) ROOT r = f32[8,8] add(a, p) }",
                         {number(2), number(4)}),
            "r (o0, o1) (2, 4) (1, 1)\na (o0, o1) (2, 4) (1, 1)\n"
            "e < a (o0, o1) (2, 4) (1, 1)\nn < a < e (o0, o1) (2, 4) (1, 1)\n"
            "t < a (o0, o1) (2, 4) (1, 1)\np (o0, o1) (2, 4) (1, 1)\n"
            "p < a < t (o1, o0) (4, 2) (1, 1)\n");
}

TEST(TileExamplesTest, OperandsOfUnknownSize) {
  EXPECT_EQ(tilesOfEntry("f { p = f32[?,4] parameter(0) i = s32[] parameter(1) "
                         "ROOT r = f32[2,4] dynamic-slice(p, i, i), "
                         "dynamic_slice_sizes={2,4} }",
                         {number(1), number(4)})
                .substr(0, 35),
            "r (o0, 0) (1, 4) (1, 1)\ni () () ()\n");
}

TEST(TileExamplesTest, TooManyWaysHaveOneBox) {
  std::string text = "f { p = f32[100] parameter(0) ";
  std::string last = "s0";
  for (int i = 0; i < 20; ++i) {
    const std::string n = std::to_string(i);
    text += "s" + n + " = f32[40] slice(p), slice={[" + std::to_string(3 * i) +
            ":" + std::to_string(3 * i + 40) + "]} ";
    if (i == 0) continue;
    text += "a" + n + " = f32[40] add(" + last + ", s" + n + ") ";
    last = "a" + n;
  }
  text += "ROOT r = f32[40] negate(" + last + ") }";
  const std::string tiles = tilesOfEntry(text, {number(8)});
  const size_t at = tiles.find("\np ");
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(tiles.find("\np ", at + 1), std::string::npos);
  EXPECT_NE(tiles.find(" cover: ", at), std::string::npos) << tiles;
}

TEST(TileExamplesTest, LargeExpressionsEndInABox) {
  std::string text = "f { p = f32[24,35] parameter(0) ", last = "p";
  for (int i = 0; i < 12; ++i) {
    const std::string n = std::to_string(i), sizes = i % 2 ? "24,35" : "14,60";
    const std::string turned = i % 2 ? "35,24" : "60,14";
    text += "r" + n + " = f32[" + sizes + "] reshape(" + last + ") t" + n +
            " = f32[" + turned + "] transpose(r" + n + "), dimensions={1,0} ";
    last = "t" + n;
  }
  text += "ROOT n = f32[35,24] negate(" + last + ") }";
  const std::string tiles = tilesOfEntry(text, {number(5), number(8)});
  EXPECT_LT(tiles.size(), 200'000u);
  EXPECT_NE(tiles.find("\np "), std::string::npos);
}

TEST(TileExamplesTest, SizesThatFit) {
  const Program program =
      parsed("f { p = f32[256] parameter(0) ROOT r = f32[8,32] reshape(p) }");
  ProgramIndexing maps(program.modules[0]);
  const RootTile root{{8, 32}, {kA, kB}, {}};
  auto tiles = tilesOf(maps, {ComputationId(0), InstructionId(1)}, root);
  ASSERT_TRUE(tiles.ok()) << tiles.status();
  const auto fitting =
      sizesThatFit(*tiles, root, {{1, 8}, {2, 8}, {2, 32}, {8, 1}, {8, 31}});
  ASSERT_TRUE(fitting.ok()) << fitting.status();
  EXPECT_EQ(*fitting, (std::vector<size_t>{0, 2, 3}));
}

TEST(TileExamplesTest, LargeSizesStayInside64Bits) {
  const std::string text =
      "f { p = f32[1073741824,1073741824] parameter(0) q = "
      "f32[1152921504606846976] reshape(p) ROOT r = "
      "f32[1024,1048576,1073741824] reshape(q) }";
  EXPECT_NE(tilesOfEntry(text, {kA, kB, TileExtent::symbol("c")}).size(), 0u);
  EXPECT_NE(
      tilesOfEntry(text, {number(1), number(1), number(4096)})
          .find("q (o0 * 1125899906842624 + o1 * 1073741824 + o2) (4096) (1)"),
      std::string::npos)
      << tilesOfEntry(text, {number(1), number(1), number(4096)});
}

TEST(TileExamplesTest, LargeStridesStayInside64Bits) {
  const std::string text =
      "f { p = f32[48] parameter(0) ROOT r = f32[4,12] reshape(p) }";
  for (int64_t stride : {INT64_MAX, INT64_MAX / 2, int64_t{1} << 60})
    EXPECT_NE(tilesOfEntry(text, {number(2), number(3)},
                           {number(stride), number(stride)})
                  .find("p "),
              std::string::npos);
}

TEST(TileExamplesTest, MistakesAreErrors) {
  const std::string text =
      "f { p = f32[4,4] parameter(0) ROOT r = f32[4,4] negate(p) }";
  EXPECT_EQ(tilesOfEntry(text, {number(2)}),
            "a tile of a tensor of 2 dimensions needs as many sizes (and "
            "strides, where it has any); there are 1 sizes and 0 strides");
  EXPECT_EQ(tilesOfEntry(text, {number(2), number(0)}),
            "a tile's sizes and strides are at least 1, not 0");
}

/// Sizes that are not known are variables of tiles, and say where these end.
TEST(TileExamplesTest, SizesThatAreNotKnownAreNamed) {
  EXPECT_EQ(tilesOfEntry("f { p = f32[?] parameter(0) ROOT r = f32[?] "
                         "negate(p) }",
                         {number(2)}),
            "r (o0) (2) (1)\np (o0) (2) (1)\n");
  EXPECT_EQ(tilesOfEntry("f { p = f32[?,4] parameter(0) ROOT r = f32[?,4] "
                         "reverse(p), dimensions={0} }",
                         {number(2), kA}),
            "r (o0, o1) (2, a) (1, 1)\np (-o0 + rt0 - 2, o1) (2, a) (1, 1)\n");
}

/// The last tile of 3 is cut to one column: of the rows 0, 1, … its elements
/// are 3 apart, and those of the other tiles are 1 apart.
TEST(TileExamplesTest, RemaindersThatAreCut) {
  const std::string tiles = tilesOfEntry(
      "f { p = f32[12] parameter(0) q = f32[4,3] reshape(p) "
      "b = f32[4,4,3] broadcast(q), dimensions={0,2} "
      "r = f32[4,12] reshape(b) ROOT s = f32[4,10] slice(r), "
      "slice={[0:4],[0:10]} }",
      {kB, number(3)});
  const size_t p = tiles.find("\np < ");
  ASSERT_NE(p, std::string::npos) << tiles;
  EXPECT_NE(tiles.find(", b in [1, 1]\n", p), std::string::npos) << tiles;
}

/// The tile of the parameter behind a collective of f32[8,4] in groups of 4,
/// written as `attributes` say.
std::string behindCollective(const std::string &result,
                             const std::string &opcode,
                             const std::string &attributes) {
  const std::string body =
      "  p = f32[8,4] parameter(0)\n"
      "  ROOT g = " +
      result + " " + opcode + "(p), " + attributes + "\n}\n";
  const std::string start =
      "HloModule m, num_partitions=4\n"
      "add { a = f32[] parameter(0)\n  b = f32[] parameter(1)\n"
      "  ROOT s = f32[] add(a, b) }\n";
  std::string all;
  for (const bool isAsync : {false, true}) {
    const std::string text = isAsync ? start + "inner {\n" + body +
                                           "ENTRY e {\n"
                                           "  p = f32[8,4] parameter(0)\n"
                                           "  s = ((f32[8,4]), " +
                                           result +
                                           ") async-start(p), calls=inner\n"
                                           "  ROOT d = " +
                                           result + " async-done(s)\n}\n"
                                     : start + "ENTRY e {\n" + body;
    const std::string tiles = tilesOfEntry(text, {number(2), number(4)});
    const size_t at = tiles.find("\np");
    all += at == std::string::npos ? tiles : tiles.substr(at + 1);
  }
  return all;
}

// The members of a group whose elements a tile reads are an axis in front.
TEST(TileExamplesTest, MembersOfCollectives) {
  const std::string groups = "replica_groups={{0,1,2,3}}, channel_id=1";
  const std::string reduced =
      groups + ", use_global_device_ids=true, to_apply=add";
  EXPECT_EQ(behindCollective("f32[32,4]", "all-gather",
                             groups + ", use_global_device_ids=true, "
                                      "dimensions={0}"),
            "p [o0 floordiv 8, 1] (o0 mod 8, 0) (2, 4) (1, 1)\n"
            "p [o0 floordiv 8, 1] < s (o0 mod 8, 0) (2, 4) (1, 1)\n");
  EXPECT_EQ(
      behindCollective("f32[8,4]", "all-to-all", groups + ", dimensions={0}"),
      "p [o0 floordiv 2, 1] (o0 mod 2 + rt0 * 2, 0) (2, 4) (1, 1)\n"
      "p [o0 floordiv 2, 1] < s (o0 mod 2 + rt0 * 2, 0) (2, 4) (1, 1)\n");
  EXPECT_EQ(behindCollective("f32[8,4]", "collective-permute",
                             "source_target_pairs={{0,1}}, channel_id=1"),
            "p [0, 1] (o0, 0) (2, 4) (1, 1)\n"
            "p [0, 1] < s (o0, 0) (2, 4) (1, 1)\n");
  EXPECT_EQ(behindCollective("f32[8,4]", "collective-broadcast", groups),
            "p [0, 1] (o0, 0) (2, 4) (1, 1)\n"
            "p [0, 1] < s (o0, 0) (2, 4) (1, 1)\n");
  EXPECT_EQ(behindCollective("f32[2,4]", "reduce-scatter",
                             reduced + ", dimensions={0}"),
            "p [0, 4] (rt0 * 2, 0) (2, 4) (1, 1)\n"
            "p [0, 4] < s (rt0 * 2, 0) (2, 4) (1, 1)\n");
  EXPECT_EQ(behindCollective("f32[8,4]", "all-reduce", reduced),
            "p [0, 4] (o0, 0) (2, 4) (1, 1)\n"
            "p [0, 4] < s (o0, 0) (2, 4) (1, 1)\n");
}

/// A name stands for sizes up to that of the dimension; of others, numbers
/// decide.
TEST(TileExamplesTest, SizesAboveTheDimension) {
  const Program program =
      parsed("f { p = f32[8] parameter(0) ROOT r = f32[2,2,2] reshape(p) }");
  ProgramIndexing maps(program.modules[0]);
  const RootTile root{{2, 2, 2}, {kA, kB, TileExtent::symbol("c")}, {}};
  auto tiles = tilesOf(maps, {ComputationId(0), InstructionId(1)}, root);
  ASSERT_TRUE(tiles.ok()) << tiles.status();
  // 0, 1, 4 and 5 are no tile.
  auto fits = sizesThatFit(*tiles, root, {{2, 1, 3}, {2, 1, 2}, {2, 2, 3}});
  ASSERT_TRUE(fits.ok()) << fits.status();
  EXPECT_EQ(*fits, std::vector<size_t>{2});
}

}  // namespace
}  // namespace indexical::testing
