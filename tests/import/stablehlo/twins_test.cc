// Twins: an op of HLO and the same op of StableHLO have the same maps, in both
// directions, with the same precision. There is one pair for each op that HLO
// has.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/import/stablehlo/import/describe.h"
#include "indexical/import/stablehlo/import/import.h"
#include "indexical/program/maps/program_indexing.h"

namespace indexical::testing {
namespace {

struct Twin {
  std::string op, hlo, stablehlo;
};

/// All that is read, by leaf of the root and of the parameters.
std::string allReads(const Module &module) {
  ProgramIndexing maps(module);
  const Computation &entry = module.computations[module.entry];
  const int64_t roots = entry.instructions[entry.root].shape.leafCount();
  std::string text;
  for (Direction direction :
       {Direction::OutputToInput, Direction::InputToOutput})
    for (int64_t r = 0; r < roots; ++r)
      for (size_t p = 0; p < entry.parameters.size(); ++p) {
        const int64_t leaves =
            entry.instructions[entry.parameters[p]].shape.leafCount();
        for (int64_t l = 0; l < leaves; ++l) {
          auto relation = maps.computation(
              module.entry, LeafId(r), ParameterLeaf{p, LeafId(l)}, direction);
          absl::StrAppend(
              &text, direction == Direction::OutputToInput ? "of " : "from ", p,
              ".", l, " to ", r, ": ");
          if (!relation.ok()) {
            absl::StrAppend(&text, relation.status().ToString(), "\n");
            continue;
          }
          absl::StrAppend(&text, precisionName(relation->precision()).str(),
                          "\n");
          std::vector<std::string> pieces;
          for (const IndexingMap &piece : relation->pieces()) {
            pieces.push_back(piece.strOneLine());
            for (FormId member : piece.members())
              pieces.back() += ", member " + piece.str(member);
          }
          std::sort(pieces.begin(), pieces.end());
          for (const std::string &piece : pieces)
            absl::StrAppend(&text, "  ", piece, "\n");
        }
      }
  return text;
}

std::vector<Twin> elementwiseTwins() {
  std::vector<Twin> twins;
  auto add = [&](const std::string &name, const std::string &hlo,
                 const std::string &type, const std::string &result,
                 int operands, const std::string &attributes = "") {
    const std::string mlir = type == "c64"    ? "complex<f32>"
                             : type == "pred" ? "i1"
                             : type == "s32"  ? "i32"
                                              : type;
    const std::string mlirResult = result == "c64"    ? "complex<f32>"
                                   : result == "pred" ? "i1"
                                   : result == "s32"  ? "i32"
                                                      : result;
    std::string a = "ENTRY e {\n", arguments, values, types;
    for (int k = 0; k < operands; ++k) {
      absl::StrAppend(&a, "p", k, " = ", type, "[2,3] parameter(", k, ")\n");
      absl::StrAppend(&arguments, k ? ", " : "", "p", k);
      absl::StrAppend(&values, k ? ", " : "", "%p", k, ": tensor<2x3x", mlir,
                      ">");
      absl::StrAppend(&types, k ? ", " : "", "tensor<2x3x", mlir, ">");
    }
    absl::StrAppend(&a, "ROOT r = ", result, "[2,3] ", hlo, "(", arguments, ")",
                    "}");
    const std::string type2 = "tensor<2x3x" + mlirResult + ">";
    twins.push_back({"stablehlo." + name, a,
                     absl::StrCat("func.func @main(", values, ") -> ", type2,
                                  " {\n%r = \"", "stablehlo.", name, "\"(",
                                  absl::StrReplaceAll(arguments, {{"p", "%p"}}),
                                  ") {", attributes, "} : (", types, ") -> ",
                                  type2, "\nreturn %r : ", type2, "\n}")});
  };
  for (const char *name :
       {"abs", "cbrt", "ceil", "cosine", "exponential", "floor", "log",
        "logistic", "negate", "rsqrt", "sign", "sine", "sqrt", "tan", "tanh"})
    add(name, name, "f32", "f32", 1);
  add("exponential_minus_one", "exponential-minus-one", "f32", "f32", 1);
  add("log_plus_one", "log-plus-one", "f32", "f32", 1);
  add("round_nearest_afz", "round-nearest-afz", "f32", "f32", 1);
  add("round_nearest_even", "round-nearest-even", "f32", "f32", 1);
  add("count_leading_zeros", "count-leading-zeros", "s32", "s32", 1);
  add("popcnt", "popcnt", "s32", "s32", 1);
  add("not", "not", "s32", "s32", 1);
  add("is_finite", "is-finite", "f32", "pred", 1);
  add("real", "real", "c64", "f32", 1);
  add("imag", "imag", "c64", "f32", 1);
  add("convert", "convert", "f32", "s32", 1);
  for (const char *name : {"add", "atan2", "divide", "maximum", "minimum",
                           "multiply", "power", "remainder", "subtract"})
    add(name, name, "f32", "f32", 2);
  for (const char *name : {"and", "or", "xor"})
    add(name, name, "s32", "s32", 2);
  add("shift_left", "shift-left", "s32", "s32", 2);
  add("shift_right_arithmetic", "shift-right-arithmetic", "s32", "s32", 2);
  add("shift_right_logical", "shift-right-logical", "s32", "s32", 2);
  add("complex", "complex", "f32", "c64", 2);
  add("clamp", "clamp", "f32", "f32", 3);
  return twins;
}

const Twin kTwins[] = {
    {"stablehlo.compare",
     R"(ENTRY e { a = f32[4] parameter(0) b = f32[4] parameter(1)
        ROOT r = pred[4] compare(a, b), direction=LT })",
     R"(func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xi1> {
        %r = stablehlo.compare LT, %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
        return %r : tensor<4xi1> })"},
    {"stablehlo.select",
     R"(ENTRY e { p = pred[] parameter(0) a = f32[4] parameter(1) b = f32[4] parameter(2)
        ROOT r = f32[4] select(p, a, b) })",
     R"(func.func @main(%p: tensor<i1>, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
        %r = stablehlo.select %p, %a, %b : tensor<i1>, tensor<4xf32>
        return %r : tensor<4xf32> })"},
    {"stablehlo.reduce_precision",
     R"(ENTRY e { a = f32[4] parameter(0)
        ROOT r = f32[4] reduce-precision(a), exponent_bits=5, mantissa_bits=10 })",
     R"(func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
        %r = stablehlo.reduce_precision %a, format = e5m10 : tensor<4xf32>
        return %r : tensor<4xf32> })"},
    {"stablehlo.map",
     R"(f { a = f32[] parameter(0) ROOT r = f32[] negate(a) }
        ENTRY e { a = f32[4] parameter(0) ROOT r = f32[4] map(a), dimensions={0}, to_apply=f })",
     R"(func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
        %r = "stablehlo.map"(%a) ({ ^bb0(%x: tensor<f32>):
          %n = stablehlo.negate %x : tensor<f32>
          stablehlo.return %n : tensor<f32> }) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>
        return %r : tensor<4xf32> })"},
    {"stablehlo.broadcast_in_dim",
     R"(ENTRY e { a = f32[3,1] parameter(0)
        b = f32[3] reshape(a)
        ROOT r = f32[2,3,4] broadcast(b), dimensions={1} })",
     R"(func.func @main(%a: tensor<3x1xf32>) -> tensor<2x3x4xf32> {
        %r = stablehlo.broadcast_in_dim %a, dims = [1, 2] : (tensor<3x1xf32>) -> tensor<2x3x4xf32>
        return %r : tensor<2x3x4xf32> })"},
    {"stablehlo.broadcast",
     R"(ENTRY e { a = f32[3] parameter(0)
        ROOT r = f32[2,4,3] broadcast(a), dimensions={2} })",
     R"(func.func @main(%a: tensor<3xf32>) -> tensor<2x4x3xf32> {
        %r = stablehlo.broadcast %a, sizes = [2, 4] : (tensor<3xf32>) -> tensor<2x4x3xf32>
        return %r : tensor<2x4x3xf32> })"},
    {"stablehlo.transpose",
     R"(ENTRY e { a = f32[2,3,4] parameter(0)
        ROOT r = f32[4,2,3] transpose(a), dimensions={2,0,1} })",
     R"(func.func @main(%a: tensor<2x3x4xf32>) -> tensor<4x2x3xf32> {
        %r = stablehlo.transpose %a, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
        return %r : tensor<4x2x3xf32> })"},
    {"stablehlo.reverse",
     R"(ENTRY e { a = f32[2,3] parameter(0)
        ROOT r = f32[2,3] reverse(a), dimensions={1} })",
     R"(func.func @main(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
        %r = stablehlo.reverse %a, dims = [1] : tensor<2x3xf32>
        return %r : tensor<2x3xf32> })"},
    {"stablehlo.reshape",
     R"(ENTRY e { a = f32[4,6] parameter(0) ROOT r = f32[3,8] reshape(a) })",
     R"(func.func @main(%a: tensor<4x6xf32>) -> tensor<3x8xf32> {
        %r = stablehlo.reshape %a : (tensor<4x6xf32>) -> tensor<3x8xf32>
        return %r : tensor<3x8xf32> })"},
    {"stablehlo.bitcast_convert",
     R"(ENTRY e { a = f32[4] parameter(0) ROOT r = s8[4,4] bitcast-convert(a) })",
     R"(func.func @main(%a: tensor<4xf32>) -> tensor<4x4xi8> {
        %r = stablehlo.bitcast_convert %a : (tensor<4xf32>) -> tensor<4x4xi8>
        return %r : tensor<4x4xi8> })"},
    {"stablehlo.slice",
     R"(ENTRY e { a = f32[10,9] parameter(0)
        ROOT r = f32[4,3] slice(a), slice={[1:9:2],[2:5]} })",
     R"(func.func @main(%a: tensor<10x9xf32>) -> tensor<4x3xf32> {
        %r = stablehlo.slice %a [1:9:2, 2:5] : (tensor<10x9xf32>) -> tensor<4x3xf32>
        return %r : tensor<4x3xf32> })"},
    {"stablehlo.concatenate",
     R"(ENTRY e { a = f32[2,3] parameter(0) b = f32[2,5] parameter(1)
        ROOT r = f32[2,8] concatenate(a, b), dimensions={1} })",
     R"(func.func @main(%a: tensor<2x3xf32>, %b: tensor<2x5xf32>) -> tensor<2x8xf32> {
        %r = stablehlo.concatenate %a, %b, dim = 1 : (tensor<2x3xf32>, tensor<2x5xf32>) -> tensor<2x8xf32>
        return %r : tensor<2x8xf32> })"},
    {"stablehlo.pad",
     R"(ENTRY e { a = f32[4,5] parameter(0) z = f32[] parameter(1)
        ROOT r = f32[10,5] pad(a, z), padding=1_2_1x-1_1_0 })",
     R"(func.func @main(%a: tensor<4x5xf32>, %z: tensor<f32>) -> tensor<10x5xf32> {
        %r = stablehlo.pad %a, %z, low = [1, -1], high = [2, 1], interior = [1, 0] : (tensor<4x5xf32>, tensor<f32>) -> tensor<10x5xf32>
        return %r : tensor<10x5xf32> })"},
    {"stablehlo.dynamic_slice",
     R"(ENTRY e { a = f32[8,9] parameter(0) i = s32[] parameter(1) j = s32[] parameter(2)
        ROOT r = f32[2,9] dynamic-slice(a, i, j), dynamic_slice_sizes={2,9} })",
     R"(func.func @main(%a: tensor<8x9xf32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<2x9xf32> {
        %r = stablehlo.dynamic_slice %a, %i, %j, sizes = [2, 9] : (tensor<8x9xf32>, tensor<i32>, tensor<i32>) -> tensor<2x9xf32>
        return %r : tensor<2x9xf32> })"},
    {"stablehlo.dynamic_update_slice",
     R"(ENTRY e { a = f32[8] parameter(0) u = f32[3] parameter(1) i = s32[] parameter(2)
        ROOT r = f32[8] dynamic-update-slice(a, u, i) })",
     R"(func.func @main(%a: tensor<8xf32>, %u: tensor<3xf32>, %i: tensor<i32>) -> tensor<8xf32> {
        %r = stablehlo.dynamic_update_slice %a, %u, %i : (tensor<8xf32>, tensor<3xf32>, tensor<i32>) -> tensor<8xf32>
        return %r : tensor<8xf32> })"},
    {"stablehlo.gather",
     R"(ENTRY e { a = f32[3,8,5] parameter(0) i = s32[3,2,1] parameter(1)
        ROOT r = f32[3,2,2,5] gather(a, i), offset_dims={2,3}, collapsed_slice_dims={},
          operand_batching_dims={0}, start_indices_batching_dims={0},
          start_index_map={1}, index_vector_dim=2, slice_sizes={1,2,5} })",
     R"(func.func @main(%a: tensor<3x8x5xf32>, %i: tensor<3x2x1xi32>) -> tensor<3x2x2x5xf32> {
        %r = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 3],
          operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1],
          index_vector_dim = 2>, slice_sizes = array<i64: 1, 2, 5>} : (tensor<3x8x5xf32>, tensor<3x2x1xi32>) -> tensor<3x2x2x5xf32>
        return %r : tensor<3x2x2x5xf32> })"},
    // Slices of one element: what is partly outside is the same in both.
    {"stablehlo.scatter",
     R"(add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }
        ENTRY e { a = f32[8] parameter(0) i = s32[3,1] parameter(1) u = f32[3] parameter(2)
        ROOT r = f32[8] scatter(a, i, u), update_window_dims={}, inserted_window_dims={0},
          scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add })",
     R"(func.func @main(%a: tensor<8xf32>, %i: tensor<3x1xi32>, %u: tensor<3xf32>) -> tensor<8xf32> {
        %r = "stablehlo.scatter"(%a, %i, %u) ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>):
          %s = stablehlo.add %x, %y : tensor<f32>
          stablehlo.return %s : tensor<f32> }) {scatter_dimension_numbers = #stablehlo.scatter<
          inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<8xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<8xf32>
        return %r : tensor<8xf32> })"},
    {"stablehlo.iota",
     R"(ENTRY e { i = s32[4] iota(), iota_dimension=0 a = f32[9] parameter(0)
        ROOT r = f32[4] gather(a, i), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1} })",
     R"(func.func @main(%a: tensor<9xf32>) -> tensor<4xf32> {
        %i = stablehlo.iota dim = 0 : tensor<4xi32>
        %r = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>} : (tensor<9xf32>, tensor<4xi32>) -> tensor<4xf32>
        return %r : tensor<4xf32> })"},
    {"stablehlo.constant",
     R"(ENTRY e { i = s32[] constant(7) a = f32[9] parameter(0)
        ROOT r = f32[4] dynamic-slice(a, i), dynamic_slice_sizes={4} })",
     R"(func.func @main(%a: tensor<9xf32>) -> tensor<4xf32> {
        %i = stablehlo.constant dense<7> : tensor<i32>
        %r = stablehlo.dynamic_slice %a, %i, sizes = [4] : (tensor<9xf32>, tensor<i32>) -> tensor<4xf32>
        return %r : tensor<4xf32> })"},
    {"stablehlo.dot_general",
     R"(ENTRY e { a = f32[2,3,4] parameter(0) b = f32[4,2,5] parameter(1)
        ROOT r = f32[2,3,5] dot(a, b), lhs_batch_dims={0}, rhs_batch_dims={1}, lhs_contracting_dims={2}, rhs_contracting_dims={0} })",
     R"(func.func @main(%a: tensor<2x3x4xf32>, %b: tensor<4x2x5xf32>) -> tensor<2x3x5xf32> {
        %r = stablehlo.dot_general %a, %b, batching_dims = [0] x [1], contracting_dims = [2] x [0] : (tensor<2x3x4xf32>, tensor<4x2x5xf32>) -> tensor<2x3x5xf32>
        return %r : tensor<2x3x5xf32> })"},
    {"stablehlo.dot",
     R"(ENTRY e { a = f32[3,4] parameter(0) b = f32[4,5] parameter(1)
        ROOT r = f32[3,5] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} })",
     R"(func.func @main(%a: tensor<3x4xf32>, %b: tensor<4x5xf32>) -> tensor<3x5xf32> {
        %r = stablehlo.dot %a, %b : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
        return %r : tensor<3x5xf32> })"},
    {"stablehlo.convolution",
     R"(ENTRY e { a = f32[2,9,9,4] parameter(0) k = f32[3,3,2,6] parameter(1)
        ROOT r = f32[2,5,9,6] convolution(a, k), window={size=3x3 stride=2x1 pad=1_1x2_2 rhs_dilate=1x2}, dim_labels=b01f_01io->b01f, feature_group_count=2 })",
     R"(func.func @main(%a: tensor<2x9x9x4xf32>, %k: tensor<3x3x2x6xf32>) -> tensor<2x5x9x6xf32> {
        %r = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
          window = {stride = [2, 1], pad = [[1, 1], [2, 2]], rhs_dilate = [1, 2]}
          {feature_group_count = 2 : i64, batch_group_count = 1 : i64} : (tensor<2x9x9x4xf32>, tensor<3x3x2x6xf32>) -> tensor<2x5x9x6xf32>
        return %r : tensor<2x5x9x6xf32> })"},
    {"stablehlo.reduce",
     R"(add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }
        ENTRY e { a = f32[2,3,4] parameter(0) z = f32[] parameter(1)
        ROOT r = f32[3] reduce(a, z), dimensions={0,2}, to_apply=add })",
     R"(func.func @main(%a: tensor<2x3x4xf32>, %z: tensor<f32>) -> tensor<3xf32> {
        %r = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0, 2] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<3xf32>
        return %r : tensor<3xf32> })"},
    {"stablehlo.reduce_window",
     R"(add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }
        ENTRY e { a = f32[9,8] parameter(0) z = f32[] parameter(1)
        ROOT r = f32[5,3] reduce-window(a, z), window={size=3x2 stride=2x2 pad=1_1x0_0 rhs_dilate=1x3}, to_apply=add })",
     R"(func.func @main(%a: tensor<9x8xf32>, %z: tensor<f32>) -> tensor<5x3xf32> {
        %r = "stablehlo.reduce_window"(%a, %z) ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>):
          %s = stablehlo.add %x, %y : tensor<f32>
          stablehlo.return %s : tensor<f32> }) {window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 2, 2>,
          window_dilations = array<i64: 1, 3>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>} : (tensor<9x8xf32>, tensor<f32>) -> tensor<5x3xf32>
        return %r : tensor<5x3xf32> })"},
    {"stablehlo.select_and_scatter",
     R"(ge { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = pred[] compare(a, b), direction=GE }
        add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }
        ENTRY e { a = f32[6] parameter(0) s = f32[3] parameter(1) z = f32[] parameter(2)
        ROOT r = f32[6] select-and-scatter(a, s, z), window={size=2 stride=2}, select=ge, scatter=add })",
     R"(func.func @main(%a: tensor<6xf32>, %s: tensor<3xf32>, %z: tensor<f32>) -> tensor<6xf32> {
        %r = "stablehlo.select_and_scatter"(%a, %s, %z) ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>):
          %p = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
          stablehlo.return %p : tensor<i1> }, { ^bb0(%x: tensor<f32>, %y: tensor<f32>):
          %t = stablehlo.add %x, %y : tensor<f32>
          stablehlo.return %t : tensor<f32> }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<6xf32>, tensor<3xf32>, tensor<f32>) -> tensor<6xf32>
        return %r : tensor<6xf32> })"},
    {"stablehlo.sort",
     R"(lt { a = f32[] parameter(0) b = f32[] parameter(1) c = s32[] parameter(2) d = s32[] parameter(3) ROOT r = pred[] compare(a, b), direction=LT }
        ENTRY e { a = f32[2,5] parameter(0) b = s32[2,5] parameter(1)
        ROOT r = (f32[2,5], s32[2,5]) sort(a, b), dimensions={1}, to_apply=lt })",
     R"(func.func @main(%a: tensor<2x5xf32>, %b: tensor<2x5xi32>) -> (tensor<2x5xf32>, tensor<2x5xi32>) {
        %r:2 = "stablehlo.sort"(%a, %b) ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<i32>, %w: tensor<i32>):
          %p = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
          stablehlo.return %p : tensor<i1> }) {dimension = 1 : i64} : (tensor<2x5xf32>, tensor<2x5xi32>) -> (tensor<2x5xf32>, tensor<2x5xi32>)
        return %r#0, %r#1 : tensor<2x5xf32>, tensor<2x5xi32> })"},
    {"stablehlo.cholesky",
     R"(ENTRY e { a = f32[2,3,3] parameter(0) ROOT r = f32[2,3,3] cholesky(a), lower=true })",
     R"(func.func @main(%a: tensor<2x3x3xf32>) -> tensor<2x3x3xf32> {
        %r = stablehlo.cholesky %a, lower = true : tensor<2x3x3xf32>
        return %r : tensor<2x3x3xf32> })"},
    {"stablehlo.triangular_solve",
     R"(ENTRY e { a = f32[3,3] parameter(0) b = f32[3,4] parameter(1)
        ROOT r = f32[3,4] triangular-solve(a, b), left_side=true, lower=true, unit_diagonal=false, transpose_a=TRANSPOSE })",
     R"(func.func @main(%a: tensor<3x3xf32>, %b: tensor<3x4xf32>) -> tensor<3x4xf32> {
        %r = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>} : (tensor<3x3xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
        return %r : tensor<3x4xf32> })"},
    {"stablehlo.fft",
     R"(ENTRY e { a = f32[2,8] parameter(0) ROOT r = c64[2,5] fft(a), fft_type=RFFT, fft_length={8} })",
     R"(func.func @main(%a: tensor<2x8xf32>) -> tensor<2x5xcomplex<f32>> {
        %r = stablehlo.fft %a, type = RFFT, length = [8] : (tensor<2x8xf32>) -> tensor<2x5xcomplex<f32>>
        return %r : tensor<2x5xcomplex<f32>> })"},
    {"stablehlo.batch_norm_inference",
     R"(ENTRY e { a = f32[2,3] parameter(0) s = f32[3] parameter(1) o = f32[3] parameter(2) m = f32[3] parameter(3) v = f32[3] parameter(4)
        ROOT r = f32[2,3] batch-norm-inference(a, s, o, m, v), epsilon=0.001, feature_index=1 })",
     R"(func.func @main(%a: tensor<2x3xf32>, %s: tensor<3xf32>, %o: tensor<3xf32>, %m: tensor<3xf32>, %v: tensor<3xf32>) -> tensor<2x3xf32> {
        %r = "stablehlo.batch_norm_inference"(%a, %s, %o, %m, %v) {epsilon = 1.0e-3 : f32, feature_index = 1 : i64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
        return %r : tensor<2x3xf32> })"},
    {"stablehlo.batch_norm_training",
     R"(ENTRY e { a = f32[2,3] parameter(0) s = f32[3] parameter(1) o = f32[3] parameter(2)
        ROOT r = (f32[2,3], f32[3], f32[3]) batch-norm-training(a, s, o), epsilon=0.001, feature_index=1 })",
     R"(func.func @main(%a: tensor<2x3xf32>, %s: tensor<3xf32>, %o: tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) {
        %r:3 = "stablehlo.batch_norm_training"(%a, %s, %o) {epsilon = 1.0e-3 : f32, feature_index = 1 : i64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
        return %r#0, %r#1, %r#2 : tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32> })"},
    {"stablehlo.batch_norm_grad",
     R"(ENTRY e { a = f32[2,3] parameter(0) s = f32[3] parameter(1) m = f32[3] parameter(2) v = f32[3] parameter(3) g = f32[2,3] parameter(4)
        ROOT r = (f32[2,3], f32[3], f32[3]) batch-norm-grad(a, s, m, v, g), epsilon=0.001, feature_index=1 })",
     R"(func.func @main(%a: tensor<2x3xf32>, %s: tensor<3xf32>, %m: tensor<3xf32>, %v: tensor<3xf32>, %g: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) {
        %r:3 = "stablehlo.batch_norm_grad"(%a, %s, %m, %v, %g) {epsilon = 1.0e-3 : f32, feature_index = 1 : i64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
        return %r#0, %r#1, %r#2 : tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32> })"},
    {"stablehlo.rng_bit_generator",
     R"(ENTRY e { s = u64[2] parameter(0) ROOT r = (u64[2], u32[3]) rng-bit-generator(s), algorithm=rng_default })",
     R"(func.func @main(%s: tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>) {
        %r:2 = stablehlo.rng_bit_generator %s, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)
        return %r#0, %r#1 : tensor<2xui64>, tensor<3xui32> })"},
    {"stablehlo.set_dimension_size",
     R"(ENTRY e { a = f32[4,8] parameter(0) n = s32[] parameter(1) ROOT r = f32[4,<=8] set-dimension-size(a, n), dimensions={1} })",
     R"(func.func @main(%a: tensor<4x8xf32>, %n: tensor<i32>) -> tensor<4x?xf32, #stablehlo.bounds<?, 8>> {
        %r = stablehlo.set_dimension_size %a, %n, dim = 1 : (tensor<4x8xf32>, tensor<i32>) -> tensor<4x?xf32, #stablehlo.bounds<?, 8>>
        return %r : tensor<4x?xf32, #stablehlo.bounds<?, 8>> })"},
    {"stablehlo.tuple",
     R"(ENTRY e { a = f32[4] parameter(0) b = s32[] parameter(1) ROOT r = (f32[4], s32[]) tuple(a, b) })",
     R"(func.func @main(%a: tensor<4xf32>, %b: tensor<i32>) -> tuple<tensor<4xf32>, tensor<i32>> {
        %r = stablehlo.tuple %a, %b : tuple<tensor<4xf32>, tensor<i32>>
        return %r : tuple<tensor<4xf32>, tensor<i32>> })"},
    {"stablehlo.get_tuple_element",
     R"(ENTRY e { t = (f32[4], (s32[2], f32[3])) parameter(0) u = (s32[2], f32[3]) get-tuple-element(t), index=1 ROOT r = f32[3] get-tuple-element(u), index=1 })",
     R"(func.func @main(%t: tuple<tensor<4xf32>, tuple<tensor<2xi32>, tensor<3xf32>>>) -> tensor<3xf32> {
        %u = stablehlo.get_tuple_element %t[1] : (tuple<tensor<4xf32>, tuple<tensor<2xi32>, tensor<3xf32>>>) -> tuple<tensor<2xi32>, tensor<3xf32>>
        %r = stablehlo.get_tuple_element %u[1] : (tuple<tensor<2xi32>, tensor<3xf32>>) -> tensor<3xf32>
        return %r : tensor<3xf32> })"},
    {"stablehlo.optimization_barrier",
     R"(ENTRY e { a = f32[4] parameter(0) b = f32[3] parameter(1) t = (f32[4], f32[3]) tuple(a, b) ROOT r = (f32[4], f32[3]) opt-barrier(t) })",
     R"(func.func @main(%a: tensor<4xf32>, %b: tensor<3xf32>) -> (tensor<4xf32>, tensor<3xf32>) {
        %r:2 = stablehlo.optimization_barrier %a, %b : tensor<4xf32>, tensor<3xf32>
        return %r#0, %r#1 : tensor<4xf32>, tensor<3xf32> })"},
    {"stablehlo.custom_call",
     R"(ENTRY e { a = f32[4] parameter(0) ROOT r = f32[2] custom-call(a), custom_call_target="f" })",
     R"(func.func @main(%a: tensor<4xf32>) -> tensor<2xf32> {
        %r = stablehlo.custom_call @f(%a) : (tensor<4xf32>) -> tensor<2xf32>
        return %r : tensor<2xf32> })"},
    {"stablehlo.composite",
     R"(f { a = f32[4] parameter(0) ROOT r = f32[4] reverse(a), dimensions={0} }
        ENTRY e { a = f32[4] parameter(0) ROOT r = f32[4] call(a), to_apply=f })",
     R"(func.func private @f(%a: tensor<4xf32>) -> tensor<4xf32> {
        %r = stablehlo.reverse %a, dims = [0] : tensor<4xf32>
        return %r : tensor<4xf32> }
        func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
        %r = stablehlo.composite "x.f" %a {decomposition = @f} : (tensor<4xf32>) -> tensor<4xf32>
        return %r : tensor<4xf32> })"},
    {"stablehlo.if",
     R"(t { a = f32[4] parameter(0) ROOT r = f32[4] reverse(a), dimensions={0} }
        f { a = f32[4] parameter(0) ROOT r = f32[4] copy(a) }
        ENTRY e { p = pred[] parameter(0) a = f32[4] parameter(1) ROOT r = f32[4] conditional(p, a, a), true_computation=t, false_computation=f })",
     R"(func.func @main(%p: tensor<i1>, %a: tensor<4xf32>) -> tensor<4xf32> {
        %r = "stablehlo.if"(%p) ({
          %v = stablehlo.reverse %a, dims = [0] : tensor<4xf32>
          stablehlo.return %v : tensor<4xf32> }, {
          stablehlo.return %a : tensor<4xf32> }) : (tensor<i1>) -> tensor<4xf32>
        return %r : tensor<4xf32> })"},
    {"stablehlo.case",
     R"(t { a = f32[4] parameter(0) ROOT r = f32[4] reverse(a), dimensions={0} }
        f { a = f32[4] parameter(0) ROOT r = f32[4] copy(a) }
        ENTRY e { p = s32[] parameter(0) a = f32[4] parameter(1) b = f32[4] parameter(2) ROOT r = f32[4] conditional(p, a, b, a), branch_computations={t, f, f} })",
     R"(func.func @main(%p: tensor<i32>, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
        %r = "stablehlo.case"(%p) ({
          %v = stablehlo.reverse %a, dims = [0] : tensor<4xf32>
          stablehlo.return %v : tensor<4xf32> }, {
          stablehlo.return %b : tensor<4xf32> }, {
          stablehlo.return %a : tensor<4xf32> }) : (tensor<i32>) -> tensor<4xf32>
        return %r : tensor<4xf32> })"},
    {"stablehlo.while",
     R"(c { t = (f32[4], s32[], f32[9]) parameter(0) i = s32[] get-tuple-element(t), index=1 k = s32[] constant(3) ROOT r = pred[] compare(i, k), direction=LT }
        b { t = (f32[4], s32[], f32[9]) parameter(0) x = f32[4] get-tuple-element(t), index=0 i = s32[] get-tuple-element(t), index=1 w = f32[9] get-tuple-element(t), index=2
          s = f32[4] dynamic-slice(w, i), dynamic_slice_sizes={4} y = f32[4] add(x, s) one = s32[] constant(1) j = s32[] add(i, one)
          ROOT r = (f32[4], s32[], f32[9]) tuple(y, j, w) }
        ENTRY e { x = f32[4] parameter(0) i = s32[] parameter(1) w = f32[9] parameter(2) t = (f32[4], s32[], f32[9]) tuple(x, i, w)
          l = (f32[4], s32[], f32[9]) while(t), condition=c, body=b ROOT r = f32[4] get-tuple-element(l), index=0 })",
     R"(func.func @main(%x: tensor<4xf32>, %i: tensor<i32>, %w: tensor<9xf32>) -> tensor<4xf32> {
        %k = stablehlo.constant dense<3> : tensor<i32>
        %one = stablehlo.constant dense<1> : tensor<i32>
        %l:2 = stablehlo.while(%a = %x, %b = %i) : tensor<4xf32>, tensor<i32>
          cond { %p = stablehlo.compare LT, %b, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>
            stablehlo.return %p : tensor<i1> }
          do { %s = stablehlo.dynamic_slice %w, %b, sizes = [4] : (tensor<9xf32>, tensor<i32>) -> tensor<4xf32>
            %y = stablehlo.add %a, %s : tensor<4xf32>
            %j = stablehlo.add %b, %one : tensor<i32>
            stablehlo.return %y, %j : tensor<4xf32>, tensor<i32> }
        return %l#0 : tensor<4xf32> })"},
    {"stablehlo.all_gather",
     R"(HloModule m, replica_count=4
        ENTRY e { a = f32[2,3] parameter(0) ROOT r = f32[2,6] all-gather(a), dimensions={1}, replica_groups={{0,1},{2,3}} })",
     R"(module attributes {mhlo.num_replicas = 4 : i32} { func.func @main(%a: tensor<2x3xf32>) -> tensor<2x6xf32> {
        %r = "stablehlo.all_gather"(%a) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<2x3xf32>) -> tensor<2x6xf32>
        return %r : tensor<2x6xf32> } })"},
    {"stablehlo.all_reduce",
     R"(HloModule m, replica_count=2, num_partitions=4
        add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }
        ENTRY e { a = f32[3] parameter(0) ROOT r = f32[3] all-reduce(a), channel_id=1, replica_groups={{0,1}}, to_apply=add })",
     R"(module attributes {mhlo.num_replicas = 2 : i32, mhlo.num_partitions = 4 : i32} { func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {
        %r = "stablehlo.all_reduce"(%a) ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>):
          %s = stablehlo.add %x, %y : tensor<f32>
          stablehlo.return %s : tensor<f32> }) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<3xf32>) -> tensor<3xf32>
        return %r : tensor<3xf32> } })"},
    {"stablehlo.cross-replica-sum",
     R"(HloModule m, replica_count=2
        add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }
        ENTRY e { a = f32[3] parameter(0) ROOT r = f32[3] all-reduce(a), replica_groups={{0,1}}, to_apply=add })",
     R"(module attributes {mhlo.num_replicas = 2 : i32} { func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {
        %r = "stablehlo.cross-replica-sum"(%a) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<3xf32>) -> tensor<3xf32>
        return %r : tensor<3xf32> } })"},
    {"stablehlo.reduce_scatter",
     R"(HloModule m, replica_count=2
        add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }
        ENTRY e { a = f32[6] parameter(0) ROOT r = f32[3] reduce-scatter(a), dimensions={0}, replica_groups={{0,1}}, to_apply=add })",
     R"(module attributes {mhlo.num_replicas = 2 : i32} { func.func @main(%a: tensor<6xf32>) -> tensor<3xf32> {
        %r = "stablehlo.reduce_scatter"(%a) ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>):
          %s = stablehlo.add %x, %y : tensor<f32>
          stablehlo.return %s : tensor<f32> }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<6xf32>) -> tensor<3xf32>
        return %r : tensor<3xf32> } })"},
    {"stablehlo.all_to_all",
     R"(HloModule m, replica_count=2
        ENTRY e { a = f32[4,3] parameter(0) ROOT r = f32[4,3] all-to-all(a), dimensions={0}, replica_groups={{0,1}} })",
     R"(module attributes {mhlo.num_replicas = 2 : i32} { func.func @main(%a: tensor<4x3xf32>) -> tensor<4x3xf32> {
        %r = "stablehlo.all_to_all"(%a) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x3xf32>) -> tensor<4x3xf32>
        return %r : tensor<4x3xf32> } })"},
    {"stablehlo.collective_broadcast",
     R"(HloModule m, replica_count=3
        ENTRY e { a = f32[3] parameter(0) ROOT r = f32[3] collective-broadcast(a), replica_groups={{2,0,1}} })",
     R"(module attributes {mhlo.num_replicas = 3 : i32} { func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {
        %r = "stablehlo.collective_broadcast"(%a) {replica_groups = dense<[[2, 0, 1]]> : tensor<1x3xi64>} : (tensor<3xf32>) -> tensor<3xf32>
        return %r : tensor<3xf32> } })"},
    {"stablehlo.collective_permute",
     R"(HloModule m, num_partitions=3
        ENTRY e { a = f32[3] parameter(0) ROOT r = f32[3] collective-permute(a), channel_id=1, source_target_pairs={{0,1},{1,2}} })",
     R"(module attributes {mhlo.num_partitions = 3 : i32} { func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {
        %r = "stablehlo.collective_permute"(%a) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>} : (tensor<3xf32>) -> tensor<3xf32>
        return %r : tensor<3xf32> } })"},
    {"stablehlo.async_start",
     R"(f { a = f32[4] parameter(0) ROOT r = f32[2] slice(a), slice={[1:3]} }
        ENTRY e { a = f32[4] parameter(0) s = ((f32[4]), f32[2], s32[]) async-start(a), calls=f ROOT r = f32[2] async-done(s) })",
     R"(func.func @main(%a: tensor<4xf32>) -> tensor<2xf32> {
        %s = "stablehlo.async_start"(%a) ({ ^bb0(%x: tensor<4xf32>):
          %v = stablehlo.slice %x [1:3] : (tensor<4xf32>) -> tensor<2xf32>
          stablehlo.return %v : tensor<2xf32> }) : (tensor<4xf32>) -> !stablehlo.future<tensor<2xf32>>
        %r = "stablehlo.async_done"(%s) : (!stablehlo.future<tensor<2xf32>>) -> tensor<2xf32>
        return %r : tensor<2xf32> })"},
    {"chlo.top_k",
     R"(ENTRY e { a = f32[2,9] parameter(0) ROOT r = (f32[2,3], s32[2,3]) topk(a), k=3 })",
     R"(func.func @main(%a: tensor<2x9xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>) {
        %v, %i = chlo.top_k(%a, k = 3) : tensor<2x9xf32> -> (tensor<2x3xf32>, tensor<2x3xi32>)
        return %v, %i : tensor<2x3xf32>, tensor<2x3xi32> })"},
};

