#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Shape/IR/Shape.h"
#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "indexical/stablehlo/dialect/chlo.h"
#include "indexical/stablehlo/dialect/neighbours.h"
#include "indexical/stablehlo/dialect/parse.h"
#include "indexical/stablehlo/dialect/sdy.h"
#include "indexical/stablehlo/dialect/stablehlo.h"

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
