// What blocks read in loops, and what turns load again, against sets of points.
//
// Random operands of a reduce or a dot (concatenations that join an array to
// itself, slices, pads, reversals, broadcasts) are run element by element. A
// block reads what its elements depend on, an element once; a turn loads what
// the operands' elements of that turn depend on.
//
//   INDEXICAL_TURNS=20       20 times as many random programs
//   INDEXICAL_TURNS_SEED=n   beginning with this one
#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/cost/tiles/tile_search.h"
#include "indexical/cost/tiles/tile_space.h"
#include "tests/support/program_reads.h"
#include "tests/support/program_run.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

using Point = std::vector<int64_t>;
using Points = std::set<Point>;

std::string typeOf(const Point &shape) {
  std::string text = "f32[";
  for (size_t k = 0; k < shape.size(); ++k)
    text += (k ? "," : "") + std::to_string(shape[k]);
  return text + "]";
}

std::string listOf(const Point &numbers) {
  std::string text;
  for (size_t k = 0; k < numbers.size(); ++k)
    text += (k ? "," : "") + std::to_string(numbers[k]);
  return text;
}

/// Writes a computation with a random operand, one line after another.
class Writer {
 public:
  explicit Writer(Random &random) : random_(random) {}

  /// Returns the name of an array of this shape.
  std::string array(const Point &shape, int depth) {
    // An array that is there is read again.
    const auto &known = byShape_[shape];
    if (!known.empty() && random_.oneIn(2))
      return known[random_.in(0, known.size() - 1)];
    if (depth == 0 || random_.oneIn(5)) return parameter(shape);
    const int64_t k = random_.in(0, static_cast<int64_t>(shape.size()) - 1);
    Point from = shape;
    switch (random_.in(0, 6)) {
      case 0: {
        if (shape[k] < 2) return parameter(shape);
        const int64_t first =
            shape[k] % 2 ? random_.in(1, shape[k] - 1) : shape[k] / 2;
        Point rest = shape;
        from[k] = first;
        rest[k] -= first;
        const std::string a = array(from, depth - 1);
        const std::string b =
            from == rest && random_.oneIn(2) ? a : array(rest, depth - 1);
        return add(shape, "concatenate(" + a + ", " + b + "), dimensions={" +
                              std::to_string(k) + "}");
      }
      case 1: {
        const int64_t stride = random_.in(1, 2), start = random_.in(0, 3);
        from[k] = start + (shape[k] - 1) * stride + 1 + random_.in(0, 2);
        std::string ranges;
        for (size_t d = 0; d < shape.size(); ++d) {
          ranges += d ? ", [" : "[";
          ranges +=
              static_cast<int64_t>(d) == k
                  ? std::to_string(start) + ":" +
                        std::to_string(start + (shape[d] - 1) * stride + 1) +
                        ":" + std::to_string(stride)
                  : "0:" + std::to_string(shape[d]);
          ranges += "]";
        }
        return add(shape, "slice(" + array(from, depth - 1) + "), slice={" +
                              ranges + "}");
      }
      case 2:
        return add(shape, "reverse(" + array(shape, depth - 1) +
                              "), dimensions={" + std::to_string(k) + "}");
      case 3: {
        if (shape[k] < 4) return parameter(shape);
        const int64_t low = random_.in(0, 2), high = random_.in(0, 1);
        from[k] -= low + high;
        std::string padding;
        for (size_t d = 0; d < shape.size(); ++d) {
          padding += d ? "x" : "";
          padding += static_cast<int64_t>(d) == k
                         ? std::to_string(low) + "_" + std::to_string(high)
                         : "0_0";
        }
        const std::string a = array(from, depth - 1);
        return add(shape,
                   "pad(" + a + ", " + scalar() + "), padding=" + padding);
      }
      case 4: {
        if (shape.size() < 2)
          return add(shape, "negate(" + array(shape, depth - 1) + ")");
        std::swap(from[0], from[1]);
        return add(shape, "transpose(" + array(from, depth - 1) +
                              "), dimensions={1,0}");
      }
      case 5: {
        if (shape.size() < 2) return parameter(shape);
        const int64_t kept = random_.in(0, 1);
        return add(shape, "broadcast(" + array({shape[kept]}, depth - 1) +
                              "), dimensions={" + std::to_string(kept) + "}");
      }
      default: {
        const std::string a = array(shape, depth - 1);
        return add(shape, "add(" + a + ", " + array(shape, depth - 1) + ")");
      }
    }
  }

  std::string scalar() {
    if (scalar_.empty()) scalar_ = parameter({});
    return scalar_;
  }
  void root(const Point &shape, const std::string &op) {
    lines_ += "  ROOT r = " + typeOf(shape) + " " + op + "\n";
  }
  std::string text() const {
    return "HloModule m\nsum { a = f32[] parameter(0) b = f32[] parameter(1)\n"
           "  ROOT c = f32[] add(a, b) }\nENTRY e {\n" +
           lines_ + "}\n";
  }

