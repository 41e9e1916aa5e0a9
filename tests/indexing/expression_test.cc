// The constructors of expressions against plain arithmetic, at points.
//
// Random trees (tests/support/expression_tree.h) are built in a pool and
// evaluated; the other promises of the header (interning, an order by
// structure, the overflow flag, frozen copies, imports) are each shown on their
// own.
#include "indexical/indexing/expression.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/indexing/evaluation.h"
#include "tests/support/expression_tree.h"

namespace indexical::testing {
namespace {

constexpr VariableKind kKinds[] = {VariableKind::Dimension, VariableKind::Range,
                                   VariableKind::Runtime};

/// d0, d1, s0, s1, rt0, rt1. The second of each kind is a divisor: at least 1.
std::vector<VariableId> variables() {
  std::vector<VariableId> ids;
  for (VariableKind kind : kKinds)
    for (uint32_t i : {0u, 1u}) ids.push_back({kind, i});
  return ids;
}

TreeOptions options(int64_t depth) {
  TreeOptions options;
  options.variables = variables();
  for (VariableId id : variables())
    if (id.index == 1) options.divisors.push_back(id);
  options.depth = depth;
  return options;
}

/// A random value for each variable; divisors are positive.
struct Values {
  explicit Values(Random &random, int64_t most) {
    for (int64_t &value : of) value = random.in(-most, most);
    for (size_t i = 1; i < 6; i += 2) of[i] = random.in(1, most);
  }
  int64_t operator()(VariableId id) const {
    return of[static_cast<int>(id.kind) * 2 + id.index];
  }
  int64_t of[6];
};

TEST(ExpressionTest, ValuesAreThoseOfTheOperations) {
  for (uint64_t seed = 1; seed <= 4000; ++seed) {
    Random random(seed);
    const Tree tree = randomTree(random, options(random.in(1, 6)));
    ExpressionPool pool;
    const FormId form = formOf(tree, pool);
    if (pool.overflowed()) continue;  // products of constants
    for (int i = 0; i < 20; ++i) {
      const Values values(random, i % 2 ? 8 : 1000);
      const auto expected = valueOf(tree, values);
      const auto value = Evaluation(pool, values)(form);
      // A sum may be within 64 bits even if a part of the tree is not.
      if (!expected) continue;
      ASSERT_EQ(value, expected) << "seed " << seed << ": " << textOf(tree);
    }
  }
}

TEST(ExpressionTest, NegativeDivisors) {
  ExpressionPool pool;
  const FormId d0 = pool.variable({VariableKind::Dimension, 0});
  for (int64_t divisor : {-7, -2, -1, 1, 2, 7}) {
    const FormId quotient = pool.floorDivBy(d0, divisor);
    for (int64_t x = -20; x <= 20; ++x) {
      auto value = [&](VariableId) { return x; };
      // q is the only one with 0 <= (x - q*b) / b < 1.
      const int64_t rest = x - *Evaluation(pool, value)(quotient) * divisor;
      EXPECT_TRUE(divisor > 0 ? rest >= 0 && rest < divisor
                              : rest <= 0 && rest > divisor)
          << x << " floordiv " << divisor;
    }
  }
}

//===-- Interning ---------------------------------------------------------===//

TEST(ExpressionTest, EqualExpressionsHaveEqualIds) {
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    Random random(seed);
    const Tree tree = randomTree(random, options(5));
    ExpressionPool pool;
    const FormId form = formOf(tree, pool);
    const uint32_t forms = pool.formCount(), atoms = pool.atomCount();
    EXPECT_EQ(formOf(tree, pool), form) << textOf(tree);
    EXPECT_EQ(pool.formCount(), forms);
    EXPECT_EQ(pool.atomCount(), atoms);
  }
}

TEST(ExpressionTest, LikeTermsCombine) {
  ExpressionPool pool;
  const FormId x = pool.variable({VariableKind::Dimension, 0});
  const FormId y = pool.variable({VariableKind::Range, 0});
  const FormId half = pool.floorDivBy(x, 2);
  EXPECT_EQ(pool.add(x, y), pool.add(y, x));
  EXPECT_EQ(pool.add(x, x), pool.scale(x, 2));
  EXPECT_EQ(pool.sub(pool.add(x, half), half), x);
  EXPECT_TRUE(pool.isConstant(pool.sub(half, half), 0));
  EXPECT_EQ(pool.product(x, y), pool.product(y, x));
  EXPECT_EQ(pool.product(x, pool.constantForm(3)), pool.scale(x, 3));
  EXPECT_EQ(pool.quotient(x, pool.constantForm(2)), half);
  EXPECT_EQ(pool.mod(half, 3), pool.digit(x, 2, 3));
  EXPECT_TRUE(pool.isConstant(pool.floorDivBy(pool.constantForm(-7), 2), -4));
  EXPECT_TRUE(pool.isConstant(pool.mod(pool.constantForm(-7), 4), 1));
  EXPECT_TRUE(pool.isConstant(pool.mod(x, 1), 0));
  EXPECT_EQ(pool.asVariable(x), (VariableId{VariableKind::Dimension, 0}));
  EXPECT_EQ(pool.asVariable(half), std::nullopt);
  EXPECT_TRUE(pool.asAtom(half).has_value());
  EXPECT_EQ(pool.asAtom(pool.scale(x, -1)), std::nullopt);
  EXPECT_EQ(pool.asAtom(pool.shift(x, 1)), std::nullopt);
}

TEST(ExpressionTest, PartsHaveSmallerNumbers) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    ExpressionPool pool;
    FormId form = formOf(randomTree(random, options(6)), pool);
    const FrozenExpressions frozen(pool, form);
    for (const ExpressionTable *table :
         {static_cast<const ExpressionTable *>(&pool),
          static_cast<const ExpressionTable *>(&frozen)})
      for (AtomId id = 0; id < table->atomCount(); ++id) {
        const Atom &atom = table->atom(id);
        if (atom.kind == AtomKind::Variable) continue;
        for (FormId part : atom.operands())
          for (const Term &term : table->terms(part)) EXPECT_LT(term.atom, id);
      }
  }
}

