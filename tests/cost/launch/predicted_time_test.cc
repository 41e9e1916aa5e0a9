// Predicted times: some that are computed by hand, and laws that hold of all.
//
// INDEXICAL_SEED: the first instance; INDEXICAL_KERNELS: how many.
#include "indexical/cost/launch/predicted_time.h"

#include <algorithm>
#include <string>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/indexing/map_builder.h"
#include "tests/cost/use/random_fusions.h"
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
    ReuseMeter reuse(device);
    const auto asked = demandOf(module, kernel, traffic, reuse);
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
  EXPECT_NEAR(of.time.memory, 44.027, 0.001);  // 91% of 3350 GB a second
  // 132 cores, 28 bytes a clock, 1830 MHz.
  EXPECT_NEAR(of.time.cache, 19.844, 0.001);
  // The busiest core has 249 of the blocks, 64 bytes a clock.
  EXPECT_NEAR(of.time.cores, 8.708, 0.001);
  // A block starts 1.1 clocks after the one before.
  EXPECT_NEAR(of.time.blocks, 19.697, 0.001);
  // 16 blocks a core at once: 2112, in 16 waves.
  EXPECT_NEAR(of.time.waits, 9.6, 0.001);
  EXPECT_EQ(of.time.limit, TimeLimit::Memory);
  EXPECT_NEAR(of.time.total(), 45.027, 0.001);
}

TEST(PredictedTime, ASmallKernelWaitsOnce) {
  const Predicted of(copyOf("f32[1024]"), h100());
  EXPECT_EQ(of.demand.blocks, 8);
  EXPECT_EQ(of.time.limit, TimeLimit::Waits);
  EXPECT_NEAR(of.time.total(), 1.6, 0.001);
}

// As CUDA's occupancy calculator has them for compute capability 9.0.
TEST(PredictedTime, RegistersAndSharedMemoryLimitTheBlocksOfACore) {
  auto ofACore = [](int64_t threads, const Residency &taken) {
    return blocksAtOnce(threads, h100(), taken) / h100().cores;
  };
  EXPECT_EQ(ofACore(256, {}), 8);
  EXPECT_EQ(ofACore(256, {32}), 8);
  EXPECT_EQ(ofACore(256, {33}), 6);
  EXPECT_EQ(ofACore(256, {64}), 4);
  EXPECT_EQ(ofACore(256, {255}), 1);
  EXPECT_EQ(ofACore(128, {40}), 12);
  EXPECT_EQ(ofACore(96, {64}), 10);
  EXPECT_EQ(ofACore(32, {16}), 32);
  EXPECT_EQ(ofACore(128, {0, 64 << 10}), 3);
  EXPECT_EQ(ofACore(128, {0, 227 << 10}), 1);
  EXPECT_EQ(ofACore(128, {0, INT64_MAX}), 1);
  EXPECT_EQ(ofACore(256, {INT64_MAX}), 1);
  // CUPTI's figure takes precedence. Its percentage is rounded: 3 blocks are
  // 18.75.
  EXPECT_EQ(ofACore(128, {255, 0, 50}), 8);
  EXPECT_EQ(ofACore(128, {0, 0, 19}), 3);
}

// 32768 blocks that wait for memory: 16 on a core at once, or 4.
TEST(PredictedTime, FewerResidentBlocksWaitMoreOften) {
  const Predicted of(copyOf("f32[16777216]"), h100());
  EXPECT_NEAR(predictedTime(of.demand, h100(), {128}).waits, 0.6 * 63, 0.001);
  for (int64_t registers = 1; registers < 512; ++registers)
    EXPECT_LE(predictedTime(of.demand, h100(), {registers}).total(),
              predictedTime(of.demand, h100(), {registers + 1}).total());
}

// 2^25 - 1 elements have no vectors: 262144 blocks for 268 MB.
TEST(PredictedTime, ManySmallBlocksAreBoundByTheirStart) {
  const Predicted of(copyOf("f32[33554431]"), h100());
  EXPECT_EQ(of.demand.blocks, 262144);
  EXPECT_EQ(of.time.limit, TimeLimit::Blocks);
  EXPECT_NEAR(of.time.blocks, 157.573, 0.001);
}

