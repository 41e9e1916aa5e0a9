// A stop never alters an answer: stopped at any of its polls, a question gives
// an error or what it gives without a stop.
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "gtest/gtest.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/exact/exact.h"
#include "indexical/indexing/map_text.h"
#include "indexical/simplifier/simplify.h"
#include "tests/exact/random_relations.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

/// Returns the answer to a question in words, which differ if answers differ.
using Ask = std::function<absl::StatusOr<std::string>(const RelationPair &,
                                                      const ExactOptions &)>;

std::string inWords(const Decision &decision) {
  std::string words =
      std::to_string(static_cast<int>(decision.answer)) + " " + decision.reason;
  if (decision.witness)
    for (const auto *values :
         {&decision.witness->index, &decision.witness->element})
      for (int64_t value : *values) words += " " + std::to_string(value);
  return words;
}

template <typename T>
absl::StatusOr<std::string> inWords(const absl::StatusOr<T> &answer) {
  if (!answer.ok()) return answer.status();
  if constexpr (std::is_same_v<T, Decision>) {
    return inWords(*answer);
  } else if constexpr (std::is_same_v<T, Count>) {
    if (!answer->value) return answer->reason;
    std::string number;
    llvm::raw_string_ostream(number) << *answer->value;
    return number;
  } else {
    std::string pieces = std::to_string(static_cast<int>(answer->precision()));
    for (const IndexingMap &piece : answer->pieces())
      pieces += "\n" + piece.str();
    return pieces;
  }
}

struct Question {
  const char *name;
  Ask ask;
};

const Question kQuestions[] = {
    {"areEqual",
     [](const RelationPair &pair, const ExactOptions &options) {
       return inWords(areEqual(pair.first, pair.second, options));
     }},
    {"isSubset",
     [](const RelationPair &pair, const ExactOptions &options) {
       return inWords(isSubset(pair.first, pair.second, options));
     }},
    {"areDisjoint",
     [](const RelationPair &pair, const ExactOptions &options) {
       return inWords(areDisjoint(pair.first, pair.second, options));
     }},
    {"isInjective",
     [](const RelationPair &pair, const ExactOptions &options) {
       return inWords(isInjective(pair.first, options));
     }},
    {"difference",
     [](const RelationPair &pair, const ExactOptions &options) {
       return inWords(difference(pair.first, pair.second, options));
     }},
    {"countImage",
     [](const RelationPair &pair, const ExactOptions &options) {
       return inWords(countImage(pair.first.pieces().front(), {}, options));
     }},
};

/// How many calls of one question were stopped, and how many answered.
struct Tally {
  int64_t stopped = 0, answered = 0;
};

void stopEverywhere(const Question &question, const RelationPair &pair,
                    Tally &tally) {
  ExactOptions options;
  // Few operations: answers are undecided too, and must stay so.
  options.operations = 200'000;
  const auto whole = question.ask(pair, options);
  ASSERT_TRUE(whole.ok()) << whole.status();
  constexpr int64_t kMostPolls = 6;
  for (int64_t poll = 1; poll <= kMostPolls; ++poll) {
    Stop stop;
    stop.endAtPoll(poll);
    options.stop = &stop;
    const auto answer = question.ask(pair, options);
    if (answer.ok()) {
      EXPECT_EQ(*answer, *whole) << "stopped at poll " << poll;
      ++tally.answered;
      if (!stop.isReached()) return;
    } else {
      EXPECT_TRUE(absl::IsCancelled(answer.status())) << answer.status();
      ++tally.stopped;
    }
  }
}

TEST(Stop, NeverAltersAnAnswer) {
  const int64_t count = fromEnvironment("INDEXICAL_EXACT_MAPS", 300);
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  for (const Question &question : kQuestions) {
    Tally tally;
    for (uint64_t seed = first; seed < first + count; ++seed) {
      Random random(seed);
      const RelationPair pair = randomRelations(random);
      if (pair.first.isEmpty()) continue;
      SCOPED_TRACE(std::string(question.name) + ", seed " +
                   std::to_string(seed));
      stopEverywhere(question, pair, tally);
      if (::testing::Test::HasFailure()) return;
    }
    printf("  %s: stopped %ld, answered %ld\n", question.name, tally.stopped,
           tally.answered);
    EXPECT_GT(tally.stopped, 0) << question.name;
  }
}

// isl asks no stop by itself, and has operations for weeks here: which of 40
// large numbers have that sum?
TEST(Stop, EndsWhatIslIsAt) {
  if (!hasIsl()) GTEST_SKIP();
  std::string names, bounds, sum;
  int64_t number = 1;
  for (int i = 0; i < 40; ++i) {
    const std::string name = "d" + std::to_string(i);
    number = number * 48271 % 2147483647;
    names += (i ? ", " : "") + name;
    bounds += name + " in [0, 1], ";
    sum += (i ? " + " : "") + name + " * " + std::to_string(2 * number);
  }
  const auto map = parseMap("(" + names + ") -> (d0), domain: " + bounds + sum +
                            " in [40000000000, 40000000000]");
  ASSERT_TRUE(map.ok()) << map.status();
  Stop stop;
  stop.endAfter(std::chrono::milliseconds(100));
  ExactOptions options;
  options.closedForm = options.enumeration = false;
  options.operations = int64_t{1} << 60;
  options.stop = &stop;
  const auto decision = isEmpty(IndexingRelation(*map), options);
  EXPECT_TRUE(absl::IsDeadlineExceeded(decision.status())) << decision.status();
}

TEST(Stop, EndsSimplificationThatAsksAProver) {
  auto map = simplify(IndexingMap());
  ASSERT_TRUE(map.ok());
  Stop stop;
  stop.ask();
  SimplifyOptions options;
  options.budget.stop = &stop;
  EXPECT_TRUE(absl::IsCancelled(simplify(*map, options).status()));
}

}  // namespace
}  // namespace indexical::testing
