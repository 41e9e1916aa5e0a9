// Tilings that are found, against all that there are.
//
// Random fusions are run element by element. All sizes of a choice are counted
// up here again. Of a size that is kept, what each block reads must be, in
// every instruction and on each way, a product of progressions, and the figures
// must be those of the sets of elements that blocks depend on. Of a size that
// is left out, some block must read no such product; how many are left out all
// the same is printed, and is bounded.
//
//   INDEXICAL_TILES=20         20 times as many random fusions
//   INDEXICAL_TILES_SEED=n     beginning with this one
#include "indexical/cost/tiles/tile_search.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/indexing/evaluation.h"
#include "tests/cost/use/random_fusions.h"
#include "tests/support/program_reads.h"
#include "tests/support/program_run.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

using Point = std::vector<int64_t>;
using Points = std::set<Point>;

/// All indices of a box.
std::vector<Point> indicesOf(const Point &sizes) {
  std::vector<Point> all = {{}};
  for (int64_t size : sizes) {
    std::vector<Point> longer;
    for (const Point &index : all)
      for (int64_t i = 0; i < size; ++i) {
        longer.push_back(index);
        longer.back().push_back(i);
      }
    all = std::move(longer);
  }
  return all;
}

bool isStridedBox(const Points &points) {
  if (points.empty()) return true;
  size_t product = 1;
  for (size_t k = 0; k < points.begin()->size(); ++k) {
    std::set<int64_t> values;
    for (const Point &p : points) values.insert(p[k]);
    product *= values.size();
    for (auto v = values.begin(); std::next(v) != values.end(); ++v)
      if (*std::next(v) - *v != *std::next(values.begin()) - *values.begin())
        return false;
  }
  return product == points.size();
}

/// The elements of a block of the root, as far as the root has them.
std::vector<Points> blocksOf(const Point &shape, const Point &sizes) {
  std::map<Point, Points> blocks;
  for (const Point &index : indicesOf(shape)) {
    Point block;
    for (size_t k = 0; k < index.size(); ++k)
      block.push_back(index[k] / sizes[k]);
    blocks[block].insert(index);
  }
  std::vector<Points> all;
  for (auto &[block, points] : blocks) all.push_back(std::move(points));
  return all;
}

/// Returns the elements that a map without runtime variables reads for a set of
/// indices.
Points imageUnder(const IndexingMap &map, const Points &indices) {
  Point least, sizes;
  for (const Variable &range : map.ranges()) {
    least.push_back(range.bounds.lower);
    sizes.push_back(range.bounds.upper - range.bounds.lower + 1);
  }
  const std::vector<Point> ranges = indicesOf(sizes);
  Points image;
  for (const Point &index : indices)
    for (const Point &range : ranges) {
      auto value = [&](VariableId id) {
        return id.kind == VariableKind::Dimension
                   ? index[id.index]
                   : least[id.index] + range[id.index];
      };
      Evaluation evaluate(map.expressions(), value);
      bool holds = true;
      for (size_t k = 0; k < index.size(); ++k)
        holds &= map.dimensions()[k].bounds.contains(index[k]);
      for (const Constraint &constraint : map.constraints())
        holds &= constraint.bounds.contains(*evaluate(constraint.form));
      if (!holds) continue;
      Point element;
      for (FormId form : map.results()) element.push_back(*evaluate(form));
      image.insert(std::move(element));
    }
  return image;
}

bool isPower(int64_t n) { return (n & (n - 1)) == 0; }

/// The sizes of a choice for a dimension, counted up.
Point sizesOf(const SizeChoice &choice, int64_t dimension) {
  Point sizes;
  for (int64_t n = 1; n <= dimension; ++n) {
    bool is = false;
    switch (choice.kind) {
      case SizeChoice::Kind::Powers:
        is = isPower(n) || n == dimension;
        break;
      case SizeChoice::Kind::Divisors:
        is = dimension % n == 0;
        break;
      case SizeChoice::Kind::List:
        for (int64_t size : choice.list) is |= std::min(size, dimension) == n;
        break;
    }
    if (is) sizes.push_back(n);
  }
  return sizes;
}

struct Counts {
  int kept = 0, leftOut = 0, overlooked = 0, undecided = 0, counted = 0;
};

class Checker {
 public:
  Checker(const std::string &text, Random &random)
      : program(parsed(text)),
        module(program.modules.at(0)),
        computation(module.computations[module.entry]),
        run(module, module.entry, random),
        maps(module) {
    const auto &sizes = shapesOf(computation.instructions[computation.root].op)
                            .results[0]
                            .dimensions;
    shape.assign(sizes.begin(), sizes.end());
  }

