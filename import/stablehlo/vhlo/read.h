// Reads VHLO's types and attributes from bytecode.
//
//   !vhlo.tensor_v1<2x!vhlo.f32_v1>                tensor<2xf32>
//   #vhlo.string_v1<"f">                           "f"
//   #vhlo<comparison_direction_v1 LT>              #stablehlo<…direction LT>
//   #vhlo.tensor_v1<dense<[1, 0]> : tensor<2xi64>> dense<[1, 0]>
//
// VHLO has types of its own for those that MLIR and StableHLO may rename.
// Readers do not need them, so the bytes become types and attributes of MLIR
// and StableHLO directly, and only ops remain to be renamed (rename.h).
#ifndef INDEXICAL_IMPORT_STABLEHLO_VHLO_READ_H
#define INDEXICAL_IMPORT_STABLEHLO_VHLO_READ_H

#include "mlir/Bytecode/BytecodeImplementation.h"

namespace indexical::vhlo {

/// Returns the next type or attribute. Returns null if the reader fails or the
/// next entry is of another kind, which the reader reports.
mlir::Type readType(mlir::DialectBytecodeReader &reader);
mlir::Attribute readAttribute(mlir::DialectBytecodeReader &reader);

}  // namespace indexical::vhlo

#endif  // INDEXICAL_IMPORT_STABLEHLO_VHLO_READ_H
