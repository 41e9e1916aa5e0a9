// VHLO's types and attributes out of bytecode, as what they stand for.
//
//   !vhlo.tensor_v1<2x!vhlo.f32_v1>                tensor<2xf32>
//   #vhlo.string_v1<"f">                           "f"
//   #vhlo<comparison_direction_v1 LT>              #stablehlo<…direction LT>
//   #vhlo.tensor_v1<dense<[1, 0]> : tensor<2xi64>> dense<[1, 0]>
//
// VHLO has types of its own for what MLIR and StableHLO may rename; a reader
// has no use for them. So the bytes become MLIR's and StableHLO's own types and
// attributes at once, and only ops are left to be renamed (rename.h).
#ifndef INDEXICAL_STABLEHLO_VHLO_READ_H
#define INDEXICAL_STABLEHLO_VHLO_READ_H

#include "mlir/Bytecode/BytecodeImplementation.h"

namespace indexical::vhlo {

/// The type or attribute that comes next; null where the reader fails, or where
/// what was read is not one, which the reader reports then.
mlir::Type readType(mlir::DialectBytecodeReader &reader);
mlir::Attribute readAttribute(mlir::DialectBytecodeReader &reader);

}  // namespace indexical::vhlo

#endif  // INDEXICAL_STABLEHLO_VHLO_READ_H
