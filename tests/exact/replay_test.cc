// Witnesses of maps with runtime variables, replayed by brute force: what a
// witness says is read is read, and what it says is not read is not.
//
//   INDEXICAL_REPLAYS=20000     so many pairs of maps
//   INDEXICAL_SEED=n            beginning with this one
#include "indexical/exact/replay.h"

#include <cstdio>
#include <string>

#include "gtest/gtest.h"

#include "indexical/exact/exact.h"
#include "indexical/indexing/map_text.h"
#include "indexical/simplifier/simplify.h"
#include "tests/exact/brute_force.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

IndexingRelation relation(const std::string &text) {
  auto map = parseMap(text);
  EXPECT_TRUE(map.ok()) << text << map.status();
  return map.ok() ? IndexingRelation(*map) : IndexingRelation();
}

std::string interval(Random &random, int64_t low, int64_t high) {
  const int64_t first = random.in(low, high);
  return "[" + std::to_string(first) + ", " +
         std::to_string(random.in(first, high)) + "]";
}

/// Returns a sum of the variables, by small factors.
std::string sumOf(Random &random) {
  static const char *const kVariables[] = {"d0", "d1", "s0", "rt0", "rt1"};
  std::string text = std::to_string(random.in(-1, 2));
  for (const char *name : kVariables)
    if (random.oneIn(2))
      text += std::string(" + ") + name + " * " +
              std::to_string(random.oneIn(4) ? -1 : random.in(1, 2));
  return text;
}

/// Returns a map whose constraints join dimensions with runtime variables.
std::string randomMap(Random &random) {
  std::string text =
      "(d0, d1)[s0]{rt0, rt1} -> (" + sumOf(random) + "), domain: d0 in " +
      interval(random, 0, 2) + ", d1 in " + interval(random, 0, 1) +
      ", s0 in " + interval(random, 0, 1) + ", rt0 in " +
      interval(random, -1, 2) + ", rt1 in " + interval(random, 0, 2);
  for (int64_t k = random.in(0, 2); k > 0; --k)
    text += ", " + sumOf(random) + " in " + interval(random, -2, 4);
  return text;
}

Tuple tupleOf(const PairWitness &witness, const BruteForce &brute) {
  Tuple tuple(witness.index.begin(), witness.index.end());
  tuple.insert(tuple.end(), witness.element.begin(), witness.element.end());
  for (const auto &of : brute.runtime)
    for (const auto &[name, value] : witness.runtime)
      if (name == of.first) tuple.push_back(value);
  return tuple;
}

struct Tally {
  int64_t different = 0, equal = 0, undecided = 0;
};

void check(const IndexingRelation &a, const IndexingRelation &b, Tally &tally) {
  const BruteForce brute({&a, &b});
  const auto inA = brute.points(a), inB = brute.points(b);
  const auto equal = areEqual(a, b);
  ASSERT_TRUE(equal.ok()) << equal.status();
  tally.undecided += equal->answer == Answer::Undecided;
  tally.equal += equal->answer == Answer::Yes;
  if (equal->answer == Answer::No) {
    ++tally.different;
    const bool isFirst = equal->witness->onlyIn == PairWitness::Side::First;
    const Tuple tuple = tupleOf(*equal->witness, brute);
    EXPECT_TRUE((isFirst ? inA : inB).count(tuple)) << "equal";
    EXPECT_FALSE((isFirst ? inB : inA).count(tuple)) << "equal";
  }
  const auto subset = isSubset(a, b);
  ASSERT_TRUE(subset.ok()) << subset.status();
  if (subset->answer == Answer::No) {
    const Tuple tuple = tupleOf(*subset->witness, brute);
    EXPECT_TRUE(inA.count(tuple) && !inB.count(tuple)) << "subset";
  }
  const auto disjoint = areDisjoint(a, b);
  ASSERT_TRUE(disjoint.ok()) << disjoint.status();
  if (disjoint->answer == Answer::No) {
    const Tuple tuple = tupleOf(*disjoint->witness, brute);
    EXPECT_TRUE(inA.count(tuple) && inB.count(tuple)) << "disjoint";
  }
}

