// Tiles of iteration spaces against what a program reads: steps, several
// results, members, forward, masks, cases of sizes.
//
// Random programs say themselves what each op reads (random_spaces.h). At every
// offset of the results' tiles and in every turn of the loops, the points of
// tiles that are all exact must be what is read; else tiles must hold it.
//
//   INDEXICAL_SPACES=20000         so many programs
//   INDEXICAL_SPACES_SEED=n        beginning with this one
#include "indexical/cost/tiles/tile_space.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/cost/tiles/tile_alternatives.h"
#include "indexical/cost/tiles/tile_mask.h"
#include "indexical/indexing/evaluation.h"
#include "tests/cost/tiles/random_spaces.h"
#include "tests/cost/tiles/tile_points.h"
#include "tests/support/program_reads.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

struct SpaceCounts {
  int tiles = 0, turns = 0, exact = 0, boxes = 0, missed = 0;
  int cases = 0, forward = 0, forwardExact = 0, complete = 0, members = 0;
};

/// The points of a tile, of members in front.
Points pointsOf(const InstructionTile &each, llvm::ArrayRef<int64_t> at,
                llvm::ArrayRef<int64_t> symbols = {}) {
  if (!each.tile.isReadAt(at, symbols)) return {};
  const auto tile = each.tile.at(at, symbols);
  const auto members = each.tile.membersAt(at, symbols);
  EXPECT_TRUE(tile && members);
  if (!tile || !members) return {};
  Points all;
  const Points own = testing::pointsOf(*tile, each.shape);
  const std::vector<int64_t> any(members->sizes.size(), int64_t{1} << 40);
  for (const Point &member : testing::pointsOf(*members, any))
    for (const Point &point : own) {
      Point both = member;
      both.insert(both.end(), point.begin(), point.end());
      all.insert(both);
    }
  return all;
}

/// The points of a tile, without members, that its mask leaves.
Points maskedPointsOf(const InstructionTile &each, const TileMask &mask,
                      llvm::ArrayRef<int64_t> at) {
  auto value = [&](VariableId id) { return at[id.index]; };
  Evaluation evaluate(mask.map().expressions(), value);
  const auto tile = each.tile.at(at, {});
  ConcreteTile full = *tile;
  std::vector<std::pair<int64_t, int64_t>> bounds;
  for (size_t k = 0; k < full.sizes.size(); ++k) {
    full.sizes[k] = *evaluate(mask.full()[k]);
    bounds.push_back({*evaluate(mask.begins()[k]), *evaluate(mask.ends()[k])});
  }
  Points points;
  visitBox(full.sizes, [&](const Point &i) {
    Point point(i.size());
    for (size_t k = 0; k < i.size(); ++k) {
      point[k] = full.offsets[k] + full.strides[k] * i[k];
      if (point[k] < bounds[k].first || point[k] >= bounds[k].second) return;
    }
    points.insert(point);
  });
  return points;
}

bool isStridedBox(const Points &points) {
  if (points.empty()) return true;
  const size_t rank = points.begin()->size();
  size_t product = 1;
  for (size_t k = 0; k < rank; ++k) {
    std::set<int64_t> values;
    for (const Point &p : points) {
      if (p.size() != rank) return false;
      values.insert(p[k]);
    }
    product *= values.size();
    for (auto v = values.begin(); std::next(v) != values.end(); ++v)
      if (*std::next(v) - *v != *std::next(values.begin()) - *values.begin())
        return false;
  }
  return product == points.size();
}

class SpaceChecker {
 public:
  SpaceChecker(Random &random, const SpaceOptions &options, SpaceCounts &counts)
      : random_(random),
        counts_(counts),
        own_(randomSpace(random, options)),
        text_(own_.text()),
        program_(parsed(text_)),
        maps_(program_.modules.at(0)) {}

  const std::string &text() const { return text_; }

