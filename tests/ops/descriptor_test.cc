// Handles: equal ops are one object, others are not, and a descriptor lives as
// long as a handle to it.
#include "indexical/ops/descriptor.h"

#include <set>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/ops/op.h"
#include "tests/support/random_ops.h"
#include "tests/support/visit_op.h"

namespace indexical::testing {
namespace {

ArrayShape f32(llvm::ArrayRef<int64_t> sizes) {
  return ArrayShape(ElementType::F32, sizes);
}

TransposeOp transpose() {
  TransposeOp op;
  op.operands = {f32({2, 3})};
  op.results = {f32({3, 2})};
  op.permutation = {1, 0};
  return op;
}

TEST(DescriptorTest, EqualOpsAreOneObject) {
  const Op a = transpose(), b = transpose();
  EXPECT_EQ(a, b);
  EXPECT_EQ(&shapesOf(a), &shapesOf(b));
  EXPECT_EQ(a.hash(), b.hash());
}

TEST(DescriptorTest, WhateverDistinguishesTwoOpsDistinguishesTheirHandles) {
  const Op op = transpose();
  const std::vector<Op> others = {
      op.changed([](OpDraft &d) { d->operands.mutableAt(0) = f32({2, 4}); }),
      op.changed(
          [](OpDraft &d) { d->results.mutableAt(0).type = ElementType::F64; }),
      op.changed([](OpDraft &d) {
        d->results.mutableAt(0).layout.emplace().minorToMajor = {0, 1};
      }),
      op.changed(
          [](OpDraft &d) { d->results.mutableAt(0).dynamic.resize(2, true); }),
      op.changed([](OpDraft &d) { d->operands.push_back(f32({})); }),
      op.changed([](OpDraft &d) { d->configuration = "x=1"; }),
      op.changed([](OpDraft &d) { d->opKind = kindOf<ReshapeOp>(); }),
      op.changed(
          [](OpDraft &d) { d.as<TransposeOp>()->permutation = {0, 1}; })};
  for (size_t i = 0; i < others.size(); ++i) {
    EXPECT_NE(op, others[i]) << i;
    for (size_t j = 0; j < i; ++j) EXPECT_NE(others[i], others[j]) << i << j;
  }
  // A flag that says what is so anyway distinguishes nothing.
  EXPECT_EQ(op, op.changed([](OpDraft &d) {
    d->results.mutableAt(0).dynamic.resize(2, false);
  }));
}

TEST(DescriptorTest, AddIsNotSubtract) {
  ElementwiseOp add;
  add.operands = {f32({4}), f32({4})};
  add.results = {f32({4})};
  add.opKind = kindOf<ElementwiseOp>("add");
  ElementwiseOp subtract = add;
  subtract.opKind = kindOf<ElementwiseOp>("subtract");
  EXPECT_NE(Op(add), Op(subtract));
  EXPECT_EQ(traitsOf(add).arithmetic, Arithmetic::Add);
  EXPECT_EQ(traitsOf(Op(subtract)).arithmetic, Arithmetic::Subtract);
}

TEST(DescriptorTest, WithoutAKindItIsTheFamilysFirst) {
  EXPECT_EQ(&Op(transpose()).kind(), kindOf<TransposeOp>());
  TransposeOp named = transpose();
  named.opKind = kindOf<TransposeOp>();
  EXPECT_EQ(Op(named), Op(transpose()));
}

TEST(DescriptorTest, LiteralsAreTheirBits) {
  // One value for all is that value, written once or often.
  EXPECT_EQ(ConstantOp::canonicalBits("aaaa", 1), "a");
  EXPECT_EQ(ConstantOp::canonicalBits("abab", 2), "ab");
  EXPECT_EQ(ConstantOp::canonicalBits("abcd", 2), "abcd");
  std::string large(ConstantOp::kMostBytes + 2, 'a');
  large.back() = 'b';
  std::string other = large;
  other.front() = 'b';
  EXPECT_EQ(ConstantOp::canonicalBits(large, 1).size(), 32u);
  EXPECT_NE(ConstantOp::canonicalBits(large, 1),
            ConstantOp::canonicalBits(other, 1));
}

TEST(DescriptorTest, DescriptorsGoWithTheirLastHandle) {
  const Op empty;  // its descriptor stays
  const size_t before = internedOps();
  {
    const Op one = transpose();
    Op copy = one;
    EXPECT_EQ(internedOps(), before + 1);
    StartOp start;
    start.inner = one;
    const Op outer = start;
    EXPECT_EQ(internedOps(), before + 2);
    copy = outer;
  }
  EXPECT_EQ(internedOps(), before);
}

TEST(DescriptorTest, ADraftThatIsGivenUpLeavesNothing) {
  const size_t before = internedOps();
  OpDraft draft(transpose());
  draft.emplace<ReshapeOp>().results = {f32({6})};
  EXPECT_TRUE(draft.is<ReshapeOp>());
  EXPECT_EQ(draft.as<TransposeOp>(), nullptr);
  draft.reset();
  EXPECT_TRUE(draft.empty());
  EXPECT_EQ(internedOps(), before);
}

TEST(DescriptorTest, ManyThreadsMakeAndDropTheSameOps) {
  const size_t before = internedOps();
  {
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([t] {
        for (int64_t n = 0; n < 3000; ++n) {
          TransposeOp op = transpose();
          op.operands.mutableAt(0) = f32({2, (n + t) % 7});
          const Op made = op;
          const Op again = op;
          ASSERT_EQ(made, again);
          ASSERT_EQ(made.as<TransposeOp>()->permutation[0], 1);
        }
      });
    for (std::thread &thread : threads) thread.join();
  }
  EXPECT_EQ(internedOps(), before);
}

/// Every family, with random attributes: a copy is the same object, and says
/// the same.
TEST(DescriptorTest, OfEveryFamily) {
  std::set<const OpFamily *> met;
  for (const Family &family : families())
    for (int64_t seed = 1; seed <= 50; ++seed) {
      Random random(seed);
      const Op op = family.make(random);
      const Op copy = op.changed([](OpDraft &) {});
      ASSERT_EQ(op, copy) << family.name.str() << " seed " << seed;
      ASSERT_EQ(describe(op), describe(copy));
      met.insert(&op.family());
      // Other fields are another object: two that are one have one text.
      Random next(seed + 1000);
      const Op other = family.make(next);
      if (op == other) {
        ASSERT_EQ(describe(op), describe(other));
      }
    }
  size_t count = 0;
#define INDEXICAL_COUNT(Family) ++count;
  INDEXICAL_FAMILIES(INDEXICAL_COUNT)
#undef INDEXICAL_COUNT
  // Collectives are made by tests of their own.
  EXPECT_GE(met.size(), count - 7);
}

/// No two kinds have one name.
TEST(DescriptorTest, KindsHaveNamesOfTheirOwn) {
  std::set<std::string> names;
#define INDEXICAL_NAMES(Family)                                 \
  for (const OpKind &kind : Family::kKinds)                     \
    EXPECT_TRUE(names.insert(#Family + kind.name.str()).second) \
        << kind.name.str();
  INDEXICAL_FAMILIES(INDEXICAL_NAMES)
#undef INDEXICAL_NAMES
  EXPECT_GT(names.size(), 130u);
}

}  // namespace
}  // namespace indexical::testing
