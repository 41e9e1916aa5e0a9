// Kernels with rows longer than a warp, of odd sizes: against the simulator,
// and against each vector measured alone.
//
// INDEXICAL_LAUNCHES: how many; INDEXICAL_SEED: the first one.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/cost/memory/coalescing.h"
#include "indexical/cost/memory/thread_map.h"
#include "indexical/cost/memory/traffic.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/simplifier/simplify.h"
#include "tests/cost/memory/simulator.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

constexpr uint64_t kKernels = 150;

/// A kernel with one read of one array, and a write of each of its elements.
struct LongRows {
  KernelAccesses kernel;
  const MemoryAccess &read() const { return kernel.reads[0]; }
  const ArrayShape &operand() const { return kernel.buffers[0]; }
  std::string str() const {
    return kernel.launches[0].shape.str(true) + " reads " +
           operand().str(true) + "\n" + read().map.pieces()[0].str();
  }
};

LongRows randomKernel(Random &random) {
  static constexpr ElementType kTypes[] = {ElementType::F32, ElementType::F32,
                                           ElementType::BF16, ElementType::S8,
                                           ElementType::F64};
  const ElementType type = kTypes[random.in(0, 4)];
  const int64_t rows = random.in(1, 40);
  const int64_t columns =
      random.oneIn(4) ? 4 * random.in(10, 60) : random.in(33, 250);
  ArrayShape out(type, {rows, columns}), in(type, {});
  IndexingMapBuilder b, all;
  const Expr y = b.dimension({0, rows - 1}), x = b.dimension({0, columns - 1});
  std::vector<Expr> index;
  switch (random.in(0, 4)) {
    case 0:  // transposed
      index = {x, y};
      in.dimensions = {columns, rows};
      break;
    case 1: {  // padded
      const int64_t top = random.in(0, 3), left = random.in(0, 40);
      const int64_t below = std::min(rows - 1, random.in(0, 2) + top);
      const int64_t right = std::min(columns - 1, random.in(0, 40) + left);
      b.constraint(y, {std::min(top, below), below});
      b.constraint(x, {std::min(left, right), right});
      index = {y - std::min(top, below), x - std::min(left, right)};
      in.dimensions = {rows, columns};
      break;
    }
    case 2: {  // sliced, in steps
      const int64_t step = random.in(1, 3), from = random.in(0, 9);
      index = {y + 1, x * step + from};
      in.dimensions = {rows + 2, columns * step + from + random.in(0, 5)};
      break;
    }
    case 3:  // reversed
      index = {y * -1 + (rows - 1), x * -1 + (columns - 1)};
      in.dimensions = {rows, columns};
      break;
    default: {  // by the digits of its number along other rows
      int64_t cut = random.in(2, 60);
      while (rows * columns % cut != 0) --cut;
      const Expr number = y * columns + x;
      index = {floorDiv(number, cut), mod(number, cut)};
      in.dimensions = {rows * columns / cut, cut};
      if (random.oneIn(2)) {
        std::swap(index[0], index[1]);
        std::swap(in.dimensions[0], in.dimensions[1]);
      }
    }
  }
  for (const Expr &expression : index) b.result(expression);
  for (int64_t size : out.dimensions) all.result(all.dimension({0, size - 1}));
  LongRows made;
  made.kernel.buffers = {in, out};
  made.kernel.launches.resize(1);
  made.kernel.launches[0].shape = out;
  made.kernel.reads.resize(1);
  made.kernel.reads[0].map.add(*simplify(*b.build()));
  made.kernel.writes.resize(1);
  made.kernel.writes[0].buffer = 1;
  made.kernel.writes[0].map.add(*simplify(*all.build()));
  return made;
}

