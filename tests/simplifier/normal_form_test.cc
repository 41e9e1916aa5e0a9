// A map that simplification marks as canonical is in normal form, by a checker
// that shares no code with it. Each invariant of normal_form.md is broken
// by its counter-example.
//
//   INDEXICAL_NORMAL_FORMS=20       20 times as many maps
//   INDEXICAL_NORMAL_FORMS_SEED=n   beginning with this one
#include "indexical/simplifier/normal_form/normal_form.h"

#include <map>
#include <string>

#include "gtest/gtest.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/simplifier/simplified.h"
#include "indexical/simplifier/simplify.h"
#include "tests/simplifier/chains.h"
#include "tests/simplifier/parsed_map.h"
#include "tests/simplifier/soundness_fuzz.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

std::string brokenText(const IndexingMap &map) {
  std::string text;
  for (const BrokenInvariant &broken : brokenInvariants(map))
    text += broken.invariant + " by " + broken.where + "\n";
  return text;
}

uint64_t times() { return fromEnvironment("INDEXICAL_NORMAL_FORMS", 1); }
uint64_t firstSeed() {
  return fromEnvironment("INDEXICAL_NORMAL_FORMS_SEED", 1);
}

/// How many were marked, and held.
class Held {
 public:
  void operator()(const absl::StatusOr<IndexingMap> &map) {
    if (!map.ok() || map->isKnownEmpty()) return;
    ++all;
    if (!isSimplified(*map)) return;
    ++marked;
    const std::string broken = brokenText(*map);
    EXPECT_EQ(broken, "") << map->strOneLine();
  }
  int64_t all = 0, marked = 0;
};

TEST(NormalForm, OfRandomMaps) {
  Held held;
  FuzzOptions options;
  options.seed = firstSeed();
  for (uint64_t i = 0; i < 12'000 * times(); ++i) {
    options.minima = i % 6 == 0;
    if (auto map = fuzzParts(options, i).buildOrError(); map.ok())
      held(simplify(*map));
  }
  EXPECT_GT(held.marked * 2, held.all);
}

TEST(NormalForm, OfChains) {
  Held held;
  for (ChainFamily family : kChainFamilies)
    for (uint64_t i = 0; i < 60 * times(); ++i) {
      Random random(firstSeed() + i);
      const Chain chain = randomChain(family, random.in(1, 6), random);
      for (Handover handover : {Handover::Forms, Handover::Raw})
        held(composedInTurn(chain.ops, handover));
    }
  EXPECT_GT(held.marked * 2, held.all);
}

// The counter-examples of docs/internals/normal_form.md, as they are written.
TEST(NormalForm, CounterExamplesBreakTheirInvariant) {
  struct Row {
    const char *invariant, *map;
  };
  const Row rows[] = {
      {"N3", "(d0) -> ((d0 mod 12) mod 4), domain: d0 in [0, 99]"},
      {"N3", "(d0) -> ((d0 floordiv 2) floordiv 3), domain: d0 in [0, 99]"},
      {"N4", "(d0) -> (d0 mod 8), domain: d0 in [0, 7]"},
      {"N4", "(d0) -> (d0 floordiv 8), domain: d0 in [0, 7]"},
      {"N5",
       "(d0, d1) -> ((d1 - d0 * 3) floordiv 7), domain: d0 in [0, 9], "
       "d1 in [0, 9]"},
      {"N6",
       "(d0, d1) -> ((d0 * 16 + d1) floordiv 8), domain: d0 in [0, 3], "
       "d1 in [0, 9]"},
      {"N6", "(d0) -> ((d0 + 9) floordiv 8), domain: d0 in [0, 99]"},
      {"N7",
       "(d0, d1) -> ((d0 * 6 + d1) floordiv 12), domain: d0 in [0, 9], "
       "d1 in [0, 5]"},
      {"N8", "(d0) -> ((d0 floordiv 4) * 4 + d0 mod 4), domain: d0 in [0, 99]"},
      {"N9", "(d0) -> (d0 + 1), domain: d0 in [3, 3]"},
      {"N9", "(d0)[s0] -> (d0), domain: d0 in [0, 3], s0 in [0, 2]"},
      {"N10",
       "(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [0, 9], "
       "d0 * 2 + d1 * 2 in [4, 9]"},
      {"N10", "(d0) -> (d0), domain: d0 in [0, 9], d0 floordiv 2 in [1, 3]"},
      {"N11",
       "(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [0, 9], "
       "d0 + d1 in [0, 18]"},
      {"N9",
       "(d0)[s0] -> (s0), domain: d0 in [0, 31], s0 in [0, 3], "
       "d0 - s0 * 8 in [0, 7]"},
      {"N12", "(d0) -> (d0), domain: d0 in [0, 9], d0 mod 4 in [1, 1]"},
      {"N13",
       "(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [0, 99], "
       "d0 * 4 + d1 floordiv 3 in [5, 25]"},
      {"N12",
       "(d0)[s0] -> (s0), domain: d0 in [0, 3], s0 in [0, 8], "
       "s0 mod 4 in [0, 0]"},
      {"N10",
       "(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [0, 9], "
       "max(d0 - d1, 0) in [2, 5]"},
      {"N14", "(d0) -> (max(d0, 10)), domain: d0 in [0, 5]"},
      {"N15", "(d0) -> (-min(-d0, -5)), domain: d0 in [0, 9]"},
      {"N15", "(d0) -> (max(d0 * 4, 20)), domain: d0 in [0, 9]"},
      {"N16",
       "(d0) -> (max(d0 * 2 - 10, 0) + max(d0 - 5, 0)), domain: d0 in [0, "
       "9]"},
  };
  for (const Row &row : rows) {
    const IndexingMap map = mapOf(row.map);
    const auto broken = brokenInvariants(map);
    EXPECT_TRUE(llvm::any_of(
        broken,
        [&](const BrokenInvariant &b) { return b.invariant == row.invariant; }))
        << row.invariant << ": " << row.map << "\n"
        << brokenText(map);
    const IndexingMap simple = simplifiedMapOf(row.map);
    for (const BrokenInvariant &b : brokenInvariants(simple))
      EXPECT_NE(b.invariant, row.invariant) << simple.strOneLine();
  }
}

// The bounds of a clamped runtime variable are its clamp. If the map holds for
// only a part of the variable's values, a constraint says so.
TEST(NormalForm, AConstraintOnAClampedValueIsNormal) {
  for (bool clamped : {true, false}) {
    IndexingMapBuilder b;
    const Expr d0 = b.dimension({0, 9});
    const Expr rt0 = b.runtimeElement({0, 7}, clamped, 0, {d0});
    b.result(d0 + rt0);
    b.constraint(rt0, {1, 5});
    b.constraint(mod(rt0, 3), {1, 1});  // N12 is of dimensions and ranges
    const IndexingMap map = *b.build();
    EXPECT_EQ(isNormal(map), clamped) << brokenText(map);
    EXPECT_TRUE(isNormal(*simplify(map))) << brokenText(*simplify(map));
  }
}

}  // namespace
}  // namespace indexical::testing
