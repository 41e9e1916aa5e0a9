// The constraints of the ops that move data, each broken on its own; relaxed
// ones with unknown sizes, after the dynamism document.
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "tests/stablehlo/verify_cases.h"

namespace indexical {
namespace {

TEST(VerifyOps, Slice) {
  const std::string x = "%x: tensor<3x8xf32>";
  checkCases({
      {x,
       "stablehlo.slice %x [1:3, 4:8:2] : (tensor<3x8xf32>) -> "
       "tensor<2x2xf32>",
       ""},
      {x,
       "stablehlo.slice %x [3:3, 8:8] : (tensor<3x8xf32>) -> "
       "tensor<0x0xf32>",
       ""},
      {x,
       "stablehlo.slice %x [0:3, 0:8] : (tensor<3x8xf32>) -> "
       "tensor<3x8xi32>",
       "C1: operand and result must have the same element type"},
      {x, "stablehlo.slice %x [0:3] : (tensor<3x8xf32>) -> tensor<3xf32>",
       "C2: start_indices must have 2 entries, the rank of operand, but [0] "
       "has "
       "1"},
      {x,
       "stablehlo.slice %x [-1:3, 0:8] : (tensor<3x8xf32>) -> "
       "tensor<4x8xf32>",
       "C3: start_indices must be at least 0, but has -1"},
      {x,
       "stablehlo.slice %x [2:1, 0:8] : (tensor<3x8xf32>) -> "
       "tensor<0x8xf32>",
       "C3: start <= limit <= size must hold in dimension 0, but these are 2, "
       "1 and 3"},
      {x,
       "stablehlo.slice %x [0:3, 0:9] : (tensor<3x8xf32>) -> "
       "tensor<3x9xf32>",
       "C3: start <= limit <= size must hold in dimension 1, but these are 0, "
       "9 and 8"},
      {x,
       "stablehlo.slice %x [0:3, 0:8:0] : (tensor<3x8xf32>) -> "
       "tensor<3x8xf32>",
       "C4: strides must be at least 1, but has 0"},
      {x,
       "stablehlo.slice %x [0:3, 0:8:3] : (tensor<3x8xf32>) -> "
       "tensor<3x2xf32>",
       "C5: result must have the shape [3, 3], ceil((limit - start) / stride), "
       "but has [3, 2]"},
      {"%x: tensor<?x8xf32>",
       "stablehlo.slice %x [0:9, 0:8] : (tensor<?x8xf32>) -> tensor<9x8xf32>",
       ""},
      {"%x: tensor<?x8xf32, #stablehlo.bounds<4, ?>>",
       "stablehlo.slice %x [0:9, 0:8] : (tensor<?x8xf32, "
       "#stablehlo.bounds<4, ?>>) -> tensor<9x8xf32>",
       "C3: start <= limit <= size must hold in dimension 0, but these are 0, "
       "9 and 4"},
      {x,
       "stablehlo.slice %x [0:9223372036854775807, 0:8] : "
       "(tensor<3x8xf32>) -> tensor<?x8xf32>",
       "C3: "},
  });
}

TEST(VerifyOps, Pad) {
  const std::string x = "%x: tensor<16x16xf32>, %v: tensor<f32>";
  const std::string type = " : (tensor<16x16xf32>, tensor<f32>) -> ";
  checkCases({
      // The document's first example says 20x20, which breaks C4.
      {x,
       "stablehlo.pad %x, %v, low = [1, 1], high = [1, 1], interior = [0, "
       "0]" +
           type + "tensor<18x18xf32>",
       ""},
      {x,
       "stablehlo.pad %x, %v, low = [1, 1], high = [1, 1], interior = [0, "
       "0]" +
           type + "tensor<20x20xf32>",
       "C4: result must have the shape [18, 18], shape(operand) + low + "
       "max(shape(operand) - 1, 0) * interior + high, but has [20, 20]"},
      {x,
       "stablehlo.pad %x, %v, low = [1, 1], high = [-3, 1], interior = [2, "
       "0]" +
           type + "tensor<44x18xf32>",
       ""},
      {x,
       "stablehlo.pad %x, %v, low = [1, 1], high = [1, 1], interior = [0, "
       "0]" +
           type + "tensor<18x18xi32>",
       "C1: operand and result must have the same element type"},
      {"%x: tensor<16x16xf32>, %v: tensor<i32>",
       "stablehlo.pad %x, %v, low = [1, 1], high = [1, 1], interior = [0, 0] : "
       "(tensor<16x16xf32>, tensor<i32>) -> tensor<18x18xf32>",
       "C1: operand and padding_value must have the same element type"},
      {x,
       "stablehlo.pad %x, %v, low = [1], high = [1, 1], interior = [0, 0]" +
           type + "tensor<18x18xf32>",
       "C2: edge_padding_low must have 2 entries, the rank of operand, but [1] "
       "has 1"},
      {x,
       "stablehlo.pad %x, %v, low = [1, 1], high = [1, 1, 1], interior = "
       "[0, 0]" +
           type + "tensor<18x18xf32>",
       "C2: edge_padding_high must have 2 entries"},
      {x,
       "stablehlo.pad %x, %v, low = [1, 1], high = [1, 1], interior = []" +
           type + "tensor<18x18xf32>",
       "C2: interior_padding must have 2 entries"},
      {x,
       "stablehlo.pad %x, %v, low = [1, 1], high = [1, 1], interior = [0, "
       "-1]" +
           type + "tensor<18x3xf32>",
       "C3: interior_padding must be at least 0, but has -1"},
      {x,
       "stablehlo.pad %x, %v, low = [-9, 0], high = [-9, 0], interior = [0, "
       "0]" +
           type + "tensor<0x16xf32>",
       "C4: dimension 0 of size 16 with padding -9, -9 and 0 inside would have "
       "no size that a tensor can have"},
      {x,
       "stablehlo.pad %x, %v, low = [0, 0], high = [0, 0], interior = "
       "[9223372036854775807, 0]" +
           type + "tensor<?x16xf32>",
       "C4: dimension 0"},
      // The second one is unranked.
      {"%x: tensor<*xf32>, %v: tensor<f32>",
       "stablehlo.pad %x, %v, low = [1, 1], high = [1, 1], interior = [0, 0] : "
       "(tensor<*xf32>, tensor<f32>) -> tensor<?x20xf32>",
       "operand #0 must be ranked tensor, but got 'tensor<*xf32>'"},
  });
}

TEST(VerifyOps, DynamicPad) {
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
       "operand, but is 'tensor<1xindex>'"},
      {x,
       "stablehlo.dynamic_pad %x, %v, %l, %h, %i : (tensor<?x?xf32>, "
       "tensor<f32>, tensor<2xindex>, tensor<2xindex>, tensor<2xindex>) -> "
       "tensor<?xf32>",
       "C4: result must have the rank of operand, 2, but has 1"},
  });
  expectRefused(
      "func.func @f(%x: tensor<4xf32>, %v: tensor<f32>) {\n"
      "  %l = stablehlo.constant dense<1> : tensor<1xi64>\n"
      "  %r = stablehlo.dynamic_pad %x, %v, %l, %l, %l : (tensor<4xf32>, "
      "tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> "
      "tensor<6xf32>\n  return\n}",
      {3, 8}, "C4: result must have the shape [9]");
}

