// Inverses of maps that are injective on their domains are functions: they have
// no range variable. Random bijections, and their inverses' inverses, by
// enumeration.
//
//   INDEXICAL_BIJECTIONS=10000   so many of them
//   INDEXICAL_SEED=n             beginning with this one
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

#include "indexical/exact/exact.h"
#include "indexical/indexing/evaluation.h"
#include "indexical/indexing/map_text.h"
#include "indexical/simplifier/simplify.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

using Point = std::vector<int64_t>;
using Pairs = std::multimap<Point, Point>;

/// Adds the pairs of a map without runtime variables: at all values of its
/// dimensions and ranges.
void addPairs(const IndexingMap &map, Pairs &pairs) {
  if (map.isKnownEmpty()) return;
  std::vector<VariableId> ids;
  for (uint32_t i = 0; i < map.dimensions().size(); ++i)
    ids.push_back({VariableKind::Dimension, i});
  for (uint32_t i = 0; i < map.ranges().size(); ++i)
    ids.push_back({VariableKind::Range, i});
  Point point;
  for (VariableId id : ids) point.push_back(map.variable(id).bounds.lower);
  const size_t dims = map.dimensions().size();
  while (true) {
    auto value = [&](VariableId id) {
      return point[id.kind == VariableKind::Dimension ? id.index
                                                      : dims + id.index];
    };
    Evaluation evaluate(map.expressions(), value);
    bool holds = true;
    for (const Constraint &c : map.constraints())
      holds &= c.bounds.contains(*evaluate(c.form));
    if (holds) {
      Point results;
      for (FormId form : map.results()) results.push_back(*evaluate(form));
      pairs.emplace(Point(point.begin(), point.begin() + dims), results);
    }
    size_t k = point.size();
    while (k > 0 && ++point[k - 1] > map.variable(ids[k - 1]).bounds.upper) {
      point[k - 1] = map.variable(ids[k - 1]).bounds.lower;
      --k;
    }
    if (k == 0) return;
  }
}

Pairs pairsOf(const IndexingRelation &relation) {
  Pairs pairs;
  for (const IndexingMap &piece : relation.pieces()) addPairs(piece, pairs);
  return pairs;
}

Pairs turned(const Pairs &pairs) {
  Pairs other;
  for (const auto &[x, y] : pairs) other.emplace(y, x);
  return other;
}

/// Whether both have the same pairs, each once.
bool areSame(const Pairs &x, const Pairs &y) {
  std::map<std::pair<Point, Point>, int> counts;
  for (const auto &pair : x) ++counts[pair];
  for (const auto &pair : y) --counts[pair];
  for (const auto &entry : counts)
    if (entry.second != 0) return false;
  return true;
}

std::string randomBijection(Random &random) {
  const int64_t sizes[][2] = {{4, 8}, {6, 5}, {8, 16}, {3, 7}, {12, 10}};
  const auto &[a, b] = sizes[random.in(0, 4)];
  const int64_t n = a * b;
  const std::string line = absl::StrCat(", domain: i in [0, ", n - 1, "]");
  const std::string both =
      absl::StrCat(", domain: i in [0, ", a - 1, "], j in [0, ", b - 1, "]");
  switch (random.in(0, 6)) {
    case 0:
      return absl::StrCat("(i) -> ((i + ", random.in(1, n - 1), ") mod ", n,
                          ")", line);
    case 1:
      return absl::StrCat("(i, j) -> ((i * ", b, " + j + ", random.in(1, n - 1),
                          ") mod ", n, ")", both);
    case 2:
      return absl::StrCat("(i) -> (i mod ", a, " * ", b, " + i floordiv ", a,
                          ")", line);
    case 3:
      return absl::StrCat("(i, j) -> (i, (j + i * ", random.in(1, 3), ") mod ",
                          b, ")", both);
    case 4:
      return "(i, j) -> (i, ((j mod 2 + i mod 2) mod 2) + (j floordiv 2) * 2), "
             "domain: i in [0, 7], j in [0, 15]";
    case 5:
      return absl::StrCat("(i) -> (i floordiv ", b, ", (i + ",
                          random.in(1, b - 1), ") mod ", b, ")", line);
    default:
      return absl::StrCat("(i, j) -> (", n - 1, " - i * ", b, " - j)", both);
  }
}