// Each element lies in a piece of 64 bytes of its own.
TEST(PredictedTime, MemoryMovesPiecesOfTwoSectors) {
  const Predicted of(
      "ENTRY e { p = f32[67108864] parameter(0)\n"
      " ROOT r = f32[4194304] slice(p), slice={[0:67108864:16]} }\n",
      h100());
  constexpr double kResult = 4194304;
  EXPECT_EQ(of.demand.memoryBytes, kResult * 64 + kResult * 4);
  EXPECT_EQ(of.demand.coreBytes, kResult * 32 + kResult * 4);
}

// The row is 16 kB: the shared cache keeps it, whatever streams through.
TEST(PredictedTime, ABroadcastRowIsReadOnce) {
  const Predicted of(
      "f { p = f32[8192,4096] parameter(0)\n b = f32[4096] parameter(1)\n"
      " w = f32[8192,4096] broadcast(b), dimensions={1}\n"
      " ROOT r = f32[8192,4096] add(p, w) }\n"
      "ENTRY e { p = f32[8192,4096] parameter(0)\n"
      " b = f32[4096] parameter(1)\n ROOT r = f32[8192,4096] fusion(p, b), "
      "kind=kLoop, calls=f }\n",
      h100());
  constexpr double kArray = 4.0 * 8192 * 4096;
  EXPECT_EQ(of.demand.memoryBytes, 2 * kArray + 4 * 4096);
  EXPECT_EQ(of.demand.cacheBytes, 3 * kArray);
}

TEST(PredictedTime, AConvolutionOfALibraryHasItsOperations) {
  auto program = parseHlo(
      "HloModule m, is_scheduled=true\nENTRY e { x = f32[8,16,16,32] "
      "parameter(0)\n k = f32[3,3,32,64] parameter(1)\n ROOT c = "
      "(f32[8,14,14,64], u8[1024]) custom-call(x, k), window={size=3x3}, "
      "dim_labels=b01f_01io->b01f, custom_call_target=\"__cudnn$convForward\" "
      "}\n");
  ASSERT_TRUE(program.ok()) << program.status();
  const Module &module = program->modules[0];
  const Computation &entry = module.computations[module.entry];
  const Operations of = operationsOf(module, entry.instructions[entry.root]);
  EXPECT_EQ(of.count, 2.0 * 8 * 14 * 14 * 64 * 3 * 3 * 32);
  EXPECT_EQ(of.bits, 32);
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
  // 82% of 494.7 * 10^12 a second.
  EXPECT_NEAR(of.time.operations, 338.8, 0.1);
  EXPECT_NEAR(of.time.memory, 66.0, 0.1);
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

// One lane reads one element of p or of q, so one sector. The 192 values of the
// index are too many to go through, and the bound takes an element to lie in
// two sectors: of p two are moved then, not all 16.
TEST(PredictedTime, AnAccessOfFewLanesMovesNoMoreThanTheyTouch) {
  const std::string text =
      "f { p = f32[128] parameter(0)\n q = f32[64] parameter(1)\n"
      " i = s32[1] parameter(2)\n"
      " c = f32[192] concatenate(p, q), dimensions={0}\n"
      " ROOT g = f32[1] gather(c, i), offset_dims={}, "
      "collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, "
      "slice_sizes={1} }\n"
      "ENTRY e { p = f32[128] parameter(0)\n q = f32[64] parameter(1)\n"
      " i = s32[1] parameter(2)\n"
      " ROOT r = f32[1] fusion(p, q, i), kind=kLoop, calls=f }\n";
  const Predicted of(text, h100());
  ASSERT_EQ(of.traffic.reads.size(), 3u);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(of.traffic.reads[i].figures->sectors, (Figure{0, 2}));
    EXPECT_EQ(of.traffic.reads[i].figures->distinctSectors, (Figure{0, 2}));
  }
  // Neither p nor q is read for certain; i and r move a sector each.
  EXPECT_EQ(of.demand.cacheBytes, (1 + 1) * 32);
  EXPECT_EQ(of.demand.memoryBytes, (1 + 1) * 64);
  EXPECT_TRUE(of.demand.isLeast);
}

constexpr char kTurned[] =
    "ENTRY e { p = f32[8192,8192] parameter(0)\n"
    " ROOT r = f32[8192,8192] transpose(p), dimensions={1,0} }\n";

