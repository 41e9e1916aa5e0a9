// Ops that verify refuses: each family has a valid op, and changes that make it
// wrong. The message names the attribute.
#include "gtest/gtest.h"

#include "indexical/ops/families.h"
#include "indexical/ops/op.h"
#include "tests/ops/expect_refused.h"
#include "tests/support/shapes.h"

namespace indexical::testing {
namespace {

TEST(VerifyTest, Elementwise) {
  expectRefused<ElementwiseOp>(
      withShapes<ElementwiseOp>({f32({2, 3}), f32({})}, {f32({2, 3})}),
      {{"operand 0", [](auto &op) { op.operands.mutableAt(0) = f32({3, 2}); }},
       {"operand 1", [](auto &op) { op.operands.mutableAt(1) = f32({3}); }},
       {"operand 0", [](auto &op) { op.results.mutableAt(0) = f32({2}); }},
       {"result", [](auto &op) { op.results.clear(); }}});
}

TEST(VerifyTest, Constant) {
  auto op = withShapes<ConstantOp>({}, {s32({3})});
  op.values = {1, 2, 3};
  expectRefused<ConstantOp>(
      op, {{"values", [](auto &op) { op.values.pop_back(); }},
           {"operand", [](auto &op) { op.operands = {s32({})}; }},
           {"result", [](auto &op) { op.results.clear(); }}});
}

TEST(VerifyTest, Iota) {
  auto op = withShapes<IotaOp>({}, {s32({3, 4})});
  op.dimension = 1;
  expectRefused<IotaOp>(
      op, {{"iota_dimension", [](auto &op) { op.dimension = 2; }},
           {"iota_dimension", [](auto &op) { op.dimension = -1; }},
           {"iota_dimension",
            [](auto &op) { op.results.mutableAt(0) = s32({}); }}});
}

TEST(VerifyTest, Broadcast) {
  auto op = withShapes<BroadcastOp>({f32({2, 3})}, {f32({3, 5, 2})});
  op.dimensions = {2, 0};
  expectRefused<BroadcastOp>(
      op, {{"dimensions", [](auto &op) { op.dimensions = {0, 2}; }},
           {"dimensions", [](auto &op) { op.dimensions = {2}; }},
           {"dimensions", [](auto &op) { op.dimensions = {2, 0, 1}; }},
           {"dimensions", [](auto &op) { op.dimensions = {2, 3}; }},
           {"dimensions", [](auto &op) { op.dimensions = {-1, 0}; }},
           {"operand", [](auto &op) { op.operands.clear(); }},
           {"operand", [](auto &op) { op.operands.push_back(f32({})); }}});
  auto square = withShapes<BroadcastOp>({f32({2, 2})}, {f32({2, 2})});
  square.dimensions = {0, 1};
  expectRefused<BroadcastOp>(
      square, {{"dimensions", [](auto &op) { op.dimensions = {1, 1}; }}});
  auto expanding = withShapes<BroadcastOp>({f32({1, 3})}, {f32({4, 3})});
  expanding.dimensions = {0, 1};
  expectRefused<BroadcastOp>(
      expanding, {{"must have the size 1",
                   [](auto &op) { op.operands.mutableAt(0) = f32({2, 3}); }},
                  {"must have the size 1",
                   [](auto &op) { op.operands.mutableAt(0) = f32({0, 3}); }},
                  {"must have the size 1",
                   [](auto &op) { op.results.mutableAt(0) = f32({4, 1}); }}});
}

TEST(VerifyTest, Transpose) {
  auto op = withShapes<TransposeOp>({f32({2, 3, 5})}, {f32({5, 2, 3})});
  op.permutation = {2, 0, 1};
  expectRefused<TransposeOp>(
      op,
      {{"dimensions", [](auto &op) { op.permutation = {2, 0}; }},
       {"dimensions", [](auto &op) { op.permutation = {2, 0, 0}; }},
       {"dimensions", [](auto &op) { op.permutation = {2, 0, 3}; }},
       {"dimensions", [](auto &op) { op.permutation = {-1, 0, 1}; }},
       {"dimensions", [](auto &op) { op.permutation = {0, 1, 2}; }},
       {"result", [](auto &op) { op.results.mutableAt(0) = f32({5, 2}); }}});
}

TEST(VerifyTest, Reverse) {
  auto op = withShapes<ReverseOp>({f32({2, 3})}, {f32({2, 3})});
  op.dimensions = {1};
  expectRefused<ReverseOp>(
      op,
      {{"dimensions", [](auto &op) { op.dimensions = {2}; }},
       {"dimensions", [](auto &op) { op.dimensions = {-1}; }},
       {"dimensions", [](auto &op) { op.dimensions = {1, 1}; }},
       {"result", [](auto &op) { op.results.mutableAt(0) = f32({3, 2}); }}});
}

TEST(VerifyTest, Reshape) {
  expectRefused<ReshapeOp>(
      withShapes<ReshapeOp>({f32({2, 3})}, {f32({6})}),
      {{"elements", [](auto &op) { op.results.mutableAt(0) = f32({5}); }},
       {"elements", [](auto &op) { op.results.mutableAt(0) = f32({}); }},
       {"elements", [](auto &op) { op.results.mutableAt(0) = f32({6, 0}); }},
       {"operand", [](auto &op) { op.operands.push_back(f32({6})); }}});
}

TEST(VerifyTest, Bitcast) {
  auto op = withShapes<BitcastOp>({f32({2, 3})}, {f32({3, 2})});
  op.results.mutableAt(0).layout.emplace().minorToMajor = {0, 1};
  expectRefused<BitcastOp>(
      op, {{"layout",
            [](auto &op) {
              op.results.mutableAt(0).layout.emplace().minorToMajor = {0};
            }},
           {"layout",
            [](auto &op) {
              op.results.mutableAt(0).layout.emplace().minorToMajor = {0, 0};
            }},
           {"layout",
            [](auto &op) {
              op.results.mutableAt(0).layout.emplace().minorToMajor = {0, 2};
            }},
           {"bits",
            [](auto &op) { op.results.mutableAt(0).type = ElementType::BF16; }},
           {"bits",
            [](auto &op) { op.results.mutableAt(0).dimensions = {3, 3}; }}});
}

TEST(VerifyTest, BitcastConvert) {
  expectRefused<BitcastConvertOp>(
      withShapes<BitcastConvertOp>({f32({3})},
                                   {ArrayShape(ElementType::U8, {3, 4})}),
      {{"result", [](auto &op) { op.results.mutableAt(0).dimensions = {3}; }},
       {"result",
        [](auto &op) { op.results.mutableAt(0).dimensions = {3, 2}; }},
       {"result",
        [](auto &op) { op.results.mutableAt(0).dimensions = {4, 3}; }},
       {"result",
        [](auto &op) { op.results.mutableAt(0).type = ElementType::U32; }},
       {"result",
        [](auto &op) { op.results.mutableAt(0).type = ElementType::F16; }},
       {"result", [](auto &op) {
          std::swap(op.operands.mutableAt(0).type,
                    op.results.mutableAt(0).type);
        }}});
}

TEST(VerifyTest, Slice) {
  auto op = withShapes<SliceOp>({f32({10, 6})}, {f32({3, 6})});
  op.starts = {2, 0}, op.limits = {9, 6}, op.strides = {3, 1};
  expectRefused<SliceOp>(
      op, {{"slice", [](auto &op) { op.starts = {2}; }},
           {"slice", [](auto &op) { op.limits = {9, 6, 1}; }},
           {"slice", [](auto &op) { op.strides = {}; }},
           {"start", [](auto &op) { op.starts[0] = -1; }},
           {"limit", [](auto &op) { op.limits[0] = 11; }},
           {"limit", [](auto &op) { op.limits[0] = 1; }},
           {"stride", [](auto &op) { op.strides[0] = 0; }},
           {"stride", [](auto &op) { op.strides[0] = -3; }},
           {"result", [](auto &op) { op.results.mutableAt(0) = f32({4, 6}); }},
           {"result", [](auto &op) { op.results.mutableAt(0) = f32({3}); }}});
}

TEST(VerifyTest, DynamicSlice) {
  auto op = withShapes<DynamicSliceOp>({f32({10, 6}), s32({}), s32({})},
                                       {f32({3, 6})});
  op.sizes = {3, 6};
  const char *sizes = "dynamic_slice_sizes";
  expectRefused<DynamicSliceOp>(
      op,
      {{sizes, [](auto &op) { op.sizes = {3}; }},
       {sizes, [](auto &op) { op.sizes = {3, 6, 1}; }},
       {sizes,
        [](auto &op) {
          op.sizes[0] = 11, op.results.mutableAt(0) = f32({11, 6});
        }},
       {sizes, [](auto &op) { op.sizes[0] = -1; }},
       {"result", [](auto &op) { op.results.mutableAt(0) = f32({3, 5}); }},
       {"start ind", [](auto &op) { op.operands.pop_back(); }},
       {"start ind", [](auto &op) { op.operands.push_back(s32({})); }},
       {"start ind", [](auto &op) { op.operands.mutableAt(1) = s32({2}); }},
       {"start ind", [](auto &op) { op.operands.mutableAt(2) = f32({}); }}});
  op.operands = {f32({10, 6}), s32({2})};
  expectRefused<DynamicSliceOp>(
      op, {{"start ind", [](auto &op) { op.operands.mutableAt(1) = s32({3}); }},
           {"start ind",
            [](auto &op) { op.operands.mutableAt(1) = s32({2, 1}); }}});
}

TEST(VerifyTest, DynamicUpdateSlice) {
  auto op = withShapes<DynamicUpdateSliceOp>(
      {f32({10, 6}), f32({3, 6}), s32({}), s32({})}, {f32({10, 6})});
  expectRefused<DynamicUpdateSliceOp>(
      op,
      {{"update", [](auto &op) { op.operands.mutableAt(1) = f32({3}); }},
       {"update", [](auto &op) { op.operands.mutableAt(1) = f32({11, 6}); }},
       {"result", [](auto &op) { op.results.mutableAt(0) = f32({10, 5}); }},
       {"start ind", [](auto &op) { op.operands.pop_back(); }},
       {"start ind", [](auto &op) { op.operands.push_back(s32({})); }},
       {"start ind", [](auto &op) { op.operands.mutableAt(2) = f32({}); }}});
}

TEST(VerifyTest, Concatenate) {
  auto op =
      withShapes<ConcatenateOp>({f32({2, 3}), f32({2, 5})}, {f32({2, 8})});
  op.dimension = 1;
  expectRefused<ConcatenateOp>(
      op,
      {{"dimensions", [](auto &op) { op.dimension = 2; }},
       {"dimensions", [](auto &op) { op.dimension = -1; }},
       {"result", [](auto &op) { op.results.mutableAt(0) = f32({2, 7}); }},
       {"operand 1", [](auto &op) { op.operands.mutableAt(1) = f32({1, 5}); }},
       {"operand 1", [](auto &op) { op.operands.mutableAt(1) = f32({5}); }},
       {"operand", [](auto &op) { op.operands.clear(); }}});
}

TEST(VerifyTest, Pad) {
  auto op = withShapes<PadOp>({f32({3, 4}), f32({})}, {f32({8, 3})});
  op.low = {1, -1}, op.high = {2, 0}, op.interior = {1, 0};
  expectRefused<PadOp>(
      op,
      {{"padding", [](auto &op) { op.low = {1}; }},
       {"padding", [](auto &op) { op.high = {2, 0, 0}; }},
       {"padding", [](auto &op) { op.interior = {}; }},
       {"interior", [](auto &op) { op.interior[1] = -1; }},
       {"padding", [](auto &op) { op.low[1] = -5; }},
       {"result", [](auto &op) { op.results.mutableAt(0) = f32({8, 4}); }},
       {"padding value", [](auto &op) { op.operands.mutableAt(1) = f32({1}); }},
       {"operand", [](auto &op) { op.operands.pop_back(); }}});
}

/// operand f32[5,6,7,2], batch dimension 3, indices s32[2,4,2].
GatherOp validGather() {
  auto op = withShapes<GatherOp>({f32({5, 6, 7, 2}), s32({2, 4, 2})},
                                 {f32({2, 3, 4, 7})});
  op.offsetDims = {1, 3};
  op.collapsedSliceDims = {1};
  op.operandBatchingDims = {3};
  op.startIndicesBatchingDims = {0};
  op.startIndexMap = {1, 0};
  op.indexVectorDim = 2;
  op.sliceSizes = {3, 1, 7, 1};
  return op;
}

TEST(VerifyTest, GatherDimensionNumbers) {
  const char *offset = "offset_dims", *collapsed = "collapsed_slice_dims";
  const char *startMap = "start_index_map", *vectorDim = "index_vector_dim";
  expectRefused<GatherOp>(
      validGather(),
      {{offset, [](auto &op) { op.offsetDims = {1}; }},
       {offset, [](auto &op) { op.offsetDims = {3, 1}; }},
       {offset, [](auto &op) { op.offsetDims = {1, 1}; }},
       {offset, [](auto &op) { op.offsetDims = {1, 4}; }},
       {offset, [](auto &op) { op.offsetDims = {-1, 3}; }},
       {collapsed, [](auto &op) { op.collapsedSliceDims = {4}; }},
       {collapsed, [](auto &op) { op.collapsedSliceDims = {-1}; }},
       {collapsed, [](auto &op) { op.collapsedSliceDims = {3}; }},
       {collapsed, [](auto &op) { op.collapsedSliceDims = {2}; }},
       {startMap, [](auto &op) { op.startIndexMap = {1}; }},
       {startMap, [](auto &op) { op.startIndexMap = {1, 4}; }},
       {startMap, [](auto &op) { op.startIndexMap = {1, -1}; }},
       {startMap, [](auto &op) { op.startIndexMap = {1, 1}; }},
       {startMap, [](auto &op) { op.startIndexMap = {1, 3}; }},
       {vectorDim, [](auto &op) { op.indexVectorDim = 4; }},
       {vectorDim, [](auto &op) { op.indexVectorDim = -1; }},
       {vectorDim, [](auto &op) { op.indexVectorDim = 3; }}});
}

TEST(VerifyTest, GatherBatchingAndSizes) {
  const char *batching = "operand_batching_dims";
  const char *indices = "start_indices_batching_dims", *sizes = "slice_sizes";
  expectRefused<GatherOp>(
      validGather(),
      {{batching, [](auto &op) { op.operandBatchingDims = {4}; }},
       {batching, [](auto &op) { op.operandBatchingDims = {-1}; }},
       {batching, [](auto &op) { op.operandBatchingDims = {1}; }},
       {indices, [](auto &op) { op.startIndicesBatchingDims = {}; }},
       {indices, [](auto &op) { op.startIndicesBatchingDims = {1}; }},
       {indices, [](auto &op) { op.startIndicesBatchingDims = {2}; }},
       {indices, [](auto &op) { op.startIndicesBatchingDims = {3}; }},
       {indices, [](auto &op) { op.startIndicesBatchingDims = {-1}; }},
       {sizes, [](auto &op) { op.sliceSizes = {3, 1, 7}; }},
       {sizes, [](auto &op) { op.sliceSizes[2] = 8; }},
       {sizes, [](auto &op) { op.sliceSizes[2] = -1; }},
       {sizes, [](auto &op) { op.sliceSizes[1] = 2; }},
       {sizes, [](auto &op) { op.sliceSizes[3] = 2; }},
       {"result",
        [](auto &op) { op.results.mutableAt(0) = f32({2, 3, 4, 6}); }},
       {"result",
        [](auto &op) { op.results.mutableAt(0) = f32({2, 3, 5, 7}); }},
       {"operand", [](auto &op) { op.operands.pop_back(); }}});
}

TEST(VerifyTest, Dot) {
  auto op =
      withShapes<DotOp>({f32({2, 3, 4}), f32({4, 5, 2})}, {f32({2, 3, 5})});
  op.lhsBatch = {0}, op.rhsBatch = {2};
  op.lhsContracting = {2}, op.rhsContracting = {0};
  const char *lhsBatch = "lhs_batch_dims", *rhsBatch = "rhs_batch_dims";
  const char *lhs = "lhs_contracting_dims", *rhs = "rhs_contracting_dims";
  expectRefused<DotOp>(
      op,
      {{lhsBatch, [](auto &op) { op.lhsBatch = {3}; }},
       {lhsBatch, [](auto &op) { op.lhsBatch = {-1}; }},
       {lhsBatch, [](auto &op) { op.lhsBatch = {0, 1}; }},
       {lhsBatch, [](auto &op) { op.lhsBatch = {1}; }},
       {rhsBatch, [](auto &op) { op.rhsBatch = {3}; }},
       {rhsBatch, [](auto &op) { op.rhsBatch = {}; }},
       {lhs, [](auto &op) { op.lhsContracting = {3}; }},
       {lhs, [](auto &op) { op.lhsContracting = {0}; }},
       {lhs, [](auto &op) { op.lhsContracting = {1}; }},
       {lhs,
        [](auto &op) {
          op.lhsContracting = {2, 2}, op.rhsContracting = {0, 0};
        }},
       {rhs, [](auto &op) { op.rhsContracting = {-1}; }},
       {rhs, [](auto &op) { op.rhsContracting = {}; }},
       {"result", [](auto &op) { op.results.mutableAt(0) = f32({2, 5, 3}); }},
       {"operand", [](auto &op) { op.operands.pop_back(); }}});
}

TEST(VerifyTest, Reduce) {
  auto op = withShapes<ReduceOp>({f32({2, 3}), s32({2, 3}), f32({}), s32({})},
                                 {f32({2}), s32({2})});
  op.dimensions = {1};
  expectRefused<ReduceOp>(
      op,
      {{"dimensions", [](auto &op) { op.dimensions = {2}; }},
       {"dimensions", [](auto &op) { op.dimensions = {-1}; }},
       {"dimensions", [](auto &op) { op.dimensions = {1, 1}; }},
       {"result 0", [](auto &op) { op.results.mutableAt(0) = f32({3}); }},
       {"result 1", [](auto &op) { op.results.mutableAt(1) = s32({}); }},
       {"result", [](auto &op) { op.results.pop_back(); }},
       {"operand 1", [](auto &op) { op.operands.mutableAt(1) = s32({3, 2}); }},
       {"operand 2", [](auto &op) { op.operands.mutableAt(2) = f32({1}); }},
       {"operand", [](auto &op) { op.operands.pop_back(); }}});
}

TEST(VerifyTest, ReduceWindow) {
  auto op = withShapes<ReduceWindowOp>({f32({10, 4}), f32({})}, {f32({5, 4})});
  op.window.resize(2);
  op.window[0].size = 3;
  op.window[0].stride = 2;
  op.window[0].padHigh = 1;
  expectRefused<ReduceWindowOp>(
      op,
      {{"window", [](auto &op) { op.window.pop_back(); }},
       {"window", [](auto &op) { op.window.resize(3); }},
       {"size", [](auto &op) { op.window[0].size = 0; }},
       {"stride", [](auto &op) { op.window[0].stride = 0; }},
       {"dilat", [](auto &op) { op.window[0].baseDilation = 0; }},
       {"dilat", [](auto &op) { op.window[0].windowDilation = -1; }},
       {"pad", [](auto &op) { op.window[1].padLow = -5; }},
       {"result 0", [](auto &op) { op.results.mutableAt(0) = f32({4, 4}); }},
       {"result 0", [](auto &op) { op.results.mutableAt(0) = f32({5}); }},
       {"operand 1", [](auto &op) { op.operands.mutableAt(1) = f32({1}); }},
       {"operand", [](auto &op) { op.operands.pop_back(); }}});
}

TEST(VerifyTest, Forward) {
  auto op = withShapes<ForwardOp>({f32({2}), s32({3})}, {s32({3}), f32({5})});
  op.reads = {1, -1};
  expectRefused<ForwardOp>(
      op, {{"reads", [](auto &op) { op.reads = {1}; }},
           {"reads", [](auto &op) { op.reads[0] = 2; }},
           {"reads", [](auto &op) { op.reads[0] = -2; }},
           {"result 0", [](auto &op) { op.results.mutableAt(0) = s32({2}); }}});
}

TEST(VerifyTest, Cover) {
  auto op = withShapes<CoverOp>({f32({2})}, {s32({3})});
  expectRefused<CoverOp>(
      op, {{"precision", [](auto &op) { op.precision = Precision::Exact; }}});
}

TEST(VerifyTest, SizesMustNotBeNegative) {
  expectRefused<NullaryOp>(
      withShapes<NullaryOp>({}, {f32({2})}),
      {{"result", [](auto &op) { op.results.mutableAt(0) = f32({-2}); }}});
}

}  // namespace
}  // namespace indexical::testing
