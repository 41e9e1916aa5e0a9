// Footprints against sets of elements.
//
// Random fusions are run element by element (tests/support/program_run.h); what
// a share's elements depend on is gathered in sets, and every figure that is
// there must be that of the sets: of the whole result, of tiles, of a block of
// a linear thread map. How many figures are there is printed.
//
//   INDEXICAL_FOOTPRINTS=20         20 times as many random fusions
//   INDEXICAL_FOOTPRINTS_SEED=n     beginning with this one
#include "indexical/cost/use/utilization.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/indexing/evaluation.h"
#include "indexical/indexing/map_text.h"
#include "tests/cost/use/random_fusions.h"
#include "tests/support/program_reads.h"
#include "tests/support/program_run.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

using Point = std::vector<int64_t>;
using Points = std::set<Point>;

Point indexAt(llvm::ArrayRef<int64_t> sizes, int64_t place) {
  Point index(sizes.size());
  for (size_t k = sizes.size(); k-- > 0; place /= sizes[k])
    index[k] = place % sizes[k];
  return index;
}

int64_t countOf(llvm::ArrayRef<int64_t> sizes) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  return count;
}

/// All points of the box.
Points boxAt(const Point &at, const Point &sizes, const Point &shape) {
  Points points;
  for (int64_t i = 0; i < countOf(sizes); ++i) {
    Point point = indexAt(sizes, i);
    bool inside = true;
    for (size_t k = 0; k < point.size(); ++k) {
      point[k] += at[k];
      inside &= point[k] < shape[k];
    }
    if (inside) points.insert(point);
  }
  return points;
}

/// The elements that each element of a result depends on.
using Dependences = std::map<Point, Points>;

Dependences dependences(const ProgramRun &run, ProgramRun::Leaf from,
                        ProgramRun::Leaf to) {
  Dependences all;
  for (const Pair &pair : run.pairs(from, to))
    all[Point(pair.first.begin(), pair.first.end())].insert(
        Point(pair.second.begin(), pair.second.end()));
  return all;
}

Points imageOf(const Dependences &all, const Points &from) {
  Points image;
  for (const Point &p : from)
    if (auto found = all.find(p); found != all.end())
      image.insert(found->second.begin(), found->second.end());
  return image;
}

struct Counts {
  int footprints = 0, figures = 0, found = 0, gathers = 0;
};

template <typename T>
void expectFigure(const char *name, const std::optional<T> &figure, T truth,
                  Counts &counts) {
  ++counts.figures;
  if (!figure) return;
  ++counts.found;
  EXPECT_EQ(*figure, truth) << name;
}

/// A share, and the points that it stands for, and those of its neighbours.
struct Asked {
  Share share;
  Points points;
  std::vector<Points> next;
};

