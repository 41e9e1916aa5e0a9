// Where laws and clamps end: floats that are no real numbers, and indices that
// are above every bound.
#include <string>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/same/partitioned/partitioned_equality.h"
#include "tests/same/partitioned/runs/compare_runs.h"

namespace indexical {
namespace {

/// Returns the answer for two entries of the same parameters on two devices.
std::string answerOf(const std::string &global, const std::string &local) {
  const std::string text[] = {global, local};
  absl::StatusOr<Program> programs[] = {absl::UnknownError(""),
                                        absl::UnknownError("")};
  for (int side : {0, 1}) {
    programs[side] = parseHlo(
        "HloModule m, num_partitions=2\nENTRY e {\n x = f32[4] parameter(0), "
        "sharding={replicated}\n" +
        text[side] + ", sharding={replicated}\n}\n");
    EXPECT_TRUE(programs[side].ok()) << programs[side].status() << text[side];
    if (!programs[side].ok()) return "";
  }
  auto equality = comparePartitioned(*programs[0], *programs[1]);
  EXPECT_TRUE(equality.ok()) << equality.status();
  if (!equality.ok()) return "";
  auto runs = compareByRuns(*programs[0], *programs[1]);
  EXPECT_TRUE(runs.ok()) << runs.status();
  if (runs.ok() && runs->verdict.answer != Verdict::Undecided &&
      equality->verdict.answer != Verdict::Undecided) {
    EXPECT_EQ(runs->verdict.answer, equality->verdict.answer)
        << global << local;
  }
  return equality->verdict.answer == Verdict::Same        ? "equal"
         : equality->verdict.answer == Verdict::Different ? "different"
                                                          : "undecided";
}

/// Instructions that end with c, a f32[4] that is infinite, no number, or zero.
const char *const kNoNumbers[] = {
    "z = f32[4] broadcast(f32[] constant(0)), dimensions={}\n c = f32[4] "
    "log(z)",
    "z = f32[4] broadcast(f32[] constant(-1)), dimensions={}\n c = f32[4] "
    "log(z)",
    "z = f32[4] broadcast(f32[] constant(-1)), dimensions={}\n c = f32[4] "
    "sqrt(z)",
    "z = f32[4] broadcast(f32[] constant(0)), dimensions={}\n c = f32[4] "
    "rsqrt(z)",
    "z = f32[4] broadcast(f32[] constant(1000)), dimensions={}\n c = f32[4] "
    "exponential(z)",
    "z = f32[4] broadcast(f32[] constant(1000)), dimensions={}\n c = f32[4] "
    "power(z, z)",
    "y = f32[4] broadcast(f32[] constant(1)), dimensions={}\n z = f32[4] "
    "broadcast(f32[] constant(0)), dimensions={}\n c = f32[4] remainder(y, z)",
    "z = u32[4] broadcast(u32[] constant(2143289344)), dimensions={}\n c = "
    "f32[4] bitcast-convert(z)",
    "z = f64[4] broadcast(f64[] constant(1e300)), dimensions={}\n c = f32[4] "
    "convert(z)",
    "z = f32[4] broadcast(f32[] constant(1e30)), dimensions={}\n h = f16[4] "
    "convert(z)\n c = f32[4] convert(h)",
    "z = f32[4] broadcast(f32[] constant(1e30)), dimensions={}\n c = f32[4] "
    "reduce-precision(z), exponent_bits=5, mantissa_bits=10",
    "c = f32[4] log(x)",
    "c = f32[4] sqrt(x)",
    "l = f32[4] log(x)\n c = f32[4] tanh(l)",
};

TEST(PartitionedDomainsTest, WhatIsNoRealNumberDoesNotCancel) {
  const std::string zero =
      " k = f32[] constant(0)\n ROOT r = f32[4] broadcast(k), dimensions={}";
  const std::string kept = "ROOT r = f32[4] copy(x)";
  for (std::string c : kNoNumbers) {
    SCOPED_TRACE(c);
    // Literals stand in instructions of their own.
    for (size_t at;
         (at = c.find("broadcast(f32[] constant(")) != std::string::npos ||
         (at = c.find("broadcast(u32[] constant(")) != std::string::npos ||
         (at = c.find("broadcast(f64[] constant(")) != std::string::npos;) {
      const size_t end = c.find("))", at);
      const std::string literal = c.substr(at + 10, end + 1 - at - 10);
      const std::string name = "k" + std::to_string(at);
      c = c.substr(0, at) + "broadcast(" + name + c.substr(end + 1);
      c = name + " = " + literal + "\n " + c;
    }
    const std::string body = " " + c + "\n ";
    const std::string n = body +
                          "n = f32[] constant(0)\n b = f32[4] broadcast(n), "
                          "dimensions={}\n ";
    EXPECT_NE(answerOf(body + "d = f32[4] subtract(c, c)\n ROOT r = f32[4] "
                              "add(x, d)",
                       kept),
              "equal");
    EXPECT_NE(answerOf(body + "d = f32[4] negate(c)\n e = f32[4] add(c, d)\n "
                              "ROOT r = f32[4] add(x, e)",
                       kept),
              "equal");
    EXPECT_NE(answerOf(n + "d = f32[4] multiply(c, b)\n ROOT r = f32[4] "
                           "add(x, d)",
                       kept),
              "equal");
    EXPECT_NE(answerOf(body + "ROOT r = f32[4] subtract(c, c)", zero), "equal");
    EXPECT_NE(answerOf(body + "d = f32[4] multiply(x, c)\n ROOT r = f32[4] "
                              "divide(d, c)",
                       kept),
              "equal");
    // Sums and products may be in any order, if the sign of a zero decides
    // nothing: 0 may be -0 there.
    if (c.find("rsqrt(") != std::string::npos) continue;
    // Nor if the constant is a number that is computed: twice infinity is
    // infinity, which x + c + c does not show.
    if (c.find("constant(1e300)") != std::string::npos) continue;
    EXPECT_EQ(answerOf(body + "d = f32[4] add(x, c)\n ROOT r = f32[4] "
                              "add(d, c)",
                       body + "d = f32[4] add(c, c)\n ROOT r = f32[4] "
                              "add(d, x)"),
              "equal");
    EXPECT_EQ(answerOf(body + "d = f32[4] multiply(x, c)\n ROOT r = f32[4] "
                              "multiply(d, c)",
                       body + "d = f32[4] multiply(c, c)\n ROOT r = f32[4] "
                              "multiply(d, x)"),
              "equal");
  }
}

TEST(PartitionedDomainsTest, OnlyConstantsThatAreNotZeroDivide) {
  const auto divided = [](const std::string &c) {
    return answerOf(" " + c +
                        "\n d = f32[4] multiply(x, c)\n ROOT r = f32[4] "
                        "divide(d, c)",
                    "ROOT r = f32[4] copy(x)");
  };
  const std::string k = "k = f32[] constant(";
  const std::string all = ")\n b = f32[4] broadcast(k), dimensions={}\n ";
  EXPECT_EQ(divided(k + "4" + all + "c = f32[4] copy(b)"), "equal");
  EXPECT_EQ(divided(k + "-4" + all + "c = f32[4] copy(b)"), "equal");
  EXPECT_EQ(divided(k + "4" + all + "c = f32[4] sqrt(b)"), "equal");
  EXPECT_NE(divided(k + "0" + all + "c = f32[4] sine(b)"), "equal");
  EXPECT_NE(divided(k + "0" + all + "c = f32[4] maximum(x, b)"), "equal");
  EXPECT_NE(divided("c = f32[4] copy(x)"), "equal");
  EXPECT_NE(divided("i = s32[4] iota(), iota_dimension=0\n c = f32[4] "
                    "convert(i)"),
            "equal");
}

TEST(PartitionedDomainsTest, LargeUnsignedIndicesAreAboveEveryBound) {
  const auto slice = [](const char *from) {
    return std::string("ROOT r = f32[1] slice(x), slice={[") + from + "]}";
  };
  const std::string large[] = {"9223372036854775808", "18446744073709551615"};
  for (const std::string &value : large) {
    const std::string dynamic =
        " i = u64[] constant(" + value +
        ")\n ROOT r = f32[1] dynamic-slice(x, i), dynamic_slice_sizes={1}";
    EXPECT_EQ(answerOf(slice("0:1"), dynamic), "different");
    EXPECT_EQ(answerOf(slice("3:4"), dynamic), "equal");
    const std::string gather =
        " i = u64[1] constant({" + value +
        "})\n ROOT r = f32[1] gather(x, i), offset_dims={0}, "
        "collapsed_slice_dims={}, start_index_map={0}, index_vector_dim=0, "
        "slice_sizes={1}";
    EXPECT_EQ(answerOf(slice("0:1"), gather), "different");
    EXPECT_EQ(answerOf(slice("3:4"), gather), "equal");
    const std::string table =
        " t = u64[2] constant({" + value + ", " + value +
        "})\n p = u32[] partition-id()\n d = u64[1] dynamic-slice(t, p), "
        "dynamic_slice_sizes={1}\n i = u64[] reshape(d)\n ROOT r = f32[1] "
        "dynamic-slice(x, i), dynamic_slice_sizes={1}";
    EXPECT_EQ(answerOf(slice("0:1"), table), "different");
    EXPECT_EQ(answerOf(slice("3:4"), table), "equal");
    const std::string update =
        " u = f32[1] constant({7})\n i = u64[] constant(" + value +
        ")\n ROOT r = f32[4] dynamic-update-slice(x, u, i)";
    const auto joined = [](const char *at) {
      return std::string(" u = f32[1] constant({7})\n i = s32[] constant(") +
             at + ")\n ROOT r = f32[4] dynamic-update-slice(x, u, i)";
    };
    EXPECT_EQ(answerOf(joined("3"), update), "equal");
    EXPECT_EQ(answerOf(joined("0"), update), "different");
  }
}

}  // namespace
}  // namespace indexical
