// Indexing analysis in XLA (reference/hlo_indexing_analysis.txt): every map of
// the document, as the document prints it, is a map that can be read.
//
// Beside each block stands what it means, as bounds and as a function of C++:
// at every point of the box, or at random ones of a large box, the map that was
// read has the values of the function. A variable that has a line `hlo:` is a
// runtime variable.
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/map_text.h"
#include "indexical/simplifier/simplify.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

using Values = std::vector<int64_t>;
using Ints = const Values &;

int64_t floored(int64_t a, int64_t b) {
  return a >= 0 ? a / b : -((b - 1 - a) / b);
}
int64_t rest(int64_t a, int64_t b) { return a - b * floored(a, b); }

struct Block {
  const char *text;
  std::vector<std::pair<int64_t, int64_t>> box;  ///< of the variables, in order
  std::vector<size_t> runtime;  ///< which variables in brackets are that
  std::function<Values(Ints d, Ints s)> results;
  std::function<bool(Ints d)> holds = [](Ints) { return true; };
};

const Block kBlocks[] = {
    // clang-format off
    {R"((d0, d1) -> (d0, d1)
domain:
d0 in [0, 9]
d1 in [0, 19])",
     {{0, 9}, {0, 19}},
     {},
     [](Ints d, Ints) -> Values { return {d[0], d[1]}; }},
    {R"((d0, d1, d2) -> (d1)
domain:
d0 in [0, 9]
d1 in [0, 19]
d2 in [0, 29])",
     {{0, 9}, {0, 19}, {0, 29}},
     {},
     [](Ints d, Ints) -> Values { return {d[1]}; }},
    {R"((d0)[s0, s1] -> (s0, d0, s1)
domain:
d0 in [0, 19]
s0 in [0, 9]
s1 in [0, 29])",
     {{0, 19}, {0, 9}, {0, 29}},
     {},
     [](Ints d, Ints s) -> Values { return {s[0], d[0], s[1]}; }},
    {R"((d0, d1, d2)[s0, s1, s2] -> (d0 + s0, d1 + s1, d2 + s2)
domain:
d0 in [0, 0]
d1 in [0, 1]
d2 in [0, 31]
s0 in [0, 1]
hlo: of1 = s32[] parameter(1)
(d0, d1, d2) -> ()
s1 in [0, 0]
hlo: of2 = s32[] parameter(2)
(d0, d1, d2) -> ()
s2 in [0, 226]
hlo: of3 = s32[] parameter(3)
(d0, d1, d2) -> ())",
     {{0, 0}, {0, 1}, {0, 31}, {0, 1}, {0, 0}, {0, 226}},
     {0, 1, 2},
     [](Ints d, Ints s) -> Values { return {d[0] + s[0], d[1] + s[1], d[2] + s[2]}; }},
    {R"((d0, d1, d2) -> ()
domain:
d0 in [0, 0]
d1 in [0, 1]
d2 in [0, 31])",
     {{0, 0}, {0, 1}, {0, 31}},
     {},
     [](Ints, Ints) -> Values { return {}; }},
    {R"((d0, d1) -> (d0, d1)
domain:
d0 in [0, 19]
d1 in [0, 29])",
     {{0, 19}, {0, 29}},
     {},
     [](Ints d, Ints) -> Values { return {d[0], d[1]}; }},
    {R"((d0, d1)[s0, s1] -> (d0 - s0, d1 - s1)
domain:
d0 in [0, 19]
d1 in [0, 29]
s0 in [0, 15]
hlo: of1 = s32[] parameter(2)
(d0, d1) -> ()
s1 in [0, 20]
hlo: of2 = s32[] parameter(3)
(d0, d1) -> ())",
     {{0, 19}, {0, 29}, {0, 15}, {0, 20}},
     {0, 1},
     [](Ints d, Ints s) -> Values { return {d[0] - s[0], d[1] - s[1]}; }},
    {R"((d0, d1) -> ()
domain:
d0 in [0, 19]
d1 in [0, 29])",
     {{0, 19}, {0, 29}},
     {},
     [](Ints, Ints) -> Values { return {}; }},
    {R"((d0, d1, d2, d3)[s0, s1] -> (d1 + s0, d2 + s1, d3)
domain:
d0 in [0, 1805]
d1 in [0, 6]
d2 in [0, 7]
d3 in [0, 3]
s0 in [0, 26]
hlo: indices = s32[1806,2]{1,0} parameter(1)
(d0, d1, d2, d3) -> (d0, 0)
s1 in [0, 68]
hlo: indices = s32[1806,2]{1,0} parameter(1)
(d0, d1, d2, d3) -> (d0, 1))",
     {{0, 1805}, {0, 6}, {0, 7}, {0, 3}, {0, 26}, {0, 68}},
     {0, 1},
     [](Ints d, Ints s) -> Values { return {d[1] + s[0], d[2] + s[1], d[3]}; }},
    {R"((d0, d1, d2, d3)[s0] -> (d0, s0)
domain:
d0 in [0, 1805]
d1 in [0, 6]
d2 in [0, 7]
d3 in [0, 3]
s0 in [0, 1])",
     {{0, 1805}, {0, 6}, {0, 7}, {0, 3}, {0, 1}},
     {},
     [](Ints d, Ints s) -> Values { return {d[0], s[0]}; }},
    {R"((d0, d1, d2, d3) -> (d0, d3, d1, d2)
domain:
d0 in [0, 2]
d1 in [0, 5]
d2 in [0, 127]
d3 in [0, 12287])",
     {{0, 2}, {0, 5}, {0, 127}, {0, 12287}},
     {},
     [](Ints d, Ints) -> Values { return {d[0], d[3], d[1], d[2]}; }},
    {R"((d0, d1, d2, d3) -> (d0, d2, d3, d1)
domain:
d0 in [0, 2]
d1 in [0, 12287]
d2 in [0, 5]
d3 in [0, 127])",
     {{0, 2}, {0, 12287}, {0, 5}, {0, 127}},
     {},
     [](Ints d, Ints) -> Values { return {d[0], d[2], d[3], d[1]}; }},
    {R"((d0, d1, d2, d3) -> (d0, -d1 + 16, -d2 + 8, d3)
domain:
d0 in [0, 0]
d1 in [0, 16]
d2 in [0, 8]
d3 in [0, 8])",
     {{0, 0}, {0, 16}, {0, 8}, {0, 8}},
     {},
     [](Ints d, Ints) -> Values { return {d[0], -d[1] + 16, -d[2] + 8, d[3]}; }},
    {R"((d0)[s0] -> (s0, d0)
domain:
d0 in [0, 9]
s0 in [0, 255])",
     {{0, 9}, {0, 255}},
     {},
     [](Ints d, Ints s) -> Values { return {s[0], d[0]}; }},
    {R"((d0) -> ()
domain:
d0 in [0, 9])",
     {{0, 9}},
     {},
     [](Ints, Ints) -> Values { return {}; }},
    {R"((d0, d1) -> (d1)
domain:
d0 in [0, 255]
d1 in [0, 9])",
     {{0, 255}, {0, 9}},
     {},
     [](Ints d, Ints) -> Values { return {d[1]}; }},
    {R"(()[s0] -> (s0)
domain:
s0 in [0, 9])",
     {{0, 9}},
     {},
     [](Ints, Ints s) -> Values { return {s[0]}; }},
    {R"((d0, d1, d2) -> (d0 + 5, d1 * 7 + 3, d2 * 2)
domain:
d0 in [0, 4]
d1 in [0, 2]
d2 in [0, 24])",
     {{0, 4}, {0, 2}, {0, 24}},
     {},
     [](Ints d, Ints) -> Values { return {d[0] + 5, d[1] * 7 + 3, d[2] * 2}; }},
    {R"((d0, d1, d2) -> (d0 - 5, (d1 - 3) floordiv 7, d2 floordiv 2)
domain:
d0 in [5, 9]
d1 in [3, 17]
d2 in [0, 48]
(d1 - 3) mod 7 in [0, 0]
d2 mod 2 in [0, 0])",
     {{5, 9}, {3, 17}, {0, 48}},
     {},
     [](Ints d, Ints) -> Values { return {d[0] - 5, floored(d[1] - 3, 7), floored(d[2], 2)}; },
     [](Ints d) { return rest(d[1] - 3, 7) == 0 && rest(d[2], 2) == 0; }},
    {R"((d0) -> (d0 floordiv 8, d0 mod 8)
domain:
d0 in [0, 31])",
     {{0, 31}},
     {},
     [](Ints d, Ints) -> Values { return {floored(d[0], 8), rest(d[0], 8)}; }},
    {R"((d0, d1) -> (d0 * 8 + d1)
domain:
d0 in [0, 3]
d1 in [0, 7])",
     {{0, 3}, {0, 7}},
     {},
     [](Ints d, Ints) -> Values { return {d[0] * 8 + d[1]}; }},
    {R"((d0, d1, d2) -> (d0 * 2 + d1 floordiv 2, d2 + (d1 mod 2) * 4)
domain:
d0 in [0, 1]
d1 in [0, 3]
d2 in [0, 3])",
     {{0, 1}, {0, 3}, {0, 3}},
     {},
     [](Ints d, Ints) -> Values { return {2 * d[0] + floored(d[1], 2), d[2] + 4 * rest(d[1], 2)}; }},
    {R"((d0, d1) -> (d0 floordiv 2, d1 floordiv 4 + (d0 mod 2) * 2, d1 mod 4)
domain:
d0 in [0, 3]
d1 in [0, 7])",
     {{0, 3}, {0, 7}},
     {},
     [](Ints d, Ints) -> Values { return {floored(d[0], 2), floored(d[1], 4) + 2 * rest(d[0], 2), rest(d[1], 4)}; }},
    {R"((d0, d1, d2) -> (d0 floordiv 8, d0 mod 8, d1 * 4 + d2)
domain:
d0 in [0, 31]
d1 in [0, 2]
d2 in [0, 3])",
     {{0, 31}, {0, 2}, {0, 3}},
     {},
     [](Ints d, Ints) -> Values { return {floored(d[0], 8), rest(d[0], 8), d[1] * 4 + d[2]}; }},
    {R"((d0, d1, d2) -> (d0 * 8 + d1, d2 floordiv 4, d2 mod 4)
domain:
d0 in [0, 3]
d1 in [0, 7]
d2 in [0, 11])",
     {{0, 3}, {0, 7}, {0, 11}},
     {},
     [](Ints d, Ints) -> Values { return {d[0] * 8 + d[1], floored(d[2], 4), rest(d[2], 4)}; }},
    {R"((d0, d1, d2) -> (d0, d1, d2)
domain:
d0 in [0, 1]
d1 in [0, 4]
d2 in [0, 6])",
     {{0, 1}, {0, 4}, {0, 6}},
     {},
     [](Ints d, Ints) -> Values { return {d[0], d[1], d[2]}; }},
    {R"((d0, d1, d2) -> (d0, d1 - 5, d2)
domain:
d0 in [0, 1]
d1 in [5, 15]
d2 in [0, 6])",
     {{0, 1}, {5, 15}, {0, 6}},
     {},
     [](Ints d, Ints) -> Values { return {d[0], d[1] - 5, d[2]}; }},
    {R"((d0, d1, d2) -> (d0, d1 - 16, d2)
domain:
d0 in [0, 1]
d1 in [16, 32]
d2 in [0, 6])",
     {{0, 1}, {16, 32}, {0, 6}},
     {},
     [](Ints d, Ints) -> Values { return {d[0], d[1] - 16, d[2]}; }},
    {R"((d0, d1, d2) -> (d0, d1 + 5, d2)
domain:
d0 in [0, 1]
d1 in [0, 10]
d2 in [0, 6])",
     {{0, 1}, {0, 10}, {0, 6}},
     {},
     [](Ints d, Ints) -> Values { return {d[0], d[1] + 5, d[2]}; }},
    {R"((d0, d1, d2) -> (d0, d1 + 16, d2)
domain:
d0 in [0, 1]
d1 in [0, 16]
d2 in [0, 6])",
     {{0, 1}, {0, 16}, {0, 6}},
     {},
     [](Ints d, Ints) -> Values { return {d[0], d[1] + 16, d[2]}; }},
    {R"((d0, d1, d2)[s0] -> (d0, d1, s0)
domain:
d0 in [0, 3]
d1 in [0, 127]
d2 in [0, 63]
s0 in [0, 255])",
     {{0, 3}, {0, 127}, {0, 63}, {0, 255}},
     {},
     [](Ints d, Ints s) -> Values { return {d[0], d[1], s[0]}; }},
    {R"((d0, d1, d2)[s0] -> (d0, s0, d2)
domain:
d0 in [0, 3]
d1 in [0, 127]
d2 in [0, 63]
s0 in [0, 255])",
     {{0, 3}, {0, 127}, {0, 63}, {0, 255}},
     {},
     [](Ints d, Ints s) -> Values { return {d[0], s[0], d[2]}; }},
    {R"((d0, d1, d2)[s0] -> (d0, d1, s0)
domain:
d0 in [0, 3]
d1 in [0, 127]
d2 in [0, 255]
s0 in [0, 63])",
     {{0, 3}, {0, 127}, {0, 255}, {0, 63}},
     {},
     [](Ints d, Ints s) -> Values { return {d[0], d[1], s[0]}; }},
    {R"((d0, d1, d2)[s0] -> (d0, s0, d1)
domain:
d0 in [0, 3]
d1 in [0, 255]
d2 in [0, 63]
s0 in [0, 127])",
     {{0, 3}, {0, 255}, {0, 63}, {0, 127}},
     {},
     [](Ints d, Ints s) -> Values { return {d[0], s[0], d[1]}; }},
    {R"((d0, d1) -> ((d0 - 1) floordiv 2, d1 - 4)
domain:
d0 in [1, 7]
d1 in [4, 7]
(d0 - 1) mod 2 in [0, 0])",
     {{1, 7}, {4, 7}},
     {},
     [](Ints d, Ints) -> Values { return {floored(d[0] - 1, 2), d[1] - 4}; },
     [](Ints d) { return rest(d[0] - 1, 2) == 0; }},
    {R"((d0, d1) -> ()
domain:
d0 in [0, 11]
d1 in [0, 15])",
     {{0, 11}, {0, 15}},
     {},
     [](Ints, Ints) -> Values { return {}; }},
    {R"((d0, d1)[s0] -> (d0, d1 + s0)
domain:
d0 in [0, 1023]
d1 in [0, 2]
s0 in [0, 511])",
     {{0, 1023}, {0, 2}, {0, 511}},
     {},
     [](Ints d, Ints s) -> Values { return {d[0], d[1] + s[0]}; }},
    {R"((d0, d1) -> ()
domain:
d0 in [0, 1023]
d1 in [0, 2])",
     {{0, 1023}, {0, 2}},
     {},
     [](Ints, Ints) -> Values { return {}; }},
    {R"((d0, d1, d2)[s0] -> (d0, d1, s0)
domain:
d0 in [0, 1]
d1 in [0, 64]
d2 in [0, 124]
s0 in [0, 124])",
     {{0, 1}, {0, 64}, {0, 124}, {0, 124}},
     {},
     [](Ints d, Ints s) -> Values { return {d[0], d[1], s[0]}; }},
    {R"((d0, d1, d2) -> (d0, d1, d2)
domain:
d0 in [0, 1]
d1 in [0, 64]
d2 in [0, 124])",
     {{0, 1}, {0, 64}, {0, 124}},
     {},
     [](Ints d, Ints) -> Values { return {d[0], d[1], d[2]}; }},
    // clang-format on
};

