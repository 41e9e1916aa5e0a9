// Programs with many ways between two tensors: few maps, each with its own
// sources.
#include <algorithm>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

#include "tests/support/program_reads.h"
#include "tests/support/program_run.h"

namespace indexical::testing {
namespace {

//===-- 2^64 ways ---------------------------------------------------------===//

/// x = x + g(x), 64 times over; g of layer `i` is what `layer` writes of x.
std::string layers(const std::function<std::string(int, std::string)> &layer) {
  std::string text = "ENTRY e {\n  x0 = f32[8,8] parameter(0)\n";
  for (int i = 1; i <= 64; ++i) {
    const std::string x = "x" + std::to_string(i - 1), n = std::to_string(i);
    text += "  g" + n + " = f32[8,8] " + layer(i, x) + "\n";
    text += "  x" + n + " = f32[8,8] add(" + x + ", g" + n + ")\n";
  }
  return text + "  ROOT r = f32[8,8] copy(x64)\n}";
}

void expectPieces(const std::string &text, size_t pieces) {
  const Program program = parsed(text);
  ASSERT_EQ(program.modules.size(), 1u);
  const Module &module = program.modules[0];
  for (Direction direction : {kReads, kUsers}) {
    ProgramIndexing maps(module);
    auto relation =
        maps.computation(module.entry, LeafId(0), ParameterLeaf{0}, direction);
    ASSERT_TRUE(relation.ok()) << relation.status();
    EXPECT_EQ(relation->precision(), Precision::Exact);
    EXPECT_EQ(relation->pieces().size(), pieces) << textOf(*relation);
  }
}

TEST(SharingTest, Reverses) {
  expectPieces(layers([](int, const std::string &x) {
                 return "reverse(" + x + "), dimensions={0}";
               }),
               2);
  expectPieces(layers([](int i, const std::string &x) {
                 return "reverse(" + x + "), dimensions={" +
                        std::to_string(i % 2) + "}";
               }),
               4);
}

TEST(SharingTest, Transposes) {
  expectPieces(layers([](int, const std::string &x) {
                 return "transpose(" + x + "), dimensions={1,0}";
               }),
               2);
}

// The eight symmetries of a square.
TEST(SharingTest, ReversesAndTransposes) {
  expectPieces(layers([](int i, const std::string &x) {
                 return i % 2 ? "transpose(" + x + "), dimensions={1,0}"
                              : "reverse(" + x + "), dimensions={0}";
               }),
               8);
}

// Each layer calls the one below twice.
TEST(SharingTest, CallsOfCalls) {
  std::string text =
      "HloModule m\nf0 { a = f32[8] parameter(0) ROOT r = f32[8] copy(a) }\n";
  for (int i = 1; i <= 64; ++i) {
    const std::string below = "f" + std::to_string(i - 1);
    text += "f" + std::to_string(i) +
            " { a = f32[8] parameter(0)\n  b = f32[8] reverse(a), "
            "dimensions={0}\n  c = f32[8] call(a), to_apply=" +
            below + "\n  d = f32[8] call(b), to_apply=" + below +
            "\n  ROOT r = f32[8] add(c, d) }\n";
  }
  text +=
      "ENTRY e { a = f32[8] parameter(0) ROOT r = f32[8] call(a), "
      "to_apply=f64 }\n";
  expectPieces(text, 2);
}

// Both branches are the conditional below.
TEST(SharingTest, BranchesOfBranches) {
  const std::string p = "(pred[], f32[8])";
  std::string text = "HloModule m\nf0 { a = " + p +
                     " parameter(0)\n  ROOT x = f32[8] get-tuple-element(a), "
                     "index=1 }\n";
  for (int i = 1; i <= 64; ++i) {
    const std::string below = "f" + std::to_string(i - 1);
    text += "f" + std::to_string(i) + " { a = " + p +
            " parameter(0)\n  q = pred[] get-tuple-element(a), index=0\n"
            "  x = f32[8] get-tuple-element(a), index=1\n"
            "  y = f32[8] reverse(x), dimensions={0}\n  b = " +
            p +
            " tuple(q, y)\n  ROOT r = f32[8] conditional(q, a, b), "
            "branch_computations={" +
            below + ", " + below + "} }\n";
  }
  text +=
      "ENTRY e { x = f32[8] parameter(0)  q = pred[] parameter(1)\n  a = " + p +
      " tuple(q, x)\n  ROOT r = f32[8] call(a), to_apply=f64 }\n";
  expectPieces(text, 2);
}

// A loop in a loop in a loop…
TEST(SharingTest, LoopsOfLoops) {
  const std::string s = "(s32[], f32[4,8])";
  std::string text =
      "HloModule m\nc { a = " + s +
      " parameter(0)\n  i = s32[] get-tuple-element(a), index=0\n"
      "  ROOT r = pred[] compare(i, i), direction=LT }\nf0 { a = " +
      s +
      " parameter(0)\n  i = s32[] get-tuple-element(a), index=0\n  x = "
      "f32[4,8] get-tuple-element(a), index=1\n  y = f32[4,8] reverse(x), "
      "dimensions={1}\n  ROOT t = " +
      s + " tuple(i, y) }\n";
  for (int i = 1; i <= 64; ++i) {
    const std::string below = "f" + std::to_string(i - 1);
    text += "f" + std::to_string(i) + " { a = " + s +
            " parameter(0)\n  b = " + s +
            " while(a), condition=c, body=" + below + "\n  ROOT d = " + s +
            " while(b), condition=c, body=" + below + " }\n";
  }
  text += "ENTRY e { a = " + s + " parameter(0) ROOT r = " + s +
          " while(a), condition=c, body=f64 }\n";
  EXPECT_EQ(reads(text, 0, 1, kReads, 1),
            "cover:\n  (d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 3], "
            "d1 in [0, 7], s0 in [0, 7]");
}

//===-- Sources -----------------------------------------------------------===//

std::vector<Pair> turned(std::vector<Pair> pairs) {
  for (Pair &pair : pairs) std::swap(pair.first, pair.second);
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

/// The root's reads of every parameter are exact, with many values of them.
void expectRun(const std::string &text) {
  const Program program = parsed(text);
  ASSERT_EQ(program.modules.size(), 1u);
  const Module &module = program.modules[0];
  const Computation &entry = module.computations[module.entry];
  ProgramIndexing maps(module);
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const ProgramRun run(module, module.entry, random);
    const RunWorld world(run, maps);
    for (size_t p = 0; p < entry.parameters.size(); ++p) {
      const auto expected =
          run.pairs({entry.root, 0}, ProgramRun::Leaf{entry.parameters[p], 0});
      for (Direction direction : {kReads, kUsers}) {
        auto relation = maps.computation(module.entry, LeafId(0),
                                         ParameterLeaf{p}, direction);
        ASSERT_TRUE(relation.ok()) << relation.status();
        EXPECT_EQ(relation->precision(), Precision::Exact);
        EXPECT_EQ(difference(direction == kReads ? expected : turned(expected),
                             pairsOf(*relation, world)),
                  "")
            << "seed " << seed << ", parameter " << p << "\n"
            << textOf(*relation);
      }
      ASSERT_FALSE(::testing::Test::HasFailure());
    }
  }
}

TEST(SharingTest, TwoDynamicSlicesKeepTheirStarts) {
  const std::string text = R"(
ENTRY e {
  p = f32[9,4] parameter(0)
  a = s32[] parameter(1)  b = s32[] parameter(2)  c = s32[] parameter(3)
  first = f32[6,3] dynamic-slice(p, a, b), dynamic_slice_sizes={6,3}
  ROOT second = f32[2,2] dynamic-slice(first, c, a), dynamic_slice_sizes={2,2}
})";
  // One element, clamped to two intervals, is two variables.
  EXPECT_EQ(reads(text),
            "exact:\n  (d0, d1){rt0, rt1, rt2, rt3} -> (d0 + rt0 + rt2, "
            "d1 + rt1 + rt3), domain: d0 in [0, 1], d1 in [0, 1], "
            "rt0 in [0, 3], rt1 in [0, 1], rt2 in [0, 4], rt3 in [0, 1]\n"
            "  rt0: e.a\n  rt1: e.b\n  rt2: e.c\n  rt3: e.a");
  expectRun(text);
}

TEST(SharingTest, ASliceOfAGatherOfAnUpdateKeepsEverySource) {
  const std::string text = R"(
ENTRY e {
  p = f32[6,5] parameter(0)
  u = f32[3,2] parameter(1)
  i = s32[] parameter(2)  j = s32[] parameter(3)
  rows = s32[4] parameter(4)
  k = s32[] parameter(5)  l = s32[] parameter(6)
  put = f32[6,5] dynamic-update-slice(p, u, i, j)
  got = f32[4,5] gather(put, rows), offset_dims={1}, collapsed_slice_dims={0},
    start_index_map={0}, index_vector_dim=1, slice_sizes={1,5}
  ROOT cut = f32[2,3] dynamic-slice(got, k, l), dynamic_slice_sizes={2,3}
})";
  expectRun(text);
  const std::string update = reads(text, 1);
  for (const char *source : {"e.i", "e.j", "e.rows", "e.k", "e.l"})
    EXPECT_NE(update.find(source), std::string::npos) << source << update;
}

