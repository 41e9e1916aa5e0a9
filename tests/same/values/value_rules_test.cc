// The rules by which values of two modules are one (same/values), each with
// modules of its own.
#include <string>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/same/values/module_values.h"

namespace indexical::testing {
namespace {

/// Whether values are found to be equal: always, with the laws of real numbers
/// only, or never.
enum class Says { Equal, EqualIfReal, Undecided };

struct Rule {
  const char *name;
  const char *first, *second;
  Says says = Says::Equal;
};

constexpr char kBegin[] = R"(HloModule m, replica_count=2
sum { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = f32[] add(a, b) }
sum_turned { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = f32[] add(b, a) }
difference { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = f32[] subtract(a, b) }
first { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = f32[] copy(a) }
less { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = pred[] compare(a, b), direction=LT }
more { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = pred[] compare(a, b), direction=GT }
twice { a = f32[8] parameter(0)  ROOT s = f32[8] add(a, a) }
ENTRY e {
  p = f32[8] parameter(0)
  q = f32[8] parameter(1)
  i = s32[] parameter(2)
  j = s32[] parameter(3)
  u = u8[4] parameter(4)
  grid = f32[4,6] parameter(5)
  k = s32[4,1] parameter(6)
  x = s32[8] parameter(7)
)";

const Rule kRules[] = {
    {"the same", "ROOT r = f32[8] add(p, q)", "ROOT r = f32[8] add(p, q)"},
    {"another op", "ROOT r = f32[8] add(p, q)",
     "ROOT r = f32[8] multiply(p, q)", Says::Undecided},
    {"another constant",
     "c = f32[] constant(2)\n b = f32[8] broadcast(c), dimensions={}\n"
     "ROOT r = f32[8] multiply(p, b)",
     "c = f32[] constant(3)\n b = f32[8] broadcast(c), dimensions={}\n"
     "ROOT r = f32[8] multiply(p, b)",
     Says::Undecided},
    {"a fusion", "ROOT r = f32[8] fusion(p), kind=kLoop, calls=twice",
     "ROOT r = f32[8] add(p, p)"},
    {"floats are no ring", "s = f32[8] add(p, q)\n ROOT r = f32[8] add(s, p)",
     "s = f32[8] add(q, p)\n t = f32[8] add(p, p)\n ROOT r = f32[8] add(t, q)",
     Says::EqualIfReal},
    {"to divide by a constant",
     "c = f32[] constant(4)\n b = f32[8] broadcast(c), dimensions={}\n"
     "ROOT r = f32[8] divide(p, b)",
     "c = f32[] constant(0.25)\n b = f32[8] broadcast(c), dimensions={}\n"
     "ROOT r = f32[8] multiply(p, b)",
     Says::EqualIfReal},
    {"but not by nothing",
     "c = f32[] constant(0)\n b = f32[8] broadcast(c), dimensions={}\n"
     "ROOT r = f32[8] divide(p, b)",
     "c = f32[] constant(0)\n b = f32[8] broadcast(c), dimensions={}\n"
     "ROOT r = f32[8] multiply(p, b)",
     Says::Undecided},
    {"bytes wrap",
     "c = u8[] constant(255)\n b = u8[4] broadcast(c), dimensions={}\n"
     "ROOT r = u8[4] multiply(u, b)",
     "ROOT r = u8[4] negate(u)"},
    {"a comparison's direction", "ROOT r = pred[8] compare(p, q), direction=LT",
     "ROOT r = pred[8] compare(p, q), direction=LE", Says::Undecided},
    {"reducers in another order",
     "z = f32[] constant(0)\n ROOT r = f32[4] reduce(grid, z), dimensions={1}, "
     "to_apply=sum",
     "z = f32[] constant(0)\n ROOT r = f32[4] reduce(grid, z), dimensions={1}, "
     "to_apply=sum_turned"},
    {"another reducer",
     "z = f32[] constant(0)\n ROOT r = f32[4] reduce(grid, z), dimensions={1}, "
     "to_apply=sum",
     "z = f32[] constant(0)\n ROOT r = f32[4] reduce(grid, z), dimensions={1}, "
     "to_apply=first",
     Says::Undecided},
    {"another beginning",
     "z = f32[] constant(0)\n ROOT r = f32[4] reduce(grid, z), dimensions={1}, "
     "to_apply=sum",
     "z = f32[] constant(1)\n ROOT r = f32[4] reduce(grid, z), dimensions={1}, "
     "to_apply=sum",
     Says::Undecided},
    {"zeros that are added",
     "z = f32[] constant(0)\n w = f32[4,9] pad(grid, z), padding=0_0x1_2\n"
     "ROOT r = f32[4] reduce(w, z), dimensions={1}, to_apply=sum",
     "z = f32[] constant(0)\n ROOT r = f32[4] reduce(grid, z), dimensions={1}, "
     "to_apply=sum",
     Says::EqualIfReal},
    {"ones that are added",
     "z = f32[] constant(0)\n o = f32[] constant(1)\n"
     "w = f32[4,9] pad(grid, o), padding=0_0x1_2\n"
     "ROOT r = f32[4] reduce(w, z), dimensions={1}, to_apply=sum",
     "z = f32[] constant(0)\n ROOT r = f32[4] reduce(grid, z), dimensions={1}, "
     "to_apply=sum",
     Says::Undecided},
    {"parts of a sum in another order",
     "z = f32[] constant(0)\n n = f32[8] negate(p)\n"
     "c = f32[16] concatenate(n, p), dimensions={0}\n"
     "ROOT r = f32[] reduce(c, z), dimensions={0}, to_apply=sum",
     "z = f32[] constant(0)\n n = f32[8] negate(p)\n"
     "c = f32[16] concatenate(p, n), dimensions={0}\n"
     "ROOT r = f32[] reduce(c, z), dimensions={0}, to_apply=sum"},
    {"a sum over dimensions that are one",
     "z = f32[] constant(0)\n ROOT r = f32[] reduce(grid, z), "
     "dimensions={0,1}, to_apply=sum",
     "z = f32[] constant(0)\n l = f32[24] reshape(grid)\n"
     "ROOT r = f32[] reduce(l, z), dimensions={0}, to_apply=sum"},
    {"but not the sum of sums",
     "z = f32[] constant(0)\n ROOT r = f32[] reduce(grid, z), "
     "dimensions={0,1}, to_apply=sum",
     "z = f32[] constant(0)\n l = f32[4] reduce(grid, z), dimensions={1}, "
     "to_apply=sum\n ROOT r = f32[] reduce(l, z), dimensions={0}, to_apply=sum",
     Says::EqualIfReal},
    {"windows side by side",
     "z = f32[] constant(0)\n ROOT r = f32[4] reduce-window(p, z), "
     "window={size=2 stride=2}, to_apply=sum",
     "z = f32[] constant(0)\n l = f32[4,2] reshape(p)\n"
     "ROOT r = f32[4] reduce(l, z), dimensions={1}, to_apply=sum"},
    {"windows that overlap",
     "z = f32[] constant(0)\n ROOT r = f32[4] reduce-window(p, z), "
     "window={size=2 stride=2}, to_apply=sum",
     "z = f32[] constant(0)\n l = f32[5] slice(p), slice={[0:5]}\n"
     "ROOT r = f32[4] reduce-window(l, z), window={size=2}, to_apply=sum",
     Says::Undecided},
    {"a choice by an index",
     "n = s32[8] iota(), iota_dimension=0\n t = s32[] constant(3)\n"
     "b = s32[8] broadcast(t), dimensions={}\n"
     "c = pred[8] compare(n, b), direction=LT\n"
     "ROOT r = f32[8] select(c, p, q)",
     "a = f32[3] slice(p), slice={[0:3]}\n b = f32[5] slice(q), slice={[3:8]}\n"
     "ROOT r = f32[8] concatenate(a, b), dimensions={0}"},
    {"by another index",
     "n = s32[8] iota(), iota_dimension=0\n t = s32[] constant(3)\n"
     "b = s32[8] broadcast(t), dimensions={}\n"
     "c = pred[8] compare(n, b), direction=LE\n"
     "ROOT r = f32[8] select(c, p, q)",
     "a = f32[3] slice(p), slice={[0:3]}\n b = f32[5] slice(q), slice={[3:8]}\n"
     "ROOT r = f32[8] concatenate(a, b), dimensions={0}",
     Says::Undecided},
    {"lines that are sorted",
     "s = f32[4,6] sort(grid), dimensions={1}, to_apply=less\n"
     "ROOT r = f32[6,4] transpose(s), dimensions={1,0}",
     "t = f32[6,4] transpose(grid), dimensions={1,0}\n"
     "ROOT r = f32[6,4] sort(t), dimensions={0}, to_apply=less"},
    {"other lines",
     "s = f32[4,6] sort(grid), dimensions={1}, to_apply=less\n"
     "ROOT r = f32[6,4] transpose(s), dimensions={1,0}",
     "t = f32[6,4] transpose(grid), dimensions={1,0}\n"
     "ROOT r = f32[6,4] sort(t), dimensions={1}, to_apply=less",
     Says::Undecided},
    {"bytes through a wider type",
     "w = s32[4] convert(u)\n ROOT r = u8[4] convert(w)",
     "ROOT r = u8[4] copy(u)"},
    {"integers through a narrower type",
     "w = s8[8] convert(x)\n ROOT r = s32[8] convert(w)",
     "ROOT r = s32[8] copy(x)", Says::Undecided},
    {"integers through a float that rounds",
     "w = f32[8] convert(x)\n ROOT r = s32[8] convert(w)",
     "ROOT r = s32[8] copy(x)", Says::Undecided},
    {"a slice that is moved past an op",
     "n = f32[8] negate(p)\n ROOT r = f32[3] dynamic-slice(n, i), "
     "dynamic_slice_sizes={3}",
     "s = f32[3] dynamic-slice(p, i), dynamic_slice_sizes={3}\n"
     "ROOT r = f32[3] negate(s)"},
    {"another start",
     "ROOT r = f32[3] dynamic-slice(p, i), dynamic_slice_sizes={3}",
     "ROOT r = f32[3] dynamic-slice(p, j), dynamic_slice_sizes={3}",
     Says::Undecided},
    {"a start that is the same sum",
     "s = s32[] add(i, j)\n"
     "ROOT r = f32[3] dynamic-slice(p, s), dynamic_slice_sizes={3}",
     "s = s32[] add(j, i)\n"
     "ROOT r = f32[3] dynamic-slice(p, s), dynamic_slice_sizes={3}"},
    {"a start that is known, and clamped",
     "c = s32[] constant(9)\n"
     "ROOT r = f32[3] dynamic-slice(p, c), dynamic_slice_sizes={3}",
     "ROOT r = f32[3] slice(p), slice={[5:8]}"},
    {"a sum that may be clamped otherwise",
     "a = f32[6] dynamic-slice(p, i), dynamic_slice_sizes={6}\n"
     "ROOT r = f32[3] dynamic-slice(a, j), dynamic_slice_sizes={3}",
     "s = s32[] add(i, j)\n"
     "ROOT r = f32[3] dynamic-slice(p, s), dynamic_slice_sizes={3}",
     Says::Undecided},
    {"an update that is overwritten again",
     "h = f32[2] slice(q), slice={[0:2]}\n"
     "a = f32[8] dynamic-update-slice(p, h, i)\n"
     "ROOT r = f32[8] negate(a)",
     "h = f32[2] slice(q), slice={[0:2]}\n"
     "g = f32[2] copy(h)\n"
     "a = f32[8] dynamic-update-slice(p, g, i)\n"
     "ROOT r = f32[8] negate(a)"},
    {"an update at a known place",
     "h = f32[2] slice(q), slice={[0:2]}\n c = s32[] constant(2)\n"
     "ROOT r = f32[8] dynamic-update-slice(p, h, c)",
     "a = f32[2] slice(p), slice={[0:2]}\n h = f32[2] slice(q), slice={[0:2]}\n"
     "b = f32[4] slice(p), slice={[4:8]}\n"
     "ROOT r = f32[8] concatenate(a, h, b), dimensions={0}"},
    {"an update at a known place, which is clamped",
     "h = f32[2] slice(q), slice={[0:2]}\n c = s32[] constant(100)\n"
     "ROOT r = f32[8] dynamic-update-slice(p, h, c)",
     "a = f32[6] slice(p), slice={[0:6]}\n h = f32[2] slice(q), slice={[0:2]}\n"
     "ROOT r = f32[8] concatenate(a, h), dimensions={0}"},
    {"another update",
     "h = f32[2] slice(q), slice={[0:2]}\n"
     "ROOT r = f32[8] dynamic-update-slice(p, h, i)",
     "h = f32[2] slice(q), slice={[1:3]}\n"
     "ROOT r = f32[8] dynamic-update-slice(p, h, i)",
     Says::Undecided},
    {"a gather behind an op",
     "n = f32[8] negate(p)\n"
     "ROOT r = f32[4] gather(n, k), offset_dims={}, collapsed_slice_dims={0}, "
     "start_index_map={0}, index_vector_dim=1, slice_sizes={1}",
     "g = f32[4] gather(p, k), offset_dims={}, collapsed_slice_dims={0}, "
     "start_index_map={0}, index_vector_dim=1, slice_sizes={1}\n"
     "ROOT r = f32[4] negate(g)"},
    {"a sort of what is moved there and back",
     "a = f32[8] reverse(p), dimensions={0}\n"
     "b = f32[8] reverse(a), dimensions={0}\n"
     "ROOT r = f32[8] sort(b), dimensions={0}, to_apply=less",
     "ROOT r = f32[8] sort(p), dimensions={0}, to_apply=less"},
    {"a sort the other way",
     "ROOT r = f32[8] sort(p), dimensions={0}, to_apply=less",
     "ROOT r = f32[8] sort(p), dimensions={0}, to_apply=more", Says::Undecided},
    {"what is drawn is drawn once",
     "a = f32[] constant(0)\n b = f32[] constant(1)\n"
     "u1 = f32[8] rng(a, b), distribution=rng_uniform\n"
     "ROOT r = f32[8] subtract(u1, u1)",
     "a = f32[] constant(0)\n b = f32[] constant(1)\n"
     "u1 = f32[8] rng(a, b), distribution=rng_uniform\n"
     "u2 = f32[8] rng(a, b), distribution=rng_uniform\n"
     "ROOT r = f32[8] subtract(u1, u2)",
     Says::Undecided},
    {"a dot turned around",
     "t = f32[6,4] transpose(grid), dimensions={1,0}\n"
     "ROOT r = f32[4,4] dot(grid, t), lhs_contracting_dims={1}, "
     "rhs_contracting_dims={0}",
     "ROOT r = f32[4,4] dot(grid, grid), lhs_contracting_dims={1}, "
     "rhs_contracting_dims={1}"},
    {"a dot of another precision",
     "ROOT r = f32[4,4] dot(grid, grid), lhs_contracting_dims={1}, "
     "rhs_contracting_dims={1}",
     "ROOT r = f32[4,4] dot(grid, grid), lhs_contracting_dims={1}, "
     "rhs_contracting_dims={1}, operand_precision={highest,highest}",
     Says::Undecided},
    {"precisions follow their operands",
     "ROOT r = f32[4,4] dot(grid, grid), lhs_contracting_dims={1}, "
     "rhs_contracting_dims={1}, operand_precision={highest,default}",
     "a = f32[4,4] dot(grid, grid), lhs_contracting_dims={1}, "
     "rhs_contracting_dims={1}, operand_precision={default,highest}\n"
     "ROOT r = f32[4,4] transpose(a), dimensions={1,0}",
     Says::Equal},
    {"precisions of the other operands",
     "ROOT r = f32[4,4] dot(grid, grid), lhs_contracting_dims={1}, "
     "rhs_contracting_dims={1}, operand_precision={highest,default}",
     "a = f32[4,4] dot(grid, grid), lhs_contracting_dims={1}, "
     "rhs_contracting_dims={1}, operand_precision={highest,default}\n"
     "ROOT r = f32[4,4] transpose(a), dimensions={1,0}",
     Says::Undecided},
    {"an algorithm where nothing is contracted",
     "ROOT r = f32[8,8] dot(p, p), lhs_contracting_dims={}, "
     "rhs_contracting_dims={}",
     "ROOT r = f32[8,8] dot(p, p), lhs_contracting_dims={}, "
     "rhs_contracting_dims={}, algorithm=dot_bf16_bf16_f32",
     Says::Undecided},
    {"a sum over devices",
     "ROOT r = f32[8] all-reduce(p), replica_groups={{0,1}}, to_apply=sum",
     "ROOT r = f32[8] all-reduce(p), replica_groups={{0},{1}}, to_apply=sum",
     Says::Undecided},
    {"numbers along a dimension", "ROOT r = s32[8] iota(), iota_dimension=0",
     "a = s32[8] iota(), iota_dimension=0\n"
     "ROOT r = s32[8] reverse(a), dimensions={0}",
     Says::Undecided},
    {"a literal of several numbers", "ROOT r = s32[3] constant({1, 2, 3})",
     "ROOT r = s32[3] constant({1, 3, 2})", Says::Undecided},
    {"x times nothing",
     "z = s32[] constant(0)\n zs = s32[8] broadcast(z), dimensions={}\n"
     "ROOT r = s32[8] multiply(x, zs)",
     "ROOT r = s32[8] subtract(x, x)"},
    {"a logarithm that may be none",
     "l = f32[8] log(p)\n "
     "d = f32[8] subtract(l, l)\n ROOT r = f32[8] add(d, q)",
     "ROOT r = f32[8] copy(q)", Says::Undecided},
    {"a quotient that may be none",
     "l = f32[8] divide(p, p)\n "
     "d = f32[8] subtract(l, l)\n ROOT r = f32[8] add(d, q)",
     "ROOT r = f32[8] copy(q)", Says::Undecided},
    {"a logarithm of a positive number",
     "m = f32[8] exponential(p)\n "
     "l = f32[8] log(m)\n "
     "d = f32[8] subtract(l, l)\n ROOT r = f32[8] add(d, q)",
     "ROOT r = f32[8] copy(q)", Says::EqualIfReal},
    {"a root of a square",
     "m = f32[8] multiply(p, p)\n "
     "l = f32[8] sqrt(m)\n "
     "d = f32[8] subtract(l, l)\n ROOT r = f32[8] add(d, q)",
     "ROOT r = f32[8] copy(q)", Says::EqualIfReal},
    {"a power of a negative base",
     "m = f32[] constant(-1)\n "
     "n = f32[8] broadcast(m), dimensions={}\n "
     "l = f32[8] power(n, p)\n "
     "d = f32[8] subtract(l, l)\n ROOT r = f32[8] add(d, q)",
     "ROOT r = f32[8] copy(q)", Says::Undecided},
    {"bits that may be no number",
     "m = u32[8] iota(), iota_dimension=0\n "
     "l = f32[8] bitcast-convert(m)\n "
     "d = f32[8] subtract(l, l)\n ROOT r = f32[8] add(d, q)",
     "ROOT r = f32[8] copy(q)", Says::Undecided},
    {"infinity of 8 bits",
     "m = f8e5m2[] constant(inf)\n "
     "n = f32[] convert(m)\n "
     "l = f32[8] broadcast(n), dimensions={}\n "
     "d = f32[8] subtract(l, l)\n ROOT r = f32[8] add(d, q)",
     "ROOT r = f32[8] copy(q)", Says::Undecided},
    {"an integer beyond f16",
     "m = s32[] constant(100000)\n "
     "n = f16[] convert(m)\n "
     "o = f32[] convert(n)\n "
     "l = f32[8] broadcast(o), dimensions={}\n "
     "d = f32[8] subtract(l, l)\n ROOT r = f32[8] add(d, q)",
     "ROOT r = f32[8] copy(q)", Says::Undecided},
    {"a number of lower precision",
     "l = f32[8] reduce-precision(p), exponent_bits=5, mantissa_bits=2\n "
     "d = f32[8] subtract(l, l)\n ROOT r = f32[8] add(d, q)",
     "ROOT r = f32[8] copy(q)", Says::Undecided},
};

bool areEqual(const Rule &rule, FloatLaws laws) {
  auto a = parseHlo(std::string(kBegin) + rule.first + "\n}\n");
  auto b = parseHlo(std::string(kBegin) + rule.second + "\n}\n");
  EXPECT_TRUE(a.ok()) << a.status();
  EXPECT_TRUE(b.ok()) << b.status();
  auto equality =
      compareValues(a->modules[0], b->modules[0], ValueOptions{laws}, {});
  EXPECT_TRUE(equality.ok()) << equality.status();
  for (const LeafValue &leaf : equality->leaves)
    EXPECT_EQ(leaf.isEqual, leaf.terms[0].empty() && leaf.reason.empty());
  return equality->isEqual;
}

TEST(ValueRules, Each) {
  for (const Rule &rule : kRules) {
    SCOPED_TRACE(rule.name);
    EXPECT_EQ(areEqual(rule, FloatLaws::None), rule.says == Says::Equal);
    EXPECT_EQ(areEqual(rule, FloatLaws::Real), rule.says != Says::Undecided);
  }
}

/// A chain of products by constants, of sums of products, and of ops in ops.
TEST(ValueRules, LongChainsEnd) {
  constexpr int kSteps = 1500;
  for (const char *step : {"multiply(x%, c)", "add(x%, x%)", "multiply(x%, x%)",
                           "tanh(x%)", "divide(x%, c)", "subtract(c, x%)"}) {
    std::string text = "e { x0 = f32[] parameter(0)  c = f32[] constant(1.1)\n";
    for (int n = 1; n <= kSteps; ++n) {
      std::string op = step;
      for (size_t at = op.find('%'); at != std::string::npos; at = op.find('%'))
        op.replace(at, 1, std::to_string(n - 1));
      text += (n == kSteps ? " ROOT x" : " x") + std::to_string(n) +
              " = f32[] " + op + "\n";
    }
    text += "}";
    auto a = parseHlo(text), b = parseHlo(text);
    ASSERT_TRUE(a.ok() && b.ok()) << a.status();
    for (FloatLaws laws : {FloatLaws::None, FloatLaws::Real}) {
      auto equality =
          compareValues(a->modules[0], b->modules[0], ValueOptions{laws}, {});
      ASSERT_TRUE(equality.ok());
      EXPECT_TRUE(equality->isEqual) << step;
    }
  }
}

TEST(ValueRules, FirstPairOfTerms) {
  auto a = parseHlo(
      "e { x = f32[4,6] parameter(0)  c = f32[] constant(2)"
      "  b = f32[4,6] broadcast(c), dimensions={}"
      "  m = f32[4,6] multiply(x, b)  ROOT r = f32[4,6] negate(m) }");
  auto b = parseHlo(
      "e { y = f32[4,6] parameter(0)  m = f32[4,6] add(y, y)"
      "  ROOT r = f32[4,6] negate(m) }");
  ASSERT_TRUE(a.ok() && b.ok());
  auto equality = compareValues(a->modules[0], b->modules[0], {}, {});
  ASSERT_TRUE(equality.ok());
  EXPECT_FALSE(equality->isEqual);
  EXPECT_EQ(equality->leaves[0].terms[0], "multiply(x[i, j], 2)");
  EXPECT_EQ(equality->leaves[0].terms[1], "add(x[i, j], x[i, j])");
}

}  // namespace
}  // namespace indexical::testing
