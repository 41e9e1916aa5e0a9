// exact/ on maps whose answers are known: the header's examples, and inputs
// that broke or slowed other engines.
#include "indexical/exact/exact.h"

#include <string>

#include "gtest/gtest.h"

#include "indexical/exact/exact_prover.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/map_text.h"
#include "indexical/simplifier/simplify.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

IndexingRelation relation(const std::string &text) {
  auto map = parseMap(text);
  EXPECT_TRUE(map.ok()) << text << map.status();
  return map.ok() ? IndexingRelation(*map) : IndexingRelation();
}

std::string textOf(const absl::StatusOr<IndexingRelation> &relation) {
  if (!relation.ok()) return std::string(relation.status().message());
  std::string text;
  for (const IndexingMap &piece : relation->pieces())
    text += (text.empty() ? "" : "; ") + piece.strOneLine();
  return text;
}

std::string answerOf(const absl::StatusOr<Decision> &decision) {
  if (!decision.ok()) return std::string(decision.status().message());
  return answerName(decision->answer).str() + " (" +
         engineName(decision->engine).str() + ")";
}

TEST(ExactTest, ExamplesOfTheHeader) {
  auto a = relation("(d0) -> (d0 mod 8), domain: d0 in [0, 31]");
  auto b = relation("(d0) -> (d0 - d0 floordiv 8 * 8), domain: d0 in [0, 31]");
  auto c = relation("(d0) -> (d0 mod 8), domain: d0 in [0, 32]");
  EXPECT_EQ(answerOf(areEqual(a, b)), "yes (closed form)");
  auto different = areEqual(a, c);
  ASSERT_EQ(answerOf(different), "no (closed form)");
  EXPECT_EQ(different->witness->onlyIn, PairWitness::Side::Second);
  EXPECT_EQ(different->witness->index, Values({32}));
  EXPECT_EQ(different->witness->element, Values({0}));
  auto injective = isInjective(a);
  ASSERT_EQ(injective->answer, Answer::No);
  EXPECT_NE(injective->witness->index, injective->witness->otherIndex);
  EXPECT_EQ(textOf(inverse(a)),
            "(d0)[s0] -> (d0 + s0 * 8), domain: d0 in [0, 7], s0 in [0, 3]");
  EXPECT_EQ(textOf(image(a)), "(d0) -> (), domain: d0 in [0, 7]");
  EXPECT_EQ(*countPairs(a)->value, 32);
  EXPECT_EQ(*countImage(a)->value, 8);
  auto ends = extremes(a);
  EXPECT_EQ((*ends)[0].least, 0);
  EXPECT_EQ((*ends)[0].greatest, 7);
}

/// A runtime variable that nothing uses is no part of its map if it has a
/// value; a map with one that has none reads nothing.
TEST(ExactTest, UnusedRuntimeVariables) {
  const auto none = relation("(d0) -> (d0), domain: d0 in [0, 3]");
  const auto from2 =
      relation("(d0){a} -> (d0), domain: d0 in [0, 3], a in [2, 9]");
  const auto from3 =
      relation("(d0){a} -> (d0), domain: d0 in [0, 3], a in [3, 9]");
  const auto empty =
      relation("(d0){a} -> (d0), domain: d0 in [0, 3], a in [4, 3]");
  for (const auto *x : {&none, &from2, &from3})
    for (const auto *y : {&none, &from2, &from3}) {
      EXPECT_EQ(areEqual(*x, *y)->answer, Answer::Yes);
      EXPECT_EQ(isSubset(*x, *y)->answer, Answer::Yes);
      EXPECT_EQ(areDisjoint(*x, *y)->answer, Answer::No);
      EXPECT_EQ(areEqual(*x, empty)->answer, Answer::No);
      EXPECT_EQ(areDisjoint(*x, empty)->answer, Answer::Yes);
    }
  EXPECT_EQ(areEqual(empty, empty)->answer, Answer::Yes);
}

