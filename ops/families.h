// The list of families: one include and one line each.
//
// Each family has files of its own (ops/ROOM/NAME.h and NAME.cc). Tests and
// visitors need the list of all families; no other code enumerates them.
#ifndef INDEXICAL_OPS_FAMILIES_H
#define INDEXICAL_OPS_FAMILIES_H

#include "indexical/ops/algorithms/batch_norm.h"
#include "indexical/ops/algorithms/cholesky.h"
#include "indexical/ops/algorithms/fft.h"
#include "indexical/ops/algorithms/sort.h"
#include "indexical/ops/algorithms/top_k.h"
#include "indexical/ops/algorithms/triangular_solve.h"
#include "indexical/ops/collectives/collective.h"
#include "indexical/ops/collectives/ragged_all_to_all.h"
#include "indexical/ops/control/capturing.h"
#include "indexical/ops/control/conditional.h"
#include "indexical/ops/control/cover.h"
#include "indexical/ops/control/custom.h"
#include "indexical/ops/control/forward.h"
#include "indexical/ops/control/scan.h"
#include "indexical/ops/control/start.h"
#include "indexical/ops/control/while.h"
#include "indexical/ops/elementwise/broadcasting.h"
#include "indexical/ops/elementwise/elementwise.h"
#include "indexical/ops/elementwise/nullary.h"
#include "indexical/ops/indexed/dynamic_slice.h"
#include "indexical/ops/indexed/dynamic_update_slice.h"
#include "indexical/ops/indexed/gather.h"
#include "indexical/ops/indexed/scatter.h"
#include "indexical/ops/movement/bitcast.h"
#include "indexical/ops/movement/broadcast.h"
#include "indexical/ops/movement/concatenate.h"
#include "indexical/ops/movement/dynamic_reshape.h"
#include "indexical/ops/movement/pad.h"
#include "indexical/ops/movement/reshape.h"
#include "indexical/ops/movement/reverse.h"
#include "indexical/ops/movement/set_dimension_size.h"
#include "indexical/ops/movement/slice.h"
#include "indexical/ops/movement/transpose.h"
#include "indexical/ops/products/convolution.h"
#include "indexical/ops/products/dot.h"
#include "indexical/ops/products/ragged_dot.h"
#include "indexical/ops/products/scaled_dot.h"
#include "indexical/ops/reduction/reduce.h"
#include "indexical/ops/reduction/reduce_window.h"
#include "indexical/ops/reduction/select_and_scatter.h"

// clang-format off
#define INDEXICAL_FAMILIES(F) \
  F(NullaryOp) \
  F(ConstantOp) \
  F(IotaOp) \
  F(ElementwiseOp) \
  F(BroadcastingOp) \
  F(BroadcastOp) \
  F(TransposeOp) \
  F(ReverseOp) \
  F(BitcastOp) \
  F(BitcastConvertOp) \
  F(SliceOp) \
  F(ConcatenateOp) \
  F(DynamicReshapeOp) \
  F(SetDimensionSizeOp) \
  F(ReshapeOp) \
  F(PadOp) \
  F(DynamicSliceOp) \
  F(DynamicUpdateSliceOp) \
  F(GatherOp) \
  F(ScatterOp) \
  F(ReduceOp) \
  F(ReduceWindowOp) \
  F(SelectAndScatterOp) \
  F(DotOp) \
  F(ScaledDotOp) \
  F(RaggedDotOp) \
  F(ConvolutionOp) \
  F(SortOp) \
  F(TopKOp) \
  F(FftOp) \
  F(BatchNormOp) \
  F(CholeskyOp) \
  F(TriangularSolveOp) \
  F(WhileOp) \
  F(ConditionalOp) \
  F(ScanOp) \
  F(StartOp) \
  F(CapturingOp) \
  F(ForwardOp) \
  F(CoverOp) \
  F(ReadAllOp) \
  F(CallOp) \
  F(CustomOp) \
  F(AllGatherOp) \
  F(AllReduceOp) \
  F(ReduceScatterOp) \
  F(AllToAllOp) \
  F(CollectiveBroadcastOp) \
  F(CollectivePermuteOp) \
  F(RaggedAllToAllOp)
// clang-format on

#endif  // INDEXICAL_OPS_FAMILIES_H
