// Tests of interpreters and of frameworks, run through the maps: what each
// function computes from its constants, element by element as our maps say, is
// what its checks expect.
//
// A file counts as run if every check of all of its functions holds. The files
// that are not run are in a table with the reason, and a file that could be
// taken off the table is a failure. A cover (scatter's input, if the body may
// leave it unread) gives the elements too, for the body decides about them. It
// is counted apart from the exact maps.
#include <chrono>
#include <iostream>
#include <map>
#include <memory>
#include <string>

#include "gtest/gtest.h"

#include "indexical/import/stablehlo/dialect/parse.h"
#include "tests/import/stablehlo/execute.h"
#include "tests/support/corpus_files.h"

namespace indexical::testing {
namespace {

/// Files that are not run, and why.
using Reasons = std::map<std::string, std::string>;

/// Runs one part of a file. What it gives is an error, a mismatch, or "".
std::string execute(const MlirChunk &chunk, const std::string &name,
                    ExecutionReport &report) {
  auto context = makeMlirContext();
  auto parsed = parseMlirModule(*context, chunk, name);
  if (!parsed.ok()) return std::string(parsed.status().message());
  if (parsed->module->getBody()->empty()) return "";
  const size_t mismatches = report.mismatches.size();
  auto results = Executor(*parsed->module, report).run();
  if (!results.ok()) return std::string(results.status().message());
  return report.mismatches.size() == mismatches ? "" : report.mismatches.back();
}

/// Runs every part of a file; the first thing that is wrong.
std::string executeFile(const CorpusFile &file, ExecutionReport &report) {
  const std::string text = textOf(file);
  std::string first;
  for (const MlirChunk &chunk : splitMlir(text)) {
    const std::string wrong = execute(chunk, file.name, report);
    if (first.empty()) first = wrong;
  }
  return first;
}

struct Floors {
  size_t files;
  int64_t checks, elements;
};

/// Runs the files of a folder of the corpus whose names begin so.
void executeFolder(const std::string &folder, Reasons notRun, Floors floors,
                   const std::string &prefix = "") {
  const auto start = std::chrono::steady_clock::now();
  ExecutionReport report;
  size_t files = 0, left = 0;
  for (const CorpusFile &file : corpusFiles(folder, ".mlir")) {
    if (file.name.compare(0, prefix.size(), prefix) != 0) continue;
    const std::string wrong = executeFile(file, report);
    if (notRun.erase(file.name)) {
      EXPECT_NE(wrong, "") << file.name << " is no exception any more";
      ++left;
      continue;
    }
    EXPECT_EQ(wrong, "") << file.name;
    files += wrong.empty();
  }
  for (const auto &[name, reason] : notRun)
    ADD_FAILURE() << name << " is not there (" << reason << ")";
  const std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - start;
  std::cout << folder << ": " << files << " files run, " << left << " not, "
            << report.functions << " functions, " << report.checks
            << " checks, " << report.elements << " elements compared; "
            << report.maps.exact << " exact maps and " << report.maps.cover
            << " covers evaluated, " << report.maps.pairs << " pairs, "
            << seconds.count() << " s\n";
  EXPECT_GE(files, floors.files);
  EXPECT_GE(report.checks, floors.checks);
  EXPECT_GE(report.elements, floors.elements);
}

TEST(ExecuteCorpusTest, Interpreter) {
  if (corpusPath().empty()) GTEST_SKIP() << kNoCorpus;
  executeFolder("stablehlo/interpret", {}, {35, 259, 1658});
}

TEST(ExecuteCorpusTest, Frameworks) {
  if (corpusPath().empty()) GTEST_SKIP() << kNoCorpus;
  executeFolder("stablehlo/testdata", {}, {301, 309, 33407});
}

TEST(ExecuteCorpusTest, Quantized) {
  if (corpusPath().empty()) GTEST_SKIP() << kNoCorpus;
  executeFolder("stablehlo/testdata_quantized", {}, {25, 28, 3751});
}

TEST(ExecuteCorpusTest, GenericForm) {
  if (corpusPath().empty()) GTEST_SKIP() << kNoCorpus;
  executeFolder("stablehlo/generic_form_sherloc", {}, {70, 71, 6542});
}

TEST(ExecuteCorpusTest, EndToEnd) {
  if (corpusPath().empty()) GTEST_SKIP() << kNoCorpus;
  const std::string dynamic = "its tensors' sizes are hidden on purpose";
  const std::string stablehlo = "tests__e2e__regression__stablehlo__";
  executeFolder(
      "stablehlo/iree",
      {{stablehlo + "dynamic_torch_index_select_negative.mlir", dynamic},
       {stablehlo + "dynamic_torch_index_select_scalar.mlir", dynamic},
       {"tests__e2e__stablehlo_ops__scatter_dynamic.mlir", dynamic},
       {stablehlo + "globals_ml_program.mlir", "a variable of the module"},
       {"tests__e2e__stablehlo_ops__philox.mlir",
        "what an algorithm of random numbers reads is a cover"}},
      {26, 78, 1571}, "tests__e2e");
}

//===-- The executor itself -----------------------------------------------===//

/// Runs a function of these ops.
std::string executeText(const std::string &body, ExecutionReport &report) {
  const std::string text = "func.func @main() {\n" + body + "\nreturn\n}";
  return execute({text, 1}, "test.mlir", report);
}

TEST(ExecutorTest, ChecksThatHold) {
  ExecutionReport report;
  EXPECT_EQ(executeText(R"(
      %a = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
      %b = stablehlo.slice %a [1:4:2] : (tensor<4xi32>) -> tensor<2xi32>
      check.expect_eq_const %b, dense<[2, 4]> : tensor<2xi32>)",
                        report),
            "");
  EXPECT_EQ(report.functions, 1);
  EXPECT_EQ(report.checks, 1);
  EXPECT_EQ(report.elements, 2);
  EXPECT_EQ(report.maps.exact, 1);
  EXPECT_EQ(report.maps.pairs, 2);
}

TEST(ExecutorTest, ChecksThatDoNotHold) {
  ExecutionReport report;
  EXPECT_EQ(executeText(R"(
      %a = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
      %b = stablehlo.reverse %a, dims = [0] : tensor<4xi32>
      check.expect_eq_const %b, dense<[4, 3, 1, 2]> : tensor<4xi32>)",
                        report),
            "element (2) is 2, expected is 1 at loc(\"test.mlir\":5:7)");
  // A number that was only moved must be equal, even if the check allows more.
  EXPECT_EQ(executeText(R"(
      %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
      %b = stablehlo.reverse %a, dims = [0] : tensor<2xf32>
      check.expect_almost_eq_const %b, dense<[2.0, 1.00001]> : tensor<2xf32>)",
                        report),
            "element (1) is 1, expected is 1.00001001 at "
            "loc(\"test.mlir\":5:7)");
  // A number that was computed may be off by some roundings, and no more.
  const std::string sum = R"(
      %a = stablehlo.constant dense<0.1> : tensor<f32>
      %b = stablehlo.add %a, %a : tensor<f32>
      %c = stablehlo.constant dense<NUMBER> : tensor<f32>
      check.expect_close %b, %c, max_ulp_difference = 3
        : tensor<f32>, tensor<f32>)";
  auto with = [&](const char *number) {
    std::string text = sum;
    return text.replace(text.find("NUMBER"), 6, number);
  };
  EXPECT_EQ(executeText(with("0.20000002"), report), "");
  EXPECT_NE(executeText(with("0.2001"), report), "");
}

TEST(ExecutorTest, OpsThatAreNotRun) {
  ExecutionReport report;
  EXPECT_EQ(executeText(R"(
      %a = stablehlo.constant dense<1> : tensor<4xi32>
      %b = "some.op"(%a) : (tensor<4xi32>) -> tensor<4xi32>
      check.expect_eq_const %b, dense<1> : tensor<4xi32>)",
                        report),
            "some.op: the op is not run at loc(\"test.mlir\":4:12)");
}

}  // namespace
}  // namespace indexical::testing
