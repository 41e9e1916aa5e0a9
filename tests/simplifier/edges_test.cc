// Digits, residues and steps at the edges of 31, 53, 62 and 63 bits.
//
// Each test draws tiny boxes with variables and numbers at the edges, tells
// something of them that holds at a random point, and holds what is concluded
// to every point at which that holds.
//
//   INDEXICAL_CASES=200000   so many draws a test
//   INDEXICAL_SEED=n         beginning with this one
#include "tests/simplifier/edges.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/simplifier/canonical_form.h"
#include "indexical/simplifier/dense.h"
#include "indexical/simplifier/domain.h"
#include "indexical/simplifier/rules.h"
#include "tests/simplifier/parsed_map.h"

namespace indexical::testing {
namespace {

struct Draw : EdgeDraw {
  explicit Draw(uint64_t seed, int64_t most = 5) : EdgeDraw(seed) {
    for (int64_t i = random.in(1, 3); i > 0; --i)
      variables.push_back(random.oneIn(2) ? addVariable(most)
                                          : addSmallVariable(most));
  }

  int64_t positive(int64_t least, int64_t most) {
    const int64_t number = std::abs(randomNumber(random, most));
    return number < least ? random.in(least, most) : number;
  }
  int64_t nonZero(int64_t most) {
    const int64_t number = randomNumber(random, most);
    return number ? number : 1;
  }
  FormId sum(int64_t constant) {
    std::vector<ScaledForm> parts;
    for (FormId variable : variables) parts.push_back({variable, nonZero(9)});
    return pool.linear(parts, constant);
  }
  /// The sum, and whole turns of some variables, with a constant.
  FormId turned(FormId form, int64_t turn, int64_t constant) {
    std::vector<ScaledForm> parts = {{form, 1}};
    for (FormId variable : variables)
      if (random.oneIn(2))
        if (const auto turns = checkedMul(random.in(-2, 2), turn))
          parts.push_back({variable, *turns});
    return pool.linear(parts, constant);
  }
  /// The constraint that the form is what it is at the point, or near it.
  std::optional<Constraint> at(FormId form, const Point &point, int64_t near) {
    const auto value = valueAt(form, point);
    const auto is = value ? in64Bits(*value) : std::nullopt;
    const auto lower = is ? checkedSub(*is, random.in(0, near)) : std::nullopt;
    const auto upper = is ? checkedAdd(*is, random.in(0, near)) : std::nullopt;
    if (!lower || !upper) return std::nullopt;
    return Constraint{form, {*lower, *upper}};
  }
  std::string textOf(FormId form) { return text({form, Interval::all()}); }

