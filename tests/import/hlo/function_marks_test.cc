#include <string>

#include <gtest/gtest.h>

#include "indexical/import/hlo/donated.h"
#include "indexical/import/stablehlo/import/import.h"

namespace indexical {
namespace {

MemoryMarks marksOf(const std::string &signature) {
  const auto program = importMlir(std::string(
      "module @m {\n"
      "  func.func private @main_0(%a: tensor<4xf32> {jax.buffer_donor = true})"
      " -> tensor<4xf32> { return %a : tensor<4xf32> }\n"
      "  func.func public @main(" +
      signature +
      ") -> (tensor<4xf32>, tensor<4xf32>) {\n"
      "    return %a, %b : tensor<4xf32>, tensor<4xf32>\n  }\n}\n"));
  EXPECT_TRUE(program.ok()) << program.status();
  return program.ok() ? memoryMarks(program->modules[0]) : MemoryMarks();
}

TEST(FunctionMarks, AnAliasedOutputAndADonor) {
  const MemoryMarks marks = marksOf(
      "%a: tensor<4xf32> {tf.aliasing_output = 1 : i32}, "
      "%b: tensor<4xf32> {jax.buffer_donor = true}");
  ASSERT_EQ(marks.results.size(), 1u);
  EXPECT_EQ(int64_t{marks.results[0].result}, 1);
  EXPECT_EQ(marks.results[0].parameter, 0);
  EXPECT_EQ(marks.results[0].strength, MemoryMarks::Strength::May);
  EXPECT_TRUE(marks.isGiven(0, LeafId(0)));
  EXPECT_TRUE(marks.isGiven(1, LeafId(0)));
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
      "%a: tensor<4xf32> {tf.aliasing_output = 7 : i32}, %b: tensor<4xf32>");
  EXPECT_TRUE(marks.results.empty());
}

}  // namespace
}  // namespace indexical