/// So is one that conditions name which say nothing of anything else: a map
/// equals its simplified form.
TEST(ExactTest, RuntimeVariablesThatOnlyConditionsName) {
  const auto none = relation("(d0) -> (d0), domain: d0 in [0, 3]");
  const auto some = relation(
      "(d0){a} -> (d0), domain: d0 in [0, 3], a in [0, 9], a * 3 in [3, 11]");
  const auto pair = relation(
      "(d0){a, b} -> (d0), domain: d0 in [0, 3], a in [0, 9], b in [0, 9], "
      "a + b * 2 in [20, 22]");
  const auto never = relation(
      "(d0){a} -> (d0), domain: d0 in [0, 3], a in [0, 9], a * 3 in [4, 5]");
  const auto used = relation(
      "(d0){a} -> (d0), domain: d0 in [0, 3], a in [0, 9], d0 + a in [3, 11]");
  for (const auto *x : {&none, &some, &pair})
    for (const auto *y : {&none, &some, &pair})
      EXPECT_EQ(areEqual(*x, *y)->answer, Answer::Yes);
  EXPECT_EQ(areEqual(some, never)->answer, Answer::No);
  EXPECT_EQ(areDisjoint(some, never)->answer, Answer::Yes);
  const auto decision = areEqual(some, used);
  ASSERT_EQ(decision->answer, Answer::No);
  // At its value the one reads the element and the other does not.
  ASSERT_EQ(decision->witness->runtime.size(), 1);
  const int64_t a = decision->witness->runtime[0].second;
  const int64_t d = decision->witness->index[0];
  EXPECT_FALSE(d + a >= 3 && d + a <= 11);
}

/// `equal` is an equivalence, on maps of which some have variables that nothing
/// uses: reflexive, symmetric, transitive.
TEST(ExactTest, EqualIsAnEquivalence) {
  const int64_t count = fromEnvironment("INDEXICAL_EQUIVALENCE", 300);
  const uint64_t first = fromEnvironment("INDEXICAL_EQUIVALENCE_SEED", 1);
  int64_t equal = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE("INDEXICAL_EQUIVALENCE_SEED=" + std::to_string(seed));
    Random random(seed);
    // Few forms, so that many are equal.
    auto any = [&] {
      const char *kResults[] = {"d0", "d0 + a - a", "d0 + a", "d0 mod 4",
                                "d0 + 4 - 4"};
      const char *kBounds[] = {"[0, 3]", "[2, 3]", "[2, 9]", "[1, 0]",
                               "[0, 9]"};
      const char *kMore[] = {"",
                             ", d0 * 2 in [0, 6]",
                             ", d0 * 2 in [0, 4]",
                             ", b * 2 in [3, 8]",
                             ", a * 2 + b in [4, 9]",
                             ", d0 + a in [4, 9]",
                             ", d0 + a + b in [5, 9]",
                             ", max(d0, a) in [4, 9]",
                             ", (d0 + a * 2) mod 6 in [2, 3]",
                             ", (d0 + a * 2 + b * 2) floordiv 2 in [4, 9]"};
      const char *kIndices[] = {"[0, 3]", "[0, 1]", "[1, 1]"};
      auto one = [&](llvm::ArrayRef<const char *> of) {
        return std::string(of[random.in(0, of.size() - 1)]);
      };
      return "(d0){a, b} -> (" + one(kResults) + "), domain: d0 in " +
             one(kIndices) + ", a in " + one(kBounds) + ", b in " +
             one(kBounds) + one(kMore);
    };
    const std::string texts[] = {any(), any(), any()};
    Answer answers[3][3];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        answers[i][j] =
            areEqual(relation(texts[i]), relation(texts[j]))->answer;
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(answers[i][i], Answer::Yes) << texts[i];
      const IndexingRelation read = relation(texts[i]);
      if (read.pieces().empty()) continue;
      auto simple = simplify(read.pieces()[0]);
      ASSERT_TRUE(simple.ok()) << texts[i];
      EXPECT_EQ(areEqual(read, IndexingRelation(*simple))->answer, Answer::Yes)
          << texts[i];
      for (int j = 0; j < 3; ++j) {
        EXPECT_EQ(answers[i][j], answers[j][i]) << texts[i] << "\n" << texts[j];
        for (int k = 0; k < 3; ++k) {
          if (answers[i][j] != Answer::Yes || answers[j][k] != Answer::Yes)
            continue;
          EXPECT_EQ(answers[i][k], Answer::Yes) << texts[i] << "\n"
                                                << texts[j] << "\n"
                                                << texts[k];
        }
        equal += i < j && answers[i][j] == Answer::Yes;
      }
    }
  }
  EXPECT_GT(equal, count / 10);
}

