// Provers, and what is done with what they prove, by enumeration.
#include <algorithm>
#include <memory>
#include <set>
#include <string>

#include "gtest/gtest.h"

#include "indexical/exact/exact_prover.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/map_text.h"
#include "indexical/simplifier/merge.h"
#include "indexical/simplifier/simplify.h"
#include "tests/exact/brute_force.h"
#include "tests/exact/random_relations.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

class ProverTest : public ::testing::TestWithParam<const char *> {
 protected:
  ProverTest() {
    if (isExact())
      prover = std::make_unique<ExactProver>();
    else
      prover = std::make_unique<EnumerationProver>();
  }
  static bool isExact() { return std::string(GetParam()) == "exact"; }

  template <typename Check>
  void forRandomRelations(int64_t count, Check check) {
    const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
    for (uint64_t seed = first; seed < first + count; ++seed) {
      Random random(seed);
      RelationPair pair = randomRelations(random);
      BruteForce brute({&pair.first, &pair.second});
      if (!brute.isSmall(pair.first) || !brute.isSmall(pair.second)) continue;
      std::string text = "seed " + std::to_string(seed) + "\n";
      for (const IndexingRelation *r : {&pair.first, &pair.second}) {
        for (const IndexingMap &piece : r->pieces())
          text += piece.strOneLine() + "\n";
        text += "\n";
      }
      SCOPED_TRACE(text);
      check(pair, brute);
      if (HasFailure()) return;
    }
  }

  std::unique_ptr<Prover> prover;
};

IndexingRelation simplified(const IndexingRelation &relation) {
  IndexingRelation simple;
  for (const IndexingMap &piece : relation.pieces())
    simple.add(*simplify(piece));
  return simple;
}

TEST_P(ProverTest, WhatIsEmptyHasNoPair) {
  int64_t proven = 0, empty = 0;
  forRandomRelations(3000, [&](const RelationPair &pair, const BruteForce &) {
    for (const IndexingMap &map : pair.first.pieces()) {
      const IndexingRelation own(map);
      const bool none = BruteForce({&own}).points(own).empty();
      empty += none;
      if (!prover->isEmpty(map)) continue;
      EXPECT_TRUE(none);
      ++proven;
    }
  });
  EXPECT_GT(proven, 100);
  // Small maps are no trouble.
  EXPECT_EQ(proven, empty);
}

TEST_P(ProverTest, TheDifferenceIsThatOfThePairs) {
  int64_t known = 0;
  forRandomRelations(2000, [&](const RelationPair &pair, const BruteForce &) {
    const IndexingMap &map = pair.first.pieces()[0];
    const IndexingRelation own(map);
    // Variables without a source have the values that these two allow.
    const BruteForce brute({&own, &pair.second});
    auto left = prover->difference(map, pair.second);
    if (!left) return;
    EXPECT_EQ(left->precision(), Precision::Exact);
    if (!brute.isSmall(*left)) return;
    std::set<Tuple> expected;
    const auto all = brute.points(IndexingRelation(map)),
               without = brute.points(pair.second);
    std::set_difference(all.begin(), all.end(), without.begin(), without.end(),
                        std::inserter(expected, expected.end()));
    EXPECT_EQ(brute.points(*left), expected);
    size_t pieces = 0;
    for (const IndexingMap &piece : left->pieces())
      pieces += brute.points(IndexingRelation(piece)).size();
    EXPECT_EQ(pieces, expected.size()) << "not disjoint";
    ++known;
  });
  if (isExact()) {
    EXPECT_GT(known, 1000);
  }
}

// Merging with a prover: the same pairs, and fewer of them twice.
TEST_P(ProverTest, UnionsStayTheSame) {
  int64_t twice[2] = {0, 0}, pieces[2] = {0, 0};
  forRandomRelations(2000, [&](const RelationPair &pair, const BruteForce &) {
    const IndexingRelation a = simplified(pair.first),
                           b = simplified(pair.second);
    // Simplification takes runtime variables without a source for any value.
    for (const IndexingRelation *r : {&a, &b})
      for (const IndexingMap &piece : r->pieces())
        if (!piece.runtime().empty()) return;
    const BruteForce brute({&a, &b});
    std::set<Tuple> expected = brute.points(a);
    for (const Tuple &tuple : brute.points(b)) expected.insert(tuple);
    for (bool proving : {false, true}) {
      IndexingRelation all = a;
      uniteMerged(all, b, proving ? prover.get() : nullptr);
      EXPECT_EQ(brute.points(all), expected) << (proving ? "proving" : "");
      size_t sum = 0;
      for (const IndexingMap &piece : all.pieces())
        sum += brute.points(IndexingRelation(piece)).size();
      twice[proving] += sum - expected.size();
      pieces[proving] += all.pieces().size();
    }
  });
  printf(
      "  pairs in more than one piece: %ld without a prover, %ld with; "
      "pieces %ld, %ld\n",
      twice[0], twice[1], pieces[0], pieces[1]);
  if (isExact()) {
    EXPECT_LT(twice[1], twice[0]);
  }
}