TEST(InverseFunctions, RandomBijections) {
  const uint64_t count = fromEnvironment("INDEXICAL_BIJECTIONS", 360);
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  uint64_t functions = 0, again = 0, pieces = 0, isSame = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    const std::string text = randomBijection(random);
    SCOPED_TRACE(text);
    const auto map = parseMap(text);
    ASSERT_TRUE(map.ok());
    const auto back = inverse(IndexingRelation(*map));
    ASSERT_TRUE(back.ok());
    bool isFunction = true;
    for (const IndexingMap &piece : back->pieces()) {
      isFunction &= piece.ranges().empty();
      const auto simple = simplify(piece);
      ASSERT_TRUE(simple.ok());
      EXPECT_EQ(simple->str(), piece.str());
    }
    pieces += back->pieces().size();
    functions += isFunction;
    const Pairs pairs = pairsOf(IndexingRelation(*map));
    EXPECT_TRUE(areSame(turned(pairs), pairsOf(*back)));
    const auto forth = inverse(*back);
    ASSERT_TRUE(forth.ok());
    SimplifyOptions rename;
    rename.rename = true;
    const auto own = simplify(*map, rename);
    ASSERT_TRUE(own.ok());
    ASSERT_EQ(forth->pieces().size(), 1u);
    isSame += forth->pieces()[0] == *own;
    if (!(forth->pieces()[0] == *own)) {
      std::printf("%s\n%s\n", forth->pieces()[0].str().c_str(),
                  own->str().c_str());
    }
    bool isForth = true;
    for (const IndexingMap &piece : forth->pieces())
      isForth &= piece.ranges().empty();
    again += isForth;
    EXPECT_TRUE(areSame(pairs, pairsOf(*forth)));
  }
  std::printf(
      "of %llu bijections %llu have functions as inverses, of %llu pieces; "
      "%llu of these have functions as inverses, %llu the map itself\n",
      static_cast<unsigned long long>(count),
      static_cast<unsigned long long>(functions),
      static_cast<unsigned long long>(pieces),
      static_cast<unsigned long long>(again),
      static_cast<unsigned long long>(isSame));
  EXPECT_EQ(functions, count);
  EXPECT_EQ(again, count);
}

/// Digits by sizes that are not known: a quotient and its remainder, and three
/// digits, of which the middle one has a quotient for its parent.
TEST(InverseFunctions, DigitsBySizes) {
  const std::string sizes = ", n in [1, 4], m in [1, 4]";
  for (const std::string results :
       {"i floordiv n, i mod n",
        "i floordiv (n * m), (i floordiv m) mod n, "
        "i mod m",
        "i floordiv (n * 4), (i floordiv 4) mod n, i mod 4",
        "i mod n, i floordiv n", "(i + 2) mod n, (i + 2) floordiv n"}) {
    SCOPED_TRACE(results);
    const auto map = parseMap("(i, n, m) -> (" + results +
                              ", n, m), domain: i in [-9, 40]" + sizes);
    const auto symbols = parseMap("(i){n, m} -> (" + results +
                                  "), domain: i in [-9, 40]" + sizes);
    ASSERT_TRUE(map.ok() && symbols.ok());
    const auto back = inverse(IndexingRelation(*symbols));
    ASSERT_TRUE(back.ok());
    ASSERT_EQ(back->pieces().size(), 1u);
    EXPECT_TRUE(back->pieces()[0].ranges().empty()) << back->pieces()[0].str();
    const auto all = inverse(IndexingRelation(*map));
    ASSERT_TRUE(all.ok());
    EXPECT_TRUE(
        areSame(turned(pairsOf(IndexingRelation(*map))), pairsOf(*all)));
  }
}

/// Random constraints on range variables: the pairs stay, and a constraint that
/// leaves a variable one value takes it away.
TEST(InverseFunctions, PairsStay) {
  const uint64_t count = fromEnvironment("INDEXICAL_BIJECTIONS", 360);
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  uint64_t fewer = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    std::string text = absl::StrCat(
        "(i, j)[s, t] -> (s + j, t * 2 - i), "
        "domain: i in [",
        random.in(-3, 0), ", ", random.in(1, 9), "], j in [0, ",
        random.in(0, 3), "], s in [", random.in(-2, 0), ", ", random.in(0, 5),
        "], t in [0, 3]");
    for (int64_t k = random.in(1, 2); k > 0; --k) {
      const int64_t low = random.in(-4, 6);
      absl::StrAppend(&text, ", i * ", random.in(-2, 2), " + j * ",
                      random.in(-1, 1), " + ", random.oneIn(2) ? "s" : "t",
                      " * ", random.oneIn(2) ? 1 : -1, " * ", random.in(1, 4),
                      random.oneIn(3) ? " + t" : "", " in [", low, ", ",
                      low + random.in(0, 3), "]");
    }
    SCOPED_TRACE(text);
    const auto map = parseMap(text);
    ASSERT_TRUE(map.ok()) << map.status();
    const auto simple = simplify(*map);
    ASSERT_TRUE(simple.ok());
    Pairs before, after;
    addPairs(*map, before);
    addPairs(*simple, after);
    // Range variables that nothing uses repeat a pair.
    auto once = [](const Pairs &pairs) {
      std::map<std::pair<Point, Point>, int> found;
      for (const auto &pair : pairs) found[pair] = 1;
      return found;
    };
    EXPECT_EQ(once(before), once(after)) << simple->str();
    EXPECT_EQ(simplify(*simple)->str(), simple->str());
    fewer += !simple->isKnownEmpty() && simple->ranges().size() < 2;
  }
  std::printf("%llu of %llu lost a range variable\n",
              static_cast<unsigned long long>(fewer),
              static_cast<unsigned long long>(count));
}

}  // namespace
}  // namespace indexical::testing
