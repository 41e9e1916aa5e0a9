// Encodings of Triton, against nested loops and against all registers.
#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/indexing/diagnostic.h"
#include "indexical/layout/operations.h"
#include "indexical/layout/parse.h"

namespace indexical::layouts {
namespace {

constexpr uint32_t kSeed = 46;

using Numbers = std::vector<int64_t>;

std::string list(const Numbers &numbers) {
  std::string text;
  for (int64_t number : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  return "[" + text + "]";
}

std::string tensor(const Numbers &shape, const std::string &encoding) {
  std::string text = "tensor<";
  for (int64_t side : shape) text += std::to_string(side) + "x";
  return text + "f32, " + encoding + ">";
}

struct Blocked {
  Numbers shape, sizePerThread, threadsPerWarp, warpsPerCta, order;

  std::string encoding() const {
    return "#ttg.blocked<{sizePerThread = " + list(sizePerThread) +
           ", threadsPerWarp = " + list(threadsPerWarp) +
           ", warpsPerCTA = " + list(warpsPerCta) + ", order = " + list(order) +
           "}>";
  }
  std::string text() const { return tensor(shape, encoding()); }

  /// The element that nested loops give a register: from the inside, elements
  /// of a thread, lanes, warps, and repetitions of that block.
  Numbers held(int64_t reg, int64_t lane, int64_t warp) const {
    Numbers element(shape.size(), 0), block(shape.size(), 1);
    const auto place = [&](int64_t number, const Numbers &sizes) {
      for (int64_t k : order) {
        element[k] += number % sizes[k] * block[k];
        number /= sizes[k];
        block[k] *= sizes[k];
      }
    };
    int64_t perThread = 1;
    for (int64_t size : sizePerThread) perThread *= size;
    place(reg % perThread, sizePerThread);
    place(lane, threadsPerWarp);
    place(warp, warpsPerCta);
    Numbers repeats;
    for (size_t k = 0; k < shape.size(); ++k)
      repeats.push_back(std::max<int64_t>(1, shape[k] / block[k]));
    place(reg / perThread, repeats);
    for (size_t k = 0; k < shape.size(); ++k) element[k] %= shape[k];
    return element;
  }
};

Blocked randomBlocked(std::mt19937 &random) {
  const auto power = [&](int most) {
    return int64_t{1} << random() % (most + 1);
  };
  Blocked of;
  const size_t rank = 1 + random() % 3;
  for (size_t k = 0; k < rank; ++k) {
    of.shape.push_back(power(4));
    of.sizePerThread.push_back(power(2));
    of.threadsPerWarp.push_back(power(2));
    of.warpsPerCta.push_back(power(1));
    of.order.push_back(static_cast<int64_t>(k));
  }
  std::shuffle(of.order.begin(), of.order.end(), random);
  return of;
}

/// Who holds which element is the same from both sides, each element has as
/// many holders, and nothing is held outside of the tile.
void expectHolders(const Layout &layout, const std::string &name) {
  std::map<Coordinates, std::vector<Coordinates>> held;
  layout.visit([&](llvm::ArrayRef<int64_t> point, llvm::ArrayRef<int64_t> v) {
    held[{v.begin(), v.end()}].emplace_back(point.begin(), point.end());
    return true;
  });
  const auto facts = factsOf(layout);
  for (auto &[element, points] : held) {
    for (size_t k = 0; k < element.size(); ++k)
      ASSERT_LT(element[k], layout.outputs()[k].size) << name;
    std::sort(points.begin(), points.end());
    const auto found = layout.holders(element);
    ASSERT_TRUE(found.ok()) << name;
    ASSERT_EQ(*found, points) << name;
    ASSERT_EQ(facts.copies, static_cast<int64_t>(points.size())) << name;
  }
}

TEST(Triton, BlockedIsWhatNestedLoopsGive) {
  std::mt19937 random(kSeed);
  for (int trial = 0; trial < 300; ++trial) {
    const Blocked of = randomBlocked(random);
    const auto layout = parseLayout(of.text());
    ASSERT_TRUE(layout.ok()) << of.text() << layout.status();
    layout->visit([&](llvm::ArrayRef<int64_t> p, llvm::ArrayRef<int64_t> v) {
      EXPECT_EQ(Numbers(v.begin(), v.end()), of.held(p[0], p[1], p[2]))
          << of.text() << ", seed " << kSeed;
      return true;
    });
    expectHolders(*layout, of.text());
  }
}

TEST(Triton, WithoutCopiesHoldsTheSameOnce) {
  std::mt19937 random(kSeed + 1);
  int dropped = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Blocked of = randomBlocked(random);
    const auto layout = parseLayout(of.text());
    ASSERT_TRUE(layout.ok());
    const Layout once = withoutCopies(*layout, "register");
    dropped += once.box() != layout->box();
    using Thread = std::pair<int64_t, int64_t>;
    std::map<Thread, std::vector<Coordinates>> all, ones;
    layout->visit([&](llvm::ArrayRef<int64_t> p, llvm::ArrayRef<int64_t> v) {
      auto &elements = all[{p[1], p[2]}];
      const Coordinates element(v.begin(), v.end());
      if (std::find(elements.begin(), elements.end(), element) ==
          elements.end())
        elements.push_back(element);
      return true;
    });
    once.visit([&](llvm::ArrayRef<int64_t> p, llvm::ArrayRef<int64_t> v) {
      ones[{p[1], p[2]}].emplace_back(v.begin(), v.end());
      return true;
    });
    ASSERT_EQ(all, ones) << of.text() << ", seed " << kSeed + 1;
  }
  EXPECT_GT(dropped, 20);
}

TEST(Triton, SlicesKeepWhatIsLeftOfEachBasis) {
  std::mt19937 random(kSeed + 2);
  for (int trial = 0; trial < 100; ++trial) {
    Blocked of = randomBlocked(random);
    if (of.shape.size() < 2) continue;
    const size_t dim = random() % of.shape.size();
    of.shape[dim] = 1;
    Numbers rest = of.shape;
    rest.erase(rest.begin() + static_cast<ptrdiff_t>(dim));
    const auto slice =
        parseLayout(tensor(rest, "#ttg.slice<{dim = " + std::to_string(dim) +
                                     ", parent = " + of.encoding() + "}>"));
    ASSERT_TRUE(slice.ok()) << slice.status();
    expectHolders(*slice, of.text());
    const auto parent = parseLayout(of.text());
    ASSERT_TRUE(parent.ok());
    const Layout once = withoutCopies(*parent, "register");
    ASSERT_EQ(once.box(), slice->box()) << of.text();
    slice->visit([&](llvm::ArrayRef<int64_t> p, llvm::ArrayRef<int64_t> v) {
      Coordinates whole = once.at(p);
      whole.erase(whole.begin() + static_cast<ptrdiff_t>(dim));
      EXPECT_EQ(whole, Coordinates(v.begin(), v.end())) << of.text();
      return true;
    });
  }
}

TEST(Triton, MatrixResultsAndOperandsReachEveryElementAlike) {
  for (int version : {2, 3})
    for (int64_t rows : {16, 64, 128})
      for (int64_t columns : {8, 32, 128}) {
        const std::string mma =
            "#ttg.nvidia_mma<{versionMajor = " + std::to_string(version) +
            ", versionMinor = 0, warpsPerCTA = [4, 1], instrShape = " +
            (version == 2 ? "[16, 8]" : "[16, 16, 16]") + "}>";
        const auto layout = parseLayout(tensor({rows, columns}, mma));
        ASSERT_TRUE(layout.ok()) << layout.status();
        expectHolders(*layout, mma);
        for (int operand : {0, 1}) {
          if (version == 3 && operand == 1) continue;
          const std::string dot =
              "#ttg.dot_op<{opIdx = " + std::to_string(operand) +
              ", parent = " + mma + ", kWidth = 2}>";
          const auto of = parseLayout(tensor({rows, columns}, dot));
          ASSERT_TRUE(of.ok()) << of.status();
          expectHolders(*of, dot);
        }
      }
}

// A linear layout has sizes of its own, as a blocked one has: of every tile it
// is that one.
TEST(Triton, LinearOfAnotherTileIsThatOfTheBlockedOne) {
  std::mt19937 random(kSeed + 3);
  int larger = 0, smaller = 0;
  for (int trial = 0; trial < 300; ++trial) {
    Blocked of = randomBlocked(random);
    // The tile that the layout has by itself.
    for (size_t k = 0; k < of.shape.size(); ++k)
      of.shape[k] =
          of.sizePerThread[k] * of.threadsPerWarp[k] * of.warpsPerCta[k];
    // Its registers name each dimension, in the order of the others.
    if (std::any_of(of.sizePerThread.begin(), of.sizePerThread.end(),
                    [](int64_t size) { return size == 1; }))
      continue;
    const auto own = parseLayout(of.text());
    ASSERT_TRUE(own.ok());
    const std::string linear = *print(*own, Notation::Linear);
    const std::string encoding = linear.substr(linear.find('#'));
    Numbers shape = of.shape;
    const size_t k = random() % shape.size();
    if (random() % 2)
      shape[k] *= 2;
    else
      shape[k] /= 2;
    if (shape[k] == 0) continue;
    (shape[k] > of.shape[k] ? larger : smaller) += 1;
    Blocked wanted = of;
    wanted.shape = shape;
    const auto a =
        parseLayout(tensor(shape, encoding.substr(0, encoding.size() - 1)));
    const auto b = parseLayout(wanted.text());
    ASSERT_TRUE(a.ok()) << a.status() << encoding;
    ASSERT_TRUE(b.ok());
    // Registers past the end are there in a blocked layout, and hold what
    // others hold.
    EXPECT_EQ(
        equal(withoutCopies(*a, "register"), withoutCopies(*b, "register"))
            .answer,
        Answer::Yes)
        << wanted.text() << " and " << encoding;
  }
  EXPECT_GT(larger, 10);
  EXPECT_GT(smaller, 10);
}

// Triton's verifier has no layout whose bases leave out elements of its own
// sizes; a basis that is partly past the tile has no meaning.
TEST(Triton, ABasisThatLeavesTheTileIsRefusedAtItsPlace) {
  const auto parse = [](const std::string &shape, const std::string &lanes) {
    return parseLayout("tensor<" + shape +
                       "xf32, #ttg.linear<{register = [[1]], lane = [" + lanes +
                       "], warp = [], block = []}>>");
  };
  // All elements of 4, 8 and 16 are reached: what is past the tile is a copy.
  for (const char *shape : {"4", "8", "16", "32"})
    EXPECT_TRUE(parse(shape, "[2], [4], [8]").ok()) << shape;
  const std::pair<const char *, const char *> kWrong[] = {
      {"8", "[2], [16]"},       // neither 4 nor 8 is reached
      {"8", "[2], [4], [12]"},  // 12 is 4 past 8
      {"2", "[2], [8]"},
      {"4", "[2], [5]"},
  };
  for (const auto &[shape, lanes] : kWrong) {
    const auto layout = parse(shape, lanes);
    ASSERT_FALSE(layout.ok()) << shape << " " << lanes;
    const auto place = placeOf(layout.status());
    ASSERT_TRUE(place) << layout.status();
    EXPECT_EQ(place->line, 1);
    EXPECT_EQ(place->column, 15);
  }
}

TEST(Triton, WithoutASwizzleABoxLiesByRowsOrByColumns) {
  for (const int64_t rows : {2, 8, 64, 256})
    for (const int64_t columns : {4, 16, 128})
      for (const bool isTransposed : {false, true}) {
        const auto layout = parseLayout(
            "!ttg.memdesc<" + std::to_string(rows) + "x" +
            std::to_string(columns) +
            "xi8, #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = " +
            (isTransposed ? "true" : "false") +
            ", elementBitWidth = 8}>, #smem>");
        ASSERT_TRUE(layout.ok()) << layout.status();
        int64_t places = 0;
        layout->visit(
            [&](llvm::ArrayRef<int64_t> p, llvm::ArrayRef<int64_t> v) {
              ++places;
              const int64_t side = isTransposed ? rows : columns;
              const int64_t low = p[0] % side, high = p[0] / side;
              EXPECT_EQ(v[0], isTransposed ? low : high);
              EXPECT_EQ(v[1], isTransposed ? high : low);
              return true;
            });
        EXPECT_EQ(places, rows * columns);
      }
}

TEST(Triton, APartOfAMemoryLiesAsTheWholeDoes) {
  const auto parse = [](const std::string &type) {
    const auto layout = parseLayout(type);
    EXPECT_TRUE(layout.ok()) << layout.status();
    return *layout;
  };
  const std::string swizzled =
      "f16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = "
      "[1, 0]}>, #smem, mutable";
  const Layout part = parse("!ttg.memdesc<16x32x" + swizzled + ", 2x16x64>");
  const Layout whole = parse("!ttg.memdesc<16x64x" + swizzled + ">");
  EXPECT_EQ(equal(part, whole).answer, Answer::Yes);
  // Three copies of a tile, one behind the other.
  const Layout copies = parse("!ttg.memdesc<3x16x64x" + swizzled + ">");
  EXPECT_EQ(copies.inputs()[0].size, 3 * 16 * 64);
  const std::string nvmma =
      "f16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, "
      "elementBitWidth = 16}>, #smem>";
  const Layout tile = parse("!ttg.memdesc<64x128x" + nvmma);
  const Layout three = parse("!ttg.memdesc<3x64x128x" + nvmma);
  const Layout two = parse("!ttg.memdesc<2x64x128x" + nvmma);
  for (const Layout &each : {three, two}) {
    each.visit([&](llvm::ArrayRef<int64_t> p, llvm::ArrayRef<int64_t> v) {
      const Coordinates one = tile.at({p[0] % (64 * 128), 0});
      EXPECT_EQ(v[0], p[0] / (64 * 128));
      EXPECT_EQ((Coordinates{v[1], v[2]}), one);
      return v[1] == one[0] && v[2] == one[1];
    });
  }
  // The padding goes through copies as if they were one tile.
  const Layout padded = parse(
      "!ttg.memdesc<3x8x32xf32, #ttg.padded_shared<[32:+4] {order = [1, 0], "
      "shape = [8, 32]}>, #smem>");
  padded.visit([&](llvm::ArrayRef<int64_t> p, llvm::ArrayRef<int64_t> v) {
    const int64_t place = (p[0] * 8 + p[1]) * 32 + p[2];
    EXPECT_EQ(v[0], place + place / 32 * 4);
    return true;
  });
}

}  // namespace
}  // namespace indexical::layouts
