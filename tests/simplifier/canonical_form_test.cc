// Canonical forms against the expressions that they stand for, at points.
//
// Random expressions on random boxes (negative and open bounds, sizes near
// 2^62, negative divisors, unknown sizes) keep their value; the form of a form
// is itself, whatever else was simplified before; tables show what each rule is
// for.
//
//   INDEXICAL_FORMS=20      20 times as many random expressions
//   INDEXICAL_FORMS_SEED=n  beginning with this one
#include "indexical/simplifier/canonical_form.h"

#include <cstdlib>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/bounds.h"
#include "indexical/indexing/evaluation.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/map_text.h"
#include "tests/oracle/tensor.h"
#include "tests/support/expression_tree.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

/// Calls `test(random)` for each seed until one fails.
template <typename Test>
void forSeeds(uint64_t count, Test test) {
  const uint64_t first = fromEnvironment("INDEXICAL_FORMS_SEED", 1);
  const uint64_t times = fromEnvironment("INDEXICAL_FORMS", 1);
  for (uint64_t seed = first; seed < first + count * times; ++seed) {
    Random random(seed);
    test(random);
    if (!::testing::Test::HasFailure()) continue;
    ADD_FAILURE() << "INDEXICAL_FORMS_SEED=" << seed;
    return;
  }
}

/// A random expression of d0, d1…, s0, s1… on a random box.
struct Instance {
  VariableBounds box;
  Tree tree;

  std::string text() const {
    std::string text = textOf(tree) + ", domain:";
    for (int kind : {0, 1})
      for (size_t i = 0; i < box.variables[kind].size(); ++i)
        text += " " + std::string(kind ? "s" : "d") + std::to_string(i) +
                " in " + box.variables[kind][i].str();
    return text;
  }
};

Interval smallBounds(Random &random) {
  int64_t lower = random.oneIn(3) ? random.in(-9, 9) : 0;
  return {lower, lower + random.in(0, random.oneIn(4) ? 40 : 9)};
}

Interval anyBounds(Random &random) {
  Interval bounds = smallBounds(random);
  switch (random.in(0, 4)) {
    case 0:
      bounds.lower = Interval::kMinusInfinity;
      break;
    case 1:
      bounds.upper = Interval::kInfinity;
      break;
    case 2:
      bounds.upper = (int64_t{1} << 62) + random.in(-9, 9);
      break;
    case 3:
      bounds.upper = int64_t{1} << random.in(20, 50);
      if (random.oneIn(2)) bounds.lower = -(int64_t{1} << random.in(20, 50));
      break;
    default:
      break;
  }
  return bounds;
}

Instance randomInstance(Random &random, bool small, int64_t depth) {
  Instance instance;
  TreeOptions options;
  options.depth = depth;
  options.largestFactor = random.oneIn(2) ? 9 : 64;
  options.largestDivisor = random.oneIn(2) ? 12 : 64;
  const bool semiAffine = random.oneIn(4);
  for (int kind : {0, 1})
    for (int64_t i = random.in(kind == 0, 2); i > 0; --i) {
      auto &bounds = instance.box.variables[kind];
      bounds.push_back(small ? smallBounds(random) : anyBounds(random));
      VariableId id{static_cast<VariableKind>(kind),
                    static_cast<uint32_t>(bounds.size() - 1)};
      options.variables.push_back(id);
      if (semiAffine && bounds.back().lower >= 1)
        options.divisors.push_back(id);
    }
  instance.tree = randomTree(random, options);
  return instance;
}

/// Values of the variables of a box, dimensions first.
struct BoxPoint {
  const VariableBounds &box;
  Index values;
  int64_t operator()(VariableId id) const {
    return values[id.kind == VariableKind::Dimension
                      ? id.index
                      : box.variables[0].size() + id.index];
  }
};

