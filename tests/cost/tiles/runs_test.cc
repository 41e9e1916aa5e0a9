// The laws of runs, held against their values in every tile.
//
// A few random runs stand for what a tile has of dimensions, ranges and digits.
// For all sizes and offsets, the values of their forms are counted up: what a
// law says of sums, quotients and remainders must be the set of values, where
// its conditions are zero. Where a law has conditions that are not met although
// its answer would be right, that is counted, and bounded.
//
//   INDEXICAL_RUNS=20         20 times as many random sums
//   INDEXICAL_RUNS_SEED=n     beginning with this one
#include "indexical/cost/tiles/runs.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"

#include "tests/cost/tiles/run_tiles.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

bool isProgression(const Values &values) {
  Wide last = *values.begin();
  std::set<Wide> gaps;
  for (Wide value : values)
    if (value != last) gaps.insert(value - last), last = value;
  return gaps.size() <= 1;
}

Wide widest(const Values &values) {
  Wide last = *values.begin(), gap = 0;
  for (Wide value : values) gap = std::max(gap, value - last), last = value;
  return gap;
}

//===-- Random runs -------------------------------------------------------===//

/// Tiles whose values are 2 apart.
Run stridedDimension(Tiles &t, Random &random) {
  const int64_t extent = random.in(2, 7);
  const FormId size = t.add(VariableKind::Range, 1, extent);
  Run run =
      Run::point(t.f, t.add(VariableKind::Dimension, 0, extent - 1, size));
  run.gap = t.f.number(2);
  run.full = run.multiple = size;
  run.cut =
      t.f.smaller(size, t.f.ceilDiv(t.f.sub(t.f.number(extent), run.first), 2));
  run.most = extent;
  run.mayLack = run.hasOtherEdges = true;
  return run;
}

/// Tiles that begin anywhere.
Run shiftedDimension(Tiles &t, Random &random) {
  Run run = randomDimension(t, random);
  run.first = t.f.shift(run.first, random.in(-3, 3));
  run.multiple = t.f.number(1);
  run.edges.clear();
  run.mayLack = run.hasOtherEdges = true;
  return run;
}

/// As many values as only the run knows.
Run openRange(Tiles &t, Random &random) {
  Run run = Run::point(t.f, t.f.number(random.in(-1, 1)));
  run.full = run.cut = t.add(VariableKind::Runtime, 1, random.in(1, 5));
  run.most = random.oneIn(2) ? Interval::kInfinity : 5;
  run.mayLack = run.hasOtherEdges = true;
  return run;
}

/// A digit of a dimension, in tiles in which it is a run.
Run digitRun(Tiles &t, Random &random) {
  const Run inside = randomDimension(t, random);
  TileRunConditions conditions(t.f);
  const RunDigit quotient = {random.in(2, 4), 0},
                 remainder = {1, random.in(2, 4)};
  const auto runs = digitsOf(t.f, RunSum(t.f, 0, {{1, inside}}),
                             {random.oneIn(3) ? quotient : remainder}, {0, 11},
                             TileCuts::Count, conditions);
  if (!runs) return Run::all(t.f, {0, 3});
  for (FormId zero : conditions.zeros())
    t.gates.push_back(t.f.sub(t.f.number(1), zero));
  return (*runs)[0];
}

Run randomRun(Tiles &t, Random &random) {
  switch (random.in(0, 11)) {
    case 0:
      return Run::point(t.f, t.add(VariableKind::Dimension, 0, 3));
    case 1:
    case 2:
    case 3: {
      const int64_t first = random.in(-3, 3);
      return Run::all(t.f, {first, first + random.in(0, 5)});
    }
    case 4:
      return stridedDimension(t, random);
    case 5:
      return openRange(t, random);
    case 6:
    case 7:
      return digitRun(t, random);
    case 8:
      return shiftedDimension(t, random);
    default:
      return randomDimension(t, random);
  }
}

/// Random runs, few enough for all of their tiles.
struct RandomSum {
  int64_t constant;
  llvm::SmallVector<ScaledRun, 4> runs;
  std::string text;  ///< for a reproducer

  RandomSum(Tiles &t, Random &random, int64_t most) {
    constant = random.oneIn(2) ? 0 : random.in(-9, 9);
    text = std::to_string(constant);
    int64_t reach = 1;
    for (int64_t n = random.in(1, most); n > 0; --n) {
      const Run run = randomRun(t, random);
      int64_t c = random.oneIn(2) ? reach : random.in(1, 6);
      if (random.oneIn(5)) c = -c;
      runs.push_back({c, run});
      reach = std::min<int64_t>(
          12,
          std::abs(c) * std::max<int64_t>(1, std::min<int64_t>(run.most, 9)));
      text +=
          " + " + std::to_string(c) + " * run of " + std::to_string(run.most);
    }
  }
};