TEST(ExactTest, WhatCannotBeComparedIsAnError) {
  auto one = relation("(d0) -> (d0), domain: d0 in [0, 3]");
  auto two = relation("(d0, d1) -> (d0), domain: d0 in [0, 3], d1 in [0, 1]");
  EXPECT_EQ(answerOf(areEqual(one, two)),
            "maps of 1 dimensions and 1 results cannot be compared with one of "
            "2 and 1");
  EXPECT_EQ(answerOf(isIdentity(two)),
            "an identity has as many results as dimensions");
  // Through a collective, and not.
  IndexingMapBuilder b;
  Expr d0 = b.dimension({0, 3});
  b.result(d0);
  b.member(0, d0);
  const IndexingRelation passing(*b.build());
  for (const IndexingRelation *other :
       std::initializer_list<const IndexingRelation *>{&two, &passing}) {
    EXPECT_FALSE(areEqual(one, *other).ok());
    EXPECT_FALSE(intersect(one, *other).ok());
    EXPECT_FALSE(difference(one, *other).ok());
    EXPECT_FALSE(difference(*other, one).ok());
    EXPECT_FALSE(unite(one, *other).ok());
    EXPECT_FALSE(ExactProver().difference(one.pieces()[0], *other));
  }
  IndexingRelation mixed = one;
  mixed.add(relation("(d0) -> (d0, 0), domain: d0 in [0, 3]").pieces()[0]);
  EXPECT_FALSE(image(mixed).ok());
}

// 64 points, whose digits stand on one another, of which forms say nothing.
TEST(ExactTest, FewPointsAreLookedAt) {
  const std::string x = "((d0 floordiv 4) * 440 + (d0 mod 4) * 60 + d1 + 48)";
  const std::string digits =
      "(((" + x + " floordiv 50) * 898 - (" + x + " mod 50) * 9 + (((" + x +
      " floordiv 50) * 2 + 1) floordiv 9) * 2 + 891) mod 4043 + 448) mod 449";
  const auto mapWith = [&](const std::string &bounds) {
    return relation(
               "(d0, d1) -> (d0, d1), domain: d0 in [0, 7], d1 in [0, 7], "
               "(" +
               digits + ") mod 3 in " + bounds)
        .pieces()[0];
  };
  EXPECT_TRUE(ExactProver().isEmpty(mapWith("[1, inf]")));
  EXPECT_FALSE(ExactProver().isEmpty(mapWith("[0, 0]")));
}

TEST(ExactTest, RuntimeVariablesAreGiven) {
  auto a =
      relation("(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 3], rt0 in [0, 4]");
  auto renamed =
      relation("(d0){x} -> (d0 + x), domain: d0 in [0, 3], x in [0, 4]");
  EXPECT_EQ(answerOf(areEqual(a, a)), "yes (closed form)");
  auto decision = areEqual(a, renamed);
  ASSERT_EQ(decision->answer, Answer::No);  // other variables
  EXPECT_EQ(decision->witness->runtime.size(), 2u);
  // A value outside of the bounds leaves nothing.
  auto narrower =
      relation("(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 3], rt0 in [0, 3]");
  decision = areEqual(a, narrower);
  ASSERT_EQ(decision->answer, Answer::No);
  EXPECT_EQ(decision->witness->runtime[0].second, 4);
}