  void checkBehind() {
    TileSpace space = TileSpace::of(maps_);
    const bool hasOwn = own_.results.size() > 1;
    for (size_t result : own_.results) {
      std::vector<TileExtent> sizes, strides;
      const bool strided = random_.oneIn(4);
      for (int64_t size : own_.instructions[result].shape) {
        sizes.push_back(TileExtent::of(randomSize(size)));
        strides.push_back(TileExtent::of(strided ? random_.in(1, 3) : 1));
      }
      space.sizes(sizes);
      space.strides(strides);
    }
    const std::vector<SpaceStep> steps = randomSteps(space);
    ASSERT_TRUE(space.status().ok()) << space.status();
    ASSERT_EQ(space.roots().size(), hasOwn ? own_.results.size() : 1);
    const auto tiles = tilesBehind(maps_, space);
    ASSERT_TRUE(tiles.ok()) << tiles.status();
    for (size_t r = 0; r < own_.results.size(); ++r)
      checkRoot(space, *tiles, r, steps);
  }

  /// Cases of sizes suffice, and so do sizes that are said to fit.
  void checkCases() {
    const size_t result = own_.results[0];
    if (own_.results.size() > 1 || own_.instructions[result].shape.empty())
      return;
    const TileSpace space = TileSpace::of(maps_);
    const auto tiles = tilesBehind(maps_, space);
    ASSERT_TRUE(tiles.ok()) << tiles.status();
    const auto &shape = own_.instructions[result].shape;
    for (const InstructionTile &each : *tiles) {
      const auto cases = alternativesOf(each, space.tile());
      ASSERT_TRUE(cases.ok()) << cases.status();
      for (int i = 0; i < 4; ++i) {
        std::vector<int64_t> sizes;
        for (int64_t size : shape) sizes.push_back(randomSize(size));
        const bool holds = each.tile.isExactFor(sizes) ||
                           llvm::any_of(*cases, [&](const SizeCase &one) {
                             return one.holds(sizes);
                           });
        const auto fits = sizesThatFit(each, space.tile(), sizes);
        ASSERT_TRUE(fits.ok()) << fits.status();
        if (holds) {
          ++counts_.cases;
          EXPECT_EQ(fits->size(), 1u) << ::testing::PrintToString(sizes);
        }
        auto numbers = tileThrough(each.map, space.with(sizes).tile(),
                                   each.shape, each.isMapExact);
        ASSERT_TRUE(numbers.ok());
        if (!fits->empty() && !each.tile.isExactFor(sizes)) {
          EXPECT_TRUE(numbers->isExact());
        }
        if (numbers->isExact()) {
          EXPECT_EQ(fits->size(), 1u);
        }
        if (holds && !each.tile.isExactFor(sizes)) {
          EXPECT_TRUE(numbers->isExact()) << ::testing::PrintToString(sizes);
        }
      }
    }
  }

  void checkForward() {
    const size_t of = random_.in(0, own_.instructions.size() - 1);
    const SpaceInstruction &from = own_.instructions[of];
    TileSpace space = TileSpace::of(maps_, from.name);
    std::vector<TileExtent> sizes;
    for (int64_t size : from.shape)
      sizes.push_back(TileExtent::of(randomSize(size)));
    space.sizes(sizes);
    const auto steps =
        random_.oneIn(3) ? std::vector<SpaceStep>() : randomSteps(space);
    ASSERT_TRUE(space.status().ok()) << space.status();
    const auto tiles = tilesForward(maps_, space);
    ASSERT_TRUE(tiles.ok()) << tiles.status();
    for (size_t i = of; i < own_.instructions.size(); ++i)
      checkUser(space, *tiles, of, i, steps);
  }

