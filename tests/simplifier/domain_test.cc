// Domains keep their points, whatever tightens what.
//
// Random constraints on random boxes: the points are the same before and after,
// bounds that must stay do, what is known of the parts of constraints holds at
// every point, and a table shows what propagation finds.
#include "indexical/simplifier/domain.h"

#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/indexing/evaluation.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/map_text.h"
#include "tests/oracle/tensor.h"
#include "tests/simplifier/parsed_map.h"
#include "tests/support/expression_tree.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

bool never(VariableId) { return false; }

template <typename Visit>
void forPoints(const VariableBounds &box, Interval window, Visit visit) {
  Index first, counts;
  for (Interval bounds : box.variables[0]) {
    bounds =
        bounds.intersect({bounds.hasLower() ? bounds.lower : window.lower,
                          bounds.hasUpper() ? bounds.upper : window.upper});
    first.push_back(bounds.lower);
    counts.push_back(bounds.count());
  }
  forEachIndex(counts, [&](const Index &offset) {
    Index point = first;
    for (size_t k = 0; k < point.size(); ++k) point[k] += offset[k];
    visit(point);
  });
}

/// Whether the box and what remains beside it hold at a point.
bool holds(const Domain &domain, const ExpressionPool &pool,
           const Index &point) {
  if (domain.isEmpty()) return false;
  for (size_t i = 0; i < point.size(); ++i)
    if (!domain.box().variables[0][i].contains(point[i])) return false;
  auto value = [&](VariableId id) { return point[id.index]; };
  Evaluation evaluate(pool, value);
  for (const Constraint &c : domain.constraints())
    if (!c.bounds.contains(evaluate(c.form).value_or(INT64_MIN))) return false;
  return true;
}

struct Instance {
  VariableBounds box;
  std::vector<std::pair<Tree, Interval>> constraints;

  std::string text() const {
    std::string text;
    for (const Interval &bounds : box.variables[0]) text += bounds.str() + " ";
    for (const auto &[tree, bounds] : constraints)
      text += "\n  " + textOf(tree) + " in " + bounds.str();
    return text;
  }

  bool contains(const Index &point) const {
    auto value = [&](VariableId id) { return point[id.index]; };
    for (const auto &[tree, bounds] : constraints)
      if (!bounds.contains(valueOf(tree, value).value_or(INT64_MIN)))
        return false;
    return true;
  }
};

Instance randomInstance(Random &random, bool open) {
  Instance instance;
  TreeOptions options;
  options.depth = 3;
  for (uint32_t i = 0, n = random.in(1, 3); i < n; ++i) {
    int64_t lower = random.oneIn(2) ? random.in(-9, 4) : 0;
    Interval bounds{lower, lower + random.in(0, 12)};
    if (open && random.oneIn(3)) bounds.lower = Interval::kMinusInfinity;
    if (open && random.oneIn(3)) bounds.upper = Interval::kInfinity;
    instance.box.variables[0].push_back(bounds);
    options.variables.push_back({VariableKind::Dimension, i});
    if (bounds.lower >= 1 && random.oneIn(3))
      options.divisors.push_back({VariableKind::Dimension, i});
  }
  for (int64_t i = random.in(1, 4); i > 0; --i) {
    options.depth = random.in(1, 4);
    Tree tree = randomTree(random, options);
    int64_t lower = random.in(-9, 9);
    if (random.oneIn(3)) {
      // Beside multiples, it may make no difference.
      const int64_t k = random.in(2, 6);
      for (const VariableId id : options.variables)
        tree = Tree::of(Tree::Op::Add, tree,
                        Tree::of(Tree::Op::Multiply, Tree::ofVariable(id),
                                 Tree::ofConstant(k * random.in(-3, 3))));
    }
    Interval bounds{lower, lower + random.in(-1, random.oneIn(2) ? 2 : 15)};
    if (random.oneIn(4)) bounds.lower = Interval::kMinusInfinity;
    if (random.oneIn(4)) bounds.upper = Interval::kInfinity;
    if (random.oneIn(3)) {
      int64_t modulus = random.in(2, 7);
      tree = Tree::of(Tree::Op::Mod, tree, Tree::ofConstant(modulus));
      bounds.lower = random.in(0, modulus - 1);
      bounds.upper =
          random.oneIn(2) ? bounds.lower : random.in(bounds.lower, modulus - 1);
    }
    instance.constraints.push_back({tree, bounds});
  }
  return instance;
}

