// Elementwise ops on tensors (reference/elementwise_ops_on_tensors_rfc.txt):
// ops that say by a trait that they work element by element, and unknown ops of
// which the module or the caller says so.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"

#include "indexical/import/stablehlo/import/import.h"
#include "indexical/program/maps/program_indexing.h"
#include "indexical/program/module/op_definitions.h"
#include "tests/documents/run_points.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

using Pairs = std::vector<PointPair>;

/// The operands of the op `%r`. Each result element reads their elements of the
/// same index, or of index 0 along a dimension whose size is 1 in the run.
struct Case {
  std::string op;  ///< `"tosa.add"(%a, %b)`, attributes, without the type
  std::string element = "f32", made = "f32";
  std::vector<std::vector<std::string>> types = {};  ///< `2`, `?`, by operand
  std::vector<Sizes> run = {};                       ///< sizes, by operand
  std::vector<std::string> result = {};
  Sizes resultRun = {};

  static std::string typeOf(const std::vector<std::string> &sizes,
                            const std::string &element) {
    std::string text = "tensor<";
    for (const std::string &size : sizes) absl::StrAppend(&text, size, "x");
    return text + element + ">";
  }
  std::string text(const std::string &header) const {
    std::vector<std::string> arguments, list;
    for (size_t k = 0; k < types.size(); ++k) {
      list.push_back(typeOf(types[k], element));
      arguments.push_back(absl::StrCat("%p", k, ": ", list.back()));
    }
    const std::string to = typeOf(result, made);
    return absl::StrCat(header, "func.func @main(",
                        absl::StrJoin(arguments, ", "), ") -> ", to,
                        " {\n  %r = ", op, " : (", absl::StrJoin(list, ", "),
                        ") -> ", to, "\n  return %r : ", to, "\n}\n}\n");
  }
};

void expectBroadcast(const Case &c, const std::string &header = "module {\n",
                     const MlirOptions &options = {}) {
  const std::string text = c.text(header);
  SCOPED_TRACE(text);
  auto program = importMlir(text, "test.mlir", options);
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_TRUE(program->notes.empty());
  const Module &module = program->modules[0];
  const Computation &main = module.computations[module.entry];
  ProgramIndexing maps(module);
  RunTensors tensors = {{"r", {c.resultRun, {}}}};
  for (size_t k = 0; k < c.run.size(); ++k)
    tensors[absl::StrCat("p", k)] = {c.run[k], {}};
  for (size_t k = 0; k < c.run.size(); ++k) {
    Pairs pairs;
    forEachIndex(c.resultRun, [&](const Sizes &index) {
      Sizes read;
      for (size_t d = 0; d < c.run[k].size(); ++d)
        read.push_back(c.run[k][d] == 1 ? 0 : index[d]);
      pairs.push_back({placeOf(index, c.resultRun), placeOf(read, c.run[k])});
    });
    auto reads = maps.computation(module.entry, LeafId(0), ParameterLeaf{k},
                                  Direction::OutputToInput);
    ASSERT_TRUE(reads.ok()) << reads.status();
    EXPECT_EQ(reads->precision(), Precision::Exact);
    auto points =
        pointsOfRun(*reads, maps, main, tensors, c.resultRun, c.run[k]);
    ASSERT_TRUE(points.ok()) << points.status();
    EXPECT_EQ(points->pairs, pairs) << "operand " << k;
    auto users = maps.computation(module.entry, LeafId(0), ParameterLeaf{k},
                                  Direction::InputToOutput);
    ASSERT_TRUE(users.ok()) << users.status();
    points = pointsOfRun(*users, maps, main, tensors, c.run[k], c.resultRun);
    ASSERT_TRUE(points.ok()) << points.status();
    EXPECT_EQ(points->pairs, transposed(pairs)) << "operand " << k;
  }
}