 private:
  /// Adds loops to the space, and returns them.
  std::vector<SpaceStep> randomSteps(TileSpace &space) {
    std::vector<SpaceStep> steps;
    for (size_t i = 0; i < own_.instructions.size(); ++i)
      for (size_t d = 0; d < own_.instructions[i].summed.size(); ++d)
        if (random_.oneIn(2)) {
          const int64_t size = random_.in(1, own_.instructions[i].summed[d]);
          steps.push_back({i, static_cast<int64_t>(d), size});
          space.step(own_.instructions[i].name, d, size);
        }
    return steps;
  }

  int64_t randomSize(int64_t size) {
    int64_t chosen = random_.in(1, std::max<int64_t>(1, size));
    if (random_.oneIn(2))
      while (size % chosen) --chosen;
    return random_.oneIn(5) ? std::max<int64_t>(1, size) : chosen;
  }

  std::vector<InstructionTile> ofInstruction(
      llvm::ArrayRef<InstructionTile> tiles, size_t at, size_t root) {
    std::vector<InstructionTile> own;
    const Computation &entry =
        maps_.module().computations[maps_.module().entry];
    for (const InstructionTile &each : tiles)
      if (each.root == root && entry.instructions[each.instruction].name ==
                                   own_.instructions[at].name)
        own.push_back(each);
    return own;
  }

  /// Calls visit with every offset of the space that matters to the result.
  template <typename Visit>
  void visitTiles(const TileSpace &space, const TileRoot &root, Visit visit) {
    const RootTile &tile = space.tile();
    const size_t first = tile.shape.size() - space.steps().size();
    Point counts;
    for (size_t k = 0; k < tile.shape.size(); ++k) {
      const bool isOwn =
          (k >= root.first && k < root.first + root.rank) || k >= first;
      counts.push_back(isOwn ? (tile.shape[k] + tile.sizes[k].value - 1) /
                                   tile.sizes[k].value
                             : 1);
    }
    visitBox(counts, [&](const Point &number) {
      if (::testing::Test::HasFatalFailure()) return;
      Point at(number.size());
      for (size_t k = 0; k < at.size(); ++k)
        at[k] = number[k] * tile.sizes[k].value;
      visit(at);
    });
  }

  Points rootElements(const TileSpace &space, const TileRoot &root,
                      const Point &at) {
    Points elements;
    Point sizes;
    for (size_t k = 0; k < root.rank; ++k)
      sizes.push_back(space.tile().sizes[root.first + k].value);
    visitBox(sizes, [&](const Point &i) {
      Point element;
      for (size_t k = 0; k < root.rank; ++k) {
        const size_t d = root.first + k;
        const int64_t stride =
            space.tile().strides.empty() ? 1 : space.tile().strides[d].value;
        element.push_back(at[d] + i[k] * stride);
        if (element.back() >= space.tile().shape[d]) return;
      }
      elements.insert(element);
    });
    return elements;
  }