/// A kernel of which each element reads a window of others, as a reduce-window
/// and a convolution do: of one dimension or two, in steps, dilated, padded,
/// perhaps from the end on.
LongRows randomWindows(Random &random) {
  static constexpr ElementType kTypes[] = {ElementType::F32, ElementType::F32,
                                           ElementType::BF16, ElementType::S8};
  const ElementType type = kTypes[random.in(0, 3)];
  const bool isPlane = random.oneIn(3);
  ArrayShape out(type, {}), in(type, {});
  IndexingMapBuilder b, all;
  std::vector<Expr> index;
  const auto add = [&](int64_t count, int64_t window) {
    static constexpr int64_t kSteps[] = {1, 1, 1, 2, 3},
                             kHoles[] = {1, 1, 2, 5};
    const int64_t step = kSteps[random.in(0, 4)],
                  hole = kHoles[random.in(0, 3)];
    const bool isBackwards = random.oneIn(4);
    const int64_t reach = hole * (window - 1);
    const int64_t pad = random.oneIn(3) ? 0 : random.in(0, reach);
    const int64_t size =
        std::max<int64_t>(1, random.oneIn(3) ? (count - 1) * step + reach + 1
                                             : random.in(1, count * step));
    const Expr x = b.dimension({0, count - 1});
    Expr at = x;
    if (hole == 1 && random.oneIn(2)) {
      // By the element that is read, as maps of programs have it.
      at = b.range({0, size - 1});
      b.constraint(at - x * step + pad, {0, window - 1});
    } else {
      const Expr k = b.range({0, window - 1});
      at = x * step + k * (isBackwards ? -hole : hole) -
           (isBackwards ? pad - reach : pad);
      b.constraint(at, {0, size - 1});
    }
    index.push_back(at);
    out.dimensions.push_back(count);
    in.dimensions.push_back(size);
  };
  if (isPlane) add(random.in(1, 12), random.in(1, 12));
  const int64_t columns = random.in(33, isPlane ? 90 : 400);
  add(columns, random.in(2, isPlane ? 40 : 400));
  for (const Expr &expression : index) b.result(expression);
  for (int64_t size : out.dimensions) all.result(all.dimension({0, size - 1}));
  LongRows made;
  made.kernel.buffers = {in, out};
  made.kernel.launches.resize(1);
  made.kernel.launches[0].shape = out;
  made.kernel.reads.resize(1);
  const IndexingMap read = *simplify(*b.build());
  // A window that is padding alone reads nothing.
  if (read.isKnownEmpty()) return randomWindows(random);
  made.kernel.reads[0].map.add(read);
  made.kernel.writes.resize(1);
  made.kernel.writes[0].buffer = 1;
  made.kernel.writes[0].map.add(*simplify(*all.build()));
  return made;
}

std::vector<Figure> figuresIn(const AccessFigures &of) {
  return {of.accesses, of.activeLanes,   of.bytesUsed,       of.sectors,
          of.lines,    of.sectorsFewest, of.distinctSectors, of.wastedBytes};
}

void expectSame(const AccessFigures &a, const AccessFigures &b,
                const std::string &where) {
  EXPECT_EQ(figuresIn(a), figuresIn(b)) << where;
  EXPECT_EQ(a.exact, b.exact) << where;
  EXPECT_EQ(a.vector, b.vector) << where;
  EXPECT_EQ(a.laneStride, b.laneStride) << where;
  EXPECT_EQ(a.laneRuns, b.laneRuns) << where;
  EXPECT_EQ(a.repeats, b.repeats) << where;
  ASSERT_EQ(a.memoryPieces.has_value(), b.memoryPieces.has_value()) << where;
  if (!a.memoryPieces) return;
  EXPECT_EQ(a.memoryPieces->all, b.memoryPieces->all) << where;
  EXPECT_EQ(a.memoryPieces->distinct, b.memoryPieces->distinct) << where;
}

template <typename Check>
void forKernels(Check check, LongRows (*make)(Random &) = randomKernel) {
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  const uint64_t count = fromEnvironment("INDEXICAL_LAUNCHES", kKernels);
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    const LongRows rows = make(random);
    check(rows, random, "seed " + std::to_string(seed) + "\n" + rows.str());
    if (::testing::Test::HasFailure()) return;
  }
}

