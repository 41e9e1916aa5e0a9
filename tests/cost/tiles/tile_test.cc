// Tiles against the elements that a program's run depends on.
//
// Random fusions are run element by element (tests/support/program_run.h). At
// every offset of the root's tile, the points of an exact tile must be what the
// tile's elements depend on; of one that is not exact, the least box around it.
// A symbolic tile must keep that for all small sizes for which its conditions
// hold. How many of those images that are strided boxes are said to be is
// printed.
//
//   INDEXICAL_TILES=20         20 times as many random fusions
//   INDEXICAL_TILES_SEED=n     beginning with this one
#include "indexical/cost/tiles/tile.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/indexing/evaluation.h"
#include "tests/cost/tiles/tile_points.h"
#include "tests/cost/use/random_fusions.h"
#include "tests/support/program_reads.h"
#include "tests/support/program_run.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

/// Whether the points are a product of progressions.
bool isStridedBox(const Points &points) {
  if (points.empty()) return true;
  const size_t rank = points.begin()->size();
  size_t product = 1;
  for (size_t k = 0; k < rank; ++k) {
    std::set<int64_t> values;
    for (const Point &p : points) values.insert(p[k]);
    product *= values.size();
    for (auto v = values.begin(); std::next(v) != values.end(); ++v)
      if (*std::next(v) - *v != *std::next(values.begin()) - *values.begin())
        return false;
  }
  return product == points.size();
}

std::string textOf(const SymbolicTile &tile) {
  std::string text = tile.isExact() ? "exact " : "cover ";
  text += tile.map().strOneLine();
  if (tile.reason())
    text += " because of " + std::to_string(tile.reason()->dimension) + ": " +
            tile.reason()->expression();
  return text;
}

struct Counts {
  int tiles = 0, exact = 0, covers = 0, least = 0, offsets = 0;
  int families = 0, saidExact = 0;  // of strided boxes
};

/// One program, run, and the tiles of its root.
class Checker {
 public:
  Checker(const std::string &text, Random &random)
      : program(parsed(text)),
        module(program.modules.at(0)),
        computation(module.computations[module.entry]),
        run(module, module.entry, random),
        maps(module) {
    shape = sizesOf({computation.root, 0});
  }

  std::vector<int64_t> shape;

  std::vector<InstructionTile> tiles(const RootTile &root) {
    auto found = tilesOf(maps, {module.entry, computation.root}, root);
    EXPECT_TRUE(found.ok()) << found.status();
    return found.ok() ? *std::move(found) : std::vector<InstructionTile>();
  }

  /// The tiles at every offset, symbols having these values and extents theirs.
  void check(llvm::ArrayRef<InstructionTile> all, llvm::ArrayRef<int64_t> sizes,
             llvm::ArrayRef<int64_t> strides, llvm::ArrayRef<int64_t> symbols,
             Counts &counts) {
    std::map<std::pair<int32_t, int64_t>, std::vector<const InstructionTile *>>
        byLeaf;
    for (const InstructionTile &tile : all)
      byLeaf[{tile.instruction, tile.leaf}].push_back(&tile);
    for (const auto &[leaf, tiles] : byLeaf)
      checkLeaf(leaf, tiles, sizes, strides, symbols, counts);
  }

 private:
  std::vector<int64_t> sizesOf(ProgramRun::Leaf leaf) const {
    const auto &sizes = shapesOf(computation.instructions[leaf.instruction].op)
                            .results[leaf.leaf]
                            .dimensions;
    return {sizes.begin(), sizes.end()};
  }

  const std::map<Point, Points> &readsOf(std::pair<int32_t, int64_t> leaf) {
    auto [known, isNew] = reads.try_emplace(leaf);
    if (isNew)
      for (const Pair &pair :
           run.pairs({computation.root, 0},
                     ProgramRun::Leaf{leaf.first, leaf.second}))
        known->second[Point(pair.first.begin(), pair.first.end())].insert(
            Point(pair.second.begin(), pair.second.end()));
    return known->second;
  }

