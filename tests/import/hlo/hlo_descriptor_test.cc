// From an instruction's text to the descriptor of its op.
#include <string>

#include "gtest/gtest.h"
#include "llvm/ADT/ArrayRef.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/ops/families.h"
#include "tests/support/random_ops.h"

namespace indexical {
namespace {

const char kBefore[] = R"(
f { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }
g { a = f32[2,3] parameter(0) ROOT r = (f32[2,3], f32[2,3]) tuple(a, a) }
c { a = (s32[], f32[]) parameter(0) ROOT r = pred[] constant(true) }
ENTRY e {
  m = f32[2,3] parameter(0)  s = f32[] parameter(1)  q = pred[2,3] parameter(2)
  t = (f32[2], (s32[], token[]), f32[4,4]) parameter(3)  i = s32[] parameter(4)
  j = s32[7,1] parameter(5)  k = f32[1,5,6] parameter(6)  v = s32[2] parameter(7)
  h = (s32[], f32[]) parameter(8)  o = token[] after-all()
  ROOT x = )";

std::string opOf(const std::string &instruction) {
  auto program = parseHlo("HloModule m\n" + (kBefore + instruction) + "\n}");
  if (!program.ok()) return std::string(program.status().message());
  const Module &module = program->modules[0];
  const Computation &entry = module.computations[module.entry];
  return testing::summary(entry.instructions[entry.root].op);
}

struct Row {
  const char *instruction, *expected;
};

void check(llvm::ArrayRef<Row> rows) {
  for (const Row &row : rows)
    EXPECT_EQ(opOf(row.instruction), row.expected) << row.instruction;
}

TEST(HloDescriptorTest, Elementwise) {
  check({
      {"f32[2,3] add(m, m)", "2->1 elementwise"},
      {"f32[2,3] select(q, m, m)", "3->1 elementwise"},
      {"f32[2,3] clamp(s, m, s)", "3->1 elementwise"},
      {"pred[2,3] compare(m, m), direction=LT, type=TOTALORDER",
       "2->1 elementwise"},
      {"f32[2,3] map(m, m), dimensions={0,1}, to_apply=f", "2->1 elementwise"},
      {"bf16[2,3] convert(m)", "1->1 elementwise"},
      {"f32[2,3] reduce-precision(m), exponent_bits=8, mantissa_bits=10",
       "1->1 elementwise"},
      {"f32[2,3]{0,1} copy(m)", "1->1 elementwise"},
      {"f32[5] rng(s, s), distribution=rng_uniform", "2->1 elementwise"},
      {"c64[2,3] complex(m, m)", "2->1 elementwise"},
      {"s8[2,3] stochastic-convert(m, m)", "2->1 elementwise"},
  });
}

TEST(HloDescriptorTest, WithoutOperands) {
  check({
      {"f32[9] parameter(9)", "0->1 nullary"},
      {"(f32[9], (s8[], token[])) parameter(9)", "0->2 nullary"},
      {"u32[] partition-id()", "0->1 nullary"},
      {"u32[] replica-id()", "0->1 nullary"},
      {"token[] after-all()", "0->0 nullary"},
      {"s32[2,3] iota(), iota_dimension=1", "0->1 iota dimension=1"},
      {"s32[3] iota()", "0->1 iota dimension=0"},
  });
}

TEST(HloDescriptorTest, Literals) {
  check({
      {"s32[] constant(-7)", "0->1 constant values={-7}"},
      {"pred[] constant(true)", "0->1 constant values={1}"},
      {"pred[3] constant({true, 0, 1})", "0->1 constant values={1,0,1}"},
      {"pred[2,2] constant({ {01}, {11} })", "0->1 constant values={0,1,1,1}"},
      {"s32[2,2] constant({{1, 2}, {3, 4}})", "0->1 constant values={1,2,3,4}"},
      {"s32[2,0,4] constant({ { /*i0=0*/ }, { /*i0=1*/ } })",
       "0->1 constant values={}"},
      {"s32[2] constant({ /*i0=0*/ 5,\n 6 })", "0->1 constant values={5,6}"},
      {"s32[0] constant({})", "0->1 constant values={}"},
      {"s32[3] constant({7})", "0->1 constant values={7,7,7}"},
      {"s32[3] constant(7)", "0->1 constant values={7,7,7}"},
      {"s32[3] constant({...})", "0->1 constant values={}"},
      {"s32[2] constant(s32[2]{0} {1, 2})", "0->1 constant values={1,2}"},
      {"u64[1] constant({18446744073709551615})", "0->1 constant values={}"},
      {"s64[] constant(-9223372036854775808)",
       "0->1 constant values={-9223372036854775808}"},
      {"s4[2] constant({-8, 7})", "0->1 constant values={-8,7}"},
      {"f32[2] constant({1.5e-3, nan(0x1)})", "0->1 constant values={}"},
      {"c64[] constant((0, 1))", "0->1 constant values={}"},
      {"(s32[], f32[]) constant((7, 42.0))", "0->2 nullary"},
      {"s32[5000] constant({1, 2})", "0->1 constant values={}"},
  });
}

TEST(HloDescriptorTest, RefusesLiterals) {
  check({
      {"s32[] constant()", "a constant needs a value"},
      {"s32[] constant(1.5)", "`1.5` is not a value of s32"},
      {"s8[] constant(128)", "`128` is not a value of s8"},
      {"u8[] constant(256)", "`256` is not a value of u8"},
      {"s32[] constant(99999999999999999999)",
       "`99999999999999999999` is not a value of s32"},
      {"pred[] constant(yes)",
       "`yes` is not a value of pred: true or false, 1 or 0"},
      {"s32[3] constant({1, 2})", "2 elements where s32[3] has 3"},
      {"s32[2,2] constant({1, 2, 3, 4})",
       "the nesting of this literal is not that of s32[2,2]"},
      {"s32[2] constant({{1, 2}, {3, 4}})",
       "this list is deeper than the rank 1 of s32[2]"},
      {"s32[2] constant({1, 2}} )", "`}` where `)` would close the bracket"},
  });
}

TEST(HloDescriptorTest, DataMovement) {
  check({
      {"f32[2,3] broadcast(s), dimensions={}", "1->1 broadcast dimensions={}"},
      {"f32[2,3] broadcast(s)", "1->1 broadcast dimensions={}"},
      {"f32[2,9,3] broadcast(m), dimensions={0, 2}",
       "1->1 broadcast dimensions={0,2}"},
      {"f32[3,2] transpose(m), dimensions={1,0}",
       "1->1 transpose permutation={1,0}"},
      {"f32[2,3] reverse(m), dimensions={1}", "1->1 reverse dimensions={1}"},
      {"f32[6] reshape(m)", "1->1 reshape"},
      {"f32[6]{0} bitcast(m)", "1->1 bitcast"},
      {"s8[2,3,4] bitcast-convert(m)", "1->1 bitcast-convert"},
      {"f32[1,2] slice(m), slice={[0:1], [0:3:2]}",
       "1->1 slice starts={0,0} limits={1,3} strides={1,2}"},
      {"f32[] slice(s), slice={}", "1->1 slice starts={} limits={} strides={}"},
      {"f32[2,9] concatenate(m, m, m), dimensions={1}",
       "3->1 concatenate dimension=1"},
      {"f32[3,4] pad(m, s), padding=0_1x1_-2_1",
       "2->1 pad low={0,1} high={1,-2} interior={0,1}"},
      {"f32[] pad(s, s)", "2->1 pad low={} high={} interior={}"},
      {"f32[1,2] dynamic-slice(m, i, i), dynamic_slice_sizes={1,2}",
       "3->1 dynamic-slice sizes={1,2}"},
      {"f32[1,2] dynamic-slice(m, v), dynamic_slice_sizes={1,2}",
       "2->1 dynamic-slice sizes={1,2}"},
      {"f32[2,3] dynamic-update-slice(m, m, i, i)",
       "4->1 dynamic-update-slice"},
      {"f32[7,3] gather(m, j), offset_dims={1}, collapsed_slice_dims={0}, "
       "start_index_map={0}, index_vector_dim=1, slice_sizes={1,3}, "
       "indices_are_sorted=true",
       "2->1 gather offset_dims={1} collapsed_slice_dims={0} "
       "start_index_map={0} operand_batching_dims={} "
       "start_indices_batching_dims={} index_vector_dim=1 slice_sizes={1,3}"},
      {"f32[2,3] gather(m, s32[2,1] constant({{0}, {1}})), offset_dims={1}, "
       "start_index_map={1}, operand_batching_dims={0}, "
       "start_indices_batching_dims={0}, index_vector_dim=1, slice_sizes={1,3}",
       "2->1 gather offset_dims={1} collapsed_slice_dims={} "
       "start_index_map={1} operand_batching_dims={0} "
       "start_indices_batching_dims={0} index_vector_dim=1 slice_sizes={1,3}"},
  });
}

TEST(HloDescriptorTest, Reductions) {
  check({
      {"f32[2] reduce(m, s), dimensions={1}, to_apply=f",
       "2->1 reduce dimensions={1}"},
      {"(f32[], f32[]) reduce(m, m, s, s), dimensions={0,1}, to_apply=f",
       "4->2 reduce dimensions={0,1}"},
      {"f32[3,3] dot(m, m), lhs_contracting_dims={0}, "
       "rhs_contracting_dims={0}",
       "2->1 dot lhs_batch={} rhs_batch={} lhs_contracting={0} "
       "rhs_contracting={0}"},
      {"f32[1,5,5] dot(k, k), lhs_batch_dims={0}, lhs_contracting_dims={2}, "
       "rhs_batch_dims={0}, rhs_contracting_dims={2}",
       "2->1 dot lhs_batch={0} rhs_batch={0} lhs_contracting={2} "
       "rhs_contracting={2}"},
      // Neither batch nor contracting dimensions: an outer product by the
      // result's rank, or the oldest texts' product of matrices.
      {"f32[2,3,2,3] dot(m, m)",
       "2->1 dot lhs_batch={} rhs_batch={} lhs_contracting={} "
       "rhs_contracting={}"},
      {"f32[2,2] dot(m, f32[3,2] transpose(m), dimensions={1,0})",
       "2->1 dot lhs_batch={} rhs_batch={} lhs_contracting={1} "
       "rhs_contracting={0}"},
      {"f32[2,3] reduce-window(m, s), window={size=1x2 pad=0_0x1_0}, "
       "to_apply=f",
       "2->1 reduce-window window={1,1,0,0,1,1,0} window={2,1,1,0,1,1,0}"},
      {"f32[2,2] reduce-window(m, s), window={size=2x3 stride=2x1 pad=1_1x-1_4 "
       "lhs_dilate=2x1 rhs_dilate=1x2 rhs_reversal=0x1}, to_apply=f",
       "2->1 reduce-window window={2,2,1,1,2,1,0} window={3,1,-1,4,1,2,1}"},
      {"f32[] reduce-window(s, s), window={}, to_apply=f",
       "2->1 reduce-window"},
  });
}

TEST(HloDescriptorTest, Forwarding) {
  check({
      {"(f32[2,3], (f32[2], (s32[], token[]), f32[4,4])) tuple(m, t)",
       "4->4 forward reads={0,1,2,3}"},
      {"(s32[], token[]) get-tuple-element(t), index=1",
       "3->1 forward reads={1}"},
      {"f32[2] get-tuple-element(t), index=0", "3->1 forward reads={0}"},
      {"f32[4,4] get-tuple-element(t), index=2", "3->1 forward reads={2}"},
      {"(f32[2], (s32[], token[]), f32[4,4]) opt-barrier(t)",
       "3->3 forward reads={0,1,2}"},
      {"f32[2,3] domain(m), domain={kind=\"sharding\", entry={}, exit={}}",
       "1->1 forward reads={0}"},
      {"f32[2,3] add-dependency(m, o)", "1->1 forward reads={0}"},
      {"(f32[2], (s32[], token[]), f32[4,4]) copy(t)",
       "3->3 forward reads={0,1,2}"},
      {"(f32[2,3], f32[2,3], u32[]) copy-start(m)",
       "1->3 forward reads={0,0,-1}"},
      {"f32[2,3] copy-done((f32[2,3], f32[2,3], u32[]) copy-start(m))",
       "3->1 forward reads={0}"},
      {"() tuple()", "0->0 forward reads={}"},
  });
}

TEST(HloDescriptorTest, CallsAndCovers) {
  check({
      {"(f32[2,3], f32[2,3]) fusion(m), kind=kLoop, calls=g", "1->2 call"},
      {"f32[] call(s, s), to_apply=f", "2->1 call"},
      {"f32[2] custom-call(m, t), custom_call_target=\"x\"", "4->1 opaque"},
      {"f32[2] frobnicate(m)", "1->1 opaque"},
      {"f32[2,3] sort(m), dimensions={0}, to_apply=f",
       "1->1 sort dimensions=0"},
      {"(s32[], f32[]) while(h), condition=c, "
       "body={ ROOT p = (s32[], f32[]) parameter(0) }",
       "2->2 while"},
      {"((f32[2,3]), (f32[2,3], f32[2,3]), u32[]) fusion-start(m), calls=g",
       "1->4 start forwards=1 of 1->2 call"},
      {"(f32[2], token[]) infeed(o)", "0->1 nullary"},
      {"f32[2,2] dot(m, m, j), lhs_contracting_dims={1}, "
       "rhs_contracting_dims={1}, sparsity=L.1@2:4",
       "3->1 cover"},
  });
}

TEST(HloDescriptorTest, Collectives) {
  check({
      {"f32[2,3] all-reduce(m), replica_groups={}, to_apply=f",
       "1->1 all-reduce groups=[1, inf]"},
      {"(f32[2,3], f32[]) all-reduce(m, s), replica_groups={{0,1},{2}}, "
       "to_apply=f",
       "2->2 all-reduce groups=[1, 2]"},
      {"f32[2,3] all-reduce(m), replica_groups={{0},{1}}, channel_id=1, "
       "to_apply=f",
       "1->1 all-reduce groups=[1, inf]"},
      {"f32[2,3] all-reduce(m), replica_groups={{0},{1}}, channel_id=1, "
       "use_global_device_ids=true, to_apply=f",
       "1->1 all-reduce groups=[1, 1]"},
      {"((f32[2,3]), f32[6,3], u32[]) all-gather-start(m), dimensions={0}",
       "1->3 start forwards=1 of 1->1 all-gather dimension=0 groups=[1, inf]"},
      {"f32[2,12] all-gather(m), dimensions={1}, replica_groups=[2,4]<=[8]",
       "1->1 all-gather dimension=1 groups=[4, 4]"},
      {"all-gather(m), dimensions={1}, replica_groups=[2,4]<=[4,2]T(1,0)",
       "1->1 all-gather dimension=1 groups=[4, 4]"},
      {"f32[2,1] reduce-scatter(m), dimensions={1}, to_apply=f, "
       "replica_groups=mesh['x'=2,'y'=3] {'y'}",
       "1->1 reduce-scatter dimension=1 groups=[3, 3]"},
      {"f32[2,3] all-to-all(m), dimensions={1}, replica_groups={{2,0,1}}",
       "1->1 all-to-all dimension=1 groups=[3, 3]"},
      {"(f32[2,3], f32[2,3]) all-to-all(m, m), replica_groups={{0,1}}",
       "2->2 all-to-all groups=[2, 2]"},
      {"f32[2,3] collective-broadcast(m), replica_groups={{1,0}}",
       "1->1 collective-broadcast groups=[2, 2]"},
      {"f32[2,3] collective-permute(m), source_target_pairs={{0,1},{1,0}}",
       "1->1 collective-permute pairs={ 0->1 1->0 } of -1"},
      {"(f32[2,3], f32[2,3], u32[], u32[]) collective-permute-start(m), "
       "source_target_pairs={}",
       "1->4 start forwards=1 of 1->1 collective-permute pairs={ } of -1"},
      {"s32[7,1] ragged-all-to-all(j, j, v, v, v, v), replica_groups={{0,1}}",
       "6->1 ragged-all-to-all groups=[2, 2]"},
  });
}

TEST(HloDescriptorTest, OneOperandSharesItsLeaves) {
  auto program = parseHlo(
      "e { t = (f32[2], s32[]) parameter(0)\n"
      "g = f32[2] get-tuple-element((f32[2], s32[]) t), index=0\n"
      "b = (f32[2]{0}, s32[]) opt-barrier(t)\n"
      "ROOT c = f32[2] custom-call(t, g) }");
  ASSERT_TRUE(program.ok());
  auto shapes = [&](int32_t i) -> const OpShapes & {
    return shapesOf(program->modules[0].computations[0].instructions[i].op);
  };
  EXPECT_TRUE(shapes(1).operands.sharesWith(shapes(0).results));
  EXPECT_TRUE(shapes(2).operands.sharesWith(shapes(0).results));
  EXPECT_EQ(shapes(3).operands.size(), 3u);
}

// A long tuple that is written again is one shape, and its leaves are one list.
TEST(HloDescriptorTest, LongTuplesOfOneTextShareTheirLeaves) {
  std::string tuple = "(f32[2,3]{1,0}";
  for (int i = 0; i < 20; ++i) tuple += ", (f32[2,3]{1,0}, s32[])";
  const std::string longer = tuple + ", s32[])";
  tuple += ")";
  auto program =
      parseHlo("e { t = " + tuple + " parameter(0)\nb = " + tuple +
               " opt-barrier(t)\nl = " + longer +
               " parameter(1)\nROOT c = " + longer + " opt-barrier(l) }");
  ASSERT_TRUE(program.ok()) << program.status();
  const auto &instructions = program->modules[0].computations[0].instructions;
  auto resultsOf = [&](int32_t i) -> const ShapeList & {
    return shapesOf(instructions[i].op).results;
  };
  EXPECT_TRUE(resultsOf(1).sharesWith(resultsOf(0)));
  EXPECT_TRUE(resultsOf(0).sharesWith(instructions[0].shape.leaves()));
  EXPECT_TRUE(resultsOf(3).sharesWith(resultsOf(2)));
  EXPECT_EQ(resultsOf(1).size(), 41u);
  EXPECT_EQ(resultsOf(3).size(), 42u);
  EXPECT_EQ(instructions[3].shape->str(true), longer);
}

TEST(HloDescriptorTest, UnknownAndBoundedSizes) {
  auto program = parseHlo(
      "e { p = f32[?,<=8,3] parameter(0) ROOT n = f32[?,<=8,3] negate(p) }");
  ASSERT_TRUE(program.ok());
  const Op &op = program->modules[0].computations[0].instructions[1].op;
  const ArrayShape &shape = op.get<ElementwiseOp>().operands[0];
  EXPECT_EQ(shape.dimensions[0], kDynamicSize);
  EXPECT_EQ(shape.dimensions[1], 8);
  EXPECT_TRUE(shape.dynamic[0] && shape.dynamic[1] && !shape.dynamic[2]);
}

}  // namespace
}  // namespace indexical
