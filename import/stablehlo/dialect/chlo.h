// The chlo dialect: ops that client libraries write and StableHLO does not
// have, such as `chlo.top_k`, `chlo.erf`, `chlo.broadcast_add` and
// `chlo.ragged_dot`.
//
//   %values, %indices = chlo.top_k(%0, k = 2)
//          : tensor<5x3xf32> -> (tensor<5x2xf32>, tensor<5x2xi32>)
#ifndef INDEXICAL_IMPORT_STABLEHLO_DIALECT_CHLO_H
#define INDEXICAL_IMPORT_STABLEHLO_DIALECT_CHLO_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"

// Generated classes do not use all their parameters.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "indexical/import/stablehlo/dialect/constraints.h"
#include "indexical/import/stablehlo/dialect/speculation.h"
#include "indexical/import/stablehlo/dialect/chlo_dialect.h.inc"
#include "indexical/import/stablehlo/dialect/chlo_enums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "indexical/import/stablehlo/dialect/chlo_attributes.h.inc"
#define GET_OP_CLASSES
#include "indexical/import/stablehlo/dialect/chlo.h.inc"
#pragma GCC diagnostic pop

#endif  // INDEXICAL_IMPORT_STABLEHLO_DIALECT_CHLO_H
