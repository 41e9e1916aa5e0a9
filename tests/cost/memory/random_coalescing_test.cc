// Figures of random launches against a simulator: all of them, exactly.
//
// INDEXICAL_LAUNCHES: how many; INDEXICAL_SEED: the first one.
#include <algorithm>
#include <cstdint>

#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/words.h"
#include "indexical/cost/memory/coalescing.h"
#include "indexical/cost/memory/thread_map.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/transforms.h"
#include "indexical/simplifier/simplify.h"
#include "tests/cost/memory/random_launches.h"
#include "tests/cost/memory/simulator.h"

namespace indexical::testing {
namespace {

constexpr uint64_t kLaunches = 2000;

Device deviceOf(const Machine &machine) {
  Device device;
  device.warp = machine.warp;
  device.sector = machine.sector;
  device.line = machine.line;
  device.vectorBytes = machine.vectorBytes;
  return device;
}

struct Pair {
  const char *name;
  Figure figure;
  int64_t simulated;
};

std::vector<Pair> pairs(const AccessFigures &figures, const Simulated &all) {
  return {{"accesses", figures.accesses, all.accesses},
          {"active lanes", figures.activeLanes, all.activeLanes},
          {"bytes used", figures.bytesUsed, all.bytesUsed},
          {"sectors", figures.sectors, all.sectors},
          {"fewest", figures.sectorsFewest, all.sectorsFewest},
          {"lines", figures.lines, all.lines},
          {"distinct", figures.distinctSectors, all.distinctSectors},
          {"wasted", figures.wastedBytes, all.wastedBytes}};
}

/// Expects that the figures are those of the simulator, each a number.
void expectSimulated(const RandomLaunch &launch, uint64_t seed,
                     const Simulated &all) {
  auto figures = coalescing(launch.read, launch.operand, launch.threads,
                            deviceOf(launch.machine));
  ASSERT_TRUE(figures.ok()) << "seed " << seed << ": "
                            << wordsOf(figures.why()) << '\n'
                            << launch.str();
  ASSERT_EQ(figures->vector, all.vector) << "seed " << seed << '\n'
                                         << launch.str() << all.str();
  for (const Pair &pair : pairs(*figures, all)) {
    ASSERT_EQ(pair.figure.least, pair.simulated)
        << "seed " << seed << ", " << pair.name << '\n'
        << launch.str() << all.str();
    ASSERT_EQ(pair.figure.most, pair.simulated)
        << "seed " << seed << ", " << pair.name;
  }
  ASSERT_TRUE(figures->exact) << "seed " << seed;
  ASSERT_EQ(figures->byEveryThread, all.byEveryThread)
      << "seed " << seed << '\n'
      << launch.str() << all.str();
}

TEST(RandomCoalescing, EqualsTheSimulator) {
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  const uint64_t count = fromEnvironment("INDEXICAL_LAUNCHES", kLaunches);
  int64_t vectors = 0, shared = 0, accesses = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    const RandomLaunch launch = randomLaunch(random);
    const Simulated all =
        simulate(launch.read, launch.operand, launch.threads, launch.machine);
    ASSERT_NO_FATAL_FAILURE(expectSimulated(launch, seed, all));
    vectors += all.vector > 1;
    shared += all.byEveryThread;
    accesses += all.accesses;
  }
  RecordProperty("with_vectors", std::to_string(vectors));
  RecordProperty("accesses", std::to_string(accesses));
  EXPECT_GT(vectors, 0);
  EXPECT_GT(shared, 0);
}

TEST(RandomCoalescing, ProductsEqualTheSimulator) {
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  const uint64_t count = fromEnvironment("INDEXICAL_LAUNCHES", kLaunches) / 4;
  uint64_t products = 0, vectors = 0, bounds = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    const RandomLaunch launch = randomProducts(random);
    const Simulated all =
        simulate(launch.read, launch.operand, launch.threads, launch.machine);
    const auto figures = coalescing(launch.read, launch.operand, launch.threads,
                                    deviceOf(launch.machine));
    // A piece for each of many threads is too much, and a divisor has to be
    // seen to differ from zero.
    if (!figures.ok() || !figures->exact) {
      ++bounds;
      if (!figures.ok()) continue;
      for (const Pair &pair : pairs(*figures, all))
        ASSERT_TRUE(pair.figure.least <= pair.simulated &&
                    pair.simulated <= pair.figure.most)
            << "seed " << seed << ", " << pair.name << '\n'
            << launch.str() << all.str();
      continue;
    }
    ASSERT_NO_FATAL_FAILURE(expectSimulated(launch, seed, all));
    vectors += all.vector > 1;
    for (const IndexingMap &piece : launch.read.pieces()) {
      const ExpressionTable &table = piece.expressions();
      for (AtomId i = 0; i < table.atomCount(); ++i)
        products += table.atom(i).kind == AtomKind::Product ||
                    table.atom(i).kind == AtomKind::Quotient ||
                    table.atom(i).kind == AtomKind::Remainder;
    }
  }
  RecordProperty("products", std::to_string(products));
  EXPECT_GT(products, count / 4);
  EXPECT_LT(bounds, count / 8);
  EXPECT_GT(vectors, 0u);
}