// The sources cross calls, a branch and an async op.
TEST(SharingTest, SourcesCrossCallsBranchesAndAsyncOps) {
  expectRun(R"(HloModule m
put { a = (f32[6,5], f32[3,2], s32[], s32[]) parameter(0)
  p = f32[6,5] get-tuple-element(a), index=0
  u = f32[3,2] get-tuple-element(a), index=1
  i = s32[] get-tuple-element(a), index=2
  j = s32[] get-tuple-element(a), index=3
  k = s32[] copy(j)
  ROOT r = f32[6,5] dynamic-update-slice(p, u, i, k) }
got { p = f32[6,5] parameter(0)  rows = s32[4] parameter(1)
  back = s32[4] reverse(rows), dimensions={0}
  ROOT r = f32[4,5] gather(p, back), offset_dims={1}, collapsed_slice_dims={0},
    start_index_map={0}, index_vector_dim=1, slice_sizes={1,5} }
cut { p = f32[4,5] parameter(0)  k = s32[] parameter(1)  l = s32[] parameter(2)
  n = s32[] negate(l)
  ROOT r = f32[2,3] dynamic-slice(p, k, n), dynamic_slice_sizes={2,3} }
ENTRY e {
  p = f32[6,5] parameter(0)
  u = f32[3,2] parameter(1)
  i = s32[] parameter(2)  j = s32[] parameter(3)
  rows = s32[4] parameter(4)
  k = s32[] parameter(5)  l = s32[] parameter(6)
  a = (f32[6,5], f32[3,2], s32[], s32[]) tuple(p, u, i, j)
  b = (f32[6,5], f32[3,2], s32[], s32[]) tuple(p, u, j, i)
  x = f32[6,5] conditional(l, a, b), branch_computations={put, put}
  y = f32[4,5] call(x, rows), to_apply=got
  s = ((f32[4,5], s32[], s32[]), f32[2,3], u32[]) async-start(y, k, l), calls=cut
  ROOT r = f32[2,3] async-done(s)
})");
}

