// Custom calls whose targets are known read what the ops read that they stand
// for; those that are not as such calls are stay opaque.
#include "indexical/program/module/library_calls.h"

#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "tests/support/program_reads.h"
#include "tests/support/relation_points.h"

namespace indexical::testing {
namespace {

std::string entry(const std::string &body) {
  return "HloModule m\nENTRY e {\n" + body + "\n}";
}

std::string gemmOf(const std::string &result, const std::string &operands,
                   const std::string &target, const std::string &numbers,
                   const std::string &more = "") {
  return "  r = " + result + " custom-call(" + operands +
         "), custom_call_target=\"" + target +
         "\", backend_config={\"gemm_backend_config\":{\"alpha_real\":1" +
         more + ",\"dot_dimension_numbers\":{" + numbers + "}}}";
}

TEST(LibraryCallsTest, ProductsReadAsDots) {
  const std::string parameters =
      "  x = bf16[2,5,3] parameter(0)\n  w = bf16[2,4,3] parameter(1)\n";
  const std::string dot =
      entry(parameters +
            "  ROOT r = bf16[2,5,4] dot(x, w), lhs_batch_dims={0}, "
            "rhs_batch_dims={0}, lhs_contracting_dims={2}, "
            "rhs_contracting_dims={2}");
  const std::string numbers =
      "\"lhs_contracting_dimensions\":[\"2\"],"
      "\"rhs_contracting_dimensions\":[\"2\"],"
      "\"lhs_batch_dimensions\":[\"0\"],\"rhs_batch_dimensions\":[\"0\"]";
  const std::string gemm =
      entry(parameters +
            gemmOf("(bf16[2,5,4], s8[400])", "x, w", "__cublas$gemm", numbers) +
            "\n  ROOT g = bf16[2,5,4] get-tuple-element(r), index=0");
  for (int32_t p : {0, 1})
    for (Direction direction : {kReads, kUsers})
      EXPECT_EQ(reads(gemm, p, 0, direction), reads(dot, p, 0, direction));
  // Older texts have numbers, in an object of their own, in a string.
  const std::string older = entry(
      parameters +
      "  ROOT r = bf16[2,5,4] custom-call(x, w), custom_call_target="
      "\"__cublas$gemm\", backend_config=\"{\\\"alpha_real\\\":1,"
      "\\\"dot_dimension_numbers\\\":{\\\"lhs_contracting_dimensions\\\":[2],"
      "\\\"rhs_contracting_dimensions\\\":[2],"
      "\\\"lhs_batch_dimensions\\\":[0],\\\"rhs_batch_dimensions\\\":[0]}}\"");
  EXPECT_EQ(reads(older), reads(dot));
  // The workspace.
  const std::string bytes =
      entry(parameters +
            gemmOf("(bf16[2,5,4], s8[400])", "x, w", "__cublas$gemm", numbers) +
            "\n  ROOT g = s8[400] get-tuple-element(r), index=1");
  EXPECT_EQ(reads(bytes), "exact:");
  // Numbers that contract 3 with 4.
  const std::string wrong =
      entry(parameters + "  ROOT " +
            gemmOf("bf16[2,5,4]", "x, w", "__cublas$gemm",
                   "\"lhs_contracting_dimensions\":[2],"
                   "\"rhs_contracting_dimensions\":[1],"
                   "\"lhs_batch_dimensions\":[0],\"rhs_batch_dimensions\":[0]")
                .substr(2));
  EXPECT_EQ(reads(wrong).substr(0, 7), "opaque:");
}

TEST(LibraryCallsTest, BiasesAndScales) {
  auto call = [](const std::string &target, int32_t parameter) {
    const std::string text = entry(
        "  x = f32[5,3] parameter(0)\n  w = f32[3,4] parameter(1)\n"
        "  c = f32[5,4] parameter(2)\n  b = f32[4] parameter(3)\n"
        "  s = f32[] parameter(4)\n  ROOT " +
        gemmOf("f32[5,4]", "x, w, c, b, s", target,
               "\"lhs_contracting_dimensions\":[1],"
               "\"rhs_contracting_dimensions\":[0]",
               ",\"beta\":1,\"epilogue\":\"BIAS_RELU\"")
            .substr(2));
    return reads(text, parameter);
  };
  const std::string target = "__cublas$lt$matmul";
  const std::string domain = ", domain: d0 in [0, 4], d1 in [0, 3]";
  EXPECT_EQ(call(target, 0),
            "exact:\n  (d0, d1)[s0] -> (d0, s0)" + domain + ", s0 in [0, 2]");
  EXPECT_EQ(call(target, 2), "exact:\n  (d0, d1) -> (d0, d1)" + domain);
  EXPECT_EQ(call(target, 3), "exact:\n  (d0, d1) -> (d1)" + domain);
  EXPECT_EQ(call(target, 4), "exact:\n  (d0, d1) -> ()" + domain);
  EXPECT_EQ(call("__cublas$unheard", 3).substr(0, 7), "opaque:");
}

TEST(LibraryCallsTest, Annotations) {
  auto call = [](const std::string &target, const std::string &shape) {
    return reads(entry("  p = f32[4,8] parameter(0)\n  ROOT r = " + shape +
                       " custom-call(p), custom_call_target=\"" + target +
                       "\""));
  };
  const std::string same =
      "exact:\n  (d0, d1) -> (d0, d1), domain: d0 in [0, 3], d1 in [0, 7]";
  for (const char *target : {"Sharding", "SPMDFullToShardShape", "MoveToHost",
                             "annotate_device_placement"})
    EXPECT_EQ(call(target, "f32[4,8]"), same) << target;
  EXPECT_EQ(call("SPMDFullToShardShape", "f32[2,8]").substr(0, 7), "opaque:");
}

TEST(LibraryCallsTest, Algorithms) {
  auto call = [](const std::string &result, const std::string &root,
                 const std::string &target, const std::string &more) {
    return reads(entry("  p = f32[2,4,4] parameter(0)\n  r = " + result +
                       " custom-call(p), custom_call_target=\"" + target +
                       "\"" + more + "\n  ROOT g = " + root +
                       " get-tuple-element(r), index=0"));
  };
  const std::string cholesky = entry(
      "  p = f32[2,4,4] parameter(0)\n"
      "  ROOT r = f32[2,4,4] cholesky(p), lower=true");
  EXPECT_EQ(call("(f32[2,4,4], s8[100], s32[2])", "f32[2,4,4]",
                 "__cusolver$cholesky", ", backend_config={\"lower\":true}"),
            reads(cholesky));
  EXPECT_EQ(call("(f32[2,4,3], s32[2,4,3])", "f32[2,4,3]", "mhlo.topk", ""),
            "exact:\n  (d0, d1, d2)[s0] -> (d0, d1, s0), domain: d0 in [0, 1], "
            "d1 in [0, 3], d2 in [0, 2], s0 in [0, 3]");
}

/// Expects leaf 0 of the call's result to read the same as the op that the call
/// stands for.
void expectAlike(const std::string &parameters, const std::string &op,
                 const std::string &call, int32_t operands) {
  for (int32_t p = 0; p < operands; ++p)
    for (Direction direction : {kReads, kUsers})
      EXPECT_EQ(reads(entry(parameters + call), p, 0, direction),
                reads(entry(parameters + op), p, 0, direction))
          << call << "\noperand " << p;
}

TEST(LibraryCallsTest, ConvolutionsOfCudnn) {
  const std::string parameters =
      "  x = f32[2,9,8,6] parameter(0)\n  w = f32[3,2,3,4] parameter(1)\n";
  const std::string attributes =
      ", window={size=3x2 stride=2x1 pad=1_1x0_1 rhs_dilate=1x2}, "
      "dim_labels=b01f_01io->b01f, feature_group_count=2";
  const std::string out = "f32[2,5,7,4]";
  expectAlike(
      parameters, "  ROOT r = " + out + " convolution(x, w)" + attributes,
      "  c = (" + out + ", u8[100]) custom-call(x, w)" + attributes +
          ", custom_call_target=\"__cudnn$convForward\"\n  ROOT r = " + out +
          " get-tuple-element(c), index=0",
      2);
  const std::string call =
      parameters +
      "  b = f32[4] parameter(2)\n  s = f32[2,5,7,4] parameter(3)\n"
      "  ROOT r = " +
      out + " custom-call(x, w, b, s)" + attributes +
      ", custom_call_target=\"__cudnn$convBiasActivationForward\"";
  EXPECT_NE(reads(entry(call), 2).find("(d0, d1, d2, d3) -> (d3)"),
            std::string::npos);
  EXPECT_NE(reads(entry(call), 3).find("-> (d0, d1, d2, d3)"),
            std::string::npos);
  // Labels that are none, and a window of another rank.
  for (const char *wrong : {"dim_labels=b01f_01io->b01g, window={size=3x2}",
                            "dim_labels=b01f_01io->b01f, window={size=3}"})
    EXPECT_EQ(
        reads(entry(parameters + "  ROOT r = " + out + " custom-call(x, w), " +
                    wrong + ", custom_call_target=\"__cudnn$convForward\""))
            .substr(0, 7),
        "opaque:");
}

/// A convolution in one spatial dimension: sizes, and who reads whom.
struct Gradient {
  int64_t batch = 2, size = 7, groups = 2, inputs = 2, outputs = 3, window = 3;
  int64_t stride = 2, low = 1, high = 1, dilation = 1;
  bool reversed = false;

