// The search for a memory without conflicts, against accessOf() at each memory
// that it names, and against all swizzles and paddings, tried one by one.
#include "indexical/layout/search.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/layout/operations.h"
#include "indexical/layout/parse.h"
#include "tests/layout/random_layouts.h"

namespace indexical::layouts {
namespace {

constexpr uint32_t kSeed = 6805;

Layout parse(const std::string &text) {
  const auto layout = parseLayout(text);
  EXPECT_TRUE(layout.ok()) << text << ": " << layout.status();
  return *layout;
}

int64_t wavefronts(const Layout &access, const Layout &memory, int64_t bits) {
  const auto places = placesOf(access, memory);
  EXPECT_TRUE(places.ok()) << places.status();
  const auto figures = accessOf(*places, bits, Memory::Shared);
  EXPECT_TRUE(figures.ok()) << figures.status();
  return figures->wavefronts;
}

std::string blocked(int64_t rows, int64_t columns, const std::string &type,
                    int64_t down, int64_t across, int64_t lanesDown,
                    int64_t warps, bool isRowMajor) {
  const auto pair = [](int64_t a, int64_t b) {
    return "[" + std::to_string(a) + ", " + std::to_string(b) + "]";
  };
  return "tensor<" + std::to_string(rows) + "x" + std::to_string(columns) +
         "x" + type + ", #ttg.blocked<{sizePerThread = " + pair(down, across) +
         ", threadsPerWarp = " + pair(lanesDown, 32 / lanesDown) +
         ", warpsPerCTA = " + pair(warps, 1) +
         ", order = " + pair(isRowMajor, !isRowMajor) + "}>>";
}

TEST(Search, FindsWhatRowsAndColumnsNeed) {
  const std::vector<Layout> accesses = {
      parse(blocked(32, 32, "f32", 1, 1, 1, 4, true)),
      parse("tensor<32x32xf32, #ttg.blocked<{sizePerThread = [1, 1], "
            "threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [0, "
            "1]}>>")};
  const auto found = searchMemory(accesses, 32, 4);
  ASSERT_TRUE(found.ok()) << found.status();
  const FoundMemory &best = found->found.front();
  EXPECT_EQ(best.conflicts, 1);
  EXPECT_EQ(best.wavefronts, 64);
  EXPECT_EQ(best.places, 1024);
  EXPECT_EQ(best.text, "Sw<5,0,5> o 0 o (32,32):(32,1)");
  // A lane that has whole rows takes four words at once: three bits do.
  const auto wide = searchMemory(
      {accesses[0], parse(blocked(32, 32, "f32", 1, 1, 32, 1, false))}, 32, 1);
  ASSERT_TRUE(wide.ok());
  EXPECT_EQ(wide->found[0].text, "Sw<3,2,3> o 0 o (32,32):(32,1)");
}

// What it says of each memory is so: by its text, and by its encoding.
TEST(Search, FiguresAreThoseOfTheMemoryThatItNames) {
  testing::RandomModes random(kSeed);
  int encoded = 0, padded = 0, boxes = 0;
  for (int round = 0; round < testing::instances(12); ++round) {
    const auto power = [&](int least, int most) {
      return int64_t{1} << random.number(least, most);
    };
    const int64_t rows = power(2, 5), columns = power(3, 6);
    const char *types[] = {"f32", "f16", "f64", "i8"};
    const std::string type = types[random.number(0, 3)];
    const int64_t bits = *bitsOfType(type);
    std::vector<Layout> accesses;
    for (int64_t n = random.number(1, 2); n > 0; --n)
      accesses.push_back(
          parse(blocked(rows, columns, type, power(0, 1), power(0, 3),
                        power(0, 5), power(0, 2), random.number(0, 1) == 1)));
    const auto found = searchMemory(accesses, bits, 1000);
    ASSERT_TRUE(found.ok()) << found.status();
    ASSERT_EQ(static_cast<size_t>(found->tried), found->found.size());
    for (const auto &[rank, each] : llvm::enumerate(found->found)) {
      const bool isBox =
          each.encoding.find("nvmma_shared") != std::string::npos;
      if (rank >= 200 && !isBox) continue;
      const Layout memory = parse(each.text);
      padded += each.places > rows * columns;
      int64_t sum = 0;
      for (const Layout &access : accesses)
        sum += wavefronts(access, memory, bits);
      ASSERT_EQ(sum, each.wavefronts)
          << each.text << ", seed " << kSeed << ", round " << round;
      ASSERT_EQ(boundsOf(memory)[0].upper + 1, each.places) << each.text;
      ASSERT_TRUE(factsOf(memory).oneToOne.value_or(false)) << each.text;
      if (each.encoding.empty()) continue;
      ++encoded;
      boxes += isBox;
      const std::string text = "!ttg.memdesc<" + std::to_string(rows) + "x" +
                               std::to_string(columns) + "x" + type + ", " +
                               each.encoding + ", #smem>";
      int64_t same = 0;
      for (const Layout &access : accesses)
        same += wavefronts(access, parse(text), bits);
      ASSERT_EQ(same, each.wavefronts) << text;
    }
    // No swizzle that the search should have tried is better.
    int64_t least = INT64_MAX;
    for (const bool isRowMajor : {true, false})
      for (int base = 0; base < 5; ++base)
        for (int count = 0; count <= 3; ++count)
          for (int shift = std::max(1, count); shift < 6; ++shift) {
            const std::string strides = isRowMajor
                                            ? std::to_string(columns) + ",1"
                                            : "1," + std::to_string(rows);
            const Layout memory =
                parse("Sw<" + std::to_string(count) + "," +
                      std::to_string(base) + "," + std::to_string(shift) +
                      "> o 0 o (" + std::to_string(rows) + "," +
                      std::to_string(columns) + "):(" + strides + ")");
            int64_t bitsOfTile = 0;
            while (int64_t{1} << bitsOfTile < rows * columns) ++bitsOfTile;
            if (count > 0 && base + shift + count > bitsOfTile) continue;
            int64_t sum = 0;
            for (const Layout &access : accesses)
              sum += wavefronts(access, memory, bits);
            least = std::min(least, sum);
          }
    ASSERT_LE(found->found.front().wavefronts, least)
        << "seed " << kSeed << ", round " << round;
  }
  EXPECT_GT(encoded, 100);
  EXPECT_GT(boxes, 2);
  EXPECT_GT(padded, 100);
}

TEST(Search, OfOffsetsAndOfSizesThatAreNoPowerOfTwo) {
  // A column of a table of 24 rows of 20 words, a word a lane.
  const Layout column =
      parse("(24,20):(1@0,1@1) as (lane, register) -> (dim0, dim1)");
  const auto found = searchMemory(column, 32, 3);
  ASSERT_TRUE(found.ok()) << found.status();
  for (const FoundMemory &each : found->found) {
    EXPECT_TRUE(each.encoding.empty());
    EXPECT_EQ(wavefronts(column, parse(each.text), 32), each.wavefronts);
  }
  EXPECT_EQ(found->found.front().conflicts, 1);
  const Layout offsets = parse("(32,4):(32,1) as (lane, register) -> (offset)");
  const auto linear = searchMemory(offsets, 32, 1);
  ASSERT_TRUE(linear.ok()) << linear.status();
  EXPECT_EQ(linear->found.front().wavefronts,
            linear->found.front().wavefrontsFewest);
}

// A tile of 256 bytes a row is cut into boxes of 128 for a bulk copy.
TEST(Search, HasTheBoxesOfBulkCopies) {
  const auto found =
      searchMemory(parse(blocked(64, 128, "f16", 1, 8, 4, 4, true)), 16, 1000);
  ASSERT_TRUE(found.ok()) << found.status();
  std::vector<std::string> boxes;
  for (const FoundMemory &each : found->found)
    if (each.encoding.find("nvmma_shared") != std::string::npos)
      boxes.push_back(each.text);
  // Rows of 128, and of 64 if dimension 0 is contiguous.
  EXPECT_EQ(boxes.size(), 5u);
  EXPECT_NE(std::find(boxes.begin(), boxes.end(),
                      "Sw<3,3,3> o 0 o (64,(64,2)):(64,(1,4096))"),
            boxes.end());
}

TEST(Search, RefusesWhatIsNoTile) {
  const Layout a = parse(blocked(32, 32, "f32", 1, 1, 1, 4, true));
  const Layout b = parse(blocked(32, 64, "f32", 1, 1, 1, 4, true));
  EXPECT_FALSE(searchMemory({a, b}, 32, 1).ok());
  EXPECT_FALSE(searchMemory({}, 32, 1).ok());
  EXPECT_FALSE(searchMemory(a, 0, 1).ok());
  EXPECT_FALSE(searchMemory(parse("(4,8):(1,4)"), 32, 1).ok());
}

}  // namespace
}  // namespace indexical::layouts