/// Shapes of `operands` operands of rank 2 in a run: each size is the result's
/// or 1, if that is allowed, and `?` or written in the type.
void fillIn(Case &c, size_t operands, bool mayBroadcast, Random &random) {
  c.types.assign(operands, {});
  c.run.assign(operands, {});
  for (int d = 0; d < 2; ++d) {
    const int64_t size = random.in(1, 4);
    const bool isOpen = random.oneIn(3);
    int64_t most = 1;
    for (size_t k = 0; k < operands; ++k) {
      const bool isOne = mayBroadcast && random.oneIn(3);
      c.run[k].push_back(isOne ? 1 : size);
      c.types[k].push_back(
          isOpen && random.oneIn(2) ? "?" : absl::StrCat(c.run[k].back()));
      most = std::max(most, c.run[k].back());
    }
    c.resultRun.push_back(most);
    c.result.push_back(isOpen ? "?" : absl::StrCat(most));
  }
}

// "Proposal: Add an Elementwise trait" of which "the dynamic shapes of all
// tensor operands and results must be the same".
TEST(ElementwiseTrait, ArithAndMath) {
  Random random(1);
  for (int n = 0; n < 40; ++n)
    for (const auto &[op, operands] :
         std::vector<std::pair<std::string, size_t>>{{"arith.addf", 2},
                                                     {"arith.mulf", 2},
                                                     {"math.exp", 1},
                                                     {"math.fma", 3},
                                                     {"math.powf", 2},
                                                     {"arith.negf", 1}}) {
      Case c;
      fillIn(c, operands, false, random);
      c.types.assign(operands, c.result);
      std::vector<std::string> values;
      for (size_t k = 0; k < operands; ++k)
        values.push_back(absl::StrCat("%p", k));
      c.op = absl::StrCat("\"", op, "\"(", absl::StrJoin(values, ", "), ")");
      expectBroadcast(c);
    }
}

// TOSA's trait; sizes of 1 are broadcast, also those that only the run knows.
TEST(ElementwiseTrait, Tosa) {
  struct Row {
    std::string op, element = "f32", made = "f32";
    size_t operands = 2;
    std::string attributes = "";
  };
  const Row rows[] = {
      {"add"},
      {"sub"},
      {"pow"},
      {"maximum", "f32", "f32", 2, "<{nan_mode = #tosa.nan_mode<PROPAGATE>}>"},
      {"minimum", "f32", "f32", 2, "<{nan_mode = #tosa.nan_mode<IGNORE>}>"},
      {"bitwise_and", "i32", "i32"},
      {"bitwise_or", "i32", "i32"},
      {"bitwise_xor", "i32", "i32"},
      {"logical_and", "i1", "i1"},
      {"logical_left_shift", "i32", "i32"},
      {"logical_right_shift", "i32", "i32"},
      {"arithmetic_right_shift", "i32", "i32", 2, "<{round = false}>"},
      {"intdiv", "i32", "i32"},
      {"equal", "f32", "i1"},
      {"greater", "f32", "i1"},
      {"greater_equal", "f32", "i1"},
      {"select", "i1", "i1", 3},
      {"abs", "f32", "f32", 1},
      {"exp", "f32", "f32", 1},
      {"reciprocal", "f32", "f32", 1},
      {"tanh", "f32", "f32", 1},
      {"cast", "f32", "i32", 1},
      {"identity", "f32", "f32", 1},
  };
  Random random(2);
  for (const Row &row : rows)
    for (int n = 0; n < 30 && !HasFailure(); ++n) {
      Case c;
      c.element = row.element;
      c.made = row.made;
      fillIn(c, row.operands, row.operands > 1, random);
      if (row.operands == 1) c.types = {c.result};
      std::vector<std::string> values;
      for (size_t k = 0; k < row.operands; ++k)
        values.push_back(absl::StrCat("%p", k));
      c.op = absl::StrCat("\"tosa.", row.op, "\"(", absl::StrJoin(values, ", "),
                          ") ", row.attributes);
      expectBroadcast(c);
    }
}

