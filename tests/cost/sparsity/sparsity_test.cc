// Patterns, colours and Jacobians, by looking at every place; and against
// differences: a program is run twice, with one number of a parameter changed.
//
//   INDEXICAL_SPARSITY=10      10 times as many random programs
//   INDEXICAL_SPARSITY_SEED=n  beginning with this one
#include "indexical/answers/sparsity/sparsity.h"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/indexing/map_text.h"
#include "tests/same/values/value_programs.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

using Place = SparsePattern::Place;
using Places = std::set<Place>;

Places placesOf(const SparsePattern &pattern) {
  Places places;
  for (int64_t row = 0; row < pattern.rows(); ++row)
    for (int64_t column : pattern.row(row)) places.insert({row, column});
  return places;
}

//===-- Patterns ----------------------------------------------------------===//

SparsePattern randomPattern(Random &random, Places &places) {
  const int64_t high = random.in(1, 3), wide = random.in(1, 3);
  const int64_t rows = high * random.in(1, 5), columns = wide * random.in(1, 5);
  std::vector<Place> listed;
  for (int64_t n = random.in(0, 8); n > 0; --n) {
    const int64_t r = random.in(0, rows / high - 1) * high;
    const int64_t c = random.in(0, columns / wide - 1) * wide;
    for (int64_t i = 0; i < high; ++i)
      for (int64_t k = 0; k < wide; ++k) listed.push_back({r + i, c + k});
  }
  places = Places(listed.begin(), listed.end());
  return SparsePattern(rows, columns, std::move(listed));
}

/// Whether the pattern is made of such blocks.
bool isMadeOf(const Places &places, int64_t rows, int64_t columns, int64_t high,
              int64_t wide) {
  if (rows % high != 0 || columns % wide != 0) return false;
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < columns; ++c)
      if (places.count({r, c}) !=
          places.count({r / high * high, c / wide * wide}))
        return false;
  return true;
}

int64_t partsByMerging(const Places &places) {
  std::vector<Places> parts;
  for (const Place &place : places) {
    Places part = {place};
    for (size_t k = parts.size(); k-- > 0;) {
      const bool meets = llvm::any_of(parts[k], [&](const Place &other) {
        return other.first == place.first || other.second == place.second;
      });
      if (!meets) continue;
      part.insert(parts[k].begin(), parts[k].end());
      parts.erase(parts.begin() + k);
    }
    parts.push_back(std::move(part));
  }
  return parts.size();
}

void expectColors(const SparsePattern &pattern, const Places &places) {
  const auto found = coloringOf(pattern);
  ASSERT_TRUE(found);
  std::set<int64_t> used;
  std::set<std::pair<int64_t, int64_t>> taken;  // row and colour
  int64_t widest = 0;
  for (int64_t r = 0; r < pattern.rows(); ++r)
    widest = std::max<int64_t>(widest, pattern.row(r).size());
  for (const auto &[row, column] : places) {
    const int64_t color = found->colors[column];
    ASSERT_GE(color, 0);
    used.insert(color);
    EXPECT_TRUE(taken.insert({row, color}).second)
        << "two columns of one colour in row " << row;
  }
  EXPECT_EQ(found->count, static_cast<int64_t>(used.size()));
  EXPECT_EQ(found->least, widest);
  EXPECT_LE(found->least, found->count);
  EXPECT_LE(found->count, found->greedy);
  // The seeds are the columns with entries, each once.
  std::multiset<int64_t> seeded;
  for (const auto &together : found->seeds())
    seeded.insert(together.begin(), together.end());
  std::set<int64_t> filled;
  for (const Place &place : places) filled.insert(place.second);
  EXPECT_EQ(seeded, std::multiset<int64_t>(filled.begin(), filled.end()));
}