// The ten lines of the dynamism document.
TEST(VerifyOps, AddWithUnknownSizes) {
  expectRead(R"(
func.func @main(%arg0: tensor<?xf32>, %arg1: tensor<1xf32>) {
  %0 = stablehlo.add %arg0, %arg0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %1 = stablehlo.add %arg0, %arg0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<1xf32>
  %2 = stablehlo.add %arg0, %arg1 : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
  %3 = stablehlo.add %arg0, %arg1 : (tensor<?xf32>, tensor<1xf32>) -> tensor<1xf32>
  %4 = stablehlo.add %arg1, %arg0 : (tensor<1xf32>, tensor<?xf32>) -> tensor<?xf32>
  %5 = stablehlo.add %arg1, %arg0 : (tensor<1xf32>, tensor<?xf32>) -> tensor<1xf32>
  %6 = stablehlo.add %arg1, %arg1 : (tensor<1xf32>, tensor<1xf32>) -> tensor<?xf32>
  %7 = stablehlo.add %arg1, %arg1 : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  func.return
})");
  checkCases({
      {"%x: tensor<?xf32>, %y: tensor<1xf32>",
       "stablehlo.add %x, %y : (tensor<?xf32>, tensor<1xf32>) -> tensor<2xf32>",
       "must have one shape in all its operands and results"},
      {"%x: tensor<?xf32, #stablehlo.bounds<4>>, %y: tensor<5xf32>",
       "stablehlo.add %x, %y : (tensor<?xf32, #stablehlo.bounds<4>>, "
       "tensor<5xf32>) -> tensor<?xf32>",
       "must have one shape in all its operands and results"},
      {"%x: tensor<2xf32>, %y: tensor<2xi32>",
       "stablehlo.add %x, %y : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xf32>",
       "must have one element type in all its operands and results"},
      {"%x: tensor<*xf32>", "stablehlo.add %x, %x : tensor<*xf32>",
       "operand #0 must be ranked tensor, but got 'tensor<*xf32>'"},
  });
}

