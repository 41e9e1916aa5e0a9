// Figures of accesses, against a simulator that knows addresses alone.

#include "indexical/layout/access.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

#include "indexical/layout/encoding.h"
#include "indexical/layout/operations.h"
#include "indexical/layout/parse.h"
#include "tests/layout/random_layouts.h"

namespace indexical::layouts {
namespace {

using testing::RandomModes;

/// The element offsets of each lane of each warp, by register.
using Offsets = std::map<int64_t, std::map<int64_t, std::vector<int64_t>>>;

Offsets offsetsOf(const Layout &threads) {
  Offsets all;
  threads.visit([&](llvm::ArrayRef<int64_t> point, llvm::ArrayRef<int64_t> v) {
    int64_t lane = 0, warp = 0;
    for (size_t k = 0; k < point.size(); ++k) {
      if (threads.inputs()[k].name == "lane") lane = point[k];
      if (threads.inputs()[k].name == "warp") warp = point[k];
    }
    all[warp][lane].push_back(v[0]);
    return true;
  });
  return all;
}

/// Whether each offset's aligned block of that size is the lane's whole.
bool hasBlocks(const Offsets &all, int64_t vector) {
  for (const auto &[warp, lanes] : all)
    for (const auto &[lane, list] : lanes) {
      const std::set<int64_t> own(list.begin(), list.end());
      for (int64_t offset : own)
        for (int64_t j = 0; j < vector; ++j)
          if (!own.count(offset / vector * vector + j)) return false;
    }
  return true;
}

/// Serves the bytes of a phase: each step takes one word of each bank.
int64_t stepsOf(std::set<int64_t> words) {
  int64_t steps = 0;
  while (!words.empty()) {
    ++steps;
    std::set<int64_t> banks;
    for (auto at = words.begin(); at != words.end();)
      at = banks.insert(*at % 32).second ? words.erase(at) : std::next(at);
  }
  return steps;
}

void expectFigures(const Layout &threads, int64_t bits,
                   const std::string &what) {
  const Offsets all = offsetsOf(threads);
  int64_t vector = 1;
  for (int64_t v = 2; v * bits <= 128; v *= 2)
    if (hasBlocks(all, v)) vector = v;
  AccessFigures wanted;
  wanted.vector = vector;
  const int64_t bytes = vector * bits / 8;
  for (const auto &[warp, lanes] : all) {
    // The n-th block of each lane.
    std::vector<std::map<int64_t, int64_t>> accesses;
    for (const auto &[lane, list] : lanes) {
      std::vector<int64_t> blocks;
      for (int64_t offset : list)
        if (std::find(blocks.begin(), blocks.end(), offset / vector) ==
            blocks.end())
          blocks.push_back(offset / vector);
      for (size_t n = 0; n < blocks.size(); ++n) {
        if (accesses.size() <= n) accesses.emplace_back();
        accesses[n][lane] = blocks[n] * bytes;
      }
    }
    for (const auto &access : accesses) {
      ++wanted.accesses;
      std::set<int64_t> touched;
      std::map<int64_t, std::set<int64_t>> phases;
      for (const auto &[lane, address] : access)
        for (int64_t b = address; b < address + bytes; ++b) {
          touched.insert(b);
          phases[bytes <= 4   ? 0
                 : bytes == 8 ? lane / 16
                              : lane / 8]
              .insert(b / 4);
        }
      std::set<int64_t> sectors, lines;
      for (int64_t b : touched) {
        sectors.insert(b / 32);
        lines.insert(b / 128);
      }
      wanted.sectors += sectors.size();
      wanted.lines += lines.size();
      wanted.sectorsFewest += (touched.size() + 31) / 32;
      for (const auto &[phase, words] : phases) {
        const int64_t steps = stepsOf(words);
        wanted.wavefronts += steps;
        wanted.conflicts = std::max(wanted.conflicts, steps);
        wanted.wavefrontsFewest += (words.size() + 31) / 32;
      }
    }
  }
  const auto shared = accessOf(threads, bits, Memory::Shared);
  ASSERT_TRUE(shared.ok()) << what << shared.status();
  EXPECT_EQ(shared->vector, wanted.vector) << what;
  EXPECT_EQ(shared->accesses, wanted.accesses) << what;
  EXPECT_EQ(shared->wavefronts, wanted.wavefronts) << what;
  EXPECT_EQ(shared->conflicts, wanted.conflicts) << what;
  EXPECT_EQ(shared->wavefrontsFewest, wanted.wavefrontsFewest) << what;
  const auto global = accessOf(threads, bits, Memory::Global);
  ASSERT_TRUE(global.ok()) << what << global.status();
  EXPECT_EQ(global->sectors, wanted.sectors) << what;
  EXPECT_EQ(global->lines, wanted.lines) << what;
  EXPECT_EQ(global->sectorsFewest, wanted.sectorsFewest) << what;
}

TEST(Access, FiguresAreThoseOfTheSimulator) {
  RandomModes random(20);
  static constexpr int64_t kStrides[] = {0, 1, 2, 4, 8, 16, 32, 33, 64, 128};
  for (int n = 0; n < testing::instances(400); ++n) {
    // 32 lanes in two factors, 4 registers, 2 warps.
    const int64_t cut = int64_t{1} << random.number(1, 4);
    const auto stride = [&] { return kStrides[random.number(0, 9)]; };
    const std::string text = absl::StrCat(
        "((2,2),(", cut, ",", 32 / cut, "),2):((", stride(), ",", stride(),
        "),(", stride(), ",", stride(), "),", stride(), ")");
    std::string swizzle;
    if (random.number(0, 1))
      swizzle =
          absl::StrCat("Sw<", random.number(1, 3), ",", random.number(0, 3),
                       ",", random.number(3, 5), "> o 0 o ");
    const std::string all =
        absl::StrCat(swizzle, text, " as (register, lane, warp) -> (offset)");
    const auto layout = parseLayout(all);
    ASSERT_TRUE(layout.ok()) << all << layout.status();
    for (const int64_t bits : {8, 16, 32, 64}) {
      expectFigures(*layout, bits, absl::StrCat(all, " of ", bits, " bits"));
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(Access, RegistersInOrderMakeNoLargerVectors) {
  RandomModes random(21);
  int smaller = 0;
  for (int n = 0; n < testing::instances(300); ++n) {
    const int64_t first = int64_t{1} << random.number(0, 2);
    const std::string text = absl::StrCat(
        "((2,2,2),32):((", first, ",", first == 1 ? 2 : 1, ",",
        random.number(0, 1) ? 4 : 256, "),8) as (register, lane) -> (offset)");
    const auto layout = parseLayout(text);
    ASSERT_TRUE(layout.ok()) << layout.status();
    const auto any = accessOf(*layout, 16, Memory::Global);
    const auto ordered =
        accessOf(*layout, 16, Memory::Global, RegisterOrder::InOrder);
    ASSERT_TRUE(any.ok() && ordered.ok());
    EXPECT_LE(ordered->vector, any->vector) << text;
    smaller += ordered->vector < any->vector;
    // By definition: rows of registers, aligned, in a row.
    int64_t wanted = 1;
    for (int64_t v = 2; v <= 8; v *= 2) {
      bool isRow = true;
      for (int64_t lane = 0; lane < 32; ++lane)
        for (int64_t r = 0; r < 8; ++r) {
          const int64_t own = layout->at({r, lane})[0];
          const int64_t begin = layout->at({r / v * v, lane})[0];
          isRow &= begin % v == 0 && own == begin + r % v;
        }
      if (isRow) wanted = v;
    }
    EXPECT_EQ(ordered->vector, wanted) << text;
  }
  EXPECT_GT(smaller, 10);
}

TEST(Access, TwoRowsOfALaneMakeVectorsOfEight) {
  // A lane of this layout holds two rows of 16 halves: registers that are not
  // next to one another make the vector.
  const auto tile = parseLayout(
      "tensor<64x16xf16, #ttg.blocked<{sizePerThread = [2, 16], threadsPerWarp "
      "= [32, 1], warpsPerCTA = [1, 1], order = [0, 1]}>>");
  const auto memory = parseLayout(
      "!ttg.memdesc<64x16xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 2, "
      "maxPhase = 2, order = [1, 0]}>, #smem>");
  ASSERT_TRUE(tile.ok() && memory.ok());
  const auto places = placesOf(*tile, *memory);
  ASSERT_TRUE(places.ok()) << places.status();
  const auto found = accessOf(*places, 16, Memory::Shared);
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->vector, 8);
  expectFigures(*places, 16, "64x16");
}

TEST(Access, RefusesWhatIsNoThread) {
  EXPECT_FALSE(accessOf(*parseLayout("(4,8):(1,4)"), 32, Memory::Shared).ok());
  EXPECT_FALSE(
      accessOf(*parseLayout("32:-1 as (lane) -> (offset)"), 32, Memory::Shared)
          .ok());
  EXPECT_FALSE(conversion(*parseLayout("32:1 as (lane) -> (a)"),
                          *parseLayout("32:1 as (d0) -> (a)"))
                   .ok());
}

TEST(Access, CommonRunsAreThoseOfBothMemories) {
  const auto run = [](const char *a, const char *b, int64_t bits) {
    const auto found = commonRun(*parseLayout(a), *parseLayout(b), bits);
    return found.ok() ? *found : -1;
  };
  EXPECT_EQ(run("f32[8,8]{1,0}", "f32[8,8]{1,0}", 32), 4);
  EXPECT_EQ(run("f32[8,8]{1,0}", "f32[8,8]{0,1}", 32), 1);
  EXPECT_EQ(run("f16[8,64]{1,0}", "f16[8,64]{1,0:T(8,4)}", 16), 4);
  EXPECT_EQ(run("(8,64):(64,1)", "Sw<3,3,3> o 0 o (8,64):(64,1)", 16), 8);
  EXPECT_EQ(run("(8,64):(64,1)", "Sw<3,2,3> o 0 o (8,64):(64,1)", 16), 4);
}

}  // namespace
}  // namespace indexical::layouts
