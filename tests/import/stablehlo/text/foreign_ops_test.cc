// Ops whose syntax is not known, held against MLIR's own reading of the same
// op in generic form.
#include <algorithm>
#include <iostream>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/import/stablehlo/import/import.h"
#include "indexical/program/maps/program_indexing.h"
#include "tests/import/stablehlo/imported.h"
#include "tests/import/stablehlo/write_stablehlo.h"
#include "tests/support/random.h"
#include "tests/support/random_programs.h"

namespace indexical::testing {
namespace {

std::string warnings(const Program &program) {
  std::string text;
  for (const Note &note : program.notes)
    text += std::to_string(note.place.line) + ":" +
            std::to_string(note.place.column) + " " + note.text + "\n";
  return text;
}

TEST(ForeignOps, AnOpIsPassedOverWhereItStands) {
  const Program program = imported(R"(
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %c = torch.constant.int 1
  %a:2 = torch.foo %x, %c {
    n = "}", m = [1]  // }
  } : tensor<4xf32>, !torch.int -> tensor<4xf32>, !torch.list<int>
  %b = "torch.bar"(%a#1) : (!torch.list<int>) -> tensor<4xf32>
  %r = stablehlo.add %a, %b : tensor<4xf32> torch.note %r
  torch.assert %y, "no"
  return %r : tensor<4xf32>
})");
  EXPECT_EQ(shown(computationOf(program, "main")),
            "x=parameter() 2:17\n"
            "y=parameter() 2:36\n"
            "c=torch.constant.int() 3:8\n"
            "a=torch.foo(x, c) 4:10\n"
            "b=torch.bar(a#1) 7:8\n"
            "r=stablehlo.add(a#0, b) 8:8\n"
            "note.0=torch.note(r) 8:45\n"
            "assert.0=torch.assert(y) 9:3\n");
  EXPECT_EQ(warnings(program),
            "3:8 the syntax of `torch.constant.int` is not known: 1 op is "
            "passed over, and its results are opaque\n"
            "4:10 the syntax of `torch.foo` is not known: 1 op is passed over, "
            "and its results are opaque\n"
            "8:45 the syntax of `torch.note` is not known: 1 op is passed "
            "over, and its results are opaque\n"
            "9:3 the syntax of `torch.assert` is not known: 1 op is passed "
            "over, and its results are opaque\n"
            "7:8 unknown op `torch.bar`: it is taken to read every operand "
            "whole\n");
  EXPECT_EQ(reads(program, "main", 0, 0),
            "opaque; (d0)[s0] -> (s0), domain: d0 in [0, 3], s0 in [0, 3]");
  EXPECT_EQ(reads(program, "main", 0, 1), "exact");
}

TEST(ForeignOps, RegionsGoWithTheirOp) {
  const Program program = imported(R"(
foo.global @g : tensor<4xf32> {
  %0 = foo.value dense<0.0>
}
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.abs %x : tensor<4xf32>
  %1 = foo.region iter(%0) {
  ^bb0(%z: tensor<4xf32>):
    %2 = foo.inner %z, %y : tensor<4xf32>
    foo.yield %2
  } : tensor<4xf32>
  %2 = stablehlo.abs %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
})");
  EXPECT_EQ(shown(computationOf(program, "main")),
            "x=parameter() 5:17\n"
            "y=parameter() 5:36\n"
            "0=stablehlo.abs(x) 6:8\n"
            "1=foo.region(0, y) 7:8\n"
            "2=stablehlo.abs(1) 12:8\n");
}

TEST(ForeignOps, AUseTellsTheType) {
  const Program program = imported(R"(
func.func @main(%x: tensor<4xf32>) -> tensor<2xi32> {
  %a = foo.shrink %x
  %b:2 = foo.split %a : tensor<9xf32>
  %r = stablehlo.add %b#1, %b#1 : tensor<2xi32>
  return %r : tensor<2xi32>
})");
  EXPECT_EQ(reads(program, "main", 0, 0),
            "opaque; (d0)[s0] -> (s0), domain: d0 in [0, 1], s0 in [0, 3]");
}

TEST(ForeignOps, AnOpThatADialectLostIsPassedOver) {
  const Program program = imported(R"(
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.elemwise_gone ins(%x : tensor<4xf32>)
                            outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
})");
  EXPECT_EQ(computationOf(program, "main").instructions[2].opcode,
            "unknown.linalg.elemwise_gone");
}

