// The form of a product depends on the maps, not on how they came to be.
//
// Random chains of every family are composed step by step. At each step the map
// so far, and the step, are composed as they are, made anew from their pieces,
// and printed and read again: the products are the same form.
//
// Chains of mixed families are composed as they are, without their marks, and
// by way of text, from the left and from the right. In another order a form may
// be another one (docs/internals/normal_form.md); all are held against the ops.
//
//   INDEXICAL_HISTORIES=2500        2,500 times as many chains: 100,000
//   INDEXICAL_HISTORIES_SEED=n      beginning with this one
//   INDEXICAL_MIXTURES=100000       so many mixed chains
#include <string>

#include "gtest/gtest.h"

#include "indexical/indexing/map_text.h"
#include "indexical/indexing/transforms.h"
#include "indexical/simplifier/simplify.h"
#include "tests/simplifier/chains.h"
#include "tests/support/random.h"
#include "tests/support/random_maps.h"

namespace indexical::testing {
namespace {

/// Without what a map knows of itself beside its expressions.
absl::StatusOr<IndexingMap> madeAnew(const IndexingMap &map) {
  return simplify(unmarked(map));
}

absl::StatusOr<IndexingMap> readAgain(const IndexingMap &map) {
  auto read = parseMap(printMap(map));
  return read.ok() ? simplify(*read) : read;
}

class HistoryTest : public ::testing::TestWithParam<ChainFamily> {};

TEST_P(HistoryTest, FormsDoNotDependOnIt) {
  const uint64_t chains = 40 * fromEnvironment("INDEXICAL_HISTORIES", 1);
  const uint64_t seed = fromEnvironment("INDEXICAL_HISTORIES_SEED", 1);
  int64_t differing = 0, read = 0;
  for (uint64_t i = seed; i < seed + chains; ++i) {
    Random random(i);
    const Chain chain = randomChain(GetParam(), random.in(4, 10), random);
    absl::StatusOr<IndexingMap> map = simplify(chain.ops[0].map());
    for (size_t k = 1; k < chain.ops.size(); ++k) {
      ASSERT_TRUE(map.ok()) << map.status();
      const IndexingMap step = *simplify(chain.ops[k].map());
      auto next = compose(*map, step);
      ASSERT_TRUE(next.ok()) << next.status();
      auto expectSame = [&](const absl::StatusOr<IndexingMap> &other,
                            const IndexingMap &step, const char *how) {
        auto product = other.ok() ? compose(*other, step) : other;
        if (!product.ok()) return;
        if (*product == *next) return;
        if (++differing > 3) return;
        ADD_FAILURE() << familyName(GetParam()).str() << ", seed " << i << " "
                      << how << ":\n"
                      << map->str() << "\n then\n"
                      << step.str() << "\n is\n"
                      << next->str() << "\n and\n"
                      << product->str();
      };
      expectSame(madeAnew(*map), step, "made anew");
      expectSame(*map, *madeAnew(step), "after a step made anew");
      if (writtenSize(*map) <= kMostWritten) {
        ++read;
        expectSame(readAgain(*map), *readAgain(step), "read again");
      }
      map = next;
    }
  }
  EXPECT_EQ(differing, 0);
  EXPECT_GT(read, 0);
}

INSTANTIATE_TEST_SUITE_P(Each, HistoryTest, ::testing::ValuesIn(kChainFamilies),
                         [](const auto &test) {
                           return familyName(test.param).str();
                         });

//===-- Mixtures ----------------------------------------------------------===//

std::string textOf(llvm::ArrayRef<ChainOp> ops) {
  std::string text;
  for (const ChainOp &op : ops) text += "  " + op.str() + "\n";
  return text;
}

/// Calls `see` with random chains.
template <typename See>
void forMixtures(uint64_t standard, const ChainOptions &options, See see) {
  const uint64_t seed = fromEnvironment("INDEXICAL_HISTORIES_SEED", 1);
  const uint64_t chains = fromEnvironment("INDEXICAL_MIXTURES", standard);
  for (uint64_t i = seed; i < seed + chains; ++i) {
    Random random(i);
    const Chain chain =
        randomChain(ChainFamily::Mixtures, random.in(2, 8), random, options);
    see(i, chain.ops, random);
  }
}

TEST(Mixtures, HaveNoHistory) {
  int64_t asText = 0, differing = 0;
  forMixtures(
      2000, {}, [&](uint64_t seed, llvm::ArrayRef<ChainOp> ops, Random &) {
        for (Way other : {Way{Order::Left, Handover::Anew},
                          Way{Order::Left, Handover::FormsAsText},
                          Way{Order::Right, Handover::FormsAsText}}) {
          if (isText(other.handover) && !hasText(ops)) continue;
          const Way way{other.order, Handover::Forms};
          const auto map = composedBy(ops, way), again = composedBy(ops, other);
          ASSERT_TRUE(map.ok()) << "seed " << seed << ": " << map.status();
          if (absl::IsResourceExhausted(again.status())) continue;
          ASSERT_TRUE(again.ok()) << "seed " << seed << ": " << again.status();
          asText += isText(other.handover);
          if (*map == *again || ++differing > 3) continue;
          ADD_FAILURE() << "seed " << seed << ":\n"
                        << textOf(ops) << nameOf(way) << " is\n"
                        << map->str() << "\nand " << nameOf(other) << "\n"
                        << again->str();
        }
      });
  EXPECT_EQ(differing, 0);
  EXPECT_GT(asText, 0);
}

// The rules of normal_form.md by which orders of composition meet.
TEST(Mixtures, FormsOfTheirRules) {
  const struct {
    const char *given, *simple;
  } cases[] = {
      {"(d0, d1) -> (0, d0 * 2 + d1 - 1), domain: d0 in [0, 1], d1 in [0, 1], "
       "d0 * 2 + d1 in [1, 2]",
       "(d0, d1) -> (0, d0), domain: d0 in [0, 1], d1 in [0, 1], d0 * 2 + d1 "
       "in [1, 2]"},
      {"(d0, d1)[s0] -> ((d0 * 2 + d1 + s0) mod 4), domain: d0 in [0, 1], d1 "
       "in [0, 1], s0 in [0, 1], d1 + s0 in [0, 1]",
       "(d0, d1)[s0] -> (d0 * 2 + d1 + s0), domain: d0 in [0, 1], d1 in [0, "
       "1], s0 in [0, 1], d1 + s0 in [0, 1]"},
      {"(d0, d1) -> (d0), domain: d0 in [0, 5], d1 in [0, 6], (d0 * 4 + d1 * "
       "2) mod 5 in [1, 1]",
       "(d0, d1) -> (d0), domain: d0 in [0, 5], d1 in [0, 6], (d0 * 2 + d1) "
       "mod 5 in [3, 3]"},
      {"(d0, d1) -> (d0), domain: d0 in [0, 5], d1 in [0, 2], (d0 * 3 + d1) "
       "mod 2 in [0, 0], ((d0 * 3 + d1) floordiv 2) mod 2 in [0, 0]",
       "(d0, d1) -> (d0), domain: d0 in [0, 5], d1 in [0, 2], (d0 * 3 + d1) "
       "mod 4 in [0, 0]"},
      {"(d0, d1) -> (d0), domain: d0 in [0, 5], d1 in [0, 3], (d0 * 4 + d1) "
       "mod 6 in [1, 1]",
       "(d0, d1) -> (d0), domain: d0 in [0, 4], d1 in [1, 3], (d0 * 4 + d1) "
       "mod 6 in [1, 1]"},
      {"(d0, d1) -> ((d0 * 4 + d1) floordiv 3), domain: d0 in [0, 5], d1 in "
       "[0, 3], (d0 + d1) mod 3 in [1, 1]",
       "(d0, d1) -> ((d0 * 4 + d1 + 2) floordiv 3 - 1), domain: d0 in [0, 5], "
       "d1 in [0, 3], (d0 + d1) mod 3 in [1, 1]"},
      {"(d0, d1) -> ((d0 * 4 + d1 * 2) floordiv 3), domain: d0 in [0, 5], d1 "
       "in [0, 3], (d0 * 2 + d1) mod 3 in [0, 0]",
       "(d0, d1) -> (((d0 * 2 + d1) floordiv 3) * 2), domain: d0 in [0, 5], d1 "
       "in [0, 3], (d0 * 2 + d1) mod 3 in [0, 0]"},
  };
  for (const auto &[given, simple] : cases)
    EXPECT_EQ(simplify(*parseMap(given))->strOneLine(), simple);
}

/// Whether the map reads what the ops read, at some of the indices.
bool readsWhatOpsRead(const IndexingMap &map, llvm::ArrayRef<ChainOp> ops,
                      Random &random) {
  for (int i = 0; i < 8; ++i) {
    IndexingMap::Point point;
    for (int64_t size : ops.front().from)
      point.dimensions.push_back(random.in(0, size - 1));
    const auto expected = at(ops, point.dimensions);
    const bool holds = !map.isKnownEmpty() && map.contains(point);
    if (holds != expected.has_value() ||
        (holds && map.evaluate(point) != *expected))
      return false;
  }
  return true;
}

TEST(Mixtures, ReadWhatOpsReadInAnyOrder) {
  ChainOptions options;
  options.variables = false;
  int64_t chains = 0, differing = 0, wrong = 0;
  forMixtures(
      1000, options,
      [&](uint64_t seed, llvm::ArrayRef<ChainOp> ops, Random &random) {
        const auto left = composedBy(ops, {});
        ASSERT_TRUE(left.ok()) << "seed " << seed << ": " << left.status();
        bool differs = false;
        differs |= madeAnew(*left) != left;
        for (Way way : kWays) {
          if (isText(way.handover)) continue;
          const auto map = composedBy(ops, way);
          ASSERT_TRUE(map.ok()) << "seed " << seed << ": " << map.status();
          differs |= *map != *left;
          if (readsWhatOpsRead(*map, ops, random) || ++wrong > 3) continue;
          ADD_FAILURE() << "seed " << seed << ", " << nameOf(way) << ":\n"
                        << textOf(ops) << map->str();
        }
        differing += differs;
        ++chains;
      });
  EXPECT_EQ(wrong, 0);
  // normal_form.md has what is left: fewer than two in a hundred.
  EXPECT_LE(differing, chains / 40 + 1);
}

}  // namespace
}  // namespace indexical::testing
