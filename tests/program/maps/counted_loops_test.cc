// Counted loops against running them trip by trip.
//
// A random loop keeps a counter, an array that it reads, and one that it
// updates. The run follows, for each element of the state, which elements of
// the first state it depends on; it shares nothing with the maps. An answer
// that is exact is that relation, a cover contains it, and of the loops that
// have a closed form none is covered.
//
//   INDEXICAL_LOOPS=100000  INDEXICAL_LOOPS_SEED=7
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

#include "tests/support/program_reads.h"
#include "tests/support/random.h"
#include "tests/support/relation_points.h"

namespace indexical::testing {
namespace {

/// An index of the body: factor * counter + offset, one after JAX's manner.
struct Index {
  int64_t factor = 1, offset = 0;
  bool wraps = false;  ///< `select(v < 0, v + size, v)`

  int64_t at(int64_t counter, int64_t size) const {
    const int64_t value = factor * counter + offset;
    return wraps && value < 0 ? value + size : value;
  }
};

struct CountingLoop {
  std::string type = "s32";
  int64_t first = 0, step = 1, limit = 8;
  std::string direction = "LT";
  bool limitFirst = false;           ///< `8 > i` for `i < 8`
  bool isFused = false;              ///< the update is that of a fusion
  int64_t size = 10, width = 1;      ///< of what is updated
  int64_t read = 10, readWidth = 1;  ///< of what is read
  Index write, from;
  bool readsWritten = false;  ///< the update reads what is updated
  bool changesRead = false;   ///< the body changes what it reads
  bool accumulates = false;   ///< no update: all elements are added to