void check(const Footprint &footprint, const Dependences &all,
           const Asked &asked, const ArrayShape &shape, Counts &counts) {
  const Points read = imageOf(all, asked.points);
  int64_t pairs = 0;
  for (const Point &p : asked.points)
    if (auto found = all.find(p); found != all.end())
      pairs += found->second.size();
  ++counts.footprints;
  EXPECT_EQ(footprint.size, countOf(shape.dimensions));
  const int64_t distinct = read.size();
  expectFigure("distinct", footprint.distinct, distinct, counts);
  expectFigure("reads", footprint.reads, pairs, counts);
  if (footprint.distinct) {
    EXPECT_EQ(footprint.bytes, distinct * bitsOf(shape.type) / 8);
    if (footprint.reads && distinct > 0) {
      ASSERT_TRUE(footprint.reuse);
      EXPECT_DOUBLE_EQ(*footprint.reuse, static_cast<double>(pairs) / distinct);
    }
  }
  if (read.empty()) {
    EXPECT_FALSE(footprint.hasBox);
  } else {
    ++counts.figures;
    counts.found += footprint.hasBox;
    if (footprint.hasBox) {
      double volume = 1;
      ASSERT_EQ(footprint.box.size(), shape.dimensions.size());
      for (size_t k = 0; k < shape.dimensions.size(); ++k) {
        Interval side = Interval::none();
        for (const Point &p : read) side = side.hull(Interval::point(p[k]));
        EXPECT_EQ(footprint.box[k], side);
        volume *= side.count();
      }
      EXPECT_DOUBLE_EQ(*footprint.density, distinct / volume);
    }
  }
  if (!asked.share.next.empty()) {
    if (footprint.distinct) {
      ASSERT_EQ(footprint.overlap.size(), asked.next.size());
    }
    for (size_t k = 0; k < footprint.overlap.size(); ++k) {
      int64_t common = 0;
      for (const Point &p : imageOf(all, asked.next[k]))
        common += read.count(p);
      expectFigure("overlap", footprint.overlap[k], common, counts);
    }
  }
  if (footprint.unread) {
    Points rest;
    for (const IndexingMap &piece : footprint.unread->pieces())
      for (int64_t i = 0; i < countOf(shape.dimensions); ++i) {
        const Point p = indexAt(shape.dimensions, i);
        // Some values of what remains free.
        int64_t free = 1;
        for (const Variable &v : piece.ranges()) free *= v.bounds.count();
        for (int64_t f = 0; f < free; ++f) {
          IndexingMap::Point point;
          point.dimensions.assign(p.begin(), p.end());
          int64_t left = f;
          for (const Variable &v : piece.ranges()) {
            point.ranges.push_back(v.bounds.lower + left % v.bounds.count());
            left /= v.bounds.count();
          }
          if (piece.contains(point)) rest.insert(p);
        }
      }
    EXPECT_EQ(rest.size() + read.size(),
              static_cast<size_t>(countOf(shape.dimensions)));
    for (const Point &p : rest) EXPECT_FALSE(read.count(p));
  }
}

Asked askWhole(const Point &shape) {
  Asked asked;
  asked.points = boxAt(Point(shape.size(), 0), shape, shape);
  return asked;
}

Asked askTile(Random &random, const Point &shape) {
  Point sizes, at;
  for (int64_t size : shape) {
    sizes.push_back(random.in(1, size));
    at.push_back(random.oneIn(3)
                     ? random.in(0, size - 1)
                     : random.in(0, (size - 1) / sizes.back()) * sizes.back());
  }
  Asked asked;
  auto share = Share::tile(shape, sizes, at);
  EXPECT_TRUE(share.ok()) << share.status();
  asked.share = *std::move(share);
  asked.points = boxAt(at, sizes, shape);
  for (size_t k = 0; k < shape.size(); ++k) {
    Point beside = at;
    beside[k] += sizes[k];
    asked.next.push_back(boxAt(beside, sizes, shape));
  }
  return asked;
}

/// Threads of a block that computes the elements one after the other, in
/// vectors.
Asked askBlock(Random &random, const Point &shape) {
  const int64_t count = countOf(shape);
  const int64_t threads = random.in(1, 8), vector = random.in(1, 4);
  const int64_t blocks = (count + threads * vector - 1) / (threads * vector);
  const int64_t block = random.in(0, blocks - 1);
  const std::string flat = "(bl_x * " + std::to_string(threads * vector) +
                           " + th_x * " + std::to_string(vector) + " + v)";
  std::string text = "(th_x, th_y, th_z, bl_x, bl_y, bl_z)[v] -> (";
  int64_t stride = count;
  for (size_t k = 0; k < shape.size(); ++k) {
    stride /= shape[k];
    text += (k ? ", (" : "(") + flat + " floordiv " + std::to_string(stride) +
            ") mod " + std::to_string(shape[k]);
  }
  text += "), domain: th_x in [0, " + std::to_string(threads - 1) +
          "], th_y in [0, 0], th_z in [0, 0], bl_x in [0, " +
          std::to_string(blocks - 1) +
          "], bl_y in [0, 0], bl_z in [0, 0], v in [0, " +
          std::to_string(vector - 1) + "], " + flat + " in [0, " +
          std::to_string(count - 1) + "]";
  auto map = parseMap(text);
  EXPECT_TRUE(map.ok()) << map.status() << text;
  Asked asked;
  auto share = Share::block(*map, {block, 0, 0});
  EXPECT_TRUE(share.ok()) << share.status();
  asked.share = *std::move(share);
  for (int64_t i = block * threads * vector;
       i < std::min(count, (block + 1) * threads * vector); ++i)
    asked.points.insert(indexAt(shape, i));
  return asked;
}

