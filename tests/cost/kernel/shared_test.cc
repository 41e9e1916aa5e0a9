// Shared memory: where elements lie, and which lanes wait for each other. The
// oracle serves one word of each bank in a step, and counts steps.

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "indexical/cost/kernel/shared_conflicts.h"
#include "indexical/import/triton/read.h"
#include "indexical/layout/parse.h"

namespace indexical::kernels {
namespace {

constexpr uint32_t kSeed = 4648;

std::string list(const std::vector<int64_t> &numbers) {
  std::string text;
  for (int64_t number : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  return "[" + text + "]";
}

std::string swizzled(int64_t vec, int64_t perPhase, int64_t maxPhase,
                     const std::vector<int64_t> &order) {
  return "#ttg.swizzled_shared<{vec = " + std::to_string(vec) +
         ", perPhase = " + std::to_string(perPhase) +
         ", maxPhase = " + std::to_string(maxPhase) +
         ", order = " + list(order) + "}>";
}

std::string blocked(const std::vector<int64_t> &elements,
                    const std::vector<int64_t> &lanes,
                    const std::vector<int64_t> &warps,
                    const std::vector<int64_t> &order) {
  return "#ttg.blocked<{sizePerThread = " + list(elements) +
         ", threadsPerWarp = " + list(lanes) +
         ", warpsPerCTA = " + list(warps) + ", order = " + list(order) + "}>";
}

SharedAccess accessOf(const std::string &shape, int64_t bits,
                      const std::string &held, const std::string &memory) {
  SharedAccess access;
  access.elementBits = bits;
  const std::string tile = shape + "xi" + std::to_string(bits) + ", ";
  const auto layout = layouts::parseLayout("tensor<" + tile + held + ">");
  const auto places =
      layouts::parseLayout("!ttg.memdesc<" + tile + memory + ", #smem>");
  EXPECT_TRUE(layout.ok()) << layout.status();
  EXPECT_TRUE(places.ok()) << places.status();
  access.layout = *layout;
  access.memory = *places;
  return access;
}

layouts::AccessFigures figuresOf(const SharedAccess &access) {
  const auto figures = sharedFigures(TritonKernel(), access);
  EXPECT_TRUE(figures);
  return figures.value_or(layouts::AccessFigures());
}

/// A column of a tile of 32 x 32 words a warp.
int64_t columns(const std::string &memory) {
  return figuresOf(accessOf("32x32", 32,
                            blocked({1, 1}, {32, 1}, {1, 4}, {0, 1}), memory))
      .conflicts;
}

TEST(SharedConflicts, OfColumns) {
  EXPECT_EQ(columns(swizzled(1, 1, 1, {1, 0})), 32);
  EXPECT_EQ(columns(swizzled(1, 1, 32, {1, 0})), 1);
  EXPECT_EQ(columns(swizzled(1, 1, 8, {1, 0})), 4);
  EXPECT_EQ(columns("#ttg.padded_shared<[32:+1] {order = [1, 0], shape = [32, "
                    "32]}>"),
            1);
  EXPECT_EQ(columns(swizzled(1, 1, 1, {0, 1})), 1);
}

// Four words a lane are served by eight lanes at once.
TEST(SharedConflicts, OfVectors) {
  const auto figures =
      figuresOf(accessOf("32x32", 32, blocked({1, 4}, {4, 8}, {4, 1}, {1, 0}),
                         swizzled(1, 1, 1, {1, 0})));
  EXPECT_EQ(figures.vector, 4);
  EXPECT_EQ(figures.conflicts, 1);
}

// A lane holds two rows of 16 elements, in registers that go down the columns
// first: the loader permutes them.
TEST(SharedConflicts, OfRegistersInAnyOrder) {
  const std::string held =
      "#ttg.linear<{register = [[32, 0], [0, 1], [0, 2], [0, 4], [0, 8]], lane "
      "= [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}>";
  const auto figures =
      figuresOf(accessOf("64x16", 16, held, swizzled(1, 1, 1, {1, 0})));
  EXPECT_EQ(figures.vector, 8);
  EXPECT_EQ(figures.conflicts, 2);
}

// What a matrix instruction takes, of memory that is swizzled for it.
TEST(SharedConflicts, OfOperandsOfMatrixInstructions) {
  const std::string mma =
      "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, "
      "1], instrShape = [16, 8]}>";
  const std::string dot =
      "#ttg.dot_op<{opIdx = 0, parent = " + mma + ", kWidth = 2}>";
  const auto plain =
      figuresOf(accessOf("64x64", 16, dot, swizzled(1, 1, 1, {1, 0})));
  EXPECT_EQ(plain.vector, 2);
  EXPECT_EQ(plain.conflicts, 8);
  const auto better =
      figuresOf(accessOf("64x64", 16, dot, swizzled(8, 1, 8, {1, 0})));
  EXPECT_EQ(better.conflicts, 1);
  EXPECT_EQ(better.wavefronts, better.wavefrontsFewest);
  const auto nvmma = figuresOf(
      accessOf("64x64", 16, dot,
               "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = "
               "false, elementBitWidth = 16}>"));
  EXPECT_EQ(nvmma.conflicts, 1);
}

/// Steps that the lanes of one request take.
int64_t steps(const std::vector<std::set<int64_t>> &wanted) {
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

/// The figures of a swizzled memory that is read by a blocked layout, from
/// nested loops and the definition of the phases alone.
TEST(SharedConflicts, AreTheStepsOfASimulator) {
  std::mt19937 random(kSeed + 1);
  const auto power = [&](int most) {
    return int64_t{1} << (random() % (most + 1));
  };
  std::set<int64_t> seen;
  for (int round = 0; round < 300; ++round) {
    const int64_t rows = power(5), width = power(6);
    const std::vector<int64_t> order =
        random() % 2 ? std::vector<int64_t>{0, 1} : std::vector<int64_t>{1, 0};
    const std::vector<int64_t> elements = {power(1), power(2)};
    const int64_t lanes = power(5), warps = power(1);
    const std::vector<int64_t> perWarp = {lanes, 32 / lanes};
    const std::vector<int64_t> perCta = {warps, 2 / warps};
    const bool isRowMajor = random() % 2;
    const int64_t vec = power(3), perPhase = power(2), maxPhase = power(3);
    const int64_t bytes = power(3);
    const std::vector<int64_t> shape = {rows, width};
    const auto figures =
        figuresOf(accessOf(std::to_string(rows) + "x" + std::to_string(width),
                           bytes * 8, blocked(elements, perWarp, perCta, order),
                           swizzled(vec, perPhase, maxPhase,
                                    isRowMajor ? std::vector<int64_t>{1, 0}
                                               : std::vector<int64_t>{0, 1})));
    const auto placeOf = [&](const std::vector<int64_t> &element) {
      const int64_t row = element[isRowMajor ? 0 : 1];
      const int64_t column = element[isRowMajor ? 1 : 0];
      const int64_t across = shape[isRowMajor ? 1 : 0];
      const int64_t groups = std::max<int64_t>(1, across / vec);
      const int64_t phase = row / perPhase % maxPhase % groups;
      return row * across + (column / vec ^ phase) * vec + column % vec;
    };
    // Each thread's places, from nested loops.
    const int64_t own = elements[0] * elements[1];
    std::vector<int64_t> block = {elements[0] * perWarp[0] * perCta[0],
                                  elements[1] * perWarp[1] * perCta[1]};
    std::vector<int64_t> repeats = {std::max<int64_t>(1, rows / block[0]),
                                    std::max<int64_t>(1, width / block[1])};
    const int64_t registers = own * repeats[0] * repeats[1];
    std::map<std::pair<int64_t, int64_t>, std::vector<int64_t>> places;
    for (int64_t warp = 0; warp < 2; ++warp)
      for (int64_t lane = 0; lane < 32; ++lane)
        for (int64_t reg = 0; reg < registers; ++reg) {
          std::vector<int64_t> at = {0, 0}, unit = {1, 1};
          const auto add = [&](int64_t number,
                               const std::vector<int64_t> &sizes) {
            for (int64_t k : order) {
              at[k] += number % sizes[k] * unit[k];
              number /= sizes[k];
              unit[k] *= sizes[k];
            }
          };
          add(reg % own, elements);
          add(lane, perWarp);
          add(warp, perCta);
          add(reg / own, repeats);
          at = {at[0] % rows, at[1] % width};
          auto &list = places[{warp, lane}];
          const int64_t place = placeOf(at);
          if (std::find(list.begin(), list.end(), place) == list.end())
            list.push_back(place);
        }
    // The largest vector, by its definition.
    int64_t vector = 1;
    for (int64_t v = 2; v * bytes <= 16; v *= 2) {
      bool isOne = true;
      for (const auto &[thread, list] : places)
        for (int64_t place : list)
          for (int64_t e = place / v * v; e < place / v * v + v; ++e)
            isOne &= std::find(list.begin(), list.end(), e) != list.end();
      if (isOne) vector = v;
    }
    ASSERT_EQ(figures.vector, vector)
        << "seed " << kSeed + 1 << ", round " << round;
    const int64_t taken = vector * bytes;
    const int64_t together = taken <= 4 ? 32 : 128 / taken;
    int64_t most = 1, all = 0;
    for (int64_t warp = 0; warp < 2; ++warp) {
      // The blocks of each thread, by their first registers.
      std::vector<std::vector<int64_t>> blocks(32);
      for (int64_t lane = 0; lane < 32; ++lane)
        for (int64_t place : places[{warp, lane}])
          if (std::find(blocks[lane].begin(), blocks[lane].end(),
                        place / vector) == blocks[lane].end())
            blocks[lane].push_back(place / vector);
      for (size_t n = 0; n < blocks[0].size(); ++n)
        for (int64_t first = 0; first < 32; first += together) {
          std::vector<std::set<int64_t>> wanted;
          for (int64_t lane = first; lane < first + together; ++lane) {
            std::set<int64_t> words;
            for (int64_t byte = 0; byte < taken; ++byte)
              words.insert((blocks[lane][n] * taken + byte) / 4);
            wanted.push_back(std::move(words));
          }
          const int64_t count = steps(wanted);
          most = std::max(most, count);
          all += count;
        }
    }
    ASSERT_EQ(figures.conflicts, most)
        << "seed " << kSeed + 1 << ", round " << round;
    ASSERT_EQ(figures.wavefronts, all)
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
    const auto figures = sharedFigures(*kernel, kernel->shared[i]);
    ASSERT_TRUE(figures) << kernel->shared[i].reason;
    EXPECT_EQ(figures->conflicts, expected[i]) << i;
  }
  EXPECT_EQ(kernel->shared[0].kind, AccessKind::Store);
  EXPECT_EQ(kernel->shared[2].kind, AccessKind::Load);
  // 32 * 32, and 31 gaps.
  EXPECT_EQ(kernel->sharedBytes, 4 * (1024 + 1024 + 31));
}

// A file may say that a tensor is loaded from shared memory.
TEST(SharedConflicts, OfWhatIsNoMemory) {
  ReadOptions options;
  options.grid = std::array<int64_t, 3>{1, 1, 1};
  const auto kernel = parseKernel(R"(
tt.func @k(%p: !tt.ptr<f32>) {
  %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %v = ttg.local_load %r : tensor<32xi32> -> tensor<32xi32>
  tt.return
})",
                                  options);
  ASSERT_TRUE(kernel.ok()) << kernel.status();
  EXPECT_TRUE(kernel->shared.empty());
}

}  // namespace
}  // namespace indexical::kernels