/// A read of a space as slices, pads and transpositions are, of one piece or
/// of those that a pad leaves.
RandomLaunch randomNumberedLaunch(Random &random) {
  static constexpr ElementType kTypes[] = {ElementType::F32, ElementType::BF16,
                                           ElementType::S8, ElementType::F64};
  RandomLaunch launch;
  ArrayShape space(ElementType::F32, {});
  const int64_t rank = random.in(1, 3);
  launch.operand.type = kTypes[random.in(0, 3)];
  llvm::SmallVector<int64_t, 3> from, until, step;
  for (int64_t k = 0; k < rank; ++k) {
    const int64_t size = random.in(1, k + 1 == rank ? 150 : 14);
    space.dimensions.push_back(size);
    from.push_back(random.oneIn(2) ? 0 : random.in(0, size - 1));
    until.push_back(random.oneIn(2) ? size - 1 : random.in(from[k], size - 1));
    step.push_back(random.oneIn(4) ? random.in(0, 3) : 1);
  }
  const auto order = random.permutation(rank);
  const auto read = [&](llvm::ArrayRef<Interval> part, bool isScalar) {
    IndexingMapBuilder b;
    llvm::SmallVector<Expr, 3> index;
    for (int64_t k = 0; k < rank; ++k) {
      index.push_back(b.dimension({0, space.dimensions[k] - 1}));
      b.constraint(index[k], part[k]);
    }
    for (const auto k : order)
      if (!isScalar) b.result((index[k] - from[k]) * step[k] + 2);
    launch.read.add(*simplify(*b.build()));
  };
  llvm::SmallVector<Interval, 3> inside;
  for (int64_t k = 0; k < rank; ++k) inside.push_back({from[k], until[k]});
  if (!random.oneIn(3)) {
    read(inside, false);
    for (const auto k : order)
      launch.operand.dimensions.push_back((until[k] - from[k]) * step[k] +
                                          random.in(3, 12));
  } else {
    for (int64_t k = 0; k < rank; ++k) {
      llvm::SmallVector<Interval, 3> part(inside.begin(), inside.begin() + k);
      for (int64_t j = k; j < rank; ++j)
        part.push_back({0, space.dimensions[j] - 1});
      for (const Interval beside :
           {Interval{0, from[k] - 1},
            Interval{until[k] + 1, space.dimensions[k] - 1}}) {
        if (beside.isEmpty()) continue;
        part[k] = beside;
        read(part, true);
      }
    }
  }
  const auto threads = linearThreads(
      space, {32 * random.in(1, 4), 1, int64_t{1} << random.in(0, 2)});
  EXPECT_TRUE(threads.ok());
  launch.threads = *threads;
  return launch;
}

/// Threads that go through a space in its order, as those of loop fusions do.
TEST(RandomCoalescing, NumberedThreadsEqualTheSimulator) {
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1) + 7'000'000'000;
  const uint64_t count = fromEnvironment("INDEXICAL_LAUNCHES", kLaunches) / 2;
  int64_t vectors = 0, shared = 0, several = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    const RandomLaunch launch = randomNumberedLaunch(random);
    CoalescingOptions options;
    options.byWarps = random.oneIn(3);
    const auto figures = coalescing(launch.read, launch.operand, launch.threads,
                                    deviceOf(launch.machine), options);
    ASSERT_TRUE(figures.ok())
        << "seed " << seed << ": " << wordsOf(figures.why()) << '\n'
        << launch.str();
    const Simulated all = simulate(
        launch.read, launch.operand, launch.threads, launch.machine, nullptr, 0,
        options.byWarps ? BlockReads::EachWarp : BlockReads::Once);
    ASSERT_EQ(figures->vector, all.vector) << "seed " << seed << '\n'
                                           << launch.str() << all.str();
    for (const Pair &pair : pairs(*figures, all)) {
      ASSERT_EQ(pair.figure, (Figure{pair.simulated, pair.simulated}))
          << "seed " << seed << ", " << pair.name << '\n'
          << launch.str() << all.str();
    }
    ASSERT_TRUE(figures->exact) << "seed " << seed;
    ASSERT_EQ(figures->byEveryThread, all.byEveryThread)
        << "seed " << seed << '\n'
        << launch.str() << all.str();
    vectors += all.vector > 1;
    shared += all.byEveryThread;
    several += launch.read.pieces().size() > 1;
  }
  EXPECT_GT(vectors, 0);
  EXPECT_GT(shared, 0);
  EXPECT_GT(several, 0);
}

