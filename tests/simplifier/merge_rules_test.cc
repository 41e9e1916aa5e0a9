// Each rule of pieces by itself: it makes of its example what its row says, and
// no other rule does.
#include <fstream>
#include <string>

#include "gtest/gtest.h"

#include "indexical/simplifier/merge.h"
#include "tests/simplifier/parsed_map.h"

namespace indexical::testing {
namespace {

TEST(MergeRulesTest, EachRuleTurnsItsExample) {
  for (const MergeRule &rule : mergeRules())
    for (bool turned : {false, true}) {
      SCOPED_TRACE(rule.name);
      const IndexingMap a = simplifiedMapOf(turned ? rule.b : rule.a);
      const IndexingMap b = simplifiedMapOf(turned ? rule.a : rule.b);
      const auto whole = rule.what(a, b);
      ASSERT_TRUE(whole);
      EXPECT_EQ(*whole, simplifiedMapOf(rule.whole)) << whole->str();
      // No other rule makes one map of the two.
      for (const MergeRule &other : mergeRules()) {
        if (other.what != rule.what) {
          EXPECT_FALSE(other.what(a, b)) << other.name;
        }
      }
    }
}

TEST(MergeRulesTest, EachRuleIsOnThePage) {
  std::ifstream file("docs/internals/normal_form.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  size_t place = 0;
  for (const MergeRule &rule : mergeRules()) {
    const std::string row = std::string("| ") + rule.name + " | `" + rule.a +
                            "` | `" + rule.b + "` | `" + rule.whole + "` |";
    const size_t found = page.find(row);
    EXPECT_NE(found, std::string::npos) << row;
    EXPECT_GT(found, place) << row << " stands in another order";
    place = found;
  }
}

}  // namespace
}  // namespace indexical::testing
