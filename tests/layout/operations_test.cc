// Laws of the operations, at every point, against values that come from the
// definitions of shapes and strides.

#include "indexical/layout/operations.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/layout/access.h"
#include "indexical/layout/parse.h"
#include "tests/layout/random_layouts.h"

namespace indexical::layouts {
namespace {

using testing::Modes;
using testing::RandomModes;

Layout read(const std::string &text) {
  auto layout = parseLayout(text);
  EXPECT_TRUE(layout.ok()) << text << ": " << layout.status();
  return layout.ok() ? *layout : *parseLayout("1:0");
}

/// Returns the values in the order of the points.
std::vector<int64_t> valuesOf(const Layout &layout) {
  std::vector<int64_t> values;
  layout.visit([&](auto, llvm::ArrayRef<int64_t> value) {
    values.push_back(value[0]);
    return true;
  });
  return values;
}

TEST(Operations, CompositionIsOneAfterTheOther) {
  RandomModes random(1);
  const int count = testing::instances(3000);
  int forms = 0;
  for (int n = 0; n < count; ++n) {
    const Modes a = random.modes(512), b = random.modes(128);
    const std::string text =
        absl::StrCat("composition(", a.text(), ", ", b.text(), ")");
    const Layout made = read(text);
    std::vector<int64_t> wanted;
    for (int64_t i = 0; i < b.points(); ++i) wanted.push_back(a.at(b.at(i)));
    ASSERT_EQ(valuesOf(made), wanted) << text;
    EXPECT_EQ(*made.notes().beyond, b.greatest() >= a.points()) << text;
    forms += made.form() != nullptr;
    if (n % 16 != 0) continue;
    // The map says the same.
    const auto map = made.map();
    ASSERT_TRUE(map.ok()) << text << map.status();
    made.visit([&](llvm::ArrayRef<int64_t> point, llvm::ArrayRef<int64_t> v) {
      IndexingMap::Point at;
      at.dimensions.assign(point.begin(), point.end());
      const auto found = map->evaluate(at);
      EXPECT_TRUE(found && (*found)[0] == v[0]) << text;
      return true;
    });
    if (const auto cute = print(made, Notation::Cute)) {
      EXPECT_EQ(valuesOf(read(*cute)), wanted) << text << " as " << *cute;
    }
  }
  EXPECT_GT(forms, count / 2);
}

TEST(Operations, ComplementsFillAndMeetInZero) {
  RandomModes random(2);
  for (int n = 0; n < testing::instances(2000); ++n) {
    const Modes a = random.modes(64);
    const int64_t size = random.number(1, 100);
    const std::string text =
        absl::StrCat("complement(", a.text(), ", ", size, ")");
    const auto made = parseLayout(text);
    auto sorted = a.modes;
    llvm::erase_if(sorted,
                   [](const auto &m) { return m.first == 1 || m.second == 0; });
    llvm::sort(sorted, [](const auto &x, const auto &y) {
      return std::pair(x.second, x.first) < std::pair(y.second, y.first);
    });
    bool overlaps = false, isChain = true;
    int64_t reach = 1;
    for (const auto &[modeSize, stride] : sorted) {
      overlaps |= stride < reach;
      isChain &= stride % reach == 0;
      reach = stride * modeSize;
    }
    ASSERT_EQ(made.ok(), !overlaps) << text;
    if (overlaps) continue;
    const std::vector<int64_t> rest = valuesOf(*made);
    EXPECT_TRUE(llvm::is_sorted(rest)) << text;
    std::set<int64_t> own, all;
    for (int64_t i = 0; i < a.points(); ++i) own.insert(a.at(i));
    for (int64_t x : own)
      for (int64_t y : rest)
        EXPECT_TRUE(all.insert(x + y).second) << text << " at " << x + y;
    EXPECT_EQ(*made->notes().fills, isChain) << text;
    EXPECT_EQ(static_cast<int64_t>(all.size()) == *all.rbegin() + 1, isChain)
        << text;
    EXPECT_GE(*all.rbegin() + 1, isChain ? size : 1) << text;
  }
}

// Behind A's size the swizzle turns bits that it does not turn within.
TEST(Operations, ASwizzleDoesNotGoOn) {
  EXPECT_FALSE(
      parseLayout("composition(Sw<3,3,3> o 0 o (8,8):(8,1), 128:1)").ok());
  EXPECT_FALSE(parseLayout("composition(Sw<1,0,4> o 0 o 3:1, 2:16)").ok());
  RandomModes random(6);
  int made = 0, refused = 0;
  for (int n = 0; n < testing::instances(2000); ++n) {
    const Modes a = random.modes(512), b = random.modes(128);
    const int64_t bits = random.number(0, 3), base = random.number(0, 3),
                  shift = random.number(bits, 4);
    const std::string text =
        absl::StrCat("composition(Sw<", bits, ",", base, ",", shift, "> o 0 o ",
                     a.text(), ", ", b.text(), ")");
    const auto both = parseLayout(text);
    if (!both.ok()) {
      ++refused;
      EXPECT_GE(b.greatest(), a.points()) << text;
      continue;
    }
    ++made;
    std::vector<int64_t> wanted;
    for (int64_t i = 0; i < b.points(); ++i) {
      const int64_t value = a.at(b.at(i));
      const int64_t mask = ((int64_t{1} << bits) - 1) << (base + shift);
      wanted.push_back(value ^ ((value & mask) >> shift));
    }
    ASSERT_EQ(valuesOf(*both), wanted) << text;
  }
  EXPECT_GT(made, testing::instances(2000) / 10);
  EXPECT_GT(refused, testing::instances(2000) / 10);
}

TEST(Operations, InversesOfBothSides) {
  RandomModes random(3);
  int left = 0;
  for (int n = 0; n < testing::instances(2000); ++n) {
    const Modes a = random.modes(256);
    const auto right = valuesOf(read("right_inverse(" + a.text() + ")"));
    for (size_t i = 0; i < right.size(); ++i)
      EXPECT_EQ(a.at(right[i]), static_cast<int64_t>(i)) << a.text();
    const auto made = parseLayout("left_inverse(" + a.text() + ")");
    if (!made.ok()) continue;
    ++left;
    for (int64_t i = 0; i < a.points(); ++i) {
      const auto back =
          parseLayout(absl::StrCat("composition(left_inverse(", a.text(),
                                   "), (1,2):(0,", a.at(i), "))"));
      if (n % 32 != 0 || !back.ok()) continue;
      EXPECT_EQ(a.at(valuesOf(*back)[1]), a.at(i)) << a.text() << " at " << i;
    }
  }
  EXPECT_GT(left, testing::instances(2000) / 10);
}

TEST(Operations, CoalescedIsTheShortestWithTheSameValues) {
  RandomModes random(4);
  for (int n = 0; n < testing::instances(2000); ++n) {
    const Modes a = random.modes(256);
    const Layout made = read("coalesce(" + a.text() + ")");
    std::vector<int64_t> wanted;
    for (int64_t i = 0; i < a.points(); ++i) wanted.push_back(a.at(i));
    EXPECT_EQ(valuesOf(made), wanted) << a.text();
    EXPECT_EQ(equal(made, read(a.text())).answer, Answer::Yes) << a.text();
  }
}

TEST(Operations, ADivisionKeepsItsElements) {
  RandomModes random(5);
  int kept = 0;
  for (int n = 0; n < testing::instances(1500); ++n) {
    const Modes a = random.modes(256), tile = random.modes(16);
    const std::string text =
        absl::StrCat("logical_divide(", a.text(), ", ", tile.text(), ")");
    const auto made = parseLayout(text);
    if (!made.ok()) continue;
    // The definition: A at the tile's index plus that of the rest.
    const auto rest = valuesOf(
        read(absl::StrCat("complement(", tile.text(), ", ", a.points(), ")")));
    std::vector<int64_t> wanted;
    bool isPermutation =
        static_cast<int64_t>(rest.size()) * tile.points() == a.points();
    for (int64_t r : rest)
      for (int64_t t = 0; t < tile.points(); ++t) {
        wanted.push_back(a.at(r + tile.at(t)));
        isPermutation &= r + tile.at(t) < a.points();
      }
    ASSERT_EQ(valuesOf(*made), wanted) << text;
    if (!isPermutation) continue;
    std::vector<int64_t> all;
    for (int64_t i = 0; i < a.points(); ++i) all.push_back(a.at(i));
    std::set<int64_t> indices;
    for (int64_t r : rest)
      for (int64_t t = 0; t < tile.points(); ++t)
        indices.insert(r + tile.at(t));
    if (static_cast<int64_t>(indices.size()) != a.points()) continue;
    ++kept;
    llvm::sort(all);
    llvm::sort(wanted);
    EXPECT_EQ(all, wanted) << text;
  }
  EXPECT_GT(kept, testing::instances(1500) / 50);
}

TEST(Operations, AProductRepeatsItsBlock) {
  RandomModes random(6);
  int made = 0;
  for (int n = 0; n < testing::instances(1500); ++n) {
    const Modes block = random.modes(16), tiler = random.modes(16);
    const std::string text =
        absl::StrCat("logical_product(", block.text(), ", ", tiler.text(), ")");
    const auto product = parseLayout(text);
    if (!product.ok()) continue;
    ++made;
    const auto rest = read(absl::StrCat(
        "composition(complement(", block.text(), ", ",
        block.points() * (tiler.greatest() + 1), "), ", tiler.text(), ")"));
    std::vector<int64_t> wanted;
    for (int64_t r : valuesOf(rest))
      for (int64_t i = 0; i < block.points(); ++i)
        wanted.push_back(block.at(i) + r);
    EXPECT_EQ(valuesOf(*product), wanted) << text;
  }
  EXPECT_GT(made, testing::instances(1500) / 4);
}

/// Random bases from some inputs to some outputs.
struct Matrix {
  std::vector<std::pair<std::string, std::vector<Coordinates>>> inputs;
  Coordinates sizes;

