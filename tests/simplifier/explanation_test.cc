// The record of why: each rewrite that is taken down holds.
//
// Random maps are simplified, and what was taken down is read again as text:
// before and after have one value at every point of the domain, bounds and
// constraints that took the place of others hold there. Range variables keep
// their names when they become dense, so those are examples.
//
//   INDEXICAL_RECORDS=20       20 times as many maps
//   INDEXICAL_RECORDS_SEED=n   beginning with this one
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "indexical/indexing/map_text.h"
#include "indexical/simplifier/simplify.h"
#include "tests/support/random.h"
#include "tests/support/random_maps.h"

namespace indexical::testing {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;

std::vector<Rewrite> rewritesOf(const IndexingMap &map) {
  std::vector<Rewrite> rewrites;
  SimplifyOptions options;
  options.rewrites = &rewrites;
  auto simple = simplify(map, options);
  EXPECT_TRUE(simple.ok()) << simple.status();
  return rewrites;
}

std::vector<std::string> record(const std::string &text) {
  auto map = parseMap(text);
  EXPECT_TRUE(map.ok()) << map.status();
  std::vector<std::string> lines;
  for (const Rewrite &r : rewritesOf(*map))
    lines.push_back(r.before + " -> " + r.after + " [" + r.rule + ": " +
                    r.because + "]");
  return lines;
}

TEST(Explanation, SaysThatPointsWereLookedAt) {
  EXPECT_THAT(
      record("(d0) -> ((d0 + 1) mod 2), domain: d0 in [10, 56], "
             "((d0 * 3 + 4) floordiv 2) mod 3 in [2, 2]"),
      Contains(::testing::AllOf(
          ::testing::HasSubstr("(d0 + 1) mod 2 -> 1"),
          ::testing::HasSubstr("one variable or value at every point"))));
  EXPECT_THAT(record("(d0, d1) -> (d1), domain: d0 in [0, 14], d1 in [0, 1], "
                     "(((d0 * 5 + d1 * 2 + 2) floordiv 2) mod 5) mod 3 in "
                     "[2, 2]"),
              Contains("d1 in [0, 1] -> d1 in [1, 1] [one value at every "
                       "point: all points of the domain]"));
}

TEST(Explanation, SaysWhichBoundsAllowedIt) {
  EXPECT_THAT(
      record("(d0, d1) -> ((d0 * 8 + d1) floordiv 8), domain: d0 in [0, 3], "
             "d1 in [0, 7]"),
      Contains("(d0 * 8 + d1) floordiv 8 -> d0 [an index, cut at its strides: "
               "d0 in [0, 3], d1 in [0, 7]]"));
  EXPECT_THAT(
      record("(d0, d1) -> ((d0 * 16 + d1) floordiv 8), domain: d0 in [0, 3], "
             "d1 in [1, 9]"),
      Contains("(d0 * 16 + d1) floordiv 8 -> d0 * 2 + d1 floordiv 8 "
               "[multiples of the divisor go out: d0 in [0, 3], d1 in [1, "
               "9]]"));
  EXPECT_THAT(record("(d0) -> (d0 mod 8), domain: d0 in [0, 7]"),
              Contains("d0 mod 8 -> d0 [below the modulus: d0 in [0, 7]]"));
  EXPECT_EQ(record("(d0) -> (d0 + d0 floordiv 2), domain: d0 in [0, 9]").back(),
            "(d0 floordiv 2) * 3 + d0 mod 2 -> d0 + d0 floordiv 2 [as it was "
            "given, shorter: ]");
  EXPECT_THAT(
      record("(d0)[s0] -> (d0 + s0), domain: d0 in [0, 9], s0 in [0, 9], d0 + "
             "s0 in [12, 18]"),
      Contains("s0 in [0, 9] -> s0 in [3, 9] [bounds, by constraints: d0 + s0 "
               "in [12, 18]]"));
  EXPECT_THAT(
      record("()[s0] -> (s0), domain: s0 in [0, 99], s0 mod 6 in [4, 4]"),
      Contains("s0 -> s0 * 6 + 4 [a strided variable becomes dense: s0 mod 6 "
               "in [4, 4]]"));
  EXPECT_THAT(record("(d0) -> ((d0 * 3) floordiv 2), domain: d0 in [0, 98], d0 "
                     "mod 2 in [0, 0]"),
              Contains("d0 -> (d0 floordiv 2) * 2 + 0 [a strided variable "
                       "becomes dense: d0 mod 2 in [0, 0]]"));
  EXPECT_THAT(
      record("(d0, d1) -> (d0), domain: d0 in [0, 99], d1 in [0, 9], (d0 + d1) "
             "mod 4 in [3, 3], (d0 + d1) mod 6 in [1, 1]"),
      Contains("(d0 + d1) mod 4 in [3, 3], (d0 + d1) mod 6 in [1, 1] -> (d0 + "
               "d1) mod 12 in [7, 7] [constraints, in one form: ]"));
  EXPECT_THAT(
      record("(d0) -> (d0), domain: d0 in [0, 2], (d0 * 3) mod 8 in [2, 2]"),
      Contains(::testing::HasSubstr("-> KNOWN EMPTY")));
  EXPECT_THAT(record("(d0) -> (d0), domain: d0 in [0, 9], d0 mod 2 in [0, 0], "
                     "d0 mod 4 in [1, 1]"),
              Contains(::testing::HasSubstr("-> KNOWN EMPTY")));
}

TEST(Explanation, OfWhatIsSimpleIsEmpty) {
  EXPECT_THAT(record("(d0, d1) -> (d0 * 8 + d1), domain: d0 in [0, 3], d1 in "
                     "[0, 7]"),
              IsEmpty());
}

TEST(Explanation, IsTheSameEachTime) {
  auto map = parseMap(
      "(d0, d1) -> ((d0 floordiv 2) * 3 + ((d0 mod 2) * 3 + d1) floordiv 2), "
      "domain: d0 in [0, 9], d1 in [0, 2]");
  ASSERT_TRUE(map.ok());
  EXPECT_EQ(rewritesOf(*map), rewritesOf(*map));
  EXPECT_FALSE(rewritesOf(*map).empty());
}

/// Before and after as two results of a map on the domain; as two constraints,
/// the points of the domain that have them.
class Held {
 public:
  explicit Held(const IndexingMap &map) : map_(map) {
    header_ = "(";
    for (size_t i = 0; i < map.dimensions().size(); ++i) {
      header_ += (i ? ", d" : "d") + std::to_string(i);
      domain_ += (i ? ", d" : "d") + std::to_string(i) + " in " +
                 map.dimensions()[i].bounds.str();
    }
    header_ += ") -> (";
    for (const Constraint &c : map.constraints())
      constraints_ +=
          ", (" + printExpression(map, c.form) + ") in " + c.bounds.str();
  }

