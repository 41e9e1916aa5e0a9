// Maps of dimensions, ranges and runtime variables, scaled and moved, on a box:
// simplification marks them as they are. Against the long way: a runtime
// variable that nothing uses keeps a map from being such a map, and is not in
// the result.
#include "indexical/simplifier/shortcuts/plain.h"

#include <cstdint>

#include "gtest/gtest.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/simplifier/simplified.h"
#include "indexical/simplifier/simplify.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

/// A number at the edge of 31, 53, 62 or 63 bits now and then.
int64_t randomNumber(Random &random) {
  constexpr int64_t kEdges[] = {int64_t{1} << 31, int64_t{1} << 53,
                                int64_t{1} << 62, INT64_MAX};
  if (!random.oneIn(4)) return random.in(-20, 20);
  const int64_t edge = kEdges[random.in(0, 3)] - random.in(0, 2);
  return random.oneIn(2) ? edge : -edge;
}

RuntimeVariable randomRuntime(Random &random) {
  RuntimeVariable variable;
  const int64_t lower = random.in(0, 3);
  variable.bounds = {lower, lower + random.in(0, 4)};
  variable.clamped = random.oneIn(2);
  if (random.oneIn(4)) return variable;
  variable.source.kind = random.oneIn(4) ? RuntimeSource::Kind::Size
                                         : RuntimeSource::Kind::Element;
  variable.source.tensor = random.in(0, 2);
  if (variable.source.kind == RuntimeSource::Kind::Size)
    variable.source.dimension = random.in(0, 1);
  return variable;
}

/// Returns a random map, or an error if a result leaves 64 bits.
absl::StatusOr<IndexingMap> randomMap(Random random, bool unused) {
  IndexingMapBuilder b;
  llvm::SmallVector<Expr, 8> variables, added;
  for (int64_t i = random.in(1, 4); i > 0; --i) {
    const int64_t lower = random.oneIn(3) ? random.in(-3, 3) : 0;
    variables.push_back(b.dimension(Interval{lower, lower + random.in(0, 4)}));
  }
  for (int64_t i = random.oneIn(2) ? random.in(1, 2) : 0; i > 0; --i) {
    const int64_t lower = random.oneIn(3) ? random.in(-3, 3) : 0;
    variables.push_back(b.range(Interval{lower, lower + random.in(0, 4)}));
  }
  // One value may be read twice.
  RuntimeVariable last = randomRuntime(random);
  for (int64_t i = random.oneIn(2) ? random.in(1, 3) : 0; i > 0; --i) {
    if (!random.oneIn(3)) last = randomRuntime(random);
    added.push_back(b.runtime(last));
  }
  if (unused) b.runtime(Interval{0, 1});
  for (int64_t i = random.in(0, 5); i > 0; --i) {
    Expr result = random.oneIn(6)
                      ? b.constant(randomNumber(random))
                      : variables[random.in(0, variables.size() - 1)] *
                                randomNumber(random) +
                            randomNumber(random);
    if (random.oneIn(9))
      result = result + variables[random.in(0, variables.size() - 1)];
    if (!added.empty() && random.oneIn(2)) {
      const int64_t number = random.oneIn(3) ? randomNumber(random) : 1;
      if (random.oneIn(5))
        result = added.back() * number;
      else
        result = result + added.back() * number;
      if (!random.oneIn(8)) added.pop_back();
    }
    b.result(result);
  }
  return b.build();
}

