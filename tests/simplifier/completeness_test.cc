// Chains of ops, composed step by step: what forms must show, over few chains.
//
// The shares over many, and which are left, are completeness.cc's; the bounds
// here lie a little below what it reports.
//
//   INDEXICAL_CHAINS=10      10 times as many chains
//   INDEXICAL_CHAINS_SEED=n  of another seed
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/indexing/map_text.h"
#include "indexical/indexing/transforms.h"
#include "indexical/simplifier/simplify.h"
#include "tests/simplifier/chain_study.h"

namespace indexical::testing {
namespace {

using Kind = ChainOp::Kind;

ChainOp opOf(Kind kind, Sizes from, Sizes to, Sizes start, Sizes step) {
  ChainOp op;
  op.kind = kind;
  op.from = std::move(from), op.to = std::move(to);
  op.start = std::move(start), op.step = std::move(step);
  return op;
}

//===-- The ops themselves ------------------------------------------------===//

TEST(ChainOpTest, ReshapesCountAlong) {
  const ChainOp op = ChainOp::reshape({4, 6}, {3, 2, 4});
  for (int64_t i = 0; i < 24; ++i) {
    const Sizes expected{i / 8, i / 4 % 2, i % 4};
    EXPECT_EQ(op.at({i / 6, i % 6}), expected);
    EXPECT_EQ(op.map().evaluate({{i / 6, i % 6}, {}, {}}), expected);
  }
}

// f32[4,6]{0,1} in memory is the row major f32[6,4].
TEST(ChainOpTest, BitcastsFollowTheLayouts) {
  const ChainOp op = ChainOp::bitcast({4, 6}, {1, 0}, {6, 4}, {0, 1});
  EXPECT_EQ(op.at({3, 1}), (Sizes{1, 3}));
  EXPECT_EQ(simplify(op.map())->strOneLine(),
            "(d0, d1) -> (d1, d0), domain: d0 in [0, 3], d1 in [0, 5]");
}

// 3 elements, one between neighbours, two before and one behind: f32[8].
TEST(ChainOpTest, PadsReadWhereTheElementsAre) {
  const ChainOp op = opOf(Kind::Pad, {8}, {3}, {2}, {2});
  for (int64_t i = 0; i < 8; ++i) {
    const bool inside = i == 2 || i == 4 || i == 6;
    EXPECT_EQ(op.at({i}).has_value(), inside) << i;
    EXPECT_EQ(op.map().contains({{i}, {}, {}}), inside) << i;
  }
  EXPECT_EQ(op.inverse().at({2}), Sizes{6});
}

//===-- Shares ------------------------------------------------------------===//

/// Percent of the chains; of direct and identity as the handovers are listed.
struct Least {
  ChainFamily family;
  double direct[4], identity[4], brackets, proven;
};

const Least kLeast[] = {
    {ChainFamily::Reshapes,
     {100, 100, 100, 100},
     {100, 100, 100, 100},
     100,
     100},
    {ChainFamily::Bitcasts,
     {100, 100, 100, 100},
     {100, 100, 100, 100},
     100,
     100},
    {ChainFamily::Transposes, {}, {88, 88, 96, 96}, 80, 100},
    {ChainFamily::Reverses, {}, {88, 88, 96, 96}, 80, 100},
    {ChainFamily::Slices, {}, {93, 93, 93, 93}, 96, 100},
    {ChainFamily::Pads, {}, {88, 88, 88, 88}, 94, 100},
};

class CompletenessTest : public ::testing::TestWithParam<Least> {};

TEST_P(CompletenessTest, Shares) {
  const Least &least = GetParam();
  ChainCounts sum;
  auto add = [](Share &share, const Share &more) {
    share.yes += more.yes, share.all += more.all;
  };
  for (int64_t length : {2, 4, 8, 12}) {
    StudyOptions options;
    options.chains =
        (length < 8 ? 30 : 12) * fromEnvironment("INDEXICAL_CHAINS", 1);
    options.proofs = 5;
    options.seed = fromEnvironment("INDEXICAL_CHAINS_SEED", 1);
    const ChainCounts counts =
        study(least.family, length, options, [](const Shortfall &shortfall) {
          if (shortfall.what == "WRONG" ||
              llvm::StringRef(shortfall.what).starts_with("error")) {
            std::string ops;
            for (const ChainOp &op : shortfall.ops) ops += "\n" + op.str();
            ADD_FAILURE() << shortfall.what << ", length " << shortfall.length
                          << ", chain " << shortfall.number << ops << "\n"
                          << shortfall.left.str();
          }
        });
    EXPECT_EQ(counts.wrong, 0) << "length " << length;
    EXPECT_EQ(counts.errors, 0) << "length " << length;
    for (int i = 0; i < 4; ++i) {
      add(sum.direct[i], counts.direct[i]);
      add(sum.identity[i], counts.identity[i]);
    }
    add(sum.byEnumeration, counts.byEnumeration);
    add(sum.byExact, counts.byExact);
    add(sum.brackets, counts.brackets);
    add(sum.ownForm, counts.ownForm);
    add(sum.empty, counts.empty);
    sum.points += counts.points;
    // The map does not grow beyond its steps: shared parts are held once.
    if (least.family != ChainFamily::Transposes &&
        least.family != ChainFamily::Reverses) {
      EXPECT_LE(counts.meanSize, 1.0) << "length " << length;
    }
  }
  EXPECT_GT(sum.points, 1000);
  for (Handover handover : kHandovers) {
    const int i = static_cast<int>(handover);
    EXPECT_GE(sum.direct[i].percent(), least.direct[i])
        << handoverName(handover).str();
    EXPECT_GE(sum.identity[i].percent(), least.identity[i])
        << handoverName(handover).str();
  }
  EXPECT_GE(sum.brackets.percent(), least.brackets);
  EXPECT_EQ(sum.ownForm.percent(), 100);
  EXPECT_GE(sum.empty.percent(), 90);
  // The proof step settles the rest.
  for (const Share *proven : {&sum.byEnumeration, &sum.byExact})
    EXPECT_GE(proven->percent(), least.proven);
}

INSTANTIATE_TEST_SUITE_P(Families, CompletenessTest,
                         ::testing::ValuesIn(kLeast), [](const auto &info) {
                           return familyName(info.param.family).str();
                         });

//===-- What undoes itself on its domain ----------------------------------===//

std::string composedText(llvm::ArrayRef<ChainOp> ops) {
  auto map = composedInTurn(ops, Handover::Forms);
  EXPECT_TRUE(map.ok()) << map.status();
  return map.ok() ? map->strOneLine() : "";
}

TEST(IdentityTest, ASliceOfItsPad) {
  const ChainOp slice = opOf(Kind::Slice, {5, 4}, {9, 6}, {3, 1}, {1, 1});
  EXPECT_EQ(composedText({slice, slice.inverse()}),
            "(d0, d1) -> (d0, d1), domain: d0 in [0, 4], d1 in [0, 3]");
}

TEST(IdentityTest, AStridedSliceOfItsInteriorPad) {
  const ChainOp slice = opOf(Kind::Slice, {5}, {17}, {2}, {3});
  EXPECT_EQ(composedText({slice, slice.inverse()}),
            "(d0) -> (d0), domain: d0 in [0, 4]");
}

// The other way it is one on the places of the elements.
TEST(IdentityTest, AnInteriorPadOfItsSlice) {
  const ChainOp pad = opOf(Kind::Pad, {17}, {5}, {2}, {3});
  EXPECT_EQ(composedText({pad, pad.inverse()}),
            "(d0) -> (d0), domain: d0 in [2, 14], d0 mod 3 in [2, 2]");
}

TEST(IdentityTest, AReverseOfItsReverse) {
  const ChainOp reverse = ChainOp::reverse({6, 7}, {1, 1});
  EXPECT_EQ(composedText({reverse, reverse}),
            "(d0, d1) -> (d0, d1), domain: d0 in [0, 5], d1 in [0, 6]");
}

TEST(IdentityTest, AllOfThemAround) {
  const ChainOp there[] = {
      ChainOp::reverse({6, 4}, {1, 0}),
      opOf(Kind::Slice, {6, 4}, {13, 4}, {1, 0}, {2, 1}),
      ChainOp::transpose({13, 4}, {1, 0}),
      ChainOp::reshape({4, 13}, {2, 26}),
      ChainOp::reverse({2, 26}, {0, 1}),
  };
  std::vector<ChainOp> ops(std::begin(there), std::end(there));
  for (const ChainOp &op : undone(there)) ops.push_back(op);
  EXPECT_EQ(composedText(ops),
            "(d0, d1) -> (d0, d1), domain: d0 in [0, 5], d1 in [0, 3]");
}

// A chain whose map was another when it was simplified again: a sum inside it
// had been searched on the way there, and was only gathered on the way back.
TEST(ChainTest, SumsAreGatheredAlike) {
  StudyOptions options;
  options.first = 5909;
  options.chains = 1;
  EXPECT_EQ(study(ChainFamily::Transposes, 8, options).ownForm.yes, 1);
}

// The second map leaves the first's domain as it is. A constraint then holds a
// digit that the results must not hold: the digit is known to be 0.
TEST(ChainTest, FormsOfConstraintsStayInThem) {
  StudyOptions options;
  options.first = 195;
  options.chains = 1;
  EXPECT_EQ(study(ChainFamily::Pads, 8, options).ownForm.yes, 1);
}

// The search proposes more than 16 sums instead of one.
TEST(ChainTest, ManySumsAreProposed) {
  StudyOptions options;
  options.first = 688;
  options.chains = 1;
  EXPECT_EQ(study(ChainFamily::Pads, 12, options).ownForm.yes, 1);
}

//===-- Shorter ways ------------------------------------------------------===//

// If an op leaves the domain as it is, compose looks at no constraint again. A
// runtime variable keeps a product from this shorter way, and is not in the
// result if nothing uses the variable.
TEST(ComposeTest, AnUnusedVariableChangesNothing) {
  const uint64_t seed = fromEnvironment("INDEXICAL_CHAINS_SEED", 1);
  const int64_t count = 1000 * fromEnvironment("INDEXICAL_CHAINS", 1);
  int64_t constrained = 0, different = 0;
  for (int64_t i = 0; i < count; ++i) {
    Random random(seed + i);
    const Chain chain = randomChain(ChainFamily::Pads, 5, random);
    IndexingMap map = *simplify(chain.ops[0].map());
    for (size_t k = 1; k < chain.ops.size() && !map.isKnownEmpty(); ++k) {
      const IndexingMap op = chain.ops[k].map();
      const IndexingMap other = *withBody(
          op,
          [](IndexingMapBuilder &b, MapBody &) { b.runtime(Interval{0, 1}); });
      const IndexingMap next = *compose(map, op);
      const IndexingMap expected = *compose(map, other);
      if (next != expected) {
        ++different;
        std::printf("seed %llu:\n%s\nis not\n%s\n",
                    static_cast<unsigned long long>(seed + i),
                    next.str().c_str(), expected.str().c_str());
      }
      constrained += next.constraints().size() == map.constraints().size() &&
                     !map.constraints().empty();
      map = next;
    }
  }
  EXPECT_GT(constrained, count / 5);
  EXPECT_EQ(different, 0);
}

}  // namespace
}  // namespace indexical::testing
