// The laws of linear_layout.h and layouts.h, by enumeration.

#include "indexical/kernel/layout/linear_layout.h"

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "indexical/kernel/layout/layouts.h"

namespace indexical::kernels {
namespace {

constexpr uint32_t kSeed = 46;

LinearMap randomMap(std::mt19937 &random, int inputs, int outputs) {
  std::vector<uint64_t> bases;
  for (int i = 0; i < inputs; ++i)
    bases.push_back(random() & ((uint64_t{1} << outputs) - 1));
  return {std::move(bases), outputs};
}

TEST(LinearMapTest, IsLinearAndComposes) {
  std::mt19937 random(kSeed);
  for (int trial = 0; trial < 200; ++trial) {
    const LinearMap a = randomMap(random, 1 + random() % 7, 1 + random() % 7);
    const LinearMap b = randomMap(random, a.outputBits(), 1 + random() % 7);
    const LinearMap both = compose(a, b);
    EXPECT_EQ(a.apply(0), 0u);
    EXPECT_EQ(compose(a, LinearMap::identity(a.outputBits())), a);
    for (uint64_t x = 0; x < uint64_t{1} << a.inputBits(); ++x) {
      EXPECT_EQ(both.apply(x), b.apply(a.apply(x))) << "seed " << kSeed;
      const uint64_t y = random() & ((uint64_t{1} << a.inputBits()) - 1);
      EXPECT_EQ(a.apply(x ^ y), a.apply(x) ^ a.apply(y)) << "seed " << kSeed;
    }
  }
}

TEST(LinearMapTest, PreimagesAndKernelAreThoseOfEnumeration) {
  std::mt19937 random(kSeed);
  int inverses = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const int inputs = 1 + random() % 7;
    const int outputs = random() % 2 ? inputs : 1 + random() % 7;
    const LinearMap map = randomMap(random, inputs, outputs);
    std::set<uint64_t> image, zeros;
    for (uint64_t x = 0; x < uint64_t{1} << inputs; ++x) {
      image.insert(map.apply(x));
      if (map.apply(x) == 0) zeros.insert(x);
    }
    EXPECT_EQ(image.size(), uint64_t{1} << map.rank());
    EXPECT_EQ(zeros.size(), uint64_t{1} << map.kernel().size());
    for (uint64_t zero : map.kernel()) EXPECT_EQ(map.apply(zero), 0u);
    for (uint64_t y = 0; y < uint64_t{1} << outputs; ++y) {
      const auto x = map.preimage(y);
      ASSERT_EQ(x.has_value(), image.count(y) == 1) << "seed " << kSeed;
      if (x) {
        EXPECT_EQ(map.apply(*x), y);
      }
    }
    const auto inverse = map.inverse();
    const bool isOneToOne = inputs == outputs && zeros.size() == 1;
    ASSERT_EQ(inverse.has_value(), isOneToOne) << "seed " << kSeed;
    if (!inverse) continue;
    ++inverses;
    EXPECT_EQ(compose(map, *inverse), LinearMap::identity(inputs));
  }
  EXPECT_GT(inverses, 20);
}

/// The element that nested loops over blocks give a register: from the inside,
/// elements of a thread, lanes, warps, and repetitions of that block.
Coordinates nested(const BlockedParameters &of, llvm::ArrayRef<int64_t> shape,
                   const Holder &holder) {
  Coordinates element(shape.size(), 0), block(shape.size(), 1);
  auto place = [&](int64_t number, const Coordinates &sizes) {
    for (int64_t k : of.order) {
      element[k] += number % sizes[k] * block[k];
      number /= sizes[k];
      block[k] *= sizes[k];
    }
    return number;
  };
  int64_t perThread = 1;
  for (int64_t size : of.sizePerThread) perThread *= size;
  place(holder.reg % perThread, of.sizePerThread);
  place(holder.lane, of.threadsPerWarp);
  place(holder.warp, of.warpsPerCta);
  Coordinates repeats;
  for (size_t k = 0; k < shape.size(); ++k)
    repeats.push_back(std::max<int64_t>(1, shape[k] / block[k]));
  place(holder.reg / perThread, repeats);
  for (size_t k = 0; k < shape.size(); ++k) element[k] %= shape[k];
  return element;
}

TEST(BlockedLayoutTest, GivesWhatNestedLoopsGive) {
  std::mt19937 random(kSeed);
  auto power = [&](int most) { return int64_t{1} << random() % (most + 1); };
  for (int trial = 0; trial < 300; ++trial) {
    const size_t rank = 1 + random() % 3;
    BlockedParameters of;
    Coordinates shape;
    for (size_t k = 0; k < rank; ++k) {
      shape.push_back(power(4));
      of.sizePerThread.push_back(power(2));
      of.threadsPerWarp.push_back(power(2));
      of.warpsPerCta.push_back(power(1));
      of.order.push_back(k);
    }
    std::shuffle(of.order.begin(), of.order.end(), random);
    const auto layout = blockedLayout(shape, of);
    ASSERT_TRUE(layout.ok()) << layout.status();
    int64_t elements = 1, holders = 0;
    for (int64_t side : shape) elements *= side;
    std::map<std::vector<int64_t>, int64_t> count;
    for (int64_t w = 0; w < 1 << layout->warpBits(); ++w)
      for (int64_t l = 0; l < 1 << layout->laneBits(); ++l)
        for (int64_t r = 0; r < 1 << layout->registerBits(); ++r) {
          const Coordinates held = layout->held({r, l, w});
          EXPECT_EQ(held, nested(of, shape, {r, l, w})) << "seed " << kSeed;
          ++count[{held.begin(), held.end()}];
          ++holders;
        }
    // Every element has as many holders as all others.
    ASSERT_EQ(static_cast<int64_t>(count.size()), elements);
    for (const auto &[element, times] : count) {
      EXPECT_EQ(times, holders / elements);
      EXPECT_EQ(times, layout->replication());
      EXPECT_EQ(static_cast<int64_t>(layout->holders(element).size()), times);
      for (const Holder &holder : layout->holders(element)) {
        const Coordinates held = layout->held(holder);
        EXPECT_EQ(std::vector<int64_t>(held.begin(), held.end()), element);
      }
    }
  }
}

TEST(BlockedLayoutTest, RefusesWhatIsNone) {
  EXPECT_FALSE(blockedLayout({12}, {{1}, {4}, {1}, {0}}).ok());
  EXPECT_FALSE(blockedLayout({16}, {{3}, {4}, {1}, {0}}).ok());
  EXPECT_FALSE(blockedLayout({16}, {{1}, {4}, {1}, {1}}).ok());
  EXPECT_FALSE(blockedLayout({16, 2}, {{1}, {4}, {1}, {0}}).ok());
}

TEST(MmaLayoutTest, ReachesEveryElementAlike) {
  for (int version : {2, 3})
    for (int64_t rows : {16, 64})
      for (int64_t columns : {8, 32, 128}) {
        const auto layout = mmaLayout({rows, columns}, version, {4, 1}, 16);
        ASSERT_TRUE(layout.ok()) << layout.status();
        for (int64_t i = 0; i < rows; ++i)
          for (int64_t j = 0; j < columns; ++j)
            EXPECT_EQ(static_cast<int64_t>(layout->holders({i, j}).size()),
                      layout->replication());
      }
}

TEST(SliceTest, KeepsWhatIsLeftOfEachBasis) {
  const auto parent = blockedLayout({1, 32}, {{1, 4}, {4, 8}, {2, 1}, {1, 0}});
  ASSERT_TRUE(parent.ok());
  const TileLayout slice = parent->withoutDimension(0).withoutEqualRegisters();
  for (int64_t w = 0; w < 1 << slice.warpBits(); ++w)
    for (int64_t l = 0; l < 1 << slice.laneBits(); ++l)
      for (int64_t r = 0; r < 1 << slice.registerBits(); ++r)
        EXPECT_EQ(slice.held({r, l, w})[0], parent->held({r, l, w})[1]);
}

using Threads = std::set<std::array<int64_t, 3>>;

/// Goes through all registers of all threads: what each holds, and by that who
/// holds each element. `holders`, `held` and `replication` have to say the
/// same.
void expectHoldersOfWhatIsHeld(const TileLayout &layout,
                               const std::string &name) {
  std::map<std::vector<int64_t>, Threads> holders;
  int64_t registers = 0;
  for (int64_t w = 0; w < int64_t{1} << layout.warpBits(); ++w)
    for (int64_t l = 0; l < int64_t{1} << layout.laneBits(); ++l)
      for (int64_t r = 0; r < int64_t{1} << layout.registerBits(); ++r) {
        const Coordinates held = layout.held({r, l, w});
        holders[{held.begin(), held.end()}].insert({r, l, w});
        ++registers;
      }
  int64_t elements = 1, found = 0;
  for (int64_t side : layout.shape()) elements *= side;
  for (int64_t number = 0; number < elements; ++number) {
    std::vector<int64_t> element(layout.shape().size());
    int64_t rest = number;
    for (size_t k = element.size(); k-- > 0; rest /= layout.shape()[k])
      element[k] = rest % layout.shape()[k];
    Threads said;
    for (const Holder &by : layout.holders(element))
      EXPECT_TRUE(said.insert({by.reg, by.lane, by.warp}).second) << name;
    const auto known = holders.find(element);
    const Threads want = known == holders.end() ? Threads() : known->second;
    EXPECT_EQ(said, want) << name;
    if (!said.empty()) {
      EXPECT_EQ(static_cast<int64_t>(said.size()), layout.replication())
          << name;
    }
    found += said.size();
  }
  EXPECT_EQ(found, registers) << name;  // nothing is held outside of the tile
}

/// Bases that are drawn: a bit of a tile, a sum of several, or nothing.
TileLayout randomLinearLayout(std::mt19937 &random) {
  Coordinates shape;
  const size_t rank = 1 + random() % 3;
  for (size_t k = 0; k < rank; ++k) shape.push_back(int64_t{1} << random() % 4);
  auto bases = [&](int most) {
    std::vector<Coordinates> made(random() % (most + 1), Coordinates());
    for (Coordinates &basis : made)
      for (int64_t side : shape)
        basis.push_back(random() % 3 == 0 ? 0 : random() % side);
    return made;
  };
  const auto registers = bases(4), lanes = bases(5), warps = bases(2);
  auto made = TileLayout::of(shape, registers, lanes, warps);
  EXPECT_TRUE(made.ok()) << made.status();
  return *made;
}

TEST(HoldersTest, AreThoseOfWhatIsHeldInEveryKind) {
  std::mt19937 random(kSeed);
  auto power = [&](int most) { return int64_t{1} << random() % (most + 1); };
  for (int trial = 0; trial < 150; ++trial) {
    const std::string seed =
        " " + std::to_string(trial) + " of seed " + std::to_string(kSeed);
    expectHoldersOfWhatIsHeld(randomLinearLayout(random), "linear" + seed);

    BlockedParameters of;
    Coordinates shape;
    const size_t rank = 1 + random() % 3;
    for (size_t k = 0; k < rank; ++k) {
      shape.push_back(power(4));
      of.sizePerThread.push_back(power(2));
      of.threadsPerWarp.push_back(power(2));
      of.warpsPerCta.push_back(power(1));
      of.order.push_back(k);
    }
    std::shuffle(of.order.begin(), of.order.end(), random);
    const auto blocked = blockedLayout(shape, of);
    ASSERT_TRUE(blocked.ok()) << blocked.status();
    expectHoldersOfWhatIsHeld(*blocked, "blocked" + seed);
    expectHoldersOfWhatIsHeld(blocked->withoutEqualRegisters(),
                              "blocked, registers once" + seed);
    if (rank > 1)
      expectHoldersOfWhatIsHeld(blocked->withoutDimension(random() % rank),
                                "slice" + seed);
    if (trial % 10 != 0) continue;
    const int version = 2 + trial / 10 % 2;
    const auto mma =
        mmaLayout({power(6), power(6)}, version,
                  {power(2), version == 2 ? power(1) : 1}, 8 * power(3));
    ASSERT_TRUE(mma.ok()) << mma.status();
    expectHoldersOfWhatIsHeld(*mma, "mma" + seed);
    expectHoldersOfWhatIsHeld(mma->withoutDimension(trial / 20 % 2),
                              "slice of mma" + seed);
  }
}

}  // namespace
}  // namespace indexical::kernels