// A variable without a source is given: what is said of it stays, though
// nothing divides by it any more.
TEST(InverseTest, KeepsTheBoundsOfWhatDivided) {
  const std::pair<const char *, const char *> kInverses[] = {
      {"(d0){rt0} -> (), domain: d0 in [0, 1], rt0 in [2, 6], (rt0 * rt0) "
       "floordiv (rt0 + 3) in [-6, inf], (rt0) in [5, inf]",
       "()[s0]{rt0} -> (s0), domain: s0 in [0, 1], rt0 in [2, 6], (rt0) in [5, "
       "6]"},
      {"(d0){rt0} -> (d0), domain: d0 in [0, 4], rt0 in [2, 6], (d0 - rt0 * 3) "
       "floordiv (rt0 + 3) in [-2, -2], d0 * -27 + rt0 in [6, 16]",
       "(d0){rt0} -> (0), domain: d0 in [0, 0], rt0 in [2, 6], (rt0) in [6, "
       "6]"}};
  for (const auto &[map, expected] : kInverses) {
    auto inverted = inverse(relation(map));
    ASSERT_TRUE(inverted.ok()) << inverted.status();
    EXPECT_EQ(inverted->pieces()[0].strOneLine(), expected);
  }
}

// Its bounds are seen to be empty while digits are still joined.
TEST(InverseTest, OfAMapWithoutPoints) {
  auto inverted = inverse(relation(
      "(d0, d1, d2, d3) -> ((-((d2 * 6) floordiv 2)) floordiv 6, ((d2 + d3) "
      "mod 2) floordiv 8, d0), domain: d0 in [0, 2], d1 in [0, 3], d2 in [-1, "
      "2], d3 in [0, 4], (d3) in [-5, -2], -((-(d0 floordiv 12) - d2 mod 8) "
      "floordiv 3) in [-5, -3]"));
  ASSERT_TRUE(inverted.ok()) << inverted.status();
  EXPECT_EQ(isEmpty(*inverted)->answer, Answer::Yes);
}

/// A runtime variable that is the element of a tensor at d0 + shift.
IndexingRelation gathered(int64_t tensor, int64_t shift, Interval clamp) {
  IndexingMapBuilder b;
  Expr d0 = b.dimension({0, 7});
  b.result(b.runtimeElement(clamp, true, tensor, {d0 + shift}));
  return IndexingRelation(*b.build());
}

TEST(ExactTest, SourcesSayWhichRuntimeVariablesAreOne) {
  auto a = gathered(1, 0, {0, 9});
  EXPECT_EQ(answerOf(areEqual(a, gathered(1, 0, {0, 9}))), "yes (closed form)");
  EXPECT_EQ(areEqual(a, gathered(2, 0, {0, 9}))->answer, Answer::No);
  EXPECT_EQ(areEqual(a, gathered(1, 1, {0, 9}))->answer, Answer::No);
  // An equal element with another clamp: the element may have no value at which
  // the two differ.
  EXPECT_EQ(areEqual(a, gathered(1, 0, {0, 8}))->answer, Answer::Undecided);
}

//===-- Inputs that broke or slowed other engines -------------------------===//

IndexingRelation composed(const std::string &first, const std::string &second) {
  auto product = compose(relation(first), relation(second));
  EXPECT_TRUE(product.ok()) << product.status();
  return *product;
}

TEST(HardInputsTest, CoprimeReshapes) {
  const std::string there =
      "(d0, d1) -> ((d0 * 1000003 + d1) floordiv 7919, "
      "(d0 * 1000003 + d1) mod 7919), domain: d0 in [0, 7918], "
      "d1 in [0, 1000002]";
  const std::string back =
      "(d0, d1) -> ((d0 * 7919 + d1) floordiv 1000003, "
      "(d0 * 7919 + d1) mod 1000003), domain: d0 in [0, 1000002], "
      "d1 in [0, 7918]";
  EXPECT_EQ(answerOf(isIdentity(composed(there, back))), "yes (closed form)");
  EXPECT_EQ(answerOf(isInjective(relation(there))), "yes (closed form)");
  EXPECT_EQ(*countImage(relation(there))->value,
            llvm::DynamicAPInt(int64_t{7919} * 1000003));
  EXPECT_EQ(answerOf(isSurjective(relation(there),
                                  {Interval{0, 1000002}, Interval{0, 7918}})),
            "yes (closed form)");
  auto turned = inverse(relation(there));
  EXPECT_EQ(answerOf(areEqual(*turned, relation(back))), "yes (closed form)");
}