/// A small budget leaves bounds that hold.
TEST(RandomCoalescing, BoundsHoldPastTheBudget) {
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1) + 1'000'000'000;
  const uint64_t count = fromEnvironment("INDEXICAL_LAUNCHES", kLaunches) / 4;
  int64_t bounded = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    const RandomLaunch launch = randomLaunch(random);
    CoalescingOptions options;
    options.operations = random.in(100, 20'000);
    auto figures = coalescing(launch.read, launch.operand, launch.threads,
                              deviceOf(launch.machine), options);
    ASSERT_TRUE(figures.ok()) << "seed " << seed;
    const Simulated all = simulate(launch.read, launch.operand, launch.threads,
                                   launch.machine, nullptr, figures->vector);
    bool open = false;
    for (const Pair &pair : pairs(*figures, all)) {
      ASSERT_LE(pair.figure.least, pair.simulated)
          << "seed " << seed << ", " << pair.name << '\n'
          << launch.str() << all.str();
      ASSERT_GE(pair.figure.most, pair.simulated)
          << "seed " << seed << ", " << pair.name << '\n'
          << launch.str() << all.str();
      open |= !pair.figure.isKnown();
    }
    if (open) {
      ASSERT_FALSE(figures->exact) << "seed " << seed;
    }
    bounded += open;
  }
  EXPECT_GT(bounded, 0);
}

/// A runtime variable that all threads share: least and most over its values.
TEST(RandomCoalescing, SharedRuntimeVariablesTakeEveryValue) {
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1) + 2'000'000'000;
  const uint64_t count = fromEnvironment("INDEXICAL_LAUNCHES", kLaunches) / 8;
  int64_t exact = 0, open = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    const RandomLaunch launch = randomLaunch(random, RandomRuntime::Common);
    auto figures = coalescing(launch.read, launch.operand, launch.threads,
                              deviceOf(launch.machine));
    ASSERT_TRUE(figures.ok())
        << "seed " << seed << ": " << wordsOf(figures.why()) << '\n'
        << launch.str();
    // Variables of one name are one.
    Interval values = Interval::all();
    bool any = false;
    for (const IndexingMap &piece : launch.read.pieces())
      for (const RuntimeVariable &variable : piece.runtime()) {
        values = any ? values.hull(variable.bounds) : variable.bounds;
        any = true;
      }
    if (!any) values = {0, 0};
    std::vector<Figure> hull(8, {INT64_MAX, INT64_MIN});
    for (int64_t v = values.lower; v <= values.upper; ++v) {
      auto same = [v](const IndexingMap &, uint32_t, llvm::ArrayRef<int64_t>,
                      llvm::ArrayRef<int64_t>) {
        return std::optional<int64_t>(v);
      };
      const Simulated all =
          simulate(launch.read, launch.operand, launch.threads, launch.machine,
                   same, figures->vector);
      for (auto [i, pair] : llvm::enumerate(pairs(*figures, all))) {
        ASSERT_LE(pair.figure.least, pair.simulated)
            << "seed " << seed << ", value " << v << ", " << pair.name << '\n'
            << launch.str() << all.str();
        ASSERT_GE(pair.figure.most, pair.simulated)
            << "seed " << seed << ", value " << v << ", " << pair.name << '\n'
            << launch.str() << all.str();
        hull[i].least = std::min(hull[i].least, pair.simulated);
        hull[i].most = std::max(hull[i].most, pair.simulated);
      }
    }
    open += values.count() > 1;
    if (!figures->exact) continue;
    exact += values.count() > 1;
    for (auto [i, pair] : llvm::enumerate(pairs(*figures, Simulated()))) {
      ASSERT_EQ(pair.figure, hull[i])
          << "seed " << seed << ", " << pair.name << '\n'
          << launch.str();
    }
  }
  EXPECT_GT(exact, open / 2);
}

