// The sdy dialect, Shardy's: which device holds which part of a tensor.
//
//   sdy.mesh @mesh = <["x"=2, "y"=4]>
//   %1 = sdy.reshard %0 <@mesh, [{"x"}, {"y":(1)2, ?}]> : tensor<8x8xf32>
//
//   MeshOp: getMesh()              #sdy.mesh<["x"=2, "y"=4]>
//     getAxes()[1].getSize()       4
//   ReshardOp: getSharding()       #sdy.sharding<@mesh, …>, where
//     getDimensions()[1]           axes "y":(1)2, open, without a priority
//
// Every attribute is a value with typed parameters (sdy.td). It is read in the
// same way from text and from the bytecode of a portable artifact. Shardy
// checks that axes are axes of the mesh and that they divide a dimension; this
// is not checked here. An attribute of another name is kept as its text.
#ifndef INDEXICAL_IMPORT_STABLEHLO_DIALECT_SDY_H
#define INDEXICAL_IMPORT_STABLEHLO_DIALECT_SDY_H

#include <optional>

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

// clang-format off: generated code keeps its order.
// Generated classes do not use all their parameters.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "indexical/import/stablehlo/dialect/sdy_dialect.h.inc"
#include "indexical/import/stablehlo/dialect/sdy_enums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "indexical/import/stablehlo/dialect/sdy_attributes.h.inc"
#define GET_OP_CLASSES
#include "indexical/import/stablehlo/dialect/sdy.h.inc"
#pragma GCC diagnostic pop
// clang-format on

#endif  // INDEXICAL_IMPORT_STABLEHLO_DIALECT_SDY_H