template <typename Visit>
void forPoints(const VariableBounds &box, Random &random, Visit visit) {
  Index first, counts;
  int64_t total = 1;
  for (int kind : {0, 1})
    for (const Interval &bounds : box.variables[kind]) {
      first.push_back(bounds.lower);
      counts.push_back(bounds.count());
      total =
          bounds.count() > 2000 || total > 2000 ? 2001 : total * bounds.count();
    }
  BoxPoint point{box, first};
  if (total <= 2000) {
    forEachIndex(counts, [&](const Index &offset) {
      for (size_t k = 0; k < first.size(); ++k)
        point.values[k] = first[k] + offset[k];
      visit(point);
    });
    return;
  }
  for (int i = 0; i < 200; ++i) {
    size_t k = 0;
    for (int kind : {0, 1})
      for (Interval bounds : box.variables[kind]) {
        // Corners, what is near zero, and anything.
        const int64_t far = int64_t{1} << 40;
        if (!bounds.hasLower())
          bounds.lower = std::min(bounds.upper, int64_t{0}) - far;
        if (!bounds.hasUpper())
          bounds.upper = std::max(bounds.lower, int64_t{0}) + far;
        const int64_t near = std::min<int64_t>(bounds.count() - 1, 50);
        switch (random.in(0, 3)) {
          case 0:
            point.values[k] = bounds.lower + random.in(0, near);
            break;
          case 1:
            point.values[k] = bounds.upper - random.in(0, near);
            break;
          case 2:
            point.values[k] = std::min(
                std::max(random.in(-50, 50), bounds.lower), bounds.upper);
            break;
          default:
            point.values[k] = random.in(bounds.lower, bounds.upper);
        }
        ++k;
      }
    visit(point);
  }
}

/// Whether no part of the plain expression can leave 64 bits. With an open side
/// nothing is promised.
bool fits(const Instance &instance) {
  for (const auto &kind : instance.box.variables)
    for (const Interval &bounds : kind)
      if (!bounds.isFinite()) return false;
  ExpressionPool pool;
  const FormId form = formOf(instance.tree, pool);
  auto bounds = [&](VariableId id) { return instance.box[id]; };
  return !pool.overflowed() && FormBounds(pool, bounds).check(form).ok();
}

void expectSameValues(const Instance &instance, Random &random) {
  ExpressionPool pool;
  CanonicalForms forms(pool, instance.box);
  const FormId form = formOf(instance.tree, forms);
  if (pool.overflowed()) {
    EXPECT_FALSE(fits(instance)) << "overflow alone: " << instance.text();
    return;
  }
  const Interval bounds = forms.bounds(form);
  bool failed = false;
  forPoints(instance.box, random, [&](const BoxPoint &point) {
    if (failed) return;
    const auto expected = valueOf(instance.tree, point);
    if (!expected) return;
    const auto value = Evaluation(pool, point)(form);
    // The form has a value wherever the plain expression has one.
    failed = value ? *value != *expected : fits(instance);
    failed |= value && !bounds.contains(*value);
    if (failed) {
      IndexingMapBuilder b(pool);
      std::string at;
      for (int64_t v : point.values) at += " " + std::to_string(v);
      ADD_FAILURE() << instance.text() << "\nat" << at << ": " << *expected
                    << ", its form "
                    << (value ? std::to_string(*value) : "none") << ", bounds "
                    << bounds.str();
    }
  });
}

TEST(CanonicalFormTest, SmallBoxesKeepEveryValue) {
  forSeeds(2500, [](Random &random) {
    expectSameValues(randomInstance(random, true, random.in(1, 6)), random);
  });
}

TEST(CanonicalFormTest, LargeAndOpenBoxesKeepTheirValues) {
  forSeeds(2500, [](Random &random) {
    expectSameValues(randomInstance(random, false, random.in(1, 6)), random);
  });
}