/// Indices of a gather, read from a tensor: bounds hold whatever it contains.
TEST(RandomCoalescing, GatheredIndicesStayWithinBounds) {
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1) + 3'000'000'000;
  const uint64_t count = fromEnvironment("INDEXICAL_LAUNCHES", kLaunches) / 8;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    const RandomLaunch launch = randomLaunch(random, RandomRuntime::Gathered);
    auto figures = coalescing(launch.read, launch.operand, launch.threads,
                              deviceOf(launch.machine));
    ASSERT_TRUE(figures.ok())
        << "seed " << seed << ": " << wordsOf(figures.why()) << '\n'
        << launch.str();
    for (int64_t contents = 0; contents < 3; ++contents) {
      // All equal, increasing, by chance.
      auto element = [&](const IndexingMap &map, uint32_t i,
                         llvm::ArrayRef<int64_t> dimensions,
                         llvm::ArrayRef<int64_t> ranges) {
        IndexingMap::Point point;
        point.dimensions.assign(dimensions.begin(), dimensions.end());
        point.ranges.assign(ranges.begin(), ranges.end());
        const int64_t at = (*map.sourceMap(i).evaluate(point))[0];
        const Interval bounds = map.runtime()[i].bounds;
        const int64_t value =
            contents == 0 ? 3
            : contents == 1
                ? at
                : static_cast<int64_t>((at * 7919 + contents * 104729) % 41);
        return std::optional<int64_t>(
            std::clamp(value, bounds.lower, bounds.upper));
      };
      // Lanes that differ read for themselves, whatever their indices are.
      const Simulated all =
          simulate(launch.read, launch.operand, launch.threads, launch.machine,
                   element, figures->vector,
                   figures->gathered ? BlockReads::EachWarp : BlockReads::Once);
      for (auto [i, pair] : llvm::enumerate(pairs(*figures, all))) {
        ASSERT_LE(pair.figure.least, pair.simulated)
            << "seed " << seed << ", contents " << contents << ", " << pair.name
            << '\n'
            << launch.str() << all.str();
        ASSERT_GE(pair.figure.most, pair.simulated)
            << "seed " << seed << ", contents " << contents << ", " << pair.name
            << '\n'
            << launch.str() << all.str();
      }
    }
  }
}

//===-- Values that are not known -----------------------------------------===//

/// The numbers that a run of random values gives to elements of tensors.
class Contents {
 public:
  Contents(uint64_t number, int64_t left) : number_(number), left_(left) {}

  /// Returns the value of a variable, or nothing if it is out of its bounds: so
  /// many of 8 are, if it may be.
  std::optional<int64_t> operator()(const IndexingMap &map, uint32_t i,
                                    llvm::ArrayRef<int64_t> dimensions,
                                    llvm::ArrayRef<int64_t> ranges) const {
    IndexingMap::Point point;
    point.dimensions.assign(dimensions.begin(), dimensions.end());
    point.ranges.assign(ranges.begin(), ranges.end());
    const RuntimeVariable &variable = map.runtime()[i];
    uint64_t hash = number_ * 7919 + variable.source.tensor * 31;
    const auto index = map.sourceMap(i).evaluate(point);
    if (number_ > 1)  // 0 and 1: all elements are equal
      for (int64_t at : *index) hash = (hash + at) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
    if (variable.restricts() && static_cast<int64_t>(hash % 8) < left_)
      return std::nullopt;
    const Interval bounds = variable.bounds;
    return bounds.lower +
           static_cast<int64_t>((hash >> 8) %
                                static_cast<uint64_t>(bounds.count()));
  }

 private:
  const uint64_t number_;
  const int64_t left_;
};

/// Returns the read with a variable that leaves out points by chance.
IndexingRelation masked(const IndexingRelation &read) {
  IndexingRelation all;
  for (const IndexingMap &piece : read.pieces()) {
    auto made = withBody(piece, [&](IndexingMapBuilder &b, MapBody &) {
      llvm::SmallVector<Expr, 6> index;
      for (uint32_t k = 0; k < piece.dimensions().size(); ++k)
        index.push_back(
            b.expression(b.pool().variable({VariableKind::Dimension, k})));
      for (uint32_t k = 0; k < piece.ranges().size(); ++k)
        index.push_back(
            b.expression(b.pool().variable({VariableKind::Range, k})));
      if (index.empty()) index.push_back(b.constant(0));
      b.runtimeElement({0, 1}, /*clamped=*/false, 99, index);
    });
    EXPECT_TRUE(made.ok()) << made.status().message();
    if (made.ok()) all.add(*std::move(made));
  }
  return all;
}

