// Modules of the corpus with mistakes put in at random: each is read or refused
// with a place, and nothing aborts.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/answers/inputs/bytecode.h"
#include "indexical/import/stablehlo/dialect/parse.h"
#include "tests/import/stablehlo/bytecode.h"
#include "tests/import/stablehlo/mistakes.h"
#include "tests/support/corpus_files.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

TEST(ParseRandom, MistakesAreRefusedWithAPlace) {
  const std::vector<std::string> parts = smallCorpusParts();
  const uint64_t instances = fromEnvironment("INDEXICAL_PARSE_COUNT", 6000);
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 0);
  // A crash leaves what was read there.
  const char *last = std::getenv("INDEXICAL_LAST");
  std::unique_ptr<mlir::MLIRContext> context;
  int read = 0;
  for (uint64_t seed = first; seed < first + instances; ++seed) {
    if (!context || seed % 500 == 0) context = makeMlirContext();
    Random random(seed);
    const std::string text =
        withMistakes(parts[random.in(0, parts.size() - 1)], random);
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
  const std::vector<std::string> parts = smallCorpusParts();
  const uint64_t instances = fromEnvironment("INDEXICAL_PARSE_COUNT", 200);
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 0);
  const char *last = std::getenv("INDEXICAL_LAST");
  std::unique_ptr<mlir::MLIRContext> context;
  for (uint64_t seed = first; seed < first + instances; ++seed) {
    if (!context || seed % 500 == 0) context = makeMlirContext();
    Random random(seed);
    const std::string &text = parts[random.in(0, parts.size() - 1)];
    absl::StatusOr<MlirModule> parsed = parseMlirModule(*context, {text, 1});
    if (!parsed.ok()) continue;
    std::string bytes = bytecodeOf(*parsed->module);
    for (int64_t changes = random.in(1, 3); changes > 0; --changes)
      bytes[random.in(4, bytes.size() - 1)] =
          static_cast<char>(random.in(0, 255));
    if (last) std::ofstream(last) << bytes;
    absl::StatusOr<MlirModule> again = readBytecode(*context, bytes, "");
    EXPECT_TRUE(again.ok() || !again.status().message().empty());
  }
}

}  // namespace
}  // namespace indexical::testing