TEST(CanonicalFormTest, PointsMayStayVariables) {
  forSeeds(500, [](Random &random) {
    Instance instance = randomInstance(random, true, 4);
    instance.box.variables[0][0] = Interval::point(random.in(-3, 5));
    ExpressionPool pool;
    CanonicalForms forms(pool, instance.box);
    forms.foldPoints = false;
    const FormId form = formOf(instance.tree, forms);
    if (pool.overflowed()) return;
    forPoints(instance.box, random, [&](const BoxPoint &point) {
      if (auto expected = valueOf(instance.tree, point)) {
        EXPECT_EQ(Evaluation(pool, point)(form), expected) << instance.text();
      }
    });
  });
}

//===-- The form of a form ------------------------------------------------===//

FormId simplifiedAgain(const ExpressionPool &from, FormId form,
                       CanonicalForms &forms) {
  auto same = [&](VariableId id) { return forms.variable(id); };
  return ExpressionImport(from, forms, same)(form);
}

FrozenExpressions frozen(const ExpressionPool &pool, FormId form) {
  return FrozenExpressions(pool, form);
}

TEST(CanonicalFormTest, TheFormOfAFormIsItself) {
  forSeeds(2000, [](Random &random) {
    const Instance instance =
        randomInstance(random, random.oneIn(2), random.in(1, 5));
    ExpressionPool pool, second;
    CanonicalForms forms(pool, instance.box);
    const FormId form = formOf(instance.tree, forms);
    if (pool.overflowed()) return;
    CanonicalForms again(second, instance.box);
    const FormId same = simplifiedAgain(pool, form, again);
    EXPECT_TRUE(frozen(second, same) == frozen(pool, form)) << instance.text();
  });
}

TEST(CanonicalFormTest, TheFormDoesNotDependOnWhatWasBefore) {
  forSeeds(1000, [](Random &random) {
    const Instance instance = randomInstance(random, true, 5);
    ExpressionPool fresh, used;
    CanonicalForms one(fresh, instance.box), two(used, instance.box);
    const FormId form = formOf(instance.tree, one);
    for (int i = 0; i < 5; ++i) {
      TreeOptions options;
      for (uint32_t k = 0; k < instance.box.variables[0].size(); ++k)
        options.variables.push_back({VariableKind::Dimension, k});
      formOf(randomTree(random, options), two);
    }
    const FormId later = formOf(instance.tree, two);
    if (fresh.overflowed() || used.overflowed()) return;
    EXPECT_TRUE(frozen(fresh, form) == frozen(used, later)) << instance.text();
  });
}

//===-- Tables ------------------------------------------------------------===//

std::string simplified(const std::string &expression,
                       const std::string &domain) {
  auto map =
      parseMap("(d0, d1, d2) -> (" + expression + "), domain: " + domain);
  if (!map.ok()) return map.status().ToString();
  VariableBounds box;
  for (const Variable &v : map->dimensions())
    box.variables[0].push_back(v.bounds);
  ExpressionPool pool;
  CanonicalForms forms(pool, box);
  auto same = [&](VariableId id) { return forms.variable(id); };
  const FormId form =
      ExpressionImport(map->expressions(), forms, same)(map->results()[0]);
  IndexingMapBuilder b(pool);
  for (const Interval &bounds : box.variables[0]) b.dimension(bounds);
  b.result(b.expression(form));
  auto result = b.build();
  return result.ok() ? result->str(result->results()[0])
                     : result.status().ToString();
}