  bool holds(int64_t counter) const {
    if (direction == "LT") return counter < limit;
    if (direction == "LE") return counter <= limit;
    if (direction == "GT") return counter > limit;
    return counter >= limit;
  }
  std::string text() const;
};

std::string CountingLoop::text() const {
  const std::string t = type + "[]";
  const std::string state =
      absl::StrCat("(", t, ", f32[", read, "], f32[", size, "])");
  std::string body;
  auto add = [&](auto... parts) {
    absl::StrAppend(&body, "  ", parts..., "\n");
  };
  auto index = [&](const std::string &name, const Index &of, int64_t length) {
    add(name, "f = ", t, " constant(", of.factor, ")");
    add(name, "o = ", t, " constant(", of.offset, ")");
    add(name, "m = ", t, " multiply(i, ", name, "f)");
    add(name, "v = ", t, " add(", name, "m, ", name, "o)");
    if (!of.wraps) return name + "v";
    add(name, "z = ", t, " constant(0)");
    add(name, "n = ", t, " constant(", length, ")");
    add(name, "c = pred[] compare(", name, "v, ", name, "z), direction=LT");
    add(name, "w = ", t, " add(", name, "v, ", name, "n)");
    add(name, "s = ", t, " select(", name, "c, ", name, "w, ", name, "v)");
    return name + "s";
  };
  const std::string from = index("a", this->from, read);
  add("x1 = f32[", readWidth, "] dynamic-slice(x, ", from,
      "), dynamic_slice_sizes={", readWidth, "}");
  std::string last = "x";
  if (changesRead) {
    add("y = f32[", read, "] reverse(x), dimensions={0}");
    last = "y";
  }
  std::string fused;
  if (accumulates) {
    add("q = f32[] reshape(x1)");
    add("b = f32[", size, "] broadcast(q), dimensions={}");
    add("out1 = f32[", size, "] add(out, b)");
  } else {
    const std::string to = index("b", write, size);
    std::string value = "x1";
    if (readsWritten) {
      add("g = f32[", width, "] slice(out), slice={[0:", width, "]}");
      add("u = f32[", width, "] add(x1, g)");
      value = "u";
    }
    const std::string update = absl::StrCat("dynamic-update-slice(");
    if (isFused) {
      fused = absl::StrCat("f { o = f32[", size, "] parameter(0)\n  u = f32[",
                           width, "] parameter(1)\n  k = ", t,
                           " parameter(2)\n  e = f32[", width,
                           "] exponential(u)\n  ROOT r = f32[", size, "] ",
                           update, "o, e, k) }\n");
      add("out1 = f32[", size, "] fusion(out, ", value, ", ", to,
          "), kind=kLoop, calls=f");
    } else {
      add("e = f32[", width, "] exponential(", value, ")");
      add("out1 = f32[", size, "] ", update, "out, e, ", to, ")");
    }
  }
  const std::string begin =
      absl::StrCat(" {\n  s = ", state, " parameter(0)\n  i = ", t,
                   " get-tuple-element(s), index=0\n  x = f32[", read,
                   "] get-tuple-element(s), index=1\n  out = f32[", size,
                   "] get-tuple-element(s), index=2\n");
  const std::string turned = direction == "LT"   ? "GT"
                             : direction == "LE" ? "GE"
                             : direction == "GT" ? "LT"
                                                 : "LE";
  return absl::StrCat(
      "HloModule m\n", fused, "condition", begin, "  n = ", t, " constant(",
      limit, ")\n  ROOT r = pred[] compare(", limitFirst ? "n, i" : "i, n",
      "), direction=", limitFirst ? turned : direction, " }\nbody", begin, body,
      "  one = ", t, " constant(", step, ")\n  i1 = ", t,
      " add(i, one)\n  ROOT t = ", state, " tuple(i1, ", last,
      ", out1) }\nENTRY e { x = f32[", read, "] parameter(0)\n  out = f32[",
      size, "] parameter(1)\n  i = ", t, " constant(", first,
      ")\n  p = ", state, " tuple(i, x, out)\n  w = ", state,
      " while(p), condition=condition, body=body\n  ROOT r = f32[", size,
      "] get-tuple-element(w), index=2 }\n");
}

/// The reads of each element of the last state, as pairs (array, index).
struct LoopRun {
  using Reads = std::set<std::pair<int, int64_t>>;
  explicit LoopRun(const CountingLoop &loop) {
    std::vector<Reads> x(loop.read);
    out.resize(loop.size);
    for (int64_t k = 0; k < loop.read; ++k) x[k] = {{0, k}};
    for (int64_t k = 0; k < loop.size; ++k) out[k] = {{1, k}};
    int64_t counter = loop.first;
    std::set<bool> signs[2];
    isPlain = !loop.readsWritten && !loop.changesRead;
    std::vector<int> written(loop.size, 0);
    while (loop.holds(counter)) {
      if (++trips > 60) {
        endless = true;
        return;
      }
      for (int k : {0, 1}) {
        const Index &index = k == 0 ? loop.write : loop.from;
        if (index.wraps)
          signs[k].insert(index.factor * counter + index.offset < 0);
      }
      auto clamped = [&](const Index &index, int64_t size, int64_t width) {
        const int64_t start = index.at(counter, size);
        const int64_t within =
            std::max<int64_t>(0, std::min(start, size - width));
        return std::make_pair(within, within == start);
      };
      const auto [begin, isRead] =
          clamped(loop.from, loop.read, loop.readWidth);
      if (loop.accumulates) {
        // A clamp would bring trips together.
        isPlain &= isRead;
        for (Reads &reads : out) reads.insert(x[begin].begin(), x[begin].end());
      } else {
        const auto [to, fits] = clamped(loop.write, loop.size, loop.width);
        isPlain &= fits;
        std::vector<Reads> update(loop.width);
        for (int64_t k = 0; k < loop.width; ++k) {
          update[k] = x[begin + k];
          if (loop.readsWritten) update[k].insert(out[k].begin(), out[k].end());
        }
        for (int64_t k = 0; k < loop.width; ++k) {
          out[to + k] = update[k];
          isPlain &= ++written[to + k] == 1;
        }
      }
      if (loop.changesRead) std::reverse(x.begin(), x.end());
      counter += loop.step;
    }
    // An index that wraps in some trips is no line.
    for (int k : {0, 1})
      if (k == 1 || !loop.accumulates) isPlain &= signs[k].size() <= 1;
    // Slices of several elements with gaps have none.
    const int64_t apart = std::abs(loop.write.factor * loop.step);
    isPlain &= loop.accumulates || loop.width == 1 || apart == loop.width ||
               trips <= 1;
  }

