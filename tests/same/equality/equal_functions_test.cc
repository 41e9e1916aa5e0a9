// The functions of the corpus' StableHLO against themselves in other words.
//
//   INDEXICAL_EQUAL_BYTES=n     files of up to n bytes
#include "gtest/gtest.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/import/stablehlo/dialect/parse.h"
#include "indexical/import/stablehlo/import/import.h"
#include "tests/same/equality/corpus_equality.h"
#include "tests/support/corpus_files.h"

namespace indexical::testing {
namespace {

TEST(EqualFunctionsTest, StableHloOfTheCorpus) {
  const size_t most = fromEnvironment("INDEXICAL_EQUAL_BYTES", 100'000);
  CorpusEquality corpus;
  for (const CorpusFile &file : stablehloFiles()) {
    const std::string text = textOf(file);
    if (text.size() > most) continue;
    // What shapes and fields do not say of an op: scales, dotted attributes.
    corpus.byValues = llvm::StringRef(text).contains("quant.uniform") ||
                      llvm::StringRef(text).contains("mhlo.backend_config");
    for (const MlirChunk &chunk : splitMlir(text)) {
      auto one = importMlir(chunk.text.str(), file.path);
      if (!one.ok()) continue;
      auto other = importMlir(chunk.text.str(), file.path);
      corpus.compare(*std::move(one), *std::move(other), file.name,
                     chunk.text.size());
    }
  }
  corpus.report("StableHLO");
  EXPECT_GT(corpus.modules, ofCorpus(300, 5));
  EXPECT_LE(corpus.undecidedModules, 0);
  EXPECT_LE(corpus.undecidedValues, 0);
}

}  // namespace
}  // namespace indexical::testing
