// The elements that one element needs, compared with running the program.
//
//   INDEXICAL_ELEMENTS=20         20 times as many random fusions
//   INDEXICAL_ELEMENTS_SEED=n     beginning with this one
#include "indexical/cost/use/elements.h"

#include <algorithm>
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/indexing/map_text.h"
#include "tests/cost/use/random_fusions.h"
#include "tests/support/program_reads.h"
#include "tests/support/program_run.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

using Point = std::vector<int64_t>;

std::set<Point> listed(const Elements &elements) {
  std::set<Point> points;
  for (const auto &element : *elements.listed)
    points.insert(Point(element.begin(), element.end()));
  EXPECT_EQ(points.size(), elements.listed->size()) << "an element twice";
  EXPECT_TRUE(llvm::is_sorted(*elements.listed));
  return points;
}

/// Returns the value that the variable has in a run, or nothing if its source
/// is not one element of the entry.
std::optional<int64_t> valueIn(const ProgramRun &run,
                               const ProgramIndexing &maps,
                               const IndexingMap &map, size_t i) {
  const RuntimeVariable &variable = map.runtime()[i];
  if (variable.source.kind != RuntimeSource::Kind::Element ||
      maps.value(variable.source.tensor).computation != maps.module().entry)
    return std::nullopt;
  std::vector<int64_t> index;
  for (FormId form : variable.elementIndex()) {
    if (!map.expressions().isConstant(form)) return std::nullopt;
    index.push_back(map.expressions().constant(form));
  }
  return RunWorld(run, maps).element(variable.source.tensor, index);
}

struct Counts {
  int asked = 0, blindAnswers = 0, answers = 0;
};

/// Each element of the one side, against the pairs of the run.
void check(const IndexingRelation &relation, const std::set<Pair> &pairs,
           llvm::ArrayRef<int64_t> sizes, const ElementsOptions &options,
           const ElementsOptions &blind, Counts &counts) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  for (int64_t i = 0; i < count; ++i) {
    Point index(sizes.size());
    int64_t place = i;
    for (size_t k = sizes.size(); k-- > 0; place /= sizes[k])
      index[k] = place % sizes[k];
    std::set<Point> truth;
    for (const Pair &pair : pairs)
      if (Point(pair.first.begin(), pair.first.end()) == index)
        truth.insert(Point(pair.second.begin(), pair.second.end()));
    ++counts.asked;
    for (const bool isBlind : {false, true}) {
      auto found = elementsAt(relation, index, isBlind ? blind : options);
      ASSERT_TRUE(found.ok()) << found.status();
      if (!found->listed) {
        EXPECT_FALSE(found->count);
        continue;
      }
      (isBlind ? counts.blindAnswers : counts.answers) += 1;
      const auto points = listed(*found);
      EXPECT_FALSE(found->more);
      EXPECT_EQ(found->count, static_cast<int64_t>(points.size()));
      if (found->isExact)
        EXPECT_EQ(points, truth);
      else
        EXPECT_TRUE(std::includes(points.begin(), points.end(), truth.begin(),
                                  truth.end()));
    }
  }
}

TEST(ElementsTest, RandomFusions) {
  const uint64_t times = fromEnvironment("INDEXICAL_ELEMENTS", 1);
  const uint64_t first = fromEnvironment("INDEXICAL_ELEMENTS_SEED", 1);
  Counts counts;
  for (uint64_t seed = first; seed < first + 130 * times; ++seed) {
    Random random(seed);
    FusionOptions fusions;
    fusions.mostElements = 24;
    const std::string text = calledFusion(random, fusions);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    const Program program = parsed(text);
    const Module &module = program.modules.at(0);
    const Computation &main = module.computations[module.entry];
    const ProgramRun run(module, module.entry, random);
    ProgramIndexing maps(module);
    ElementsOptions options, blind;
    options.runtimeValue = [&](const IndexingMap &map, size_t i) {
      return valueIn(run, maps, map, i);
    };
    const OpShapes &shapes = shapesOf(main.instructions[main.root].op);
    const auto leaves = main.operandLeaves(main.root);
    for (size_t l = 0; l < leaves.size(); ++l)
      for (const Direction direction :
           {Direction::OutputToInput, Direction::InputToOutput}) {
        auto relation =
            maps.instruction({module.entry, main.root},
                             LeafId(static_cast<int64_t>(l)), direction);
        ASSERT_TRUE(relation.ok()) << relation.status();
        std::set<Pair> pairs;
        for (const Pair &pair : run.pairs(
                 {main.root, 0},
                 ProgramRun::Leaf{leaves[l].instruction, leaves[l].result}))
          pairs.insert(direction == Direction::OutputToInput
                           ? pair
                           : Pair{pair.second, pair.first});
        check(*relation, pairs,
              direction == Direction::OutputToInput
                  ? shapes.results[0].dimensions
                  : shapes.operands[l].dimensions,
              options, blind, counts);
        if (HasFailure()) return;
      }
  }
  std::printf("%d elements asked about; answers: %d, %d without any value\n",
              counts.asked, counts.answers, counts.blindAnswers);
  EXPECT_GT(counts.answers, counts.blindAnswers);
}

Elements at(const std::string &map, llvm::ArrayRef<int64_t> index,
            const ElementsOptions &options = {}) {
  auto parsed = parseMap(map);
  EXPECT_TRUE(parsed.ok()) << parsed.status();
  auto found = elementsAt(IndexingRelation(*parsed), index, options);
  EXPECT_TRUE(found.ok()) << found.status();
  return found.ok() ? *found : Elements();
}

TEST(ElementsTest, ALongListIsCutAndCounted) {
  ElementsOptions options;
  options.most = 3;
  const Elements rows =
      at("(d0)[s0] -> (d0, s0), domain: d0 in [0, 9], s0 in [0, 999999999]",
         {4}, options);
  ASSERT_TRUE(rows.listed);
  EXPECT_EQ(rows.listed->size(), 3u);
  EXPECT_TRUE(rows.more);
  EXPECT_EQ(rows.count, 1'000'000'000);
  const Elements three = at(
      "(d0)[s0] -> (d0, s0), domain: d0 in [0, 9], s0 in [0, 2]", {4}, options);
  EXPECT_EQ(three.listed->size(), 3u);
  EXPECT_FALSE(three.more);
}

TEST(ElementsTest, OutsideOfTheDomainThereIsNothing) {
  const Elements none = at("(d0) -> (d0 - 3), domain: d0 in [3, 9]", {2});
  ASSERT_TRUE(none.listed);
  EXPECT_TRUE(none.listed->empty());
  EXPECT_EQ(none.count, 0);
}

// Outside of the padding nothing depends on it.
TEST(ElementsTest, AValueThatDoesNotMatterIsNotAskedFor) {
  const char *map =
      "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 3], rt0 in [0, 6], "
      "(d0) in [2, 3]";
  EXPECT_TRUE(
      at("(d0){rt0} -> (d0), domain: d0 in [0, 3], rt0 in [0, 6]", {1}).listed);
  EXPECT_FALSE(at(map, {3}).listed);
}

}  // namespace
}  // namespace indexical::testing
