// Types of arguments as somebody writes them on a command line.
//
//   tensor<8x128xf32>, tensor<?xi32, #stablehlo.bounds<16>>
//     f32[8,128], s32[<=16]
#ifndef INDEXICAL_STABLEHLO_IMPORT_ARGUMENT_TYPES_H
#define INDEXICAL_STABLEHLO_IMPORT_ARGUMENT_TYPES_H

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/ops/shape.h"

namespace indexical {

/// Types of MLIR with commas between, as a tuple of their shapes. An error,
/// without a place, in MLIR's words, where one is no type, or has no rank.
absl::StatusOr<Shape> shapeOfTypes(llvm::StringRef types);

}  // namespace indexical

#endif  // INDEXICAL_STABLEHLO_IMPORT_ARGUMENT_TYPES_H