/// The point of the box, with the variables in brackets as the map has them.
IndexingMap::Point pointOf(const Block &block, Ints d, Ints s) {
  IndexingMap::Point point;
  point.dimensions.assign(d.begin(), d.end());
  for (size_t k = 0; k < s.size(); ++k)
    (llvm::is_contained(block.runtime, k) ? point.runtime : point.ranges)
        .push_back(s[k]);
  return point;
}

/// All points of a small box; corners and random points of a large one.
std::vector<Values> pointsOf(const Block &block, Random &random) {
  std::vector<Values> points = {{}};
  for (auto [lower, upper] : block.box) {
    std::vector<Values> longer;
    const bool all = int64_t(points.size()) * (upper - lower + 1) <= 5000;
    std::vector<int64_t> values = {lower, upper, random.in(lower, upper)};
    if (all) values.clear();
    for (int64_t v = lower; all && v <= upper; ++v) values.push_back(v);
    for (const Values &point : points)
      for (int64_t value : values) {
        longer.push_back(point);
        longer.back().push_back(value);
      }
    points = std::move(longer);
  }
  return points;
}

TEST(HloIndexingAnalysis, BlocksAreReadAsTheyArePrinted) {
  Random random(42);
  for (const Block &block : kBlocks) {
    SCOPED_TRACE(block.text);
    auto map = parseMap(block.text);
    ASSERT_TRUE(map.ok()) << map.status();
    const size_t dimensions = map->dimensions().size();
    ASSERT_EQ(map->runtime().size(), block.runtime.size());
    ASSERT_EQ(dimensions + map->ranges().size() + block.runtime.size(),
              block.box.size());
    for (const Values &all : pointsOf(block, random)) {
      const Values d(all.begin(), all.begin() + dimensions);
      const Values s(all.begin() + dimensions, all.end());
      const IndexingMap::Point point = pointOf(block, d, s);
      ASSERT_EQ(map->contains(point), block.holds(d));
      const auto results = map->evaluate(point);
      ASSERT_TRUE(results.has_value());
      ASSERT_EQ(Values(results->begin(), results->end()), block.results(d, s));
    }
    // Nothing lies outside of the box.
    for (size_t k = 0; k < block.box.size(); ++k)
      for (int64_t value : {block.box[k].first - 1, block.box[k].second + 1}) {
        Values all;
        for (auto [lower, upper] : block.box) all.push_back(lower);
        all[k] = value;
        const Values d(all.begin(), all.begin() + dimensions);
        const Values s(all.begin() + dimensions, all.end());
        EXPECT_FALSE(map->contains(pointOf(block, d, s)));
      }
    auto simple = simplify(*map);
    ASSERT_TRUE(simple.ok()) << simple.status();
    auto again = parseMap(simple->str());
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ(*again, *simple);
  }
}

