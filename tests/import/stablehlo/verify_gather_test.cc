// The constraints C1–C23 of gather and C1–C25 of scatter, broken one at a time.
// Each starts from the example of the batching-dims document.
#include <functional>
#include <string>

#include "gtest/gtest.h"

#include "tests/import/stablehlo/refused.h"

namespace indexical {
namespace {

//===-- gather ------------------------------------------------------------===//

struct Gather {
  std::string operand = "2x3x4x2xi32", indices = "2x2x3x2xi64",
              result = "2x2x3x2x2xi32";
  std::string offset = "3, 4", collapsed = "1", operandBatching = "0",
              indicesBatching = "1", map = "2, 1", vector = "3",
              sizes = "1, 1, 2, 2";

  std::string text() const {
    return "func.func @f(%o: tensor<" + operand + ">, %i: tensor<" + indices +
           ">) {\n  %r = \"stablehlo.gather\"(%o, %i) {\n"
           "    dimension_numbers = #stablehlo.gather<offset_dims = [" +
           offset + "], collapsed_slice_dims = [" + collapsed +
           "], operand_batching_dims = [" + operandBatching +
           "], start_indices_batching_dims = [" + indicesBatching +
           "], start_index_map = [" + map + "], index_vector_dim = " + vector +
           ">,\n    slice_sizes = array<i64: " + sizes +
           ">, indices_are_sorted = false\n  } : (tensor<" + operand +
           ">, tensor<" + indices + ">) -> tensor<" + result +
           ">\n  return\n}\n";
  }

