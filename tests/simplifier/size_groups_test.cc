// Groups of all pairs of small shapes, compared with a search.
#include "indexical/simplifier/size_groups.h"

#include <optional>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace indexical::testing {
namespace {

using Sizes = std::vector<int>;

/// A size that is known.
struct Size {
  int number;

  bool operator==(const Size &o) const { return number == o.number; }
  bool isOne() const { return number == 1; }
  bool growsFirst(const Size &o) const { return number < o.number; }
  std::optional<Size> times(const Size &o) const {
    return Size{number * o.number};
  }
};

constexpr int kUnknown = 0;

struct Group {
  size_t from = 0, to = 0;  ///< the numbers of axes
};

std::optional<Group> groupOf(const Sizes &from, const Sizes &to) {
  auto sizeIn = [](const Sizes &sizes) {
    return [&sizes](size_t k) -> std::optional<Size> {
      if (k >= sizes.size() || sizes[k] == kUnknown) return std::nullopt;
      return Size{sizes[k]};
    };
  };
  Group group;
  if (!closeGroup<Size>(group.from, group.to, sizeIn(from), sizeIn(to)))
    return std::nullopt;
  return group;
}

/// Returns the product of the first sizes, or nothing if one is not known.
std::optional<int> product(const Sizes &sizes, size_t count) {
  int all = 1;
  for (size_t k = 0; k < count; ++k) {
    if (sizes[k] == kUnknown) return std::nullopt;
    all *= sizes[k];
  }
  return all;
}

bool beginsWithOne(const Sizes &sizes) {
  return !sizes.empty() && sizes[0] == 1;
}

/// Returns the group with the fewest axes of which each shape has one.
std::optional<Group> searchedGroup(const Sizes &from, const Sizes &to) {
  if (beginsWithOne(from) != beginsWithOne(to))
    return beginsWithOne(from) ? Group{1, 0} : Group{0, 1};
  for (size_t i = 1; i <= from.size(); ++i)
    for (size_t j = 1; j <= to.size(); ++j) {
      const auto a = product(from, i), b = product(to, j);
      if (a && a == b) return Group{i, j};
    }
  return std::nullopt;
}

std::vector<Sizes> allShapes() {
  std::vector<Sizes> shapes = {{}};
  for (size_t k = 0; k < shapes.size(); ++k)
    if (shapes[k].size() < 3)
      for (int size : {kUnknown, 1, 2, 3, 4, 6}) {
        Sizes longer = shapes[k];
        longer.push_back(size);
        shapes.push_back(std::move(longer));
      }
  return shapes;
}

TEST(SizeGroups, AGroupHasAsFewAxesAsMakeTheProductsEqual) {
  const std::vector<Sizes> shapes = allShapes();
  int found = 0;
  for (const Sizes &from : shapes)
    for (const Sizes &to : shapes) {
      const auto group = groupOf(from, to), expected = searchedGroup(from, to);
      ASSERT_EQ(group.has_value(), expected.has_value())
          << ::testing::PrintToString(from) << " and "
          << ::testing::PrintToString(to);
      if (!group) continue;
      EXPECT_EQ(group->from, expected->from)
          << ::testing::PrintToString(from) << " and "
          << ::testing::PrintToString(to);
      EXPECT_EQ(group->to, expected->to);
      found += group->from > 1 && group->to > 1;
    }
  EXPECT_GT(found, 100);
}

}  // namespace
}  // namespace indexical::testing