//===-- Leaves of the same sizes ------------------------------------------===//

/// A tuple nested so deep, with two elements each.
std::string nested(int depth) {
  std::string type = "f32[8,4]";
  for (int i = 0; i < depth; ++i) type = "(" + type + ", " + type + ")";
  return "e { p = " + type + " parameter(0)\n ROOT r = " + type +
         " opt-barrier(p) }";
}

using Ask = std::function<absl::StatusOr<IndexingRelation>(
    ProgramIndexing &, Direction, int64_t leaf)>;

/// How many maps there are for the leaves of the tuple, both ways.
size_t differentMaps(int depth, const Ask &ask) {
  const Program program = parsed(nested(depth));
  ProgramIndexing maps(program.modules[0]);
  std::vector<IndexingRelation> kept;
  std::set<const void *> objects;
  for (Direction direction : {kReads, kUsers})
    for (int64_t leaf = 0; leaf < int64_t{1} << depth; ++leaf) {
      auto relation = ask(maps, direction, leaf);
      EXPECT_TRUE(relation.ok()) << relation.status();
      if (!relation.ok()) return 0;
      EXPECT_EQ(relation->pieces().size(), 1u);
      for (const IndexingMap &map : relation->pieces())
        objects.insert(map.dimensions().data());
      kept.push_back(*std::move(relation));
    }
  return objects.size();
}

TEST(SharingTest, LeavesOfTheSameSizesHaveOneMap) {
  const Ask ofComputation = [](ProgramIndexing &maps, Direction direction,
                               int64_t leaf) {
    return maps.computation(ComputationId(0), LeafId(leaf),
                            ParameterLeaf{0, LeafId(leaf)}, direction);
  };
  const Ask ofInstruction = [](ProgramIndexing &maps, Direction direction,
                               int64_t leaf) {
    return maps.instruction({ComputationId(0), InstructionId(1), LeafId(leaf)},
                            LeafId(leaf), direction);
  };
  for (int depth : {3, 7, 10}) {
    EXPECT_EQ(differentMaps(depth, ofComputation), 1u);
    EXPECT_EQ(differentMaps(depth, ofInstruction), 1u);
  }
}

//===-- The direction that no pass is made for ----------------------------===//

