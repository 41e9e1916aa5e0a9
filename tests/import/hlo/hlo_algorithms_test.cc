// Opcodes that scatter, sort, transform, normalize, solve, resize and transfer:
// from their text to descriptors, shapes that are left out, errors, maps.
#include <string>

#include "gtest/gtest.h"
#include "llvm/ADT/ArrayRef.h"

#include "indexical/ops/op.h"
#include "indexical/program/module/parameter_reads.h"
#include "tests/support/parsed_instruction.h"
#include "tests/support/program_reads.h"

namespace indexical {
namespace {

const char kBefore[] = R"(HloModule m
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }
set { a = f32[] parameter(0) ROOT b = f32[] parameter(1) }
two { a = f32[] parameter(0) b = s32[] parameter(1) c = f32[] parameter(2)
  d = s32[] parameter(3) e = pred[] compare(b, d), direction=LT
  f = f32[] select(e, a, c) ROOT r = (f32[], s32[]) tuple(f, d) }
called { a = f32[] parameter(0) b = f32[] parameter(1)
  ROOT r = f32[] call(b, a), to_apply=add }
asked { a = f32[] parameter(0) b = f32[] parameter(1)
  ROOT r = f32[] custom-call(a, b), custom_call_target="f" }
less { a = f32[] parameter(0) b = f32[] parameter(1)
  ROOT r = pred[] compare(a, b), direction=LT }
ENTRY e {
  x = f32[8] parameter(0)  i = s32[5,1] parameter(1)  u = f32[5,3] parameter(2)
  j = s32[8] parameter(3)  v = s32[5,3] parameter(4)  s = s32[] parameter(5)
  m = f32[4,8] parameter(6)  c = c64[4,8] parameter(7)  a = f32[2,4,4] parameter(8)
  b = f32[2,4,5] parameter(9)  d = f32[2,5,4] parameter(10)  f = f32[8] parameter(11)
  g = u64[3] parameter(12)  o = token[] after-all()  n = s32[4,8] parameter(13)
  w = (f32[4], s32[]) parameter(14)
  k = (f32[4], u32[], token[]) recv(o), channel_id=1
  l = f32[4] parameter(15)  t = f32[] parameter(16)  q = c128[4,5] parameter(17)
  ROOT z = )";

struct Parsed : testing::ParsedInstruction {
  explicit Parsed(const std::string &instruction)
      : ParsedInstruction(kBefore + instruction + "\n}") {}
};

struct Row {
  std::string instruction, expected;
};

const std::string kNumbers =
    ", update_window_dims={1}, inserted_window_dims={}, "
    "scatter_dims_to_operand_dims={0}, index_vector_dim=1";
const std::string kDescribed =
    " scatter update_window_dims={1} inserted_window_dims={} "
    "scatter_dims_to_operand_dims={0} input_batching_dims={} "
    "scatter_indices_batching_dims={} index_vector_dim=1 partly_outside=1 "
    "body_reads=";

// Reads of the body: 0 never, 1 maybe, 2 always.
TEST(HloAlgorithmsTest, Scatter) {
  const Row kRows[] = {
      {"f32[8] scatter(x, i, u)" + kNumbers + ", to_apply=add",
       "3->1" + kDescribed + "{2}"},
      {"f32[8] scatter(x, i, u)" + kNumbers + ", to_apply=set",
       "3->1" + kDescribed + "{0}"},
      {"f32[8] scatter(x, i, u)" + kNumbers + ", to_apply=called",
       "3->1" + kDescribed + "{2}"},
      {"f32[8] scatter(x, i, u)" + kNumbers + ", to_apply=asked",
       "3->1" + kDescribed + "{1}"},
      {"(f32[8], s32[8]) scatter(x, j, i, u, v)" + kNumbers +
           ", to_apply=two, unique_indices=true, indices_are_sorted=false",
       "5->2" + kDescribed + "{2,2,0,0}"},
      {"f32[2,4,4] scatter(a, a2, b2), update_window_dims={}, "
       "inserted_window_dims={1,2}, scatter_dims_to_operand_dims={2,1}, "
       "input_batching_dims={0}, scatter_indices_batching_dims={1}, "
       "index_vector_dim=2, to_apply=add\n"
       "  a2 = s32[7,2,2] iota(), iota_dimension=0\n"
       "  b2 = f32[7,2] broadcast(t), dimensions={}",
       "3->1 scatter update_window_dims={} inserted_window_dims={1,2} "
       "scatter_dims_to_operand_dims={2,1} input_batching_dims={0} "
       "scatter_indices_batching_dims={1} index_vector_dim=2 partly_outside=1 "
       "body_reads={2}"},
  };
  for (const Row &row : kRows)
    EXPECT_EQ(Parsed(row.instruction).op(), row.expected) << row.instruction;
}

TEST(HloAlgorithmsTest, Descriptors) {
  const Row kRows[] = {
      {"f32[4,8] sort(m), dimensions={1}, is_stable=true, to_apply=less",
       "1->1 sort dimensions=1"},
      {"(f32[4,8], s32[4,8]) sort(m, n), dimensions={0}, to_apply=less",
       "2->2 sort dimensions=0"},
      {"(f32[4,2], s32[4,2]) topk(m), k=2, largest=true", "1->2 topk k=2"},
      {"c64[4,8] fft(c), fft_type=IFFT, fft_length={4,8}",
       "1->1 fft fft_type=1 fft_length={4,8}"},
      {"c64[4,5] fft(m), fft_type=RFFT, fft_length={8}",
       "1->1 fft fft_type=2 fft_length={8}"},
      {"(f32[4,8], f32[8], f32[8]) batch-norm-training(m, x, f), "
       "epsilon=0.001, feature_index=1",
       "3->3 batch-norm kind=0 feature_index=1"},
      {"f32[4,8] batch-norm-inference(m, l, l, l, l), epsilon=0, "
       "feature_index=0",
       "5->1 batch-norm kind=1 feature_index=0"},
      {"(f32[4,8], f32[8], f32[8]) batch-norm-grad(m, x, f, x, m), "
       "epsilon=0.001, feature_index=1",
       "5->3 batch-norm kind=2 feature_index=1"},
      {"f32[2,4,4] cholesky(a), lower=true", "1->1 cholesky lower=1"},
      {"f32[2,4,4] cholesky(a)", "1->1 cholesky lower=0"},
      {"f32[2,4,5] triangular-solve(a, b), left_side=true, lower=true, "
       "transpose_a=NO_TRANSPOSE, unit_diagonal=true",
       "2->1 triangular-solve left_side=1 lower=1 unit_diagonal=1 "
       "transposed=0"},
      {"f32[2,5,4] triangular-solve(a, d), transpose_a=ADJOINT",
       "2->1 triangular-solve left_side=0 lower=0 unit_diagonal=0 "
       "transposed=1"},
      {"f32[4,<=8] set-dimension-size(m, s), dimensions={1}",
       "2->1 set-dimension-size dimensions=1"},
      {"s32[] get-dimension-size(m), dimensions={1}", "1->1 nullary"},
      {"f32[<=32] dynamic-reshape(m, s)", "2->1 dynamic-reshape"},
      {"(u64[3], f32[4]) rng-bit-generator(g), algorithm=rng_default",
       "1->2 cover"},
      {"((f32[3], pred[]), token[]) infeed(o)", "0->2 nullary"},
      {"token[] outfeed(m, o), outfeed_shape=f32[4,8]", "1->0 nullary"},
      {"(f32[4], u32[], token[]) send(l, o), channel_id=2",
       "1->2 forward reads={0,-1}"},
      {"((f32[4], s32[]), u32[], token[]) send(w, o), channel_id=2",
       "2->3 forward reads={0,1,-1}"},
      {"token[] send-done(k), channel_id=2", "2->0 nullary"},
      {"(f32[4], u32[], token[]) recv(o), channel_id=2", "0->2 nullary"},
      {"(f32[4], token[]) recv-done(k), channel_id=2",
       "2->1 forward reads={0}"},
      {"(f32[4], u32[], token[]) send(o, l)", "1->2 forward reads={0,-1}"},
      {"(f32[5], u32[], token[]) send(l, o)", "1->2 cover"},
      {"token[] recv-done(k)", "2->0 cover"},
  };
  for (const Row &row : kRows)
    EXPECT_EQ(Parsed(row.instruction).op(), row.expected) << row.instruction;
}

TEST(HloAlgorithmsTest, ShapesThatAreLeftOut) {
  const Row kRows[] = {
      {"scatter(x, i, u)" + kNumbers + ", to_apply=add", "f32[8]"},
      {"scatter(x, j, i, u, v)" + kNumbers + ", to_apply=two",
       "(f32[8], s32[8])"},
      {"sort(m), dimensions={1}, to_apply=less", "f32[4,8]"},
      {"sort(m, n), dimensions={1}, to_apply=less", "(f32[4,8], s32[4,8])"},
      {"topk(m), k=2, largest=false", "(f32[4,2], s32[4,2])"},
      {"fft(c), fft_type=FFT, fft_length={8}", "c64[4,8]"},
      {"fft(m), fft_type=RFFT, fft_length={4,8}", "c64[4,5]"},
      {"fft(c), fft_type=IRFFT, fft_length={14}", "f32[4,14]"},
      {"fft(q), fft_type=IRFFT, fft_length={9}", "f64[4,9]"},
      {"batch-norm-training(m, x, f), epsilon=0, feature_index=1",
       "(f32[4,8], f32[8], f32[8])"},
      {"batch-norm-inference(m, l, l, l, l), epsilon=0, feature_index=0",
       "f32[4,8]"},
      {"batch-norm-grad(m, l, l, l, m), epsilon=0, feature_index=0",
       "(f32[4,8], f32[4], f32[4])"},
      {"cholesky(a), lower=true", "f32[2,4,4]"},
      {"triangular-solve(a, b), left_side=true, transpose_a=TRANSPOSE",
       "f32[2,4,5]"},
      {"set-dimension-size(m, s), dimensions={1}", "f32[4,<=8]"},
      {"get-dimension-size(m), dimensions={1}", "s32[]"},
      {"outfeed(m, o)", "token[]"},
      {"send(l, o), channel_id=2", "(f32[4], u32[], token[])"},
      {"send-done(k), channel_id=2", "token[]"},
      {"recv-done(k), channel_id=2", "(f32[4], token[])"},
  };
  for (const Row &row : kRows)
    EXPECT_EQ(Parsed(row.instruction).shape(), row.expected) << row.instruction;
}

TEST(HloAlgorithmsTest, Errors) {
  const Row kRows[] = {
      {"f32[8] scatter(x, i, u), inserted_window_dims={}, to_apply=add",
       "`scatter` needs the attribute `update_window_dims`, as in "
       "`update_window_dims={0,1}` @ scatter(x,"},
      {"f32[8] scatter(x, i, u), update_window_dims={2}, "
       "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add",
       "update_window_dims must be in [0, 2), the rank of update 0 being 2, "
       "but "
       "has 2 (C8) @ scatter(x,"},
      {"f32[8] scatter(x, i, u)" + kNumbers + ", to_apply=two",
       "`two`, the update computation, must take two scalars for each of 1 "
       "input, its element and its update, and give the new element (C23) @ "
       "scatter(x,"},
      {"(f32[8], s32[8]) scatter(x, j, i, u, v)" + kNumbers + ", to_apply=add",
       "`add`, the update computation, must take two scalars for each of 2 "
       "inputs, its element and its update, and give the new element (C23) @ "
       "scatter(x,"},
      {"f32[8] scatter(x, j, i, u, v)" + kNumbers + ", to_apply=add",
       "there must be a result for each of the 2 inputs, not 1 (C24) @ "
       "scatter(x,"},
      {"f32[4,8] sort(m), to_apply=less",
       "`sort` needs the attribute `dimensions`, as in `dimensions=0` @ "
       "sort(m),"},
      {"f32[4,8] sort(m), dimensions={2}, to_apply=less",
       "dimensions must be in [0, 2), the rank being 2, but has 2 (C4) @ "
       "sort(m),"},
      {"(f32[4,2], s32[4,2]) topk(m), k=2, largest=yes",
       "`largest` of `topk` is true or false, not `yes` @ yes"},
      {"(f32[4,9], s32[4,9]) topk(m), k=9, largest=true",
       "k must be at most the last size of operand, 8, but is 9 @ topk(m),"},
      {"c64[4,8] fft(c), fft_type=DFT, fft_length={8}",
       "`DFT` is no `fft_type`: FFT, IFFT, RFFT or IRFFT @ DFT,"},
      {"c64[4,8] fft(c), fft_length={8}",
       "`fft` needs the attribute `fft_type`, as in `fft_type=FFT` @ fft(c),"},
      {"c64[4,5] fft(m), fft_type=RFFT, fft_length={7}",
       "operand must have the shape {4, 7}, with fft_length in the last "
       "dimensions, but has f32[4,8] (C4) @ fft(m),"},
      {"(f32[4,8], f32[8], f32[8]) batch-norm-training(m, x, l), epsilon=0, "
       "feature_index=1",
       "operand 2 must have one value for each feature, 8 in one dimension as "
       "feature_index is 1, but is f32[4] @ batch-norm-training(m,"},
      {"f32[2,4,5] triangular-solve(a, b), left_side=true, lower=true",
       "`triangular-solve` needs the attribute `transpose_a`, as in "
       "`transpose_a=NO_TRANSPOSE` @ triangular-solve(a,"},
      {"f32[2,4,5] triangular-solve(a, b), left_side=true, "
       "transpose_a=TRANSPOSE_INVALID",
       "`TRANSPOSE_INVALID` is no `transpose_a`: NO_TRANSPOSE, TRANSPOSE or "
       "ADJOINT @ TRANSPOSE_INVALID"},
      {"f32[2,4,5] triangular-solve(a, b), transpose_a=TRANSPOSE",
       "operand 0 must have the size of the columns of operand 1, as left_side "
       "is false, but they are f32[2,4,4] and f32[2,4,5] (C3) @ "
       "triangular-solve(a,"},
      {"f32[2,4,5] cholesky(b), lower=true",
       "operand 0 must have as many rows as columns, but has 4 and 5 (C3) @ "
       "cholesky(b),"},
      {"s32[] get-dimension-size(m), dimensions={2}",
       "dimensions must be in [0, 2), rank(operand) being 2, but has 2 (C1) @ "
       "get-dimension-size(m),"},
      {"s32[2] get-dimension-size(m), dimensions={0}",
       "the result of `get-dimension-size` is a size, s32[], not s32[2] @ "
       "get-dimension-size(m),"},
      {"f32[32] dynamic-reshape(m, s, s)",
       "size must have 1 entries, the rank of the result, but has 2 (C4) @ "
       "dynamic-reshape(m,"},
      {"(f32[4], token[]) recv-done(l)",
       "the operand of `recv-done` must be what a `recv` gives, (data, u32[], "
       "token[]), not f32[4] @ recv-done(l)"},
  };
  for (const Row &row : kRows)
    EXPECT_EQ(Parsed(row.instruction).error(), row.expected) << row.instruction;
}

// The map that ops/indexed/scatter.cc shows, from the text, in a whole module.
TEST(HloAlgorithmsTest, MapsOfScatter) {
  const std::string kModule =
      "HloModule m\n"
      "set { a = f32[] parameter(0) ROOT b = f32[] parameter(1) }\n"
      "ENTRY e {\n"
      "  x = f32[8] parameter(0)  i = s32[5,1] parameter(1)\n"
      "  u = f32[5,3] parameter(2)\n"
      "  ROOT z = f32[8] scatter(x, i, u)" +
      kNumbers + ", to_apply=set\n}";
  EXPECT_EQ(testing::reads(kModule, 0),
            "cover:\n  (d0) -> (d0), domain: d0 in [0, 7]");
  EXPECT_EQ(testing::reads(kModule, 1),
            "exact:\n  (d0)[s0] -> (s0, 0), domain: d0 in [0, 7], s0 in [0, "
            "4]");
  EXPECT_EQ(testing::reads(kModule, 2),
            "exact:\n  (d0)[s0]{rt0} -> (s0, d0 - rt0), domain: d0 in [0, 7], "
            "s0 in [0, 4], rt0 in [0, 5], d0 - rt0 in [0, 2]\n  rt0: e.i");
}

// A snippet without the update computation: it might do anything.
TEST(HloAlgorithmsTest, ScatterOfUnknownBody) {
  auto program =
      parseHlo("z = f32[8] scatter(f32[8] x, s32[5,1] i, f32[5,3] u)" +
               kNumbers + ", to_apply=add");
  ASSERT_TRUE(program.ok()) << program.status();
  const Computation &entry = program->modules[0].computations[0];
  EXPECT_EQ(testing::summary(entry.instructions[entry.root].op),
            "3->1" + kDescribed + "{}");
  ASSERT_EQ(program->notes.size(), 1u);
  EXPECT_EQ(program->notes[0].text,
            "computation `add` is not in this snippet: the maps of `scatter` "
            "are covers");
}

// A receive reads nothing of what is sent: only the run matches the two.
TEST(HloAlgorithmsTest, TransfersAreNotFollowed) {
  const std::string kModule =
      "HloModule m\nENTRY e {\n  x = f32[8] parameter(0)  o = token[] "
      "after-all()\n  s = (f32[8], u32[], token[]) send(x, o), channel_id=1\n"
      "  t = token[] send-done(s), channel_id=1\n"
      "  r = (f32[8], u32[], token[]) recv(t), channel_id=1\n"
      "  v = (f32[8], token[]) recv-done(r), channel_id=1\n";
  EXPECT_EQ(testing::reads(
                kModule + "  ROOT z = f32[8] get-tuple-element(v), index=0\n}"),
            "exact:");
  EXPECT_EQ(testing::reads(
                kModule + "  ROOT z = f32[8] get-tuple-element(s), index=0\n}"),
            "exact:\n  (d0) -> (d0), domain: d0 in [0, 7]");
}

TEST(HloAlgorithmsTest, ParameterReads) {
  const Program program = testing::parsed(
      "HloModule m\n"
      "ENTRY e { a = f32[] parameter(0)  b = f32[4] parameter(1)\n"
      "  c = f32[] custom-call(a)  d = f32[1] slice(b), slice={[2:3]}\n"
      "  f = f32[] reshape(d)  ROOT r = (f32[], f32[], f32[]) tuple(a, c, f) "
      "}");
  const auto reads = parameterReads(program.modules[0], ComputationId(0));
  ASSERT_TRUE(reads.has_value());
  const auto never = ParameterRead::Never, maybe = ParameterRead::Maybe,
             always = ParameterRead::Always;
  using Row = llvm::SmallVector<ParameterRead, 4>;
  EXPECT_EQ(*reads, ParameterReads({Row{always, never}, Row{maybe, never},
                                    Row{never, maybe}}));
}

}  // namespace
}  // namespace indexical