  void checkRoot(const TileSpace &space, llvm::ArrayRef<InstructionTile> tiles,
                 size_t r, const std::vector<SpaceStep> &steps) {
    const TileRoot &root = space.roots()[r];
    const size_t first = space.tile().shape.size() - steps.size();
    const size_t count = own_.instructions.size();
    std::vector<std::vector<InstructionTile>> of(count);
    std::vector<std::vector<TileMask>> masks(count);
    std::vector<bool> areExact(count, true), areBoxes(count, true);
    for (size_t i = 0; i < count; ++i) {
      of[i] = ofInstruction(tiles, i, r);
      for (const InstructionTile &each : of[i]) {
        ++counts_.tiles;
        counts_.members += each.tile.memberCount() > 0;
        if (!each.tile.isExact()) areExact[i] = false;
        auto mask = maskOf(each, space.tile());
        ASSERT_TRUE(mask.ok()) << mask.status();
        masks[i].push_back(*std::move(mask));
      }
    }
    visitTiles(space, root, [&](const Point &at) {
      ++counts_.turns;
      const Point turns(at.begin() + first, at.end());
      const auto read = own_.readsOf(
          own_.results[r], rootElements(space, root, at), steps, turns);
      for (size_t i = 0; i < count; ++i) {
        const auto known = read.find(i);
        const Points wanted = known == read.end() ? Points() : known->second;
        Points found;
        for (size_t t = 0; t < of[i].size(); ++t) {
          const Points points = pointsOf(of[i][t], at);
          found.insert(points.begin(), points.end());
          checkMask(of[i][t], masks[i][t], at);
        }
        areBoxes[i] = areBoxes[i] && isStridedBox(wanted);
        auto where = [&] {
          std::string said = own_.instructions[i].name + " at ";
          for (int64_t each : at) said += std::to_string(each) + " ";
          for (const InstructionTile &each : of[i])
            said += "\n  " + each.map.strOneLine() + "\n  " +
                    each.tile.map().strOneLine();
          return said;
        };
        if (areExact[i]) {
          ASSERT_EQ(pointsText(found), pointsText(wanted)) << where();
        } else {
          ASSERT_TRUE(std::includes(found.begin(), found.end(), wanted.begin(),
                                    wanted.end()))
              << pointsText(found) << "\nlacks some of\n"
              << pointsText(wanted) << where();
        }
      }
    });
    for (size_t i = 0; i < count; ++i) {
      if (of[i].empty()) continue;
      (areExact[i] ? counts_.exact : counts_.boxes) += 1;
      if (areBoxes[i] && !areExact[i]) {
        ++counts_.missed;
        if (fromEnvironment("INDEXICAL_SPACES_MISSED", 0))
          for (const InstructionTile &each : of[i])
            std::printf("missed %s\n  %s\n", each.map.strOneLine().c_str(),
                        each.tile.map().strOneLine().c_str());
      }
    }
  }

  void checkMask(const InstructionTile &each, const TileMask &mask,
                 const Point &at) {
    const auto tile = each.tile.at(at, {});
    ASSERT_TRUE(tile);
    if (each.tile.rank() == 0) return;
    ASSERT_EQ(pointsText(maskedPointsOf(each, mask, at)),
              pointsText(testing::pointsOf(*tile, each.shape)))
        << mask.map().strOneLine() << "\n"
        << each.tile.map().strOneLine();
  }

  void checkUser(const TileSpace &space, llvm::ArrayRef<ForwardTile> tiles,
                 size_t of, size_t user, const std::vector<SpaceStep> &steps) {
    // Which elements of the tensor each element of the user reads in a turn.
    using Reads = std::vector<std::pair<Point, Points>>;
    const Point &shape = own_.instructions[user].shape;
    std::map<Point, Reads> readsInTurns;
    auto readsIn = [&](const Point &turns) -> const Reads & {
      const auto [entry, isNew] = readsInTurns.try_emplace(turns);
      Reads &found = entry->second;
      if (!isNew) return found;
      visitBox(shape, [&](const Point &element) {
        const auto all = own_.readsOf(user, {element}, steps, turns);
        const auto own = all.find(of);
        if (own != all.end()) found.push_back({element, own->second});
      });
      return found;
    };
    const size_t rank = own_.instructions[of].shape.size();
    std::vector<const ForwardTile *> own;
    const Computation &entry =
        maps_.module().computations[maps_.module().entry];
    bool areExact = true;
    for (const ForwardTile &each : tiles)
      if (entry.instructions[each.instruction].name ==
          own_.instructions[user].name) {
        own.push_back(&each);
        areExact &= each.tile.isExact();
      }
    counts_.forward += own.size();
    counts_.forwardExact += areExact ? own.size() : 0;
    const size_t first = space.tile().shape.size() - steps.size();
    std::set<const ForwardTile *> leaving;  // that read something else
    visitTiles(space, space.roots()[0], [&](const Point &at) {
      const Reads &reads = readsIn(Point(at.begin() + first, at.end()));
      const Points tile = rootElements(space, space.roots()[0], at);
      Points wanted;
      for (const auto &[element, all] : reads)
        for (const Point &read : all)
          if (tile.count(Point(read.end() - rank, read.end())))
            wanted.insert(element);
      Points found;
      for (const ForwardTile *each : own) {
        Points points;
        for (const Point &point : pointsOf(*each, at))
          points.insert(Point(point.end() - shape.size(), point.end()));
        found.insert(points.begin(), points.end());
        for (const auto &[element, all] : reads) {
          if (!areExact || !points.count(element)) continue;
          for (const Point &read : all)
            if (!tile.count(Point(read.end() - rank, read.end())))
              leaving.insert(each);
        }
        if (each->complete) ++counts_.complete;
      }
      auto where = [&] {
        std::string said = own_.instructions[of].name + " forward to " +
                           own_.instructions[user].name + " at ";
        for (int64_t one : at) said += std::to_string(one) + " ";
        for (const ForwardTile *each : own)
          said += "\n  " + each->map.strOneLine() + "\n  " +
                  each->tile.map().strOneLine();
        return said;
      };
      if (areExact) {
        ASSERT_EQ(pointsText(found), pointsText(wanted)) << where();
      } else {
        ASSERT_TRUE(std::includes(found.begin(), found.end(), wanted.begin(),
                                  wanted.end()))
            << where();
      }
    });
    for (const ForwardTile *each : own)
      if (areExact && each->complete) {
        ASSERT_EQ(*each->complete, leaving.count(each) == 0)
            << "complete: " << own_.instructions[user].name;
      }
  }