// The shift of a product, and the zero points of a negation, are one element.
TEST(ElementwiseTrait, TosaProductAndNegation) {
  auto program = importMlir(
      "func.func @main(%x: tensor<2x3xi8>, %y: tensor<1x3xi8>, %s: "
      "tensor<1xi8>) -> (tensor<2x3xi32>, tensor<2x3xi8>) {\n"
      "  %m = tosa.mul %x, %y, %s : (tensor<2x3xi8>, tensor<1x3xi8>, "
      "tensor<1xi8>) -> tensor<2x3xi32>\n"
      "  %n = tosa.negate %x, %s, %s : (tensor<2x3xi8>, tensor<1xi8>, "
      "tensor<1xi8>) -> tensor<2x3xi8>\n"
      "  return %m, %n : tensor<2x3xi32>, tensor<2x3xi8>\n}\n");
  ASSERT_TRUE(program.ok()) << program.status();
  const std::string domain = ", domain: d0 in [0, 1], d1 in [0, 2]";
  ProgramIndexing maps(program->modules[0]);
  auto reads = [&](int64_t result, int32_t parameter) {
    auto relation =
        maps.computation(program->modules[0].entry, LeafId(result),
                         ParameterLeaf{parameter}, Direction::OutputToInput);
    EXPECT_TRUE(relation.ok()) << relation.status();
    EXPECT_EQ(relation->precision(), Precision::Exact);
    EXPECT_EQ(relation->pieces().size(), 1u);
    return relation->pieces()[0].strOneLine();
  };
  EXPECT_EQ(reads(0, 0), "(d0, d1) -> (d0, d1)" + domain);
  EXPECT_EQ(reads(0, 1), "(d0, d1) -> (0, d1)" + domain);
  EXPECT_EQ(reads(0, 2), "(d0, d1) -> (0)" + domain);
  EXPECT_EQ(reads(1, 0), "(d0, d1) -> (d0, d1)" + domain);
  EXPECT_EQ(reads(1, 2), "(d0, d1) -> (0)" + domain);
}

// "suppose a downstream dialect has a bitops.popcount scalar op": the module
// says that it is elementwise, or the op, or who asks.
TEST(DownstreamOps, PopcountIsElementwiseIfSomebodySaysSo) {
  Random random(3);
  CustomCallRegistry registry;
  ASSERT_TRUE(addElementwise("bitops.popcount", registry).ok());
  MlirOptions asked;
  asked.customCalls = &registry;
  for (int n = 0; n < 40; ++n) {
    Case c;
    fillIn(c, 1, false, random);
    c.types = {c.result};
    c.element = c.made = "i32";
    c.op = "\"bitops.popcount\"(%p0)";
    expectBroadcast(c, "module {\n", asked);
    expectBroadcast(c,
                    "module attributes {indexical.elementwise = "
                    "[\"bitops.parity\", \"bitops.popcount\"]} {\n");
    c.op = "\"bitops.popcount\"(%p0) {indexical.elementwise}";
    expectBroadcast(c);
  }
}

TEST(DownstreamOps, NobodySaysSo) {
  const std::string op =
      "func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {\n  %r = "
      "\"bitops.popcount\"(%x) : (tensor<2xi32>) -> tensor<2xi32>\n  return %r "
      ": tensor<2xi32>\n}\n}\n";
  for (const std::string &header :
       {std::string("module {\n"),
        std::string("module attributes {indexical.elementwise = "
                    "[\"bitops.parity\"]} {\n")}) {
    auto program = importMlir(header + op);
    ASSERT_TRUE(program.ok()) << program.status();
    ASSERT_EQ(program->notes.size(), 1u);
    EXPECT_EQ(program->notes[0].text,
              "unknown op `bitops.popcount`: it is taken to read every operand "
              "whole");
  }
  auto wrong =
      importMlir("module attributes {indexical.elementwise = 3} {\n" + op);
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.status().message(),
            "`indexical.elementwise` of a module is a list of ops, as "
            "[\"bitops.popcount\"], but is 3 : i64");
}

}  // namespace
}  // namespace indexical::testing
