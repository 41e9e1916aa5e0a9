// Which tiles and steps are found for products of matrices, and their times.
#include "indexical/cost/tiles/tile_time.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/cost/memory/device.h"
#include "indexical/cost/tiles/tile_search.h"
#include "tests/support/program_reads.h"

namespace indexical::testing {
namespace {

TileDevice device(const char *name) {
  const Device &known = *findDevice(name);
  const BlockMemory &memory = known.blocks;
  TileDevice made;
  made.cores = known.cores;
  made.megahertz = known.megahertz;
  made.gigabytes = known.gigabytes;
  made.products16 = known.products.bits16;
  made.products32 = known.products.bits32;
  made.readShare = known.rates.readShare;
  made.writeShare = known.rates.writeShare;
  made.productShare = known.rates.productShare;
  made.cacheBytes = known.cacheBytes;
  made.blockShared = memory.blockShared;
  made.coreShared = memory.coreShared;
  made.registers = memory.registers;
  made.fewRows = memory.fewRows;
  made.fewRowsShare = memory.fewRowsShare;
  return made;
}

TileSearch searched(const std::string &text, const char *name,
                    std::vector<int64_t> sizes = {}) {
  const Program program = parsed(text);
  ProgramIndexing maps(program.modules.at(0));
  TileSpace space = TileSpace::of(maps);
  space.stepAny(2);
  TileSearchOptions options;
  options.device = device(name);
  options.sharedBytes = options.device->blockShared;
  options.cores = options.device->cores;
  if (!sizes.empty()) {
    options.choice.kind = SizeChoice::Kind::List;
    options.choice.list = sizes;
  }
  auto found = searchTiles(maps, space, options);
  EXPECT_TRUE(found.ok()) << found.status();
  return found.ok() ? *std::move(found) : TileSearch();
}

std::string product(int64_t m, int64_t n, int64_t k) {
  auto shape = [](int64_t rows, int64_t columns) {
    return "bf16[" + std::to_string(rows) + "," + std::to_string(columns) + "]";
  };
  return "f { a = " + shape(m, k) + " parameter(0)  b = " + shape(k, n) +
         " parameter(1)  ROOT d = " + shape(m, n) +
         " dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} }";
}

std::vector<int64_t> rowOf(const FoundSizes &sizes) {
  std::vector<int64_t> row(sizes.sizes.begin(), sizes.sizes.end());
  row.insert(row.end(), sizes.steps.begin(), sizes.steps.end());
  return row;
}

TEST(TileTimeTest, LargeProductsTake128By256InStepsOf64) {
  for (const auto &[m, n, k] :
       {std::tuple<int64_t, int64_t, int64_t>{4096, 4096, 4096},
        {8192, 8192, 8192},
        {8192, 1024, 4096}}) {
    const TileSearch search = searched(product(m, n, k), "h100");
    ASSERT_FALSE(search.found.empty());
    std::vector<int64_t> first = rowOf(search.found[0]);
    if (first[0] == 256) std::swap(first[0], first[1]);
    EXPECT_EQ(first, (std::vector<int64_t>{128, 256, 64})) << m << " " << n;
    EXPECT_EQ(search.found[0].stages, 4);
    EXPECT_EQ(search.found[0].shared, 4 * (128 + 256) * 64 * 2);
    EXPECT_EQ(search.found[0].accumulators, 128 * 256);
    EXPECT_EQ(search.found[0].padded, 1.0);
    EXPECT_TRUE(search.found[0].fits);
    EXPECT_EQ(search.untried, 0);
  }
}

// Choices of an autotuner on an A100 are not much slower than the first ones.
TEST(TileTimeTest, WhatAnAutotunerChoseIsNearTheFirst) {
  struct Record {
    int64_t m, n, k;
    std::vector<int64_t> chosen;
  };
  const Record records[] = {
      {64, 6144, 2048, {64, 32, 64}},    {64, 12288, 2048, {64, 128, 128}},
      {64, 24576, 2048, {64, 256, 128}}, {128, 5120, 2048, {64, 32, 64}},
      {128, 9216, 2048, {128, 32, 64}},  {128, 11264, 2048, {128, 128, 128}},
      {20480, 32, 2048, {256, 32, 128}}, {22528, 32, 2048, {256, 32, 128}},
  };
  int near = 0;
  for (const Record &record : records) {
    const TileSearch search =
        searched(product(record.m, record.n, record.k), "a100");
    ASSERT_FALSE(search.found.empty());
    for (const FoundSizes &sizes : search.found)
      if (rowOf(sizes) == record.chosen && sizes.microseconds)
        near += *sizes.microseconds <= 1.5 * *search.found[0].microseconds;
  }
  EXPECT_GE(near, 6);
}

// A softmax's sums take whole rows.
TEST(TileTimeTest, SumsTakeWholeRowsIfTheyFit) {
  const std::string sum =
      "sum { a = f32[] parameter(0)  b = f32[] parameter(1)\n"
      "  ROOT c = f32[] add(a, b) }\n"
      "ENTRY f { p = f32[4096,1024] parameter(0)  z = f32[] constant(0)\n"
      "  s = f32[4096] reduce(p, z), dimensions={1}, to_apply=sum\n"
      "  b = f32[4096,1024] broadcast(s), dimensions={0}\n"
      "  ROOT d = f32[4096,1024] divide(p, b) }";
  const TileSearch search = searched(sum, "h100");
  ASSERT_FALSE(search.found.empty());
  EXPECT_EQ(search.found[0].sizes[1], 1024);
  EXPECT_EQ(search.found[0].steps[0], 1024);
  EXPECT_TRUE(search.found[0].fits);
}

TEST(TileTimeTest, EveryDeviceSaysWhatABlockMayAskFor) {
  for (const Device &known : devices()) {
    const BlockMemory &memory = known.blocks;
    EXPECT_GE(memory.blockShared, known.sharedBytes) << known.name.str();
    EXPECT_GE(memory.coreShared, memory.blockShared) << known.name.str();
    EXPECT_GT(memory.registers, 0) << known.name.str();
    EXPECT_FALSE(memory.source.empty());
  }
  EXPECT_EQ(findDevice("h100")->blocks.blockShared, 232448);
  EXPECT_EQ(findDevice("A100")->blocks.blockShared, 166912);
}

}  // namespace
}  // namespace indexical::testing