TEST(SparsePatternTest, RandomPatterns) {
  for (uint64_t seed = 1; seed <= 1000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    Places places;
    const SparsePattern pattern = randomPattern(random, places);
    const int64_t rows = pattern.rows(), columns = pattern.columnCount();
    ASSERT_EQ(placesOf(pattern), places);
    Places turned;
    for (const auto &[row, column] : places) turned.insert({column, row});
    ASSERT_EQ(placesOf(pattern.transposed()), turned);
    int64_t lower = 0, upper = 0;
    for (const auto &[row, column] : places) {
      lower = std::max(lower, row - column);
      upper = std::max(upper, column - row);
    }
    EXPECT_EQ(bandOf(pattern).lower, lower);
    EXPECT_EQ(bandOf(pattern).upper, upper);
    const BlockSize blocks = blocksOf(pattern);
    EXPECT_TRUE(isMadeOf(places, rows, columns, blocks.rows, blocks.columns));
    for (int64_t high = 1; high <= rows; ++high)
      for (int64_t wide = 1; wide <= columns; ++wide)
        if (isMadeOf(places, rows, columns, high, wide)) {
          EXPECT_LE(high, blocks.rows);
          EXPECT_LE(wide, blocks.columns);
        }
    EXPECT_EQ(partsOf(pattern), partsByMerging(places));
    expectColors(pattern, places);
    expectColors(pattern.transposed(), turned);
    ASSERT_FALSE(HasFailure());
  }
}

/// Largest columns first is better here than first to last.
TEST(SparsePatternTest, AnArrowNeedsAllColumns) {
  std::vector<Place> arrow;
  for (int64_t k = 0; k < 200; ++k) {
    arrow.push_back({0, k});
    arrow.push_back({k, k});
  }
  const SparsePattern pattern(200, 200, arrow);
  EXPECT_EQ(coloringOf(pattern)->count, 200);
  EXPECT_FALSE(coloringOf(pattern, /*mostSteps=*/100));
}

//===-- Jacobians ---------------------------------------------------------===//

Sparsity sparsity(const Program &program, const SparsityQuestion &question) {
  auto found = sparsityOf(program, question);
  EXPECT_TRUE(found.ok()) << found.status();
  return *std::move(found);
}

/// The figures without a list are those with one.
void expectSameWithoutAList(const IndexingRelation &relation,
                            llvm::ArrayRef<int64_t> result,
                            llvm::ArrayRef<int64_t> parameter) {
  auto listed = jacobianOf(relation, result, parameter);
  JacobianOptions none;
  none.mostEntries = -1;
  auto counted = jacobianOf(relation, result, parameter, none);
  ASSERT_TRUE(listed.ok() && counted.ok()) << counted.status();
  ASSERT_TRUE(listed->pattern);
  EXPECT_FALSE(counted->pattern);
  EXPECT_EQ(listed->entries, counted->entries);
  EXPECT_EQ(listed->isExact, counted->isExact);
  ASSERT_TRUE(counted->band);
  EXPECT_EQ(listed->band->lower, counted->band->lower);
  EXPECT_EQ(listed->band->upper, counted->band->upper);
}

TEST(JacobianTest, FiguresWithoutAList) {
  for (const char *text :
       {"(d0) -> (d0), domain: d0 in [0, 7]",
        "(d0)[s0] -> (s0 + d0), domain: d0 in [0, 5], s0 in [0, 2]",
        "(d0) -> (d0 floordiv 2), domain: d0 in [0, 7]",
        "(d0)[s0] -> (d0 + s0 - 1), domain: d0 in [0, 7], s0 in [0, 2], "
        "d0 + s0 in [1, 8]"}) {
    auto map = parseMap(text);
    ASSERT_TRUE(map.ok()) << map.status();
    expectSameWithoutAList(IndexingRelation(*map),
                           {map->dimensions()[0].bounds.count()}, {8});
  }
  auto plane = parseMap(
      "(d0, d1)[s0] -> (d1, s0), domain: d0 in [0, 3], d1 in [0, 4], s0 in "
      "[0, 1]");
  ASSERT_TRUE(plane.ok());
  expectSameWithoutAList(IndexingRelation(*plane), {4, 5}, {5, 6});
}

