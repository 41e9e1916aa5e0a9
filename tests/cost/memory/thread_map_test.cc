// The usual thread maps give every index once. Other maps are refused with the
// reason.
#include "indexical/cost/memory/thread_map.h"

#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/indexing/map_text.h"
#include "tests/support/random.h"

namespace indexical {
namespace {

using testing::Random;

/// How often each index is given.
std::map<std::vector<int64_t>, int64_t> indicesOf(const IndexingMap &threads) {
  std::map<std::vector<int64_t>, int64_t> seen;
  std::vector<Interval> box;
  for (const Variable &v : threads.dimensions()) box.push_back(v.bounds);
  for (const Variable &v : threads.ranges()) box.push_back(v.bounds);
  std::vector<int64_t> at(box.size(), 0);
  for (;;) {
    IndexingMap::Point point;
    point.dimensions.assign(at.begin(), at.begin() + 6);
    point.ranges.assign(at.begin() + 6, at.end());
    if (threads.contains(point)) {
      auto index = threads.evaluate(point);
      ++seen[std::vector<int64_t>(index->begin(), index->end())];
    }
    size_t k = at.size();
    while (k > 0 && at[k - 1] == box[k - 1].upper) at[--k] = 0;
    if (k == 0) return seen;
    ++at[k - 1];
  }
}

void expectEachOnce(const absl::StatusOr<IndexingMap> &threads,
                    const ArrayShape &shape) {
  ASSERT_TRUE(threads.ok()) << threads.status().message();
  ASSERT_TRUE(checkThreadMap(*threads).ok());
  const auto seen = indicesOf(*threads);
  EXPECT_EQ(static_cast<int64_t>(seen.size()), *shape.elementCount())
      << shape.str(true) << '\n'
      << threads->str();
  for (const auto &[index, times] : seen) {
    EXPECT_EQ(times, 1) << threads->str();
    for (size_t k = 0; k < index.size(); ++k) {
      EXPECT_GE(index[k], 0);
      EXPECT_LT(index[k], shape.dimensions[k]) << threads->str();
    }
  }
}

ArrayShape randomShape(Random &random, int64_t leastRank) {
  ArrayShape shape(ElementType::F32, {});
  for (int64_t rank = random.in(leastRank, 3); rank > 0; --rank)
    shape.dimensions.push_back(random.in(1, 20));
  Layout layout;
  layout.minorToMajor = random.permutation(shape.rank());
  shape.layout = layout;
  return shape;
}

TEST(ThreadMap, LinearThreadsGiveEveryIndexOnce) {
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const ArrayShape shape = randomShape(random, 0);
    expectEachOnce(linearThreads(shape, {random.in(1, 40), random.in(1, 3),
                                         random.in(1, 4)}),
                   shape);
  }
}

TEST(ThreadMap, RowThreadsGiveEveryIndexOnce) {
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const ArrayShape shape = randomShape(random, 0);
    expectEachOnce(
        rowThreads(shape, random.in(0, shape.rank()),
                   {random.in(1, 40), random.in(1, 4), random.in(1, 4)}),
        shape);
  }
}

TEST(ThreadMap, TileThreadsGiveEveryIndexOnce) {
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const ArrayShape shape = randomShape(random, 2);
    auto two = random.permutation(shape.rank());
    expectEachOnce(tileThreads(shape, two[0], two[1], {8, 4}), shape);
  }
}

TEST(ThreadMap, LanesFollowTheLayout) {
  ArrayShape shape(ElementType::F32, {4, 32});
  Layout layout;
  layout.minorToMajor = {0, 1};
  shape.layout = layout;
  auto threads = linearThreads(shape);
  ASSERT_TRUE(threads.ok());
  IndexingMap::Point point;
  point.dimensions = {5, 0, 0, 0, 0, 0};
  point.ranges = {0, 0};
  EXPECT_EQ(*threads->evaluate(point), (llvm::SmallVector<int64_t, 6>{1, 1}));
}

TEST(ThreadMap, WhatIsNoThreadMapIsToldWhatItLacks) {
  auto message = [](const std::string &text) {
    return std::string(checkThreadMap(*parseMap(text)).message());
  };
  EXPECT_EQ(message("(d0) -> (d0), domain: d0 in [0, 3]"),
            "a thread map has six dimensions, (th_x, th_y, th_z, bl_x, bl_y, "
            "bl_z), and this one has 1");
  EXPECT_EQ(
      message("(th_x, b, c, d, e, f) -> (th_x), domain: th_x in [1, 3], b in "
              "[0, 0], c in [0, 0], d in [0, 0], e in [0, 0], f in [0, 0]"),
      "threads and blocks count from 0 to an end, and th_x is in [1, 3]");
  EXPECT_EQ(
      message("(a, b, c, d, e, f)[s0] -> (a + s0), domain: a in [0, 3], b in "
              "[0, 0], c in [0, 0], d in [0, 0], e in [0, 0], f in [0, 0], s0 "
              "in [0, inf]"),
      "loops have an end, and s0 is in [0, inf]");
  // 2^126 threads, twice: their number was taken for another one.
  const char *many =
      "threads of a launch, times the steps of their loops, are fewer than "
      "2^63, and this map has more";
  EXPECT_EQ(message("(a, b, c, d, e, f)[s0] -> (a), domain: a in [0, 31], b in "
                    "[0, 2097151], c in [0, 2097151], d in [0, 2097151], e in "
                    "[0, 2097151], f in [0, 2097151], s0 in [0, 134217727]"),
            std::string("the ") + many);
  EXPECT_EQ(message("(a, b, c, d, e, f)[s0] -> (a), domain: a in [0, 31], b in "
                    "[0, 0], c in [0, 0], d in [0, 2147483647], e in [0, 0], "
                    "f in [0, 0], s0 in [0, 134217726]"),
            "");
  EXPECT_EQ(message("(a, b, c, d, e, f)[s0] -> (a), domain: a in [0, 31], b in "
                    "[0, 0], c in [0, 0], d in [0, 2147483647], e in [0, 0], "
                    "f in [0, 0], s0 in [0, 134217727]"),
            std::string("the ") + many);
  ArrayShape shape(ElementType::F32, {4, 8});
  EXPECT_EQ(linearThreads(shape, {0}).status().message(),
            "numbers of threads, of vectors and of rows lie in [1, 2^31], and "
            "0 is one of them");
  EXPECT_EQ(tileThreads(shape, 0, 2).status().message(),
            "f32[4,8] has no dimension 2");
  EXPECT_EQ(rowThreads(shape, 3).status().message(),
            "a row of f32[4,8] cannot have 3 dimensions");
  shape.dimensions[0] = kDynamicSize;
  EXPECT_EQ(linearThreads(shape).status().message(),
            "a thread map needs sizes that are known, and f32[?,8] has one "
            "that is not");
}

}  // namespace
}  // namespace indexical
