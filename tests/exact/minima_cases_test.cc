// Maps with minima, by the cases of `map` in tile_cases.jsonl: the text is as
// short as the shortest that is known, what is read is what is written at every
// point, counts and equalities are right, and what is wrong is an error.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include "indexical/exact/exact.h"
#include "indexical/exact/exact_prover.h"
#include "indexical/indexing/map_text.h"
#include "indexical/simplifier/simplify.h"

namespace indexical::testing {
namespace {

namespace json = llvm::json;
using llvm::StringRef;

std::vector<json::Object> sharedCases() {
  std::vector<json::Object> cases;
  const char *corpus = std::getenv("INDEXICAL_CORPUS");
  if (!corpus) return cases;
  std::ifstream file(std::filesystem::path(corpus).parent_path() /
                     "tile_cases.jsonl");
  for (std::string line; std::getline(file, line);)
    if (auto value = json::parse(line)) {
      if (value->getAsObject()->getString("kind") == StringRef("map"))
        cases.push_back(*value->getAsObject());
    } else {
      llvm::consumeError(value.takeError());
    }
  return cases;
}

/// Compares two maps of the same dimensions and no ranges at every point. Open
/// sides are not looked at.
void expectSameValues(const IndexingMap &a, const IndexingMap &b) {
  if (a.isKnownEmpty() || b.isKnownEmpty()) {
    EXPECT_EQ(a.isKnownEmpty(), b.isKnownEmpty());
    return;
  }
  IndexingMap::Point point;
  auto visit = [&](auto &self, size_t k) -> void {
    const size_t dimensions = a.dimensions().size();
    const size_t ranges = a.ranges().size();
    if (k < dimensions + ranges + a.runtime().size()) {
      auto &values = k < dimensions            ? point.dimensions
                     : k < dimensions + ranges ? point.ranges
                                               : point.runtime;
      const size_t i = k < dimensions            ? k
                       : k < dimensions + ranges ? k - dimensions
                                                 : k - dimensions - ranges;
      const Interval bounds = k < dimensions ? a.dimensions()[i].bounds
                              : k < dimensions + ranges ? a.ranges()[i].bounds
                                                        : a.runtime()[i].bounds;
      for (int64_t v = bounds.lower; v <= bounds.upper; ++v) {
        values.push_back(v);
        self(self, k + 1);
        values.pop_back();
      }
      return;
    }
    EXPECT_EQ(a.contains(point), b.contains(point));
    if (a.contains(point)) {
      EXPECT_EQ(a.evaluate(point), b.evaluate(point));
    }
  };
  visit(visit, 0);
}

Answer answerOf(StringRef word) {
  return word == "equal"       ? Answer::Yes
         : word == "different" ? Answer::No
                               : Answer::Undecided;
}

/// The results of the text, with `floordiv` as XLA writes it.
std::string resultsOf(const IndexingMap &map) {
  const std::string text = printMapForXla(map);
  return StringRef(text).split("-> ").second.split(", domain").first.str();
}

IndexingMap simplified(const IndexingMap &map) {
  SimplifyOptions options;
  options.budget.operations = 1'000'000;
  ExactProver prover(ExactProver::ofProofs(options.budget));
  options.prover = &prover;
  auto simple = simplify(map, options);
  EXPECT_TRUE(simple.ok()) << simple.status();
  return simple.ok() ? *simple : map;
}

TEST(MinimaCases, OfShared) {
  const auto cases = sharedCases();
  if (cases.empty())
    GTEST_SKIP() << "there is no tile_cases.jsonl beside INDEXICAL_CORPUS";
  for (const json::Object &each : cases) {
    const std::string text = each.getString("text")->str();
    SCOPED_TRACE(std::to_string(*each.getInteger("id")) + " " +
                 each.getString("name")->str() + ": " + text);
    const auto map = parseMap(text);
    if (each.getBoolean("error").value_or(false)) {
      EXPECT_FALSE(map.ok());
      continue;
    }
    ASSERT_TRUE(map.ok()) << map.status();
    const IndexingMap simple = simplified(*map);
    if (!map->isKnownEmpty() &&
        map->runtime().size() == simple.runtime().size() &&
        map->ranges().size() == simple.ranges().size())
      expectSameValues(*map, simple);
    const std::string results = resultsOf(simple);
    if (const auto known = each.getString("short")) {
      EXPECT_LE(results.size(), known->size()) << results;
    }
    if (const json::Array *gone = each.getArray("gone"))
      for (const json::Value &word : *gone) {
        const bool is =
            StringRef(results).contains(word.getAsString()->str() + "(");
        EXPECT_FALSE(is) << results;
      }
    if (const auto count = each.getInteger("count")) {
      const auto found = countImage(*map);
      ASSERT_TRUE(found.ok() && found->value);
      EXPECT_EQ(*found->value, llvm::DynamicAPInt(*count));
    }
    if (const auto other = each.getString("other")) {
      const auto second = parseMap(*other);
      ASSERT_TRUE(second.ok()) << second.status();
      const auto decision =
          areEqual(IndexingRelation(*map), IndexingRelation(*second));
      ASSERT_TRUE(decision.ok()) << decision.status();
      EXPECT_EQ(decision->answer, answerOf(*each.getString("answer")));
    }
    // The texts of both kinds are read again as what they are of.
    if (simple.isKnownEmpty()) continue;
    for (const std::string &printed :
         {printMap(simple, MapTextStyle::OneLine), printMapForXla(simple)}) {
      const auto read = parseMap(printed);
      ASSERT_TRUE(read.ok()) << read.status();
      expectSameValues(simple, *read);
    }
  }
}

// The questions, on maps of this project's own.
TEST(MinimaCases, Questions) {
  auto mapOf = [](const char *text) { return *parseMap(text); };
  auto answer = [&](const char *a, const char *b) {
    return areEqual(IndexingRelation(mapOf(a)), IndexingRelation(mapOf(b)))
        ->answer;
  };
  const char *clamp = "(d0) -> (min(max(d0, 0), 5)), domain: d0 in [-20, 20]";
  EXPECT_EQ(
      answer(clamp, "(d0) -> (max(min(d0, 5), 0)), domain: d0 in [-20, 20]"),
      Answer::Yes);
  EXPECT_EQ(answer("(d0) -> (min(d0, 5)), domain: d0 in [0, 9]",
                   "(d0) -> (min(d0, 6)), domain: d0 in [0, 9]"),
            Answer::No);
  EXPECT_EQ(answer("(d0) -> (min(32, 100 - d0 * 32)), domain: d0 in [0, 3]",
                   "(d0) -> ((d0 floordiv 3) * -28 + 32), domain: d0 in [0, "
                   "3]"),
            Answer::Yes);
  EXPECT_EQ(answer("(d0, d1, d2) -> (min(d0, max(d1, d2))), domain: d0 in [0, "
                   "5], d1 in [0, 5], d2 in [0, 5]",
                   "(d0, d1, d2) -> (max(min(d0, d1), min(d0, d2))), domain: "
                   "d0 in [0, 5], d1 in [0, 5], d2 in [0, 5]"),
            Answer::Yes);
  EXPECT_EQ(*countImage(mapOf(clamp))->value, llvm::DynamicAPInt(6));
  EXPECT_EQ(*countPairs(mapOf(clamp))->value, llvm::DynamicAPInt(41));
  // Far out, by isl or by cases.
  EXPECT_EQ(answer("(d0, d1) -> (min(d0, d1) + max(d0, d1)), domain: d0 in [0, "
                   "1000000000], d1 in [0, 1000000000]",
                   "(d0, d1) -> (d0 + d1), domain: d0 in [0, 1000000000], d1 "
                   "in [0, 1000000000]"),
            Answer::Yes);
  const auto back = inverse(IndexingRelation(mapOf(clamp)));
  ASSERT_TRUE(back.ok()) << back.status();
  const auto again = inverse(*back);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(areEqual(*again, IndexingRelation(mapOf(clamp)))->answer,
            Answer::Yes);
}

}  // namespace
}  // namespace indexical::testing