 private:
  std::string add(const Point &shape, const std::string &op) {
    const std::string name = "v" + std::to_string(number_++);
    lines_ += "  " + name + " = " + typeOf(shape) + " " + op + "\n";
    byShape_[shape].push_back(name);
    return name;
  }
  std::string parameter(const Point &shape) {
    return add(shape, "parameter(" + std::to_string(parameters_++) + ")");
  }

  Random &random_;
  std::string lines_, scalar_;
  int number_ = 0, parameters_ = 0;
  std::map<Point, std::vector<std::string>> byShape_;
};

/// A dimension of the root, or of the loop, and the operands' dimension.
struct Side {
  std::string operand;
  Point rows;  ///< dimensions of the root that it has, before its last one
};

struct Sample {
  std::string text;
  std::vector<Side> sides;
  Point shape;  ///< of the root
  int64_t extent = 0;
};

Sample sampleOf(Random &random) {
  Writer writer(random);
  Sample sample;
  const int64_t m = random.in(1, 7), n = random.in(1, 6);
  sample.extent = random.in(2, 14);
  const std::string a =
      writer.array({m, sample.extent}, static_cast<int>(random.in(1, 4)));
  sample.sides.push_back({a, {0}});
  if (random.oneIn(2)) {
    sample.shape = {m};
    writer.root({m}, "reduce(" + a + ", " + writer.scalar() +
                         "), dimensions={1}, to_apply=sum");
  } else {
    const std::string b =
        writer.array({n, sample.extent}, static_cast<int>(random.in(0, 3)));
    sample.sides.push_back({b, {1}});
    sample.shape = {m, n};
    writer.root({m, n}, "dot(" + a + ", " + b +
                            "), lhs_contracting_dims={1}, "
                            "rhs_contracting_dims={1}");
  }
  sample.text = writer.text();
  return sample;
}

class Runs {
 public:
  explicit Runs(const Sample &sample)
      : sample_(sample),
        program_(parsed(sample.text)),
        module_(program_.modules.at(0)),
        own_(module_.computations[module_.entry]),
        random_(1),
        run_(module_, module_.entry, random_) {}

  const Module &module() const { return module_; }
  const Computation &own() const { return own_; }

  struct Figures {
    int64_t elements = 0, loaded = 0;
  };
  /// Goes through all blocks and turns.
  Figures figuresOf(const Point &sizes, int64_t step) {
    Figures all;
    for (size_t p = 0; p < own_.parameters.size(); ++p) {
      Point block(sizes.size(), 0);
      do {
        Points read;
        for (int64_t k = 0; k < sample_.extent; k += step) {
          Points turn;
          for (const Side &side : sample_.sides)
            addReads(side, block, sizes,
                     {k, std::min(k + step, sample_.extent)},
                     own_.parameters[p], turn);
          // A reduce's initial value has no such dimension: each turn has it.
          if (sample_.sides.size() == 1 &&
              own_.instructions[own_.root].operands[1] == own_.parameters[p])
            turn.insert(Point{});
          all.loaded += turn.size();
          read.insert(turn.begin(), turn.end());
        }
        all.elements += read.size();
      } while (isNext(block, sizes));
    }
    return all;
  }

 private:
  struct Range {
    int64_t from, to;
  };

  bool isNext(Point &block, const Point &sizes) const {
    for (size_t k = 0; k < block.size(); ++k) {
      block[k] += sizes[k];
      if (block[k] < sample_.shape[k]) return true;
      block[k] = 0;
    }
    return false;
  }

  void addReads(const Side &side, const Point &block, const Point &sizes,
                Range turn, InstructionId parameter, Points &to) {
    const size_t row = side.rows[0];
    const auto &reads = readsOf(side.operand, parameter);
    const int64_t end = std::min(block[row] + sizes[row], sample_.shape[row]);
    for (int64_t i = block[row]; i < end; ++i)
      for (int64_t k = turn.from; k < turn.to; ++k)
        if (auto found = reads.find({i, k}); found != reads.end())
          to.insert(found->second.begin(), found->second.end());
  }

  const std::map<Point, Points> &readsOf(const std::string &name,
                                         InstructionId parameter) {
    auto [known, isNew] = reads_.try_emplace({name, parameter});
    if (isNew)
      for (const Pair &pair : run_.pairs(ProgramRun::Leaf{own_.find(name), 0},
                                         ProgramRun::Leaf{parameter, 0}))
        known->second[Point(pair.first.begin(), pair.first.end())].insert(
            Point(pair.second.begin(), pair.second.end()));
    return known->second;
  }

  const Sample &sample_;
  const Program program_;
  const Module &module_;
  const Computation &own_;
  Random random_;
  const ProgramRun run_;
  std::map<std::pair<std::string, int32_t>, std::map<Point, Points>> reads_;
};