/// The element of a runtime variable whose place depends at the most on other
/// runtime variables.
std::optional<int64_t> valueIn(const ProgramRun &entry,
                               const ProgramRun &called,
                               const ProgramIndexing &maps,
                               const IndexingMap &map, size_t i) {
  const RuntimeVariable &variable = map.runtime()[i];
  if (variable.source.kind != RuntimeSource::Kind::Element) return std::nullopt;
  auto inner = [&](VariableId id) {
    const Interval &bounds = map.runtime()[id.index].bounds;
    return std::clamp(valueIn(entry, called, maps, map, id.index).value_or(0),
                      bounds.lower, bounds.upper);
  };
  Evaluation evaluate(map.expressions(), inner);
  std::vector<int64_t> index;
  for (FormId form : variable.elementIndex()) index.push_back(*evaluate(form));
  const int64_t tensor = variable.source.tensor;
  const bool inEntry = maps.value(tensor).computation == maps.module().entry;
  return RunWorld(inEntry ? entry : called, maps).element(tensor, index);
}

/// The values that the runs of an entry and of what it calls have.
UtilizationOptions optionsOf(const ProgramRun &entry, const ProgramRun &called,
                             const ProgramIndexing &maps) {
  UtilizationOptions options;
  options.exact.operations = 100'000;
  options.unread = true;
  options.runtimeValue = [&](const IndexingMap &map, size_t i) {
    return valueIn(entry, called, maps, map, i);
  };
  return options;
}

TEST(UtilizationTest, RandomFusions) {
  const uint64_t times = fromEnvironment("INDEXICAL_FOOTPRINTS", 1);
  const uint64_t first = fromEnvironment("INDEXICAL_FOOTPRINTS_SEED", 1);
  Counts counts, blindCounts;
  for (uint64_t seed = first; seed < first + 150 * times; ++seed) {
    Random random(seed);
    FusionOptions fusions;
    fusions.mostElements = 48;
    const std::string text = calledFusion(random, fusions);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    const Program program = parsed(text);
    const Module &module = program.modules.at(0);
    const ComputationId entry = module.entry, called = module.find("f");
    const ProgramRun run(module, entry, random), inner(module, called, random);
    ProgramIndexing maps(module);
    const Computation &main = module.computations[entry];
    const Computation &body = module.computations[called];
    const auto &sizes =
        shapesOf(main.instructions[main.root].op).results[0].dimensions;
    const Point shape(sizes.begin(), sizes.end());
    for (const Asked &asked :
         {askWhole(shape), askTile(random, shape), askTile(random, shape),
          askBlock(random, shape)}) {
      auto outside = utilizationOf(maps, entry, main.root, asked.share, false,
                                   optionsOf(run, inner, maps));
      ASSERT_TRUE(outside.ok()) << outside.status();
      // An answer without runtime values must hold for all values.
      UtilizationOptions unknown = optionsOf(run, inner, maps);
      unknown.runtimeValue = nullptr;
      auto blind =
          utilizationOf(maps, entry, main.root, asked.share, false, unknown);
      ASSERT_TRUE(blind.ok()) << blind.status();
      for (const auto *uses : {&outside->operands, &blind->operands})
        for (const Use &use : *uses)
          check(use.footprint,
                dependences(run, {main.root, 0},
                            ProgramRun::Leaf{use.instruction, use.leaf}),
                asked, use.shape,
                uses == &blind->operands ? blindCounts : counts);
      auto inside = utilizationOf(maps, entry, main.root, asked.share, true,
                                  optionsOf(run, inner, maps));
      ASSERT_TRUE(inside.ok()) << inside.status();
      for (const Use &use : inside->inside) {
        SCOPED_TRACE("inside " + body.instructions[use.instruction].name.str());
        check(use.footprint,
              dependences(inner, {body.root, 0},
                          ProgramRun::Leaf{use.instruction, use.leaf}),
              asked, use.shape, counts);
      }
      if (HasFailure()) return;
    }
  }
  for (const Counts &of : {counts, blindCounts})
    std::printf("%d footprints, %d of %d figures found (%.2f%%)\n",
                of.footprints, of.found, of.figures,
                100.0 * of.found / of.figures);
}