  std::string text() const {
    std::string made, outputs;
    for (const auto &[name, bases] : inputs) {
      if (bases.empty()) made += "- " + name + " is a size 1 dimension\n";
      for (size_t i = 0; i < bases.size(); ++i) {
        made += absl::StrCat(i == 0 ? "- " : "  ", name, "=", 1 << i, " -> (");
        for (size_t k = 0; k < sizes.size(); ++k)
          made += absl::StrCat(k ? ", " : "", bases[i][k]);
        made += ")\n";
      }
    }
    for (size_t k = 0; k < sizes.size(); ++k)
      outputs +=
          absl::StrCat(k ? ", " : "", "dim", k, " (size ", sizes[k], ")");
    return made + "where out dims are: [" + outputs + "]";
  }
  Coordinates at(llvm::ArrayRef<int64_t> point) const {
    Coordinates value(sizes.size(), 0);
    for (size_t i = 0; i < inputs.size(); ++i)
      for (size_t b = 0; b < inputs[i].second.size(); ++b)
        if (point[i] >> b & 1)
          for (size_t k = 0; k < sizes.size(); ++k)
            value[k] ^= inputs[i].second[b][k];
    return value;
  }
};

Matrix randomMatrix(RandomModes &random, int64_t bits) {
  Matrix made;
  for (int64_t left = bits; left > 0;) {
    const int64_t take = random.number(1, left);
    made.sizes.push_back(int64_t{1} << take);
    left -= take;
    if (made.sizes.size() == 2) {
      made.sizes.back() <<= left;
      break;
    }
  }
  for (const char *name : {"register", "lane", "warp"}) {
    auto &bases = made.inputs.emplace_back(name, std::vector<Coordinates>());
    for (int64_t n = random.number(0, 3); n > 0; --n) {
      Coordinates &basis = bases.second.emplace_back();
      for (int64_t size : made.sizes)
        basis.push_back(random.number(0, 2) ? random.number(0, size - 1) : 0);
    }
  }
  return made;
}

TEST(Operations, LinearLayoutsHaveTheirFacts) {
  RandomModes random(7);
  int inverses = 0;
  for (int n = 0; n < testing::instances(1500); ++n) {
    const Matrix matrix = randomMatrix(random, random.number(1, 6));
    const Layout made = read(matrix.text());
    std::map<Coordinates, std::vector<Coordinates>> holders;
    made.visit([&](llvm::ArrayRef<int64_t> point, llvm::ArrayRef<int64_t> v) {
      EXPECT_EQ(matrix.at(point), v) << matrix.text();
      holders[matrix.at(point)].emplace_back(point.begin(), point.end());
      return true;
    });
    const Facts facts = factsOf(made);
    EXPECT_EQ(facts.image, static_cast<int64_t>(holders.size()));
    EXPECT_EQ(*facts.oneToOne, *facts.points == *facts.image);
    int64_t all = 1;
    for (int64_t size : matrix.sizes) all *= size;
    EXPECT_EQ(*facts.onto, *facts.image == all) << matrix.text();
    for (int64_t i = 0; i < all; ++i) {
      const Coordinates element = pointOf(i, matrix.sizes);
      const auto found = made.holders(element);
      ASSERT_TRUE(found.ok());
      std::sort(holders[element].begin(), holders[element].end());
      EXPECT_EQ(*found, holders[element]) << matrix.text();
    }
    EXPECT_TRUE(linearOf(made).has_value());
    const auto again = print(made, Notation::Bases);
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(*again, matrix.text());
    const auto turned = inverted(made);
    const bool isBijective = *facts.oneToOne && *facts.onto;
    ASSERT_EQ(turned.ok(), isBijective) << matrix.text() << turned.status();
    if (!isBijective) continue;
    ++inverses;
    const auto both = compose(*turned, made.withOutputSizes(matrix.sizes));
    if (!both.ok()) continue;  // an output of size 1 is left out
    both->visit([&](llvm::ArrayRef<int64_t> point, llvm::ArrayRef<int64_t> v) {
      Coordinates wanted;
      for (size_t k = 0; k < point.size(); ++k)
        if (made.box()[k] > 1) wanted.push_back(point[k]);
      EXPECT_EQ(Coordinates(v), wanted) << matrix.text();
      return true;
    });
  }
  EXPECT_GT(inverses, 3);
}

TEST(Operations, EqualIsEqualAtAllPoints) {
  RandomModes random(8);
  int same = 0, different = 0;
  for (int n = 0; n < testing::instances(3000); ++n) {
    Modes a = random.modes(64), b = a;
    if (random.number(0, 1)) {
      b.modes[random.number(0, b.modes.size() - 1)].second +=
          random.number(0, 1);
    } else {
      b = random.modes(64);
    }
    const Layout first = read(a.text());
    const Layout second = random.number(0, 3)
                              ? read(b.text())
                              : read("coalesce(" + b.text() + ")");
    bool isSame = a.points() == b.points();
    for (int64_t i = 0; isSame && i < a.points(); ++i)
      isSame = a.at(i) == b.at(i);
    const Equality found = equal(first, second);
    ASSERT_EQ(found.answer, isSame ? Answer::Yes : Answer::No)
        << a.text() << " and " << b.text();
    ++(isSame ? same : different);
    if (isSame || !found.point) continue;
    EXPECT_EQ(first.at(*found.point), *found.first);
    EXPECT_NE(*found.first, *found.second);
  }
  EXPECT_GT(same, 100);
  EXPECT_GT(different, 100);
}

TEST(Operations, LargeLayoutsNeedNoSearch) {
  // 2^60 points: forms decide, with a witness.
  const std::string a = "(1073741824,1073741824):(1073741824,1)";
  EXPECT_EQ(equal(read(a), read(a)).answer, Answer::Yes);
  const Equality found =
      equal(read(a), read("(1073741824,1073741824):(1073741824,2)"));
  EXPECT_EQ(found.answer, Answer::No);
  ASSERT_TRUE(found.point.has_value());
  EXPECT_EQ(equal(read(a), read("(1073741824,(32768,32768)):(1073741824,(1,"
                                "32768))"))
                .answer,
            Answer::Yes);
  const Facts facts = factsOf(read(a));
  EXPECT_EQ(facts.image, int64_t{1} << 60);
  EXPECT_TRUE(*facts.oneToOne);
  EXPECT_EQ(print(read("composition(" + a + ", 8:1073741824)"), Notation::Cute),
            "8:1");
}

TEST(Operations, ConversionsAreThoseOfASearch) {
  RandomModes random(9);
  std::set<Level> seen;
  for (int n = 0; n < testing::instances(600); ++n) {
    Matrix a = randomMatrix(random, 4), b = randomMatrix(random, 4);
    b.sizes = a.sizes;
    if (random.number(0, 1)) b = a;
    for (auto &[name, bases] : b.inputs)
      for (Coordinates &basis : bases)
        for (size_t k = 0; k < b.sizes.size(); ++k) {
          if (basis.size() <= k) basis.push_back(0);
          if (random.number(0, 7) == 0) basis[k] = random.number(0, 15);
          basis[k] %= b.sizes[k];
        }
    for (auto &[name, bases] : b.inputs)
      for (Coordinates &basis : bases) basis.resize(b.sizes.size());
    const Layout from = read(a.text()), to = read(b.text());
    const auto found = conversion(from, to);
    ASSERT_TRUE(found.ok()) << found.status();
    // Register, lane and warp of each holder of each element.
    std::map<Coordinates, std::vector<Coordinates>> holders;
    from.visit([&](llvm::ArrayRef<int64_t> point, auto) {
      holders[a.at(point)].emplace_back(point.begin(), point.end());
      return true;
    });
    Level level = Level::None;
    std::set<std::pair<Coordinates, Coordinates>> lacked;
    std::map<Coordinates, int64_t> byThread;
    to.visit([&](llvm::ArrayRef<int64_t> point, auto) {
      const Coordinates element = b.at(point);
      Level best = Level::Impossible;
      for (const Coordinates &by : holders[element])
        best = std::min(best, by[2] != point[2]   ? Level::Shared
                              : by[1] != point[1] ? Level::Shuffles
                              : by[0] != point[0] ? Level::Registers
                                                  : Level::None);
      level = std::max(level, best);
      const Coordinates thread = {point[1], point[2]};
      if (best >= Level::Shuffles && lacked.insert({thread, element}).second)
        ++byThread[thread];
      return true;
    });
    seen.insert(level);
    ASSERT_EQ(found->level, level) << a.text() << "\n" << b.text();
    if (level == Level::Impossible) continue;
    int64_t least = 0;
    for (const auto &[thread, count] : byThread) least = std::max(least, count);
    EXPECT_EQ(found->moved, static_cast<int64_t>(lacked.size()));
    EXPECT_EQ(found->least, least);
  }
  EXPECT_GE(seen.size(), 4u);
}

}  // namespace
}  // namespace indexical::layouts