/// Measures random kernels, and goes through every thread of them.
void expectSimulated(LongRows (*make)(Random &)) {
  const Machine machine;
  Device device;
  forKernels(
      [&](const LongRows &rows, Random &random, const std::string &where) {
        const int64_t vector = int64_t{1} << random.in(0, 2);
        const auto threads = threadsOf(rows.kernel.launches[0], vector);
        ASSERT_TRUE(threads.ok());
        const auto figures =
            coalescing(rows.read().map, rows.operand(), *threads, device);
        ASSERT_TRUE(figures.ok()) << where;
        const Simulated all =
            simulate(rows.read().map, rows.operand(), *threads, machine);
        std::vector<Figure> simulated;
        for (int64_t figure : {all.accesses, all.activeLanes, all.bytesUsed,
                               all.sectors, all.lines, all.sectorsFewest,
                               all.distinctSectors, all.wastedBytes})
          simulated.push_back({figure, figure});
        EXPECT_EQ(figuresIn(*figures), simulated) << where << all.str();
        EXPECT_EQ(figures->vector, all.vector) << where;
      },
      make);
}

/// Warps that are alike are counted together, and others are not.
TEST(LongRows, EqualTheSimulator) { expectSimulated(randomKernel); }

/// Windows of many elements are cut along diagonals.
TEST(LongRows, WindowsEqualTheSimulator) { expectSimulated(randomWindows); }

/// A window over a whole row has numbers, and no bounds, however long it is:
/// element x reads the x + 1 elements up to its own.
TEST(LongRows, AWindowOverEverythingHasNumbers) {
  for (const int64_t size : {1024, 16384, 65536, 1 << 20})
    for (const bool isBySource : {true, false}) {
      const ArrayShape shape(ElementType::S32, {size});
      IndexingMapBuilder b;
      const Expr x = b.dimension({0, size - 1}), k = b.range({0, size - 1});
      const Expr at = isBySource ? k : x + k - (size - 1);
      b.constraint(isBySource ? x - k : at, {0, size - 1});
      b.result(at);
      const auto threads = linearThreads(shape, {128, 1, 1});
      ASSERT_TRUE(threads.ok());
      CoalescingOptions options;
      options.byWarps = true;
      const auto figures = coalescing(IndexingRelation(*simplify(*b.build())),
                                      shape, *threads, Device(), options);
      ASSERT_TRUE(figures.ok());
      EXPECT_TRUE(figures->exact) << size;
      const int64_t lanes = size * (size + 1) / 2;
      EXPECT_EQ(figures->activeLanes, (Figure{lanes, lanes})) << size;
      EXPECT_EQ(figures->distinctSectors, (Figure{size / 8, size / 8})) << size;
      // Warp w reads for each distance up to that of its last lane.
      const int64_t warps = size / 32, accesses = 16 * warps * (warps + 1);
      EXPECT_EQ(figures->accesses, (Figure{accesses, accesses})) << size;
      // By its source, all lanes of an access read one element.
      const int64_t bytes = 4 * (isBySource ? accesses : lanes);
      EXPECT_EQ(figures->bytesUsed, (Figure{bytes, bytes})) << size;
    }
}

/// The same if all threads of a block read one element, which it reads once:
/// block b reads the elements up to that of its last thread.
TEST(LongRows, BlocksThatShareAWindowHaveNumbers) {
  for (const int64_t size : {1024, 16384, 65536, 1 << 20}) {
    const ArrayShape shape(ElementType::S32, {size});
    IndexingMapBuilder b;
    const Expr x = b.dimension({0, size - 1}), k = b.range({0, size - 1});
    b.constraint(x - k, {0, size - 1});
    b.result(k);
    const auto figures =
        coalescing(IndexingRelation(*simplify(*b.build())), shape,
                   *linearThreads(shape, {128, 1, 1}), Device());
    ASSERT_TRUE(figures.ok());
    EXPECT_TRUE(figures->byEveryThread) << size;
    const int64_t blocks = size / 128, reads = 64 * blocks * (blocks + 1);
    // Of 8192 blocks the parts are too many: the number is in an interval.
    if (size > 65536) {
      EXPECT_LE(figures->accesses.least, reads) << size;
      EXPECT_GE(figures->accesses.most, reads) << size;
    } else {
      EXPECT_EQ(figures->accesses, (Figure{reads, reads})) << size;
    }
    EXPECT_EQ(figures->distinctSectors, (Figure{size / 8, size / 8})) << size;
  }
}

