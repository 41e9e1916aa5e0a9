// Modules of the corpus with mistakes put in at random: each is read or refused
// with a place, and nothing aborts.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Bytecode/BytecodeWriter.h"

#include "stablehlo/dialect/parse.h"
#include "tests/corpus_files.h"
#include "tests/random.h"

namespace indexical::testing {
namespace {

/// Parts that are small enough to be read often.
std::vector<std::string> smallParts() {
  std::vector<std::string> parts;
  for (const CorpusFile &file : corpusFiles("stablehlo")) {
    const std::string content = textOf(file);
    for (MlirChunk chunk : splitMlir(content))
      if (chunk.text.size() < 3000) parts.push_back(chunk.text.str());
  }
  return parts;
}

class Mistakes {
 public:
  explicit Mistakes(uint32_t seed) : random(seed) {}

  size_t below(size_t limit) {
    return std::uniform_int_distribution<size_t>(0, limit - 1)(random);
  }

  std::string in(std::string text) {
    for (size_t edits = 1 + below(3); edits > 0 && !text.empty(); --edits)
      edit(text);
    return text;
  }

 private:
  void edit(std::string &text) {
    static const char *const kNumbers[] = {"0",
                                           "-1",
                                           "1",
                                           "7",
                                           "64",
                                           "9223372036854775807",
                                           "-9223372036854775808",
                                           "99999999999999999999",
                                           "?",
                                           "1000000"};
    static const char *const kTokens[] = {
        "<",        ">",          "[", "]",  "(", ")", "{",  "}",
        ",",        ":",          "=", "->", "%", "@", "\"", "tensor<2xf32>",
        "dense<1>", "stablehlo.", "x", "\\", "#", "!"};
    size_t at = below(text.size());
    size_t length = std::min(text.size() - at, 1 + below(12));
    switch (below(5)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(below(text.size()), text.substr(at, length));
        break;
      case 2:
        text.insert(at, kTokens[below(std::size(kTokens))]);
        break;
      case 3:
        text[at] = static_cast<char>(below(256));
        break;
      default: {
        // A number becomes another.
        size_t digit = text.find_first_of("0123456789", at);
        if (digit == std::string::npos) return;
        size_t end = text.find_first_not_of("0123456789", digit);
        text.replace(digit, std::min(end, text.size()) - digit,
                     kNumbers[below(std::size(kNumbers))]);
      }
    }
  }

  std::mt19937 random;
};

TEST(ParseRandom, MistakesAreRefusedWithAPlace) {
  if (corpusPath().empty()) GTEST_SKIP() << kNoCorpus;
  const std::vector<std::string> parts = smallParts();
  const uint64_t instances = fromEnvironment("INDEXICAL_PARSE_COUNT", 6000);
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 0);
  // A crash leaves what was read there.
  const char *last = std::getenv("INDEXICAL_LAST");
  std::unique_ptr<mlir::MLIRContext> context;
  int read = 0;
  for (uint64_t seed = first; seed < first + instances; ++seed) {
    if (!context || seed % 500 == 0) context = makeMlirContext();
    Mistakes mistakes(seed);
    std::string text = mistakes.in(parts[mistakes.below(parts.size())]);
    if (last) std::ofstream(last) << text;
    absl::StatusOr<MlirModule> parsed = parseMlirModule(*context, {text, 1});
    if (parsed.ok()) {
      ++read;
      std::string printed;
      llvm::raw_string_ostream out(printed);
      parsed->module->print(out);
      continue;
    }
    EXPECT_FALSE(parsed.status().message().empty());
    EXPECT_TRUE(placeOf(parsed.status()).value_or(Place()).known())
        << "seed " << seed << ": " << parsed.status().message() << "\n"
        << text;
  }
  std::cout << read << " of " << instances << " are read all the same\n";
}

// Bytes of bytecode changed at random.
TEST(ParseRandom, BrokenBytecodeIsReadOrRefused) {
  if (corpusPath().empty()) GTEST_SKIP() << kNoCorpus;
  const std::vector<std::string> parts = smallParts();
  const uint64_t instances = fromEnvironment("INDEXICAL_PARSE_COUNT", 200);
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 0);
  const char *last = std::getenv("INDEXICAL_LAST");
  std::unique_ptr<mlir::MLIRContext> context;
  for (uint64_t seed = first; seed < first + instances; ++seed) {
    if (!context || seed % 500 == 0) context = makeMlirContext();
    Mistakes mistakes(seed);
    const std::string &text = parts[mistakes.below(parts.size())];
    absl::StatusOr<MlirModule> parsed = parseMlirModule(*context, {text, 1});
    if (!parsed.ok()) continue;
    std::string bytes;
    llvm::raw_string_ostream out(bytes);
    ASSERT_TRUE(
        mlir::succeeded(mlir::writeBytecodeToFile(*parsed->module, out)));
    for (size_t changes = 1 + mistakes.below(3); changes > 0; --changes)
      bytes[4 + mistakes.below(bytes.size() - 4)] =
          static_cast<char>(mistakes.below(256));
    if (last) std::ofstream(last) << bytes;
    absl::StatusOr<MlirModule> again = parseMlirModule(*context, {bytes, 1});
    EXPECT_TRUE(again.ok() || !again.status().message().empty());
  }
}

}  // namespace
}  // namespace indexical::testing