const struct {
  const char *before, *after;
  Interval d0, d1 = {0, 7}, d2 = {0, 3};
} kCases[] = {
    // The header's.
    {"(d0 * 8 + d1) floordiv 8", "d0", {0, 3}},
    {"((d0 * 8 + d1) floordiv 4) mod 2", "d1 floordiv 4", {0, 3}},
    {"(d1 floordiv 4) * 4 + d1 mod 4", "d1", {0, 3}},
    {"(d0 floordiv 2) * 3 + ((d0 mod 2) * 3 + d1) floordiv 2",
     "(d0 * 3 + d1) floordiv 2",
     {0, 3}},
    // Floors that are known.
    {"d0 floordiv 8", "0", {0, 7}},
    {"d0 floordiv 8", "-1", {-8, -1}},
    {"d0 floordiv 8", "d0 floordiv 8", {-1, 7}},
    {"d0 mod 8", "d0", {0, 7}},
    {"d0 mod 8", "d0 + 8", {-8, -1}},
    {"d0 mod 8", "d0 - 8", {8, 15}},
    {"d0 floordiv -8", "-((d0 + 7) floordiv 8)", {0, 31}},
    {"(d0 * 8 + d1) floordiv -8", "-d0", {0, 3}, {0, 0}},
    {"(d0 * 16 + d1 * 2) floordiv 2", "d0 * 8 + d1", {0, 3}},
    {"(d0 * 16 + d1) floordiv 8", "d0 * 2", {0, 3}},
    {"(d0 * 4 + 6) floordiv 8", "(d0 + 1) floordiv 2", {0, 30}},
    {"(d0 * 6) mod 9", "((d0 * 2) mod 3) * 3", {0, 30}},
    {"(d0 * 6 + 2) mod 9", "((d0 * 2) mod 3) * 3 + 2", {0, 30}},
    {"(d0 * 8 + d1) mod 8", "d1", {0, 3}},
    {"(31 - d0 * 8 - d1) floordiv 8", "-d0 + 3", {0, 3}},
    {"(31 - d0 * 8 - d1) mod 8", "-d1 + 7", {0, 3}},
    // Digits that meet again.
    {"((d0 floordiv 8) mod 2) * 8 + d0 mod 8", "d0 mod 16", {0, 99}},
    {"((d0 floordiv 8) mod 2) * 8 + d0 mod 8", "d0", {0, 15}},
    {"d0 - (d0 floordiv 7) * 7", "d0 mod 7", {-50, 50}},
    {"(d0 floordiv 7) * 7 + d0 mod 7", "d0", {-50, 50}},
    {"(d0 floordiv 7) * 14 + (d0 mod 7) * 2", "d0 * 2", {-50, 50}},
    {"(d0 floordiv 4) floordiv 3", "d0 floordiv 12", {-50, 50}},
    {"(d0 mod 12) floordiv 4", "(d0 floordiv 4) mod 3", {-50, 50}},
    {"(d0 mod 12) mod 4", "d0 mod 4", {-50, 50}},
    {"(d0 mod 12) mod 12", "d0 mod 12", {-50, 50}},
    {"(d0 mod 4) mod 12", "d0 mod 4", {-50, 50}},
    {"(d0 mod 6) mod 4", "(d0 mod 6) mod 4", {0, 50}},
    {"(d0 + d1) mod 4 + ((d0 + d1) floordiv 4) * 4", "d0 + d1", {-9, 9}},
    {"(d0 floordiv 4 + 1) * 4 + d0 mod 4 - 4", "d0", {-50, 50}},
    // A floor that takes another term away: of one digit, and not of its like.
    {"(d0 floordiv 21) * 6 + ((d0 * 10 + d1) floordiv 35) mod 6",
     "(d0 * 10 + d1) floordiv 35",
     {0, 41},
     {0, 9}},
    {"(d0 floordiv 21) * 6 + ((d0 * 10 + d1) floordiv 35) mod 6 + ((d0 * 10 + "
     "d1) mod 35) * 100",
     "(d0 * 10 + d1) floordiv 35 + ((d0 * 10 + d1) mod 35) * 100",
     {0, 41},
     {0, 9}},
    {"(d0 floordiv 360) * 2 + (((d0 floordiv 120) * 60 + d0 mod 60) floordiv "
     "90) mod 2",
     "((d0 floordiv 120) * 60 + d0 mod 60) floordiv 90",
     {0, 719}},
    {"(d0 floordiv 60) * 2 + (((d0 floordiv 12) * 4 + d1 mod 4) floordiv 10) "
     "mod 2",
     "((d0 floordiv 12) * 4 + d1 mod 4) floordiv 10",
     {0, 359}},
    {"(d0 + 1) mod 2 - d0", "((d0 + 1) floordiv 2) * -2 + 1", {0, 4}},
    {"((d0 * 4 + d1) floordiv 62) * 375 + ((d0 * 4 + d1) mod 62) * 2",
     "d0 * 8 + ((d0 * 4 + d1) floordiv 62) * 251 + d1 * 2",
     {0, 60},
     {0, 3}},
    // A digit whose floors are known.
    {"((d0 * 10 + d1) floordiv 2) mod 4", "d0 + d1 floordiv 2", {0, 1}, {0, 3}},
    // Sums with every value once, cut between two terms, or in the lowest.
    {"(d0 * 6 + d1 * 2 + d2) mod 4",
     "((d0 * 3 + d1) mod 2) * 2 + d2",
     {0, 19},
     {0, 2},
     {0, 1}},
    {"((d0 * 6 + d1) floordiv 8 + d2 * 24) floordiv 2",
     "(d0 * 6 + d1) floordiv 16 + d2 * 12",
     {0, 31},
     {0, 5}},
    {"((d0 mod 3) * 4 + d1 floordiv 2 + (d1 mod 2) * 12) mod 3",
     "((d0 * 8 + d1) floordiv 2) mod 3",
     {0, 47}},
    {"((d0 mod 3) * 8 + d1) mod 12", "(d0 * 8 + d1) mod 12", {0, 5}},
    // Digits whose common parent is found in a sum that is searched.
    {"((((d0 * 54 + ((d1 * 4) mod 5) * 60480 + (d1 * 9) floordiv 5) floordiv "
     "168) * 168 + ((d0 * 270 + d1 * 9) floordiv 5) mod 168) floordiv 54) mod "
     "70",
     "d0",
     {0, 69},
     {0, 29}},
    // Halves that are rounded in both directions.
    {"d0 floordiv 2 + (d0 + 1) floordiv 2", "d0", {-50, 50}},
    {"(d0 + 7) floordiv 8 + (-d0) floordiv 8", "0", {-50, 50}},
    {"-((-d0) floordiv 8)", "(d0 + 7) floordiv 8", {-50, 50}},
    // The document's.
    {"d0 + d1 floordiv 16", "d0", {0, 6}, {0, 14}},
    {"d1 mod 16", "d1", {0, 6}, {0, 14}},
    {"(d0 * 100 + d1 * 10 + d2) floordiv 100", "d0", {0, 9}, {0, 9}, {0, 9}},
    {"((d0 * 100 + d1 * 10 + d2) mod 100) floordiv 10",
     "d1",
     {0, 9},
     {0, 9},
     {0, 9}},
    {"(d0 * 16 + d1 * 4 + d2) floordiv 8",
     "d0 * 2 + (d1 * 4 + d2) floordiv 8",
     {0, 9},
     {0, 9},
     {0, 9}},
    {"(d0 * 16 + d1 * 4 + d2) mod 8",
     "(d1 * 4 + d2) mod 8",
     {0, 9},
     {0, 9},
     {0, 9}},
    {"-((d0 * -11 - d1 + 109) floordiv 11) + 9", "d0", {0, 9}, {0, 10}},
    // 7919 and 1000003 are prime.
    {"((d0 * 1000003 + d1) floordiv 7919) * 7919 + (d0 * 1000003 + d1) mod "
     "7919",
     "d0 * 1000003 + d1",
     {0, 7918},
     {0, 1000002}},
    {"(d0 * 1000003 + d1) mod 1000003", "d1", {0, 7918}, {0, 1000002}},
    // Unknown sizes.
    {"(d0 * d1) floordiv 1", "d0 * d1", {0, 9}},
    {"(d0 * 2) * (d1 * 3) - d1 * d0 * 6", "0", {0, 9}},
    {"d0 floordiv d2 + d1 * 0", "0", {0, 3}, {0, 7}, {4, 9}},
    {"d0 mod d2", "d0", {0, 3}, {0, 7}, {4, 9}},
    {"d2 floordiv d2", "1", {0, 3}, {0, 7}, {4, 9}},
    {"d2 mod d2", "0", {0, 3}, {0, 7}, {4, 9}},
};

