// The constraints of the ops that reduce, order and window, each broken on its
// own.
#include <string>

#include "gtest/gtest.h"

#include "tests/import/stablehlo/verify_cases.h"

namespace indexical {
namespace {

TEST(VerifyReduction, Reduce) {
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
       "\"stablehlo.reduce\"(%x, %y, %v, %v) ({\n"
       "  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: "
       "tensor<f32>):\n    stablehlo.return %a, %b : tensor<f32>, "
       "tensor<f32>\n  }) {dimensions = array<i64: 1>} : (tensor<2x3xf32>, "
       "tensor<2x4xf32>, tensor<f32>, tensor<f32>) -> (tensor<2xf32>, "
       "tensor<2xf32>)",
       "C1: inputs[0] and inputs[1] must have the same shape", 2},
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

TEST(VerifyReduction, ReduceWindow) {
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
  auto two = [&](std::string second, std::string results) {
    return "\"stablehlo.reduce_window\"(%x, %y, %v, %v) ({\n  ^bb0(%a: "
           "tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: "
           "tensor<f32>):\n    stablehlo.return %a, %b : tensor<f32>, "
           "tensor<f32>\n  }) {" +
           size + "} : (tensor<4x5xf32>, " + second +
           ", tensor<f32>, tensor<f32>) -> (" + results + ")";
  };
  const std::string inputs =
      "%x: tensor<4x5xf32>, %v: tensor<f32>, %y: tensor<4x";
  checkCases({
      {x, reduce(size), ""},
      {inputs + "5xf32>", two("tensor<4x5xf32>", "tensor<3x4xf32>"),
       "C1: there must be as many init_values and results as inputs, and at "
       "least one, but there are 4 operands and 1 results"},
      {inputs + "6xf32>",
       two("tensor<4x6xf32>", "tensor<3x4xf32>, tensor<3x4xf32>"),
       "C2: inputs[0] and inputs[1] must have the same shape", 2},
      {inputs + "5xf32>",
       two("tensor<4x5xf32>", "tensor<3x4xf32>, tensor<3x5xf32>"),
       "C15: results[1] must have the shape [3, 4]", 2},
      {x,
       "\"stablehlo.reduce_window\"(%x, %v) ({\n  ^bb0(%a: tensor<f32>):\n"
       "    stablehlo.return %a : tensor<f32>\n  }) {" +
           size + "} : (tensor<4x5xf32>, tensor<f32>) -> tensor<3x4xf32>",
       "C13: the body must take two values for each of the 1 inputs"},
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

TEST(VerifyReduction, Sort) {
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
      {"",
       "\"stablehlo.sort\"() ({\n    %c = stablehlo.constant dense<true> : "
       "tensor<i1>\n    stablehlo.return %c : tensor<i1>\n  }) {dimension = 0 "
       ": i64} : () -> tensor<4xf32>",
       "C1: there must be at least one input"},
      {x,
       sort("%x, %y", t + ", tensor<4x6xf32>", t, "1",
            pair + ", %d: tensor<f32>, %e: tensor<f32>"),
       "C2: there must be a result for each of the 2 inputs, not 1"},
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

TEST(VerifyReduction, SelectAndScatterAndMap) {
  const std::string x =
      "%x: tensor<4x4xf32>, %s: tensor<2x2xf32>, %v: "
      "tensor<f32>, %w: tensor<3x3xf32>";
  auto scatter = [](std::string source, std::string type, std::string select,
                    std::string attributes) {
    return "\"stablehlo.select_and_scatter\"(%x, " + source +
           ", %v) ({\n  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n" + select +
           "  }, {\n  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
           "    stablehlo.return %a : tensor<f32>\n  }) {" +
           attributes + "} : (tensor<4x4xf32>, tensor<" + type +
           ">, tensor<f32>) -> tensor<4x4xf32>";
  };
  const std::string yes =
      "    %c = stablehlo.constant dense<true> : "
      "tensor<i1>\n    stablehlo.return %c : "
      "tensor<i1>\n";
  const std::string window =
      "window_dimensions = array<i64: 2, 2>, "
      "window_strides = array<i64: 2, 2>";
  auto map = [](std::string dimensions, std::string arguments,
                std::string result) {
    return "\"stablehlo.map\"(%x) ({\n  ^bb0(" + arguments +
           "):\n    stablehlo.return %a : tensor<f32>\n  }) {dimensions = "
           "array<i64: " +
           dimensions + ">} : (tensor<4x4xf32>) -> tensor<" + result + ">";
  };
  checkCases({
      {x, scatter("%s", "2x2xf32", yes, window), ""},
      {x + ", %j: tensor<2x2xi32>", scatter("%j", "2x2xi32", yes, window),
       "C1: operand and source must have the same element type"},
      {x, scatter("%w", "3x3xf32", yes, window),
       "C2: source must have the shape [2, 2], the number of windows along "
       "each "
       "dimension, but has [3, 3]"},
      {x, scatter("%s", "2x2xf32", yes, "window_dimensions = array<i64: 2>"),
       "C4: "},
      {x,
       scatter("%s", "2x2xf32", yes,
               window + ", padding = dense<0> : tensor<1x2xi64>"),
       "C8: "},
      {x,
       scatter("%s", "2x2xf32", "    stablehlo.return %a : tensor<f32>\n",
               window),
       "C9: select must take two elements and return a tensor<i1>"},
      {x, map("0, 1", "%a: tensor<f32>", "4x4xf32"), ""},
      {x, map("0, 1", "%a: tensor<f32>", "4x5xf32"), "C1: "},
      {x, map("1, 0", "%a: tensor<f32>", "4x4xf32"),
       "C3: dimensions must be all of the 2 dimensions in order, but is [1, "
       "0]"},
      {x, map("0, 1", "%a: tensor<f32>, %b: tensor<f32>", "4x4xf32"), "C4: "},
  });
}

struct SelectAndScatter {
  std::string init = "f32", attributes = "window_dimensions = array<i64: 2, 2>";
  std::string body = "%a: tensor<f32>, %b: tensor<f32>", result = "4x4xf32";

  std::string text() const {
    return "\"stablehlo.select_and_scatter\"(%x, %s, %v) ({\n"
           "  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
           "    %c = stablehlo.constant dense<true> : tensor<i1>\n"
           "    stablehlo.return %c : tensor<i1>\n  }, {\n  ^bb0(" +
           body + "):\n    stablehlo.return %a : tensor<f32>\n  }) {" +
           attributes + "} : (tensor<4x4xf32>, tensor<3x3xf32>, tensor<" +
           init + ">) -> tensor<" + result + ">";
  }
};

TEST(VerifyReduction, SelectAndScatterOneByOne) {
  auto check = [](const SelectAndScatter &op, const std::string &message) {
    checkCases({{"%x: tensor<4x4xf32>, %s: tensor<3x3xf32>, %v: tensor<" +
                     op.init + ">",
                 op.text(), message}});
  };
  const std::string two = "window_dimensions = array<i64: 2, 2>";
  check({}, "");
  check({"i32"}, "C3: operand and init_value must have the same element type");
  check({"1xf32"}, "C3: init_value must have rank 0, but has the shape [1]");
  check({"f32", "window_dimensions = array<i64: 2, 0>"},
        "C5: window_dimensions must be at least 1, but has 0");
  check({"f32", two + ", window_strides = array<i64: 1>"},
        "C6: window_strides must have 2 entries, the rank of inputs[0], but "
        "[1] has 1");
  check({"f32", two + ", window_strides = array<i64: 1, -1>"},
        "C7: window_strides must be at least 1, but has -1");
  check({"f32", two, "%a: tensor<f32>"},
        "C10: scatter must take two values for each of the 1 inputs");
  check({"f32", two, "%a: tensor<f32>, %b: tensor<f32>", "4x5xf32"},
        "C11: operand and result must have the same shape, but are [4, 4] and "
        "[4, 5]");
  check({"f32", two, "%a: tensor<f32>, %b: tensor<f32>", "4x4xf64"},
        "C12: results[0] must have the element type 'f32' that the body "
        "returns");
}

}  // namespace
}  // namespace indexical
