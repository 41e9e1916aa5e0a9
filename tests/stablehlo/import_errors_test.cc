// What an import refuses, and where; types whose sizes are not known.
#include <string>

#include "gtest/gtest.h"

#include "indexing/diagnostic.h"
#include "stablehlo/import/import.h"
#include "tests/stablehlo/imported.h"

namespace indexical::testing {
namespace {

void expectError(const std::string &text, Place place,
                 const std::string &message) {
  auto program = importMlir(text, "test.mlir");
  ASSERT_FALSE(program.ok()) << text;
  const std::string got(program.status().message());
  EXPECT_NE(got.find(message), std::string::npos) << got;
  ASSERT_TRUE(placeOf(program.status()).has_value()) << got;
  EXPECT_EQ(placeOf(program.status())->line, place.line) << got;
  EXPECT_EQ(placeOf(program.status())->column, place.column) << got;
}

TEST(ImportErrorsTest, UnrankedIsRefusedByName) {
  expectError(R"(func.func @f(%x: tensor<*xf32>) { return })", {1, 14},
              "`x`: tensor<*xf32> has no rank");
  expectError(
      "func.func @f(%x: tensor<2xf32>) {\n"
      "  %y = \"test.op\"(%x) : (tensor<2xf32>) -> tensor<*xf32>\n"
      "  return\n}",
      {2, 8}, "`y`: tensor<*xf32> has no rank");
}

TEST(ImportErrorsTest, ErrorsStandInThisText) {
  expectError(
      "func.func @f() { return }\n// -----\n"
      "func.func @f(%x: tensor<2xf32>) -> tensor<3xf32> {\n"
      "  %y = stablehlo.reshape %x : (tensor<2xf32>) -> tensor<3xf32> "
      "loc(\"far.py\":1:1)\n"
      "  return %y : tensor<3xf32>\n}",
      {4, 8}, "");
  expectError(
      "func.func @f(%x: tensor<2xf32>) {\n"
      "  %y = stablehlo.negat %x : tensor<2xf32>\n  return\n}",
      {2, 8}, "stablehlo.negat");
}

// Only the machine knows how often the 4 are there: a bound of 3 would be
// wrong.
TEST(ImportTypesTest, ASizeOfAScalableVectorIsNotKnown) {
  const Program program = imported(R"(
func.func @main(%x: vector<2x[4]xf32>, %y: vector<2x[4]xf32>) -> vector<2x[4]xf32> {
  %z = arith.addf %x, %y : vector<2x[4]xf32>
  return %z : vector<2x[4]xf32>
}
)");
  EXPECT_EQ(reads(program, "main", 0, 1),
            "exact; (d0, d1){rt0} -> (d0, d1), domain: d0 in [0, 1], d1 in "
            "[0, inf], rt0 in [1, inf], d1 - rt0 in [-inf, -1]");
}

}  // namespace
}  // namespace indexical::testing
