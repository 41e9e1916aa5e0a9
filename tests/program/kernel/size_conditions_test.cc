#include "indexical/program/kernel/size_conditions.h"

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace indexical::kernels {
namespace {

SizeTerm name(const char *text) { return SizeTerm::of(std::string(text)); }
SizeTerm number(int64_t value) { return SizeTerm::of(value); }

constexpr int64_t kMost = 12;

std::string textOf(const std::vector<SizeCondition> &conditions) {
  std::string text;
  for (const SizeCondition &each : conditions)
    text += (text.empty() ? "" : ", ") + kernels::textOf(each);
  return text;
}

TEST(SizeConditions, EqualitiesSayNames) {
  const std::vector<SizeCondition> conditions = {
      {name("m"), SizeTerm::of(SizeKind::Mul, number(2), name("n")),
       SizeSign::Equal},
      {SizeTerm::of(SizeKind::Add, name("m"), number(1)), name("k"),
       SizeSign::Equal}};
  const SizeDefinitions found = definitionsOf(conditions, {});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(kernels::textOf(found.at("m")), "2 * n");
  EXPECT_EQ(kernels::textOf(found.at("k")), "2 * n + 1");
  // A name with a value is not said again.
  EXPECT_EQ(definitionsOf(conditions, {{"m", 4}}).count("m"), 0u);
  EXPECT_TRUE(definitionsOf({{name("n"),
                              SizeTerm::of(SizeKind::Mul, name("n"), name("m")),
                              SizeSign::Equal}},
                            {})
                  .empty());
}

TEST(SizeConditions, LongDefinitionsAreNotMade) {
  // Each name is twice the next one, written out.
  std::vector<SizeCondition> conditions;
  for (char c = 'a'; c < 'z'; ++c) {
    const SizeTerm next = SizeTerm::of(std::string(1, c + 1));
    conditions.push_back({SizeTerm::of(std::string(1, c)),
                          SizeTerm::of(SizeKind::Mul, next, next),
                          SizeSign::Equal});
  }
  EXPECT_LT(definitionsOf(conditions, {}).size(), conditions.size());
}

TEST(SizeConditions, RangesOfProductsAndSums) {
  SizeBox box{{{"C", {4, 1000}}}, INT32_MAX};
  EXPECT_TRUE(narrow({{SizeTerm::of(SizeKind::Mul, name("R"), name("C")),
                       number(4000), SizeSign::AtMost}},
                     {}, box));
  EXPECT_EQ(box.rangeOf("R"), std::pair(int64_t{1}, int64_t{1000}));
  EXPECT_TRUE(
      narrow({{name("C"),
               SizeTerm::of(SizeKind::Mul, number(3), name("R")),
               SizeSign::Greater}},
             {}, box));
  EXPECT_EQ(box.rangeOf("R").second, 333);
  EXPECT_FALSE(narrow({{name("R"), number(333), SizeSign::Greater}}, {}, box));
}

/// A random term of two names, by how deep it is.
template <typename Pick>
SizeTerm termOf(Pick pick, int depth) {
  if (depth == 0 || pick(3) == 0)
    return pick(3) == 0 ? number(pick(9) - 1) : name(pick(2) == 0 ? "n" : "m");
  static constexpr SizeKind kKinds[] = {
      SizeKind::Add,     SizeKind::Sub, SizeKind::Mul, SizeKind::FloorDiv,
      SizeKind::CeilDiv, SizeKind::Mod, SizeKind::Min, SizeKind::Max};
  const SizeKind kind = kKinds[pick(8)];
  SizeTerm left = termOf(pick, depth - 1);
  return SizeTerm::of(kind, std::move(left), termOf(pick, depth - 1));
}

TEST(SizeConditions, RandomOnes) {
  constexpr int kSeed = 20261129;
  std::mt19937 random(kSeed);
  auto pick = [&](int count) { return static_cast<int>(random() % count); };
  int met = 0, possible = 0, narrowed = 0;
  for (int round = 0; round < 3000; ++round) {
    std::vector<SizeCondition> conditions;
    for (int k = 0; k < 1 + pick(3); ++k)
      conditions.push_back({termOf(pick, 1), termOf(pick, 2),
                            static_cast<SizeSign>(pick(5))});
    SCOPED_TRACE(testing::Message() << "seed " << kSeed << ", round " << round
                                    << ": " << textOf(conditions));
    SizeBox box{{}, kMost};
    const bool mayMeet = narrow(conditions, {}, box);
    const SizeDefinitions said = definitionsOf(conditions, {});
    bool isMet = false;
    for (int64_t n = 1; n <= kMost; ++n)
      for (int64_t m = 1; m <= kMost; ++m) {
        const SizeValues values = {{"n", n}, {"m", m}};
        if (!holdAll(conditions, values)) continue;
        isMet = true;
        for (const auto &[each, value] : values) {
          EXPECT_GE(value, box.rangeOf(each).first) << each;
          EXPECT_LE(value, box.rangeOf(each).second) << each;
        }
        for (const auto &[each, term] : said)
          EXPECT_EQ(valueOf(term, values), values.at(each)) << each;
      }
    EXPECT_TRUE(mayMeet || !isMet);
    narrowed += !mayMeet || !box.ranges.empty();
    possible += isMet;
    const SizeBox whole{{}, kMost};
    const auto found = sizesThatMeet(
        conditions, {}, whole, {{"n", 1 + pick(kMost)}, {"m", 1 + pick(kMost)}});
    for (const SizeValues &values : found) {
      EXPECT_TRUE(holdAll(conditions, values));
      for (const auto &[each, value] : values) {
        EXPECT_GE(value, 1) << each;
        EXPECT_LE(value, kMost) << each;
      }
    }
    met += !found.empty();
  }
  EXPECT_GE(narrowed, 300);
  // Most that can be met are.
  EXPECT_GE(met * 10, possible * 8) << met << " of " << possible;
}

}  // namespace
}  // namespace indexical::kernels
