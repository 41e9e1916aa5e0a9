// Lanes that wait for each other in shared memory.
#include "indexical/cost/memory/bank_conflicts.h"

#include <string>

#include "gtest/gtest.h"

#include "indexical/indexing/map_text.h"

namespace indexical {
namespace {

int64_t conflicts(const std::string &to, int64_t bits,
                  const std::string &more = "") {
  auto maps = parseMaps(
      "(th_x, th_y, th_z, bl_x, bl_y, bl_z)[s0] -> (" + to +
      "), domain: th_x in [0, 127], th_y in [0, 0], th_z in [0, 0], bl_x in "
      "[0, 99], bl_y in [0, 0], bl_z in [0, 0], s0 in [0, 3]" +
      more);
  EXPECT_TRUE(maps.ok()) << maps.status().message();
  return bankConflicts(maps->front(), bits).value_or(-1);
}

TEST(BankConflicts, AreDifferentWordsOfOneBank) {
  // Along a row, down a column of 32, and of 33.
  EXPECT_EQ(conflicts("th_x + s0 * 128", 32), 1);
  EXPECT_EQ(conflicts("(th_x mod 32) * 32 + th_x floordiv 32", 32), 32);
  EXPECT_EQ(conflicts("(th_x mod 32) * 33 + th_x floordiv 32", 32), 1);
  // One word for all, and every second bank.
  EXPECT_EQ(conflicts("s0", 32), 1);
  EXPECT_EQ(conflicts("th_x * 2", 32), 2);
  EXPECT_EQ(conflicts("th_x * 2 + s0 * 31", 32), 2);
}

TEST(BankConflicts, CountWordsAndNotElements) {
  // Four bytes to a word. Two words to an element: 16 lanes ask at once.
  EXPECT_EQ(conflicts("th_x", 8), 1);
  EXPECT_EQ(conflicts("(th_x mod 32) * 32", 8), 8);
  EXPECT_EQ(conflicts("th_x", 64), 1);
  EXPECT_EQ(conflicts("th_x * 2", 64), 2);
  EXPECT_EQ(conflicts("(th_x mod 32) * 16", 64), 16);
  EXPECT_EQ(conflicts("th_x floordiv 32", 64), 1);
}

TEST(BankConflicts, OnlyActiveLanesAsk) {
  EXPECT_EQ(conflicts("th_x * 32", 32, ", th_x mod 32 in [0, 3]"), 4);
  EXPECT_EQ(conflicts("th_x * 32", 32, ", th_x mod 32 in [0, 0]"), 1);
}

TEST(BankConflicts, ATileHasTheWorseOfBoth) {
  SharedTile tile;
  tile.shape = ArrayShape(ElementType::F32, {32, 32});
  auto maps = parseMaps(
      "(a, b, c, d, e, f) -> (a), domain: a in [0, 31], b in "
      "[0, 0], c in [0, 0], d in [0, 0], e in [0, 0], f in "
      "[0, 0]");
  ASSERT_TRUE(maps.ok());
  tile.written = tile.read = maps->front();
  EXPECT_EQ(bankConflicts(tile), 1);
  maps = parseMaps(
      "(a, b, c, d, e, f) -> (a * 16), domain: a in [0, 31], b in "
      "[0, 0], c in [0, 0], d in [0, 0], e in [0, 0], f in "
      "[0, 0]");
  ASSERT_TRUE(maps.ok());
  tile.read = maps->front();
  EXPECT_EQ(bankConflicts(tile), 16);
}

}  // namespace
}  // namespace indexical
