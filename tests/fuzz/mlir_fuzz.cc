// MLIR text, or its bytecode: as HLO.

#include "tests/fuzz/target.h"

using indexical::testing::fuzzCall;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > indexical::testing::kMostFuzzBytes) return 0;
  const std::string text = indexical::testing::textOf(data, size);
  const std::string lines =
      fuzzCall({"dump", "--input-format=stablehlo", "--direction=both",
                "--format=jsonl", "--budget=2000"},
               text);
  if (lines.empty()) return 0;
  fuzzCall({"report", "--input-format=stablehlo", "--budget=2000"}, text);
  return 0;
}