TEST(VerifyOps, Concatenate) {
  const std::string x =
      "%x: tensor<3x2xf32>, %y: tensor<1x2xf32>, %z: tensor<1x3xf32>, %i: "
      "tensor<1x2xi32>";
  checkCases({
      {x,
       "stablehlo.concatenate %x, %y, dim = 0 : (tensor<3x2xf32>, "
       "tensor<1x2xf32>) -> tensor<4x2xf32>",
       ""},
      {x,
       "stablehlo.concatenate %x, %i, dim = 0 : (tensor<3x2xf32>, "
       "tensor<1x2xi32>) -> tensor<4x2xf32>",
       "C1: inputs[0] and inputs[1] must have the same element type"},
      {x,
       "stablehlo.concatenate %x, %z, dim = 0 : (tensor<3x2xf32>, "
       "tensor<1x3xf32>) -> tensor<4x2xf32>",
       "C2: inputs[1] must have the shape of inputs[0] but for dimension 0"},
      {x,
       "\"stablehlo.concatenate\"() {dimension = 0 : i64} : () -> "
       "tensor<0xf32>",
       "C3: there must be at least one input"},
      {x,
       "stablehlo.concatenate %x, %y, dim = 2 : (tensor<3x2xf32>, "
       "tensor<1x2xf32>) -> tensor<4x2xf32>",
       "C4: dimension must be in [0, 2), rank(inputs[0]) being 2, but has 2"},
      {x,
       "stablehlo.concatenate %x, %y, dim = -1 : (tensor<3x2xf32>, "
       "tensor<1x2xf32>) -> tensor<4x2xf32>",
       "C4: dimension must be in [0, 2)"},
      {x,
       "stablehlo.concatenate %x, %y, dim = 0 : (tensor<3x2xf32>, "
       "tensor<1x2xf32>) -> tensor<4x2xi32>",
       "C5: inputs[0] and result must have the same element type"},
      {x,
       "stablehlo.concatenate %x, %y, dim = 0 : (tensor<3x2xf32>, "
       "tensor<1x2xf32>) -> tensor<5x2xf32>",
       "C6: result must have the shape [4, 2], the sum of the inputs' sizes in "
       "dimension 0, but has [5, 2]"},
  });
}

TEST(VerifyOps, ReshapeTransposeReverseIota) {
  const std::string x = "%x: tensor<2x3xf32>";
  checkCases({
      {x, "stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<6xi32>", "C1: "},
      {x, "stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<5xf32>",
       "C2: operand and result must have the same number of elements, but have "
       "6 and 5"},
      {x,
       "stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> "
       "tensor<3x2xi32>",
       "C1: "},
      {x,
       "stablehlo.transpose %x, dims = [1, 1] : (tensor<2x3xf32>) -> "
       "tensor<3x3xf32>",
       "C2: dims must be a permutation of the 2 dimensions of operand, counted "
       "from 0, but is [1, 1]"},
      {x,
       "stablehlo.transpose %x, dims = [0] : (tensor<2x3xf32>) -> "
       "tensor<2xf32>",
       "C2: dims must be a permutation"},
      {x,
       "stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> "
       "tensor<2x3xf32>",
       "C3: result must have the shape [3, 2], that of operand, permuted, but "
       "has [2, 3]"},
      {x,
       "stablehlo.reverse %x, dims = [0] : (tensor<2x3xf32>) -> "
       "tensor<3x2xf32>",
       "C1: operand and result must have the same shape"},
      {x, "stablehlo.reverse %x, dims = [0, 0] : tensor<2x3xf32>",
       "C2: dimensions must not repeat an entry, but [0, 0] has 0 twice"},
      {x, "stablehlo.reverse %x, dims = [2] : tensor<2x3xf32>",
       "C3: dimensions must be in [0, 2), rank(result) being 2, but has 2"},
      {x, "stablehlo.iota dim = 2 : tensor<2x3xf32>",
       "C1: iota_dimension must be in [0, 2), rank(result) being 2, but has 2"},
      {x,
       "stablehlo.constant() {value = dense<1> : tensor<2xi8>} : () -> "
       "tensor<3xi8>",
       "C1: the value must be of the type of the result"},
  });
}

