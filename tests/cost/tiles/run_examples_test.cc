// The examples of runs.h, and runs of numbers near powers of two: where they
// leave 64 bits, the answer is not known.
#include <algorithm>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/cost/tiles/runs.h"
#include "tests/cost/tiles/run_tiles.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

//===-- The examples of runs.h --------------------------------------------===//

/// {a; o} of 12 values, with a any size.
struct Example {
  Tiles t;
  FormId a = t.add(VariableKind::Range, 1, 12);
  Run run = dimension(t, a, 0, 12);
  TileRunConditions conditions{t.f};

  std::optional<Progression> sum(llvm::ArrayRef<ScaledRun> runs) {
    return progressionOf(t.f, RunSum(t.f, 0, runs), conditions);
  }
  auto digits(llvm::ArrayRef<RunDigit> digits) {
    return digitsOf(t.f, RunSum(t.f, 0, {{1, run}}), digits, {0, 11},
                    TileCuts::Count, conditions);
  }
  /// Calls `check` in every tile: with a, o, and whether conditions are zero.
  template <typename Check>
  void each(Check check) {
    t.each([&] {
      const int64_t size = t(a), offset = t(run.first);
      SCOPED_TRACE("a = " + std::to_string(size) +
                   ", o = " + std::to_string(offset));
      check(size, offset, t.hold(conditions));
    });
  }
};

TEST(RunExamples, ARun) {
  Example e;
  checkRun(e.t, e.run, e.conditions);
  EXPECT_EQ(e.run.most, 12);
  e.each([&](int64_t a, int64_t o, bool) {
    EXPECT_EQ(e.t(e.run.cut), std::min(a, 12 - o));
  });
}

TEST(RunExamples, Sums) {
  for (int64_t n = 1; n <= 4; ++n) {
    Example e;
    const auto found = e.sum({{3, e.run}, {1, Run::all(e.t.f, {0, n - 1})}});
    ASSERT_TRUE(found);
    e.each([&](int64_t a, int64_t, bool hold) {
      EXPECT_EQ(hold, a == 1 || n == 1 || n >= 3);
      if (!hold) return;
      const int64_t cut = e.t(e.run.cut);
      EXPECT_EQ(e.t(found->count), n == 4 ? 3 * (cut - 1) + 4 : cut * n);
      EXPECT_EQ(e.t(found->stride), n > 1 ? 1 : 3);
    });
    EXPECT_EQ(e.conditions.zeros().empty(), n == 1 || n >= 3);
  }
}

TEST(RunExamples, AnyCountOfTheInnerRun) {
  Example e;
  Tiles &t = e.t;
  auto inner = Run::point(t.f, t.f.number(0));
  inner.full = inner.cut = t.add(VariableKind::Range, 1, 3);
  inner.most = 3;
  const auto found = e.sum({{3, e.run}, {1, inner}});
  ASSERT_TRUE(found);
  e.each([&](int64_t a, int64_t, bool hold) {
    const int64_t n = t(inner.full);
    EXPECT_EQ(hold, (a - 1) * (n - 1) * (3 - n) == 0);
    if (hold) {
      EXPECT_EQ(t(found->count), t(e.run.cut) * n);
    }
    if (hold) {
      EXPECT_EQ(t(found->stride), n > 1 ? 1 : 3);
    }
  });
}

TEST(RunExamples, GapsThatAreNoMultiples) {
  Example e;
  const FormId b = e.t.add(VariableKind::Range, 1, 5);
  const auto other = dimension(e.t, b, 0, 5);
  ASSERT_TRUE(e.sum({{2, e.run}, {3, other}}));
  e.each([&](int64_t a, int64_t, bool hold) {
    EXPECT_EQ(hold, (a - 1) * (e.t(b) - 1) == 0);
  });
}

TEST(RunExamples, ASumThatIsNoProgression) {
  Example e;
  const auto pair = Run::all(e.t.f, {0, 1});
  EXPECT_FALSE(e.sum({{2, pair}, {5, pair}}));
}

TEST(RunExamples, Quotients) {
  Example e;
  const auto found = e.digits({{4, 0}});
  ASSERT_TRUE(found);
  EXPECT_TRUE((*found)[0].floating);
  e.each([&](int64_t, int64_t o, bool hold) {
    EXPECT_TRUE(hold);
    EXPECT_EQ(e.t((*found)[0].first), o / 4);
    EXPECT_EQ(e.t((*found)[0].cut), (o + e.t(e.run.cut) - 1) / 4 - o / 4 + 1);
  });
}

TEST(RunExamples, Digits) {
  const std::vector<llvm::SmallVector<RunDigit, 4>> tables = {{{1, 4}},
                                                              {{1, 4}, {4, 0}}};
  for (const auto &table : tables) {
    Example e;
    const auto found = e.digits(table);
    ASSERT_TRUE(found);
    EXPECT_EQ(e.conditions.zeros().size(), 1u);
    e.each([&](int64_t a, int64_t o, bool hold) {
      EXPECT_EQ(hold, (4 % a) * (a % 4) == 0);
      if (!hold) return;
      EXPECT_EQ(e.t((*found)[0].first), o % 4);
      EXPECT_EQ(e.t((*found)[0].full), a - (a - 1) / 4 * 4);
      if (found->size() > 1) {
        EXPECT_EQ(e.t((*found)[1].full), (a + 3) / 4);
      }
    });
  }
}

