// The laws of checks.h and thread_accesses.h, by enumeration: a proof holds for
// every program, loop and coordinate, a witness does what it says, and the
// threads that the map gives an element are the layout's holders.

#include "indexical/program/kernel/checks.h"

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "indexical/cost/kernel/thread_accesses.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/layout/operations.h"
#include "indexical/layout/parse.h"
#include "indexical/program/kernel/element_digits.h"

namespace indexical::kernels {
namespace {

constexpr uint32_t kSeed = 4647;
constexpr int64_t kPrograms = 3, kTrips = 2, kSide = 4;

/// A random access of 3 programs, with a loop of 2 trips and a tile of 4, and
/// what it touches, computed from the numbers that made its map.
struct RandomAccess {
  KernelAccess access;
  struct Touch {
    int64_t program, loop, tile, element;
  };
  std::vector<Touch> touches;
};

RandomAccess randomAccess(std::mt19937 &random, AccessKind kind) {
  auto below = [&](int64_t n) { return static_cast<int64_t>(random() % n); };
  const int64_t byProgram = below(10) - 2, byLoop = below(6), byTile = below(4);
  const int64_t start = below(5) - 1, period = below(2) ? 1000 : 5 + below(9);
  const std::optional<int64_t> limit =
      below(2) ? std::make_optional(below(30)) : std::nullopt;
  IndexingMapBuilder b;
  const Expr program = b.dimension({0, kPrograms - 1}, "bl_x");
  b.dimension({0, 0}, "bl_y");
  b.dimension({0, 0}, "bl_z");
  const Expr loop = b.dimension({0, kTrips - 1}, "loop0");
  const Expr tile = b.dimension({0, kSide - 1}, "t0");
  const Expr at =
      program * byProgram + loop * byLoop + tile * byTile + (start + 10);
  b.result(mod(at, period) - 10);
  if (limit) b.constraint(program * kSide + tile, {0, *limit});
  RandomAccess made;
  auto map = b.build();
  EXPECT_TRUE(map.ok());
  made.access.kind = kind;
  made.access.elementBits = 32;
  made.access.tile = {kSide};
  made.access.loops = {{0, kTrips}};
  made.access.maps = {{0, *std::move(map)}};
  if (limit) made.access.mask = MaskKind::Exact;
  for (int64_t p = 0; p < kPrograms; ++p)
    for (int64_t l = 0; l < kTrips; ++l)
      for (int64_t t = 0; t < kSide; ++t) {
        if (limit && p * kSide + t > *limit) continue;
        const int64_t plain =
            p * byProgram + l * byLoop + t * byTile + start + 10;
        const int64_t rest = (plain % period + period) % period;
        made.touches.push_back({p, l, t, rest - 10});
      }
  return made;
}

TritonKernel kernelWith(std::vector<KernelAccess> accesses) {
  TritonKernel kernel;
  kernel.grid = {kPrograms, 1, 1};
  kernel.warps = 1;
  kernel.arguments.resize(1);
  kernel.arguments[0].isPointer = true;
  kernel.accesses = std::move(accesses);
  return kernel;
}

TEST(Checks, BoundsAreThoseOfEveryPoint) {
  std::mt19937 random(kSeed);
  size_t proved = 0, violated = 0;
  for (int round = 0; round < 400; ++round) {
    const RandomAccess made = randomAccess(random, AccessKind::Load);
    const int64_t size = 1 + static_cast<int64_t>(random() % 30);
    const Check check = inBounds(made.access, {size});
    const bool isInside = std::all_of(
        made.touches.begin(), made.touches.end(),
        [&](auto &t) { return t.element >= 0 && t.element < size; });
    SCOPED_TRACE("seed " + std::to_string(kSeed) + ", round " +
                 std::to_string(round) + ": " + made.access.maps[0].map.str());
    ASSERT_EQ(check.answer, isInside ? Check::Proved : Check::Violated);
    if (isInside) {
      ++proved;
      continue;
    }
    ++violated;
    ASSERT_TRUE(check.witness);
    const Witness &w = *check.witness;
    const int64_t element = w.element[0];
    EXPECT_TRUE(element < 0 || element >= size);
    EXPECT_EQ(w.size, size);
    EXPECT_TRUE(
        std::any_of(made.touches.begin(), made.touches.end(), [&](auto &t) {
          return t.program == w.first.program[0] &&
                 t.loop == w.first.loops[0] && t.tile == w.first.tile[0] &&
                 t.element == element;
        }));
  }
  EXPECT_GT(proved, 50u);
  EXPECT_GT(violated, 50u);
}

/// A row of elements by its mask: start + stride * (byRow * p + t0) +
/// 4 * q + t1, where 4 * q + t1 is at most `last`.
IndexingMap randomRow(std::mt19937 &random, int64_t stride) {
  auto below = [&](int64_t n) { return static_cast<int64_t>(random() % n); };
  const int64_t last = below(4) == 0 ? stride : below(stride);
  const int64_t byRow = below(3) + 1, start = below(7) - 3;
  IndexingMapBuilder b;
  const Expr p = b.dimension({0, 2}, "bl_x"), q = b.dimension({0, 2}, "bl_y");
  b.dimension({0, 0}, "bl_z");
  const Expr t0 = b.dimension({0, 1}, "t0"), t1 = b.dimension({0, 3}, "t1");
  b.result((p * byRow + t0) * stride + q * 4 + t1 + start);
  b.constraint(q * 4 + t1, {Interval::kMinusInfinity, last});
  auto map = b.build();
  EXPECT_TRUE(map.ok());
  return *std::move(map);
}

template <typename Visit>
void forPoints(const IndexingMap &map, Visit visit) {
  IndexingMap::Point point;
  point.dimensions.assign(5, 0);
  for (int64_t k = 0; k < 3 * 3 * 2 * 4; ++k) {
    int64_t rest = k;
    for (const auto &[dimension, size] :
         {std::pair<size_t, int64_t>{0, 3}, {1, 3}, {3, 2}, {4, 4}}) {
      point.dimensions[dimension] = rest % size;
      rest /= size;
    }
    if (map.contains(point)) visit(point);
  }
}

TEST(Checks, DigitsTellElementsApart) {
  std::mt19937 random(kSeed + 7);
  size_t apart = 0, whole = 0, proved = 0, violated = 0;
  for (int round = 0; round < 300; ++round) {
    const auto stride = static_cast<int64_t>(5 + random() % 9);
    std::vector<IndexingMap> plain;
    for (size_t k = 0, count = 1 + random() % 2; k < count; ++k)
      plain.push_back(randomRow(random, stride));
    std::vector<IndexingMap> maps = plain;
    const ElementDigits digits(maps);
    SCOPED_TRACE("seed " + std::to_string(kSeed + 7) + ", round " +
                 std::to_string(round) + ": " + plain[0].str());
    ++(maps[0].results().size() > 1 ? apart : whole);
    std::map<int64_t, std::vector<int64_t>> digitsOf;
    std::map<std::vector<int64_t>, int64_t> elementOf;
    std::map<int64_t, size_t> writers;
    ASSERT_EQ(maps.size(), plain.size());
    for (size_t k = 0; k < maps.size(); ++k)
      forPoints(plain[k], [&](const IndexingMap::Point &point) {
        const auto element = plain[k].evaluate(point);
        const auto own = maps[k].evaluate(point);
        ASSERT_TRUE(element && own && maps[k].contains(point));
        const std::vector<int64_t> numbers(own->begin(), own->end());
        ++writers[(*element)[0]];
        EXPECT_EQ(digits.elementOf(numbers), (*element)[0]);
        EXPECT_EQ(digitsOf.emplace((*element)[0], numbers).first->second,
                  numbers);
        EXPECT_EQ(elementOf.emplace(numbers, (*element)[0]).first->second,
                  (*element)[0]);
      });
    // The check that uses them.
    TritonKernel kernel;
    kernel.grid = {3, 3, 1};
    kernel.warps = 1;
    kernel.arguments.resize(1);
    kernel.arguments[0].isPointer = true;
    for (const IndexingMap &map : plain) {
      KernelAccess access;
      access.kind = AccessKind::Store;
      access.elementBits = 32;
      access.tile = {2, 4};
      access.mask = MaskKind::Exact;
      access.maps = {{0, map}};
      kernel.accesses.push_back(std::move(access));
    }
    const bool isOnce =
        std::all_of(writers.begin(), writers.end(),
                    [](const auto &element) { return element.second == 1; });
    const Check check = writtenOnce(kernel);
    ASSERT_EQ(check.answer, isOnce ? Check::Proved : Check::Violated);
    ++(isOnce ? proved : violated);
    if (!isOnce) {
      EXPECT_GT(writers[check.witness->element[0]], 1u);
    }
  }
  EXPECT_GT(apart, 50u);
  EXPECT_GT(whole, 50u);
  EXPECT_GT(proved, 20u);
  EXPECT_GT(violated, 50u);
}

/// A program, the line of its store or atomic operation, and a coordinate.
using Writer = std::tuple<int64_t, int64_t, int64_t>;
/// The writers of each element. A store that a loop makes again is one.
using Writers = std::map<int64_t, std::set<Writer>>;

bool isWrittenOnce(const Writers &stores, const Writers &atomics) {
  return std::all_of(stores.begin(), stores.end(), [&](const auto &each) {
    const auto by = atomics.find(each.first);
    const int64_t program = std::get<0>(*each.second.begin());
    return each.second.size() == 1 &&
           (by == atomics.end() ||
            std::all_of(by->second.begin(), by->second.end(),
                        [&](const Writer &atomic) {
                          return std::get<0>(atomic) == program;
                        }));
  });
}

TEST(Checks, WrittenOnceIsWithoutARace) {
  std::mt19937 random(kSeed + 1);
  size_t proved = 0, violated = 0;
  std::map<std::string, size_t> races;
  for (int round = 0; round < 600; ++round) {
    std::vector<KernelAccess> accesses;
    Writers stores, atomics;
    for (uint32_t k = 0; k <= random() % 2; ++k) {
      const bool isAtomic = k > 0 && random() % 2;
      RandomAccess made = randomAccess(
          random, isAtomic ? AccessKind::Atomic : AccessKind::Store);
      made.access.place.line = k + 1;
      accesses.push_back(made.access);
      for (const auto &touch : made.touches)
        (isAtomic ? atomics : stores)[touch.element].insert(
            {touch.program, k + 1, touch.tile});
    }
    const Check check = writtenOnce(kernelWith(std::move(accesses)));
    const bool isOnce = isWrittenOnce(stores, atomics);
    SCOPED_TRACE("seed " + std::to_string(kSeed + 1) + ", round " +
                 std::to_string(round));
    ASSERT_EQ(check.answer, isOnce ? Check::Proved : Check::Violated);
    if (isOnce) {
      ++proved;
      continue;
    }
    ++violated;
    ASSERT_TRUE(check.witness);
    const Witness &w = *check.witness;
    const std::string race = raceOf(w).str();
    const int64_t element = w.element[0];
    ++races[race];
    const std::set<Writer> &by = stores[element];
    EXPECT_EQ(w.first.program == w.second.program, race == "program");
    if (race == "atomic") {
      const auto is = [](int64_t program) {
        return [=](const Writer &each) { return std::get<0>(each) == program; };
      };
      EXPECT_TRUE(std::any_of(by.begin(), by.end(), is(w.first.program[0])));
      EXPECT_TRUE(std::any_of(atomics[element].begin(), atomics[element].end(),
                              is(w.second.program[0])));
      continue;
    }
    const Writer first = {w.first.program[0], w.first.line, w.first.tile[0]};
    const Writer second = {w.second.program[0], w.second.line,
                           w.second.tile[0]};
    EXPECT_NE(first, second);
    EXPECT_TRUE(by.count(first));
    EXPECT_TRUE(by.count(second));
  }
  EXPECT_GT(proved, 20u);
  EXPECT_GT(violated, 50u);
  EXPECT_GT(races["programs"], 10u);
  EXPECT_GT(races["program"], 10u);
  EXPECT_GT(races["atomic"], 3u);
}

/// A thread and one of its registers' elements.
using ThreadsOfElement = std::map<std::vector<int64_t>, std::set<int64_t>>;

ThreadsOfElement threadsOf(const TritonKernel &kernel,
                           const KernelAccess &access) {
  ThreadsOfElement threads;
  const auto map = threadMap(kernel, access);
  EXPECT_TRUE(map.ok()) << map.status();
  if (!map.ok()) return threads;
  IndexingMap::Point point;
  point.dimensions.assign(6, 0);
  const int64_t steps = map->ranges()[0].bounds.upper + 1;
  const int64_t vector = map->ranges()[1].bounds.upper + 1;
  EXPECT_EQ(vector, access.vector);
  for (int64_t th = 0; th < kernel.lanes * *kernel.warps; ++th)
    for (int64_t step = 0; step < steps; ++step)
      for (int64_t v = 0; v < vector; ++v) {
        point.dimensions[0] = th;
        point.ranges = {step, v};
        if (!map->contains(point)) continue;
        const auto results = map->evaluate(point);
        threads[{results->begin() + 3, results->end()}].insert(th);
      }
  return threads;
}

TEST(ThreadAccesses, AreTheHoldersOfTheLayout) {
  std::mt19937 random(kSeed + 2);
  auto power = [&](int most) { return int64_t{1} << (random() % (most + 1)); };
  for (int round = 0; round < 200; ++round) {
    const llvm::SmallVector<int64_t, 4> shape = {power(4), power(4)};
    const bool isRowMajor = random() % 2;
    const int64_t lanes = power(3), warps = power(2);
    const auto pair = [](int64_t a, int64_t b) {
      return "[" + std::to_string(a) + ", " + std::to_string(b) + "]";
    };
    const int64_t down = power(2), across = power(2);
    const auto layout = layouts::parseLayout(
        "tensor<" + std::to_string(shape[0]) + "x" + std::to_string(shape[1]) +
        "xf32, #ttg.blocked<{sizePerThread = " + pair(down, across) +
        ", threadsPerWarp = " + pair(lanes, 8 / lanes) +
        ", warpsPerCTA = " + pair(warps, 4 / warps) +
        ", order = " + pair(isRowMajor, !isRowMajor) + "}>>");
    ASSERT_TRUE(layout.ok()) << layout.status();
    TritonKernel kernel = kernelWith({});
    kernel.lanes = 8;
    kernel.warps = 4;
    KernelAccess access;
    access.kind = random() % 2 ? AccessKind::Load : AccessKind::Store;
    access.tile = shape;
    access.layout = *layout;
    access.order = {isRowMajor, !isRowMajor};
    const auto distinct = layouts::withoutCopies(*layout, "register");
    access.vector = int64_t{1};
    while (access.vector < distinct.box()[0] && random() % 2)
      access.vector *= 2;
    const ThreadsOfElement threads = threadsOf(kernel, access);
    SCOPED_TRACE("seed " + std::to_string(kSeed + 2) + ", round " +
                 std::to_string(round));
    size_t elements = 0;
    for (int64_t i = 0; i < shape[0]; ++i)
      for (int64_t j = 0; j < shape[1]; ++j) {
        std::set<int64_t> holders;
        const auto held = distinct.holders({i, j});
        ASSERT_TRUE(held.ok());
        for (const Coordinates &holder : *held)
          holders.insert(holder[2] * 8 + holder[1]);
        const auto found = threads.find({i, j});
        ASSERT_TRUE(found != threads.end());
        ++elements;
        if (access.kind == AccessKind::Load) {
          EXPECT_EQ(found->second, holders);
          EXPECT_EQ(static_cast<int64_t>(holders.size()), replicasOf(access));
        } else {
          EXPECT_EQ(found->second.size(), 1u);
          EXPECT_TRUE(holders.count(*found->second.begin()));
        }
      }
    EXPECT_EQ(elements, threads.size());
  }
}

}  // namespace
}  // namespace indexical::kernels