/// Whatever the values are that nobody knows, the truth is within the bounds,
/// and a figure that is one number is the truth. Rows that are left out leave
/// out no part of a sector.
TEST(RandomCoalescing, UnknownValuesStayWithinBounds) {
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1) + 4'000'000'000;
  const uint64_t count = fromEnvironment("INDEXICAL_LAUNCHES", kLaunches) / 16;
  int64_t open = 0, known = 0, leftOut = 0, made = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    const bool isMasked = random.oneIn(3);
    const RandomLaunch launch =
        randomLaunch(random, isMasked          ? RandomRuntime::None
                             : random.oneIn(3) ? RandomRuntime::Gathered
                                               : RandomRuntime::Scattered);
    IndexingRelation asked = launch.read;
    if (isMasked) asked.weaken(Precision::Cover);
    CoalescingOptions options;
    options.byWarps = isMasked || random.oneIn(2);
    if (random.oneIn(8)) options.operations = random.in(100, 20'000);
    const auto figures = coalescing(asked, launch.operand, launch.threads,
                                    deviceOf(launch.machine), options);
    ASSERT_TRUE(figures.ok())
        << "seed " << seed << ": " << wordsOf(figures.why()) << '\n'
        << launch.str();
    const IndexingRelation read = isMasked ? masked(launch.read) : launch.read;
    const bool canLeaveOut =
        isMasked || llvm::any_of(launch.read.pieces(), [](const auto &piece) {
          return llvm::any_of(piece.runtime(),
                              [](const auto &v) { return v.restricts(); });
        });
    open += !figures->areBytesKnown();
    known += figures->areBytesKnown() && canLeaveOut;
    for (uint64_t number = 0; number < 8; ++number) {
      const int64_t left = canLeaveOut ? random.in(0, 8) : 0;
      const Contents contents(number, left);
      const Simulated all =
          simulate(read, launch.operand, launch.threads, launch.machine,
                   contents, figures->vector,
                   options.byWarps || figures->gathered ? BlockReads::EachWarp
                                                        : BlockReads::Once);
      for (const Pair &pair : pairs(*figures, all)) {
        ASSERT_LE(pair.figure.least, pair.simulated)
            << "seed " << seed << ", contents " << number << ", " << pair.name
            << '\n'
            << launch.str() << all.str();
        ASSERT_GE(pair.figure.most, pair.simulated)
            << "seed " << seed << ", contents " << number << ", " << pair.name
            << '\n'
            << launch.str() << all.str();
      }
      leftOut += left > 0;
      // What orders go by holds if nothing is left out, by a bound of the read
      // neither. (A lane of two pieces does not show that it lacks one.)
      if (left > 0 || launch.read.pieces().size() > 1 ||
          all.accesses < figures->accesses.most ||
          all.activeLanes < figures->activeLanes.most)
        continue;
      ++made;
      const LeastFigures least = figures->least();
      ASSERT_LE(least.sectors, all.sectors) << "seed " << seed << "\n"
                                            << launch.str() << all.str();
      ASSERT_LE(least.accesses, all.accesses) << "seed " << seed;
      ASSERT_LE(least.lines, all.lines) << "seed " << seed;
      ASSERT_LE(least.distinctSectors, all.distinctSectors) << "seed " << seed;
      ASSERT_LE(least.wastedBytes, all.wastedBytes) << "seed " << seed;
    }
  }
  RecordProperty("open", std::to_string(open));
  EXPECT_GT(open, 0);
  EXPECT_GT(known, 0);
  EXPECT_GT(leftOut, 0);
  EXPECT_GT(made, 0);
}

