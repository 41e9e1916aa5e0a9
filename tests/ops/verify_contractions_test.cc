// Contractions and windows that verify refuses, as in verify_test.cc.
#include <iterator>
#include <limits>

#include "gtest/gtest.h"

#include "indexical/ops/families.h"
#include "indexical/ops/op.h"
#include "tests/ops/expect_refused.h"
#include "tests/support/random.h"
#include "tests/support/shapes.h"

namespace indexical::testing {
namespace {

constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

TEST(VerifyContractionsTest, ScaledDot) {
  auto op = withShapes<ScaledDotOp>(
      {f32({2, 3, 32}), f32({32, 5, 2}), f32({2, 1, 4}), f32({})},
      {f32({2, 3, 5})});
  op.lhsBatch = {0}, op.rhsBatch = {2};
  op.lhsContracting = {2}, op.rhsContracting = {0};
  const char *scale = "a scale";
  expectRefused<ScaledDotOp>(
      op,
      {{"lhs_batch_dims", [](auto &op) { op.lhsBatch = {3}; }},
       {"rhs_batch_dims", [](auto &op) { op.rhsBatch = {}; }},
       {"lhs_contracting_dims", [](auto &op) { op.lhsContracting = {0}; }},
       {"rhs_contracting_dims", [](auto &op) { op.rhsContracting = {-1}; }},
       {scale, [](auto &op) { op.operands.mutableAt(2) = f32({2, 4}); }},
       {scale, [](auto &op) { op.operands.mutableAt(2) = f32({2, 2, 4}); }},
       {scale, [](auto &op) { op.operands.mutableAt(2) = f32({2, 3, 64}); }},
       {scale, [](auto &op) { op.operands.mutableAt(2) = f32({2, 3, 0}); }},
       {"operand 3",
        [](auto &op) { op.operands.mutableAt(3) = f32({1, 1, 3}); }},
       {"result", [](auto &op) { op.results.mutableAt(0) = f32({2, 5, 3}); }},
       {"operand", [](auto &op) { op.operands.pop_back(); }}});
}

const char *kRagged = "lhs_ragged_dims", *kGroup = "rhs_group_dims";
const char *kSizes = "the group sizes";

TEST(VerifyContractionsTest, RaggedDotOfFreeRows) {
  // b, x, m, k by g, b, k, n
  auto op = withShapes<RaggedDotOp>(
      {f32({19, 17, 11, 5}), f32({3, 19, 5, 7}), s32({19, 17, 3})},
      {f32({19, 17, 11, 7})});
  op.lhsBatch = {0}, op.rhsBatch = {1};
  op.lhsContracting = {3}, op.rhsContracting = {2};
  op.lhsRagged = {2}, op.rhsGroup = {0};
  expectRefused<RaggedDotOp>(
      op,
      {{kRagged, [](auto &op) { op.lhsRagged = {}; }},
       {kRagged, [](auto &op) { op.lhsRagged = {1, 2}; }},
       {kRagged, [](auto &op) { op.lhsRagged = {4}; }},
       {kRagged, [](auto &op) { op.lhsRagged = {kLeast}; }},
       {kGroup, [](auto &op) { op.rhsGroup = {}; }},
       {kGroup, [](auto &op) { op.rhsGroup = {1}; }},
       {kGroup, [](auto &op) { op.rhsGroup = {2}; }},
       {kGroup, [](auto &op) { op.rhsGroup = {kMost}; }},
       {kGroup, [](auto &op) { op.rhsGroup = {0, 3}; }},
       {kGroup, [](auto &op) { op.lhsRagged = {0}; }},
       {kGroup, [](auto &op) { op.lhsRagged = {3}; }},
       {kSizes, [](auto &op) { op.operands.mutableAt(2) = s32({19, 3}); }},
       {kSizes, [](auto &op) { op.operands.mutableAt(2) = s32({19, 11, 3}); }},
       {kSizes, [](auto &op) { op.operands.mutableAt(2) = s32({2}); }},
       {kSizes, [](auto &op) { op.operands.mutableAt(2) = s32({}); }},
       {kSizes, [](auto &op) { op.operands.mutableAt(2) = f32({3}); }},
       {"rhs_contracting_dims", [](auto &op) { op.rhsContracting = {3}; }},
       {"result",
        [](auto &op) { op.results.mutableAt(0) = f32({3, 19, 17, 11, 7}); }},
       {"operand", [](auto &op) { op.operands.pop_back(); }}});
  op.operands.mutableAt(2) = s32({3});
  EXPECT_TRUE(verify(op).ok()) << verify(op);
}

TEST(VerifyContractionsTest, RaggedDotOfContractedRows) {
  auto op = withShapes<RaggedDotOp>(
      {f32({19, 11, 17, 5}), f32({19, 17, 5, 7}), s32({19, 17, 3})},
      {f32({3, 19, 11, 7})});
  op.lhsBatch = {0}, op.rhsBatch = {0};
  op.lhsContracting = {2, 3}, op.rhsContracting = {1, 2};
  op.lhsRagged = {3};
  expectRefused<RaggedDotOp>(
      op,
      {{kGroup, [](auto &op) { op.rhsGroup = {3}; }},
       {kGroup, [](auto &op) { op.lhsRagged = {1}; }},
       {kSizes, [](auto &op) { op.lhsRagged = {2}; }},
       {kSizes, [](auto &op) { op.operands.mutableAt(2) = s32({19, 11, 3}); }},
       {"result", [](auto &op) { op.results.mutableAt(0) = f32({19, 11, 7}); }},
       {"result",
        [](auto &op) { op.results.mutableAt(0) = f32({2, 19, 11, 7}); }}});
}

TEST(VerifyContractionsTest, RaggedDotOfBatches) {
  auto op = withShapes<RaggedDotOp>(
      {f32({17, 19, 11, 5}), f32({17, 19, 5, 7}), s32({17, 3})},
      {f32({17, 19, 11, 7})});
  op.lhsBatch = {0, 1}, op.rhsBatch = {0, 1};
  op.lhsContracting = {3}, op.rhsContracting = {2};
  op.lhsRagged = {1};
  expectRefused<RaggedDotOp>(
      op, {{kGroup, [](auto &op) { op.rhsGroup = {3}; }},
           {kSizes, [](auto &op) { op.operands.mutableAt(2) = s32({19, 3}); }},
           {"result", [](auto &op) {
              op.results.mutableAt(0) = f32({3, 17, 19, 11, 7});
            }}});
}

ConvolutionOp convolution() {
  // b01f_01io->b01f
  auto op = withShapes<ConvolutionOp>({f32({8, 10, 12, 6}), f32({3, 2, 6, 4})},
                                      {f32({8, 8, 11, 4})});
  op.inputBatch = 0, op.inputFeature = 3, op.inputSpatial = {1, 2};
  op.kernelSpatial = {0, 1};
  op.kernelInputFeature = 2, op.kernelOutputFeature = 3;
  op.outputBatch = 0, op.outputFeature = 3, op.outputSpatial = {1, 2};
  op.window.resize(2);
  op.window[0].size = 3, op.window[1].size = 2;
  return op;
}

TEST(VerifyContractionsTest, Convolution) {
  const char *labels = "dim_labels of the ";
  expectRefused<ConvolutionOp>(
      convolution(),
      {{labels, [](auto &op) { op.inputBatch = 4; }},
       {labels, [](auto &op) { op.inputFeature = kLeast; }},
       {labels, [](auto &op) { op.inputSpatial = {1, 1}; }},
       {labels, [](auto &op) { op.inputSpatial = {1}; }},
       {labels, [](auto &op) { op.kernelSpatial = {0, 3}; }},
       {labels, [](auto &op) { op.kernelOutputFeature = -1; }},
       {labels, [](auto &op) { op.outputBatch = 3; }},
       {labels, [](auto &op) { op.outputSpatial = {1, 2, 0}; }},
       {"window", [](auto &op) { op.window.pop_back(); }},
       {"window", [](auto &op) { op.window.resize(3); }},
       {"size", [](auto &op) { op.window[0].size = 0; }},
       {"size", [](auto &op) { op.window[0].size = kLeast; }},
       {"stride", [](auto &op) { op.window[0].stride = kLeast; }},
       {"dilation", [](auto &op) { op.window[0].windowDilation = 0; }},
       {"dilation", [](auto &op) { op.window[0].baseDilation = -1; }},
       {"64 bits", [](auto &op) { op.window[0].windowDilation = kMost; }},
       {"64 bits", [](auto &op) { op.window[0].baseDilation = kMost; }},
       {"64 bits", [](auto &op) { op.window[0].padHigh = kMost; }},
       {"64 bits",
        [](auto &op) {
          op.window[0].padLow = kLeast, op.window[0].padHigh = kMost;
        }},
       {"pad", [](auto &op) { op.window[0].padLow = -11; }},
       {"kernel", [](auto &op) { op.window[0].size = 2; }},
       {"kernel",
        [](auto &op) { op.operands.mutableAt(1) = f32({3, 2, 5, 4}); }},
       {"(C1)", [](auto &op) { op.operands.mutableAt(1) = f32({3, 2, 6}); }},
       {"result", [](auto &op) { op.window[0].stride = 2; }},
       {"result",
        [](auto &op) { op.results.mutableAt(0) = f32({8, 8, 11, 5}); }},
       {"result",
        [](auto &op) { op.results.mutableAt(0) = f32({4, 8, 11, 4}); }},
       {"operand", [](auto &op) { op.operands.pop_back(); }}});
}

TEST(VerifyContractionsTest, ConvolutionOfOtherRanks) {
  auto op = convolution();
  op.operands.mutableAt(1) = f32({3, 6, 4});
  op.kernelSpatial = {0};
  op.kernelInputFeature = 1, op.kernelOutputFeature = 2;
  EXPECT_NE(verify(op).message().find("same rank"), std::string::npos);
}

TEST(VerifyContractionsTest, ConvolutionInGroups) {
  const char *feature = "feature_group_count", *batch = "batch_group_count";
  auto op = convolution();
  op.featureGroups = 2;
  op.operands.mutableAt(1) = f32({3, 2, 3, 4});
  expectRefused<ConvolutionOp>(
      op, {{feature, [](auto &op) { op.featureGroups = 0; }},
           {feature, [](auto &op) { op.featureGroups = kLeast; }},
           {feature, [](auto &op) { op.featureGroups = 4; }},
           {feature, [](auto &op) { op.featureGroups = 3; }},
           {"kernel", [](auto &op) { op.featureGroups = 1; }},
           {"(C23)", [](auto &op) { op.batchGroups = 2; }},
           {batch, [](auto &op) { op.batchGroups = -1; }}});
  auto batched = convolution();
  batched.batchGroups = 4;
  batched.results.mutableAt(0) = f32({2, 8, 11, 4});
  expectRefused<ConvolutionOp>(
      batched, {{batch, [](auto &op) { op.batchGroups = 0; }},
                {batch, [](auto &op) { op.batchGroups = 3; }},
                {batch, [](auto &op) { op.batchGroups = 8; }},
                {"result", [](auto &op) { op.batchGroups = 2; }}});
}

TEST(VerifyContractionsTest, SelectAndScatter) {
  auto op = withShapes<SelectAndScatterOp>({f32({10, 4}), f32({5, 4}), f32({})},
                                           {f32({10, 4})});
  op.window.resize(2);
  op.window[0].size = 3;
  op.window[0].stride = 2;
  op.window[0].padHigh = 1;
  expectRefused<SelectAndScatterOp>(
      op,
      {{"window", [](auto &op) { op.window.pop_back(); }},
       {"size", [](auto &op) { op.window[0].size = kLeast; }},
       {"stride", [](auto &op) { op.window[1].stride = 0; }},
       {"pad", [](auto &op) { op.window[1].padLow = -5; }},
       {"the source", [](auto &op) { op.window[0].stride = 1; }},
       {"the source", [](auto &op) { op.operands.mutableAt(1) = f32({4, 5}); }},
       {"the init", [](auto &op) { op.operands.mutableAt(2) = f32({1}); }},
       {"result", [](auto &op) { op.results.mutableAt(0) = f32({5, 4}); }},
       {"operand", [](auto &op) { op.operands.pop_back(); }}});
}

// Whatever the numbers are, there is an answer, or an error.
TEST(VerifyContractionsTest, AnyWindow) {
  const int64_t kNumbers[] = {kLeast,    kLeast + 1, kLeast / 2, -3,   -1,
                              0,         1,          2,          3,    5,
                              kMost / 3, kMost / 2,  kMost - 1,  kMost};
  const int64_t kSizes[] = {0, 1, 5, kMost / 2, kMost, kDynamicSize};
  int64_t valid = 0, answers = 0;
  for (int64_t seed = 0; seed < 60000; ++seed) {
    Random random(seed);
    auto number = [&](int64_t standard) {
      return random.oneIn(2) ? standard
                             : kNumbers[random.in(0, std::size(kNumbers) - 1)];
    };
    auto shape = [&] {
      return f32({kSizes[random.in(0, std::size(kSizes) - 1)]});
    };
    WindowDimension window;
    window.size = number(1), window.stride = number(1);
    window.padLow = number(0), window.padHigh = number(0);
    window.baseDilation = number(1), window.windowDilation = number(1);
    auto op = withShapes<SelectAndScatterOp>({shape(), shape(), f32({})}, {});
    // Mostly the number of windows is not known, to be valid.
    if (!random.oneIn(4)) op.operands.mutableAt(1) = f32({kDynamicSize});
    op.results = {op.operands[0]};
    op.window = {window};
    if (!verify(op).ok()) continue;
    ++valid;
    for (Direction direction :
         {Direction::OutputToInput, Direction::InputToOutput})
      for (int64_t operand : {0, 1})
        answers += indexing(op, direction, 0, operand).ok();
  }
  EXPECT_GT(valid, 1000);
  EXPECT_GT(answers, 3 * valid);
}

}  // namespace
}  // namespace indexical::testing