//===-- Small programs ----------------------------------------------------===//

Footprint footprintOfOperand(const std::string &text, int64_t operand,
                             const Point &tile = {}, const Point &at = {},
                             const UtilizationOptions &options = {}) {
  const Program program = parsed(text);
  const Module &module = program.modules.at(0);
  const Computation &main = module.computations[module.entry];
  Share share;
  if (!tile.empty())
    share = *Share::tile(
        shapesOf(main.instructions[main.root].op).results[0].dimensions, tile,
        at);
  ProgramIndexing maps(module);
  auto found =
      utilizationOf(maps, module.entry, main.root, share, false, options);
  EXPECT_TRUE(found.ok()) << found.status();
  return found.ok() ? found->operands[operand].footprint : Footprint();
}

TEST(UtilizationTest, StridedSlice) {
  const std::string text =
      "f { p = f32[64,64] parameter(0) ROOT s = f32[32,64] slice(p), "
      "slice={[0:64:2], [0:64]} }";
  UtilizationOptions options;
  options.unread = true;
  const Footprint whole = footprintOfOperand(text, 0, {}, {}, options);
  EXPECT_EQ(whole.size, 4096);
  EXPECT_EQ(whole.distinct, 2048);
  EXPECT_EQ(whole.bytes, 8192);
  EXPECT_EQ(whole.box[0], (Interval{0, 62}));
  EXPECT_DOUBLE_EQ(*whole.density, 2048.0 / (63 * 64));
  EXPECT_DOUBLE_EQ(*whole.reuse, 1.0);
  EXPECT_EQ(whole.overlap,
            (llvm::SmallVector<std::optional<int64_t>, 4>{0, 0}));
  ASSERT_TRUE(whole.unread);
  llvm::DynamicAPInt rest(0);
  for (const IndexingMap &piece : whole.unread->pieces())
    rest += *countDomain(piece)->value;
  EXPECT_EQ(rest, 2048);
}

TEST(UtilizationTest, HaloOfAWindow) {
  const std::string text =
      "sum { a = bf16[] parameter(0) b = bf16[] parameter(1) ROOT r = bf16[] "
      "add(a, b) } ENTRY f { p = bf16[1024,1024] parameter(0) z = bf16[] "
      "parameter(1) ROOT r = bf16[1024,1024] reduce-window(p, z), "
      "window={size=3x5 pad=1_1x2_2}, to_apply=sum }";
  const Footprint tile = footprintOfOperand(text, 0, {8, 128}, {8, 128});
  EXPECT_EQ(tile.distinct, 10 * 132);
  EXPECT_EQ(tile.bytes, 10 * 132 * 2);
  EXPECT_EQ(tile.reads, 8 * 128 * 15);
  EXPECT_EQ(tile.overlap,
            (llvm::SmallVector<std::optional<int64_t>, 4>{2 * 132, 10 * 4}));
  const Footprint last = footprintOfOperand(text, 0, {8, 128}, {1016, 0});
  EXPECT_EQ(last.distinct, 9 * 130);
  EXPECT_EQ(last.overlap[0], 0);
}

TEST(UtilizationTest, Broadcast) {
  const std::string text =
      "f { p = s4[128]{0:E(4)} parameter(0) ROOT r = s4[256,128] "
      "broadcast(p), dimensions={1} }";
  const Footprint tile = footprintOfOperand(text, 0, {16, 3}, {0, 0});
  EXPECT_EQ(tile.distinct, 3);
  EXPECT_EQ(tile.bytes, 2);  // 12 bits
  EXPECT_DOUBLE_EQ(*tile.reuse, 16.0);
  EXPECT_EQ(tile.overlap, (llvm::SmallVector<std::optional<int64_t>, 4>{3, 0}));
}