  /// Whether two expressions have the same values.
  bool sameValues(const Rewrite &rewrite) const {
    auto pair = parseMap(header_ + rewrite.before + ", " + rewrite.after +
                         "), domain: " + domain_ + constraints_);
    if (!pair.ok()) {
      ADD_FAILURE() << pair.status();
      return false;
    }
    bool same = true;
    forPoints([&](const IndexingMap::Point &point) {
      if (!pair->contains(point)) return;
      auto values = pair->evaluate(point);
      same &= (*values)[0] == (*values)[1];
    });
    return same;
  }

  /// Whether bounds or constraints hold wherever the domain does.
  bool holds(const std::string &text) const {
    auto bounded = parseMap(header_ + "), domain: " + domain_ + ", " +
                            withoutBounds(text));
    if (!bounded.ok()) {
      ADD_FAILURE() << bounded.status();
      return false;
    }
    bool all = true;
    forPoints([&](const IndexingMap::Point &point) {
      if (map_.contains(point)) all &= bounded->contains(point);
    });
    return all;
  }

 private:
  /// Constraints that are variables alone, in parentheses as text has them.
  static std::string withoutBounds(llvm::StringRef text) {
    std::string all;
    while (!text.empty()) {
      auto [one, rest] = text.split("], ");
      auto [form, bounds] = one.split(" in ");
      all += (all.empty() ? "(" : ", (") + form.str() + ") in " + bounds.str() +
             (rest.empty() ? "" : "]");
      text = rest;
    }
    return all;
  }

  void forPoints(
      llvm::function_ref<void(const IndexingMap::Point &)> visit) const {
    IndexingMap::Point point;
    for (const Variable &v : map_.dimensions())
      point.dimensions.push_back(v.bounds.lower);
    while (true) {
      visit(point);
      size_t i = point.dimensions.size();
      while (i > 0 &&
             point.dimensions[i - 1] == map_.dimensions()[i - 1].bounds.upper) {
        point.dimensions[i - 1] = map_.dimensions()[i - 1].bounds.lower;
        --i;
      }
      if (i == 0) return;
      ++point.dimensions[i - 1];
    }
  }

  const IndexingMap &map_;
  std::string header_, domain_, constraints_;
};

TEST(Explanation, EachRewriteHolds) {
  const uint64_t first = fromEnvironment("INDEXICAL_RECORDS_SEED", 1);
  const uint64_t count = 400 * fromEnvironment("INDEXICAL_RECORDS", 1);
  int64_t expressions = 0, domains = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    MapOptions options;
    options.leastDimensions = options.leastResults = 1;
    options.mostRanges = 0;
    options.depth = 4;
    const IndexingMap map = randomMap(random, options);
    const Held held(map);
    for (const Rewrite &rewrite : rewritesOf(map)) {
      if (rewrite.after == "KNOWN EMPTY" || rewrite.before == "(too long)")
        continue;
      const std::string about =
          "INDEXICAL_RECORDS_SEED=" + std::to_string(seed) + "\n" +
          map.strOneLine() + "\n" + rewrite.rule + "\n" + rewrite.before +
          "\n" + rewrite.after;
      if (rewrite.before.find(" in [") == std::string::npos) {
        ++expressions;
        ASSERT_TRUE(held.sameValues(rewrite)) << about;
      } else {
        ++domains;
        ASSERT_TRUE(held.holds(rewrite.before)) << about;
        ASSERT_TRUE(rewrite.after.empty() || held.holds(rewrite.after))
            << about;
      }
    }
  }
  EXPECT_GT(expressions, static_cast<int64_t>(count));
  EXPECT_GT(domains, static_cast<int64_t>(count) / 10);
}

}  // namespace
}  // namespace indexical::testing