TEST(CanonicalFormTest, Cases) {
  for (const auto &c : kCases) {
    const std::string domain = "d0 in " + c.d0.str() + ", d1 in " + c.d1.str() +
                               ", d2 in " + c.d2.str();
    EXPECT_EQ(simplified(c.before, domain), c.after)
        << c.before << " on " << domain;
    EXPECT_EQ(simplified(c.after, domain), c.after) << "on " << domain;
  }
}

// An index has gaps between its strides or none, and now and then a fact of one
// of its variables. Where it is cut at its strides, or at multiples of one that
// divide the next, only digits of one variable each are left.
TEST(CanonicalFormTest, DigitsOfAnIndex) {
  int64_t apart = 0, others = 0;
  forSeeds(4000, [&](Random &random) {
    VariableBounds box;
    llvm::SmallVector<int64_t, 4> strides;
    int64_t stride = random.oneIn(3) ? random.in(2, 4) : 1;
    for (int64_t i = random.in(1, 4); i > 0; --i) {
      const int64_t width = random.oneIn(6) ? 1 : random.in(2, 7);
      box.variables[0].push_back({0, width - 1});
      strides.push_back(stride);
      stride *= width;
      if (random.oneIn(5)) stride += random.in(0, stride);
    }
    const int64_t cut =
        random.in(1, 3) * (random.oneIn(2) ? strides.back() : 2);
    const int64_t modulus = random.oneIn(3) ? 0 : random.in(2, 9);
    ExpressionPool pool;
    CanonicalForms forms(pool, box);
    FormId fact = pool.constantForm(0);
    Interval bounds = Interval::point(0);
    if (random.oneIn(4) && box.variables[0][0].upper > 2) {
      fact = pool.digit(pool.variable({VariableKind::Dimension, 0}), 2, 0);
      bounds = Interval::point(random.in(0, 1));
      forms.facts.add(fact, bounds);
    }
    llvm::SmallVector<ScaledForm, 4> parts;
    for (uint32_t i = 0; i < strides.size(); ++i)
      parts.push_back(
          {forms.variable({VariableKind::Dimension, i}), strides[i]});
    const FormId index = forms.linear(parts, 0);
    const FormId form = forms.digit(index, cut, modulus);
    SCOPED_TRACE("(" + printExpression(pool, index, standardName) +
                 ") floordiv " + std::to_string(cut) + " mod " +
                 std::to_string(modulus) + " is " +
                 printExpression(pool, form, standardName));
    forPoints(box, random, [&](const BoxPoint &point) {
      if (!bounds.contains(*Evaluation(pool, point)(fact))) return;
      const int64_t floor = floorDiv(*Evaluation(pool, point)(index), cut);
      EXPECT_EQ(Evaluation(pool, point)(form),
                modulus ? floorMod(floor, modulus) : floor);
    });
    auto comesApart = [&](int64_t at) {
      for (size_t i = 0; i < strides.size(); ++i) {
        const int64_t end = strides[i] * box.variables[0][i].count();
        if (end > at && strides[i] % at != 0 && at % strides[i] != 0)
          return false;
      }
      return true;
    };
    if (!comesApart(cut) || (modulus && !comesApart(cut * modulus))) {
      ++others;
      return;
    }
    ++apart;
    for (const Term &term : pool.terms(form)) {
      const Atom &atom = pool.atom(term.atom);
      EXPECT_TRUE(atom.kind == AtomKind::Variable ||
                  pool.asVariable(atom.a).has_value());
    }
  });
  EXPECT_GT(apart, 1000);
  EXPECT_GT(others, 500);
}