  void check(const SizeChoice &choice, Counts &counts) {
    RootTile root;
    root.shape.assign(shape.begin(), shape.end());
    for (size_t k = 0; k < shape.size(); ++k)
      root.sizes.push_back(TileExtent::symbol("t" + std::to_string(k)));
    TileSearchOptions options;
    options.choice = choice;
    auto search =
        searchTiles(maps, module.entry, computation.root, root, options);
    ASSERT_TRUE(search.ok()) << search.status();
    ASSERT_EQ(search->untried, 0);
    std::map<Point, const FoundSizes *> found;
    for (const FoundSizes &each : search->found)
      found[Point(each.sizes.begin(), each.sizes.end())] = &each;
    ASSERT_EQ(found.size(), search->found.size()) << "sizes stand once";
    int64_t leftOut = 0;
    for (const LeftOut &each : search->leftOut) leftOut += each.count;
    const std::vector<Point> all = candidates(choice);
    ASSERT_EQ(all.size(), found.size() + leftOut);
    for (const Point &sizes : all) {
      std::string text;
      for (int64_t size : sizes) text += std::to_string(size) + " ";
      SCOPED_TRACE("sizes " + text);
      if (auto known = found.find(sizes); known != found.end())
        checkKept(*known->second, search->tiles, counts);
      else
        checkLeftOut(sizes, search->tiles, counts);
      if (::testing::Test::HasFailure()) return;
    }
  }

 private:
  std::vector<Point> candidates(const SizeChoice &choice) const {
    std::vector<Point> all = {{}};
    for (int64_t dimension : shape) {
      std::vector<Point> longer;
      for (const Point &sizes : all)
        for (int64_t size : sizesOf(choice, dimension)) {
          longer.push_back(sizes);
          longer.back().push_back(size);
        }
      all = std::move(longer);
    }
    return all;
  }

  void checkKept(const FoundSizes &found, llvm::ArrayRef<InstructionTile> tiles,
                 Counts &counts) {
    ++counts.kept;
    const std::vector<Points> blocks =
        blocksOf(shape, Point(found.sizes.begin(), found.sizes.end()));
    EXPECT_EQ(found.blocks, static_cast<int64_t>(blocks.size()));
    for (const InstructionTile &tile : tiles)
      if (tile.map.runtime().empty()) {
        for (const Points &block : blocks)
          ASSERT_TRUE(isStridedBox(imageUnder(tile.map, block)))
              << tile.map.strOneLine();
      }
    int64_t elements = 0, reads = 0, held = 0;
    for (size_t i = 0; i < computation.instructions.size(); ++i) {
      if (computation.instructions[i].parameterNumber < 0) continue;
      const auto &pairs = readsOf(i);
      for (const auto &[index, points] : pairs) reads += points.size();
      int64_t most = 0;
      for (const Points &block : blocks) {
        const int64_t read = image(pairs, block).size();
        elements += read;
        most = std::max(most, read);
      }
      held += most;
    }
    if (!found.isCounted) {
      EXPECT_GE(found.elements, elements);
      EXPECT_FALSE(found.reuse);
      return;
    }
    ++counts.counted;
    EXPECT_EQ(found.elements, elements);
    EXPECT_EQ(found.bytes, 4 * elements);
    EXPECT_GE(found.shared, 4 * held);
    if (hasOneWayEach()) {
      EXPECT_EQ(found.shared, 4 * held);
    }
    if (found.reuse) {
      EXPECT_DOUBLE_EQ(*found.reuse, static_cast<double>(reads) / elements);
    }
  }

  /// The number of ways to an instruction.
  int waysTo(int32_t instruction) {
    if (ways.empty()) {
      RootTile root;
      root.shape.assign(shape.begin(), shape.end());
      for (size_t k = 0; k < shape.size(); ++k)
        root.sizes.push_back(TileExtent::of(1));
      const auto tiles = *tilesOf(maps, {module.entry, computation.root}, root);
      for (const InstructionTile &tile : tiles) ++ways[tile.instruction];
    }
    return ways[instruction];
  }

  bool hasOneWayEach() {
    for (size_t i = 0; i < computation.instructions.size(); ++i)
      if (computation.instructions[i].parameterNumber >= 0 && waysTo(i) > 1)
        return false;
    return true;
  }

