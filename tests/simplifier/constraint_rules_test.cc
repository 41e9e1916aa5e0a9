// Each rule of constraints by itself, found by its name.
//
// A rule is applied to random constraints on small boxes. At every point of the
// box the constraint holds before and after or neither time. Values are those
// of 256 bits (wide.h), so that coefficients can be as great as there are. A
// rule of pairs is applied to digits of sums that are alike.
//
//   INDEXICAL_CASES=200000   so many constraints a rule
//   INDEXICAL_SEED=n         beginning with this one
#include "indexical/simplifier/constraint_rules.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/map_text.h"
#include "tests/simplifier/edges.h"
#include "tests/simplifier/parsed_map.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

using When = ConstraintRule::When;

/// In place of a constraint that never holds.
constexpr char kNoPoint[] = "no point";

struct Draw : EdgeDraw {
  explicit Draw(uint64_t seed) : EdgeDraw(seed) {
    for (int64_t i = random.in(1, 3); i > 0; --i) addSmallVariable(6);
  }

  FormId sum(int64_t most) {
    std::vector<ScaledForm> parts;
    const int64_t factor = random.oneIn(3) ? random.in(2, 5) : 1;
    for (uint32_t i = 0; i < sides().size(); ++i)
      if (!random.oneIn(5)) {
        const int64_t number = randomNumber(random, most);
        parts.push_back({pool.variable({VariableKind::Dimension, i}),
                         std::abs(number) < 1000 ? number * factor : number});
      }
    return pool.linear(parts, random.oneIn(2) ? 0 : randomNumber(random, 20));
  }
  FormId form() {
    if (random.oneIn(12)) return pool.positivePart(sum(5));
    switch (random.in(0, 4)) {
      case 0:
        return pool.digit(sum(5), random.in(1, 6), 0);
      case 1:
        return pool.linear({{pool.digit(sum(5), 1, random.in(2, 9)),
                             random.oneIn(4) ? -1 : 1}},
                           random.oneIn(4) ? random.in(-9, 9) : 0);
      case 2:
        return pool.linear(
            {{pool.digit(sum(5), random.in(1, 4), 0), random.in(-3, 3)},
             {sum(4), random.in(1, 2)}},
            0);
      case 3:
        return quotientInSum();
      default:
        return sum(random.oneIn(3) ? 40 : 6);
    }
  }
  /// A quotient by a variable of at least 1, in a sum.
  FormId quotientInSum() {
    const FormId other = sum(4);
    for (uint32_t i = 0; i < sides().size(); ++i)
      if (sides()[i].lower >= 1)
        return pool.linear(
            {{pool.quotient(sum(5),
                            pool.variable({VariableKind::Dimension, i})),
              random.in(-2, 2)},
             {other, 1}},
            0);
    return other;
  }
  Interval bounds() {
    const int64_t lower = randomNumber(random, 20);
    Interval bounds = {lower, lower};
    if (random.oneIn(3)) return bounds;
    if (auto upper = checkedAdd(lower, random.in(0, 40))) bounds.upper = *upper;
    if (random.oneIn(5)) bounds.lower = Interval::kMinusInfinity;
    if (random.oneIn(5)) bounds.upper = Interval::kInfinity;
    return bounds;
  }
};

TEST(ConstraintRulesTest, EachKeepsThePointsAndLowersTheOrder) {
  const uint64_t seed = fromEnvironment("INDEXICAL_SEED", 1);
  const auto count = fromEnvironment("INDEXICAL_CASES", 4000);
  for (const ConstraintRule &rule : constraintRules()) {
    SCOPED_TRACE(rule.name);
    int64_t applied = 0;
    for (uint64_t i = 0; i < static_cast<uint64_t>(count); ++i) {
      Draw draw(seed + i);
      const Constraint before = {draw.form(), draw.bounds()};
      if (draw.pool.overflowed() || draw.pool.terms(before.form).empty())
        continue;
      auto boundsOf = [&](VariableId id) { return draw.box[id]; };
      FormBounds known(draw.pool, boundsOf);
      const auto after = rule.what(draw.pool, &known, before);
      if (!after) continue;
      ++applied;
      ASSERT_FALSE(draw.pool.overflowed());
      SCOPED_TRACE("seed " + std::to_string(seed + i) + "\n" +
                   draw.text(before) + "\n" + draw.text(*after));
      ASSERT_TRUE(rule.when == When::End ||
                  orderOf(draw.pool, after->form) <
                      orderOf(draw.pool, before.form));
      draw.forPoints([&](const Draw::Point &point) {
        const auto was = draw.holds(before, point);
        const auto is = draw.holds(*after, point);
        ASSERT_TRUE(!was || !is || *was == *is);
      });
      if (HasFailure()) return;
    }
    // Compilers differ in the order in which arguments draw numbers.
    EXPECT_GT(applied, count / 2000);
  }
}