  // Like text(), with slice_sizes as an operand.
  std::string dynamicText() const {
    return "func.func @f(%o: tensor<" + operand + ">, %i: tensor<" + indices +
           ">) {\n  %s = stablehlo.constant dense<[" + sizes +
           "]> : tensor<4xi64>\n  %r = \"stablehlo.dynamic_gather\"(%o, %i, %s)"
           " {\n    dimension_numbers = #stablehlo.gather<offset_dims = [" +
           offset + "], collapsed_slice_dims = [" + collapsed +
           "], operand_batching_dims = [" + operandBatching +
           "], start_indices_batching_dims = [" + indicesBatching +
           "], start_index_map = [" + map + "], index_vector_dim = " + vector +
           ">\n  } : (tensor<" + operand + ">, tensor<" + indices +
           ">, tensor<4xi64>) -> tensor<" + result + ">\n  return\n}\n";
  }
};

struct GatherCase {
  std::function<void(Gather &)> breakIt;
  std::string message;
};

const std::vector<GatherCase> &gatherCases() {
  static const std::vector<GatherCase> cases = {
      {[](Gather &g) { g.offset = "3"; },
       "C1: rank(operand) must be the size of offset_dims, "
       "collapsed_slice_dims and operand_batching_dims together, 1 + 1 + 1 = "
       "3, but is 4"},
      {[](Gather &g) { g.vector = "5"; },
       "C2: index_vector_dim must be in [0, 4], the rank of start_indices, but "
       "is 5"},
      {[](Gather &g) { g.vector = "-1"; }, "C2: index_vector_dim"},
      {[](Gather &g) { g.map = "2"; },
       "C3: start_index_map must have as many entries as an index vector, 2, "
       "but [2] has 1"},
      {[](Gather &g) { g.offset = "4, 3"; },
       "C4: offset_dims must be sorted, but is [4, 3]"},
      {[](Gather &g) { g.offset = "3, 3"; },
       "C4: offset_dims must not repeat an entry, but [3, 3] has 3 twice"},
      {[](Gather &g) { g.offset = "3, 5"; },
       "C5: offset_dims must be in [0, 5), rank(result) being 5, but has 5"},
      {[](Gather &g) { g.operandBatching = "1"; },
       "C6: collapsed_slice_dims with operand_batching_dims must not repeat an "
       "entry, but [1, 1] has 1 twice"},
      {[](Gather &g) {
         g.offset = "3";
         g.collapsed = "3, 1";
       },
       "C7: collapsed_slice_dims must be sorted, but is [3, 1]"},
      {[](Gather &g) { g.collapsed = "4"; },
       "C8: collapsed_slice_dims must be in [0, 4), rank(operand) being 4, but "
       "has 4"},
      {[](Gather &g) { g.sizes = "1, 2, 2, 2"; },
       "C9: slice_sizes must be at most 1 in collapsed_slice_dims, but is 2 in "
       "dimension 1"},
      {[](Gather &g) {
         g.offset = "3";
         g.operandBatching = "2, 0";
         g.indicesBatching = "1, 0";
       },
       "C10: operand_batching_dims must be sorted, but is [2, 0]"},
      {[](Gather &g) { g.operandBatching = "4"; },
       "C11: operand_batching_dims must be in [0, 4), rank(operand) being 4, "
       "but has 4"},
      {[](Gather &g) { g.sizes = "2, 1, 2, 2"; },
       "C12: slice_sizes must be at most 1 in operand_batching_dims, but is 2 "
       "in dimension 0"},
      {[](Gather &g) { g.indicesBatching = "1, 1"; },
       "C13: start_indices_batching_dims must not repeat an entry, but [1, "
       "1] has 1 twice"},
      {[](Gather &g) { g.indicesBatching = "4"; },
       "C14: start_indices_batching_dims must be in [0, 4), "
       "rank(start_indices) being 4, but has 4"},
      {[](Gather &g) { g.indicesBatching = "3"; },
       "C15: start_indices_batching_dims must not hold index_vector_dim, but "
       "[3] has 3"},
      {[](Gather &g) { g.indicesBatching = ""; },
       "C16: operand_batching_dims and start_indices_batching_dims must have "
       "the same size, but are [0] and []"},
      {[](Gather &g) { g.indicesBatching = "2"; },
       "C17: batching dimensions must have the same size, but dimension 0 of "
       "operand has 2 and dimension 2 of start_indices has 3"},
      {[](Gather &g) { g.map = "0, 1"; },
       "C18: start_index_map with operand_batching_dims must not repeat an "
       "entry, but [0, 1, 0] has 0 twice"},
      {[](Gather &g) { g.map = "2, 4"; },
       "C19: start_index_map must be in [0, 4), rank(operand) being 4, but has "
       "4"},
      {[](Gather &g) { g.sizes = "1, 1, 5, 2"; },
       "C21: slice_sizes must be in [0, 4] in dimension 2, the size of "
       "operand, "
       "but is 5"},
      {[](Gather &g) { g.sizes = "1, 1, -1, 2"; }, "C21: slice_sizes"},
      {[](Gather &g) { g.result = "2x2x3x2x1xi32"; },
       "C22: shape(result) must be [2, 2, 3, 2, 2], the batch sizes of "
       "start_indices with slice_sizes at offset_dims, but is [2, 2, 3, 2, 1]"},
      {[](Gather &g) { g.result = "2x2x3x2x2x1xi32"; }, "C22: shape(result)"},
      {[](Gather &g) { g.result = "2x2x3x2x2xf32"; },
       "C23: operand and result must have the same element type, but have "
       "'i32' and 'f32'"},
  };
  return cases;
}

TEST(VerifyGather, TheExampleIsRead) {
  expectRead(Gather().text());
  expectRead(Gather().dynamicText());
}

TEST(VerifyGather, EachConstraintIsNamedWithItsValuesAndPlace) {
  for (const GatherCase &each : gatherCases()) {
    Gather gather;
    each.breakIt(gather);
    expectRefused(gather.text(), {2, 8},
                  "'stablehlo.gather' op " + each.message);
  }
  Gather gather;
  gather.sizes = "1, 1, 2";
  expectRefused(
      gather.text(), {2, 8},
      "C20: slice_sizes must have 4 entries, the rank of operand, but "
      "[1, 1, 2] has 3");
}

TEST(VerifyGather, DynamicGatherIsCheckedAlike) {
  for (const GatherCase &each : gatherCases()) {
    Gather gather;
    each.breakIt(gather);
    expectRefused(gather.dynamicText(), {3, 8},
                  "'stablehlo.dynamic_gather' op " + each.message);
  }
}

TEST(VerifyGather, DynamicSizesAreAsManyAsDimensions) {
  std::string text = Gather().dynamicText();
  for (size_t at; (at = text.find("tensor<4xi64>")) != std::string::npos;)
    text.replace(at, 13, "tensor<3xi64>");
  text.replace(text.find("[1, 1, 2, 2]"), 12, "[1, 1, 2]");
  expectRefused(text, {3, 8},
                "C20: slice_sizes must have 4 entries in one dimension, the "
                "rank of operand, but is [3]");
}

TEST(VerifyGather, UnknownSizesAreLeftToTheRun) {
  Gather gather;
  gather.operand = "?x3x?x2xi32";
  gather.indices = "2x?x3x?xi64";
  gather.result = "?x2x?x2x2xi32";
  expectRead(gather.text());
  gather.operand = "2x3x?x2xi32, #stablehlo.bounds<?, ?, 4, ?>";
  gather.sizes = "1, 1, 5, 2";
  expectRefused(gather.text(), {2, 8}, "C21: slice_sizes must be in [0, 4]");
}

//===-- scatter -----------------------------------------------------------===//

struct Scatter {
  std::string inputs = "%a", updates = "%u", results = "tensor<2x3x4x2xi64>";
  std::string inputTypes = "tensor<2x3x4x2xi64>",
              updateTypes = "tensor<2x2x3x2x2xi64>",
              indices = "tensor<2x2x3x2xi64>";
  std::string window = "3, 4", inserted = "1", inputBatching = "0",
              indicesBatching = "1", map = "2, 1", vector = "3";
  std::string body =
      "^bb0(%x: tensor<i64>, %y: tensor<i64>):\n"
      "    %s = stablehlo.add %x, %y : tensor<i64>\n"
      "    stablehlo.return %s : tensor<i64>\n";

