// What ends the work of a thread, with no budget handed on.
#include "indexical/indexing/stop_scope.h"

#include <atomic>
#include <chrono>
#include <string>

#include "gtest/gtest.h"

#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/map_text.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

/// min(max(min(…))) of two dimensions, so many levels deep, as a constraint.
std::string nested(int levels) {
  std::string text = "d0";
  for (int k = 0; k < levels; ++k)
    text = std::string(k % 2 ? "min(" : "max(") + text + ", d" +
           std::to_string((k + 1) % 2) + (k / 2 % 2 ? " - " : " + ") +
           std::to_string(k / 2) + ")";
  return "(d0, d1, d2) -> (" + text +
         "), domain: d0 in [-1000, 99999], d1 in [-1000, 99999], d2 in "
         "[-2000, 200000], " +
         text + " - d2 in [0, 0]";
}

IndexingMap mapOf(const std::string &text) {
  auto map = parseMap(text);
  EXPECT_TRUE(map.ok()) << map.status();
  return *std::move(map);
}

TEST(StopScopeTest, ScopesEnd) {
  Stop reached, open;
  reached.ask();
  EXPECT_EQ(StopScope::current(), nullptr);
  EXPECT_FALSE(StopScope::isReached());
  {
    const StopScope scope(&reached);
    EXPECT_TRUE(StopScope::isReached());
    EXPECT_FALSE(StopScope::check().ok());
    {
      // None of its own: the scope around it goes on.
      const StopScope none(nullptr);
      EXPECT_TRUE(StopScope::isReached());
      const StopScope other(&open);
      EXPECT_FALSE(StopScope::isReached());
      EXPECT_TRUE(StopScope::check().ok());
    }
    EXPECT_EQ(StopScope::current(), &reached);
    EXPECT_TRUE(StopScope::isReached());
  }
  EXPECT_FALSE(StopScope::isReached());
}

TEST(StopScopeTest, OtherThreadsOfTheWorkHaveTheScope) {
  Stop reached;
  reached.ask();
  const StopScope scope(&reached);
  int stopped = 0;
  withDeepStack([&] { stopped += StopScope::isReached(); });
  EXPECT_EQ(stopped, 1);
  std::atomic<int> workers{0};
  inParallel(3, 9, [&](size_t, size_t) { workers += StopScope::isReached(); });
  EXPECT_EQ(workers, 9);
}

// Wherever simplification is ended, the result is the error or the map.
TEST(StopScopeTest, AnErrorOrTheMap) {
  for (const std::string &text :
       {nested(3), nested(5),
        std::string("(d0, d1) -> ((d0 * 8 + d1) mod 12), domain: d0 in [0, "
                    "30], d1 in [0, 7], d0 * 8 + d1 in [3, 99], d0 mod 3 in "
                    "[1, 2]")}) {
    const IndexingMap map = mapOf(text);
    const auto whole = simplify(map);
    ASSERT_TRUE(whole.ok()) << whole.status();
    int64_t errors = 0;
    bool isWhole = false;
    for (int64_t polls = 1; !isWhole && polls < 100000;
         polls += 1 + polls / 8) {
      Stop stop;
      stop.endAtPoll(polls);
      const StopScope scope(&stop);
      const auto found = simplify(map);
      if (found.ok()) {
        EXPECT_EQ(*found, *whole) << "ended at poll " << polls;
        isWhole = polls > 1;
      } else {
        EXPECT_EQ(found.status(), stop.status());
        ++errors;
      }
    }
    EXPECT_TRUE(isWhole);
    EXPECT_GT(errors, 0) << text;
  }
}

// This one takes seconds.
TEST(StopScopeTest, NestedMinimaEnd) {
  const IndexingMap map = mapOf(nested(16));
  Stop stop;
  stop.endAfter(std::chrono::milliseconds(50));
  const StopScope scope(&stop);
  const auto begin = std::chrono::steady_clock::now();
  const auto found = simplify(map);
  const std::chrono::duration<double> time =
      std::chrono::steady_clock::now() - begin;
  EXPECT_TRUE(found.ok() || absl::IsDeadlineExceeded(found.status()));
  EXPECT_LT(time.count(), 20);
}

}  // namespace
}  // namespace indexical
