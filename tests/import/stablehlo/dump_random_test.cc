// Modules of the corpus with mistakes put in at random, dumped: each is
// answered, or refused with one error that has its place, and soon.
//
//   INDEXICAL_DUMP_COUNT=100000  more of them
//   INDEXICAL_SEED=17            from that seed on
//   INDEXICAL_LAST=last.mlir     what was dumped when it crashed
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/import/stablehlo/dialect/parse.h"
#include "tests/import/stablehlo/mistakes.h"
#include "tests/support/broken_input.h"
#include "tests/support/corpus_files.h"

namespace indexical::testing {
namespace {

/// Returns a text to dump, or "" if a mistake cannot be made.
using Maker = std::function<std::string(const std::string &part, Random &)>;

/// Whether a message names a line and a column of the file.
bool hasPlace(llvm::StringRef message) {
  const size_t at = message.find("broken:");
  uint64_t line = 0, column = 0;
  llvm::StringRef rest = message.drop_front(std::min(at, message.size()));
  return rest.consume_front("broken:") && !rest.consumeInteger(10, line) &&
         rest.consume_front(":") && !rest.consumeInteger(10, column) &&
         rest.starts_with(": error: ");
}

void dumpAll(const Maker &make, uint64_t standard) {
  const std::vector<std::string> parts = smallCorpusParts();
  const uint64_t count = fromEnvironment("INDEXICAL_DUMP_COUNT", standard);
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 0);
  const char *last = std::getenv("INDEXICAL_LAST");
  uint64_t dumped = 0, answered = 0;
  double longest = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    const std::string text =
        make(parts[random.in(0, parts.size() - 1)], random);
    if (text.empty()) continue;
    if (last) std::ofstream(last) << text;
    const bool physical = random.oneIn(4), cover = random.oneIn(4);
    const Outcome outcome = outcomeOf(
        {"dump", "--input-format=stablehlo", "--format=jsonl",
         "--direction=both",
         physical ? "--index-order=physical" : "--index-order=logical",
         cover ? "--precision=cover" : "--precision=exact"},
        text);
    ++dumped;
    longest = std::max(longest, outcome.seconds);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    // A module without functions has no lines.
    if (outcome.status == kDone) {
      EXPECT_EQ(outcome.err.find("error: "), std::string::npos) << outcome.err;
      EXPECT_LT(outcome.seconds, 20);
      ++answered;
    } else {
      expectRefused(outcome, "");
      // Bytes that are no text have no lines either.
      EXPECT_TRUE(hasPlace(outcome.err) || text.find('\0') != text.npos)
          << outcome.err;
    }
  }
  std::cout << dumped << " dumped, " << answered << " of them answered; "
            << longest << " s at most\n";
}

TEST(DumpRandom, MistakesInTheText) {
  dumpAll([](const std::string &part,
             Random &random) { return withMistakes(part, random); },
          1000);
}

TEST(DumpRandom, OtherSizes) {
  dumpAll([](const std::string &part,
             Random &random) { return withOtherSize(part, random); },
          1000);
}

/// In the generic form of modules that are right.
class Modules {
 public:
  std::string withMistakes(const std::string &part, Random &random) {
    if (!context_ || ++uses_ % 500 == 0) {
      context_ = makeMlirContext();
      names_.clear();
    }
    auto parsed = parseMlirModule(*context_, {part, 1});
    if (!parsed.ok()) return "";
    if (random.oneIn(5))
      return withOtherOp(genericForm(*parsed->module), names(), random);
    addMistakes(*parsed->module, random);
    return genericForm(*parsed->module);
  }

 private:
  /// The ops of StableHLO.
  const std::vector<std::string> &names() {
    if (names_.empty())
      for (mlir::RegisteredOperationName name :
           context_->getRegisteredOperationsByDialect("stablehlo"))
        names_.push_back(name.getStringRef().str());
    std::sort(names_.begin(), names_.end());
    return names_;
  }

  std::unique_ptr<mlir::MLIRContext> context_;
  std::vector<std::string> names_;
  int uses_ = 0;
};

TEST(DumpRandom, MistakesInTheModule) {
  Modules modules;
  dumpAll([&](const std::string &part,
              Random &random) { return modules.withMistakes(part, random); },
          2000);
}

}  // namespace
}  // namespace indexical::testing
