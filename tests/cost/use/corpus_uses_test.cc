// Real fusions: what each reads, as a whole and in tiles, has an answer; every
// tile that is called exact is, at random offsets, what the map reads.
//
// The commands end with status 0 on the first fusion of every file.
#include <algorithm>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/answers/inputs/input.h"
#include "indexical/command/run.h"
#include "indexical/cost/tiles/tile.h"
#include "indexical/cost/use/utilization.h"
#include "indexical/program/module/callees.h"
#include "tests/support/corpus.h"
#include "tests/support/corpus_files.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

using Point = std::vector<int64_t>;

struct Fusion {
  const Module *module;
  ComputationId computation;
  InstructionId instruction;
  Callee callee;
};

/// Every instruction that runs a computation as a fusion does, each computation
/// once.
std::vector<Fusion> fusionsOf(const Program &program) {
  std::vector<Fusion> fusions;
  for (const Module &module : program.modules) {
    std::set<int32_t> seen;
    for (size_t c = 0; c < module.computations.size(); ++c) {
      const auto &instructions = module.computations[c].instructions;
      for (size_t i = 0; i < instructions.size(); ++i) {
        if (instructions[i].opcode != "fusion") continue;
        const auto callee = calleeOfCall(instructions[i]);
        if (callee && callee->computation >= 0 &&
            seen.insert(callee->computation).second)
          fusions.push_back(
              {&module, ComputationId(c), InstructionId(i), *callee});
      }
    }
  }
  return fusions;
}

class Checker {
 public:
  int fusions = 0, uses = 0, figures = 0, found = 0;
  int tiles = 0, exact = 0, least = 0, symbolic = 0, symbolicExact = 0;
  int compared = 0;

  void utilization(ProgramIndexing &maps, const Fusion &fusion) {
    UtilizationOptions options;
    options.exact.operations = 20'000;
    options.mostPoints = 2'000;
    auto all = utilizationOf(maps, fusion.computation, fusion.instruction,
                             Share::whole(), false, options);
    ASSERT_TRUE(all.ok()) << all.status();
    for (const Use &use : all->operands) {
      ++uses;
      const Footprint &f = use.footprint;
      figures += 3;
      found += f.distinct.has_value() + f.reads.has_value() +
               (f.hasBox || f.distinct == 0);
      if (!f.distinct || !f.size) continue;
      EXPECT_LE(*f.distinct, *f.size);
      if (f.reads) {
        EXPECT_LE(*f.distinct, *f.reads);
      }
      if (f.density) {
        EXPECT_LE(*f.density, 1.0);
      }
    }
  }

  void tile(ProgramIndexing &maps, const Fusion &fusion, Random &random) {
    const Computation &body =
        fusion.module->computations[fusion.callee.computation];
    const auto shapes = body.instructions[body.root].shape.leaves();
    if (shapes.empty() || shapes[0].hasUnknownSize()) return;
    RootTile root, symbols;
    root.shape.assign(shapes[0].dimensions.begin(), shapes[0].dimensions.end());
    symbols.shape = root.shape;
    for (size_t k = 0; k < root.shape.size(); ++k) {
      int64_t size = 1;
      for (int64_t d : {2, 4, 8, 16})
        if (root.shape[k] % d == 0 && !random.oneIn(3)) size = d;
      root.sizes.push_back(TileExtent::of(size));
      symbols.sizes.push_back(TileExtent::symbol("t" + std::to_string(k)));
    }
    auto all = tilesOf(maps, {fusion.callee.computation, body.root}, root);
    ASSERT_TRUE(all.ok()) << all.status();
    for (const InstructionTile &each : *all) {
      ++tiles;
      exact += each.tile.isExact();
      least += !each.tile.isExact() && each.tile.isLeast();
      if (each.tile.isExact()) compare(each, root, random);
    }
    auto named = tilesOf(maps, {fusion.callee.computation, body.root}, symbols);
    ASSERT_TRUE(named.ok()) << named.status();
    for (const InstructionTile &each : *named) {
      ++symbolic;
      symbolicExact += each.tile.isExact();
    }
  }