TEST(VerifyOps, Broadcasts) {
  const std::string x = "%x: tensor<1x3xf32>, %s: tensor<3xi64>";
  const std::string in = "stablehlo.broadcast_in_dim %x, dims = ";
  checkCases({
      {x, in + "[2, 1] : (tensor<1x3xf32>) -> tensor<2x3x2xf32>", ""},
      {x, in + "[2, 1] : (tensor<1x3xf32>) -> tensor<2x3x2xi32>", "C1: "},
      {x, in + "[2] : (tensor<1x3xf32>) -> tensor<2x3x2xf32>",
       "C2: broadcast_dimensions must have 2 entries"},
      {x, in + "[3, 1] : (tensor<1x3xf32>) -> tensor<2x3x2xf32>",
       "C3: broadcast_dimensions must be in [0, 3), rank(result) being 3, but "
       "has 3"},
      {x, in + "[1, 1] : (tensor<1x3xf32>) -> tensor<2x3x2xf32>",
       "C4: broadcast_dimensions must not repeat an entry"},
      {x, in + "[1, 0] : (tensor<1x3xf32>) -> tensor<2x3x2xf32>",
       "C5: dimension 1 of operand must have the size 1 or that of dimension 0 "
       "of the result, 2, but has 3"},
      {x,
       "stablehlo.broadcast %x, sizes = [4] : (tensor<1x3xf32>) -> "
       "tensor<4x3xf32>",
       "result must have the shape [4, 1, 3]"},
      {x,
       "stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [2, 1] : "
       "(tensor<1x3xf32>, tensor<3xi64>) -> tensor<?x?x?xf32>",
       ""},
      {x,
       "stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [2, 1] : "
       "(tensor<1x3xf32>, tensor<3xi64>) -> tensor<?x4x?xf32>",
       "C5: "},
      {x,
       "stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0, 1] : "
       "(tensor<1x3xf32>, tensor<3xi64>) -> tensor<?x?xf32>",
       "C7: output_dimensions must have 2 entries in one dimension"},
      {x,
       "stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0, 1] "
       "{known_expanding_dimensions = array<i64: 0>, "
       "known_nonexpanding_dimensions = array<i64: 0>} : "
       "(tensor<1x3xf32>, tensor<3xi64>) -> tensor<?x?x?xf32>",
       "C8: "},
      {x,
       "stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0, 1] "
       "{known_expanding_dimensions = array<i64: 2>} : "
       "(tensor<1x3xf32>, tensor<3xi64>) -> tensor<?x?x?xf32>",
       "C9: "},
      {x,
       "stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0, 1] "
       "{known_nonexpanding_dimensions = array<i64: 2>} : "
       "(tensor<1x3xf32>, tensor<3xi64>) -> tensor<?x?x?xf32>",
       "C10: "},
  });
}

TEST(VerifyOps, DynamicSlices) {
  const std::string x =
      "%x: tensor<4x5xf32>, %u: tensor<2x3xf32>, %i: tensor<i64>, %j: "
      "tensor<i32>, %w: tensor<5x3xf32>, %t: tensor<2xi64>";
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
       "C2: "},
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
  });
}

TEST(VerifyOps, OtherDynamicOps) {
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
       "the result must have the shape of operand but for dimension 0"},
  });
}

TEST(VerifyOps, DotGeneral) {
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
           "precision = [HIGH]" +
           type,
       "C11: precision_config must have a precision for lhs and one for rhs, "
       "but has 1"},
      {x, dot + "contracting_dims = [2] x [1]" + type,
       "C12: result must have the shape [2, 3, 2, 5]"},
  });
}

