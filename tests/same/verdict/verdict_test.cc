// Verdicts and checks: each answer has its own words, a verdict that is settled
// keeps nothing of the weaker one before it, and the worse of two checks stays.

#include "indexical/same/verdict/verdict.h"

#include <set>
#include <string>

#include "gtest/gtest.h"

#include "indexical/program/check/check.h"

namespace indexical {
namespace {

TEST(VerdictTest, EachAnswerHasItsRowOfWords) {
  std::set<std::string> words;
  for (int k = Verdict::Same; k <= Verdict::Different; ++k) {
    const auto answer = static_cast<Verdict::Answer>(k);
    EXPECT_EQ(wordsOf(answer).answer, answer);
    EXPECT_TRUE(words.insert(wordOf(answer).str()).second);
    const llvm::StringRef word = wordOf(answer);
    EXPECT_EQ((Verdict{Level::Values, answer}.isSame()),
              word == "equal" || word.contains("reads"))
        << word.str();
  }
}

TEST(VerdictTest, ALevelImpliesThoseBeforeIt) {
  const Verdict reads = {Level::Reads, Verdict::Same};
  EXPECT_TRUE(reads.isSameAt(Level::Tiles));
  EXPECT_TRUE(reads.isSameAt(Level::Reads));
  EXPECT_FALSE(reads.isSameAt(Level::Values));
  EXPECT_EQ(sharedWord(reads), "same elements");
  const Verdict different = {Level::Values, Verdict::Different};
  EXPECT_FALSE(different.isSameAt(Level::Tiles));
  EXPECT_EQ(sharedWord(different), "different");
}

TEST(VerdictTest, ASettledVerdictHasNothingOfTheWeakerOne) {
  Verdict verdict;
  verdict.doubt("the budget is spent");
  verdict.decidedBy = {"--budget"};
  verdict.laws = {"reassociate"};
  verdict.settle(Level::Values, Verdict::Same);
  EXPECT_EQ(verdict.reason, "");
  EXPECT_TRUE(verdict.decidedBy.empty());
  EXPECT_EQ(verdict.laws.size(), 1u);  // the same table made both
  Witness witness;
  witness.element = {3};
  verdict.differ(witness);
  EXPECT_EQ(verdict.answer, Verdict::Different);
  EXPECT_EQ(verdict.level, Level::Values);
  ASSERT_TRUE(verdict.witness);
  verdict.doubt("the grid is a guess");
  EXPECT_FALSE(verdict.witness);
}

TEST(CheckTest, TheWorseOfTwoStays) {
  Check worst;
  worst.take(Check::undecided("first"));
  worst.take(Check::undecided("second"));
  EXPECT_EQ(worst.reason, "first");
  worst.take(Check());
  EXPECT_EQ(worst.answer, Check::Undecided);
  worst.take(Check::violated({}));
  EXPECT_EQ(wordOf(worst.answer), "violated");
  EXPECT_TRUE(worst.reason.empty() && worst.witness);
  worst.take(Check::undecided("third"));
  EXPECT_EQ(worst.answer, Check::Violated);
}

}  // namespace
}  // namespace indexical
