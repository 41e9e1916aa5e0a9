// Tiles of programs whose sizes are not known, against runs with all small
// sizes: "all StableHLO programs with dynamism are refinable to static programs
// by providing concrete input types" (reference/stablehlo_dynamism_rfc.txt,
// P4).
//
// A run is one of the program with the sizes written in, read from a text of
// its own and evaluated element by element (tests/support/program_run.h). With
// these sizes for its variables, an exact tile of the open program must be what
// the root's tile depends on, at every offset; one that is not exact holds it.
//
//   INDEXICAL_PROGRAMS=20000   so many programs
//   INDEXICAL_SEED=n           beginning with this one
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

#include "indexical/import/stablehlo/import/import.h"
#include "indexical/program/maps/program_indexing.h"
#include "tests/cost/tiles/tile_points.h"
#include "tests/documents/open_programs.h"
#include "tests/support/program_run.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

struct Counts {
  int64_t exact = 0, boxes = 0, undecided = 0, named = 0;
};

/// A program with its sizes written in, run.
class Twin {
 public:
  Twin(const std::string &text, Random &random)
      : program_(*importMlir(text)),
        entry_(module().computations[module().entry]),
        run_(module(), module().entry, random) {
    for (size_t i = 0; i < entry_.instructions.size(); ++i)
      numbers_[entry_.instructions[i].name.str()] = i;
  }

  Point sizesOf(const std::string &name, int64_t leaf) const {
    const auto &sizes = shapesOf(entry_.instructions[numbers_.at(name)].op)
                            .results[leaf]
                            .dimensions;
    return Point(sizes.begin(), sizes.end());
  }
  Point rootSizes() const {
    return sizesOf(entry_.instructions[entry_.root].name.str(), 0);
  }
  /// Returns, for each element of the root, the elements of the leaf that it
  /// depends on.
  const std::map<Point, Points> &readsOf(const std::string &name,
                                         int64_t leaf) {
    auto [known, isNew] = reads_.try_emplace({name, leaf});
    if (isNew)
      for (const Pair &pair : run_.pairs(
               {entry_.root, 0}, ProgramRun::Leaf{numbers_.at(name), leaf}))
        known->second[Point(pair.first.begin(), pair.first.end())].insert(
            Point(pair.second.begin(), pair.second.end()));
    return known->second;
  }

 private:
  const Module &module() const { return program_.modules[0]; }

  const Program program_;
  const Computation &entry_;
  const ProgramRun run_;
  std::map<std::string, int32_t> numbers_;
  std::map<std::pair<std::string, int64_t>, std::map<Point, Points>> reads_;
};

/// The tiles of the open program.
class Open {
 public:
  explicit Open(const std::string &text)
      : program_(*importMlir(text)),
        entry_(program_.modules[0].computations[program_.modules[0].entry]),
        maps_(program_.modules[0]) {}

  std::vector<InstructionTile> tiles(const RootTile &root) {
    auto found = tilesOf(maps_, {program_.modules[0].entry, entry_.root}, root);
    EXPECT_TRUE(found.ok()) << found.status();
    return found.ok() ? *std::move(found) : std::vector<InstructionTile>();
  }
  llvm::ArrayRef<int64_t> rootShape() const {
    return shapesOf(entry_.instructions[entry_.root].op).results[0].dimensions;
  }
  std::string nameOf(int32_t i) const {
    return entry_.instructions[i].name.str();
  }

  /// The sizes of the run that the tile names.
  std::vector<int64_t> runtimeOf(const SymbolicTile &tile, const Twin &twin) {
    std::vector<int64_t> values;
    for (const RuntimeVariable &variable : tile.map().runtime()) {
      EXPECT_EQ(variable.source.kind, RuntimeSource::Kind::Size);
      const Value &of = maps_.value(variable.source.tensor);
      values.push_back(twin.sizesOf(nameOf(of.instruction),
                                    of.result)[variable.source.dimension]);
    }
    return values;
  }

 private:
  const Program program_;
  const Computation &entry_;
  ProgramIndexing maps_;
};