void expectSamePoints(const Instance &instance, Random &random, uint64_t seed) {
  ExpressionPool pool;
  CanonicalForms forms(pool, instance.box);
  const int64_t fixed = random.in(0, 3);
  auto isFixed = [&](VariableId id) { return id.index == fixed; };
  Domain domain(pool, instance.box, isFixed);
  for (const auto &[tree, bounds] : instance.constraints)
    domain.add(formOf(tree, forms), bounds);
  ASSERT_FALSE(pool.overflowed());
  domain.propagate();
  domain.finish();
  domain.dropImplied();
  const VariableBounds &before = instance.box, &after = domain.box();
  if (fixed < static_cast<int64_t>(before.variables[0].size())) {
    EXPECT_EQ(after.variables[0][fixed], before.variables[0][fixed]);
  }
  bool any = false;
  forPoints(before, {-25, 25}, [&](const Index &point) {
    const bool expected = instance.contains(point);
    any |= expected;
    if (holds(domain, pool, point) == expected) return;
    std::string at;
    for (int64_t v : point) at += " " + std::to_string(v);
    ADD_FAILURE() << (expected ? "lost" : "gained") << at << " of "
                  << instance.text();
  });
  if (domain.isEmpty()) {
    EXPECT_FALSE(any);
  }
  // As constraints() promises to be.
  FormId last = 0;
  for (const Constraint &c : domain.constraints()) {
    EXPECT_EQ(pool.constant(c.form), 0);
    EXPECT_GT(pool.terms(c.form)[0].coefficient, 0);
    if (&c != &domain.constraints()[0]) {
      EXPECT_LT(pool.compareForms(last, c.form), 0);
    }
    last = c.form;
  }
  ASSERT_FALSE(::testing::Test::HasFailure())
      << "seed " << seed << ": " << instance.text();
}

TEST(DomainTest, KeepsThePointsOfBoxes) {
  for (uint64_t seed = 1; seed <= 4000 && !HasFailure(); ++seed) {
    Random random(seed);
    expectSamePoints(randomInstance(random, false), random, seed);
  }
}

TEST(DomainTest, KeepsThePointsOfOpenBoxes) {
  for (uint64_t seed = 1; seed <= 1000 && !HasFailure(); ++seed) {
    Random random(seed);
    Instance instance = randomInstance(random, true);
    if (instance.box.variables[0].size() > 2) continue;  // windows are large
    expectSamePoints(instance, random, seed);
  }
}

/// Checks that at every point at which the known facts hold, everything is in
/// its interval.
void expectTrueOfPoints(const Instance &instance, uint64_t seed) {
  ExpressionPool pool;
  CanonicalForms forms(pool, instance.box);
  Propagation known(pool, instance.box);
  std::vector<Constraint> all;
  for (const auto &[tree, bounds] : instance.constraints) {
    const FormId form = formOf(tree, forms);
    all.push_back({form, bounds});
    known.add(form, bounds);
  }
  ASSERT_FALSE(pool.overflowed());
  known.restart();
  known.run(8);
  for (size_t i = 0; i < all.size(); ++i) {
    if (!known.isEmpty()) all[i].bounds = known.bounds(i);
  }
  VariableBounds box = instance.box;
  if (!known.isEmpty()) {
    known.forTightened(
        [&](FormId form, Interval bounds) { all.push_back({form, bounds}); });
    known.forVariables([&](VariableId id, Interval bounds) {
      box[id] = bounds;
      EXPECT_TRUE(instance.box[id].contains(bounds));
    });
  }
  forPoints(instance.box, {-25, 25}, [&](const Index &point) {
    if (!instance.contains(point)) return;
    EXPECT_FALSE(known.isEmpty());
    auto value = [&](VariableId id) { return point[id.index]; };
    Evaluation evaluate(pool, value);
    for (const Constraint &c : all)
      EXPECT_TRUE(c.bounds.contains(evaluate(c.form).value_or(INT64_MIN)));
    for (size_t i = 0; i < point.size(); ++i)
      EXPECT_TRUE(box.variables[0][i].contains(point[i]));
  });
  ASSERT_FALSE(::testing::Test::HasFailure())
      << "seed " << seed << ": " << instance.text();
}