TEST(ExpressionTest, VisitsEachVariableOnce) {
  ExpressionPool pool;
  const FormId x = pool.variable({VariableKind::Dimension, 1});
  const FormId y = pool.variable({VariableKind::Runtime, 0});
  const FormId z = pool.variable({VariableKind::Range, 3});
  const FormId first = pool.add(pool.floorDivBy(pool.add(x, y), 3), x);
  const FormId second = pool.quotient(x, z);
  std::vector<VariableId> seen;
  pool.visitVariables({first, second},
                      [&](VariableId id) { seen.push_back(id); });
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(seen, (std::vector<VariableId>{{VariableKind::Dimension, 1},
                                           {VariableKind::Range, 3},
                                           {VariableKind::Runtime, 0}}));
}

//===-- The order ---------------------------------------------------------===//

int sign(int x) { return (x > 0) - (x < 0); }

TEST(ExpressionTest, TheOrderIsOfTheStructureAlone) {
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    Random random(seed);
    std::vector<Tree> trees;
    for (int i = 0; i < 12; ++i)
      trees.push_back(randomTree(random, options(random.in(0, 4))));
    // In one pool in their order, in the other in a random one, among others.
    ExpressionPool one, two;
    std::vector<FormId> inOne(12), inTwo(12);
    for (size_t i = 0; i < 12; ++i) inOne[i] = formOf(trees[i], one);
    for (int64_t i : random.permutation(12)) {
      formOf(randomTree(random, options(3)), two);
      inTwo[i] = formOf(trees[i], two);
    }
    for (size_t i = 0; i < 12; ++i)
      for (size_t j = 0; j < 12; ++j) {
        const int order = sign(one.compareForms(inOne[i], inOne[j]));
        EXPECT_EQ(order, sign(two.compareForms(inTwo[i], inTwo[j])));
        EXPECT_EQ(order, -sign(one.compareForms(inOne[j], inOne[i])));
        EXPECT_EQ(order == 0, inOne[i] == inOne[j])
            << "seed " << seed << ": " << textOf(trees[i]) << " and "
            << textOf(trees[j]);
        for (size_t k = 0; k < 12; ++k)  // transitive
          if (order < 0 && one.compareForms(inOne[j], inOne[k]) < 0) {
            EXPECT_LT(one.compareForms(inOne[i], inOne[k]), 0);
          }
      }
  }
}

TEST(ExpressionTest, TermsStandInTheOrder) {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    Random random(seed);
    ExpressionPool pool;
    const FormId form = formOf(randomTree(random, options(6)), pool);
    llvm::ArrayRef<Term> terms = pool.terms(form);
    for (size_t i = 0; i < terms.size(); ++i) {
      EXPECT_NE(terms[i].coefficient, 0);
      if (i > 0) {
        EXPECT_LT(pool.compareAtoms(terms[i - 1].atom, terms[i].atom), 0);
      }
    }
  }
}

//===-- Overflow ----------------------------------------------------------===//