TEST(TileTurnsTest, ElementsCountOnceABlock) {
  const uint64_t first = fromEnvironment("INDEXICAL_TURNS_SEED", 1);
  const uint64_t count = 400 * fromEnvironment("INDEXICAL_TURNS", 1);
  int64_t sizes = 0, counted = 0, again = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    const Sample sample = sampleOf(random);
    SCOPED_TRACE("INDEXICAL_TURNS_SEED=" + std::to_string(seed) + "\n" +
                 sample.text);
    Runs runs(sample);
    ProgramIndexing maps(runs.module());
    for (int64_t step :
         {int64_t{1}, random.in(1, sample.extent), sample.extent}) {
      TileSpace space =
          TileSpace::of(runs.module(), runs.module().entry, runs.own().root);
      std::vector<TileExtent> symbols;
      for (size_t k = 0; k < sample.shape.size(); ++k)
        symbols.push_back(TileExtent::symbol("t" + std::to_string(k)));
      space.sizes(symbols);
      space.step("r", 0, step);
      ASSERT_TRUE(space.status().ok()) << space.status();
      TileSearchOptions options;
      options.choice = {SizeChoice::Kind::List, {1, 2, 3, 7}};
      const auto search = searchTiles(maps, space, options);
      ASSERT_TRUE(search.ok()) << search.status();
      for (const FoundSizes &found : search->found) {
        const Point own(found.sizes.begin(), found.sizes.end());
        const Runs::Figures expected = runs.figuresOf(own, step);
        SCOPED_TRACE("sizes " + listOf(own) + ", step " + std::to_string(step));
        ++sizes;
        if (!found.isCounted) {
          ASSERT_GE(found.elements, expected.elements);
          ASSERT_FALSE(found.reloaded);
          continue;
        }
        ++counted;
        ASSERT_EQ(found.elements, expected.elements);
        if (found.reloaded) {
          ASSERT_EQ(*found.reloaded, expected.loaded - expected.elements);
          again += *found.reloaded > 0;
        }
      }
    }
  }
  std::printf("%ld sizes, %ld of them counted, %ld load elements again\n",
              static_cast<long>(sizes), static_cast<long>(counted),
              static_cast<long>(again));
  EXPECT_GT(counted, 1000);
  EXPECT_GT(again, 100);
}

// Each of five blocks reads the 16 elements of p once, and loads them in both
// turns; of q it reads a row of 32.
TEST(TileTurnsTest, AnArrayThatIsJoinedToItself) {
  const Program program = parsed(R"(
ENTRY e {
  p = f32[16] parameter(0)
  twice = f32[32] concatenate(p, p), dimensions={0}
  q = f32[5,32] parameter(1)
  ROOT r = f32[5] dot(twice, q), lhs_contracting_dims={0}, rhs_contracting_dims={1}
})");
  ProgramIndexing maps(program.modules[0]);
  TileSpace space = TileSpace::of(maps);
  space.sizes({TileExtent::symbol("t")}).stepAny(1);
  TileSearchOptions options;
  options.choice = {SizeChoice::Kind::List, {1, 5}};
  const auto search = searchTiles(maps, space, options);
  ASSERT_TRUE(search.ok()) << search.status();
  std::map<std::pair<int64_t, int64_t>, std::pair<int64_t, int64_t>> figures;
  for (const FoundSizes &each : search->found) {
    EXPECT_TRUE(each.isCounted);
    figures[{each.sizes[0], each.steps[0]}] = {each.elements,
                                               each.reloaded.value_or(-1)};
  }
  const std::map<std::pair<int64_t, int64_t>, std::pair<int64_t, int64_t>>
      expected = {{{1, 16}, {240, 80}},
                  {{1, 32}, {240, 0}},
                  {{5, 16}, {176, 16}},
                  {{5, 32}, {176, 0}}};
  EXPECT_EQ(figures, expected);
}

// A tile that no loop moves is loaded in each turn of the loop that it is in.
TEST(TileTurnsTest, ATileThatStays) {
  const Program program = parsed(R"(HloModule m
sum { a = f32[] parameter(0) b = f32[] parameter(1)
  ROOT c = f32[] add(a, b) }
ENTRY e {
  p = f32[6] parameter(0)
  z = f32[] constant(0)
  wide = f32[6,12] broadcast(p), dimensions={0}
  ROOT r = f32[6] reduce(wide, z), dimensions={1}, to_apply=sum
})");
  ProgramIndexing maps(program.modules[0]);
  TileSpace space = TileSpace::of(maps);
  space.sizes({TileExtent::symbol("t")}).step(4);
  const auto search = searchTiles(maps, space, {});
  ASSERT_TRUE(search.ok()) << search.status();
  ASSERT_FALSE(search->found.empty());
  for (const FoundSizes &each : search->found) {
    EXPECT_TRUE(each.isCounted);
    EXPECT_EQ(each.elements, 6);
    EXPECT_EQ(each.reloaded, 12);
  }
}

}  // namespace
}  // namespace indexical::testing