/// Calls `check` with random sums; a failure names the seed.
template <typename Check>
void withSums(int64_t most, Check check) {
  const uint64_t count = 600 * fromEnvironment("INDEXICAL_RUNS", 1);
  const uint64_t first = fromEnvironment("INDEXICAL_RUNS_SEED", 1);
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    Tiles tiles;
    const RandomSum sum(tiles, random, most);
    SCOPED_TRACE("INDEXICAL_RUNS_SEED=" + std::to_string(seed) + ": " +
                 sum.text);
    check(tiles, random, sum);
    if (::testing::Test::HasFailure()) return;
  }
}

/// How often a law's conditions are not met although its answer is right.
struct Strictness {
  int64_t right = 0, missed = 0;
  void print(const char *law) const {
    std::printf("%s: %lld of %lld sizes are not known to fit\n", law,
                static_cast<long long>(missed), static_cast<long long>(right));
  }
};

/// Counts sizes for which all tiles are right, and of these the ones for which
/// conditions are not zero.
class StrictnessOf {
 public:
  void add(const std::vector<int64_t> &sizes, bool isRight, bool isKnown) {
    auto &[right, known] = all_.try_emplace(sizes, true, true).first->second;
    right &= isRight;
    known &= isKnown;
  }
  void addTo(Strictness &sum) const {
    for (const auto &[sizes, is] : all_) {
      sum.right += is.first;
      sum.missed += is.first && !is.second;
    }
  }

 private:
  std::map<std::vector<int64_t>, std::pair<bool, bool>> all_;
};

//===-- Random sums -------------------------------------------------------===//

TEST(Runs, AreAsTheyAreMade) {
  withSums(2, [](Tiles &t, Random &, const RandomSum &sum) {
    for (const ScaledRun &own : sum.runs)
      checkRun(t, own.run, TileRunConditions(t.f));
  });
}

TEST(Runs, ASumIsAProgression) {
  Strictness strictness;
  withSums(3, [&](Tiles &t, Random &, const RandomSum &of) {
    const RunSum sum(t.f, of.constant, of.runs);
    TileRunConditions conditions(t.f);
    const auto found = progressionOf(t.f, sum, conditions);
    const int64_t widestGap = sum.widestGap(t.f);
    StrictnessOf sizes;
    t.each([&] {
      const Values values = t.values(of.constant, of.runs);
      EXPECT_EQ(Wide{t(sum.least)}, *values.begin());
      EXPECT_LE(widest(values), widestGap);
      const bool isKnown = found && t.hold(conditions);
      sizes.add(t.sizes(), isProgression(values), isKnown);
      if (!isKnown) return;
      EXPECT_EQ(t(found->count), static_cast<int64_t>(values.size()));
      const Values own = t.values(found->first, found->stride, found->count);
      EXPECT_EQ(own, values) << textOf(own) << "and not " << textOf(values);
    });
    sizes.addTo(strictness);
  });
  strictness.print("sums");
  EXPECT_GT(strictness.right, 1000);
  EXPECT_LT(strictness.missed * 100, strictness.right * 45);
}

/// Random digits, mostly those of one number system, some of them left out.
llvm::SmallVector<RunDigit, 4> randomDigits(Random &random) {
  llvm::SmallVector<RunDigit, 4> digits;
  int64_t stride = random.oneIn(2) ? 1 : random.in(2, 4);
  for (int64_t n = random.in(1, 3); n > 0; --n) {
    const bool isTop = n == 1 && stride > 1 && random.oneIn(2);
    const int64_t modulus = isTop ? 0 : random.in(2, random.oneIn(3) ? 9 : 4);
    if (n == 1 || !random.oneIn(4)) digits.push_back({stride, modulus});
    stride = modulus * stride;
    if (random.oneIn(12)) ++stride;
    if (stride % 2 == 0 && random.oneIn(6)) stride /= 2;
  }
  llvm::sort(digits, [](const RunDigit &x, const RunDigit &y) {
    return std::tie(x.stride, x.modulus) < std::tie(y.stride, y.modulus);
  });
  return digits;
}

