// The C++ examples of the tests' own headers: each stands here, line by line
// (tests/docs/header_examples_test.py compares), and runs.
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/simplifier/simplify.h"
#include "tests/cost/use/random_fusions.h"
#include "tests/import/stablehlo/integer_values.h"
#include "tests/import/stablehlo/random_upstream.h"
#include "tests/import/stablehlo/refused.h"
#include "tests/import/stablehlo/verify_cases.h"
#include "tests/oracle/oracle.h"
#include "tests/support/corpus_files.h"
#include "tests/support/expression_tree.h"
#include "tests/support/op_trees.h"
#include "tests/support/program_parts.h"
#include "tests/support/program_run.h"
#include "tests/support/random_body.h"
#include "tests/support/random_maps.h"
#include "tests/support/random_ops.h"
#include "tests/support/random_products.h"
#include "tests/support/random_programs.h"

namespace indexical::testing {
namespace {

//===-- tests/same/values, tests/oracle
//--------------------------------------===//

TEST(TestHeaderExamples, RandomFusions) {
  Random random(17);
  randomFusion(random, {});
  // f { p0 = f32[12,4] parameter(0) reshape.2 = f32[4,12] reshape(p0) … }
  Random again(17);
  EXPECT_TRUE(parseHlo(randomFusion(again, {})).ok());
}

TEST(TestHeaderExamples, Oracle) {
  ReverseOp op;  // f32[3] -> f32[3], dimensions={0}
  op.operands = {ArrayShape(ElementType::F32, {3})};
  op.results = op.operands;
  op.dimensions = {0};
  std::vector<Tensor> results = evaluate(op, {});
  results[0].at({0});  // {(operand 0, element 2)}
  EXPECT_EQ(results[0].at({0}).size(), 1u);
}

//===-- tests/import/stablehlo
//---------------------------------------------------===//

TEST(TestHeaderExamples, IntegerValues) {
  auto program = parseHlo(
      "add3 { x = s32[] parameter(0) three = s32[] constant(3)\n"
      "       ROOT sum = s32[] add(x, three) }\n"
      "ENTRY main { a = s32[0] parameter(0) b = s32[] parameter(1)\n"
      "             t = s32[] negate(b) c = s32[] call(b), to_apply=add3\n"
      "             d = s32[] copy(c) e = s32[] copy(d) f = s32[] copy(e)\n"
      "             ROOT r = s32[] copy(f) }");
  ASSERT_TRUE(program.ok()) << program.status();
  const Module &module = program->modules[0];
  IntegerValues values(module, module.entry, {{}, {4}});
  values.of({7}, 0);     // elements of leaf 0 of instruction 7
  values.of({3, 2}, 0);  // of instruction 2 of what instruction 3 calls
  EXPECT_EQ(values.of({7}, 0), IntegerValues::Values{7});
  EXPECT_EQ(values.of({3, 2}, 0), IntegerValues::Values{7});
}

TEST(TestHeaderExamples, RandomUpstream) {
  Random random(17);
  UpstreamInstance in = upstreamFamilies()[0].make(random, true);
  EXPECT_NE(in.text.find("func.func @f("), std::string::npos);
}

TEST(TestHeaderExamples, Refused) {
  expectRefused(
      "func.func @f(%x: tensor<2xf32>) {\n"
      "  %y = stablehlo.reverse %x, dims = [0, 0]\n"
      "       : tensor<2xf32>\n"
      "  return\n}",
      {2, 8}, "C2: dimensions must not repeat");
}

TEST(TestHeaderExamples, VerifyCases) {
  checkCases(
      {{"%x: tensor<2xf32>", "stablehlo.reverse %x, dims = [1] : tensor<2xf32>",
        "C3: dimensions must be in [0, 1)"}});
}

//===-- tests/support -----------------------------------------------------===//

TEST(TestHeaderExamples, RandomBody) {
  using programs::RandomBody;
  Random random(17);
  const programs::Called called;
  const programs::Array array{{2, 3}};
  RandomBody body(random, called);
  body.parameter(array);  // p0 = f32[2,3] parameter(0)
  EXPECT_EQ(body.text("f"), "f {\n  ROOT p0 = f32[2,3] parameter(0)\n}\n");
  body.ops(4);     // reshape.1 = … tuples, calls, branches, loops
  body.root();     // ROOT copy.5 = …
  body.text("f");  // f { … }
  const std::string text = reducerOf("sum", "add") + body.text("f");
  EXPECT_TRUE(parseHlo(text).ok()) << text;
}

TEST(TestHeaderExamples, OpTrees) {
  const NodePtr x = parameter(0, {4});
  EXPECT_EQ(computationOf("f", {x, reversed(x, {0})}),
            "f {\n  p0 = f32[4] parameter(0)\n"
            "  ROOT reverse.2 = f32[4] reverse(p0), dimensions={0}\n}\n");
}

TEST(TestHeaderExamples, CorpusFiles) {
  size_t files = 0;
  auto use = [&](const std::string &, const std::string &) { ++files; };
  if (corpusPath().empty()) GTEST_SKIP() << kNoCorpus;
  for (const CorpusFile &file : corpusFiles("stablehlo/interpret", ".mlir"))
    use(file.name, textOf(file));  // abs.mlir, func.func @abs_op_test_si64…
  EXPECT_GT(files, 0u);
}

TEST(TestHeaderExamples, ExpressionTree) {
  ExpressionPool pool;
  auto values = [](VariableId) -> int64_t { return 7; };
  Tree d0 = Tree::ofVariable({VariableKind::Dimension, 0});
  Tree t = Tree::of(Tree::Op::FloorDiv, d0, Tree::ofConstant(-3));
  valueOf(t, values);  // at d0 = 7: -3
  formOf(t, pool);     // the same, by an algebra
  textOf(t);           // the same, as text
  EXPECT_EQ(valueOf(t, values), -3);
}

TEST(TestHeaderExamples, ProgramParts) {
  using programs::Array;
  using programs::tupleShape;
  const Array a{{2, 4}}, b{{}, /*integral=*/true};
  std::string shape = Array{{2, 4}}.shape();  // f32[2,4]
  std::string tuple = tupleShape({a, b});     // (f32[2,4], s32[])
  EXPECT_EQ(shape, "f32[2,4]");
  EXPECT_EQ(tuple, "(f32[2,4], s32[])");
}

TEST(TestHeaderExamples, ProgramRun) {
  auto program = parseHlo(
      "f { p = f32[2] parameter(0)\n"
      "    ROOT r = f32[2] reverse(p), dimensions={0} }");
  ASSERT_TRUE(program.ok()) << program.status();
  Module &module = program->modules[0];
  module.entry = ComputationId(0);
  const int32_t p = 0, r = 1;
  Random random(17);
  ProgramRun run(module, module.entry, random);  // random parameters
  run.pairs({r, 0}, {p, 0});  // {(i, j) : r[i] depends on p[j]}
  EXPECT_EQ(run.pairs({r, 0}, {p, 0}).size(), 2u);
}

TEST(TestHeaderExamples, RandomMaps) {
  Random random(17);
  IndexingMap map = randomMap(random, MapOptions());
  World world(17);
  pairsOf(map, world);  // {(d, f(d, s, rt)) : the domain holds}
  EXPECT_EQ(pairsOf(map, world), pairsOf(*simplify(map), world));
}

TEST(TestHeaderExamples, RandomOps) {
  Random random(17);
  Op op = families()[3].make(random);  // some iota
  OperandValues values = randomValues(op, random);
  describe(op);  // "iota() -> s32[3,0,2]{0,2,1}, dimension=2"
  EXPECT_TRUE(verify(op).ok());
  EXPECT_EQ(describe(op).substr(0, 4), "iota");
}

TEST(TestHeaderExamples, RandomProducts) {
  Random random(17);
  Product p = *randomProduct({4, 3}, random);
  // f32[4,2] ragged-dot(an f32[4,3], an f32[2,3,2], an s32[2]), …
  EXPECT_FALSE(p.opcode.empty());
}

TEST(TestHeaderExamples, RandomPrograms) {
  Random random(17);
  randomProgram(random);  // "HloModule m\n\nf0 {\n  p0 = …"
  Random again(17);
  EXPECT_EQ(randomProgram(again).substr(0, 13), "HloModule m\n\n");
}

}  // namespace
}  // namespace indexical::testing
