// The bytes that a kernel needs and the time that its device needs for them.
//
// INDEXICAL_SEED: the first instance; INDEXICAL_KERNELS: how many.
#include "indexical/cost/launch/ideal_time.h"

#include <string>

#include "gtest/gtest.h"

#include "indexical/cost/launch/kernels.h"
#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/indexing/map_builder.h"
#include "tests/cost/use/random_fusions.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

struct Needed {
  Needed(const std::string &text, const Device &device) {
    auto program = parseHlo(text, "test.hlo");
    EXPECT_TRUE(program.ok()) << program.status().message() << '\n' << text;
    if (!program.ok()) return;
    const Module &module = program->modules[0];
    ProgramIndexing maps(module);
    LaunchChoice choice;
    choice.xla = &device;
    auto kernel = kernelAt(maps, kernelSites(module).back(), choice);
    EXPECT_TRUE(kernel.ok()) << kernel.status().message();
    if (!kernel.ok()) return;
    const KernelTraffic traffic = TrafficMeter(device).measure(*kernel);
    const Computation &computation = module.computations[kernel->computation];
    bytes = neededBytes(
        *kernel, traffic, device,
        firstOperandLeaves(computation,
                           computation.instructions[kernel->instruction]));
    for (const ArrayShape &shape : kernel->buffers) arrays += bytesOf(shape);
    for (const auto *accesses : {&traffic.reads, &traffic.writes})
      for (const Traffic &of : *accesses)
        moved +=
            of.figures ? of.figures->sectors.most * device.sector : of.bytes;
    time =
        idealTime(bytes,
                  operationsOf(module, module.computations[kernel->computation]
                                           .instructions[kernel->instruction]),
                  device);
  }
  int64_t bytes = 0, arrays = 0, moved = 0;
  double time = 0;
};

const Device &h100() { return *findDevice("h100"); }

TEST(IdealTime, ATransposeMovesItsArraysOnce) {
  const Needed of(
      "ENTRY e { p = f32[4096,4096] parameter(0)\n"
      "  ROOT r = f32[4096,4096]{1,0} transpose(p), dimensions={1,0} }\n",
      h100());
  EXPECT_EQ(of.bytes, 2 * 67108864);
  EXPECT_NEAR(of.time, 40.065, 0.001);  // 134.2 MB at 3350 GB a second
}

TEST(IdealTime, AnArrayThatIsGivenTwiceMovesOnce) {
  const Needed of(
      "ENTRY e { p = f32[1024,1024] parameter(0)\n"
      "  ROOT r = f32[1024,1024] add(p, p) }\n",
      h100());
  EXPECT_EQ(of.bytes, 2 * 4194304);
  const Needed other(
      "ENTRY e { p = f32[1024,1024] parameter(0)\n"
      "  q = f32[1024,1024] parameter(1)\n"
      "  ROOT r = f32[1024,1024] add(p, q) }\n",
      h100());
  EXPECT_EQ(other.bytes, 3 * 4194304);
}

TEST(IdealTime, AHalfReadTwiceFromOneArray) {
  const Needed of(
      "f { a = f32[1024] parameter(0)\n  b = f32[1024] parameter(1)\n"
      "  s = f32[512] slice(a), slice={[0:512]}\n"
      "  t = f32[512] slice(b), slice={[512:1024]}\n"
      "  ROOT r = f32[512] add(s, t) }\n"
      "ENTRY e { p = f32[1024] parameter(0)\n"
      "  ROOT r = f32[512] fusion(p, p), kind=kLoop, calls=f }\n",
      h100());
  EXPECT_EQ(of.bytes, 4096 + 2048);
}

TEST(IdealTime, ASliceNeedsWhatItTakes) {
  const Needed of(
      "ENTRY e { p = f32[1024,1024] parameter(0)\n"
      "  ROOT r = f32[8,1024] slice(p), slice={[16:24], [0:1024]} }\n",
      h100());
  EXPECT_EQ(of.bytes, 2 * 32768);
}

TEST(IdealTime, AnArrayThatIsReadTwiceCountsOnce) {
  const Needed of(
      "f { p = f32[1024,1024] parameter(0)\n"
      "  t = f32[1024,1024]{1,0} transpose(p), dimensions={1,0}\n"
      "  ROOT r = f32[1024,1024]{1,0} add(p, t) }\n"
      "ENTRY e { p = f32[1024,1024] parameter(0)\n"
      "  ROOT r = f32[1024,1024] fusion(p), kind=kInput, calls=f }\n",
      h100());
  EXPECT_EQ(of.bytes, 2 * 4194304);
}

TEST(IdealTime, AProductIsBoundByItsOperations) {
  const Needed of(
      "ENTRY e { a = bf16[8192,8192] parameter(0)\n"
      "  b = bf16[8192,8192] parameter(1)\n"
      "  ROOT r = bf16[8192,8192] dot(a, b), lhs_contracting_dims={1}, "
      "rhs_contracting_dims={0} }\n",
      h100());
  // 2 * 8192^3 operations at 989.4 TFLOP/s.
  EXPECT_NEAR(of.time, 2.0 * 8192 * 8192 * 8192 / 989.4e12 * 1e6, 0.01);
}

TEST(IdealTime, NoMoreThanArraysHaveAndThanMoves) {
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  const uint64_t count = fromEnvironment("INDEXICAL_KERNELS", 60);
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    const std::string text = calledFusion(random, {});
    const Needed of(text, h100());
    EXPECT_LE(of.bytes, of.arrays) << "seed " << seed << '\n' << text;
    EXPECT_LE(of.bytes, of.moved) << "seed " << seed << '\n' << text;
    EXPECT_GE(of.bytes, 0);
  }
}

TEST(IdealTime, MoreTakesNoLessAndAFasterDeviceNoMore) {
  Device fast = h100();
  fast.gigabytes *= 2;
  fast.products.bits16 *= 2;
  Random random(fromEnvironment("INDEXICAL_SEED", 1));
  for (int i = 0; i < 2000; ++i) {
    const int64_t bytes = random.in(0, int64_t{1} << 40);
    const Operations operations{
        static_cast<double>(random.in(0, 1) * random.in(0, int64_t{1} << 50)),
        16};
    const double time = idealTime(bytes, operations, h100());
    EXPECT_GE(idealTime(bytes * 2, operations, h100()), time);
    EXPECT_GE(idealTime(bytes, {operations.count * 2, 16}, h100()), time);
    EXPECT_LE(idealTime(bytes, operations, fast), time);
  }
  EXPECT_EQ(idealTime(0, {}, h100()), 0);
}

}  // namespace
}  // namespace indexical::testing