//===-- Facts, bounds, work -----------------------------------------------===//

// With a fact, values are kept where it holds.
TEST(CanonicalFormTest, FactsAreUsedWhereTheyHold) {
  forSeeds(1500, [](Random &random) {
    Instance instance = randomInstance(random, true, 4);
    Instance known = instance;
    known.tree = randomInstance(random, true, 2).tree;
    // The fact, over this box.
    bool inBox = true;
    auto check = [&](auto &self, const Tree &tree) -> void {
      if (tree.op == Tree::Op::Variable)
        inBox &=
            tree.variable.index <
            instance.box.variables[static_cast<int>(tree.variable.kind)].size();
      for (const Tree &part : tree.parts) self(self, part);
    };
    check(check, known.tree);
    if (!inBox) return;
    ExpressionPool pool;
    CanonicalForms plain(pool, instance.box);
    const FormId fact = formOf(known.tree, plain);
    if (pool.overflowed() || pool.isConstant(fact)) return;
    // The form that a fact must have: no constant, no common factor, a positive
    // lead.
    llvm::SmallVector<Term, 8> terms(pool.terms(fact));
    if (terms[0].coefficient != 1 || pool.constant(fact) != 0) return;
    const int64_t low = random.in(-5, 5);
    const Interval bounds{low, low + random.in(0, 6)};
    CanonicalForms forms(pool, instance.box);
    forms.facts.add(fact, bounds);
    const FormId form = formOf(instance.tree, forms);
    if (pool.overflowed()) return;
    forPoints(instance.box, random, [&](const BoxPoint &point) {
      if (!bounds.contains(*Evaluation(pool, point)(fact))) return;
      if (auto expected = valueOf(instance.tree, point)) {
        EXPECT_EQ(Evaluation(pool, point)(form), expected)
            << instance.text() << "\nwhere " << textOf(known.tree) << " in "
            << bounds.str();
      }
    });
  });
}

