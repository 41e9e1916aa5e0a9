// The syntax of ops: each op is read, and printed again the same. Older
// spellings are read, and printed as they are written today.
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/Support/raw_ostream.h"

#include "tests/import/stablehlo/refused.h"

namespace indexical {
namespace {

struct Spelling {
  std::string arguments;  ///< of the function
  std::string text;       ///< one op without its result
  std::string printed;    ///< "" where it is printed as it was read
};

std::string print(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  module.print(out);
  return text;
}

// White space does not count: `compare  LT` and `compare LT` are the same.
std::string squeezed(llvm::StringRef text) {
  std::string result;
  for (char c : text)
    if (!std::isspace(static_cast<unsigned char>(c)) ||
        (!result.empty() && result.back() != ' '))
      result += std::isspace(static_cast<unsigned char>(c)) ? ' ' : c;
  return result;
}

void check(const std::vector<Spelling> &spellings) {
  for (const Spelling &each : spellings) {
    std::string text = "func.func @f(" + each.arguments + ") {\n  " +
                       each.text + "\n  return\n}\n";
    absl::StatusOr<MlirModule> parsed =
        parseMlirModule(testContext(), {text, 1});
    ASSERT_TRUE(parsed.ok()) << parsed.status().message() << "\n" << text;
    std::string printed = squeezed(print(*parsed->module));
    std::string wanted =
        squeezed(each.printed.empty() ? each.text : each.printed);
    size_t equals = wanted.find("= ");
    if (llvm::StringRef(wanted).starts_with("%"))
      wanted = wanted.substr(equals);
    EXPECT_NE(printed.find(wanted), std::string::npos)
        << wanted << "\nis not in\n"
        << printed;
  }
}

TEST(Syntax, OneTypeWhereAllAgree) {
  const std::string x =
      "%arg0: tensor<4xi2>, %arg1: tensor<4xi2>, %arg2: "
      "tensor<?xf32>, %arg3: tensor<4xf32>";
  check({
      {x, "%0 = stablehlo.add %arg0, %arg1 : tensor<4xi2>", ""},
      {x,
       "%0 = stablehlo.add %arg2, %arg3 : (tensor<?xf32>, tensor<4xf32>) -> "
       "tensor<4xf32>",
       ""},
      {x,
       "%0 = \"stablehlo.add\"(%arg0, %arg1) : (tensor<4xi2>, tensor<4xi2>) "
       "-> tensor<4xi2>",
       "stablehlo.add %arg0, %arg1 : tensor<4xi2>"},
      {x,
       "%0 = stablehlo.abs %arg3 {mhlo.frontend_attributes = {a = \"1\"}} : "
       "tensor<4xf32>",
       ""},
      {x,
       "%0 = stablehlo.compare LT, %arg0, %arg1, SIGNED : (tensor<4xi2>, "
       "tensor<4xi2>) -> tensor<4xi1>",
       ""},
      {x,
       "%0 = \"stablehlo.compare\"(%arg0, %arg1) {comparison_direction = "
       "#stablehlo<comparison_direction EQ>, compare_type = "
       "#stablehlo<comparison_type UNSIGNED>} : (tensor<4xi2>, "
       "tensor<4xi2>) -> tensor<4xi1>",
       "stablehlo.compare EQ, %arg0, %arg1, UNSIGNED"},
      {x, "%0 = stablehlo.convert %arg3 : (tensor<4xf32>) -> tensor<4xbf16>",
       ""},
      {x, "%0 = stablehlo.complex %arg3, %arg3 : tensor<4xcomplex<f32>>", ""},
      {x,
       "%0 = stablehlo.reduce_precision %arg3, format = e8m10 : "
       "tensor<4xf32>",
       ""},
      {x,
       "%0 = stablehlo.exponential %arg3 {result_accuracy = "
       "#stablehlo.result_accuracy<ulps = 2, mode = "
       "#stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<4xf32>",
       ""},
      {"%arg0: tensor<i1>, %arg1: tensor<4xf32>",
       "%0 = stablehlo.select %arg0, %arg1, %arg1 : tensor<i1>, tensor<4xf32>",
       ""},
  });
}

TEST(Syntax, Movement) {
  const std::string x =
      "%arg0: tensor<3x8xf32>, %arg1: tensor<f32>, %arg2: "
      "tensor<i64>";
  check({
      {x,
       "%0 = stablehlo.slice %arg0 [0:2, 1:4:2] : (tensor<3x8xf32>) -> "
       "tensor<2x2xf32>",
       ""},
      {x,
       "%0 = \"stablehlo.slice\"(%arg0) {start_indices = dense<[0, 1]> : "
       "tensor<2xi64>, limit_indices = dense<[2, 4]> : tensor<2xi64>, "
       "strides = dense<1> : tensor<2xi64>} : (tensor<3x8xf32>) -> "
       "tensor<2x3xf32>",
       "stablehlo.slice %arg0 [0:2, 1:4] :"},
      {x,
       "%0 = stablehlo.pad %arg0, %arg1, low = [0, -1], high = [1, 0], "
       "interior = [0, 1] : (tensor<3x8xf32>, tensor<f32>) -> "
       "tensor<4x14xf32>",
       ""},
      {x,
       "%0 = stablehlo.broadcast_in_dim %arg0, dims = [2, 0] : "
       "(tensor<3x8xf32>) -> tensor<8x1x3xf32>",
       ""},
      {x,
       "%0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<3x8xf32>) "
       "-> tensor<8x3xf32>",
       ""},
      {x, "%0 = stablehlo.reverse %arg0, dims = [1] : tensor<3x8xf32>", ""},
      {x,
       "%0 = stablehlo.concatenate %arg0, %arg0, dim = 1 : "
       "(tensor<3x8xf32>, tensor<3x8xf32>) -> tensor<3x16xf32>",
       ""},
      {x,
       "%0 = stablehlo.dynamic_slice %arg0, %arg2, %arg2, sizes = [1, 4] : "
       "(tensor<3x8xf32>, tensor<i64>, tensor<i64>) -> tensor<1x4xf32>",
       ""},
      {x, "%0 = stablehlo.iota dim = 0 : tensor<4xi64>", ""},
      {x,
       "%0 = stablehlo.reshape %arg0 : (tensor<3x8xf32>) -> "
       "tensor<24xf32>",
       ""},
      {"", "%c = stablehlo.constant dense<[1, 2]> : tensor<2xi64>", ""},
      {"", "%0 = stablehlo.constant {a = 1 : i32} dense<1.0> : tensor<f32>",
       "stablehlo.constant {a = 1 : i32} dense<1.000000e+00> : tensor<f32>"},
      {"",
       "%0 = stablehlo.constant() <{value = dense<3> : tensor<1xi8>}> : () "
       "-> tensor<1x!quant.uniform<i8:f32, 2.0:15>>",
       "stablehlo.constant() <{value = dense<3> : tensor<1xi8>}> : () -> "
       "tensor<1x!quant.uniform<i8:f32, 2.000000e+00:15>>"},
      {"%arg0: tensor<?xf32, #stablehlo.type_extensions<bounds = [4]>>",
       "%0 = stablehlo.abs %arg0 : tensor<?xf32, "
       "#stablehlo.type_extensions<bounds = [4]>>",
       "stablehlo.abs %arg0 : tensor<?xf32, #stablehlo.bounds<4>>"},
  });
}

TEST(Syntax, Contractions) {
  const std::string x =
      "%arg0: tensor<2x3x4xf32>, %arg1: tensor<2x4x5xf32>, "
      "%arg2: tensor<1x8x8x3xf32>, %arg3: "
      "tensor<3x3x3x4xf32>";
  const std::string dot =
      ": (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> "
      "tensor<2x3x5xf32>";
  const std::string conv =
      "{batch_group_count = 1 : i64, feature_group_count "
      "= 1 : i64} : (tensor<1x8x8x3xf32>, "
      "tensor<3x3x3x4xf32>) -> ";
  check({
      {x,
       "%0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], "
       "contracting_dims = [2] x [1], precision = [DEFAULT, HIGHEST] " +
           dot,
       ""},
      {x,
       "%0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], "
       "contracting_dims = [2] x [1], algorithm = <lhs_precision_type = "
       "tf32, rhs_precision_type = tf32, accumulation_type = f32, "
       "lhs_component_count = 1, rhs_component_count = 1, "
       "num_primitive_operations = 1, allow_imprecise_accumulation = false> " +
           dot,
       ""},
      {x,
       "%0 = \"stablehlo.dot_general\"(%arg0, %arg1) <{"
       "dot_dimension_numbers = #stablehlo.dot<rhs_contracting_dimensions = "
       "[1], lhs_contracting_dimensions = [2], lhs_batching_dimensions = "
       "[0], rhs_batching_dimensions = [0],>}> " +
           dot,
       "stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], "
       "contracting_dims = [2] x [1] :"},
      {x,
       "%0 = stablehlo.convolution(%arg2, %arg3) dim_numbers = [b, 0, 1, "
       "f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = "
       "[[1, 1], [0, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse "
       "= [true, false]} " +
           conv + "tensor<1x4x4x4xf32>",
       ""},
      {x,
       "%0 = stablehlo.convolution(%arg2, %arg3) dim_numbers = [b, 0, 1, "
       "f]x[0, 1, i, o]->[b, 0, 1, f], window = {} " +
           conv + "tensor<1x6x6x4xf32>",
       ""},
      {x,
       "%0 = \"stablehlo.convolution\"(%arg2, %arg3) {dimension_numbers = "
       "#stablehlo.conv<raw input_batch_dimension = 0, "
       "input_feature_dimension = 3, input_spatial_dimensions = [1, 2], "
       "kernel_input_feature_dimension = 2, "
       "kernel_output_feature_dimension = 3, kernel_spatial_dimensions = "
       "[0, 1], output_batch_dimension = 0, output_feature_dimension = 3, "
       "output_spatial_dimensions = [1, 2]>, window_reversal = "
       "dense<true> : tensor<2xi1>, batch_group_count = 1 : i64, "
       "feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, "
       "tensor<3x3x3x4xf32>) -> tensor<1x6x6x4xf32>",
       "dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = "
       "{reverse = [true, true]}"},
  });
}

TEST(Syntax, Reductions) {
  const std::string x = "%arg0: tensor<2x3xf32>, %arg1: tensor<f32>";
  const std::string type = " : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>";
  check({
      {x,
       "%0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add "
       "across dimensions = [1]" +
           type,
       ""},
      {x,
       "%0 = \"stablehlo.reduce\"(%arg0, %arg1) ({\n  ^bb0(%a: tensor<f32>, "
       "%b: tensor<f32>):\n    %s = stablehlo.maximum %a, %b : "
       "tensor<f32>\n    stablehlo.return %s : tensor<f32>\n  }) "
       "{dimensions = dense<1> : tensor<1xi64>}" +
           type,
       "applies stablehlo.maximum across dimensions = [1]"},
      // Another order of the operands is another body.
      {x,
       "%0 = \"stablehlo.reduce\"(%arg0, %arg1) ({\n  ^bb0(%a: tensor<f32>, "
       "%b: tensor<f32>):\n    %s = stablehlo.subtract %b, %a : "
       "tensor<f32>\n    stablehlo.return %s : tensor<f32>\n  }) "
       "{dimensions = array<i64: 1>}" +
           type,
       "across dimensions = [1]" + type +
           " reducer(%arg2: tensor<f32>, "
           "%arg3: tensor<f32>) { %1 = stablehlo.subtract %arg3, %arg2"},
      {x,
       "%0:2 = stablehlo.reduce(%arg0 init: %arg1), (%arg0 init: %arg1) "
       "across dimensions = [1] : (tensor<2x3xf32>, tensor<2x3xf32>, "
       "tensor<f32>, tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>)\n"
       "   reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<f32>, %d: "
       "tensor<f32>) {\n    stablehlo.return %b, %c : tensor<f32>, "
       "tensor<f32>\n  }",
       "reducer(%arg2: tensor<f32>, %arg4: tensor<f32>) (%arg3: tensor<f32>, "
       "%arg5: tensor<f32>) { stablehlo.return %arg4, %arg3"},
  });
}

TEST(Syntax, ControlFlowAndCalls) {
  const std::string x = "%arg0: tensor<i64>, %arg1: tensor<4xf32>";
  check({
      {x,
       "%0:2 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %arg1) : "
       "tensor<i64>, tensor<4xf32> attributes {a = 1 : i64}\n"
       "  cond {\n    %c = stablehlo.compare LT, %iterArg, %iterArg : "
       "(tensor<i64>, tensor<i64>) -> tensor<i1>\n    stablehlo.return %c : "
       "tensor<i1>\n  } do {\n    stablehlo.return %iterArg, %iterArg_0 : "
       "tensor<i64>, tensor<4xf32>\n  }",
       "stablehlo.while(%iterArg = %arg0, %iterArg_0 = %arg1) : tensor<i64>, "
       "tensor<4xf32> attributes {a = 1 : i64} cond {"},
      {x,
       "%0 = stablehlo.custom_call @foo(%arg1) {api_version = 2 : i32, "
       "backend_config = \"\\08\\03\", called_computations = [@g], "
       "has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>",
       ""},
      {x,
       "%0 = stablehlo.composite \"a.b\" %arg1 {composite_attributes = {n = "
       "1 : i64}, decomposition = @g, version = 1 : i32} : "
       "(tensor<4xf32>) -> tensor<4xf32>",
       ""},
      {x,
       "%0 = stablehlo.tuple %arg0, %arg1 : tuple<tensor<i64>, "
       "tensor<4xf32>>",
       ""},
      {x,
       "%0:2 = stablehlo.optimization_barrier %arg0, %arg1 : tensor<i64>, "
       "tensor<4xf32>",
       ""},
      {x, "%0 = stablehlo.create_token : !stablehlo.token", ""},
      {"%arg0: !stablehlo.token",
       "%0 = stablehlo.after_all %arg0, %arg0 : !stablehlo.token", ""},
      {"%arg0: !stablehlo.future<tensor<4xf32>, tensor<f32>>",
       "%0:2 = \"stablehlo.async_done\"(%arg0) : "
       "(!stablehlo.future<tensor<4xf32>, tensor<f32>>) -> (tensor<4xf32>, "
       "tensor<f32>)",
       ""},
  });
}

TEST(Syntax, GenericAttributes) {
  const std::string x = "%arg0: tensor<4xf32>, %arg1: tensor<2x3xi64>";
  check({
      {x,
       "%0 = \"stablehlo.all_gather\"(%arg0) <{all_gather_dim = 0 : i64, "
       "channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, "
       "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, "
       "use_global_device_ids}> : (tensor<4xf32>) -> tensor<8xf32>",
       ""},
      {x,
       "%0 = \"stablehlo.all_gather\"(%arg0) <{all_gather_dim = 0 : i64, "
       "replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @f, "
       "axes = [#stablehlo.axis_ref<name = \"x\">]>}> : (tensor<4xf32>) -> "
       "tensor<8xf32>",
       ""},
      {x,
       "%0 = stablehlo.custom_call @g(%arg0) {output_operand_aliases = "
       "[#stablehlo.output_operand_alias<output_tuple_indices = [], "
       "operand_index = 0, operand_tuple_indices = []>]} : (tensor<4xf32>) "
       "-> tensor<4xf32>",
       ""},
      {x,
       "%0 = \"foo.bar\"(%arg0) {a = #foo.b<[1, {c}]>, t = !foo.d<e>} : "
       "(tensor<4xf32>) -> tensor<4xf32>",
       ""},
  });
}

TEST(Syntax, Chlo) {
  const std::string x = "%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>";
  check({
      {x, "%0 = chlo.erf_inv %arg0 : tensor<2x3xf32> -> tensor<2x3xf32>", ""},
      {x,
       "%0 = chlo.broadcast_add %arg0, %arg1 {broadcast_dimensions = "
       "array<i64: 1>} : (tensor<2x3xf32>, tensor<3xf32>) -> "
       "tensor<2x3xf32>",
       ""},
      {x,
       "%values, %indices = chlo.top_k(%arg0, k = 2) : tensor<2x3xf32> -> "
       "(tensor<2x2xf32>, tensor<2x2xi32>)",
       ""},
      {x,
       "%0:2 = chlo.scan(%arg0) inits (%arg1) dimension = 0 attributes "
       "{is_reverse = true} {\n  ^bb0(%a: tensor<3xf32>, %b: "
       "tensor<3xf32>):\n    stablehlo.return %a, %b : tensor<3xf32>, "
       "tensor<3xf32>\n  } : (tensor<2x3xf32>, tensor<3xf32>) -> "
       "(tensor<2x3xf32>, tensor<3xf32>)",
       "chlo.scan(%arg0) inits (%arg1) dimension = 0 attributes {is_reverse = "
       "true} {"},
  });
}

TEST(Syntax, MistakesHaveTheirPlace) {
  auto refused = [](std::string op, Place place, std::string message) {
    expectRefused(
        "func.func @f(%x: tensor<3x8xf32>) {\n  %r = " + op + "\n  return\n}\n",
        place, message);
  };
  refused(
      "\"stablehlo.gather\"(%x, %x) {dimension_numbers = "
      "#stablehlo.gather<offset_dim = [0]>} : (tensor<3x8xf32>, "
      "tensor<3x8xf32>) -> tensor<f32>",
      {2, 74}, "`offset_dim` is not one of the names expected here");
  refused(
      "stablehlo.convolution(%x, %x) dim_numbers = [b, f]x[i]->[b, f], "
      "window = {} : (tensor<3x8xf32>, tensor<3x8xf32>) -> tensor<f32>",
      {2, 59}, "this list lacks `o`");
  refused(
      "stablehlo.dot_general %x, %x, contracting_dims = [0] x [0], "
      "precision = [LOW] : (tensor<3x8xf32>, tensor<3x8xf32>) -> "
      "tensor<8x8xf32>",
      {2, 81}, "`LOW` is not a precision");
  refused("stablehlo.reduce_precision %x, format = z4 : tensor<3x8xf32>",
          {2, 48}, "expects the bits of exponent and mantissa");
  // An attribute of the wrong kind in the older dictionary is no absent one.
  refused(
      "\"stablehlo.sort\"(%x) ({\n  ^bb0(%a: tensor<f32>, %b: "
      "tensor<f32>):\n    %c = stablehlo.constant dense<true> : "
      "tensor<i1>\n    stablehlo.return %c : tensor<i1>\n  }) {dimension = "
      "\"0\"} : (tensor<3x8xf32>) -> tensor<3x8xf32>",
      {2, 8}, "attribute 'dimension' failed to satisfy constraint");
  refused(
      "\"stablehlo.transpose\"(%x) {permutation = [1, 0]} : "
      "(tensor<3x8xf32>) -> tensor<8x3xf32>",
      {2, 8},
      "attribute 'permutation' failed to satisfy constraint: list "
      "of 64-bit integers");
}

}  // namespace
}  // namespace indexical
