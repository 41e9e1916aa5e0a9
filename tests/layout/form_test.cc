// Laws of sums of digits and parities, at every point.

#include "indexical/layout/form.h"

#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

#include "indexical/layout/layout.h"
#include "indexical/layout/parse.h"
#include "tests/layout/random_layouts.h"

namespace indexical::layouts {
namespace {

using testing::RandomModes;

Coordinates randomBox(RandomModes &random) {
  static constexpr int64_t kSizes[] = {1, 2, 3, 4, 6, 8, 12, 16, 24};
  Coordinates box;
  for (int64_t k = random.number(1, 3); k > 0; --k)
    box.push_back(kSizes[random.number(0, k == 1 ? 8 : 5)]);
  return box;
}

/// Returns any sum of the box: digits may overlap.
Sum randomSum(RandomModes &random, Box box) {
  Sum sum;
  sum.constant = random.number(-5, 20);
  for (int64_t n = random.number(0, 4); n > 0; --n) {
    const auto input = static_cast<int>(random.number(0, box.size() - 1));
    static constexpr int64_t kSteps[] = {1, 1, 2, 2, 3, 4, 6, 8};
    sum.digits.push_back({input, kSteps[random.number(0, 7)],
                          random.number(0, 1) ? 0 : kSteps[random.number(2, 7)],
                          random.number(-12, 24)});
  }
  for (int64_t n = random.number(0, 2); n > 0; --n) {
    std::set<Bit> bits;
    for (int64_t b = random.number(1, 3); b > 0; --b)
      bits.insert({static_cast<int>(random.number(0, box.size() - 1)),
                   static_cast<int>(random.number(0, 3))});
    sum.parities.push_back({random.number(-4, 8), {bits.begin(), bits.end()}});
  }
  return sum;
}

/// The definition of a sum, in other words.
int64_t definition(const Sum &sum, llvm::ArrayRef<int64_t> point) {
  int64_t value = sum.constant;
  for (const Digit &digit : sum.digits) {
    int64_t times = 0;
    for (int64_t x = digit.step; x <= point[digit.input]; x += digit.step)
      if (++times == digit.size) times = 0;
    value += digit.weight * times;
  }
  for (const Parity &parity : sum.parities) {
    int ones = 0;
    for (const auto &[input, bit] : parity.bits)
      ones += static_cast<int>((point[input] / (1 << bit)) % 2);
    value += ones % 2 == 1 ? parity.weight : 0;
  }
  return value;
}

template <typename Visit>
void forAll(Box box, Visit visit) {
  const int64_t points = *pointsOf(box);
  for (int64_t i = 0; i < points; ++i) visit(pointOf(i, box));
}

std::string show(const Sum &sum, Box box) {
  std::vector<Space> inputs;
  for (size_t k = 0; k < box.size(); ++k)
    inputs.push_back({absl::StrCat("d", k, "<", box[k]), INT64_MAX});
  return printSum(sum, inputs);
}

TEST(Form, NormalSumsHaveTheSameValuesAndAreUnique) {
  RandomModes random(68);
  int normal = 0, alike = 0;
  for (int n = 0; n < testing::instances(6000); ++n) {
    const Coordinates box = randomBox(random);
    const Sum sum = randomSum(random, box);
    const auto made = normalised(sum, box);
    std::vector<int64_t> values;
    forAll(box, [&](const Coordinates &point) {
      values.push_back(definition(sum, point));
      EXPECT_EQ(valueOf(sum, point), values.back()) << show(sum, box);
      if (made) {
        EXPECT_EQ(valueOf(*made, point), values.back()) << show(sum, box);
      }
      EXPECT_TRUE(bounds(sum, box).contains(values.back())) << show(sum, box);
    });
    const auto table = tabulated(values, box);
    if (table)
      forAll(box, [&, i = size_t{0}](const Coordinates &point) mutable {
        EXPECT_EQ(valueOf(*table, point), values[i++]) << show(*table, box);
      });
    if (!made) continue;
    ++normal;
    EXPECT_EQ(normalised(*made, box), made) << show(sum, box);
    // The table knows values alone: the form is theirs.
    if (!table) continue;
    ++alike;
    EXPECT_EQ(*table, *made) << show(*table, box) << "\n" << show(*made, box);
  }
  EXPECT_GT(normal, testing::instances(6000) / 8);
  EXPECT_GT(alike, normal / 2);
}

TEST(Form, ChoosesTheTermsOfLargeInputs) {
  // Digits that are cut far up, at odd numbers, are digits.
  for (const int64_t step : {3, 24576, 24577, 98304, 1000003}) {
    const Sum sum{0, {{0, step, 0, 5}}, {}};
    const auto made = normalised(sum, {int64_t{1} << 40});
    ASSERT_TRUE(made.has_value()) << step;
    EXPECT_EQ(made->digits.size(), 1u);
    EXPECT_TRUE(made->parities.empty());
  }
  // Bits that are far apart stay bits.
  const Sum apart{
      0, {}, {{5, {{0, 0}, {0, 1}}}, {-5, {{0, 0}, {0, 1}, {0, 39}}}}};
  EXPECT_EQ(normalised(apart, {int64_t{1} << 40})->parities.size(), 2u);
  // The bases 3 * 2^a and 6 * 2^a, behind others.
  for (const int low : {0, 3, 20}) {
    const int64_t unit = int64_t{1} << low;
    const Sum digits{
        0,
        {{0, 1, unit, 1}, {0, unit, 3, 3 * unit}, {0, 3 * unit, 0, 5 * unit}},
        {}};
    const Sum bits{0,
                   {{0, 1, 2 * unit, 1}, {0, 2 * unit, 2, 4 * unit}},
                   {{2 * unit, {{0, low}, {0, low + 1}}}}};
    ASSERT_TRUE(normalised(bits, {4 * unit}).has_value());
    EXPECT_EQ(normalised(digits, {4 * unit}), normalised(bits, {4 * unit}));
  }
}

TEST(Form, SplitsWhereNothingCarries) {
  RandomModes random(681);
  int splits = 0;
  for (int n = 0; n < testing::instances(6000); ++n) {
    const Coordinates box = randomBox(random);
    const Sum sum = randomSum(random, box);
    const int64_t by = random.number(1, 12);
    if (const auto parts = split(sum, by, box)) {
      ++splits;
      forAll(box, [&](const Coordinates &point) {
        const int64_t low = definition(parts->low, point);
        EXPECT_TRUE(0 <= low && low < by) << show(sum, box) << " by " << by;
        EXPECT_EQ(definition(parts->high, point) * by + low,
                  definition(sum, point))
            << show(sum, box) << " by " << by;
      });
    }
    const int bit = static_cast<int>(random.number(0, 4));
    if (const auto odd = bitOf(sum, bit, box))
      forAll(box, [&](const Coordinates &point) {
        EXPECT_EQ(definition(*odd, point), definition(sum, point) >> bit & 1)
            << show(sum, box) << " bit " << bit;
      });
  }
  EXPECT_GT(splits, testing::instances(6000) / 8);
}

TEST(Form, ComposesAtEveryPoint) {
  RandomModes random(682);
  int made = 0;
  for (int n = 0; n < testing::instances(6000); ++n) {
    const Coordinates box = randomBox(random);
    std::vector<Sum> inner;
    Coordinates reach;
    for (int64_t k = random.number(1, 2); k > 0; --k) {
      Sum sum = randomSum(random, box);
      const Interval values = bounds(sum, box);
      sum.constant -= std::min<int64_t>(0, values.lower);
      inner.push_back(sum);
      reach.push_back(bounds(sum, box).upper + 1);
    }
    const Sum outer = randomSum(random, reach);
    const auto both = composed(outer, reach, inner, box);
    if (!both) continue;
    ++made;
    forAll(box, [&](const Coordinates &point) {
      Coordinates between;
      for (const Sum &sum : inner) between.push_back(definition(sum, point));
      EXPECT_EQ(definition(*both, point), definition(outer, between))
          << show(outer, reach) << " of " << show(inner[0], box);
    });
  }
  EXPECT_GT(made, testing::instances(6000) / 16);
}

TEST(Form, IsVisitedAtEveryPoint) {
  RandomModes random(683);
  int visited = 0;
  for (int n = 0; n < testing::instances(2000); ++n) {
    const Coordinates box = randomBox(random);
    std::vector<Space> inputs, outputs;
    for (const auto &[k, side] : llvm::enumerate(box))
      inputs.push_back({absl::StrCat("d", k), side});
    std::vector<Sum> sums;
    for (int64_t k = random.number(1, 3); k > 0; --k) {
      sums.push_back(randomSum(random, box));
      outputs.push_back({absl::StrCat("dim", k), 0});
    }
    const auto layout = Layout::of(inputs, outputs, sums);
    if (!layout.ok()) continue;
    ++visited;
    int64_t number = 0;
    layout->visit(
        [&](llvm::ArrayRef<int64_t> point, llvm::ArrayRef<int64_t> values) {
          EXPECT_EQ(Coordinates(point), pointOf(number++, box));
          for (auto [sum, value] : llvm::zip_equal(sums, values))
            EXPECT_EQ(value, definition(sum, point)) << show(sum, box);
          return true;
        });
    EXPECT_EQ(number, *pointsOf(box));
  }
  EXPECT_GT(visited, testing::instances(2000) / 16);
}

TEST(Form, KnowsTheEndsOf64Bits) {
  const int64_t big = int64_t{1} << 62;
  EXPECT_TRUE(parseLayout("(2,2):(4611686018427387904,1)").ok());
  EXPECT_FALSE(
      parseLayout("(2,2):(4611686018427387904,4611686018427387904)").ok());
  EXPECT_FALSE(parseLayout("3:4611686018427387904").ok());
  EXPECT_TRUE(parseLayout("2:9223372036854775806").ok());
  EXPECT_FALSE(parseLayout("2:9223372036854775808").ok());
  EXPECT_FALSE(parseLayout("(4294967296,4294967296):(1,0)").ok());
  EXPECT_TRUE(parseLayout("(2147483648,2147483648):(2147483648,1)").ok());
  for (const int64_t base : {int64_t{1} << 31, big, INT64_MAX - 8}) {
    // The weights of neighbours must not wrap into one another.
    const Sum sum{0, {{0, 1, 2, base}, {0, 2, 2, -base}}, {}};
    const auto made = normalised(sum, {4});
    ASSERT_TRUE(made.has_value());
    for (int64_t x = 0; x < 4; ++x)
      EXPECT_EQ(valueOf(*made, {x}), x % 2 * base - x / 2 * base);
    // A sum that fits though its parts do not.
    const Sum wide{-base, {{0, 1, 4, base / 2}, {1, 1, 2, base}}, {}};
    const Interval reach = bounds(wide, {4, 2});
    if (reach.isFinite()) {
      EXPECT_EQ(valueOf(wide, {3, 1}), 3 * (base / 2));
    }
    for (const int64_t by : {int64_t{3}, int64_t{1} << 30, base}) {
      const auto parts = split(Sum{base - 1, {}, {}}, by, {1});
      ASSERT_TRUE(parts.has_value());
      EXPECT_EQ(parts->high.constant, (base - 1) / by);
      EXPECT_EQ(parts->low.constant, (base - 1) % by);
    }
  }
  EXPECT_FALSE(normalised(Sum{0, {{0, 1, 2, big}, {0, 1, 2, big}}, {}}, {2}));
  EXPECT_FALSE(scaled(Sum{big, {}, {}}, 2));
}

}  // namespace
}  // namespace indexical::layouts