TEST(CanonicalFormTest, AFactBoundsItsForm) {
  VariableBounds box;
  box.variables[0] = {{0, 9}, {0, 9}};
  ExpressionPool pool;
  CanonicalForms forms(pool, box);
  const FormId sum = forms.add(forms.variable({VariableKind::Dimension, 0}),
                               forms.variable({VariableKind::Dimension, 1}));
  forms.facts.add(sum, {8, 15});
  EXPECT_EQ(forms.bounds(sum), (Interval{8, 15}));
  EXPECT_EQ(forms.bounds(forms.shift(forms.scale(sum, -2), 1)),
            (Interval{-29, -15}));
  EXPECT_TRUE(pool.isConstant(forms.floorDivBy(sum, 16), 0));
}

// A count bounds the work, so it is the same everywhere, and it ends: what is
// deep, or shared a thousand times, too.
TEST(CanonicalFormTest, TheWorkIsBounded) {
  VariableBounds box;
  box.variables[0] = {{0, 999}, {0, 999}};
  int64_t steps[2];
  for (int64_t &count : steps) {
    ExpressionPool pool;
    CanonicalForms forms(pool, box);
    FormId x = forms.variable({VariableKind::Dimension, 0});
    const FormId y = forms.variable({VariableKind::Dimension, 1});
    for (int i = 1; i <= 12; ++i) {
      x = forms.add(forms.floorDivBy(forms.add(forms.scale(x, i), y), i + 2),
                    forms.mod(forms.add(x, forms.scale(y, 3)), 7 * i));
    }
    EXPECT_FALSE(pool.overflowed());
    count = forms.steps;
    for (int64_t a : {0, 17, 999}) {
      auto value = [&](VariableId id) { return id.index ? 999 - a : a; };
      int64_t at = a;
      const int64_t b = 999 - a;
      for (int i = 1; i <= 12; ++i)
        at = (at * i + b) / (i + 2) + (at + b * 3) % (7 * i);
      EXPECT_EQ(Evaluation(pool, value)(x), at);
    }
  }
  EXPECT_EQ(steps[0], steps[1]);
}

}  // namespace
}  // namespace indexical::testing
