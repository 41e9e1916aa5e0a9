// Ops that random programs do not have, one program each: every op that is said
// to be lowered is compiled and run by one of the two.
#include <functional>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "tests/import/stablehlo/lower/run_lowered.h"

namespace indexical::testing {
namespace {

/// %x : tensor<4x3xi32> holds 0 … 11, %i : tensor<2xi32> 2 and 0.
constexpr const char *kParameters =
    "%x: tensor<4x3xi32>, %i: tensor<2xi32>, %s: tensor<i32>";

struct Row {
  const char *body;  ///< ends with %r
  Index sizes;       ///< of %r
  std::function<int64_t(const Index &)> element;
};

int64_t at(int64_t i, int64_t j) { return i * 3 + j; }

NumberTensor numbers(Index sizes, std::vector<int64_t> values) {
  NumberTensor tensor;
  tensor.element = "i32";
  tensor.sizes = std::move(sizes);
  tensor.numbers = std::move(values);
  return tensor;
}

std::vector<Row> rows() {
  return {
      {"%r = stablehlo.broadcast %x, sizes = [2] : (tensor<4x3xi32>) -> "
       "tensor<2x4x3xi32>",
       {2, 4, 3},
       [](const Index &i) { return at(i[1], i[2]); }},
      {"%n = arith.constant dense<[2, 4, 3]> : tensor<3xindex>\n"
       "%r = stablehlo.dynamic_broadcast_in_dim %x, %n, dims = [1, 2] : "
       "(tensor<4x3xi32>, tensor<3xindex>) -> tensor<2x4x3xi32>",
       {2, 4, 3},
       [](const Index &i) { return at(i[1], i[2]); }},
      {"%n = arith.constant dense<[1, 3]> : tensor<2xi32>\n"
       "%r = \"stablehlo.dynamic_gather\"(%x, %i, %n) {dimension_numbers = "
       "#stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], "
       "start_index_map = [0], index_vector_dim = 1>} : (tensor<4x3xi32>, "
       "tensor<2xi32>, tensor<2xi32>) -> tensor<2x3xi32>",
       {2, 3},
       [](const Index &i) { return at(i[0] ? 0 : 2, i[1]); }},
      // A window that is partly outside: what is inside is put.
      {"%k = stablehlo.constant dense<-1> : tensor<1x1xi32>\n"
       "%u = stablehlo.constant dense<[[[10, 11, 12], [20, 21, 22]]]> : "
       "tensor<1x2x3xi32>\n"
       "%r = \"stablehlo.scatter\"(%x, %k, %u) ({\n"
       "^bb0(%a: tensor<i32>, %b: tensor<i32>):\n"
       "stablehlo.return %b : tensor<i32>\n"
       "}) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims "
       "= [1, 2], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : "
       "(tensor<4x3xi32>, tensor<1x1xi32>, tensor<1x2x3xi32>) -> "
       "tensor<4x3xi32>",
       {4, 3},
       [](const Index &i) { return i[0] ? at(i[0], i[1]) : 20 + i[1]; }},
      // The least number there is lies outside, too.
      {"%k = stablehlo.constant dense<[[-9223372036854775808], [2]]> : "
       "tensor<2x1xi64>\n"
       "%u = stablehlo.constant dense<[[10, 11, 12], [20, 21, 22]]> : "
       "tensor<2x3xi32>\n"
       "%r = \"stablehlo.scatter\"(%x, %k, %u) ({\n"
       "^bb0(%a: tensor<i32>, %b: tensor<i32>):\n"
       "%m = stablehlo.subtract %a, %b : tensor<i32>\n"
       "stablehlo.return %m : tensor<i32>\n"
       "}) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims "
       "= [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], "
       "index_vector_dim = 1>} : (tensor<4x3xi32>, tensor<2x1xi64>, "
       "tensor<2x3xi32>) -> tensor<4x3xi32>",
       {4, 3},
       [](const Index &i) {
         return at(i[0], i[1]) - (i[0] == 2 ? 20 + i[1] : 0);
       }},
      {"%l = stablehlo.constant dense<[1, 0]> : tensor<2xi32>\n"
       "%h = stablehlo.constant dense<[0, 2]> : tensor<2xi32>\n"
       "%g = stablehlo.constant dense<0> : tensor<2xi32>\n"
       "%r = stablehlo.dynamic_pad %x, %s, %l, %h, %g : (tensor<4x3xi32>, "
       "tensor<i32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> "
       "tensor<5x5xi32>",
       {5, 5},
       [](const Index &i) {
         return i[0] == 0 || i[1] > 2 ? 77 : at(i[0] - 1, i[1]);
       }},
      {"%n = arith.constant dense<[2, 6]> : tensor<2xindex>\n"
       "%r = stablehlo.dynamic_reshape %x, %n : (tensor<4x3xi32>, "
       "tensor<2xindex>) -> tensor<2x6xi32>",
       {2, 6},
       [](const Index &i) { return i[0] * 6 + i[1]; }},
      {"%b = stablehlo.constant dense<[1, 0]> : tensor<2xi32>\n"
       "%e = stablehlo.constant dense<[4, 3]> : tensor<2xi32>\n"
       "%t = stablehlo.constant dense<[2, 1]> : tensor<2xi32>\n"
       "%r = stablehlo.real_dynamic_slice %x, %b, %e, %t : (tensor<4x3xi32>, "
       "tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x3xi32>",
       {2, 3},
       [](const Index &i) { return at(1 + 2 * i[0], i[1]); }},
      {"%o:2 = stablehlo.optimization_barrier %i, %x : tensor<2xi32>, "
       "tensor<4x3xi32>\n"
       "%r = stablehlo.negate %o#1 : tensor<4x3xi32>",
       {4, 3},
       [](const Index &i) { return -at(i[0], i[1]); }},
      {"%r = \"stablehlo.torch_index_select\"(%x, %i) {dim = 0 : i64, "
       "batch_dims = 0 : i64} : (tensor<4x3xi32>, tensor<2xi32>) -> "
       "tensor<2x3xi32>",
       {2, 3},
       [](const Index &i) { return at(i[0] ? 0 : 2, i[1]); }},
      {"%r = \"stablehlo.map\"(%x, %x) ({\n^bb0(%a: tensor<i32>, %b: "
       "tensor<i32>):\n%c = stablehlo.multiply %a, %b : tensor<i32>\n"
       "stablehlo.return %c : tensor<i32>\n}) {dimensions = array<i64: 0, 1>} "
       ": (tensor<4x3xi32>, tensor<4x3xi32>) -> tensor<4x3xi32>",
       {4, 3},
       [](const Index &i) { return at(i[0], i[1]) * at(i[0], i[1]); }},
      {"%o = tensor.cast %x : tensor<4x3xi32> to tensor<?x3xi32>\n"
       "%r = tensor.cast %o : tensor<?x3xi32> to tensor<4x3xi32>",
       {4, 3},
       [](const Index &i) { return at(i[0], i[1]); }},
      {"%r = tensor.collapse_shape %x [[0, 1]] : tensor<4x3xi32> into "
       "tensor<12xi32>",
       {12},
       [](const Index &i) { return i[0]; }},
      {"%r = tensor.concat dim(0) %x, %x : (tensor<4x3xi32>, tensor<4x3xi32>) "
       "-> tensor<8x3xi32>",
       {8, 3},
       [](const Index &i) { return at(i[0] % 4, i[1]); }},
      {"%r = tensor.expand_shape %x [[0, 1], [2]] output_shape [2, 2, 3] : "
       "tensor<4x3xi32> into tensor<2x2x3xi32>",
       {2, 2, 3},
       [](const Index &i) { return at(2 * i[0] + i[1], i[2]); }},
      {"%k = arith.constant 3 : index\n%l = arith.constant 1 : index\n"
       "%e = tensor.extract %x[%k, %l] : tensor<4x3xi32>\n"
       "%r = tensor.splat %e : tensor<2x2xi32>",
       {2, 2},
       [](const Index &) { return at(3, 1); }},
      {"%k = arith.constant 2 : index\n"
       "%r = tensor.extract_slice %x[%k, 0] [2, 2] [1, 2] : tensor<4x3xi32> "
       "to tensor<2x2xi32>",
       {2, 2},
       [](const Index &i) { return at(2 + i[0], 2 * i[1]); }},
      {"%k = arith.constant 0 : index\n%l = arith.constant 2 : index\n"
       "%d = tensor.extract %x[%k, %l] : tensor<4x3xi32>\n"
       "%e = tensor.extract %x[%l, %k] : tensor<4x3xi32>\n"
       "%r = tensor.from_elements %d, %e : tensor<2xi32>",
       {2},
       [](const Index &i) { return i[0] ? at(2, 0) : at(0, 2); }},
      {"%k = arith.constant dense<[[3], [1]]> : tensor<2x1xindex>\n"
       "%r = tensor.gather %x[%k] gather_dims([0]) : (tensor<4x3xi32>, "
       "tensor<2x1xindex>) -> tensor<2x1x3xi32>",
       {2, 1, 3},
       [](const Index &i) { return at(i[0] ? 1 : 3, i[2]); }},
      {"%r = tensor.generate {\n^bb0(%a: index, %b: index):\n"
       "%e = tensor.extract %x[%b, %a] : tensor<4x3xi32>\n"
       "tensor.yield %e : i32\n} : tensor<3x4xi32>",
       {3, 4},
       [](const Index &i) { return at(i[1], i[0]); }},
      {"%n = arith.constant dense<[6, 2]> : tensor<2xindex>\n"
       "%r = tensor.reshape %x(%n) : (tensor<4x3xi32>, tensor<2xindex>) -> "
       "tensor<6x2xi32>",
       {6, 2},
       [](const Index &i) { return i[0] * 2 + i[1]; }},
  };
}

TEST(LowerOps, EachGivesWhatItsDefinitionGives) {
  std::vector<TensorProgram> programs;
  for (const Row &row : rows()) {
    TensorProgram &program = programs.emplace_back();
    program.name = "p" + std::to_string(programs.size());
    std::vector<int64_t> counted;
    for (int64_t k = 0; k < 12; ++k) counted.push_back(k);
    program.arguments = {numbers({4, 3}, counted), numbers({2}, {2, 0}),
                         numbers({}, {77})};
    std::vector<int64_t> wanted;
    forEachIndex(row.sizes,
                 [&](const Index &i) { wanted.push_back(row.element(i)); });
    program.results = {numbers(row.sizes, wanted)};
    const std::string type = program.results[0].type();
    program.text = "func.func @" + program.name + "(" + kParameters + ") -> " +
                   type + " {\n" + row.body + "\nreturn %r : " + type + "\n}\n";
  }
  auto lines = runLowered(programs);
  ASSERT_TRUE(lines.ok()) << lines.status();
  ASSERT_EQ(lines->size(), programs.size());
  for (size_t k = 0; k < programs.size(); ++k)
    EXPECT_EQ((*lines)[k], programs[k].results[0].numbers) << programs[k].text;
}

}  // namespace
}  // namespace indexical::testing