TEST(PropagationTest, HoldsAtThePoints) {
  for (uint64_t seed = 1; seed <= 4000 && !HasFailure(); ++seed) {
    Random random(seed);
    expectTrueOfPoints(randomInstance(random, false), seed);
  }
}

TEST(PropagationTest, HoldsAtThePointsOfOpenBoxes) {
  for (uint64_t seed = 1; seed <= 1000 && !HasFailure(); ++seed) {
    Random random(seed);
    Instance instance = randomInstance(random, true);
    if (instance.box.variables[0].size() > 2) continue;  // windows are large
    expectTrueOfPoints(instance, seed);
  }
}

//===-- Each rule of propagation ------------------------------------------===//

/// Returns the interval that the rules find of the form that the row names.
Interval foundBy(const Propagation::Rule &row,
                 llvm::ArrayRef<Propagation::Rule> rules) {
  VariableBounds box;
  const IndexingMap on = mapOn(row.on);
  for (const Variable &v : on.dimensions())
    box.variables[0].push_back(v.bounds);
  ExpressionPool pool;
  Propagation known(pool, box);
  const Constraint given = constraintOf(row.on, row.example, pool);
  known.add(given.form, given.bounds);
  const auto number =
      known.add(constraintOf(row.on, row.becomes, pool).form, Interval::all());
  known.restart();
  EXPECT_TRUE(known.run(16, rules));
  return known.bounds(number);
}

TEST(PropagationTest, EachRuleIsNeededForItsExample) {
  for (const Propagation::Rule &row : Propagation::rules()) {
    SCOPED_TRACE(row.name);
    ExpressionPool pool;
    const Interval expected = constraintOf(row.on, row.becomes, pool).bounds;
    EXPECT_EQ(foundBy(row, Propagation::rules()), expected);
    std::vector<Propagation::Rule> others;
    for (const Propagation::Rule &rule : Propagation::rules())
      if (rule.what != row.what) others.push_back(rule);
    EXPECT_NE(foundBy(row, others), expected);
  }
}

TEST(PropagationTest, EachRuleIsOnThePage) {
  std::ifstream file("docs/internals/normal_form.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  size_t place = 0;
  for (const Propagation::Rule &rule : Propagation::rules()) {
    const std::string row = std::string("| ") + rule.name + " | `" +
                            rule.example + "` | `" + rule.becomes + "` | " +
                            rule.on + " |";
    const size_t found = page.find(row);
    EXPECT_NE(found, std::string::npos) << row;
    EXPECT_GT(found, place) << row << " stands in another order";
    place = found;
  }
}

//===-- What is found -----------------------------------------------------===//

/// Many constraints, most of which have a variable of their own, as masks that
/// are joined have: none is dropped that a point shows not to be implied.
TEST(DomainTest, ConstraintsWithVariablesOfTheirOwn) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    Instance instance;
    constexpr uint32_t kShared = 2, kOwn = 9;
    for (uint32_t i = 0; i < kShared + kOwn; ++i)
      instance.box.variables[0].push_back(
          i < kShared ? Interval{0, random.in(1, 3)} : Interval{0, 1});
    for (uint32_t k = 0; k < kOwn; ++k) {
      auto term = [&](uint32_t i, int64_t factor) {
        return Tree::of(Tree::Op::Multiply,
                        Tree::ofVariable({VariableKind::Dimension, i}),
                        Tree::ofConstant(factor));
      };
      Tree tree = term(0, random.in(-2, 2));
      tree = Tree::of(Tree::Op::Add, tree, term(1, random.in(-2, 2)));
      // Some share a variable, and some have none of their own.
      const uint32_t own = random.oneIn(6) ? 0 : kShared + k;
      tree = Tree::of(Tree::Op::Add, tree, term(own, random.in(-2, 3)));
      const int64_t lower = random.in(-6, 0);
      Interval bounds{lower, lower + random.in(2, 12)};
      if (random.oneIn(3)) bounds.lower = Interval::kMinusInfinity;
      instance.constraints.push_back({tree, bounds});
    }
    expectSamePoints(instance, random, seed);
    if (HasFailure()) return;
  }
}