void check(Open &open, llvm::ArrayRef<InstructionTile> all, Twin &twin,
           const Point &sizes, const Point &symbols, Counts &counts) {
  std::map<std::pair<int32_t, int64_t>, std::vector<const InstructionTile *>>
      byLeaf;
  for (const InstructionTile &tile : all)
    byLeaf[{tile.instruction, tile.leaf}].push_back(&tile);
  for (const auto &entry : byLeaf) {
    const auto &leaf = entry.first;
    const auto &tiles = entry.second;
    const std::string name = open.nameOf(leaf.first);
    const auto &reads = twin.readsOf(name, leaf.second);
    const Point shape = twin.sizesOf(name, leaf.second);
    bool exact = true, isSaid = true, least = tiles.size() == 1;
    for (const InstructionTile *tile : tiles) {
      const bool fits =
          tile->tile.isExactFor(symbols, open.runtimeOf(tile->tile, twin));
      exact = exact && fits;
      isSaid = isSaid && (fits || !tile->tile.isExact());
      least = least && !tile->tile.isExact() && tile->tile.isLeast();
      counts.named += !tile->tile.map().runtime().empty();
    }
    if (!isSaid) {  // conditions that do not hold
      ++counts.undecided;
      continue;
    }
    ++(exact ? counts.exact : counts.boxes);
    const Point root = twin.rootSizes();
    Point steps;
    for (size_t k = 0; k < sizes.size(); ++k)
      steps.push_back((root[k] + sizes[k] - 1) / sizes[k]);
    visitBox(steps, [&](const Point &step) {
      if (::testing::Test::HasFatalFailure()) return;
      Point offsets;
      for (size_t k = 0; k < step.size(); ++k)
        offsets.push_back(step[k] * sizes[k]);
      Points read, found;
      visitBox(sizes, [&](const Point &i) {
        Point from;
        for (size_t k = 0; k < i.size(); ++k) from.push_back(offsets[k] + i[k]);
        if (auto at = reads.find(from); at != reads.end())
          read.insert(at->second.begin(), at->second.end());
      });
      std::string said;
      for (const InstructionTile *tile : tiles) {
        const std::vector<int64_t> runtime = open.runtimeOf(tile->tile, twin);
        if (!tile->tile.isReadAt(offsets, symbols, runtime)) continue;
        const auto values = tile->tile.at(offsets, symbols, runtime);
        ASSERT_TRUE(values);
        const Points points = pointsOf(*values, shape);
        found.insert(points.begin(), points.end());
        absl::StrAppend(&said, "\n", tile->map.strOneLine(), "\n  ",
                        tile->tile.map().strOneLine());
      }
      const std::string where =
          absl::StrCat(name, " at (", absl::StrJoin(offsets, ", "), ") sizes (",
                       absl::StrJoin(sizes, ", "), ") of (",
                       absl::StrJoin(root, ", "), ")", said);
      if (exact) {
        ASSERT_EQ(pointsText(found), pointsText(read)) << where;
      } else if (least) {
        ASSERT_EQ(pointsText(found), pointsText(boxAround(read))) << where;
      } else {
        ASSERT_TRUE(
            std::includes(found.begin(), found.end(), read.begin(), read.end()))
            << pointsText(found) << "\nlacks some of\n"
            << pointsText(read) << where;
      }
    });
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(OpenTiles, AreThoseOfEachRun) {
  const int64_t programs = fromEnvironment("INDEXICAL_PROGRAMS", 200);
  const int64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  Counts counts;
  for (int64_t seed = first; seed < first + programs && !HasFailure(); ++seed) {
    Random random(seed);
    const OpenProgram program(random);
    SCOPED_TRACE(absl::StrCat("seed ", seed, "\n", program.text(false)));
    Open open(program.text(false));
    size_t openSizes = 0;
    for (const RunSize &size : program.argument()) openSizes += size.isOpen;
    const bool isSymbolic = random.oneIn(2);
    RootTile root;
    Point sizes, symbols;
    for (int64_t size : open.rootShape()) {
      root.shape.push_back(size);
      sizes.push_back(random.in(1, 4));
      if (isSymbolic) {
        root.sizes.push_back(
            TileExtent::symbol(absl::StrCat("t", symbols.size())));
        symbols.push_back(sizes.back());
      } else {
        root.sizes.push_back(TileExtent::of(sizes.back()));
      }
    }
    const std::vector<InstructionTile> tiles = open.tiles(root);
    const Point all(openSizes, openSizes > 2 ? 2 : 4);
    visitBox(all, [&](const Point &values) {
      if (HasFailure()) return;
      Point given;
      for (int64_t value : values) given.push_back(value + 1);
      Random same(seed);
      const OpenProgram written(same, given);
      SCOPED_TRACE(written.text(true));
      Twin twin(written.text(true), same);
      const Point whole = twin.rootSizes();
      Point own = sizes, ownSymbols = symbols;
      for (size_t k = 0; k < own.size(); ++k) {
        // A tile size that is larger than a known size is that size.
        if (!root.sizes[k].isSymbol()) continue;
        if (root.shape[k] != kDynamicSize)
          own[k] = ownSymbols[k] = std::min(own[k], whole[k]);
      }
      check(open, tiles, twin, own, ownSymbols, counts);
    });
  }
  printf(
      "%lld exact, %lld boxes, %lld where conditions do not hold; %lld tiles "
      "name sizes\n",
      static_cast<long long>(counts.exact),
      static_cast<long long>(counts.boxes),
      static_cast<long long>(counts.undecided),
      static_cast<long long>(counts.named));
  EXPECT_GT(counts.exact, counts.boxes);
  EXPECT_GT(counts.named, programs);
}

/// The two cases of a broadcast of an open size are two tiles of one way: each
/// says its case, and has elements in that case alone.
TEST(OpenTiles, SayTheirCase) {
  Open open(
      "func.func @main(%x: tensor<?xf32>) -> tensor<5xf32> {\n"
      "  %b = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<?xf32>) -> "
      "tensor<5xf32>\n"
      "  return %b : tensor<5xf32>\n"
      "}\n");
  RootTile root;
  root.shape = {5};
  root.sizes = {TileExtent::of(3)};
  int64_t entries = 0;
  std::set<std::string> said;
  for (const InstructionTile &each : open.tiles(root)) {
    const auto cases = casesOf(each.map);
    if (open.nameOf(each.instruction) != "x") {
      EXPECT_TRUE(cases.empty());
      continue;
    }
    ++entries;
    ASSERT_EQ(cases.size(), 1u);
    said.insert(cases[0].text);
    ASSERT_EQ(cases[0].runtime, std::vector<uint32_t>{0});
    const Interval &bounds = each.map.runtime()[0].bounds;
    for (int64_t size : {1, 5})
      for (int64_t offset : {0, 3}) {
        const auto tile = each.tile.at({offset}, {}, {size});
        ASSERT_TRUE(tile);
        EXPECT_EQ(tile->sizes[0] > 0, bounds.contains(Interval::point(size)))
            << cases[0].text << ", size " << size << ", offset " << offset;
      }
  }
  EXPECT_EQ(entries, 2);
  EXPECT_EQ(said, (std::set<std::string>{"rt0 in [1, 1]", "rt0 in [2, inf]"}));
}

}  // namespace
}  // namespace indexical::testing