TEST(RunExamples, AllRemainders) {
  Tiles t;
  const auto run = dimension(t, t.f.number(6), 0, 12);
  TileRunConditions conditions(t.f);
  const auto found = digitsOf(t.f, RunSum(t.f, 0, {{1, run}}), {{1, 4}},
                              {0, 11}, TileCuts::Count, conditions);
  ASSERT_TRUE(found);
  EXPECT_TRUE(conditions.zeros().empty());
  t.each([&] { EXPECT_EQ(t.values((*found)[0]), (Values{0, 1, 2, 3})); });
}

TEST(RunExamples, RemaindersThatAreCut) {
  Example e;
  const auto found = e.digits({{1, 5}});
  ASSERT_TRUE(found);
  EXPECT_TRUE((*found)[0].mayLack);
  e.each([&](int64_t a, int64_t o, bool hold) {
    EXPECT_EQ(hold, 5 % a == 0);
    if (a == 5) {
      EXPECT_EQ(e.t((*found)[0].cut), o == 10 ? 2 : 5);
    }
  });
}

//===-- Large numbers -----------------------------------------------------===//

/// A number near a power of two.
int64_t large(Random &random, int power) {
  const Wide limit = Interval::kInfinity;
  const Wide value = (Wide{1} << power) + random.in(-4, power == 63 ? -1 : 4);
  return static_cast<int64_t>(std::min(value, limit));
}

/// Random sums with numbers near a power of two; returns how many of them are
/// known.
int64_t checkLarge(int power) {
  int64_t known = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE("2^" + std::to_string(power) + ", seed " +
                 std::to_string(seed));
    Random random(seed);
    Tiles t;
    auto number = [&](int64_t small) {
      if (random.oneIn(2)) return random.in(-small, small);
      const int64_t value = large(random, power);
      return random.oneIn(2) ? value : -value;
    };
    const int64_t constant = number(5);
    llvm::SmallVector<ScaledRun, 2> runs;
    for (int64_t n = random.in(1, 2); n > 0; --n) {
      Run run = random.oneIn(2) ? randomDimension(t, random)
                                : Run::all(t.f, {0, random.in(1, 3)});
      if (random.oneIn(3)) {
        const int64_t by = number(5);
        run.first = t.f.shift(run.first, by);
        run.multiple = t.f.number(1);
        run.edges.clear();
        run.hasOtherEdges = run.mayLack = true;
      }
      int64_t c = number(3);
      if (c == 0) c = 1;
      runs.push_back({c, run});
    }
    const RunSum sum(t.f, constant, runs);
    TileRunConditions ofSum(t.f), ofDigits(t.f);
    const auto found = progressionOf(t.f, sum, ofSum);
    const int64_t stride = random.oneIn(2) ? 1 : std::abs(number(3));
    const int64_t modulus = random.oneIn(2) ? 0 : std::abs(number(3));
    const RunDigit digit = {std::max<int64_t>(1, stride), modulus};
    const auto digits =
        digitsOf(t.f, sum, {digit}, Interval::all(), TileCuts::Count, ofDigits);
    if (t.f.hasFailed()) continue;
    t.each([&] {
      const Values values = t.values(constant, runs);
      if (values.empty()) return;  // the runs leave 64 bits
      if (found && t.hold(ofSum)) {
        const Values own = t.values(found->first, found->stride, found->count);
        if (!own.empty()) {
          EXPECT_EQ(own, values);
        }
        known += !own.empty();
      }
      if (!digits || !t.hold(ofDigits)) return;
      Values quotients;
      for (Wide value : values) quotients.insert(digitOf(value, digit));
      const Values own = t.values((*digits)[0]);
      if (!own.empty()) {
        EXPECT_EQ(own, quotients) << textOf(own);
      }
      known += !own.empty();
    });
    if (::testing::Test::HasFailure()) return known;
  }
  return known;
}

TEST(Runs, LargeNumbersAreKnownOrNot) {
  EXPECT_GT(checkLarge(31), 1000);
  EXPECT_GT(checkLarge(53), 1000);
  checkLarge(62);
  checkLarge(63);
}

/// Each leaves 64 bits: no answer may be given.
TEST(Runs, NumbersThatLeave64BitsAreNotKnown) {
  constexpr int64_t kMost = Interval::kInfinity;
  {
    Tiles t;  // the gap 2^64
    auto run = Run::all(t.f, {0, 1});
    run.gap = t.f.number(4);
    RunSum sum(t.f, 0, {{int64_t{1} << 62, run}});
    EXPECT_TRUE(t.f.hasFailed());
  }
  {
    Tiles t;  // the least value -2^63 - 1
    RunSum sum(t.f, -2, {{-kMost, Run::all(t.f, {0, 1})}});
    EXPECT_TRUE(t.f.hasFailed());
  }
  {
    Tiles t;  // the constant beside the parts 2^63
    const FormId size = t.add(VariableKind::Range, 1, 2);
    const auto run = dimension(t, size, 0, 2);
    RunSum sum(t.f, kMost, {{-1, run}});
    EXPECT_FALSE(sum.constant);
    EXPECT_FALSE(t.f.hasFailed());
    TileRunConditions conditions(t.f);
    EXPECT_FALSE(digitsOf(t.f, sum, {{1, 7}}, {kMost - 1, kMost},
                          TileCuts::Count, conditions));
  }
  {
    Tiles t;  // the period 2^64
    RunSum sum(t.f, 0, {{1, Run::all(t.f, {0, 3})}});
    TileRunConditions conditions(t.f);
    EXPECT_FALSE(digitsOf(t.f, sum, {{int64_t{1} << 32, int64_t{1} << 32}},
                          {0, 3}, TileCuts::Count, conditions));
  }
}

}  // namespace
}  // namespace indexical::testing
