// The bytecode of sdy: private to the dialect.
//
// An attribute is its number, a varint, and its fields; #sdy.mesh_axis<"a"=2>
// is
//
//   1        kMeshAxis
//   5        where "a" stands among the strings
//   4        2, with a sign
//
// The attributes of an op are written without names, in the order of these.
#ifndef INDEXICAL_IMPORT_STABLEHLO_DIALECT_SDY_BYTECODE_H
#define INDEXICAL_IMPORT_STABLEHLO_DIALECT_SDY_BYTECODE_H

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/IR/OperationSupport.h"

namespace indexical::sdy {

/// Reads the attributes of an op, each of the kind that the op requires. An
/// error names the op.
mlir::LogicalResult readFields(mlir::DialectBytecodeReader &reader,
                               mlir::OperationState &state);
void writeFields(mlir::DialectBytecodeWriter &writer, mlir::Operation *op);

}  // namespace indexical::sdy

#endif  // INDEXICAL_IMPORT_STABLEHLO_DIALECT_SDY_BYTECODE_H