  static absl::StatusOr<std::vector<size_t>> sizesThatFit(
      const InstructionTile &each, const RootTile &root,
      const std::vector<int64_t> &sizes) {
    return indexical::sizesThatFit({each}, root, {sizes});
  }

  Random &random_;
  SpaceCounts &counts_;
  const SpaceProgram own_;
  const std::string text_;
  const Program program_;
  ProgramIndexing maps_;
};

void overPrograms(const char *what, uint64_t share, const SpaceOptions &options,
                  void (SpaceChecker::*check)()) {
  const uint64_t all = fromEnvironment("INDEXICAL_SPACES", 1400);
  const uint64_t first = fromEnvironment("INDEXICAL_SPACES_SEED", 1);
  SpaceCounts counts;
  for (uint64_t seed = first; seed < first + all * share / 100; ++seed) {
    Random random(seed);
    SpaceChecker checker(random, options, counts);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + checker.text());
    (checker.*check)();
    if (::testing::Test::HasFailure()) break;
  }
  std::printf(
      "%s: from seed %llu, %d tiles in %d turns; instructions: %d exact, %d "
      "not (%d of strided boxes); %d tiles of members, %d cases, %d tiles "
      "forward, %d exact, complete or not %d times\n",
      what, static_cast<unsigned long long>(first), counts.tiles, counts.turns,
      counts.exact, counts.boxes, counts.missed, counts.members, counts.cases,
      counts.forward, counts.forwardExact, counts.complete);
}

TEST(TileSpaceTest, Behind) {
  overPrograms("behind", 40, {}, &SpaceChecker::checkBehind);
}

TEST(TileSpaceTest, BehindCollectivesAndSeveralResults) {
  SpaceOptions options;
  options.collectives = options.results = true;
  overPrograms("members", 30, options, &SpaceChecker::checkBehind);
}

TEST(TileSpaceTest, Forward) {
  overPrograms("forward", 20, {}, &SpaceChecker::checkForward);
}

TEST(TileSpaceTest, ForwardThroughCollectives) {
  SpaceOptions options;
  options.collectives = true;
  overPrograms("forward members", 10, options, &SpaceChecker::checkForward);
}

TEST(TileSpaceTest, Cases) {
  overPrograms("cases", 10, {}, &SpaceChecker::checkCases);
}

}  // namespace
}  // namespace indexical::testing