// Each lane reads a sector of its own. A wave of 2112 blocks has 33 columns, of
// which each row holds 5 sectors; the next wave touches 4 more of each row. All
// waves together read the array once.
TEST(PredictedTime, SectorsThatAWaveTouchesAgainAreKept) {
  const Predicted of(kTurned, h100(), /*isXla=*/false);
  EXPECT_EQ(of.traffic.reads[0].figures->vector, 1);
  constexpr double kArray = 4.0 * 8192 * 8192;
  EXPECT_EQ(of.demand.coreBytes, 9 * kArray);
  EXPECT_EQ(of.demand.cacheBytes, 9 * kArray);
  EXPECT_EQ(of.demand.memoryBytes, 2 * kArray);
  EXPECT_EQ(of.time.limit, TimeLimit::Cache);
  // Requests of one sector: 2^26, and 2^21 of whole lines.
  EXPECT_NEAR(of.time.cache, (67108864 + 2097152) * 56.0 / (28 * 132 * 1830),
              0.1);
  // With a cache of 1 MB they do not; with one that holds all nothing is read
  // twice.
  Device small = h100(), large = h100();
  small.cacheBytes = 1 << 20;
  large.cacheBytes = int64_t{1} << 30;
  EXPECT_EQ(Predicted(kTurned, small, false).demand.memoryBytes, 17 * kArray);
  EXPECT_EQ(Predicted(kTurned, large, false).demand.memoryBytes, 2 * kArray);
}

// A thread that walks along a row of its own, four elements at once, touches
// each sector twice: 32 values of the loop, a line of each row, fit into the
// core's share for one block.
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
  ReuseMeter reuse(h100());
  const auto demand = demandOf(program->modules[0], *kernel, traffic, reuse);
  ASSERT_TRUE(demand.has_value());
  constexpr double kArray = 4.0 * 262144 * 1024;
  EXPECT_EQ(demand->coreBytes, 2 * 2 * kArray);
  EXPECT_EQ(demand->cacheBytes, (1 + 2) * kArray);  // writes go through
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

// A thread goes through 16 of 1024 elements of a row; the row's factor is one
// element, which it needs once.
TEST(PredictedTime, AReadThatALoopRepeatsIsMadeOnce) {
  const Predicted of(
      "HloModule m, is_scheduled=true\n"
      "add { x = f32[] parameter(0)\n y = f32[] parameter(1)\n"
      " ROOT a = f32[] add(x, y) }\n"
      "f { p = f32[8192,1024] parameter(0)\n q = f32[8192] parameter(1)\n"
      " z = f32[] constant(0)\n"
      " b = f32[8192,1024] broadcast(q), dimensions={0}\n"
      " m = f32[8192,1024] multiply(p, b)\n"
      " ROOT r = f32[8192] reduce(m, z), dimensions={1}, to_apply=add }\n"
      "ENTRY e { p = f32[8192,1024] parameter(0)\n"
      " q = f32[8192] parameter(1)\n"
      " ROOT k = f32[8192] fusion(p, q), kind=kInput, calls=f }\n",
      h100(), /*isXla=*/true);
  ASSERT_EQ(of.traffic.reads.size(), 2u);
  const AccessFigures &row = *of.traffic.reads[0].figures;
  const AccessFigures &factor = *of.traffic.reads[1].figures;
  EXPECT_EQ(row.repeats, 1);
  const IndexingMap &threads =
      of.traffic.threads[of.traffic.reads[1].access.launch];
  int64_t iterations = 1;
  for (const Variable &loop : threads.ranges())
    iterations *= loop.bounds.count();
  EXPECT_GT(iterations, 1);
  EXPECT_EQ(factor.repeats, iterations);
  const auto warps = static_cast<double>(of.demand.blocks) *
                     static_cast<double>(of.demand.threads) / 32;
  EXPECT_DOUBLE_EQ(of.demand.reads,
                   static_cast<double>(row.accesses.most) / warps + 1);
}

// 1024 rows of 4 kB are added to an array of as many: each is read and written.
// Rows that take the place of others are written only.
TEST(PredictedTime, WhatAScatterAddsToIsRead) {
  auto demandOf = [](const std::string &combiner) {
    const std::string text =
        "combine { x = f32[] parameter(0)\n" + combiner + " }\n" +
        "ENTRY e { p = f32[1024,1024] parameter(0)\n"
        " i = s32[1024,1] parameter(1)\n"
        " u = f32[1024,1,1024] parameter(2)\n"
        " ROOT s = f32[1024,1024] scatter(p, i, u), update_window_dims={1,2},"
        " inserted_window_dims={}, scatter_dims_to_operand_dims={0},"
        " index_vector_dim=1, to_apply=combine }\n";
    return Predicted(text, h100()).demand;
  };
  const Demand added =
      demandOf(" y = f32[] parameter(1)\n ROOT a = f32[] add(x, y)");
  const Demand written = demandOf(" ROOT y = f32[] parameter(1)");
  EXPECT_EQ(added.writtenBytes, 4194304);
  EXPECT_EQ(written.writtenBytes, 4194304);
  EXPECT_EQ(written.memoryBytes, 2 * 4194304 + 4096);
  EXPECT_EQ(added.memoryBytes, 3 * 4194304 + 4096);
}

