// Ops that scatter, sort, transform and solve, and that verify refuses.
#include <cstdint>

#include "gtest/gtest.h"

#include "indexical/ops/families.h"
#include "indexical/ops/op.h"
#include "tests/ops/expect_refused.h"
#include "tests/support/shapes.h"

namespace indexical::testing {
namespace {

ArrayShape c64(llvm::ArrayRef<int64_t> sizes) {
  return ArrayShape(ElementType::C64, sizes);
}

/// Two inputs f32[5,6,7,2], s32[5,6,7,2], batch dimension 3, indices
/// s32[2,4,2].
ScatterOp validScatter() {
  auto op = withShapes<ScatterOp>(
      {f32({5, 6, 7, 2}), s32({5, 6, 7, 2}), s32({2, 4, 2}), f32({2, 3, 4, 7}),
       s32({2, 3, 4, 7})},
      {f32({5, 6, 7, 2}), s32({5, 6, 7, 2})});
  op.updateWindowDims = {1, 3};
  op.insertedWindowDims = {1};
  op.inputBatchingDims = {3};
  op.scatterIndicesBatchingDims = {0};
  op.scatterDimsToOperandDims = {1, 0};
  op.indexVectorDim = 2;
  return op;
}

TEST(VerifyAlgorithmsTest, ScatterLeaves) {
  expectRefused<ScatterOp>(
      validScatter(),
      {{"(C1)", [](auto &op) { op.operands.mutableAt(1) = s32({5, 6, 7, 3}); }},
       {"(C3)", [](auto &op) { op.operands.mutableAt(4) = s32({2, 3, 4, 6}); }},
       {"(C5)", [](auto &op) { op.operands.pop_back(); }},
       {"(C24)", [](auto &op) { op.results.pop_back(); }},
       {"(C24)", [](auto &op) { op.results.clear(); }},
       {"(C6)", [](auto &op) { op.operands.mutableAt(3) = s32({2, 3, 4, 7}); }},
       {"(C6)",
        [](auto &op) { op.operands.mutableAt(3).type = ElementType::F64; }},
       {"(C6)",
        [](auto &op) {
          op.partlyOutside = ScatterOp::PartlyOutside::SkipSlice;
          op.operands.mutableAt(3).type = ElementType::C64;
        }},
       {"(C24)", [](auto &op) { op.results.mutableAt(1) = s32({5, 6, 7}); }},
       {"4 pairs", [](auto &op) {
          op.bodyReads.assign(4, ScatterOp::BodyRead::Always);
          op.operands = {f32({5, 6, 7, 2}), s32({2, 4, 2}), f32({2, 3, 4, 7})};
          op.results = {f32({5, 6, 7, 2})};
        }}});
  auto op = validScatter();
  op.partlyOutside = ScatterOp::PartlyOutside::SkipSlice;
  op.operands.mutableAt(3).type = ElementType::BF16;
  EXPECT_TRUE(verify(op).ok()) << verify(op);
}

TEST(VerifyAlgorithmsTest, ScatterLists) {
  expectRefused<ScatterOp>(
      validScatter(),
      {{"(C2)", [](auto &op) { op.updateWindowDims = {1}; }},
       {"(C2)", [](auto &op) { op.insertedWindowDims = {}; }},
       {"(C7)", [](auto &op) { op.updateWindowDims = {3, 1}; }},
       {"(C7)", [](auto &op) { op.updateWindowDims = {1, 1}; }},
       {"(C8)", [](auto &op) { op.updateWindowDims = {1, 4}; }},
       {"(C8)", [](auto &op) { op.updateWindowDims = {INT64_MIN, 3}; }},
       {"(C9)", [](auto &op) { op.insertedWindowDims = {3}; }},
       {"(C10)",
        [](auto &op) {
          op.insertedWindowDims = {2, 1};
          op.updateWindowDims = {1};
        }},
       {"(C11)", [](auto &op) { op.insertedWindowDims = {INT64_MAX}; }},
       {"(C11)", [](auto &op) { op.insertedWindowDims = {-1}; }},
       {"(C20)", [](auto &op) { op.scatterDimsToOperandDims[1] = 1; }},
       {"(C20)", [](auto &op) { op.scatterDimsToOperandDims[1] = 3; }},
       {"(C21)", [](auto &op) { op.scatterDimsToOperandDims[1] = 4; }},
       {"(C21)", [](auto &op) { op.scatterDimsToOperandDims[1] = INT64_MIN; }},
       {"(C22)", [](auto &op) { op.indexVectorDim = 4; }},
       {"(C22)", [](auto &op) { op.indexVectorDim = INT64_MIN; }},
       {"(C19)", [](auto &op) { op.indexVectorDim = 3; }},
       {"(C19)", [](auto &op) { op.indexVectorDim = 1; }},
       {"(C19)", [](auto &op) { op.scatterDimsToOperandDims = {1}; }}});
}

TEST(VerifyAlgorithmsTest, ScatterBatchingAndSizes) {
  expectRefused<ScatterOp>(
      validScatter(),
      {{"(C12)",
        [](auto &op) {
          op.inputBatchingDims = {3, 2};
          op.scatterIndicesBatchingDims = {0, 1};
          op.updateWindowDims = {1};
        }},
       {"(C13)", [](auto &op) { op.inputBatchingDims = {4}; }},
       {"(C13)", [](auto &op) { op.inputBatchingDims = {-1}; }},
       {"(C14)",
        [](auto &op) {
          op.inputBatchingDims = {2, 3};
          op.scatterIndicesBatchingDims = {0, 0};
          op.updateWindowDims = {1};
        }},
       {"(C15)", [](auto &op) { op.scatterIndicesBatchingDims = {3}; }},
       {"(C15)", [](auto &op) { op.scatterIndicesBatchingDims = {-1}; }},
       {"(C16)", [](auto &op) { op.scatterIndicesBatchingDims = {2}; }},
       {"(C17)", [](auto &op) { op.scatterIndicesBatchingDims = {}; }},
       {"(C18)", [](auto &op) { op.scatterIndicesBatchingDims = {1}; }},
       {"integers",
        [](auto &op) { op.operands.mutableAt(2) = f32({2, 4, 2}); }},
       // C4: of the window, of the batch, by rank.
       {"(C4)",
        [](auto &op) {
          op.operands.mutableAt(3) = f32({2, 6, 4, 7});
          op.operands.mutableAt(4) = s32({2, 6, 4, 7});
        }},
       {"(C4)",
        [](auto &op) {
          op.operands.mutableAt(3) = f32({2, 3, 5, 7});
          op.operands.mutableAt(4) = s32({2, 3, 5, 7});
        }},
       {"(C4)",
        [](auto &op) {
          op.operands.mutableAt(3) = f32({2, 3, 7});
          op.operands.mutableAt(4) = s32({2, 3, 7});
          op.updateWindowDims = {1, 2};
          op.scatterIndicesBatchingDims = {0};
        }},
       {"(C4)",
        [](auto &op) {
          op.operands.mutableAt(3) = f32({3, 7});
          op.operands.mutableAt(4) = s32({3, 7});
          op.updateWindowDims = {0, 1};
        }},
       {"(C4)", [](auto &op) {
          op.operands.mutableAt(3) = f32({2, 3, 4, 7, 1});
          op.operands.mutableAt(4) = s32({2, 3, 4, 7, 1});
        }}});
}

TEST(VerifyAlgorithmsTest, Sort) {
  auto op = withShapes<SortOp>({f32({2, 3}), s32({2, 3})},
                               {f32({2, 3}), s32({2, 3})});
  op.dimension = 1;
  expectRefused<SortOp>(
      op,
      {{"dimensions", [](auto &op) { op.dimension = 2; }},
       {"dimensions", [](auto &op) { op.dimension = -1; }},
       {"operand 1", [](auto &op) { op.operands.mutableAt(1) = s32({3, 2}); }},
       {"result 1", [](auto &op) { op.results.mutableAt(1) = s32({2}); }},
       {"operand", [](auto &op) { op.operands.pop_back(); }},
       {"operand", [](auto &op) {
          op.operands.clear();
          op.results.clear();
        }}});
}

TEST(VerifyAlgorithmsTest, TopK) {
  auto op = withShapes<TopKOp>({f32({2, 8})}, {f32({2, 3}), s32({2, 3})});
  op.k = 3;
  expectRefused<TopKOp>(
      op,
      {{"k must be at most", [](auto &op) { op.k = 9; }},
       {"k must be at least", [](auto &op) { op.k = -1; }},
       {"result 0", [](auto &op) { op.k = 4; }},
       {"result 1", [](auto &op) { op.results.mutableAt(1) = s32({2, 8}); }},
       {"last dimension", [](auto &op) { op.operands = {f32({})}; }},
       {"result", [](auto &op) { op.results.pop_back(); }},
       {"operand", [](auto &op) { op.operands.push_back(f32({})); }}});
}

TEST(VerifyAlgorithmsTest, Fft) {
  auto fft = withShapes<FftOp>({c64({2, 4, 8})}, {c64({2, 4, 8})});
  fft.lengths = {4, 8};
  expectRefused<FftOp>(
      fft, {{"fft_length", [](auto &op) { op.lengths = {}; }},
            {"fft_length", [](auto &op) { op.lengths = {1, 2, 4, 8}; }},
            {"fft_length", [](auto &op) { op.lengths = {4, INT64_MIN}; }},
            {"fft_length", [](auto &op) { op.operands = {c64({8})}; }},
            {"complex", [](auto &op) { op.operands = {f32({2, 4, 8})}; }},
            {"complex", [](auto &op) { op.results = {f32({2, 4, 8})}; }},
            {"result", [](auto &op) { op.results = {c64({2, 4, 5})}; }},
            {"result", [](auto &op) { op.results = {c64({2, 4})}; }}});
  auto rfft = withShapes<FftOp>({f32({2, 4, 8})}, {c64({2, 4, 5})});
  rfft.lengths = {4, 8};
  rfft.kind = FftOp::Kind::Rfft;
  expectRefused<FftOp>(
      rfft, {{"floating", [](auto &op) { op.operands = {c64({2, 4, 8})}; }},
             {"floating", [](auto &op) { op.operands = {s32({2, 4, 8})}; }},
             {"complex", [](auto &op) { op.results = {f32({2, 4, 5})}; }},
             {"fft_length", [](auto &op) { op.lengths = {4, 9}; }},
             {"fft_length", [](auto &op) { op.lengths = {4, INT64_MAX}; }},
             {"fft_length", [](auto &op) { op.lengths = {3, 8}; }},
             {"result must", [](auto &op) { op.results = {c64({2, 4, 8})}; }},
             {"result must", [](auto &op) { op.results = {c64({3, 4, 5})}; }}});
  auto irfft = withShapes<FftOp>({c64({5})}, {f32({8})});
  irfft.lengths = {8};
  irfft.kind = FftOp::Kind::Irfft;
  expectRefused<FftOp>(
      irfft, {{"operand must", [](auto &op) { op.operands = {c64({8})}; }},
              {"result must", [](auto &op) { op.results = {f32({9})}; }},
              {"complex", [](auto &op) { op.operands = {f32({5})}; }},
              {"floating", [](auto &op) { op.results = {c64({8})}; }}});
}

TEST(VerifyAlgorithmsTest, BatchNorm) {
  const ArrayShape large = f32({2, 3, 5}), small = f32({3});
  auto training =
      withShapes<BatchNormOp>({large, small, small}, {large, small, small});
  training.featureIndex = 1;
  const std::vector<Mistake<BatchNormOp>> mistakes = {
      {"feature_index", [](auto &op) { op.featureIndex = 3; }},
      {"feature_index", [](auto &op) { op.featureIndex = -1; }},
      {"feature_index", [](auto &op) { op.featureIndex = 2; }},
      {"operand 1", [](auto &op) { op.operands.mutableAt(1) = f32({2}); }},
      {"operand 2", [](auto &op) { op.operands.mutableAt(2) = f32({3, 1}); }},
      {"result 0", [](auto &op) { op.results.mutableAt(0) = f32({2, 3}); }},
      {"operand", [](auto &op) { op.operands.pop_back(); }},
      {"result", [](auto &op) { op.results.pop_back(); }}};
  expectRefused(training, mistakes);
  auto inference =
      withShapes<BatchNormOp>({large, small, small, small, small}, {large});
  inference.kind = BatchNormOp::Kind::Inference;
  inference.featureIndex = 1;
  expectRefused(inference, mistakes);
  auto gradient = withShapes<BatchNormOp>({large, small, small, small, large},
                                          {large, small, small});
  gradient.kind = BatchNormOp::Kind::Gradient;
  gradient.featureIndex = 1;
  expectRefused(gradient, mistakes);
  expectRefused<BatchNormOp>(
      gradient,
      {{"operand 4", [](auto &op) { op.operands.mutableAt(4) = f32({3}); }},
       {"result 2", [](auto &op) { op.results.mutableAt(2) = f32({5}); }}});
}

TEST(VerifyAlgorithmsTest, Cholesky) {
  expectRefused<CholeskyOp>(
      withShapes<CholeskyOp>({f32({2, 3, 3})}, {f32({2, 3, 3})}),
      {{"(C3)", [](auto &op) { op.operands = {f32({3, 2})}; }},
       {"(C2)", [](auto &op) { op.operands = {f32({3})}; }},
       {"(C2)", [](auto &op) { op.operands = {f32({})}; }},
       {"(C1)", [](auto &op) { op.results = {f32({3, 3})}; }},
       {"operand", [](auto &op) { op.operands.push_back(f32({})); }}});
}

TEST(VerifyAlgorithmsTest, TriangularSolve) {
  auto op = withShapes<TriangularSolveOp>({f32({2, 3, 3}), f32({2, 3, 5})},
                                          {f32({2, 3, 5})});
  const char *b = "operand 1";
  expectRefused<TriangularSolveOp>(
      op,
      {{"left_side is false", [](auto &op) { op.leftSide = false; }},
       {b, [](auto &op) { op.operands.mutableAt(1) = f32({1, 3, 5}); }},
       {b, [](auto &op) { op.operands.mutableAt(1) = f32({3, 5}); }},
       {b, [](auto &op) { op.operands.mutableAt(1) = f32({}); }},
       {"(C3)", [](auto &op) { op.operands.mutableAt(0) = f32({2, 3, 4}); }},
       {"(C4)", [](auto &op) { op.results = {f32({2, 5, 3})}; }},
       {"operand", [](auto &op) { op.operands.pop_back(); }}});
}

TEST(VerifyAlgorithmsTest, SetDimensionSize) {
  auto op =
      withShapes<SetDimensionSizeOp>({f32({2, 3}), s32({})}, {f32({2, 3})});
  op.results.mutableAt(0).dynamic.resize(2);
  op.results.mutableAt(0).dynamic[1] = true;
  op.dimension = 1;
  expectRefused<SetDimensionSizeOp>(
      op,
      {{"dimensions", [](auto &op) { op.dimension = 2; }},
       {"dimensions", [](auto &op) { op.dimension = INT64_MIN; }},
       {"operand 1 must",
        [](auto &op) { op.operands.mutableAt(1) = s32({1}); }},
       {"operand 1 must", [](auto &op) { op.operands.mutableAt(1) = f32({}); }},
       {"operand 0 and result", [](auto &op) { op.results = {f32({3, 3})}; }},
       {"operand", [](auto &op) { op.operands.pop_back(); }}});
}

TEST(VerifyAlgorithmsTest, DynamicReshape) {
  expectRefused<DynamicReshapeOp>(
      withShapes<DynamicReshapeOp>({f32({2, 3}), s32({}), s32({})},
                                   {f32({3, 2})}),
      {{"(C4)", [](auto &op) { op.operands.pop_back(); }},
       {"(C4)", [](auto &op) { op.operands.push_back(s32({})); }},
       {"size 1", [](auto &op) { op.operands.mutableAt(2) = s32({1}); }},
       {"size 0", [](auto &op) { op.operands.mutableAt(1) = f32({}); }},
       {"(C4)", [](auto &op) { op.operands = {f32({2, 3}), s32({3})}; }},
       {"elements", [](auto &op) { op.results = {f32({3, 3})}; }},
       {"operand", [](auto &op) { op.operands.clear(); }}});
}

}  // namespace
}  // namespace indexical::testing