/// All blocks together, as a page would be pasted.
TEST(HloIndexingAnalysis, BlocksStandOneAfterAnother) {
  std::string page;
  for (const Block &block : kBlocks) page += std::string(block.text) + "\n";
  auto maps = parseMaps(page);
  ASSERT_TRUE(maps.ok()) << maps.status();
  ASSERT_EQ(maps->size(), std::size(kBlocks));
  for (size_t k = 0; k < maps->size(); ++k)
    EXPECT_EQ((*maps)[k], *parseMap(kBlocks[k].text));
}

// Variables that are named by their number are numbered again; others keep
// their names. The commas of later dumps may be there.
TEST(HloIndexingAnalysis, VariablesAreNumberedAgain) {
  const struct {
    const char *text, *read;
  } kTexts[] = {
      {"(d0)[s0, s1] -> (d0 + s1, s0)\ndomain:\nd0 in [0, 3]\ns0 in [0, 5]\n"
       "hlo: a = s32[] parameter(1)\n(d0) -> ()\ns1 in [0, 7]",
       "(d0)[s0]{rt0} -> (d0 + s0, rt0), domain: d0 in [0, 3], s0 in [0, 7], "
       "rt0 in [0, 5]"},
      {"(d0)[s0, s1]{rt0} -> (d0 + s1, s0 + rt0),\ndomain:\nd0 in [0, 3],\n"
       "s0 in [0, 5],\n  hlo: %a = s32[] parameter(1),\n  (d0) -> (),\n"
       "s1 in [0, 7],\nrt0 in [2, 4],\n  hlo: NULL,\n  (x) -> (x),\n"
       "d0 + s0 in [1, 6],\ns1 + rt0 in [3, 9]",
       "(d0)[s0]{rt0, rt1} -> (d0 + s0, rt0 + rt1), domain: d0 in [0, 3], "
       "s0 in [0, 7], rt0 in [0, 5], rt1 in [2, 4], d0 + rt0 in [1, 6], "
       "s0 + rt1 in [3, 9]"},
      {"(i)[offset, r] -> (i + offset, r mod 3)\ndomain:\ni in [0, 3]\n"
       "offset in [0, 5]\nhlo: a = s32[4] parameter(1)\n(i) -> (i)\n"
       "r in [0, 7]\ni + offset in [0, 6]\n",
       "(i)[r]{offset} -> (i + offset, r mod 3), domain: i in [0, 3], "
       "r in [0, 7], offset in [0, 5], i + offset in [0, 6]"},
      // Two of one name cannot be.
      {"(d0)[s0, rt0] -> (s0, rt0)\ndomain:\nd0 in [0, 3]\ns0 in [0, 5]\n"
       "hlo: a = s32[] parameter(1)\n(d0) -> ()\nrt0 in [0, 7]",
       "(d0)[rt0]{rt0_} -> (rt0_, rt0), domain: d0 in [0, 3], rt0 in [0, 7], "
       "rt0_ in [0, 5]"},
      // `hlo` is a name like others.
      {"(hlo)[s0] -> (hlo + s0), domain: hlo in [0, 3], s0 in [0, 1], "
       "hlo + s0 in [0, 3]",
       "(hlo)[s0] -> (hlo + s0), domain: hlo in [0, 3], s0 in [0, 1], "
       "hlo + s0 in [0, 3]"},
  };
  for (const auto &[text, read] : kTexts) {
    auto map = parseMap(text);
    ASSERT_TRUE(map.ok()) << map.status() << "\n" << text;
    EXPECT_EQ(map->strOneLine(), read);
  }
}

