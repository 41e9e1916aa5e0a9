// The op classes of control.td; see stablehlo.h for what is where.
#ifndef INDEXICAL_IMPORT_STABLEHLO_DIALECT_CONTROL_H
#define INDEXICAL_IMPORT_STABLEHLO_DIALECT_CONTROL_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"

#include "indexical/import/stablehlo/dialect/stablehlo.h"

// Generated classes do not use all their parameters.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define GET_OP_CLASSES
#include "indexical/import/stablehlo/dialect/control.h.inc"
#pragma GCC diagnostic pop

#endif  // INDEXICAL_IMPORT_STABLEHLO_DIALECT_CONTROL_H