TEST(ForeignOps, WhatMlirWroteOnceIsRead) {
  const Program program = imported(R"(
func.func @main(%x: tensor<6xf32>, %m: memref<6xf32, #gpu.address_space<global>>)
    -> tensor<2x3xf32> {
  %r = tensor.expand_shape %x [[0, 1]] : tensor<6xf32> into tensor<2x3xf32>
  return %r : tensor<2x3xf32>
})");
  EXPECT_EQ(reads(program, "main", 0, 0),
            "exact; (d0, d1) -> (d0 * 3 + d1), domain: d0 in [0, 1], d1 in "
            "[0, 2]");
}

// One element stands for what no index can name, so that no read is lost.
TEST(ForeignOps, AValueWithoutARankIsOneElement) {
  const Program program = imported(R"(
func.func @main(%x: tensor<4xf32>, %u: tensor<*xf32>) -> tensor<4xf32> {
  %c = tensor.cast %x : tensor<4xf32> to tensor<*xf32>
  %s = "foo.add"(%c, %u) : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  %r = tensor.cast %s : tensor<*xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
})");
  EXPECT_EQ(reads(program, "main", 0, 0),
            "opaque; (d0)[s0] -> (s0), domain: d0 in [0, 3], s0 in [0, 3]");
  EXPECT_EQ(reads(program, "main", 0, 1),
            "opaque; (d0) -> (), domain: d0 in [0, 3]");
}

TEST(ForeignOps, ATextOfNothingElseIsRefused) {
  const auto program = importMlir("tt.func @f() {\n  tt.return\n}", "a.mlir");
  ASSERT_FALSE(program.ok());
  EXPECT_EQ(program.status().message(),
            "the op `tt.func` is of the dialect `tt`, whose syntax is not "
            "known here; in generic form, \"tt.func\"(…) : (…) -> (…), it can "
            "be read");
}

TEST(ForeignOps, AMistakeBehindIsNamed) {
  const auto program = importMlir(
      "func.func @f(%x: tensor<4xf32>) {\n  foo.bar %x\n"
      "  %y = stablehlo.abs %x tensor<4xf32>\n  return\n}");
  ASSERT_FALSE(program.ok());
  const std::string message(program.status().message());
  EXPECT_NE(message.find("`foo.bar`"), std::string::npos) << message;
  EXPECT_NE(message.find("without it, line 3:"), std::string::npos) << message;
}

//===-- Random programs ---------------------------------------------------===//

// One line of `write_stablehlo.h`, an op without regions.
struct Line {
  std::string result, operands, operandTypes, resultTypes;
};

std::optional<Line> lineOf(const std::string &text) {
  static const std::regex kLine(
      R"re(\s*(%\w+) = "stablehlo\.\w+"\((%[^)]+)\)[^(]*: \((.*)\) -> (.*))re");
  std::smatch match;
  if (!std::regex_match(text, match, kLine)) return std::nullopt;
  std::string results = match[4];
  if (llvm::StringRef(results).starts_with("("))
    results = results.substr(1, results.size() - 2);
  return Line{match[1], match[2], match[3], results};
}

// The op in a syntax of its own, in one of several.
std::string pretty(const Line &line, const std::string &name, Random &random) {
  const std::string begin = "  " + line.result + " = " + name + " ";
  switch (random.in(0, 5)) {
    case 0:
      return begin + line.operands + " : (" + line.operandTypes + ") -> " +
             line.resultTypes;
    case 1:
      return begin + line.operands + " {a = \"%r : {\"} : " + line.resultTypes;
    case 2:
      return begin + "[" + line.operands + "]";
    case 3:
      return begin + "of(" + line.operands +
             ")\n    {\n  b = 1 // = }\n }\n : " + line.operandTypes + " to " +
             line.resultTypes + " loc(\"a.py\":1:1)";
    case 4:
      return begin + "(" + line.operands + ") {\n  ^bb0(%zz: f32):\n" +
             "    %yy:2 = " + name +
             " %zz : f32\n    foo.yield %yy#1\n  } : " + line.resultTypes +
             " {c}";
    default:
      return begin + "<" + line.operands + "> : i32";
  }
}

std::string mapsOf(const Program &program) {
  const Module &module = program.modules[0];
  const Computation &main = module.computations[module.entry];
  ProgramIndexing maps(module);
  std::string text;
  const int64_t roots = main.instructions[main.root].shape.leafCount();
  for (int64_t r = 0; r < roots; ++r)
    for (size_t p = 0; p < main.parameters.size(); ++p)
      text += reads(program, main.name.str(), r, p) + "\n";
  return text;
}

TEST(ForeignOps, RandomOnesAreTheirGenericForm) {
  const int64_t seed = fromEnvironment("INDEXICAL_SEED", 20261127);
  const int64_t count = fromEnvironment("INDEXICAL_COUNT", 400);
  std::cout << "seed " << seed << std::endl;
  int64_t replaced = 0;
  for (int64_t k = 0; k < count; ++k) {
    Random random(seed + k);
    auto hlo = parseHlo(randomProgram(random));
    ASSERT_TRUE(hlo.ok()) << hlo.status();
    const auto text = moduleText(hlo->modules[0]);
    if (!text) continue;
    std::string generic, foreign;
    llvm::SmallVector<llvm::StringRef> lines;
    llvm::StringRef(*text).split(lines, '\n');
    for (llvm::StringRef each : lines) {
      const auto line = lineOf(each.str());
      if (!line || !random.oneIn(3)) {
        generic += each.str() + "\n";
        foreign += each.str() + "\n";
        continue;
      }
      const std::string name = "foo.op" + std::to_string(random.in(0, 3));
      generic += "  " + line->result + " = \"" + name + "\"(" + line->operands +
                 ") : (" + line->operandTypes + ") -> (" + line->resultTypes +
                 ")\n";
      foreign += pretty(*line, name, random) + "\n";
      ++replaced;
    }
    const auto one = importMlir(generic), two = importMlir(foreign);
    ASSERT_TRUE(one.ok()) << one.status() << "\n" << generic;
    ASSERT_TRUE(two.ok()) << two.status() << "\n" << foreign;
    ASSERT_EQ(mapsOf(*one), mapsOf(*two)) << "seed " << seed + k << "\n"
                                          << foreign;
  }
  std::cout << replaced << " ops passed over\n";
  EXPECT_GT(replaced, count);
}

}  // namespace
}  // namespace indexical::testing
