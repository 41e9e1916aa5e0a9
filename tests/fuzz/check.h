// The parts of a fuzz target.
//
//   LLVMFuzzerTestOneInput   one input; returns 0, and ends the process where
//                            something is wrong (FUZZ_CHECK)
//   seeds/NAME/*             inputs to begin with
//   NAME.dict                words that inputs are made of
//
// In the ordinary build a driver (driver.cc) runs each target on its seeds and
// some thousand changes of them, so that targets keep working. With
// `--config=fuzz` libFuzzer runs the targets (scripts/fuzz.sh).
#ifndef INDEXICAL_TESTS_FUZZ_CHECK_H
#define INDEXICAL_TESTS_FUZZ_CHECK_H

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "llvm/Support/raw_ostream.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace indexical::testing {

[[noreturn]] inline void fuzzFailed(const char *what, const std::string &more) {
  llvm::errs() << "WRONG: " << what << '\n' << more << '\n';
  llvm::errs().flush();
  std::abort();
}

#define FUZZ_CHECK(condition, more) \
  ((condition) ? void() : indexical::testing::fuzzFailed(#condition, more))

/// Larger inputs take long and find nothing else.
constexpr size_t kMostFuzzBytes = 4096;

inline std::string textOf(const uint8_t *data, size_t size) {
  return std::string(reinterpret_cast<const char *>(data), size);
}

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_FUZZ_CHECK_H