TEST(HloIndexingAnalysis, LinesThatAreWrongAreRefusedAtTheirPlace) {
  const struct {
    const char *lines;
    Place place;
    const char *message;
  } kTexts[] = {
      {"hlo: a = s32[] parameter(0)\n(d0) -> ()\nd0 in [0, 3]\ns0 in [0, 5]",
       {3, 1},
       "`hlo:` must stand behind the bounds of a range or runtime variable"},
      {"d0 in [0, 3]\nhlo: a = s32[] parameter(0)\n(d0) -> ()\ns0 in [0, 5]",
       {4, 1},
       "`hlo:` must stand behind the bounds of a range or runtime variable"},
      {"d0 in [0, 3]\ns0 in [0, 5]\nd0 + s0 in [0, 7]\nhlo: a = s32[] "
       "parameter(0)\n(d0) -> ()",
       {6, 1},
       "`hlo:` must stand behind the bounds of a range or runtime variable"},
      {"d0 in [0, 3]\ns0 in [0, 5]\nhlo: a\n(d0) -> ()\nhlo: b\n(d0) -> ()",
       {7, 1},
       "`s0` has a line `hlo:` already"},
      {"d0 in [0, 3]\ns0 in [0, 5]\nhlo: a\n(d0, d1) -> (d1)",
       {6, 1},
       "the index of an element must be a map of the 1 dimension variables, "
       "but has 2"},
      {"d0 in [0, 3]\ns0 in [0, 5]\nhlo: a\n(d0) -> (d1)",
       {6, 10},
       "unknown variable `d1`"},
      {"d0 in [0, 3]\ns0 in [0, 5]\nhlo: a\nd0 + s0 in [0, 5]",
       {6, 1},
       "expected `(` before the dimension variables"},
      {"d0 in [0, 3]\ns0 in [0, 5]\nhlo: a",
       {5, 7},
       "expected `(` before the dimension variables, but the text ends"},
      {"s0 in [0, 5]\nhlo: a\n(d0) -> ()",
       {1, 2},
       "the domain gives no bounds for `d0`"},
  };
  for (const auto &[lines, place, message] : kTexts) {
    SCOPED_TRACE(lines);
    auto map =
        parseMap(std::string("(d0)[s0] -> (d0 + s0)\ndomain:\n") + lines);
    ASSERT_FALSE(map.ok());
    EXPECT_EQ(map.status().message(), message);
    EXPECT_EQ(indexical::placeOf(map.status())->line, place.line);
    EXPECT_EQ(indexical::placeOf(map.status())->column, place.column);
  }
}

}  // namespace
}  // namespace indexical::testing
