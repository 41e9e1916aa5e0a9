// Predicted times: some that are computed by hand, and laws that hold of all.
//
// INDEXICAL_SEED: the first instance; INDEXICAL_KERNELS: how many.
#include "indexical/analysis/launch/predicted_time.h"

#include <algorithm>
#include <string>

#include "gtest/gtest.h"

#include "indexical/hlo/hlo_parser.h"
#include "indexical/indexing/map_builder.h"
#include "tests/analysis/random_fusions.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

struct Predicted {
  /// The last kernel of a module.
  Predicted(const std::string &text, const Device &device, bool isXla = true) {
    auto program = parseHlo(text, "test.hlo");
    EXPECT_TRUE(program.ok()) << program.status().message() << '\n' << text;
    if (!program.ok()) return;
    const Module &module = program->modules[0];
    ProgramIndexing maps(module);
    LaunchChoice choice;
    if (isXla) choice.xla = &device;
    const auto sites = kernelSites(module);
    auto found = kernelAt(maps, sites.back(), choice);
    EXPECT_TRUE(found.ok()) << found.status().message();
    if (!found.ok()) return;
    kernel = *std::move(found);
    traffic = TrafficMeter(device).measure(kernel);
    const auto asked = demandOf(module, kernel, traffic, device);
    isKnown = asked.has_value();
    if (!isKnown) return;
    demand = *asked;
    time = predictedTime(demand, device);
  }

  Kernel kernel;
  KernelTraffic traffic;
  bool isKnown = false;
  Demand demand;
  PredictedTime time;
};

const Device &h100() { return *findDevice("h100"); }

std::string copyOf(const std::string &shape) {
  return "ENTRY e { p = " + shape + " parameter(0)\n ROOT r = " + shape +
         " negate(p) }\n";
}

//===-- By hand -----------------------------------------------------------===//

TEST(PredictedTime, ACopyIsBoundByMemory) {
  const Predicted of(copyOf("f32[16777216]"), h100());
  EXPECT_EQ(of.demand.blocks, 32768);  // 128 threads, vectors of 4
  EXPECT_EQ(of.demand.threads, 128);
  EXPECT_EQ(of.demand.memoryBytes, 134217728);
  EXPECT_EQ(of.demand.cacheBytes, 134217728);
  EXPECT_NEAR(of.time.memory, 40.065, 0.001);  // at 3350 GB a second
  // 132 cores, 32 bytes a clock, 1830 MHz.
  EXPECT_NEAR(of.time.cache, 17.363, 0.001);
  // The busiest core has 249 of the blocks, 64 bytes a clock.
  EXPECT_NEAR(of.time.cores, 8.708, 0.001);
  // 16 blocks a core at once: 2112, in 16 waves.
  EXPECT_NEAR(of.time.waves, 11.2, 0.001);
  EXPECT_EQ(of.time.limit, TimeLimit::Memory);
  EXPECT_NEAR(of.time.total(), 42.065, 0.001);
}

TEST(PredictedTime, ASmallKernelIsItsLaunch) {
  const Predicted of(copyOf("f32[1024]"), h100());
  EXPECT_EQ(of.demand.blocks, 8);
  EXPECT_EQ(of.time.limit, TimeLimit::Waves);
  EXPECT_NEAR(of.time.total(), 2.7, 0.001);
}

TEST(PredictedTime, AProductIsBoundByItsOperations) {
  const Predicted of(
      "ENTRY e { a = f32[4096,4096] parameter(0)\n"
      " b = f32[4096,4096] parameter(1)\n"
      " ROOT r = f32[4096,4096] dot(a, b), lhs_contracting_dims={1}, "
      "rhs_contracting_dims={0} }\n",
      h100());
  EXPECT_EQ(of.demand.operations.count, 2.0 * 4096 * 4096 * 4096);
  EXPECT_EQ(of.demand.operations.bits, 32);
  EXPECT_EQ(of.demand.memoryBytes, 3.0 * 4096 * 4096 * 4);
  EXPECT_NEAR(of.time.operations, 277.8, 0.1);  // 494.7 * 10^12 a second
  EXPECT_NEAR(of.time.memory, 60.1, 0.1);
  EXPECT_EQ(of.time.limit, TimeLimit::Operations);
}