//===-- Laws --------------------------------------------------------------===//

Demand randomDemand(Random &random) {
  Demand demand;
  demand.blocks = random.oneIn(4) ? 0 : random.in(1, 1 << random.in(0, 20));
  demand.threads = 32 * random.in(1, 32);
  demand.memoryBytes = static_cast<double>(random.in(0, 1 << random.in(0, 30)));
  demand.cacheBytes =
      demand.memoryBytes + static_cast<double>(random.in(0, 1 << 20));
  demand.coreBytes =
      demand.cacheBytes + static_cast<double>(random.in(0, 1 << 20));
  demand.cacheLines =
      demand.cacheBytes / static_cast<double>(random.in(32, 128));
  demand.coreLines = demand.coreBytes / static_cast<double>(random.in(32, 128));
  demand.reads = static_cast<double>(random.in(0, 1 << random.in(0, 12)));
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
    switch (random.in(0, 7)) {
      case 0:
        more.memoryBytes *= 1.5;
        break;
      case 1:
        more.cacheBytes *= 1.5;
        break;
      case 2:
        more.operations.count *= 1.5;
        break;
      case 3:
        more.cacheLines *= 1.5;
        break;
      case 4:
        more.coreBytes *= 1.5;
        break;
      case 5:
        more.coreLines *= 1.5;
        break;
      case 6:
        more.reads *= 1.5;
        break;
      default:  // more blocks of the same kind
        if (demand.blocks == 0) break;
        const int64_t blocks = demand.blocks + random.in(1, demand.blocks);
        const double times = static_cast<double>(blocks) / demand.blocks;
        more.blocks = blocks;
        more.memoryBytes *= times;
        more.cacheBytes *= times;
        more.coreBytes *= times;
        more.coreLines *= times;
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

/// Checks the prediction against bounds from the figures of the kernel's
/// accesses.
void checkBounds(const Predicted &of, const Device &device) {
  double all = 0, allPieces = 0, distinctMost = 0;
  for (const auto *accesses : {&of.traffic.reads, &of.traffic.writes})
    for (const Traffic &traffic : *accesses) {
      const auto bytes = [&](int64_t sectors) {
        return static_cast<double>(sectors * device.sector);
      };
      const bool isMeasured = traffic.figures.has_value();
      const double made =
          isMeasured && accesses == &of.traffic.reads
              ? 1 / static_cast<double>(traffic.figures->repeats)
              : 1;
      // Of bounds what is certain counts, and no sector twice unless it is
      // known.
      const LeastFigures least =
          isMeasured ? traffic.figures->least() : LeastFigures();
      const int64_t distinct =
          isMeasured
              ? std::min(traffic.figures->distinctSectors.most, least.sectors)
              : 0;
      all += isMeasured ? bytes(least.sectors) * made
                        : static_cast<double>(traffic.bytes);
      // Memory moves two sectors where one is touched.
      allPieces += isMeasured ? 64.0 * static_cast<double>(least.sectors)
                              : static_cast<double>(traffic.bytes);
      distinctMost = std::max(
          distinctMost,
          isMeasured ? bytes(distinct) : static_cast<double>(traffic.bytes));
    }
  EXPECT_DOUBLE_EQ(of.demand.coreBytes, all);
  EXPECT_LE(of.demand.cacheBytes, all * (1 + 1e-12));
  EXPECT_GE(of.demand.cacheBytes, distinctMost);
  EXPECT_LE(of.demand.memoryBytes, allPieces);
  EXPECT_GE(of.demand.memoryBytes, distinctMost);
  const PredictedTime &time = of.time;
  EXPECT_GE(time.total(), time.launch + distinctMost / device.gigabytes / 1e3);
  EXPECT_LE(time.total(), time.launch + time.memory + time.cache + time.cores +
                              time.blocks + time.waits + time.operations);
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