/// Pieces of one relation have other numbers of ranges.
TEST(JacobianTest, FiguresOfSeveralPieces) {
  const char *const pieces[] = {
      "(d0) -> (d0, 0), domain: d0 in [0, 2]",
      "(d0)[s0] -> (d0, s0), domain: d0 in [0, 2], s0 in [0, 3]",
      "(d0)[s0, s1] -> (s0, s1), domain: d0 in [0, 2], s0 in [1, 2], s1 in "
      "[0, 1]",
      "(d0) -> (1, d0 + 1), domain: d0 in [1, 2]",
      "(d0)[s0] -> (s0, d0), domain: d0 in [0, 2], s0 in [0, 2], d0 + s0 in "
      "[2, 4]"};
  for (int mask = 1; mask < 32; ++mask) {
    IndexingRelation relation;
    for (int k = 0; k < 5; ++k) {
      if (!(mask >> k & 1)) continue;
      auto map = parseMap(pieces[k]);
      ASSERT_TRUE(map.ok()) << map.status();
      relation.add(*std::move(map));
    }
    SCOPED_TRACE(mask);
    expectSameWithoutAList(relation, {3}, {3, 4});
  }
}

TEST(SparsityTest, TheSignOfAComplexNumberIsItsDirection) {
  auto program = parseHlo(
      "ENTRY e { x = f32[1] parameter(0)\n y = f32[1] parameter(1)\n c = "
      "c64[1] complex(x, y)\n s = c64[1] sign(c)\n ROOT r = f32[1] real(s) "
      "}");
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ(sparsity(*program, {}).jacobian.entries, 1);
}

TEST(JacobianTest, ALargeStencilIsCounted) {
  const char *text = R"(
ENTRY e {
  p = f32[1000000002] parameter(0)
  a = f32[1000000000] slice(p), slice={[0:1000000000]}
  b = f32[1000000000] slice(p), slice={[2:1000000002]}
  ROOT r = f32[1000000000] subtract(a, b)
})";
  auto program = parseHlo(text);
  ASSERT_TRUE(program.ok());
  const Sparsity found = sparsity(*program, {});
  EXPECT_EQ(found.jacobian.entries, 2000000000);
  EXPECT_TRUE(found.jacobian.isExact);
  EXPECT_EQ(found.jacobian.band->lower, 0);
  EXPECT_EQ(found.jacobian.band->upper, 2);
  EXPECT_FALSE(found.ofColumns);
}

/// A graph convolution: the edges are constants.
TEST(JacobianTest, AConstantGraph) {
  const char *text = R"(HloModule m
add { a = f32[] parameter(0) b = f32[] parameter(1)
  ROOT r = f32[] add(a, b) }
ENTRY e {
  x = f32[5,2] parameter(0)
  w = f32[2,2] parameter(1)
  from = s32[6,1] constant({{0}, {1}, {1}, {2}, {3}, {4}})
  to = s32[6,1] constant({{1}, {0}, {2}, {1}, {4}, {3}})
  h = f32[5,2] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  sent = f32[6,2] gather(h, from), offset_dims={1}, collapsed_slice_dims={0},
    start_index_map={0}, index_vector_dim=1, slice_sizes={1,2}
  zero = f32[] constant(0)
  zeros = f32[5,2] broadcast(zero), dimensions={}
  ROOT r = f32[5,2] scatter(zeros, to, sent), update_window_dims={1},
    inserted_window_dims={0}, scatter_dims_to_operand_dims={0},
    index_vector_dim=1, to_apply=add
})";
  auto program = parseHlo(text);
  ASSERT_TRUE(program.ok()) << program.status();
  const Sparsity found = sparsity(*program, {});
  EXPECT_EQ(found.reason, "");
  ASSERT_TRUE(found.jacobian.pattern);
  Places expected;
  for (const auto &[from, to] :
       std::vector<Place>{{0, 1}, {1, 0}, {1, 2}, {2, 1}, {3, 4}, {4, 3}})
    for (int64_t i = 0; i < 2; ++i)
      for (int64_t k = 0; k < 2; ++k)
        expected.insert({to * 2 + i, from * 2 + k});
  EXPECT_EQ(placesOf(*found.jacobian.pattern), expected);
  EXPECT_EQ(found.blocks->rows, 2);
  EXPECT_EQ(found.blocks->columns, 2);
  EXPECT_EQ(found.parts, 4);
  EXPECT_EQ(found.ofColumns->count, 4);
}