TEST(UtilizationTest, OperandsThatATileDoesNotRead) {
  const std::string text =
      "f { p = f32[8] parameter(0) q = f32[8] parameter(1) ROOT r = f32[16] "
      "concatenate(p, q), dimensions={0} }";
  const Footprint first = footprintOfOperand(text, 0, {4}, {8});
  EXPECT_EQ(first.distinct, 0);
  EXPECT_EQ(first.reads, 0);
  EXPECT_FALSE(first.hasBox);
  EXPECT_FALSE(first.reuse);
  EXPECT_EQ(footprintOfOperand(text, 1, {4}, {8}).distinct, 4);
}

TEST(UtilizationTest, ResultsOfSeveralRanks) {
  const std::string text =
      "sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] "
      "add(a, b) } both { p = f32[4,6] parameter(0) z = f32[] constant(0) n = "
      "f32[3,6] slice(p), slice={[0:3], [0:6]} r = f32[4] reduce(p, z), "
      "dimensions={1}, to_apply=sum s = f32[2] slice(r), slice={[2:4]} ROOT t "
      "= "
      "(f32[3,6], f32[2]) tuple(n, s) } ENTRY main { x = f32[4,6] parameter(0) "
      "ROOT f = (f32[3,6], f32[2]) fusion(x), kind=kLoop, calls=both }";
  const Footprint whole = footprintOfOperand(text, 0);
  EXPECT_EQ(whole.distinct, 24);
  EXPECT_EQ(whole.reads, 18 + 12);
  EXPECT_EQ(whole.box[0], (Interval{0, 3}));
  // A tile is one of the leaves that have the first one's shape.
  const Footprint tile = footprintOfOperand(text, 0, {1, 6}, {1, 0});
  EXPECT_EQ(tile.distinct, 6);
  EXPECT_EQ(tile.overlap, (llvm::SmallVector<std::optional<int64_t>, 4>{0, 0}));
}

TEST(UtilizationTest, GatherHasReadsAndNoElements) {
  const std::string text =
      "f { p = f32[1000,64] parameter(0) i = s32[32] parameter(1) ROOT r = "
      "f32[32,64] gather(p, i), offset_dims={1}, collapsed_slice_dims={0}, "
      "start_index_map={0}, index_vector_dim=1, slice_sizes={1,64} }";
  const Footprint rows = footprintOfOperand(text, 0);
  EXPECT_FALSE(rows.distinct);
  EXPECT_EQ(rows.reads, 32 * 64);
  EXPECT_EQ(rows.why, Unfound::Varies);
  EXPECT_EQ(footprintOfOperand(text, 1).distinct, 32);
}

constexpr char kSlice[] =
    "f { p = f32[64,8] parameter(0) i = s32[] parameter(1) z = s32[] "
    "constant(5) ROOT r = f32[16,8] dynamic-slice(p, ";

TEST(UtilizationTest, AnUnknownStartMovesWhatIsReadAndNoMore) {
  const std::string text =
      std::string(kSlice) + "i, z), dynamic_slice_sizes={16,8} }";
  UtilizationOptions options;
  options.unread = true;
  const Footprint tile = footprintOfOperand(text, 0, {4, 8}, {0, 0}, options);
  EXPECT_EQ(tile.distinct, 32);
  EXPECT_EQ(tile.reads, 32);
  EXPECT_EQ(tile.density, 1.0);
  EXPECT_EQ(tile.overlap, (llvm::SmallVector<std::optional<int64_t>, 4>{0, 0}));
  EXPECT_FALSE(tile.hasBox);
  EXPECT_FALSE(tile.unread);
  EXPECT_EQ(tile.why, Unfound::NotGiven);
  EXPECT_EQ(tile.dependsOn.size(), 1u);
  options.runtimeValue = [](const IndexingMap &, size_t) { return 3; };
  const Footprint given = footprintOfOperand(text, 0, {4, 8}, {0, 0}, options);
  EXPECT_EQ(given.box[0], (Interval{3, 6}));
  EXPECT_TRUE(given.unread);
  EXPECT_TRUE(given.dependsOn.empty());
}