  void checkLeftOut(const Point &sizes, llvm::ArrayRef<InstructionTile> tiles,
                    Counts &counts) {
    ++counts.leftOut;
    const std::vector<Points> blocks = blocksOf(shape, sizes);
    bool decided = true;
    for (const InstructionTile &tile : tiles) {
      if (!tile.map.runtime().empty() || !tile.isMapExact) {
        decided = false;
        continue;
      }
      for (const Points &block : blocks)
        if (!isStridedBox(imageUnder(tile.map, block))) return;
    }
    ++(decided ? counts.overlooked : counts.undecided);
  }

  const std::map<Point, Points> &readsOf(int32_t instruction) {
    auto [known, isNew] = reads.try_emplace(instruction);
    if (isNew)
      for (const Pair &pair :
           run.pairs({computation.root, 0}, ProgramRun::Leaf{instruction, 0}))
        known->second[Point(pair.first.begin(), pair.first.end())].insert(
            Point(pair.second.begin(), pair.second.end()));
    return known->second;
  }

  static Points image(const std::map<Point, Points> &pairs,
                      const Points &block) {
    Points points;
    for (const Point &index : block)
      if (auto found = pairs.find(index); found != pairs.end())
        points.insert(found->second.begin(), found->second.end());
    return points;
  }

  const Program program;
  const Module &module;
  const Computation &computation;
  const ProgramRun run;
  ProgramIndexing maps;
  Point shape;
  std::map<int32_t, std::map<Point, Points>> reads;
  std::map<int32_t, int> ways;
};

void overFusions(const char *what, uint64_t count,
                 const FusionOptions &options) {
  const uint64_t times = fromEnvironment("INDEXICAL_TILES", 1);
  const uint64_t first = fromEnvironment("INDEXICAL_TILES_SEED", 1);
  Counts counts;
  for (uint64_t seed = first; seed < first + count * times; ++seed) {
    Random random(seed);
    const std::string text = randomFusion(random, options);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    Checker checker(text, random);
    SizeChoice list{SizeChoice::Kind::List, {}};
    for (int i = 0; i < 3; ++i) list.list.push_back(random.in(1, 14));
    checker.check({SizeChoice::Kind::Powers}, counts);
    checker.check({SizeChoice::Kind::Divisors}, counts);
    checker.check(list, counts);
    if (::testing::Test::HasFailure()) break;
  }
  std::printf(
      "%s: %d sizes kept, %d of them counted, %d left out; of these %d "
      "are boxes (%.1f%%), %d are not decided here\n",
      what, counts.kept, counts.counted, counts.leftOut, counts.overlooked,
      100.0 * counts.overlooked / std::max(1, counts.leftOut),
      counts.undecided);
  EXPECT_GT(counts.kept, 0);
  EXPECT_GT(counts.leftOut, 0);
  EXPECT_LE(counts.overlooked * 100, counts.leftOut * 15);
}

TEST(TileSearchTest, RandomFusions) {
  FusionOptions options;
  options.runtime = false;
  overFusions("fusions", 200, options);
}

TEST(TileSearchTest, RandomFusionsWithRuntimeIndices) {
  overFusions("fusions with runtime indices", 70, {});
}

TEST(TileSearchTest, RandomReshapes) {
  FusionOptions options;
  options.reshapesOnly = true;
  overFusions("reshapes", 200, options);
}

TEST(TileSearchTest, SizesOfAChoice) {
  const SizeChoice powers{SizeChoice::Kind::Powers};
  EXPECT_EQ(powers.sizesOf(12), (Point{1, 2, 4, 8, 12}));
  EXPECT_EQ(powers.sizesOf(16), (Point{1, 2, 4, 8, 16}));
  EXPECT_EQ(powers.sizesOf(1), (Point{1}));
  EXPECT_EQ(powers.sizesOf(0), (Point{1}));
  const SizeChoice divisors{SizeChoice::Kind::Divisors};
  EXPECT_EQ(divisors.sizesOf(36), (Point{1, 2, 3, 4, 6, 9, 12, 18, 36}));
  // Near 2^63: each power, and divisors that no division finds in time.
  const int64_t huge = 9'000'000'000'000'000'000;
  EXPECT_EQ(powers.sizesOf(huge).size(), 64u);
  EXPECT_EQ(powers.sizesOf(huge)[62], int64_t{1} << 62);
  EXPECT_EQ(powers.sizesOf(INT64_MAX).back(), INT64_MAX);
  EXPECT_EQ(divisors.sizesOf(4611686018427387847),
            (Point{1, 4611686018427387847}));
  const SizeChoice list{SizeChoice::Kind::List, {64, 3, 48, 3}};
  EXPECT_EQ(list.sizesOf(48), (Point{3, 48}));
}

