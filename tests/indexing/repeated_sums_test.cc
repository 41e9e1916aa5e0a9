// Texts of maps whose sums stand in parentheses several times, as in each
// result of a reshape: they are what their expressions are alone.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/map_text.h"
#include "tests/support/messages.h"
#include "tests/support/random_maps.h"

namespace indexical::testing {
namespace {

/// Returns a map whose results and constraints are divisions of few sums.
IndexingMap mapOfRepeatedSums(Random &random) {
  IndexingMapBuilder b;
  std::vector<Expr> sums;
  for (int k = 0; k < 3; ++k)
    sums.push_back(b.dimension({0, random.in(1, 50)}));
  auto any = [&] { return sums[random.in(0, sums.size() - 1)]; };
  for (int64_t left = random.in(1, 24); left > 0; --left) {
    const Expr sum = any() * random.in(-3, 3) + any() + random.in(-2, 2);
    const Expr part = random.oneIn(2) ? mod(sum, random.in(2, 9))
                                      : floorDiv(sum, random.in(2, 9));
    sums.push_back(random.oneIn(2) ? part : sum + part);
    if (random.oneIn(2)) b.result(floorDiv(mod(any(), random.in(5, 40)), 3));
    if (random.oneIn(4)) b.constraint(mod(any(), 7), {0, random.in(1, 5)});
  }
  auto map = b.build();
  EXPECT_TRUE(map.ok()) << messageOf(map.status());
  return map.ok() ? *map : IndexingMap::knownEmpty();
}

// A sum that was printed, or read, is copied where it stands again.
TEST(RepeatedSums, AreAsTheyStandAlone) {
  int count = 0;
  for (uint64_t seed = 1; seed <= 3000; ++seed) {
    Random random(seed);
    const IndexingMap map = mapOfRepeatedSums(random);
    if (map.isKnownEmpty()) continue;
    ++count;
    const std::string text = map.strOneLine();
    const std::string where = "seed " + std::to_string(seed) + "\n" + text;
    // The expressions one by one, each by a printer that has seen no other.
    std::string alone = "(d0, d1, d2) -> (", gap;
    for (FormId form : map.results())
      alone += std::exchange(gap, ", ") + printExpression(map, form);
    alone += ")";
    gap = ", domain: ";
    for (uint32_t k = 0; k < 3; ++k)
      alone += std::exchange(gap, ", ") + "d" + std::to_string(k) + " in " +
               map.dimensions()[k].bounds.str();
    std::vector<std::string> constraints;
    for (const Constraint &c : map.constraints())
      constraints.push_back(", " + printExpression(map, c.form) + " in " +
                            c.bounds.str());
    std::sort(constraints.begin(), constraints.end());
    for (const std::string &each : constraints) alone += each;
    ASSERT_EQ(text, alone) << where;
    // With spaces that differ from sum to sum no text is the same.
    std::string spaced;
    for (char c : text)
      spaced += c == ' ' ? std::string(random.in(1, 3), ' ')
                         : std::string(random.in(0, c == '('), ' ') + c;
    const auto again = parseMap(text), other = parseMap(spaced);
    ASSERT_TRUE(again.ok() && other.ok()) << where << "\n" << spaced;
    ASSERT_EQ(*again, map) << where;
    ASSERT_EQ(*other, map) << where;
  }
  EXPECT_GT(count, 2000);
}

}  // namespace
}  // namespace indexical::testing
