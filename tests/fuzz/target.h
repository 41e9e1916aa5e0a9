// A call of the command, as a fuzz target makes it.
#ifndef INDEXICAL_TESTS_FUZZ_TARGET_H
#define INDEXICAL_TESTS_FUZZ_TARGET_H

#include <string>
#include <utility>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/command/run.h"
#include "tests/fuzz/check.h"

namespace indexical::testing {

/// Returns the output of the command on a text. Checks the status: 0 without an
/// error, 1 with an error, or another status that the command has.
inline std::string fuzzCall(llvm::ArrayRef<llvm::StringRef> words,
                            std::string text) {
  std::string result, messages;
  llvm::raw_string_ostream out(result), err(messages);
  const int status =
      runOnInput(words, Input{"input", std::move(text)}, out, err);
  FUZZ_CHECK(status >= 0 && status <= 4, messages);
  // A kernel in Python is refused by a kind in place of `error`.
  bool hasError = false;
  for (llvm::StringRef kind : {"error", "syntax", "name", "type", "shape",
                               "triton", "unsupported", "limit"})
    hasError |= llvm::StringRef(messages).contains((kind + ": ").str());
  if (status == kDone)
    FUZZ_CHECK(!llvm::StringRef(messages).contains("error: "), messages);
  if (status == kWrongInput) FUZZ_CHECK(hasError, result);
  return result;
}

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_FUZZ_TARGET_H
