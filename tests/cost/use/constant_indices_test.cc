// Gathers of constants, taken apart, against the constants' values at every
// point.
//
// INDEXICAL_SEED: the first instance; INDEXICAL_GATHERS: how many.
#include "indexical/cost/use/constant_indices.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

/// f32[rows,2] read at constant rows, from `base` on in the second dimension:
/// `s32[n,2] constant`, one slice of 1 x 2 for each.
struct Gather {
  int64_t rows = 0;
  std::vector<int64_t> indices;

  std::string text() const {
    std::string literal;
    for (int64_t i : indices)
      literal += (literal.empty() ? "{" : ", {") + std::to_string(i) + "}";
    const std::string count = std::to_string(indices.size());
    return "ENTRY e { p = f32[" + std::to_string(rows) +
           ",3] parameter(0)\n i = s32[" + count + ",1] constant({" + literal +
           "})\n ROOT r = f32[" + count +
           ",3] gather(p, i), offset_dims={1}, collapsed_slice_dims={0}, "
           "start_index_map={0}, index_vector_dim=1, slice_sizes={1,3} }\n";
  }
};

std::set<std::vector<int64_t>> readAt(const IndexingRelation &relation,
                                      int64_t d0, int64_t d1) {
  std::set<std::vector<int64_t>> found;
  for (const IndexingMap &piece : relation.pieces()) {
    const IndexingMap::Point point{{d0, d1}, {}, {}};
    if (!piece.contains(point)) continue;
    auto element = piece.evaluate(point);
    EXPECT_TRUE(element.has_value());
    if (element) found.insert({element->begin(), element->end()});
  }
  return found;
}

TEST(ConstantIndices, ReadWhatTheConstantSays) {
  const uint64_t seeds = fromEnvironment("INDEXICAL_GATHERS", 200);
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  uint64_t apart = 0;
  for (uint64_t seed = first; seed < first + seeds; ++seed) {
    Random random(seed);
    Gather gather;
    gather.rows = random.in(1, 12);
    // Indices out of bounds are clamped.
    for (int64_t n = random.in(1, 7); n > 0; --n)
      gather.indices.push_back(random.in(-2, gather.rows + 2));
    SCOPED_TRACE("seed " + std::to_string(seed) + '\n' + gather.text());
    auto program = parseHlo(gather.text(), "test.hlo");
    ASSERT_TRUE(program.ok()) << program.status();
    const Module &module = program->modules[0];
    ProgramIndexing maps(module);
    auto relation =
        maps.instruction({module.entry, module.computations[module.entry].root},
                         LeafId(0), Direction::OutputToInput);
    ASSERT_TRUE(relation.ok()) << relation.status();
    auto known = withConstantIndices(maps, *relation);
    ASSERT_TRUE(known.ok()) << known.status();
    EXPECT_EQ(known->precision(), Precision::Exact);
    apart += known->pieces().size() > 1;
    for (size_t row = 0; row < gather.indices.size(); ++row)
      for (int64_t column = 0; column < 3; ++column) {
        const int64_t wanted =
            std::clamp<int64_t>(gather.indices[row], 0, gather.rows - 1);
        EXPECT_EQ(readAt(*known, row, column),
                  (std::set<std::vector<int64_t>>{{wanted, column}}));
      }
    // With more elements than are asked for the relation stays.
    if (gather.indices.size() > 1 && relation->pieces()[0].runtime().size()) {
      auto same = withConstantIndices(maps, *relation, /*mostElements=*/1);
      ASSERT_TRUE(same.ok());
      EXPECT_TRUE(*same == *relation);
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(apart, seeds / 4);
}

}  // namespace
}  // namespace indexical::testing