TEST(HardInputsTest, HalvesOfFivePrimes) {
  auto set = relation(
      "(d0) -> (), domain: d0 in [0, 1000000000], d0 mod 7 in [0, 3], "
      "d0 mod 11 in [0, 5], d0 mod 13 in [0, 6], d0 mod 17 in [0, 8], "
      "d0 mod 19 in [0, 9]");
  EXPECT_EQ(isEmpty(set)->answer, Answer::No);
  auto upper = relation(
      "(d0) -> (), domain: d0 in [0, 1000000000], d0 mod 7 in [4, 6], "
      "d0 mod 11 in [6, 10], d0 mod 13 in [7, 12], d0 mod 17 in [9, 16], "
      "d0 mod 19 in [10, 18]");
  EXPECT_EQ(isEmpty(upper)->answer, Answer::No);
}

TEST(HardInputsTest, DivisionChainsOfDepth12) {
  IndexingMapBuilder b;
  Expr e = b.dimension({0, 1'000'000});
  for (int64_t k = 2; k < 14; ++k) e = floorDiv(e, k) * (k + 1) + mod(e, k);
  b.result(e);
  IndexingRelation chain(*b.build());
  EXPECT_EQ(isEmpty(chain)->answer, Answer::No);
  EXPECT_EQ(areEqual(chain, chain)->answer, Answer::Yes);
  auto ends = extremes(chain);
  ASSERT_TRUE((*ends)[0].least.has_value());
  EXPECT_EQ(*(*ends)[0].least, 0);
}

// 81 terms, each held once, whose text would have more than 2^40: isl, which
// reads text, is not asked.
TEST(HardInputsTest, SharedPartsAreNotWrittenOut) {
  IndexingMapBuilder b;
  Expr e = b.dimension({0, int64_t{1} << 40});
  for (int i = 0; i < 40; ++i) e = floorDiv(e * 3, 4) + floorDiv(e * 2, 7);
  b.result(e);
  const IndexingMap map = *b.build();
  ExactOptions options;
  options.closedForm = options.enumeration = false;
  const auto count = countImage(map, {}, options);
  ASSERT_TRUE(count.ok()) << count.status();
  EXPECT_FALSE(count->value);
  EXPECT_FALSE(count->reason.empty());
}

TEST(HardInputsTest, OneWarpThroughATranspose) {
  // 32 lanes of block (bl) of a [77, 513, 1000] read transposed.
  auto warp = relation(
      "(d0) -> ((d0 + 123456 * 32) mod 77, "
      "((d0 + 123456 * 32) floordiv 77) mod 513, "
      "(d0 + 123456 * 32) floordiv 39501), domain: d0 in [0, 31]");
  EXPECT_EQ(*countImage(warp)->value, 32);
  EXPECT_EQ(isInjective(warp)->answer, Answer::Yes);
}

TEST(HardInputsTest, SubsetSumOf20Variables) {
  std::string dims, domain, sum;
  for (int i = 0; i < 20; ++i) {
    std::string d = "d" + std::to_string(i);
    dims += (i ? ", " : "") + d;
    domain += d + " in [0, 1], ";
    sum += (i ? " + " : "") + d + " * " +
           std::to_string(1000003 + 7919 * i * i + 2 * (i % 3));
  }
  auto set = relation("(" + dims + ") -> (), domain: " + domain + sum +
                      " in [12345677, 12345677]");
  auto decision = isEmpty(set);
  ASSERT_TRUE(decision.ok());
  if (decision->answer == Answer::Undecided) {
    EXPECT_EQ(decision->reason, "the budget of operations ended");
  }
}

