#include "indexical/indexing/budget.h"

#include <chrono>
#include <memory>
#include <vector>

#include "gtest/gtest.h"

namespace indexical {
namespace {

TEST(Meter, SpendsWhatThereIsAndNoMore) {
  Meter meter(10);
  EXPECT_TRUE(meter.spend(7));
  EXPECT_TRUE(meter.spend(3));
  EXPECT_FALSE(meter.spend(1));
  // For good.
  EXPECT_FALSE(meter.spend(0));
}

TEST(Meter, TakesTheBudgetsOperationsOrTheUsualOnes) {
  Budget budget;
  EXPECT_EQ(Meter(budget, 5).left(), 5);
  budget.operations = 8;
  EXPECT_EQ(Meter(budget, 5).left(), 8);
}

TEST(Meter, EndsWithinSomeOperationsOfAStop) {
  Stop stop;
  Meter meter(1'000'000, &stop);
  EXPECT_TRUE(meter.spend(100'000));
  stop.ask();
  int64_t more = 0;
  while (meter.spend(1)) ++more;
  EXPECT_LE(more, 4096);
}

TEST(Stop, NamesItsCause) {
  Stop none;
  EXPECT_FALSE(none.isReached());
  EXPECT_TRUE(none.status().ok());

  Stop asked;
  asked.ask();
  EXPECT_TRUE(asked.isReached());
  EXPECT_TRUE(absl::IsCancelled(asked.status()));

  Stop late;
  late.endAfter(std::chrono::seconds(0));
  EXPECT_TRUE(late.isReached());
  EXPECT_TRUE(absl::IsDeadlineExceeded(late.status()));
  // The first cause is the one.
  late.ask();
  EXPECT_TRUE(absl::IsDeadlineExceeded(late.status()));

  Stop early;
  early.endAfter(std::chrono::hours(1));
  EXPECT_FALSE(early.isReached());
}

TEST(Stop, IsReachedWhereTheHeapIsLarger) {
  Stop stop;
  stop.limitMemory(64 << 20);
  EXPECT_FALSE(stop.isReached());
  std::vector<std::unique_ptr<char[]>> heap;
  for (int i = 0; i < 1024; ++i)
    heap.push_back(std::make_unique<char[]>(100'000));
  EXPECT_TRUE(stop.isReached());
  EXPECT_TRUE(absl::IsResourceExhausted(stop.status()));
}

TEST(Stop, IsReachedAtAPoll) {
  Stop stop;
  stop.endAtPoll(3);
  EXPECT_FALSE(stop.isReached());
  EXPECT_FALSE(stop.isReached());
  EXPECT_TRUE(stop.isReached());
  EXPECT_TRUE(stop.isReached());
}

}  // namespace
}  // namespace indexical
