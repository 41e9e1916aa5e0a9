// Pieces that are merged are the same relation as before.
#include "indexical/simplifier/merge.h"

#include <algorithm>
#include <string>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/map_text.h"
#include "indexical/program/maps/program_indexing.h"
#include "indexical/simplifier/simplify.h"
#include "tests/support/random_maps.h"

namespace indexical::testing {
namespace {

IndexingMap simple(const std::string &text) {
  auto map = parseMap(text);
  EXPECT_TRUE(map.ok()) << text << map.status();
  return *simplify(*map);
}

struct Row {
  const char *a, *b, *whole;  ///< whole "": they stay two
};

TEST(MergeTest, OneIntervalMayDiffer) {
  const Row kRows[] = {
      {"(d0) -> (d0), domain: d0 in [0, 3]",
       "(d0) -> (d0), domain: d0 in [4, 9]",
       "(d0) -> (d0), domain: d0 in [0, 9]"},
      {"(d0) -> (d0), domain: d0 in [0, 3]",
       "(d0) -> (d0), domain: d0 in [5, 9]", ""},
      {"(d0) -> (d0), domain: d0 in [0, 3]",
       "(d0) -> (d0 + 1), domain: d0 in [4, 9]", ""},
      // The first map has a constant for a variable with one value.
      {"(d0, d1) -> (0, d1), domain: d0 in [0, 0], d1 in [0, 4]",
       "(d0, d1) -> (d0, d1), domain: d0 in [1, 9], d1 in [0, 4]",
       "(d0, d1) -> (d0, d1), domain: d0 in [0, 9], d1 in [0, 4]"},
      {"(d0) -> (d0), domain: d0 in [0, 7]",
       "(d0) -> (d0 - 8), domain: d0 in [8, 15]", ""},
      {"(d0) -> (0, d0), domain: d0 in [0, 7]",
       "(d0) -> (1, d0 - 8), domain: d0 in [8, 15]", ""},
      {"(d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [8, 40]",
       "(d0) -> (0, d0), domain: d0 in [0, 7]",
       "(d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [0, 40]"},
      // Two dimensions differ.
      {"(d0, d1) -> (d0), domain: d0 in [0, 3], d1 in [0, 3]",
       "(d0, d1) -> (d0), domain: d0 in [4, 5], d1 in [0, 4]", ""},
      // Ranges and constraints.
      {"()[s0] -> (s0), domain: s0 in [0, 3]",
       "()[s0] -> (s0), domain: s0 in [2, 9]",
       "()[s0] -> (s0), domain: s0 in [0, 9]"},
      {"(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [0, 9], "
       "(d0 + d1) mod 4 in [0, 1]",
       "(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [0, 9], "
       "(d0 + d1) mod 4 in [2, 3]",
       "(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [0, 9]"},
      {"(d0){rt0} -> (d0), domain: d0 in [0, 9], rt0 in [0, 5], "
       "d0 - rt0 in [-inf, -1]",
       "(d0){rt0} -> (d0), domain: d0 in [0, 9], rt0 in [0, 5], "
       "d0 - rt0 in [3, inf]",
       ""},
  };
  for (const Row &row : kRows)
    for (bool turned : {false, true}) {
      const IndexingMap a = simple(turned ? row.b : row.a);
      const IndexingMap b = simple(turned ? row.a : row.b);
      auto whole = merged(a, b);
      if (row.whole[0] == '\0')
        EXPECT_FALSE(whole.has_value()) << row.a << "\n" << whole->str();
      else if (whole)
        EXPECT_EQ(*whole, simple(row.whole)) << whole->str();
      else
        ADD_FAILURE() << row.a << " and " << row.b << " stay two";
    }
}

std::vector<Pair> pairsOfBoth(const IndexingMap &a, const IndexingMap &b,
                              const World &world) {
  std::vector<Pair> pairs = pairsOf(a, world), more = pairsOf(b, world);
  pairs.insert(pairs.end(), more.begin(), more.end());
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

/// Returns the map with its dimension 0 in `bounds`, in canonical form.
IndexingMap within(const IndexingMap &map, Interval bounds) {
  IndexingMapBuilder b;
  const auto dimensions = map.dimensions();
  for (size_t i = 0; i < dimensions.size(); ++i)
    b.dimension(i == 0 ? dimensions[i].bounds.intersect(bounds)
                       : dimensions[i].bounds);
  for (const Variable &v : map.ranges()) b.range(v.bounds);
  auto same = [&](VariableId id) { return b.pool().variable(id); };
  ExpressionImport import(map.expressions(), b.pool(), same);
  for (RuntimeVariable v : map.runtime()) {
    for (FormId &form : v.index) form = import(form);
    b.runtime(std::move(v));
  }
  for (FormId form : map.results()) b.result(b.expression(import(form)));
  for (const Constraint &c : map.constraints())
    b.constraint(b.expression(import(c.form)), c.bounds);
  SimplifyOptions options;
  options.rename = true;
  return *simplify(*b.build(), options);
}

// Random maps cut in two: what is merged has the pairs of both, and most that
// were cut are merged.
TEST(MergeTest, KeepsTheRelation) {
  const uint64_t instances = fromEnvironment("INDEXICAL_MERGES", 12000);
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  int64_t cut = 0, whole = 0;
  for (uint64_t seed = first; seed < first + instances; ++seed) {
    Random random(seed);
    MapOptions options;
    options.leastDimensions = options.leastResults = 1;
    options.mostRuntime = 1;
    options.sources = true;
    const IndexingMap map = randomMap(random, options);
    const IndexingMap other =
        random.oneIn(2) ? map : randomMap(random, options);
    if (map.isKnownEmpty() || other.isKnownEmpty()) continue;
    const Interval all = map.dimensions()[0].bounds;
    const int64_t at = random.in(all.lower, all.upper);
    const int64_t gap = random.oneIn(4) ? random.in(-1, 2) : 1;
    const IndexingMap a = within(map, {all.lower, at});
    const IndexingMap b = within(other, {at + gap, all.upper});
    if (a.isKnownEmpty() || b.isKnownEmpty()) continue;
    auto both = merged(a, b);
    if (other == map && gap == 1) {
      ++cut;
      whole += both.has_value();
    }
    if (!both) continue;
    const World world(seed);
    ASSERT_EQ(difference(pairsOf(*both, world), pairsOfBoth(a, b, world)), "")
        << "INDEXICAL_SEED=" << seed << "\n"
        << describe(a) << "\n"
        << describe(b) << "\n"
        << describe(*both);
  }
  std::cout << whole << " of " << cut << " cut maps are whole again\n";
  EXPECT_GE(whole * 10, cut * 7);
}

/// The pieces that the root reads of parameter 0, in the direction.
std::string rootReads(const std::string &body, Direction direction) {
  auto program = parseHlo("HloModule m\nENTRY e {\n" + body + "\n}\n");
  if (!program.ok()) return program.status().ToString();
  const Module &module = program->modules[0];
  ProgramIndexing maps(module);
  auto relation = maps.computation(ComputationId(0), LeafId(0),
                                   ParameterLeaf{0}, direction);
  if (!relation.ok()) return relation.status().ToString();
  std::string text;
  for (const IndexingMap &piece : relation->pieces())
    text += (text.empty() ? "" : "; ") + piece.strOneLine();
  return text;
}

TEST(MergeTest, ThroughPrograms) {
  const char *kIdentity = "(d0) -> (d0), domain: d0 in [0, 9]";
  const char *kBodies[] = {
      // Cut and joined.
      R"(p = f32[10] parameter(0)
         a = f32[4] slice(p), slice={[0:4]}
         b = f32[6] slice(p), slice={[4:10]}
         ROOT r = f32[10] concatenate(a, b), dimensions={0})",
      R"(p = f32[10] parameter(0)
         a = f32[1] slice(p), slice={[0:1]}
         b = f32[3] slice(p), slice={[1:4]}
         c = f32[6] slice(p), slice={[4:10]}
         ROOT r = f32[10] concatenate(a, b, c), dimensions={0})",
      // An update with what was there.
      R"(p = f32[10] parameter(0)
         i = s32[] constant(3)
         u = f32[4] slice(p), slice={[3:7]}
         ROOT r = f32[10] dynamic-update-slice(p, u, i))",
      // Padding that is cut off again.
      R"(p = f32[10] parameter(0)
         z = f32[] constant(0)
         a = f32[17] pad(p, z), padding=3_4
         ROOT r = f32[10] slice(a), slice={[3:13]})",
  };
  for (const char *body : kBodies)
    for (Direction direction :
         {Direction::OutputToInput, Direction::InputToOutput})
      EXPECT_EQ(rootReads(body, direction), kIdentity) << body;
}

}  // namespace
}  // namespace indexical::testing