/// A kernel takes the vectors that are the best of all three, if each is
/// measured to its end, and has the figures of these.
TEST(LongRows, VectorsMoveTheFewestSectors) {
  Device device;
  int64_t chosen[5] = {};
  TrafficMeter meter(device);
  forKernels([&](const LongRows &rows, Random &, const std::string &where) {
    const KernelTraffic found = meter.measure(rows.kernel);
    int64_t best = 0, fewest = INT64_MAX;
    std::vector<AccessFigures> expected;
    for (int64_t vector : {4, 2, 1}) {
      const auto threads = *threadsOf(rows.kernel.launches[0], vector);
      int64_t sectors = 0;
      bool wastes = false;
      std::vector<AccessFigures> now;
      for (const bool isRead : {true, false}) {
        const MemoryAccess &access =
            isRead ? rows.read() : rows.kernel.writes[0];
        CoalescingOptions options;
        options.byWarps = !isRead;
        const auto figures =
            coalescing(access.map, rows.kernel.buffers[access.buffer], threads,
                       device, options);
        ASSERT_TRUE(figures.ok()) << where;
        sectors += figures->sectors.most;
        wastes |= figures->wastedBytes.most > 0;
        now.push_back(*figures);
      }
      if (sectors < fewest) {
        fewest = sectors;
        best = vector;
        expected = now;
      }
      if (!wastes) break;
    }
    ++chosen[best];
    EXPECT_EQ(found.threads[0], *threadsOf(rows.kernel.launches[0], best))
        << where;
    expectSame(*found.reads[0].figures, expected[0], where);
    expectSame(*found.writes[0].figures, expected[1], where);
  });
  for (int64_t vector : {4, 2, 1}) EXPECT_GT(chosen[vector], 0) << vector;
}

/// A question with a limit has the same answer, or none if that is past it, and
/// a question for sums can be completed later.
TEST(LongRows, ALimitEndsWhatIsPastIt) {
  Device device;
  int64_t ended = 0, completed = 0;
  forKernels([&](const LongRows &rows, Random &random,
                 const std::string &where) {
    const auto threads = *threadsOf(rows.kernel.launches[0], 4);
    const AccessFigures whole =
        *coalescing(rows.read().map, rows.operand(), threads, device);
    auto launch = *Coalescing::of(threads, device);
    CoalescingOptions options;
    options.distinct = false;
    options.mostSectors =
        std::max<int64_t>(1, whole.sectors.most * random.in(0, 16) / 8);
    const auto sums = launch.figures(rows.read().map, rows.operand(), options);
    if (!sums.ok()) {
      EXPECT_EQ(sums.why().obstacle, Obstacle::TooManySectors) << where;
      EXPECT_GT(whole.sectors.most, options.mostSectors) << where;
      EXPECT_GT(whole.wastedBytes.most, 0) << where;
      ++ended;
    } else {
      EXPECT_EQ(sums->sectors, whole.sectors) << where;
      EXPECT_EQ(sums->wastedBytes, whole.wastedBytes) << where;
      ++completed;
    }
    if (random.oneIn(2)) launch.forgetMaps();
    expectSame(*launch.figures(rows.read().map, rows.operand()), whole, where);
    // Blocks share nothing of it, so its warps are the same question.
    CoalescingOptions byWarps;
    byWarps.byWarps = true;
    expectSame(
        *launch.figures(rows.read().map, rows.operand(), byWarps),
        *coalescing(rows.read().map, rows.operand(), threads, device, byWarps),
        where);
  });
  EXPECT_GT(ended, 0);
  EXPECT_GT(completed, 0);
}

}  // namespace
}  // namespace indexical::testing