TEST(HardInputsTest, BitcastsOfRank6) {
  const std::string bitcast =
      "(d0, d1, d2, d3, d4, d5) -> ("
      "(d5 * 480 + d3 * 60 + d4 * 12 + d0 * 4 + d1 * 2 + d2) floordiv 1008, "
      "((d5 * 480 + d3 * 60 + d4 * 12 + d0 * 4 + d1 * 2 + d2) floordiv 48) "
      "mod 21, (d5 * 480 + d3 * 60 + d4 * 12 + d0 * 4 + d1 * 2 + d2) mod 48), "
      "domain: d0 in [0, 2], d1 in [0, 1], d2 in [0, 1], d3 in [0, 7], "
      "d4 in [0, 4], d5 in [0, 20]";
  auto map = relation(bitcast);
  auto turned = inverse(map);
  ASSERT_TRUE(turned.ok());
  ASSERT_EQ(turned->pieces().size(), 1u);
  EXPECT_TRUE(turned->pieces()[0].ranges().empty()) << textOf(turned);
  EXPECT_EQ(answerOf(isInjective(map)), "yes (closed form)");
  EXPECT_EQ(*countImage(map)->value, 480 * 21);
  EXPECT_EQ(areEqual(*inverse(*turned), map)->answer, Answer::Yes);
}

TEST(HardInputsTest, LargeBoxes) {
  auto set = relation(
      "(d0, d1, d2) -> (), domain: d0 in [0, 999999], d1 in [0, 999999], "
      "d2 in [0, 999999], d0 + d1 * 3 - d2 * 2 in [5, 5], d0 - d2 in [7, 9]");
  EXPECT_EQ(isEmpty(set)->answer, Answer::No);
  auto pairs = relation(
      "(d0, d1) -> (d0 + d1), domain: d0 in [0, 999999], d1 in [0, 999999]");
  EXPECT_EQ(*countImage(pairs)->value, 1999999);
  EXPECT_EQ(*countPairs(pairs)->value, 1'000'000'000'000);
  auto triangle = relation(
      "(d0, d1) -> (d0), domain: d0 in [0, 999999], d1 in [0, 999999], "
      "d0 - d1 in [0, 999999]");
  EXPECT_EQ(*countDomain(triangle.pieces()[0])->value, 500'000'500'000);
  EXPECT_EQ(countDomain(triangle.pieces()[0])->engine, Engine::ClosedForm);
}

TEST(HardInputsTest, SizesNear2To62) {
  auto map = relation(
      "(d0, d1) -> (d1, d0), domain: d0 in [0, 4611686018427387902], "
      "d1 in [0, 4611686018427387902]");
  llvm::DynamicAPInt size(4611686018427387903);
  EXPECT_EQ(*countPairs(map)->value, size * size);
  EXPECT_EQ(answerOf(isInjective(map)), "yes (closed form)");
  auto twice =
      relation("(d0) -> (d0 * 2), domain: d0 in [0, 4611686018427387902]");
  EXPECT_EQ(isInjective(twice)->answer, Answer::Yes);
  EXPECT_EQ((*extremes(twice))[0].greatest, 9223372036854775804);
}

TEST(HardInputsTest, EqualButAtOneFarCorner) {
  auto a = relation(
      "(d0, d1, d2) -> ((d0 + d1 + d2) floordiv 2999998), domain: "
      "d0 in [0, 999999], d1 in [0, 999999], d2 in [0, 999999]");
  auto zero = relation(
      "(d0, d1, d2) -> (0), domain: d0 in [0, 999999], d1 in [0, 999999], "
      "d2 in [0, 999999]");
  auto decision = areEqual(a, zero);
  EXPECT_EQ(decision->answer, Answer::Yes);
  auto b = relation(
      "(d0, d1, d2) -> ((d0 + d1 + d2) floordiv 2999997), domain: "
      "d0 in [0, 999999], d1 in [0, 999999], d2 in [0, 999999]");
  decision = areEqual(b, zero);
  ASSERT_EQ(decision->answer, Answer::No);
  EXPECT_EQ(decision->witness->index, Values({999999, 999999, 999999}));
}

}  // namespace
}  // namespace indexical::testing