TEST(Replay, WitnessesOfRandomMapsHold) {
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  const int64_t count = fromEnvironment("INDEXICAL_REPLAYS", 1500);
  Tally tally;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    const std::string one = randomMap(random);
    const std::string other = random.oneIn(3) ? one : randomMap(random);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + one + "\n" + other);
    const IndexingRelation a = relation(one);
    IndexingRelation b = relation(other);
    if (!b.isEmpty() && random.oneIn(2))
      if (auto simple = simplify(b.pieces()[0]); simple.ok())
        b = IndexingRelation(*simple);
    check(a, b, tally);
    if (HasFailure()) return;
  }
  printf("  %d different, %d equal, %d undecided\n",
         static_cast<int>(tally.different), static_cast<int>(tally.equal),
         static_cast<int>(tally.undecided));
  EXPECT_GT(tally.different, count / 4);
}

TEST(Replay, AnswersAreThoseOfBruteForce) {
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  for (uint64_t seed = first; seed < first + 150; ++seed) {
    Random random(seed);
    const std::string text = randomMap(random);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    const IndexingRelation a = relation(text);
    const Parameters parameters({&a});
    const BruteForce brute({&a});
    const auto points = brute.points(a);
    Meter meter(10'000'000);
    for (int64_t n = 0; n < 200; ++n) {
      const Values index = {random.in(-1, 3), random.in(-1, 2)};
      const Values element = {random.in(-4, 8)};
      Values values;
      Tuple tuple = {index[0], index[1], element[0]};
      for (size_t k = 0; k < parameters.size(); ++k)
        values.push_back(random.in(-2, 3));
      for (const auto &of : brute.runtime)
        for (size_t k = 0; k < parameters.size(); ++k)
          if (parameters[k].name == of.first) tuple.push_back(values[k]);
      const ReplayedReads reads =
          readsAt(a, index, element, parameters, values, meter);
      EXPECT_EQ(reads == ReplayedReads::Yes, points.count(tuple) > 0);
      EXPECT_NE(reads, ReplayedReads::Unknown);
    }
    if (HasFailure()) return;
  }
}

// Ranges with more points than are looked at one after the other.
TEST(Replay, SearchesLargeRanges) {
  const auto a = relation(
      "(d0)[s0, s1]{rt0} -> (d0 * 4000000 + s0 * 2000 + s1 + rt0), domain: "
      "d0 in [0, 9], s0 in [0, 1999], s1 in [0, 1999], rt0 in [0, 1], "
      "s0 - s1 in [0, 1999]");
  const Parameters parameters({&a});
  auto reads = [&](int64_t index, int64_t element, int64_t rt0) {
    Meter meter(1'000'000);
    return readsAt(a, {index}, {element}, parameters, {rt0}, meter);
  };
  EXPECT_EQ(reads(1, 4'000'000 + 7 * 2000 + 7, 0), ReplayedReads::Yes);
  EXPECT_EQ(reads(1, 4'000'000 + 7 * 2000 + 8, 0), ReplayedReads::No);
  EXPECT_EQ(reads(1, 4'000'000 + 7 * 2000 + 8, 1), ReplayedReads::Yes);
  EXPECT_EQ(reads(1, 4'000'000 + 7 * 2000 + 9, 2), ReplayedReads::No);
  EXPECT_EQ(reads(0, 4'000'000 + 7 * 2000 + 7, 0), ReplayedReads::No);
}

// A constraint that fixes the variable leaves it without a use once the map is
// simplified; at other values nothing is read all the same.
TEST(Replay, NamesValuesWithWhichSomethingIsRead) {
  const auto a = relation(
      "(d0){rt0} -> (rt0), domain: d0 in [0, 1], rt0 in [0, 1], "
      "d0 + rt0 in [2, 2]");
  const auto b = relation(
      "(d0){rt0} -> (rt0), domain: d0 in [0, 2], rt0 in [0, 1], "
      "d0 + rt0 in [2, 2]");
  const auto decision = areEqual(a, b);
  ASSERT_TRUE(decision.ok());
  ASSERT_EQ(decision->answer, Answer::No);
  EXPECT_EQ(decision->witness->index, Values({2}));
  EXPECT_EQ(decision->witness->element, Values({0}));
  EXPECT_EQ(decision->witness->onlyIn, PairWitness::Side::Second);
  ASSERT_EQ(decision->witness->runtime.size(), 1u);
  EXPECT_EQ(decision->witness->runtime[0].second, 0);
}

}  // namespace
}  // namespace indexical::testing
