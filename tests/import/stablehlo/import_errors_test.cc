// Modules that an import refuses, and the places of the errors. Types whose
// sizes are not known are here too.
#include <string>

#include "gtest/gtest.h"

#include "indexical/import/stablehlo/import/import.h"
#include "indexical/indexing/diagnostic.h"
#include "tests/import/stablehlo/imported.h"

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

// `dense<0>` can stand for more numbers than a memory holds, or 64 bits count.
TEST(ImportErrorsTest, ListsThatAreTooLong) {
  auto function = [](const std::string &op, const std::string &lines = "") {
    return "func.func @main(%x: tensor<4xf32>, %z: tensor<f32>) {\n" + lines +
           "  %y = " + op + "\n  return\n}";
  };
  for (const char *type :
       {"tensor<4611686018427387904xi64>", "tensor<2000000xi64>"}) {
    const std::string list = std::string("dense<0> : ") + type;
    expectError(function("\"stablehlo.broadcast_in_dim\"(%x) "
                         "{broadcast_dimensions = " +
                         list + "} : (tensor<4xf32>) -> tensor<4xf32>"),
                {2, 8}, "'broadcast_dimensions' failed to satisfy constraint");
    expectError(
        function("\"stablehlo.pad\"(%x, %z) {edge_padding_low = " + list +
                 ", edge_padding_high = array<i64: 0>, "
                 "interior_padding = array<i64: 0>} : (tensor<4xf32>, "
                 "tensor<f32>) -> tensor<4xf32>"),
        {2, 8}, "'edge_padding_low' failed to satisfy constraint");
    expectError(
        function("stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0] : "
                 "(tensor<4xf32>, " +
                     std::string(type) + ") -> tensor<?xf32>",
                 "%s = stablehlo.constant " + list + "\n"),
        {3, 8}, "C7: output_dimensions must have 1 entries");
  }
  expectError(function("\"stablehlo.collective_permute\"(%x) "
                       "{source_target_pairs = dense<0> : "
                       "tensor<9223372036854775807x2xi64>} : (tensor<4xf32>) "
                       "-> tensor<4xf32>"),
              {2, 8}, "'source_target_pairs' failed to satisfy constraint");
  // The number of these elements is -2 in 64 bits.
  imported(
      "func.func @main() {\n"
      "  %y = stablehlo.constant dense<true> : "
      "tensor<2x9223372036854775807xi1>\n  return\n}");
}

TEST(ImportErrorsTest, SizesThatNeedMoreBits) {
  expectError(
      "func.func @main(%x: tensor<1x4611686018427387904x1xf32>, "
      "%k: tensor<4x1x1xf32>) {\n"
      "  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, "
      "o]->[b, 0, f], window = {lhs_dilate = [9223372036854775807]} "
      "{batch_group_count = 1 : i64, feature_group_count = 1 : i64} : "
      "(tensor<1x4611686018427387904x1xf32>, tensor<4x1x1xf32>) -> "
      "tensor<1x7x1xf32>\n  return\n}",
      {2, 8}, "64 bits");
  expectError(
      "func.func @main(%x: tensor<8xf32>) {\n"
      "  %y = \"stablehlo.collective_permute\"(%x) {source_target_pairs = "
      "dense<[[9223372036854775807, 1], [1, 9223372036854775807]]> : "
      "tensor<2x2xi64>} : (tensor<8xf32>) -> tensor<8xf32>\n  return\n}",
      {2, 8}, "C4: source_target_pairs must be in [0, 4294967296)");
  const std::string scaled =
      "tensor<2x4611686018427387904x4x!quant.uniform<i8:f32:0, {0.1, 0.2}>>";
  imported("func.func @main(%x: " + scaled + ") {\n  %y = stablehlo.reshape " +
           "%x : (" + scaled + ") -> " + scaled + "\n  return\n}");
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