TEST(PredictedTime, ConvolutionsAndCallsHaveOperations) {
  // 8 * 30 * 30 * 32 results, each of 3 * 3 * 16 products.
  const Predicted convolution(
      "ENTRY e { a = bf16[8,32,32,16] parameter(0)\n"
      " b = bf16[3,3,16,32] parameter(1)\n"
      " ROOT r = bf16[8,30,30,32] convolution(a, b), window={size=3x3}, "
      "dim_labels=b01f_01io->b01f }\n",
      h100());
  EXPECT_EQ(convolution.demand.operations.count,
            2.0 * 8 * 30 * 30 * 32 * 3 * 3 * 16);
  EXPECT_EQ(convolution.demand.operations.bits, 16);
  const Predicted call(
      "ENTRY e { a = f16[64,128] parameter(0)\n b = f16[128,32] parameter(1)\n"
      " ROOT r = f16[64,32] custom-call(a, b), "
      "custom_call_target=\"__cublas$gemm\", "
      "backend_config={\"gemm_backend_config\":{\"dot_dimension_numbers\":"
      "{\"lhs_contracting_dimensions\":[\"1\"]}}} }\n",
      h100());
  EXPECT_EQ(call.demand.operations.count, 2.0 * 64 * 32 * 128);
  EXPECT_EQ(call.demand.memoryBytes, 2 * (64 * 128 + 128 * 32 + 64 * 32));
}

constexpr char kTurned[] =
    "ENTRY e { p = f32[8192,8192] parameter(0)\n"
    " ROOT r = f32[8192,8192] transpose(p), dimensions={1,0} }\n";

// Each lane reads a sector of its own. A wave of 2112 blocks has 132 columns,
// of which each row holds 17 sectors at least: they fit into half of the cache.
TEST(PredictedTime, SectorsThatAWaveTouchesAgainAreKept) {
  const Predicted of(kTurned, h100(), /*isXla=*/false);
  EXPECT_EQ(of.traffic.reads[0].figures->vector, 1);
  constexpr double kArray = 4.0 * 8192 * 8192;
  EXPECT_EQ(of.demand.cacheBytes, 9 * kArray);
  EXPECT_EQ(of.demand.memoryBytes, kArray + 63.0 * 8192 * 17 * 32);
  EXPECT_EQ(of.time.limit, TimeLimit::Cache);
  EXPECT_NEAR(of.time.cache, 312.5, 0.1);
  // With a cache of 1 MB they do not; with one that holds all nothing is read
  // twice.
  Device small = h100(), large = h100();
  small.cacheBytes = 1 << 20;
  large.cacheBytes = int64_t{1} << 30;
  EXPECT_EQ(Predicted(kTurned, small, false).demand.memoryBytes, 9 * kArray);
  EXPECT_EQ(Predicted(kTurned, large, false).demand.memoryBytes, 2 * kArray);
}

// A thread that walks along a row of its own, four elements at once, touches
// each sector twice: 16 values of the loop, two sectors a row, fit into half of
// the cache.
TEST(PredictedTime, SectorsThatALoopTouchesAgainAreKept) {
  const std::string text =
      "ENTRY e { p = f32[262144,1024] parameter(0)\n"
      " ROOT n = f32[262144,1024] negate(p) }\n";
  auto program = parseHlo(text, "test.hlo");
  ASSERT_TRUE(program.ok());
  ProgramIndexing maps(program->modules[0]);
  IndexingMapBuilder b;
  const char *names[] = {"th_x", "th_y", "th_z", "bl_x", "bl_y", "bl_z"};
  const int64_t counts[] = {256, 1, 1, 1024, 1, 1};
  Expr ids[6];
  for (int i = 0; i < 6; ++i)
    ids[i] = b.dimension({0, counts[i] - 1}, names[i]);
  const Expr s = b.range({0, 1023}, "s0");
  b.result(ids[3] * 256 + ids[0]);
  b.result(s);
  auto threads = b.build();
  ASSERT_TRUE(threads.ok());
  LaunchChoice choice;
  choice.threads = *threads;
  auto kernel = kernelAt(maps, kernelSites(program->modules[0]).back(), choice);
  ASSERT_TRUE(kernel.ok()) << kernel.status().message();
  const KernelTraffic traffic = TrafficMeter(h100()).measure(*kernel);
  const auto demand = demandOf(program->modules[0], *kernel, traffic, h100());
  ASSERT_TRUE(demand.has_value());
  constexpr double kArray = 4.0 * 262144 * 1024;
  EXPECT_EQ(demand->cacheBytes, 2 * 2 * kArray);
  EXPECT_EQ(demand->memoryBytes, 2 * kArray);
}

TEST(PredictedTime, WhatRunsElsewhereHasNone) {
  EXPECT_FALSE(Predicted("ENTRY e { p = f32[8,128]{1,0:T(8,128)} parameter(0)\n"
                         " ROOT r = f32[8,128]{1,0:T(8,128)} negate(p) }\n",
                         h100())
                   .isKnown);
  EXPECT_FALSE(Predicted("add { x = f32[] parameter(0)\n y = f32[] "
                         "parameter(1)\n ROOT z = f32[] add(x, y) }\n"
                         "ENTRY e { p = f32[64] parameter(0)\n ROOT r = "
                         "f32[64] all-reduce(p), replica_groups={{0,1}}, "
                         "to_apply=add }\n",
                         h100())
                   .isKnown);
}