  std::string text() const {
    return "func.func @f(%a: tensor<2x3x4x2xi64>, %b: tensor<2x3x4x3xi64>, "
           "%u: tensor<2x2x3x2x2xi64>, %v: tensor<2x2x3x2x1xi64>, "
           "%w: tensor<2x2x3x5x2xi64>, %g: tensor<2x2x3x2x2xf32>, "
           "%h: tensor<2x1x3x2x2xi64>, %k: tensor<2x2x3x2xi64>, "
           "%i: tensor<2x2x3x2xi64>) {\n"
           "  %r = \"stablehlo.scatter\"(" +
           inputs + ", %i, " + updates + ") ({\n  " + body +
           "  }) {\n    scatter_dimension_numbers = #stablehlo.scatter<"
           "update_window_dims = [" +
           window + "], inserted_window_dims = [" + inserted +
           "], input_batching_dims = [" + inputBatching +
           "], scatter_indices_batching_dims = [" + indicesBatching +
           "], scatter_dims_to_operand_dims = [" + map +
           "], index_vector_dim = " + vector + ">\n  } : (" + inputTypes +
           ", " + indices + ", " + updateTypes + ") -> " + results +
           "\n  return\n}\n";
  }
};

struct ScatterCase {
  std::function<void(Scatter &)> breakIt;
  std::string message;
};

const std::vector<ScatterCase> &scatterCases() {
  static const std::vector<ScatterCase> cases = {
      {[](Scatter &s) {
         s.inputs = "%a, %b";
         s.inputTypes = "tensor<2x3x4x2xi64>, tensor<2x3x4x3xi64>";
         s.updates = "%u, %u";
         s.updateTypes = "tensor<2x2x3x2x2xi64>, tensor<2x2x3x2x2xi64>";
       },
       "C1: inputs[0] and inputs[1] must have the same shape"},
      {[](Scatter &s) { s.window = "3"; },
       "C2: rank(inputs[0]) must be the size of update_window_dims, "
       "inserted_window_dims and input_batching_dims together, 1 + 1 + 1 = 3, "
       "but is 4"},
      {[](Scatter &s) {
         s.inputs = "%a, %a";
         s.inputTypes = "tensor<2x3x4x2xi64>, tensor<2x3x4x2xi64>";
         s.updates = "%u, %v";
         s.updateTypes = "tensor<2x2x3x2x2xi64>, tensor<2x2x3x2x1xi64>";
       },
       "C3: updates[0] and updates[1] must have the same shape"},
      {[](Scatter &s) {
         s.updates = "%w";
         s.updateTypes = "tensor<2x2x3x5x2xi64>";
       },
       "C4: dimension 3 of updates[0] is a window and must be at most 4, the "
       "size of inputs[0], but is 5"},
      {[](Scatter &s) {
         s.updates = "%h";
         s.updateTypes = "tensor<2x1x3x2x2xi64>";
       },
       "C4: dimension 1 of updates[0] must be 2, the size of scatter_indices, "
       "but is 1"},
      {[](Scatter &s) {
         s.updates = "%u, %u";
         s.updateTypes = "tensor<2x2x3x2x2xi64>, tensor<2x2x3x2x2xi64>";
       },
       "C5: there must be as many updates as inputs, N > 0 of each, with "
       "scatter_indices between them: 2 * N + 1 operands, not 4"},
      {[](Scatter &s) {
         s.updates = "%g";
         s.updateTypes = "tensor<2x2x3x2x2xf32>";
       },
       "C6: inputs[0] and updates[0] must have the same element type, but have "
       "'i64' and 'f32'"},
      {[](Scatter &s) { s.window = "4, 3"; },
       "C7: update_window_dims must be sorted, but is [4, 3]"},
      {[](Scatter &s) { s.window = "3, 3"; },
       "C7: update_window_dims must not repeat an entry"},
      {[](Scatter &s) { s.window = "3, 5"; },
       "C8: update_window_dims must be in [0, 5), rank(updates[0]) being 5, "
       "but "
       "has 5"},
      {[](Scatter &s) { s.inputBatching = "1"; },
       "C9: inserted_window_dims with input_batching_dims must not repeat an "
       "entry, but [1, 1] has 1 twice"},
      {[](Scatter &s) {
         s.window = "3";
         s.inserted = "3, 1";
       },
       "C10: inserted_window_dims must be sorted, but is [3, 1]"},
      {[](Scatter &s) { s.inserted = "4"; },
       "C11: inserted_window_dims must be in [0, 4), rank(inputs[0]) being 4, "
       "but has 4"},
      {[](Scatter &s) {
         s.window = "3";
         s.inputBatching = "2, 0";
         s.indicesBatching = "1, 0";
       },
       "C12: input_batching_dims must be sorted, but is [2, 0]"},
      {[](Scatter &s) { s.inputBatching = "4"; },
       "C13: input_batching_dims must be in [0, 4), rank(inputs[0]) being 4, "
       "but has 4"},
      {[](Scatter &s) { s.indicesBatching = "1, 1"; },
       "C14: scatter_indices_batching_dims must not repeat an entry, but "
       "[1, 1] has 1 twice"},
      {[](Scatter &s) { s.indicesBatching = "4"; },
       "C15: scatter_indices_batching_dims must be in [0, 4), "
       "rank(scatter_indices) being 4, but has 4"},
      {[](Scatter &s) { s.indicesBatching = "3"; },
       "C16: scatter_indices_batching_dims must not hold index_vector_dim, but "
       "[3] has 3"},
      {[](Scatter &s) { s.indicesBatching = ""; },
       "C17: input_batching_dims and scatter_indices_batching_dims must have "
       "the same size, but are [0] and []"},
      {[](Scatter &s) { s.indicesBatching = "2"; },
       "C18: batching dimensions must have the same size, but dimension 0 of "
       "inputs[0] has 2 and dimension 2 of scatter_indices has 3"},
      {[](Scatter &s) { s.map = "2"; },
       "C19: scatter_dims_to_operand_dims must have as many entries as an "
       "index "
       "vector, 2, but [2] has 1"},
      {[](Scatter &s) { s.map = "0, 1"; },
       "C20: scatter_dims_to_operand_dims with input_batching_dims must not "
       "repeat an entry, but [0, 1, 0] has 0 twice"},
      {[](Scatter &s) { s.map = "2, 4"; },
       "C21: scatter_dims_to_operand_dims must be in [0, 4), rank(inputs[0]) "
       "being 4, but has 4"},
      {[](Scatter &s) { s.vector = "5"; },
       "C22: index_vector_dim must be in [0, 4], the rank of scatter_indices, "
       "but is 5"},
      {[](Scatter &s) {
         s.body =
             "^bb0(%x: tensor<i64>):\n"
             "    stablehlo.return %x : tensor<i64>\n";
       },
       "C23: update_computation must take two values for each of the 1 inputs, "
       "2 in all, but takes 1"},
      {[](Scatter &s) {
         s.body =
             "^bb0(%x: tensor<i32>, %y: tensor<i32>):\n"
             "    stablehlo.return %x : tensor<i32>\n";
       },
       "C23: update_computation computes with 'tensor<i32>' for input 0, to "
       "which 'i64' cannot be promoted"},
      {[](Scatter &s) { s.results = "tensor<2x3x4x1xi64>"; },
       "C24: inputs[0] and results[0] must have the same shape, but are "
       "[2, 3, 4, 2] and [2, 3, 4, 1]"},
      {[](Scatter &s) { s.results = "tensor<2x3x4x2xi32>"; },
       "C25: results[0] must have the element type 'i64' that "
       "update_computation returns, but has 'i32'"},
  };
  return cases;
}

TEST(VerifyScatter, TheExampleIsRead) { expectRead(Scatter().text()); }

TEST(VerifyScatter, EachConstraintIsNamedWithItsValuesAndPlace) {
  for (const ScatterCase &each : scatterCases()) {
    Scatter scatter;
    each.breakIt(scatter);
    expectRefused(scatter.text(), {2, 8},
                  "'stablehlo.scatter' op " + each.message);
  }
}

// The result is what the body computes with, which may be wider than the input.
TEST(VerifyScatter, ABodyMayPromote) {
  Scatter scatter;
  scatter.inputs = "%a";
  scatter.body =
      "^bb0(%x: tensor<i64>, %y: tensor<i64>):\n"
      "    stablehlo.return %x : tensor<i64>\n";
  expectRead(scatter.text());
}

}  // namespace
}  // namespace indexical
