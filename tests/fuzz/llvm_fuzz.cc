// Kernels in LLVM's IR, as text or bitcode: an answer, or an error with its
// place.

#include "tests/fuzz/target.h"

using indexical::testing::fuzzCall;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > indexical::testing::kMostFuzzBytes) return 0;
  fuzzCall({"kernel", "--grid=4", "--block=32", "--at=1:3", "--format=json",
            "--budget=2000"},
           indexical::testing::textOf(data, size));
  return 0;
}