  /// Values of the map's runtime variables at the first of the tile's elements.
  std::vector<int64_t> runtimeOf(const IndexingMap &map,
                                 llvm::ArrayRef<int64_t> offsets) {
    const RunWorld world(run, maps);
    std::vector<int64_t> values(map.runtime().size(), 0);
    for (size_t pass = 0; pass < values.size(); ++pass)
      for (size_t i = 0; i < values.size(); ++i) {
        const RuntimeVariable &variable = map.runtime()[i];
        auto value = [&](VariableId id) {
          if (id.kind == VariableKind::Dimension) return offsets[id.index];
          if (id.kind == VariableKind::Range)
            return map.ranges()[id.index].bounds.lower;
          return values[id.index];
        };
        Evaluation evaluate(map.expressions(), value);
        std::vector<int64_t> index;
        for (FormId form : variable.elementIndex())
          index.push_back(*evaluate(form));
        values[i] = world.element(variable.source.tensor, index).value_or(0);
        if (variable.clamped)
          values[i] = std::clamp(values[i], variable.bounds.lower,
                                 variable.bounds.upper);
      }
    return values;
  }

  void checkLeaf(std::pair<int32_t, int64_t> leaf,
                 llvm::ArrayRef<const InstructionTile *> tiles,
                 llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> strides,
                 llvm::ArrayRef<int64_t> symbols, Counts &counts) {
    bool exact = true, least = tiles.size() == 1;
    for (const InstructionTile *tile : tiles) {
      exact &= tile->tile.isExactFor(symbols);
      least &= !tile->tile.isExact() && tile->tile.isLeast();
      // Conditions that do not hold: nothing is said.
      if (tile->tile.isExact() && !tile->tile.isExactFor(symbols)) {
        if (tiles.size() == 1) countFamily(leaf, sizes, strides, false, counts);
        return;
      }
    }
    ++counts.tiles;
    (exact ? counts.exact : counts.covers) += 1;
    counts.least += !exact && least;
    const std::vector<int64_t> to = sizesOf({leaf.first, leaf.second});
    if (tiles.size() == 1) countFamily(leaf, sizes, strides, exact, counts);
    visitOffsets(sizes, [&](const Point &offsets) {
      const Points read = image(leaf, offsets, sizes, strides);
      Points found;
      std::string said;
      for (const InstructionTile *tile : tiles) {
        const auto runtime = runtimeOf(tile->map, offsets);
        if (!tile->tile.isReadAt(offsets, symbols, runtime)) continue;
        auto values = tile->tile.at(offsets, symbols, runtime);
        ASSERT_TRUE(values);
        const Points points = pointsOf(*values, to);
        found.insert(points.begin(), points.end());
        said += "\n  " + tile->map.strOneLine() + "\n  " + textOf(tile->tile);
      }
      ++counts.offsets;
      auto where = [&] {
        std::string at;
        for (size_t k = 0; k < offsets.size(); ++k)
          at += std::to_string(offsets[k]) + "+" + std::to_string(sizes[k]) +
                "*" + std::to_string(strides[k]) + " ";
        return "tile at " + at + "of " +
               computation.instructions[leaf.first].name.str() + said;
      };
      if (exact) {
        ASSERT_EQ(pointsText(found), pointsText(read)) << where();
      } else if (least) {
        ASSERT_EQ(pointsText(found), pointsText(boxAround(read))) << where();
      } else {
        ASSERT_TRUE(
            std::includes(found.begin(), found.end(), read.begin(), read.end()))
            << pointsText(found) << "\nlacks some of\n"
            << pointsText(read) << where();
      }
    });
  }

  template <typename Visit>
  void visitOffsets(llvm::ArrayRef<int64_t> sizes, Visit visit) {
    Point tiles;
    for (size_t k = 0; k < sizes.size(); ++k)
      tiles.push_back((shape[k] + sizes[k] - 1) / sizes[k]);
    visitBox(tiles, [&](const Point &tile) {
      if (::testing::Test::HasFatalFailure()) return;
      Point offsets(tile.size());
      for (size_t k = 0; k < tile.size(); ++k) offsets[k] = tile[k] * sizes[k];
      visit(offsets);
    });
  }

