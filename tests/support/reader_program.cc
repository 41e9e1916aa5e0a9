// Tests that link this read bytecode as the command does: the program beside
// the tests reads it. Fuzzers run at the root of the checkout.
#include "llvm/Support/FileSystem.h"

#include "indexical/answers/inputs/bytecode.h"

namespace indexical::testing {
namespace {

const bool isSet = [] {
  const char *const here = "tools/read-bytecode";
  setReaderProgram(
      {llvm::sys::fs::exists(here) ? here : "bazel-bin/tools/read-bytecode",
       {}});
  return true;
}();

}  // namespace
}  // namespace indexical::testing
