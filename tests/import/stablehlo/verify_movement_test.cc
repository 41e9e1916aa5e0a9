// The constraints of the ops that move elements, each broken on its own, and of
// those that keep the index. Sizes that are not known may be any.
#include <string>

#include "gtest/gtest.h"

#include "tests/import/stablehlo/verify_cases.h"

namespace indexical {
namespace {

TEST(VerifyMovement, Slice) {
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

TEST(VerifyMovement, Pad) {
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

TEST(VerifyMovement, AddWithUnknownSizes) {
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

TEST(VerifyMovement, Concatenate) {
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

TEST(VerifyMovement, ReshapeTransposeReverseIota) {
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

TEST(VerifyMovement, Broadcasts) {
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
       "\"stablehlo.slice\"(%x) {start_indices = array<i64: 0, 0>, "
       "limit_indices = array<i64: 1>, strides = array<i64: 1, 1>} : "
       "(tensor<1x3xf32>) -> tensor<1x3xf32>",
       "C2: limit_indices must have 2 entries, the rank of operand, but [1] "
       "has 1"},
      {x,
       "\"stablehlo.slice\"(%x) {start_indices = array<i64: 0, 0>, "
       "limit_indices = array<i64: 1, 3>, strides = array<i64: 1>} : "
       "(tensor<1x3xf32>) -> tensor<1x3xf32>",
       "C2: strides must have 2 entries, the rank of operand, but [1] has 1"},
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
       "stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [2, 1] : "
       "(tensor<1x3xf32>, tensor<3xi64>) -> tensor<?x?x?xi32>",
       "C1: operand and result must have the same element type"},
      {x,
       "stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [2] : "
       "(tensor<1x3xf32>, tensor<3xi64>) -> tensor<?x?x?xf32>",
       "C2: broadcast_dimensions must have 2 entries, the rank of operand, but "
       "[2] has 1"},
      {x,
       "stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [3, 1] : "
       "(tensor<1x3xf32>, tensor<3xi64>) -> tensor<?x?x?xf32>",
       "C3: broadcast_dimensions must be in [0, 3), rank(result) being 3, but "
       "has 3"},
      {x,
       "stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1, 1] : "
       "(tensor<1x3xf32>, tensor<3xi64>) -> tensor<?x?x?xf32>",
       "C4: broadcast_dimensions must not repeat an entry, but [1, 1] has 1 "
       "twice"},
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

/// Scales along a dimension go where that goes.
TEST(VerifyMovement, Scales) {
  auto axis = [](std::string sizes, std::string dimension,
                 std::string scales = "{1.0, 2.0}") {
    return "tensor<" + sizes + "x!quant.uniform<i8:f32:" + dimension + ", " +
           scales + ">>";
  };
  auto op = [](std::string name, std::string more, std::string from,
               std::string to, std::string message) {
    return OpCase{
        "%x: " + from + ", %s: tensor<2xi64>",
        "stablehlo." + name + " %x" + more + " : (" + from +
            (more.find("%s") == std::string::npos ? "" : ", tensor<2xi64>") +
            ") -> " + to,
        message};
  };
  const std::string one = axis("1x3", "0", "{1.0}");
  checkCases({
      op("transpose", ", dims = [1, 0]", axis("2x3", "0"), axis("3x2", "1"),
         ""),
      op("transpose", ", dims = [1, 0]", axis("2x2", "0"), axis("2x2", "0"),
         "C4: the scales of the result must lie along dimension 1, where those "
         "of the operand go, but lie along dimension 0"),
      op("reshape", "", axis("2x6", "0"), axis("2x2x3", "0"), ""),
      op("reshape", "", axis("2x6", "0"), axis("2x2x3", "1"),
         "C3: as many elements must lie before the dimension of the scales, "
         "along it and behind it, but these are [1, 2, 6] and [2, 2, 3]"),
      op("dynamic_reshape", ", %s", axis("2x6", "0"), axis("6x2", "1"), "C3: "),
      op("broadcast_in_dim", ", dims = [1, 2]", axis("2x3", "0"),
         axis("5x2x3", "1"), ""),
      op("broadcast_in_dim", ", dims = [1, 2]", axis("2x2", "0"),
         axis("5x2x2", "2"),
         "C6: the scales of the result must lie along dimension 1"),
      op("broadcast_in_dim", ", dims = [0, 1]", one, axis("2x3", "0"),
         "C6: the one scale and zero point of the operand"),
      op("broadcast_in_dim", ", dims = [0, 1]", one,
         axis("2x3", "0", "{1.0, 1.0}"), ""),
      op("dynamic_broadcast_in_dim", ", %s, dims = [0, 1]", one,
         axis("2x3", "0"), "C6: "),
  });
}

TEST(VerifyMovement, SelectAndClamp) {
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

TEST(VerifyMovement, Bitcasts) {
  const std::string x = "%x: tensor<4xf32>";
  const std::string cast = "stablehlo.bitcast_convert %x : (tensor<4xf32>) -> ";
  checkCases({
      {x, cast + "tensor<4xi32>", ""},
      {x, cast + "tensor<4x4xi8>", ""},
      {x, cast + "tensor<4x2xi8>",
       "C1: result must have the shape [4, 4], that of the other with a last "
       "dimension of the 4 parts of an element, but has [4, 2]"},
      {x, cast + "tensor<4xi64>", "C1: operand must have the shape [4, 2]"},
      {x, cast + "tensor<5xi32>", "C1: operand and result"},
  });
}

}  // namespace
}  // namespace indexical
