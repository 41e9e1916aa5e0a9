// Types of arguments, in the form of a command line.
//
//   tensor<8x128xf32>, tensor<?xi32, #stablehlo.bounds<16>>
//     f32[8,128], s32[<=16]
#ifndef INDEXICAL_IMPORT_STABLEHLO_IMPORT_ARGUMENT_TYPES_H
#define INDEXICAL_IMPORT_STABLEHLO_IMPORT_ARGUMENT_TYPES_H

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/ops/shape.h"

namespace indexical {

/// Parses types of MLIR with commas between, and returns a tuple of their
/// shapes. Returns an error without a place, in MLIR's words, if one is not a
/// type or has no rank.
absl::StatusOr<Shape> shapeOfTypes(llvm::StringRef types);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_IMPORT_ARGUMENT_TYPES_H
