// The oracle against answers written down elsewhere: examples of the documents,
// and small cases worked by hand.
#include "tests/oracle/oracle.h"

#include "gtest/gtest.h"

#include "indexical/ops/families.h"

namespace indexical::testing {
namespace {

ArrayShape f32(llvm::ArrayRef<int64_t> sizes) {
  return ArrayShape(ElementType::F32, sizes);
}

/// The elements that `reads` has of operand `operand`.
std::vector<int64_t> readsOf(const Reads &reads, int64_t operand) {
  std::vector<int64_t> elements;
  for (const Read &read : reads)
    if (read.operand == operand) elements.push_back(read.element);
  return elements;
}

/// For each element of the only result, the only element read of operand 0, or
/// -1 for none.
std::vector<int64_t> moves(const Op &op, const OperandValues &values = {}) {
  std::vector<int64_t> from;
  const std::vector<Tensor> results = evaluate(op, values);
  for (const Reads &reads : results[0].elements) {
    std::vector<int64_t> elements = readsOf(reads, 0);
    EXPECT_LE(elements.size(), 1u);
    from.push_back(elements.empty() ? -1 : elements[0]);
  }
  return from;
}

using Places = std::vector<int64_t>;

// The example of the StableHLO document on batching dimensions, with the result
// that it gives. The operand's element at place n has the value n + 1.
TEST(OracleTest, GatherOfTheBatchingDocument) {
  GatherOp op;
  op.operands = {f32({2, 3, 4, 2}), ArrayShape(ElementType::S64, {2, 2, 3, 2})};
  op.results = {f32({2, 2, 3, 2, 2})};
  op.offsetDims = {3, 4};
  op.collapsedSliceDims = {1};
  op.operandBatchingDims = {0};
  op.startIndicesBatchingDims = {1};
  op.startIndexMap = {2, 1};
  op.indexVectorDim = 3;
  op.sliceSizes = {1, 1, 2, 2};
  OperandValues values = {{}, {0, 0, 1, 0, 2, 1, 0, 1, 1, 1, 0, 9,
                               0, 0, 2, 1, 2, 2, 1, 2, 0, 1, 1, 0}};
  Places result = {1,  2,  3,  4,  3,  4,  5,  6,  13, 14, 15, 16,
                   33, 34, 35, 36, 35, 36, 37, 38, 41, 42, 43, 44,
                   1,  2,  3,  4,  13, 14, 15, 16, 21, 22, 23, 24,
                   43, 44, 45, 46, 33, 34, 35, 36, 27, 28, 29, 30};
  for (int64_t &value : result) --value;
  EXPECT_EQ(moves(op, values), result);
  std::vector<Tensor> reads = evaluate(op, values);
  EXPECT_EQ(readsOf(reads[0].at({1, 0, 2, 1, 0}), 1), Places({16, 17}));
}

TEST(OracleTest, GatherWithImplicitIndexVector) {
  GatherOp op;
  op.operands = {f32({5}), ArrayShape(ElementType::S32, {2})};
  op.results = {f32({2, 3})};
  op.offsetDims = {1};
  op.startIndexMap = {0};
  op.indexVectorDim = 1;
  op.sliceSizes = {3};
  EXPECT_EQ(moves(op, {{}, {1, 4}}), Places({1, 2, 3, 2, 3, 4}));
}

TEST(OracleTest, BroadcastExpandsSizesOfOne) {
  BroadcastOp op;
  op.operands = {f32({1, 2})};
  op.results = {f32({3, 2})};
  op.dimensions = {0, 1};
  EXPECT_EQ(moves(op), Places({0, 1, 0, 1, 0, 1}));
}

TEST(OracleTest, PadMaterialises) {
  PadOp op;
  op.operands = {f32({3}), f32({})};
  op.results = {f32({6})};
  op.low = {-1}, op.high = {2}, op.interior = {1};
  // 0 p 1 p 2, without the first, with two more.
  EXPECT_EQ(moves(op), Places({-1, 1, -1, 2, -1, -1}));
  std::vector<Tensor> results = evaluate(op, {});
  EXPECT_EQ(readsOf(results[0].at({0}), 1), Places({0}));
  EXPECT_TRUE(readsOf(results[0].at({1}), 1).empty());
}

TEST(OracleTest, DynamicSliceClamps) {
  DynamicSliceOp op;
  op.operands = {f32({5}), ArrayShape(ElementType::S32, {})};
  op.results = {f32({2})};
  op.sizes = {2};
  EXPECT_EQ(moves(op, {{}, {-7}}), Places({0, 1}));
  EXPECT_EQ(moves(op, {{}, {2}}), Places({2, 3}));
  EXPECT_EQ(moves(op, {{}, {4}}), Places({3, 4}));
  std::vector<Tensor> results = evaluate(op, {{}, {2}});
  EXPECT_EQ(readsOf(results[0].at({1}), 1), Places({0}));
}

TEST(OracleTest, DynamicUpdateSliceReplaces) {
  DynamicUpdateSliceOp op;
  op.operands = {f32({5}), f32({2}), ArrayShape(ElementType::S32, {1})};
  op.results = {f32({5})};
  EXPECT_EQ(moves(op, {{}, {}, {9}}), Places({0, 1, 2, -1, -1}));
  std::vector<Tensor> results = evaluate(op, {{}, {}, {9}});
  EXPECT_EQ(readsOf(results[0].at({4}), 1), Places({1}));
  EXPECT_EQ(readsOf(results[0].at({0}), 2), Places({0}));
}

TEST(OracleTest, BitcastFollowsLayouts) {
  BitcastOp op;
  op.operands = {f32({2, 3})};
  op.results = {f32({2, 3})};
  op.results.mutableAt(0).layout.emplace().minorToMajor = {0, 1};
  // In memory: 0 1 2 3 4 5. The result's columns lie one after another.
  EXPECT_EQ(moves(op), Places({0, 2, 4, 1, 3, 5}));
}

TEST(OracleTest, BitcastFollowsTiles) {
  BitcastOp op;
  Layout layout;
  layout.minorToMajor = {1, 0};
  layout.tiles = {{{2, 2}}};
  op.operands = {f32({2, 3})};
  op.operands.mutableAt(0).layout = layout;
  op.results = {f32({7})};
  // Two tiles: 0 1 / 3 4 and 2 - / 5 -.
  EXPECT_EQ(moves(op), Places({0, 1, 3, 4, 2, -1, 5}));
  layout.tiles = {{{2, 2}}, {{2, 1}}};
  op.operands.mutableAt(0).layout = layout;
  EXPECT_EQ(moves(op), Places({0, 3, 1, 4, 2, 5, -1}));
}

TEST(OracleTest, BitcastOfOtherWidth) {
  BitcastOp op;
  op.operands = {f32({3})};
  op.results = {ArrayShape(ElementType::U16, {6})};
  EXPECT_EQ(moves(op), Places({0, 0, 1, 1, 2, 2}));
  std::swap(op.operands, op.results);
  std::vector<Tensor> results = evaluate(op, {});
  EXPECT_EQ(readsOf(results[0].at({2}), 0), Places({4, 5}));
}

TEST(OracleTest, BitcastConvertTakesTheTrailingDimension) {
  BitcastConvertOp op;
  op.operands = {ArrayShape(ElementType::U8, {2, 4})};
  op.results = {f32({2})};
  std::vector<Tensor> results = evaluate(op, {});
  EXPECT_EQ(readsOf(results[0].at({1}), 0), Places({4, 5, 6, 7}));
}

TEST(OracleTest, ReduceWindowSkipsPaddingAndHoles) {
  ReduceWindowOp op;
  op.operands = {f32({3}), f32({})};
  op.results = {f32({3})};
  WindowDimension window;
  window.size = 2;
  window.stride = 2;
  window.padLow = 1;
  window.padHigh = 1;
  window.baseDilation = 2;
  window.windowDilation = 2;
  op.window = {window};
  // Base: - 0 - 1 - 2 -; windows take places {0, 2}, {2, 4}, {4, 6}.
  std::vector<Tensor> results = evaluate(op, {});
  for (int64_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(readsOf(results[0].at({i}), 0).empty());
    EXPECT_EQ(readsOf(results[0].at({i}), 1), Places({0}));
  }
  op.window[0].padLow = 0;
  op.window[0].padHigh = 2;
  results = evaluate(op, {});
  EXPECT_EQ(readsOf(results[0].at({0}), 0), Places({0, 1}));
  EXPECT_EQ(readsOf(results[0].at({2}), 0), Places({2}));
}

TEST(OracleTest, DotOrdersItsResult) {
  DotOp op;
  op.operands = {f32({2, 3, 4}), f32({4, 5, 2})};
  op.results = {f32({2, 3, 5})};
  op.lhsBatch = {0}, op.rhsBatch = {2};
  op.lhsContracting = {2}, op.rhsContracting = {0};
  std::vector<Tensor> results = evaluate(op, {});
  EXPECT_EQ(readsOf(results[0].at({1, 2, 3}), 0), Places({20, 21, 22, 23}));
  EXPECT_EQ(readsOf(results[0].at({1, 2, 3}), 1), Places({7, 17, 27, 37}));
}

TEST(OracleTest, SelectReadsItsScalarPredicate) {
  ElementwiseOp op;
  op.operands = {ArrayShape(ElementType::Pred, {}), f32({2}), f32({2})};
  op.results = {f32({2})};
  std::vector<Tensor> results = evaluate(op, {});
  EXPECT_EQ(results[0].at({1}).size(), 3u);
  EXPECT_EQ(readsOf(results[0].at({1}), 0), Places({0}));
}

// The first example of a pooling gradient: windows {0, 1, 2} and {3, 4, 5}.
TEST(OracleTest, SelectAndScatterReadsWindows) {
  SelectAndScatterOp op;
  op.operands = {f32({6}), f32({2}), f32({})};
  op.results = {f32({6})};
  op.window.resize(1);
  op.window[0].size = 3, op.window[0].stride = 3;
  std::vector<Tensor> results = evaluate(op, {});
  EXPECT_EQ(readsOf(results[0].at({1}), 0), Places({0, 1, 2}));
  EXPECT_EQ(readsOf(results[0].at({1}), 1), Places({0}));
  EXPECT_EQ(readsOf(results[0].at({5}), 0), Places({3, 4, 5}));
  EXPECT_EQ(readsOf(results[0].at({5}), 1), Places({1}));
  EXPECT_EQ(readsOf(results[0].at({5}), 2), Places({0}));
}

// Two groups: the first output feature reads the first half of the batch.
TEST(OracleTest, ConvolutionInBatchGroups) {
  ConvolutionOp op;  // bf_oi->bf
  op.operands = {f32({4, 1}), f32({2, 1})};
  op.results = {f32({2, 2})};
  op.batchGroups = 2;
  std::vector<Tensor> results = evaluate(op, {});
  EXPECT_EQ(readsOf(results[0].at({0, 0}), 0), Places({0}));
  EXPECT_EQ(readsOf(results[0].at({1, 0}), 0), Places({1}));
  EXPECT_EQ(readsOf(results[0].at({0, 1}), 0), Places({2}));
  EXPECT_EQ(readsOf(results[0].at({1, 1}), 0), Places({3}));
  EXPECT_EQ(readsOf(results[0].at({1, 1}), 1), Places({1}));
}

TEST(OracleTest, ConvolutionReadsItsKernelInPadding) {
  ConvolutionOp op;  // bf0_oi0->bf0
  op.operands = {f32({1, 1, 3}), f32({1, 1, 3})};
  op.results = {f32({1, 1, 3})};
  op.inputSpatial = op.kernelSpatial = op.outputSpatial = {2};
  op.window.resize(1);
  op.window[0].size = 3, op.window[0].padLow = op.window[0].padHigh = 1;
  std::vector<Tensor> results = evaluate(op, {});
  EXPECT_EQ(readsOf(results[0].at({0, 0, 0}), 0), Places({0, 1}));
  EXPECT_EQ(readsOf(results[0].at({0, 0, 0}), 1), Places({0, 1, 2}));
  EXPECT_EQ(readsOf(results[0].at({0, 0, 2}), 0), Places({1, 2}));
}

TEST(OracleTest, RaggedDotDealsRowsOut) {
  RaggedDotOp op;
  op.operands = {f32({5, 1}), f32({3, 1, 1}),
                 ArrayShape(ElementType::S32, {3})};
  op.results = {f32({5, 1})};
  op.lhsContracting = op.rhsContracting = {1};
  op.lhsRagged = op.rhsGroup = {0};
  std::vector<Tensor> results = evaluate(op, {{}, {}, {2, 0, 1}});
  EXPECT_EQ(readsOf(results[0].at({1, 0}), 1), Places({0}));
  EXPECT_EQ(readsOf(results[0].at({2, 0}), 1), Places({2}));
  EXPECT_EQ(readsOf(results[0].at({2, 0}), 0), Places({2}));
  EXPECT_EQ(readsOf(results[0].at({3, 0}), 0), Places());
  EXPECT_EQ(readsOf(results[0].at({3, 0}), 2), Places({0, 1, 2}));
  // The first group as if it had no rows, the last as if it had what is left.
  results = evaluate(op, {{}, {}, {-3, 1, INT64_MAX}});
  EXPECT_EQ(readsOf(results[0].at({0, 0}), 1), Places({1}));
  EXPECT_EQ(readsOf(results[0].at({4, 0}), 1), Places({2}));
}

TEST(OracleTest, ScaledDotReadsBlocks) {
  ScaledDotOp op;
  op.operands = {f32({4, 6}), f32({6, 1}), f32({2, 3}), f32({})};
  op.results = {f32({4, 1})};
  op.lhsContracting = {1}, op.rhsContracting = {0};
  std::vector<Tensor> results = evaluate(op, {});
  EXPECT_EQ(readsOf(results[0].at({1, 0}), 2), Places({0, 1, 2}));
  EXPECT_EQ(readsOf(results[0].at({2, 0}), 2), Places({3, 4, 5}));
  EXPECT_EQ(readsOf(results[0].at({2, 0}), 3), Places({0}));
}

}  // namespace
}  // namespace indexical::testing