  int64_t places() const {
    return (size + low + high - (window - 1) * dilation - 1) / stride + 1;
  }
  std::string shape(char array) const {
    const std::vector<int64_t> sizes = sizesOf(array);
    return "f32[" + std::to_string(sizes[0]) + "," + std::to_string(sizes[1]) +
           "," + std::to_string(sizes[2]) + "]";
  }
  std::vector<int64_t> sizesOf(char array) const {
    if (array == 'x') return {batch, size, groups * inputs};
    if (array == 'w') return {window, inputs, groups * outputs};
    return {batch, places(), groups * outputs};
  }
  /// Each element of the one array with those of the other that meet it in a
  /// product of the convolution.
  std::vector<PointPair> pairs(char from, char to) const {
    std::set<PointPair> met;
    for (int64_t b = 0; b < batch; ++b)
      for (int64_t g = 0; g < groups; ++g)
        for (int64_t i = 0; i < inputs; ++i)
          for (int64_t o = 0; o < outputs; ++o)
            for (int64_t y = 0; y < places(); ++y)
              for (int64_t w = 0; w < window; ++w) {
                const int64_t x = y * stride + w * dilation - low;
                if (x < 0 || x >= size) continue;
                auto at = [&](char array) {
                  const auto n = sizesOf(array);
                  if (array == 'x')
                    return (b * n[1] + x) * n[2] + g * inputs + i;
                  if (array == 'w')
                    return ((reversed ? window - 1 - w : w) * n[1] + i) * n[2] +
                           g * outputs + o;
                  return (b * n[1] + y) * n[2] + g * outputs + o;
                };
                met.insert({at(from), at(to)});
              }
    return {met.begin(), met.end()};
  }
};

TEST(LibraryCallsTest, GradientsOfConvolutions) {
  for (int64_t stride : {1, 2, 3})
    for (int64_t dilation : {1, 2})
      for (int64_t low : {0, 2})
        for (int each = 0; each < 4; ++each) {
          const bool ofInput = each % 2;
          Gradient g;
          g.stride = stride, g.dilation = dilation, g.low = low;
          g.reversed = each / 2;
          const char made = ofInput ? 'x' : 'w';
          const char arrays[] = {ofInput ? 'y' : 'x', ofInput ? 'w' : 'y'};
          const std::string text =
              entry("  a = " + g.shape(arrays[0]) +
                    " parameter(0)\n  b = " + g.shape(arrays[1]) +
                    " parameter(1)\n  c = (" + g.shape(made) +
                    ", u8[0]) custom-call(a, b), window={size=3 stride=" +
                    std::to_string(stride) + " pad=" + std::to_string(low) +
                    "_1 rhs_dilate=" + std::to_string(dilation) +
                    (g.reversed ? " rhs_reversal=1" : "") +
                    "}, dim_labels=b0f_0io->b0f, feature_group_count=2, "
                    "custom_call_target=\"__cudnn$convBackward" +
                    (ofInput ? "Input" : "Filter") + "\"\n  ROOT r = " +
                    g.shape(made) + " get-tuple-element(c), index=0");
          SCOPED_TRACE(text);
          const Program program = parsed(text);
          ProgramIndexing maps(program.modules[0]);
          for (int k : {0, 1})
            for (Direction way : {kReads, kUsers}) {
              const char from = way == kReads ? made : arrays[k];
              const char to = way == kReads ? arrays[k] : made;
              auto relation = maps.computation(ComputationId(0), LeafId(0),
                                               ParameterLeaf{k}, way);
              ASSERT_TRUE(relation.ok()) << relation.status();
              EXPECT_EQ(relation->precision(), Precision::Exact);
              const OperandValues none;
              auto points = pointsOf(*relation, g.sizesOf(from), g.sizesOf(to),
                                     RuntimeTensors{{}, none});
              ASSERT_TRUE(points.ok()) << points.status();
              EXPECT_EQ(points->pairs, g.pairs(from, to)) << textOf(*relation);
            }
        }
}

// Labels with three spatial dimensions for arrays with two, and unknown sizes,
// give no maps of a convolution, and no crash.
TEST(LibraryCallsTest, ConvolutionsThatDoNotFit) {
  auto call = [](const std::string &x, const std::string &w,
                 const std::string &r, const std::string &target,
                 const std::string &attributes) {
    return reads(entry("  a = " + x + " parameter(0)\n  b = " + w +
                       " parameter(1)\n  c = (" + r +
                       ", u8[0]) custom-call(a, b), " + attributes +
                       ", custom_call_target=\"__cudnn$conv" + target +
                       "\"\n  ROOT r = " + r +
                       " get-tuple-element(c), index=0"))
        .substr(0, 6);
  };
  const std::string labels =
      "dim_labels=b012f_012io->b012f, window={size=1x1x1}";
  const std::string x = "f32[2,3,3,4]", w = "f32[1,1,4,5]", y = "f32[2,3,3,5]";
  EXPECT_EQ(call(x, w, y, "Forward", labels), "opaque");
  EXPECT_EQ(reads(entry("  a = " + x + " parameter(0)\n  b = " + w +
                        " parameter(1)\n  v = f32[5] parameter(2)\n"
                        "  ROOT r = " +
                        y + " custom-call(a, b, v), " + labels +
                        ", custom_call_target=\"__cudnn$convForward\""))
                .substr(0, 6),
            "opaque");
  EXPECT_EQ(call(y, w, x, "BackwardInput", labels), "opaque");
  EXPECT_EQ(call(x, y, w, "BackwardFilter", labels), "opaque");
  const std::string plain = "dim_labels=b0f_0io->b0f, window={size=3}";
  EXPECT_EQ(call("f32[2,5,4]", "f32[3,4,5]", "f32[2,3,5]", "Forward", plain),
            "exact:");
  EXPECT_EQ(
      call("f32[2,3,5]", "f32[3,4,5]", "f32[2,5,4]", "BackwardInput", plain),
      "exact:");
  for (const char *open : {"f32[?,3,5]", "f32[<=2,3,5]", "f32[2,?,5]"})
    EXPECT_EQ(call(open, "f32[3,4,5]", "f32[2,5,4]", "BackwardInput", plain),
              "opaque")
        << open;
  EXPECT_EQ(
      call("f32[2,?,4]", "f32[2,3,5]", "f32[3,4,5]", "BackwardFilter", plain),
      "opaque");
}

TEST(LibraryCallsTest, GraphsOfConvolutions) {
  const std::string call =
      "  x = f32[2,5,7,3] parameter(0)\n  w = f32[3,2,3,4] parameter(1)\n"
      "  s = f32[] parameter(2)\n"
      "  c = (f32[2,3,6,4], f32[], u8[0]) custom-call(x, w, s), "
      "dim_labels=b01f_01io->b01f, window={size=3x2}, "
      "custom_call_target=\"__cudnn$convForwardGraph\"\n";
  EXPECT_EQ(reads(entry(call + "  ROOT r = f32[2,3,6,4] "
                               "get-tuple-element(c), index=0"),
                  2),
            "exact:\n  (d0, d1, d2, d3) -> (), domain: d0 in [0, 1], "
            "d1 in [0, 2], d2 in [0, 5], d3 in [0, 3]");
  EXPECT_EQ(
      reads(entry(call + "  ROOT r = f32[] get-tuple-element(c), index=1"), 2),
      "exact:\n  () -> ()");
}

TEST(LibraryCallsTest, ElementByElement) {
  EXPECT_EQ(reads(entry("  x = f32[2,5] parameter(0)\n  ROOT r = f32[2,5] "
                        "custom-call(x), custom_call_target=\"mhlo.erf\"")),
            "exact:\n  (d0, d1) -> (d0, d1), domain: d0 in [0, 1], "
            "d1 in [0, 4]");
  EXPECT_EQ(reads(entry("  x = f32[2,5] parameter(0)\n  ROOT r = f32[5,2] "
                        "custom-call(x), custom_call_target=\"mhlo.erf\""))
                .substr(0, 7),
            "opaque:");
}

// Every result reads every operand at the same index.
TEST(LibraryCallsTest, ElementByElementOfSeveral) {
  const std::string same = "exact:\n  (d0) -> (d0), domain: d0 in [0, 6]";
  for (const char *target : {"chlo.next_after", "chlo.zeta"})
    for (int32_t p : {0, 1})
      EXPECT_EQ(reads(entry("  x = f32[7] parameter(0)\n  y = f32[7] "
                            "parameter(1)\n  ROOT r = f32[7] custom-call(x, "
                            "y), custom_call_target=\"" +
                            std::string(target) + "\""),
                      p),
                same)
          << target;
  for (int32_t p : {0, 1, 2, 3})
    EXPECT_EQ(
        reads(entry("  a = u32[7] parameter(0)\n  b = u32[7] parameter(1)\n"
                    "  c = u32[7] parameter(2)\n  d = u32[7] parameter(3)\n"
                    "  r = (u32[7], u32[7]) custom-call(a, b, c, d), "
                    "custom_call_target=\"cu_threefry2x32_ffi\"\n  ROOT g = "
                    "u32[7] get-tuple-element(r), index=1"),
              p),
        same);
  // One of another size, and one that takes a single operand.
  for (const char *call :
       {"custom-call(x, y), custom_call_target=\"chlo.zeta\"",
        "custom-call(x, x), custom_call_target=\"chlo.erf\""})
    EXPECT_EQ(reads(entry("  x = f32[7] parameter(0)\n  y = f32[6] "
                          "parameter(1)\n  ROOT r = f32[7] " +
                          std::string(call)))
                  .substr(0, 7),
              "opaque:");
}

TEST(LibraryCallsTest, RowsOfBatches) {
  EXPECT_EQ(reads(entry("  x = s32[2,3] parameter(0)\n  ROOT r = s32[2,5] "
                        "custom-call(x), custom_call_target="
                        "\"cu_lu_pivots_to_permutation\"")),
            "cover:\n  (d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 1], "
            "d1 in [0, 4], s0 in [0, 2]");
}

TEST(LibraryCallsTest, Normalisations) {
  const std::string parameters =
      "  x = f32[2,5,3] parameter(0)\n  s = f32[5] parameter(1)\n"
      "  o = f32[5] parameter(2)\n  m = f32[5] parameter(3)\n"
      "  v = f32[5] parameter(4)\n  e = f32[] constant(0.1)\n"
      "  f = s64[] constant(1)\n";
  expectAlike(parameters,
              "  ROOT r = f32[2,5,3] batch-norm-inference(x, s, o, m, v), "
              "epsilon=0.1, feature_index=1",
              "  ROOT r = f32[2,5,3] custom-call(x, s, o, m, v, e, f), "
              "custom_call_target="
              "\"__cudnn$batchNormalizationForwardInference\"",
              5);
}

TEST(LibraryCallsTest, Solvers) {
  const std::string parameters =
      "  a = f64[2,4,4] parameter(0)\n  b = f64[2,4,3] parameter(1)\n";
  const std::string solve =
      "  ROOT r = f64[2,4,3] triangular-solve(a, b), left_side=true, "
      "lower=false, unit_diagonal=true, transpose_a=TRANSPOSE";
  expectAlike(parameters, solve,
              "  ROOT r = f64[2,4,3] custom-call(a, b), custom_call_target="
              "\"lapack_dtrsm_ffi\", backend_config={diag = 85 : ui8, side = "
              "76 : ui8, trans_x = 84 : ui8, uplo = 85 : ui8}",
              2);
  expectAlike(parameters, solve,
              "  c = (f64[2,4,3], s8[64]) custom-call(a, b), "
              "custom_call_target=\"__cublas$triangularSolve\", "
              "backend_config={\"triangular_solve_options\":{\"left_side\":"
              "true,\"lower\":false,\"unit_diagonal\":true,\"transpose_a\":"
              "\"TRANSPOSE\"}}\n"
              "  ROOT r = f64[2,4,3] get-tuple-element(c), index=0",
              2);
  // A letter that is none.
  EXPECT_EQ(reads(entry(parameters +
                        "  ROOT r = f64[2,4,3] custom-call(a, b), "
                        "custom_call_target=\"lapack_dtrsm_ffi\", "
                        "backend_config={diag = 1 : ui8, side = 76 : ui8, "
                        "trans_x = 84 : ui8, uplo = 85 : ui8}"))
                .substr(0, 7),
            "opaque:");
  EXPECT_EQ(reads(entry("  a = f64[2,4,4] parameter(0)\n"
                        "  c = (f64[2,4,4], f64[2,4]) custom-call(a), "
                        "custom_call_target=\"lapack_dgeqrf_ffi\"\n"
                        "  ROOT r = f64[2,4] get-tuple-element(c), index=1")),
            "cover:\n  (d0, d1)[s0, s1] -> (d0, s0, s1), domain: d0 in [0, 1], "
            "d1 in [0, 3], s0 in [0, 3], s1 in [0, 3]");
}

TEST(LibraryCallsTest, Sorts) {
  const std::string parameters =
      "  k = u32[2,5] parameter(0)\n  v = f32[2,5] parameter(1)\n";
  const std::string call =
      "  c = (u32[2,5], f32[2,5], u8[99]) custom-call(k, v), "
      "custom_call_target=\"__cub$DeviceRadixSort\"\n";
  const std::string all =
      "exact:\n  (d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 1], d1 in [0, 4], "
      "s0 in [0, 4]";
  auto leaf = [&](const std::string &type, int index, int32_t parameter) {
    return reads(entry(parameters + call + "  ROOT r = " + type +
                       " get-tuple-element(c), index=" + std::to_string(index)),
                 parameter);
  };
  EXPECT_EQ(leaf("u32[2,5]", 0, 0), all);
  EXPECT_EQ(leaf("u32[2,5]", 0, 1), "exact:");
  EXPECT_EQ(leaf("f32[2,5]", 1, 0), all);
  EXPECT_EQ(leaf("f32[2,5]", 1, 1), all);
  EXPECT_EQ(leaf("u8[99]", 2, 0), "exact:");
}

}  // namespace
}  // namespace indexical::testing