/// Checks the digits of a sum in all tiles.
StrictnessOf checkDigits(Tiles &t, int64_t constant,
                         llvm::ArrayRef<ScaledRun> parts,
                         llvm::ArrayRef<RunDigit> digits,
                         TileCuts cuts = TileCuts::Count) {
  Interval all = Interval::none();
  t.each([&] {
    const Values values = t.values(constant, parts, cuts);
    all = all.hull({static_cast<int64_t>(*values.begin()),
                    static_cast<int64_t>(*values.rbegin())});
  });
  TileRunConditions conditions(t.f);
  const auto runs = digitsOf(t.f, RunSum(t.f, constant, parts), digits, all,
                             cuts, conditions);
  std::string text;
  for (const RunDigit &digit : digits)
    text += " floordiv " + std::to_string(digit.stride) + " mod " +
            std::to_string(digit.modulus);
  SCOPED_TRACE(text);
  if (runs && cuts == TileCuts::Count)
    for (const auto &run : *runs) checkRun(t, run, conditions);
  StrictnessOf sizes;
  t.each([&] {
    std::set<std::vector<Wide>> tuples;
    std::vector<Values> each(digits.size());
    for (Wide value : t.values(constant, parts, cuts)) {
      std::vector<Wide> tuple;
      for (size_t i = 0; i < digits.size(); ++i) {
        tuple.push_back(digitOf(value, digits[i]));
        each[i].insert(tuple.back());
      }
      tuples.insert(tuple);
    }
    size_t product = 1;
    bool isRight = true;
    for (const Values &own : each) {
      product *= own.size();
      isRight &= widest(own) <= 1;
    }
    isRight &= product == tuples.size();
    const bool isKnown = runs && t.hold(conditions);
    sizes.add(t.sizes(), isRight, isKnown);
    if (!isKnown) return;
    EXPECT_EQ(product, tuples.size());
    for (size_t i = 0; i < digits.size(); ++i) {
      const Values own = t.values((*runs)[i]);
      EXPECT_EQ(own, each[i]) << "digit " << i << ": " << textOf(own)
                              << "and not " << textOf(each[i]);
    }
  });
  return sizes;
}

TEST(Runs, DigitsOfASumAreAProduct) {
  Strictness strictness;
  withSums(2, [&](Tiles &t, Random &random, const RandomSum &of) {
    const bool isLeastUncut = llvm::all_of(of.runs, [](const auto &own) {
      return own.coefficient > 0 && !own.run.hasOtherEdges &&
             own.run.edges.size() <= 1;
    });
    const TileCuts cuts = isLeastUncut && random.oneIn(3) ? TileCuts::DoNotCount
                                                          : TileCuts::Count;
    checkDigits(t, of.constant, of.runs, randomDigits(random), cuts)
        .addTo(strictness);
  });
  strictness.print("digits");
  EXPECT_GT(strictness.right, 1000);
  EXPECT_LT(strictness.missed * 100, strictness.right * 70);
}

/// {a; o} of all its values, counted down, does not begin at a multiple of a.
TEST(Runs, DigitsOfARunThatIsCountedDown) {
  Tiles t;
  const auto inner = dimension(t, t.add(VariableKind::Range, 1, 2), 0, 2);
  const auto outer = dimension(t, t.add(VariableKind::Range, 1, 5), 0, 5);
  checkDigits(t, -5, {{-1, inner}, {2, outer}}, {{4, 2}, {8, 0}});
}

/// ({2; o} + 6) floordiv 2 begins at 3, for example, which is no multiple of 2.
TEST(Runs, QuotientsOfALargeConstant) {
  for (int64_t size = 1; size <= 8; ++size) {
    Tiles t;
    checkDigits(t, 6, {{1, dimension(t, t.f.number(size), 0, 8)}}, {{2, 0}});
  }
}

/// 3 * {a; o} + {n}, with n <= 3, has all values if n is 3.
TEST(Runs, DigitsOfAllValues) {
  Tiles t;
  const FormId a = t.add(VariableKind::Range, 1, 4);
  const FormId n = t.add(VariableKind::Range, 1, 3);
  auto inner = Run::point(t.f, t.f.number(0));
  inner.full = inner.cut = n;
  inner.most = 3;
  const llvm::SmallVector<ScaledRun, 2> parts = {{3, dimension(t, a, 0, 4)},
                                                 {1, inner}};
  const llvm::SmallVector<RunDigit, 2> digits = {{1, 6}, {6, 0}};
  checkDigits(t, 0, parts, digits);
  TileRunConditions conditions(t.f);
  ASSERT_TRUE(digitsOf(t.f, RunSum(t.f, 0, parts), digits, {0, 11},
                       TileCuts::Count, conditions));
  t.each([&] {
    if (t(a) == 2 && t(n) == 3) {
      EXPECT_TRUE(t.hold(conditions));
    }
  });
}