/// Pieces of memory are counted beside sectors as sectors of their size are.
TEST(RandomCoalescing, PiecesOfMemoryAreSectorsOfTheirSize) {
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1) + 5'000'000'000;
  const uint64_t count = fromEnvironment("INDEXICAL_LAUNCHES", kLaunches) / 8;
  int64_t counted = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    RandomLaunch launch = randomLaunch(random);
    launch.machine.sector = random.in(0, 1) == 0 ? 32 : 16;
    launch.machine.line = 128;
    auto figures = coalescing(launch.read, launch.operand, launch.threads,
                              deviceOf(launch.machine));
    ASSERT_TRUE(figures.ok()) << "seed " << seed;
    if (!figures->memoryPieces) continue;
    launch.machine.sector = kMemoryPiece;
    const Simulated all =
        simulate(launch.read, launch.operand, launch.threads, launch.machine);
    ASSERT_EQ(figures->memoryPieces->all, all.sectors)
        << "seed " << seed << '\n'
        << launch.str() << all.str();
    ASSERT_EQ(figures->memoryPieces->distinct, all.distinctSectors)
        << "seed " << seed << '\n'
        << launch.str() << all.str();
    ++counted;
  }
  EXPECT_GT(counted, 0);
}

/// Threads that are made for a space have all of it: the figures are those that
/// are found without knowing this.
TEST(RandomCoalescing, ThreadsThatAreMadeCoverTheirSpace) {
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1) + 6'000'000'000;
  const uint64_t count = fromEnvironment("INDEXICAL_LAUNCHES", kLaunches) / 8;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    ArrayShape space, operand;
    const int64_t rank = random.in(1, 3);
    for (int64_t k = 0; k < rank; ++k)
      space.dimensions.push_back(random.in(1, 24));
    IndexingMapBuilder b;
    for (int64_t k = 0; k < rank; ++k) {
      const int64_t size = space.dimensions[k];
      // A part of the space reads, in steps.
      const int64_t from = random.in(0, size - 1), step = random.in(1, 3);
      const Expr index = b.dimension({0, size - 1});
      b.constraint(index, {from, size - 1});
      b.result((index - from) * step);
      operand.dimensions.push_back((size - 1 - from) * step + 1);
    }
    const IndexingRelation read(*simplify(*b.build()));
    const auto threads =
        random.in(0, 1) == 0
            ? linearThreads(space, {32 * random.in(1, 4), random.in(1, 2),
                                    int64_t{1} << random.in(0, 2)})
            : rowThreads(space, random.in(0, rank),
                         {32, random.in(1, 4), int64_t{1} << random.in(0, 2)});
    ASSERT_TRUE(threads.ok()) << "seed " << seed;
    const Device &device = defaultDevice();
    auto known = Coalescing::of(*threads, device, space.dimensions);
    auto found = Coalescing::of(*threads, device);
    ASSERT_TRUE(known.ok() && found.ok()) << "seed " << seed;
    const Measured one = known->figures(read, operand);
    const Measured other = found->figures(read, operand);
    ASSERT_TRUE(one.ok() && other.ok()) << "seed " << seed;
    Machine machine;
    const Simulated all = simulate(read, operand, *threads, machine);
    for (auto [a, b] : llvm::zip_equal(pairs(*one, all), pairs(*other, all)))
      ASSERT_TRUE(a.figure == b.figure) << "seed " << seed << ", " << a.name;
    ASSERT_EQ(one->distinctSectors.most, all.distinctSectors)
        << "seed " << seed;
  }
}

/// Rows of whole sectors waste nothing, wherever they go.
TEST(Coalescing, AlignedRowsWasteNothing) {
  for (const bool isScatter : {false, true})
    for (const int64_t row : {8, 32, 1024, 3}) {
      IndexingMapBuilder b;
      Expr d0 = b.dimension({0, 999}), d1 = b.dimension({0, row - 1});
      Expr at = b.runtimeElement({0, 4095}, !isScatter, 0, {d0});
      b.result(at);
      b.result(d1);
      auto map = b.build();
      ASSERT_TRUE(map.ok());
      const ArrayShape updates(ElementType::F32, {1000, row});
      auto threads = linearThreads(updates, {128, 1, 1});
      ASSERT_TRUE(threads.ok());
      const auto figures = coalescing(IndexingRelation(*map),
                                      ArrayShape(ElementType::F32, {4096, row}),
                                      *threads, defaultDevice());
      ASSERT_TRUE(figures.ok());
      if (row % 8 == 0) {
        EXPECT_EQ(figures->wastedBytes, (Figure{0, 0})) << row;
      } else {
        EXPECT_GT(figures->wastedBytes.most, 0) << row;
      }
      EXPECT_EQ(figures->sectors.least == 0, isScatter) << row;
    }
}

}  // namespace
}  // namespace indexical::testing
