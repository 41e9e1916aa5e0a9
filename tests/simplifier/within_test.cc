// A map that is found to lie within another one does, by enumeration.
//
//   INDEXICAL_WITHIN=n   so many pairs of maps
//   INDEXICAL_SEED=n     beginning with this one
#include "indexical/simplifier/within.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include "gtest/gtest.h"

#include "indexical/indexing/map_text.h"
#include "indexical/indexing/transforms.h"
#include "indexical/simplifier/simplify.h"
#include "tests/support/random_maps.h"

namespace indexical::testing {
namespace {

IndexingMap simple(const std::string &text) {
  auto map = parseMap(text);
  EXPECT_TRUE(map.ok()) << text << map.status();
  return *simplify(*map);
}

TEST(WithinTest, Table) {
  struct Row {
    const char *inner, *outer;
    bool isWithin;
  };
  const Row kRows[] = {
      {"(d0) -> (d0), domain: d0 in [2, 3]",
       "(d0) -> (d0), domain: d0 in [0, 9]", true},
      {"(d0) -> (d0), domain: d0 in [0, 9]",
       "(d0) -> (d0), domain: d0 in [2, 3]", false},
      {"(d0) -> (2), domain: d0 in [2, 2]",
       "(d0) -> (d0), domain: d0 in [0, 9]", true},
      {"(d0) -> (d0 + 1), domain: d0 in [2, 3]",
       "(d0) -> (d0), domain: d0 in [0, 9]", false},
      {"(d0)[s0] -> (d0), domain: d0 in [0, 9], s0 in [0, 3], d0 - s0 in [0, "
       "1]",
       "(d0) -> (d0), domain: d0 in [0, 9]", true},
      {"(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [0, 9], "
       "d0 + d1 in [0, 4]",
       "(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [0, 9], "
       "d0 + d1 in [0, 8]",
       true},
      {"(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [0, 9], "
       "d0 + d1 in [0, 8]",
       "(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [0, 9], "
       "d0 + d1 in [0, 4]",
       false},
      {"(d0) -> (d0 floordiv 4), domain: d0 in [0, 3]",
       "(d0) -> (0), domain: d0 in [0, 9]", true},
  };
  for (const Row &row : kRows)
    EXPECT_EQ(isWithin(simple(row.inner), simple(row.outer)), row.isWithin)
        << row.inner << "\n"
        << row.outer;
}

/// The map with something about it changed, by which it may become smaller,
/// larger, or another one.
IndexingMap changed(const IndexingMap &map, Random &random) {
  auto edited = withRuntime(map, [&](IndexingMapBuilder &, RuntimeVariable &v) {
    if (random.oneIn(3)) v.clamped = !v.clamped;
    if (random.oneIn(3) && v.bounds.isFinite() && !v.bounds.isPoint())
      ++v.bounds.lower;
    if (random.oneIn(6) && v.bounds.isFinite()) ++v.bounds.upper;
  });
  if (edited.ok() && random.oneIn(2))
    edited = withBody(*edited, [&](IndexingMapBuilder &b, MapBody &body) {
      if (body.results.empty()) return;
      const size_t k = random.in(0, body.results.size() - 1);
      if (random.oneIn(5)) body.results[k] = body.results[k] + 1;
      const int64_t lower = random.in(-2, 3);
      b.constraint(body.results[k], {lower, lower + random.in(0, 8)});
    });
  if (!edited.ok()) return map;
  auto simplified = simplify(*edited);
  return simplified.ok() ? *simplified : map;
}

TEST(WithinTest, RandomMaps) {
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  const uint64_t count = fromEnvironment("INDEXICAL_WITHIN", 3000);
  int64_t said = 0, are = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    MapOptions options;
    options.mostRanges = 1;
    options.mostRuntime = 2;
    options.depth = 2;
    options.sources = true;
    auto outer = simplify(randomMap(random, options));
    if (!outer.ok()) continue;
    const IndexingMap inner = changed(*outer, random);
    const bool answer = isWithin(inner, *outer);
    said += answer;
    bool isTrue = true;
    for (uint64_t run = 0; run < 4; ++run) {
      const World world(seed * 7 + run);
      const auto small = pairsOf(inner, world), large = pairsOf(*outer, world);
      isTrue = isTrue && std::includes(large.begin(), large.end(),
                                       small.begin(), small.end());
    }
    are += isTrue;
    EXPECT_TRUE(isTrue || !answer)
        << "INDEXICAL_SEED=" << seed << "\ninner " << inner.strOneLine()
        << "\nouter " << outer->strOneLine();
    if (HasFailure()) return;
  }
  printf("  %lld pairs are within each other, %lld are said to be\n",
         static_cast<long long>(are), static_cast<long long>(said));
  EXPECT_GT(said, static_cast<int64_t>(count / 10));
  EXPECT_LT(are, static_cast<int64_t>(count));
}

}  // namespace
}  // namespace indexical::testing
