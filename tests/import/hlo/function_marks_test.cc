#include "indexical/import/hlo/donated.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "indexical/import/stablehlo/dialect/parse.h"
#include "indexical/import/stablehlo/import/import.h"
#include "tests/import/stablehlo/bytecode.h"
#include "tests/import/stablehlo/vhlo/artifact.h"

namespace indexical {
namespace {

/// Returns the marks of each module of a text or of bytecode.
std::vector<MemoryMarks> marksIn(const std::string &text) {
  MlirOptions options;
  options.trustBytecode = true;
  const auto program = importMlir(text, "", options);
  EXPECT_TRUE(program.ok()) << program.status();
  std::vector<MemoryMarks> marks;
  if (program.ok())
    for (const Module &module : program->modules)
      marks.push_back(memoryMarks(module));
  return marks;
}

std::string moduleOf(const std::string &signature) {
  return "module @m {\n"
         "  func.func private @main_0(%a: tensor<4xf32> {jax.buffer_donor = "
         "true}) -> tensor<4xf32> { return %a : tensor<4xf32> }\n"
         "  func.func public @main(" +
         signature +
         ") -> (tensor<4xf32>, tensor<4xf32>) {\n"
         "    return %a, %b : tensor<4xf32>, tensor<4xf32>\n  }\n}\n";
}

MemoryMarks marksOf(const std::string &signature) {
  const auto marks = marksIn(moduleOf(signature));
  EXPECT_EQ(marks.size(), 1u);
  return marks.empty() ? MemoryMarks() : marks[0];
}

const char *const kDonates =
    "%a: tensor<4xf32> {tf.aliasing_output = 1 : i32}, "
    "%b: tensor<4xf32> {jax.buffer_donor = true}";

void expectDonated(const MemoryMarks &marks) {
  ASSERT_EQ(marks.results.size(), 1u);
  EXPECT_EQ(int64_t{marks.results[0].result}, 1);
  EXPECT_EQ(marks.results[0].parameter, 0);
  EXPECT_EQ(marks.results[0].strength, MemoryMarks::Strength::May);
  EXPECT_TRUE(marks.isGiven(0, LeafId(0)));
  EXPECT_TRUE(marks.isGiven(1, LeafId(0)));
}

TEST(FunctionMarks, AnAliasedOutputAndADonor) {
  expectDonated(marksOf(kDonates));
}

TEST(FunctionMarks, BytecodeAndArtifactsHaveThem) {
  const auto file = parseMlir(moduleOf(kDonates));
  ASSERT_TRUE(file.ok()) << file.status();
  const mlir::ModuleOp module = *file->modules[0].module;
  const auto ofBytecode = marksIn(testing::bytecodeOf(module));
  ASSERT_EQ(ofBytecode.size(), 1u);
  expectDonated(ofBytecode[0]);
  const auto artifact = testing::writeArtifact(module);
  ASSERT_TRUE(artifact.ok()) << artifact.status();
  const auto ofArtifact = marksIn(*artifact);
  ASSERT_EQ(ofArtifact.size(), 1u);
  expectDonated(ofArtifact[0]);
}

TEST(FunctionMarks, TheGenericFormHasThem) {
  const auto marks = marksIn(
      "\"builtin.module\"() ({\n"
      "  \"func.func\"() <{arg_attrs = [{tf.aliasing_output = 1 : i32}, "
      "{jax.buffer_donor = true}], function_type = (tensor<4xf32>, "
      "tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>), sym_name = "
      "\"main\"}> ({\n"
      "  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):\n"
      "    \"func.return\"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> ()\n"
      "  }) : () -> ()\n"
      "}) : () -> ()\n");
  ASSERT_EQ(marks.size(), 1u);
  expectDonated(marks[0]);
}

TEST(FunctionMarks, EachModuleOfATextHasItsOwn) {
  const std::string none = "%a: tensor<4xf32>, %b: tensor<4xf32>";
  auto marks = marksIn(moduleOf(kDonates) + "// -----\n" + moduleOf(none));
  ASSERT_EQ(marks.size(), 2u);
  expectDonated(marks[0]);
  EXPECT_TRUE(marks[1].donors.empty());
  marks = marksIn("// func.func @main(" + none + ")\n" + moduleOf(kDonates));
  ASSERT_EQ(marks.size(), 1u);
  expectDonated(marks[0]);
}

TEST(FunctionMarks, BracketsAndNamesInStringsAreNone) {
  const MemoryMarks marks = marksOf(
      "%a: tensor<4xf32> {mhlo.sharding = \"{replicated} ), "
      "tf.aliasing_output = 0\"}, "
      "%b: tensor<4xf32> {mhlo.note = \"\\\"}\", tf.aliasing_output = 0 : "
      "i32}");
  ASSERT_EQ(marks.results.size(), 1u);
  EXPECT_EQ(marks.results[0].parameter, 1);
  EXPECT_FALSE(marks.isGiven(0, LeafId(0)));
}

TEST(FunctionMarks, OtherFunctionsAndOtherNamesAreNone) {
  const MemoryMarks marks =
      marksOf("%a: tensor<4xf32>, %b: tensor<4xf32> {x.buffer_donor = true}");
  EXPECT_TRUE(marks.results.empty());
  EXPECT_TRUE(marks.donors.empty());
}

TEST(FunctionMarks, AResultThatIsNoneIsLeftOut) {
  const MemoryMarks marks = marksOf(
      "%a: tensor<4xf32> {tf.aliasing_output = 7 : i32}, "
      "%b: tensor<4xf32> {jax.buffer_donor = false}");
  EXPECT_TRUE(marks.results.empty());
  EXPECT_FALSE(marks.isGiven(1, LeafId(0)));
}

}  // namespace
}  // namespace indexical
