#include "indexical/same/values/index_tables.h"

#include <vector>

#include "gtest/gtest.h"

#include "tests/support/random.h"

namespace indexical {
namespace {

using Table = std::vector<int64_t>;

/// Whether the parts are disjoint, cover the table, and give its values.
void check(const Table &table, const std::vector<TablePart> &parts) {
  for (size_t k = 0; k < table.size(); ++k) {
    int holds = 0;
    for (const TablePart &part : parts) {
      if (!part.values.contains(part.digit.of(k))) continue;
      ++holds;
      EXPECT_EQ(part.sum.of(k), table[k]) << "entry " << k;
      IndexingMapBuilder b;
      const Expr at = b.constant(k);
      EXPECT_EQ(b.valueOf(part.sum.of(at, table.size())), table[k]);
      EXPECT_EQ(b.valueOf(part.digit.of(at, table.size())), part.digit.of(k));
    }
    EXPECT_EQ(holds, 1) << "entry " << k;
  }
}

size_t partsOf(const Table &table) {
  const auto parts = tablePartsOf(table, 64);
  EXPECT_TRUE(parts);
  if (!parts) return 0;
  check(table, *parts);
  return parts->size();
}

TEST(IndexTablesTest, FewParts) {
  EXPECT_EQ(partsOf({5}), 1u);
  EXPECT_EQ(partsOf({0, 2, 4, 6}), 1u);
  EXPECT_EQ(partsOf({0, 0, 8, 8, 1, 1, 9, 9}), 1u);
  EXPECT_EQ(partsOf({3, 3, 3, 3}), 1u);
  EXPECT_EQ(partsOf({0, 4, 2, 6, 1, 5, 3, 7}), 1u);
  // A ring, and one in each half.
  EXPECT_EQ(partsOf({3, 0, 1, 2}), 2u);
  EXPECT_EQ(partsOf({3, 0, 1, 2, 7, 4, 5, 6}), 2u);
  EXPECT_EQ(partsOf({1, 2, 3, 4, 4, 4, 4, 4}), 2u);
  EXPECT_FALSE(tablePartsOf({}, 64));
  EXPECT_FALSE(tablePartsOf({0, int64_t{1} << 50}, 64));
  EXPECT_FALSE(tablePartsOf({0, 5, 1, 7, 2}, 1));
}

TEST(IndexTablesTest, AnyTable) {
  const uint64_t instances =
      testing::fromEnvironment("INDEXICAL_INDEX_TABLES", 3'000);
  const uint64_t seed = testing::fromEnvironment("INDEXICAL_SEED", 1);
  for (uint64_t i = seed; i < seed + instances; ++i) {
    SCOPED_TRACE("INDEXICAL_SEED=" + std::to_string(i));
    testing::Random random(i);
    // Digits with multiples, and a few entries that are others.
    Table table = {random.in(-5, 5)};
    for (int64_t digits = random.in(0, 3); digits > 0; --digits) {
      const int64_t size = random.in(2, 4), by = random.in(-6, 6);
      const Table inner = table;
      for (int64_t d = 1; d < size; ++d)
        for (int64_t entry : inner) table.push_back(entry + d * by);
    }
    const bool isSum = !random.oneIn(2);
    if (!isSum)
      for (int64_t k = random.in(1, 3); k > 0; --k)
        table[random.in(0, table.size() - 1)] = random.in(-9, 9);
    const size_t parts = partsOf(table);
    if (isSum) {
      EXPECT_EQ(parts, 1u);
    }
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace indexical
