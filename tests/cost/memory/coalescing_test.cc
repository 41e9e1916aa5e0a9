// Textbook cases: one warp unless it is said otherwise, one element a lane, and
// the sectors and lines that every textbook has for them.
#include "indexical/cost/memory/coalescing.h"

#include <string>

#include "gtest/gtest.h"

#include "indexical/answers/words.h"
#include "indexical/cost/memory/thread_map.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/map_text.h"

namespace indexical {
namespace {

const Device kDevice{"test", 32, 32, 128, 16, ""};

IndexingMap map(const std::string &text) {
  auto parsed = parseMap(text);
  EXPECT_TRUE(parsed.ok()) << parsed.status().message();
  return parsed.ok() ? *parsed : IndexingMap::knownEmpty();
}

ArrayShape shape(ElementType type, llvm::ArrayRef<int64_t> dimensions) {
  return ArrayShape(type, dimensions);
}

ArrayShape withLayout(ArrayShape shape, llvm::ArrayRef<int64_t> minorToMajor,
                      int64_t elementBits = 0) {
  Layout layout;
  layout.minorToMajor.assign(minorToMajor.begin(), minorToMajor.end());
  layout.elementBits = elementBits;
  shape.layout = layout;
  return shape;
}

IndexingMap oneWarp(int64_t lanes = 32) {
  return *linearThreads(shape(ElementType::F32, {lanes}), {lanes});
}

AccessFigures figures(const std::string &read, const ArrayShape &operand,
                      const IndexingMap &threads,
                      const Device &device = kDevice,
                      const CoalescingOptions &options = {}) {
  auto answer = coalescing(IndexingRelation(map(read)), operand, threads,
                           device, options);
  EXPECT_TRUE(answer.ok()) << wordsOf(answer.why());
  return answer.ok() ? *answer : AccessFigures();
}

/// `4 / 1`: sectors and lines of one access.
std::string sectorsAndLines(const AccessFigures &figures) {
  EXPECT_TRUE(figures.exact);
  EXPECT_EQ(figures.accesses, (Figure{1, 1}));
  EXPECT_TRUE(figures.sectors.isKnown() && figures.lines.isKnown());
  return std::to_string(figures.sectors.least) + " / " +
         std::to_string(figures.lines.least);
}

std::string ofOneWarp(const std::string &index, ElementType type,
                      int64_t elementBits = 0) {
  return sectorsAndLines(
      figures("(d0) -> (" + index + "), domain: d0 in [0, 31]",
              withLayout(shape(type, {4096}), {0}, elementBits), oneWarp()));
}

TEST(TextbookCoalescing, CopyOfEveryWidth) {
  EXPECT_EQ(ofOneWarp("d0", ElementType::F32), "4 / 1");
  EXPECT_EQ(ofOneWarp("d0", ElementType::BF16), "2 / 1");
  EXPECT_EQ(ofOneWarp("d0", ElementType::F64), "8 / 2");
  EXPECT_EQ(ofOneWarp("d0", ElementType::C128), "16 / 4");
  EXPECT_EQ(ofOneWarp("d0", ElementType::S4, 4), "1 / 1");
  EXPECT_EQ(ofOneWarp("d0", ElementType::S4), "1 / 1");  // a byte each
  EXPECT_EQ(ofOneWarp("d0", ElementType::S8), "1 / 1");
}

TEST(TextbookCoalescing, Strides) {
  EXPECT_EQ(ofOneWarp("d0 * 2", ElementType::F32), "8 / 2");
  EXPECT_EQ(ofOneWarp("d0 * 3", ElementType::F32), "12 / 3");
  EXPECT_EQ(ofOneWarp("d0 * 32", ElementType::F32), "32 / 32");
}

TEST(TextbookCoalescing, OffsetsFromTheSector) {
  EXPECT_EQ(ofOneWarp("d0 + 1", ElementType::F32), "5 / 2");
  EXPECT_EQ(ofOneWarp("d0 + 8", ElementType::F32), "4 / 2");
}

TEST(TextbookCoalescing, ReversedAndPermutedLanesTouchTheSame) {
  EXPECT_EQ(ofOneWarp("31 - d0", ElementType::F32), "4 / 1");
  EXPECT_EQ(ofOneWarp("(d0 * 7) mod 32", ElementType::F32), "4 / 1");
}

TEST(TextbookCoalescing, Broadcasts) {
  EXPECT_EQ(ofOneWarp("0", ElementType::F32), "1 / 1");
  EXPECT_EQ(ofOneWarp("d0 floordiv 8", ElementType::F32), "1 / 1");

  // A row for every row of the result: f32[64] to f32[64,64].
  const IndexingMap threads = *linearThreads(shape(ElementType::F32, {64, 64}));
  auto row = figures("(d0, d1) -> (d1), domain: d0 in [0, 63], d1 in [0, 63]",
                     shape(ElementType::F32, {64}), threads);
  EXPECT_EQ(row.accesses.least, 128);
  EXPECT_EQ(row.sectors.least, 512);
  EXPECT_EQ(row.distinctSectors.least, 8);
  EXPECT_EQ(row.wastedBytes.least, 0);
  auto scalar = figures("(d0, d1) -> (), domain: d0 in [0, 63], d1 in [0, 63]",
                        shape(ElementType::F32, {}), threads);
  // 32 blocks of 128 threads read it once each.
  EXPECT_EQ(scalar.bytesUsed.least, 32 * 4);
  EXPECT_EQ(scalar.sectors.least, 32);
  EXPECT_TRUE(scalar.byEveryThread);
  EXPECT_EQ(scalar.distinctSectors.least, 1);
}

TEST(TextbookCoalescing, NaiveTranspose) {
  const IndexingMap threads =
      *linearThreads(shape(ElementType::F32, {1024, 1024}));
  const std::string read =
      "(d0, d1) -> (d1, d0), domain: d0 in [0, 1023], d1 in [0, 1023]";
  auto read1 = figures(read, shape(ElementType::F32, {1024, 1024}), threads);
  EXPECT_EQ(read1.accesses.least, 32768);
  EXPECT_EQ(read1.activeLanes.least, 1 << 20);
  EXPECT_EQ(read1.sectors.least, 1 << 20);
  EXPECT_EQ(read1.sectorsFewest.least, 131072);
  EXPECT_EQ(read1.lines.least, 1 << 20);
  EXPECT_EQ(read1.distinctSectors.least, 131072);
  EXPECT_EQ(read1.wastedBytes.least, ((1 << 20) - 131072) * 32);
  EXPECT_FALSE(read1.isCoalesced());
  // The column-major operand is the transposed one.
  auto read2 = figures(
      read, withLayout(shape(ElementType::F32, {1024, 1024}), {0, 1}), threads);
  EXPECT_EQ(read2.sectors.least, 131072);
  EXPECT_TRUE(read2.isCoalesced());
  // The write of the same kernel, in vectors of four.
  auto write = figures(
      "(d0, d1) -> (d0, d1), domain: d0 in [0, 1023], d1 in [0, 1023]",
      shape(ElementType::F32, {1024, 1024}),
      *linearThreads(shape(ElementType::F32, {1024, 1024}), {128, 1, 4}));
  EXPECT_EQ(write.vector, 4);
  EXPECT_EQ(write.accesses.least, 8192);
  EXPECT_EQ(write.sectors.least, 131072);
}

TEST(TextbookCoalescing, AColumnOfAMatrixOf33Columns) {
  // Odd strides help banks of shared memory, not global memory.
  EXPECT_EQ(
      sectorsAndLines(figures("(d0) -> (d0, 0), domain: d0 in [0, 31]",
                              shape(ElementType::F32, {32, 33}), oneWarp())),
      "32 / 32");
}

TEST(TextbookCoalescing, TiledTransposeReadsAndWritesWholeSectors) {
  const ArrayShape in = shape(ElementType::F32, {256, 512});
  const ArrayShape out = shape(ElementType::F32, {512, 256});
  const std::string same =
      "(d0, d1) -> (d0, d1), domain: d0 in [0, 511], d1 in [0, 255]";
  // In through the map of the operand, out through that of the result.
  auto read =
      figures("(d0, d1) -> (d0, d1), domain: d0 in [0, 255], d1 in [0, 511]",
              in, *tileThreads(in, 0, 1));
  auto write = figures(same, out, *tileThreads(out, 0, 1));
  for (const AccessFigures &of : {read, write}) {
    EXPECT_EQ(of.accesses.least, 4096);
    EXPECT_EQ(of.sectors.least, 16384);
    EXPECT_EQ(of.wastedBytes.least, 0);
  }
}

TEST(TextbookCoalescing, RowAndColumnReductions) {
  const ArrayShape operand = shape(ElementType::F32, {128, 1024});
  // A warp a row, lanes along the row.
  auto row =
      figures("(d0, d1) -> (d0, d1), domain: d0 in [0, 127], d1 in [0, 1023]",
              operand, *rowThreads(operand, 1));
  EXPECT_EQ(row.accesses.least, 128 * 32);
  EXPECT_EQ(row.sectors.least, 128 * 128);
  EXPECT_EQ(row.wastedBytes.least, 0);
  // A thread a row: every lane in a row of its own.
  auto thread =
      figures("(d0)[s0] -> (d0, s0), domain: d0 in [0, 127], s0 in [0, 1023]",
              operand, *linearThreads(shape(ElementType::F32, {128})));
  EXPECT_EQ(thread.accesses.least, 4 * 1024);
  EXPECT_EQ(thread.sectors.least, 128 * 1024);
  // A thread a column: lanes side by side.
  auto column =
      figures("(d0)[s0] -> (s0, d0), domain: d0 in [0, 1023], s0 in [0, 127]",
              operand, *linearThreads(shape(ElementType::F32, {1024})));
  EXPECT_EQ(column.accesses.least, 32 * 128);
  EXPECT_EQ(column.sectors.least, 128 * 128);
}

TEST(TextbookCoalescing, Gathers) {
  // Rows of one element, indices as given.
  const std::string read =
      "(d0){rt0} -> (rt0), domain: d0 in [0, 31], rt0 in [0, 9999]";
  const ArrayShape operand = shape(ElementType::F32, {10000});
  auto given = [&](const std::string &indices) {
    CoalescingOptions options;
    options.runtime = {{"rt0", indices}};
    return sectorsAndLines(figures(read, operand, oneWarp(), kDevice, options));
  };
  EXPECT_EQ(given("d0 + 64"), "4 / 1");     // sorted
  EXPECT_EQ(given("77"), "1 / 1");          // equal
  EXPECT_EQ(given("d0 * 309"), "32 / 32");  // scattered
}

TEST(TextbookCoalescing, TiledTpuLayout) {
  // One row of a tile of 8 by 128: lanes side by side up to the tile's end.
  ArrayShape operand = withLayout(shape(ElementType::F32, {16, 256}), {1, 0});
  Layout layout = *operand.layout;
  layout.tiles.push_back({{8, 128}});
  operand.layout = layout;
  auto at = [&](const std::string &index) {
    return sectorsAndLines(figures(
        "(d0) -> (" + index + "), domain: d0 in [0, 31]", operand, oneWarp()));
  };
  EXPECT_EQ(at("3, d0 + 64"), "4 / 1");
  // Two tiles, 4096 bytes apart.
  EXPECT_EQ(at("3, d0 + 112"), "4 / 2");
  // Down a column: the rows of a tile are 512 bytes apart.
  EXPECT_EQ(at("d0 mod 16, d0 floordiv 16"), "16 / 16");
}

TEST(TextbookCoalescing, WavefrontsOf64Lanes) {
  const Device device{"test", 64, 64, 128, 16, ""};
  auto copy = figures("(d0) -> (d0), domain: d0 in [0, 63]",
                      shape(ElementType::F32, {64}), oneWarp(64), device);
  EXPECT_EQ(sectorsAndLines(copy), "4 / 2");
  EXPECT_EQ(copy.activeLanes.least, 64);
}

TEST(TextbookCoalescing, PartialLastWarp) {
  // 1000 elements in blocks of 128: the last block has 104, so a warp of 8.
  auto copy = figures("(d0) -> (d0), domain: d0 in [0, 999]",
                      shape(ElementType::F32, {1000}),
                      *linearThreads(shape(ElementType::F32, {1000})));
  EXPECT_EQ(copy.accesses.least, 32);
  EXPECT_EQ(copy.activeLanes.least, 1000);
  EXPECT_EQ(copy.sectors.least, 125);
  EXPECT_EQ(copy.lines.least, 32);
  // A block of 40 threads has a warp of 32 and one of 8.
  auto blocks = figures("(d0) -> (d0), domain: d0 in [0, 79]",
                        shape(ElementType::F32, {80}),
                        *linearThreads(shape(ElementType::F32, {80}), {40}));
  EXPECT_EQ(blocks.accesses.least, 4);
  EXPECT_EQ(blocks.sectors.least, 10 + 0);
}

//===-- Whole launches ----------------------------------------------------===//

TEST(Coalescing, LaunchesOf2To31ThreadsAreSummedExactly) {
  // 2^31 elements, one a thread.
  const ArrayShape cube = shape(ElementType::F32, {1024, 2048, 1024});
  const IndexingMap threads = *linearThreads(cube);
  auto copy = figures(
      "(d0, d1, d2) -> (d0, d1, d2), domain: d0 in [0, 1023], d1 in [0, 2047], "
      "d2 in [0, 1023]",
      cube, threads);
  EXPECT_TRUE(copy.exact);
  EXPECT_EQ(copy.accesses.least, int64_t{1} << 26);
  EXPECT_EQ(copy.sectors.least, int64_t{1} << 28);
  EXPECT_EQ(copy.distinctSectors.least, int64_t{1} << 28);
  auto transposed = figures(
      "(d0, d1, d2) -> (d2, d1, d0), domain: d0 in [0, 1023], d1 in [0, 2047], "
      "d2 in [0, 1023]",
      cube, threads);
  EXPECT_TRUE(transposed.exact);
  EXPECT_EQ(transposed.sectors.least, int64_t{1} << 31);
  EXPECT_EQ(transposed.distinctSectors.least, int64_t{1} << 28);
}

TEST(Coalescing, RowsThatAreNoWholeWarpsAreSummedByPeriod) {
  // Rows of 1000 elements: a warp of 32 ends a row every 125 warps.
  const ArrayShape rows = shape(ElementType::F32, {2000000, 1000});
  auto reversed = figures(
      "(d0, d1) -> (d0, 999 - d1), domain: d0 in [0, 1999999], d1 in [0, 999]",
      rows, *linearThreads(rows));
  EXPECT_TRUE(reversed.exact);
  EXPECT_EQ(reversed.accesses.least, 62500000);
  EXPECT_EQ(reversed.bytesUsed.least, int64_t{8000000000});
  EXPECT_EQ(reversed.distinctSectors.least, 250000000);
}

TEST(Coalescing, PastTheBudgetFiguresAreBounds) {
  const ArrayShape odd = shape(ElementType::F32, {7919, 104729});
  CoalescingOptions options;
  options.operations = 5000;
  auto answer = coalescing(
      IndexingRelation(map("(d0, d1) -> (d1 floordiv 13, d0 * 13 + d1 mod 13), "
                           "domain: d0 in [0, 7918], d1 in [0, 104728]")),
      shape(ElementType::F32, {8057, 102947}), *linearThreads(odd), kDevice,
      options);
  ASSERT_TRUE(answer.ok()) << wordsOf(answer.why());
  EXPECT_FALSE(answer->exact);
  EXPECT_LT(answer->sectors.least, answer->sectors.most);
}

TEST(Coalescing, VectorsMustBeAlignedAndWhollyInTheDomain) {
  const ArrayShape operand = shape(ElementType::F32, {4096});
  auto vector = [&](const std::string &index, const std::string &domain,
                    int64_t elements) {
    return figures(
               "(d0) -> (" + index + "), domain: " + domain, operand,
               *linearThreads(shape(ElementType::F32, {elements}), {32, 1, 4}))
        .vector;
  };
  EXPECT_EQ(vector("d0", "d0 in [0, 1023]", 1024), 4);
  EXPECT_EQ(vector("d0 + 2", "d0 in [0, 1023]", 1024), 2);
  EXPECT_EQ(vector("d0 + 1", "d0 in [0, 1023]", 1024), 1);
  EXPECT_EQ(vector("d0 * 2", "d0 in [0, 1023]", 1024), 1);
  EXPECT_EQ(vector("d0", "d0 in [0, 1021]", 1024), 2);
  EXPECT_EQ(vector("d0", "d0 in [0, 1020]", 1024), 1);
}

TEST(Coalescing, ADynamicSlicesStartTakesEveryValue) {
  const std::string read =
      "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 31], rt0 in [0, 100]";
  auto any = figures(read, shape(ElementType::F32, {132}), oneWarp());
  EXPECT_TRUE(any.exact);
  EXPECT_EQ(any.sectors, (Figure{4, 5}));
  EXPECT_EQ(any.lines, (Figure{1, 2}));
  CoalescingOptions options;
  options.runtime = {{"rt0", "8"}};
  auto given = figures(read, shape(ElementType::F32, {132}), oneWarp(), kDevice,
                       options);
  EXPECT_EQ(sectorsAndLines(given), "4 / 2");
}

TEST(Coalescing, PairsOfHalfBytesLieInOneByteOrTwo) {
  // Two lanes read what one index says, and the half byte behind it.
  IndexingMapBuilder b;
  const Expr lane = b.dimension({0, 31});
  const Expr index = b.runtimeElement({0, 62}, /*clamped=*/true, /*tensor=*/0,
                                      {floorDiv(lane, 2)});
  b.result(index + mod(lane, 2));
  auto read = b.build();
  ASSERT_TRUE(read.ok()) << read.status().message();
  auto gathered = coalescing(IndexingRelation(*read),
                             withLayout(shape(ElementType::S4, {64}), {0}, 4),
                             oneWarp(), kDevice);
  ASSERT_TRUE(gathered.ok()) << wordsOf(gathered.why());
  EXPECT_TRUE(gathered->gathered);
  EXPECT_EQ(gathered->bytesUsed, (Figure{1, 32}));
  EXPECT_EQ(gathered->sectorsFewest, (Figure{1, 1}));
}

TEST(Coalescing, MapsThatDoNotFitAreErrors) {
  auto message = [](const Measured &answer) {
    EXPECT_EQ(answer.why().obstacle, Obstacle::Failed);
    EXPECT_EQ(answer.status(), answer.why().status);
    return std::string(answer.why().status.message());
  };
  const ArrayShape operand = shape(ElementType::F32, {32});
  const IndexingRelation copy(map("(d0) -> (d0), domain: d0 in [0, 31]"));
  EXPECT_EQ(
      message(coalescing(copy, operand,
                         map("(d0) -> (d0), domain: d0 in [0, 31]"), kDevice)),
      "a thread map has six dimensions, (th_x, th_y, th_z, bl_x, bl_y, "
      "bl_z), and this one has 1");
  EXPECT_EQ(message(coalescing(copy, shape(ElementType::F32, {4, 8}), oneWarp(),
                               kDevice)),
            "the read has an index of 1 dimensions, and f32[4,8] has 2");
}

TEST(Coalescing, WhatStandsInTheWayIsNamed) {
  auto obstacle = [](const std::string &read, const ArrayShape &operand,
                     const IndexingMap &threads) {
    const Measured measured =
        coalescing(IndexingRelation(map(read)), operand, threads, kDevice);
    EXPECT_FALSE(measured.ok());
    EXPECT_EQ(measured.status(),
              absl::FailedPreconditionError(wordsOf(measured.why())));
    return measured.ok() ? Unmeasured() : measured.why();
  };
  const std::string copy = "(d0) -> (d0), domain: d0 in [0, 31]";
  const ArrayShape operand = shape(ElementType::F32, {32});
  const Unmeasured ranks =
      obstacle(copy, operand, *linearThreads(shape(ElementType::F32, {4, 8})));
  EXPECT_EQ(ranks.obstacle, Obstacle::RanksDiffer);
  EXPECT_EQ(ranks.given, 2);
  EXPECT_EQ(ranks.taken, 1);
  const Unmeasured element =
      obstacle(copy, shape(ElementType::Unknown, {32}), oneWarp());
  EXPECT_EQ(element.obstacle, Obstacle::UnknownElement);
  EXPECT_EQ(element.shape.str(), "unknown[32]");
  EXPECT_EQ(obstacle("(d0)[s0] -> (d0 + s0 * 0), domain: d0 in [0, 31], s0 in "
                     "[0, inf]",
                     operand, oneWarp())
                .obstacle,
            Obstacle::EndlessRange);
  EXPECT_EQ(obstacle(copy, shape(ElementType::F32, {kDynamicSize}), oneWarp())
                .obstacle,
            Obstacle::UnknownLayout);
}

TEST(Coalescing, ALaneMovesNoMoreAtOnceThanItIsAllowed) {
  const ArrayShape operand = shape(ElementType::F32, {4096});
  auto launch = Coalescing::of(*linearThreads(operand, {128, 1, 4}), kDevice);
  ASSERT_TRUE(launch.ok());
  const IndexingRelation copy(map("(d0) -> (d0), domain: d0 in [0, 4095]"));
  // One launch: answers that are kept are not those of other widths.
  for (auto [bytes, vector] :
       {std::pair(0, 4), std::pair(16, 4), std::pair(8, 2), std::pair(4, 1)}) {
    CoalescingOptions options;
    options.laneBytes = bytes;
    const Measured figures = launch->figures(copy, operand, options);
    ASSERT_TRUE(figures.ok());
    EXPECT_EQ(figures->vector, vector);
    EXPECT_EQ(figures->accesses,
              (Figure{4096 / 32 / vector, 4096 / 32 / vector}));
  }
}

TEST(Devices, AreKnownByNameAndNameTheirSource) {
  EXPECT_EQ(findDevice("H100")->name, "h100");
  EXPECT_EQ(findDevice("abacus"), nullptr);
  for (const Device &device : devices()) {
    EXPECT_FALSE(device.source.empty()) << device.name.str();
    EXPECT_EQ(device.line % device.sector, 0);
    EXPECT_TRUE(device.warp == 32 || device.warp == 64);
    // The figures by which a launch is chosen, and their source.
    EXPECT_GT(device.cores, 0);
    EXPECT_GE(device.coreThreads, 1024);
    EXPECT_GE(device.sharedBytes, 48 << 10);
    EXPECT_GT(device.gigabytes, 0);
    EXPECT_EQ(device.compilerKnows, device.launchSource.contains("XLA"));
    EXPECT_EQ(!device.compilerKnows,
              device.launchSource.starts_with("vendor's figures"));
    EXPECT_FALSE(device.speedSource.empty());
  }
}

}  // namespace
}  // namespace indexical
