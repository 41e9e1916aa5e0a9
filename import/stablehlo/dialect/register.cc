#include "llvm/ADT/StringMap.h"
#include "mlir/IR/DialectImplementation.h"

// A dialect is registered by its class alone. The headers of these dialects
// declare all their ops, too, and take half a minute to compile.
#include "mlir/Dialect/Affine/IR/AffineOpsDialect.h.inc"
#include "mlir/Dialect/Arith/IR/ArithOpsDialect.h.inc"
#include "mlir/Dialect/Bufferization/IR/BufferizationOpsDialect.h.inc"
#include "mlir/Dialect/Complex/IR/ComplexOpsDialect.h.inc"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOpsDialect.h.inc"
#include "mlir/Dialect/Func/IR/FuncOpsDialect.h.inc"
#include "mlir/Dialect/Linalg/IR/LinalgOpsDialect.h.inc"
#include "mlir/Dialect/MLProgram/IR/MLProgramOpsDialect.h.inc"
#include "mlir/Dialect/Math/IR/MathOpsDialect.h.inc"
#include "mlir/Dialect/MemRef/IR/MemRefOpsDialect.h.inc"
#include "mlir/Dialect/Quant/IR/QuantOpsDialect.h.inc"
#include "mlir/Dialect/SCF/IR/SCFOpsDialect.h.inc"
#include "mlir/Dialect/Shape/IR/ShapeOpsDialect.h.inc"
#include "mlir/Dialect/SparseTensor/IR/SparseTensorOpsDialect.h.inc"
#include "mlir/Dialect/Tensor/IR/TensorOpsDialect.h.inc"
#include "mlir/Dialect/Tosa/IR/TosaOpsDialect.h.inc"
#include "mlir/Dialect/UB/IR/UBOpsDialect.h.inc"
#include "mlir/Dialect/Vector/IR/VectorDialect.h.inc"

#include "indexical/import/stablehlo/dialect/parse.h"
#include "indexical/import/stablehlo/dialect/check_dialect.h.inc"
#include "indexical/import/stablehlo/dialect/chlo_dialect.h.inc"
#include "indexical/import/stablehlo/dialect/dialect.h.inc"
#include "indexical/import/stablehlo/dialect/enzyme_dialect.h.inc"
#include "indexical/import/stablehlo/dialect/enzymexla_dialect.h.inc"
#include "indexical/import/stablehlo/dialect/flow_dialect.h.inc"
#include "indexical/import/stablehlo/dialect/interpreter_dialect.h.inc"
#include "indexical/import/stablehlo/dialect/mhlo_dialect.h.inc"
#include "indexical/import/stablehlo/dialect/mpmd_dialect.h.inc"
#include "indexical/import/stablehlo/dialect/sdy_dialect.h.inc"
#include "indexical/import/stablehlo/dialect/util_dialect.h.inc"

namespace indexical {

void registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<
      stablehlo::StablehloDialect, chlo::ChloDialect, neighbours::CheckDialect,
      neighbours::EnzymeDialect, neighbours::EnzymexlaDialect,
      neighbours::FlowDialect, neighbours::InterpreterDialect,
      neighbours::MhloDialect, neighbours::MpmdDialect, neighbours::UtilDialect,
      sdy::SdyDialect, mlir::affine::AffineDialect, mlir::arith::ArithDialect,
      mlir::bufferization::BufferizationDialect, mlir::cf::ControlFlowDialect,
      mlir::complex::ComplexDialect, mlir::func::FuncDialect,
      mlir::linalg::LinalgDialect, mlir::math::MathDialect,
      mlir::memref::MemRefDialect, mlir::ml_program::MLProgramDialect,
      mlir::quant::QuantDialect, mlir::scf::SCFDialect,
      mlir::shape::ShapeDialect, mlir::sparse_tensor::SparseTensorDialect,
      mlir::tensor::TensorDialect, mlir::tosa::TosaDialect, mlir::ub::UBDialect,
      mlir::vector::VectorDialect>();
}

}  // namespace indexical
