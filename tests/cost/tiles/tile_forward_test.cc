// What `complete` says of random windows that slide over a tensor, with
// padding, strides and dilation, against the definition of the op. Both answers
// are tested: no element of the result that reads the tile reads anything else,
// or one does.
//
//   INDEXICAL_FORWARD=300            so many programs
//   INDEXICAL_FORWARD_SEED=n         beginning with this one
#include <cstdio>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/cost/tiles/tile_space.h"
#include "indexical/import/hlo/hlo_parser.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

/// A window along one dimension.
struct Side {
  int64_t extent = 1, size = 1, stride = 1, low = 0, high = 0, dilation = 1;
  int64_t tile = 1, step = 1;  ///< of the tile: its size and its stride

  int64_t results() const {
    const int64_t room = extent + low + high - (dilation * (size - 1) + 1);
    return room < 0 ? 0 : room / stride + 1;
  }
  /// The elements that an index of the result reads.
  std::set<int64_t> reads(int64_t at) const {
    std::set<int64_t> all;
    for (int64_t k = 0; k < size; ++k)
      if (const int64_t read = at * stride + k * dilation - low;
          read >= 0 && read < extent)
        all.insert(read);
    return all;
  }
  bool isInTile(int64_t offset, int64_t element) const {
    return element >= offset && (element - offset) % step == 0 &&
           (element - offset) / step < tile;
  }
};

std::string list(const std::vector<Side> &sides, const char *between,
                 std::string (*text)(const Side &)) {
  std::string all;
  for (const Side &side : sides)
    all += (all.empty() ? "" : between) + text(side);
  return all;
}

std::string textOf(const std::vector<Side> &sides) {
  auto of = [&](const char *between, std::string (*text)(const Side &)) {
    return list(sides, between, text);
  };
  return "add { a = f32[] parameter(0)\n  b = f32[] parameter(1)\n"
         "  ROOT s = f32[] add(a, b) }\n"
         "ENTRY e {\n  p = f32[" +
         of(",", [](const Side &s) { return std::to_string(s.extent); }) +
         "] parameter(0)\n  z = f32[] constant(0)\n  ROOT r = f32[" +
         of(",", [](const Side &s) { return std::to_string(s.results()); }) +
         "] reduce-window(p, z), window={size=" +
         of("x", [](const Side &s) { return std::to_string(s.size); }) +
         " stride=" +
         of("x", [](const Side &s) { return std::to_string(s.stride); }) +
         " pad=" +
         of("x",
            [](const Side &s) {
              return std::to_string(s.low) + "_" + std::to_string(s.high);
            }) +
         " rhs_dilate=" +
         of("x", [](const Side &s) { return std::to_string(s.dilation); }) +
         "}, to_apply=add\n}\n";
}

/// Whether, along all dimensions together, an element of the result that reads
/// the tile at these offsets reads another element.
bool leavesTile(const std::vector<Side> &sides,
                const std::vector<int64_t> &offsets) {
  // Along each dimension by itself: whether some index reads the tile at all,
  // and whether some that does reads something else, too.
  bool allTouch = true, oneLeaves = false;
  for (size_t k = 0; k < sides.size(); ++k) {
    bool touches = false;
    for (int64_t at = 0; at < sides[k].results(); ++at) {
      bool isIn = false, isOut = false;
      for (int64_t read : sides[k].reads(at))
        (sides[k].isInTile(offsets[k], read) ? isIn : isOut) = true;
      touches |= isIn;
      oneLeaves |= isIn && isOut;
    }
    allTouch &= touches;
  }
  return allTouch && oneLeaves;
}

bool isComplete(const std::vector<Side> &sides) {
  std::vector<int64_t> at(sides.size(), 0);
  while (true) {
    if (leavesTile(sides, at)) return false;
    size_t k = 0;
    for (; k < sides.size(); ++k) {
      if ((at[k] += sides[k].tile) < sides[k].extent) break;
      at[k] = 0;
    }
    if (k == sides.size()) return true;
  }
}

