// The constraints of control flow, collectives and whole rows, and what chlo
// asks.
#include <string>

#include "gtest/gtest.h"

#include "tests/import/stablehlo/verify_cases.h"

namespace indexical {
namespace {

TEST(VerifyMoreOps, IfAndCase) {
  const std::string x =
      "%p: tensor<i1>, %q: tensor<2xi1>, %i: tensor<i32>, "
      "%x: tensor<f32>, %y: tensor<i32>";
  auto branch = [](std::string value, std::string type,
                   std::string arguments = "") {
    return "({\n  " + arguments + "  stablehlo.return " + value + " : " + type +
           "\n  }";
  };
  const std::string good = branch("%x", "tensor<f32>");
  checkCases({
      {x,
       "\"stablehlo.if\"(%p) " + good + ", " + good.substr(1) +
           ") : (tensor<i1>) -> tensor<f32>",
       ""},
      {x,
       "\"stablehlo.if\"(%q) " + good + ", " + good.substr(1) +
           ") : (tensor<2xi1>) -> tensor<f32>",
       "pred must be a tensor of rank 0"},
      {x,
       "\"stablehlo.if\"(%p) " +
           branch("%x", "tensor<f32>", "^bb0(%a: tensor<f32>):\n") + ", " +
           good.substr(1) + ") : (tensor<i1>) -> tensor<f32>",
       "C1: the true branch must take no arguments, but takes 1"},
      {x,
       "\"stablehlo.if\"(%p) " + good + ", " +
           branch("%y", "tensor<i32>").substr(1) +
           ") : (tensor<i1>) -> tensor<f32>",
       "C2: the false branch and the results must have the same types"},
      {x,
       "\"stablehlo.if\"(%p) " + good + ", " + good.substr(1) +
           ") : (tensor<i1>) -> tensor<i32>",
       "C3: the true branch and the results must have the same types"},
      {x, "\"stablehlo.case\"(%i) : (tensor<i32>) -> tensor<f32>",
       "C1: there must be at least one branch"},
      {x,
       "\"stablehlo.case\"(%i) " + good + ", " +
           branch("%y", "tensor<i32>").substr(1) +
           ") : (tensor<i32>) -> tensor<f32>",
       "C3: branch 1 and the results must have the same types"},
  });
}

TEST(VerifyMoreOps, While) {
  const std::string x = "%i: tensor<i64>, %x: tensor<4xf32>";
  auto loop = [](std::string arguments, std::string condition,
                 std::string body) {
    return "\"stablehlo.while\"(%i) ({\n  ^bb0(" + arguments + "):\n" +
           condition + "  }, {\n  ^bb0(%a: tensor<i64>):\n" + body +
           "  }) : (tensor<i64>) -> tensor<i64>";
  };
  const std::string yes =
      "    %c = stablehlo.constant dense<true> : "
      "tensor<i1>\n    stablehlo.return %c : "
      "tensor<i1>\n";
  const std::string same = "    stablehlo.return %a : tensor<i64>\n";
  checkCases({
      {x, loop("%a: tensor<i64>", yes, same), ""},
      {x, loop("%a: tensor<i32>", yes, same),
       "C1: the arguments of cond and the operands must have the same types"},
      {x, loop("%a: tensor<i64>", same, same),
       "C1: cond must return one tensor<i1>"},
      {x,
       loop("%a: tensor<i64>", yes,
            "    stablehlo.return %x : tensor<4xf32>\n"),
       "C2: what the body returns and the operands must have the same types"},
  });
}

TEST(VerifyMoreOps, TuplesAndBarriers) {
  const std::string x = "%x: tensor<f32>, %t: tuple<tensor<f32>, tensor<i32>>";
  checkCases({
      {x, "\"stablehlo.tuple\"(%x) : (tensor<f32>) -> tuple<tensor<i32>>",
       "C1: the parts of the result and the operands must have the same types"},
      {x,
       "stablehlo.get_tuple_element %t[2] : (tuple<tensor<f32>, "
       "tensor<i32>>) -> tensor<f32>",
       "C1: index must be in [0, 2), the number of the operand's parts being "
       "2, "
       "but has 2"},
      {x,
       "stablehlo.get_tuple_element %t[1] : (tuple<tensor<f32>, "
       "tensor<i32>>) -> tensor<f32>",
       "C2: the result and that part of the operand must have the same types"},
      {x,
       "\"stablehlo.optimization_barrier\"(%x) : (tensor<f32>) -> "
       "tensor<i32>",
       "C1: the results and the operands"},
  });
}

TEST(VerifyMoreOps, Collectives) {
  const std::string x = "%x: tensor<4x8xf32>";
  const std::string groups =
      "replica_groups = dense<[[0, 1]]> : "
      "tensor<1x2xi64>";
  auto gather = [&](std::string dimension, std::string result) {
    return "\"stablehlo.all_gather\"(%x) {all_gather_dim = " + dimension +
           " : i64, " + groups + "} : (tensor<4x8xf32>) -> tensor<" + result +
           ">";
  };
  auto exchange = [&](std::string split, std::string concat, std::string count,
                      std::string result) {
    return "\"stablehlo.all_to_all\"(%x) {split_dimension = " + split +
           " : i64, concat_dimension = " + concat +
           " : i64, split_count = " + count + " : i64, " + groups +
           "} : (tensor<4x8xf32>) -> tensor<" + result + ">";
  };
  auto permute = [&](std::string pairs) {
    return "\"stablehlo.collective_permute\"(%x) {source_target_pairs = " +
           pairs + "} : (tensor<4x8xf32>) -> tensor<4x8xf32>";
  };
  auto scatter = [&](std::string dimension, std::string result) {
    return "\"stablehlo.reduce_scatter\"(%x) ({\n  ^bb0(%a: tensor<f32>, %b: "
           "tensor<f32>):\n    stablehlo.return %a : tensor<f32>\n  }) "
           "{scatter_dimension = " +
           dimension + " : i64, " + groups +
           "} : (tensor<4x8xf32>) -> tensor<" + result + ">";
  };
  checkCases({
      {x, gather("1", "4x16xf32"), ""},
      {x, gather("2", "4x16xf32"), "C1: all_gather_dim must be in [0, 2)"},
      {x, gather("1", "8x16xf32"),
       "C6: [8, 16] must have the shape of [4, 8], times the number of members "
       "of a group, [1, inf], along dimension 1"},
      {x, gather("1", "4x12xf32"),
       "C6: [4, 12] must have the shape of [4, 8], times"},
      {x, exchange("1", "0", "2", "8x4xf32"), ""},
      {x, exchange("2", "0", "2", "8x4xf32"), "C1: split_dimension"},
      {x, exchange("1", "0", "3", "8x4xf32"),
       "C8: split_count must be the number of members of a group, [2, 2], but "
       "is 3"},
      {"%x: tensor<4x7xf32>",
       "\"stablehlo.all_to_all\"(%x) {split_dimension = 1 : i64, "
       "concat_dimension = 0 : i64, split_count = 2 : i64, " +
           groups + "} : (tensor<4x7xf32>) -> tensor<8x3xf32>",
       "C2: the size of split_dimension, 7, must be a multiple of split_count, "
       "2"},
      {x, exchange("1", "-1", "2", "8x4xf32"), "C3: concat_dimension"},
      {x, exchange("1", "0", "0", "8x4xf32"), "C4: split_count"},
      {x, exchange("1", "0", "2", "4x8xf32"),
       "C9: result must have the shape [8, 4]"},
      {x, permute("dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>"), ""},
      {x, permute("dense<0> : tensor<2x3xi64>"), "C1: source_target_pairs"},
      {x, permute("dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>"),
       "C2: the sources must not repeat an entry"},
      {x, permute("dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>"), "C3: "},
      {x, scatter("1", "4x4xf32"), ""},
      {x, scatter("2", "4x4xf32"), "C2: scatter_dimension"},
      {x, scatter("1", "4x3xf32"),
       "C8: [4, 8] must have the shape of [4, 3], times"},
  });
}

TEST(VerifyMoreOps, GroupsOfCollectives) {
  const std::string x = "%x: tensor<4x8xf32>";
  const std::string type = "(tensor<4x8xf32>) -> tensor<4x8xf32>";
  auto withGroups = [](std::string rows, std::string shape) {
    return "replica_groups = dense<" + rows + "> : tensor<" + shape + "xi64>";
  };
  auto sum = [&](std::string rows, std::string shape) {
    return "\"stablehlo.all_reduce\"(%x) ({\n  ^bb0(%a: tensor<f32>, %b: "
           "tensor<f32>):\n    stablehlo.return %a : tensor<f32>\n  }) {" +
           withGroups(rows, shape) + "} : " + type;
  };
  auto gather = [&](std::string rows, std::string shape) {
    return "\"stablehlo.all_gather\"(%x) {all_gather_dim = 0 : i64, " +
           withGroups(rows, shape) + "} : (tensor<4x8xf32>) -> tensor<8x8xf32>";
  };
  auto send = [&](std::string rows, std::string shape) {
    return "\"stablehlo.collective_broadcast\"(%x) {" +
           withGroups(rows, shape) + "} : " + type;
  };
  checkCases({
      {x, sum("[[0, 1], [2, 3]]", "2x2"), ""},
      // All that StableHLO itself lets pass.
      {x, sum("[[0, 1], [2, -1]]", "2x2"), ""},
      {x, sum("[[0, 0]]", "1x2"),
       "C1: replica_groups name 0 twice; a device is in one group"},
      {x, sum("[[0, 2]]", "1x2"),
       "C3: replica_groups name device 2 and lack device 1"},
      {x, sum("[[0, -2]]", "1x2"),
       "C3: replica_groups name device -2; the first one is 0"},
      {x, sum("[[0, 1], [-1, -1]]", "2x2"),
       "replica_groups have a group without members"},
      {x, gather("[[1, 0]]", "1x2"), ""},
      {x, gather("[[1, 2]]", "1x2"),
       "C4: replica_groups name device 2 and lack device 0"},
      {x, gather("[[0, 1], [2, -1]]", "2x2"),
       "C4: replica_groups name device -1; the first one is 0"},
      {x, gather("[[0, 1], [1, 2]]", "2x2"), "C2: replica_groups name 1 twice"},
      {x, send("[[0, 2]]", "1x2"), ""},
      {x, send("[[0, -1]]", "1x2"), "C2: replica_groups name device -1"},
  });
}

TEST(VerifyMoreOps, RowsAndStatistics) {
  const std::string x =
      "%a: tensor<2x3x3xf32>, %b: tensor<2x3x4xf32>, %v: tensor<3xf32>, %c: "
      "tensor<8xcomplex<f32>>, %s: tensor<f32>, %n: tensor<2xi64>, %d: "
      "tensor<2x3x4xf64>";
  auto solve = [](std::string a, std::string b, std::string left) {
    return "\"stablehlo.triangular_solve\"(%" + a + ", %" + b +
           ") {left_side = " + left +
           ", lower = true, unit_diagonal = false, transpose_a = "
           "#stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x3x" +
           (a == "a" ? "3" : "4") + "xf32>, tensor<2x3x" +
           (b == "a" ? "3" : "4") + "xf32>) -> tensor<2x3x" +
           (b == "a" ? "3" : "4") + "xf32>";
  };
  auto solveAs = [](std::string operands, std::string types,
                    std::string result) {
    return "\"stablehlo.triangular_solve\"(" + operands +
           ") {left_side = true, lower = true, unit_diagonal = false, "
           "transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<" +
           types + ">) -> tensor<" + result + ">";
  };
  checkCases({
      {x, "stablehlo.cholesky %a, lower = true : tensor<2x3x3xf32>", ""},
      {x, "stablehlo.cholesky %v : tensor<3xf32>", "C2: "},
      {x, "stablehlo.cholesky %b : tensor<2x3x4xf32>",
       "C3: a must have as many rows as columns, but has 3 and 4"},
      {x, "stablehlo.cholesky %a : (tensor<2x3x3xf32>) -> tensor<2x3x4xf32>",
       "C1: a and result must have the same shape"},
      {x, solve("a", "b", "true"), ""},
      {x, solveAs("%a, %d", "2x3x3xf32>, tensor<2x3x4xf64", "2x3x4xf64"),
       "C1: a and b must have the same element type"},
      {x, solveAs("%a, %v", "2x3x3xf32>, tensor<3xf32", "3xf32"),
       "C2: a and b must have the same rank, at least 2, but are [2, 3, 3] and "
       "[3]"},
      {x, solveAs("%a, %b", "2x3x3xf32>, tensor<2x3x4xf32", "2x3x3xf32"),
       "C4: b and result must have the same shape"},
      {x, solve("a", "b", "false"),
       "C3: a must have the size of the columns of b, as left_side is false, "
       "but they are [2, 3, 3] and [2, 3, 4]"},
      {x, solve("b", "a", "true"),
       "C3: a must have as many rows as columns, but has 3 and 4"},
      {x,
       "stablehlo.fft %c, type = FFT, length = [8] : "
       "(tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>",
       ""},
      {x,
       "stablehlo.fft %c, type = FFT, length = [4] : "
       "(tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>",
       ""},  // C4 asks it of real signals only
      {x,
       "stablehlo.fft %c, type = FFT, length = [4] : "
       "(tensor<8xcomplex<f32>>) -> tensor<4xcomplex<f32>>",
       "C5: operand and result must have the same shape, but are [8] and [4]"},
      {x,
       "stablehlo.fft %c, type = IRFFT, length = [14] : "
       "(tensor<8xcomplex<f32>>) -> tensor<14xf32>",
       ""},
      {x,
       "stablehlo.fft %c, type = IRFFT, length = [16] : "
       "(tensor<8xcomplex<f32>>) -> tensor<16xf32>",
       "C5: operand must have the shape [9]"},
      {x,
       "stablehlo.rng %s, %s, %n, distribution = UNIFORM : (tensor<f32>, "
       "tensor<f32>, tensor<2xi64>) -> tensor<4xf32>",
       "C3: shape"},
      {x,
       "\"stablehlo.batch_norm_inference\"(%a, %v, %v, %v, %v) {epsilon = "
       "1.0 : f32, feature_index = 3 : i64} : (tensor<2x3x3xf32>, "
       "tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> "
       "tensor<2x3x3xf32>",
       "C1: feature_index must be in [0, 3)"},
      {x,
       "\"stablehlo.batch_norm_inference\"(%a, %v, %v, %v, %v) {epsilon = "
       "1.0 : f32, feature_index = 0 : i64} : (tensor<2x3x3xf32>, "
       "tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> "
       "tensor<2x3x3xf32>",
       "one value for each feature"},
  });
}

TEST(VerifyMoreOps, Chlo) {
  const std::string x =
      "%x: tensor<2x3xf32>, %y: tensor<3xf32>, %z: "
      "tensor<2xf32>, %u: tensor<*xf32>";
  auto scan = [](std::string init, std::string type, std::string dimension) {
    return "chlo.scan(%x) inits (" + init + ") dimension = " + dimension +
           " {\n  ^bb0(%a: tensor<3xf32>, %b: " + type +
           "):\n    stablehlo.return %a, %b : tensor<3xf32>, " + type +
           "\n  } : (tensor<2x3xf32>, " + type + ") -> (tensor<2x3xf32>, " +
           type + ")";
  };
  checkCases({
      {x,
       "chlo.broadcast_add %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> "
       "tensor<2x3xf32>",
       ""},
      {x,
       "chlo.broadcast_add %x, %u : (tensor<2x3xf32>, tensor<*xf32>) -> "
       "tensor<*xf32>",
       ""},
      {x,
       "chlo.broadcast_add %x, %z : (tensor<2x3xf32>, tensor<2xf32>) -> "
       "tensor<2x3xf32>",
       "dimension 0 of operand must have the size 1 or that of dimension 1 of "
       "the result, 3, but has 2"},
      {"%x: tensor<1xf32>",
       "chlo.broadcast_add %x, %x : (tensor<1xf32>, tensor<1xf32>) -> "
       "tensor<4xf32>",
       "dimension 0 of the result, [4], must be 1, as in all operands"},
      {"%x: tensor<?xf32, #stablehlo.bounds<2>>, %y: tensor<4xf32>",
       "chlo.broadcast_add %x, %y : (tensor<?xf32, #stablehlo.bounds<2>>, "
       "tensor<4xf32>) -> tensor<4xf32>",
       ""},
      {x,
       "chlo.broadcast_add %x, %z {broadcast_dimensions = array<i64: 2>} : "
       "(tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>",
       "broadcast_dimensions must be in [0, 2)"},
      {x,
       "\"chlo.top_k\"(%x) {k = 4 : i64} : (tensor<2x3xf32>) -> "
       "(tensor<2x4xf32>, tensor<2x4xi32>)",
       "k must be at most the last size of operand, 3, but is 4", 2},
      {x, scan("%y", "tensor<3xf32>", "0"), "", 2},
      {x, scan("%y", "tensor<3xf32>", "2"), "dimension must be in [0, 2)", 2},
      {x, scan("%y", "tensor<3xf32>", "1"),
       "argument 0 must have the shape [2], a slice of that input", 2},
  });
}

}  // namespace
}  // namespace indexical
