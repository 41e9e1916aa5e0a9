// Values that both modules compute are compared on the way to a result: the
// answer names the instruction at which the partitioned module parts from the
// whole one.
#include <string>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/same/partitioned/partitioned_equality.h"

namespace indexical {
namespace {

constexpr char kWhole[] = R"(HloModule m
ENTRY e {
  a = f32[2,4] parameter(0), sharding={devices=[1,2]<=[2]}
  b = f32[4,2] parameter(1), sharding={devices=[2,1]<=[2]}
  t = f32[2,4] tanh(a)
  d = f32[2,2] dot(t, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT r = f32[2,2] add(d, d), sharding={replicated}
})";

/// The partitioned module, with `rest` behind the sum `s` over both devices.
std::string partOf(const std::string &rest, const std::string &before = "") {
  return R"(HloModule m, num_partitions=2
add {
  u = f32[] parameter(0)
  v = f32[] parameter(1)
  ROOT w = f32[] add(u, v)
}
)" + before +
         R"(ENTRY e_spmd {
  a = f32[2,2] parameter(0)
  b = f32[2,2] parameter(1)
  t = f32[2,2] tanh(a)
  d = f32[2,2] dot(t, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  s = f32[2,2] all-reduce(d), channel_id=1, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=add
)" + rest +
         "}\n";
}

PartitionedResult compared(const std::string &local) {
  auto a = parseHlo(kWhole), b = parseHlo(local);
  EXPECT_TRUE(a.ok()) << a.status();
  EXPECT_TRUE(b.ok()) << b.status() << local;
  if (!a.ok() || !b.ok()) return {};
  auto equality = comparePartitioned(*a, *b);
  EXPECT_TRUE(equality.ok()) << equality.status();
  return equality.ok() ? equality->results[0] : PartitionedResult();
}

TEST(ValuesOnTheWayTest, AnEqualResultHasNone) {
  const PartitionedResult result =
      compared(partOf("  ROOT r = f32[2,2] add(s, s)\n"));
  EXPECT_EQ(result.verdict.answer, Verdict::Same);
  EXPECT_FALSE(result.because);
}

TEST(ValuesOnTheWayTest, PartsOfSumsAreMadeUpFor) {
  // `d` is a value of the partitioned module alone, and its sum is one of both.
  const PartitionedResult result =
      compared(partOf("  ROOT r = f32[2,2] multiply(s, s)\n"));
  EXPECT_NE(result.verdict.answer, Verdict::Same);
  ASSERT_TRUE(result.because);
  EXPECT_EQ(result.because->instruction, "r");
  EXPECT_EQ(result.because->module, 1);
}

TEST(ValuesOnTheWayTest, WhatFollowsFromAnotherValueIsNotNamed) {
  const PartitionedResult result =
      compared(partOf("  m = f32[2,2] subtract(s, t)\n"
                      "  n = f32[2,2] negate(m)\n"
                      "  ROOT r = f32[2,2] add(n, n)\n"));
  ASSERT_TRUE(result.because);
  EXPECT_EQ(result.because->instruction, "m");
}

TEST(ValuesOnTheWayTest, TheSameReadsInAnotherOrder) {
  // Both products read all that the whole one reads; the columns of `t` meet
  // rows of `b` that are not theirs.
  std::string local = partOf("  ROOT r = f32[2,2] add(s, s)\n");
  local.replace(local.find("tanh(a)"), 7,
                "reverse(h), dimensions={1}\n  h = f32[2,2] tanh(a)");
  const PartitionedResult result = compared(local);
  EXPECT_EQ(result.verdict.answer, Verdict::Different);
  ASSERT_TRUE(result.verdict.witness);
  EXPECT_FALSE(result.verdict.witness->array);
  ASSERT_TRUE(result.because);
  EXPECT_EQ(result.because->instruction, "d");
}

TEST(ValuesOnTheWayTest, AFusionPartsInside) {
  const PartitionedResult result = compared(
      partOf("  ROOT r = f32[2,2] fusion(s), kind=kLoop, calls=fused\n",
             "fused {\n  p = f32[2,2] parameter(0)\n"
             "  m = f32[2,2] multiply(p, p)\n"
             "  ROOT n = f32[2,2] add(m, p)\n}\n"));
  ASSERT_TRUE(result.because);
  EXPECT_EQ(result.because->computation, "fused");
  EXPECT_EQ(result.because->instruction, "m");
}

}  // namespace
}  // namespace indexical