  std::vector<FormId> variables;
};

template <typename Test>
void forDraws(int64_t count, Test test) {
  const uint64_t seed = fromEnvironment("INDEXICAL_SEED", 1);
  count = fromEnvironment("INDEXICAL_CASES", count);
  int64_t applied = 0;
  for (uint64_t i = 0; i < static_cast<uint64_t>(count); ++i) {
    SCOPED_TRACE("seed " + std::to_string(seed + i));
    applied += test(seed + i);
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(applied, count / 100);
}

// x mod s, and (y floordiv s) mod n for a y that is x but for whole turns of s
// and a constant.
TEST(EdgesTest, TwoDigitsOfOneSumAreOne) {
  forDraws(10'000, [](uint64_t seed) {
    Draw draw(seed);
    Random &random = draw.random;
    const int64_t s = draw.positive(2, 9), n = draw.positive(2, 9);
    const FormId x = draw.sum(random.oneIn(2) ? 0 : randomNumber(random, 20));
    const FormId y =
        draw.turned(x, s, random.oneIn(2) ? 0 : randomNumber(random, 20));
    if (draw.pool.overflowed() || draw.pool.isConstant(x)) return false;
    const Draw::Point point = draw.randomPoint();
    auto low = draw.at(draw.pool.digit(x, 1, s), point, 0);
    auto high = draw.at(draw.pool.digit(y, s, n), point, 0);
    if (!low || !high || draw.pool.isConstant(high->form)) return false;
    if (random.oneIn(8)) high->bounds = Interval::point(random.in(0, n - 1));
    // No value of the digit, which a point can still have but for turns.
    if (random.oneIn(16))
      if (const auto above = checkedAdd(low->bounds.lower, s))
        low->bounds = Interval::point(*above);
    auto never = [](VariableId) { return false; };
    Domain domain(draw.pool, draw.box, never);
    if (random.oneIn(2)) std::swap(low, high);
    domain.add(low->form, low->bounds);
    domain.add(high->form, high->bounds);
    if (draw.pool.overflowed()) return false;
    SCOPED_TRACE(draw.text(*low) + "\n" + draw.text(*high));
    draw.forPoints([&](const Draw::Point &p) {
      const auto first = draw.holds(*low, p), second = draw.holds(*high, p);
      std::optional<bool> is = !domain.isEmpty();
      for (size_t k = 0; k < p.size(); ++k)
        *is &= domain.box().variables[0][k].contains(p[k]);
      for (const Constraint &c : domain.constraints()) {
        const auto holds = draw.holds(c, p);
        if (!holds) return;
        *is &= *holds;
      }
      if (!first || !second) return;
      ASSERT_EQ(*first && *second, *is);
    });
    return domain.constraints().size() == 1;
  });
}

// A sum whose parts, or multiples of them, are known.
TEST(EdgesTest, PartsOfASumBoundIt) {
  forDraws(10'000, [](uint64_t seed) {
    Draw draw(seed);
    Random &random = draw.random;
    while (draw.variables.size() < 3)
      draw.variables.push_back(draw.addSmallVariable(5));
    const Draw::Point point = draw.randomPoint();
    Facts facts(draw.pool, draw.box);
    std::vector<Constraint> added;
    std::vector<ScaledForm> parts;
    for (int i = 0; i < random.in(1, 2); ++i) {
      const FormId x = draw.variables[i], y = draw.variables[2];
      const FormId part =
          draw.pool.linear({{x, 1},
                            {random.oneIn(3) ? draw.variables[1 - i] : y,
                             random.oneIn(2) ? 1 : draw.nonZero(4)}},
                           0);
      if (draw.pool.terms(part).size() < 2) return false;
      const auto known = draw.at(part, point, random.in(0, 3));
      if (!known) return false;
      added.push_back(*known);
      facts.add(known->form, known->bounds);
      parts.push_back({part, draw.nonZero(4)});
    }
    for (FormId variable : draw.variables)
      if (random.oneIn(2)) parts.push_back({variable, draw.nonZero(9)});
    const FormId sum =
        draw.pool.linear(parts, random.oneIn(2) ? 0 : draw.nonZero(20));
    if (draw.pool.overflowed() || draw.pool.isConstant(sum)) return false;
    const Interval bounds = facts.bounds(sum);
    std::string text = draw.textOf(sum) + " in " + bounds.str();
    for (const Constraint &c : added) text += "\n" + draw.text(c);
    SCOPED_TRACE(text);
    draw.forPoints([&](const Draw::Point &p) {
      for (const Constraint &c : added)
        if (!draw.holds(c, p).value_or(false)) return;
      // Arithmetic that leaves 64 bits has no value.
      const auto value = draw.valueAt(sum, p);
      if (!value || !in64Bits(*value)) return;
      ASSERT_TRUE(hasValue(bounds, value).value_or(false));
    });
    return draw.pool.terms(sum).size() > 2 &&
           bounds != facts.ofSum(llvm::SmallVector<Term>(draw.pool.terms(sum)),
                                 draw.pool.constant(sum));
  });
}

/// Adds the fact that a sum has the residue of its value at the point.
std::optional<Constraint> addResidue(Draw &draw, Facts &facts, FormId sum,
                                     int64_t modulus,
                                     const Draw::Point &point) {
  const auto fact = draw.at(draw.pool.digit(sum, 1, modulus), point, 0);
  if (!fact || draw.pool.overflowed() || draw.pool.isConstant(fact->form))
    return std::nullopt;
  facts.add(fact->form, fact->bounds);
  return fact;
}

TEST(EdgesTest, ResiduesByTurnsHold) {
  forDraws(10'000, [](uint64_t seed) {
    Draw draw(seed);
    Random &random = draw.random;
    const Draw::Point point = draw.randomPoint();
    const int64_t modulus = draw.positive(2, 12);
    Facts facts(draw.pool, draw.box);
    const FormId known = draw.sum(0);
    const auto fact = addResidue(draw, facts, known, modulus, point);
    if (!fact) return false;
    const FormId given =
        draw.turned(random.oneIn(2) ? known : draw.pool.scale(known, -1),
                    modulus, randomNumber(random, 20));
    // Another sum, of which nothing is known but by chance.
    const bool isOther = random.oneIn(4);
    const FormId form =
        isOther ? draw.pool.linear(
                      {{given, 1}, {draw.variables[0], random.in(-9, 9)}}, 0)
                : given;
    if (draw.pool.overflowed()) return false;
    const Residue residue = facts.residue(form);
    // Nothing leaves 64 bits, and so something is known.
    if (!isOther && modulus < 1000 &&
        std::abs(draw.pool.constant(form)) < 1000 &&
        !draw.pool.isConstant(form)) {
      EXPECT_NE(residue.modulus, 1) << draw.text(*fact) << draw.textOf(form);
    }
    SCOPED_TRACE(draw.text(*fact) + "\n" + draw.textOf(form) + " is " +
                 std::to_string(residue.remainder) + " mod " +
                 std::to_string(residue.modulus));
    if (residue.modulus == 0) return false;
    draw.forPoints([&](const Draw::Point &p) {
      if (!draw.holds(*fact, p).value_or(false)) return;
      const auto value = draw.valueAt(form, p);
      ASSERT_TRUE(value);
      const Wide rest = *value - wide(residue.remainder);
      ASSERT_TRUE(rest.srem(wide(residue.modulus)).isZero());
    });
    return residue.modulus == modulus;
  });
}

