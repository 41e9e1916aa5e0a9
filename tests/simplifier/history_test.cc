// The form of a product depends on the maps, not on how they came to be.
//
// Random chains of every family are composed step by step. At each step the map
// so far, and the step, are composed as they are, made anew from their pieces,
// and printed and read again: the products are the same form.
//
//   INDEXICAL_HISTORIES=2500        2,500 times as many chains: 100,000
//   INDEXICAL_HISTORIES_SEED=n      beginning with this one
#include <string>

#include "gtest/gtest.h"

#include "indexical/indexing/map_text.h"
#include "indexical/indexing/transforms.h"
#include "indexical/simplifier/simplify.h"
#include "tests/simplifier/chains.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

/// Without what a map knows of itself beside its expressions.
absl::StatusOr<IndexingMap> madeAnew(const IndexingMap &map) {
  if (map.isKnownEmpty()) return map;
  auto copy = withBody(map, [](IndexingMapBuilder &, MapBody &) {});
  return copy.ok() ? simplify(*copy) : copy;
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

}  // namespace
}  // namespace indexical::testing