  /// Returns the elements of the leaf that the elements of the tile depend on.
  Points image(std::pair<int32_t, int64_t> leaf, const Point &offsets,
               llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> strides) {
    const auto &all = readsOf(leaf);
    Points points;
    visitBox(sizes, [&](const Point &i) {
      Point from(i.size());
      for (size_t k = 0; k < i.size(); ++k)
        from[k] = offsets[k] + strides[k] * i[k];
      if (auto found = all.find(from); found != all.end())
        points.insert(found->second.begin(), found->second.end());
    });
    return points;
  }

  void countFamily(std::pair<int32_t, int64_t> leaf,
                   llvm::ArrayRef<int64_t> sizes,
                   llvm::ArrayRef<int64_t> strides, bool exact,
                   Counts &counts) {
    bool isBox = true;
    visitOffsets(sizes, [&](const Point &offsets) {
      isBox = isBox && isStridedBox(image(leaf, offsets, sizes, strides));
    });
    counts.families += isBox;
    counts.saidExact += isBox && exact;
  }

  const Program program;
  const Module &module;
  const Computation &computation;
  const ProgramRun run;
  ProgramIndexing maps;
  std::map<std::pair<int32_t, int64_t>, std::map<Point, Points>> reads;
};

void report(const char *what, const Counts &counts) {
  std::printf(
      "%s: %d tiles at %d offsets, %d exact, %d covers (%d least); "
      "%d of %d strided boxes are said to be exact (%.1f%%)\n",
      what, counts.tiles, counts.offsets, counts.exact, counts.covers,
      counts.least, counts.saidExact, counts.families,
      100.0 * counts.saidExact / std::max(1, counts.families));
}

/// `body` gets a checker of each random fusion.
template <typename Body>
void overFusions(const char *what, uint64_t count, const FusionOptions &options,
                 Body body) {
  const uint64_t times = fromEnvironment("INDEXICAL_TILES", 1);
  const uint64_t first = fromEnvironment("INDEXICAL_TILES_SEED", 1);
  Counts counts;
  for (uint64_t seed = first; seed < first + count * times; ++seed) {
    Random random(seed);
    const std::string text = randomFusion(random, options);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    Checker checker(text, random);
    body(checker, random, counts);
    if (::testing::Test::HasFailure()) break;
  }
  report(what, counts);
}

RootTile tileOf(const Checker &checker, llvm::ArrayRef<int64_t> sizes,
                llvm::ArrayRef<int64_t> strides) {
  RootTile root;
  root.shape.assign(checker.shape.begin(), checker.shape.end());
  for (int64_t size : sizes) root.sizes.push_back(TileExtent::of(size));
  for (int64_t stride : strides) root.strides.push_back(TileExtent::of(stride));
  return root;
}

Point randomSizes(const Checker &checker, Random &random) {
  Point sizes;
  for (int64_t size : checker.shape) {
    int64_t chosen = random.in(1, size);
    if (random.oneIn(2))  // mostly one that divides
      while (size % chosen) --chosen;
    sizes.push_back(random.oneIn(5) ? size : chosen);
  }
  return sizes;
}

void checkNumbers(Checker &checker, Random &random, Counts &counts) {
  for (int i = 0; i < 4 && !::testing::Test::HasFailure(); ++i) {
    const Point sizes = randomSizes(checker, random);
    Point strides(sizes.size(), 1);
    if (random.oneIn(4))
      for (int64_t &stride : strides) stride = random.in(1, 3);
    checker.check(checker.tiles(tileOf(checker, sizes, strides)), sizes,
                  strides, {}, counts);
  }
}

