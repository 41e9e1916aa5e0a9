// Convolution, select-and-scatter and the dots: from their text to descriptors,
// shapes that are left out, errors, and the maps that the files of the families
// show.
#include <string>

#include "gtest/gtest.h"
#include "llvm/ADT/ArrayRef.h"

#include "indexical/ops/op.h"
#include "tests/support/parsed_instruction.h"

namespace indexical {
namespace {

const char kBefore[] = R"(HloModule m
f { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }
ENTRY e {
  s = f32[] parameter(0)
  x = f32[8,32,32,16] parameter(1)  k = f32[3,3,16,64] parameter(2)
  d = f32[3,3,1,16] parameter(3)  m = f32[64,9] parameter(4)
  w = f32[2,9,8] parameter(5)  g = s64[2] parameter(6)
  n = f32[9,8] parameter(7)  b = f32[3,64,9] parameter(8)
  v = f32[3,9,8] parameter(9)  c = f32[32,3] parameter(10)
  p = f32[6] parameter(11)  q = f32[2] parameter(12)
  l = f32[4,64] parameter(13)  r = f32[64,4] parameter(14)
  h = f32[2,2] parameter(15)  y = f32[2,8,3,3] parameter(16)
  ROOT z = )";

struct Parsed : testing::ParsedInstruction {
  explicit Parsed(const std::string &instruction)
      : ParsedInstruction(kBefore + instruction + "\n}") {}
};

struct Row {
  const char *instruction, *expected;
};

TEST(HloProductsTest, Descriptors) {
  const Row kRows[] = {
      {"f32[8,30,30,64] convolution(x, k), window={size=3x3}, "
       "dim_labels=b01f_01io->b01f",
       "2->1 convolution input={0,3,1,2} kernel={2,3,0,1} output={0,3,1,2} "
       "window={3,1,0,0,1,1,0} window={3,1,0,0,1,1,0} feature_groups=1 "
       "batch_groups=1"},
      {"f32[16,32,32,8] convolution(x, d), window={size=3x3 pad=1_1x1_1 "
       "rhs_reversal=1x0}, dim_labels=b01f_01io->f01b, feature_group_count=16",
       "2->1 convolution input={0,3,1,2} kernel={2,3,0,1} output={3,0,1,2} "
       "window={3,1,1,1,1,1,1} window={3,1,1,1,1,1,0} feature_groups=16 "
       "batch_groups=1"},
      {"f32[64,8] convolution(m, n), dim_labels=bf_io->bf",
       "2->1 convolution input={0,1} kernel={0,1} output={0,1} "
       "feature_groups=1 batch_groups=1"},
      {"f32[2,3] convolution(l, h), dim_labels=fb_io->bf, sparsity_config={}",
       "2->1 cover"},
      {"f32[8,30,30,64] convolution(x, k), window={size=3x3}, "
       "dim_labels=b01f_01io->b01?f",
       "2->1 cover"},
      {"f32[6] select-and-scatter(p, q, s), window={size=3 stride=3}, "
       "select=f, scatter=f",
       "3->1 select-and-scatter window={3,3,0,0,1,1,0}"},
      {"f32[] select-and-scatter(s, s, s), select=f, scatter=f",
       "3->1 select-and-scatter"},
      {"f32[64,8] ragged-dot(m, w, g), lhs_contracting_dims={1}, "
       "rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}",
       "3->1 ragged-dot lhs_batch={} rhs_batch={} lhs_contracting={1} "
       "rhs_contracting={1} lhs_ragged={0} rhs_group={0}"},
      {"f32[3,64,8] ragged-dot(b, v, g), lhs_contracting_dims={2}, "
       "rhs_contracting_dims={1}, lhs_batch_dims={0}, rhs_batch_dims={0}, "
       "lhs_ragged_dims={0}",
       "3->1 ragged-dot lhs_batch={0} rhs_batch={0} lhs_contracting={2} "
       "rhs_contracting={1} lhs_ragged={0} rhs_group={}"},
      {"f32[4,4] scaled-dot(l, r, h, s), lhs_contracting_dims={1}, "
       "rhs_contracting_dims={0}",
       "4->1 scaled-dot lhs_batch={} rhs_batch={} lhs_contracting={1} "
       "rhs_contracting={0}"},
  };
  for (const Row &row : kRows) {
    const Parsed parsed(row.instruction);
    EXPECT_EQ(parsed.op(), row.expected) << row.instruction;
  }
}

TEST(HloProductsTest, ShapesThatAreLeftOut) {
  const Row kRows[] = {
      {"convolution(x, k), window={size=3x3 stride=1x2}, "
       "dim_labels=b01f_01io->f1b0",
       "f32[64,15,8,30]"},
      {"convolution(x, y), window={size=3x3}, batch_group_count=2, "
       "dim_labels=f01b_oi01->bf01",
       "f32[8,2,30,30]"},
      {"convolution(m, n), dim_labels=bf_io->fb", "f32[8,64]"},
      {"select-and-scatter(p, q, s), window={size=3 stride=3}, select=f, "
       "scatter=f",
       "f32[6]"},
      {"ragged-dot(m, w, g), lhs_contracting_dims={1}, "
       "rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}",
       "f32[64,8]"},
      {"ragged-dot(m, n, g), lhs_contracting_dims={1}, "
       "rhs_contracting_dims={0}, lhs_ragged_dims={1}",
       "f32[2,64,8]"},
      {"ragged-dot(b, v, g), lhs_contracting_dims={2}, "
       "rhs_contracting_dims={1}, lhs_batch_dims={0}, rhs_batch_dims={0}, "
       "lhs_ragged_dims={0}",
       "f32[3,64,8]"},
      {"scaled-dot(l, r, h, s), lhs_contracting_dims={1}, "
       "rhs_contracting_dims={0}",
       "f32[4,4]"},
  };
  for (const Row &row : kRows) {
    const Parsed parsed(row.instruction);
    ASSERT_TRUE(parsed.program.ok()) << parsed.error() << row.instruction;
    EXPECT_EQ(parsed.root().shape->str(), row.expected) << row.instruction;
  }
}

TEST(HloProductsTest, Errors) {
  const Row kRows[] = {
      {"f32[64,8] convolution(m, n)",
       "`convolution` needs the attribute `dim_labels`, as in "
       "`dim_labels=b01f_01io->b01f` @ convolution(m,"},
      {"f32[32,32,8] convolution(m, n), dim_labels=bf_io->bf",
       "result must have the rank of lhs, 2, but has 3 (C26) @ convolution(m,"},
      {"f32[64,9] convolution(m, n), dim_labels=bf_io->bf",
       "result must have the shape {64, 8}, batch, output features and the "
       "number of windows, but has f32[64,9] (C25) @ convolution(m,"},
      {"f32[64,8] convolution(m, n), dim_labels=bf_io",
       "`dim_labels` would be of the form `b01f_01io->b01f`: input, kernel, "
       "result @ bf_io"},
      {"f32[64,8] convolution(m, n), dim_labels=bx_io->bf",
       "`x` is not a label here; they are `b`, `f`, a digit for each dimension of "
       "the window, and `?` @ x_io->bf"},
      {"f32[64,8] convolution(m, n), dim_labels=bf_if->bf",
       "`f` is not a label here; they are `i`, `o`, a digit for each dimension of "
       "the window, and `?` @ f->bf"},
      {"f32[64,8] convolution(m, n), dim_labels=bf_io->bb",
       "the label `b` is there twice in `bb` @ b"},
      {"f32[64,8] convolution(m, n), dim_labels=bf_io->b",
       "the label `f` is missing in `b` @ b"},
      {"f32[8,30,30,64] convolution(x, k), window={size=3x3}, "
       "dim_labels=b02f_01io->b01f",
       "the label `1` is missing in `b02f` @ b02f_01io->b01f"},
      {"f32[8,30,30,64] convolution(x, k), dim_labels=b01f_01io->b01f",
       "`convolution` needs the attribute `window`, as in "
       "`window={size=2x2 stride=1x2 pad=0_0x0_1}` @ convolution(x,"},
      {"f32[8,30,30,64] convolution(x, k), window={size=3x3}, "
       "dim_labels=b01f_01io->b01f, feature_group_count=3",
       "the number of input features must be a multiple of "
       "feature_group_count, 3, but is 16 (C11) @ convolution(x,"},
      {"f32[8,30,30,64] convolution(x, k), window={size=3x3}, "
       "dim_labels=b01f_01io->b01f, batch_group_count=many",
       "expected an integer, found `many` @ many"},
      {"f32[8,30,30,64] convolution(x, k), window={size=3}, "
       "dim_labels=b01f_01io->b01f",
       "window must have 2 dimensions, those that it moves over, but has 1 @ "
       "convolution(x,"},
      {"f32[64,8] ragged-dot(m, w, g), lhs_contracting_dims={1}, "
       "rhs_contracting_dims={1}, rhs_group_dims={0}",
       "`ragged-dot` needs the attribute `lhs_ragged_dims`, as in "
       "`lhs_ragged_dims={0,1}` @ ragged-dot(m,"},
      {"f32[64,8] ragged-dot(m, w, g), lhs_contracting_dims={1}, "
       "rhs_contracting_dims={1}, lhs_ragged_dims={0}",
       "rhs_group_dims must have one entry where the ragged dimension is kept, "
       "but is {} @ ragged-dot(m,"},
      {"f32[64,8] ragged-dot(m, w), lhs_ragged_dims={0}",
       "`ragged-dot` takes 3 operands, here it has 2 @ ragged-dot(m,"},
      {"f32[4,4] scaled-dot(l, r, c, s), lhs_contracting_dims={1}, "
       "rhs_contracting_dims={0}",
       "operand 2, a scale, has the shape f32[32,3]; it would be a scalar, or "
       "have sizes that divide those of operand 0, f32[4,64] @ scaled-dot(l,"},
      {"f32[6] select-and-scatter(p, p, s), window={size=3 stride=3}, "
       "select=f, scatter=f",
       "operand 1, the source, must have the shape {2}, the number of windows "
       "along each dimension, but has f32[6] (C2) @ select-and-scatter(p,"},
      {"f32[6] select-and-scatter(p, p, s), select=f, scatter=f",
       "`select-and-scatter` needs the attribute `window`, as in "
       "`window={size=2x2 stride=1x2 pad=0_0x0_1}` @ select-and-scatter(p,"},
  };
  for (const Row &row : kRows)
    EXPECT_EQ(Parsed(row.instruction).error(), row.expected) << row.instruction;
}

// The maps that the files of ops/ show, before they are simplified.
TEST(HloProductsTest, Maps) {
  struct MapRow {
    const char *instruction;
    Direction direction;
    int64_t operand;
    const char *expected;
  };
  const Direction kReads = Direction::OutputToInput;
  const Direction kUsers = Direction::InputToOutput;
  const char *convolution =
      "f32[8,30,30,64] convolution(x, k), window={size=3x3}, "
      "dim_labels=b01f_01io->b01f";
  const char *ragged =
      "f32[64,8] ragged-dot(m, w, g), lhs_contracting_dims={1}, "
      "rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}";
  const char *scaled =
      "f32[4,4] scaled-dot(l, r, h, s), lhs_contracting_dims={1}, "
      "rhs_contracting_dims={0}";
  const char *scatter =
      "f32[6] select-and-scatter(p, q, s), window={size=3 stride=3}, "
      "select=f, scatter=f";
  const MapRow kRows[] = {
      {convolution, kReads, 0,
       "(d0, d1, d2, d3)[s0, s1, s2] -> (d0, d1 + s0, d2 + s1, s2), domain: d0 "
       "in [0, 7], d1 in [0, 29], d2 in [0, 29], d3 in [0, 63], s0 in [0, 2], "
       "s1 in [0, 2], s2 in [0, 15]"},
      {convolution, kReads, 1,
       "(d0, d1, d2, d3)[s0, s1, s2] -> (s0, s1, s2, d3), domain: d0 in [0, "
       "7], d1 in [0, 29], d2 in [0, 29], d3 in [0, 63], s0 in [0, 2], s1 in "
       "[0, 2], s2 in [0, 15]"},
      {convolution, kUsers, 0,
       "(d0, d1, d2, d3)[s0, s1, s2] -> (d0, d1 - s0, d2 - s1, s2), domain: d0 "
       "in [0, 7], d1 in [0, 31], d2 in [0, 31], d3 in [0, 15], s0 in [0, 2], "
       "s1 in [0, 2], s2 in [0, 63], d1 - s0 in [0, 29], d2 - s1 in [0, 29]"},
      {ragged, kReads, 0,
       "(d0, d1)[s0]{rt0, rt1} -> (d0, s0), domain: d0 in [0, 63], d1 in [0, "
       "7], s0 in [0, 8], rt0 in [0, 64], rt1 in [0, 64], d0 - rt0 - rt1 in "
       "[-inf, -1]"},
      {ragged, kReads, 1,
       "(d0, d1)[s0]{rt0} -> (0, s0, d1), domain: d0 in [0, 63], d1 in [0, 7], "
       "s0 in [0, 8], rt0 in [0, 64], d0 - rt0 in [-inf, -1]\n(d0, "
       "d1)[s0]{rt0, rt1} -> (1, s0, d1), domain: d0 in [0, 63], d1 in [0, 7], "
       "s0 in [0, 8], rt0 in [0, 64], rt1 in [0, 64], d0 - rt0 - rt1 in [-inf, "
       "-1], d0 - rt0 in [0, inf]"},
      {ragged, kReads, 2,
       "(d0, d1)[s0] -> (s0), domain: d0 in [0, 63], d1 in [0, 7], s0 in [0, "
       "1]"},
      {scaled, kReads, 2,
       "(d0, d1)[s0] -> (d0 floordiv 2, s0), domain: d0 in [0, 3], d1 in [0, "
       "3], s0 in [0, 1]"},
      {scaled, kUsers, 2,
       "(d0, d1)[s0, s1] -> (d0 * 2 + s0, s1), domain: d0 in [0, 1], d1 in [0, "
       "1], s0 in [0, 1], s1 in [0, 3]"},
      {scatter, kReads, 0,
       "(d0)[s0] -> ((d0 floordiv 3) * 3 + s0), domain: d0 in [0, 5], s0 in "
       "[0, 2]"},
      {scatter, kReads, 1, "(d0) -> (d0 floordiv 3), domain: d0 in [0, 5]"},
      {scatter, kUsers, 1,
       "(d0)[s0] -> (d0 * 3 + s0), domain: d0 in [0, 1], s0 in [0, 2]"},
  };
  for (const MapRow &row : kRows) {
    const Parsed parsed(row.instruction);
    ASSERT_TRUE(parsed.program.ok()) << parsed.error();
    auto relation = indexing(parsed.root().op, row.direction, 0, row.operand);
    ASSERT_TRUE(relation.ok()) << relation.status();
    std::string text;
    for (const IndexingMap &piece : relation->pieces())
      text += (text.empty() ? "" : "\n") + piece.strOneLine();
    EXPECT_EQ(text, row.expected) << row.instruction;
  }
}

}  // namespace
}  // namespace indexical
