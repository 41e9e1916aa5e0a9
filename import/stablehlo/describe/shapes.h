// Types of MLIR as shapes.
//
//   tensor<2x65xf32>                            f32[2,65]
//   tensor<?x4xi1, #stablehlo.bounds<16, ?>>    pred[<=16,4]
//   tuple<tensor<i32>, !stablehlo.token>        (s32[], token[])
//   tensor<4x!quant.uniform<i8:f32, 0.1>>       s8[4], what is stored
//   vector<8xf32>, memref<8xf32>                f32[8]
//   index                                       s64[]
//   tensor<*xf32>, !torch.vtensor<[4],f32>      one element of unknown type
//
// Where no index can name the elements (a tensor without a rank, a type of a
// dialect that is not known), one element stands for all of them: what depends
// on the value depends on it. Types that hold no data (`!shape.witness`) are
// opaque: they have no leaf.
#ifndef INDEXICAL_IMPORT_STABLEHLO_DESCRIBE_SHAPES_H
#define INDEXICAL_IMPORT_STABLEHLO_DESCRIBE_SHAPES_H

#include "absl/status/statusor.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Types.h"
#include "mlir/IR/ValueRange.h"

#include "indexical/ops/shape.h"

namespace indexical {

/// Returns the shape of the type, or an error without a place if the type is
/// nested deeper than shapes can be.
absl::StatusOr<Shape> shapeOf(mlir::Type type);

/// Returns the shape of the only type, or a tuple of the shapes of all.
absl::StatusOr<Shape> shapeOf(mlir::TypeRange types);

/// Returns whether the type is that of a tensor or a memref without a rank.
bool isUnranked(mlir::Type type);

/// Returns the shape of a ranked tensor.
ArrayShape arrayShapeOf(mlir::RankedTensorType type);

/// Returns the element type of HLO, or `Unknown` if HLO has none like it.
ElementType elementTypeOf(mlir::Type type);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_DESCRIBE_SHAPES_H
