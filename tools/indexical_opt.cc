// indexical-opt: mlir-opt with the dialects that are read here,
// `#indexical.map`, the pass that writes maps into a module, and the one that
// turns functions on tensors into loops; and MLIR's passes of any IR. With
// --indexical-check-passes, each pass of the call is checked: do functions
// still read what they read?
//
//   indexical-opt --indexical-annotate-maps file.mlir
//   indexical-opt --indexical-lower-to-affine file.mlir
//   indexical-opt --indexical-check-passes --canonicalize --cse file.mlir
//   indexical-opt --indexical-annotate-maps=composed --split-input-file
//                 --verify-diagnostics file.mlir
#include <memory>
#include <string>

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/LogicalResult.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

#include "indexical/import/stablehlo/dialect/parse.h"
#include "indexical/import/stablehlo/indexical/annotate.h"
#include "indexical/import/stablehlo/indexical/indexical.h"
#include "indexical/import/stablehlo/lower/lower_to_affine.h"
#include "indexical/same/mlir/check_passes.h"

namespace {

/// Runs the passes of the call on the input, each of them checked.
mlir::LogicalResult runChecked(llvm::StringRef from, llvm::StringRef to,
                               mlir::DialectRegistry &registry) {
  std::string mistake;
  auto input = mlir::openInputFile(from, &mistake);
  auto output = input ? mlir::openOutputFile(to, &mistake) : nullptr;
  if (!output) {
    llvm::errs() << mistake << '\n';
    return mlir::failure();
  }
  auto config = mlir::MlirOptMainConfig::createFromCLOptions();
  const auto asGiven = config;
  config.setPassPipelineSetupFn([&](mlir::PassManager &passes) {
    if (mlir::failed(asGiven.setupPassPipeline(passes))) return mlir::failure();
    passes.addInstrumentation(indexical::createPassChecker());
    return mlir::success();
  });
  if (mlir::failed(
          mlir::MlirOptMain(output->os(), std::move(input), registry, config)))
    return mlir::failure();
  output->keep();
  return mlir::success();
}

}  // namespace

int main(int argc, char **argv) {
  const llvm::InitLLVM init(argc, argv);
  mlir::DialectRegistry registry;
  indexical::registerDialects(registry);
  registry.insert<indexical::ir::IndexicalDialect>();
  indexical::registerAnnotateMapsPass();
  indexical::registerLowerToAffinePass();
  mlir::registerTransformsPasses();
  llvm::cl::opt<bool> checks(
      "indexical-check-passes",
      llvm::cl::desc("Check after each pass that functions still read what "
                     "they read"));
  const auto [from, to] = mlir::registerAndParseCLIOptions(
      argc, argv, "indexical-opt: reads, annotates and lowers MLIR\n",
      registry);
  if (checks) return mlir::asMainReturnCode(runChecked(from, to, registry));
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, from, to, registry));
}
