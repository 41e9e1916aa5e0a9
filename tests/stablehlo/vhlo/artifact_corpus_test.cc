// Real modules as portable artifacts: what is read of the artifact of a module
// is the module. It says the same maps, and its own artifact is the same bytes.
#include <iostream>
#include <map>
#include <string>

#include "gtest/gtest.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Bytecode/BytecodeWriter.h"

#include "indexical/stablehlo/dialect/parse.h"
#include "indexical/tools/run.h"
#include "tests/stablehlo/vhlo/artifact.h"
#include "tests/support/corpus_files.h"

namespace indexical::testing {
namespace {

// What the command prints; the message where it refuses.
std::string dump(const std::string &bytes) {
  std::string out, message;
  llvm::raw_string_ostream outStream(out), errStream(message);
  runOnInput({"dump", "--format=text", "--input-format=stablehlo",
              "--direction=both", "--budget=2000"},
             {"m", bytes}, outStream, errStream);
  return out + message;
}

// As text with places, as far as a person reads.
std::string print(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  module.print(out, mlir::OpPrintingFlags().enableDebugInfo());
  return text.substr(0, 2000);
}

// The artifact without places: where a body is printed as `applies`, MLIR's
// text has none for it. As letters, for a test to print.
std::string plain(mlir::ModuleOp module, Artifact how) {
  how.hasPlaces = false;
  absl::StatusOr<std::string> bytes = writeArtifact(module, how);
  return bytes.ok() ? llvm::toHex(*bytes) : bytes.status().ToString();
}

std::string bytecodeOf(mlir::ModuleOp module) {
  std::string bytes;
  llvm::raw_string_ostream out(bytes);
  EXPECT_TRUE(mlir::succeeded(mlir::writeBytecodeToFile(module, out)));
  return bytes;
}

TEST(ArtifactCorpus, WhatIsReadIsTheModule) {
  if (corpusPath().empty()) GTEST_SKIP() << kNoCorpus;
  size_t parts = 0, written = 0, number = 0;
  std::map<std::string, int> problems;
  std::set<std::string> ops;
  for (const CorpusFile &file : corpusFiles("stablehlo")) {
    const std::string content = textOf(file);
    for (MlirChunk chunk : splitMlir(content)) {
      std::unique_ptr<mlir::MLIRContext> context = makeMlirContext();
      absl::StatusOr<MlirModule> parsed =
          parseMlirModule(*context, chunk, file.name);
      if (!parsed.ok()) continue;
      ++parts;
      Artifact how;
      how.newest = ++number % 2 == 0;
      how.bytecode = number / 2 % 7;
      how.hasDialectVersion = number / 14 % 2 == 0;
      how.inDictionary = number / 28 % 2 == 0;
      how.ops = &ops;
      absl::StatusOr<std::string> bytes = writeArtifact(*parsed->module, how);
      if (!bytes.ok()) {
        ++problems[std::string(bytes.status().message()).substr(0, 40)];
        continue;
      }
      ++written;
      SCOPED_TRACE(file.name + " line " + std::to_string(chunk.line) +
                   " in format " + std::to_string(how.bytecode));
      std::unique_ptr<mlir::MLIRContext> second = makeMlirContext();
      absl::StatusOr<MlirModule> again =
          parseMlirModule(*second, {*bytes, 1}, file.name);
      if (!again.ok()) {
        ADD_FAILURE() << again.status();
        continue;
      }
      EXPECT_EQ(plain(*again->module, how), plain(*parsed->module, how))
          << print(*again->module);
      EXPECT_EQ(dump(*bytes), dump(bytecodeOf(*parsed->module)));
    }
  }
  std::cout << parts << " modules, " << written << " written, of " << ops.size()
            << " ops\n";
  for (const auto &[problem, count] : problems)
    std::cout << count << " times: " << problem << "\n";
  EXPECT_GT(written, parts / 2);
}

}  // namespace
}  // namespace indexical::testing