 private:
  /// The tile at a random offset against the points of the map.
  void compare(const InstructionTile &each, const RootTile &root,
               Random &random) {
    const IndexingMap &map = each.map;
    if (each.tile.rank() == 0 || !map.runtime().empty()) return;
    int64_t points = 1;
    Point offsets, sizes;
    for (size_t k = 0; k < root.shape.size(); ++k) {
      if (root.shape[k] == 0) return;
      const int64_t size = std::min(root.sizes[k].value, root.shape[k]);
      const int64_t last = (root.shape[k] - 1) / size;
      offsets.push_back(random.in(0, last) * size);
      sizes.push_back(std::min(size, root.shape[k] - offsets.back()));
      points *= sizes.back();
    }
    for (const Variable &v : map.ranges()) {
      if (v.bounds.count() > 2000) return;
      points *= v.bounds.count();
      if (points > 2000) return;
    }
    auto tile = each.tile.at(offsets, {});
    ASSERT_TRUE(tile);
    std::set<Point> read, said;
    auto visit = [&](llvm::ArrayRef<int64_t> counts, auto at) {
      int64_t count = 1;
      for (int64_t c : counts) count *= std::max<int64_t>(0, c);
      if (count > 4000) return false;
      for (int64_t n = 0; n < count; ++n) {
        Point i(counts.size());
        int64_t left = n;
        for (size_t k = counts.size(); k-- > 0; left /= counts[k])
          i[k] = left % counts[k];
        at(i);
      }
      return true;
    };
    Point counts = sizes;
    for (const Variable &v : map.ranges()) counts.push_back(v.bounds.count());
    if (!visit(counts, [&](const Point &i) {
          IndexingMap::Point point;
          for (size_t k = 0; k < sizes.size(); ++k)
            point.dimensions.push_back(offsets[k] + i[k]);
          for (size_t k = 0; k < map.ranges().size(); ++k)
            point.ranges.push_back(map.ranges()[k].bounds.lower +
                                   i[sizes.size() + k]);
          if (!map.contains(point)) return;
          auto element = map.evaluate(point);
          ASSERT_TRUE(element);
          read.insert(Point(element->begin(), element->end()));
        }))
      return;
    const auto &shape = shapeOf(each);
    if (!visit(tile->sizes, [&](const Point &i) {
          Point element(i.size());
          for (size_t k = 0; k < i.size(); ++k) {
            element[k] = tile->offsets[k] + tile->strides[k] * i[k];
            if (element[k] < 0 || element[k] >= shape[k]) return;
          }
          said.insert(element);
        }))
      return;
    ++compared;
    EXPECT_EQ(read, said) << map.strOneLine() << "\n"
                          << each.tile.map().strOneLine();
  }

  llvm::ArrayRef<int64_t> shapeOf(const InstructionTile &each) {
    return shapesOf(body_->instructions[each.instruction].op)
        .results[each.leaf]
        .dimensions;
  }

 public:
  const Computation *body_ = nullptr;
};

TEST(CorpusUsesTest, Fusions) {
  Checker checker;
  Random random(1);
  const size_t files =
      forEachHloFile([&](const Program &program, const std::string &name) {
        if (HasFailure()) return;
        SCOPED_TRACE(name);
        std::unique_ptr<ProgramIndexing> maps;
        const Module *module = nullptr;
        for (const Fusion &fusion : fusionsOf(program)) {
          if (fusion.module != module) {
            module = fusion.module;
            maps = std::make_unique<ProgramIndexing>(*module);
          }
          SCOPED_TRACE(module->computations[fusion.computation]
                           .instructions[fusion.instruction]
                           .name.str());
          ++checker.fusions;
          checker.body_ = &module->computations[fusion.callee.computation];
          checker.utilization(*maps, fusion);
          checker.tile(*maps, fusion, random);
        }
      });
  std::cout << files << " files, " << checker.fusions << " fusions; "
            << checker.uses << " operands, " << checker.found << " of "
            << checker.figures << " figures found; " << checker.tiles
            << " tiles, " << checker.exact << " exact (" << checker.compared
            << " compared), " << checker.least << " least boxes; with symbols "
            << checker.symbolicExact << " of " << checker.symbolic << "\n";
  EXPECT_GT(checker.fusions, ofCorpus(300, 90));
}

TEST(CorpusUsesTest, Commands) {
  int calls = 0;
  forEachHloFile([&](const Program &program, const std::string &name) {
    const auto fusions = fusionsOf(program);
    if (fusions.empty() || program.text->size() > 300'000) return;
    const Fusion &fusion = fusions[0];
    const Computation &own = fusion.module->computations[fusion.computation];
    const std::string ofFusion = "--computation=" + own.name.str();
    const std::string fusionName =
        "--instruction=" + own.instructions[fusion.instruction].name.str();
    const std::string ofCallee =
        "--computation=" +
        fusion.module->computations[fusion.callee.computation].name.str();
    const Input input{name, *program.text};
    const std::vector<std::vector<llvm::StringRef>> asked = {
        {"utilization", "--format=json", ofFusion, fusionName},
        {"tile", "--format=json", ofCallee}};
    for (const std::vector<llvm::StringRef> &words : asked) {
      std::string out, err;
      llvm::raw_string_ostream outStream(out), errStream(err);
      EXPECT_EQ(runOnInput(words, input, outStream, errStream), kDone)
          << name << "\n"
          << err;
      ++calls;
    }
  });
  std::cout << calls << " calls\n";
  EXPECT_GT(calls, ofCorpus(100, 90));
}

}  // namespace
}  // namespace indexical::testing
