// Real modules as portable artifacts: what is read of the artifact of a module
// is the module. It says the same maps, and its own artifact is the same bytes.
#include <cctype>
#include <iostream>
#include <map>
#include <set>
#include <string>

#include "gtest/gtest.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/command/run.h"
#include "indexical/import/stablehlo/dialect/parse.h"
#include "indexical/import/stablehlo/vhlo/ops.h"
#include "tests/import/stablehlo/bytecode.h"
#include "tests/import/stablehlo/vhlo/artifact.h"
#include "tests/support/corpus_files.h"

namespace indexical::testing {
namespace {

using vhlo::Field;

// Returns the output of the command, with its message if it refuses the bytes.
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

// Returns the text between `begin` and `end`, from `at` on, and moves `at` to
// the end of that text.
std::string between(const std::string &text, const std::string &begin,
                    const std::string &end, size_t &at) {
  size_t start = text.find(begin, at);
  if (start == std::string::npos) return "";
  start += begin.size();
  at = text.find(end, start);
  return text.substr(start, at - start);
}

// A test of StableHLO itself has lines such as these:
//
//   // CHECK: "vhlo.pad_v1"(%[[ARG0]], %[[ARG1]]) <{
//   // CHECK-SAME: edge_padding_high = #vhlo.tensor_v1<…>,
//
// An op has these attributes, and no others.
TEST(ArtifactCorpus, RowsHaveWhatStableHloSaysThatOpsHave) {
  if (corpusPath().empty()) GTEST_SKIP() << kNoCorpus;
  const std::string text =
      textOfFile(corpusPath() +
                 "/stablehlo/stablehlo_lit_tests/"
                 "tests__vhlo__stablehlo_legalize_to_vhlo.0_9_0.mlir");
  std::set<std::string> seen, withFields;
  for (size_t at = 0; at < text.size();) {
    const std::string name = between(text, "\"vhlo.", "\"", at);
    if (name.empty()) break;
    seen.insert(name);
    const vhlo::Row *row = vhlo::findRow(name);
    ASSERT_NE(row, nullptr) << name;
    const size_t line = text.find('\n', at);
    const size_t open = text.find("<{", at);
    if (open > line) continue;
    size_t inside = open;
    std::string fields = between(text, "<{", "}>", inside);
    if (fields.find("dict_v1") != std::string::npos) continue;
    std::set<std::string> names, expected;
    for (const Field &field : row->fields) expected.insert(field.name.str());
    for (size_t i = 0; (i = fields.find(" = #vhlo", i)) != std::string::npos;
         ++i) {
      size_t begin = i;
      while (begin > 0 &&
             (std::isalnum(fields[begin - 1]) || fields[begin - 1] == '_'))
        --begin;
      names.insert(fields.substr(begin, i - begin));
    }
    EXPECT_EQ(names, expected) << name;
    withFields.insert(name);
  }
  EXPECT_EQ(seen.size(), 114u);
  EXPECT_EQ(withFields.size(), 52u);
}

TEST(ArtifactCorpus, WhatIsReadIsTheModule) {
  size_t read = 0, parts = 0, written = 0, number = 0;
  std::map<std::string, int> problems;
  std::set<std::string> ops;
  for (const CorpusFile &file : stablehloFiles()) {
    const std::string content = textOf(file);
    for (MlirChunk chunk : splitMlir(content)) {
      std::unique_ptr<mlir::MLIRContext> context = makeMlirContext();
      absl::StatusOr<MlirModule> parsed =
          parseMlirModule(*context, chunk, file.name);
      if (!parsed.ok() || !isSampled(read++)) continue;
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
          parseMlirModule(*second, {*bytes, 1}, file.name, kTrusted);
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