// So the rules may turn any coefficient over, and ask for a common factor.
TEST(ConstraintRulesTest, NoFormHasTheSmallestNumber) {
  ExpressionPool pool;
  const FormId x = pool.variable({VariableKind::Dimension, 0});
  for (const auto &[coefficient, constant] :
       {std::pair{INT64_MIN, int64_t{0}}, std::pair{int64_t{1}, INT64_MIN}}) {
    const FormId form = pool.linear({{x, coefficient}}, constant);
    EXPECT_TRUE(pool.overflowed());
    EXPECT_TRUE(pool.isConstant(form, 0));
    pool.setOverflowed(false);
  }
}

TEST(ConstraintRulesTest, EachTurnsItsExample) {
  for (const ConstraintRule &rule : constraintRules()) {
    SCOPED_TRACE(rule.name);
    ExpressionPool pool;
    const Constraint example = constraintOf(rule.on, rule.example, pool);
    const IndexingMap box = mapOn(rule.on);
    auto boundsOf = [&](VariableId id) {
      return box.dimensions()[id.index].bounds;
    };
    FormBounds known(pool, boundsOf);
    const auto made = rule.what(pool, &known, example);
    ASSERT_TRUE(made);
    if (*rule.becomes == 0) {
      EXPECT_EQ(made->bounds, Interval::all());
      continue;
    }
    if (llvm::StringRef(rule.becomes) == kNoPoint) {
      EXPECT_TRUE(made->bounds.isEmpty());
      continue;
    }
    const Constraint becomes = constraintOf(rule.on, rule.becomes, pool);
    EXPECT_EQ(made->form, becomes.form);
    EXPECT_EQ(made->bounds, becomes.bounds);
  }
}