/// The domain of a map's text, tightened, as text.
std::string tightened(const std::string &domainText) {
  auto map = parseMap("(d0, d1, d2) -> (), domain: " + domainText);
  if (!map.ok()) return map.status().ToString();
  if (map->isKnownEmpty()) return "empty";
  VariableBounds box;
  for (const Variable &v : map->dimensions())
    box.variables[0].push_back(v.bounds);
  ExpressionPool pool;
  CanonicalForms forms(pool, box);
  auto same = [&](VariableId id) { return forms.variable(id); };
  ExpressionImport import(map->expressions(), forms, same);
  Domain domain(pool, box, never);
  for (const Constraint &c : map->constraints())
    domain.add(import(c.form), c.bounds);
  domain.propagate();
  domain.finish();
  domain.dropImplied();
  if (domain.isEmpty()) return "empty";
  IndexingMapBuilder b(pool);
  for (const Interval &bounds : domain.box().variables[0]) b.dimension(bounds);
  for (const Constraint &c : domain.constraints())
    b.constraint(b.expression(c.form), c.bounds);
  auto result = b.build();
  if (!result.ok()) return result.status().ToString();
  std::string text = result->strOneLine();
  return text.substr(text.find("domain: ") + 8);
}

TEST(DomainTest, Cases) {
  const struct {
    const char *before, *after;
  } kCases[] = {
      // The header's.
      {"d0 in [0, 9], d1 in [0, 9], d2 in [0, 0], d0 + d1 in [12, 18]",
       "d0 in [3, 9], d1 in [3, 9], d2 in [0, 0], d0 + d1 in [12, 18]"},
      {"d0 in [0, 5], d1 in [0, 7], d2 in [0, 0], d0 * 8 + d1 in [0, 1]",
       "d0 in [0, 0], d1 in [0, 1], d2 in [0, 0]"},
      // A larger domain than the bounds say would be wrong: d0 * 8 + d1 <= 8
      // and d1 >= 1 leave d0 = 0 alone.
      {"d0 in [0, 5], d1 in [1, 2], d2 in [0, 0], d0 * 8 + d1 in [0, 8]",
       "d0 in [0, 0], d1 in [1, 2], d2 in [0, 0]"},
      // Division by a negative constant.
      {"d0 in [0, 99], d1 in [0, 0], d2 in [0, 0], d0 floordiv -3 in [-11, -5]",
       "d0 in [13, 33], d1 in [0, 0], d2 in [0, 0]"},
      // Residues of negative values.
      {"d0 in [-4, 1], d1 in [0, 0], d2 in [0, 0], d0 mod 5 in [1, 1]",
       "d0 in [-4, 1], d1 in [0, 0], d2 in [0, 0], d0 mod 5 in [1, 1]"},
      {"d0 in [-3, 5], d1 in [0, 0], d2 in [0, 0], d0 mod 5 in [1, 1]",
       "d0 in [1, 1], d1 in [0, 0], d2 in [0, 0]"},
      {"d0 in [0, 99], d1 in [0, 0], d2 in [0, 0], d0 mod 8 in [3, 4]",
       "d0 in [3, 99], d1 in [0, 0], d2 in [0, 0], d0 mod 8 in [3, 4]"},
      // Factors, constants, signs.
      {"d0 in [0, 9], d1 in [0, 9], d2 in [0, 0], (d0 + d1) * -3 in [-40, -14]",
       "d0 in [0, 9], d1 in [0, 9], d2 in [0, 0], d0 + d1 in [5, 13]"},
      {"d0 in [0, 9], d1 in [0, 9], d2 in [0, 0], (d0 + d1) floordiv 4 in [1, "
       "2]",
       "d0 in [0, 9], d1 in [0, 9], d2 in [0, 0], d0 + d1 in [4, 11]"},
      {"d0 in [0, 9], d1 in [0, 9], d2 in [0, 0], d0 + d1 in [3, 5], "
       "-d0 - d1 + 1 in [-3, 9]",
       "d0 in [0, 4], d1 in [0, 4], d2 in [0, 0], d0 + d1 in [3, 4]"},
      // A constraint that the box implies goes.
      {"d0 in [0, 5], d1 in [1, 3], d2 in [0, 0], d0 + d1 in [0, 20]",
       "d0 in [0, 5], d1 in [1, 3], d2 in [0, 0]"},
      // A constraint that another one implies goes, even if it is the shorter.
      {"d0 in [0, 99], d1 in [0, 1], d2 in [0, 1], d0 - d1 in [0, 90], "
       "d0 - d1 - d2 in [0, 89]",
       "d0 in [0, 91], d1 in [0, 1], d2 in [0, 1], d0 - d1 - d2 in [0, 89]"},
      {"d0 in [0, 99], d1 in [0, 9], d2 in [0, 1], d0 - d1 in [4, 20], "
       "d0 - d1 - d2 in [3, 20]",
       "d0 in [4, 29], d1 in [0, 9], d2 in [0, 1], d0 - d1 in [4, 20]"},
      // It does not imply the other end.
      {"d0 in [0, 99], d1 in [0, 1], d2 in [0, 1], d0 - d1 in [0, 89], "
       "d0 - d1 - d2 in [0, 89]",
       "d0 in [0, 90], d1 in [0, 1], d2 in [0, 1], d0 - d1 - d2 in [0, 89], "
       "d0 - d1 in [0, 89]"},
      // Open sides become closed.
      {"d0 in [-inf, inf], d1 in [0, 3], d2 in [0, 0], d0 - d1 in [0, 5]",
       "d0 in [0, 8], d1 in [0, 3], d2 in [0, 0], d0 - d1 in [0, 5]"},
      {"d0 in [-inf, inf], d1 in [0, 0], d2 in [0, 0], d0 floordiv 4 in [-inf, "
       "2]",
       "d0 in [-inf, 11], d1 in [0, 0], d2 in [0, 0]"},
      // One tightens the next.
      {"d0 in [0, 9], d1 in [0, 9], d2 in [0, 9], d0 - d1 in [5, 9], "
       "d1 - d2 in [4, 9]",
       "d0 in [9, 9], d1 in [4, 4], d2 in [0, 0]"},
      // Through digits and sums of digits, to their parents: the header of
      // propagation.h.
      {"d0 in [0, 99], d1 in [0, 0], d2 in [0, 0], (d0 floordiv 10) * 9 + d0 "
       "mod 10 in [18, 45], d0 mod 10 in [0, 8]",
       "d0 in [20, 58], d1 in [0, 0], d2 in [0, 0], (d0 floordiv 10) * 9 + d0 "
       "mod 10 in [18, 45], d0 mod 10 in [0, 8]"},
      // The ends of a sum are values that its digits allow.
      {"d0 in [0, 13], d1 in [0, 1], d2 in [0, 11], ((d0 * 24 + d1 * 12 + d2) "
       "floordiv 10) mod 3 in [0, 0], d0 * 24 + d1 * 12 + d2 in [-5, 329]",
       "d0 in [0, 12], d1 in [0, 1], d2 in [0, 11], ((d0 * 24 + d1 * 12 + d2) "
       "floordiv 10) mod 3 in [0, 0]"},
      // A constraint that the others imply goes: a sum of which another is a
      // term, a digit of another, the same index divided, and the longer of two
      // that imply each other.
      {"d0 in [1, 5], d1 in [0, 0], d2 in [0, 0], (d0 floordiv 3) * 2 + d0 mod "
       "3 in [1, 4], d0 mod 3 in [1, 2]",
       "d0 in [1, 5], d1 in [0, 0], d2 in [0, 0], d0 mod 3 in [1, 2]"},
      {"d0 in [0, 99], d1 in [0, 0], d2 in [0, 0], d0 mod 60 in [0, 58], d0 "
       "mod "
       "2 in [0, 0]",
       "d0 in [0, 98], d1 in [0, 0], d2 in [0, 0], d0 mod 2 in [0, 0]"},
      {"d0 in [0, 1], d1 in [0, 31], d2 in [0, 0], d0 * 2 + d1 floordiv 16 in "
       "[0, 2], d0 * 32 + d1 in [9, 41]",
       "d0 in [0, 1], d1 in [0, 31], d2 in [0, 0], d0 * 32 + d1 in [9, 41]"},
      {"d0 in [0, 3], d1 in [0, 99], d2 in [0, 0], d0 * 36 + (d1 floordiv 20) "
       "* "
       "4 + (d1 mod 10) floordiv 3 in [0, 107], d0 * 9 + d1 floordiv 20 in [0, "
       "26]",
       "d0 in [0, 2], d1 in [0, 99], d2 in [0, 0]"},
      {"d0 in [0, 3], d1 in [0, 169], d2 in [0, 0], d0 * 36 + (d1 floordiv 20) "
       "* 4 + (d1 mod 10) floordiv 3 in [0, 135], d0 * 9 + d1 floordiv 20 in "
       "[0, 33]",
       "d0 in [0, 3], d1 in [0, 169], d2 in [0, 0], d0 * 180 + d1 in [0, 679]"},
      // Without ends to move, one digit says it of another.
      {"d0 in [-inf, inf], d1 in [0, 0], d2 in [0, 0], d0 mod 60 in [0, 58], "
       "d0 mod 2 in [0, 0]",
       "d0 in [-inf, inf], d1 in [0, 0], d2 in [0, 0], d0 mod 2 in [0, 0]"},
      // Ends that no point reaches move; open ones stay open.
      {"d0 in [0, 9], d1 in [0, 9], d2 in [0, 0], d0 + d1 in [1, 99]",
       "d0 in [0, 9], d1 in [0, 9], d2 in [0, 0], d0 + d1 in [1, 18]"},
      {"d0 in [0, 9], d1 in [0, 9], d2 in [0, 0], d0 + d1 in [1, inf]",
       "d0 in [0, 9], d1 in [0, 9], d2 in [0, 0], d0 + d1 in [1, inf]"},
      // None is left.
      {"d0 in [0, 9], d1 in [0, 9], d2 in [0, 9], d0 + d1 in [30, 40]",
       "empty"},
      // Terms whose values make no difference, and some that do.
      {"d0 in [0, 4], d1 in [0, 9], d2 in [0, 2], "
       "d0 * 30 + d1 * 3 + d2 in [36, 140]",
       "d0 in [1, 4], d1 in [0, 9], d2 in [0, 2], d0 * 10 + d1 in [12, 46]"},
      {"d0 in [0, 4], d1 in [0, 9], d2 in [0, 2], "
       "d0 * 30 + d1 * 3 + d2 in [37, 140]",
       "d0 in [1, 4], d1 in [0, 9], d2 in [0, 2], "
       "d0 * 30 + d1 * 3 + d2 in [37, 140]"},
      {"d0 in [0, 99], d1 in [0, 99], d2 in [-1, 1], "
       "d0 * 12 - d1 * 8 + d2 in [15, inf]",
       "d0 in [2, 99], d1 in [0, 99], d2 in [-1, 1], d0 * 3 - d1 * 2 in [4, "
       "inf]"},
      // A bound that would open without its smallest term: d0 * 3 can be
      // 2^63 + 1, which the bound does not allow.
      {"d0 in [0, inf], d1 in [-6, -5], d2 in [0, 0], "
       "d0 * 3 + d1 in [-inf, 9223372036854775803]",
       "d0 in [0, inf], d1 in [-6, -5], d2 in [0, 0], "
       "d0 * 3 + d1 in [-inf, 9223372036854775803]"},
      // Neither d2 = 0 nor d2 = 2 leaves a point, and d2 = 1 does.
      {"d0 in [0, 9], d1 in [0, 9], d2 in [0, 2], d0 * 3 - d1 * 6 + d2 in [1, "
       "1]",
       "d0 in [0, 8], d1 in [0, 4], d2 in [0, 2], d0 * 3 - d1 * 6 + d2 in [1, "
       "1]"},
      // A product that bounds keep away from 0.
      {"d0 in [1, 3], d1 in [0, inf], d2 in [0, 0], d0 * (d1 + 1) in [0, 0]",
       "empty"},
      {"d0 in [0, 9], d1 in [0, 9], d2 in [0, 9], d0 - d1 in [5, 9], "
       "d1 - d2 in [5, 9]",
       "empty"},
      {"d0 in [0, 9], d1 in [0, 9], d2 in [0, 9], d0 mod 3 in [1, 1], "
       "d0 mod 3 in [2, 2]",
       "empty"},
      {"d0 in [0, 9], d1 in [0, 9], d2 in [0, 9], (d0 * 2 + 1) mod 4 in [2, 2]",
       "empty"},
      {"d0 in [0, 9], d1 in [0, 9], d2 in [0, 9], d0 * 6 + d1 * 4 in [5, 5]",
       "empty"},
      // Bounds that leave 64 bits without the constant keep it, and the sum has
      // others beside.
      {"d0 in [0, 10], d1 in [0, 0], d2 in [0, 0], d0 * 4 + 6 in [10, 58], "
       "d0 * -24 - 20 in [4611686018427387899, 9223372036854775802]",
       "empty"},
  };
  for (const auto &[before, after] : kCases)
    EXPECT_EQ(tightened(before), after) << before;
}