TEST(JacobianTest, ValuesThatAreNotKnownMakeACover) {
  const char *text = R"(
ENTRY e {
  p = f32[8] parameter(0)
  i = s32[] parameter(1)
  ROOT r = f32[2] dynamic-slice(p, i), dynamic_slice_sizes={2}
})";
  auto program = parseHlo(text);
  ASSERT_TRUE(program.ok());
  const Sparsity found = sparsity(*program, {});
  EXPECT_FALSE(found.jacobian.isExact);
  EXPECT_EQ(found.reason, "the values of `i` decide which entries there are");
  EXPECT_EQ(found.jacobian.entries, 14);
  SparsityQuestion index;
  index.parameter = 1;
  EXPECT_EQ(sparsityOf(*program, index).status().message(),
            "parameter 1 holds s32, which has no derivative");
}

//===-- Differences -------------------------------------------------------===//

/// Whether each way through the term changes its result: no kind chooses, no
/// number is zero, and nothing is taken away again.
bool keepsChanges(const NodePtr &term) {
  return llvm::none_of(nodesOf(term), [](const NodePtr &node) {
    return node->kind == Node::Kind::Select ||
           node->kind == Node::Kind::Maximum ||
           node->kind == Node::Kind::Largest ||
           node->kind == Node::Kind::Subtract ||
           node->kind == Node::Kind::Negate ||
           node->kind == Node::Kind::Constant;
  });
}

TEST(SparsityTest, RandomProgramsAgainstDifferences) {
  const uint64_t first = fromEnvironment("INDEXICAL_SPARSITY_SEED", 1);
  const uint64_t count = 300 * fromEnvironment("INDEXICAL_SPARSITY", 1);
  int64_t programs = 0, entries = 0, exact = 0, compared = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE("INDEXICAL_SPARSITY_SEED=" + std::to_string(seed));
    Random random(seed);
    const NodePtr term = randomTerm(random, Numbers::Real);
    const auto parameters = parametersOf({term});
    const std::string text = hloOf(term, parameters, "f32");
    auto program = parseHlo(text);
    ASSERT_TRUE(program.ok()) << program.status() << text;
    for (size_t p = 0; p < parameters.size(); ++p) {
      SparsityQuestion question;
      question.parameter = p;
      const Sparsity found = sparsity(*program, question);
      ASSERT_TRUE(found.jacobian.pattern);
      const Places listed = placesOf(*found.jacobian.pattern);
      const Data data = randomData(random, parameters, Numbers::Real);
      const auto before = run(term, data, Numbers::Real);
      Places changed;
      for (size_t column = 0; column < data[p].size(); ++column) {
        Data other = data;
        other[p][column] += 1 + random.in(0, 1000);
        const auto after = run(term, other, Numbers::Real);
        for (size_t row = 0; row < after.size(); ++row)
          if (before[row] != after[row]) changed.insert({row, column});
      }
      ++programs;
      entries += listed.size();
      exact += found.jacobian.isExact;
      ASSERT_TRUE(std::includes(listed.begin(), listed.end(), changed.begin(),
                                changed.end()))
          << text;
      if (!found.jacobian.isExact || !keepsChanges(term)) continue;
      ++compared;
      ASSERT_EQ(listed, changed) << text;
    }
  }
  printf("  %ld Jacobians, %ld entries, %ld exact, %ld equal to differences\n",
         static_cast<long>(programs), static_cast<long>(entries),
         static_cast<long>(exact), static_cast<long>(compared));
  EXPECT_GT(exact * 10, programs * 9);
  EXPECT_GT(compared * 20, programs);
}

}  // namespace
}  // namespace indexical::testing
