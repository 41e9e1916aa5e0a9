// Broken input, in process: what a command answers for a text that may be
// wrong.
//
//   expectRefused(outcomeOf({"dump"}, "f { p = "), "an open computation");
//   expectAnsweredOrRefused(outcomeOf({"dump", "--strict"}, text), text);
#ifndef INDEXICAL_TESTS_SUPPORT_BROKEN_INPUT_H
#define INDEXICAL_TESTS_SUPPORT_BROKEN_INPUT_H

#include <chrono>
#include <string>
#include <utility>

#include "gtest/gtest.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/command/run.h"

namespace indexical::testing {

struct Outcome {
  int status;
  std::string out, err;
  double seconds;
};

/// Returns the outcome of the command `words` on a file `broken` that holds
/// `text`.
inline Outcome outcomeOf(llvm::ArrayRef<llvm::StringRef> words,
                         std::string text) {
  Outcome outcome;
  llvm::raw_string_ostream out(outcome.out), err(outcome.err);
  const auto begin = std::chrono::steady_clock::now();
  outcome.status =
      runOnInput(words, Input{"broken", std::move(text)}, out, err);
  outcome.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
          .count();
  return outcome;
}

/// Checks that the input is refused: with the status of wrong input, one short
/// error and no output. Sanitizers slow a run down a lot, so the limit of time
/// only separates linear work from worse.
inline void expectRefused(const Outcome &outcome, const std::string &what) {
  EXPECT_EQ(outcome.status, kWrongInput) << what;
  EXPECT_EQ(llvm::StringRef(outcome.err).count("error: "), 1u) << what << '\n'
                                                               << outcome.err;
  EXPECT_LT(outcome.err.size(), 3000u) << what;
  EXPECT_EQ(outcome.out, "") << what;
  EXPECT_LT(outcome.seconds, 20) << what;
}

/// Checks that the text is refused, or that there is a result and no error.
inline void expectAnsweredOrRefused(const Outcome &outcome,
                                    const std::string &what) {
  if (outcome.status != kDone) return expectRefused(outcome, what);
  EXPECT_NE(outcome.out, "") << what;
  EXPECT_FALSE(llvm::StringRef(outcome.err).contains("error: ")) << what;
}

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SUPPORT_BROKEN_INPUT_H
