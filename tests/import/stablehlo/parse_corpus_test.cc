// Real modules: every part of every file that is valid is read; what is printed
// of it, and what is written of it as bytecode, is read again and prints the
// same.
#include <iostream>
#include <map>
#include <set>
#include <string>

#include "gtest/gtest.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/import/stablehlo/dialect/parse.h"
#include "tests/import/stablehlo/bytecode.h"
#include "tests/support/corpus_files.h"

namespace indexical::testing {
namespace {

/// Files that are not read, and why. In another dialect's own syntax only that
/// dialect can say where an op ends.
const std::map<std::string, std::string> kExceptions = {
    {"enzyme_jax/einsumtranspose.mlir",
     "an einsum of ba and dbc whose b is 3 and 4"},
    {"testdata_dynamic/conv_general_dilated_1d_stride_2_even_dynamic.mlir",
     "window_strides = [2, 2] with one spatial dimension"},
};

/// Files of which only the beginning of their names is given, and why.
const std::pair<std::string, std::string> kExceptionGroups[] = {
    {"shardy/shardy__dialect__sdy__transforms__export__test__executable_",
     "calls a function that another tool puts beside it"},
    {"shardy/__transforms__export__test__executable_",
     "calls a function that another tool puts beside it"},
    {"shardy/_dialect__sdy__transforms__export__test__executable_",
     "calls a function that another tool puts beside it"},
    {"shardy/_sdy__transforms__import__test__executable_",
     "calls a function that another tool puts beside it"},
};

bool isException(const std::string &name) {
  if (kExceptions.count(name)) return true;
  for (const auto &group : kExceptionGroups)
    if (name.compare(0, group.first.size(), group.first) == 0) return true;
  return false;
}

std::string print(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  module.print(out);
  return text;
}

TEST(ParseCorpus, EveryValidFileIsReadAndPrintedAndReadAgain) {
  const auto files = stablehloFiles();
  int parts = 0;
  std::set<std::string> refused;
  for (const CorpusFile &file : files) {
    const std::string &name = file.name, content = textOf(file);
    std::unique_ptr<mlir::MLIRContext> context = makeMlirContext();
    for (MlirChunk chunk : splitMlir(content)) {
      if (chunk.text.contains("expected-error")) continue;
      ++parts;
      absl::StatusOr<MlirModule> parsed =
          parseMlirModule(*context, chunk, name);
      if (!parsed.ok() && isException(name)) {
        refused.insert(name);
        continue;
      }
      if (!parsed.ok()) {
        Place place = placeOf(parsed.status()).value_or(Place());
        ADD_FAILURE() << name << ":" << place.line << ":" << place.column
                      << ": " << parsed.status().message();
        continue;
      }
      std::string printed = print(*parsed->module);
      // In a context of its own: one that knows a resource's name makes
      // another.
      std::unique_ptr<mlir::MLIRContext> first = makeMlirContext();
      absl::StatusOr<MlirModule> again =
          parseMlirModule(*first, {printed, 1}, name);
      if (!again.ok()) {
        Place place = placeOf(again.status()).value_or(Place());
        llvm::StringRef line = printed;
        for (unsigned i = 1; i < place.line; ++i)
          line = line.split('\n').second;
        ADD_FAILURE() << name << " line " << chunk.line
                      << ", as printed: " << again.status().message() << "\n"
                      << line.split('\n').first.str();
        continue;
      }
      EXPECT_TRUE(print(*again->module) == printed)
          << name << " line " << chunk.line << " is printed differently";
      const std::string bytes = bytecodeOf(*parsed->module);
      std::unique_ptr<mlir::MLIRContext> second = makeMlirContext();
      absl::StatusOr<MlirModule> fromBytes =
          parseMlirModule(*second, {bytes, 1}, name, kTrusted);
      ASSERT_TRUE(fromBytes.ok()) << name << " line " << chunk.line << ": "
                                  << fromBytes.status().message();
      EXPECT_TRUE(print(*fromBytes->module) == printed)
          << name << " line " << chunk.line << " is other in bytecode";
    }
  }
  for (const auto &exception : kExceptions)
    EXPECT_TRUE(corpusPath().empty() || refused.count(exception.first))
        << exception.first << " is no exception any more";
  std::cout << files.size() << " files, " << parts << " parts, "
            << refused.size() << " files not read\n";
}

}  // namespace
}  // namespace indexical::testing
