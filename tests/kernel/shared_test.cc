// Shared memory: where elements lie, and which lanes wait for each other. The
// oracle serves one word of each bank in a step, and counts steps.

#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "indexical/analysis/kernel/shared_conflicts.h"
#include "indexical/kernel/layout/layouts.h"
#include "indexical/kernel/layout/shared_layout.h"
#include "indexical/kernel/triton/read.h"

namespace indexical::kernels {
namespace {

constexpr uint32_t kSeed = 4648;

SharedAccess accessOf(llvm::ArrayRef<int64_t> shape, int64_t bits,
                      const BlockedParameters &blocked,
                      const SharedParameters &parameters) {
  SharedAccess access;
  access.elementBits = bits;
  access.tile.assign(shape.begin(), shape.end());
  auto layout = blockedLayout(shape, blocked);
  auto memory = SharedLayout::of(shape, parameters);
  EXPECT_TRUE(layout.ok()) << layout.status();
  EXPECT_TRUE(memory.ok()) << memory.status();
  access.layout = *layout;
  access.memory = *memory;
  return access;
}

/// A column of a tile of 32 x 32 words a warp.
SharedFigures columns(const SharedParameters &memory) {
  const auto figures = sharedFigures(
      accessOf({32, 32}, 32, {{1, 1}, {32, 1}, {1, 4}, {0, 1}}, memory));
  EXPECT_TRUE(figures);
  return figures.value_or(SharedFigures());
}

TEST(SharedConflicts, OfColumns) {
  EXPECT_EQ(columns({{1, 0}, 1, 1, 1, {}}).conflicts, 32);
  EXPECT_EQ(columns({{1, 0}, 1, 1, 32, {}}).conflicts, 1);
  EXPECT_EQ(columns({{1, 0}, 1, 1, 8, {}}).conflicts, 4);
  EXPECT_EQ(columns({{1, 0}, 1, 1, 1, {{32, 1}}}).conflicts, 1);
  EXPECT_EQ(columns({{0, 1}, 1, 1, 1, {}}).conflicts, 1);
}

// Four words a lane are served by eight lanes at once.
TEST(SharedConflicts, OfVectors) {
  const auto figures = sharedFigures(accessOf(
      {32, 32}, 32, {{1, 4}, {4, 8}, {4, 1}, {1, 0}}, {{1, 0}, 1, 1, 1, {}}));
  ASSERT_TRUE(figures);
  EXPECT_EQ(figures->vector, 4);
  EXPECT_EQ(figures->conflicts, 1);
}

TEST(SharedLayout, IsOneToOne) {
  std::mt19937 random(kSeed);
  auto power = [&](int most) { return int64_t{1} << (random() % (most + 1)); };
  for (int round = 0; round < 500; ++round) {
    const llvm::SmallVector<int64_t, 4> shape = {power(3), power(4), power(2)};
    SharedParameters parameters;
    parameters.order = {2, 1, 0};
    std::shuffle(parameters.order.begin(), parameters.order.end(), random);
    parameters.vec = power(3);
    parameters.perPhase = power(2);
    parameters.maxPhase = power(4);
    if (random() % 2) parameters.gaps.push_back({power(5), power(3)});
    const auto layout = SharedLayout::of(shape, parameters);
    ASSERT_TRUE(layout.ok());
    std::set<int64_t> places;
    for (int64_t i = 0; i < shape[0]; ++i)
      for (int64_t j = 0; j < shape[1]; ++j)
        for (int64_t k = 0; k < shape[2]; ++k) {
          const int64_t place = layout->offsetOf({i, j, k});
          EXPECT_GE(place, 0);
          EXPECT_LT(place, layout->size());
          EXPECT_TRUE(places.insert(place).second);
        }
  }
}

TEST(SharedLayout, RefusesWhatIsNone) {
  EXPECT_FALSE(SharedLayout::of({8, 8}, {{1, 1}, 1, 1, 1, {}}).ok());
  EXPECT_FALSE(SharedLayout::of({8, 8}, {{1, 0}, 3, 1, 1, {}}).ok());
  EXPECT_FALSE(SharedLayout::of({8, 8}, {{1, 0}, 1, 0, 1, {}}).ok());
  EXPECT_FALSE(SharedLayout::of({8, 8}, {{1, 0}, 1, 1, 1, {{0, 1}}}).ok());
  EXPECT_FALSE(
      SharedLayout::of({int64_t{1} << 62, 8}, {{1, 0}, 1, 1, 1, {}}).ok());
}

/// Steps that the lanes of one request take.
int64_t steps(std::vector<std::set<int64_t>> wanted) {
  std::set<int64_t> all;
  for (const auto &lane : wanted) all.insert(lane.begin(), lane.end());
  int64_t count = 0;
  while (!all.empty()) {
    std::map<int64_t, int64_t> served;
    for (int64_t word : all) served.insert({word % 32, word});
    for (const auto &[bank, word] : served) all.erase(word);
    ++count;
  }
  return std::max<int64_t>(1, count);
}

TEST(SharedConflicts, AreTheStepsOfASimulator) {
  std::mt19937 random(kSeed + 1);
  auto power = [&](int most) { return int64_t{1} << (random() % (most + 1)); };
  std::set<int64_t> seen;
  for (int round = 0; round < 300; ++round) {
    const llvm::SmallVector<int64_t, 4> shape = {power(5), power(6)};
    BlockedParameters blocked;
    blocked.order = random() % 2 ? Coordinates{0, 1} : Coordinates{1, 0};
    blocked.sizePerThread = {power(1), power(2)};
    const int64_t lanes = power(5), warps = power(1);
    blocked.threadsPerWarp = {lanes, 32 / lanes};
    blocked.warpsPerCta = {warps, 2 / warps};
    SharedParameters memory;
    memory.order = random() % 2 ? Coordinates{0, 1} : Coordinates{1, 0};
    memory.vec = power(3);
    memory.perPhase = power(2);
    memory.maxPhase = power(3);
    const int64_t bytes = power(3);
    const SharedAccess access = accessOf(shape, bytes * 8, blocked, memory);
    const auto figures = sharedFigures(access);
    ASSERT_TRUE(figures);
    // The vector is a row of each thread, and the next larger one is none.
    const TileLayout layout = access.layout->withoutEqualRegisters();
    const int64_t registers = int64_t{1} << layout.registerBits();
    const int64_t taken = figures->vector * bytes;
    const int64_t together = taken <= 4 ? 32 : 128 / taken;
    int64_t most = 1;
    for (int64_t warp = 0; warp < 2; ++warp)
      for (int64_t reg = 0; reg < registers; reg += figures->vector)
        for (int64_t first = 0; first < 32; first += together) {
          std::vector<std::set<int64_t>> wanted;
          for (int64_t lane = first; lane < first + together; ++lane) {
            std::set<int64_t> words;
            for (int64_t v = 0; v < figures->vector; ++v) {
              const int64_t at =
                  access.memory->offsetOf(layout.held({reg + v, lane, warp}));
              if (v > 0) {
                EXPECT_EQ(at, access.memory->offsetOf(
                                  layout.held({reg, lane, warp})) +
                                  v);
              }
              for (int64_t byte = 0; byte < bytes; ++byte)
                words.insert((at * bytes + byte) / 4);
            }
            wanted.push_back(std::move(words));
          }
          most = std::max(most, steps(std::move(wanted)));
        }
    ASSERT_EQ(figures->conflicts, most)
        << "seed " << kSeed + 1 << ", round " << round;
    seen.insert(most);
  }
  EXPECT_GT(seen.size(), 3u);
}

constexpr char kTtgir[] = R"(
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [0, 1]}>
#row = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#pad = #ttg.padded_shared<[32:+1] {order = [1, 0], shape = [32, 32]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @k(%p: tensor<32x32xf32, #blocked>) {
    %a = ttg.local_alloc %p : (tensor<32x32xf32, #blocked>) -> !ttg.memdesc<32x32xf32, #row, #smem>
    %b = ttg.local_alloc : () -> !ttg.memdesc<32x32xf32, #pad, #smem, mutable>
    ttg.local_store %p, %b : tensor<32x32xf32, #blocked> -> !ttg.memdesc<32x32xf32, #pad, #smem, mutable>
    %c = ttg.local_load %a : !ttg.memdesc<32x32xf32, #row, #smem> -> tensor<32x32xf32, #blocked>
    tt.return
  }
})";

TEST(SharedConflicts, OfATtgir) {
  ReadOptions options;
  options.grid = std::array<int64_t, 3>{1, 1, 1};
  const auto kernel = parseKernel(kTtgir, options);
  ASSERT_TRUE(kernel.ok()) << kernel.status();
  EXPECT_FALSE(kernel->incomplete) << kernel->incomplete->reason;
  ASSERT_EQ(kernel->shared.size(), 3u);
  const int64_t expected[] = {32, 1, 32};
  for (size_t i = 0; i < 3; ++i) {
    const auto figures = sharedFigures(kernel->shared[i]);
    ASSERT_TRUE(figures) << kernel->shared[i].reason;
    EXPECT_EQ(figures->conflicts, expected[i]) << i;
  }
  EXPECT_EQ(kernel->shared[0].kind, AccessKind::Store);
  EXPECT_EQ(kernel->shared[2].kind, AccessKind::Load);
  // 32 * 32, and 31 gaps.
  EXPECT_EQ(kernel->sharedBytes, 4 * (1024 + 1024 + 31));
}

}  // namespace
}  // namespace indexical::kernels
