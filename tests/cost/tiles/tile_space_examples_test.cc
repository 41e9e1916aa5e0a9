// Tiles that must be found, and what they are: strides through reshapes, steps,
// results, members, masks, forward. Each box is offset:count:stride, and
// dimensions stand one after the other.
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/cost/tiles/tile_alternatives.h"
#include "indexical/cost/tiles/tile_mask.h"
#include "indexical/cost/tiles/tile_space.h"
#include "tests/support/program_reads.h"

namespace indexical::testing {
namespace {

using Numbers = std::vector<int64_t>;

struct Asked {
  std::string text;
  std::vector<Numbers> sizes, strides = {};
  std::vector<std::pair<std::string, int64_t>> steps = {};  ///< of dimension 0
};

std::vector<TileExtent> extents(const Numbers &numbers) {
  std::vector<TileExtent> made;
  for (int64_t number : numbers) made.push_back(TileExtent::of(number));
  return made;
}

std::string boxText(const ConcreteTile &tile) {
  std::string text;
  for (size_t k = 0; k < tile.sizes.size(); ++k)
    text += (k ? " " : "") + std::to_string(tile.offsets[k]) + ":" +
            std::to_string(tile.sizes[k]) + ":" +
            std::to_string(tile.strides[k]);
  return text;
}

/// Returns the boxes of an instruction at these offsets; `box` where a tile is
/// not exact.
std::string boxes(const Asked &asked, const std::string &name,
                  const Numbers &at) {
  const Program program = parsed(asked.text);
  ProgramIndexing maps(program.modules.at(0));
  TileSpace space = TileSpace::of(maps);
  for (const Numbers &sizes : asked.sizes) space.sizes(extents(sizes));
  for (const Numbers &strides : asked.strides) space.strides(extents(strides));
  for (const auto &[of, size] : asked.steps) space.step(of, 0, size);
  if (!space.status().ok()) return std::string(space.status().message());
  const auto tiles = tilesBehind(maps, space);
  if (!tiles.ok()) return std::string(tiles.status().message());
  const auto &entry = maps.module().computations[maps.module().entry];
  std::string text;
  for (const InstructionTile &each : *tiles) {
    if (entry.instructions[each.instruction].name != name) continue;
    text += text.empty() ? "" : "; ";
    if (!each.tile.isExact()) {
      text += "box";
      continue;
    }
    if (each.tile.memberCount() > 0)
      text += "[" + boxText(*each.tile.membersAt(at, {})) + "] ";
    text += boxText(*each.tile.at(at, {}));
  }
  return text;
}

std::string reshaped(const std::string &from, const std::string &to) {
  return "f { p = f32[" + from + "] parameter(0)\n  ROOT r = f32[" + to +
         "] reshape(p) }";
}

TEST(TileSpaceExamplesTest, StridesThroughReshapes) {
  // A row of two, or of one at the end, in each of three rows.
  const Asked rows{reshaped("12", "3,4"), {{3, 2}}, {{1, 2}}};
  EXPECT_EQ(boxes(rows, "p", {0, 0}), "0:6:2");
  EXPECT_EQ(boxes(rows, "p", {0, 2}), "2:3:4");
  const Asked split{reshaped("1,2,64", "128"), {{2}}, {{64}}};
  EXPECT_EQ(boxes(split, "p", {20}), "0:1:1 0:2:1 20:1:1");
  EXPECT_EQ(boxes(split, "p", {64}), "0:1:1 1:1:1 0:1:1");
  EXPECT_EQ(boxes({reshaped("3,4", "12"), {{3}}, {{4}}}, "p", {3}),
            "0:3:1 3:1:1");
  EXPECT_EQ(boxes({reshaped("3,4", "12"), {{2}}, {{8}}}, "p", {2}),
            "0:2:2 2:1:1");
  EXPECT_EQ(boxes({reshaped("3,4", "12"), {{2}}, {{6}}}, "p", {0}), "box");
  EXPECT_EQ(boxes({reshaped("6,6", "9,4"), {{3, 4}}}, "p", {3, 0}),
            "2:2:1 0:6:1");
  EXPECT_EQ(boxes({reshaped("12,4", "4,12"), {{2, 4}}}, "p", {0, 4}),
            "1:2:3 0:4:1");
}

const char kProduct[] =
    "f { a = f32[6,8] parameter(0)  b = f32[8,5] parameter(1)\n"
    "  c = f32[5,7] parameter(2)\n"
    "  h = f32[6,5] dot(a, b), lhs_contracting_dims={1}, "
    "rhs_contracting_dims={0}\n"
    "  ROOT r = f32[6,7] dot(h, c), lhs_contracting_dims={1}, "
    "rhs_contracting_dims={0} }";

TEST(TileSpaceExamplesTest, TwoProductsAreALoopInALoop) {
  const Asked asked{kProduct, {{2, 4}}, {}, {{"r", 2}, {"h", 4}}};
  EXPECT_EQ(boxes(asked, "a", {2, 0, 2, 4}), "2:2:1 4:4:1");
  EXPECT_EQ(boxes(asked, "b", {2, 0, 2, 4}), "4:4:1 2:2:1");
  EXPECT_EQ(boxes(asked, "c", {0, 4, 2, 0}), "2:2:1 4:4:1");
  EXPECT_EQ(boxes(asked, "h", {2, 0, 2, 0}), "2:2:1 2:2:1");
  // Without a step a dimension is whole.
  EXPECT_EQ(boxes({kProduct, {{2, 4}}, {}, {{"r", 2}}}, "a", {2, 0, 2}),
            "2:2:1 0:8:1");
}

TEST(TileSpaceExamplesTest, AScaleIsOfABlock) {
  const std::string text =
      "f { l = f32[16,8] parameter(0)  r0 = f32[12,8] parameter(1)\n"
      "  ls = f32[4,2] parameter(2)  rs = f32[12,8] parameter(3)\n"
      "  ROOT r = f32[16,12] scaled-dot(l, r0, ls, rs), "
      "lhs_contracting_dims={1}, rhs_contracting_dims={1} }";
  const Asked asked{text, {{4, 5}}, {}, {{"r", 4}}};
  EXPECT_EQ(boxes(asked, "l", {4, 0, 4}), "4:4:1 4:4:1");
  EXPECT_EQ(boxes(asked, "ls", {4, 0, 4}), "1:1:1 1:1:1");
}

TEST(TileSpaceExamplesTest, ResultsHaveTilesOfTheirOwn) {
  const std::string text =
      "f { p0 = f32[10,8] parameter(0)  p1 = f32[11,9] parameter(1)\n"
      "  x = f32[10,8] add(p0, p0)  y = f32[11,9] multiply(p1, p1)\n"
      "  ROOT t = (f32[10,8], f32[11,9]) tuple(x, y) }";
  EXPECT_EQ(boxes({text, {{4, 3}, {5, 9}}}, "p1", {0, 3, 5, 0}), "5:5:1 0:9:1");
  EXPECT_NE(boxes({text, {{4, 3}}}, "p0", {0, 0}).find("several shapes"),
            std::string::npos);
  EXPECT_NE(boxes({text, {{4, 3}, {5}}}, "p0", {0, 0}).find("not 2 entries"),
            std::string::npos);
}

TEST(TileSpaceExamplesTest, MembersAreAnAxis) {
  const std::string text =
      "f { a = f32[8,5] parameter(0)\n"
      "  ROOT r = f32[16,5] all-gather(a), replica_groups={{0,1}}, "
      "dimensions={0} }";
  EXPECT_EQ(boxes({text, {{4, 3}}}, "a", {8, 0}), "[1:1:1] 0:4:1 0:3:1");
  EXPECT_EQ(boxes({text, {{16, 5}}}, "a", {0, 0}), "[0:2:1] 0:8:1 0:5:1");
  // Rows 6 to 8 are of two members, which give different elements.
  EXPECT_EQ(boxes({text, {{3, 5}}}, "a", {6, 0}), "box");
}

TEST(TileSpaceExamplesTest, MasksAreNumbers) {
  const std::string text =
      "f { p = f32[40] parameter(0)\n"
      "  ROOT r = f32[17] slice(p), slice={[4:21]} }";
  const Program program = parsed(text);
  ProgramIndexing maps(program.modules.at(0));
  TileSpace space = TileSpace::of(maps);
  space.sizes({5});
  const auto tiles = tilesBehind(maps, space);
  ASSERT_TRUE(tiles.ok() && tiles->size() == 2) << tiles.status();
  const auto mask = maskOf((*tiles)[1], space.tile());
  ASSERT_TRUE(mask.ok()) << mask.status();
  EXPECT_EQ(mask->str(mask->full()[0]), "5");
  EXPECT_EQ(mask->str(mask->begins()[0]), "4");
  EXPECT_EQ(mask->str(mask->ends()[0]), "21");
}

TEST(TileSpaceExamplesTest, OtherSizesThanTheConditionsSay) {
  const Program program = parsed(reshaped("192", "4,8,6"));
  ProgramIndexing maps(program.modules.at(0));
  const TileSpace space = TileSpace::of(maps);
  const auto tiles = tilesBehind(maps, space);
  ASSERT_TRUE(tiles.ok()) << tiles.status();
  const auto cases = alternativesOf(tiles->back(), space.tile());
  ASSERT_TRUE(cases.ok()) << cases.status();
  int exact = 0;
  for (int64_t a = 1; a <= 4; ++a)
    for (int64_t b = 1; b <= 8; ++b)
      for (int64_t c = 1; c <= 6; ++c) {
        const bool holds = llvm::any_of(
            *cases, [&](const SizeCase &one) { return one.holds({a, b, c}); });
        const auto fits = sizesThatFit(*tiles, space.tile(), {{a, b, c}});
        ASSERT_TRUE(fits.ok());
        EXPECT_EQ(holds, fits->size() == 1) << a << "," << b << "," << c;
        exact += holds;
      }
  EXPECT_EQ(exact, 29);
}

TEST(TileSpaceExamplesTest, ForwardRoundsEndsOfASlice) {
  const Program program = parsed(
      "f { p = f32[5,13] parameter(0)\n"
      "  ROOT r = f32[2,4] slice(p), slice={[1:5:2], [5:13:2]} }");
  ProgramIndexing maps(program.modules.at(0));
  TileSpace space = TileSpace::of(maps, "p");
  space.sizes({2, 4});
  const auto tiles = tilesForward(maps, space);
  ASSERT_TRUE(tiles.ok() && tiles->size() == 2) << tiles.status();
  const ForwardTile &r = tiles->back();
  EXPECT_TRUE(r.tile.isExact());
  EXPECT_EQ(r.complete, true);
  EXPECT_EQ(boxText(*r.tile.at({0, 8}, {})).substr(0, 4), "0:1:");
  // An operand that another element reads, too, is not read completely.
  const Program sum = parsed(
      "s { a = f32[] parameter(0)  b = f32[] parameter(1)\n"
      "  ROOT c = f32[] add(a, b) }\n"
      "ENTRY f { p = f32[8] parameter(0)  z = f32[] parameter(1)\n"
      "  ROOT r = f32[] reduce(p, z), dimensions={0}, to_apply=s }");
  ProgramIndexing sums(sum.modules.at(0));
  TileSpace part = TileSpace::of(sums, "p");
  part.sizes({4});
  const auto users = tilesForward(sums, part);
  ASSERT_TRUE(users.ok() && users->size() == 2) << users.status();
  EXPECT_EQ(users->back().complete, false);
}

TEST(TileSpaceExamplesTest, MistakesAreErrors) {
  EXPECT_NE(boxes({kProduct, {{2, 4}}, {}, {{"x", 2}}}, "a", {})
                .find("no instruction `x`"),
            std::string::npos);
  EXPECT_NE(boxes({kProduct, {{2, 4}}, {}, {{"", 2}}}, "a", {})
                .find("has 2 dimensions that are summed up"),
            std::string::npos);
  EXPECT_NE(boxes({kProduct, {{2, 4}}, {}, {{"r", 0}}}, "a", {})
                .find("steps are at least 1"),
            std::string::npos);
  EXPECT_NE(boxes({kProduct, {{2, 4}}, {}, {{"r", 2}, {"r", 3}}}, "a", {})
                .find("two steps"),
            std::string::npos);
}

}  // namespace
}  // namespace indexical::testing
