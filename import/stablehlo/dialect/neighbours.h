// Dialects that real files use beside StableHLO, as far as reading them needs:
// check, interpreter, util and flow of tests, mpmd, enzyme, and MHLO's own ops.
// Shardy's dialect is in sdy.h.
//
//   check.expect_eq_const %0, dense<[1, 2]> : tensor<2xi64>
//   %1 = mpmd.reduce<max> %0 : (!mpmd.type) -> !mpmd.type
//
//   ExpectEqConstOp: getLhs() %0, getValue() dense<[1, 2]>
//   MpmdReduceOp: getReduction() #mpmd.reduction<max>, an OpaqueAttr
#ifndef INDEXICAL_IMPORT_STABLEHLO_DIALECT_NEIGHBOURS_H
#define INDEXICAL_IMPORT_STABLEHLO_DIALECT_NEIGHBOURS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

// clang-format off: what is generated keeps its order.
// Generated classes do not use all their parameters.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "indexical/import/stablehlo/dialect/check_dialect.h.inc"
#include "indexical/import/stablehlo/dialect/enzyme_dialect.h.inc"
#include "indexical/import/stablehlo/dialect/enzymexla_dialect.h.inc"
#include "indexical/import/stablehlo/dialect/flow_dialect.h.inc"
#include "indexical/import/stablehlo/dialect/interpreter_dialect.h.inc"
#include "indexical/import/stablehlo/dialect/mhlo_dialect.h.inc"
#include "indexical/import/stablehlo/dialect/mpmd_dialect.h.inc"
#include "indexical/import/stablehlo/dialect/util_dialect.h.inc"
#define GET_OP_CLASSES
#include "indexical/import/stablehlo/dialect/neighbours.h.inc"
#pragma GCC diagnostic pop
// clang-format on

#endif  // INDEXICAL_IMPORT_STABLEHLO_DIALECT_NEIGHBOURS_H