TEST(EdgesTest, VariablesInStepsAreInSteps) {
  forDraws(10'000, [](uint64_t seed) {
    Draw draw(seed, /*most=*/12);
    Random &random = draw.random;
    // Factors of the modulus among the coefficients.
    const int64_t factor = draw.positive(2, 9);
    const auto modulus = checkedMul(factor, draw.positive(1, 4));
    if (!modulus) return false;
    std::vector<ScaledForm> parts;
    for (FormId variable : draw.variables) {
      const auto multiple = checkedMul(factor, random.in(-3, 3));
      parts.push_back({variable, multiple && !random.oneIn(3)
                                     ? *multiple
                                     : draw.nonZero(9)});
    }
    const FormId sum =
        draw.pool.linear(parts, random.oneIn(2) ? 0 : randomNumber(random, 20));
    const auto fact =
        draw.at(draw.pool.digit(sum, 1, *modulus), draw.randomPoint(), 0);
    if (!fact || draw.pool.overflowed()) return false;
    const auto steps = stepsOf(draw.pool, {*fact});
    SCOPED_TRACE(draw.text(*fact));
    for (const SteppedVariable &step : steps) {
      EXPECT_GE(step.start, 0);
      EXPECT_LT(step.start, step.stride);
      draw.forPoints([&](const Draw::Point &p) {
        if (!draw.holds(*fact, p).value_or(false)) return;
        const int64_t value = p[step.variable.index];
        ASSERT_EQ(floorMod(value, step.stride), step.start);
      });
    }
    return !steps.empty();
  });
}