//===-- Laws --------------------------------------------------------------===//

Demand randomDemand(Random &random) {
  Demand demand;
  demand.blocks = random.oneIn(4) ? 0 : random.in(1, 1 << random.in(0, 20));
  demand.threads = 32 * random.in(1, 32);
  demand.memoryBytes = static_cast<double>(random.in(0, 1 << random.in(0, 30)));
  demand.cacheBytes =
      demand.memoryBytes + static_cast<double>(random.in(0, 1 << 20));
  if (random.oneIn(3))
    demand.operations = {static_cast<double>(random.in(0, 1 << 30)),
                         int64_t{8} << random.in(0, 3)};
  return demand;
}

TEST(PredictedTime, MoreNeverTakesLess) {
  const uint64_t seeds = fromEnvironment("INDEXICAL_KERNELS", 300) * 20;
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  for (uint64_t seed = first; seed < first + seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Demand demand = randomDemand(random);
    const Device &device = devices()[random.in(0, devices().size() - 1)];
    const double time = predictedTime(demand, device).total();
    Demand more = demand;
    switch (random.in(0, 3)) {
      case 0:
        more.memoryBytes *= 1.5;
        break;
      case 1:
        more.cacheBytes *= 1.5;
        break;
      case 2:
        more.operations.count *= 1.5;
        break;
      default:  // more blocks of the same kind
        if (demand.blocks == 0) break;
        const int64_t blocks = demand.blocks + random.in(1, demand.blocks);
        const double times = static_cast<double>(blocks) / demand.blocks;
        more.blocks = blocks;
        more.memoryBytes *= times;
        more.cacheBytes *= times;
    }
    EXPECT_GE(predictedTime(more, device).total(), time * (1 - 1e-12));
    Device faster = device;
    switch (random.in(0, 3)) {
      case 0:
        faster.gigabytes *= 2;
        break;
      case 1:
        faster.cores *= 2;
        break;
      case 2:
        faster.megahertz *= 2;
        break;
      default:
        faster.coreThreads *= 2;
    }
    EXPECT_LE(predictedTime(demand, faster).total(), time * (1 + 1e-12));
    if (HasFailure()) return;
  }
}

/// What the figures of the kernel's accesses allow.
void checkBounds(const Predicted &of, const Device &device) {
  double all = 0, distinctMost = 0;
  for (const auto *accesses : {&of.traffic.reads, &of.traffic.writes})
    for (const Traffic &traffic : *accesses) {
      const auto bytes = [&](int64_t sectors) {
        return static_cast<double>(sectors * device.sector);
      };
      const bool isMeasured = traffic.figures.has_value();
      all += isMeasured ? bytes(traffic.figures->sectors.most)
                        : static_cast<double>(traffic.bytes);
      distinctMost =
          std::max(distinctMost,
                   isMeasured ? bytes(traffic.figures->distinctSectors.most)
                              : static_cast<double>(traffic.bytes));
    }
  EXPECT_EQ(of.demand.cacheBytes, all);
  EXPECT_LE(of.demand.memoryBytes, all);
  EXPECT_GE(of.demand.memoryBytes, distinctMost);
  const PredictedTime &time = of.time;
  EXPECT_GE(time.total(), time.launch + distinctMost / device.gigabytes / 1e3);
  EXPECT_LE(time.total(), time.launch + time.memory + time.cache + time.cores +
                              time.waves + time.operations);
}

TEST(PredictedTime, IsWithinWhatIsTouched) {
  const uint64_t seeds = fromEnvironment("INDEXICAL_KERNELS", 300);
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  FusionOptions options;
  options.mostElements = 4096;
  uint64_t known = 0, windows = 0;
  for (uint64_t seed = first; seed < first + seeds; ++seed) {
    Random random(seed);
    const std::string text = calledFusion(random, options);
    SCOPED_TRACE("seed " + std::to_string(seed) + '\n' + text);
    Device device = devices()[random.in(0, devices().size() - 1)];
    const bool isXla = random.oneIn(2);
    const Predicted of(text, device, isXla);
    if (!of.isKnown) continue;
    ++known;
    checkBounds(of, device);
    // The less the cache holds, the more is read again.
    device.cacheBytes = random.in(0, 1 << random.in(0, 12));
    const Predicted again(text, device, isXla);
    checkBounds(again, device);
    EXPECT_GE(again.demand.memoryBytes, of.demand.memoryBytes);
    windows += again.demand.memoryBytes > of.demand.memoryBytes;
    if (HasFailure()) return;
  }
  EXPECT_GT(known, seeds / 2);
  EXPECT_GT(windows, seeds / 20);
}

}  // namespace
}  // namespace indexical::testing
