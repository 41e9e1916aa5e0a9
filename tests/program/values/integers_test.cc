// Comparisons of integers that are known by intervals, against all values.
//
// Two numbers of few values each, at the edges of 31, 53, 62 and 63 bits: what
// is decided of a - b holds for all of their values, and no form leaves 64
// bits on the way. If neither is a number, a difference that leaves 64 bits
// decides nothing.
//
//   INDEXICAL_SEED=n   beginning with this one
#include "indexical/program/values/integers.h"

#include <cstdint>
#include <cstdio>
#include <optional>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/bounds.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

/// Integers of two variables, decided by their intervals alone.
class TwoIntegers : public Integers {
 public:
  explicit TwoIntegers(std::vector<Interval> bounds)
      : bounds_(std::move(bounds)) {}
  ExpressionPool &pool() override { return pool_; }
  Interval boundsOf(Expr expression) override {
    auto bounds = [&](VariableId id) { return bounds_[id.index]; };
    return FormBounds(pool_, bounds)(expression.form());
  }
  using Integers::isAtMost;
  std::optional<bool> isAtMost(Expr expression, int64_t most) override {
    const Interval bounds = boundsOf(expression);
    if (bounds.upper <= most) return true;
    if (bounds.lower > most) return false;
    return std::nullopt;
  }
  Maybe product(Expr, Expr) override { return std::nullopt; }
  Maybe quotient(const ElementwiseOp &, Expr, Expr) override {
    return std::nullopt;
  }
  Expr variable(uint32_t i) {
    return expression(pool_.variable({VariableKind::Dimension, i}));
  }

 private:
  const std::vector<Interval> bounds_;
  ExpressionPool pool_;
};

/// Returns a few values about 0 or about an edge. The ends of 64 bits are no
/// values: they mean that there is no bound.
Interval drawn(Random &random) {
  const int bits[] = {0, 31, 53, 61, 62, 63};
  const int at = bits[random.in(0, 5)];
  const int64_t edge = at == 63 ? INT64_MAX - 9 : (int64_t{1} << at);
  const int64_t first = (random.oneIn(2) ? edge : -edge) + random.in(-4, 4);
  return {first, first + random.in(0, 3)};
}

TEST(IntegersTest, DifferencesAreDecidedForAllValues) {
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  int64_t decided = 0, open = 0;
  for (uint64_t seed = first; seed < first + 20'000; ++seed) {
    Random random(seed);
    const Interval x = drawn(random), y = drawn(random);
    const int64_t most =
        random.oneIn(2) ? random.in(-3, 3) : drawn(random).lower;
    SCOPED_TRACE("INDEXICAL_SEED=" + std::to_string(seed) + " " + x.str() +
                 " " + y.str() + " " + std::to_string(most));
    // Either number is one of a few behind its least, which is a constant of
    // its form: the difference of two such forms may leave 64 bits.
    auto behind = [](const Interval &of) {
      return Interval{0, of.upper - of.lower};
    };
    TwoIntegers integers({behind(x), behind(y)});
    auto side = [&](uint32_t i, const Interval &of) {
      const Expr least = integers.constant(of.lower);
      return of.isPoint() && random.oneIn(2) ? least
                                             : integers.variable(i) + least;
    };
    const Expr a = side(0, x), b = side(1, y);
    const bool hasNumber = integers.valueOf(a) || integers.valueOf(b);
    const auto atMost = integers.isAtMost(a, b, most);
    const auto atLeast = integers.isAtLeast(a, b, most);
    for (int64_t u = x.lower; u <= x.upper; ++u)
      for (int64_t v = y.lower; v <= y.upper; ++v) {
        const __int128 difference = static_cast<__int128>(u) - v;
        const bool leaves = difference < INT64_MIN || difference > INT64_MAX;
        EXPECT_FALSE(leaves && !hasNumber && (atMost || atLeast));
        EXPECT_EQ(atMost.value_or(difference <= most), difference <= most);
        EXPECT_EQ(atLeast.value_or(difference >= most), difference >= most);
      }
    EXPECT_FALSE(integers.pool().overflowed());
    decided += atMost.has_value() + atLeast.has_value();
    open += !atMost + !atLeast;
    if (HasFailure()) return;
  }
  printf("  %lld decided, %lld open\n", static_cast<long long>(decided),
         static_cast<long long>(open));
  EXPECT_GT(decided, open);
  EXPECT_GT(open, 100);
}

}  // namespace
}  // namespace indexical::testing
