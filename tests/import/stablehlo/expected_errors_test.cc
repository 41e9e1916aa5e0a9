// Modules of the corpus that are wrong on purpose: the error stands on the line
// that the file's own annotation, `expected-error @+1 {{…}}`, says.
#include <iostream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "gtest/gtest.h"

#include "indexical/import/stablehlo/dialect/parse.h"
#include "tests/support/corpus_files.h"

namespace indexical::testing {
namespace {

/// Files whose errors come from a pass, from another dialect's verifier or from
/// an interpreter, not from an op of StableHLO that is wrong: path, and why.
const std::map<std::string, std::string> kOtherErrors = {
    {"iree/compiler__plugins__input__StableHLO__Conversion__test__vhlo_"
     "stablehlo_mix_invalid.mlir",
     "a pass that meets VHLO"},
    {"shardy/shardy__dialect__mpmd__ir__test__call_op_validation.mlir",
     "ops of mpmd"},
    {"shardy/shardy__dialect__mpmd__transforms__export__test__backward_deps_"
     "failure.mlir",
     "a pass over mpmd"},
    {"shardy/shardy__dialect__sdy__ir__test__edge_sharding_verification.mlir",
     "shardings, which are kept as text here"},
    {"shardy/shardy__dialect__sdy__ir__test__sharding_constraint_verification."
     "mlir",
     "shardings, which are kept as text here"},
    {"shardy/shardy__dialect__sdy__transforms__export__test__convert_global_to_"
     "local__stablehlo_concatenate.mlir",
     "a pass over shardings"},
    {"stablehlo_lit_tests/tests__ops_interpreter.mlir",
     "ops of the interpreter"},
    {"stablehlo_lit_tests/tests__transforms__shape_legalize_to_stablehlo.mlir",
     "a pass"},
    {"stablehlo_lit_tests/tests__transforms__stablehlo_canonicalize_dynamism."
     "mlir",
     "a pass"},
};

/// Parts that are accepted here, or refused elsewhere: the line where the error
/// is expected, and why.
const std::map<std::string, std::map<uint32_t, std::string>> kExceptions = {
    {"stablehlo_lit_tests/tests__ops_chlo.mlir",
     {{14, "quantized types with different storage"},
      {30, "quantized types with different storage"},
      {38, "quantized types with different storage"},
      {54, "quantized types with different storage"},
      {62, "quantized types with different storage"},
      {70, "the type of constant_like's number, which moves nothing"},
      {574, "the element type of mulhi, which moves nothing"}}},
    {"stablehlo_lit_tests/tests__ops_dot_general_algorithms.mlir",
     {{214, "no hardware has the algorithm; none is asked for here"},
      {233, "no hardware has the algorithm; none is asked for here"},
      {252, "no hardware has the algorithm; none is asked for here"}}},
    {"stablehlo_lit_tests/tests__verify_async_ops.mlir",
     {{106, "an elementwise op in async_start: any body is followed here"},
      {120, "two ops in async_start: any body is followed here"}}},
    {"stablehlo_lit_tests/tests__verify_convolution.mlir",
     {{745, "expected at the attributes, four lines below the op"},
      {763, "expected at the attributes, four lines below the op"}}},
};

/// The lines on which the part expects errors.
std::set<uint32_t> expectedLines(MlirChunk chunk) {
  static const std::regex annotation(
      "expected-error *(?:@([+-][0-9]+|below|above))? *\\{\\{");
  std::set<uint32_t> lines;
  uint32_t line = chunk.line;
  std::istringstream text(chunk.text.str());
  for (std::string each; std::getline(text, each); ++line) {
    auto begin = std::sregex_iterator(each.begin(), each.end(), annotation);
    for (auto it = begin; it != std::sregex_iterator(); ++it) {
      std::string where = (*it)[1];
      if (where == "below")
        lines.insert(line + 1);
      else if (where == "above")
        lines.insert(line - 1);
      else
        lines.insert(line + (where.empty() ? 0 : std::stoi(where)));
    }
  }
  return lines;
}

TEST(ExpectedErrors, StandWhereTheFilesSay) {
  if (corpusPath().empty()) GTEST_SKIP() << kNoCorpus;
  int asExpected = 0, exceptions = 0, others = 0;
  for (const CorpusFile &file : corpusFiles("stablehlo")) {
    const std::string &name = file.name, content = textOf(file);
    std::unique_ptr<mlir::MLIRContext> context = makeMlirContext();
    auto known = kExceptions.find(name);
    for (MlirChunk chunk : splitMlir(content)) {
      std::set<uint32_t> lines = expectedLines(chunk);
      if (lines.empty()) continue;
      if (kOtherErrors.count(name)) {
        ++others;
        continue;
      }
      absl::StatusOr<MlirModule> parsed =
          parseMlirModule(*context, chunk, name);
      Place place = placeOf(parsed.status()).value_or(Place());
      bool right = !parsed.ok() && lines.count(place.line);
      bool excepted =
          known != kExceptions.end() && known->second.count(*lines.begin());
      if (excepted) {
        ++exceptions;
        EXPECT_FALSE(right)
            << name << ":" << *lines.begin() << " is no exception any more";
        continue;
      }
      asExpected += right;
      EXPECT_TRUE(right) << name << ":" << *lines.begin() << ": "
                         << (parsed.ok()
                                 ? "accepted"
                                 : std::to_string(place.line) + ": " +
                                       std::string(parsed.status().message()));
    }
  }
  std::cout << asExpected << " as expected, " << exceptions << " exceptions, "
            << others << " of other tools\n";
}

}  // namespace
}  // namespace indexical::testing
