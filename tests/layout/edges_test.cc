// Sizes and strides near 2^31, 2^62 and 2^63: an answer is exact, or an error.

#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

#include "indexical/layout/access.h"
#include "indexical/layout/operations.h"
#include "indexical/layout/parse.h"
#include "tests/layout/random_layouts.h"

namespace indexical::layouts {
namespace {

using testing::Modes;
using testing::RandomModes;
using Wide = __int128;

/// Layouts between this and kMostPoints are not gone through here.
constexpr int64_t kFew = 1000;

int64_t nearAnEnd(RandomModes &random) {
  static constexpr int64_t kEnds[] = {2,
                                      8,
                                      int64_t{1} << 16,
                                      int64_t{1} << 31,
                                      int64_t{1} << 32,
                                      int64_t{1} << 62,
                                      INT64_MAX - 1};
  return kEnds[random.number(0, 6)] + random.number(-1, 1);
}

Modes randomModes(RandomModes &random) {
  Modes made;
  for (int64_t left = random.number(1, 3); left > 0; --left)
    made.modes.push_back(
        {random.number(0, 2) ? random.number(1, 9) : nearAnEnd(random),
         random.number(0, 2) ? nearAnEnd(random) : random.number(0, 9)});
  return made;
}

Wide valueAt(const Modes &modes, Wide index) {
  Wide value = 0;
  for (size_t k = 0; k < modes.modes.size(); ++k) {
    const auto &[size, stride] = modes.modes[k];
    value += (k + 1 == modes.modes.size() ? index : index % size) * stride;
    index /= size;
  }
  return value;
}

struct Sizes {
  Wide points = 1, greatest = 0;
  explicit Sizes(const Modes &of) {
    for (const auto &[size, stride] : of.modes) {
      // 2^126 is as far as one needs to count.
      points = points > INT64_MAX ? points : points * size;
      greatest += static_cast<Wide>(size - 1) * stride;
    }
  }
};

/// Returns a point of the layout, with its number.
std::pair<Coordinates, int64_t> randomPoint(RandomModes &random,
                                            const Layout &layout) {
  const int64_t points = *layout.points();
  const int64_t number = random.number(0, 3)   ? random.number(0, points - 1)
                         : random.number(0, 1) ? points - 1
                                               : 0;
  return {pointOf(number, layout.box()), number};
}

TEST(Edges, LayoutsHaveTheirValuesOrAreRefused) {
  RandomModes random(6263);
  int read = 0;
  for (int n = 0; n < testing::instances(4000); ++n) {
    const Modes modes = randomModes(random);
    const Sizes sizes(modes);
    const auto layout = parseLayout(modes.text());
    const bool fits = sizes.points <= INT64_MAX && sizes.greatest < INT64_MAX;
    ASSERT_EQ(layout.ok(), fits) << modes.text() << layout.status();
    if (!fits) continue;
    ++read;
    for (int k = 0; k < 8; ++k) {
      const auto [point, number] = randomPoint(random, *layout);
      ASSERT_TRUE(layout->at(point)[0] == valueAt(modes, number))
          << modes.text() << " at " << number;
    }
    EXPECT_EQ(equal(*layout, *layout).answer, Answer::Yes);
    EXPECT_TRUE(layout->map().ok()) << modes.text();
    if (*layout->points() < kFew || *layout->points() > kMostPoints) {
      const Facts found = factsOf(*layout);
      if (found.image) {
        EXPECT_LE(*found.image, *found.points) << modes.text();
      }
    }
    // The figures are those of few registers, or an error.
    if (modes.modes.size() == 1 && *layout->points() < kFew)
      if (const auto threads = layout->withNames({"lane"}, {"offset"});
          threads.ok())
        (void)accessOf(*threads, 32, Memory::Global);
  }
  EXPECT_GT(read, testing::instances(4000) / 10);
}

TEST(Edges, OperationsAreExactOrRefused) {
  RandomModes random(3162);
  int composed = 0, inverted = 0;
  for (int n = 0; n < testing::instances(4000); ++n) {
    const Modes outer = randomModes(random), inner = randomModes(random);
    const auto a = parseLayout(outer.text()), b = parseLayout(inner.text());
    if (!a.ok() || !b.ok()) continue;
    if (const auto both = compose(*a, *b); both.ok()) {
      ++composed;
      for (int k = 0; k < 8; ++k) {
        const auto [point, number] = randomPoint(random, *both);
        ASSERT_TRUE(both->at(point)[0] ==
                    valueAt(outer, valueAt(inner, number)))
            << outer.text() << " o " << inner.text() << " at " << number;
      }
    }
    if (const auto right = rightInverse(*a); right.ok()) {
      const auto [point, number] = randomPoint(random, *right);
      EXPECT_TRUE(valueAt(outer, right->at(point)[0]) == number)
          << outer.text();
    }
    if (const auto left = leftInverse(*a); left.ok()) {
      ++inverted;
      const int64_t value = a->at(randomPoint(random, *a).first)[0];
      Modes turned;
      for (const Cute &leaf : left->notes().cute->leaves())
        turned.modes.push_back({leaf.size, leaf.stride});
      EXPECT_TRUE(valueAt(outer, valueAt(turned, value)) == value)
          << outer.text();
    }
    if (const auto rest = complement(*a, nearAnEnd(random)); rest.ok()) {
      Wide before = -1;
      for (int64_t i = 0; i < std::min<int64_t>(*rest->points(), 64); ++i) {
        const Wide value = rest->at(pointOf(i, rest->box()))[0];
        EXPECT_LT(before, value) << outer.text();
        before = value;
      }
    }
    if (*a->points() > kFew && *a->points() <= kMostPoints) continue;
    const Equality found = equal(*a, *b);
    if (found.answer == Answer::No && found.point) {
      EXPECT_NE(found.first, found.second) << outer.text() << inner.text();
    }
  }
  EXPECT_GT(composed, testing::instances(4000) / 200);
  EXPECT_GT(inverted, testing::instances(4000) / 40);
}

TEST(Edges, SwizzlesOfHighBitsAreExact) {
  for (const int shift : {3, 31, 57}) {
    const auto layout =
        parseLayout(absl::StrCat("Sw<3,1,", shift, "> o 0 o (16,8):(1,",
                                 int64_t{1} << (shift + 1), ")"));
    ASSERT_TRUE(layout.ok()) << layout.status();
    layout->visit([&](llvm::ArrayRef<int64_t> p, llvm::ArrayRef<int64_t> v) {
      const int64_t offset = p[0] + (p[1] << (shift + 1));
      EXPECT_EQ(v[0], offset ^ (offset >> shift & 14));
      return true;
    });
  }
  EXPECT_FALSE(parseLayout("Sw<3,1,59> o 0 o 16:1").ok());
}

}  // namespace
}  // namespace indexical::layouts
