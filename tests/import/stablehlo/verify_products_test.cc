// The constraints of products and convolutions, each broken on its own.
#include <string>

#include "gtest/gtest.h"

#include "tests/import/stablehlo/verify_cases.h"

namespace indexical {
namespace {

TEST(VerifyProducts, DotGeneral) {
  const std::string x = "%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>";
  const std::string dot = "stablehlo.dot_general %x, %y, ";
  const std::string type =
      " : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>";
  checkCases({
      {x,
       dot + "batching_dims = [0] x [0], contracting_dims = [2] x [1]" + type,
       ""},
      {x, dot + "batching_dims = [0] x [], contracting_dims = [2] x [1]" + type,
       "C1: lhs and rhs must have as many batching dimensions as each other, "
       "but have [0] and []"},
      {x, dot + "contracting_dims = [2] x [1, 0]" + type, "C2: "},
      {x,
       dot + "batching_dims = [2] x [0], contracting_dims = [2] x [1]" + type,
       "C3: lhs_batching_dimensions with"},
      {x,
       dot + "batching_dims = [0] x [1], contracting_dims = [2] x [1]" + type,
       "C4: rhs_batching_dimensions with"},
      {x,
       dot + "batching_dims = [3] x [0], contracting_dims = [2] x [1]" + type,
       "C5: lhs_batching_dimensions must be in [0, 3)"},
      {x,
       dot + "batching_dims = [0] x [0], contracting_dims = [3] x [1]" + type,
       "C6: "},
      {x,
       dot + "batching_dims = [0] x [3], contracting_dims = [2] x [1]" + type,
       "C7: "},
      {x,
       dot + "batching_dims = [0] x [0], contracting_dims = [2] x [-1]" + type,
       "C8: "},
      {x,
       dot + "batching_dims = [1] x [0], contracting_dims = [2] x [1]" + type,
       "C9: batching dimensions must have the same size, but dimension 1 of "
       "lhs "
       "has 3 and dimension 0 of rhs has 2"},
      {x,
       dot + "batching_dims = [0] x [0], contracting_dims = [1] x [1]" + type,
       "C10: contracting dimensions must have the same size"},
      {x,
       dot +
           "batching_dims = [0] x [0], contracting_dims = [2] x [1], "
           "precision = [HIGH, HIGH, HIGH]" +
           type,
       "C11: precision_config must have a precision for lhs and one for rhs, "
       "but has 3"},
      {x, dot + "contracting_dims = [2] x [1]" + type,
       "C12: result must have the shape [2, 3, 2, 5]"},
  });
}

TEST(VerifyProducts, Convolution) {
  const std::string x = "%x: tensor<2x8x8x6xf32>, %k: tensor<3x3x3x4xf32>";
  auto conv = [](std::string window, std::string attributes,
                 std::string result = "2x6x6x4xf32",
                 std::string numbers =
                     "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]") {
    return "stablehlo.convolution(%x, %k) dim_numbers = " + numbers +
           ", window = {" + window + "} {" + attributes +
           "} : (tensor<2x8x8x6xf32>, tensor<3x3x3x4xf32>) -> tensor<" +
           result + ">";
  };
  const std::string two =
      "batch_group_count = 1 : i64, feature_group_count = 2 : i64";
  auto raw = [&](std::string input, std::string kernel, std::string output) {
    return conv("", two, "2x6x6x4xf32",
                "raw<input_batch_dimension = 0, input_feature_dimension = 3, "
                "input_spatial_dimensions = [" +
                    input +
                    "], kernel_input_feature_dimension = 2, "
                    "kernel_output_feature_dimension = 3, "
                    "kernel_spatial_dimensions = [" +
                    kernel +
                    "], output_batch_dimension = 0, output_feature_dimension "
                    "= 3, output_spatial_dimensions = [" +
                    output + "]>");
  };
  checkCases({
      {x, conv("stride = [1, 1]", two), ""},
      {x, raw("1, 2", "0, 1", "1, 2"), ""},
      {x,
       "stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, "
       "o]->[b, 0, f], window = {} {" +
           two +
           "} : (tensor<2x8x8x6xf32>, tensor<3x3x3x4xf32>) -> "
           "tensor<2x6x6x4xf32>",
       "C12: input_spatial_dimensions must have 2 entries"},
      {"%x: tensor<2x8x8x6xf32>, %k: tensor<3x3x4xf32>",
       "stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, "
       "o]->[b, 0, 1, f], window = {} {" +
           two +
           "} : (tensor<2x8x8x6xf32>, tensor<3x3x4xf32>) -> "
           "tensor<2x6x6x4xf32>",
       "C1: lhs and rhs must have the same rank, at least 2, but have 4 and 3"},
      {x, conv("stride = [1]", two), "C2: window_strides must have 2 entries"},
      {x, conv("stride = [1, 0]", two),
       "C3: window_strides must be at least 1"},
      {x, conv("pad = [[0, 0]]", two),
       "C4: padding must have the shape [2, 2], but has [1, 2]"},
      {x, conv("lhs_dilate = [1]", two), "C5: "},
      {x, conv("lhs_dilate = [1, 0]", two), "C6: "},
      {x, conv("rhs_dilate = [1, 1, 1]", two), "C7: "},
      {x, conv("rhs_dilate = [1, -1]", two), "C8: "},
      {x, conv("reverse = [true]", two), "C9: "},
      {x,
       conv("", "batch_group_count = 3 : i64, feature_group_count = 1 : i64"),
       "C10: the batch size of lhs must be a multiple of batch_group_count, 3, "
       "but is 2"},
      {x,
       conv("", "batch_group_count = 1 : i64, feature_group_count = 4 : i64"),
       "C11: the number of input features must be a multiple of "
       "feature_group_count, 4, but is 6"},
      {x, raw("1, 3", "0, 1", "1, 2"), "C13: input_dimensions must not repeat"},
      {x, raw("1, 4", "0, 1", "1, 2"),
       "C13: input_dimensions must be in [0, 4)"},
      {x,
       conv("", "batch_group_count = 1 : i64, feature_group_count = 1 : i64"),
       "C14: the kernel must have as many input features as a group of lhs, 6 "
       "/ "
       "1 = 6, but has 3"},
      {"%x: tensor<6x8x8x3xf32>, %k: tensor<3x3x3x4xf32>",
       "stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, "
       "o]->[b, 0, 1, f], window = {} {batch_group_count = 3 : i64, "
       "feature_group_count = 1 : i64} : (tensor<6x8x8x3xf32>, "
       "tensor<3x3x3x4xf32>) -> tensor<2x6x6x4xf32>",
       "C15: the number of output features must be a multiple of "
       "batch_group_count, 3, but is 4"},
      {x,
       conv("", "batch_group_count = 1 : i64, feature_group_count = 3 : i64"),
       "C16: the number of output features must be a multiple of "
       "feature_group_count, 3, but is 4"},
      {x, raw("1, 2", "0", "1, 2"), "C17: kernel_spatial_dimensions"},
      {x, raw("1, 2", "0, 2", "1, 2"), "C18: kernel_dimensions"},
      {x, raw("1, 2", "0, 1", "1, 2, 3"), "C19: output_spatial_dimensions"},
      {x, raw("1, 2", "0, 1", "1, 1"), "C20: output_dimensions"},
      {x,
       conv("", "batch_group_count = 1 : i64, feature_group_count = 0 : i64"),
       "C21: feature_group_count must be at least 1, but has 0"},
      {x,
       conv("", "batch_group_count = 0 : i64, feature_group_count = 2 : i64"),
       "C22: batch_group_count must be at least 1, but has 0"},
      {x,
       conv("", "batch_group_count = 2 : i64, feature_group_count = 2 : i64"),
       "C23: feature_group_count or batch_group_count must be 1, but they are "
       "2 "
       "and 2"},
      {x,
       conv("", two +
                    ", precision_config = [#stablehlo<precision HIGH>, "
                    "#stablehlo<precision HIGH>, #stablehlo<precision HIGH>]"),
       "C24: "},
      {x, conv("stride = [2, 1]", two),
       "C25: result must have the shape [2, 3, 6, 4]"},
      {x, conv("pad = [[1, 1], [0, 0]]", two),
       "C25: result must have the shape [2, 8, 6, 4]"},
      {x, conv("rhs_dilate = [2, 1]", two),
       "C25: result must have the shape [2, 4, 6, 4]"},
      {x, conv("", two, "2x6x6xf32"), "C26: result must have the rank of lhs"},
      {"%x: tensor<2x8x8x6xf32>, %k: tensor<3x3x3x4xf16>",
       "stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, "
       "o]->[b, 0, 1, f], window = {} {" +
           two +
           "} : (tensor<2x8x8x6xf32>, tensor<3x3x3x4xf16>) -> "
           "tensor<2x6x6x4xf32>",
       "C27: lhs and rhs must have the same element type, but have 'f32' and "
       "'f16'"},
  });
}

/// `!quant.uniform<i8:f32, 1.0>`, or with scales along a dimension.
std::string quantized(const std::string &storage = "i8",
                      const std::string &expressed = "f32",
                      const std::string &scales = ", 1.0") {
  return "!quant.uniform<" + storage + ":" + expressed + scales + ">";
}

TEST(VerifyProducts, QuantizedDotGeneral) {
  auto dot = [](std::string lhs, std::string rhs, std::string result,
                std::string message) {
    const std::string x = "tensor<2x3x" + lhs + ">",
                      y = "tensor<3x2x" + rhs + ">";
    return OpCase{
        "%x: " + x + ", %y: " + y,
        "stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (" + x +
            ", " + y + ") -> tensor<2x2x" + result + ">",
        message};
  };
  const std::string q = quantized(), wide = quantized("i32");
  checkCases({
      dot(q, q, wide, ""),
      dot("f32", q, "f32", ""),
      dot(q, quantized("i8", "f32", ":1, {1.0, 2.0}"),
          quantized("i32", "f32", ":1, {1.0, 2.0}"), ""),
      // Models have these, whatever C13 says.
      dot("f32", "bf16", "f32", ""),
      dot(q, "f32", wide, "C14: rhs must be quantized, and lhs if and only if"),
      dot(q, q, "f32", "C14: "),
      dot(q, quantized("i8", "f32", ", 1.0:5"), wide,
          "C15: the zero points of rhs must be 0"),
      dot(q, quantized("i8", "f32", ":0, {1.0, 2.0, 3.0}"), wide,
          "C16: the scales of rhs must not lie along a contracting dimension, "
          "but lie along 0 of [0]"),
      dot(q, quantized("i4"), wide,
          "C17: lhs and rhs must have the same storage type, but have 'i8' and "
          "'i4'"),
      dot(q, q, quantized("i32", "f16"),
          "C18: lhs, rhs and result must express the same type, but express "
          "'f32', 'f32' and 'f16'"),
      dot(q, q, quantized("i32", "f32", ":1, {1.0, 2.0}"),
          "C19: where rhs has one scale, the result must have one"),
      dot("f16", q, "f16",
          "C20: lhs and result must have the type that rhs expresses, 'f32', "
          "but have 'f16' and 'f16'"),
  });
}

TEST(VerifyProducts, QuantizedConvolution) {
  auto conv = [](std::string lhs, std::string rhs, std::string result,
                 std::string message) {
    const std::string x = "tensor<1x4x2x" + lhs + ">",
                      y = "tensor<2x2x3x" + rhs + ">";
    return OpCase{"%x: " + x + ", %y: " + y,
                  "stablehlo.convolution(%x, %y) dim_numbers = [b, 0, f]x[0, "
                  "i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, "
                  "feature_group_count = 1 : i64} : (" +
                      x + ", " + y + ") -> tensor<1x3x3x" + result + ">",
                  message};
  };
  const std::string q = quantized(), wide = quantized("i32");
  const std::string three = ", {1.0, 2.0, 3.0}";
  checkCases({
      conv(q, q, wide, ""),
      conv("f32", q, "f32", ""),
      conv(q, quantized("i8", "f32", ":2" + three),
           quantized("i32", "f32", ":2" + three), ""),
      conv("f32", "f16", "f32", "C27: "),
      conv(q, q, "f32", "C28: "),
      conv(q, quantized("i8", "f32", ":0, {1.0, 2.0}"), wide,
           "C29: the scales of rhs must lie along its output features, "
           "dimension 2, but lie along dimension 0"),
      conv(q, quantized("i8", "f32", ":2" + three),
           quantized("i32", "f32", ":1" + three),
           "C30: the scales of the result must lie along its output features, "
           "dimension 2, but lie along dimension 1"),
      conv(q, quantized("i4"), wide, "C31: "),
      conv(q, quantized("i8", "f16"), wide, "C32: "),
      conv(q, q, quantized("i32", "f32", ":2" + three), "C33: "),
      conv("f16", q, "f32", "C34: "),
  });
}

TEST(VerifyProducts, LegacyProducts) {
  const std::string x = "%x: tensor<2x3xf32>, %y: tensor<3x4xf32>";
  checkCases({
      {x,
       "stablehlo.dot %x, %y : (tensor<2x3xf32>, tensor<3x4xf32>) -> "
       "tensor<2x4xf32>",
       ""},
      {x,
       "stablehlo.dot %y, %x : (tensor<3x4xf32>, tensor<2x3xf32>) -> "
       "tensor<3x3xf32>",
       "contracting dimensions must have the same size"},
      {x,
       "stablehlo.dot %x, %y : (tensor<2x3xf32>, tensor<3x4xf32>) -> "
       "tensor<4x2xf32>",
       "result must have the shape [2, 4]"},
      {x,
       "stablehlo.einsum %x, %y, config = \"ab,bc->ac\" : "
       "(tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>",
       ""},
      {x,
       "stablehlo.einsum %x, %y, config = \"ab,cb->ac\" : "
       "(tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x3xf32>",
       "`b` of einsum_config has the sizes 3 and 4"},
      {x,
       "stablehlo.einsum %x, %y, config = \"ab,bc\" : (tensor<2x3xf32>, "
       "tensor<3x4xf32>) -> tensor<2x4xf32>",
       "einsum_config must describe 2 operands"},
  });
}

}  // namespace
}  // namespace indexical
