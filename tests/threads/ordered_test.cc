// Steps on several threads are taken in their order, each made once by the
// worker who owns it.

#include "indexical/answers/ordered.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace indexical {
namespace {

constexpr size_t kWindow = 2048;
constexpr uint32_t kMostWorkers = 5;

/// Owners of `steps` steps: alone, in runs, or all one.
std::vector<uint32_t> ownersOf(std::mt19937 &random, size_t steps,
                               uint32_t workers) {
  const size_t longest = std::vector<size_t>{1, 7, 300, 5000}[random() % 4];
  std::vector<uint32_t> owners;
  while (owners.size() < steps) {
    const uint32_t owner = random() % workers;
    for (size_t n = 1 + random() % longest; n > 0 && owners.size() < steps; --n)
      owners.push_back(owner);
  }
  return owners;
}

/// Runs the steps, of which `enough` are wanted.
void expectInOrder(llvm::ArrayRef<uint32_t> owners, size_t enough) {
  std::vector<std::atomic<int>> made(owners.size());
  std::vector<size_t> lastOf(kMostWorkers, 0);
  std::atomic<size_t> taken = 0;
  std::atomic<bool> isFarAhead = false, isOutOfOrder = false;
  std::vector<size_t> order;
  inOrder<std::unique_ptr<std::string>>(
      owners,
      [&](size_t worker, size_t step) {
        if (worker != owners[step] || step < lastOf[worker])
          isOutOfOrder = true;
        lastOf[worker] = step;
        ++made[step];
        // One run is being taken, and one may begin at the window's end.
        if (step > taken + kWindow + 2 * kLongestRun) isFarAhead = true;
        return std::make_unique<std::string>(std::to_string(step));
      },
      [&](size_t step, std::unique_ptr<std::string> text) {
        EXPECT_EQ(*text, std::to_string(step));
        order.push_back(step);
        taken = step + 1;
        return order.size() < enough;
      });
  EXPECT_FALSE(isOutOfOrder);
  EXPECT_FALSE(isFarAhead);
  const size_t wanted = std::min(std::max<size_t>(enough, 1), owners.size());
  ASSERT_EQ(order.size(), wanted);
  for (size_t i = 0; i < wanted; ++i) {
    EXPECT_EQ(order[i], i);
    EXPECT_EQ(made[i], 1);
  }
  for (const std::atomic<int> &count : made) EXPECT_LE(count, 1);
}

TEST(OrderedTest, TakesEveryStepOnce) {
  std::mt19937 random(1);
  for (int i = 0; i < 60; ++i) {
    SCOPED_TRACE(i);
    const uint32_t workers = 1 + random() % kMostWorkers;
    const size_t steps = random() % (i % 4 == 0 ? 20'000 : 700);
    expectInOrder(ownersOf(random, steps, workers), steps);
  }
}

TEST(OrderedTest, EndsWhereNoMoreIsWanted) {
  std::mt19937 random(2);
  for (int i = 0; i < 60; ++i) {
    SCOPED_TRACE(i);
    const size_t steps = 1 + random() % 10'000;
    expectInOrder(ownersOf(random, steps, 1 + random() % kMostWorkers),
                  random() % (steps + 1));
  }
}

TEST(OrderedTest, HasNothingToDo) {
  expectInOrder({}, 0);
  expectInOrder({0}, 1);
}

/// Every worker has some of the steps, even if there are few.
TEST(OrderedTest, RunsLeaveWorkForAll) {
  for (const size_t jobs : {1u, 2u, 3u, 16u, 100u})
    for (const size_t steps : {1u, 200u, 3'000u, 1'000'000u}) {
      const size_t length = runLength(steps, jobs);
      EXPECT_GE(length, 1u);
      EXPECT_LE(length, kLongestRun);
      EXPECT_GE((steps + length - 1) / length, std::min(steps, jobs));
    }
}

}  // namespace
}  // namespace indexical