TEST(VerifyOps, Convolution) {
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
      {x, conv("", two + ", precision_config = [#stablehlo<precision HIGH>]"),
       "C24: "},
      {x, conv("stride = [2, 1]", two),
       "C25: result must have the shape [2, 3, 6, 4]"},
      {x, conv("pad = [[1, 1], [0, 0]]", two),
       "C25: result must have the shape [2, 8, 6, 4]"},
      {x, conv("rhs_dilate = [2, 1]", two),
       "C25: result must have the shape [2, 4, 6, 4]"},
      {x, conv("", two, "2x6x6xf32"), "C26: result must have the rank of lhs"},
  });
}

TEST(VerifyOps, Reduce) {
  const std::string x =
      "%x: tensor<2x3xf32>, %y: tensor<2x4xf32>, %v: tensor<f32>, %i: "
      "tensor<i32>, %w: tensor<1xf32>";
  auto reduce = [](std::string operands, std::string dimensions,
                   std::string types) {
    return "stablehlo.reduce" + operands +
           " applies stablehlo.add across dimensions = [" + dimensions +
           "] : " + types;
  };
  const std::string type = "(tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>";
  checkCases({
      {x, reduce("(%x init: %v)", "1", type), ""},
      {x,
       "\"stablehlo.reduce\"(%x, %y, %v, %v) ({\n"
       "  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: "
       "tensor<f32>):\n    stablehlo.return %a, %b : tensor<f32>, "
       "tensor<f32>\n  }) {dimensions = array<i64: 1>} : (tensor<2x3xf32>, "
       "tensor<2x4xf32>, tensor<f32>, tensor<f32>) -> (tensor<2xf32>)",
       "C3: there must be as many init_values and results as inputs"},
      {x,
       reduce("(%x init: %i)", "1",
              "(tensor<2x3xf32>, tensor<i32>) -> tensor<2xf32>"),
       "C2: inputs[0] and init_values[0] must have the same element type"},
      {x,
       reduce("(%x init: %w)", "1",
              "(tensor<2x3xf32>, tensor<1xf32>) -> tensor<2xf32>"),
       "C2: init_values[0] must be a tensor of rank 0, not 'tensor<1xf32>'"},
      {x, reduce("(%x init: %v)", "2", type),
       "C4: dimensions must be in [0, 2), rank(inputs[0]) being 2, but has 2"},
      {x, reduce("(%x init: %v)", "1, 1", type),
       "C5: dimensions must not repeat an entry, but [1, 1] has 1 twice"},
      {x,
       "\"stablehlo.reduce\"(%x, %v) ({\n  ^bb0(%a: tensor<f32>):\n"
       "    stablehlo.return %a : tensor<f32>\n  }) {dimensions = "
       "dense<1> : tensor<1xi64>} : " +
           type,
       "C6: the body must take two values for each of the 1 inputs"},
      {x, reduce("(%x init: %v)", "0", type),
       "C7: results[0] must have the shape [3], that of the inputs without "
       "dimensions, but has [2]"},
      {x,
       reduce("(%x init: %v)", "1",
              "(tensor<2x3xf32>, tensor<f32>) -> tensor<2xi32>"),
       "C8: results[0] must have the element type 'f32' that the body returns"},
  });
}

