// Minima and maxima: random nests keep their values, as forms and as text; one
// clamp has one text, however it was written; each rule of positive parts keeps
// values, turns its example, and is on the page; the cases of tile_cases.jsonl.
//
//   INDEXICAL_MINIMA=200000     how many random maps
//   INDEXICAL_MINIMA_SEED=n     of another seed
#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/evaluation.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/map_text.h"
#include "indexical/simplifier/canonical_form.h"
#include "indexical/simplifier/part_rules.h"
#include "indexical/simplifier/simplify.h"
#include "tests/simplifier/parsed_map.h"
#include "tests/simplifier/soundness_fuzz.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

uint64_t firstSeed() { return fromEnvironment("INDEXICAL_MINIMA_SEED", 1); }

TEST(Minima, RandomMapsKeepTheirValues) {
  FuzzOptions options;
  options.pairs = fromEnvironment("INDEXICAL_MINIMA", 4'000);
  options.seed = firstSeed();
  options.minima = true;
  options.islEvery = 50;
  const FuzzCounts counts =
      fuzz(options, [](const std::string &text) { ADD_FAILURE() << text; });
  EXPECT_EQ(counts.flaws, 0);
  EXPECT_GE(counts.pairs, options.pairs);
  EXPECT_GT(counts.islEqual, counts.islUndecided);
  EXPECT_LT(counts.refused * 20, counts.pairs);
}

std::string resultOf(const std::string &text) {
  const std::string simple = simplifiedMapOf(text).strOneLine();
  const llvm::StringRef results =
      llvm::StringRef(simple).split("-> ").second.split(", domain").first;
  return results.str();
}

/// A nest of clamps of one variable, and its values from `low` to `high`.
struct Nest {
  std::string text = "d0";
  std::vector<int64_t> values;
};

Nest randomNest(Random &random, int64_t low, int64_t high) {
  Nest nest;
  for (int64_t x = low; x <= high; ++x) nest.values.push_back(x);
  for (int64_t i = random.in(1, 5); i > 0; --i) {
    const int64_t bound = random.in(-7, 7);
    const bool isMin = random.oneIn(2);
    std::string a = nest.text, b = std::to_string(bound);
    if (random.oneIn(2)) std::swap(a, b);
    nest.text = (isMin ? "min(" : "max(") + a + ", " + b + ")";
    for (int64_t &value : nest.values)
      value = isMin ? std::min(value, bound) : std::max(value, bound);
  }
  return nest;
}

// However a clamp of one variable is written, its text is one.
TEST(Minima, ClampsOfOneVariableHaveOneText) {
  std::map<std::vector<int64_t>, std::string> texts;
  for (uint64_t seed = firstSeed(); seed < firstSeed() + 3000; ++seed) {
    Random random(seed);
    const Nest nest = randomNest(random, -9, 9);
    const std::string text =
        resultOf("(d0) -> (" + nest.text + "), domain: d0 in [-9, 9]");
    const auto [known, isNew] = texts.try_emplace(nest.values, text);
    ASSERT_EQ(known->second, text) << "seed " << seed << ": " << nest.text;
  }
  EXPECT_GT(texts.size(), 100u);
}

TEST(Minima, Texts) {
  struct Row {
    const char *map, *result;
  };
  const Row rows[] = {
      {"(d0, d1) -> (min(d0, d1) + max(d0, d1)), domain: d0 in [-9, 9], d1 in "
       "[-9, 9]",
       "(d0 + d1)"},
      {"(d0, d1) -> (max(d0, d1) - min(d0, d1) - max(d1 - d0, d0 - d1)), "
       "domain: d0 in [-9, 9], d1 in [-9, 9]",
       "(0)"},
      {"(d0) -> (min(10, d0)), domain: d0 in [0, 5]", "(d0)"},
      {"(d0) -> (min(d0, 5)), domain: d0 in [0, 9]", "(min(d0, 5))"},
      {"(d0) -> (min(5, d0)), domain: d0 in [0, 9]", "(min(d0, 5))"},
      {"(d0) -> (-min(-d0, -5)), domain: d0 in [0, 9]", "(max(d0, 5))"},
      {"(d0) -> (max(d0 + 3, 8) - 3), domain: d0 in [0, 9]", "(max(d0, 5))"},
      {"(d0) -> (max(min(d0, 5), 0)), domain: d0 in [-20, 20]",
       "(min(max(d0, 0), 5))"},
      {"(d0) -> (max(min(max(min(d0, 9), 1), 5), 0)), domain: d0 in [-20, 20]",
       "(min(max(d0, 1), 5))"},
      {"(d0, d1) -> (min(d0, d1) + min(d0, d1)), domain: d0 in [-9, 9], d1 in "
       "[-9, 9]",
       "(min(d0, d1) * 2)"},
      {"(d0) -> (max(min(d0 * 30, 10), 0)), domain: d0 in [0, 1]", "(d0 * 10)"},
      {"(d0) -> (min(d0 * 4, 20)), domain: d0 in [0, 9]", "(min(d0, 5) * 4)"},
      {"(d0, d1) -> (min(d0 * 17 + d1 * 5 + 5, d0 * 17 + 17) - d0 * 17 - d1 * "
       "5), domain: d0 in [0, 1], d1 in [0, 3]",
       "(min(5, d1 * -5 + 17))"},
      {"(d0) -> (min(d0 * 4, 8) floordiv 4), domain: d0 in [0, 9]",
       "(min(d0, 2))"},
      {"(d0, d1) -> (max(d0 * 6, d1 * 4) mod 2), domain: d0 in [-9, 9], d1 in "
       "[-9, 9]",
       "(0)"},
      {"(d0) -> (min(d0, (d0 floordiv 4) * 4)), domain: d0 in [0, 30]",
       "((d0 floordiv 4) * 4)"},
      {"(d0, d1) -> (max(d0, min(d0, d1))), domain: d0 in [-9, 9], d1 in [-9, "
       "9]",
       "(d0)"},
      {"(d0){rt0} -> (d0 + max(min(rt0, 7), 0)), domain: d0 in [0, 3], rt0 in "
       "[-5, 12]",
       "(d0 + min(max(rt0, 0), 7))"},
      {"(d0){rt0} -> (min(d0, rt0)), domain: d0 in [0, 9], rt0 in [0, 20], d0 "
       "- rt0 in [-inf, -1]",
       "(d0)"},
      {"(d0, d1) -> (min(d0, 4, d1 + 1)), domain: d0 in [0, 9], d1 in [0, 9]",
       "(min(d0, 4, d1 + 1))"},
      {"(d0) -> (min(d0, 9223372036854775806)), domain: d0 in [0, 9]", "(d0)"},
      {"(d0) -> (max(d0 - 3, 0) + max(3 - d0, 0)), domain: d0 in [0, 9]",
       "(max(d0, 3) * 2 - d0 - 3)"},
  };
  for (const Row &row : rows)
    EXPECT_EQ(resultOf(row.map), row.result) << row.map;
}

//===-- Rules -------------------------------------------------------------===//

/// What XLA's tests of symbolic expressions say that an expression becomes
/// (xla/hlo/analysis/symbolic_expr_test.cc), but for divisors below 0, which
/// maps do not have. Multiples are facts there: 0 is the remainder.
TEST(Minima, FactsOfXlasSymbolicExpressions) {
  const char *kFacts[][2] = {
      {"2 + d0", "d0 + 2"},
      {"(d0 + 0) * 1 + d1 * 0", "d0"},
      {"(2 + d0) + 3", "d0 + 5"},
      {"(2 * d0) * -1", "d0 * -2"},
      {"d0 * 3 + d0 * 2", "d0 * 5"},
      {"d0 * 5 - d0 * 5", "0"},
      {"(d0 + 2) * 3", "d0 * 3 + 6"},
      {"d1 * 3 + d0 * 2", "d0 * 2 + d1 * 3"},
      {"d0 + d1 + d0 + d1", "d0 * 2 + d1 * 2"},
      {"(d1 * 2 + 5) + (d0 - d1) * 3", "d0 * 3 - d1 + 5"},
      {"(2 * (d0 + 1) + 3) * 4", "d0 * 8 + 20"},
      {"min(2, 5) + max(2, 7)", "9"},
      {"max(d0, d0)", "d0"},
      {"min(d0, d0)", "d0"},
      {"max(d0, d0 + 1)", "d0 + 1"},
      {"min(d0, d0 - 1)", "d0 - 1"},
      {"min(d0, d1) + min(d0, d1)", "min(d0, d1) * 2"},
      {"d0 floordiv 1", "d0"},
      {"d0 ceildiv 1", "d0"},
      {"d0 mod 1", "0"},
      {"(d0 * 8) floordiv 4", "d0 * 2"},
      {"(d0 * 8) ceildiv 4", "d0 * 2"},
      {"(d0 * 8 + 3) floordiv 4", "d0 * 2"},
      {"(d0 * 8 + 3) ceildiv 4", "d0 * 2 + 1"},
      {"(d0 * 8 + 4) floordiv 4", "d0 * 2 + 1"},
      {"(d0 * 8 + 4) ceildiv 4", "d0 * 2 + 1"},
      {"(d0 * 8) mod 4", "0"},
      {"(d0 * 8 + 3) mod 4", "3"},
      {"(d0 * 2 + d1) mod 2", "d1 mod 2"},
      {"(d0 mod 21) mod 7", "d0 mod 7"},
      {"(d0 mod 20) mod 7", "(d0 mod 20) mod 7"},
      {"(d0 floordiv 16) * 16 + d0 mod 16", "d0"},
      {"(d0 * 2 * 3) mod 6", "0"},
      {"(d0 * 2 + d1 * 4) mod 2", "0"},
      {"min(d0 * 6, d1 * 4) mod 2", "0"},
      {"max(d0 * 6, d1 * 4) mod 2", "0"},
      {"((d0 * 10) floordiv 5) mod 2", "0"},
      {"((d0 * 10) ceildiv 5) mod 2", "0"},
  };
  for (const char *domain : {"d0 in [-99, 99], d1 in [-99, 99]",
                             "d0 in [-inf, inf], d1 in [-inf, inf]"})
    for (const auto &[expression, becomes] : kFacts)
      EXPECT_EQ(resultOf(std::string("(d0, d1) -> (") + expression +
                         "), domain: " + domain),
                std::string("(") + becomes + ")")
          << expression << " on " << domain;
}

/// Residues whose digit stays as it was given, for another form would leave 64
/// bits: their constants do not move with each step of a variable.
TEST(Minima, ResiduesWithoutEndsAreTheirOwnForm) {
  const char *kMaps[][2] = {
      {"(d0, d1) -> (), domain: d0 in [5, inf], d1 in [0, 8], "
       "min(d0, d1) mod 3 in [1, 1], d0 mod 6 in [5, 5]",
       "min(d0, d1) mod 3 in [1, 1]"},
      {"(d0, d1) -> (), domain: d0 in [0, inf], d1 in [0, 8], "
       "(min(d0 * 6, d1 - 5) - 7) mod 3 in [2, 2]",
       "min(d0 * 6, d1 - 5) mod 3 in [0, 0]"},
      {"(d0, d1) -> (), domain: d0 in [-9, inf], d1 in [0, 8], "
       "(max(d0, d1) + 23) mod 4 in [1, 1], d0 mod 2 in [1, 1]",
       "max(d0, d1) mod 4 in [2, 2]"},
  };
  for (const auto &[map, constraint] : kMaps) {
    const std::string once = simplifiedMapOf(map).strOneLine();
    EXPECT_NE(once.find(constraint), std::string::npos) << once;
    EXPECT_EQ(simplifiedMapOf(once).strOneLine(), once);
  }
}

/// Quotients between minima: each is written once, whatever is tried around it.
TEST(Minima, ManyInsideOfQuotientsAreWrittenInAMoment) {
  std::string text = "d0";
  for (int k = 1; k <= 16; ++k)
    text = "min((" + text + ") floordiv 2 + d" + std::to_string(k % 3) + ", " +
           std::to_string(50 + k) + ")";
  text = "(d0, d1, d2) -> (" + text +
         "), domain: d0 in [0, 90], d1 in [0, 91], d2 in [0, 92]";
  const auto map = parseMap(text);
  ASSERT_TRUE(map.ok()) << map.status();
  const auto simple = simplify(*map);
  ASSERT_TRUE(simple.ok());
  const std::string once = simple->strOneLine();
  EXPECT_LT(once.size(), 500u);
  const auto again = parseMap(once);
  ASSERT_TRUE(again.ok()) << again.status() << once;
  EXPECT_EQ(simplify(*again)->strOneLine(), once);
}

/// The rules, each asked for random parents apart from the others.
TEST(PartRules, EachKeepsEveryValue) {
  for (const PartRule &rule : partRules()) {
    constexpr int kEnough = 60;
    int applied = 0;
    for (uint64_t seed = firstSeed(); seed < 20'000 && applied < kEnough;
         ++seed) {
      Random random(seed);
      VariableBounds box;
      for (int i = 0; i < 2; ++i) {
        const int64_t low = random.in(-6, 3);
        box.variables[0].push_back({low, low + random.in(1, 8)});
      }
      ExpressionPool pool;
      CanonicalForms forms(pool, box);
      auto sum = [&] {
        std::vector<ScaledForm> parts;
        for (uint32_t i = 0; i < 2; ++i)
          if (random.oneIn(2))
            parts.push_back({forms.variable({VariableKind::Dimension, i}),
                             random.in(-4, 4)});
        return forms.linear(parts, random.in(-9, 9));
      };
      std::vector<ScaledForm> parts = {{sum(), 1}};
      for (int64_t i = random.in(0, 2); i > 0; --i)
        parts.push_back({forms.positivePart(sum()), random.in(-3, 3)});
      FormId parent = forms.linear(parts, 0);
      if (random.oneIn(4)) parent = pool.scale(parent, random.in(2, 3));
      if (pool.isConstant(parent)) continue;
      const auto made = rule.what(forms, parent);
      if (!made || *made == pool.positivePart(parent)) continue;
      ++applied;
      const Interval &x = box.variables[0][0], &y = box.variables[0][1];
      for (int64_t a = x.lower; a <= x.upper; ++a)
        for (int64_t b = y.lower; b <= y.upper; ++b) {
          auto value = [&](VariableId id) { return id.index ? b : a; };
          Evaluation evaluate(pool, value);
          ASSERT_EQ(*evaluate(*made), std::max<int64_t>(*evaluate(parent), 0))
              << rule.name << ", seed " << seed;
        }
    }
    EXPECT_EQ(applied, kEnough) << rule.name << " does not apply";
  }
}

TEST(PartRules, EachTurnsItsExample) {
  for (const PartRule &rule : partRules()) {
    std::vector<Rewrite> rewrites;
    SimplifyOptions options;
    options.rewrites = &rewrites;
    const auto simple = simplify(mapOf(rule.example), options);
    ASSERT_TRUE(simple.ok());
    EXPECT_EQ(simple->str(simple->results()[0]), rule.becomes) << rule.name;
    EXPECT_TRUE(llvm::any_of(rewrites, [&](const Rewrite &rewrite) {
      return rewrite.rule == rule.name;
    })) << rule.name;
  }
}

TEST(PartRules, EachIsOnThePage) {
  std::ifstream file("docs/internals/normal_form.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  size_t place = 0;
  for (const PartRule &rule : partRules()) {
    const std::string result = llvm::StringRef(rule.example)
                                   .split(" -> (")
                                   .second.split("), domain: ")
                                   .first.str();
    const std::string row = std::string("| ") + rule.name + " | `" + result +
                            "` | `" + rule.becomes + "` |";
    const size_t found = page.find(row);
    EXPECT_NE(found, std::string::npos) << row;
    EXPECT_GT(found, place) << row << " stands in another order";
    place = found;
  }
}

//===-- Constraints -------------------------------------------------------===//

TEST(Minima, ConstraintsOnBothCases) {
  struct Row {
    const char *map, *becomes;
  };
  const Row rows[] = {
      {"(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [0, 9], min(d0, d1) in "
       "[2, inf]",
       "(d0, d1) -> (d0), domain: d0 in [2, 9], d1 in [2, 9]"},
      {"(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [0, 9], max(d0, d1) in "
       "[-inf, 5]",
       "(d0, d1) -> (d0), domain: d0 in [0, 5], d1 in [0, 5]"},
      {"(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [0, 9], max(d0 - d1, 0) "
       "in [2, 5]",
       "(d0, d1) -> (d0), domain: d0 in [2, 9], d1 in [0, 7], d0 - d1 in [2, "
       "5]"},
      {"(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [0, 9], min(d0, d1) in "
       "[2, 5]",
       "(d0, d1) -> (d0), domain: d0 in [2, 9], d1 in [2, 9], min(d0, d1) in "
       "[-inf, 5]"},
  };
  for (const Row &row : rows)
    EXPECT_EQ(simplifiedMapOf(row.map).strOneLine(), row.becomes) << row.map;
}

//===-- What cannot be read -----------------------------------------------===//

TEST(Minima, ErrorsAtTheirPlace) {
  struct Row {
    const char *map, *error;
  };
  const Row rows[] = {
      {"(d0) -> (max(1, )), domain: d0 in [0, 3]", "expected an expression"},
      {"(d0) -> (max(1)), domain: d0 in [0, 3]", "takes two or more"},
      {"(d0) -> (min(d0, 2", "expected `)`"},
      {"(d0) -> (max(d0 * 9223372036854775807, 3)), domain: d0 in [0, 3]",
       "64"},
  };
  for (const Row &row : rows) {
    const auto map = parseMap(row.map);
    ASSERT_FALSE(map.ok()) << row.map;
    EXPECT_NE(map.status().message().find(row.error), std::string::npos)
        << map.status();
  }
}

// Elsewhere `min` stays a name.
TEST(Minima, AVariableMayHaveTheirName) {
  EXPECT_EQ(resultOf("(min, max) -> (min + max(min, 3)), domain: min in [0, "
                     "9], max in [0, 9]"),
            "(min + max(min, 3))");
}

TEST(Minima, ForXla) {
  const IndexingMap map = simplifiedMapOf(
      "(d0, d1){rt0} -> (min(d0, 4, d1 + 1), d0 floordiv 2, rt0), domain: d0 "
      "in [0, 9], d1 in [0, 9], rt0 in [0, inf]");
  EXPECT_EQ(printMapForXla(map),
            "(d0, d1){rt0} -> (min(min(d0, 4), d1 + 1), d0 / 2, rt0), domain: "
            "d0 in [0, 9], d1 in [0, 9], rt0 in [0, 9223372036854775807]");
}

// The builder's functions.
TEST(Minima, AreBuilt) {
  IndexingMapBuilder b;
  const Expr d0 = b.dimension({-20, 20}), d1 = b.dimension({-9, 9});
  b.result(min(d0, d1));
  b.result(max(d0, d1));
  b.result(clamp(d0, b.constant(0), b.constant(5)));
  const auto map = b.build();
  ASSERT_TRUE(map.ok());
  EXPECT_EQ(map->strOneLine(),
            "(d0, d1) -> (min(d0, d1), max(d0, d1), min(max(d0, 0), 5)), "
            "domain: d0 in [-20, 20], d1 in [-9, 9]");
  EXPECT_EQ(*simplify(*map), *map);
}

}  // namespace
}  // namespace indexical::testing
