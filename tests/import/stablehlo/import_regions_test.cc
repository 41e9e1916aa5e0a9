// Regions, calls and blocks of modules that are read, and what they capture.
#include <string>

#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/import/stablehlo/import/import.h"
#include "indexical/program/maps/program_indexing.h"
#include "tests/import/stablehlo/imported.h"

namespace indexical::testing {
namespace {

const char *const kLoop = R"(
func.func @main(%x: tensor<4xf32>, %n: tensor<i32>, %w: tensor<8xf32>, %i: tensor<i32>) -> tensor<4xf32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = "stablehlo.while"(%x, %n) ({
  ^bb0(%a: tensor<4xf32>, %b: tensor<i32>):
    %p = stablehlo.compare LT, %b, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<4xf32>, %b: tensor<i32>):
    %s = stablehlo.dynamic_slice %w, %i, sizes = [4] : (tensor<8xf32>, tensor<i32>) -> tensor<4xf32>
    %q = stablehlo.add %a, %s : tensor<4xf32>
    %c = stablehlo.add %b, %one : tensor<i32>
    stablehlo.return %q, %c : tensor<4xf32>, tensor<i32>
  }) : (tensor<4xf32>, tensor<i32>) -> (tensor<4xf32>, tensor<i32>)
  return %r#0 : tensor<4xf32>
}
)";

TEST(ImportRegionsTest, ALoopCapturesInOrderOfFirstUse) {
  const Program program = imported(kLoop);
  EXPECT_EQ(names(program.modules[0]),
            "main* main.while.0.cond main.while.0.body");
  EXPECT_EQ(shown(computationOf(program, "main")),
            "x=parameter() 2:17\nn=parameter() 2:36\nw=parameter() 2:53\n"
            "i=parameter() 2:72\none=stablehlo.constant() 3:10\n"
            "r=stablehlo.while(x, n, *n, *w, *i, *one) 4:10\n");
  EXPECT_EQ(shown(computationOf(program, "main.while.0.cond")),
            "a=parameter() 5:8\nb=parameter() 5:27\nn=parameter() 2:36\n"
            "p=stablehlo.compare(b, n) 6:10\n");
  const Computation &body = computationOf(program, "main.while.0.body");
  EXPECT_EQ(body.captured, 3);
  EXPECT_EQ(body.parameters.size(), 5u);
}

TEST(ImportRegionsTest, WhatALoopReads) {
  const Program program = imported(kLoop);
  // Itself and, whatever the trips, four elements at a place that is the same.
  EXPECT_EQ(reads(program, "main", 0, 0),
            "cover; (d0) -> (d0), domain: d0 in [0, 3]");
  EXPECT_EQ(reads(program, "main", 0, 2),
            "cover; (d0)[s0] -> (s0), domain: d0 in [0, 3], s0 in [0, 7]");
  EXPECT_EQ(reads(program, "main", 0, 1),
            "cover; (d0) -> (), domain: d0 in [0, 3]");
}

