// Pairs that differ for some values of index parameters, and pairs that do for
// none: a fold of slices of slices with and without its clamps.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/same/equality/module_equality.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

absl::StatusOr<ModuleEquality> compared(const std::string &first,
                                        const std::string &second) {
  auto a = parseHlo(first), b = parseHlo(second);
  if (!a.ok()) return a.status();
  if (!b.ok()) return b.status();
  return compareReads(a->modules[0], b->modules[0]);
}

std::string header(int64_t size) {
  return "HloModule m\nENTRY e {\n  p = f32[" + std::to_string(size) +
         "] parameter(0)\n  i = s32[] parameter(1)\n"
         "  j = s32[] parameter(2)\n";
}

/// A slice of `outer` elements at i, and of that one of `inner` at j.
std::string sliceOfSlice(int64_t size, int64_t outer, int64_t inner) {
  const std::string o = std::to_string(outer), n = std::to_string(inner);
  return header(size) + "  a = f32[" + o +
         "] dynamic-slice(p, i), dynamic_slice_sizes={" + o +
         "}\n  ROOT b = " + "f32[" + n +
         "] dynamic-slice(a, j), dynamic_slice_sizes={" + n + "}\n}\n";
}

std::string oneSlice(int64_t size, int64_t inner, const std::string &start) {
  const std::string n = std::to_string(inner);
  return header(size) + start + "  ROOT b = f32[" + n +
         "] dynamic-slice(p, k), dynamic_slice_sizes={" + n + "}\n}\n";
}

int64_t clamped(int64_t value, int64_t most) {
  return std::min(std::max<int64_t>(value, 0), most);
}

int64_t wrapped(int64_t value) { return static_cast<int32_t>(value); }

TEST(TrialValues, SliceOfSliceWithoutItsClamp) {
  const uint64_t seed = fromEnvironment("INDEXICAL_SEED", 1);
  Random random(seed);
  int different = 0;
  for (int n = 0; n < 60; ++n) {
    const int64_t size = random.in(1, 12);
    const int64_t outer = random.in(1, size);
    const int64_t inner = random.in(1, outer);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + std::to_string(size) +
                 " " + std::to_string(outer) + " " + std::to_string(inner));
    auto found = compared(sliceOfSlice(size, outer, inner),
                          oneSlice(size, inner, "  k = s32[] add(i, j)\n"));
    ASSERT_TRUE(found.ok()) << found.status();
    const LeafEquality &leaf = found->leaves[0];
    // All starts are 0 if the slice is as large as what it is cut from.
    if (inner == size) {
      EXPECT_NE(leaf.decision.answer, Answer::No);
      continue;
    }
    ASSERT_EQ(leaf.decision.answer, Answer::No);
    ++different;
    const PairWitness &witness = *leaf.decision.witness;
    ASSERT_EQ(witness.runtime.size(), 2u);
    EXPECT_EQ(witness.runtime[0].first, "i");
    EXPECT_EQ(witness.runtime[1].first, "j");
    const int64_t i = witness.runtime[0].second, j = witness.runtime[1].second;
    const int64_t at = witness.index[0];
    const int64_t first =
        clamped(i, size - outer) + clamped(j, outer - inner) + at;
    const int64_t second = clamped(wrapped(i + j), size - inner) + at;
    EXPECT_NE(first, second);
    EXPECT_EQ(witness.element[0],
              witness.onlyIn == PairWitness::Side::First ? first : second);
  }
  EXPECT_GT(different, 30);
}

TEST(TrialValues, NotDifferentWithItsClamps) {
  const uint64_t seed = fromEnvironment("INDEXICAL_SEED", 1);
  Random random(seed);
  for (int n = 0; n < 20; ++n) {
    const int64_t size = random.in(2, 12);
    const int64_t outer = random.in(1, size);
    const int64_t inner = random.in(1, outer);
    auto most = [](const char *name, int64_t value) {
      return std::string("  ") + name + " = s32[] constant(" +
             std::to_string(value) + ")\n";
    };
    auto found = compared(
        sliceOfSlice(size, outer, inner),
        oneSlice(size, inner,
                 "  z = s32[] constant(0)\n" + most("m", size - outer) +
                     most("n", outer - inner) +
                     "  ci = s32[] clamp(z, i, m)\n"
                     "  cj = s32[] clamp(z, j, n)\n"
                     "  k = s32[] add(ci, cj)\n"));
    ASSERT_TRUE(found.ok()) << found.status();
    EXPECT_NE(found->leaves[0].decision.answer, Answer::No)
        << "seed " << seed << ": " << size << " " << outer << " " << inner;
  }
}

/// StableHLO leaves it to the implementation what 200 becomes in 8 bits with a
/// sign, so no trial decides.
TEST(TrialValues, UnsignedIndex) {
  const std::string head =
      "HloModule m\nENTRY e {\n  p = f32[300] parameter(0)\n"
      "  i = u8[] parameter(1)\n";
  const std::string tail =
      "  ROOT b = f32[1] dynamic-slice(p, k), dynamic_slice_sizes={1}\n}\n";
  const std::string own = "  k = s32[] convert(i)\n";
  const std::string other = "  n = s8[] convert(i)\n  k = s32[] convert(n)\n";
  auto found = compared(head + own + tail, head + other + tail);
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(found->leaves[0].decision.answer, Answer::Undecided);
  EXPECT_EQ(compared(head + own + tail, head + own + tail)->answer,
            Answer::Yes);
}

/// Elements of a small array of starts have names of their own.
TEST(TrialValues, StartsInAnArray) {
  auto gathered = [](const std::string &indices) {
    return "HloModule m\nENTRY e {\n  p = f32[7] parameter(0)\n"
           "  i = s32[2,1] parameter(1)\n" +
           indices +
           "  ROOT g = f32[2] gather(p, k), offset_dims={}, "
           "collapsed_slice_dims={0}, start_index_map={0}, "
           "index_vector_dim=1, slice_sizes={1}\n}\n";
  };
  auto found = compared(gathered("  k = s32[2,1] copy(i)\n"),
                        gathered("  k = s32[2,1] add(i, i)\n"));
  ASSERT_TRUE(found.ok()) << found.status();
  ASSERT_EQ(found->leaves[0].decision.answer, Answer::No);
  const PairWitness &witness = *found->leaves[0].decision.witness;
  ASSERT_EQ(witness.runtime.size(), 2u);
  EXPECT_EQ(witness.runtime[0].first, "i(0, 0)");
  EXPECT_EQ(witness.runtime[1].first, "i(1, 0)");
  const int64_t value = witness.runtime[witness.index[0]].second;
  EXPECT_NE(clamped(value, 6), clamped(2 * value, 6));
}

}  // namespace
}  // namespace indexical::testing
