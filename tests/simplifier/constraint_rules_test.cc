// Each rule of constraints by itself, found by its name.
//
// A rule is applied to random constraints on small boxes. At every point of the
// box the constraint holds before and after or neither time. Values are those
// of 256 bits (wide.h), so that coefficients can be as great as there are.
//
//   INDEXICAL_CASES=200000   so many constraints a rule
//   INDEXICAL_SEED=n         beginning with this one
#include "indexical/simplifier/constraint_rules.h"

#include <fstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/map_text.h"
#include "tests/simplifier/edges.h"
#include "tests/simplifier/parsed_map.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

using When = ConstraintRule::When;

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
    switch (random.in(0, 3)) {
      case 0:
        return pool.digit(sum(5), random.in(1, 6), 0);
      case 1:
        return pool.digit(sum(5), 1, random.in(2, 9));
      case 2:
        return pool.linear(
            {{pool.digit(sum(5), random.in(1, 4), 0), random.in(-3, 3)},
             {sum(4), random.in(1, 2)}},
            0);
      default:
        return sum(random.oneIn(3) ? 40 : 6);
    }
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
    EXPECT_GT(applied, count / 500);
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
    const Constraint becomes = constraintOf(rule.on, rule.becomes, pool);
    EXPECT_EQ(made->form, becomes.form);
    EXPECT_EQ(made->bounds, becomes.bounds);
  }
}

TEST(ConstraintRulesTest, EachIsOnThePage) {
  std::ifstream file("docs/normal_form.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  size_t place = 0;
  for (const ConstraintRule &rule : constraintRules()) {
    const std::string becomes =
        *rule.becomes ? "`" + std::string(rule.becomes) + "`" : "nothing";
    const std::string row = std::string("| ") + rule.name + " | `" +
                            rule.example + "` | " + becomes + " | " + rule.on +
                            " |";
    const size_t found = page.find(row);
    EXPECT_NE(found, std::string::npos) << row;
    EXPECT_GT(found, place) << row << " stands in another order";
    place = found;
  }
}

}  // namespace
}  // namespace indexical::testing
