// The examples of the document on batching dimensions, run through the maps: a
// result is made of the elements that the maps say it reads.
#include <cstdint>
#include <numeric>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/ops/families.h"
#include "indexical/ops/op.h"
#include "tests/support/relation_points.h"

namespace indexical::testing {
namespace {

using Values = std::vector<int64_t>;

/// [[…], …] of shape 2x3x4x2, counted from 1.
Values operandOfDocument() {
  Values values(48);
  std::iota(values.begin(), values.end(), 1);
  return values;
}

/// The shape is 2x2x3x2.
Values indicesOfDocument() {
  return {0, 0, 1, 0, 2, 1, 0, 1, 1, 1, 0, 9,
          0, 0, 2, 1, 2, 2, 1, 2, 0, 1, 1, 0};
}

ArrayShape shape(ElementType type, llvm::ArrayRef<int64_t> sizes) {
  return ArrayShape(type, sizes);
}

/// The pairs of the result's and the operand's elements, which are the same in
/// both directions.
std::vector<PointPair> pairsOf(const Op &op, int64_t operand,
                               const OperandValues &values) {
  const OpShapes &shapes = shapesOf(op);
  const RuntimeTensors tensors = {shapes.operands, values};
  const auto &from = shapes.results[0].dimensions;
  const auto &to = shapes.operands[operand].dimensions;
  auto reads = indexing(op, Direction::OutputToInput, 0, operand);
  auto users = indexing(op, Direction::InputToOutput, 0, operand);
  EXPECT_TRUE(reads.ok() && users.ok());
  auto down = pointsOf(*reads, from, to, tensors);
  auto up = pointsOf(*users, to, from, tensors);
  EXPECT_TRUE(down.ok()) << down.status();
  EXPECT_TRUE(up.ok()) << up.status();
  EXPECT_EQ(down->pairs, transposed(up->pairs));
  EXPECT_TRUE(down->disjoint);
  return down->pairs;
}

TEST(BatchingDimsDocumentTest, Gather) {
  GatherOp op;
  op.operands = {shape(ElementType::S32, {2, 3, 4, 2}),
                 shape(ElementType::S64, {2, 2, 3, 2})};
  op.results = {shape(ElementType::S32, {2, 2, 3, 2, 2})};
  op.offsetDims = {3, 4};
  op.collapsedSliceDims = {1};
  op.operandBatchingDims = {0};
  op.startIndicesBatchingDims = {1};
  op.startIndexMap = {2, 1};
  op.indexVectorDim = 3;
  op.sliceSizes = {1, 1, 2, 2};
  ASSERT_TRUE(verify(op).ok()) << verify(op);
  const Values operand = operandOfDocument();
  Values result(48, 0);
  std::vector<int> times(48, 0);
  for (const auto &[o, i] : pairsOf(op, 0, {{}, indicesOfDocument()})) {
    result[o] = operand[i];
    ++times[o];
  }
  EXPECT_EQ(times, std::vector<int>(48, 1));
  EXPECT_EQ(result, (Values{1,  2,  3,  4,  3,  4,  5,  6,  13, 14, 15, 16,
                            33, 34, 35, 36, 35, 36, 37, 38, 41, 42, 43, 44,
                            1,  2,  3,  4,  13, 14, 15, 16, 21, 22, 23, 24,
                            43, 44, 45, 46, 33, 34, 35, 36, 27, 28, 29, 30}));
}

TEST(BatchingDimsDocumentTest, Scatter) {
  ScatterOp op;
  op.operands = {shape(ElementType::S64, {2, 3, 4, 2}),
                 shape(ElementType::S64, {2, 2, 3, 2}),
                 shape(ElementType::S64, {2, 2, 3, 2, 2})};
  op.results = {shape(ElementType::S64, {2, 3, 4, 2})};
  op.updateWindowDims = {3, 4};
  op.insertedWindowDims = {1};
  op.inputBatchingDims = {0};
  op.scatterIndicesBatchingDims = {1};
  op.scatterDimsToOperandDims = {2, 1};
  op.indexVectorDim = 3;
  op.bodyReads = {ScatterOp::BodyRead::Always};
  ASSERT_TRUE(verify(op).ok()) << verify(op);
  const Values input = operandOfDocument(), updates(48, 1);
  const OperandValues values = {{}, indicesOfDocument(), {}};
  Values result(48, 0);
  for (const auto &[o, i] : pairsOf(op, 0, values)) result[o] += input[i];
  for (const auto &[o, i] : pairsOf(op, 2, values)) result[o] += updates[i];
  EXPECT_EQ(result, (Values{3,  4,  6,  7,  6,  7,  7,  8,  9,  10, 11, 12,
                            15, 16, 17, 18, 17, 18, 19, 20, 22, 23, 24, 25,
                            25, 26, 28, 29, 30, 31, 31, 32, 35, 36, 38, 39,
                            38, 39, 39, 40, 41, 42, 44, 45, 46, 47, 47, 48}));
}

}  // namespace
}  // namespace indexical::testing