// Nothing but steps of one constraint: the others' values do not matter.
TEST(EdgesTest, StepsAreTheLongest) {
  const struct {
    int64_t a, b, modulus, rest, stride, start;  // of d1
  } rows[] = {
      {4, 1, 6, 1, 2, 1},
      {6, 1, 6, 5, 6, 5},
      {6, 4, 12, 2, 3, 2},
      {int64_t{1} << 40, 1, int64_t{1} << 50, 7, int64_t{1} << 40, 7},
      {int64_t{3} << 60, 3, int64_t{1} << 62, 9, int64_t{1} << 60, 3},
  };
  for (const auto &row : rows) {
    ExpressionPool pool;
    const FormId sum =
        pool.linear({{pool.variable({VariableKind::Dimension, 0}), row.a},
                     {pool.variable({VariableKind::Dimension, 1}), row.b}},
                    0);
    const auto steps = stepsOf(
        pool, {{pool.digit(sum, 1, row.modulus), Interval::point(row.rest)}});
    ASSERT_FALSE(steps.empty());
    EXPECT_EQ(steps.back().variable.index, 1u);
    EXPECT_EQ(steps.back().stride, row.stride);
    EXPECT_EQ(steps.back().start, row.start);
  }
}

TEST(EdgesTest, AKnownResidueGoesOutOfAMultiple) {
  for (const char *size : {"9", "2147483647", "4611686018427387"}) {
    const std::string domain = std::string(", domain: d0 in [0, ") + size +
                               "], d1 in [0, 3], (d0 * 2 + d1) mod 3 in [0, 0]";
    const IndexingMap map =
        simplifiedMapOf("(d0, d1) -> ((d0 * 4 + d1 * 2) floordiv 3)" + domain);
    EXPECT_EQ(map.str(map.results()[0]), "((d0 * 2 + d1) floordiv 3) * 2");
  }
}

// A multiple of a sum whose residue by the stride is known.
TEST(EdgesTest, DigitsOfMultiplesOfKnownSumsKeepTheirValues) {
  const DigitRule *rule = llvm::find_if(digitRules(), [](const DigitRule &r) {
    return llvm::StringRef(r.name) == "a known remainder";
  });
  ASSERT_NE(rule, digitRules().end());
  forDraws(10'000, [&](uint64_t seed) {
    Draw draw(seed);
    Random &random = draw.random;
    CanonicalForms forms(draw.pool, draw.box);
    const Draw::Point point = draw.randomPoint();
    const int64_t stride = draw.positive(2, 12);
    const auto modulus =
        checkedMul(stride, random.oneIn(2) ? 1 : random.in(2, 3));
    const FormId known = draw.sum(0);
    if (!modulus) return false;
    const auto fact =
        addResidue(draw, forms.facts, known,
                   random.oneIn(4) ? draw.positive(2, 12) : *modulus, point);
    if (!fact) return false;
    const FormId parent =
        draw.pool.linear({{known, random.oneIn(4) ? 1 : draw.positive(2, 9)}},
                         random.oneIn(2) ? 0 : randomNumber(random, 20));
    const Cut cut{parent, stride, random.oneIn(2) ? 0 : draw.positive(2, 9)};
    if (draw.pool.overflowed() || !checkedMul(stride, cut.modulus))
      return false;
    const auto form = rule->what(forms, cut);
    if (!form || draw.pool.overflowed()) return false;
    const FormId digit = draw.pool.digit(parent, stride, cut.modulus);
    SCOPED_TRACE(draw.text(*fact) + "\n" + draw.textOf(digit) + "\n" +
                 draw.textOf(*form));
    draw.forPoints([&](const Draw::Point &p) {
      if (!draw.holds(*fact, p).value_or(false)) return;
      const auto before = draw.valueAt(digit, p),
                 after = draw.valueAt(*form, p);
      ASSERT_TRUE(before && after);
      ASSERT_EQ(*before, *after);
    });
    return true;
  });
}

}  // namespace
}  // namespace indexical::testing
