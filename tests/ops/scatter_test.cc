// The reads of scatter's inputs: covers, which must not be larger than allowed.
// The example of the StableHLO document on batching dimensions is here too.
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/ops/families.h"
#include "indexical/ops/op.h"
#include "tests/oracle/oracle.h"
#include "tests/support/shapes.h"

namespace indexical::testing {
namespace {

using BodyRead = ScatterOp::BodyRead;

/// f32[8], f32[8], …, indices s32[5,1], updates f32[5,3].
ScatterOp scatterOf(int64_t inputs, std::vector<BodyRead> bodyReads) {
  ScatterOp op;
  for (int64_t k = 0; k < inputs; ++k) {
    op.operands.push_back(f32({8}));
    op.results.push_back(f32({8}));
  }
  op.operands.push_back(s32({5, 1}));
  for (int64_t k = 0; k < inputs; ++k) op.operands.push_back(f32({5, 3}));
  op.updateWindowDims = {1};
  op.scatterDimsToOperandDims = {0};
  op.indexVectorDim = 1;
  op.bodyReads.assign(bodyReads.begin(), bodyReads.end());
  return op;
}

/// Precision and pieces, in both directions; they must be the same.
std::string readOf(const ScatterOp &op, int64_t result, int64_t operand) {
  std::string text;
  EXPECT_TRUE(verify(op).ok()) << verify(op);
  for (Direction direction :
       {Direction::OutputToInput, Direction::InputToOutput}) {
    auto relation = indexing(op, direction, result, operand);
    EXPECT_TRUE(relation.ok()) << relation.status();
    std::string here = precisionName(relation->precision()).str();
    for (const IndexingMap &piece : relation->pieces())
      here += " " + piece.strOneLine();
    EXPECT_TRUE(text.empty() || text == here) << text << "\n" << here;
    text = here;
  }
  return text;
}

std::string pieceOf(const ScatterOp &op, Direction direction, int64_t operand) {
  auto relation = indexing(op, direction, 0, operand);
  EXPECT_TRUE(relation.ok()) << relation.status();
  EXPECT_EQ(relation->pieces().size(), 1u);
  return relation->pieces()[0].strOneLine();
}

const char *const kIdentity = " (d0) -> (d0), domain: d0 in [0, 7]";
const char *const kNotRead = "exact";

TEST(ScatterTest, InputIsReadAsTheBodyReadsIt) {
  EXPECT_EQ(readOf(scatterOf(1, {BodyRead::Always}), 0, 0),
            std::string("exact") + kIdentity);
  for (auto reads :
       {std::vector<BodyRead>{}, {BodyRead::Maybe}, {BodyRead::Never}})
    EXPECT_EQ(readOf(scatterOf(1, reads), 0, 0),
              std::string("cover") + kIdentity);
}

// Result 0 takes argument 1, result 1 argument 2, result 2 itself: applied
// twice to one element, result 0 has read input 2.
TEST(ScatterTest, OtherInputsAreReadThroughRepeatedUpdates) {
  const auto no = BodyRead::Never, yes = BodyRead::Always;
  const ScatterOp op = scatterOf(3, {no, yes, no, no, no, yes, no, no, yes});
  const std::string cover = std::string("cover") + kIdentity;
  EXPECT_EQ(readOf(op, 0, 0), cover);
  EXPECT_EQ(readOf(op, 0, 1), cover);
  EXPECT_EQ(readOf(op, 0, 2), cover);
  EXPECT_EQ(readOf(op, 1, 0), kNotRead);
  EXPECT_EQ(readOf(op, 1, 2), cover);
  EXPECT_EQ(readOf(op, 2, 2), std::string("exact") + kIdentity);
  EXPECT_EQ(readOf(op, 2, 0), kNotRead);
  EXPECT_EQ(readOf(scatterOf(2, {}), 0, 1), cover);
}

// Nothing is overwritten if there are no updates.
TEST(ScatterTest, WithoutUpdatesTheInputIsTheResult) {
  ScatterOp op = scatterOf(2, {});
  op.operands.mutableAt(3) = f32({5, 0});
  op.operands.mutableAt(4) = f32({5, 0});
  EXPECT_EQ(readOf(op, 0, 0), std::string("exact") + kIdentity);
  EXPECT_EQ(readOf(op, 0, 1), kNotRead);
  EXPECT_EQ(readOf(op, 0, 3), kNotRead);
}

TEST(ScatterTest, SlicesPartlyOutside) {
  ScatterOp op = scatterOf(1, {});
  EXPECT_EQ(pieceOf(op, Direction::OutputToInput, 2),
            "(d0)[s0]{rt0} -> (s0, d0 - rt0), domain: d0 in [0, 7], s0 in "
            "[0, 4], rt0 in [-2, 7], d0 - rt0 in [0, 2]");
  EXPECT_EQ(pieceOf(op, Direction::InputToOutput, 2),
            "(d0, d1){rt0} -> (d1 + rt0), domain: d0 in [0, 4], d1 in [0, 2], "
            "rt0 in [-2, 7], d1 + rt0 in [0, 7]");
  op.partlyOutside = ScatterOp::PartlyOutside::SkipSlice;
  EXPECT_EQ(pieceOf(op, Direction::OutputToInput, 2),
            "(d0)[s0]{rt0} -> (s0, d0 - rt0), domain: d0 in [0, 7], s0 in "
            "[0, 4], rt0 in [0, 5], d0 - rt0 in [0, 2]");
  EXPECT_EQ(pieceOf(op, Direction::InputToOutput, 2),
            "(d0, d1){rt0} -> (d1 + rt0), domain: d0 in [0, 4], d1 in [0, 2], "
            "rt0 in [0, 5]");
  auto relation = indexing(op, Direction::OutputToInput, 0, 2);
  const RuntimeVariable &start = relation->pieces()[0].runtime()[0];
  EXPECT_FALSE(start.clamped);
  EXPECT_EQ(start.source.tensor, 1);
  EXPECT_EQ(relation->pieces()[0].sourceMap(0).strOneLine(),
            "(d0)[s0] -> (s0, 0), domain: d0 in [0, 7], s0 in [0, 4]");
}

TEST(ScatterTest, IndicesAreReadWholeOfTheBatch) {
  EXPECT_EQ(pieceOf(scatterOf(1, {}), Direction::OutputToInput, 1),
            "(d0)[s0, s1] -> (s0, s1), domain: d0 in [0, 7], s0 in [0, 4], s1 "
            "in [0, 0]");
}

// The document's example, whose updates are all 1 and added: an element of its
// result is that of its input, which is its place plus 1, and the number of
// updates that it reads.
TEST(ScatterTest, ExampleOfTheBatchingDocument) {
  ScatterOp op;
  op.operands = {f32({2, 3, 4, 2}), s32({2, 2, 3, 2}), f32({2, 2, 3, 2, 2})};
  op.results = {f32({2, 3, 4, 2})};
  op.updateWindowDims = {3, 4};
  op.insertedWindowDims = {1};
  op.inputBatchingDims = {0};
  op.scatterIndicesBatchingDims = {1};
  op.scatterDimsToOperandDims = {2, 1};
  op.indexVectorDim = 3;
  ASSERT_TRUE(verify(op).ok()) << verify(op);
  const OperandValues values = {
      {},
      {0, 0, 1, 0, 2, 1, 0, 1, 1, 1, 0, 9, 0, 0, 2, 1, 2, 2, 1, 2, 0, 1, 1, 0},
      {}};
  const std::vector<int64_t> document = {
      3,  4,  6,  7,  6,  7,  7,  8,  9,  10, 11, 12, 15, 16, 17, 18,
      17, 18, 19, 20, 22, 23, 24, 25, 25, 26, 28, 29, 30, 31, 31, 32,
      35, 36, 38, 39, 38, 39, 39, 40, 41, 42, 44, 45, 46, 47, 47, 48};
  const std::vector<Tensor> results = evaluate(op, values);
  for (size_t place = 0; place < document.size(); ++place) {
    int64_t value = static_cast<int64_t>(place) + 1;
    for (const Read &read : results[0].elements[place])
      value += read.operand == 2;
    EXPECT_EQ(value, document[place]) << "at place " << place;
  }
}

}  // namespace
}  // namespace indexical::testing