TEST(ExpressionTest, Overflow) {
  const int64_t big = int64_t{1} << 62;
  ExpressionPool pool;
  const FormId x = pool.variable({VariableKind::Dimension, 0});
  const FormId scaled = pool.scale(x, big), high = pool.constantForm(big);
  auto overflows = [&](auto operation) {
    EXPECT_FALSE(pool.overflowed());
    const FormId result = operation();
    const bool overflowed = pool.overflowed();
    EXPECT_TRUE(!overflowed || pool.isConstant(result, 0));
    pool.setOverflowed(false);
    return overflowed;
  };
  EXPECT_TRUE(overflows([&] { return pool.add(high, high); }));
  EXPECT_TRUE(overflows([&] { return pool.add(scaled, scaled); }));
  EXPECT_TRUE(overflows([&] { return pool.scale(high, 2); }));
  EXPECT_TRUE(overflows([&] { return pool.scale(scaled, 2); }));
  EXPECT_TRUE(overflows([&] { return pool.scale(scaled, -4); }));
  EXPECT_TRUE(overflows([&] { return pool.shift(high, big); }));
  // The smallest integer has no negative, so it is past the end.
  EXPECT_TRUE(overflows([&] { return pool.constantForm(INT64_MIN); }));
  EXPECT_TRUE(overflows([&] { return pool.scale(high, -2); }));
  EXPECT_TRUE(overflows([&] { return pool.scale(scaled, -2); }));
  // The last ones that fit.
  EXPECT_FALSE(overflows([&] { return pool.constantForm(INT64_MAX); }));
  EXPECT_FALSE(overflows([&] { return pool.constantForm(-INT64_MAX); }));
  EXPECT_FALSE(
      overflows([&] { return pool.add(high, pool.constantForm(big - 1)); }));
  EXPECT_FALSE(overflows([&] { return pool.scale(x, INT64_MAX); }));
  // A sum that comes back is no overflow of the result, term by term.
  EXPECT_FALSE(overflows([&] { return pool.sub(scaled, scaled); }));

  pool.add(high, high);
  EXPECT_TRUE(pool.overflowed());
  pool.variable({VariableKind::Range, 0});
  EXPECT_TRUE(pool.overflowed()) << "the flag stays";
  pool.clear();
  EXPECT_FALSE(pool.overflowed());
  EXPECT_EQ(pool.formCount(), 0u);
}

TEST(ExpressionTest, EvaluationSaysWhereThereIsNoValue) {
  ExpressionPool pool;
  const FormId x = pool.variable({VariableKind::Dimension, 0});
  const FormId y = pool.variable({VariableKind::Dimension, 1});
  auto at = [&](FormId form, int64_t a, int64_t b) {
    auto value = [&](VariableId id) { return id.index ? b : a; };
    return Evaluation(pool, value)(form);
  };
  const int64_t big = int64_t{1} << 62;
  EXPECT_EQ(at(pool.add(x, y), big, big), std::nullopt);
  EXPECT_EQ(at(pool.scale(x, 2), big, 0), std::nullopt);
  EXPECT_EQ(at(pool.product(x, y), big, 3), std::nullopt);
  EXPECT_EQ(at(pool.quotient(x, y), 5, 0), std::nullopt);
  EXPECT_EQ(at(pool.remainder(x, y), 5, 0), std::nullopt);
  EXPECT_EQ(at(pool.remainder(x, y), 5, -3), std::nullopt);
  EXPECT_EQ(at(pool.quotient(x, y), INT64_MIN, -1), std::nullopt);
  EXPECT_EQ(at(pool.quotient(x, y), 7, -3), -3);
  EXPECT_EQ(at(pool.quotient(x, y), 7, -1), -7);
  EXPECT_EQ(at(pool.quotient(x, y), -7, 3), -3);
  EXPECT_EQ(at(pool.remainder(x, y), -7, 3), 2);
  EXPECT_EQ(at(pool.product(x, y), -7, 3), -21);
}

//===-- Copies ------------------------------------------------------------===//

TEST(ExpressionTest, FrozenTablesForgetTheirHistory) {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    Random random(seed);
    std::vector<Tree> trees;
    for (int i = 0; i < 3; ++i) trees.push_back(randomTree(random, options(5)));
    ExpressionPool one, two;
    for (int i = 0; i < 5; ++i) formOf(randomTree(random, options(4)), two);
    std::vector<FormId> inOne, inTwo(3);
    for (const Tree &tree : trees) inOne.push_back(formOf(tree, one));
    for (int i = 2; i >= 0; --i) inTwo[i] = formOf(trees[i], two);
    const std::vector<FormId> before = inTwo;

    const FrozenExpressions a(one, inOne), b(two, inTwo);
    EXPECT_EQ(inOne, inTwo);
    EXPECT_TRUE(a == b) << "seed " << seed;
    EXPECT_EQ(a.hash(), b.hash());
    for (int i = 0; i < 5; ++i) {
      const Values values(random, 20);
      for (size_t k = 0; k < 3; ++k)
        EXPECT_EQ(Evaluation(b, values)(inTwo[k]),
                  Evaluation(two, values)(before[k]));
    }
    std::vector<FormId> other = before;
    other.back() = two.shift(other.back(), 1);
    EXPECT_FALSE(FrozenExpressions(two, other) == b);
  }
}