/// Conditions are met by some sizes.
void checkSomeSizesFit(llvm::ArrayRef<int64_t> shape,
                       const SymbolicTile &tile) {
  bool found = tile.conditions().empty();
  visitBox(shape, [&](const Point &index) {
    if (found) return;
    Point sizes;
    for (int64_t i : index) sizes.push_back(i + 1);
    found = tile.isExactFor(sizes);
  });
  EXPECT_TRUE(found) << textOf(tile);
}

void checkSymbols(Checker &checker, Random &random, Counts &counts) {
  RootTile root;
  root.shape.assign(checker.shape.begin(), checker.shape.end());
  const bool withStrides = random.oneIn(4);
  for (size_t k = 0; k < checker.shape.size(); ++k) {
    root.sizes.push_back(TileExtent::symbol("t" + std::to_string(k)));
    if (withStrides)
      root.strides.push_back(TileExtent::symbol("u" + std::to_string(k)));
  }
  const auto tiles = checker.tiles(root);
  if (!withStrides)
    for (const InstructionTile &tile : tiles)
      if (tile.tile.isExact()) checkSomeSizesFit(checker.shape, tile.tile);
  for (int i = 0; i < 8 && !::testing::Test::HasFailure(); ++i) {
    const Point sizes = randomSizes(checker, random);
    Point strides(sizes.size(), 1), symbols = sizes;
    if (withStrides) {
      for (size_t k = 0; k < sizes.size(); ++k)
        strides[k] = random.in(1, std::min<int64_t>(3, checker.shape[k]));
      symbols.insert(symbols.end(), strides.begin(), strides.end());
    }
    checker.check(tiles, sizes, strides, symbols, counts);
  }
}

// Windows read the padding between elements: a remainder of a remainder, which
// no result of the padding's map names.
TEST(TileTest, APaddingBetweenElementsIsReadOrNot) {
  Random random(17);
  Counts counts;
  Checker checker(R"(
sum { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT r = f32[] add(a, b) }
ENTRY f {
  p0 = f32[2,3] parameter(0)
  zero = f32[] constant(0)
  pad = f32[2,5] pad(p0, zero), padding=0_0_0x0_0_1
  row = f32[1,10] reshape(pad)
  w = f32[1,3] reduce-window(row, zero), window={size=1x6 stride=1x2 pad=0_0x0_1}, to_apply=sum
  ROOT root = f32[1,3] negate(w)
})",
                  random);
  for (int i = 0; i < 8; ++i) checkNumbers(checker, random, counts);
}

// Which windows are read, and so whether their padding is, the values of a
// tensor say, one for each element of the tile.
TEST(TileTest, APaddingThatRowsOfAGatherReadOrNot) {
  Random random(17);
  Counts counts;
  Checker checker(R"(
sum { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT r = f32[] add(a, b) }
ENTRY f {
  p0 = f32[4] parameter(0)
  p1 = f32[] parameter(1)
  w = f32[2] reduce-window(p0, p1), window={size=1 stride=3 pad=0_1}, to_apply=sum
  one = f32[] constant(1)
  pad = f32[6] pad(w, one), padding=2_0_2
  p2 = s32[4] parameter(2)
  g = f32[4] gather(pad, p2), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1}
  ROOT root = f32[4] negate(g)
})",
                  random);
  for (int i = 0; i < 8; ++i) checkNumbers(checker, random, counts);
  for (int i = 0; i < 4; ++i) checkSymbols(checker, random, counts);
}

TEST(TileTest, NumbersInRandomFusions) {
  overFusions("numbers", 420, {}, checkNumbers);
}

TEST(TileTest, NumbersInRandomReshapes) {
  FusionOptions options;
  options.reshapesOnly = true;
  overFusions("numbers, reshapes", 320, options, checkNumbers);
}

TEST(TileTest, SymbolsInRandomFusions) {
  overFusions("symbols", 320, {}, checkSymbols);
}

TEST(TileTest, SymbolsInRandomReshapes) {
  FusionOptions options;
  options.reshapesOnly = true;
  overFusions("symbols, reshapes", 210, options, checkSymbols);
}

}  // namespace
}  // namespace indexical::testing
