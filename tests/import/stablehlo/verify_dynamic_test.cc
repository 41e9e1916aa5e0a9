// The constraints of the ops whose sizes and starts are operands, each broken
// on its own: what types and constants decide.
#include <string>

#include "gtest/gtest.h"

#include "tests/import/stablehlo/verify_cases.h"

namespace indexical {
namespace {

// Nothing but the type says what size the result of these ops has.
TEST(VerifyDynamic, ResultsThatNothingElseDefines) {
  const std::string x =
      "%x: tensor<1xf32>, %q: tensor<4xf32>, %s: tensor<2xui64>, %t: "
      "!stablehlo.token";
  const std::string because =
      ", for nothing else says what it is, but is of the type 'tensor<";
  const std::string unbounded = " must have a size or a bound" + because;
  const std::string unknown = " must have a size" + because;
  checkCases({
      {x,
       "stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<1xf32>) -> "
       "tensor<1x?xf32>",
       "dimension 1 of result" + unbounded + "1x?xf32>'"},
      {x,
       "stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<1xf32>) -> "
       "tensor<1x?xf32, #stablehlo.bounds<?, 5>>",
       ""},
      {x, "stablehlo.iota dim = 0 : tensor<?xi32>",
       "dimension 0 of result" + unknown + "?xi32>'"},
      {x, "stablehlo.reshape %q : (tensor<4xf32>) -> tensor<?x2xf32>",
       "dimension 0 of result" + unbounded + "?x2xf32>'"},
      {x,
       "\"stablehlo.infeed\"(%t) : (!stablehlo.token) -> (tensor<?xf32>, "
       "!stablehlo.token)",
       "dimension 0 of results[0]" + unknown + "?xf32>'", 2},
      {x,
       "\"stablehlo.recv\"(%t) {channel_handle = "
       "#stablehlo.channel_handle<handle = 1, type = 1>} : "
       "(!stablehlo.token) -> (tensor<?xf32>, !stablehlo.token)",
       "dimension 0 of results[0]" + unknown + "?xf32>'", 2},
      {x,
       "stablehlo.rng_bit_generator %s, algorithm = DEFAULT : "
       "(tensor<2xui64>) -> (tensor<2xui64>, tensor<?xui32>)",
       "dimension 0 of output" + unknown + "?xui32>'", 2},
  });
}

TEST(VerifyDynamic, DynamicPad) {
  const std::string x =
      "%x: tensor<?x?xf32>, %v: tensor<f32>, %l: tensor<2xindex>, %h: "
      "tensor<2xindex>, %i: tensor<2xindex>, %s: tensor<1xindex>";
  checkCases({
      // The third one, without the colon that is too many.
      {x,
       "stablehlo.dynamic_pad %x, %v, %l, %h, %i : (tensor<?x?xf32>, "
       "tensor<f32>, tensor<2xindex>, tensor<2xindex>, tensor<2xindex>) -> "
       "tensor<?x?xf32>",
       ""},
      {x,
       "stablehlo.dynamic_pad %x, %v, %l, %s, %i : (tensor<?x?xf32>, "
       "tensor<f32>, tensor<2xindex>, tensor<1xindex>, tensor<2xindex>) -> "
       "tensor<?x?xf32>",
       "C2: edge_padding_high must have 2 entries in one dimension, the rank "
       "of "
       "operand, but is [1]"},
      {x,
       "stablehlo.dynamic_pad %x, %v, %l, %h, %i : (tensor<?x?xf32>, "
       "tensor<f32>, tensor<2xindex>, tensor<2xindex>, tensor<2xindex>) -> "
       "tensor<?xf32>",
       "C4: result must have the rank of operand, 2, but has 1"},
      {x,
       "stablehlo.dynamic_pad %x, %v, %l, %h, %i : (tensor<?x?xf32>, "
       "tensor<f32>, tensor<2xindex>, tensor<2xindex>, tensor<2xindex>) -> "
       "tensor<?x?xi32>",
       "C1: operand and result must have the same element type"},
  });
  expectRefused(
      "func.func @f(%x: tensor<4xf32>, %v: tensor<f32>) {\n"
      "  %l = stablehlo.constant dense<-1> : tensor<1xi64>\n"
      "  %r = stablehlo.dynamic_pad %x, %v, %l, %l, %l : (tensor<4xf32>, "
      "tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> "
      "tensor<?xf32>\n  return\n}",
      {3, 8}, "C3: interior_padding must be at least 0, but has -1");
  expectRefused(
      "func.func @f(%x: tensor<4xf32>, %v: tensor<f32>) {\n"
      "  %l = stablehlo.constant dense<1> : tensor<1xi64>\n"
      "  %r = stablehlo.dynamic_pad %x, %v, %l, %l, %l : (tensor<4xf32>, "
      "tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> "
      "tensor<6xf32>\n  return\n}",
      {3, 8}, "C4: result must have the shape [9]");
}

TEST(VerifyDynamic, DynamicSlices) {
  const std::string x =
      "%x: tensor<4x5xf32>, %u: tensor<2x3xf32>, %i: tensor<i64>, %j: "
      "tensor<i32>, %w: tensor<5x3xf32>, %t: tensor<2xi64>, %v: "
      "tensor<2xf32>";
  const std::string take = "stablehlo.dynamic_slice %x, ";
  const std::string put = "stablehlo.dynamic_update_slice ";
  checkCases({
      {x,
       take + "%i, %i, sizes = [2, 3] : (tensor<4x5xf32>, tensor<i64>, "
              "tensor<i64>) -> tensor<2x3xf32>",
       ""},
      {x,
       take + "%i, %i, sizes = [2, 3] : (tensor<4x5xf32>, tensor<i64>, "
              "tensor<i64>) -> tensor<2x3xi32>",
       "C1: "},
      {x,
       take + "%i, sizes = [2, 3] : (tensor<4x5xf32>, tensor<i64>) -> "
              "tensor<2x3xf32>",
       "C2: there must be a start index for each of the 2 dimensions of "
       "operand, not 1"},
      {x,
       take + "%i, %i, sizes = [2] : (tensor<4x5xf32>, tensor<i64>, "
              "tensor<i64>) -> tensor<2xf32>",
       "C2: slice_sizes must have 2 entries"},
      {x,
       take + "%i, %j, sizes = [2, 3] : (tensor<4x5xf32>, tensor<i64>, "
              "tensor<i32>) -> tensor<2x3xf32>",
       "C3: start_indices must be tensors of rank 0 and of one type"},
      {x,
       take + "%i, %i, sizes = [5, 3] : (tensor<4x5xf32>, tensor<i64>, "
              "tensor<i64>) -> tensor<5x3xf32>",
       "C4: slice_sizes must be at most the size of operand, 4 in dimension 0, "
       "but is 5"},
      {x,
       take + "%i, %i, sizes = [2, 3] : (tensor<4x5xf32>, tensor<i64>, "
              "tensor<i64>) -> tensor<3x3xf32>",
       "C5: result must have the shape [2, 3], slice_sizes, but has [3, 3]"},
      {x,
       put + "%x, %u, %i, %i : (tensor<4x5xf32>, tensor<2x3xf32>, "
             "tensor<i64>, tensor<i64>) -> tensor<4x5xf32>",
       ""},
      {x,
       put + "%x, %u, %i, %i : (tensor<4x5xf32>, tensor<2x3xf32>, "
             "tensor<i64>, tensor<i64>) -> tensor<4x4xf32>",
       "C1: "},
      {x,
       put + "%x, %t, %i, %i : (tensor<4x5xf32>, tensor<2xi64>, "
             "tensor<i64>, tensor<i64>) -> tensor<4x5xf32>",
       "C2: operand and update must have the same element type"},
      {x,
       put + "%x, %v, %i, %i : (tensor<4x5xf32>, tensor<2xf32>, "
             "tensor<i64>, tensor<i64>) -> tensor<4x5xf32>",
       "C3: update must have the rank of operand, 2, but has 1"},
      {x,
       put + "%x, %u, %i : (tensor<4x5xf32>, tensor<2x3xf32>, "
             "tensor<i64>) -> tensor<4x5xf32>",
       "C4: "},
      {x,
       put + "%x, %u, %i, %j : (tensor<4x5xf32>, tensor<2x3xf32>, "
             "tensor<i64>, tensor<i32>) -> tensor<4x5xf32>",
       "C5: "},
      {x,
       put + "%x, %w, %i, %i : (tensor<4x5xf32>, tensor<5x3xf32>, "
             "tensor<i64>, tensor<i64>) -> tensor<4x5xf32>",
       "C6: update must be no larger than operand, 4 in dimension 0, but is 5"},
      {x,
       "stablehlo.real_dynamic_slice %x, %t, %t, %t : (tensor<4x5xf32>, "
       "tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>",
       ""},
      {x,
       "stablehlo.real_dynamic_slice %x, %t, %t, %t : (tensor<4x5xf32>, "
       "tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?xf32>",
       "result must have the rank of operand, 2, but has 1"},
      {x,
       "stablehlo.real_dynamic_slice %x, %t, %t, %t : (tensor<4x5xf32>, "
       "tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xi32>",
       "operand and result must have the same element type"},
      {x,
       "stablehlo.real_dynamic_slice %x, %i, %t, %t : (tensor<4x5xf32>, "
       "tensor<i64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>",
       "start_indices must have 2 entries in one dimension, the rank of "
       "operand, but is []"},
  });
}

TEST(VerifyDynamic, OtherDynamicOps) {
  const std::string x =
      "%x: tensor<4x5xf32>, %s: tensor<2xi64>, %n: "
      "tensor<i32>";
  checkCases({
      {x,
       "stablehlo.dynamic_iota %s, dim = 2 : (tensor<2xi64>) -> "
       "tensor<?x?xf32>",
       "C1: iota_dimension must be in [0, 2)"},
      {x,
       "stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi64>) -> "
       "tensor<?xf32>",
       "C2: output_shape must have 1 entries"},
      {x,
       "stablehlo.dynamic_reshape %x, %s : (tensor<4x5xf32>, "
       "tensor<2xi64>) -> tensor<4x5xi32>",
       "C1: operand and result must have the same element type"},
      {x,
       "stablehlo.dynamic_reshape %x, %s : (tensor<4x5xf32>, "
       "tensor<2xi64>) -> tensor<3x5xf32>",
       "C2: operand and result must have the same number of elements"},
      {x,
       "stablehlo.dynamic_reshape %x, %s : (tensor<4x5xf32>, "
       "tensor<2xi64>) -> tensor<?xf32>",
       "C4: output_shape"},
      {x,
       "stablehlo.get_dimension_size %x, dim = 2 : (tensor<4x5xf32>) -> "
       "tensor<i32>",
       "C1: dimension must be in [0, 2)"},
      {x,
       "stablehlo.set_dimension_size %x, %n, dim = 2 : (tensor<4x5xf32>, "
       "tensor<i32>) -> tensor<4x5xf32>",
       "dimension must be in [0, 2)"},
      {x,
       "stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<4x5xf32>, "
       "tensor<i32>) -> tensor<?x5xf32, #stablehlo.bounds<4, ?>>",
       ""},
      {x,
       "stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<4x5xf32>, "
       "tensor<i32>) -> tensor<4x6xf32>",
       "operand and result must have the same shape, but are [4, 5] and [4, "
       "6]"},
  });
}

}  // namespace
}  // namespace indexical