TEST(Runs, QuotientsOfSomeRemainders) {
  int64_t known = 0, none = 0;
  withSums(2, [&](Tiles &t, Random &random, const RandomSum &of) {
    const RunSum sum(t.f, of.constant, of.runs);
    if (sum.widestGap(t.f) > 1) return;
    const int64_t shift = random.in(-5, 5), divisor = random.in(2, 5);
    const int64_t low = random.in(0, divisor - 1);
    const Interval remainders = {low, random.in(low, divisor - 1)};
    const SomeQuotients found =
        quotientsOf(t.f, sum, shift, divisor, remainders);
    t.each([&] {
      Values quotients;
      for (Wide value : t.values(of.constant, of.runs))
        if (remainders.contains(digitOf(value + shift, {1, divisor})))
          quotients.insert(floorOf(value, divisor));
      EXPECT_EQ(t(found.isAny), !quotients.empty());
      none += quotients.empty();
      if (!found.run || quotients.empty()) return;
      ++known;
      EXPECT_EQ(t.values(*found.run), quotients);
      EXPECT_EQ(t(found.run->cut), static_cast<int64_t>(quotients.size()));
      EXPECT_LE(t(found.run->cut), found.run->most);
    });
  });
  EXPECT_GT(known, 1000);
  EXPECT_GT(none, 50);
}

TEST(Runs, AProgressionBetweenBounds) {
  withSums(1, [](Tiles &t, Random &random, const RandomSum &of) {
    const RunSum sum(t.f, of.constant, of.runs);
    TileRunConditions conditions(t.f);
    const auto values = progressionOf(t.f, sum, conditions);
    ASSERT_TRUE(values);
    std::optional<FormId> lower, upper;
    if (!random.oneIn(3)) lower = t.f.number(random.in(-20, 20));
    if (!random.oneIn(3))
      upper = t.add(VariableKind::Runtime, random.in(-9, 0), random.in(1, 9));
    const auto found = clipped(t.f, *values, lower, upper);
    EXPECT_EQ(found.has_value(), t.f.isNumber(values->stride));
    if (!found) return;
    t.each([&] {
      Values inside;
      for (Wide value : t.values(values->first, values->stride, values->count))
        if ((!lower || value >= t(*lower)) && (!upper || value <= t(*upper)))
          inside.insert(value);
      EXPECT_EQ(t(found->count), static_cast<int64_t>(inside.size()));
      EXPECT_EQ(t.values(found->first, found->stride, found->count), inside);
    });
  });
}

/// n * (v + …) + w, with n values of w: the parts whose gap is a form lie
/// around the others.
TEST(Runs, GapsThatAreForms) {
  int64_t known = 0;
  withSums(2, [&](Tiles &t, Random &random, const RandomSum &of) {
    const FormId n = t.add(VariableKind::Runtime, 0, 4);
    const RunSum inner(t.f, of.constant, of.runs);
    const auto outer = product(t.f, inner, n);
    EXPECT_EQ(outer.has_value(), inner.parts.size() <= 1);
    if (!outer) return;
    t.gates.push_back(n);
    auto around = Run::all(t.f, {0, 2});
    const bool isOpen = random.oneIn(2);
    if (isOpen) {
      around.full = around.cut = n;
      around.mayLack = around.hasOtherEdges = true;
      around.most = Interval::kInfinity;
    }
    const llvm::SmallVector<ScaledRun, 2> runs = {{1, *outer}, {1, around}};
    TileRunConditions conditions(t.f);
    const auto found = progressionOf(t.f, RunSum(t.f, 0, runs), conditions);
    t.each([&] {
      Values scaled;
      for (Wide value : t.values(of.constant, of.runs))
        scaled.insert(value * t(n));
      EXPECT_EQ(t.values(*outer), scaled);
      if (!found || !t.hold(conditions)) return;
      ++known;
      EXPECT_EQ(t.values(found->first, found->stride, found->count),
                t.values(0, runs));
    });
    if (isOpen && !outer->floating && inner.parts.size() == 1 &&
        inner.parts[0].gap == 1) {
      EXPECT_TRUE(found && conditions.zeros().empty());
    }
  });
  EXPECT_GT(known, 1000);
}

}  // namespace
}  // namespace indexical::testing