TEST(ImportRegionsTest, BranchesCaptureThroughRegions) {
  const Program program = imported(R"(
func.func @main(%p: tensor<i1>, %x: tensor<4xf32>, %y: tensor<4xf32>, %i: tensor<i32>) -> tensor<2xf32> {
  %r = "stablehlo.if"(%p) ({
    %k = "stablehlo.case"(%i) ({
      %s = stablehlo.dynamic_slice %x, %i, sizes = [2] : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>
      stablehlo.return %s : tensor<2xf32>
    }, {
      %s = stablehlo.slice %y [0:2] : (tensor<4xf32>) -> tensor<2xf32>
      stablehlo.return %s : tensor<2xf32>
    }) : (tensor<i32>) -> tensor<2xf32>
    stablehlo.return %k : tensor<2xf32>
  }, {
    %t = stablehlo.slice %x [2:4] : (tensor<4xf32>) -> tensor<2xf32>
    stablehlo.return %t : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
)");
  EXPECT_EQ(names(program.modules[0]),
            "main* main.if.0.true_branch main.if.0.true_branch.case.0.branch0 "
            "main.if.0.true_branch.case.0.branch1 main.if.0.false_branch");
  EXPECT_NE(shown(computationOf(program, "main"))
                .find("r=stablehlo.if(p, *i, *x, *y)"),
            std::string::npos);
  EXPECT_EQ(reads(program, "main", 0, 0),
            "exact; (d0) -> (), domain: d0 in [0, 1]");
  EXPECT_EQ(reads(program, "main", 0, 1),
            "exact; (d0){rt0} -> (d0 + rt0), domain: d0 in [0, 1], rt0 in [0, "
            "2]; (d0) -> (d0 + 2), domain: d0 in [0, 1]");
  EXPECT_EQ(reads(program, "main", 0, 2),
            "exact; (d0) -> (d0), domain: d0 in [0, 1]");
  EXPECT_EQ(reads(program, "main", 0, 3),
            "exact; (d0) -> (), domain: d0 in [0, 1]");
}

// The variable's source is the value outside, not the parameter that it is.
TEST(ImportRegionsTest, SourcesOfWhatIsCaptured) {
  const Program program = imported(R"(
func.func @main(%p: tensor<i1>, %x: tensor<4xf32>, %i: tensor<i32>) -> tensor<2xf32> {
  %j = stablehlo.add %i, %i : tensor<i32>
  %r = "stablehlo.if"(%p) ({
    %s = stablehlo.dynamic_slice %x, %j, sizes = [2] : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>
    stablehlo.return %s : tensor<2xf32>
  }, {
    %s = stablehlo.slice %x [0:2] : (tensor<4xf32>) -> tensor<2xf32>
    stablehlo.return %s : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
)");
  ASSERT_EQ(program.modules.size(), 1u);
  const Module &module = program.modules[0];
  ProgramIndexing maps(module);
  const int32_t main = module.find("main");
  auto relation = maps.computation(ComputationId(main), LeafId(0),
                                   ParameterLeaf{1}, Direction::OutputToInput);
  ASSERT_TRUE(relation.ok()) << relation.status();
  int found = 0;
  for (const IndexingMap &piece : relation->pieces())
    for (const RuntimeVariable &variable : piece.runtime()) {
      const Value &value = maps.value(variable.source.tensor);
      EXPECT_EQ(value.computation, main);
      EXPECT_TRUE(value.calls.empty());
      EXPECT_EQ(module.computations[main].instructions[value.instruction].name,
                "j");
      ++found;
    }
  EXPECT_EQ(found, 1);
}

TEST(ImportRegionsTest, CallsAndComposites) {
  const Program program = imported(R"(
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = stablehlo.composite "my.reverse" %x {decomposition = @f} : (tensor<4xf32>) -> tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}
func.func private @f(%y: tensor<4xf32>) -> tensor<4xf32> {
  %r = stablehlo.reverse %y, dims = [0] : tensor<4xf32>
  return %r : tensor<4xf32>
}
)");
  for (int64_t r : {0, 1})
    EXPECT_EQ(reads(program, "main", r, 0),
              "exact; (d0) -> (-d0 + 3), domain: d0 in [0, 3]");
}

TEST(ImportRegionsTest, AFunctionThatIsOnlyDeclaredIsOpaque) {
  const Program program = imported(R"(
func.func private @g(tensor<4xf32>) -> tensor<2xf32>
func.func @main(%x: tensor<4xf32>) -> tensor<2xf32> {
  %a = call @g(%x) : (tensor<4xf32>) -> tensor<2xf32>
  return %a : tensor<2xf32>
}
)");
  EXPECT_EQ(reads(program, "main", 0, 0),
            "opaque; (d0)[s0] -> (s0), domain: d0 in [0, 1], s0 in [0, 3]");
}

TEST(ImportRegionsTest, AFunctionThatCallsItselfIsACover) {
  const Program program = imported(R"(
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = call @main(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %a : tensor<4xf32>
}
)");
  EXPECT_EQ(reads(program, "main", 0, 0),
            "cover; (d0)[s0] -> (s0), domain: d0 in [0, 3], s0 in [0, 3]");
  ASSERT_EQ(program.notes.size(), 1u);
  EXPECT_EQ(program.notes[0].place, (Place{3, 8}));
}

TEST(ImportRegionsTest, AReductionThatCaptures) {
  const Program program = imported(R"(
func.func @main(%x: tensor<2x3xf32>, %z: tensor<f32>, %c: tensor<f32>, %t: tensor<5xf32>) -> tensor<2xf32> {
  %r = "stablehlo.reduce"(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %c : tensor<f32>
    "test.use"(%t) : (tensor<5xf32>) -> ()
    stablehlo.return %s : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
)");
  EXPECT_EQ(reads(program, "main", 0, 0),
            "exact; (d0)[s0] -> (d0, s0), domain: d0 in [0, 1], s0 in [0, 2]");
  EXPECT_EQ(reads(program, "main", 0, 2),
            "exact; (d0) -> (), domain: d0 in [0, 1]");
  EXPECT_EQ(reads(program, "main", 0, 3),
            "cover; (d0)[s0] -> (s0), domain: d0 in [0, 1], s0 in [0, 4]");
}

TEST(ImportRegionsTest, ScatterReadsItsInputIfItsBodyDoes) {
  for (const bool adds : {true, false}) {
    const Program program = imported(std::string(R"(
func.func @main(%x: tensor<8xf32>, %i: tensor<3x1xi32>, %u: tensor<3xf32>) -> tensor<8xf32> {
  %r = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return )") + (adds ? "%s" : "%b") +
                                     R"( : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<8xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
)");
    EXPECT_EQ(reads(program, "main", 0, 0),
              std::string(adds ? "exact" : "cover") +
                  "; (d0) -> (d0), domain: d0 in [0, 7]");
  }
}

TEST(ImportRegionsTest, BlocksThatFollowEachOther) {
  const Program program = imported(R"(
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = stablehlo.reverse %x, dims = [0] : tensor<4xf32>
  cf.br ^next(%a : tensor<4xf32>)
^next(%y: tensor<4xf32>):
  return %y : tensor<4xf32>
}
)");
  EXPECT_EQ(shown(computationOf(program, "main")),
            "x=parameter() 2:17\ny=block_argument(a) 5:7\n"
            "a=stablehlo.reverse(x) 3:8\n");
  EXPECT_EQ(reads(program, "main", 0, 0),
            "exact; (d0) -> (-d0 + 3), domain: d0 in [0, 3]");
}

TEST(ImportRegionsTest, BlocksOnSeveralWays) {
  const Program program = imported(R"(
func.func @main(%p: i1, %x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<4xf32>) -> tensor<4xf32> {
  cf.cond_br %p, ^loop(%x : tensor<4xf32>), ^end(%z : tensor<4xf32>)
^loop(%a: tensor<4xf32>):
  %b = stablehlo.add %a, %y : tensor<4xf32>
  %q = "test.stop"(%b) : (tensor<4xf32>) -> i1
  cf.cond_br %q, ^loop(%b : tensor<4xf32>), ^end(%b : tensor<4xf32>)
^end(%c: tensor<4xf32>):
  return %c : tensor<4xf32>
}
)");
  const std::string all =
      "; (d0)[s0] -> (s0), domain: d0 in [0, 3], s0 in [0, 3]";
  EXPECT_EQ(reads(program, "main", 0, 0),
            "opaque; (d0) -> (), domain: d0 in [0, 3]");
  for (int32_t p : {1, 2, 3})
    EXPECT_EQ(reads(program, "main", 0, p), "opaque" + all);
}

}  // namespace
}  // namespace indexical::testing