  std::vector<PointPair> pairs(int array) const {
    std::vector<PointPair> pairs;
    for (size_t k = 0; k < out.size(); ++k)
      for (const auto &[of, element] : out[k])
        if (of == array) pairs.emplace_back(k, element);
    return pairs;
  }

  std::vector<Reads> out;
  int64_t trips = 0;
  bool endless = false;
  bool isPlain = true;  ///< it has a closed form
};

CountingLoop randomLoop(Random &random) {
  CountingLoop loop;
  static const char *const kTypes[] = {"s32", "s8", "u8", "s64", "u32", "s16"};
  loop.type = kTypes[random.in(0, 5)];
  const bool isSigned = loop.type[0] == 's';
  const bool isDown = isSigned && random.oneIn(4);
  loop.step = random.oneIn(3) ? random.in(1, 3) : 1;
  loop.first = isSigned && random.oneIn(4) ? random.in(-4, 4) : random.in(0, 3);
  loop.limit = loop.first + random.in(-1, 9);
  if (!isSigned) loop.limit = std::max<int64_t>(loop.limit, 0);
  loop.direction = random.oneIn(3) ? "LE" : "LT";
  if (isDown) {
    loop.step = -loop.step;
    loop.limit = loop.first - random.in(-1, 9);
    loop.direction = random.oneIn(3) ? "GE" : "GT";
  }
  loop.limitFirst = random.oneIn(3);
  loop.isFused = random.oneIn(3);
  loop.width = random.oneIn(3) ? random.in(1, 3) : 1;
  loop.readWidth = loop.width;
  loop.read = loop.readWidth + random.in(0, 9);
  loop.size = loop.width + random.in(0, 12);
  loop.accumulates = random.oneIn(5);
  if (loop.accumulates) loop.width = loop.readWidth = 1;
  for (Index *index : {&loop.write, &loop.from}) {
    index->factor = random.oneIn(3) ? random.in(isSigned ? -2 : 1, 3) : 1;
    index->offset = random.oneIn(2) ? random.in(isSigned ? -3 : 0, 5) : 0;
    index->wraps = isSigned && random.oneIn(4);
  }
  // Half of them as loops over slices are.
  if (!loop.accumulates && random.oneIn(2)) {
    loop.write.factor = loop.width;
    loop.write.offset = -loop.width * std::min<int64_t>(loop.first, 0);
    loop.size = loop.width * 14;
  }
  loop.readsWritten = random.oneIn(8);
  loop.changesRead = random.oneIn(8);
  return loop;
}

/// Returns what is wrong with the loop's maps for an array, or "" if nothing
/// is.
std::string problemOf(ProgramIndexing &maps, const CountingLoop &loop,
                      const LoopRun &run, int array, int64_t &exact) {
  const std::vector<int64_t> out = {loop.size};
  const std::vector<int64_t> of = {array == 0 ? loop.read : loop.size};
  Precision precisions[2];
  for (bool turned : {false, true}) {
    auto relation =
        maps.computation(maps.module().entry, LeafId(0), ParameterLeaf{array},
                         turned ? kUsers : kReads);
    if (!relation.ok()) return relation.status().ToString();
    precisions[turned] = relation->precision();
    const OperandValues none;
    const RuntimeTensors runtime = {{}, none};
    auto points =
        pointsOf(*relation, turned ? of : out, turned ? out : of, runtime);
    if (!points.ok())
      return points.status().ToString() + "\n" + textOf(*relation);
    std::vector<PointPair> expected = run.pairs(array);
    if (turned) expected = transposed(expected);
    const bool isExact = relation->precision() == Precision::Exact;
    const bool good =
        isExact ? points->pairs == expected
                : std::includes(points->pairs.begin(), points->pairs.end(),
                                expected.begin(), expected.end());
    if (!good)
      return absl::StrCat(turned ? "turned" : "reads", " of ", array, ": ",
                          textOf(*relation));
    exact += isExact;
    if (run.isPlain && !isExact)
      return absl::StrCat("covered, of ", array, ": ", textOf(*relation));
  }
  return precisions[0] == precisions[1] ? "" : "precisions differ";
}

TEST(CountedLoopsTest, AgreeWithTheirRuns) {
  const int64_t count = fromEnvironment("INDEXICAL_LOOPS", 3000);
  const int64_t first = fromEnvironment("INDEXICAL_LOOPS_SEED", 1);
  int64_t runs = 0, plain = 0, exact = 0;
  for (int64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    const CountingLoop loop = randomLoop(random);
    const LoopRun run(loop);
    if (run.endless) continue;
    ++runs;
    plain += run.isPlain;
    const Program program = parsed(loop.text());
    ASSERT_FALSE(program.modules.empty());
    ProgramIndexing maps(program.modules[0]);
    for (int array : {0, 1}) {
      const std::string problem = problemOf(maps, loop, run, array, exact);
      ASSERT_EQ(problem, "") << "INDEXICAL_LOOPS_SEED=" << seed << "\n"
                             << loop.text();
    }
  }
  std::cout << runs << " loops, " << plain << " with a closed form, " << exact
            << " of " << 4 * runs << " answers exact\n";
  EXPECT_GT(plain * 4, runs);
}

std::string readsOfLoop(const CountingLoop &loop, int array) {
  return reads(loop.text(), array);
}

TEST(CountedLoopsTest, WhatIsWrittenIsReadByItsTripAlone) {
  CountingLoop loop;
  EXPECT_EQ(readsOfLoop(loop, 0),
            "exact:\n  (d0) -> (d0), domain: d0 in [0, 7]");
  EXPECT_EQ(readsOfLoop(loop, 1),
            "exact:\n  (d0) -> (d0), domain: d0 in [8, 9]");
  loop.from.factor = -1;
  loop.from.offset = 9;
  EXPECT_EQ(readsOfLoop(loop, 0),
            "exact:\n  (d0) -> (-d0 + 9), domain: d0 in [0, 7]");
}

TEST(CountedLoopsTest, WhatIsAddedIsOfAllTrips) {
  CountingLoop loop;
  loop.accumulates = true;
  EXPECT_EQ(readsOfLoop(loop, 0),
            "exact:\n  (d0)[s0] -> (s0), domain: d0 in [0, 9], s0 in [0, 7]");
  EXPECT_EQ(readsOfLoop(loop, 1),
            "exact:\n  (d0) -> (d0), domain: d0 in [0, 9]");
}

// What has no closed form is followed trip by trip, up to 64 trips.
TEST(CountedLoopsTest, WhatIsClampedOrMeetsIsFollowed) {
  CountingLoop clamped;
  clamped.limit = 11;
  EXPECT_EQ(readsOfLoop(clamped, 1), "exact:");
  CountingLoop meets;
  meets.write.factor = 0;
  EXPECT_EQ(readsOfLoop(meets, 0),
            "exact:\n  (d0) -> (7), domain: d0 in [0, 0]");
  EXPECT_EQ(readsOfLoop(meets, 1),
            "exact:\n  (d0) -> (d0), domain: d0 in [1, 9]");
  meets.limit = 65;
  EXPECT_EQ(readsOfLoop(meets, 1).substr(0, 5), "cover");
  CountingLoop wrapping;  // 100, 120, then -116
  wrapping.type = "s8";
  wrapping.first = 100, wrapping.step = 20, wrapping.limit = 127;
  wrapping.write.factor = 0;
  wrapping.size = 1;
  EXPECT_EQ(readsOfLoop(wrapping, 0).substr(0, 5), "cover");
}

}  // namespace
}  // namespace indexical::testing
