// HLO text: every command that takes a module answers it or refuses it. What is
// answered in JSON lines is JSON.

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

#include "tests/fuzz/target.h"

using indexical::testing::fuzzCall;
using llvm::StringRef;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > indexical::testing::kMostFuzzBytes) return 0;
  const std::string text = indexical::testing::textOf(data, size);
  const std::string lines = fuzzCall(
      {"dump", "--direction=both", "--format=jsonl", "--budget=2000"}, text);
  for (StringRef line : llvm::split(StringRef(lines).rtrim('\n'), '\n')) {
    if (line.empty()) continue;
    auto value = llvm::json::parse(line);
    FUZZ_CHECK(static_cast<bool>(value), line.str());
  }
  if (lines.empty()) return 0;
  fuzzCall({"report", "--format=json", "--budget=2000"}, text);
  fuzzCall({"report", "--launch=xla", "--budget=2000"}, text);
  fuzzCall({"utilization", "--budget=2000"}, text);
  fuzzCall({"tile", "--tile=2,3", "--budget=2000"}, text);
  return 0;
}