TEST(ExpressionTest, ImportReplacesVariables) {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    Random random(seed);
    const Tree tree = randomTree(random, options(4));
    // Divisors stay divisors: they are replaced by themselves and a constant.
    std::vector<Tree> replacements;
    for (VariableId id : variables())
      replacements.push_back(id.index == 0
                                 ? randomTree(random, options(3))
                                 : Tree::of(Tree::Op::Add, Tree::ofVariable(id),
                                            Tree::ofConstant(random.in(0, 3))));
    ExpressionPool from, to;
    const FormId form = formOf(tree, from);
    auto replacement = [&](VariableId id) -> const Tree & {
      return replacements[static_cast<int>(id.kind) * 2 + id.index];
    };
    auto replace = [&](VariableId id) { return formOf(replacement(id), to); };
    ExpressionImport import(from, to, replace);
    const FormId imported = import(form);
    EXPECT_EQ(import(form), imported);
    if (to.overflowed()) continue;
    for (int i = 0; i < 10; ++i) {
      const Values values(random, 9);
      auto inner = [&](VariableId id) {
        return valueOf(replacement(id), values).value_or(INT64_MIN);
      };
      const auto expected = valueOf(tree, inner);
      const auto value = Evaluation(to, values)(imported);
      if (expected && value) {
        EXPECT_EQ(*value, *expected) << "seed " << seed;
      }
    }
  }
}

// A tower in which each step uses the one below three times has 3^60 leaves as
// a tree, and 60 steps as it is stored.
// A pool that adopts a table is the pool in which it would have been written
// with the moved variables: the same values, and no expression twice.
TEST(ExpressionTest, AdoptedTablesGrowOn) {
  ExpressionPool adopted;
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    Random random(seed);
    ExpressionPool pool;
    const FormId form = formOf(randomTree(random, options(4)), pool);
    if (pool.overflowed()) continue;
    const uint32_t ranges = random.in(0, 2), runtime = random.in(0, 2);
    adopted.clear();
    adopted.adopt(pool, ranges, runtime);
    auto moved = [&](VariableId id) {
      if (id.kind == VariableKind::Range) id.index += ranges;
      if (id.kind == VariableKind::Runtime) id.index += runtime;
      return id;
    };
    const Values values(random, 50);
    std::vector<std::pair<VariableId, int64_t>> all;
    for (VariableId id : variables()) all.push_back({moved(id), values(id)});
    auto valueOfMoved = [&](VariableId id) {
      return std::find_if(all.begin(), all.end(),
                          [&](const auto &v) { return v.first == id; })
          ->second;
    };
    ASSERT_EQ(Evaluation(adopted, valueOfMoved)(form),
              Evaluation(pool, values)(form))
        << "seed " << seed;
    const uint32_t count = adopted.formCount();
    auto replace = [&](VariableId id) { return adopted.variable(moved(id)); };
    ExpressionImport import(pool, adopted, replace);
    for (FormId f = 0; f < count; ++f) ASSERT_EQ(import(f), f);
  }
}

TEST(ExpressionTest, SharedPartsAreMetOnce) {
  ExpressionPool pool;
  const FormId x = pool.variable({VariableKind::Dimension, 0});
  FormId tower = x;
  for (int i = 0; i < 60; ++i)
    tower = pool.add(pool.digit(pool.shift(tower, 1), 2, 1000),
                     pool.add(pool.digit(tower, 1, 777),
                              pool.digit(pool.scale(tower, 3), 5, 1000)));
  const FormId before = tower;
  FrozenExpressions frozen(pool, tower);
  ExpressionPool copy;
  auto same = [&](VariableId id) { return copy.variable(id); };
  const FormId imported = ExpressionImport(pool, copy, same)(before);
  for (int64_t value : {-5, 0, 12345}) {
    auto at = [&](VariableId) { return value; };
    EXPECT_EQ(Evaluation(pool, at)(before), Evaluation(frozen, at)(tower));
    EXPECT_EQ(Evaluation(pool, at)(before), Evaluation(copy, at)(imported));
  }
  EXPECT_LT(frozen.formCount(), 1000u);
}

}  // namespace
}  // namespace indexical::testing
