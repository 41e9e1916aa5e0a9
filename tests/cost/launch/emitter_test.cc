// Which emitter runs what, and on how many threads. The launches of XLA's own
// tests are in launch_cases_test.
#include "indexical/cost/launch/emitter.h"

#include <string>

#include "gtest/gtest.h"

#include "indexical/cost/launch/launch_plan.h"
#include "indexical/import/hlo/hlo_parser.h"

namespace indexical {
namespace {

/// `emitter BLOCKSxTHREADS`, or `emitter: why nothing is known`.
std::string launchOf(const std::string &body, const std::string &config = "",
                     const char *device = "a6000") {
  const std::string text =
      "HloModule m, is_scheduled=true\n"
      "add { x = f32[] parameter(0)\n"
      "  y = f32[] parameter(1)\n"
      "  ROOT z = f32[] add(x, y) }\n" +
      body;
  auto program = parseHlo(text, "test.hlo");
  EXPECT_TRUE(program.ok()) << program.status().message() << '\n' << text;
  if (!program.ok()) return "";
  Module &module = program->modules[0];
  Computation &entry = module.computations[module.entry];
  if (!config.empty()) entry.instructions[entry.root].backendConfig = config;
  const auto of = FusionBody::of(module, module.entry, entry.root);
  EXPECT_TRUE(of);
  auto plan = planLaunch(*of, *findDevice(device));
  EXPECT_TRUE(plan.ok()) << plan.status().message();
  std::string all = nameOf(plan->emitter).str();
  if (!plan->reason.empty()) return all + ": " + plan->reason;
  all += " " + std::to_string(plan->grid.blocks[0]);
  if (plan->grid.blocks[2] > 1)
    all += "x" + std::to_string(plan->grid.blocks[2]);
  all += "x" + std::to_string(plan->grid.threads[0]);
  return all;
}

std::string alone(const std::string &op, const std::string &parameters) {
  return "ENTRY e {\n" + parameters + "\n ROOT r = " + op + "\n}\n";
}

/// A fusion of one parameter.
std::string fused(const std::string &shape, const std::string &body,
                  const std::string &result) {
  return "f { p = " + shape + " parameter(0)\n zero = f32[] constant(0)\n" +
         body + " }\nENTRY e { p = " + shape +
         " parameter(0)\n ROOT r = " + result +
         " fusion(p), kind=kLoop, calls=f }\n";
}

std::string transposed(const std::string &from, const std::string &to,
                       const std::string &permutation) {
  return launchOf(alone(to + " transpose(p), dimensions={" + permutation + "}",
                        " p = " + from + " parameter(0)"));
}

TEST(Emitters, LoopsHaveVectorsWhereTheDeviceIsFull) {
  const std::string small = " p = f32[1000] parameter(0)";
  EXPECT_EQ(launchOf(alone("f32[1000] negate(p)", small)), "loop 8x128");
  EXPECT_EQ(launchOf(alone("f32[] negate(p)", " p = f32[] parameter(0)")),
            "loop 1x1");
  // 84 cores of 1536 threads.
  EXPECT_EQ(
      launchOf(alone("f32[129024] negate(p)", " p = f32[129024] parameter(0)")),
      "loop 252x128");
  EXPECT_EQ(
      launchOf(alone("f32[129020] negate(p)", " p = f32[129020] parameter(0)")),
      "loop 1008x128");
  EXPECT_EQ(launchOf(alone("s4[1000] negate(p)", " p = s4[1000] parameter(0)")),
            "loop 4x128");
}

TEST(Emitters, WiderVectorsOnBlackwell) {
  const auto negated = [](const std::string &type) {
    return launchOf(alone(type + "[4194304] negate(p)",
                          " p = " + type + "[4194304] parameter(0)"),
                    "", "b200");
  };
  EXPECT_EQ(negated("f32"), "loop 4096x128");
  EXPECT_EQ(negated("bf16"), "loop 2048x128");
  EXPECT_EQ(negated("f64"), "loop 8192x128");
}

TEST(Emitters, TransposesThatPayAreTiled) {
  EXPECT_EQ(transposed("f32[64,96]", "f32[96,64]", "1,0"), "transpose 6x128");
  EXPECT_EQ(transposed("f32[64,15]", "f32[15,64]", "1,0"), "loop 8x128");
  EXPECT_EQ(transposed("f32[8,1024]", "f32[1024,8]", "1,0"),
            "transpose 32x128");
  EXPECT_EQ(transposed("f32[7,1024]", "f32[1024,7]", "1,0"), "loop 56x128");
  EXPECT_EQ(transposed("f16[640,640]", "f16[640,640]", "1,0"),
            "packed_transpose 100x128");
  EXPECT_EQ(transposed("f32[4,8,4,32]", "f32[4,4,8,32]", "0,2,1,3"),
            "loop 32x128");
  EXPECT_EQ(transposed("s8[160,170,3]", "s8[170,160,3]", "1,0,2"),
            "transpose 30x128");
  // Dimensions of one element do not count.
  EXPECT_EQ(transposed("f32[64,1,96]", "f32[96,1,64]", "2,1,0"),
            "transpose 6x128");
  EXPECT_EQ(transposed("f32[64,1,96]", "f32[1,64,96]", "1,0,2"), "loop 48x128");
}

TEST(Emitters, ReductionsOfRowsAndColumns) {
  const auto reduced = [](const std::string &from, const std::string &to,
                          const std::string &dims) {
    return launchOf(
        alone(to + " reduce(p, z), dimensions={" + dims + "}, to_apply=add",
              " p = " + from +
                  " parameter(0)\n z = f32[] "
                  "constant(0)"));
  };
  EXPECT_EQ(reduced("f32[8,2048]", "f32[8]", "1"), "row_reduction 4x256");
  EXPECT_EQ(reduced("f32[1024,4]", "f32[1024]", "1"),
            "multi_row_reduction 16x256");
  EXPECT_EQ(reduced("f32[13,1051,321]", "f32[13,321]", "1"),
            "column_reduction 143x1024");
  EXPECT_EQ(reduced("f32[4096,16]", "f32[16]", "0"),
            "small_column_reduction 1x128");
  EXPECT_EQ(reduced("f32[100,7]", "f32[100]", "1"), "loop 1x100");
  EXPECT_EQ(reduced("f32[16,128]", "f32[128]", "0"), "loop 1x128");
  EXPECT_EQ(reduced("f32[0,8,64]", "f32[8]", "0,2"), "loop 1x8");
  EXPECT_EQ(reduced("f32[1000000]", "f32[]", "0"),
            "row_reduction: XLA splits so large a reduction in two before it "
            "launches it");
}

TEST(Emitters, HeroesStandBehindWhatKeepsPlaces) {
  const std::string sum =
      " r = f32[64] reduce(p, zero), dimensions={1}, to_apply=add\n";
  EXPECT_EQ(launchOf(fused("f32[64,2048]", sum + " ROOT q = f32[64] sqrt(r)",
                           "f32[64]")),
            "row_reduction 32x256");
  // A second operand hides a reduction, and not a transpose.
  EXPECT_EQ(launchOf(fused("f32[64,2048]",
                           sum + " s = f32[64] sqrt(r)\n"
                                 " ROOT q = f32[64] add(r, s)",
                           "f32[64]")),
            "loop 1x64");
  const std::string turned =
      " t = f32[96,64] transpose(p), dimensions={1,0}\n"
      " s = f32[96,64] sqrt(t)\n";
  EXPECT_EQ(
      launchOf(fused("f32[64,96]", turned + " ROOT q = f32[96,64] add(t, s)",
                     "f32[96,64]")),
      "transpose 6x128");
  EXPECT_EQ(launchOf(fused("f32[64,96]",
                           turned + " ROOT q = f32[96,64] reverse(s), "
                                    "dimensions={0}",
                           "f32[96,64]")),
            "loop 48x128");
  // Two roots: one of them beside the transpose.
  EXPECT_EQ(launchOf(fused("f32[64,96]",
                           turned + " n = f32[64,96] negate(p)\n"
                                    " ROOT q = (f32[96,64], f32[64,96]) "
                                    "tuple(s, n)",
                           "(f32[96,64], f32[64,96])")),
            "transpose 6x128");
  EXPECT_EQ(launchOf(fused("f32[64,96]",
                           turned + " n = f32[6144] reshape(t)\n"
                                    " c = f32[96,64] copy(s)\n"
                                    " ROOT q = (f32[96,64], f32[6144]) "
                                    "tuple(c, n)",
                           "(f32[96,64], f32[6144])")),
            "transpose 6x128");
}

TEST(Emitters, ReductionsOfDifferentThingsHaveBlocksOfTheirOwn) {
  EXPECT_EQ(
      launchOf("f { p = f32[64,2048] parameter(0)\n"
               " q = f32[64,2048] parameter(1)\n zero = f32[] constant(0)\n"
               " a = f32[64] reduce(p, zero), dimensions={1}, to_apply=add\n"
               " b = f32[64] reduce(q, zero), dimensions={1}, to_apply=add\n"
               " ROOT t = (f32[64], f32[64]) tuple(a, b) }\n"
               "ENTRY e { p = f32[64,2048] parameter(0)\n"
               " q = f32[64,2048] parameter(1)\n"
               " ROOT r = (f32[64], f32[64]) fusion(p, q), kind=kInput, "
               "calls=f }\n"),
      "row_reduction 32x2x256");
}

TEST(Emitters, UpdatesConcatenatesAndCopies) {
  const std::string updated =
      " u = f32[1,32] slice(p), slice={[0:1], [0:32]}\n i = s32[] "
      "constant(3)\n";
  const std::string start =
      " p = f32[64,32] parameter(0)\n"
      " u = f32[1,32] parameter(1)\n"
      " i = s32[] parameter(2)\n";
  EXPECT_EQ(
      launchOf(alone("f32[64,32] dynamic-update-slice(p, u, i, i)", start)),
      "dynamic_update_slice 1x32");
  // The fusion also reads elements of the operand that it does not update.
  EXPECT_EQ(launchOf(fused("f32[64,32]",
                           updated + " ROOT d = f32[64,32] "
                                     "dynamic-update-slice(p, u, i, i)",
                           "f32[64,32]")),
            "loop 16x128");
  EXPECT_EQ(launchOf(alone("f32[96,32] concatenate(p, q), dimensions={0}",
                           " p = f32[64,32] parameter(0)\n"
                           " q = f32[32,32] parameter(1)\n")),
            "concatenate 16x128");
  EXPECT_EQ(
      launchOf(alone("f32[64,32] copy(p)", " p = f32[64,32] parameter(0)\n")),
      "memcpy: a device-to-device memcpy, not a kernel");
  EXPECT_EQ(launchOf(alone("f32[64,32]{0,1} copy(p)",
                           " p = f32[64,32]{1,0} parameter(0)\n")),
            "loop 16x128");
}

TEST(Emitters, Scatters) {
  const auto scatter = [](const std::string &rows,
                          const std::string &promises = "") {
    return launchOf(alone(
        "f32[100,64] scatter(p, i, u), update_window_dims={1,2}, "
        "inserted_window_dims={}, scatter_dims_to_operand_dims={0}, "
        "index_vector_dim=1, " +
            promises + "to_apply=add",
        " p = f32[100,64] parameter(0)\n i = s32[" + rows +
            ",1] parameter(1)\n u = f32[" + rows + ",1,64] parameter(2)\n"));
  };
  EXPECT_EQ(scatter("336"), "scatter 168x128");
  EXPECT_EQ(scatter("337"), "scatter 169x128");
  EXPECT_EQ(scatter("0"), "scatter: f32[0,1,64] has no element");
  // By indices: sorted, not unique, more than four rows a core. Two rows a
  // warp; of many rows so many as indices are read at once.
  const std::string sorted = "indices_are_sorted=true, ";
  EXPECT_EQ(scatter("336", sorted), "scatter 168x128");
  EXPECT_EQ(scatter("337", sorted), "scatter_by_indices 43x128");
  EXPECT_EQ(scatter("10000", sorted), "scatter_by_indices 79x128");
  EXPECT_EQ(scatter("10000", sorted + "unique_indices=true, "),
            "scatter 1250x128");
  EXPECT_EQ(scatter("10000", "unique_indices=true, "), "scatter 1250x128");
}

TEST(Emitters, TritonTakesTilesFromTheDump) {
  const std::string body =
      fused("f32[100,512]", " ROOT n = f32[100,512] negate(p)", "f32[100,512]");
  EXPECT_EQ(launchOf(body, R"({"fusion_backend_config":{"kind":"__triton",)"
                           R"("block_level_fusion_config":{"output_tiles":)"
                           R"([{"sizes":["8","512"]}],"num_warps":"2"}}})"),
            "triton 13x64");
  EXPECT_EQ(launchOf(body, R"({"fusion_backend_config": {kind: "__triton", )"
                           R"(block_level_fusion_config: {"output_tiles":)"
                           R"([{"sizes":[1, 256]}]}}})"),
            "triton 200x128");
  EXPECT_EQ(launchOf(body, R"({"kind":"__triton_gemm"})"),
            "triton: the dump has no block_level_fusion_config");
  EXPECT_EQ(launchOf(body, R"({"kind":"__cudnn$fusion"})"),
            "library: a library's kernel");
}

TEST(Emitters, WhatIsNoGpusIsNotKnown) {
  EXPECT_EQ(launchOf(alone("f32[64,128]{1,0:T(8,128)} negate(p)",
                           " p = f32[64,128]{1,0:T(8,128)} parameter(0)")),
            "unknown: tiled layouts are no GPU's: f32[64,128]{1,0:T(8,128)}");
  EXPECT_EQ(launchOf(alone("f32[64,32] dot(p, q), lhs_contracting_dims={1}, "
                           "rhs_contracting_dims={0}",
                           " p = f32[64,128] parameter(0)\n"
                           " q = f32[128,32] parameter(1)")),
            "library: a library's kernel");
}

}  // namespace
}  // namespace indexical