// Five blocks of 2: one of padding alone, four that read two elements each.
TEST(TileSearchTest, AScalarCountsForTheBlocksThatReadIt) {
  const Program program = parsed(
      "f { p = f32[8] parameter(0)  z = f32[] parameter(1)\n"
      "    ROOT r = f32[10] pad(p, z), padding=2_0 }");
  ProgramIndexing maps(program.modules[0]);
  const TileExtent a = TileExtent::symbol("a");
  const auto search = *searchTiles(maps, ComputationId(0), InstructionId(2),
                                   {{10}, {a}, {}}, {});
  bool isFound = false;
  for (const FoundSizes &each : search.found) {
    if (each.sizes[0] != 2) continue;
    isFound = true;
    EXPECT_TRUE(each.isCounted);
    EXPECT_EQ(each.elements, 9);
    EXPECT_EQ(each.bytes, 36);
    EXPECT_DOUBLE_EQ(each.reuse.value_or(0), 10.0 / 9);
  }
  EXPECT_TRUE(isFound);
}

TEST(TileSearchTest, BestComesFirst) {
  const Program program = parsed(
      "f { p = f32[64,64] parameter(0)\n"
      "    t = f32[64,64] transpose(p), dimensions={1,0}\n"
      "    ROOT r = f32[64,64] add(p, t) }");
  const Module &module = program.modules[0];
  ProgramIndexing maps(module);
  RootTile root{
      {64, 64}, {TileExtent::symbol("a"), TileExtent::symbol("b")}, {}};
  TileSearchOptions options;
  options.sharedBytes = 8192;
  options.cores = 16;
  const auto search = *searchTiles(maps, ComputationId(0),
                                   module.computations[0].root, root, options);
  ASSERT_EQ(search.found.size(), 49u);
  const FoundSizes &best = search.found[0];
  // Two tiles of 4 kB, but for the diagonal, where they are one.
  EXPECT_EQ(best.shared, 2 * 16 * 16 * 4);
  EXPECT_EQ(best.blocks, 16);
  EXPECT_EQ(best.bytes, 4 * (2 * 4096 - 4 * 256));
  for (size_t i = 1; i < search.found.size(); ++i) {
    const FoundSizes &a = search.found[i - 1], &b = search.found[i];
    EXPECT_GE(a.fits, b.fits);
    if (a.fits != b.fits) continue;
    EXPECT_GE(a.fills, b.fills);
    if (a.fills == b.fills) {
      EXPECT_LE(a.bytes, b.bytes);
    }
  }
}

TEST(TileSearchTest, ABudgetLeavesSizesUntried) {
  const Program program =
      parsed("f { p = f32[64,64] parameter(0) ROOT r = f32[64,64] negate(p) }");
  ProgramIndexing maps(program.modules[0]);
  RootTile root{
      {64, 64}, {TileExtent::symbol("a"), TileExtent::symbol("b")}, {}};
  TileSearchOptions options;
  options.operations = 60;
  const auto search =
      *searchTiles(maps, ComputationId(0), InstructionId(1), root, options);
  EXPECT_EQ(search.found.size() + search.untried, 49u);
  EXPECT_GT(search.untried, 0);
  EXPECT_GT(search.found.size(), 0u);
}

TEST(TileSearchTest, NumbersStayAndEqualNamesAreOneSize) {
  const Program program =
      parsed("f { p = f32[64,48] parameter(0) ROOT r = f32[64,48] negate(p) }");
  ProgramIndexing maps(program.modules[0]);
  const TileExtent a = TileExtent::symbol("a");
  const auto one = *searchTiles(maps, ComputationId(0), InstructionId(1),
                                {{64, 48}, {a, a}, {}}, {});
  for (const FoundSizes &each : one.found)
    EXPECT_EQ(each.sizes[0], each.sizes[1]);
  EXPECT_EQ(one.found.size(), 7u);  // 1, 2, 4, … 32, 48
  const auto rows = *searchTiles(maps, ComputationId(0), InstructionId(1),
                                 {{64, 48}, {TileExtent::of(5), a}, {}}, {});
  EXPECT_EQ(rows.found.size(), 7u);
  for (const FoundSizes &each : rows.found) {
    EXPECT_EQ(each.sizes[0], 5);
    EXPECT_EQ(each.elements, 64 * 48);
  }
  EXPECT_FALSE(searchTiles(maps, ComputationId(0), InstructionId(1),
                           {{64, 48}, {a, a}, {a, a}}, {})
                   .ok());
}

}  // namespace
}  // namespace indexical::testing
