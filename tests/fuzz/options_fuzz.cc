// The words of a call, one a line, on an input of each kind.

#include "llvm/ADT/SmallVector.h"

#include "tests/fuzz/target.h"

using llvm::StringRef;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > indexical::testing::kMostFuzzBytes) return 0;
  const std::string text = indexical::testing::textOf(data, size);
  llvm::SmallVector<StringRef, 8> words;
  StringRef(text).split(words, '\n', -1, /*KeepEmpty=*/false);
  if (words.empty() || words.size() > 8) return 0;
  for (StringRef word : words)
    // These write or wait, and a NUL ends no word that a shell gives.
    if (word.starts_with("-o") || word.starts_with("--o") ||
        word.contains('\0') || word == "help" || word == "completion")
      return 0;
  for (const char *input :
       {"f { p = f32[4,6] parameter(0) i = s32[] parameter(1)"
        " s = f32[2,6] dynamic-slice(p, i, i), dynamic_slice_sizes={2,6}"
        " ROOT t = f32[6,2] transpose(s), dimensions={1,0} }",
        "(d0)[s0] -> (d0 mod 3, s0), domain: d0 in [0, 7], s0 in [0, 2]"}) {
    std::string result, messages;
    llvm::raw_string_ostream out(result), err(messages);
    const int status = indexical::runOnInput(
        words, indexical::Input{"input", std::string(input)}, out, err);
    FUZZ_CHECK(status >= 0 && status <= 4, messages);
    if (status == indexical::kWrongWords) FUZZ_CHECK(!messages.empty(), text);
  }
  return 0;
}
