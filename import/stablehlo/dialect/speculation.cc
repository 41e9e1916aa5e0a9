#include "indexical/import/stablehlo/dialect/speculation.h"

#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace indexical::stablehlo {

bool hasStaticTypes(mlir::Operation *op) {
  auto isStatic = [](mlir::Type type) {
    auto shaped = llvm::dyn_cast<mlir::ShapedType>(type);
    return !shaped || shaped.hasStaticShape();
  };
  return llvm::all_of(op->getOperandTypes(), isStatic) &&
         llvm::all_of(op->getResultTypes(), isStatic);
}

bool hasConstantShapes(mlir::Operation *op, unsigned data) {
  auto isConstant = [](mlir::Value value) {
    mlir::Operation *maker = value.getDefiningOp();
    return maker && maker->getNumOperands() == 0 &&
           llvm::isa_and_present<mlir::DenseElementsAttr>(
               maker->getAttr("value"));
  };
  return llvm::all_of(llvm::drop_begin(op->getOperands(), data), isConstant);
}

}  // namespace indexical::stablehlo
