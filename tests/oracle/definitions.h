// The definitions of the op families, one function each, on tensors of reads.
//
// Each function takes the op's operand leaves as tensors of reads, and returns
// the result leaves. If the reads depend on values, it takes the values too.
#ifndef INDEXICAL_TESTS_ORACLE_DEFINITIONS_H
#define INDEXICAL_TESTS_ORACLE_DEFINITIONS_H

#include <vector>

#include "indexical/ops/families.h"
#include "indexical/ops/op.h"
#include "tests/oracle/oracle.h"
#include "tests/oracle/tensor.h"

namespace indexical::testing {

using Tensors = std::vector<Tensor>;

// data_movement.cc
Tensors define(const ElementwiseOp &op, const Tensors &operands);
Tensors define(const BroadcastOp &op, const Tensors &operands);
Tensors define(const TransposeOp &op, const Tensors &operands);
Tensors define(const ReverseOp &op, const Tensors &operands);
Tensors define(const ReshapeOp &op, const Tensors &operands);
Tensors define(const SliceOp &op, const Tensors &operands);
Tensors define(const ConcatenateOp &op, const Tensors &operands);
Tensors define(const PadOp &op, const Tensors &operands);
Tensors define(const ForwardOp &op, const Tensors &operands);

// bitcast.cc
Tensors define(const BitcastOp &op, const Tensors &operands);
Tensors define(const BitcastConvertOp &op, const Tensors &operands);

// reduction.cc
Tensors define(const ReduceOp &op, const Tensors &operands);
Tensors define(const ReduceWindowOp &op, const Tensors &operands);

// dynamic_indexing.cc
Tensors define(const DynamicSliceOp &op, const Tensors &operands,
               const OperandValues &values);
Tensors define(const DynamicUpdateSliceOp &op, const Tensors &operands,
               const OperandValues &values);
Tensors define(const GatherOp &op, const Tensors &operands,
               const OperandValues &values);

// contraction.cc
Tensors define(const DotOp &op, const Tensors &operands);
Tensors define(const ScaledDotOp &op, const Tensors &operands);
Tensors define(const RaggedDotOp &op, const Tensors &operands,
               const OperandValues &values);

// convolution.cc
Tensors define(const ConvolutionOp &op, const Tensors &operands);
Tensors define(const SelectAndScatterOp &op, const Tensors &operands);

// linear_algebra.cc
Tensors define(const SortOp &op, const Tensors &operands);
Tensors define(const TopKOp &op, const Tensors &operands);
Tensors define(const FftOp &op, const Tensors &operands);
Tensors define(const BatchNormOp &op, const Tensors &operands);
Tensors define(const CholeskyOp &op, const Tensors &operands);
Tensors define(const TriangularSolveOp &op, const Tensors &operands);

// scatter.cc
Tensors define(const ScatterOp &op, const Tensors &operands,
               const OperandValues &values);

// resizing.cc
Tensors define(const SetDimensionSizeOp &op, const Tensors &operands);
Tensors define(const DynamicReshapeOp &op, const Tensors &operands);

/// Empty tensors of the results' sizes.
Tensors emptyResults(const OpShapes &op);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_ORACLE_DEFINITIONS_H