// Two slices with unknown starts may have elements in common, or not.
TEST(UtilizationTest, TwoUnknownStartsAreNotCompared) {
  const Footprint both = footprintOfOperand(
      "g { p = f32[64] parameter(0) i = s32[] parameter(1) j = s32[] "
      "parameter(2) a = f32[8] dynamic-slice(p, i), dynamic_slice_sizes={8} "
      "b = f32[8] dynamic-slice(p, j), dynamic_slice_sizes={8} ROOT s = "
      "f32[8] add(a, b) } ENTRY f { p = f32[64] parameter(0) i = s32[] "
      "parameter(1) j = s32[] parameter(2) ROOT r = f32[8] fusion(p, i, j), "
      "kind=kLoop, calls=g }",
      0);
  EXPECT_FALSE(both.distinct);
  EXPECT_FALSE(both.reads);
  EXPECT_EQ(both.why, Unfound::NotGiven);
  EXPECT_EQ(both.dependsOn.size(), 2u);
}

// The next tile's row of a gather is another one, or the same. All tiles of a
// slice begin at one start.
TEST(UtilizationTest, RowsOfTwoTilesAreNotCompared) {
  const char *gather =
      "f { p = f32[64] parameter(0) i = s32[8] parameter(1) ROOT r = f32[8] "
      "gather(p, i), offset_dims={}, collapsed_slice_dims={0}, "
      "start_index_map={0}, index_vector_dim=1, slice_sizes={1} }";
  const Footprint row = footprintOfOperand(gather, 0, {1}, {2});
  EXPECT_EQ(row.distinct, 1);
  ASSERT_EQ(row.overlap.size(), 1u);
  EXPECT_FALSE(row.overlap[0]);
  const char *slice =
      "f { p = f32[64] parameter(0) i = s32[] parameter(1) ROOT r = f32[8] "
      "dynamic-slice(p, i), dynamic_slice_sizes={8} }";
  const Footprint part = footprintOfOperand(slice, 0, {2}, {2});
  EXPECT_EQ(part.distinct, 2);
  ASSERT_EQ(part.overlap.size(), 1u);
  EXPECT_EQ(part.overlap[0], 0);
}

TEST(UtilizationTest, ConstantIndicesAreFollowed) {
  const Footprint slice = footprintOfOperand(
      std::string(kSlice) + "z, z), dynamic_slice_sizes={16,8} }", 0);
  ASSERT_TRUE(slice.hasBox);
  EXPECT_EQ(slice.box[0], (Interval{5, 20}));
  const Footprint gather = footprintOfOperand(
      "f { p = f32[1000,64] parameter(0) i = s32[2] constant({7,7}) ROOT r = "
      "f32[2,64] gather(p, i), offset_dims={1}, collapsed_slice_dims={0}, "
      "start_index_map={0}, index_vector_dim=1, slice_sizes={1,64} }",
      0);
  EXPECT_EQ(gather.distinct, 64);
  ASSERT_TRUE(gather.hasBox);
  EXPECT_EQ(gather.box[0], (Interval{7, 7}));
}

TEST(UtilizationTest, WhatIsNotKnownHasNoFigures) {
  const Footprint opaque = footprintOfOperand(
      "f { p = f32[8] parameter(0) ROOT r = f32[8] custom-call(p), "
      "custom_call_target=\"x\" }",
      0);
  EXPECT_EQ(opaque.size, 8);
  EXPECT_FALSE(opaque.distinct);
  EXPECT_FALSE(opaque.reads);
  EXPECT_EQ(opaque.why, Unfound::Cover);
}

TEST(UtilizationTest, MistakesAreErrors) {
  EXPECT_EQ(Share::tile({4, 4}, {2}, {0}).status().message(),
            "the result has 2 dimensions, the tile 1, its place 1");
  EXPECT_EQ(Share::tile({4}, {0}, {0}).status().message(),
            "a tile's sizes are at least 1, not 0");
  EXPECT_EQ(Share::tile({4}, {2}, {4}).status().message(),
            "the tile begins at 4 of dimension 0, whose size is 4");
  EXPECT_FALSE(
      Share::block(*parseMap("(d0) -> (d0), domain: d0 in [0, 3]"), {0}).ok());
}

}  // namespace
}  // namespace indexical::testing