/// What the library says: of all parts of the result together.
std::optional<bool> saidOf(const std::vector<Side> &sides,
                           const std::string &text) {
  const auto program = parseHlo(text);
  EXPECT_TRUE(program.ok()) << program.status();
  if (!program.ok()) return std::nullopt;
  ProgramIndexing maps(program->modules[0]);
  TileSpace space = TileSpace::of(maps, "p");
  std::vector<TileExtent> sizes, strides;
  for (const Side &side : sides) {
    sizes.push_back(TileExtent::of(side.tile));
    strides.push_back(TileExtent::of(side.step));
  }
  space.sizes(sizes);
  space.strides(strides);
  const auto tiles = tilesForward(maps, space);
  EXPECT_TRUE(tiles.ok()) << tiles.status();
  if (!tiles.ok()) return std::nullopt;
  const auto &instructions =
      maps.module().computations[maps.module().entry].instructions;
  bool isKnown = true;
  for (const ForwardTile &each : *tiles) {
    if (instructions[each.instruction].name != "r") continue;
    if (each.complete == false) return false;
    isKnown &= each.complete.has_value();
  }
  return isKnown ? std::optional<bool>(true) : std::nullopt;
}

TEST(TileForwardTest, CompleteOfWindows) {
  const uint64_t first = fromEnvironment("INDEXICAL_FORWARD_SEED", 1);
  const uint64_t count = fromEnvironment("INDEXICAL_FORWARD", 300);
  int yes = 0, no = 0, unknown = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    std::vector<Side> sides(random.in(1, 2));
    for (Side &side : sides) {
      side.extent = random.in(1, 6);
      side.size = random.in(1, 3);
      side.stride = random.in(1, 3);
      side.low = random.in(0, 2);
      side.high = random.in(0, 2);
      side.dilation = random.oneIn(3) ? 2 : 1;
      side.tile = random.in(1, side.extent);
      side.step = random.oneIn(5) ? 2 : 1;
      if (side.results() == 0) side.high += side.dilation * side.size;
    }
    const std::string text = textOf(sides);
    SCOPED_TRACE("INDEXICAL_FORWARD_SEED=" + std::to_string(seed) + " tile " +
                 list(sides, ",",
                      [](const Side &s) {
                        return std::to_string(s.tile) + " stride " +
                               std::to_string(s.step);
                      }) +
                 "\n" + text);
    const auto said = saidOf(sides, text);
    ASSERT_FALSE(::testing::Test::HasFailure());
    const bool truth = isComplete(sides);
    if (said) {
      ASSERT_EQ(*said, truth);
    }
    ++(!said ? unknown : *said ? yes : no);
  }
  std::printf("from seed %llu: %d complete, %d not, %d not known\n",
              static_cast<unsigned long long>(first), yes, no, unknown);
  EXPECT_GT(yes, static_cast<int>(count) / 10);
  EXPECT_GT(no, static_cast<int>(count) / 10);
  EXPECT_LT(unknown, static_cast<int>(count) / 2);
}

// The tile is the whole tensor: what windows read besides is padding.
TEST(TileForwardTest, PaddingIsNothingElse) {
  for (const Side &side :
       {Side{2, 2, 1, 1, 1, 1, 2, 1}, Side{3, 2, 1, 1, 1, 1, 3, 1},
        Side{1, 3, 1, 2, 2, 1, 1, 1}}) {
    const std::vector<Side> sides = {side};
    EXPECT_EQ(saidOf(sides, textOf(sides)), true);
  }
  const std::vector<Side> rows = {Side{2, 1, 1, 0, 0, 1, 1, 1},
                                  Side{2, 2, 1, 1, 1, 1, 2, 1}};
  EXPECT_EQ(saidOf(rows, textOf(rows)), true);
}

}  // namespace
}  // namespace indexical::testing