TEST_P(ProverTest, UnionsLeaveOutWhatIsThere) {
  if (!isExact()) GTEST_SKIP() << "enumeration takes no maps apart";
  struct Row {
    const char *first, *second;
    size_t pieces;
  };
  const Row kRows[] = {
      // The reads of a softmax: a row, and the element itself.
      {"(d0, d1) -> (d0, d1), domain: d0 in [0, 7], d1 in [0, 9]",
       "(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 7], d1 in [0, 9], "
       "s0 in [0, 9]",
       1},
      {"(d0) -> (d0 * 4), domain: d0 in [0, 7]",
       "(d0)[s0] -> (d0 * 4 + s0 * 2), domain: d0 in [0, 7], s0 in [0, 1]", 1},
      // Beside it.
      {"(d0) -> (d0 * 4 + 1), domain: d0 in [0, 7]",
       "(d0)[s0] -> (d0 * 4 + s0 * 2), domain: d0 in [0, 7], s0 in [0, 1]", 2},
      // In common but for an end; to part them would take three.
      {"(d0, d1) -> (d1), domain: d0 in [0, 7], d1 in [0, 7]",
       "(d0, d1) -> (d0), domain: d0 in [0, 7], d1 in [0, 7]", 2},
  };
  for (const Row &row : kRows)
    for (bool turned : {false, true}) {
      IndexingRelation all(
          *simplify(*parseMap(turned ? row.second : row.first)));
      uniteMerged(all,
                  IndexingRelation(
                      *simplify(*parseMap(turned ? row.first : row.second))),
                  prover.get());
      EXPECT_EQ(all.pieces().size(), row.pieces) << row.first << row.second;
    }
}

// The proof step keeps the points of the domain and what the results are there;
// a second time it changes nothing.
TEST_P(ProverTest, ProofStepKeepsTheMap) {
  int64_t changed = 0;
  SimplifyOptions options;
  options.prover = prover.get();
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  for (uint64_t seed = first; seed < first + 5000; ++seed) {
    Random random(seed);
    const IndexingMap set = randomSet(random);
    auto simple = simplify(set, options);
    ASSERT_TRUE(simple.ok()) << simple.status();
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + set.str() + "\n" +
                 simple->str());
    const IndexingRelation before(set), after(*simple);
    const BruteForce brute({&before, &after});
    EXPECT_EQ(brute.points(before), brute.points(after));
    auto again = simplify(*simple, options);
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(*again, *simple) << again->str();
    EXPECT_LE(simple->constraints().size(), set.constraints().size());
    changed += *simple != set;
    if (HasFailure()) return;
  }
  EXPECT_GT(changed, 50);
}

TEST_P(ProverTest, WhatFormsDoNotShow) {
  struct Row {
    const char *given, *proven;
  };
  const Row kRows[] = {
      // No point.
      {"(d0) -> (d0), domain: d0 in [0, 40], (d0 * d0) mod 4 in [2, 3]",
       "KNOWN EMPTY"},
      // One constraint follows from two together.
      {"(d0, d1, d2) -> (d0), domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, "
       "9], d0 + d1 in [0, 9], d0 + d1 * 2 + d2 in [0, 18], d1 + d2 in [0, 9]",
       "(d0, d1, d2) -> (d0), domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, "
       "9], d0 + d1 in [0, 9], d1 + d2 in [0, 9]"},
      // Each follows from the other: one stays.
      {"(d0) -> (d0), domain: d0 in [0, 20], d0 * d0 in [0, 10], "
       "d0 * d0 * d0 in [0, 30]",
       "(d0) -> (d0), domain: d0 in [0, 20], d0 * d0 in [0, 10]"},
      // A result that is a variable.
      {"(d0) -> (d0 + (d0 * d0 * d0 - d0) mod 6), domain: d0 in [0, 99]",
       "(d0) -> (d0), domain: d0 in [0, 99]"},
      {"(d0, d1) -> ((d0 * d0) mod 3), domain: d0 in [1, 2], d1 in [0, 9]",
       "(d0, d1) -> (1), domain: d0 in [1, 2], d1 in [0, 9]"},
  };
  SimplifyOptions options;
  options.prover = prover.get();
  for (const Row &row : kRows) {
    auto map = parseMap(row.given);
    ASSERT_TRUE(map.ok()) << map.status();
    auto simple = simplify(*map, options);
    ASSERT_TRUE(simple.ok()) << simple.status();
    EXPECT_EQ(simple->strOneLine(), row.proven) << row.given;
    EXPECT_NE(simplify(*map)->strOneLine(), row.proven)
        << "no proof was needed: " << row.given;
  }
}

INSTANTIATE_TEST_SUITE_P(Provers, ProverTest,
                         ::testing::Values("enumeration", "exact"),
                         [](const auto &info) {
                           return std::string(info.param);
                         });

}  // namespace
}  // namespace indexical::testing
