// Maps that are written at once (indexing/plain_map.h) against those that a
// builder makes: first of random lists of results, then of every family of ops.
// Equal maps have equal tables, so the numbers of atoms and forms are compared,
// too.
//
//   INDEXICAL_PLAIN_MAPS=1000000   more lists, and a fifth as many instances of
//                                  each family
#include <cstdint>
#include <cstdlib>
#include <iostream>

#include "gtest/gtest.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/plain_map.h"
#include "indexical/ops/op.h"
#include "indexical/simplifier/shortcuts/plain.h"
#include "indexical/simplifier/simplified.h"
#include "tests/support/random.h"
#include "tests/support/random_ops.h"

namespace indexical::testing {
namespace {

int64_t instances() {
  const char *text = std::getenv("INDEXICAL_PLAIN_MAPS");
  return text ? std::strtoll(text, nullptr, 10) : 20'000;
}

void expectSame(const IndexingMap &a, const IndexingMap &b) {
  EXPECT_EQ(a, b) << a.str() << b.str();
  EXPECT_EQ(a.hash(), b.hash()) << a.str();
  EXPECT_EQ(a.str(), b.str());
  EXPECT_EQ(isSimplified(a), isSimplified(b)) << a.str();
  EXPECT_EQ(a.resultBounds(), b.resultBounds()) << a.str();
  EXPECT_EQ(a.expressions().hash(), b.expressions().hash()) << a.str();
}

//===-- Lists of results --------------------------------------------------===//

/// A number at the edge of 62 or 63 bits now and then.
int64_t randomNumber(Random &random) {
  if (!random.oneIn(20)) return random.in(-3, 3);
  const int64_t edge = random.oneIn(2) ? INT64_MIN : INT64_MIN / 2;
  return random.oneIn(2) ? edge + random.in(0, 1) : -(edge + 1);
}

Interval randomBounds(Random &random) {
  if (random.oneIn(40)) return {0, Interval::kInfinity};
  if (random.oneIn(40)) return Interval::none();
  const int64_t lower = random.oneIn(5) ? randomNumber(random) : 0;
  const auto upper = checkedAdd(lower, random.in(0, 4));
  return {lower, upper.value_or(lower)};
}

/// The same map as a builder makes it.
absl::StatusOr<IndexingMap> built(llvm::ArrayRef<Interval> dimensions,
                                  llvm::ArrayRef<Interval> ranges,
                                  llvm::ArrayRef<PlainResult> results) {
  IndexingMapBuilder b;
  llvm::SmallVector<Expr, 8> d, s;
  for (const Interval &bounds : dimensions) d.push_back(b.dimension(bounds));
  for (const Interval &bounds : ranges) s.push_back(b.range(bounds));
  for (const PlainResult &result : results) {
    if (result.variable == PlainResult::kNoVariable) {
      b.result(result.constant);
      continue;
    }
    const VariableId id = VariableId::fromKey(result.variable);
    const Expr variable = (id.kind == VariableKind::Range ? s : d)[id.index];
    b.result(variable * result.coefficient + result.constant);
  }
  auto map = b.build();
  if (map.ok()) markPlainMap(*map);
  return map;
}

TEST(PlainMapTest, IsTheMapThatABuilderMakes) {
  int64_t written = 0, marked = 0;
  for (int64_t i = 0; i < instances(); ++i) {
    SCOPED_TRACE(i);
    Random random(i);
    llvm::SmallVector<Interval, 4> dimensions, ranges;
    for (int64_t k = random.in(0, 4); k > 0; --k)
      dimensions.push_back(randomBounds(random));
    for (int64_t k = random.oneIn(2) ? random.in(1, 3) : 0; k > 0; --k)
      ranges.push_back(randomBounds(random));
    llvm::SmallVector<PlainResult, 4> results;
    uint32_t next = 0;
    for (int64_t k = random.in(0, 5); k > 0; --k) {
      const int64_t constant = random.oneIn(2) ? 0 : randomNumber(random);
      const int64_t coefficient = random.oneIn(2) ? 1 : randomNumber(random);
      auto add = [&](VariableKind kind, uint32_t index) {
        results.push_back(
            PlainResult::of({kind, index}, coefficient, constant));
      };
      if (next < ranges.size() && !random.oneIn(4))
        add(VariableKind::Range, next++);
      else if (next > 0 && random.oneIn(10))
        add(VariableKind::Range, random.in(0, ranges.size() - 1));
      else if (!dimensions.empty() && !random.oneIn(6))
        add(VariableKind::Dimension, random.in(0, dimensions.size() - 1));
      else
        results.push_back(PlainResult::number(constant));
    }
    const auto map = plainMap(dimensions, ranges, results);
    if (!map) continue;
    const auto other = built(dimensions, ranges, results);
    ASSERT_TRUE(other.ok()) << map->str() << other.status();
    expectSame(*map, *other);
    if (HasFailure()) return;
    ++written;
    marked += isSimplified(*map);
  }
  EXPECT_GT(written * 2, instances());
  EXPECT_GT(marked * 10, instances());
}

TEST(PlainMapTest, LeavesTheRestToTheBuilder) {
  const Interval few = {0, 3}, none = Interval::none();
  const Interval open = {0, Interval::kInfinity};
  const VariableId d0 = {VariableKind::Dimension, 0};
  EXPECT_TRUE(plainMap({few}, {}, {PlainResult::of(d0)}));
  EXPECT_FALSE(plainMap({none}, {}, {PlainResult::of(d0)}));
  EXPECT_FALSE(plainMap({few}, {open}, {PlainResult::of(d0)}));
  EXPECT_FALSE(plainMap({few}, {}, {PlainResult::of(d0, INT64_MAX)}));
  EXPECT_FALSE(plainMap({few}, {}, {PlainResult::number(INT64_MIN)}));
  const llvm::SmallVector<PlainResult, 0> many(65, PlainResult::number(0));
  EXPECT_FALSE(plainMap({few}, {}, many));
  EXPECT_TRUE(plainMap({few}, {}, llvm::ArrayRef(many).drop_front()));
  const WithoutPlainMaps without;
  EXPECT_FALSE(plainMap({few}, {}, {PlainResult::of(d0)}));
}

//===-- Families ----------------------------------------------------------===//

class PlainFamilyTest : public ::testing::TestWithParam<Family> {};

TEST_P(PlainFamilyTest, AnswersAsWithoutPlainMaps) {
  for (int64_t i = 0; i < std::max<int64_t>(instances() / 100, 1); ++i) {
    Random random(i);
    const Op op = GetParam().make(random);
    SCOPED_TRACE(describe(op));
    const OpShapes &shapes = shapesOf(op);
    for (size_t r = 0; r < shapes.results.size(); ++r)
      for (size_t k = 0; k < shapes.operands.size(); ++k)
        for (Direction direction :
             {Direction::OutputToInput, Direction::InputToOutput}) {
          const auto with = indexing(op, direction, r, k);
          const WithoutPlainMaps withoutPlainMaps;
          const auto without = indexing(op, direction, r, k);
          ASSERT_EQ(with.ok(), without.ok());
          if (!with.ok()) continue;
          ASSERT_EQ(*with, *without);
          for (size_t p = 0; p < with->pieces().size(); ++p)
            expectSame(with->pieces()[p], without->pieces()[p]);
          if (HasFailure()) {
            std::cerr << "seed " << i << "\n";
            return;
          }
        }
  }
}

INSTANTIATE_TEST_SUITE_P(Families, PlainFamilyTest,
                         ::testing::ValuesIn(families()), [](const auto &info) {
                           return info.param.name.str();
                         });

}  // namespace
}  // namespace indexical::testing