/// (index, element) for every point of the maps.
std::set<std::pair<std::vector<int64_t>, std::vector<int64_t>>> pointsOf(
    const IndexingRelation &relation) {
  std::set<std::pair<std::vector<int64_t>, std::vector<int64_t>>> points;
  for (const IndexingMap &map : relation.pieces()) {
    std::vector<Interval> bounds;
    for (const Variable &v : map.dimensions()) bounds.push_back(v.bounds);
    for (const Variable &v : map.ranges()) bounds.push_back(v.bounds);
    const size_t rank = map.dimensions().size();
    std::vector<int64_t> at;
    const std::function<void()> visit = [&] {
      if (at.size() < bounds.size()) {
        for (int64_t i = bounds[at.size()].lower; i <= bounds[at.size()].upper;
             ++i) {
          at.push_back(i);
          visit();
          at.pop_back();
        }
        return;
      }
      IndexingMap::Point point;
      point.dimensions.assign(at.begin(), at.begin() + rank);
      point.ranges.assign(at.begin() + rank, at.end());
      if (!map.contains(point)) return;
      const auto element = map.evaluate(point);
      ASSERT_TRUE(element.has_value());
      points.insert({{at.begin(), at.begin() + rank},
                     {element->begin(), element->end()}});
    };
    visit();
  }
  return points;
}

std::string shapeText(llvm::ArrayRef<int64_t> sizes) {
  std::string text = "f32[";
  for (size_t k = 0; k < sizes.size(); ++k)
    text += (k ? "," : "") + std::to_string(sizes[k]);
  return text + "]";
}

std::string listText(llvm::ArrayRef<int64_t> numbers) {
  std::string text = shapeText(numbers);
  return "{" + text.substr(4, text.size() - 5) + "}";
}

// A broadcast of a transpose, of which a dimension is summed: what uses an
// element is what reads it, whether a pass was made or not.
TEST(SharingTest, BothDirectionsSayTheSame) {
  const unsigned seed = 20261124;
  std::mt19937 random(seed);
  auto below = [&](int n) { return static_cast<int64_t>(random() % n); };
  for (int instance = 0; instance < 400; ++instance) {
    const int64_t rank = 1 + below(3);
    std::vector<int64_t> sizes, order, turned, wide, dimensions;
    for (int64_t k = 0; k < rank; ++k) {
      sizes.push_back(1 + below(3));
      order.push_back(k);
    }
    std::shuffle(order.begin(), order.end(), random);
    for (int64_t k : order) turned.push_back(sizes[k]);
    for (int64_t k = 0; k < rank; ++k) {
      while (below(3) == 0) wide.push_back(1 + below(3));
      dimensions.push_back(wide.size());
      wide.push_back(turned[k]);
    }
    const int64_t gone = below(wide.size());
    std::vector<int64_t> left = wide;
    left.erase(left.begin() + gone);
    const std::string text =
        "add { x = f32[] parameter(0) y = f32[] parameter(1)\n"
        "  ROOT s = f32[] add(x, y) }\n"
        "ENTRY e { p = " +
        shapeText(sizes) + " parameter(0)\n  t = " + shapeText(turned) +
        " transpose(p), dimensions=" + listText(order) +
        "\n  b = " + shapeText(wide) +
        " broadcast(t), dimensions=" + listText(dimensions) +
        "\n  z = f32[] constant(0)\n  ROOT r = " +
        (below(2) ? shapeText(left) + " reduce(b, z), dimensions={" +
                        std::to_string(gone) + "}, to_apply=add }"
                  : shapeText(wide) + " negate(b) }");
    const Program program = parsed(text);
    ASSERT_EQ(program.modules.size(), 1u) << text;
    const Module &module = program.modules[0];
    ProgramIndexing maps(module);
    auto down =
        maps.computation(module.entry, LeafId(0), ParameterLeaf{0}, kReads);
    auto up =
        maps.computation(module.entry, LeafId(0), ParameterLeaf{0}, kUsers);
    ASSERT_TRUE(down.ok() && up.ok()) << text;
    EXPECT_EQ(up->precision(), down->precision());
    std::set<std::pair<std::vector<int64_t>, std::vector<int64_t>>> turnedUp;
    for (const auto &[element, index] : pointsOf(*up))
      turnedUp.insert({index, element});
    EXPECT_EQ(pointsOf(*down), turnedUp)
        << "instance " << instance << " of seed " << seed << "\n"
        << text << "\n"
        << textOf(*down) << "\n"
        << textOf(*up);
  }
}

}  // namespace
}  // namespace indexical::testing