// Bounds that converge slowly, by a step a round, are given up and stay as they
// were.
TEST(DomainTest, SlowPropagationEnds) {
  for (const char *slow : {"d0 in [-inf, 4], d1 in [0, 0], d2 in [0, 0], "
                           "((d0 * 4) floordiv 3) mod 4 in [3, 3]",
                           "d0 in [0, 1000000], d1 in [0, 0], d2 in [0, 0], "
                           "((d0 * 4) floordiv 3) mod 4 in [3, 3]"})
    EXPECT_EQ(tightened(slow), slow);
  const std::string text = tightened(
      "d0 in [0, 4611686018427387], d1 in [0, 4611686018427387], "
      "d2 in [0, 0], d0 - d1 in [1, 1], d0 * 2 - d1 * 2 in [-9, 1]");
  EXPECT_FALSE(text.empty());
  EXPECT_EQ(tightened("d0 in [0, 4611686018427387], "
                      "d1 in [0, 4611686018427387], d2 in [0, 0], "
                      "d0 - d1 in [1, 9], d1 - d0 in [0, 9]"),
            "empty");
}

// e = (e * 3) floordiv 4 + (e * 5) floordiv 7, 40 times: 2^40 ways down to d0.
TEST(DomainTest, SharedPartsAreTightenedOnce) {
  ExpressionPool pool;
  FormId e = pool.variable({VariableKind::Dimension, 0});
  for (int i = 0; i < 40; ++i)
    e = pool.add(pool.digit(pool.scale(e, 3), 4, 0),
                 pool.digit(pool.scale(e, 5), 7, 0));
  VariableBounds box;
  box.variables[0].push_back({0, 1000});
  Domain domain(pool, box, never);
  domain.add(pool.sub(pool.digit(e, 1, 107), pool.digit(e, 1, 109)),
             {105, 106});
  domain.propagate();
  auto holds = [&](int64_t x) {
    auto value = [&](VariableId) { return x; };
    const int64_t y = *Evaluation(pool, value)(e);
    return y % 107 - y % 109 >= 105;
  };
  for (int64_t x = 0; x <= 1000; ++x)
    EXPECT_TRUE(!holds(x) || domain.box().variables[0][0].contains(x)) << x;
}

TEST(DomainTest, AddingNothing) {
  ExpressionPool pool;
  VariableBounds box;
  box.variables[0] = {{0, 9}};
  Domain domain(pool, box, never);
  domain.add(pool.variable({VariableKind::Dimension, 0}), Interval::all());
  domain.add(pool.constantForm(3), {0, 5});
  domain.finish();
  EXPECT_TRUE(domain.constraints().empty());
  EXPECT_FALSE(domain.isEmpty());
  domain.add(pool.constantForm(6), {0, 5});
  EXPECT_TRUE(domain.isEmpty());
}

}  // namespace
}  // namespace indexical::testing