TEST(VerifyOps, ReduceWindow) {
  const std::string x = "%x: tensor<4x5xf32>, %v: tensor<f32>, %i: tensor<i32>";
  auto reduce = [](std::string attributes, std::string result = "3x4xf32",
                   std::string init = "f32") {
    return "\"stablehlo.reduce_window\"(%x, " +
           std::string(init == "f32" ? "%v" : "%i") +
           ") ({\n  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
           "    stablehlo.return %a : tensor<f32>\n  }) {" +
           attributes + "} : (tensor<4x5xf32>, tensor<" + init +
           ">) -> tensor<" + result + ">";
  };
  const std::string size = "window_dimensions = array<i64: 2, 2>";
  checkCases({
      {x, reduce(size), ""},
      {x, reduce(size, "3x4xf32", "i32"),
       "C3: inputs[0] and init_values[0] must have the same element type"},
      {x, reduce("window_dimensions = array<i64: 2>"),
       "C4: window_dimensions must have 2 entries"},
      {x, reduce("window_dimensions = array<i64: 2, 0>"),
       "C5: window_dimensions must be at least 1, but has 0"},
      {x, reduce(size + ", window_strides = array<i64: 1>"), "C6: "},
      {x, reduce(size + ", window_strides = array<i64: 1, 0>"), "C7: "},
      {x, reduce(size + ", base_dilations = array<i64: 1>"), "C8: "},
      {x, reduce(size + ", base_dilations = array<i64: 1, 0>"), "C9: "},
      {x, reduce(size + ", window_dilations = array<i64: 1>"), "C10: "},
      {x, reduce(size + ", window_dilations = array<i64: 1, 0>"), "C11: "},
      {x, reduce(size + ", padding = dense<0> : tensor<1x2xi64>"),
       "C12: padding must have the shape [2, 2], but has [1, 2]"},
      {x,
       reduce(size + ", padding = dense<[[1, 0], [0, 0]]> : "
                     "tensor<2x2xi64>"),
       "C15: results[0] must have the shape [4, 4], the number of windows "
       "along "
       "each dimension, but has [3, 4]"},
      {x, reduce(size + ", window_strides = dense<2> : tensor<2xi64>"),
       "C15: results[0] must have the shape [2, 2]"},
      {x, reduce(size, "3x4xi32"), "C16: "},
  });
}

TEST(VerifyOps, Sort) {
  const std::string x = "%x: tensor<4x5xf32>, %y: tensor<4x6xf32>";
  auto sort = [](std::string operands, std::string types, std::string results,
                 std::string dimension, std::string arguments) {
    return "\"stablehlo.sort\"(" + operands + ") ({\n  ^bb0(" + arguments +
           "):\n    %c = stablehlo.constant dense<true> : tensor<i1>\n"
           "    stablehlo.return %c : tensor<i1>\n  }) {dimension = " +
           dimension + " : i64} : (" + types + ") -> (" + results + ")";
  };
  const std::string t = "tensor<4x5xf32>";
  const std::string pair = "%a: tensor<f32>, %b: tensor<f32>";
  checkCases({
      {x, sort("%x", t, t, "-1", pair), ""},
      {x, sort("%x", t, "tensor<4x5xi32>", "1", pair),
       "C2: inputs[0] and results[0] must have the same element type"},
      {x, sort("%x", t, "tensor<4x6xf32>", "1", pair),
       "C3: inputs[0] and results[0] must have the same shape"},
      {x, sort("%x", t, t, "2", pair),
       "C4: dimension must be in [-2, 2), rank(inputs[0]) being 2, but has 2"},
      {x, sort("%x", t, t, "1", "%a: tensor<f32>"),
       "C5: the comparator must take two values for each of the 1 inputs, but "
       "takes 1"},
      {x, sort("%x", t, t, "1", "%a: tensor<i32>, %b: tensor<i32>"),
       "C5: argument 0 of the comparator must be tensor<'f32'>, but is "
       "'tensor<i32>'"},
  });
}

TEST(VerifyOps, SelectAndClamp) {
  const std::string x =
      "%p: tensor<2xi1>, %x: tensor<3xf32>, %y: tensor<3xi32>, %s: "
      "tensor<f32>, %t: tensor<2xf32>";
  checkCases({
      {x, "stablehlo.select %p, %x, %x : tensor<2xi1>, tensor<3xf32>",
       "C1: pred and on_true must have the same shape"},
      {x,
       "stablehlo.clamp %s, %x, %s : (tensor<f32>, tensor<3xf32>, "
       "tensor<f32>) -> tensor<3xf32>",
       ""},
      {x,
       "stablehlo.clamp %t, %x, %s : (tensor<2xf32>, tensor<3xf32>, "
       "tensor<f32>) -> tensor<3xf32>",
       "C1: min and operand must have the same shape"},
      {x,
       "stablehlo.clamp %s, %x, %t : (tensor<f32>, tensor<3xf32>, "
       "tensor<2xf32>) -> tensor<3xf32>",
       "C2: "},
      {x,
       "stablehlo.clamp %y, %x, %s : (tensor<3xi32>, tensor<3xf32>, "
       "tensor<f32>) -> tensor<3xf32>",
       "C3: "},
  });
}

}  // namespace
}  // namespace indexical