/// Rows that have no op of HLO for a twin, or nothing to read.
const char *const kAlone[] = {"after_all",
                              "async_done",
                              "collective_reduce",
                              "create_token",
                              "dynamic_broadcast_in_dim",
                              "dynamic_conv",
                              "dynamic_gather",
                              "dynamic_iota",
                              "dynamic_pad",
                              "dynamic_reshape",
                              "einsum",
                              "get_dimension_size",
                              "infeed",
                              "outfeed",
                              "partition_id",
                              "real_dynamic_slice",
                              "recv",
                              "replica_id",
                              "return",
                              "rng",
                              "send",
                              "torch_index_select",
                              "unary_einsum",
                              "uniform_dequantize",
                              "uniform_quantize"};

void expectTwins(const Twin &twin) {
  SCOPED_TRACE(twin.op);
  auto hlo = parseHlo(twin.hlo);
  ASSERT_TRUE(hlo.ok()) << hlo.status() << "\n" << twin.hlo;
  auto stablehlo = importMlir(twin.stablehlo, "twin.mlir");
  ASSERT_TRUE(stablehlo.ok()) << stablehlo.status() << "\n" << twin.stablehlo;
  EXPECT_EQ(allReads(stablehlo->modules[0]), allReads(hlo->modules[0]));
}

TEST(TwinsTest, Elementwise) {
  for (const Twin &twin : elementwiseTwins()) expectTwins(twin);
}

TEST(TwinsTest, OneAnOp) {
  for (const Twin &twin : kTwins) expectTwins(twin);
}

TEST(TwinsTest, EveryRowHasOneOrNoneIsThere) {
  std::set<std::string> known;
  for (const Twin &twin : elementwiseTwins()) known.insert(twin.op);
  for (const Twin &twin : kTwins) known.insert(twin.op);
  for (const char *op : kAlone) known.insert(absl::StrCat("stablehlo.", op));
  for (const MlirOpInfo &info : stablehloOps()) {
    const bool isChlo = info.name.starts_with("chlo.");
    EXPECT_TRUE(isChlo || known.count(info.name.str())) << info.name.str();
  }
}

}  // namespace
}  // namespace indexical::testing
