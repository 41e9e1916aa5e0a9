// What sizes say, in text (simplifier/sizes.h): facts that are true and must be
// shown, facts that are one small change away and must not be, and those of
// shared/ beside INDEXICAL_CORPUS.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/Support/JSON.h"

#include "indexical/simplifier/sizes.h"

namespace indexical::testing {
namespace {

using Texts = std::vector<std::string>;

struct Fact {
  Texts givens;
  std::string claim;
};

/// Returns the time of the processor that this thread has had.
double microsecondsSoFar() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 +
         static_cast<double>(now.tv_nsec) / 1e3;
}

/// Returns why the claim is not shown, or an empty text.
std::string whyNotShown(const Fact &fact, double *microseconds = nullptr) {
  const double start = microsecondsSoFar();
  const auto answer = sizes::follows(fact.givens, fact.claim);
  if (microseconds) *microseconds = microsecondsSoFar() - start;
  if (!answer.ok()) return std::string(answer.status().message());
  return answer->follows ? "" : "not shown";
}

std::string textOf(const Fact &fact) {
  std::string text;
  for (const std::string &given : fact.givens) text += given + ", ";
  return text + "=> " + fact.claim;
}

/// Returns the fact with sizes a, b, c, n and m of at least 1, and indices x, y
/// and z of at least 0.
Fact ofSizes(Fact fact) {
  for (const char *size : {"a", "b", "c", "n", "m"})
    fact.givens.push_back(std::string(size) + " >= 1");
  for (const char *index : {"x", "y", "z"})
    fact.givens.push_back(std::string(index) + " >= 0");
  return fact;
}

TEST(SizeFacts, AreShown) {
  const Fact facts[] = {
      // Products, quotients and remainders.
      {{}, "b >= b mod 3"},
      {{}, "a - b mod a >= 1"},
      {{}, "b mod a >= 0"},
      {{}, "b >= b mod c"},
      {{}, "a * b >= a"},
      {{}, "a floordiv b >= 0"},
      {{}, "2 * (b floordiv 2) <= b"},
      {{}, "a * a >= a"},
      {{}, "4 * a - a >= 0"},
      {{"b >= 8", "a - b >= 8"}, "a >= 16"},
      {{"b >= 8", "a - b >= 8"}, "a + b >= 24"},
      {{}, "a - (a floordiv 4) * 4 >= 0"},
      {{}, "a - (a floordiv b) * b >= 0"},
      {{}, "a - a floordiv b >= 0"},
      {{}, "(a * b) mod a == 0"},
      {{}, "b - a mod b >= 1"},
      {{"a - b * 8 <= -1"}, "a floordiv b <= 7"},
      {{"a < b * c"}, "a floordiv b < c"},
      {{"a < b"}, "a mod b == a"},
      {{}, "(a + b) floordiv 2 >= 1"},
      {{"a - b * 2 >= 0"}, "a floordiv b >= 2"},
      {{}, "a - (a - 1) floordiv 2 - 1 >= 0"},
      {{"a >= 2"}, "(a - 1) floordiv 2 + 1 >= 1"},
      {{}, "((a + 3) floordiv 4) * 4 - a in [0, 3]"},
      {{}, "((a + b - 1) floordiv b) * b - a >= 0"},
      // Radixes.
      {{"x < a", "y < b"}, "x * b + y < a * b"},
      {{"x < a", "y < b", "z < c"}, "(x * b + y) * c + z < a * b * c"},
      {{"x < a", "y < b"}, "(x * b + y) mod b == y"},
      {{"x < a", "y < b"}, "(a * b - 1 - x * b - y) mod b == b - 1 - y"},
      {{"x < a * b"}, "(x floordiv b) mod a == x floordiv b"},
      {{"x < n * m", "y == x floordiv m"}, "y < n"},
      // Tiles.
      {{"x < n ceildiv m", "y < m"}, "x * m + y < n + m"},
      {{"x < n ceildiv m"}, "min(m, n - x * m) >= 1"},
      {{"x < n floordiv m", "y < m"}, "x * m + y < n"},
      {{"n mod m == 0", "x < n", "y == x floordiv m"}, "y < n floordiv m"},
      {{}, "max(a, b) * min(a, b) == a * b"},
      // Divisibility.
      {{"n mod 32 == 0"}, "n mod 8 == 0"},
      {{"n mod 8 == 0", "m mod 8 == 0"}, "(n * a + m * b) mod 8 == 0"},
      {{"n == 12 * m"}, "(n floordiv 4) mod 3 == 0"},
      {{"18 * a == 4 * b"}, "b mod 9 == 0"},
      {{"6 * a == 4 * b + 2"}, "b mod 3 == 1"},
      // Quotients of quotients, and common factors.
      {{}, "(x floordiv a) floordiv b == x floordiv (a * b)"},
      {{}, "(x * n) floordiv (n * m) == x floordiv m"},
      {{}, "((x floordiv 3) + 5) floordiv a == (x + 15) floordiv (3 * a)"},
      // Nothing has such sizes.
      {{"a < b", "b < a"}, "a == 7"},
      {{"x < a * b", "x >= a * b"}, "x == a"},
  };
  for (const Fact &fact : facts) {
    EXPECT_EQ(whyNotShown(ofSizes(fact)), "") << textOf(fact);
  }
}

/// Each is one small change away from a fact that is true.
TEST(SizeFacts, AreNotShown) {
  const Fact facts[] = {
      {{}, "a * b >= a + 1"},
      {{}, "a mod b <= b - 2"},
      {{}, "a floordiv b >= 1"},
      {{"a <= b * c"}, "a floordiv b < c"},
      {{"a <= b"}, "a mod b == a"},
      {{"x < a", "y <= b"}, "x * b + y < a * b"},
      {{"x < a", "y < c"}, "x * b + y < a * b"},
      {{"x <= n ceildiv m"}, "n - x * m >= 1"},
      {{"n mod 12 == 0"}, "n mod 8 == 0"},
      {{}, "(x floordiv a) floordiv b == x floordiv (a + b)"},
      {{}, "a == b"},
      {{}, "2 * a <= a * a"},
      {{"18 * a == 4 * b"}, "b mod 18 == 0"},
      {{}, "u * n >= u"},  // u may be negative
      {{}, "u floordiv n <= u"},
      {{"u * n >= 0"}, "u >= 1"},
      {{"v * v == 4"}, "v == 2"},
  };
  for (const Fact &fact : facts) {
    EXPECT_EQ(whyNotShown(ofSizes(fact)), "not shown") << textOf(fact);
  }
}

TEST(SizeFacts, CertificatesAreInWords) {
  const auto answer =
      sizes::follows({"b >= 1", "a < b * c"}, "a floordiv b < c");
  ASSERT_TRUE(answer.ok());
  EXPECT_TRUE(answer->follows);
  EXPECT_GE(answer->certificate.size(), 3u);
  EXPECT_EQ(answer->certificate.back(), "the sum is a negative number");
  const auto none = sizes::follows({"b >= 1"}, "a floordiv b < c");
  ASSERT_TRUE(none.ok());
  EXPECT_FALSE(none->follows);
  EXPECT_TRUE(none->certificate.empty());
}

TEST(SizeFacts, MistakesAreErrors) {
  auto errorOf = [](const Texts &givens, const std::string &claim) {
    return std::string(sizes::follows(givens, claim).status().message());
  };
  EXPECT_EQ(errorOf({}, "a"),
            "'a': expected one of <, <=, ==, >=, > between two expressions");
  EXPECT_NE(errorOf({}, "a < b < c"), "");
  EXPECT_NE(errorOf({}, "a <"), "");
  EXPECT_NE(errorOf({}, "min(a) < 3"), "");
  EXPECT_NE(errorOf({"a =! 3"}, "a < 3"), "");
  EXPECT_NE(errorOf({}, "a floordiv 0 < 3"), "");
  EXPECT_NE(errorOf({}, "a floordiv n < 3"), "");  // n may be 0
  EXPECT_NE(errorOf({}, ""), "");
  EXPECT_NE(errorOf({}, "99999999999999999999 < a"), "");
  EXPECT_EQ(errorOf({}, "1 < 2"), "");
}

/// Returns the lines of a file of shared/, or nothing if there is none.
std::vector<llvm::json::Object> sharedLines(const std::string &name) {
  std::vector<llvm::json::Object> lines;
  const char *corpus = std::getenv("INDEXICAL_CORPUS");
  if (!corpus) return lines;
  std::ifstream file(std::filesystem::path(corpus).parent_path() / name);
  for (std::string line; std::getline(file, line);)
    if (auto value = llvm::json::parse(line))
      lines.push_back(*value->getAsObject());
    else
      llvm::consumeError(value.takeError());
  return lines;
}

TEST(SizeFacts, OfShared) {
  const auto lines = sharedLines("size_facts.jsonl");
  if (lines.empty())
    GTEST_SKIP() << "there is no size_facts.jsonl beside INDEXICAL_CORPUS";
  size_t truths = 0, shown = 0;
  std::vector<double> times;
  for (const llvm::json::Object &line : lines) {
    const auto claim = line.getString("claim");
    if (!claim) continue;
    Fact fact{{}, claim->str()};
    for (const auto &[name, least] : *line.getObject("sizes"))
      if (const auto number = least.getAsInteger())
        fact.givens.push_back(name.str() + " >= " + std::to_string(*number));
    for (const llvm::json::Value &given : *line.getArray("given"))
      fact.givens.push_back(given.getAsString()->str());
    double time = 0;
    const std::string why = whyNotShown(fact, &time);
    if (*line.getBoolean("true")) {
      ++truths;
      shown += why.empty();
      if (why.empty()) times.push_back(time);
      if (!why.empty())
        std::printf("%s: %s: %s\n", line.getString("id")->str().c_str(),
                    why.c_str(), textOf(fact).c_str());
    } else {
      EXPECT_EQ(why, "not shown") << textOf(fact);
    }
  }
  std::sort(times.begin(), times.end());
  std::printf(
      "%zu of %zu true facts shown; 90%% of them below %.0f us, all "
      "below %.0f us\n",
      shown, truths, times[times.size() * 9 / 10], times.back());
  EXPECT_GE(shown * 100, truths * 95);
}

}  // namespace
}  // namespace indexical::testing
