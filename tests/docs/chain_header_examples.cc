// The C++ examples of the headers of tests/simplifier: each stands here, line
// by line (tests/docs/header_examples_test.py compares), and runs.
#include <functional>
#include <string>

#include "gtest/gtest.h"

#include "indexical/simplifier/simplify.h"
#include "tests/simplifier/chain_study.h"
#include "tests/simplifier/chains.h"
#include "tests/simplifier/isl_oracle.h"
#include "tests/simplifier/parsed_map.h"
#include "tests/simplifier/soundness_fuzz.h"
#include "tests/support/random_maps.h"

namespace indexical::testing {
namespace {

[[maybe_unused]] void studyChains() {
  StudyOptions options;
  ChainCounts counts = study(ChainFamily::Transposes, 8, options);
  Share identity = counts.identity[0];  // 9,990 of 10,000 round trips
  EXPECT_GT(identity.percent(), 99);
}

TEST(TestHeaderExamples, Chains) {
  Random random(17);
  Chain chain = randomChain(ChainFamily::Transposes, 4, random);
  const Sizes index(chain.ops[0].from.size(), 0);
  chain.ops[0].map();      // as it comes from an op's definition, raw
  chain.ops[0].at(index);  // the same at one index, in plain integers
  chain.ops[0].inverse();  // the op that undoes it
  const auto there = chain.ops[0].at(index);
  if (there) {
    EXPECT_EQ(chain.ops[0].inverse().at(*there), index);
  }
}

TEST(TestHeaderExamples, IslOracle) {
  Random random(17);
  const MapParts parts = randomParts(random, MapOptions());
  sameRelation(parts, *simplify(parts.build()));  // Opinion::Same
  EXPECT_NE(sameRelation(parts, *simplify(parts.build())), Opinion::Different);
}

TEST(TestHeaderExamples, ParsedMap) {
  IndexingMap m = mapOf("(d0) -> (d0 floordiv 2), domain: d0 in [0, 9]");
  EXPECT_EQ(m.strOneLine(), "(d0) -> (d0 floordiv 2), domain: d0 in [0, 9]");
}

[[maybe_unused]] int64_t fuzzLong(
    const std::function<void(const std::string &)> &report) {
  FuzzOptions options;
  options.pairs = 10'000'000;
  FuzzCounts counts = fuzz(options, report);
  return counts.flaws;
}

}  // namespace
}  // namespace indexical::testing
