// indexical-opt: mlir-opt with the dialects that are read here,
// `#indexical.map`, the pass that writes maps into a module, and the one that
// turns functions on tensors into loops.
//
//   indexical-opt --indexical-annotate-maps file.mlir
//   indexical-opt --indexical-lower-to-affine file.mlir
//   indexical-opt --indexical-annotate-maps=composed --split-input-file
//                 --verify-diagnostics file.mlir
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/LogicalResult.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

#include "indexical/stablehlo/dialect/parse.h"
#include "indexical/stablehlo/indexical/annotate.h"
#include "indexical/stablehlo/indexical/indexical.h"
#include "indexical/stablehlo/lower/lower_to_affine.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  indexical::registerDialects(registry);
  registry.insert<indexical::ir::IndexicalDialect>();
  indexical::registerAnnotateMapsPass();
  indexical::registerLowerToAffinePass();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "indexical-opt: reads, annotates and lowers MLIR\n",
      registry));
}
