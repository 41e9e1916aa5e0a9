// Scans against each point by itself.
//
// Random digits of digits on boxes of one point to several blocks, negative
// and large values among them: exactly the points that satisfy the constraints
// are visited, or the scan says that it cannot.
#include "indexical/simplifier/scan.h"

#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/evaluation.h"
#include "tests/oracle/tensor.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

bool always() { return true; }

/// Numbers of all sizes up to `most`, small ones and powers of two often.
int64_t sized(Random &random, int64_t most) {
  const int64_t power = int64_t{1} << random.in(0, 43);
  const int64_t number = random.oneIn(3) ? power : random.in(1, power);
  return random.oneIn(2) ? random.in(1, 60) : std::min(most, number);
}

struct Instance {
  ExpressionPool pool;
  VariableBounds box;
  llvm::SmallVector<Constraint, 4> constraints;

  explicit Instance(Random &random) {
    const int64_t rank = random.in(1, 4);
    std::vector<FormId> forms;
    for (int64_t i = 0; i < rank; ++i) {
      const int64_t start = random.in(-1, 1) * sized(random, 1 << 30);
      const int64_t side = random.oneIn(4) ? 1 : random.in(1, 1500 >> (3 * i));
      box.variables[0].push_back({start, start + side - 1});
      forms.push_back(
          pool.variable({VariableKind::Dimension, static_cast<uint32_t>(i)}));
    }
    const auto any = [&] { return forms[random.in(0, forms.size() - 1)]; };
    const auto factor = [&] {
      return sized(random, int64_t{1} << 40) * (random.oneIn(3) ? -1 : 1);
    };
    const int64_t digits = random.in(0, 12);
    for (int64_t i = 0; i < digits; ++i) {
      const FormId sum =
          pool.linear({{any(), factor()}, {any(), random.in(-2, 2)}}, factor());
      const int64_t modulus =
          random.oneIn(3) ? 0 : sized(random, int64_t{1} << 43) + 1;
      const int64_t stride = sized(random, int64_t{1} << 43);
      if (checkedMul(stride, std::max<int64_t>(1, modulus)))
        forms.push_back(pool.digit(sum, stride, modulus));
    }
    for (int64_t i = random.in(1, 3); i > 0; --i) {
      const FormId form = pool.linear({{any(), 1}, {any(), factor()}}, 0);
      const int64_t at = random.in(-40, 40) * sized(random, 1000);
      constraints.push_back(
          {form, random.oneIn(4) ? Interval{at, Interval::kInfinity}
                 : random.oneIn(3)
                     ? Interval{Interval::kMinusInfinity, at}
                     : Interval{at, at + sized(random, 1 << 30)}});
    }
  }

  int64_t pointCount() const {
    int64_t points = 1;
    for (Interval side : box.variables[0]) points *= side.count();
    return points;
  }

  bool contains(const Index &point) const {
    auto value = [&](VariableId id) { return point[id.index]; };
    Evaluation evaluate(pool, value);
    return llvm::all_of(constraints, [&](const Constraint &c) {
      auto at = evaluate(c.form);
      return at && c.bounds.contains(*at);
    });
  }
};

template <typename Visit>
void forPoints(const VariableBounds &box, Visit visit) {
  Index counts;
  for (Interval side : box.variables[0]) counts.push_back(side.count());
  forEachIndex(counts, [&](const Index &offset) {
    Index point = offset;
    for (size_t k = 0; k < point.size(); ++k)
      point[k] += box.variables[0][k].lower;
    visit(point);
  });
}

TEST(PointScanTest, VisitsThePointsThatSatisfyTheConstraints) {
  const uint64_t seed = fromEnvironment("INDEXICAL_SEED", 1);
  const auto count = fromEnvironment("INDEXICAL_SCANS", 3000);
  int64_t scanned = 0, refused = 0, some = 0, blocks = 0;
  for (uint64_t i = 0; i < count; ++i) {
    SCOPED_TRACE("seed " + std::to_string(seed + i));
    Random random(seed + i);
    const Instance instance(random);
    PointScan scan(instance.pool, instance.constraints);
    if (instance.pointCount() > 4 * PointScan::kBlock) continue;
    std::set<Index> visited, expected;
    bool isTwice = false;
    auto done = scan(
        instance.box, [&] { return ++blocks > 0; },
        [&](const VariableBounds &at) {
          // Variables without constraints stay wide.
          forPoints(at, [&](const Index &point) {
            isTwice |= !visited.insert(point).second;
          });
          return true;
        });
    ++(done ? scanned : refused);
    if (!done) continue;
    ASSERT_TRUE(*done);
    forPoints(instance.box, [&](const Index &point) {
      if (instance.contains(point)) expected.insert(point);
    });
    ASSERT_EQ(visited, expected);
    ASSERT_FALSE(isTwice);
    some += !expected.empty();
  }
  EXPECT_GT(scanned, count / 4);
  EXPECT_GT(refused, count / 100);
  EXPECT_GT(some, count / 20);
  EXPECT_GT(blocks, scanned);
}