/// Returns a random map with windows: constraints between a dimension and a
/// runtime variable, most of them of the kind that dynamic slices have.
absl::StatusOr<IndexingMap> randomWindows(Random random, bool unused) {
  IndexingMapBuilder b;
  llvm::SmallVector<Expr, 8> dimensions, runtime;
  const int64_t rank = random.in(1, 3);
  const int64_t scale = random.oneIn(10) ? int64_t{1} << random.in(28, 34) : 1;
  for (int64_t k = 0; k < rank; ++k) {
    const int64_t lower = random.oneIn(4) ? random.in(-3, 3) : 0;
    dimensions.push_back(
        b.dimension(Interval{lower, lower + random.in(0, 12) * scale}));
  }
  for (int64_t k = 0; k < rank; ++k) {
    RuntimeVariable variable = randomRuntime(random);
    variable.clamped = !random.oneIn(5);
    variable.bounds.upper = variable.bounds.lower + random.in(0, 8) * scale;
    variable.source = {RuntimeSource::Kind::Element, k, -1, -1};
    if (random.oneIn(4)) variable.source.tensor = 0;
    variable.index = {b.pool().constantForm(random.in(0, 1))};
    runtime.push_back(b.runtime(variable));
  }
  if (unused) b.runtime(Interval{0, 1});
  for (int64_t k = 0; k < rank; ++k) {
    Expr form =
        dimensions[random.oneIn(9) ? 0 : k] - runtime[random.oneIn(9) ? 0 : k];
    if (random.oneIn(12)) form = form + random.in(-2, 2);
    if (random.oneIn(12)) form = form * 2;
    Interval bounds = {random.in(-3, 6) * scale, 0};
    bounds.upper = bounds.lower + random.in(0, 7) * scale;
    if (random.oneIn(5)) bounds.lower = Interval::kMinusInfinity;
    if (random.oneIn(5)) bounds.upper = Interval::kInfinity;
    if (!random.oneIn(5)) b.constraint(form, bounds);
    const bool isInside = random.oneIn(2);
    b.result(isInside ? form : dimensions[k]);
    if (random.oneIn(8)) b.result(b.range(Interval{0, 4}));
  }
  return b.build();
}

/// Compares the map with what the long way finds, bounds of results included,
/// and names: text has them.
void expectEqual(const IndexingMap &atOnce, const IndexingMap &byForms) {
  EXPECT_EQ(atOnce, byForms) << atOnce.str() << '\n' << byForms.str();
  EXPECT_EQ(atOnce.str(), byForms.str());
  EXPECT_EQ(delinearizationOf(atOnce) == nullptr,
            delinearizationOf(byForms) == nullptr)
      << atOnce.str();
  EXPECT_EQ(isSimplified(atOnce), isSimplified(byForms)) << atOnce.str();
  EXPECT_EQ(llvm::SmallVector<Interval>(atOnce.resultBounds()),
            llvm::SmallVector<Interval>(byForms.resultBounds()))
      << atOnce.str();
}

TEST(PlainTest, WindowsAreTheSimplifiedOnes) {
  const uint64_t seed = fromEnvironment("INDEXICAL_SEED", 1);
  const auto count = fromEnvironment("INDEXICAL_MAPS", 20000);
  uint64_t found = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const auto map = randomWindows(Random(seed + i), false);
    const auto longer = randomWindows(Random(seed + i), true);
    ASSERT_EQ(map.ok(), longer.ok()) << i;
    if (!map.ok()) continue;
    found +=
        !map->constraints().empty() && simplifiedPlainMap(*map).has_value();
    SimplifyOptions options;
    options.rename = i % 2;
    const auto atOnce = simplify(*map, options);
    const auto byForms = simplify(*longer, options);
    ASSERT_EQ(atOnce.ok(), byForms.ok()) << i << ' ' << map->str();
    if (!atOnce.ok()) continue;
    expectEqual(*atOnce, *byForms);
    if (HasFailure()) {
      ADD_FAILURE() << "seed " << seed + i << '\n' << map->str();
      return;
    }
  }
  EXPECT_GT(found, count / 20);
}

TEST(PlainTest, TheMapIsTheSimplifiedOne) {
  const uint64_t seed = fromEnvironment("INDEXICAL_SEED", 1);
  const auto count = fromEnvironment("INDEXICAL_MAPS", 20000);
  int64_t same = 0, compared = 0, withRanges = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const auto map = randomMap(Random(seed + i), false);
    const auto longer = randomMap(Random(seed + i), true);
    ASSERT_EQ(map.ok(), longer.ok()) << i;
    if (!map.ok()) continue;
    SimplifyOptions options;
    options.rename = i % 2;
    const auto atOnce = simplify(*map, options);
    const auto byForms = simplify(*longer, options);
    ASSERT_EQ(atOnce.ok(), byForms.ok()) << i << ' ' << map->str();
    if (!atOnce.ok()) continue;
    ++compared;
    expectEqual(*atOnce, *byForms);
    if (HasFailure()) {
      ADD_FAILURE() << "seed " << seed + i << '\n' << map->str();
      return;
    }
    same += *atOnce == *map;
    withRanges +=
        !atOnce->ranges().empty() && simplifiedPlainMap(*map).has_value();
  }
  EXPECT_GT(compared, static_cast<int64_t>(count) / 2);
  EXPECT_GT(same, static_cast<int64_t>(count) / 10);
  EXPECT_GT(withRanges, static_cast<int64_t>(count) / 100);
}

}  // namespace
}  // namespace indexical::testing