TEST(ConstraintRulesTest, EachIsOnThePage) {
  std::ifstream file("docs/internals/normal_form.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  size_t place = 0;
  for (const ConstraintRule &rule : constraintRules()) {
    std::string becomes = "`" + std::string(rule.becomes) + "`";
    if (*rule.becomes == 0) becomes = "nothing";
    if (llvm::StringRef(rule.becomes) == kNoPoint) becomes = kNoPoint;
    const std::string row = std::string("| ") + rule.name + " | `" +
                            rule.example + "` | " + becomes + " | " + rule.on +
                            " |";
    const size_t found = page.find(row);
    EXPECT_NE(found, std::string::npos) << row;
    EXPECT_GT(found, place) << row << " stands in another order";
    place = found;
  }
  for (const PairRule &rule : pairRules()) {
    const std::string row = std::string("| ") + rule.name + " | `" +
                            rule.example + "` | `" + rule.other + "` | `" +
                            rule.becomes + "` | " + rule.on + " |";
    const size_t found = page.find(row);
    EXPECT_NE(found, std::string::npos) << row;
    EXPECT_GT(found, place) << row << " stands in another order";
    place = found;
  }
}

//===-- Rules of pairs ----------------------------------------------------===//

/// Two digits of sums that mostly differ by a constant and by whole turns.
struct PairDraw : Draw {
  using Draw::Draw;

  int64_t modulus() {
    return random.oneIn(8) ? std::max<int64_t>(2, randomNumber(random, 9))
                           : random.in(2, 9);
  }
  FormId turned(FormId x, int64_t turn) {
    if (random.oneIn(2)) return x;
    std::vector<ScaledForm> parts = {{x, 1}};
    if (random.oneIn(2))
      parts.push_back(
          {pool.variable({VariableKind::Dimension, 0}),
           random.in(-2, 2) * (random.oneIn(4) || turn > 100 ? 1 : turn)});
    const int64_t constant = randomNumber(random, 20);
    return pool.linear(parts, random.oneIn(2) ? 0 : constant);
  }
  Interval value(int64_t modulus) {
    if (random.oneIn(9)) return {0, 1};
    return Interval::point(random.in(0, modulus - (random.oneIn(9) ? 0 : 1)));
  }
  /// A quotient and a remainder by a variable of at least 1.
  std::pair<Constraint, Constraint> bySize() {
    const FormId x = sum(6);
    box.variables[0].push_back({1, random.in(1, 4)});
    const FormId by = pool.variable(
        {VariableKind::Dimension, static_cast<uint32_t>(sides().size() - 1)});
    return {{pool.quotient(x, by), Interval::point(random.in(-2, 3))},
            {pool.remainder(x, by), value(2)}};
  }
  std::pair<Constraint, Constraint> pair() {
    if (random.oneIn(4)) return bySize();
    const FormId x = sum(6);
    const int64_t n = modulus(), m = modulus();
    const bool isAbove = random.oneIn(2);
    const int64_t stride = !isAbove ? 1 : random.oneIn(6) ? m : n;
    return {{pool.digit(turned(x, n), 1, n), value(n)},
            {pool.digit(turned(x, n), stride, m), value(m)}};
  }
};

TEST(PairRulesTest, EachHoldsWhereBothHold) {
  const uint64_t seed = fromEnvironment("INDEXICAL_SEED", 1);
  const auto count = fromEnvironment("INDEXICAL_CASES", 4000);
  for (const PairRule &rule : pairRules()) {
    SCOPED_TRACE(rule.name);
    int64_t applied = 0, holding = 0;
    for (uint64_t i = 0; i < static_cast<uint64_t>(count); ++i) {
      PairDraw draw(seed + i);
      const auto both = draw.pair();
      const auto &c = both.first, &other = both.second;
      if (draw.pool.overflowed() || draw.pool.terms(c.form).empty() ||
          draw.pool.terms(other.form).empty())
        continue;
      SCOPED_TRACE("seed " + std::to_string(seed + i) + "\n" + draw.text(c) +
                   "\n" + draw.text(other));
      const auto made = rule.what(draw.pool, c, other);
      const auto turned = rule.what(draw.pool, other, c);
      ASSERT_EQ(made.has_value(), turned.has_value());
      if (!made) continue;
      ++applied;
      ASSERT_FALSE(draw.pool.overflowed());
      SCOPED_TRACE(draw.text(*made));
      ASSERT_EQ(made->form, turned->form);
      ASSERT_EQ(made->bounds, turned->bounds);
      draw.forPoints([&](const Draw::Point &point) {
        const auto own = draw.holds(c, point);
        const auto its = draw.holds(other, point);
        const auto is = draw.holds(*made, point);
        ASSERT_TRUE(!own || !its || !is || (*own && *its) == *is);
        holding += is && *is;
      });
      if (HasFailure()) return;
    }
    EXPECT_GT(applied, count / 20);
    EXPECT_GT(holding, count / 20);
  }
}

TEST(PairRulesTest, EachTurnsItsExample) {
  for (const PairRule &rule : pairRules()) {
    SCOPED_TRACE(rule.name);
    ExpressionPool pool;
    const auto made = rule.what(pool, constraintOf(rule.on, rule.example, pool),
                                constraintOf(rule.on, rule.other, pool));
    ASSERT_TRUE(made);
    const Constraint becomes = constraintOf(rule.on, rule.becomes, pool);
    EXPECT_EQ(made->form, becomes.form);
    EXPECT_EQ(made->bounds, becomes.bounds);
  }
}

// A value that a remainder cannot have is no value of the two together.
TEST(PairRulesTest, NoneTakesAValueOutsideOfTheModulus) {
  const std::string on = "d0 in [0, 99]";
  const std::pair<const char *, const char *> cases[] = {
      {"d0 mod 2 in [2, 2]", "(d0 floordiv 2) mod 3 in [1, 1]"},
      {"d0 mod 2 in [1, 1]", "(d0 floordiv 2) mod 3 in [3, 3]"},
      {"d0 mod 4 in [7, 7]", "d0 mod 6 in [1, 1]"},
  };
  for (const auto &[text, other] : cases)
    for (const PairRule &rule : pairRules()) {
      ExpressionPool pool;
      const Constraint c = constraintOf(on, text, pool);
      const Constraint d = constraintOf(on, other, pool);
      EXPECT_FALSE(rule.what(pool, c, d)) << text;
      EXPECT_FALSE(rule.what(pool, d, c)) << text;
    }
}

TEST(PairRulesTest, ResiduesThatContradictEachOtherLeaveNoPoint) {
  ExpressionPool pool;
  const std::string on = "d0 in [0, 99]";
  const Constraint c = constraintOf(on, "d0 mod 4 in [3, 3]", pool);
  const Constraint d = constraintOf(on, "d0 mod 6 in [2, 2]", pool);
  const auto made = pairRules().back().what(pool, c, d);
  ASSERT_TRUE(made);
  EXPECT_TRUE(made->bounds.isEmpty());
}

}  // namespace
}  // namespace indexical::testing