// A constraint as a form: 0 where it holds, as far as its window reaches.
TEST(PointScanTest, FormsAreZeroAtThePointsOrNot) {
  const uint64_t seed = fromEnvironment("INDEXICAL_SEED", 1);
  const auto count = fromEnvironment("INDEXICAL_SCANS", 3000);
  int64_t zero = 0, other = 0;
  for (uint64_t i = 0; i < count; ++i) {
    SCOPED_TRACE("seed " + std::to_string(seed + i));
    Random random(seed + i);
    Instance instance(random);
    if (instance.pointCount() > 4 * PointScan::kBlock) continue;
    llvm::SmallVector<FormId, 2> forms;
    while (forms.empty() || random.oneIn(3)) {
      const FormId form =
          instance.constraints[random.in(0, instance.constraints.size() - 1)]
              .form;
      const int64_t window = sized(random, int64_t{1} << 43);
      forms.push_back(instance.pool.digit(
          instance.pool.linear({{form, 1}}, random.in(0, window - 1)), window,
          0));
    }
    if (instance.pool.overflowed()) continue;
    if (random.oneIn(2)) instance.constraints.clear();
    PointScan scan(instance.pool, instance.constraints, forms);
    const auto found = scan.areZero(instance.box);
    if (!found) continue;
    bool areZero = true;
    forPoints(instance.box, [&](const Index &point) {
      auto value = [&](VariableId id) { return point[id.index]; };
      Evaluation evaluate(instance.pool, value);
      areZero &=
          !instance.contains(point) ||
          llvm::all_of(forms, [&](FormId form) { return evaluate(form) == 0; });
    });
    ASSERT_EQ(*found, areZero);
    ++(areZero ? zero : other);
  }
  EXPECT_GT(zero, count / 20);
  EXPECT_GT(other, count / 20);
}

TEST(PointScanTest, StopsWhereItIsTold) {
  ExpressionPool pool;
  const FormId x = pool.variable({VariableKind::Dimension, 0});
  const Constraint odd{pool.mod(x, 2), {1, 1}};
  PointScan scan(pool, {odd});
  VariableBounds box;
  box.variables[0] = {{0, 3 * PointScan::kBlock - 1}};
  int64_t blocks = 0, points = 0;
  auto twoBlocks = [&] { return ++blocks <= 2; };
  auto count = [&](const VariableBounds &) { return ++points > 0; };
  EXPECT_EQ(scan(box, twoBlocks, count), std::optional(false));
  EXPECT_EQ(points, PointScan::kBlock);
  auto five = [&](const VariableBounds &) { return ++points < 5; };
  points = 0;
  EXPECT_EQ(scan(box, always, five), std::optional(false));
  EXPECT_EQ(points, 5);
  EXPECT_FALSE(scan.pointCount(box, 3 * PointScan::kBlock - 1));
  EXPECT_EQ(scan.pointCount(box, 3 * PointScan::kBlock), 3 * PointScan::kBlock);
}

// A sum that leaves 2^44 on the way is refused, even if its value does not.
TEST(PointScanTest, RefusesLargeValues) {
  ExpressionPool pool;
  const FormId x = pool.variable({VariableKind::Dimension, 0});
  const FormId y = pool.variable({VariableKind::Dimension, 1});
  constexpr int64_t kLarge = int64_t{1} << 45;
  VariableBounds box;
  box.variables[0] = {{1, 2}, {1, 1}};
  const auto refuses = [&](FormId form) {
    PointScan scan(pool, {Constraint{form, {0, 0}}});
    return !scan(box, always, [](const VariableBounds &) { return true; });
  };
  EXPECT_FALSE(refuses(pool.linear({{x, 1}, {y, 1}}, 0)));
  EXPECT_TRUE(refuses(pool.linear({{x, 1}, {y, kLarge}}, -kLarge)));
  EXPECT_TRUE(refuses(pool.digit(x, kLarge, 0)));
  EXPECT_TRUE(refuses(pool.mod(x, kLarge)));
  EXPECT_TRUE(refuses(pool.mod(pool.linear({{x, kLarge}}, 0), 3)));
}

}  // namespace
}  // namespace indexical::testing
