// Real artifacts, of StableHLO 0.14 to 1.16 and of JAX: each is read, and says
// what its text says.
//
// They lie in the folder `artifacts` beside the corpus. Where there is none,
// the test skips.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/command/run.h"
#include "indexical/import/stablehlo/dialect/parse.h"
#include "tests/import/stablehlo/bytecode.h"
#include "tests/import/stablehlo/vhlo/artifact.h"
#include "tests/support/corpus_files.h"

namespace indexical::testing {
namespace {

namespace fs = std::filesystem;

constexpr char kEnding[] = ".mlir.bc";

// Returns the artifacts' names without the ending, or none if there is no such
// folder.
std::vector<std::string> artifacts() {
  std::vector<std::string> all;
  const fs::path folder = fs::path(corpusPath()) / ".." / "artifacts";
  if (corpusPath().empty() || !fs::is_directory(folder)) return all;
  for (const fs::directory_entry &file : fs::directory_iterator(folder))
    if (llvm::StringRef name = file.path().native(); name.consume_back(kEnding))
      all.push_back(name.str());
  std::sort(all.begin(), all.end());
  return all;
}

struct Printed {
  int status;
  std::string text, messages;
};

Printed dump(const std::string &bytes) {
  Printed printed;
  llvm::raw_string_ostream out(printed.text), err(printed.messages);
  printed.status =
      runOnInput({"dump", "--format=text", "--input-format=stablehlo",
                  "--direction=both", "--budget=2000"},
                 {"m", bytes}, out, err);
  return printed;
}

// The artifact of a module without places, as letters: it has the defaults that
// StableHLO leaves out.
std::string lettersOf(mlir::ModuleOp module) {
  Artifact how;
  how.hasPlaces = false;
  absl::StatusOr<std::string> bytes = writeArtifact(module, how);
  return bytes.ok() ? llvm::toHex(*bytes) : bytes.status().ToString();
}

TEST(ArtifactFiles, AreReadAndSayWhatTheirTextSays) {
  const std::vector<std::string> files = artifacts();
  if (files.empty()) GTEST_SKIP() << kNoCorpus << ", or has no artifacts";
  int read = 0, compared = 0;
  std::vector<std::string> refused;
  for (const std::string &file : files) {
    const std::string name = fs::path(file).filename();
    SCOPED_TRACE(name);
    const std::string bytes = textOfFile(file + kEnding);
    const Printed artifact = dump(bytes);
    if (artifact.status != 0) {
      refused.push_back(name + ": " + artifact.messages);
      continue;
    }
    ++read;
    EXPECT_NE(artifact.text, "");
    const std::string text = textOfFile(file + ".mlir");
    if (text.empty()) continue;
    absl::StatusOr<MlirFile> module = parseMlir(text);
    absl::StatusOr<MlirFile> again = parseMlir(bytes, "", kTrusted);
    ASSERT_TRUE(module.ok()) << module.status();
    ASSERT_TRUE(again.ok()) << again.status();
    ++compared;
    // Values of bytecode have numbers for names, as those of an artifact have.
    EXPECT_EQ(artifact.text, dump(bytecodeOf(*module->modules[0].module)).text);
    EXPECT_EQ(lettersOf(*again->modules[0].module),
              lettersOf(*module->modules[0].module));
  }
  std::cout << read << " artifacts read, " << compared
            << " compared with their text\n";
  EXPECT_GT(read, 90);
  EXPECT_GT(compared, 70);
  // It is invalid on purpose.
  ASSERT_EQ(refused.size(), 1u) << refused[0] << refused.back();
  EXPECT_NE(refused[0].find("invalid_vhlo_future: "), std::string::npos)
      << refused[0];
}

}  // namespace
}  // namespace indexical::testing
