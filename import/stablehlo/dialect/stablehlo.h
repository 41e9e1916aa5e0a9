// StableHLO as a dialect of MLIR, into which modules are parsed.
//
//   %1 = stablehlo.broadcast_in_dim %0, dims = [1]
//          : (tensor<3xf32>) -> tensor<2x3xf32>
//
//   op.getBroadcastDimensions()   {1}, also where the file has them as
//                                 dense<1> : tensor<1xi64>
//   op.getOperand().getType()     tensor<3xf32>, a mlir::RankedTensorType
//
// The ops are declared in groups, since a header of generated classes takes
// long to compile. Include the groups that you need:
//
//   elementwise.h   abs … xor, compare, select, clamp, convert, complex,
//                   reduce_precision, uniform_quantize and _dequantize
//   movement.h      constant, iota, bitcast_convert, broadcast,
//                   broadcast_in_dim, concatenate, dynamic_slice,
//                   dynamic_update_slice, gather, pad, reshape, reverse,
//                   scatter, slice, torch_index_select, transpose
//   reduction.h     map, reduce, reduce_window, select_and_scatter, sort,
//                   cholesky, triangular_solve, fft, batch_norm_*, rng,
//                   rng_bit_generator
//   contraction.h   dot, dot_general, einsum, unary_einsum, convolution,
//                   dynamic_conv
//   dynamic.h       dynamic_broadcast_in_dim, _gather, _iota, _pad, _reshape,
//                   real_dynamic_slice, get_ and set_dimension_size
//   control.h       if, case, while, return, tuple, get_tuple_element, call to
//                   elsewhere (custom_call, composite), async_*, tokens,
//                   infeed, outfeed, send, recv, optimization_barrier,
//                   partition_id, replica_id
//   collective.h    all_gather, all_reduce, all_to_all, collective_*,
//                   cross-replica-sum, reduce_scatter
//   chlo.h          the chlo dialect, all of it
//
// This header declares the dialect, its attributes
// (GatherDimensionNumbersAttr…), its enumerations and its types. `parse.h`
// reads modules; its `registerDialects` registers these dialects, and those
// that modules use beside them.
#ifndef INDEXICAL_IMPORT_STABLEHLO_DIALECT_STABLEHLO_H
#define INDEXICAL_IMPORT_STABLEHLO_DIALECT_STABLEHLO_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TensorEncoding.h"

#include "indexical/import/stablehlo/dialect/constraints.h"
#include "indexical/import/stablehlo/dialect/speculation.h"
#include "indexical/import/stablehlo/dialect/dialect.h.inc"
#include "indexical/import/stablehlo/dialect/enums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "indexical/import/stablehlo/dialect/attributes.h.inc"
#define GET_TYPEDEF_CLASSES
#include "indexical/import/stablehlo/dialect/types.h.inc"

namespace indexical::stablehlo {

/// Returns the largest size that the dimension can have, or
/// ShapedType::kDynamic if the type gives no bound for it.
int64_t boundOf(mlir::RankedTensorType type, int64_t dimension);

}  // namespace indexical::stablehlo

#endif  // INDEXICAL_IMPORT_STABLEHLO_DIALECT_STABLEHLO_H
